//! Tests in KLEE's format. What can be decoded is encoded, and what was encoded is decoded
//! without a change; an input without a name gets one on the way.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suite::ktest::{decode, encode};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(case) = decode(bytes) {
        let encoded = encode(&case);
        let again = decode(&encoded).expect("what was encoded is decoded");
        assert_eq!(encode(&again), encoded);
    }
});
