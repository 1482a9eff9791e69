//! Test-Comp's exchange format for test suites.
//!
//! A suite is a folder with `metadata.xml` and one file a test; the n-th
//! `<input>` of a test is what the n-th `__VERIFIER_nondet_*` call returns. The
//! format is the one of <https://gitlab.com/sosy-lab/test-comp/test-format>,
//! version 1.1. Inputs are written without the optional `variable` attribute:
//! with it the meaning of a sequence that does not fit it is undefined.

use std::io;

use base::escape::visible;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::value::{self, Value};
use crate::{Input, InputKind, InputTypes, TestCase};

/// What `metadata.xml` says of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The language of the program, `C`.
    pub language: String,
    /// Who made the suite, with the version.
    pub producer: String,
    /// What the suite is to cover, as Test-Comp writes it.
    pub specification: String,
    /// The program's file.
    pub program_file: String,
    /// The SHA-256 of that file, in hexadecimal.
    pub program_hash: String,
    /// The function the program starts in.
    pub entry_function: String,
    /// `32bit` or `64bit`.
    pub architecture: String,
    /// When the suite was made, as ISO 8601 writes it.
    pub creation_time: String,
}

impl Metadata {
    /// The text of `metadata.xml`. The order of the elements is prescribed.
    pub fn to_xml(&self) -> String {
        let elements = [
            ("sourcecodelang", &self.language),
            ("producer", &self.producer),
            ("specification", &self.specification),
            ("programfile", &self.program_file),
            ("programhash", &self.program_hash),
            ("entryfunction", &self.entry_function),
            ("architecture", &self.architecture),
            ("creationtime", &self.creation_time),
        ];
        document("test-metadata", &[], |xml| {
            let mut elements = elements.into_iter();
            elements.try_for_each(|(name, content)| text_element(xml, name, content))
        })
    }
}

/// The text of a test's file.
///
/// Integers and characters are decimal; floats have the fewest digits that read
/// back as the same number. An array is written as its elements, and bytes of
/// unknown type as one integer when they have an integer's size.
pub fn test_xml(case: &TestCase, types: &InputTypes, covers_error: bool) -> String {
    let covers: &[(&str, &str)] = match covers_error {
        true => &[("coversError", "true")],
        false => &[],
    };
    document("testcase", covers, |xml| {
        let inputs = case.inputs.iter();
        let mut values =
            inputs.flat_map(|input| value::elements(kind_of(input, types), &input.bytes));
        values.try_for_each(|value| text_element(xml, "input", &literal(value)))
    })
}

type Document = Writer<Vec<u8>>;

/// A document of the format with this element around everything.
fn document(
    root: &str,
    attributes: &[(&str, &str)],
    content: impl FnOnce(&mut Document) -> io::Result<()>,
) -> String {
    let doctype = format!(
        "{root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\""
    );
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    let write = || -> io::Result<()> {
        xml.write_event(Event::Decl(BytesDecl::new(
            "1.0",
            Some("UTF-8"),
            Some("no"),
        )))?;
        xml.write_event(Event::DocType(BytesText::from_escaped(doctype)))?;
        xml.create_element(root)
            .with_attributes(attributes.iter().copied())
            .write_inner_content(content)?;
        Ok(())
    };
    write().expect("writing to memory does not fail");
    let mut text = String::from_utf8(xml.into_inner()).expect("text was written");
    text.push('\n');
    text
}

fn text_element(xml: &mut Document, name: &str, content: &str) -> io::Result<()> {
    // XML has no way to write control characters.
    let content = BytesText::new(&visible(content)).into_owned();
    xml.create_element(name).write_text_content(content)?;
    Ok(())
}

fn kind_of(input: &Input, types: &InputTypes) -> InputKind {
    types.kind_of(input).unwrap_or(match input.bytes.len() {
        size @ (2 | 4 | 8) => InputKind::Signed(size as u8),
        _ => InputKind::Bytes,
    })
}

fn literal(value: Value) -> String {
    match value {
        Value::Bool(value) => u8::from(value).to_string(),
        Value::Signed(value) => value.to_string(),
        Value::Unsigned(value) | Value::Address(value) => value.to_string(),
        Value::Single(value) => float(&format!("{value:?}"), value.is_sign_negative()),
        Value::Double(value) => float(&format!("{value:?}"), value.is_sign_negative()),
    }
}

/// C's spelling of a float; the payload of a NaN is not kept.
fn float(shortest: &str, negative: bool) -> String {
    match (shortest, negative) {
        ("NaN", false) => "nan".to_string(),
        ("NaN", true) => "-nan".to_string(),
        _ => shortest.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inputs: Vec<Input>, expected: &[&str]) {
        let xml = test_xml(&TestCase::new(inputs), &InputTypes::default(), false);
        let lines: String = expected
            .iter()
            .map(|value| format!("  <input>{value}</input>\n"))
            .collect();
        assert_eq!(
            xml,
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
                 <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase \
                 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n\
                 <testcase>\n{lines}</testcase>\n"
            )
        );
    }

    #[test]
    fn every_kind_of_value_is_written_as_c_reads_it() {
        check(
            vec![
                Input::new("b", [1]).with_kind(InputKind::Bool),
                Input::new("c", [0xe4]).with_kind(InputKind::Char),
                Input::new("i", i32::MIN.to_le_bytes()).with_kind(InputKind::INT),
                Input::new("u", u64::MAX.to_le_bytes()).with_kind(InputKind::Unsigned(8)),
                Input::new("w", i128::MIN.to_le_bytes()).with_kind(InputKind::Signed(16)),
                Input::new("p", 16u64.to_le_bytes()).with_kind(InputKind::Pointer(8)),
            ],
            &[
                "1",
                "-28",
                "-2147483648",
                "18446744073709551615",
                "-170141183460469231731687303715884105728",
                "16",
            ],
        );
    }

    #[test]
    fn floats_are_written_so_that_they_read_back_the_same() {
        let single =
            |value: f32| Input::new("f", value.to_le_bytes()).with_kind(InputKind::Float(4));
        let double =
            |value: f64| Input::new("d", value.to_le_bytes()).with_kind(InputKind::Float(8));
        check(
            vec![
                single(0.1),
                double(0.1),
                double(1e300),
                double(5e-324),
                double(-0.0),
                double(f64::INFINITY),
                double(f64::NEG_INFINITY),
                double(f64::from_bits(0x7ff8 << 48)),
            ],
            &[
                "0.1", "0.1", "1e300", "5e-324", "-0.0", "inf", "-inf", "nan",
            ],
        );
    }

    #[test]
    fn an_array_is_one_input_an_element() {
        check(
            vec![Input::new("a", [1, 0, 2, 0]).with_kind(InputKind::Unsigned(2))],
            &["1", "2"],
        );
        check(
            vec![Input::new("__VERIFIER_nondet_memory", [1, 2, 255])],
            &["1", "2", "255"],
        );
    }

    #[test]
    fn the_kind_comes_from_the_name_or_the_size_when_nothing_else_tells() {
        check(
            vec![Input::new("__VERIFIER_nondet_uint", [255; 4])],
            &["4294967295"],
        );
        check(vec![Input::new("x", [255; 4])], &["-1"]);
    }

    #[test]
    fn a_test_that_reaches_the_error_says_so() {
        let xml = test_xml(&TestCase::default(), &InputTypes::default(), true);
        assert!(
            xml.ends_with("<testcase coversError=\"true\">\n</testcase>\n"),
            "{xml}"
        );
    }

    #[test]
    fn metadata_keeps_the_order_of_the_format_and_escapes_its_content() {
        let metadata = Metadata {
            language: "C".into(),
            producer: "Everypath 0.1 <&>".into(),
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".into(),
            program_file: "a\u{1}.c".into(),
            program_hash: "00ff".into(),
            entry_function: "main".into(),
            architecture: "64bit".into(),
            creation_time: "2026-01-01T00:00:00Z".into(),
        };
        assert_eq!(
            metadata.to_xml(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
             <!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata \
             1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n\
             <test-metadata>\n  \
             <sourcecodelang>C</sourcecodelang>\n  \
             <producer>Everypath 0.1 &lt;&amp;&gt;</producer>\n  \
             <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>\n  \
             <programfile>a\u{fffd}.c</programfile>\n  \
             <programhash>00ff</programhash>\n  \
             <entryfunction>main</entryfunction>\n  \
             <architecture>64bit</architecture>\n  \
             <creationtime>2026-01-01T00:00:00Z</creationtime>\n\
             </test-metadata>\n"
        );
    }
}
