//! JUnit XML, which build servers read.

use std::fmt::Write;
use std::time::Duration;

/// A test and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct JunitCase {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub outcome: JunitOutcome,
    /// How long it took.
    pub time: Duration,
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
    /// It could not be carried through, and why.
    Broken(String),
    /// It says nothing, and why.
    Skipped(String),
}

/// The tests as one JUnit suite.
pub fn junit(suite: &str, cases: &[JunitCase]) -> String {
    let count = |wanted: fn(&JunitOutcome) -> bool| {
        cases.iter().filter(|case| wanted(&case.outcome)).count()
    };
    let failures = count(|outcome| matches!(outcome, JunitOutcome::Failed(_)));
    let errors = count(|outcome| matches!(outcome, JunitOutcome::Broken(_)));
    let skipped = count(|outcome| matches!(outcome, JunitOutcome::Skipped(_)));
    let time: Duration = cases.iter().map(|case| case.time).sum();
    let (suite, time) = (escaped(suite), time.as_secs_f64());
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{suite}\" \
         tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{time:.3}\">\n",
        cases.len()
    );
    for case in cases {
        let (name, time) = (escaped(&case.name), case.time.as_secs_f64());
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{time:.3}\">"
        );
        match &case.outcome {
            JunitOutcome::Passed => {}
            JunitOutcome::Failed(reason) => {
                let _ = writeln!(xml, "      <failure message=\"{}\"/>", escaped(reason));
            }
            JunitOutcome::Broken(reason) => {
                let _ = writeln!(xml, "      <error message=\"{}\"/>", escaped(reason));
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
            time: Duration::from_millis(1250),
            output: String::new(),
        };
        let cases = [
            case("a", JunitOutcome::Passed),
            case("b", JunitOutcome::Failed("1 < 2 & \"no\"\u{1}".to_owned())),
            JunitCase {
                output: "in?(1)".to_owned(),
                ..case("c", JunitOutcome::Broken("it died".to_owned()))
            },
            case("d", JunitOutcome::Skipped("another way".to_owned())),
        ];
        assert_eq!(
            junit("grid", &cases),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites>\n  <testsuite name=\"grid\" tests=\"4\" failures=\"1\" errors=\"1\" \
             skipped=\"1\" time=\"5.000\">\n    \
             <testcase classname=\"grid\" name=\"a\" time=\"1.250\">\n    </testcase>\n    \
             <testcase classname=\"grid\" name=\"b\" time=\"1.250\">\n      \
             <failure message=\"1 &lt; 2 &amp; &quot;no&quot;\u{fffd}\"/>\n    </testcase>\n    \
             <testcase classname=\"grid\" name=\"c\" time=\"1.250\">\n      \
             <error message=\"it died\"/>\n      \
             <system-out>in?(1)</system-out>\n    </testcase>\n    \
             <testcase classname=\"grid\" name=\"d\" time=\"1.250\">\n      \
             <skipped message=\"another way\"/>\n    </testcase>\n  </testsuite>\n\
             </testsuites>\n"
        );
    }
}
