//! JUnit XML, which build servers read.

use std::fmt::Write;

/// A test and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct JunitCase {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub outcome: JunitOutcome,
    /// What was exchanged, for the log.
    pub output: String,
}

/// What became of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JunitOutcome {
    /// It passed.
    Passed,
    /// It failed, and why.
    Failed(String),
    /// It says nothing, and why.
    Skipped(String),
}

/// The tests as one JUnit suite.
pub fn junit(suite: &str, cases: &[JunitCase]) -> String {
    let count = |wanted: fn(&JunitOutcome) -> bool| {
        cases.iter().filter(|case| wanted(&case.outcome)).count()
    };
    let failures = count(|outcome| matches!(outcome, JunitOutcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, JunitOutcome::Skipped(_)));
    let suite = escaped(suite);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{suite}\" \
         tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n",
        cases.len()
    );
    for case in cases {
        let name = escaped(&case.name);
        let _ = writeln!(xml, "    <testcase classname=\"{suite}\" name=\"{name}\">");
        match &case.outcome {
            JunitOutcome::Passed => {}
            JunitOutcome::Failed(reason) => {
                let _ = writeln!(xml, "      <failure message=\"{}\"/>", escaped(reason));
            }
            JunitOutcome::Skipped(reason) => {
                let _ = writeln!(xml, "      <skipped message=\"{}\"/>", escaped(reason));
            }
        }
        if !case.output.is_empty() {
            let _ = writeln!(
                xml,
                "      <system-out>{}</system-out>",
                escaped(&case.output)
            );
        }
        xml.push_str("    </testcase>\n");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// The text as it may stand in XML, which has no control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_has_its_element() {
        let case = |name: &str, outcome| JunitCase {
            name: name.to_owned(),
            outcome,
            output: String::new(),
        };
        let cases = [
            case("a", JunitOutcome::Passed),
            case("b", JunitOutcome::Failed("1 < 2 & \"no\"\u{1}".to_owned())),
            JunitCase {
                output: "in?(1)".to_owned(),
                ..case("c", JunitOutcome::Skipped("it died".to_owned()))
            },
        ];
        assert_eq!(
            junit("grid", &cases),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites>\n  <testsuite name=\"grid\" tests=\"3\" failures=\"1\" errors=\"0\" \
             skipped=\"1\">\n    <testcase classname=\"grid\" name=\"a\">\n    </testcase>\n    \
             <testcase classname=\"grid\" name=\"b\">\n      \
             <failure message=\"1 &lt; 2 &amp; &quot;no&quot;\u{fffd}\"/>\n    </testcase>\n    \
             <testcase classname=\"grid\" name=\"c\">\n      <skipped message=\"it died\"/>\n      \
             <system-out>in?(1)</system-out>\n    </testcase>\n  </testsuite>\n</testsuites>\n"
        );
    }
}
