//! How near a path comes to the branches that nobody has taken.
//!
//! Where a path comes by a branch of which one side is not covered, it tells how far
//! the values at hand are from leading there: apart by one where a counter lacks
//! one step, however the counter came about. The solver is of no help there, since
//! on this path the counter is a number. A search that prefers paths that came
//! near drives it up.
//!
//! A state that forked off from the path that came nearest to the target at hand takes
//! over the inputs of that path, as far as its own path leaves them open: what was right in
//! the rest of that path stays right.

use super::follow::{self, Reason};
use machine::{Events, Halt, Location, Machine, Policy, State, Value};
use program::{Body, Case, CastOp, EdgeId, FloatKind, FunctionId, Inst, Kind, Predicate, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use term::{Assignment, Term, Variable, free_variables};

/// Measures distances while paths run.
#[derive(Default)]
pub struct Fitness(RefCell<Watch>);

/// What is watched while paths run.
#[derive(Default)]
struct Watch {
    /// How near the path came to each target since it was last asked.
    nearest: Vec<(u64, f64)>,
    /// What the condition of a branch compares, by function and register.
    compared: FxHashMap<(u32, Reg), Compared>,
    /// How far the truth was, and its contrary, that a function returned to a
    /// register of another.
    returned: FxHashMap<(u32, Reg), (f64, f64)>,
}

/// What a condition says.
#[derive(Clone, Copy)]
enum Compared {
    Integers {
        predicate: Predicate,
        width: u32,
        a: Reg,
        b: Reg,
        /// Whether the condition is that it does not hold.
        negated: bool,
    },
    Floats {
        kind: FloatKind,
        a: Reg,
        b: Reg,
    },
    /// Something that only holds or not.
    Flat,
}

/// The number of an edge of a function, as a target.
pub(crate) fn edge_number(function: u32, edge: EdgeId) -> u64 {
    u64::from(function) << 32 | edge.index() as u64
}

/// The edge of that number.
pub(crate) fn edge_of(number: u64) -> (FunctionId, EdgeId) {
    let edge = EdgeId::from_index((number & u64::from(u32::MAX)) as usize);
    (FunctionId((number >> 32) as u32), edge)
}

/// The number of a place where a path forked: that of the edge it took, or another.
pub(crate) fn location_number(location: Location) -> u64 {
    match location {
        Location::Edge(function, edge) => edge_number(function.0, edge),
        Location::Instruction(function, pc) => {
            1 << 63 | u64::from(function.0) << 32 | u64::from(pc)
        }
    }
}

/// Gives the state these inputs where its path does not say what they are. One that follows
/// solutions has theirs.
pub(crate) fn take_over(machine: &mut Machine<'_>, state: &mut State, inputs: &Assignment) {
    if follow::is_marked(state, Reason::Solution) {
        return;
    }
    let constraints: Vec<Term> = state.path.constraints().collect();
    let own = free_variables(&machine.store, &constraints);
    let own: FxHashSet<Variable> = own.into_iter().collect();
    let mut merged = (*state.model).clone();
    for (variable, value) in inputs.values() {
        if !own.contains(&variable) {
            merged.set(variable, value.clone());
        }
    }
    let mut evaluation = machine.mixed.under(&machine.store, &merged);
    if constraints.iter().all(|&it| evaluation.holds(it)) {
        state.model = Rc::new(merged);
    }
}

impl Fitness {
    /// What the path came near to since the last call.
    pub fn take_distances(&self) -> Vec<(u64, f64)> {
        std::mem::take(&mut self.0.borrow_mut().nearest)
    }
}

impl Policy for Fitness {
    fn events(&self) -> Events {
        Events {
            branches: true,
            returns: true,
            ..Events::default()
        }
    }

    /// Tells how far the side of a branch is that nobody has taken.
    fn at_branch(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        body: &Body,
        condition: Reg,
        (then, otherwise): (EdgeId, EdgeId),
    ) {
        let function = state.function();
        for (edge, wanted) in [(then, true), (otherwise, false)] {
            if machine.coverage.followed(function, edge) {
                continue;
            }
            let mut watch = self.0.borrow_mut();
            let distance = watch.distance(machine, state, body, condition, wanted);
            watch.come_near(edge_number(function.0, edge), distance);
        }
    }

    /// Tells how far the edges of a switch are that nobody has taken.
    fn at_switch(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        (value, width): (Value, u16),
        default: EdgeId,
        cases: &[Case],
    ) {
        let function = state.function();
        let word = machine.glance(state, value, width);
        let mut watch = self.0.borrow_mut();
        for case in cases {
            if !machine.coverage.followed(function, case.edge) {
                let distance = word.abs_diff(case.value) as f64;
                watch.come_near(edge_number(function.0, case.edge), distance);
            }
        }
        if !machine.coverage.followed(function, default) {
            let taken = cases.iter().any(|case| case.value == word);
            watch.come_near(edge_number(function.0, default), f64::from(u8::from(taken)));
        }
    }

    /// Keeps how far a comparison was whose truth is returned.
    fn at_return(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        body: &Body,
        values: &[Reg],
        _: &mut [Value],
    ) -> Result<bool, Halt> {
        if let (Some(&value), Some(caller)) = (values.first(), &state.callers) {
            let to = (caller.frame.function, caller.dst);
            self.0
                .borrow_mut()
                .keep_returned(machine, state, body, value, to);
        }
        Ok(false)
    }
}

impl Watch {
    fn keep_returned(
        &mut self,
        machine: &mut Machine<'_>,
        state: &State,
        body: &Body,
        value: Reg,
        to: (u32, Reg),
    ) {
        let distances = match self.compared(state, body, value) {
            Compared::Flat => {
                let from = (state.frame.function, value);
                self.returned.get(&from).copied()
            }
            Compared::Integers { .. } | Compared::Floats { .. } => Some((
                self.distance(machine, state, body, value, true),
                self.distance(machine, state, body, value, false),
            )),
        };
        match distances {
            Some(distances) => self.returned.insert(to, distances),
            None => self.returned.remove(&to),
        };
    }

    fn come_near(&mut self, target: u64, distance: f64) {
        let nearest = &mut self.nearest;
        match nearest.iter_mut().find(|(known, _)| *known == target) {
            Some((_, nearest)) => *nearest = nearest.min(distance),
            None => nearest.push((target, distance)),
        }
    }

    /// How far the condition is from being as wanted.
    fn distance(
        &mut self,
        machine: &mut Machine<'_>,
        state: &State,
        body: &Body,
        condition: Reg,
        wanted: bool,
    ) -> f64 {
        match self.compared(state, body, condition) {
            Compared::Integers {
                predicate,
                width,
                a,
                b,
                negated,
            } if width <= 64 => {
                let tests_truth =
                    is_zero(body, b) && matches!(predicate, Predicate::Eq | Predicate::Ne);
                let returned = self.returned.get(&(state.frame.function, a));
                if let Some(&(yes, no)) = returned.filter(|_| tests_truth) {
                    let wants_truth = (predicate == Predicate::Ne) == (wanted != negated);
                    return if wants_truth { yes } else { no };
                }
                let a = machine.glance(state, state.get(a), width as u16);
                let b = machine.glance(state, state.get(b), width as u16);
                integer_distance(predicate, width, a, b, wanted != negated)
            }
            Compared::Floats { kind, a, b } if !is_as(machine, state, condition, wanted) => {
                let apart = float(machine, state, kind, a) - float(machine, state, kind, b);
                match apart.is_finite() && apart != 0.0 {
                    true => apart.abs(),
                    false => 1.0,
                }
            }
            Compared::Integers { .. } | Compared::Floats { .. } | Compared::Flat => {
                let returned = self.returned.get(&(state.frame.function, condition));
                if let Some(&(yes, no)) = returned {
                    return if wanted { yes } else { no };
                }
                f64::from(u8::from(!is_as(machine, state, condition, wanted)))
            }
        }
    }

    /// What a register of the running frame compares.
    fn compared(&mut self, state: &State, body: &Body, reg: Reg) -> Compared {
        let key = (state.frame.function, reg);
        if let Some(&known) = self.compared.get(&key) {
            return known;
        }
        let found = compared(body, reg);
        self.compared.insert(key, found);
        found
    }
}

fn is_as(machine: &mut Machine<'_>, state: &State, condition: Reg, wanted: bool) -> bool {
    (machine.glance(state, state.get(condition), 1) & 1 != 0) == wanted
}

/// The float in a register; not a number where the format is a rare one.
fn float(machine: &mut Machine<'_>, state: &State, kind: FloatKind, reg: Reg) -> f64 {
    match kind {
        FloatKind::Single => {
            let bits = machine.glance(state, state.get(reg), 32);
            f64::from(f32::from_bits(bits as u32))
        }
        FloatKind::Double => f64::from_bits(machine.glance(state, state.get(reg), 64)),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => f64::NAN,
    }
}

/// Steps from a condition back to the comparison it comes from.
const STEPS: usize = 8;

/// What the condition compares, looking through `!`, `!!` and conversions.
fn compared(body: &Body, condition: Reg) -> Compared {
    let (mut reg, mut negated) = (condition, false);
    for _ in 0..STEPS {
        let Some(made) = body.code.iter().find(|inst| makes(inst, reg)) else {
            return Compared::Flat;
        };
        match *made {
            Inst::Cast {
                op: CastOp::ZExt | CastOp::SExt,
                src,
                ..
            } => reg = src,
            Inst::Compare {
                predicate: predicate @ (Predicate::Eq | Predicate::Ne),
                a,
                b,
                ..
            } if is_zero(body, b) && comes_from_truth(body, a) => {
                negated ^= predicate == Predicate::Eq;
                reg = a;
            }
            Inst::Compare {
                predicate,
                width,
                a,
                b,
                ..
            } => {
                return Compared::Integers {
                    predicate,
                    width: width.into(),
                    a,
                    b,
                    negated,
                };
            }
            Inst::FloatCompare { kind, a, b, .. } => return Compared::Floats { kind, a, b },
            _ => return Compared::Flat,
        }
    }
    Compared::Flat
}

fn makes(inst: &Inst, reg: Reg) -> bool {
    match *inst {
        Inst::Compare { dst, .. } | Inst::FloatCompare { dst, .. } | Inst::Cast { dst, .. } => {
            dst == reg
        }
        _ => false,
    }
}

fn is_zero(body: &Body, reg: Reg) -> bool {
    let constant = body.constants.get(reg.index());
    constant.is_some_and(|constant| constant.as_u64() == Some(0))
}

/// Whether the number is a truth value that was made wider.
fn comes_from_truth(body: &Body, reg: Reg) -> bool {
    let made = body.code.iter().find(|inst| makes(inst, reg));
    matches!(
        made,
        Some(Inst::Cast {
            op: CastOp::ZExt,
            from: Kind::Int(1),
            ..
        })
    )
}

/// How far two integers are from standing in a relation, or from not doing so.
fn integer_distance(predicate: Predicate, width: u32, a: u64, b: u64, wanted: bool) -> f64 {
    let signed = |word: u64| (word << (64 - width)) as i64 >> (64 - width);
    let above_signed = i128::from(signed(a)) - i128::from(signed(b));
    let above = i128::from(a) - i128::from(b);
    // By how much it fails, and by how much its contrary does.
    let (fails, contrary) = match predicate {
        Predicate::Eq | Predicate::Ne => {
            let apart = above.abs().min(above_signed.abs());
            let equal = (apart, i128::from(apart == 0));
            match predicate {
                Predicate::Eq => equal,
                _ => (equal.1, equal.0),
            }
        }
        Predicate::Ult => (above + 1, -above),
        Predicate::Ule => (above, 1 - above),
        Predicate::Ugt => (1 - above, above),
        Predicate::Uge => (-above, above + 1),
        Predicate::Slt => (above_signed + 1, -above_signed),
        Predicate::Sle => (above_signed, 1 - above_signed),
        Predicate::Sgt => (1 - above_signed, above_signed),
        Predicate::Sge => (-above_signed, above_signed + 1),
    };
    (if wanted { fails } else { contrary }).max(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_zero_exactly_where_the_relation_is_as_wanted() {
        let predicates = [
            Predicate::Eq,
            Predicate::Ne,
            Predicate::Ult,
            Predicate::Ule,
            Predicate::Ugt,
            Predicate::Uge,
            Predicate::Slt,
            Predicate::Sle,
            Predicate::Sgt,
            Predicate::Sge,
        ];
        for predicate in predicates {
            for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let holds = machine::compare(predicate, 4, a, b);
                for wanted in [false, true] {
                    let distance = integer_distance(predicate, 4, a, b, wanted);
                    assert_eq!(distance == 0.0, holds == wanted, "{a} {predicate:?} {b}");
                }
            }
        }
        assert_eq!(integer_distance(Predicate::Sge, 32, 3, 110, true), 107.0);
        assert_eq!(
            integer_distance(Predicate::Eq, 32, u64::from(u32::MAX), 2, true),
            3.0
        );
    }
}
