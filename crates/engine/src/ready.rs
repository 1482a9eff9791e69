//! A program with its policies in place, ready to be explored.

use crate::exploration::{Begins, Plan, Steering, explore};
use crate::observer::Observer;
use crate::outcome::{Counts, Outcome};
use crate::policy::Stack;
use crate::policy::fitness::Fitness;
use crate::policy::follow::Follow;
use crate::policy::ranged::Ranged;
use crate::policy::seeds::Seeds;
use crate::policy::selective::Selective;
use crate::policy::staged::{CallError, Misfit, REGENERATE, Staged, Staging, SuiteReader};
use crate::range::Range;
use machine::{Language, Machine, Options, Policy, StartError, State};
use mixed::Mixed;
use program::{FunctionId, Program};
use std::rc::Rc;
use suite::TestCase;

/// What an exploration begins with.
pub enum Start {
    /// A call of this function, `main` or another.
    Function(FunctionId),
    /// Calls of a method and its invariants, on objects made for them.
    Objects(Staging),
}

/// How a program is explored.
pub struct Steps<'p> {
    /// What the exploration begins with.
    pub start: Start,
    /// How paths are chosen, and when to stop.
    pub plan: Plan,
    /// Functions and files whose code alone is symbolic; none for all code.
    pub select: Vec<String>,
    /// What a symbolic standard input is held to, beside its length.
    pub language: Option<Box<dyn Language + 'p>>,
    /// Gives the suites that the program asks for by name, and how many instructions
    /// their invariants may take.
    pub suites: Option<(Box<SuiteReader<'p>>, u64)>,
    /// Inputs that are followed first.
    pub seeds: Vec<TestCase>,
    /// The paths that are explored; none for all.
    pub range: Option<PathRange>,
}

/// The paths from one input's on, up to another's and without it, in path order.
#[derive(Clone, Debug, Default)]
pub struct PathRange {
    /// The first; none for the first of all.
    pub from: Option<TestCase>,
    /// The one after the last; none for all that follow.
    pub to: Option<TestCase>,
}

impl Steps<'_> {
    /// All code is symbolic, standard input is any, and no suites can be asked for.
    pub fn new(start: Start, plan: Plan) -> Self {
        Steps {
            start,
            plan,
            select: Vec::new(),
            language: None,
            suites: None,
            seeds: Vec::new(),
            range: None,
        }
    }
}

/// Why an exploration could not begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReady {
    /// What should be symbolic is neither a function nor a file.
    #[error("there is no function and no file `{0}` in the program")]
    Selection(String),
    /// Objects cannot be made as wanted.
    #[error(transparent)]
    Objects(#[from] Misfit),
    /// The program or its entry does not fit the machine.
    #[error(transparent)]
    Program(#[from] StartError),
    /// Functions and objects do not fit together.
    #[error(transparent)]
    Calls(#[from] CallError),
}

/// A program that can be explored once.
pub struct Ready<'p> {
    /// The machine that runs it.
    pub machine: Machine<'p>,
    staged: Rc<Staged<'p>>,
    steering: Steering,
    plan: Plan,
    /// Where every path begins.
    origin: State,
    /// The state that runs first; where objects differ from the start there are others,
    /// which wait in the machine.
    first: State,
    /// Seeds that contradict what inputs must be.
    unused_seeds: usize,
    /// Whether only some paths are explored.
    is_partial: bool,
}

impl<'p> Ready<'p> {
    /// Puts the policies in place and makes the first state.
    ///
    /// # Errors
    ///
    /// When the program cannot be run in this way.
    pub fn new(
        program: &'p Program,
        mixed: Mixed<'p>,
        options: Options,
        steps: Steps<'p>,
    ) -> Result<Ready<'p>, NotReady> {
        let directed = mixed.config().strategy == mixed::Strategy::Dart;
        let follow = Rc::new(match directed {
            true => Follow::concolic(),
            false => Follow::marked(),
        });
        let selective = match steps.select.is_empty() {
            true => None,
            false => Some(Selective::new(program, &steps.select).map_err(NotReady::Selection)?),
        };
        let fitness = steps.plan.strategy.finishes_runs().then(Fitness::default);
        let steering = Steering {
            follow: follow.clone(),
            selective: selective.map(Rc::new),
            fitness: fitness.map(Rc::new),
            directed,
        };
        let (entry, mut staging) = match steps.start {
            Start::Function(entry) => (Some(entry), Staging::default()),
            Start::Objects(staging) => (None, staging),
        };
        let (reader, budget) = steps.suites.unzip();
        staging.invariant_budget = staging.invariant_budget.or(budget);
        let staged = Rc::new(Staged::new(program, staging, reader, follow.clone())?);
        let policy = stack(&steering, &staged, &steps.seeds, steps.range.as_ref());
        let (mut machine, memory) = Machine::prepare(program, mixed, options, policy)?;
        if let Some(language) = steps.language {
            machine.restrict_stdin(language);
        }
        let (origin, mut first) = match entry {
            None => staged.start(&mut machine, memory)?,
            Some(entry) => {
                let first = machine.start(memory, entry)?;
                (first.clone(), first)
            }
        };
        if let Some(PathRange { from, to }) = &steps.range {
            Ranged::begin(&mut machine, &mut first, (from.as_ref(), to.as_ref()));
        }
        let unused_seeds = Seeds::begin(&mut machine, &mut first, &steps.seeds);
        Ok(Ready {
            machine,
            staged,
            steering,
            plan: steps.plan,
            origin,
            first,
            unused_seeds,
            is_partial: steps.range.is_some(),
        })
    }

    /// The objects that are made, and what is done with them.
    pub fn staged(&self) -> &Rc<Staged<'p>> {
        &self.staged
    }

    /// Whether every decision of a path is the program's or the solver's.
    pub fn has_ranges(&self) -> bool {
        let Steering {
            selective,
            directed,
            ..
        } = &self.steering;
        let asks_for_suites = self.machine.program.function(REGENERATE).is_some();
        !directed
            && selective.is_none()
            && !self.plan.look_ahead
            && !asks_for_suites
            && !self.is_partial
    }

    /// How often the exploration looks at limits and what its observer wants, in turns.
    pub fn look_every(&mut self, turns: Option<u64>) {
        self.plan.look_every = turns;
    }

    /// Follows every path, until none is left or a limit is reached. The machine then
    /// holds what was covered and what the solver did.
    pub fn explore(&mut self, observer: &mut dyn Observer) -> (Outcome, Counts) {
        self.explore_ranges(None, observer)
    }

    /// The same for the paths of these ranges alone.
    pub fn explore_ranges(
        &mut self,
        ranges: Option<Vec<Range>>,
        observer: &mut dyn Observer,
    ) -> (Outcome, Counts) {
        if self.unused_seeds > 0 {
            let number = self.unused_seeds;
            let noun = if number == 1 { "seed" } else { "seeds" };
            observer.note(&format!(
                "{number} {noun} cannot be followed: the program's inputs are never so"
            ));
            self.unused_seeds = 0;
        }
        let begins = match ranges {
            None => Begins::At(Box::new(self.first.clone())),
            Some(ranges) => {
                self.machine.forget_forks();
                Begins::In(ranges)
            }
        };
        explore(
            &mut self.machine,
            self.origin.clone(),
            begins,
            &self.plan,
            &self.steering,
            observer,
        )
    }
}

fn stack<'p>(
    steering: &Steering,
    staged: &Rc<Staged<'p>>,
    seeds: &[TestCase],
    range: Option<&PathRange>,
) -> Rc<dyn Policy + 'p> {
    let mut policies: Vec<Rc<dyn Policy + 'p>> = vec![steering.follow.clone()];
    if let Some(selective) = &steering.selective {
        policies.push(selective.clone());
    }
    if let Some(fitness) = &steering.fitness {
        policies.push(fitness.clone());
    }
    if !seeds.is_empty() {
        policies.push(Rc::new(Seeds));
    }
    if range.is_some() {
        policies.push(Rc::new(Ranged));
    }
    policies.push(staged.clone());
    Rc::new(Stack::new(policies))
}
