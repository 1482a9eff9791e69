//! Suites of abstract symbolic inputs. What can be read is written and read again
//! without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use staged::Suite;

fuzz_target!(|text: &str| {
    if let Ok((suite, _)) = Suite::read(text) {
        let (again, complaints) = Suite::read(&suite.text()).expect("what was written is read");
        assert_eq!(again, suite);
        assert!(complaints.is_empty());
    }
});
