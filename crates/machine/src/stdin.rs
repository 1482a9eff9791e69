//! Standard input: bytes that become inputs when the program reads them.
//!
//! What nobody has read is nothing yet. Where the program asks for one byte more,
//! the path parts: there is one, or this is the end. Where the input is held to a
//! language, each way is followed only if a word begins, or ends, with what was
//! read, and that is all the path condition ever says of the language. A path
//! that ends before it has read everything gets the rest of some word, and what
//! goes into a test was looked over by the language once more, as a whole.

use crate::fitness::place_number;
use crate::machine::Machine;
use crate::outcome::{End, Stop, unsupported};
use crate::state::{Prospect, State};
use mixed::solver::Answer;
use std::rc::Rc;
use term::{Sort, Store, Term};

/// The name under which tests hold standard input.
pub const STDIN: &str = "stdin";

/// What standard input may be, beside its length.
pub trait Language {
    /// The condition that a word begins with the first `length` bytes. Bytes are
    /// the same terms in every call, however many there are.
    fn begins(&mut self, store: &mut Store, bytes: &[Term], length: usize) -> Term;

    /// The condition that the first `length` bytes are a word.
    fn is_word(&mut self, store: &mut Store, bytes: &[Term], length: usize) -> Term;

    /// A word that begins with these bytes, and is these bytes where nothing may
    /// follow; none if there is no such word.
    fn complete(&self, read: &[u8], ended: bool) -> Option<Vec<u8>>;
}

/// Standard input for all paths of a program.
pub struct StandardInput<'p> {
    /// As many variables as there may be bytes.
    bytes: Vec<Term>,
    language: Option<Box<dyn Language + 'p>>,
}

/// What a path has seen of standard input.
#[derive(Clone, Default)]
pub struct Seen {
    /// Bytes that are known to be there.
    bytes: usize,
    /// Bytes that the program has taken.
    taken: usize,
    /// Whether there are no more.
    ended: bool,
    /// What a path that runs again has to find.
    plan: Plan,
    /// All of it, once the path has ended.
    whole: Option<Rc<[u8]>>,
}

/// What a path had seen of standard input: so many bytes, and whether no more.
#[derive(Clone, Copy, Default)]
pub(crate) struct Plan {
    bytes: usize,
    ended: bool,
}

impl Seen {
    /// What a path has to find that is to come as far as this one.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            bytes: self.bytes,
            ended: self.ended,
        }
    }

    /// Lets a path that has seen nothing find as much as another had seen.
    pub(crate) fn follow(&mut self, plan: Plan) {
        self.plan = plan;
    }

    /// The way that is already decided.
    fn planned(&self) -> Option<Way> {
        match self.bytes < self.plan.bytes {
            true => Some(Way::More),
            false if self.bytes == self.plan.bytes && self.plan.ended => Some(Way::End),
            false => None,
        }
    }

    /// The program has taken so many bytes.
    pub(crate) fn take(&mut self, count: usize) {
        self.taken += count;
    }

    /// All of standard input as it is on a path that has ended; none where the
    /// program has none.
    pub fn whole(&self) -> Option<&[u8]> {
        self.whole.as_deref()
    }
}

/// One of the two ways to go where the program asks for a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    More,
    End,
}

impl<'p> Machine<'p> {
    /// Gives the program a standard input of up to so many bytes, any or those of
    /// a language.
    pub fn give_stdin(&mut self, most: usize, language: Option<Box<dyn Language + 'p>>) {
        // Inputs that the program marks have names that end in a bracket.
        let byte = |i| self.store.var(&format!("{STDIN}:{i}"), Sort::Bv(8));
        let bytes = (0..most).map(byte).collect();
        self.stdin = Some(StandardInput { bytes, language });
    }

    /// The next bytes of standard input, up to `count`; fewer only at its end.
    /// They are there for the next call too.
    pub(crate) fn next_stdin(&mut self, state: &mut State, count: u64) -> Result<Vec<Term>, Stop> {
        let from = state.stdin.taken;
        let upto = |there: usize| there.min(from.saturating_add(count as usize));
        if let Some(recording) = &self.options.recorded {
            let recorded = recording.stdin();
            let bytes = recorded.get(from..upto(recorded.len())).unwrap_or_default();
            return Ok(bytes.iter().map(|&b| self.store.bv(8, b.into())).collect());
        }
        if self.stdin.is_none() {
            return Ok(Vec::new());
        }
        while ((state.stdin.bytes - from) as u64) < count && !state.stdin.ended {
            self.look_further(state)?;
        }
        let stdin = self.stdin.as_ref().expect("there is standard input");
        Ok(stdin.bytes[from..upto(state.stdin.bytes)].to_vec())
    }

    /// Decides whether there is a byte more; where there may or may not be, the
    /// path parts. The other state stands at the same instruction.
    fn look_further(&mut self, state: &mut State) -> Result<(), Stop> {
        let stdin = self.stdin.as_mut().expect("there is standard input");
        if state.stdin.bytes == stdin.bytes.len() {
            state.stdin.ended = true;
            return Ok(());
        }
        let next = state.stdin.bytes + 1;
        let (more, end) = match &mut stdin.language {
            Some(language) => (
                language.begins(&mut self.store, &stdin.bytes, next),
                language.is_word(&mut self.store, &stdin.bytes, next - 1),
            ),
            None => (self.store.bool(true), self.store.bool(true)),
        };
        let answers = [(Way::More, more), (Way::End, end)]
            .map(|(way, condition)| (way, condition, self.can_hold(state, condition)));
        let planned = state.stdin.planned();
        let mut ways = answers.into_iter().filter(|(way, _, answer)| {
            !answer.is_unsat() && planned.is_none_or(|planned| planned == *way)
        });
        let Some((way, condition, answer)) = ways.next() else {
            return Err(Stop::End(End::Ignored));
        };
        let other = ways.next().filter(|_| !state.follows_model);
        if other.is_some() {
            self.forks += 1;
            state.depth += 1;
            state.memory.settle();
        }
        if let Some((way, condition, answer)) = other {
            let mut other = state.clone();
            other.branch = place_number(state.frame.function, state.frame.pc);
            self.go(&mut other, way);
            match answer {
                Answer::Sat(model) => {
                    other.model = Rc::new(model);
                    self.assume_always(&mut other, condition);
                    self.forked.push(other);
                }
                Answer::Unsat(_) | Answer::Unknown(_) => {
                    other.prospect = Some(Prospect {
                        condition,
                        edge: None,
                        failures: 0,
                        promising: false,
                    });
                    self.prospects.push(other);
                }
            }
        }
        let Answer::Sat(model) = answer else {
            return unsupported("a language of which the solver could not say what it holds");
        };
        state.model = Rc::new(model);
        self.assume_always(state, condition);
        self.go(state, way);
        Ok(())
    }

    fn go(&mut self, state: &mut State, way: Way) {
        match way {
            Way::More => state.stdin.bytes += 1,
            Way::End => state.stdin.ended = true,
        }
        self.decided_input(state, way == Way::End);
    }

    fn can_hold(&mut self, state: &State, condition: Term) -> Answer {
        let mut evaluation = self.mixed.under(&self.store, &state.model);
        if evaluation.holds(condition) {
            return Answer::Sat((*state.model).clone());
        }
        let (path, model) = (&state.path, &state.model);
        self.mixed
            .check_extended(&mut self.store, path, model, condition)
    }

    /// Makes standard input whole at the end of a path; whether it is what it
    /// has to be.
    pub(crate) fn complete_stdin(&mut self, state: &mut State) -> bool {
        let Some(stdin) = &self.stdin else {
            return true;
        };
        let mut evaluation = self.mixed.under(&self.store, &state.model);
        let seen = &stdin.bytes[..state.stdin.bytes];
        let read: Vec<u8> = seen.iter().map(|&b| evaluation.word(b) as u8).collect();
        let whole = match &stdin.language {
            Some(language) => language.complete(&read, state.stdin.ended),
            None => Some(read),
        };
        state.stdin.whole = whole.map(Into::into);
        state.stdin.whole.is_some()
    }
}
