//! Ordinary `#[test]` functions that call properties: `proptest!` with a closure, a `TestRunner`,
//! `quickcheck`. Nothing marks them. A harness of ours runs one of them, by its name, in the place
//! of Rust's own runner, and tells which there are.

use super::entry::Entry;
use crate::error::Error;
use crate::session_error::explained;
use engine::{Observer, PathEnd, Session, Start};
use machine::End;
use program::{Base, Constant, FunctionId, Inst, Program};
use std::collections::HashSet;

/// Asks the harness for the names of all tests.
pub(super) const LIST: &str = "--list";

/// Parts of the mangled names of functions that run properties, in both manglings of Rust.
pub(super) const PROPERTIES: [&str; 3] = [
    "8proptest5sugar3run",
    "10TestRunner3run",
    "10quickcheck6tester",
];

/// Part of the mangled name of the harness.
const HARNESS: &str = "15everypath_tests3run";

/// The harness of a program.
pub(super) struct Harness<'p> {
    program: &'p Program,
    main: FunctionId,
}

impl<'p> Harness<'p> {
    /// None where a program has no tests, or runs them itself.
    pub fn of(program: &'p Program) -> Option<Harness<'p>> {
        let mut functions = program.functions.iter();
        let has_harness = functions.any(|it| it.name.contains(HARNESS));
        let main = program.function("main").filter(|_| has_harness)?;
        Some(Harness { program, main })
    }

    /// The function that begins the harness.
    pub fn symbol(&self) -> &str {
        &self.program.functions[self.main.index()].name
    }

    /// The tests that call properties, told by a session that asks for all of them.
    pub fn properties(&self, session: Session<'_>) -> Result<Vec<Entry>, Error> {
        let failed = |error| explained(error, Some(self.program));
        let start = Start::Function(self.main);
        let mut told = Told::default();
        let mut prepared = session.prepare(self.program, start).map_err(failed)?;
        prepared.run(&mut told).map_err(failed)?;
        let callers = callers_of_properties(self.program);
        let names = callers
            .iter()
            .map(|id| &self.program.functions[id.index()].name);
        let names: Vec<&String> = names.collect();
        let is_property = |entry: &Entry| {
            let part = mangled(&entry.name);
            names.iter().any(|name| name.contains(&part))
        };
        let entries = told.0.iter().filter_map(|words| Entry::told(words));
        let properties = entries.filter(is_property).map(|entry| Entry {
            symbol: self.symbol().to_owned(),
            argument: Some(entry.name.clone()),
            is_property: true,
            ..entry
        });
        Ok(properties.collect())
    }
}

/// What the harness tells: an input for each test.
#[derive(Default)]
struct Told(Vec<String>);

impl Observer for Told {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        if let End::Exit(_) = end {
            let inputs = path.case().inputs.iter();
            self.0 = inputs.map(|input| input.name.clone()).collect();
        }
    }
}

/// The functions from which calls, or functions that they take the address of, lead to one that
/// runs properties.
fn callers_of_properties(program: &Program) -> HashSet<FunctionId> {
    let ids = (0..program.functions.len()).map(FunctionId::from_index);
    let runs_properties = |id: &FunctionId| {
        let name = &program.functions[id.index()].name;
        PROPERTIES.iter().any(|part| name.contains(part))
    };
    let mut open: Vec<FunctionId> = ids.clone().filter(runs_properties).collect();
    let mut callers = vec![Vec::new(); program.functions.len()];
    for id in ids {
        for callee in mentioned(program, id) {
            callers[callee.index()].push(id);
        }
    }
    let mut found = HashSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(&callers[id.index()]);
        }
    }
    found
}

/// The functions that one calls or takes the address of.
fn mentioned(program: &Program, id: FunctionId) -> Vec<FunctionId> {
    let Some(body) = &program.functions[id.index()].body else {
        return Vec::new();
    };
    let called = body.code.iter().filter_map(|inst| match inst {
        Inst::Call { function, .. } => Some(*function),
        _ => None,
    });
    let addresses = body.constants.iter().filter_map(|constant| match constant {
        Constant::Address(address) => match address.base {
            Base::Function(function) => Some(function),
            Base::Global(_) | Base::Block(..) => None,
        },
        _ => None,
    });
    called.chain(addresses).collect()
}

/// A path as both manglings of Rust have it within a name: `tests::sorts` is `5tests5sorts`.
fn mangled(path: &str) -> String {
    let parts = path.split("::").map(|part| format!("{}{part}", part.len()));
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_part_of_a_mangled_name() {
        assert_eq!(mangled("tests::sorts"), "5tests5sorts");
        assert!("_RNvNtCs6B1_3own5tests5sorts".contains(&mangled("tests::sorts")));
        assert!("_ZN3own5tests5sorts17h0123456789abcdefE".contains(&mangled("tests::sorts")));
    }
}
