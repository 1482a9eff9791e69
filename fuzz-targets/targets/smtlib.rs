//! SMT-LIB scripts. What can be read is written and read again without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use term::smtlib::{self, Command};
use term::{Store, Term};

fuzz_target!(|text: &str| {
    let mut store = Store::new();
    let Ok(script) = smtlib::parse(&mut store, text) else {
        return;
    };
    let asserted = script.commands.iter().filter_map(|located| match located.command {
        Command::Assert { term, .. } => Some(term),
        _ => None,
    });
    let asserted: Vec<Term> = asserted.collect();
    let bytes = term::encode(&store, &asserted);
    let again = term::decode(&mut store, &bytes).expect("what was encoded is decoded");
    assert_eq!(again, asserted);
});
