//! One concrete run on a given standard input, with the conditions it met.
//!
//! What a search over generations of inputs needs of the machine: the program
//! runs on bytes that are known, and what is *marked* of them is symbolic at the
//! same time. Either every byte is, and where the input ends; or the bytes are
//! plain numbers and what one function of the program, its tokeniser, returns is
//! symbolic instead, one variable a call. No condition asks the solver anything: it
//! goes as the input has it and is written down, in the state's trail.

use crate::coverage::Coverage;
use crate::directed::Step;
use crate::machine::{Machine, Ran};
use crate::outcome::{End, Stop};
use crate::state::State;
use crate::value::Value;
use program::{FunctionId, Kind};
use std::rc::Rc;
use term::{BitVec, Sort, Term, Variable};

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
    pub news: u64,
}

impl Traced {
    /// The conditions that were met, in order.
    pub fn steps(&self) -> &[Step] {
        &self.state.trail
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

/// What a machine knows of the input it runs on.
#[derive(Default)]
pub(crate) struct Feed {
    input: Rc<[u8]>,
    at: usize,
    marked: Option<Marked>,
    tokens: Vec<u64>,
    /// The tokeniser is called again and again until it returns this, or has
    /// been called so often.
    drill: Option<Drill>,
}

#[derive(Clone, Copy)]
struct Drill {
    until: Option<u64>,
    calls: usize,
}

impl Feed {
    fn tokeniser(&self) -> Option<u32> {
        match self.marked {
            Some(Marked::Tokens(function)) => Some(function.0),
            Some(Marked::Bytes { .. }) | None => None,
        }
    }
}

impl Machine<'_> {
    /// Runs on this standard input, for at most so many instructions.
    pub fn trace(
        &mut self,
        first: &State,
        input: &[u8],
        marked: Marked,
        instructions: u64,
    ) -> Traced {
        self.feed = Feed {
            input: input.into(),
            marked: Some(marked),
            ..Feed::default()
        };
        self.follow_feed(first, instructions)
    }

    /// What the function returns for this text, called again and again from where
    /// the program calls it first: until it returns `until`, or so many times.
    ///
    /// # Errors
    ///
    /// When the program does not call it, or it does not return.
    pub fn tokens_of(
        &mut self,
        first: &State,
        tokeniser: FunctionId,
        text: &[u8],
        (until, calls): (Option<u64>, usize),
        instructions: u64,
    ) -> Result<Vec<u64>, NoTokens> {
        self.feed = Feed {
            input: text.into(),
            marked: Some(Marked::Tokens(tokeniser)),
            drill: Some(Drill { until, calls }),
            ..Feed::default()
        };
        // A drill is no run of the program: what it reaches is not reached.
        let fresh = Coverage::new(self.program);
        let coverage = std::mem::replace(&mut self.coverage, fresh);
        let traced = self.follow_feed(first, instructions);
        let reached = self.coverage.entered(tokeniser);
        self.coverage = coverage;
        let done = |tokens: &[u64]| tokens.len() >= calls || until == tokens.last().copied();
        match traced.end {
            _ if !reached => Err(NoTokens::NeverCalled),
            _ if !traced.tokens.is_empty() && done(&traced.tokens) => Ok(traced.tokens),
            None => Err(NoTokens::NeverReturned),
            Some(end) => Err(NoTokens::Ended(end, traced.tokens.len())),
        }
    }

    fn follow_feed(&mut self, first: &State, instructions: u64) -> Traced {
        self.directed.active = true;
        let before = self.coverage.count;
        let mut state = first.clone();
        let (state, end) = loop {
            match self.run(state) {
                Ran::On(next)
                    if next.instructions > instructions || next.trail.len() > MOST_STEPS =>
                {
                    break (next, None);
                }
                Ran::On(next) => state = next,
                Ran::Ended(state, end) => break (state, Some(end)),
            }
        };
        Traced {
            state,
            end,
            tokens: std::mem::take(&mut self.feed.tokens),
            news: self.coverage.count - before,
        }
    }

    /// Whether the program runs on a given standard input.
    pub fn is_fed(&self) -> bool {
        self.feed.marked.is_some()
    }

    /// The variable of a byte of standard input.
    pub fn byte_variable(&mut self, at: usize) -> (Variable, Term) {
        self.named(&format!("stdin[{at}]"), Sort::Bv(8))
    }

    /// The variable that says whether standard input has ended before this byte.
    pub fn end_variable(&mut self, at: usize) -> (Variable, Term) {
        self.named(&format!("stdin ends at {at}"), Sort::Bool)
    }

    /// The variable of what the tokeniser's call of this number returned.
    pub fn token_variable(&mut self, number: usize, width: u16) -> (Variable, Term) {
        self.named(&format!("token[{number}]"), Sort::Bv(width))
    }

    fn named(&mut self, name: &str, sort: Sort) -> (Variable, Term) {
        let term = self.store.var(name, sort);
        let variable = self.store.as_variable(term);
        (variable.expect("it was made as one"), term)
    }

    /// The next bytes of the given standard input, up to `count`; fewer only at its
    /// end.
    pub(crate) fn next_fed(&mut self, state: &mut State, count: u64) -> Vec<Term> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < count
            && let Some(byte) = self.next_fed_byte(state)
        {
            bytes.push(byte);
        }
        bytes
    }

    fn next_fed_byte(&mut self, state: &mut State) -> Option<Term> {
        let at = self.feed.at;
        let byte = self.feed.input.get(at).copied();
        if let Some(Marked::Bytes { most }) = self.feed.marked
            && at < most
        {
            let (variable, ended) = self.end_variable(at);
            let model = Rc::make_mut(&mut state.model);
            model.set(variable, term::Value::Bool(byte.is_none()));
            self.go_along(state, ended);
            let (variable, term) = self.byte_variable(at);
            let value = BitVec::from_u64(8, byte?.into());
            Rc::make_mut(&mut state.model).set(variable, term::Value::Bv(value));
            self.feed.at += 1;
            return Some(term);
        }
        self.feed.at += usize::from(byte.is_some());
        byte.map(|byte| self.store.bv(8, byte.into()))
    }

    /// Marks what a function returns if it is the tokeniser and no call of it
    /// waits for another one; whether it is to be called once more instead.
    pub(crate) fn token_returned(
        &mut self,
        state: &mut State,
        results: &mut [Value],
    ) -> Result<bool, Stop> {
        if self.feed.tokeniser() != Some(state.frame.function) || self.is_inner_call(state) {
            return Ok(false);
        }
        let Some(word) = results.first().and_then(|value| value.as_word()) else {
            return Ok(false);
        };
        let number = self.feed.tokens.len();
        self.feed.tokens.push(word);
        if let Some(drill) = self.feed.drill {
            if Some(word) == drill.until || self.feed.tokens.len() >= drill.calls {
                return Err(Stop::End(End::Ignored));
            }
            self.call_again(state);
            return Ok(true);
        }
        let function = &self.program.functions[state.frame.function as usize];
        let kinds = &self.program.signatures[function.signature.index()].results;
        if let Some(&Kind::Int(width)) = kinds.first() {
            let (variable, term) = self.token_variable(number, width);
            let value = BitVec::from_u64(width, word);
            Rc::make_mut(&mut state.model).set(variable, term::Value::Bv(value));
            results[0] = Value::of(&self.store, term);
        }
        Ok(false)
    }

    fn is_inner_call(&self, state: &State) -> bool {
        let callers = std::iter::successors(state.callers.as_deref(), |c| c.callers.as_deref());
        let mut callers = callers.map(|caller| caller.frame.function);
        callers.any(|function| function == state.frame.function)
    }

    /// Starts the function that returns once more, with the same arguments.
    fn call_again(&mut self, state: &mut State) {
        let function = state.function();
        self.release_locals(state);
        let mut frame = self.frame(function);
        let body = self.body(function).expect("it returns");
        for parameter in 0..body.parameters as usize {
            let register = body.parameter(parameter);
            frame.registers[register.index()] = state.get(register);
        }
        frame.extra = state.frame.extra.clone();
        state.frame = frame;
        self.count_entry(state, function);
    }
}
