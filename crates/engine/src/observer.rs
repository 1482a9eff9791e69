//! What an exploration tells of itself while it goes on.

use crate::outcome::{Counts, Outcome};
use crate::policy::staged::has_valid_objects;
use crate::report;
use crate::waiting::OpenRanges;
use machine::{End, ErrorKind, Machine, State};
use serde::{Deserialize, Serialize};
use suite::{Finding, Sample, TestCase, TestName};

/// What happens during an exploration, told as it happens. Who wants to hear nothing
/// passes `&mut ()`.
pub trait Observer {
    /// A path ended.
    fn ended(&mut self, _path: &mut PathEnd<'_, '_>, _end: &End) {}

    /// A path was stopped where it is, because a limit was reached.
    fn unfinished(&mut self, _path: &mut PathEnd<'_, '_>) {}

    /// Whether to hear of each such path; otherwise they are only counted.
    fn wants_unfinished(&self) -> bool {
        true
    }

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

    /// What other explorations of the program came to know since this was last asked.
    fn news(&mut self) -> Option<News> {
        None
    }

    /// Whether other explorations are to know what this one finds out, and so
    /// [`Observer::found_out`] is called before ranges are told.
    fn has_others(&self) -> bool {
        false
    }

    /// Contradictions that took long to find, for the solvers of others.
    fn found_out(&mut self, _contradictions: Vec<Vec<u8>>) {}

    /// Called now and then; how the exploration ends, if it does so now.
    fn progress(&mut self, _progress: &Progress<'_, '_>) -> Option<Outcome> {
        None
    }
}

impl Observer for () {}

/// What explorations of one program tell each other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct News {
    /// What was reached of the program, as [`machine::Coverage::to_bits`] has it.
    pub covered: Vec<u8>,
    /// Contradictions between conditions, as a solver takes them.
    pub contradictions: Vec<Vec<u8>>,
}

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

impl Progress<'_, '_> {
    /// How far the exploration is after so many seconds, for its curve.
    pub fn sample(&self, seconds: f64) -> Sample {
        Sample {
            seconds,
            paths: self.counts.completed + self.counts.errors,
            errors: self.counts.errors,
            covered: self.machine.coverage.count,
            waiting: self.waiting as u64,
        }
    }
}
