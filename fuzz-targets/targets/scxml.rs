//! State charts in SCXML. What is imported is a model that can be read.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(imported) = model::import::scxml(text) {
        let mistakes = model::mistakes(&imported.text);
        assert!(mistakes.is_empty(), "{mistakes:?}\n{}", imported.text);
    }
});
