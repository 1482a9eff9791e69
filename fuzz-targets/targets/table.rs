//! Tables of external functions. What can be read is written and read again without a
//! change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oracle::FunctionTable;

fuzz_target!(|content: &[u8]| {
    if let Ok(table) = FunctionTable::read("f", content) {
        let written = table.to_csv();
        let Ok(again) = FunctionTable::read("f", written.as_bytes()) else {
            panic!("cannot be read again:\n{written}");
        };
        assert_eq!(again.to_csv(), written);
    }
});
