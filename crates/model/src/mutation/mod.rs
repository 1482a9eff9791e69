//! Tests that find faults: mutants of the model, and inputs that tell them from it.
//!
//! A test *kills* a mutant if a system that behaves like the mutant fails it, whatever it
//! does where the mutant leaves it a choice. [`strengthen`] runs the tests that are there
//! against every mutant, and asks for an input for each that survives: model and mutant are
//! executed together, over the same inputs, until some output can differ. What it finds is
//! believed only when the test that comes of it kills the mutant.
//!
//! Of a mutant that no test kills it may be proved that it does what the model does,
//! whatever the values of the variables; the rest is unknown, within the bounds of the
//! search. The part of the mutants that are not equivalent which the tests kill is the
//! *mutation score*.

mod equivalence;
mod faulty;
mod mutants;
mod replay;
mod search;
mod timed;

pub use mutants::{Mutant, mutants};

pub(crate) use replay::Trial;

use crate::execution::Executor;
use crate::exploration::{Bounds, End, Tree, explore};
use crate::results::{Mutation, Survivor};
use crate::testcase::{Data, TestCase, TestEvent, TestStep};
use crate::walk::Walks;
use search::Search;

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// A test kills it.
    Killed,
    /// It does what the model does.
    Equivalent,
    /// Neither is known.
    Alive,
}

/// Walks that are made, the steps of each, and how many of them in a row may find nothing. Where the
/// model comes to an end earlier there are more of them, as many as have so many steps together.
const WALKS: usize = 16;
const MOST_WALKS: usize = 64;
const STEPS: usize = 160;
const STEPS_IN_TIME: usize = 80;
const IN_VAIN: usize = 4;

/// The first walks become tests as they are: programmers make faults that no mutant has, and most
/// show when the system is used for long. With clocks a test takes its time.
const WHOLE: usize = 4;
const WHOLE_IN_TIME: usize = 2;

/// Where faults are looked for.
pub struct Grounds<'t> {
    /// What was explored.
    pub trees: &'t [&'t Tree],
    /// How far to explore for faults that do not show there.
    pub further: &'t Bounds,
}

/// Adds tests for the mutants that the tests do not kill; each is given to `keep` when it is
/// finished. A stopped run adds fewer, and knows less of the mutants.
///
/// # Errors
///
/// When `keep` fails, with its error.
pub fn strengthen<'m, E>(
    executor: &mut Executor<'m, '_>,
    mutants: &'m [Mutant],
    grounds: &Grounds<'_>,
    tests: &mut Vec<TestCase>,
    data: &mut Data,
    mut keep: impl FnMut(&TestCase) -> Result<(), E>,
) -> Result<Mutation, E> {
    let model = executor.model;
    let mut fates = vec![Fate::Alive; mutants.len()];
    for test in tests.iter() {
        kill(executor, mutants, &mut fates, test);
    }
    // Walks meet every mutant that is left, so those that nothing can kill go before.
    for (fate, mutant) in fates.iter_mut().zip(mutants) {
        if *fate == Fate::Alive
            && !executor.stop().is_set()
            && equivalence::is_proved(executor, mutant)
        {
            *fate = Fate::Equivalent;
        }
    }
    let mut walks = Walks::new(model);
    let mut in_vain = 0;
    let (whole, most) = match model.time.is_some() {
        true => (WHOLE_IN_TIME, STEPS_IN_TIME),
        false => (WHOLE, STEPS),
    };
    let mut walked = 0;
    for _ in 0..MOST_WALKS {
        let is_whole = walked < whole * most;
        let is_over = walked >= WALKS * most;
        if is_over || in_vain >= IN_VAIN && !is_whole {
            break;
        }
        let Some(steps) = walks.next(executor, data, |_, steps| steps >= most) else {
            break;
        };
        walked += steps.len().max(1);
        let mut test = named(tests.len(), steps, Vec::new());
        match kill(executor, mutants, &mut fates, &test) {
            Some((last, goals)) => {
                in_vain = 0;
                test.goals = goals;
                if !is_whole {
                    cut(&mut test.steps, last);
                }
            }
            None => {
                in_vain += 1;
                if !is_whole {
                    continue;
                }
            }
        }
        keep(&test)?;
        tests.push(test);
    }
    let found = (&mut fates[..], &mut *tests);
    search_each(executor, mutants, grounds.trees, found, data, &mut keep)?;
    // A tree that came to its end has nothing further down.
    let is_whole = grounds.trees.iter().any(|tree| tree.end == End::Complete);
    if !is_whole && fates.contains(&Fate::Alive) && !executor.stop().is_set() {
        let further = explore(executor, grounds.further, None);
        let found = (&mut fates[..], tests);
        search_each(executor, mutants, &[&further], found, data, &mut keep)?;
    }
    Ok(result(mutants, &fates))
}

/// Asks for a test for each mutant that is alive.
fn search_each<'m, E>(
    executor: &mut Executor<'m, '_>,
    mutants: &'m [Mutant],
    trees: &[&Tree],
    (fates, tests): (&mut [Fate], &mut Vec<TestCase>),
    data: &mut Data,
    keep: &mut impl FnMut(&TestCase) -> Result<(), E>,
) -> Result<(), E> {
    let model = executor.model;
    for (number, mutant) in mutants.iter().enumerate() {
        if fates[number] != Fate::Alive || executor.stop().is_set() {
            continue;
        }
        let found = Search::new(executor, mutant, trees, data).run();
        executor.set_model(model);
        let Some(steps) = found else {
            continue;
        };
        let test = named(tests.len(), steps, vec![mutant.fault.clone()]);
        kill(executor, mutants, fates, &test);
        keep(&test)?;
        tests.push(test);
    }
    Ok(())
}

fn named(number: usize, steps: Vec<TestStep>, goals: Vec<String>) -> TestCase {
    TestCase {
        name: format!("test{:03}", number + 1),
        goals,
        steps,
    }
}

/// Leaves out what follows a step and what the system still has to answer there: an answer that
/// nobody waits for may be missing.
fn cut(steps: &mut Vec<TestStep>, last: usize) {
    let is_input = |step: &TestStep| matches!(step.event, TestEvent::Input { .. });
    let mut after = steps.iter().skip(last + 1);
    if let Some(answered) = after.position(is_input) {
        steps.truncate(last + 1 + answered);
    }
}

/// Notes the mutants that a test kills: the last step at which one of them fails, and the
/// faults that were found.
fn kill<'m>(
    executor: &mut Executor<'m, '_>,
    mutants: &'m [Mutant],
    fates: &mut [Fate],
    test: &TestCase,
) -> Option<(usize, Vec<String>)> {
    let trial = Trial::new(executor, test.clone());
    let mut found: Option<(usize, Vec<String>)> = None;
    for (fate, mutant) in fates.iter_mut().zip(mutants) {
        if executor.stop().is_set() {
            break;
        }
        if *fate == Fate::Alive
            && let Some(step) = trial.kills(executor, mutant)
        {
            *fate = Fate::Killed;
            let (last, faults) = found.get_or_insert_default();
            *last = step.max(*last);
            faults.push(mutant.fault.clone());
        }
    }
    found
}

fn result(mutants: &[Mutant], fates: &[Fate]) -> Mutation {
    let count = |wanted: Fate| fates.iter().filter(|&&fate| fate == wanted).count();
    let alive = mutants.iter().zip(fates);
    Mutation {
        mutants: mutants.len(),
        killed: count(Fate::Killed),
        equivalent: count(Fate::Equivalent),
        alive: alive
            .filter(|(_, fate)| **fate == Fate::Alive)
            .map(|(mutant, _)| Survivor {
                fault: mutant.fault.clone(),
            })
            .collect(),
    }
}
