//! How conditions with external functions are decided.

use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;
use term::{Store, Term};

/// How conditions with external functions are decided.
#[derive(Clone)]
pub struct Config {
    /// The method.
    pub strategy: Strategy,
    /// What is tried after the first solution, in this order.
    pub heuristics: Vec<Heuristic>,
    /// How often each heuristic may try.
    pub max_tries: u32,
    /// Evaluations a search may take.
    pub search_budget: u32,
    /// Conflicts the solver may spend on a query before local search has its
    /// turn; only a query that search does not settle gets the full budget. Checks
    /// that merely might spare a query get a tenth of this.
    pub conflicts_before_search: u64,
    /// Conflicts after which a query that computes with floats is given up.
    pub float_conflicts: u64,
    /// What random choices depend on.
    pub seed: u64,
    /// Constraints that divide the arguments of functions, by name.
    pub partitions: FxHashMap<String, Vec<Partition>>,
    /// Holds arguments to what functions were run on. Without, answers can be
    /// wrong; there for tests that show it.
    pub hold_arguments: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            strategy: Strategy::Mixed,
            heuristics: vec![
                Heuristic::Residual,
                Heuristic::Partition,
                Heuristic::Incremental,
                Heuristic::Random,
                Heuristic::Search,
            ],
            max_tries: 10,
            search_budget: 20_000,
            conflicts_before_search: 2_000,
            float_conflicts: 20_000,
            seed: 0,
            partitions: FxHashMap::default(),
            hold_arguments: true,
        }
    }
}

/// A constraint on the arguments of a function: given the terms of an
/// application's arguments, the condition on them.
pub type Partition = Rc<dyn Fn(&mut Store, &[Term]) -> Term>;

/// A method for conditions with external functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strategy {
    /// Gives up on them.
    Classic,
    /// Fixes the arguments of a call for the rest of the path.
    Exe,
    /// Runs with concrete inputs and flips branches.
    Dart,
    /// Solves the simple part, runs the functions, solves again.
    #[default]
    Mixed,
    /// Believes the tables of the functions alone, and extends them as needed.
    Table,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 5] = [
        Strategy::Classic,
        Strategy::Exe,
        Strategy::Dart,
        Strategy::Mixed,
        Strategy::Table,
    ];

    /// How a call gets a symbolic argument.
    pub fn passing(self) -> Passing {
        match self {
            Strategy::Classic | Strategy::Mixed | Strategy::Table => Passing::Term,
            Strategy::Exe => Passing::Fixed,
            Strategy::Dart => Passing::Example,
        }
    }

    /// The name users give.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Classic => "classic",
            Strategy::Exe => "exe",
            Strategy::Dart => "dart",
            Strategy::Mixed => "mixed",
            Strategy::Table => "table",
        }
    }
}

/// How an external function gets a symbolic argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// As a term: the call is one too, and decided with the conditions it is part of.
    Term,
    /// As the value of the path's model, which the path is held to from then on.
    Fixed,
    /// As the value of the path's model, which is of this run alone.
    Example,
}

/// A way to another solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// Excludes the solution that was tried and solves again.
    Incremental,
    /// Adds the constraints of a partition, one after the other.
    Partition,
    /// Random values for what the simple part leaves free.
    Random,
    /// The values last found on any path.
    Residual,
    /// A walk through the inputs towards satisfying everything.
    Search,
}

impl Heuristic {
    /// All of them.
    pub const ALL: [Heuristic; 5] = [
        Heuristic::Incremental,
        Heuristic::Partition,
        Heuristic::Random,
        Heuristic::Residual,
        Heuristic::Search,
    ];

    /// The name users give.
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Incremental => "incremental",
            Heuristic::Partition => "partition",
            Heuristic::Random => "random",
            Heuristic::Residual => "residual",
            Heuristic::Search => "search",
        }
    }
}

/// Gives an enum its names as text, and an error that lists them.
macro_rules! named {
    ($type:ident, $what:literal) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                let found = $type::ALL.into_iter().find(|one| one.name() == text);
                found.ok_or_else(|| {
                    let known: Vec<&str> = $type::ALL.iter().map(|one| one.name()).collect();
                    format!(
                        concat!("there is no ", $what, " `{}`; use one of {}"),
                        text,
                        known.join(", ")
                    )
                })
            }
        }
    };
}

named!(Strategy, "strategy");
named!(Heuristic, "heuristic");
