//! State charts in SCXML. What is imported is a model that the checker accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(imported) = model::import::scxml(text) {
        let checked = model::check(&imported.text, &[]);
        assert!(checked.is_ok(), "{}", imported.text);
    }
});
