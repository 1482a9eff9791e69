//! Suites of abstract symbolic inputs. What can be read is written and read again
//! without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use staged::Suite;

fuzz_target!(|text: &str| {
    if let Ok((suite, _)) = Suite::read(text) {
        // A line that cannot be used is not written, which moves those after it.
        let text = suite.text();
        let (again, complaints) = Suite::read(&text).expect("what was written is read");
        assert_eq!(again.text(), text);
        assert!(complaints.is_empty());
    }
});
