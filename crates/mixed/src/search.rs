//! A walk through the inputs towards satisfying a condition.
//!
//! The alternating-variable method: one number after the other is moved a little
//! in both directions; a direction that helps is followed in steps that double
//! until it no longer does. Where no move helps, a number is put where an equation
//! wants it, or somewhere at random, and the walk goes on. Numbers are moved along
//! the lines of `number`, so a double is a whole number of steps from any other.
//!
//! (Korel, *Automated software test data generation*, IEEE Transactions on Software
//! Engineering, 1990.)

use crate::check::Mixed;
use crate::distance;
use crate::heuristics::constants;
use crate::number::{Number, numbers};
use rustc_hash::FxHashMap;
use term::{Assignment, Op, Place, Store, Tape, Term, Value, Variable};

/// Places looked at before one of them is walked from.
const LOOKS: u32 = 24;

impl Mixed<'_> {
    /// An assignment that satisfies the constraints with real calls, found from
    /// one of these with so many evaluations.
    pub(crate) fn search(
        &mut self,
        store: &Store,
        constraints: &[Term],
        starts: &[Assignment],
        budget: u32,
    ) -> Option<Assignment> {
        let mut landscape = Landscape::new(store, constraints);
        if landscape.numbers.is_empty() {
            return None;
        }
        let mut left = budget;
        let mut nearest: Option<(Walk, &Assignment)> = None;
        // Every start gets its share, and what is left goes on from the best.
        for start in starts {
            let share = left / (starts.len() as u32 + 1);
            let mut walk = self.begin(store, &mut landscape, start, share);
            if self.go(store, &mut landscape, &mut walk) {
                return Some(landscape.assignment(&walk, start));
            }
            left -= share - walk.left;
            if nearest
                .as_ref()
                .is_none_or(|(best, _)| walk.distance < best.distance)
            {
                nearest = Some((walk, start));
            }
        }
        let (walk, start) = nearest?;
        let from = landscape.assignment(&walk, start);
        let mut walk = self.begin(store, &mut landscape, &from, left);
        self.go(store, &mut landscape, &mut walk)
            .then(|| landscape.assignment(&walk, start))
    }

    /// A walk that starts there; the tape stands there too.
    fn begin(
        &mut self,
        store: &Store,
        landscape: &mut Landscape,
        start: &Assignment,
        budget: u32,
    ) -> Walk {
        self.calls.take_failure();
        landscape.tape.load(store, start, Some(&mut self.calls));
        let places = landscape.numbers.iter().map(|number| number.place(start));
        Walk {
            at: places.collect(),
            distance: self.measure(store, landscape),
            left: budget,
        }
    }

    /// How far the place where the tape stands is; infinitely far where a call
    /// fails.
    fn measure(&mut self, store: &Store, landscape: &Landscape) -> f64 {
        match self.calls.take_failure() {
            None => distance::total(store, &landscape.tape, &landscape.constraints),
            Some(_) => f64::INFINITY,
        }
    }

    /// How far it is once these numbers are at these places. The tape stands there
    /// afterwards, and can be taken back.
    fn propose(
        &mut self,
        store: &Store,
        landscape: &mut Landscape,
        moves: &[(usize, i128)],
    ) -> f64 {
        self.calls.take_failure();
        for &(number, place) in moves {
            let tape = &mut landscape.tape;
            landscape.numbers[number].write(place, |variable, value| tape.set(variable, &value));
        }
        landscape.tape.update(store, Some(&mut self.calls));
        self.measure(store, landscape)
    }

    /// Walks until the constraints hold; whether they do.
    fn go(&mut self, store: &Store, landscape: &mut Landscape, walk: &mut Walk) -> bool {
        while walk.distance > 0.0 && walk.left > 0 && !self.calls.is_over() {
            let before = walk.distance;
            self.slide_all(store, landscape, walk);
            let stuck = walk.distance >= before && !self.grant(store, landscape, walk);
            if stuck && walk.left > 0 {
                self.jump(store, landscape, walk);
            }
        }
        walk.distance == 0.0
    }

    /// Moves one number after the other as long as that helps.
    fn slide_all(&mut self, store: &Store, landscape: &mut Landscape, walk: &mut Walk) {
        for number in 0..landscape.numbers.len() {
            self.slide(store, landscape, walk, number);
            if walk.distance == 0.0 || walk.left == 0 {
                break;
            }
        }
    }

    fn slide(&mut self, store: &Store, landscape: &mut Landscape, walk: &mut Walk, number: usize) {
        let (first, last) = landscape.numbers[number].range();
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
        landscape: &mut Landscape,
        walk: &mut Walk,
        number: usize,
        by: i128,
    ) -> bool {
        let place = walk.at[number].saturating_add(by);
        self.put(store, landscape, walk, number, place)
    }

    /// Puts a number at a place if that helps; whether it did.
    fn put(
        &mut self,
        store: &Store,
        landscape: &mut Landscape,
        walk: &mut Walk,
        number: usize,
        place: i128,
    ) -> bool {
        let (first, last) = landscape.numbers[number].range();
        let place = place.clamp(first, last);
        if walk.left == 0 || place == walk.at[number] {
            return false;
        }
        if self.calls.is_over() {
            walk.left = 0;
            return false;
        }
        walk.left -= 1;
        let distance = self.propose(store, landscape, &[(number, place)]);
        let helps = distance < walk.distance;
        if helps {
            walk.distance = distance;
            walk.at[number] = place;
            landscape.tape.keep();
        } else {
            landscape.tape.take_back();
        }
        helps
    }

    /// Puts numbers where equations want them, or at constants, if one of that
    /// helps; whether one did.
    fn grant(&mut self, store: &Store, landscape: &mut Landscape, walk: &mut Walk) -> bool {
        for number in 0..landscape.numbers.len() {
            if walk.left == 0 {
                return false;
            }
            let opposite = -walk.at[number];
            if self.put(store, landscape, walk, number, opposite) {
                return true;
            }
            for wish in 0..landscape.wishes.len() {
                let (of, wanted) = landscape.wishes[wish];
                if of != number {
                    continue;
                }
                let wanted = landscape.tape.value(wanted);
                let place = landscape.numbers[number].place_of(&wanted);
                if self.put(store, landscape, walk, number, place) {
                    return true;
                }
            }
            for constant in 0..landscape.constants.len() {
                let place = landscape.numbers[number].place_of(&landscape.constants[constant]);
                if self.put(store, landscape, walk, number, place) {
                    return true;
                }
            }
        }
        false
    }

    /// Leaves a place from which no move helps: looks around, walks from the most
    /// promising place seen, and stays where that leads if it is no worse.
    fn jump(&mut self, store: &Store, landscape: &mut Landscape, walk: &mut Walk) {
        let mut other = self.look_around(store, landscape, walk);
        loop {
            let before = other.distance;
            self.slide_all(store, landscape, &mut other);
            if other.distance >= before || other.distance == 0.0 || other.left == 0 {
                break;
            }
        }
        walk.left = other.left;
        // Level ground is walked across; only climbing back is refused.
        if other.distance <= walk.distance {
            *walk = other;
            return;
        }
        let differs = |&(number, place): &(usize, i128)| other.at[number] != place;
        let places = walk.at.iter().copied().enumerate();
        let back: Vec<(usize, i128)> = places.filter(differs).collect();
        self.propose(store, landscape, &back);
        landscape.tape.keep();
    }

    /// The best of some places at random, each with one or more numbers moved.
    fn look_around(&mut self, store: &Store, landscape: &mut Landscape, walk: &Walk) -> Walk {
        let mut best = (f64::INFINITY, Vec::new());
        let looks = LOOKS.min(walk.left);
        for _ in 0..looks {
            if self.calls.is_over() {
                break;
            }
            let moves = self.random_moves(landscape, walk);
            let distance = self.propose(store, landscape, &moves);
            landscape.tape.take_back();
            if distance < best.0 {
                best = (distance, moves);
            }
        }
        let mut other = Walk {
            at: walk.at.clone(),
            distance: self.propose(store, landscape, &best.1),
            left: walk.left - looks,
        };
        landscape.tape.keep();
        for (number, place) in best.1 {
            other.at[number] = place;
        }
        other
    }

    /// Other places for one or more numbers, each moved once.
    fn random_moves(&mut self, landscape: &Landscape, walk: &Walk) -> Vec<(usize, i128)> {
        let numbers = &landscape.numbers;
        let mut moves: Vec<(usize, i128)> = Vec::new();
        for _ in 0..1 + self.random.below(numbers.len().min(4)) {
            let number = self.random.below(numbers.len());
            let place = match self.random.below(3) {
                0 => {
                    let bits = self.random.below(40) as u32;
                    let by = self.random.between(-(1 << bits), 1 << bits);
                    walk.at[number].saturating_add(by)
                }
                _ => self.random_place(&numbers[number], &landscape.constants),
            };
            let (first, last) = numbers[number].range();
            moves.retain(|&(other, _)| other != number);
            moves.push((number, place.clamp(first, last)));
        }
        moves
    }
}

/// What is walked through.
struct Landscape {
    /// The constraints laid out.
    tape: Tape,
    /// The constraints, and where they are on the tape.
    constraints: Vec<(Term, Place)>,
    numbers: Vec<Number>,
    /// Which number is compared with what.
    wishes: Vec<(usize, Term)>,
    constants: Vec<Value>,
}

impl Landscape {
    fn new(store: &Store, constraints: &[Term]) -> Landscape {
        let tape = Tape::new(store, constraints);
        let placed = |&constraint: &Term| (constraint, tape.place(constraint));
        let numbers = numbers(store, constraints);
        Landscape {
            constraints: constraints.iter().map(placed).collect(),
            wishes: wishes(store, constraints, &numbers),
            constants: constants(store, constraints),
            numbers,
            tape,
        }
    }

    /// Where a walk stands, and `otherwise` in what it does not move.
    fn assignment(&self, walk: &Walk, otherwise: &Assignment) -> Assignment {
        let mut assignment = otherwise.clone();
        for (number, &place) in self.numbers.iter().zip(&walk.at) {
            number.set(&mut assignment, place);
        }
        assignment
    }
}

/// Where a walk has come to.
struct Walk {
    /// By number, its place.
    at: Vec<i128>,
    distance: f64,
    /// Evaluations it may still take.
    left: u32,
}

/// Numbers among the inputs, each with something it is compared with.
fn wishes(store: &Store, constraints: &[Term], numbers: &[Number]) -> Vec<(usize, Term)> {
    let first: FxHashMap<Variable, usize> = numbers
        .iter()
        .enumerate()
        .filter_map(|(at, number)| Some((number.variables().next()?, at)))
        .collect();
    let mut found = Vec::new();
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
            let variable = store.as_variable(first_leaf(store, inside));
            if let Some(&number) = variable.and_then(|variable| first.get(&variable)) {
                found.push((number, other));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The lowest part of a concatenation.
fn first_leaf(store: &Store, mut term: Term) -> Term {
    while let (Op::Concat, &[_, low]) = (store.op(term), store.args(term)) {
        term = low;
    }
    term
}
