//! Deciding what is feasible, and forking where both ways are.
//!
//! A state's model decides one side of every condition for free; only the other
//! side is a query. Where the policy has the path follow its model, there is no
//! other side.

use crate::machine::{Deferred, Machine};
use crate::outcome::{End, ErrorKind, Halt, error};
use crate::policy::{Choice, ChoiceKind, Guidance, Origin};
use crate::shims::forbids_forks;
use crate::state::{Location, State};
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
    /// Which ways the Boolean term can go, if that is cheap to say.
    fn decide(&mut self, state: &mut State, condition: Term) -> Decision {
        // The model satisfies the path, so the side it takes is feasible without a
        // query. States of KLEE carry no model, and both sides are asked there.
        let truth = self.holds(state, condition);
        let other = match truth {
            true => self.store.not(condition),
            false => condition,
        };
        match self.quick_check(state, other) {
            Answer::Sat(model) => Decision::Both(truth, model),
            Answer::Unsat(_) => Decision::Only(truth),
            Answer::Unknown(_) => Decision::Undecided(truth),
        }
    }

    /// Whether the condition can hold on the path. An expensive query is left
    /// undecided for now: the path may turn out not to be worth it.
    fn quick_check(&mut self, state: &mut State, condition: Term) -> Answer {
        self.ask(state, condition, Effort::Quick)
    }

    /// Whether the condition can hold on the path, if that can be said with so
    /// much effort.
    pub fn query(&mut self, state: &State, condition: Term, effort: Effort) -> Answer {
        let policy = self.policy.clone();
        if let Some(model) = policy.example(self, state, condition) {
            return Answer::Sat((*model).clone());
        }
        let before = self.mixed.set_effort(effort);
        let (path, model) = (&state.path, &state.model);
        let spent = self.mixed.solver().statistics().time;
        let answer = self
            .mixed
            .check_extended(&mut self.store, path, model, condition);
        let spent = self.mixed.solver().statistics().time - spent;
        let instruction = (state.function(), state.frame.pc);
        let callers = state.callers.as_deref();
        self.costs.add(instruction, callers, spent);
        self.mixed.set_effort(before);
        answer
    }

    /// Adds a condition that the state's model satisfies to its path.
    pub fn assume(&mut self, state: &mut State, condition: Term) {
        self.add(state, condition, Origin::Code);
    }

    /// The same for one that inputs have to satisfy in whatever code it is.
    pub fn assume_of_input(&mut self, state: &mut State, condition: Term) {
        self.add(state, condition, Origin::Input);
    }

    fn add(&mut self, state: &mut State, condition: Term, origin: Origin) {
        self.mixed.add(&self.store, &mut state.path, condition);
        let policy = self.policy.clone();
        policy.assumed(self, state, condition, origin);
    }

    /// Whether the path forks here.
    pub(crate) fn guidance(&self, state: &State) -> Guidance {
        let guidance = self.policy.guidance(self, state);
        match state.ends_soon || forbids_forks(state) {
            true => guidance.max(Guidance::Follow),
            false => guidance,
        }
    }

    /// Tells a policy that wants to know what the path is about to choose from.
    fn tell_choice(
        &mut self,
        state: &mut State,
        kind: ChoiceKind,
        successors: (Term, &[(u64, Term)]),
    ) {
        if self.events.choices {
            let policy = self.policy.clone();
            policy.choosing(self, state, kind, successors);
        }
    }

    /// Tells the policy of a decision; whether the path is worth going on.
    fn decided(&mut self, state: &mut State, successor: u64) -> bool {
        self.policy.decided(self, state, successor)
    }

    /// Makes the condition hold on the state's path as it went in its model,
    /// and gives the state in which it does not, if there is one. The other
    /// state stands at the same instruction.
    pub(crate) fn split(&mut self, state: &mut State, condition: Term) -> (bool, Option<State>) {
        self.split_along(state, condition, None, true)
    }

    /// The same at a branch with these edges, for a condition that holds and one
    /// that does not; `decides` says whether the policy is to hear which it was.
    fn split_along(
        &mut self,
        state: &mut State,
        condition: Term,
        edges: Option<(EdgeId, EdgeId)>,
        decides: bool,
    ) -> (bool, Option<State>) {
        if let Some(truth) = self.store.as_bool(condition) {
            return (truth, None);
        }
        if self.guidance(state) != Guidance::Explore {
            let truth = self.follow_condition(state, condition);
            if decides {
                self.decided(state, truth.into());
            }
            return (truth, None);
        }
        if decides && self.events.choices {
            let negated = self.store.not(condition);
            let sides = [(1, condition), (0, negated)];
            self.tell_choice(state, ChoiceKind::Condition, (condition, &sides));
        }
        let (truth, other_model) = match self.decide(state, condition) {
            // The path implies the condition already: adding it would only make later
            // slices larger.
            Decision::Only(truth) => {
                if decides {
                    self.exclude(state, condition, truth);
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
        self.count_fork(state);
        state.progress.depth += 1;
        // Only what is in the tree is shared by a clone without being copied.
        state.memory.settle();
        let mut other = state.clone();
        other.progress.forked_at = Location::Instruction(state.function(), state.frame.pc);
        let other = match other_model {
            Some(model) => {
                other.model = Rc::new(model);
                state.part(other)
            }
            // Without a model the state cannot run: it waits, its condition beside it
            // rather than on its path, until someone finds an input that goes there.
            None => {
                let deferred = Deferred {
                    condition: there,
                    edge: edges.map(|(then, otherwise)| if truth { otherwise } else { then }),
                };
                self.defer(state, other, deferred);
                None
            }
        };
        self.assume(state, here);
        if decides {
            self.decided(state, truth.into());
        }
        let other = other.and_then(|mut other| {
            self.assume(&mut other, there);
            let is_new = !decides || self.decided(&mut other, (!truth).into());
            is_new.then_some(other)
        });
        (truth, other)
    }

    /// Counts a fork, unless it was counted when the path was gone first.
    pub(crate) fn count_fork(&mut self, state: &State) {
        self.forks += u64::from(!state.is_retracing());
    }

    /// Tells the policy of a decision that has one way on this path, and of the
    /// other, which the path excludes.
    fn exclude(&mut self, state: &mut State, condition: Term, truth: bool) {
        let other = match truth {
            true => self.store.not(condition),
            false => condition,
        };
        let policy = self.policy.clone();
        policy.excluded(self, state, other, (!truth).into());
        self.decided(state, truth.into());
    }

    /// Goes as the state's model has the condition, which is no constant.
    fn follow_condition(&mut self, state: &mut State, condition: Term) -> bool {
        let truth = self.holds(state, condition);
        let went = match truth {
            true => condition,
            false => self.store.not(condition),
        };
        self.follow_choice(state, ChoiceKind::Condition, &[(truth.into(), went)], 0);
        truth
    }

    fn follow_choice(
        &mut self,
        state: &mut State,
        kind: ChoiceKind,
        successors: &[(u64, Term)],
        taken: usize,
    ) {
        let policy = self.policy.clone();
        let choice = Choice {
            kind,
            successors,
            taken,
        };
        policy.followed(self, state, &choice);
    }

    /// Follows a condition as the model has it, and tells the policy; for inputs whose
    /// shape is a choice of its own.
    pub fn follow(&mut self, state: &mut State, condition: Term) -> bool {
        match self.store.as_bool(condition) {
            Some(truth) => truth,
            None => self.follow_condition(state, condition),
        }
    }

    /// Makes the condition hold from here on; where it does not, the path ends
    /// with the error.
    pub fn require(
        &mut self,
        state: &mut State,
        condition: Term,
        kind: ErrorKind,
        message: &str,
    ) -> Result<(), Halt> {
        let (holds, other) = self.split(state, condition);
        if holds {
            let end = End::Error(kind, message.to_owned());
            self.successors.ended.extend(other.map(|bad| (bad, end)));
            return Ok(());
        }
        // The good state executes the instruction again.
        self.successors.running.extend(other);
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
    ) -> Result<EdgeId, Halt> {
        self.yield_if_due()?;
        let condition = condition.condition(&mut self.store);
        self.must_be_determined_term(state, condition, "a branch")?;
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
            state.progress.new_at = state.progress.instructions;
        }
    }

    /// Lets a forked state go along the edge.
    fn fork_along(&mut self, mut other: State, body: &Body, edge: EdgeId) {
        // The branch itself is behind this state, so it is moved to the edge's target
        // here: executing the branch again would ask the same query a second time.
        let data = body.edge(edge);
        let block = &body.blocks[data.target.index()];
        let executed = u64::from(block.end - block.start);
        self.successors.instructions += executed;
        self.reach(&mut other, edge, data.target.index(), executed);
        self.advance(&mut other, edge);
        other.progress.forked_at = Location::Edge(other.function(), edge);
        // The moves of an edge are in an order in which no source is overwritten before
        // it is read; lowering broke the cycles of phis with a spare register.
        for &program::Move { dst, src } in body.moves(data) {
            other.frame.registers[dst.index()] = other.frame.registers[src.index()];
        }
        other.frame.pc = data.pc;
        self.fork(other);
    }

    /// Counts the instructions of a block that the state enters along an edge, and
    /// what of it is new.
    #[inline]
    pub(crate) fn reach(&mut self, state: &mut State, edge: EdgeId, block: usize, executed: u64) {
        let progress = &mut state.progress;
        progress.instructions += executed;
        if self.coverage.follow(state.frame.function, edge, block) {
            progress.new_at = progress.instructions;
            progress.last_new = self.coverage.count;
        }
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
    ) -> Result<EdgeId, Halt> {
        self.yield_if_due()?;
        let value = value.term(&mut self.store, width);
        self.must_be_determined_term(state, value, "a switch")?;
        let (edges, successors) = self.switch_successors(value, width, default, cases);
        let taken = self.taken(state, &successors);
        if self.guidance(state) != Guidance::Explore {
            self.part_from_dissenters(state, successors[taken].1);
            self.follow_choice(state, ChoiceKind::Switch, &successors, taken);
            self.decided(state, successors[taken].0);
            return Ok(edges[taken]);
        }
        self.tell_choice(state, ChoiceKind::Switch, (value, &successors));
        let policy = self.policy.clone();
        // Where nothing forks, the taken case is implied by the path and not added.
        let mut forked = false;
        state.memory.settle();
        for (number, &(successor, condition)) in successors.iter().enumerate() {
            if number == taken || self.store.as_bool(condition) == Some(false) {
                continue;
            }
            match self.quick_check(state, condition) {
                Answer::Sat(model) => {
                    forked = true;
                    let mut other = state.clone();
                    other.model = Rc::new(model);
                    other.progress.depth += 1;
                    let Some(mut other) = state.part(other) else {
                        continue;
                    };
                    self.assume(&mut other, condition);
                    if self.decided(&mut other, successor) {
                        self.count_fork(state);
                        self.fork_along(other, body, edges[number]);
                    }
                }
                Answer::Unsat(_) => policy.excluded(self, state, condition, successor),
                Answer::Unknown(_) => {
                    forked = true;
                    let deferred = Deferred {
                        condition,
                        edge: Some(edges[number]),
                    };
                    let other = state.clone();
                    self.defer(state, other, deferred);
                }
            }
        }
        let (successor, condition) = successors[taken];
        if forked {
            state.progress.depth += 1;
            self.assume(state, condition);
        }
        self.decided(state, successor);
        self.advance(state, edges[taken]);
        Ok(edges[taken])
    }

    /// The successor that holds in the state's model.
    fn taken(&mut self, state: &mut State, successors: &[(u64, Term)]) -> usize {
        if let Some(taken) = state.recall_word() {
            return (taken as usize).min(successors.len() - 1);
        }
        let mut evaluation = self.mixed.under(&self.store, &state.model);
        let taken = successors
            .iter()
            .position(|&(_, condition)| evaluation.holds(condition))
            .expect("the cases and the default cover every value");
        state.record_word(taken as u64);
        taken
    }

    /// The edges of a switch, and for each its number and what holds along it. Cases
    /// that share an edge are one successor.
    fn switch_successors(
        &mut self,
        value: Term,
        width: u16,
        default: EdgeId,
        cases: &[Case],
    ) -> (Vec<EdgeId>, Vec<(u64, Term)>) {
        let mut successors: Vec<(EdgeId, Term)> = Vec::new();
        // One state for each edge and not for each case: `case 'a': … case 'z':` is one
        // decision of the program, whatever the number of labels.
        let mut none = self.store.bool(true);
        for case in cases {
            let constant = self.store.bv(width, case.value);
            let equal = self.store.eq(value, constant);
            let differs = self.store.not(equal);
            none = self.store.and(none, differs);
            match successors.iter_mut().find(|(edge, _)| *edge == case.edge) {
                Some((_, condition)) => *condition = self.store.or(*condition, equal),
                None => successors.push((case.edge, equal)),
            }
        }
        match successors.iter_mut().find(|(edge, _)| *edge == default) {
            Some((_, condition)) => *condition = self.store.or(*condition, none),
            None => successors.push((default, none)),
        }
        let numbered = successors.iter();
        let numbered = numbered.map(|&(edge, condition)| (edge.index() as u64, condition));
        let numbered = numbered.collect();
        (
            successors.into_iter().map(|(edge, _)| edge).collect(),
            numbered,
        )
    }

    /// One concrete value of a symbolic one: the path goes on with it, and is
    /// forked for the others.
    pub fn concretize(&mut self, state: &mut State, value: Value, width: u16) -> u64 {
        if let Some(word) = value.as_word() {
            return word;
        }
        let term = value.term(&mut self.store, width);
        debug_assert_eq!(self.store.sort(term), Sort::Bv(width));
        let word = self.word(state, term);
        let constant = self.store.bv(width, word);
        let equal = self.store.eq(term, constant);
        if self.store.as_bool(equal).is_some() {
            return word;
        }
        if self.guidance(state) == Guidance::Explore {
            self.tell_choice(state, ChoiceKind::Value, (term, &[(word, equal)]));
            // Which value it is, is one decision, however many were tried before.
            let (_, other) = self.split_along(state, equal, None, false);
            self.successors.running.extend(other);
        } else {
            self.follow_choice(state, ChoiceKind::Value, &[(word, equal)], 0);
        }
        self.decided(state, word);
        word
    }

    /// The value in the state's model, without fixing it.
    pub fn example(&mut self, state: &mut State, value: Value, width: u16) -> u64 {
        match value.as_word() {
            Some(word) => word,
            None => {
                let term = value.term(&mut self.store, width);
                self.word(state, term)
            }
        }
    }

    /// The same for who only looks: nothing on the path may depend on it.
    pub fn glance(&mut self, state: &State, value: Value, width: u16) -> u64 {
        match value.as_word() {
            Some(word) => word,
            None => {
                let term = value.term(&mut self.store, width);
                self.mixed.under(&self.store, &state.model).word(term)
            }
        }
    }

    /// The function a pointer calls; a symbolic one is forked over the
    /// functions it can be, and what is none of them is one error.
    pub(crate) fn callee(&mut self, state: &mut State, callee: Value) -> Result<FunctionId, Halt> {
        self.must_be_determined(state, callee, "which function is called")?;
        let address = self.example(state, callee, 64);
        if let Some(function) = self.function_at(address) {
            self.concretize(state, callee, 64);
            return Ok(function);
        }
        if let Some(term) = callee.as_term() {
            let facts = *self.store.facts(term);
            let known = self.function_addresses();
            let possible = known.filter(|it| (facts.min..=facts.max).contains(it));
            let possible: Vec<u64> = possible.collect();
            self.take_away(state, term, possible);
        }
        match address {
            0 => error(ErrorKind::NullDereference, "call through a null pointer"),
            _ => error(
                ErrorKind::BadCall,
                format!("call of address {address:#x}, where no function is"),
            ),
        }
    }

    /// Forks off the paths on which a term has one of these values, none of which it
    /// has in the model, so that what is left has none of them. Null is another error
    /// than a wild address, and neither hides behind the other.
    fn take_away(&mut self, state: &mut State, term: Term, values: Vec<u64>) {
        for value in values.into_iter().chain([0]) {
            let value = self.store.bv(64, value);
            let is_this = self.store.eq(term, value);
            let (_, other) = self.split(state, is_this);
            self.successors.running.extend(other);
        }
    }

    /// The edge that a computed goto goes along.
    pub(crate) fn jump_target(
        &mut self,
        state: &mut State,
        body: &Body,
        address: Value,
        targets: &[EdgeId],
    ) -> Result<EdgeId, Halt> {
        let function = state.function();
        let labels: Vec<(u64, EdgeId)> = targets
            .iter()
            .map(|&edge| (self.label(function, body.edge(edge).target), edge))
            .collect();
        let word = self.example(state, address, 64);
        if let Some(&(_, edge)) = labels.iter().find(|(label, _)| *label == word) {
            self.concretize(state, address, 64);
            return Ok(edge);
        }
        if let Some(term) = address.as_term() {
            self.take_away(
                state,
                term,
                labels.iter().map(|&(label, _)| label).collect(),
            );
        }
        error(
            ErrorKind::BadCall,
            "computed goto to what is not one of its labels",
        )
    }
}
