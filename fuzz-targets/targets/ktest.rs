//! Tests in KLEE's format. What can be decoded is encoded and decoded to the same test.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suite::ktest::{decode, encode};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(case) = decode(bytes) {
        let again = decode(&encode(&case)).expect("what was encoded is decoded");
        assert_eq!(again, case);
    }
});
