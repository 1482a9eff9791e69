//! What a session found, as `run.json` and `--json` say it.
//!
//! Every command that explores writes a [`RunReport`] and every reader (`show`,
//! `replay`, the benchmarks, other programs) reads one: a key exists in one place,
//! and a misspelt one does not compile. `docs/run.schema.json` is generated from
//! these types. Fields may be added under one schema number; a field that changes
//! its meaning needs a new number, so that an old reader refuses rather than
//! misreads.

mod comparison;
mod end;
mod environment;
mod finding;
mod incomplete;
mod recipe;
mod stub;
mod sum;

pub use comparison::{BehaviourDifference, Change, ChangeKind, VersionComparison};
pub use end::{End, Ends, ErrorKind, UnknownEnd};
pub use environment::{Argument, Environment, SymbolicFiles, Variable};
pub use finding::Finding;
pub use incomplete::{Incomplete, IncompleteReason};
pub use recipe::{ArgumentBounds, FileCommand, FunctionTarget, Language, Recipe, TestFramework};
pub use stub::{Stub, UnknownStub};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::InputTypes;

/// The number of the schema that is written and read.
pub const SCHEMA: u64 = 1;

/// What a session that explored a program found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    /// The number of this schema, [`SCHEMA`].
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u64,
    /// Why the exploration ended.
    pub outcome: Outcome,
    /// What was left out, though the program may go there. With any of it, a run that
    /// had nothing left to explore is `incomplete`.
    #[serde(default)]
    pub incomplete: Vec<Incomplete>,
    /// Paths by how they ended.
    pub paths: PathCounts,
    /// Tests written; for `fuzz`, inputs that reached new code.
    pub tests: u64,
    /// The errors of the program, in the order they were found.
    pub errors: Vec<Finding>,
    /// What was compiled and how. Sessions that cannot be replayed have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Recipe>,
    /// How the tests end.
    #[serde(default)]
    pub ends: Ends,
    /// What of the program's own source was reached.
    pub coverage: CoverageSummary,
    /// Instructions executed on all paths.
    pub instructions: u64,
    /// Forks of states.
    pub forks: u64,
    /// What the solver did.
    pub solver: SolverSummary,
    /// Functions outside the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<ExternalSummary>,
    /// Objects made for a method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<StageSummary>,
    /// An older version of the method, compared with this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<VersionComparison>,
    /// Generations of inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuzz: Option<FuzzSummary>,
    /// Wall-clock time of the whole command.
    pub seconds: f64,
    /// The most memory the process had.
    pub peak_memory_bytes: u64,
    /// The types of the inputs, by name. Test files hold bytes alone.
    #[serde(default, skip_serializing_if = "InputTypes::is_empty")]
    pub inputs: InputTypes,
}

impl RunReport {
    /// What is known when a session begins: what it explores.
    pub fn begun(program: Recipe) -> RunReport {
        RunReport {
            program: Some(program),
            ..RunReport::unknown()
        }
    }

    /// A run that goes on and of which nothing is known.
    pub fn unknown() -> RunReport {
        RunReport {
            schema: SCHEMA,
            outcome: Outcome::Running,
            incomplete: Vec::new(),
            paths: PathCounts::default(),
            tests: 0,
            errors: Vec::new(),
            program: None,
            ends: Ends::default(),
            coverage: CoverageSummary::default(),
            instructions: 0,
            forks: 0,
            solver: SolverSummary::default(),
            external: None,
            stage: None,
            comparison: None,
            fuzz: None,
            seconds: 0.0,
            peak_memory_bytes: 0,
            inputs: InputTypes::default(),
        }
    }
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing was left to explore, and nothing was left out.
    Complete,
    /// Nothing was left to explore, but something was left out: see
    /// [`RunReport::incomplete`].
    Incomplete,
    /// A limit was reached.
    Limit,
    /// The user interrupted it, or something could not be written.
    Interrupted,
    /// It goes on. A run that is over and still says so was killed.
    Running,
}

impl Outcome {
    /// Whether nothing is left to explore.
    pub fn is_over(self) -> bool {
        matches!(self, Outcome::Complete | Outcome::Incomplete)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Outcome::Complete => "complete",
            Outcome::Incomplete => "incomplete",
            Outcome::Limit => "limit",
            Outcome::Interrupted => "interrupted",
            Outcome::Running => "running",
        })
    }
}

/// Paths by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathCounts {
    /// Paths that ran to a normal end.
    pub completed: u64,
    /// Paths that ended in an error.
    pub errors: u64,
    /// Paths dropped by an assumption.
    pub ignored: u64,
    /// Successors that no input leads to.
    pub infeasible: u64,
    /// Paths given up because the solver could not decide a condition.
    pub unknown: u64,
    /// Paths that a limit stopped.
    pub unfinished: u64,
    /// Those of the unfinished paths whose calls were nested too deeply.
    #[serde(default)]
    pub too_deep: u64,
    /// Paths dropped because no uncovered branch can be reached from them.
    #[serde(default)]
    pub pruned: u64,
    /// Paths run again with other values at the border of the selected code.
    #[serde(default)]
    pub revisited: u64,
}

impl PathCounts {
    /// Adds those of another part of the run.
    pub fn add(&mut self, other: &PathCounts) {
        self.completed += other.completed;
        self.errors += other.errors;
        self.ignored += other.ignored;
        self.infeasible += other.infeasible;
        self.unknown += other.unknown;
        self.unfinished += other.unfinished;
        self.too_deep += other.too_deep;
        self.pruned += other.pruned;
        self.revisited += other.revisited;
    }
}

impl PathCounts {
    /// All paths that were begun, however they ended.
    pub fn total(&self) -> u64 {
        self.completed + self.errors + self.ignored + self.unfinished + self.unknown
    }
}

/// What of the program's own source was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageSummary {
    /// Lines with code.
    pub lines: Share,
    /// Successors of branches.
    pub branches: Share,
}

impl CoverageSummary {
    /// Whether nothing is left to reach.
    pub fn is_whole(&self) -> bool {
        self.lines.is_whole() && self.branches.is_whole()
    }
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// Those that were reached.
    pub covered: u64,
    /// Those there are.
    pub total: u64,
}

impl Share {
    /// Whether all of them were reached.
    pub fn is_whole(self) -> bool {
        self.covered == self.total
    }

    /// The share in percent; of nothing, none is reached.
    pub fn percent(self) -> f64 {
        self.covered as f64 / self.total.max(1) as f64 * 100.0
    }
}

/// What the solver did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SolverSummary {
    /// Queries of the machine.
    pub queries: u64,
    /// Queries that no cheaper link of the chain answered.
    pub backend_calls: u64,
    /// Queries without an answer.
    pub unknown: u64,
    /// Time spent on all of them.
    pub seconds: f64,
}

/// What became of functions outside the program, and of conditions with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExternalSummary {
    /// How conditions with external functions were decided.
    pub strategy: String,
    /// The functions that were called.
    pub functions: Vec<FunctionSummary>,
    /// Conditions beyond the solver.
    #[serde(alias = "questions")]
    pub queries: u64,
    /// Those with a solution that was confirmed by real calls.
    pub yes: u64,
    /// Those proved to have none.
    pub no: u64,
    /// Those without an answer.
    pub unknown: u64,
    /// What each heuristic tried, by name.
    pub heuristics: BTreeMap<String, Tries>,
    /// Executions that left the path their inputs were solved for.
    pub divergences: u64,
}

/// An external function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionSummary {
    /// Its name.
    pub function: String,
    /// Calls of it.
    pub calls: u64,
    /// Calls that were executed.
    pub runs: u64,
    /// Calls that its table answered.
    pub from_table: u64,
    /// Calls without a result.
    pub failures: u64,
}

/// How often something was tried, and how often it succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tries {
    /// Attempts.
    pub tries: u64,
    /// Attempts that found a solution.
    pub yes: u64,
}

/// Paths on objects made from an invariant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectCounts {
    /// Paths whose objects satisfy the invariant.
    pub valid: u64,
    /// Paths that ended.
    pub explored: u64,
}

/// A method explored on objects made for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageSummary {
    /// The paths.
    #[serde(flatten)]
    pub objects: ObjectCounts,
    /// Time of the exploration, without compiling.
    pub exploration_seconds: f64,
}

/// Generations of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FuzzSummary {
    /// Executions of the program.
    pub runs: u64,
    /// Conditions that were flipped.
    pub flips: u64,
    /// Flips with an input that goes the other way.
    pub solved: u64,
    /// Flips that no input of the language satisfies.
    pub impossible: u64,
    /// Executions that left the path their input was solved for.
    pub divergences: u64,
    /// Executions whose tokeniser read other tokens than the input was made of.
    pub misread: u64,
    /// The number of the last generation.
    pub generations: u64,
    /// Inputs whose conditions are still to be flipped.
    pub waiting: u64,
    /// Tokens that the tokeniser does not know or does not tell apart.
    pub tokens: Vec<String>,
}

/// What `stage build --json` prints: an invariant explored, and its suite written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageReport {
    /// The number of this schema, [`SCHEMA`].
    pub schema: u64,
    /// The paths.
    pub stage: ObjectCounts,
    /// Whether the suite holds all objects within the bounds.
    pub complete: bool,
    /// Paths that were not followed to their end.
    pub cut_off: u64,
    /// What was left out, though the invariant may go there.
    #[serde(default)]
    pub incomplete: Vec<Incomplete>,
    /// Errors of the invariant itself.
    pub errors: Vec<String>,
    /// Queries to the solver.
    #[serde(alias = "questions")]
    pub queries: u64,
    /// Wall-clock time of the whole command.
    pub seconds: f64,
    /// Time of the exploration, without compiling.
    pub exploration_seconds: f64,
    /// The suite's file.
    pub suite: PathBuf,
}
