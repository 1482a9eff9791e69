//! String constraints in HAMPI's language.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // The message of a mistake shows the place, which has to be in the text.
    if let Err(problems) = grammar::hampi::Query::parse(text) {
        assert!(!problems.to_string().is_empty());
    }
});
