//! The entries of a program, by which attributes of the crate `everypath` tell which
//! functions are tests and what is to be known of them: `everypath_test.PATH;line=N;WORD;…`.

use program::{FunctionId, Program};

/// What the names of entries begin with.
pub(super) const PREFIX: &str = "everypath_test.";

/// A test, as its entry tells it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The name for the linker.
    pub symbol: String,
    /// What it is told by, where it is the entry of several tests.
    pub argument: Option<String>,
    /// Where the function is, with its crate: `parser::tests::round_trip`.
    pub path: String,
    /// The same without the crate, as `cargo test` names tests.
    pub name: String,
    /// It is left out unless asked for.
    pub is_ignored: bool,
    /// What it needs that there is not.
    pub needs: Option<String>,
    /// It has a bound for loops.
    pub has_bound: bool,
    /// It is a property of proptest, which has no way to read our cases.
    pub is_property: bool,
    /// It has to panic for some input, with this in the message.
    pub should_panic: Option<String>,
}

impl Entry {
    /// Reads the name of an entry.
    fn read(symbol: &str) -> Option<Entry> {
        let mut entry = Entry::told(symbol.strip_prefix(PREFIX)?)?;
        entry.symbol = symbol.to_owned();
        if let Some((_, name)) = entry.path.split_once("::") {
            entry.name = name.to_owned();
        }
        Some(entry)
    }

    /// Reads what is told of a test: where it is, and what its attributes say.
    pub fn told(rest: &str) -> Option<Entry> {
        // The text that is expected comes last, for it may have any sign in it.
        let (rest, should_panic) = match rest.split_once(";should_panic=") {
            Some((rest, text)) => (rest, Some(text.to_owned())),
            None => (rest, None),
        };
        let mut words = rest.split(';');
        let path = words.next()?.to_owned();
        let words: Vec<&str> = words.collect();
        let needs = words
            .iter()
            .find_map(|word| word.strip_prefix("unsupported="));
        Some(Entry {
            symbol: String::new(),
            argument: None,
            name: path.clone(),
            path,
            is_ignored: words.contains(&"ignored"),
            needs: needs.map(str::to_owned),
            has_bound: words.contains(&"unwind"),
            is_property: words.contains(&"proptest"),
            should_panic,
        })
    }

    /// The entries of a program.
    pub fn all(program: &Program) -> Vec<Entry> {
        let functions = program.functions.iter().filter(|it| it.body.is_some());
        functions.filter_map(|it| Entry::read(&it.name)).collect()
    }

    pub fn function(&self, program: &Program) -> Option<FunctionId> {
        program.function(&self.symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_tells_what_attributes_said() {
        let symbol = "everypath_test.parser::tests::deep;line=7;unwind;should_panic=too; deep";
        let expected = Entry {
            symbol: symbol.to_owned(),
            argument: None,
            path: "parser::tests::deep".to_owned(),
            name: "tests::deep".to_owned(),
            is_ignored: false,
            needs: None,
            has_bound: true,
            is_property: false,
            should_panic: Some("too; deep".to_owned()),
        };
        assert_eq!(Entry::read(symbol), Some(expected));
        assert_eq!(Entry::read("main"), None);
    }
}
