//! The portable encoding of terms. What can be decoded is encoded and decoded to the
//! same terms.
#![no_main]

use libfuzzer_sys::fuzz_target;
use term::{Store, decode, encode};

fuzz_target!(|bytes: &[u8]| {
    let mut store = Store::new();
    if let Ok(terms) = decode(&mut store, bytes) {
        let encoded = encode(&store, &terms);
        let again = decode(&mut store, &encoded).expect("what was encoded is decoded");
        assert_eq!(again, terms);
    }
});
