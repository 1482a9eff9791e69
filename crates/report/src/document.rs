//! What the page of a run shows, as one document.
//!
//! The page is TypeScript and its types are generated from these: `make web` writes the
//! schema of [`Document`] and the types from it, and a test checks that both are
//! current. Whatever there may be a hundred thousand of is kept in columns, numbers that
//! point into lists of texts, so that a large run is still a small file.

use schemars::JsonSchema;
use serde::Serialize;
use suite::{CallCosts, Finding, LineCost, RunReport, Sample};

/// A run, or the work on a model, for the page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Document {
    /// The version that wrote it.
    pub version: String,
    /// What was run, in a few words.
    pub title: String,
    /// The directory of the run, as the user named it and as a word of the shell.
    pub directory: String,
    /// What the run of a program says of itself.
    pub run: Option<RunReport>,
    /// What is known of a model.
    pub model: Option<ModelReport>,
    /// How far a run is that goes on.
    pub live: Option<Live>,
    /// The source files of the program that hold code.
    pub files: Vec<SourceFile>,
    /// The tests in the order of their numbers.
    pub tests: Vec<Test>,
    /// The errors, each once.
    pub errors: Vec<ErrorReport>,
    /// The branches that the tests took; none where the program cannot be had any more.
    pub tree: Option<Tree>,
    /// Where the solver's time went, the most expensive line first.
    pub costs: Vec<LineCost>,
    /// The same by the calls that led there.
    pub calls: CallCosts,
    /// How the run went, from its start to its end.
    pub curve: Vec<Sample>,
    /// What was observed of functions outside the program.
    pub tables: Vec<Table>,
    /// Inputs that fuzzing kept, because each reached something new.
    pub corpus: Vec<CorpusInput>,
    /// What else a reader should know of this document.
    pub notes: Vec<String>,
}

/// A file of the program's source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceFile {
    /// Its path, as the compiler has it.
    pub path: String,
    /// A short name for it, which no other file of the document has.
    pub name: String,
    /// Its lines; none where it cannot be read any more. What is not UTF-8 in it is
    /// replaced.
    pub text: Option<Vec<String>>,
    /// Lines that hold code.
    pub lines: Vec<LineCount>,
    /// Branches, line by line.
    pub branches: Vec<BranchCount>,
    /// Functions in the order of their lines.
    pub functions: Vec<FunctionCount>,
}

/// A line that holds code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineCount {
    /// Its number, from one.
    pub line: u32,
    /// How many tests reach it; where tests were not followed again, whether any path did.
    pub hits: u64,
}

/// A branch and its successors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BranchCount {
    /// The line it is in.
    pub line: u32,
    /// For each successor, how many tests go there.
    pub taken: Vec<u64>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FunctionCount {
    /// Its name.
    pub name: String,
    /// The line it begins in.
    pub line: u32,
    /// How many tests call it; where tests were not followed again, whether any path did.
    pub hits: u64,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// How it ends; nothing where a limit stopped the path.
    pub end: Option<String>,
    /// Its inputs on one line.
    pub inputs: String,
    /// Where it is in the tree.
    pub node: Option<u32>,
}

/// An error of the program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorReport {
    /// What it is, and the first test that triggers it.
    pub finding: Finding,
    /// How many tests lead to it.
    pub tests: u64,
    /// The calls it happened in, innermost first.
    pub stack: Vec<Frame>,
    /// The input that triggers it, for people.
    pub input: String,
    /// The command that shows it again.
    pub replay: String,
    /// Pictures of objects before and after, as SVG.
    pub pictures: Vec<String>,
}

/// A call on the stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The file, as [`SourceFile::path`] has it; empty where none is known.
    pub file: String,
    /// The line; 0 where none is known.
    pub line: u32,
}

/// An input that fuzzing kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CorpusInput {
    /// The file in the directory of the run.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    /// Its first bytes, for people.
    pub text: String,
}

/// What was observed of a function outside the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Table {
    /// The function.
    pub function: String,
    /// What the columns are: its arguments and its result.
    pub columns: Vec<String>,
    /// Some of the rows.
    pub rows: Vec<TableRow>,
    /// How many more there are.
    pub more: u64,
}

/// A call and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableRow {
    /// A cell for each column.
    pub cells: Vec<String>,
    /// Whether it was not known before.
    pub is_new: bool,
}

/// How far a run is that goes on.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Live {
    /// Whether it goes on.
    pub phase: Phase,
    /// What the run says of itself so far.
    pub run: Option<RunReport>,
    /// How far it was, time after time.
    pub curve: Vec<Sample>,
    /// The lines on which most of the solver's time went so far.
    pub costs: Vec<LineCost>,
    /// States that wait, here and with all workers.
    pub waiting: u64,
    /// The processes that explore.
    pub workers: Vec<Worker>,
    /// Seconds until the time limit, if there is one.
    pub time_left: Option<f64>,
    /// Where it was written down how far the run was.
    pub dumps: Vec<String>,
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It does.
    #[default]
    Running,
    /// It waits for somebody to let it go on.
    Paused,
    /// It is about to end.
    Stopping,
    /// It has ended.
    Over,
}

/// A process that explores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Worker {
    /// Its number.
    pub number: u64,
    /// What it does, in a word.
    pub state: String,
    /// Paths that it followed to their end.
    pub paths: u64,
    /// States that wait there.
    pub waiting: u64,
}

impl Worker {
    /// The state of a worker that explores.
    pub const BUSY: &str = "busy";
}

/// What is known of a model: its automata, its tests and, in [`Document::tree`], its
/// symbolic states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ModelReport {
    /// The automata as SVG, with the transitions that were taken.
    pub automata: String,
    /// The transitions.
    pub transitions: Vec<ModelTransition>,
    /// The symbolic states, in the order of the nodes of the tree.
    pub states: Vec<ModelState>,
    /// The tests.
    pub tests: Vec<ModelTest>,
    /// What was to be reached and was not, and why.
    pub missed: Vec<Missed>,
    /// What was observed of its external functions.
    pub tables: Vec<Table>,
    /// How long it took.
    pub seconds: f64,
}

/// A transition of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelTransition {
    /// Its name.
    pub name: String,
    /// The automaton it is of.
    pub automaton: String,
    /// The state it leaves.
    pub from: String,
    /// The state it leads to.
    pub to: String,
    /// How it is written in the model.
    pub text: String,
    /// Whether it was taken.
    pub taken: bool,
}

/// A symbolic state of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelState {
    /// The state before it; the first is its own.
    pub parent: u32,
    /// The states that the automata are in.
    pub location: String,
    /// The transitions that led here.
    pub step: String,
    /// The message that was exchanged.
    pub event: String,
    /// The conditions over inputs under which it is reached.
    pub path: Vec<String>,
    /// Its variables and their values.
    pub values: Vec<String>,
    /// The calls of external functions on the way.
    pub calls: Vec<String>,
}

/// A test of a system against a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelTest {
    /// Its name.
    pub name: String,
    /// What it says of the system: pass, fail or inconclusive; nothing before it was run.
    pub verdict: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// The messages in their order.
    pub messages: Vec<Message>,
    /// The requirements that it is about.
    pub requirements: Vec<String>,
    /// What the system printed that is no message.
    pub output: String,
}

/// A message between the tester and the system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Message {
    /// Who sends it.
    pub sender: Sender,
    /// What it says.
    pub text: String,
}

/// Who sends a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sender {
    /// The test.
    Tester,
    /// The system under test.
    System,
    /// Nobody: the system is silent.
    Nobody,
}

/// Something that was to be reached and was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Missed {
    /// What.
    pub goal: String,
    /// Why, in words.
    pub reason: String,
}

/// The decisions of all tests as a tree. Node 0 is where every test begins; a node comes
/// after its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tree {
    /// For each node, the one before it; the root is its own.
    pub parents: Vec<u32>,
    /// For each node, the place in `places` of the decision that led to it.
    pub place_of: Vec<u32>,
    /// For each node, the condition in `conditions` that holds from there on.
    pub condition_of: Vec<u32>,
    /// Where decisions are made.
    pub places: Vec<Frame>,
    /// Conditions over the inputs, in the words of C.
    pub conditions: Vec<String>,
}
