//! What the statements of a transition do, as one step of a model.
//!
//! XLIA runs statements one after the other, and takes the transition only if every guard among
//! them holds where it stands. A model has its conditions first, then a message, then
//! assignments. So a guard moves to the front, with the values that variables have by then
//! written out; and so do the values of a message behind assignments.

use super::ast::{Expr, Routine, Statement, StatementKind};

/// A step, or the several steps of a transition with several messages.
#[derive(Default)]
pub(super) struct Step {
    /// Conditions on the values before it.
    pub guards: Vec<Expr>,
    pub action: Action,
    pub assignments: Vec<Group>,
    /// Outputs that follow, each with the assignments behind it.
    pub then: Vec<(Output, Vec<Group>)>,
}

impl Step {
    /// Whether it sets a clock back in any case.
    pub fn resets(&self, clock: &Expr) -> bool {
        let later = self.then.iter().flat_map(|(_, groups)| groups);
        let mut all = self.assignments.iter().chain(later).flatten();
        all.any(|(place, value)| {
            place == clock && matches!(value, Expr::Literal(number) if number == "0")
        })
    }
}

#[derive(Default)]
pub(super) enum Action {
    #[default]
    Internal,
    Input {
        port: String,
        targets: Vec<Expr>,
        /// Conditions on what came.
        conditions: Vec<Expr>,
    },
    Output(Output),
}

pub(super) struct Output {
    pub port: String,
    pub values: Vec<Expr>,
}

/// Places with values that they get at once.
pub(super) type Group = Vec<(Expr, Expr)>;

/// How often routines may run each other.
const CALLS: usize = 20;

/// The statements with those of routines in place of their calls.
pub(super) fn inlined(
    statements: &[Statement],
    routines: &dyn Fn(&str) -> Option<Routine>,
) -> Result<Vec<Statement>, String> {
    inlined_at(statements, routines, 0)
}

fn inlined_at(
    statements: &[Statement],
    routines: &dyn Fn(&str) -> Option<Routine>,
    depth: usize,
) -> Result<Vec<Statement>, String> {
    let mut found = Vec::new();
    for statement in statements {
        let line = statement.line;
        match &statement.kind {
            StatementKind::Call { routine, arguments } => {
                let known = routines(routine).filter(|it| it.returned.is_none());
                let fits = |it: &Routine| it.parameters.len() == arguments.len();
                let Some(known) = known.filter(fits) else {
                    return Err(format!("line {line}: `{routine}` with these arguments"));
                };
                if depth == CALLS {
                    return Err(format!("line {line}: `{routine}` runs itself"));
                }
                let names = known.parameters.iter().map(|(name, _)| name);
                let given: Vec<(&String, &Expr)> = names.zip(arguments).collect();
                let argument = |part: &Expr| match part {
                    Expr::Name(name) => {
                        let mut given = given.iter();
                        given.find(|it| it.0 == name).map(|it| it.1.clone())
                    }
                    _ => None,
                };
                let body = known.body.iter().map(|it| replaced(it, &argument));
                let body: Vec<Statement> = body.collect();
                found.extend(inlined_at(&body, routines, depth + 1)?);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let kind = StatementKind::If {
                    condition: condition.clone(),
                    then: inlined_at(then, routines, depth)?,
                    otherwise: inlined_at(otherwise, routines, depth)?,
                };
                found.push(Statement { line, kind });
            }
            StatementKind::Input { .. }
            | StatementKind::Output { .. }
            | StatementKind::Guard(_)
            | StatementKind::Assign { .. } => found.push(statement.clone()),
        }
    }
    Ok(found)
}

/// The statement with other parts of its expressions.
pub(super) fn replaced(statement: &Statement, by: &dyn Fn(&Expr) -> Option<Expr>) -> Statement {
    let one = |expr: &Expr| expr.replaced(by);
    let all = |exprs: &[Expr]| exprs.iter().map(one).collect::<Vec<Expr>>();
    let every = |statements: &[Statement]| {
        let statements = statements.iter().map(|it| replaced(it, by));
        statements.collect::<Vec<Statement>>()
    };
    let kind = match &statement.kind {
        StatementKind::Input { port, targets } => StatementKind::Input {
            port: port.clone(),
            targets: all(targets),
        },
        StatementKind::Output { port, values } => StatementKind::Output {
            port: port.clone(),
            values: all(values),
        },
        StatementKind::Guard(condition) => StatementKind::Guard(one(condition)),
        StatementKind::Assign { target, value } => StatementKind::Assign {
            target: one(target),
            value: one(value),
        },
        StatementKind::Call { routine, arguments } => StatementKind::Call {
            routine: routine.clone(),
            arguments: all(arguments),
        },
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => StatementKind::If {
            condition: one(condition),
            then: every(then),
            otherwise: every(otherwise),
        },
    };
    let line = statement.line;
    Statement { line, kind }
}

/// The step that statements without calls make.
pub(super) fn step(statements: &[Statement]) -> Result<Step, String> {
    let mut building = Building::default();
    for statement in statements {
        building.add(statement)?;
    }
    Ok(building.step)
}

/// What statements leave in variables, by what was in them before. They hold assignments alone.
pub(super) fn effect(statements: &[Statement]) -> Result<Vec<(String, Expr)>, String> {
    let mut building = Building::default();
    for statement in statements {
        let line = statement.line;
        if !matches!(
            statement.kind,
            StatementKind::Assign { .. } | StatementKind::If { .. }
        ) {
            return Err(format!("line {line}: something else than assignments here"));
        }
        building.add(statement)?;
        if building.values.iter().any(|(_, value)| value.is_none()) {
            return Err(format!("line {line}: a value that is not known here"));
        }
    }
    let values = building.values.into_iter();
    Ok(values
        .filter_map(|(name, value)| Some((name, value?)))
        .collect())
}

/// A step that is being put together.
#[derive(Default)]
struct Building {
    step: Step,
    /// By variable that was assigned: its value, in terms of those where conditions stand;
    /// none if only a part of it is known.
    values: Vec<(String, Option<Expr>)>,
}

impl Building {
    fn add(&mut self, statement: &Statement) -> Result<(), String> {
        let line = statement.line;
        match &statement.kind {
            StatementKind::Guard(condition) => {
                let condition = self.current(condition, line)?;
                match &mut self.step.action {
                    Action::Input {
                        targets,
                        conditions,
                        ..
                    } if is_about(&condition, targets) => conditions.push(condition),
                    _ => self.step.guards.push(condition),
                }
            }
            StatementKind::Assign { target, value } => {
                self.assign(vec![(target.clone(), value.clone())]);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (effect(then)?, effect(otherwise)?);
                let group = merged(condition, &then, &otherwise);
                self.assign(group);
            }
            StatementKind::Input { port, targets } => self.receive(port, targets, line)?,
            StatementKind::Output { port, values } => self.send(port, values, line)?,
            StatementKind::Call { routine, .. } => {
                return Err(format!("line {line}: `{routine}` is run here"));
            }
        }
        Ok(())
    }

    /// The expression in terms of the values where conditions stand.
    fn current(&self, expr: &Expr, line: usize) -> Result<Expr, String> {
        let unknown = self
            .values
            .iter()
            .find(|(name, value)| value.is_none() && expr.mentions(name));
        if let Some((name, _)) = unknown {
            return Err(format!(
                "line {line}: `{name}` is read where it was changed in part, or to any value"
            ));
        }
        Ok(expr.replaced(&|part| match part {
            Expr::Name(name) => self.value(name),
            _ => None,
        }))
    }

    fn value(&self, name: &str) -> Option<Expr> {
        let known = self.values.iter().find(|(known, _)| known == name);
        known.and_then(|(_, value)| value.clone())
    }

    fn assign(&mut self, group: Group) {
        let set: Vec<(String, Option<Expr>)> = group
            .iter()
            .filter_map(|(target, value)| {
                let value = match target {
                    Expr::Name(_) if *value != Expr::Any => self.current(value, 0).ok(),
                    _ => None,
                };
                Some((target.root()?.to_owned(), value))
            })
            .collect();
        for (name, value) in set {
            self.values.retain(|(known, _)| *known != name);
            self.values.push((name, value));
        }
        match self.step.then.last_mut() {
            Some((_, groups)) => groups.push(group),
            None => self.step.assignments.push(group),
        }
    }

    fn receive(&mut self, port: &str, targets: &[Expr], line: usize) -> Result<(), String> {
        if !matches!(self.step.action, Action::Internal) {
            return Err(format!("line {line}: an input behind another message"));
        }
        if let Some(target) = targets.iter().find(|target| target.root().is_none()) {
            let shown = super::text::written(target);
            return Err(format!("line {line}: an input into `{shown}`"));
        }
        // What was assigned before is assigned behind the input instead.
        for (place, value) in self.step.assignments.iter().flatten() {
            let overlaps = is_about(value, targets) || is_about(place, targets);
            if overlaps {
                let what = "an input into what was read or changed before it";
                return Err(format!("line {line}: {what}"));
            }
        }
        self.step.action = Action::Input {
            port: port.to_owned(),
            targets: targets.to_vec(),
            conditions: Vec::new(),
        };
        Ok(())
    }

    fn send(&mut self, port: &str, values: &[Expr], line: usize) -> Result<(), String> {
        let port = port.to_owned();
        if matches!(self.step.action, Action::Internal) {
            let values = values.iter().map(|value| self.current(value, line));
            let values = values.collect::<Result<Vec<Expr>, String>>()?;
            self.step.action = Action::Output(Output { port, values });
        } else {
            let values = values.to_vec();
            self.step.then.push((Output { port, values }, Vec::new()));
        }
        Ok(())
    }
}

/// Whether an expression is about one of the variables that the places are in.
fn is_about(expr: &Expr, places: &[Expr]) -> bool {
    let mut roots = places.iter().filter_map(Expr::root);
    roots.any(|root| expr.mentions(root))
}

/// What either branch assigns, at once.
fn merged(condition: &Expr, then: &[(String, Expr)], otherwise: &[(String, Expr)]) -> Group {
    let mut names: Vec<&String> = then.iter().map(|(name, _)| name).collect();
    for (name, _) in otherwise {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let value = |branch: &[(String, Expr)], name: &String| {
        let assigned = branch.iter().find(|it| it.0 == *name);
        Box::new(assigned.map_or_else(|| Expr::Name(name.clone()), |it| it.1.clone()))
    };
    let assigned = names.into_iter().map(|name| {
        let (yes, no) = (value(then, name), value(otherwise, name));
        let value = Expr::If(Box::new(condition.clone()), yes, no);
        (Expr::Name(name.clone()), value)
    });
    assigned.collect()
}
