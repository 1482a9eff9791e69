//! XLIA, the language of Eclipse EFM (DIVERSITY), by whose authors the method of these tests is.
//!
//! A system of state machines becomes a model of as many automata. A port that is connected to
//! the environment is a channel to it, a rendezvous one on which automata synchronize, a `fifo`
//! a queue. Types with bounds (`uint`, intervals) are conditions on what comes. Machines run in
//! any order, as automata do; what else XLIA can say about when something runs is refused.

mod ast;
mod declared;
mod lexer;
mod machine;
mod reader;
mod steps;
mod text;
mod wiring;

use super::draft::finished;
use super::{ImportError, Imported, name};
use ast::{Expr, Given, Machine, Statement, System, Variable};
use declared::{Declared, Names};
use machine::{Automaton, Machinery};
use wiring::Wiring;

/// The model of a system in XLIA.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn xlia(text: &str) -> Result<Imported, ImportError> {
    let file = reader::read(text);
    let (notes, refused) = (file.notes, file.refused);
    if !refused.is_empty() {
        return Err(ImportError::Refused(refused));
    }
    let mut modelling = Modelling {
        system: &file.system,
        names: Names::default(),
        notes,
        refused,
    };
    let text = modelling.model();
    finished(text, modelling.notes, modelling.refused)
}

/// A system on its way to a model.
struct Modelling<'s> {
    system: &'s System,
    names: Names,
    notes: Vec<String>,
    refused: Vec<String>,
}

/// A machine that runs: one by itself, or an instance of a model.
struct Running<'s> {
    name: String,
    machine: &'s Machine,
    given: Vec<Given>,
}

impl<'s> Modelling<'s> {
    fn model(&mut self) -> String {
        let running = self.running();
        let wiring = Wiring::new(self.system, &running, &mut self.refused);
        let global = self.declared(None, &self.system.scope.variables);
        let mut shared = self.shared(&global);
        let mut locals = Vec::new();
        for machine in &self.system.machines {
            let declared = self.declared(Some((machine, &global)), &machine.scope.variables);
            locals.push((machine.name.clone(), declared));
        }
        let mut automata: Vec<Automaton> = Vec::new();
        for running in &running {
            let own = locals
                .iter()
                .find(|(name, _)| *name == running.machine.name);
            let Some((_, declared)) = own else { continue };
            let machinery = Machinery {
                name: &running.name,
                machine: running.machine,
                declared,
                others: &locals,
                wiring: &wiring,
            };
            match machinery.automaton(&running.given, &mut shared, &mut self.refused) {
                Ok(automaton) => automata.push(automaton),
                Err(what) => self.refused.push(what),
            }
        }
        machine::name_transitions(&mut automata);
        let title = name(&self.system.name);
        let mut text = format!("model {title}\n\n");
        text += &self.names.types;
        text += &self.names.constants;
        text += &wiring.text(&global, &locals, &mut self.refused);
        text += &self.names.functions;
        for variable in &shared {
            text += &variable.text();
        }
        for automaton in &automata {
            text += &automaton.text();
        }
        text
    }

    /// The machines that run, with the values that their parameters get.
    fn running(&mut self) -> Vec<Running<'s>> {
        let mut found: Vec<Running<'s>> = Vec::new();
        for machine in &self.system.machines {
            if !machine.is_model {
                found.push(Running {
                    name: machine.name.clone(),
                    machine,
                    given: Vec::new(),
                });
            } else if !self
                .system
                .instances
                .iter()
                .any(|it| it.model == machine.name)
            {
                let note = format!(
                    "line {}: the model {} without instances",
                    machine.line, machine.name
                );
                self.notes.push(note);
            }
        }
        for instance in &self.system.instances {
            let mut machines = self.system.machines.iter();
            match machines.find(|machine| machine.name == instance.model) {
                Some(machine) => found.push(Running {
                    name: instance.name.clone(),
                    machine,
                    given: instance.given.clone(),
                }),
                None => self.refused.push(format!(
                    "line {}: an instance of `{}`, which is no machine",
                    instance.line, instance.model
                )),
            }
        }
        for given in &self.system.given {
            match found.iter_mut().find(|it| it.name == given.machine) {
                Some(running) => running.given.push(given.clone()),
                None => self.refused.push(format!(
                    "line {}: `{}`, which is no machine that runs",
                    given.line, given.machine
                )),
            }
        }
        for running in &mut found {
            self.match_parameters(running);
        }
        found
    }

    /// Reads the names of parameters that are given as those that the machine has, where they
    /// differ in small and capital letters alone.
    fn match_parameters(&mut self, running: &mut Running<'_>) {
        let known: Vec<&Variable> = running.machine.scope.variables.iter().collect();
        for given in &mut running.given {
            if known.iter().any(|it| it.name == given.parameter) {
                continue;
            }
            let alike = |it: &&&Variable| it.name.eq_ignore_ascii_case(&given.parameter);
            match known.iter().find(alike) {
                Some(meant) => {
                    let (line, parameter) = (given.line, &given.parameter);
                    let note = format!("line {line}: `{parameter}` is read as `{}`", meant.name);
                    self.notes.push(note);
                    given.parameter.clone_from(&meant.name);
                }
                None => self.refused.push(format!(
                    "line {}: `{}` has no parameter `{}`",
                    given.line, running.name, given.parameter
                )),
            }
        }
    }

    /// What a scope declares, besides variables.
    fn declared(
        &mut self,
        machine: Option<(&'s Machine, &Declared)>,
        variables: &[Variable],
    ) -> Declared {
        let scope = machine.map_or(&self.system.scope, |(machine, _)| &machine.scope);
        let mut declared = machine.map_or_else(Declared::default, |(_, around)| around.clone());
        for definition in &scope.types {
            if let Err(what) = self.names.define(definition, &mut declared) {
                self.refused.push(what);
            }
        }
        for variable in variables.iter().filter(|it| it.is_constant) {
            let twin = variables
                .iter()
                .find(|it| !it.is_constant && it.name == variable.name);
            if let Some(twin) = twin {
                let same = twin.value == variable.value;
                let what = format!("line {}: `{}` is declared twice", variable.line, twin.name);
                match same {
                    true => self.notes.push(what),
                    false => self.refused.push(what),
                }
                continue;
            }
            match self.names.constant(variable, &mut declared) {
                Ok(note) => self.notes.extend(note),
                Err(what) => self.refused.push(what),
            }
        }
        for routine in &scope.routines {
            if let Err(what) = self.names.routine(routine, &mut declared) {
                self.refused.push(what);
            }
        }
        let own = variables.iter().filter(|it| !it.is_constant);
        for variable in own {
            self.names
                .variable(variable, machine.is_none(), &mut declared);
        }
        declared
    }

    /// The variables of the system, which its machines share.
    fn shared(&mut self, global: &Declared) -> Vec<Beginning> {
        let variables = self.system.scope.variables.iter();
        let mut shared = Vec::new();
        for variable in variables.filter(|it| !it.is_constant) {
            match Beginning::new(variable, global) {
                Ok(beginning) => shared.push(beginning),
                Err(what) => self.refused.push(what),
            }
        }
        let begun = begin(&self.system.start, global, &mut shared, &mut []);
        self.refused.extend(begun.err());
        shared
    }
}

/// A variable with what it begins with.
struct Beginning {
    name: String,
    /// None for a clock.
    ty: Option<String>,
    /// None if it may be anything.
    value: Option<Expr>,
}

impl Beginning {
    fn new(variable: &Variable, declared: &Declared) -> Result<Beginning, String> {
        let line = variable.line;
        let is_clock = declared.is_clock(&variable.ty);
        let ty = match is_clock {
            true => None,
            false => Some(declared.type_text(&variable.ty, line)?),
        };
        let value = variable.value.as_ref();
        let value = value
            .map(|value| declared.resolved(value, line))
            .transpose()?;
        if is_clock && value.as_ref().is_some_and(|value| !is_zero(value)) {
            return Err(format!("line {line}: a clock that does not begin at 0"));
        }
        Ok(Beginning {
            name: declared.variable_named(&variable.name),
            ty,
            value,
        })
    }

    fn text(&self) -> String {
        let name = &self.name;
        match (&self.ty, &self.value) {
            (None, _) => format!("clock {name}\n"),
            (Some(ty), None) => format!("var {name}: {ty} = any\n"),
            (Some(ty), Some(value)) => format!("var {name}: {ty} = {}\n", text::written(value)),
        }
    }
}

fn is_zero(value: &Expr) -> bool {
    matches!(value, Expr::Literal(text) if matches!(text.as_str(), "0" | "0.0"))
}

/// Lets variables begin with what statements leave in them: those of the system, and those of
/// a machine.
fn begin(
    statements: &[Statement],
    declared: &Declared,
    shared: &mut [Beginning],
    own: &mut [Beginning],
) -> Result<(), String> {
    let Some(first) = statements.first() else {
        return Ok(());
    };
    let line = first.line;
    let statements = steps::inlined(statements, &|name| declared.routine_named(name))?;
    let resolved = statements.iter().map(|it| declared.resolved_statement(it));
    let resolved = resolved.collect::<Result<Vec<Statement>, String>>()?;
    for (name, value) in steps::effect(&resolved)? {
        let known = |part: &Expr| match part {
            Expr::Name(name) => {
                let mut all = shared.iter().chain(own.iter());
                all.find(|it| it.name == *name)
                    .and_then(|it| it.value.clone())
            }
            _ => None,
        };
        let value = value.replaced(&known);
        let is_variable = |part: &Expr| match part {
            Expr::Name(name) => shared.iter().chain(own.iter()).any(|it| it.name == *name),
            _ => false,
        };
        if value.has(&is_variable) {
            return Err(format!(
                "line {line}: what `{name}` begins with is not known"
            ));
        }
        let mut all = shared.iter_mut().chain(own.iter_mut());
        let Some(variable) = all.find(|it| it.name == name) else {
            return Err(format!("line {line}: `{name}` is no variable"));
        };
        if variable.ty.is_none() && !is_zero(&value) {
            return Err(format!("line {line}: a clock that does not begin at 0"));
        }
        variable.value = Some(value);
    }
    Ok(())
}
