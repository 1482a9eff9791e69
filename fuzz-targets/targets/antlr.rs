//! Grammars in ANTLR's notation. What can be read can be checked, and read as BNF.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(grammar) = grammar::read::antlr(text) {
        grammar::check(&grammar);
        let written = grammar::write::bnf(&grammar);
        if let Err(problems) = grammar::read::bnf(&written) {
            panic!("{problems}\n{written}");
        }
    }
});
