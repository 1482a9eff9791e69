//! A small automaton with numbers below five, executed state by state: what a model means,
//! said a second time and without a solver.

use base::Random;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;

/// Variables are `u`, `v` and the last input `x`; assignments keep them below this.
pub const RANGE: i64 = 5;

const VARIABLES: [&str; 3] = ["u", "v", "x"];
const INPUTS: [&str; 2] = ["a", "b"];
const OUTPUTS: [&str; 2] = ["p", "q"];

/// A term over the variables.
#[derive(Clone, Debug)]
pub enum Term {
    Constant(i64),
    Variable(usize),
    Operation(&'static str, Box<Term>, Box<Term>),
    Choice(Box<Condition>, Box<Term>, Box<Term>),
}

/// What holds or does not.
#[derive(Clone, Debug)]
pub enum Condition {
    Compare(&'static str, Term, Term),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// What a transition exchanges with the environment.
#[derive(Clone, Debug)]
pub enum Action {
    Internal,
    /// Any number below [`RANGE`] for which the condition holds comes into `x`.
    Input(usize, Condition),
    Output(usize, Term),
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: usize,
    to: usize,
    guard: Condition,
    action: Action,
    /// In this order.
    assignments: Vec<(usize, Term)>,
}

/// An automaton; transitions are known by their position in the one it was made as.
#[derive(Clone, Debug)]
pub struct Machine {
    pub states: usize,
    pub transitions: Vec<(usize, Transition)>,
}

/// Where a machine is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    pub state: usize,
    values: [i64; 3],
}

/// What the environment sees of a step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Event {
    Input(&'static str, i64),
    Output(&'static str, i64),
    Silence,
}

impl Term {
    fn new(random: &mut Random, depth: usize) -> Term {
        let operand = |random: &mut Random| Box::new(Term::new(random, depth - 1));
        match random.below(if depth == 0 { 4 } else { 9 }) {
            0 => Term::Constant(random.below(5) as i64),
            1..=3 => Term::Variable(random.below(3)),
            4..=7 => {
                let operators = ["+", "-", "*", "div", "mod"];
                let operator = operators[random.below(operators.len())];
                Term::Operation(operator, operand(random), operand(random))
            }
            _ => {
                let condition = Box::new(Condition::new(random, depth - 1));
                Term::Choice(condition, operand(random), operand(random))
            }
        }
    }

    fn value(&self, values: &[i64; 3]) -> i64 {
        match self {
            Term::Constant(value) => *value,
            Term::Variable(variable) => values[*variable],
            Term::Operation(operator, left, right) => {
                let (left, right) = (left.value(values), right.value(values));
                match (*operator, right) {
                    ("+", _) => left + right,
                    ("-", _) => left - right,
                    ("*", _) => left * right,
                    ("div", 0) => 0,
                    ("div", _) => left.div_euclid(right),
                    (_, 0) => left,
                    _ => left.rem_euclid(right),
                }
            }
            Term::Choice(condition, then, otherwise) => match condition.holds(values) {
                true => then.value(values),
                false => otherwise.value(values),
            },
        }
    }
}

impl Condition {
    pub fn new(random: &mut Random, depth: usize) -> Condition {
        let part = |random: &mut Random| Box::new(Condition::new(random, depth - 1));
        match random.below(if depth == 0 { 4 } else { 7 }) {
            0..=3 => {
                let comparisons = ["=", "!=", "<", "<=", ">", ">="];
                let comparison = comparisons[random.below(comparisons.len())];
                Condition::Compare(comparison, Term::new(random, depth), Term::new(random, 0))
            }
            4 => Condition::Both(part(random), part(random)),
            5 => Condition::Either(part(random), part(random)),
            _ => Condition::Not(part(random)),
        }
    }

    fn always() -> Condition {
        Condition::Compare("=", Term::Constant(0), Term::Constant(0))
    }

    pub fn holds_at(&self, place: &Place) -> bool {
        self.holds(&place.values)
    }

    fn holds(&self, values: &[i64; 3]) -> bool {
        match self {
            Condition::Compare(comparison, left, right) => {
                let (left, right) = (left.value(values), right.value(values));
                match *comparison {
                    "=" => left == right,
                    "!=" => left != right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
            Condition::Both(left, right) => left.holds(values) && right.holds(values),
            Condition::Either(left, right) => left.holds(values) || right.holds(values),
            Condition::Not(condition) => !condition.holds(values),
        }
    }
}

impl Transition {
    fn new(random: &mut Random, states: usize) -> Transition {
        let condition = |random: &mut Random| match random.below(3) {
            0 => Condition::always(),
            _ => Condition::new(random, 1),
        };
        let guard = condition(random);
        let action = match random.below(7) {
            0 => Action::Internal,
            1..=3 => Action::Input(random.below(2), condition(random)),
            _ => Action::Output(random.below(2), Term::new(random, 1)),
        };
        let assignments = (0..random.below(3)).map(|_| {
            let term = Box::new(Term::new(random, 2));
            let range = Box::new(Term::Constant(RANGE));
            (random.below(2), Term::Operation("mod", term, range))
        });
        let assignments = assignments.collect();
        Transition {
            from: random.below(states),
            to: random.below(states),
            guard,
            action,
            assignments,
        }
    }

    /// The steps from a place, each with what is seen of it; nothing is of an internal one.
    fn steps(&self, place: &Place) -> Vec<(Option<Event>, Place)> {
        if place.state != self.from || !self.guard.holds(&place.values) {
            return Vec::new();
        }
        let then = |mut values: [i64; 3]| {
            for (variable, term) in &self.assignments {
                values[*variable] = term.value(&values);
            }
            let state = self.to;
            Place { state, values }
        };
        match &self.action {
            Action::Internal => vec![(None, then(place.values))],
            Action::Output(channel, term) => {
                let event = Event::Output(OUTPUTS[*channel], term.value(&place.values));
                vec![(Some(event), then(place.values))]
            }
            Action::Input(channel, condition) => {
                let received = |input| [place.values[0], place.values[1], input];
                let inputs = (0..RANGE).filter(|&input| condition.holds(&received(input)));
                let steps = inputs.map(|input| {
                    let event = Event::Input(INPUTS[*channel], input);
                    (Some(event), then(received(input)))
                });
                steps.collect()
            }
        }
    }
}

impl Machine {
    pub fn new(random: &mut Random) -> Machine {
        let states = 2 + random.below(3);
        let transitions = 3 + random.below(6);
        let transitions = (0..transitions).map(|number| (number, Transition::new(random, states)));
        Machine {
            states,
            transitions: transitions.collect(),
        }
    }

    /// The machine with some of its transitions.
    pub fn with(&self, kept: &[usize]) -> Machine {
        let kept = kept.iter().map(|&index| self.transitions[index].clone());
        Machine {
            states: self.states,
            transitions: kept.collect(),
        }
    }

    /// Every step from a place, with the transition it takes.
    pub fn steps(&self, place: &Place) -> Vec<(usize, Option<Event>, Place)> {
        let transitions = self.transitions.iter();
        let steps = transitions.flat_map(|(number, transition)| {
            let steps = transition.steps(place).into_iter();
            steps.map(|(event, next)| (*number, event, next))
        });
        steps.collect()
    }

    /// Every place there is a way to, and every transition that is taken on one.
    pub fn reachable(&self) -> (BTreeSet<Place>, BTreeSet<usize>) {
        let mut places = BTreeSet::from([Place::default()]);
        let mut taken = BTreeSet::new();
        let mut open = VecDeque::from([Place::default()]);
        while let Some(place) = open.pop_front() {
            for (transition, _, next) in self.steps(&place) {
                taken.insert(transition);
                if places.insert(next) {
                    open.push_back(next);
                }
            }
        }
        (places, taken)
    }

    /// Whether transitions leave the state, and none of them can be taken.
    pub fn is_stuck(&self, place: &Place) -> bool {
        let mut transitions = self.transitions.iter();
        transitions.any(|(_, it)| it.from == place.state) && self.steps(place).is_empty()
    }

    /// These places, and those that internal steps lead to.
    pub fn closed(&self, places: BTreeSet<Place>) -> BTreeSet<Place> {
        let mut open: Vec<Place> = places.iter().copied().collect();
        let mut places = places;
        while let Some(place) = open.pop() {
            for next in self.internal(&place) {
                if places.insert(next) {
                    open.push(next);
                }
            }
        }
        places
    }

    /// Where the machine may be after an event; closed places lead to closed ones.
    pub fn after(&self, places: &BTreeSet<Place>, event: &Event) -> BTreeSet<Place> {
        if *event == Event::Silence {
            let silent = places.iter().filter(|place| self.is_silent(place));
            return self.closed(silent.copied().collect());
        }
        let steps = places.iter().flat_map(|place| self.steps(place));
        let matching = steps.filter(|(_, seen, _)| seen.as_ref() == Some(event));
        self.closed(matching.map(|(_, _, next)| next).collect())
    }

    /// Whether the machine may wait here: nothing comes of itself, or only internal steps
    /// that go round.
    fn is_silent(&self, place: &Place) -> bool {
        let is_input = |event: &Option<Event>| matches!(event, Some(Event::Input(..)));
        let waits = self.steps(place).iter().all(|(_, it, _)| is_input(it));
        waits || self.closed(self.internal(place)).contains(place)
    }

    fn internal(&self, place: &Place) -> BTreeSet<Place> {
        let steps = self.steps(place).into_iter();
        let internal = steps.filter(|(_, event, _)| event.is_none());
        internal.map(|(_, _, next)| next).collect()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Constant(value) => write!(f, "{value}"),
            Term::Variable(variable) => f.write_str(VARIABLES[*variable]),
            Term::Operation(operator, left, right) => write!(f, "({left} {operator} {right})"),
            Term::Choice(condition, then, otherwise) => {
                write!(f, "(if {condition} then {then} else {otherwise})")
            }
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(comparison, left, right) => {
                write!(f, "({left} {comparison} {right})")
            }
            Condition::Both(left, right) => write!(f, "({left} and {right})"),
            Condition::Either(left, right) => write!(f, "({left} or {right})"),
            Condition::Not(condition) => write!(f, "(not {condition})"),
        }
    }
}

impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Transition {
            from, to, guard, ..
        } = self;
        write!(f, "s{from} -> s{to} when {guard}, ")?;
        match &self.action {
            Action::Internal => f.write_str("tau")?,
            Action::Input(channel, condition) => {
                let channel = INPUTS[*channel];
                write!(
                    f,
                    "{channel}?(x) where 0 <= x and x < {RANGE} and {condition}"
                )?;
            }
            Action::Output(channel, term) => write!(f, "{}!({term})", OUTPUTS[*channel])?,
        }
        for (variable, term) in &self.assignments {
            write!(f, ", {} := {term}", VARIABLES[*variable])?;
        }
        Ok(())
    }
}

/// The machine in the language of models.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "channel a(Int), b(Int), p(Int), q(Int)")?;
        writeln!(f, "automaton M {{\n    var u, v, x: Int\n    initial s0")?;
        for state in 0..self.states {
            writeln!(f, "    state s{state}")?;
        }
        for (number, transition) in &self.transitions {
            writeln!(f, "    t{number}: {transition}")?;
        }
        f.write_str("}\n")
    }
}

/// The event as a line of a log.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Input(channel, value) => {
                write!(f, r#"{{"input": "{channel}", "values": [{value}]}}"#)
            }
            Event::Output(channel, value) => {
                write!(f, r#"{{"output": "{channel}", "values": [{value}]}}"#)
            }
            Event::Silence => f.write_str(r#"{"silence": true}"#),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transition(from: usize, to: usize, action: Action) -> Transition {
        Transition {
            from,
            to,
            guard: Condition::always(),
            action,
            assignments: Vec::new(),
        }
    }

    #[test]
    fn silence_is_waiting_or_going_round() {
        let round = transition(0, 0, Action::Internal);
        let said = transition(1, 0, Action::Output(0, Term::Constant(3)));
        let machine = Machine {
            states: 2,
            transitions: vec![(0, round), (1, said)],
        };
        let place = |state| Place {
            state,
            ..Place::default()
        };
        assert!(machine.is_silent(&place(0)));
        assert!(!machine.is_silent(&place(1)));
        let after = machine.after(&BTreeSet::from([place(1)]), &Event::Output("p", 3));
        assert_eq!(after, BTreeSet::from([place(0)]));
    }
}
