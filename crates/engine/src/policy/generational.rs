//! One concrete run on a given standard input, with the conditions it met.
//!
//! What a search over generations of inputs needs: the program
//! runs on bytes that are known, and what is *marked* of them is symbolic at the
//! same time. Either every byte is, and where the input ends; or the bytes are
//! plain numbers and what one function of the program, its tokeniser, returns is
//! symbolic instead, one variable a call. No condition asks the solver anything: it
//! goes as the input has it and is written down.
//!
//! (Godefroid, Levin and Molnar, *Automated whitebox fuzz testing*, NDSS 2008.)

use super::follow::{self, Follow};
use super::{Stack, Step, trail};
use crate::notes::Notes;
use machine::{Coverage, End, Events, Halt, Machine, Options, Policy, StartError, State, Value};
use mixed::Mixed;
use program::{Body, FunctionId, Kind, Program, Reg};
use std::cell::RefCell;
use std::rc::Rc;
use term::{BitVec, Sort, Store, Term, Variable};

/// Conditions after which a run is not followed further.
const MOST_STEPS: usize = 50_000;

/// What of a program's input is symbolic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marked {
    /// The bytes of standard input up to this many, and its length.
    Bytes {
        /// The longest input.
        most: usize,
    },
    /// What this function returns.
    Tokens(FunctionId),
}

/// A run on a given input.
pub struct Traced {
    /// The state at its end.
    pub state: State,
    /// How it ended; none when it was not followed that far.
    pub end: Option<End>,
    /// What the tokeniser returned, call by call.
    pub tokens: Vec<u64>,
    /// Blocks and edges that no run before had reached.
    pub new_coverage: u64,
}

impl Traced {
    /// The conditions that were met, in order.
    pub fn steps(&self) -> &[Step] {
        trail::steps(&self.state)
    }
}

/// Why a tokeniser gave no tokens for a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoTokens {
    /// The program did not call it.
    NeverCalled,
    /// It did not come back.
    NeverReturned,
    /// The program ended inside it, after so many tokens.
    Ended(End, usize),
}

/// Runs a program on one standard input after the other.
pub struct Tracer<'p> {
    /// The machine that runs it.
    pub machine: Machine<'p>,
    first: State,
    follow: Rc<Follow>,
    tokens: Rc<Tokens>,
    notes: Notes,
}

/// What the tokeniser is, and what it returned in this run. What it returns becomes
/// symbolic.
#[derive(Default)]
struct Tokens(RefCell<Heard>);

#[derive(Default)]
struct Heard {
    tokeniser: Option<u32>,
    returned: Vec<u64>,
    drill: Option<Drill>,
}

/// The tokeniser is called again and again until it returns this, or has been called
/// so often.
#[derive(Clone, Copy)]
struct Drill {
    until: Option<u64>,
    calls: usize,
}

impl<'p> Tracer<'p> {
    /// Makes the program ready.
    ///
    /// # Errors
    ///
    /// When the program does not fit the machine, or `entry` cannot be called.
    pub fn new(
        program: &'p Program,
        entry: FunctionId,
        mixed: impl Into<Mixed<'p>>,
        options: Options,
    ) -> Result<Tracer<'p>, StartError> {
        let follow = Rc::new(Follow::fed(&[], 0));
        let tokens = Rc::new(Tokens::default());
        let policy = Stack::new(vec![follow.clone(), tokens.clone()]);
        let (mut machine, memory) =
            Machine::prepare(program, mixed.into(), options, Rc::new(policy))?;
        let first = machine.start(memory, entry)?;
        Ok(Tracer {
            machine,
            first,
            follow,
            tokens,
            notes: Notes::default(),
        })
    }

    /// Runs on this standard input, for at most so many instructions.
    pub fn trace(&mut self, input: &[u8], marked: Marked, instructions: u64) -> Traced {
        let (tokeniser, symbolic) = match marked {
            Marked::Tokens(function) => (Some(function.0), 0),
            Marked::Bytes { most } => (None, most),
        };
        self.follow.feed(input, symbolic);
        self.tokens.0.replace(Heard {
            tokeniser,
            ..Heard::default()
        });
        self.run(instructions)
    }

    /// What the function returns for this text, called again and again from where
    /// the program calls it first: until it returns `until`, or so many times.
    ///
    /// # Errors
    ///
    /// When the program does not call it, or it does not return.
    pub fn tokens_of(
        &mut self,
        tokeniser: FunctionId,
        text: &[u8],
        (until, calls): (Option<u64>, usize),
        instructions: u64,
    ) -> Result<Vec<u64>, NoTokens> {
        self.follow.feed(text, 0);
        self.tokens.0.replace(Heard {
            tokeniser: Some(tokeniser.0),
            returned: Vec::new(),
            drill: Some(Drill { until, calls }),
        });
        // A drill is no run of the program: what it reaches is not reached.
        let fresh = Coverage::new(self.machine.program);
        let coverage = std::mem::replace(&mut self.machine.coverage, fresh);
        let traced = self.run(instructions);
        let reached = self.machine.coverage.entered(tokeniser);
        self.machine.coverage = coverage;
        let done = |tokens: &[u64]| tokens.len() >= calls || until == tokens.last().copied();
        match traced.end {
            _ if !reached => Err(NoTokens::NeverCalled),
            _ if !traced.tokens.is_empty() && done(&traced.tokens) => Ok(traced.tokens),
            None => Err(NoTokens::NeverReturned),
            Some(end) => Err(NoTokens::Ended(end, traced.tokens.len())),
        }
    }

    /// What to tell the user of the runs so far.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.notes.take()
    }

    fn run(&mut self, instructions: u64) -> Traced {
        let before = self.machine.coverage.count;
        let mut state = self.first.clone();
        let (state, end) = loop {
            let turn = self.machine.run(state);
            self.notes.extend(turn.successors.notes);
            let is_long = turn.state.progress.instructions > instructions
                || trail::steps(&turn.state).len() > MOST_STEPS
                || self.machine.options.stop.is_set();
            if turn.end.is_some() || is_long {
                break (turn.state, turn.end);
            }
            state = turn.state;
        };
        Traced {
            state,
            end,
            tokens: std::mem::take(&mut self.tokens.0.borrow_mut().returned),
            new_coverage: self.machine.coverage.count - before,
        }
    }
}

/// The variable of what the tokeniser's call of this number returned.
pub fn token_variable(store: &mut Store, number: usize, width: u16) -> (Variable, Term) {
    follow::named(store, &format!("token[{number}]"), Sort::Bv(width))
}

impl Policy for Tokens {
    fn events(&self) -> Events {
        Events {
            returns: true,
            ..Events::default()
        }
    }

    /// Marks what a function returns if it is the tokeniser and no call of it
    /// waits for another one; in a drill, calls it once more instead.
    fn at_return(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        _: &Body,
        _: &[Reg],
        results: &mut [Value],
    ) -> Result<bool, Halt> {
        let mut heard = self.0.borrow_mut();
        if heard.tokeniser != Some(state.frame.function) || is_inner_call(state) {
            return Ok(false);
        }
        let Some(word) = results.first().and_then(|value| value.as_word()) else {
            return Ok(false);
        };
        let number = heard.returned.len();
        heard.returned.push(word);
        if let Some(drill) = heard.drill {
            if Some(word) == drill.until || heard.returned.len() >= drill.calls {
                return Err(Halt::End(End::Ignored));
            }
            call_again(machine, state);
            return Ok(true);
        }
        let function = &machine.program.functions[state.frame.function as usize];
        let kinds = &machine.program.signatures[function.signature.index()].results;
        if let Some(&Kind::Int(width)) = kinds.first() {
            let (variable, term) = token_variable(&mut machine.store, number, width);
            let value = BitVec::from_u64(width, word);
            Rc::make_mut(&mut state.model).set(variable, term::Value::Bv(value));
            results[0] = Value::of(&machine.store, term);
        }
        Ok(false)
    }
}

fn is_inner_call(state: &State) -> bool {
    let callers = std::iter::successors(state.callers.as_deref(), |c| c.callers.as_deref());
    let mut callers = callers.map(|caller| caller.frame.function);
    callers.any(|function| function == state.frame.function)
}

/// Starts the function that returns once more, with the same arguments.
fn call_again(machine: &mut Machine<'_>, state: &mut State) {
    let function = state.function();
    machine.release_locals(state);
    let mut frame = machine.frame(function);
    let body = machine.body(function).expect("it returns");
    for parameter in 0..body.parameters as usize {
        let register = body.parameter(parameter);
        frame.registers[register.index()] = state.get(register);
    }
    frame.extra = state.frame.extra.clone();
    state.frame = frame;
    machine.count_entry(state, function);
}
