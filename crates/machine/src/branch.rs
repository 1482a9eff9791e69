//! Deciding what is feasible, and forking where both ways are.
//!
//! A state's model decides one side of every question for free; only the
//! other side is asked of the solver.

use crate::fitness::{edge_number, place_number};
use crate::machine::Machine;
use crate::outcome::{End, ErrorKind, Stop, error};
use crate::state::{Prospect, State};
use crate::value::Value;
use mixed::Effort;
use mixed::solver::Answer;
use program::{Body, Case, EdgeId, FunctionId};
use std::rc::Rc;
use term::{Assignment, Sort, Term};

/// Which ways a condition can go on a path.
pub(crate) enum Decision {
    /// Only this way.
    Only(bool),
    /// The model's way, and the other one with this model.
    Both(bool, Assignment),
    /// The model's way; the other was not decided.
    Undecided(bool),
}

impl Machine<'_> {
    /// Which ways the Boolean term can go, if that costs little to say.
    fn decide(&mut self, state: &State, condition: Term) -> Decision {
        if let Some(truth) = self.store.as_bool(condition) {
            return Decision::Only(truth);
        }
        let truth = self.mixed.under(&self.store, &state.model).holds(condition);
        let other = if truth {
            self.store.not(condition)
        } else {
            condition
        };
        match self.glimpse(state, other) {
            Answer::Sat(model) => Decision::Both(truth, model),
            Answer::Unsat(_) => Decision::Only(truth),
            Answer::Unknown(_) => Decision::Undecided(truth),
        }
    }

    /// Whether the condition can hold on the path. A question that is dear to
    /// answer is not, for now: the path may turn out not to be worth it.
    fn glimpse(&mut self, state: &State, condition: Term) -> Answer {
        self.ask(state, condition, Effort::Quick)
    }

    /// Whether the condition can hold on the path, if that can be said with so
    /// much effort.
    pub(crate) fn ask(&mut self, state: &State, condition: Term, effort: Effort) -> Answer {
        let before = self.mixed.set_effort(effort);
        let (path, model) = (&state.path, &state.model);
        let answer = self
            .mixed
            .check_extended(&mut self.store, path, model, condition);
        self.mixed.set_effort(before);
        answer
    }

    /// Adds a condition that the state's model satisfies to its path.
    pub(crate) fn assume(&mut self, state: &mut State, condition: Term) {
        self.mixed.add(&self.store, &mut state.path, condition);
        self.harden_inside(state, condition);
    }

    /// The same for one that inputs always have to satisfy, in whatever code it is.
    pub(crate) fn assume_always(&mut self, state: &mut State, condition: Term) {
        self.mixed.add(&self.store, &mut state.path, condition);
        self.harden(state, condition);
    }

    /// Makes the condition hold on the state's path as it went in its model,
    /// and gives the state in which it does not, if there is one. The other
    /// state stands at the same instruction.
    pub(crate) fn split(&mut self, state: &mut State, condition: Term) -> (bool, Option<State>) {
        self.split_along(state, condition, None, true)
    }

    /// The same at a branch with these edges, for a condition that holds and one
    /// that does not; whether it holds is a decision, if that is so.
    fn split_along(
        &mut self,
        state: &mut State,
        condition: Term,
        edges: Option<(EdgeId, EdgeId)>,
        decides: bool,
    ) -> (bool, Option<State>) {
        if self.directed.active {
            return (self.go_along(state, condition), None);
        }
        if self.follows_model(state) {
            let truth = self.go_with_model(state, condition);
            if decides && self.store.as_bool(condition).is_none() {
                self.decided(state, truth.into());
            }
            return (truth, None);
        }
        let (truth, other_model) = match self.decide(state, condition) {
            Decision::Only(truth) => {
                if decides && self.store.as_bool(condition).is_none() {
                    self.look_again(state, condition, truth);
                }
                return (truth, None);
            }
            Decision::Both(truth, model) => (truth, Some(model)),
            Decision::Undecided(truth) => (truth, None),
        };
        let negated = self.store.not(condition);
        let (here, there) = if truth {
            (condition, negated)
        } else {
            (negated, condition)
        };
        self.forks += 1;
        state.depth += 1;
        state.memory.settle();
        let mut other = state.clone();
        other.branch = place_number(state.frame.function, state.frame.pc);
        self.assume(state, here);
        if decides {
            self.decided(state, truth.into());
        }
        match other_model {
            Some(model) => {
                other.model = Rc::new(model);
                self.assume(&mut other, there);
                let is_new = !decides || self.decided(&mut other, (!truth).into());
                (truth, is_new.then_some(other))
            }
            None => {
                other.prospect = Some(Prospect {
                    condition: there,
                    edge: edges.map(|(then, otherwise)| if truth { otherwise } else { then }),
                    failures: 0,
                    promising: false,
                });
                self.prospects.push(other);
                (truth, None)
            }
        }
    }

    /// Notes a decision that has one way on this path, and sees whether there are
    /// inputs for the other.
    fn look_again(&mut self, state: &mut State, condition: Term, truth: bool) {
        let other = match truth {
            true => self.store.not(condition),
            false => condition,
        };
        self.revisit(state, other, (!truth).into());
        self.decided(state, truth.into());
    }

    /// Makes the condition hold or not, as the state's model has it, and asks
    /// nothing.
    fn go_with_model(&mut self, state: &mut State, condition: Term) -> bool {
        if let Some(truth) = self.store.as_bool(condition) {
            return truth;
        }
        let truth = self.mixed.under(&self.store, &state.model).holds(condition);
        let went = match truth {
            true => condition,
            false => self.store.not(condition),
        };
        self.assume(state, went);
        truth
    }

    /// Makes the condition hold from here on; where it does not, the path ends
    /// with the error.
    pub(crate) fn require(
        &mut self,
        state: &mut State,
        condition: Term,
        kind: ErrorKind,
        message: &str,
    ) -> Result<(), Stop> {
        let (holds, other) = self.split(state, condition);
        if holds {
            if let Some(bad) = other {
                self.ended.push((bad, End::Error(kind, message.to_owned())));
            }
            return Ok(());
        }
        if let Some(good) = other {
            // The good state executes the instruction again.
            self.forked.push(good);
        }
        error(kind, message)
    }

    /// The edge that a symbolic branch goes along; the other is forked off.
    pub(crate) fn branch(
        &mut self,
        state: &mut State,
        body: &Body,
        condition: Value,
        then: EdgeId,
        otherwise: EdgeId,
    ) -> Result<EdgeId, Stop> {
        let condition = condition.condition(&mut self.store);
        self.must_be_initialised_term(condition, "a branch")?;
        let (truth, other) = self.split_along(state, condition, Some((then, otherwise)), true);
        let (here, there) = if truth {
            (then, otherwise)
        } else {
            (otherwise, then)
        };
        if let Some(other) = other {
            self.fork_along(other, body, there);
        }
        self.advance(state, here);
        Ok(here)
    }

    /// Notes that the state goes along an edge that a condition led it to.
    fn advance(&mut self, state: &mut State, edge: EdgeId) {
        let inputs = state.inputs.number();
        if self.coverage.progress(state.frame.function, edge, inputs) {
            state.news = state.instructions;
        }
    }

    /// Lets a forked state go along the edge.
    fn fork_along(&mut self, mut other: State, body: &Body, edge: EdgeId) {
        let data = body.edge(edge);
        let block = &body.blocks[data.target.index()];
        let executed = u64::from(block.end - block.start);
        other.instructions += executed;
        self.ahead += executed;
        if self
            .coverage
            .follow(other.frame.function, edge, data.target.index())
        {
            other.news = other.instructions;
            other.discovery = self.coverage.count;
        }
        self.advance(&mut other, edge);
        other.branch = edge_number(other.frame.function, edge);
        for &program::Move { dst, src } in body.moves(data) {
            other.frame.registers[dst.index()] = other.frame.registers[src.index()];
        }
        other.frame.pc = data.pc;
        self.forked.push(other);
    }

    /// The edge that a symbolic switch goes along; the others are forked off.
    pub(crate) fn switch(
        &mut self,
        state: &mut State,
        body: &Body,
        value: Value,
        width: u16,
        default: EdgeId,
        cases: &[Case],
    ) -> Result<EdgeId, Stop> {
        let value = value.term(&mut self.store, width);
        self.must_be_initialised_term(value, "a switch")?;
        // Cases that share an edge are one way to go.
        let mut ways: Vec<(EdgeId, Term)> = Vec::new();
        let mut none = self.store.bool(true);
        for case in cases {
            let constant = self.store.bv(width, case.value);
            let equal = self.store.eq(value, constant);
            let differs = self.store.not(equal);
            none = self.store.and(none, differs);
            match ways.iter_mut().find(|(edge, _)| *edge == case.edge) {
                Some((_, condition)) => *condition = self.store.or(*condition, equal),
                None => ways.push((case.edge, equal)),
            }
        }
        match ways.iter_mut().find(|(edge, _)| *edge == default) {
            Some((_, condition)) => *condition = self.store.or(*condition, none),
            None => ways.push((default, none)),
        }
        let mut evaluation = self.mixed.under(&self.store, &state.model);
        let taken = ways
            .iter()
            .position(|&(_, condition)| evaluation.holds(condition))
            .expect("the cases and the default cover every value");
        if self.directed.active {
            let (edge, condition) = ways[taken];
            if !self.is_fed() {
                self.note_way(state, edge.index() as u64, condition);
                return Ok(edge);
            }
            // Each way that was not gone is one to go in another generation.
            for &(other, condition) in &ways {
                if other != edge {
                    let not_there = self.store.not(condition);
                    self.note_way(state, other.index() as u64, not_there);
                }
            }
            return Ok(edge);
        }
        let which = |way: usize| ways[way].0.index() as u64;
        if self.follows_model(state) {
            let (edge, condition) = ways[taken];
            self.assume(state, condition);
            self.decided(state, which(taken));
            return Ok(edge);
        }
        let mut forked = false;
        state.memory.settle();
        for (number, &(edge, condition)) in ways.iter().enumerate() {
            if number == taken || self.store.as_bool(condition) == Some(false) {
                continue;
            }
            match self.glimpse(state, condition) {
                Answer::Sat(model) => {
                    let mut other = state.clone();
                    other.model = Rc::new(model);
                    other.depth += 1;
                    self.assume(&mut other, condition);
                    forked = true;
                    if self.decided(&mut other, which(number)) {
                        self.forks += 1;
                        self.fork_along(other, body, edge);
                    }
                }
                Answer::Unsat(_) => self.revisit(state, condition, which(number)),
                Answer::Unknown(_) => {
                    let mut other = state.clone();
                    other.prospect = Some(Prospect {
                        condition,
                        edge: Some(edge),
                        failures: 0,
                        promising: false,
                    });
                    self.prospects.push(other);
                    forked = true;
                }
            }
        }
        if forked {
            state.depth += 1;
            self.assume(state, ways[taken].1);
        }
        self.decided(state, which(taken));
        self.advance(state, ways[taken].0);
        Ok(ways[taken].0)
    }

    /// One concrete value of a symbolic one: the path goes on with it, and is
    /// forked for the others.
    pub(crate) fn pin(&mut self, state: &mut State, value: Value, width: u16) -> u64 {
        if let Some(word) = value.as_word() {
            return word;
        }
        let term = value.term(&mut self.store, width);
        debug_assert_eq!(self.store.sort(term), Sort::Bv(width));
        let word = self.mixed.under(&self.store, &state.model).word(term);
        let constant = self.store.bv(width, word);
        let equal = self.store.eq(term, constant);
        if self.directed.active {
            self.note_value(state, word, equal);
            return word;
        }
        // Which value it is, is one decision, however many were tried before.
        let (_, other) = self.split_along(state, equal, None, false);
        self.forked.extend(other);
        if self.store.as_bool(equal).is_none() {
            self.decided(state, word);
        }
        word
    }

    /// The value in the state's model, without fixing it.
    pub(crate) fn example(&mut self, state: &State, value: Value, width: u16) -> u64 {
        match value.as_word() {
            Some(word) => word,
            None => {
                let term = value.term(&mut self.store, width);
                self.mixed.under(&self.store, &state.model).word(term)
            }
        }
    }

    /// The function a pointer calls; a symbolic one is forked over the
    /// functions it can be.
    pub(crate) fn callee(&mut self, state: &mut State, callee: Value) -> Result<FunctionId, Stop> {
        self.must_be_initialised(callee, "which function is called")?;
        let address = self.pin(state, callee, 64);
        if address == 0 {
            return error(ErrorKind::Null, "call through a null pointer");
        }
        match self.function_at(address) {
            Some(function) => Ok(function),
            None => error(
                ErrorKind::BadCall,
                format!("call of address {address:#x}, where no function is"),
            ),
        }
    }

    /// The edge that a computed goto goes along.
    pub(crate) fn jump_target(
        &mut self,
        state: &mut State,
        body: &Body,
        address: Value,
        targets: &[EdgeId],
    ) -> Result<EdgeId, Stop> {
        let address = self.pin(state, address, 64);
        let block = self
            .block_at(address)
            .filter(|(function, _)| *function == state.function());
        let edge = block.and_then(|(_, block)| {
            targets
                .iter()
                .find(|&&edge| body.edge(edge).target.0 == block)
                .copied()
        });
        match edge {
            Some(edge) => Ok(edge),
            None => error(
                ErrorKind::BadCall,
                "computed goto to what is not one of its labels",
            ),
        }
    }
}
