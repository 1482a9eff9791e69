//! Grammars in BNF and EBNF. What can be read can be checked, written, and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(grammar) = grammar::read::bnf(text) {
        grammar::check(&grammar);
        let written = grammar::write::bnf(&grammar);
        if let Err(problems) = grammar::read::bnf(&written) {
            panic!("{problems}\n{written}");
        }
    }
});
