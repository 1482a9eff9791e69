//! State diagrams, and systems in XLIA. What is imported is a model that the checker accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let drawn = format!("@startuml\n{text}");
    let system = format!("@xlia< system >:\nsystem S {{\n{text}");
    let read = [
        model::import::plantuml(&drawn),
        model::import::mermaid(text),
        model::import::xlia(&system),
    ];
    for imported in read.into_iter().flatten() {
        let checked = model::check(&imported.text, &[]);
        assert!(checked.is_ok(), "{}", imported.text);
    }
});
