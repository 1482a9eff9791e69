//! State diagrams. What is imported is a model that the checker accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let drawn = format!("@startuml\n{text}");
    for imported in [model::import::plantuml(&drawn), model::import::mermaid(text)] {
        if let Ok(imported) = imported {
            let checked = model::check(&imported.text, &[]);
            assert!(checked.is_ok(), "{}", imported.text);
        }
    }
});
