//! JUnit XML, which build servers read.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
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
    /// Names with values, such as the requirements it is there for.
    pub properties: Vec<(String, String)>,
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
    let mut tests = TestSuite::new(suite);
    tests.set_time(cases.iter().map(|case| case.time).sum());
    tests.add_test_cases(cases.iter().map(|case| {
        let mut test = TestCase::new(case.name.as_str(), status(&case.outcome));
        test.set_classname(suite).set_time(case.time);
        for (name, value) in &case.properties {
            test.add_property((name.as_str(), value.as_str()));
        }
        if !case.output.is_empty() {
            test.set_system_out(case.output.as_str());
        }
        test
    }));
    let mut report = Report::new(suite);
    report.add_test_suite(tests);
    let text = report.to_string().expect("writing to memory does not fail");
    // The first is that of all suites together, for which the schema that Jenkins reads
    // files with has no such attribute; quotes in names are escaped.
    let is_skipped = |case: &&JunitCase| matches!(case.outcome, JunitOutcome::Skipped(_));
    let skipped = cases.iter().filter(is_skipped).count();
    text.replacen(&format!(" skipped=\"{skipped}\""), "", 1)
}

fn status(outcome: &JunitOutcome) -> TestCaseStatus {
    let (mut status, reason) = match outcome {
        JunitOutcome::Passed => return TestCaseStatus::success(),
        JunitOutcome::Failed(reason) => {
            (TestCaseStatus::non_success(NonSuccessKind::Failure), reason)
        }
        JunitOutcome::Broken(reason) => {
            (TestCaseStatus::non_success(NonSuccessKind::Error), reason)
        }
        JunitOutcome::Skipped(reason) => (TestCaseStatus::skipped(), reason),
    };
    status.set_message(reason.as_str());
    status
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
            properties: Vec::new(),
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
             <testsuites name=\"grid\" tests=\"4\" failures=\"1\" errors=\"1\">\n    \
             <testsuite name=\"grid\" tests=\"4\" skipped=\"1\" errors=\"1\" failures=\"1\" \
             time=\"5.000\">\n        \
             <testcase name=\"a\" classname=\"grid\" time=\"1.250\"/>\n        \
             <testcase name=\"b\" classname=\"grid\" time=\"1.250\">\n            \
             <failure message=\"1 &lt; 2 &amp; &quot;no&quot;\"/>\n        </testcase>\n        \
             <testcase name=\"c\" classname=\"grid\" time=\"1.250\">\n            \
             <error message=\"it died\"/>\n            \
             <system-out>in?(1)</system-out>\n        </testcase>\n        \
             <testcase name=\"d\" classname=\"grid\" time=\"1.250\">\n            \
             <skipped message=\"another way\"/>\n        </testcase>\n    </testsuite>\n\
             </testsuites>\n"
        );
    }
}
