//! Models with one small fault each, as programmers make them.
//!
//! The faults are those of mutation analysis (DeMillo, Lipton, Sayward, *Hints on test
//! data selection*, 1978), for guards, outputs, assignments, targets and initial values:
//! relations off by their boundary, operands dropped or exchanged, constants off by one,
//! assignments forgotten, always or at times, indices in another order.
//!
//! A condition that was changed is looked at before its neighbours: where it now holds
//! together with another one, the mutant takes the changed transition, as a program would
//! whose first `if` is wrong.

use super::faulty::{
    binary, both, not, number, other_divisors, other_values, taken_for_another, truth,
};
use super::timed;
use crate::liveness::Liveness;
use crate::model::{
    Action, Assignment, Builtin, Expr, ExprKind, Model, Operator, Place, Step, Transition,
};
use crate::types::{Shape, Type};
use crate::value::to_text;
use crate::written::{expression_text, place_text};
use num_bigint::BigInt;
use term::Value;

/// A model with a fault.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The model with the fault; its functions have no rows.
    pub model: Model,
    /// The transitions that may behave otherwise; all where a value is wrong from the beginning,
    /// or how long states last.
    pub changed: Vec<usize>,
    /// Whether it differs from the model in nothing but these transitions.
    pub is_local: bool,
    /// The fault, for people.
    pub fault: String,
}

/// Other states that a transition leads to instead.
const TARGETS: usize = 3;

/// Other variables that stand in the place of one.
const OTHERS: usize = 2;

/// The mutants of a model, in the order of its text.
pub fn mutants(model: &Model) -> Vec<Mutant> {
    let mut bare = model.clone();
    for function in &mut bare.functions {
        function.rows.clear();
    }
    let mut found = Vec::new();
    let compared = compared(model);
    // Time passes for every system as it does.
    let own = (0..model.transitions.len()).filter(|&number| Some(number) != model.delay());
    for number in own {
        let scope = Scope {
            model: &bare,
            automaton: model.transitions[number].automaton,
            compared: &compared,
        };
        for (transition, fault) in scope.transition(&model.transitions[number]) {
            found.push(mutant(&bare, number, transition, fault));
        }
    }
    found.extend(timed::mutants(&bare));
    definitions(&bare, &compared, &mut found);
    initial_values(&bare, &mut found);
    found
}

/// Faults in the functions that the model computes.
fn definitions(model: &Model, compared: &[Expr], found: &mut Vec<Mutant>) {
    let scope = Scope {
        model,
        automaton: usize::MAX,
        compared,
    };
    // Where recursion is not unfolded, the right functions would answer for the wrong ones.
    let is_spared = used_in_recursion(model);
    for (number, definition) in model.definitions.iter().enumerate() {
        if is_spared[number] || definition.is_inherent {
            continue;
        }
        let users = users(model, number);
        for (body, fault) in scope.faulty_value(&definition.body) {
            let mut mutated = model.clone();
            mutated.definitions[number].body = body;
            found.push(Mutant {
                model: mutated,
                is_local: users.is_some(),
                changed: match &users {
                    Some(users) => users.clone(),
                    None => (0..model.transitions.len()).collect(),
                },
                fault: format!("{}: {fault}", definition.name),
            });
        }
    }
}

/// The numbers that a model compares something with.
fn compared(model: &Model) -> Vec<Expr> {
    let transitions = model.transitions.iter().flat_map(|it| it.expressions());
    let bodies = model.definitions.iter().map(|it| &it.body);
    let (mut found, mut left): (Vec<Expr>, Vec<&Expr>) =
        (Vec::new(), transitions.chain(bodies).collect());
    while let Some(expr) = left.pop() {
        if let ExprKind::Binary(operator, _, bound) = &expr.kind
            && operator.compares()
            && integer(bound).is_some()
            && !found.contains(&**bound)
        {
            found.push((**bound).clone());
        }
        left.extend(expr.children());
    }
    found
}

/// The whole number that an expression is.
fn integer(expr: &Expr) -> Option<&BigInt> {
    match &expr.kind {
        ExprKind::Value(values) if matches!(expr.ty, Type::Int) => match &values[..] {
            [Value::Int(number)] => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// The transitions that apply a function of the model, themselves or through others; none if
/// something else does, too.
fn users(model: &Model, number: usize) -> Option<Vec<usize>> {
    let applies = |expr: &Expr| {
        let mut applied = vec![false; model.definitions.len()];
        mark_applied(expr, &mut applied);
        loop {
            let before = applied.clone();
            for (definition, is_applied) in model.definitions.iter().zip(&before) {
                if *is_applied {
                    mark_applied(&definition.body, &mut applied);
                }
            }
            if applied == before {
                return applied[number];
            }
        }
    };
    let mut limits = model.automata.iter().flat_map(|it| &it.limits).flatten();
    if limits.any(applies) {
        return None;
    }
    let numbers = 0..model.transitions.len();
    let is_user = |it: &usize| {
        let expressions = model.transitions[*it].expressions();
        expressions.into_iter().any(applies)
    };
    Some(numbers.filter(is_user).collect())
}

/// By function of the model: whether it applies itself, or one that does applies it.
fn used_in_recursion(model: &Model) -> Vec<bool> {
    let recursive = model.definitions.iter().map(|it| it.is_recursive);
    let mut used: Vec<bool> = recursive.collect();
    loop {
        let before = used.clone();
        for (definition, _) in model
            .definitions
            .iter()
            .zip(before.iter())
            .filter(|it| *it.1)
        {
            mark_applied(&definition.body, &mut used);
        }
        if used == before {
            return used;
        }
    }
}

fn mark_applied(expr: &Expr, used: &mut [bool]) {
    if let ExprKind::Apply(number, _) = expr.kind {
        used[number] = true;
    }
    for part in expr.children() {
        mark_applied(part, used);
    }
}

/// The model with another transition in the place of one.
pub(super) fn mutant(
    model: &Model,
    number: usize,
    transition: Transition,
    fault: String,
) -> Mutant {
    let mut mutated = model.clone();
    let mut changed = vec![number];
    let before = &model.transitions[number];
    if transition.guard != before.guard {
        let is_sibling = |other: &Transition| {
            other.automaton == before.automaton
                && other.from == before.from
                && competes(&other.action, &before.action)
        };
        for (other, sibling) in mutated.transitions.iter_mut().enumerate() {
            if other != number && is_sibling(sibling) {
                sibling.guard = both(sibling.guard.clone(), not(transition.guard.clone()));
                changed.push(other);
            }
        }
    }
    if transition.to != before.to {
        tolerate(&mut mutated, before, transition.to);
    }
    let fault = format!("{}: {fault}", transition.name);
    mutated.transitions[number] = transition;
    Mutant {
        model: mutated,
        changed,
        is_local: true,
        fault,
    }
}

/// Lets the wrong target of a transition take the inputs of the right one that it does not know,
/// as the right one does: programs seldom ask whether an input is expected. So it is what they
/// answer to the inputs of both states that has to tell them apart; where they have none in
/// common, the inputs of the right one are lost.
fn tolerate(model: &mut Model, transition: &Transition, wrong: usize) {
    let known = inputs_of(model, transition.automaton, wrong);
    let right = inputs_of(model, transition.automaton, transition.to);
    if !right.iter().any(|channel| known.contains(channel)) {
        return;
    }
    let is_added = |it: &&Transition| {
        it.automaton == transition.automaton
            && it.from == transition.to
            && matches!(it.action, Action::Input { channel, .. } if !known.contains(&channel))
    };
    let added = model.transitions.iter().filter(is_added).cloned();
    let added: Vec<Transition> = added.map(|it| Transition { from: wrong, ..it }).collect();
    model.transitions.extend(added);
}

/// The channels on which a state takes inputs.
fn inputs_of(model: &Model, automaton: usize, state: usize) -> Vec<usize> {
    let leaving = model.transitions.iter();
    let leaving = leaving.filter(|it| it.automaton == automaton && it.from == state);
    let channels = leaving.filter_map(|it| match it.action {
        Action::Input { channel, .. } => Some(channel),
        Action::Internal | Action::Output { .. } => None,
    });
    channels.collect()
}

/// Whether one transition takes the place of the other: both are the system's own, or
/// both take the same input.
fn competes(a: &Action, b: &Action) -> bool {
    match (a, b) {
        (Action::Input { channel: a, .. }, Action::Input { channel: b, .. }) => a == b,
        (Action::Input { .. }, _) | (_, Action::Input { .. }) => false,
        (Action::Internal | Action::Output { .. }, Action::Internal | Action::Output { .. }) => {
            true
        }
    }
}

fn initial_values(model: &Model, found: &mut Vec<Mutant>) {
    let liveness = Liveness::of(model, &[]);
    let initial: Vec<usize> = model.automata.iter().map(|it| it.initial).collect();
    let time = model
        .delay()
        .map(|number| model.transitions[number].automaton);
    for (number, variable) in model.variables.iter().enumerate() {
        // What is overwritten before it is read makes no difference, and time has variables that
        // nobody declared.
        let is_read = liveness.forgotten(&initial, variable.offset).is_none();
        let is_own = time.is_none() || variable.automaton != time;
        let Some(values) = variable.initial.as_ref().filter(|_| is_read && is_own) else {
            continue;
        };
        let Some(wrong) = variable.ty.leaves().first().and_then(|ty| {
            let first = other_values(ty, &values[0]).into_iter().next()?;
            Some([vec![first], values[1..].to_vec()].concat())
        }) else {
            continue;
        };
        let mut mutated = model.clone();
        let fault = format!(
            "{} begins as {}",
            variable.name,
            to_text(&variable.ty, &wrong)
        );
        mutated.variables[number].initial = Some(wrong);
        found.push(Mutant {
            model: mutated,
            changed: (0..model.transitions.len()).collect(),
            is_local: false,
            fault,
        });
    }
}

/// An expression with a fault, and the fault in words.
type Faulty = (Expr, String);

/// The automaton whose variables are in scope.
struct Scope<'a> {
    model: &'a Model,
    automaton: usize,
    /// Numbers that the model compares something with.
    compared: &'a [Expr],
}

impl Scope<'_> {
    /// The transition with one fault each.
    fn transition(&self, transition: &Transition) -> Vec<(Transition, String)> {
        let mut found = Vec::new();
        let mut add = |fault: String, change: &dyn Fn(&mut Transition)| {
            let mut changed = transition.clone();
            change(&mut changed);
            found.push((changed, fault));
        };
        if is_constant(&transition.guard) {
            let never = truth(false);
            add("is never taken".to_owned(), &|it| it.guard = never.clone());
        } else {
            for (guard, fault) in self.faulty(&transition.guard) {
                add(fault, &|it| it.guard = guard.clone());
            }
            let opposite = not(transition.guard.clone());
            add("its condition is negated".to_owned(), &|it| {
                it.guard = opposite.clone()
            });
            let always = truth(true);
            add("its condition always holds".to_owned(), &|it| {
                it.guard = always.clone()
            });
        }
        for (action, fault) in self.action(&transition.action) {
            add(fault, &|it| it.action = action.clone());
        }
        for (number, Assignment { place, value, .. }) in transition.assignments.iter().enumerate() {
            let target = place_text(self.model, place);
            add(format!("the assignment to {target} is left out"), &|it| {
                it.assignments.remove(number);
            });
            for (value, fault) in self.faulty_value(value) {
                add(format!("what {target} becomes: {fault}"), &|it| {
                    it.assignments[number].value = value.clone();
                });
            }
            for kept in kept_parts(place, value) {
                let fault = format!("{} keeps its value", place_text(self.model, &kept.place));
                add(fault, &|it| it.assignments.insert(number + 1, kept.clone()));
            }
            for (value, fault) in self.seldom(place, value) {
                add(format!("the assignment to {target} {fault}"), &|it| {
                    it.assignments[number].value = value.clone();
                });
            }
            for (steps, fault) in self.steps(&place.steps) {
                add(format!("where {target} is: {fault}"), &|it| {
                    it.assignments[number].place.steps = steps.clone();
                });
            }
            if number > 0 {
                add(format!("the assignment to {target} comes earlier"), &|it| {
                    it.assignments.swap(number - 1, number)
                });
            }
        }
        let states = &self.model.automata[self.automaton].states;
        for state in self.other_targets(transition).into_iter().take(TARGETS) {
            add(format!("leads to {}", states[state]), &|it| it.to = state);
        }
        found
    }

    /// What is assigned if the assignment is done at times only: the first time, or depending on a
    /// truth value. That shows when a system is used again.
    fn seldom(&self, place: &Place, value: &Expr) -> Vec<Faulty> {
        let mut variables = self.model.variables.iter();
        let assigned = variables.find(|it| it.offset == place.offset && !it.is_clock);
        let Some(assigned) = assigned.filter(|_| place.steps.is_empty()) else {
            return Vec::new();
        };
        let before = Expr {
            kind: ExprKind::Variable(place.offset),
            ty: place.ty.clone(),
        };
        let when = |condition: Expr, fault: String| {
            let kind = ExprKind::If(
                Box::new(condition),
                Box::new(value.clone()),
                Box::new(before.clone()),
            );
            let ty = place.ty.clone();
            (Expr { kind, ty }, fault)
        };
        let mut found = Vec::new();
        if let Some(initial) = &assigned.initial {
            let initial = Expr {
                kind: ExprKind::Value(initial.clone()),
                ty: place.ty.clone(),
            };
            // What gives a variable its first value again makes no difference the first time.
            if *value != initial {
                let is_first = binary(Operator::Equal, before.clone(), initial, Type::Bool);
                found.push(when(is_first, "is done only once".to_owned()));
            }
        }
        let flags = self.model.variables.iter().filter(|it| {
            it.ty == Type::Bool && it.is_visible_in(self.automaton) && it.offset != place.offset
        });
        for flag in flags.take(OTHERS) {
            let holds = Expr {
                kind: ExprKind::Variable(flag.offset),
                ty: Type::Bool,
            };
            let name = &flag.name;
            found.push(when(holds.clone(), format!("is done only if {name}")));
            found.push(when(not(holds), format!("is done only if not {name}")));
        }
        found
    }

    /// Other states of the automaton, the likeliest to be taken for the target first: the one
    /// that the transition leaves, since forgetting to move is easy, then those that wait for
    /// inputs as the target does.
    fn other_targets(&self, transition: &Transition) -> Vec<usize> {
        let right = inputs_of(self.model, transition.automaton, transition.to);
        let is_like = |state: usize| {
            let inputs = inputs_of(self.model, transition.automaton, state);
            inputs.iter().any(|channel| right.contains(channel))
        };
        let states = self.model.automata[self.automaton].states.len();
        let others = (0..states).filter(|&state| state != transition.to);
        let mut others: Vec<usize> = others.collect();
        others.sort_by_key(|&state| (state != transition.from, !is_like(state)));
        others
    }

    fn action(&self, action: &Action) -> Vec<(Action, String)> {
        let mut found = Vec::new();
        match action {
            Action::Internal => {}
            Action::Input {
                channel,
                targets,
                condition,
            } => {
                let faulty = match is_constant(condition) {
                    true => Vec::new(),
                    false => self.faulty(condition),
                };
                for (condition, fault) in faulty {
                    let action = Action::Input {
                        channel: *channel,
                        targets: targets.clone(),
                        condition,
                    };
                    found.push((action, format!("what it takes: {fault}")));
                }
                for (first, second) in equal_types(targets.iter().map(|target| &target.ty)) {
                    let mut targets = targets.clone();
                    targets.swap(first, second);
                    let action = Action::Input {
                        channel: *channel,
                        targets,
                        condition: condition.clone(),
                    };
                    found.push((action, "exchanges two values that come".to_owned()));
                }
            }
            Action::Output { channel, values } => {
                found.push((Action::Internal, "sends nothing".to_owned()));
                for (number, value) in values.iter().enumerate() {
                    for (value, fault) in self.faulty_value(value) {
                        let mut values = values.clone();
                        values[number] = value;
                        let action = Action::Output {
                            channel: *channel,
                            values,
                        };
                        found.push((action, format!("sends: {fault}")));
                    }
                }
                for (first, second) in equal_types(values.iter().map(|value| &value.ty)) {
                    let mut values = values.clone();
                    values.swap(first, second);
                    let action = Action::Output {
                        channel: *channel,
                        values,
                    };
                    found.push((action, "exchanges two values it sends".to_owned()));
                }
                found.extend(self.other_channel(*channel, values));
            }
        }
        found
    }

    /// The same values on another channel that the system sends on.
    fn other_channel(&self, channel: usize, values: &[Expr]) -> Option<(Action, String)> {
        let payload = &self.model.channels[channel].payload;
        let mut others = self.model.transitions.iter().filter_map(|other| {
            let Action::Output { channel: other, .. } = other.action else {
                return None;
            };
            let it = &self.model.channels[other];
            (other != channel && !it.is_shared && it.payload == *payload).then_some(other)
        });
        let other = others.next()?;
        let action = Action::Output {
            channel: other,
            values: values.to_vec(),
        };
        let fault = format!("sends on {}", self.model.channels[other].name);
        Some((action, fault))
    }

    /// Indices that are wrong on the way to a part.
    fn steps(&self, steps: &[Step]) -> Vec<(Vec<Step>, String)> {
        let mut found = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let Step::Index(index) = step else {
                continue;
            };
            for (index, fault) in self.faulty(index) {
                let mut steps = steps.to_vec();
                steps[number] = Step::Index(index);
                found.push((steps, fault));
            }
            if let Some(Step::Index(_)) = steps.get(number + 1) {
                let mut steps = steps.to_vec();
                steps.swap(number, number + 1);
                found.push((steps, "its indices are in another order".to_owned()));
            }
        }
        found
    }

    /// A value that is computed, with one fault each; at least off by one.
    fn faulty_value(&self, expr: &Expr) -> Vec<Faulty> {
        let mut found = self.faulty(expr);
        if expr.ty.is_number() && !is_constant(expr) {
            let one = number(&expr.ty, 1);
            let more = binary(Operator::Add, expr.clone(), one, expr.ty.clone());
            let fault = self.becomes(expr, &more);
            found.push((more, fault));
        }
        found
    }

    /// The expression with one fault each.
    fn faulty(&self, expr: &Expr) -> Vec<Faulty> {
        let mut found: Vec<Faulty> = Vec::new();
        let bounds = self.other_bounds(expr);
        for wrong in self.wrong(expr).into_iter().chain(bounds) {
            let fault = self.becomes(expr, &wrong);
            found.push((wrong, fault));
        }
        for (number, child) in expr.children().into_iter().enumerate() {
            for (wrong, fault) in self.faulty(child) {
                let mut whole = expr.clone();
                *whole.children_mut()[number] = wrong;
                found.push((whole, fault));
            }
        }
        found
    }

    fn becomes(&self, before: &Expr, after: &Expr) -> String {
        format!(
            "{} becomes {}",
            expression_text(self.model, before),
            expression_text(self.model, after)
        )
    }

    /// A comparison with a number, with the next larger and the next smaller one that the model
    /// compares something with in its place, if they are not beside it.
    fn other_bounds(&self, expr: &Expr) -> Vec<Expr> {
        let ExprKind::Binary(operator, a, b) = &expr.kind else {
            return Vec::new();
        };
        let Some(bound) = integer(b).filter(|_| operator.compares()) else {
            return Vec::new();
        };
        let known = self.compared.iter().filter(|it| it.ty == b.ty);
        let known: Vec<(&BigInt, &Expr)> =
            known.filter_map(|it| Some((integer(it)?, it))).collect();
        let larger = known.iter().filter(|it| *it.0 > bound + 1);
        let smaller = known.iter().filter(|it| *it.0 < bound - 1);
        let larger = larger.min_by_key(|it| it.0);
        let smaller = smaller.max_by_key(|it| it.0);
        let others = larger.into_iter().chain(smaller);
        let wrong = others.map(|(_, other)| {
            let other = (*other).clone();
            binary(*operator, (**a).clone(), other, Type::Bool)
        });
        wrong.collect()
    }

    /// Expressions of the same type that this one is mistaken for, its parts as they are.
    fn wrong(&self, expr: &Expr) -> Vec<Expr> {
        use Operator::*;
        let ty = &expr.ty;
        let with = |kind| Expr {
            kind,
            ty: ty.clone(),
        };
        match &expr.kind {
            ExprKind::Value(values) if values.len() == 1 => {
                let others = other_values(ty, &values[0]).into_iter();
                others
                    .map(|value| with(ExprKind::Value(vec![value])))
                    .collect()
            }
            ExprKind::Value(_) | ExprKind::Any | ExprKind::Parameter(..) => Vec::new(),
            ExprKind::Variable(offset) => {
                let own = self.model.variables.iter();
                let own = own.filter(|it| it.is_visible_in(self.automaton) && it.ty == *ty);
                own.filter(|it| it.offset != *offset)
                    .take(OTHERS)
                    .map(|it| with(ExprKind::Variable(it.offset)))
                    .collect()
            }
            ExprKind::Not(operand) | ExprKind::Negate(operand) => vec![(**operand).clone()],
            ExprKind::Binary(operator, a, b) => {
                let other = |operator| with(ExprKind::Binary(operator, a.clone(), b.clone()));
                let exchanged = || with(ExprKind::Binary(*operator, b.clone(), a.clone()));
                let ordered = a.ty.is_number();
                match operator {
                    Less => vec![other(LessEqual), other(GreaterEqual)],
                    LessEqual => vec![other(Less), other(Greater)],
                    Greater => vec![other(GreaterEqual), other(LessEqual)],
                    GreaterEqual => vec![other(Greater), other(Less)],
                    Equal if ordered => {
                        vec![other(Unequal), other(LessEqual), other(GreaterEqual)]
                    }
                    Equal => [vec![other(Unequal)], taken_for_another(expr)].concat(),
                    Unequal if ordered => vec![other(Equal), other(Less), other(Greater)],
                    Unequal => [vec![other(Equal)], taken_for_another(expr)].concat(),
                    And => vec![other(Or), (**a).clone(), (**b).clone()],
                    Or => vec![other(And), (**a).clone(), (**b).clone()],
                    Implies => vec![exchanged(), (**b).clone()],
                    Add if *ty == Type::String => {
                        vec![exchanged(), (**a).clone(), (**b).clone()]
                    }
                    Add => vec![other(Subtract), (**a).clone(), (**b).clone()],
                    Subtract => vec![other(Add), exchanged(), (**a).clone()],
                    Multiply => vec![other(Add), (**a).clone(), (**b).clone()],
                    Divide => vec![other(Multiply), exchanged(), (**a).clone()],
                    IntegerDivide => vec![other(Modulo), other(Multiply), (**a).clone()],
                    Modulo => {
                        let mut wrong = vec![other(IntegerDivide), (**a).clone()];
                        // Off by one, a divisor fails nearly everywhere; a multiple of the
                        // right one, or a part, seldom.
                        wrong.extend(other_divisors(b).into_iter().map(|divisor| {
                            let divisor = Box::new(divisor);
                            with(ExprKind::Binary(Modulo, a.clone(), divisor))
                        }));
                        wrong
                    }
                }
            }
            ExprKind::If(condition, then, otherwise) => vec![
                with(ExprKind::If(
                    condition.clone(),
                    otherwise.clone(),
                    then.clone(),
                )),
                (**then).clone(),
                (**otherwise).clone(),
            ],
            ExprKind::Index(array, index) => match &array.kind {
                // `a[i][j]` for `a[j][i]`, where both are of one length.
                ExprKind::Index(outer, first) if outer.ty == square(&outer.ty) => {
                    let row = Expr {
                        kind: ExprKind::Index(outer.clone(), index.clone()),
                        ty: array.ty.clone(),
                    };
                    vec![with(ExprKind::Index(Box::new(row), first.clone()))]
                }
                _ => Vec::new(),
            },
            ExprKind::Call(function, arguments) => exchanged_arguments(arguments)
                .map(|arguments| with(ExprKind::Call(*function, arguments)))
                .collect(),
            ExprKind::Apply(definition, arguments) => exchanged_arguments(arguments)
                .map(|arguments| with(ExprKind::Apply(*definition, arguments)))
                .collect(),
            ExprKind::Builtin(builtin, arguments) => {
                let other = |builtin| with(ExprKind::Builtin(builtin, arguments.clone()));
                match builtin {
                    Builtin::Abs => vec![arguments[0].clone()],
                    Builtin::Min => vec![
                        other(Builtin::Max),
                        arguments[0].clone(),
                        arguments[1].clone(),
                    ],
                    Builtin::Max => vec![
                        other(Builtin::Min),
                        arguments[0].clone(),
                        arguments[1].clone(),
                    ],
                    Builtin::StartsWith => {
                        vec![other(Builtin::EndsWith), other(Builtin::Contains)]
                    }
                    Builtin::EndsWith => vec![other(Builtin::StartsWith), other(Builtin::Contains)],
                    Builtin::Contains => vec![other(Builtin::StartsWith)],
                    Builtin::Replace => vec![other(Builtin::ReplaceAll), arguments[0].clone()],
                    Builtin::ReplaceAll => vec![other(Builtin::Replace), arguments[0].clone()],
                    Builtin::Length
                    | Builtin::Substring
                    | Builtin::CharAt
                    | Builtin::IndexOf
                    | Builtin::Matches => Vec::new(),
                }
            }
            ExprKind::Gather(parts) => {
                let pairs = equal_types(parts.iter().map(|part| &part.ty));
                let exchanged = pairs.into_iter().map(|(first, second)| {
                    let mut parts = parts.clone();
                    parts.swap(first, second);
                    with(ExprKind::Gather(parts))
                });
                exchanged.collect()
            }
            ExprKind::Field(record, offset) => {
                let Type::Record(fields) = &record.ty else {
                    return Vec::new();
                };
                let (mut found, mut at) = (Vec::new(), 0);
                for (_, field) in &fields.fields {
                    if at != *offset && field == ty {
                        found.push(with(ExprKind::Field(record.clone(), at)));
                    }
                    at += field.size();
                }
                found
            }
            ExprKind::Convert(_) => Vec::new(),
        }
    }
}

/// Where a whole array, list, map or record is copied or reset: assignments that give some of its
/// parts back what they had.
fn kept_parts(place: &Place, value: &Expr) -> Vec<Assignment> {
    let is_copied = matches!(value.kind, ExprKind::Variable(_) | ExprKind::Value(_));
    if !is_copied || !place.steps.is_empty() {
        return Vec::new();
    }
    let whole = Expr {
        kind: ExprKind::Variable(place.offset),
        ty: place.ty.clone(),
    };
    let kept = parts(&whole).into_iter().map(|(steps, part)| Assignment {
        place: Place {
            steps,
            ty: part.ty.clone(),
            ..place.clone()
        },
        value: part,
        // At once with the rest, so that it is what there was before.
        is_joined: true,
    });
    kept.collect()
}

/// The first and the last part of a value that has several: elements, what a map has for its keys,
/// or fields.
fn parts(whole: &Expr) -> Vec<(Vec<Step>, Expr)> {
    let field = |at: usize, ty: &Type| Expr {
        kind: ExprKind::Field(Box::new(whole.clone()), at),
        ty: ty.clone(),
    };
    let mut found = match &whole.ty {
        Type::Array(..) => elements(whole),
        Type::Record(record) => {
            let (mut fields, mut at) = (Vec::new(), 0);
            for (_, ty) in &record.fields {
                fields.push((vec![Step::Field(at)], field(at, ty)));
                at += ty.size();
            }
            match (&record.shape, fields.pop()) {
                (Shape::Fields, Some(last)) => {
                    fields.push(last);
                    fields
                }
                (Shape::List | Shape::Map, Some((steps, data))) => {
                    let inner = elements(&data).into_iter();
                    let inner = inner.map(|(more, part)| ([steps.clone(), more].concat(), part));
                    inner.collect()
                }
                (Shape::Fields | Shape::Set | Shape::Variants(_), _) | (_, None) => Vec::new(),
            }
        }
        _ => Vec::new(),
    };
    if found.len() < 2 {
        return Vec::new();
    }
    let last = found.swap_remove(found.len() - 1);
    found.truncate(1);
    found.push(last);
    found
}

/// The elements of an array.
fn elements(array: &Expr) -> Vec<(Vec<Step>, Expr)> {
    let Type::Array(element, length) = &array.ty else {
        return Vec::new();
    };
    let all = (0..*length).map(|at| {
        let index = Expr {
            kind: ExprKind::Value(vec![Value::Int(at.into())]),
            ty: Type::Int,
        };
        let part = Expr {
            kind: ExprKind::Index(Box::new(array.clone()), Box::new(index.clone())),
            ty: (**element).clone(),
        };
        (vec![Step::Index(index)], part)
    });
    all.collect()
}

/// The type with its first two lengths exchanged.
fn square(ty: &Type) -> Type {
    match ty {
        Type::Array(row, rows) => match &**row {
            Type::Array(element, columns) => {
                Type::Array(Box::new(Type::Array(element.clone(), *rows)), *columns)
            }
            _ => ty.clone(),
        },
        _ => ty.clone(),
    }
}

/// The arguments of a call with two neighbours of one type exchanged.
fn exchanged_arguments(arguments: &[Expr]) -> impl Iterator<Item = Vec<Expr>> + '_ {
    let pairs = equal_types(arguments.iter().map(|argument| &argument.ty));
    pairs.into_iter().map(|(first, second)| {
        let mut arguments = arguments.to_vec();
        arguments.swap(first, second);
        arguments
    })
}

/// Neighbours of one type.
fn equal_types<'t>(types: impl Iterator<Item = &'t Type>) -> Vec<(usize, usize)> {
    let types: Vec<&Type> = types.collect();
    let pairs = (1..types.len()).filter(|&second| types[second - 1] == types[second]);
    pairs.map(|second| (second - 1, second)).collect()
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(_))
}
