//! What the page of a run shows, as one document.
//!
//! The page is TypeScript and its types are generated from these: `make web` writes the
//! schema of [`Document`] and the types from it, and a test checks that both are
//! current. Whatever there may be a hundred thousand of is kept in columns, numbers that
//! point into lists of texts, so that a large run is still a small file.

use schemars::JsonSchema;
use serde::Serialize;
use suite::{Finding, LineCost, RunReport, Sample};

/// A run, for the page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Document {
    /// The version that wrote it.
    pub version: String,
    /// What was run, in a few words.
    pub title: String,
    /// The directory of the run, as the user named it.
    pub directory: String,
    /// What the run says of itself.
    pub run: RunReport,
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
    /// How the run went, from its start to its end.
    pub curve: Vec<Sample>,
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
