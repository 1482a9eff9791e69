//! What exploring, making tests and running them came to, as it is printed and read
//! back as JSON.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of everything here; fields may be added without a new one.
pub const SCHEMA: u32 = 1;

/// How much of something was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Covered {
    /// How much was.
    pub covered: usize,
    /// How much there is.
    pub total: usize,
}

/// A checked model, counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Checked {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Its automata.
    pub automata: usize,
    /// The states of all automata.
    pub states: usize,
    /// The transitions of all automata.
    pub transitions: usize,
    /// The variables of all automata.
    pub variables: usize,
    /// Its channels.
    pub channels: usize,
    /// Its external functions.
    pub functions: usize,
    /// What is allowed and probably not meant.
    pub warnings: Vec<Warning>,
}

/// A warning and where it belongs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
    /// What it says.
    pub message: String,
}

/// Why an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// There is nothing more within the height.
    Complete,
    /// Every goal was reached.
    Covered,
    /// There are as many states as allowed.
    States,
    /// The stop token was set.
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Complete => "complete",
            End::Covered => "covered",
            End::States => "states",
            End::Stopped => "stopped",
        })
    }
}

/// An exploration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explored {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Why it ended.
    pub outcome: End,
    /// States in the tree.
    pub states: usize,
    /// Steps along the longest path.
    pub height: usize,
    /// Steps that cannot be taken.
    pub infeasible: usize,
    /// Steps that were not decided.
    pub unknown: usize,
    /// What was covered.
    pub coverage: TransitionCoverage,
    /// The same in percent.
    pub percent: f64,
    /// The transitions that were never taken.
    pub untaken: Vec<Untaken>,
    /// The tables of external functions.
    pub tables: Vec<TableGrowth>,
    /// How conditions with external functions were decided.
    pub strategy: String,
    /// How often tables were extended, or heuristics tried.
    pub tries: u64,
    /// What the solver did.
    pub solver: SolverWork,
    /// How long it took.
    pub seconds: f64,
}

/// Which transitions were taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TransitionCoverage {
    /// The transitions.
    pub transitions: Covered,
}

/// A transition that was never taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Untaken {
    /// Its name.
    pub transition: String,
    /// Why, in words.
    pub reason: String,
}

/// How the table of a function grew.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableGrowth {
    /// The function.
    pub function: String,
    /// Rows at the beginning.
    pub before: usize,
    /// Rows at the end.
    pub after: usize,
}

/// What the solver did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SolverWork {
    /// Queries to it.
    pub queries: u64,
    /// Those that reached a backend.
    pub backend_calls: u64,
}

/// A tree of symbolic states; terms are text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TreeFile {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The states; parents come before children.
    pub nodes: Vec<TreeNode>,
}

/// A state in a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TreeNode {
    /// Its number in the tree.
    pub number: usize,
    /// The state before; none of the root.
    pub parent: Option<usize>,
    /// The transitions that led here; none of the root.
    pub transition: Option<String>,
    /// What they exchanged with the environment; none of the root.
    pub event: Option<String>,
    /// Where the automata are.
    pub state: String,
    /// Steps from the root.
    pub depth: usize,
    /// What is behind it.
    pub fate: Fate,
    /// The path condition.
    pub path: Vec<String>,
    /// By leaf of a variable: its term.
    pub valuation: BTreeMap<String, String>,
    /// Calls of external functions on the way.
    pub calls: Vec<String>,
}

/// What is behind a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// All its steps are in the tree.
    Expanded,
    /// Not all its steps were tried.
    Waiting,
    /// The height was reached.
    Bound,
    /// This other state covers it.
    #[serde(rename = "covered by")]
    Covered(usize),
}

/// Tests that were made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generated {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Why the exploration behind them ended.
    pub outcome: End,
    /// How many there are.
    pub tests: usize,
    /// Which goals they reach.
    pub goals: Covered,
    /// The goals they do not.
    pub missed: Vec<Missed>,
    /// By requirement of the model: the tests that take one of its transitions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requirements: BTreeMap<String, Vec<String>>,
    /// What became of the mutants of the model, where tests are to kill them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<Mutation>,
    /// The same in percent: the mutation score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// States in the tree.
    pub states: usize,
    /// How long it took.
    pub seconds: f64,
}

/// What became of the mutants of a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mutation {
    /// How many there are.
    pub mutants: usize,
    /// Those that a test kills.
    pub killed: usize,
    /// Those that are proved to do what the model does.
    pub equivalent: usize,
    /// The rest: no test kills them, and nothing is proved of them.
    pub alive: Vec<Survivor>,
}

impl Mutation {
    /// The part of the mutants that are not proved equivalent which tests kill, in percent.
    pub fn score(&self) -> f64 {
        match self.mutants - self.equivalent {
            0 => 100.0,
            all => 100.0 * self.killed as f64 / all as f64,
        }
    }
}

/// A mutant that no test kills.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Survivor {
    /// Its fault.
    pub fault: String,
}

/// What was found out about a property of a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PropertyAnswer {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The answer in words.
    pub answer: String,
    /// The path that shows it, if one does.
    pub path: Vec<String>,
    /// States in the tree.
    pub states: usize,
}

/// A goal that no test reaches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Missed {
    /// The goal.
    pub goal: String,
    /// Why, in words.
    pub reason: String,
}

/// What a test says of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It did what the test wanted.
    Pass,
    /// It did what the model does not allow.
    Fail,
    /// Neither can be said.
    Inconclusive,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Inconclusive => "inconclusive",
        })
    }
}

/// What tests say of a system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdicts {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Tests that passed.
    pub pass: usize,
    /// Tests that failed.
    pub fail: usize,
    /// Tests that say neither.
    pub inconclusive: usize,
    /// Each test.
    pub tests: Vec<TestVerdict>,
}

/// What one test says of a system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestVerdict {
    /// The test.
    pub test: String,
    /// What it says.
    pub verdict: Verdict,
    /// Why, in words; empty for a pass.
    pub reason: String,
    /// What went to the system (`?`) and came from it (`!`), and its silences.
    pub trace: Vec<String>,
    /// Lines of its standard output that are no messages.
    #[serde(default)]
    pub log: Vec<String>,
    /// What it wrote to standard error, as far as that is kept.
    #[serde(default)]
    pub stderr: String,
    /// The requirements of the transitions that the system may have taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// The transitions that the system may have taken.
    pub transitions: Vec<String>,
}
