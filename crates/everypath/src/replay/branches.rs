//! The branches of a test: those the machine takes on its inputs against those
//! the real program took.
//!
//! What is compared are sets: the blocks that were entered and, where a block
//! has several successors, the edges that were followed. How they are compared depends
//! on the predicted end ([`Rule`]):
//!
//! - a program that exits, aborts, fails an assertion or only leaks has a
//!   defined behaviour up to its end: the sets are equal;
//! - other errors, and what the machine does not support, are where the
//!   machine stops and the real program goes on in some way: what the machine
//!   reached, the real program reached;
//! - where a path was not followed to its end, where the end is the machine's
//!   own (its stack is not the system's) or depends on how the run looked at
//!   memory, and where the real program was stopped, nothing is compared.
//!
//! Some functions are left out, for what they do is not the program's to say:
//! those that the C library calls back in an order of its own ([`CALLING_BACK`]),
//! those that stand in for the library's ([`INTERPOSED`]), and what these call.

use super::native::{Ended, Ran};
use super::output;
use crate::error::Error;
use crate::{external, retrace};
use base::{OneLine, Stop};
use engine::Replay;
use machine::runtime::is_standard_library;
use machine::{Coverage, ExternalOptions};
use program::{
    Base, Body, Constant, EdgeId, FunctionId, Inst, Instrumented, LocationId, PointLocation,
    Program, SourceFunctionId,
};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use suite::{End, ErrorKind, Recipe, StoredTest};

/// Library functions that call back, in an order that is their own business.
const CALLING_BACK: [&str; 8] = [
    "qsort", "qsort_r", "bsearch", "lfind", "lsearch", "tsearch", "twalk", "tdelete",
];

/// Functions that the library, or compiled code by itself, calls too: where a
/// program defines one, how often it runs is not the program's to say.
const INTERPOSED: [&str; 14] = [
    "malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset", "memcmp", "bcmp",
    "strlen", "strcmp", "strncmp", "strchr", "write",
];

/// How much must be the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Equal,
    /// What the machine reached was reached.
    AtLeast,
    Nothing,
}

impl Rule {
    fn of(predicted: Option<End>, ended: Ended) -> Rule {
        if matches!(ended, Ended::Late | Ended::NoTest | Ended::OtherTurns) {
            return Rule::Nothing;
        }
        match predicted {
            None => Rule::Nothing,
            Some(End::Exit(_)) => Rule::Equal,
            Some(End::Error(kind)) => Rule::of_error(kind),
        }
    }

    fn of_error(kind: ErrorKind) -> Rule {
        match kind {
            ErrorKind::StackOverflow
            | ErrorKind::Endless
            | ErrorKind::Uninitialised
            | ErrorKind::DataRace
            | ErrorKind::LockMisuse => Rule::Nothing,
            ErrorKind::Assert
            | ErrorKind::Abort
            | ErrorKind::UncaughtException
            | ErrorKind::Deadlock
            | ErrorKind::LostWakeUp
            | ErrorKind::Leak => Rule::Equal,
            ErrorKind::OutOfBoundsRead
            | ErrorKind::OutOfBoundsWrite
            | ErrorKind::NullDereference
            | ErrorKind::UseAfterFree
            | ErrorKind::UseAfterReturn
            | ErrorKind::UseAfterScope
            | ErrorKind::DoubleFree
            | ErrorKind::InvalidFree
            | ErrorKind::WriteToConstant
            | ErrorKind::Division
            | ErrorKind::Shift
            | ErrorKind::IndexOutOfBounds
            | ErrorKind::Misaligned
            | ErrorKind::Overlap
            | ErrorKind::Format
            | ErrorKind::SignedOverflow
            | ErrorKind::UnsignedOverflow
            | ErrorKind::PointerOverflow
            | ErrorKind::InvalidValue
            | ErrorKind::FloatCast
            | ErrorKind::LossyConversion
            | ErrorKind::MissingReturn
            | ErrorKind::NullArgument
            | ErrorKind::VlaBound
            | ErrorKind::Unreachable
            | ErrorKind::BadCall
            | ErrorKind::NativeCrash
            | ErrorKind::Invariant
            | ErrorKind::Postcondition
            | ErrorKind::OtherInputs
            // What the panic unwinds is left out by the machine.
            | ErrorKind::Panic
            | ErrorKind::Unsupported
            | ErrorKind::Internal => Rule::AtLeast,
        }
    }
}

/// What the branches of a test had to say.
#[derive(Default)]
pub struct Compared {
    /// Whether they were compared.
    pub compared: bool,
    /// Where they differ, if they do.
    pub difference: Option<String>,
    /// How what the program writes differs, if it does.
    pub other_output: Option<String>,
    /// How the machine ends now, if that is not what was predicted.
    pub other_end: Option<MachineEnd>,
}

/// How the machine ends on a test's inputs; none for a path that it ignores.
pub struct MachineEnd(Option<End>);

impl fmt::Display for MachineEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(end) => end.fmt(out),
            None => out.write_str("an ignored path"),
        }
    }
}

/// Compares the branches of tests.
pub struct Branches<'p> {
    program: &'p Program,
    recipe: &'p Recipe,
    replay: Replay<'p>,
    /// The bytes of the native table that are compared.
    points: Vec<Compare>,
}

/// A byte of the table, and what it is for the machine.
struct Compare {
    byte: usize,
    /// Whether it is in a standard library.
    is_standard: bool,
    function: FunctionId,
    location: Location,
}

enum Location {
    Block(usize),
    Edge { from: usize, edge: EdgeId },
}

impl<'p> Branches<'p> {
    /// Makes ready to replay tests of a program that was run so.
    pub fn new(
        instrumented: &'p Instrumented,
        recipe: &'p Recipe,
        stop: &Stop,
    ) -> Result<Branches<'p>, Error> {
        let program = &instrumented.program;
        // The branches of concrete functions are compared too.
        let external = ExternalOptions {
            own: false,
            ..external::options(recipe)
        };
        Ok(Branches {
            program,
            recipe,
            replay: retrace::replay(program, recipe, external, stop)?,
            points: compared_points(instrumented),
        })
    }

    /// Replays the test in the machine and compares.
    pub fn compare(&mut self, test: &StoredTest, predicted: Option<End>, ran: &Ran) -> Compared {
        let rule = Rule::of(predicted, ran.ended);
        if rule == Rule::Nothing {
            return Compared::default();
        }
        let inputs = retrace::recording(self.recipe, &test.case);
        self.replay
            .look_for_leaks(predicted == Some(End::Error(ErrorKind::Leak)));
        let replayed = self.replay.run(inputs, retrace::INSTRUCTIONS);
        let Some(end) = &replayed.end else {
            return Compared::default();
        };
        let end = engine::report::end(end);
        let has_turns = !test.case.schedule.is_empty();
        // What the machine could not follow with symbols it may with numbers.
        let unsupported = Some(End::Error(ErrorKind::Unsupported));
        let is_surprise = end != predicted && predicted != unsupported;
        Compared {
            compared: true,
            difference: self.difference(&replayed.coverage, &ran.reached, rule, has_turns),
            other_output: output::difference(predicted, &replayed, ran),
            other_end: is_surprise.then_some(MachineEnd(end)),
        }
    }

    /// The first location that only one of the two reached: an edge from a block
    /// that both entered if there is one, for that is where they part.
    /// Threads that take turns wait at other places of a standard library, and look there as
    /// often as there is time.
    fn difference(
        &self,
        machine: &Coverage,
        native: &[u8],
        rule: Rule,
        has_turns: bool,
    ) -> Option<String> {
        let reached = |point: &Compare| match point.location {
            Location::Block(block) => machine.block(point.function, block),
            Location::Edge { edge, .. } => machine.followed(point.function, edge),
        };
        let compared = self.points.iter();
        let compared = compared.filter(|point| !(has_turns && point.is_standard));
        let differing = compared.filter(|point| {
            let (here, there) = (reached(point), native[point.byte] != 0);
            here != there && (here || rule == Rule::Equal)
        });
        let mut first: Option<&Compare> = None;
        for point in differing {
            if let Location::Edge { from, .. } = point.location
                && machine.block(point.function, from)
            {
                return Some(self.describe(point, reached(point)));
            }
            first = first.or(Some(point));
        }
        first.map(|point| self.describe(point, reached(point)))
    }

    fn describe(&self, point: &Compare, by_machine: bool) -> String {
        let who = match by_machine {
            true => "only the machine",
            false => "only the real program",
        };
        let function = &self.program.functions[point.function.index()];
        let body = function.body.as_ref().expect("compared functions have one");
        let block_line = |block: usize| {
            let block = &body.blocks[block];
            let range = block.start as usize..block.end as usize;
            body.locations[range].iter().find_map(|&at| self.line(at))
        };
        let nowhere = || "an unknown line".to_owned();
        let name = &function.name;
        match point.location {
            Location::Block(block) => {
                let place = block_line(block).unwrap_or_else(nowhere);
                format!("{place}, in {name}: {who} gets here")
            }
            Location::Edge { from, edge } => {
                let branch = body.locations[body.blocks[from].end as usize - 1];
                let place = self.line(branch).or_else(|| block_line(from));
                let place = place.unwrap_or_else(nowhere);
                let target = body.edge(edge).target.index();
                let target = block_line(target).unwrap_or_else(nowhere);
                format!("{place}, in {name}: {who} goes from here to {target}")
            }
        }
    }

    fn line(&self, location: LocationId) -> Option<String> {
        let location = self.program.source.location(location);
        let file = self.program.source.file(location.file?);
        let path = Path::new(&file.path);
        let path = path.strip_prefix(&self.recipe.directory).unwrap_or(path);
        (location.line > 0).then(|| format!("{}:{}", path.one_line(), location.line))
    }
}

/// The points whose meaning in the program is known, without those of
/// functions that are left out.
fn compared_points(instrumented: &Instrumented) -> Vec<Compare> {
    let program = &instrumented.program;
    let own = instrumented.functions.iter();
    let own = own.filter_map(|name| program.function(name)).collect();
    let left_out = left_out(program, &own);
    let known = instrumented
        .points
        .iter()
        .enumerate()
        .filter_map(|(byte, point)| {
            let function = program.function(&point.function)?;
            if left_out.contains(&function) {
                return None;
            }
            let body = program.functions[function.index()].body.as_ref()?;
            let location = match point.location {
                PointLocation::Block(block) => {
                    (block.index() < body.blocks.len()).then_some(Location::Block(block.index()))?
                }
                PointLocation::Edge { from, to } => {
                    let block = body.blocks.get(from.index())?;
                    let branch = body.branches.iter().find(|b| b.pc + 1 == block.end)?;
                    let leads_there = |edge: &&EdgeId| body.edge(**edge).target == to;
                    let edge = *branch.edges.iter().find(leads_there)?;
                    let from = from.index();
                    Location::Edge { from, edge }
                }
            };
            Some(Compare {
                byte,
                is_standard: stands_in_standard(program, function, &location),
                function,
                location,
            })
        });
    known.collect()
}

/// Whether the real C library calls functions of the program in its own order, so that what they
/// do cannot be counted. It is counted where a standard library is part of the program.
pub fn are_called_uncounted(instrumented: &Instrumented) -> bool {
    let program = &instrumented.program;
    let ids = (0..program.functions.len()).map(FunctionId::from_index);
    let mut own = instrumented.functions.iter();
    let is_called_back = |name: &String| {
        let function = program.function(name);
        let body = function.and_then(|it| program.functions[it.index()].body.as_ref());
        INTERPOSED.contains(&name.as_str())
            || body.is_some_and(|body| !callbacks(program, body).is_empty())
    };
    ids.into_iter().any(|it| is_standard(program, it)) && own.any(is_called_back)
}

/// Whether code is of the standard library of C++ or Rust: in a function of it, or inlined.
fn stands_in_standard(program: &Program, function: FunctionId, location: &Location) -> bool {
    let Some(body) = &program.functions[function.index()].body else {
        return false;
    };
    let code = match *location {
        Location::Block(block) => {
            body.blocks[block].start as usize..body.blocks[block].end as usize
        }
        Location::Edge { from, .. } => {
            let end = body.blocks[from].end as usize;
            end - 1..end
        }
    };
    let mut places = body.locations[code].iter();
    let place = places.find_map(|&at| program.source.location(at).function);
    match place {
        Some(source) => is_source_standard(program, source),
        None => is_standard(program, function),
    }
}

/// Whether a function is in the standard library of C++ or Rust.
fn is_standard(program: &Program, function: FunctionId) -> bool {
    let source = program.functions[function.index()].source;
    source.is_some_and(|it| is_source_standard(program, it))
}

fn is_source_standard(program: &Program, source: SourceFunctionId) -> bool {
    let file = program.source.function(source).file;
    file.is_some_and(|it| is_standard_library(&program.source.file(it).path))
}

/// The functions of the program whose branches are not compared.
fn left_out(program: &Program, own: &HashSet<FunctionId>) -> HashSet<FunctionId> {
    let mut out: HashSet<FunctionId> = HashSet::new();
    for (number, function) in program.functions.iter().enumerate() {
        let id = FunctionId::from_index(number);
        let Some(body) = &function.body else {
            continue;
        };
        if own.contains(&id) {
            out.extend(callbacks(program, body));
            if INTERPOSED.contains(&function.name.as_str()) {
                out.insert(id);
            }
        } else {
            // The real library is another one, and may not call it.
            out.extend(called(body).filter(|callee| own.contains(callee)));
        }
    }
    let mut waiting: Vec<FunctionId> = out.iter().copied().collect();
    while let Some(next) = waiting.pop() {
        let Some(body) = &program.functions[next.index()].body else {
            continue;
        };
        let mut callees: Vec<FunctionId> = called(body).collect();
        if body
            .code
            .iter()
            .any(|inst| matches!(inst, Inst::CallIndirect { .. }))
        {
            callees.extend(addressed(program));
        }
        waiting.extend(callees.into_iter().filter(|&callee| out.insert(callee)));
    }
    out
}

fn called(body: &Body) -> impl Iterator<Item = FunctionId> {
    body.code.iter().filter_map(|inst| match *inst {
        Inst::Call { function, .. } => Some(function),
        _ => None,
    })
}

/// The functions that the library is told to call from this body: those whose
/// addresses it is given, or any at all where the address is not to be seen.
fn callbacks(program: &Program, body: &Body) -> Vec<FunctionId> {
    let calls_back = |id: FunctionId| {
        let name = program.functions[id.index()].name.as_str();
        CALLING_BACK.contains(&name)
    };
    let mut found = Vec::new();
    for inst in &body.code {
        let Inst::Call { function, args, .. } = *inst else {
            continue;
        };
        if !calls_back(function) {
            continue;
        }
        let constants = body.registers(args).iter();
        let constants = constants.filter_map(|reg| body.constants.get(reg.index()));
        let given: Vec<FunctionId> = constants.filter_map(function_of).collect();
        match given.is_empty() {
            true => found.extend(addressed(program)),
            false => found.extend(given),
        }
    }
    if body
        .constants
        .iter()
        .filter_map(function_of)
        .any(calls_back)
    {
        found.extend(addressed(program));
    }
    found
}

fn function_of(constant: &Constant) -> Option<FunctionId> {
    match constant {
        Constant::Address(address) => match address.base {
            Base::Function(id) => Some(id),
            Base::Global(_) | Base::Block(..) => None,
        },
        _ => None,
    }
}

/// The functions whose addresses are used for anything but a call.
fn addressed(program: &Program) -> Vec<FunctionId> {
    let bodies = program.functions.iter().filter_map(|f| f.body.as_ref());
    let in_code = bodies.flat_map(|body| body.constants.iter().filter_map(function_of));
    let initializers = program
        .globals
        .iter()
        .filter_map(|g| g.initializer.as_ref());
    let relocations = initializers.flat_map(|initializer| &initializer.relocations);
    let in_data = relocations.filter_map(|relocation| function_of(&relocation.value));
    in_code.chain(in_data).collect()
}
