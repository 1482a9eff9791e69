//! One state machine of an XLIA system, as an automaton.

use super::ast::{Expr, Given, Machine, State, StateKind, Statement, StatementKind, Transition};
use super::declared::Declared;
use super::steps::{Action, Group, Output, Step};
use super::text::{bracketed, conjunction, written};
use super::wiring::Wiring;
use super::{Beginning, begin, steps};
use crate::import::name;

/// A machine that runs, and what its names mean.
pub(super) struct Machinery<'m> {
    pub name: &'m str,
    pub machine: &'m Machine,
    pub declared: &'m Declared,
    /// What each machine declares.
    pub others: &'m [(String, Declared)],
    pub wiring: &'m Wiring,
}

pub(super) struct Automaton {
    name: String,
    variables: Vec<Beginning>,
    initial: String,
    states: Vec<String>,
    /// How long it may stay in a state.
    limits: Vec<(String, Expr)>,
    arrows: Vec<Arrow>,
}

struct Arrow {
    name: Option<String>,
    from: String,
    to: String,
    step: Step,
}

/// A transition, with those that follow it in the same step.
struct Path {
    names: Vec<String>,
    to: usize,
    statements: Vec<Statement>,
}

/// How many states may be passed in one step.
const PASSED: usize = 20;

impl Machinery<'_> {
    pub fn automaton(
        &self,
        given: &[Given],
        shared: &mut [Beginning],
        refused: &mut Vec<String>,
    ) -> Result<Automaton, String> {
        let mut variables = self.variables(given)?;
        let start = self.start()?;
        let mut first = self.machine.start.clone();
        first.extend(self.machine.states[start].start.clone());
        let mut initial = start;
        let begun = match self.machine.states[start].kind {
            StateKind::Initial => self.passed_at_once(start)?,
            _ => Some((start, self.machine.states[start].entry.clone())),
        };
        if let Some((state, statements)) = begun {
            initial = state;
            first.extend(statements);
        }
        begin(&first, self.declared, shared, &mut variables)?;
        let mut automaton = Automaton {
            name: name(self.name),
            variables,
            initial: self.state_name(initial),
            states: Vec::new(),
            limits: Vec::new(),
            arrows: Vec::new(),
        };
        for (number, state) in self.machine.states.iter().enumerate() {
            if state.kind == StateKind::Choice || (number == start && initial != start) {
                continue;
            }
            automaton.states.push(self.state_name(number));
            match self.arrows(number) {
                Ok(arrows) => automaton.arrows.extend(arrows),
                Err(what) => refused.push(what),
            }
        }
        for state in &automaton.states {
            let limit = self.limit(state, &automaton.arrows);
            let named = limit.map(|limit| (state.clone(), limit));
            automaton.limits.extend(named);
        }
        Ok(automaton)
    }

    fn variables(&self, given: &[Given]) -> Result<Vec<Beginning>, String> {
        let own = self.machine.scope.variables.iter();
        let mut found = Vec::new();
        for variable in own.filter(|it| !it.is_constant) {
            let mut beginning = Beginning::new(variable, self.declared)?;
            if let Some(given) = given.iter().find(|it| it.parameter == variable.name) {
                beginning.value = Some(self.declared.resolved(&given.value, given.line)?);
            }
            found.push(beginning);
        }
        Ok(found)
    }

    /// The state in which the machine begins.
    fn start(&self) -> Result<usize, String> {
        let states = self.machine.states.iter().enumerate();
        let mut starts =
            states.filter(|(_, state)| matches!(state.kind, StateKind::Start | StateKind::Initial));
        match (starts.next(), starts.next()) {
            (Some((number, _)), None) => Ok(number),
            (None, _) => Err(format!(
                "line {}: nothing says where {} begins",
                self.machine.line, self.machine.name
            )),
            (_, Some((_, second))) => Err(format!(
                "line {}: a second state where {} begins",
                second.line, self.machine.name
            )),
        }
    }

    /// Where an initial state leads, and what is done on the way, if that happens in any case
    /// and without a message.
    fn passed_at_once(&self, start: usize) -> Result<Option<(usize, Vec<Statement>)>, String> {
        let state = &self.machine.states[start];
        let [only] = &state.transitions[..] else {
            return Ok(None);
        };
        let target = self.target(only)?;
        let reached = &self.machine.states[target];
        let is_plain = |it: &Statement| {
            let kind = &it.kind;
            !matches!(
                kind,
                StatementKind::Guard(_)
                    | StatementKind::Input { .. }
                    | StatementKind::Output { .. }
            )
        };
        if reached.kind == StateKind::Choice || only.is_else || !only.body.iter().all(is_plain) {
            return Ok(None);
        }
        let mut statements = only.body.clone();
        statements.extend(reached.start.clone());
        statements.extend(reached.entry.clone());
        Ok(Some((target, statements)))
    }

    fn target(&self, transition: &Transition) -> Result<usize, String> {
        let mut states = self.machine.states.iter();
        let found = states.position(|state| state.name == transition.target);
        found.ok_or_else(|| {
            let Transition { line, target, .. } = transition;
            format!("line {line}: `{target}`, which is no state")
        })
    }

    /// The name of a state; two that differ in what names of models cannot have stay two.
    fn state_name(&self, state: usize) -> String {
        let states = &self.machine.states;
        let own = name(&states[state].name);
        let before = states[..state].iter();
        let same = before.filter(|it| name(&it.name) == own).count();
        own + &"_".repeat(same)
    }

    /// The transitions that leave a state.
    fn arrows(&self, from: usize) -> Result<Vec<Arrow>, String> {
        let mut found = Vec::new();
        for path in self.paths(from, 0)? {
            let names: Vec<String> = path.names.iter().map(|it| name(it)).collect();
            found.push(Arrow {
                name: Some(names.join("_")).filter(|name| !name.is_empty()),
                from: self.state_name(from),
                to: self.state_name(path.to),
                step: steps::step(&path.statements)?,
            });
        }
        Ok(found)
    }

    fn paths(&self, from: usize, depth: usize) -> Result<Vec<Path>, String> {
        let state = &self.machine.states[from];
        if depth > PASSED {
            return Err(format!(
                "line {}: more than {PASSED} choices in one step",
                state.line
            ));
        }
        let mut found = Vec::new();
        for transition in &state.transitions {
            let mut statements = self.otherwise(state, transition)?;
            statements.extend(self.prepared(&transition.body)?);
            let names: Vec<String> = transition.name.iter().cloned().collect();
            let target = self.target(transition)?;
            let reached = &self.machine.states[target];
            statements.extend(self.prepared(&reached.entry)?);
            if reached.kind != StateKind::Choice {
                found.push(Path {
                    names,
                    to: target,
                    statements,
                });
                continue;
            }
            for next in self.paths(target, depth + 1)? {
                found.push(Path {
                    names: [&names[..], &next.names].concat(),
                    to: next.to,
                    statements: [&statements[..], &next.statements].concat(),
                });
            }
        }
        Ok(found)
    }

    /// For `else`, that no other transition can be taken.
    fn otherwise(&self, state: &State, transition: &Transition) -> Result<Vec<Statement>, String> {
        if !transition.is_else {
            return Ok(Vec::new());
        }
        let line = transition.line;
        let mut found = Vec::new();
        for other in state.transitions.iter().filter(|it| !it.is_else) {
            let step = steps::step(&self.prepared(&other.body)?)?;
            let is_open = match &step.action {
                Action::Internal => true,
                Action::Input { .. } => false,
                Action::Output(output) => {
                    let channel = self.wiring.named(&output.port);
                    channel.is_some_and(|it| it.is_environment)
                }
            };
            if !is_open {
                return Err(format!(
                    "line {line}: `else` beside a message that may come"
                ));
            }
            let condition = Expr::all(step.guards);
            let condition = condition.unwrap_or_else(|| Expr::Literal("true".to_owned()));
            let kind = StatementKind::Guard(condition.not());
            found.push(Statement { line, kind });
        }
        Ok(found)
    }

    /// Statements with the model's names, channels for ports, and conditions on what comes.
    fn prepared(&self, statements: &[Statement]) -> Result<Vec<Statement>, String> {
        let routine = |name: &str| self.declared.routine_named(name);
        let mut found = Vec::new();
        for statement in steps::inlined(statements, &routine)? {
            let statement = steps::replaced(&statement, &|part| self.constant(part));
            let line = statement.line;
            let mut conditions = Vec::new();
            let mut resolved = self.declared.resolved_statement(&statement)?;
            if let StatementKind::Input { port, .. } | StatementKind::Output { port, .. } =
                &mut resolved.kind
            {
                let Some(channel) = self.wiring.channel(self.name, port) else {
                    let what = format!("`{port}` of {}, which is connected to nothing", self.name);
                    return Err(format!("line {line}: {what}"));
                };
                if let StatementKind::Input { targets, .. } = &statement.kind
                    && channel.is_environment
                {
                    let types: Vec<_> = channel.payload.iter().map(|(_, ty)| ty).collect();
                    conditions = self.bounds(targets, &types);
                }
                port.clone_from(&channel.name);
            }
            found.push(resolved);
            for condition in conditions {
                let condition = self.declared.resolved(&condition, line)?;
                let kind = StatementKind::Guard(condition);
                found.push(Statement { line, kind });
            }
        }
        Ok(found)
    }

    /// What the types of a message and of where it is put say of it.
    fn bounds(&self, targets: &[Expr], types: &[&super::ast::Type]) -> Vec<Expr> {
        let mut found: Vec<Expr> = Vec::new();
        for (target, ty) in targets.iter().zip(types) {
            let mut bounds = self.declared.bounds(ty, target);
            if let Expr::Name(variable) = target
                && let Some(own) = self.declared.type_of(variable)
            {
                bounds.extend(self.declared.bounds(own, target));
            }
            for bound in bounds {
                if !found.contains(&bound) {
                    found.push(bound);
                }
            }
        }
        found
    }

    /// A constant of another machine: `Pump.FLOW`.
    fn constant(&self, part: &Expr) -> Option<Expr> {
        let Expr::Field(of, constant) = part else {
            return None;
        };
        let Expr::Name(machine) = &**of else {
            return None;
        };
        if self.declared.type_of(machine).is_some() {
            return None;
        }
        let mut others = self.others.iter();
        let (_, declared) = others.find(|(name, _)| name == machine)?;
        let known = declared.constant_named(constant)?;
        Some(Expr::Literal(known.to_owned()))
    }

    /// How long a state may last, if all that the machine does in it by itself has to happen
    /// before some time: XLIA says that in guards, and a guard alone would let it never happen.
    /// Where the environment may end it too, the time has to begin with the state, since the
    /// environment may be as late as it likes.
    fn limit(&self, state: &str, arrows: &[Arrow]) -> Option<Expr> {
        let clocks = self.declared.clocks();
        let is_clock = |expr: &Expr| matches!(expr, Expr::Name(name) if clocks.contains(name));
        let mut limit: Option<(Expr, Expr)> = None;
        let mut is_interrupted = false;
        for arrow in arrows.iter().filter(|it| it.from == state) {
            let port = match &arrow.step.action {
                Action::Internal => None,
                Action::Input { port, .. } => Some(port),
                Action::Output(output) => Some(&output.port),
            };
            let channel = port.map(|port| self.wiring.named(port));
            // What happens with other machines is up to them as well.
            if channel.is_some_and(|it| !it.is_some_and(|it| it.is_environment)) {
                return None;
            }
            if let Action::Input { .. } = &arrow.step.action {
                is_interrupted = true;
                continue;
            }
            let mut parts = Vec::new();
            for guard in &arrow.step.guards {
                conjuncts(guard, &mut parts);
            }
            let bound = parts
                .into_iter()
                .find_map(|part| upper_bound(part, &is_clock));
            let (clock, bound) = bound?;
            limit = Some(match limit {
                None => (clock, bound),
                Some((known, before)) if known == clock && before == bound => (known, before),
                Some((known, before)) if known == clock => {
                    (known, Expr::Call("max".to_owned(), vec![before, bound]))
                }
                Some(_) => return None,
            });
        }
        let (clock, bound) = limit?;
        let mut entering = arrows.iter().filter(|it| it.to == state);
        let begins_with_it = entering.all(|it| it.step.resets(&clock));
        (!is_interrupted || begins_with_it).then(|| Expr::binary("<=", clock, bound))
    }
}

fn conjuncts<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary("and", left, right) => {
            conjuncts(left, found);
            conjuncts(right, found);
        }
        _ => found.push(expr),
    }
}

/// The clock that a condition bounds from above, and by what.
fn upper_bound(expr: &Expr, is_clock: &dyn Fn(&Expr) -> bool) -> Option<(Expr, Expr)> {
    let Expr::Binary(operator, left, right) = expr else {
        return None;
    };
    let (clock, bound) = match *operator {
        "<" | "<=" => (left, right),
        ">" | ">=" => (right, left),
        "=" if is_clock(left) => (left, right),
        "=" => (right, left),
        _ => return None,
    };
    let is_bound = is_clock(clock) && !bound.has(is_clock);
    is_bound.then(|| ((**clock).clone(), (**bound).clone()))
}

/// Names transitions after their states too where names alone would be those of others.
pub(super) fn name_transitions(automata: &mut [Automaton]) {
    let all = |automata: &[Automaton]| -> Vec<String> {
        let arrows = automata.iter().flat_map(|it| &it.arrows);
        arrows.filter_map(|arrow| arrow.name.clone()).collect()
    };
    for with_automaton in [false, true] {
        let taken = all(automata);
        for automaton in &mut *automata {
            for arrow in &mut automaton.arrows {
                let Some(known) = &arrow.name else { continue };
                if taken.iter().filter(|it| *it == known).count() > 1 {
                    let before = match with_automaton {
                        true => &automaton.name,
                        false => &arrow.from,
                    };
                    arrow.name = Some(name(&format!("{before}_{known}")));
                }
            }
        }
    }
    let mut taken: Vec<String> = Vec::new();
    for arrow in automata.iter_mut().flat_map(|it| &mut it.arrows) {
        if let Some(known) = &mut arrow.name {
            while taken.contains(known) {
                known.push('_');
            }
            taken.push(known.clone());
        }
    }
}

impl Automaton {
    pub fn text(&self) -> String {
        let mut text = format!("\nautomaton {} {{\n", self.name);
        for variable in &self.variables {
            text += &variable.text();
        }
        text += &format!("\ninitial {}\n", self.initial);
        for state in &self.states {
            let limit = self.limits.iter().find(|(limited, _)| limited == state);
            let is_left = self.arrows.iter().any(|arrow| arrow.from == *state);
            match limit {
                Some((_, limit)) => text += &format!("state {state} while {}\n", written(limit)),
                None if !is_left && *state != self.initial => text += &format!("state {state}\n"),
                None => {}
            }
        }
        text.push('\n');
        for arrow in &self.arrows {
            text += &arrow.text();
        }
        text + "}\n"
    }
}

impl Arrow {
    fn text(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("{name}: "));
        let mut text = name.unwrap_or_default();
        text += &format!("{} -> {}", self.from, self.to);
        if !self.step.guards.is_empty() {
            text += &format!(" when {}", conjunction(&self.step.guards));
        }
        match &self.step.action {
            Action::Internal => text += ", tau",
            Action::Output(output) => text += &sent(output),
            Action::Input {
                port,
                targets,
                conditions,
            } => {
                text += &format!(", {port}?{}", bracketed(targets));
                if !conditions.is_empty() {
                    text += &format!(" where {}", conjunction(conditions));
                }
            }
        }
        text += &assigned(&self.step.assignments);
        for (output, groups) in &self.step.then {
            text += &sent(output);
            text += &assigned(groups);
        }
        text + "\n"
    }
}

fn sent(output: &Output) -> String {
    format!(", {}!{}", output.port, bracketed(&output.values))
}

fn assigned(groups: &[Group]) -> String {
    let texts = groups.iter().map(|group| match &group[..] {
        [(target, value)] => format!(", {} := {}", written(target), written(value)),
        several => {
            let (targets, values): (Vec<Expr>, Vec<Expr>) = several.iter().cloned().unzip();
            format!(", {} := {}", bracketed(&targets), bracketed(&values))
        }
    });
    texts.collect()
}
