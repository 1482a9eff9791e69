//! Grammars in JSON. What can be read can be checked, written, and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(grammar) = grammar::read::json(text) {
        grammar::check(&grammar);
        if let Ok(written) = grammar::write::json(&grammar)
            && let Err(problems) = grammar::read::json(&written)
        {
            panic!("{problems}\n{written}");
        }
    }
});
