//! What an exploration tells of itself while it goes on, and how it ends.

use crate::policy::staged::has_valid_objects;
use crate::report;
use crate::waiting::OpenRanges;
use base::Cause;
use explore::Limit;
use machine::{End, ErrorKind, Machine, State};
use serde::{Deserialize, Serialize};
use suite::{Finding, TestCase, TestName};

/// What happens during an exploration, told as it happens. Who wants to hear nothing
/// passes `&mut ()`.
pub trait Observer {
    /// A path ended.
    fn ended(&mut self, _path: &mut PathEnd<'_, '_>, _end: &End) {}

    /// A path was stopped where it is, because a limit was reached.
    fn unfinished(&mut self, _path: &mut PathEnd<'_, '_>) {}

    /// Something to tell the user, once.
    fn note(&mut self, _note: &str) {}

    /// Whether it is time to hear which ranges are open, asked as often as
    /// [`Observer::progress`] is called. An exploration that ends before it is complete
    /// tells them unasked.
    fn wants_ranges(&mut self) -> bool {
        false
    }

    /// What changed among the open ranges since the last time. With what was told of paths
    /// before, they are all of the tree.
    fn ranges(&mut self, _change: OpenRanges, _progress: &Progress<'_, '_>) {}

    /// Whether to give the larger subtrees away, asked as often as
    /// [`Observer::progress`] is called. They are among the next ranges told, and this
    /// exploration does not go there.
    fn wants_gift(&mut self) -> bool {
        false
    }

    /// What was reached of the program elsewhere since this was last asked, as
    /// [`machine::Coverage::to_bits`] has it.
    fn reached_elsewhere(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Called now and then; how the exploration ends, if it does so now.
    fn progress(&mut self, _progress: &Progress<'_, '_>) -> Option<Outcome> {
        None
    }
}

impl Observer for () {}

/// The end of a path. Its state's model is an input that takes it.
pub struct PathEnd<'a, 'p> {
    /// The machine that followed it.
    pub machine: &'a mut Machine<'p>,
    /// The state in which it ended.
    pub state: &'a State,
    /// The name of its test, where a session numbers them.
    pub test: Option<TestName>,
    /// Whether it was the first to cover something that is in no other path's test.
    pub covers_new: bool,
    case: Option<TestCase>,
}

impl<'a, 'p> PathEnd<'a, 'p> {
    pub(crate) fn new(
        machine: &'a mut Machine<'p>,
        state: &'a State,
        covers_new: bool,
    ) -> PathEnd<'a, 'p> {
        PathEnd {
            machine,
            state,
            test: None,
            covers_new,
            case: None,
        }
    }

    /// The inputs that take the path.
    pub fn case(&mut self) -> &TestCase {
        let (machine, state) = (&mut *self.machine, self.state);
        self.case
            .get_or_insert_with(|| report::test_case(machine, state))
    }

    /// The error that the path ended in, where it is in the source.
    pub fn finding(&self, kind: ErrorKind, message: &str) -> Finding {
        let stack = report::stack(self.machine.program, self.state);
        let test = self.test.as_ref().map_or("", TestName::as_str);
        report::finding(&stack, kind, message, test).0
    }

    /// Whether the path's objects satisfy what is required of them.
    pub fn has_valid_objects(&self) -> bool {
        has_valid_objects(self.state)
    }
}

/// How far an exploration is.
pub struct Progress<'a, 'p> {
    /// The machine, with what was covered and what the solver did.
    pub machine: &'a Machine<'p>,
    /// How many paths ended how.
    pub counts: &'a Counts,
    /// How many states wait.
    pub waiting: usize,
    /// Whether some of them are on the way along a seed.
    pub has_seeds: bool,
}

/// How many paths ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Ran to a normal end.
    pub completed: u64,
    /// Ended in an error.
    pub errors: u64,
    /// Dropped by an assumption.
    pub ignored: u64,
    /// Not decided at first, and found to be no path in the end.
    pub infeasible: u64,
    /// Whose feasibility was not decided, or which nobody knows how to go on with.
    pub unknown: u64,
    /// Those of them for which the machine said why.
    pub explained: u64,
    /// Directed runs that left the path their inputs were solved for.
    pub divergences: u64,
    /// Stopped by a limit.
    pub unfinished: u64,
    /// Those of them whose calls were nested too deep.
    pub too_deep: u64,
    /// Dropped, because they could reach nothing new.
    pub pruned: u64,
    /// Run again with other values at the border of the selected code.
    pub revisited: u64,
    /// Instructions executed.
    pub instructions: u64,
}

impl Counts {
    /// Adds those of another exploration.
    pub fn add(&mut self, other: &Counts) {
        self.completed += other.completed;
        self.errors += other.errors;
        self.ignored += other.ignored;
        self.infeasible += other.infeasible;
        self.unknown += other.unknown;
        self.explained += other.explained;
        self.divergences += other.divergences;
        self.unfinished += other.unfinished;
        self.too_deep += other.too_deep;
        self.pruned += other.pruned;
        self.revisited += other.revisited;
        self.instructions += other.instructions;
    }
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every path was followed to its end.
    Complete,
    /// A limit was reached.
    Limit(Limit),
    /// Someone asked to stop.
    Interrupted,
    /// What is open was given away as ranges, for others to go on with.
    GivenAway,
}

impl From<Cause> for Outcome {
    fn from(cause: Cause) -> Outcome {
        match cause {
            Cause::Time => Outcome::Limit(Limit::Time),
            Cause::Memory => Outcome::Limit(Limit::Memory),
            Cause::Interrupt => Outcome::Interrupted,
            Cause::Count => Outcome::Limit(Limit::Steps),
        }
    }
}
