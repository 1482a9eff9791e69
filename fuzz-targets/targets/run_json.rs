//! Results of runs. What can be read is written, and what was written is read without a
//! change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suite::RunReport;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(report) = serde_json::from_slice::<RunReport>(bytes) {
        let written = serde_json::to_string(&report).expect("a report is an object");
        let again: RunReport = serde_json::from_str(&written).expect("what was written is read");
        let again = serde_json::to_string(&again).expect("a report is an object");
        assert_eq!(again, written);
    }
});
