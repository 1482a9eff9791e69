//! What names mean: those of an XLIA file, and those they have in the model.

use super::ast::{Bound, Expr, Routine, Statement, Type, TypeBody, TypeDefinition, Variable};
use super::steps;
use super::text::written;
use crate::import::name;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names that are taken in the model, and its declarations.
#[derive(Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    pub types: String,
    pub constants: String,
    pub functions: String,
}

/// What is declared in a system, or in one of its machines and around it.
#[derive(Clone, Default)]
pub(super) struct Declared {
    types: FxHashMap<String, Known>,
    /// By name in the file: the name in the model.
    constants: FxHashMap<String, String>,
    routines: FxHashMap<String, (String, Routine)>,
    variables: FxHashMap<String, (String, Type)>,
    /// Values of enumerations.
    values: FxHashSet<String>,
}

/// A type that the file defines.
#[derive(Clone)]
struct Known {
    name: String,
    body: TypeBody,
}

/// More values than these have no conditions of their own.
const ELEMENTS: usize = 100;

impl Names {
    /// A name like this one that nothing has yet.
    fn fresh(&mut self, wanted: &str) -> String {
        let wanted = name(wanted);
        let mut found = wanted.clone();
        let mut number = 2;
        while !self.taken.insert(found.clone()) {
            found = format!("{wanted}_{number}");
            number += 1;
        }
        found
    }

    pub fn define(
        &mut self,
        definition: &TypeDefinition,
        declared: &mut Declared,
    ) -> Result<(), String> {
        let TypeDefinition {
            name: own,
            line,
            body,
        } = definition;
        let written = match body {
            TypeBody::Enumeration(values) => {
                let known = self.fresh(own);
                let values: Vec<String> = values.iter().map(|value| name(value)).collect();
                self.taken.extend(values.iter().cloned());
                self.types += &format!("enum {known} {{ {} }}\n", values.join(", "));
                declared.values.extend(values);
                known
            }
            TypeBody::Record(fields) => {
                let mut texts = Vec::new();
                for (field, ty) in fields {
                    texts.push(format!(
                        "{}: {}",
                        name(field),
                        declared.type_text(ty, *line)?
                    ));
                }
                let known = self.fresh(own);
                self.types += &format!("record {known} {{ {} }}\n", texts.join(", "));
                known
            }
            TypeBody::Same(ty) => declared.type_text(ty, *line)?,
        };
        let known = Known {
            name: written,
            body: body.clone(),
        };
        declared.types.insert(own.clone(), known);
        Ok(())
    }

    /// Declares a constant; one without a value is a parameter, which is noted.
    pub fn constant(
        &mut self,
        variable: &Variable,
        declared: &mut Declared,
    ) -> Result<Option<String>, String> {
        let line = variable.line;
        let value = variable.value.as_ref();
        let value = value
            .map(|value| declared.resolved(value, line))
            .transpose()?;
        let known = self.fresh(&variable.name);
        let note = match value {
            Some(value) => {
                self.constants += &format!("const {known} = {}\n", written(&value));
                None
            }
            None => {
                let Some(value) = declared.plain_value(&variable.ty) else {
                    return Err(format!("line {line}: the constant {known} has no value"));
                };
                self.constants += &format!("param {known} = {value}\n");
                let what = "has no value, and is a parameter of the model";
                Some(format!("line {line}: the constant {known} {what}: {value}"))
            }
        };
        declared.constants.insert(variable.name.clone(), known);
        Ok(note)
    }

    /// Declares a routine; one that returns something is a function of the model.
    pub fn routine(&mut self, routine: &Routine, declared: &mut Declared) -> Result<(), String> {
        let known = self.fresh(&routine.name);
        if let (Some(returned), Some(result)) = (&routine.returned, &routine.result) {
            let line = routine.line;
            let mut scope = declared.clone();
            let mut parameters = Vec::new();
            for (parameter, ty) in &routine.parameters {
                let text = declared.type_text(ty, line)?;
                let own = name(parameter);
                parameters.push(format!("{own}: {text}"));
                scope.variables.insert(parameter.clone(), (own, ty.clone()));
            }
            let body = scope.resolved(returned, line)?;
            self.functions += &format!(
                "function {known}({}): {} = {}\n",
                parameters.join(", "),
                declared.type_text(result, line)?,
                written(&body)
            );
        }
        let own = routine.name.clone();
        declared.routines.insert(own, (known, routine.clone()));
        Ok(())
    }

    /// Declares a variable; those of machines may be called as those of other machines are.
    pub fn variable(&mut self, variable: &Variable, is_shared: bool, declared: &mut Declared) {
        let known = match is_shared {
            true => self.fresh(&variable.name),
            false => {
                let mut known = name(&variable.name);
                while self.taken.contains(&known) {
                    known.push('_');
                }
                known
            }
        };
        let entry = (known, variable.ty.clone());
        declared.variables.insert(variable.name.clone(), entry);
    }
}

impl Declared {
    pub fn variable_named(&self, variable: &str) -> String {
        let known = self.variables.get(variable);
        known.map_or_else(|| name(variable), |(known, _)| known.clone())
    }

    pub fn routine_named(&self, routine: &str) -> Option<Routine> {
        self.routines
            .get(routine)
            .map(|(_, routine)| routine.clone())
    }

    /// The variables that are clocks, by their names in the model.
    pub fn clocks(&self) -> Vec<String> {
        let clocks = self.variables.values();
        let clocks = clocks.filter(|(_, ty)| self.is_clock(ty));
        clocks.map(|(known, _)| known.clone()).collect()
    }

    pub fn is_clock(&self, ty: &Type) -> bool {
        match ty {
            Type::Clock => true,
            Type::Named(name) => match self.types.get(name).map(|it| &it.body) {
                Some(TypeBody::Same(ty)) => self.is_clock(ty),
                _ => false,
            },
            _ => false,
        }
    }

    /// The type of a variable, by its name in the file.
    pub fn type_of(&self, variable: &str) -> Option<&Type> {
        self.variables.get(variable).map(|(_, ty)| ty)
    }

    pub fn type_text(&self, ty: &Type, line: usize) -> Result<String, String> {
        Ok(match ty {
            Type::Bool => "Bool".to_owned(),
            Type::Text => "String".to_owned(),
            Type::Number(number) if number.is_real => "Real".to_owned(),
            Type::Number(_) => "Int".to_owned(),
            Type::Clock => return Err(format!("line {line}: a clock that is no variable")),
            Type::Named(name) => match self.types.get(name) {
                Some(known) => known.name.clone(),
                None => return Err(format!("line {line}: the type `{name}`")),
            },
            Type::Array(of, length) => {
                let length = written(&self.resolved(length, line)?);
                format!("{}[{length}]", self.type_text(of, line)?)
            }
        })
    }

    /// What something of a type is where nobody says it.
    fn plain_value(&self, ty: &Type) -> Option<String> {
        match ty {
            Type::Bool => Some("false".to_owned()),
            Type::Text => Some("\"\"".to_owned()),
            Type::Number(number) => match (&number.least, number.is_real) {
                (Some(Bound { value, .. }), _) => Some(written(value)),
                (None, true) => Some("0.0".to_owned()),
                (None, false) => Some("0".to_owned()),
            },
            Type::Clock | Type::Array(..) => None,
            Type::Named(own) => match &self.types.get(own)?.body {
                TypeBody::Enumeration(values) => values.first().map(|value| name(value)),
                TypeBody::Record(_) => None,
                TypeBody::Same(ty) => self.plain_value(ty),
            },
        }
    }

    /// What the type of a place says of its value.
    pub fn bounds(&self, ty: &Type, place: &Expr) -> Vec<Expr> {
        match ty {
            Type::Bool | Type::Text | Type::Clock => Vec::new(),
            Type::Number(number) => {
                let compared = |bound: &Bound, is_least: bool| {
                    let operator = if bound.is_strict { "<" } else { "<=" };
                    let (bound, place) = (bound.value.clone(), place.clone());
                    match is_least {
                        true => Expr::binary(operator, bound, place),
                        false => Expr::binary(operator, place, bound),
                    }
                };
                let least = number.least.iter().map(|bound| compared(bound, true));
                let most = number.most.iter().map(|bound| compared(bound, false));
                least.chain(most).collect()
            }
            Type::Array(of, length) => {
                let length = match length {
                    Expr::Literal(text) => text.parse().unwrap_or(0),
                    _ => 0usize,
                };
                let elements = (0..length.min(ELEMENTS)).map(|number| {
                    let index = Box::new(Expr::Literal(number.to_string()));
                    Expr::Index(Box::new(place.clone()), index)
                });
                elements.flat_map(|it| self.bounds(of, &it)).collect()
            }
            Type::Named(name) => match self.types.get(name).map(|it| &it.body) {
                Some(TypeBody::Same(ty)) => self.bounds(ty, place),
                Some(TypeBody::Record(fields)) => {
                    let fields = fields.iter().flat_map(|(field, ty)| {
                        let place = Expr::Field(Box::new(place.clone()), field.clone());
                        self.bounds(ty, &place)
                    });
                    fields.collect()
                }
                Some(TypeBody::Enumeration(_)) | None => Vec::new(),
            },
        }
    }

    /// The constant of a machine, by its name in the file.
    pub fn constant_named(&self, constant: &str) -> Option<&str> {
        self.constants.get(constant).map(String::as_str)
    }

    /// The expression with the names that things have in the model.
    pub fn resolved(&self, expr: &Expr, line: usize) -> Result<Expr, String> {
        let unknown = expr.has(&|part| match part {
            Expr::Name(name) => self.meaning(name).is_none(),
            Expr::Call(routine, _) => self.function_named(routine).is_none(),
            _ => false,
        });
        let resolved = self.renamed(expr);
        match unknown {
            false => Ok(resolved),
            true => Err(format!("line {line}: a name in `{}`", written(expr))),
        }
    }

    /// The statement with the names that things have in the model, but for its port.
    pub fn resolved_statement(&self, statement: &Statement) -> Result<Statement, String> {
        use super::ast::StatementKind as Kind;
        let mut exprs: Vec<&Expr> = Vec::new();
        match &statement.kind {
            Kind::Input { targets: all, .. }
            | Kind::Output { values: all, .. }
            | Kind::Call { arguments: all, .. } => exprs.extend(all),
            Kind::Guard(one) => exprs.push(one),
            Kind::Assign { target, value } => exprs.extend([target, value]),
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                exprs.push(condition);
                for inner in then.iter().chain(otherwise) {
                    self.resolved_statement(inner)?;
                }
            }
        }
        for expr in exprs {
            self.resolved(expr, statement.line)?;
        }
        Ok(steps::replaced(statement, &|part| Some(self.renamed(part))))
    }

    fn renamed(&self, expr: &Expr) -> Expr {
        expr.replaced(&|part| match part {
            Expr::Name(name) => self.meaning(name).map(Expr::Name),
            Expr::Field(of, field) => Some(Expr::Field(Box::new(self.renamed(of)), name(field))),
            Expr::Call(routine, arguments) => {
                let function = self.function_named(routine)?;
                let arguments = arguments.iter().map(|it| self.renamed(it)).collect();
                Some(Expr::Call(function, arguments))
            }
            _ => None,
        })
    }

    fn function_named(&self, routine: &str) -> Option<String> {
        let known = self.routines.get(routine);
        let known = known.filter(|(_, routine)| routine.returned.is_some());
        known.map(|(known, _)| known.clone())
    }

    fn meaning(&self, own: &str) -> Option<String> {
        let variable = self.variables.get(own).map(|(known, _)| known.clone());
        let constant = || self.constants.get(own).cloned();
        let value = || Some(name(own)).filter(|value| self.values.contains(value));
        let ty = || self.types.get(own).map(|known| known.name.clone());
        variable.or_else(constant).or_else(value).or_else(ty)
    }
}
