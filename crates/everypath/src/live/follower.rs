//! The tree of a run that goes on.
//!
//! It is made as that of a report is: tests are followed once more, without a query. The
//! run itself is not to wait for that and its program is in use, so that a thread compiles
//! the program again and follows the tests that are shown. It begins when somebody looks.

use super::{Known, MOST_FAILING, MOST_TESTS, lock};
use crate::report::tree::Grown;
use crate::retrace::Origin;
use base::{Cause, Stop};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use suite::{Recipe, TestCase};

/// How often the page gets a larger tree.
const EVERY: Duration = Duration::from_secs(1);

/// A named test.
type Named = (String, TestCase);

/// Follows the tests of one run.
pub struct Follower {
    tests: SyncSender<Named>,
    /// What the thread needs, until it begins.
    waiting: Option<(Recipe, Receiver<Named>)>,
    stop: Stop,
}

impl Follower {
    /// For the run of this program, which is not followed yet.
    pub fn new(recipe: Recipe) -> Follower {
        let (tests, received) = sync_channel(MOST_TESTS + MOST_FAILING);
        Follower {
            tests,
            waiting: Some((recipe, received)),
            stop: Stop::never(),
        }
    }

    /// Takes a test.
    pub fn take(&self, name: &str, case: &TestCase) {
        // There is room for all that are shown, and a thread that gave up wants none.
        let _ = self.tests.try_send((name.to_owned(), case.clone()));
    }

    /// Begins to follow, if that has not been done.
    pub(super) fn begin(&mut self, known: &Arc<Mutex<Known>>) {
        if let Some((recipe, tests)) = self.waiting.take() {
            let (known, stop) = (known.clone(), self.stop.clone());
            let thread = thread::Builder::new().name("live tree".to_owned());
            // Without a thread there is no tree, as for programs that are gone.
            let _ = thread.spawn(move || follow(&recipe, &tests, &known, &stop));
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.stop.set(Cause::Interrupt);
    }
}

/// Puts the tree of the tests into what is known, again and again.
fn follow(recipe: &Recipe, tests: &Receiver<Named>, known: &Mutex<Known>, stop: &Stop) {
    let Ok(origin) = Origin::compiled(recipe, stop) else {
        return;
    };
    let Ok(mut retrace) = origin.retrace(stop) else {
        return;
    };
    let mut grown = Grown::default();
    let mut nodes = Vec::new();
    let mut shown = Instant::now();
    let mut is_shown = true;
    while !stop.is_set() {
        match tests.recv_timeout(EVERY) {
            Ok((name, case)) => {
                let traced = retrace.trace(&case);
                let node = grown.add(&origin.program, retrace.replay.machine(), &traced);
                nodes.push((name, node));
                is_shown = false;
            }
            Err(_) if is_shown => thread::sleep(EVERY),
            Err(_) => {}
        }
        if !is_shown && shown.elapsed() >= EVERY {
            let mut known = lock(known);
            known.tree = Some(grown.tree.clone());
            known.nodes.extend(nodes.drain(..));
            (shown, is_shown) = (Instant::now(), true);
        }
    }
}
