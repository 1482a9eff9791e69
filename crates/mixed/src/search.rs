//! A walk through the inputs towards satisfying a condition.
//!
//! The alternating-variable method: one number after the other is moved a little
//! in both directions; a direction that helps is followed in steps that double
//! until it no longer does. Where no move helps, a number is put where an equation
//! wants it, or somewhere at random, and the walk goes on. Numbers are moved along
//! the lines of `number`, so a double is a whole number of steps from any other.

use crate::check::Mixed;
use crate::distance;
use crate::heuristics::constants;
use crate::number::{Number, numbers};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Assignment, Op, Store, Tape, Term, Value};

/// Places looked at before one of them is walked from.
const LOOKS: u32 = 24;

impl Mixed<'_> {
    /// An assignment that satisfies the constraints with real calls, found from
    /// one of these with so many evaluations.
    pub(crate) fn search(
        &mut self,
        store: &mut Store,
        constraints: &[Term],
        starts: &[Assignment],
        budget: u32,
    ) -> Option<Assignment> {
        let mut landscape = Landscape {
            tape: Tape::new(store, constraints),
            numbers: numbers(store, constraints).into(),
            wishes: wishes(store, constraints).into(),
            constants: constants(store, constraints).into(),
            constraints,
        };
        if landscape.numbers.is_empty() {
            return None;
        }
        let mut left = budget;
        let mut walker = None;
        // Every start gets its share, and what is left goes on from the best.
        for start in starts {
            let share = left / (starts.len() as u32 + 1);
            let mut walk = Walk {
                at: start.clone(),
                distance: self.distance(store, &mut landscape, start),
                left: share,
            };
            if self.go(store, &mut landscape, &mut walk) {
                return Some(walk.at);
            }
            left -= share - walk.left;
            let nearer = |best: &Walk| walk.distance < best.distance;
            if walker.as_ref().is_none_or(nearer) {
                walker = Some(walk);
            }
        }
        let mut walk = walker?;
        walk.left = left;
        walk.distance = self.distance(store, &mut landscape, &walk.at);
        self.go(store, &mut landscape, &mut walk).then_some(walk.at)
    }

    /// How far the assignment is; infinitely far where a call fails. The tape
    /// stands there afterwards.
    fn distance(&mut self, store: &Store, landscape: &mut Landscape<'_>, at: &Assignment) -> f64 {
        self.calls.take_failure();
        landscape.tape.load(store, at, Some(&mut self.calls));
        let distance = distance::total(store, &landscape.tape, landscape.constraints);
        match self.calls.take_failure() {
            None => distance,
            Some(_) => f64::INFINITY,
        }
    }

    /// Walks until the constraints hold; whether they do.
    fn go(&mut self, store: &Store, landscape: &mut Landscape<'_>, walk: &mut Walk) -> bool {
        while walk.distance > 0.0 && walk.left > 0 {
            let before = walk.distance;
            for number in &*landscape.numbers.clone() {
                self.slide(store, landscape, walk, number);
                if walk.distance == 0.0 || walk.left == 0 {
                    break;
                }
            }
            let stuck = walk.distance >= before && !self.grant(store, landscape, walk);
            if stuck && walk.left > 0 {
                self.jump(store, landscape, walk);
            }
        }
        walk.distance == 0.0
    }

    /// Moves one number as long as that helps.
    fn slide(
        &mut self,
        store: &Store,
        landscape: &mut Landscape<'_>,
        walk: &mut Walk,
        number: &Number,
    ) {
        let (first, last) = number.range();
        let most = ((last - first) as u128).ilog2();
        let mut bit = 0;
        while bit <= most && walk.left > 0 && walk.distance > 0.0 {
            let mut helped = false;
            for direction in [1i128, -1] {
                let mut step = direction << bit;
                while self.step(store, landscape, walk, number, step) {
                    helped = true;
                    step = step.saturating_mul(2);
                }
            }
            // Small steps first; after a success they are worth trying again.
            bit = match helped {
                true if bit > 0 => 0,
                true => bit,
                false if bit < 4 => bit + 1,
                false => bit + 3,
            };
        }
    }

    /// Moves a number if that helps; whether it did.
    fn step(
        &mut self,
        store: &Store,
        landscape: &mut Landscape<'_>,
        walk: &mut Walk,
        number: &Number,
        by: i128,
    ) -> bool {
        let place = number.place(&walk.at);
        self.put(store, landscape, walk, number, place.saturating_add(by))
    }

    /// Puts a number at a place if that helps; whether it did.
    fn put(
        &mut self,
        store: &Store,
        landscape: &mut Landscape<'_>,
        walk: &mut Walk,
        number: &Number,
        place: i128,
    ) -> bool {
        let before = number.place(&walk.at);
        let (first, last) = number.range();
        let place = place.clamp(first, last);
        if walk.left == 0 || place == before {
            return false;
        }
        walk.left -= 1;
        number.set(&mut walk.at, place);
        let distance = self.distance_after(store, landscape, &walk.at, number);
        if distance < walk.distance {
            walk.distance = distance;
            landscape.tape.keep();
            return true;
        }
        number.set(&mut walk.at, before);
        landscape.tape.take_back();
        false
    }

    /// How far the assignment is, after only this number was moved.
    fn distance_after(
        &mut self,
        store: &Store,
        landscape: &mut Landscape<'_>,
        at: &Assignment,
        number: &Number,
    ) -> f64 {
        let tape = &mut landscape.tape;
        self.calls.take_failure();
        for variable in number.variables() {
            let value = at
                .get(variable)
                .expect("a number that was moved has a value");
            tape.assign(variable, value);
        }
        tape.update(store, Some(&mut self.calls));
        let distance = distance::total(store, tape, landscape.constraints);
        match self.calls.take_failure() {
            None => distance,
            Some(_) => f64::INFINITY,
        }
    }

    /// Puts numbers where equations want them, or at constants, if one of that
    /// helps; whether one did.
    fn grant(&mut self, store: &Store, landscape: &mut Landscape<'_>, walk: &mut Walk) -> bool {
        for number in &*landscape.numbers.clone() {
            let opposite = -number.place(&walk.at);
            if self.put(store, landscape, walk, number, opposite) {
                return true;
            }
            for &(variables, other) in &*landscape.wishes.clone() {
                let Some(variable) = store.as_variable(first_leaf(store, variables)) else {
                    continue;
                };
                if number.variables().next() != Some(variable) {
                    continue;
                }
                let at = walk.at.clone();
                let wanted = self.under(store, &at).value(other);
                if self.put(store, landscape, walk, number, number.place_of(&wanted)) {
                    return true;
                }
            }
            for value in &*landscape.constants.clone() {
                if self.put(store, landscape, walk, number, number.place_of(value)) {
                    return true;
                }
            }
        }
        false
    }

    /// Leaves a place from which no move helps: looks around, walks from the most
    /// promising place seen, and stays where that leads if it is no worse.
    fn jump(&mut self, store: &Store, landscape: &mut Landscape<'_>, walk: &mut Walk) {
        let mut other = self.look_around(store, landscape, walk);
        loop {
            let before = other.distance;
            for number in &*landscape.numbers.clone() {
                self.slide(store, landscape, &mut other, number);
                if other.distance == 0.0 || other.left == 0 {
                    break;
                }
            }
            if other.distance >= before || other.distance == 0.0 || other.left == 0 {
                break;
            }
        }
        walk.left = other.left;
        // Level ground is walked across; only climbing back is refused.
        if other.distance <= walk.distance {
            walk.at = other.at;
            walk.distance = other.distance;
        } else {
            landscape.tape.load(store, &walk.at, Some(&mut self.calls));
        }
    }

    /// The best of some places at random, each with one or more numbers moved.
    fn look_around(&mut self, store: &Store, landscape: &mut Landscape<'_>, walk: &Walk) -> Walk {
        let mut best = Walk {
            at: walk.at.clone(),
            distance: f64::INFINITY,
            left: walk.left,
        };
        for _ in 0..LOOKS.min(walk.left) {
            let mut at = walk.at.clone();
            let count = 1 + self.random.below(landscape.numbers.len().min(4));
            for _ in 0..count {
                let number = &landscape.numbers[self.random.below(landscape.numbers.len())];
                let place = match self.random.below(3) {
                    0 => {
                        let bits = self.random.below(40) as u32;
                        let by = self.random.between(-(1 << bits), 1 << bits);
                        number.place(&at).saturating_add(by)
                    }
                    _ => self.random_place(number, &landscape.constants),
                };
                number.set(&mut at, place);
            }
            best.left -= 1;
            let distance = self.distance(store, landscape, &at);
            if distance < best.distance {
                best.at = at;
                best.distance = distance;
            }
        }
        landscape.tape.load(store, &best.at, Some(&mut self.calls));
        best
    }
}

/// What is walked through.
struct Landscape<'a> {
    constraints: &'a [Term],
    numbers: Rc<[Number]>,
    /// Equations between a number and something else.
    wishes: Rc<[(Term, Term)]>,
    constants: Rc<[Value]>,
    /// The constraints laid out.
    tape: Tape,
}

/// Where a walk has come to.
struct Walk {
    at: Assignment,
    distance: f64,
    /// Evaluations it may still take.
    left: u32,
}

/// Terms that stand for a number among the inputs, with what they are equated
/// or compared with.
fn wishes(store: &Store, constraints: &[Term]) -> Vec<(Term, Term)> {
    let mut found: FxHashMap<(Term, Term), ()> = FxHashMap::default();
    for term in term::post_order(store, constraints) {
        let compares = matches!(
            store.op(term),
            Op::Eq | Op::FpEq | Op::Ult | Op::Slt | Op::FpLt | Op::FpLe | Op::Lt | Op::Le
        );
        if !compares {
            continue;
        }
        let &[a, b] = store.args(term) else {
            continue;
        };
        for (one, other) in [(a, b), (b, a)] {
            let inside = match store.op(one) {
                Op::FpFromBits => store.args(one)[0],
                _ => one,
            };
            let plain = matches!(store.op(inside), Op::Concat | Op::Var);
            if plain && store.op(first_leaf(store, inside)) == Op::Var {
                found.insert((inside, other), ());
            }
        }
    }
    let mut found: Vec<(Term, Term)> = found.into_keys().collect();
    found.sort_unstable();
    found
}

/// The lowest part of a concatenation.
fn first_leaf(store: &Store, mut term: Term) -> Term {
    while let (Op::Concat, &[_, low]) = (store.op(term), store.args(term)) {
        term = low;
    }
    term
}
