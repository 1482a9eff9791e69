//! Models. What can be read can be formatted, and formatting once is enough; what is
//! wrong is wrong somewhere in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(faults) = model::check(text, &[]) {
        for fault in faults {
            fault.span.location(text);
        }
    }
    if model::mistakes(text).is_empty() {
        let formatted = model::format(text);
        assert!(model::mistakes(&formatted).is_empty(), "{formatted}");
        assert_eq!(model::format(&formatted), formatted);
    }
});
