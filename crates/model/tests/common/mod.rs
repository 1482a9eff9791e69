//! What tests of the language share.

use model::{Location, check};

/// Every fault as `line:column: message`.
pub fn faults(text: &str) -> Vec<String> {
    let faults = check(text, &[]).err().unwrap_or_default();
    let told = faults.iter().map(|fault| {
        let Location { line, column } = fault.span.location(text);
        format!("{line}:{column}: {}", fault.message)
    });
    told.collect()
}
