//! Names of variables and functions as symbols of SMT-LIB, no two the same.

use crate::smtlib::{is_reserved, is_theory_symbol};
use crate::sort::Sort;
use crate::store::{Function, Signature, Store, Term, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name as a symbol, between bars if it needs them. What no symbol may
/// contain (bars, backslashes, control characters) becomes `_`.
pub fn symbol(name: &str) -> String {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let is_free = !name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.');
    if !name.is_empty() && is_free && name.chars().all(is_simple) && !is_reserved(name) {
        return name.to_owned();
    }
    let is_allowed = |c: char| c != '|' && c != '\\' && (!c.is_control() || c == '\n' || c == '\t');
    let quotable = name.chars().map(|c| if is_allowed(c) { c } else { '_' });
    format!("|{}|", quotable.collect::<String>())
}

/// The symbols of the variables and functions of some terms.
pub(super) struct Names {
    variables: FxHashMap<Variable, String>,
    functions: FxHashMap<Function, String>,
    prefix: String,
}

impl Names {
    /// Names for the variables and functions among these terms.
    pub fn of(store: &Store, terms: &[Term]) -> Names {
        let mut taken = FxHashSet::default();
        let mut variables: Vec<_> = terms.iter().filter_map(|&t| store.as_variable(t)).collect();
        variables.sort_unstable();
        let variables = variables
            .into_iter()
            .map(|v| (v, unused(&mut taken, store.variable_name(v))))
            .collect();
        let mut functions: Vec<_> = terms.iter().filter_map(|&t| store.as_function(t)).collect();
        functions.sort_unstable();
        functions.dedup();
        let functions = functions
            .into_iter()
            .map(|f| (f, unused(&mut taken, &store.signature(f).name)))
            .collect();
        let mut prefix = String::from("?");
        while taken.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('?');
        }
        Names {
            variables,
            functions,
            prefix,
        }
    }

    /// What names of other things may begin with: no name here does.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    pub fn variable(&self, variable: Variable) -> &str {
        &self.variables[&variable]
    }

    pub fn function(&self, function: Function) -> &str {
        &self.functions[&function]
    }

    /// The variables' names and sorts, the oldest first.
    pub fn variables(&self, store: &Store) -> impl Iterator<Item = (&str, Sort)> {
        let mut variables: Vec<_> = self.variables.iter().collect();
        variables.sort_unstable();
        variables
            .into_iter()
            .map(|(&variable, name)| (&**name, store.variable_sort(variable)))
    }

    /// The functions' names and signatures, the oldest first.
    pub fn functions<'a>(
        &'a self,
        store: &'a Store,
    ) -> impl Iterator<Item = (&'a str, &'a Signature)> {
        let mut functions: Vec<_> = self.functions.iter().collect();
        functions.sort_unstable();
        functions
            .into_iter()
            .map(|(&function, name)| (&**name, store.signature(function)))
    }
}

/// A symbol like `name` that is not in use, which it then is.
fn unused(taken: &mut FxHashSet<String>, name: &str) -> String {
    let mut candidate = symbol(name);
    let mut number = 0;
    while is_theory_symbol(candidate.trim_matches('|')) || taken.contains(&candidate) {
        number += 1;
        candidate = symbol(&format!("{name}!{number}"));
    }
    taken.insert(candidate.clone());
    candidate
}
