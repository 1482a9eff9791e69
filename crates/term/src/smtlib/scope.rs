//! What the symbols mean at one place of a script.

use super::builtin::{self, Builtin};
use crate::sort::Sort;
use crate::store::{Function, Term};
use rustc_hash::FxHashMap;

/// What a symbol stands for.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Term(Term),
    Function(Function),
    /// A definition with parameters, by its number among [`Scope::macros`].
    Macro(usize),
    Builtin(&'static Builtin),
}

/// A definition with parameters: the body, in which variables that occur
/// nowhere else stand for the parameters.
pub(super) struct Macro {
    pub parameters: Vec<Term>,
    pub body: Term,
    /// Whether regular languages occur in the body.
    pub has_languages: bool,
}

/// What the name of a sort stands for.
#[derive(Clone, Copy)]
pub(super) enum SortMeaning {
    Sort(Sort),
    /// An abbreviation with parameters, by its number among
    /// [`Scope::abbreviations`].
    Abbreviation(usize),
}

/// A sort with parameters: their names, and where in the text the sort is.
#[derive(Clone)]
pub(super) struct Abbreviation<'a> {
    pub parameters: Vec<&'a str>,
    pub body: usize,
}

enum Undo<'a> {
    Symbol(&'a str, Option<Meaning>),
    Sort(&'a str, Option<SortMeaning>),
}

/// Declarations and definitions, by level of `push`.
#[derive(Default)]
pub(super) struct Scope<'a> {
    symbols: FxHashMap<&'a str, Meaning>,
    sorts: FxHashMap<&'a str, SortMeaning>,
    pub macros: Vec<Macro>,
    pub abbreviations: Vec<Abbreviation<'a>>,
    undo: Vec<Undo<'a>>,
    levels: Vec<usize>,
    /// Whether declarations stay when their level is popped.
    pub is_global: bool,
}

impl<'a> Scope<'a> {
    #[inline]
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        let own = self.symbols.get(name).copied();
        own.or_else(|| builtin::find(name).map(Meaning::Builtin))
    }

    pub fn sort(&self, name: &str) -> Option<SortMeaning> {
        self.sorts.get(name).copied()
    }

    /// Whether a declaration of this symbol would contradict another.
    pub fn is_declared(&self, name: &str) -> bool {
        self.symbols.contains_key(name) || builtin::is_core(name)
    }

    /// Gives the symbol a meaning until its level is popped.
    pub fn declare(&mut self, name: &'a str, meaning: Meaning) {
        let before = self.symbols.insert(name, meaning);
        if !self.is_global {
            self.undo.push(Undo::Symbol(name, before));
        }
    }

    /// Gives the sort a meaning until its level is popped.
    pub fn declare_sort(&mut self, name: &'a str, meaning: SortMeaning) {
        let before = self.sorts.insert(name, meaning);
        if !self.is_global {
            self.undo.push(Undo::Sort(name, before));
        }
    }

    /// Gives the symbol a meaning until [`restore`](Scope::restore); returns
    /// what to restore.
    pub fn bind(&mut self, name: &'a str, meaning: Meaning) -> Option<Meaning> {
        self.symbols.insert(name, meaning)
    }

    /// Ends a binding.
    pub fn restore(&mut self, name: &'a str, before: Option<Meaning>) {
        match before {
            Some(meaning) => self.symbols.insert(name, meaning),
            None => self.symbols.remove(name),
        };
    }

    /// Like [`bind`](Scope::bind), for sorts.
    pub fn bind_sort(&mut self, name: &'a str, meaning: SortMeaning) -> Option<SortMeaning> {
        self.sorts.insert(name, meaning)
    }

    /// Like [`restore`](Scope::restore), for sorts.
    pub fn restore_sort(&mut self, name: &'a str, before: Option<SortMeaning>) {
        match before {
            Some(meaning) => self.sorts.insert(name, meaning),
            None => self.sorts.remove(name),
        };
    }

    /// How many levels can be popped.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    pub fn push(&mut self) {
        self.levels.push(self.undo.len());
    }

    /// Forgets what was declared since the matching push; there is one.
    pub fn pop(&mut self) {
        let length = self.levels.pop().unwrap_or(0);
        while self.undo.len() > length {
            match self.undo.pop() {
                Some(Undo::Symbol(name, before)) => self.restore(name, before),
                Some(Undo::Sort(name, before)) => self.restore_sort(name, before),
                None => {}
            }
        }
    }

    /// Forgets all levels, and all declarations unless they are global.
    pub fn reset_assertions(&mut self) {
        self.levels.clear();
        if !self.is_global {
            *self = Scope::default();
        }
    }
}
