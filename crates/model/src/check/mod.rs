//! From the syntax tree to a checked model: names, types, constants.
//!
//! All mistakes are reported at once, each with its location. A declaration that is
//! wrong spoils its name: what uses the name is not reported as well, since the first
//! mistake is the one to correct.

mod automaton;
mod call;
mod codec;
mod collection;
mod definition;
mod everywhere;
mod expansion;
mod expression;
mod function;
mod hierarchy;
mod operator;
mod queue;
mod region;
mod template;
mod time;
mod variant;
mod warnings;

use crate::codec::Codec;
use crate::model::{Channel, Constant, Function, Model};
use crate::syntax::ast::{self, Name};
use crate::syntax::{Fault, Span, parse};
use crate::types::{Enumeration, Record, Shape, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::{Evaluator, Store, Value};

pub use everywhere::condition_on;

/// A model, and what is questionable about its text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The model.
    pub model: Model,
    /// What is allowed and probably not meant.
    pub warnings: Vec<Fault>,
}

/// Values that the user gives to parameters, by name.
pub type Settings = Vec<(String, String)>;

/// The model of a text, with these values for its parameters; otherwise all that
/// is wrong with it, in the order of the text.
pub fn check(text: &str, settings: &[(String, String)]) -> Result<Checked, Vec<Fault>> {
    let (file, faults) = parse(text);
    let mut checker = Checker::new(text, faults);
    if !settings.is_empty() {
        let unset = check(text, &[]).ok();
        checker.unset = unset.map(|checked| checked.model.functions);
    }
    checker.file(&file, settings);
    if checker.faults.is_empty() {
        let mut warnings = warnings::of(&file, &checker.written, &checker.model);
        warnings.extend(checker.warnings);
        warnings.sort_by_key(|fault| fault.span.start);
        return Ok(Checked {
            model: checker.model,
            warnings,
        });
    }
    checker.faults.sort_by_key(|fault| fault.span.start);
    checker.faults.dedup();
    Err(checker.faults)
}

/// More leaves than this are no model a person wrote.
const LEAVES: usize = 100_000;

struct Checker<'t> {
    text: &'t str,
    faults: Vec<Fault>,
    warnings: Vec<Fault>,
    /// The functions as the model alone has them, where the user set parameters.
    unset: Option<Vec<Function>>,
    model: Model,
    types: FxHashMap<String, Type>,
    /// By enumeration value: the types that have it, and its number there.
    literals: FxHashMap<String, Vec<(Type, usize)>>,
    /// Names whose declaration is wrong already.
    spoilt: FxHashSet<String>,
    /// The automaton whose variables are in scope.
    automaton: usize,
    /// The parameters that are in scope, in the body of a function.
    parameters: Option<Vec<(String, Type)>>,
    /// Functions with bodies that were not read yet.
    later: Vec<ast::Function>,
    /// By function of the model: where its body and its result stand.
    bodies: Vec<(Span, Span)>,
    /// Functions that were applied, and whose bodies were not read yet.
    pending: Vec<usize>,
    /// Constants of one automaton, by its number: what an instance was given.
    local_constants: Vec<(usize, Constant)>,
    /// What the transitions of an instance are called after.
    prefix: Option<String>,
    /// The automata as they were written, by number.
    written: Vec<ast::Automaton>,
    queues: Vec<queue::Queue>,
    store: Store,
}

impl<'t> Checker<'t> {
    fn new(text: &'t str, faults: Vec<Fault>) -> Checker<'t> {
        Checker {
            text,
            faults,
            warnings: Vec::new(),
            unset: None,
            model: Model {
                constants: Vec::new(),
                channels: Vec::new(),
                codec: Codec::default(),
                functions: Vec::new(),
                definitions: Vec::new(),
                automata: Vec::new(),
                variables: Vec::new(),
                transitions: Vec::new(),
                time: None,
            },
            types: FxHashMap::default(),
            literals: FxHashMap::default(),
            spoilt: FxHashSet::default(),
            automaton: 0,
            parameters: None,
            later: Vec::new(),
            bodies: Vec::new(),
            pending: Vec::new(),
            local_constants: Vec::new(),
            prefix: None,
            written: Vec::new(),
            queues: Vec::new(),
            store: Store::new(),
        }
    }

    fn file(&mut self, file: &ast::File, settings: &[(String, String)]) {
        self.later = definition::computed(file);
        for item in &file.items {
            self.declaration(item, settings);
        }
        for (name, _) in settings {
            let parameters = self.model.constants.iter().filter(|c| c.is_parameter);
            let names: Vec<&str> = parameters.map(|c| c.name.as_str()).collect();
            if !names.contains(&name.as_str()) {
                let known = match names.is_empty() {
                    true => "the model has no parameters".to_owned(),
                    false => format!("its parameters are {}", names.join(", ")),
                };
                let message = format!("there is no parameter `{name}` to set; {known}");
                self.fail(Span::default(), message);
            }
        }
        for item in &file.items {
            match item {
                ast::Item::Automaton(automaton) if automaton.parameters.is_empty() => {
                    self.automaton(automaton);
                }
                ast::Item::Instance(instance) => self.instance(file, instance),
                _ => {}
            }
        }
        if self.model.automata.is_empty() && self.faults.is_empty() {
            self.fail(Span::default(), "the model has no automaton");
        }
        self.insert_queues();
        self.insert_time(file);
        self.find_shared_channels();
        self.codec(file);
    }

    /// Everything but automata.
    fn declaration(&mut self, item: &ast::Item, settings: &[(String, String)]) {
        match item {
            ast::Item::Constant(constant) => self.constant(constant, settings),
            ast::Item::Enumeration { name, values } => self.enumeration(name, values),
            ast::Item::Record { name, fields } => self.record(name, fields),
            ast::Item::Channel(channel) => self.channel(channel),
            ast::Item::Function(function) => self.function(function),
            ast::Item::Variable(variable) => self.variable(variable, None),
            ast::Item::Codec(_) | ast::Item::Automaton(_) | ast::Item::Instance(_) => {}
        }
    }

    fn channel(&mut self, written: &ast::Channel) {
        let name = &written.name;
        let known = self.model.channel(&name.text).is_some();
        let payload = written.payload.iter().map(|(_, ty)| self.ty(ty));
        let payload: Option<Vec<Type>> = payload.collect();
        if known {
            return self.twice(name, "channel");
        }
        let Some(payload) = payload else {
            return self.spoil(name);
        };
        self.model.channels.push(Channel {
            name: name.text.clone(),
            payload,
            names: written.payload.iter().map(named).collect(),
            is_shared: false,
            is_visible: written.is_visible,
        });
        self.queue(written);
    }

    fn constant(&mut self, constant: &ast::Constant, settings: &[(String, String)]) {
        if self.constant_named(&constant.name.text).is_some() {
            return self.twice(&constant.name, "constant");
        }
        let Some(expr) = self.expression(&constant.value, None) else {
            return self.spoil(&constant.name);
        };
        let Some(mut value) = self.constant_value(&expr, constant.value.span) else {
            return self.spoil(&constant.name);
        };
        let set = settings
            .iter()
            .rev()
            .find(|(name, _)| *name == constant.name.text);
        if let Some((name, text)) = set.filter(|_| constant.is_parameter) {
            match crate::value::from_text(&expr.ty, text) {
                Ok(set) => value = set,
                Err(reason) => {
                    self.fail(
                        constant.name.span,
                        format!("`{name}` cannot be set to `{text}`: {reason}"),
                    );
                }
            }
        }
        self.model.constants.push(Constant {
            name: constant.name.text.clone(),
            ty: expr.ty,
            value,
            is_parameter: constant.is_parameter,
        });
    }

    fn constant_named(&self, name: &str) -> Option<&Constant> {
        let local = self.local_constants.iter();
        let own = local.filter(|(automaton, _)| *automaton == self.automaton);
        let all = self.model.constants.iter();
        let mut known = own.map(|(_, constant)| constant).chain(all);
        known.find(|constant| constant.name == name)
    }

    fn enumeration(&mut self, name: &Name, written: &[(Name, Vec<(Name, ast::Type)>)]) {
        let values: Vec<&Name> = written.iter().map(|(value, _)| value).collect();
        if values.is_empty() {
            self.fail(
                name.span,
                format!("the enumeration `{}` has no values", name.text),
            );
        }
        let texts: Vec<String> = values.iter().map(|value| value.text.clone()).collect();
        for (number, value) in values.iter().enumerate() {
            if texts[..number].contains(&value.text) {
                self.twice(value, "value");
            }
        }
        let has_data = written.iter().any(|(_, data)| !data.is_empty());
        let enumeration = Rc::new(Enumeration {
            name: match has_data {
                true => format!("{}.kind", name.text),
                false => name.text.clone(),
            },
            values: texts.clone(),
        });
        let ty = Type::Enumeration(enumeration.clone());
        for (number, value) in texts.into_iter().enumerate() {
            self.literals
                .entry(value)
                .or_default()
                .push((ty.clone(), number));
        }
        match has_data {
            true => self.variants(name, written, enumeration),
            false => self.declare_type(name, ty),
        }
    }

    fn record(&mut self, name: &Name, fields: &[(Name, ast::Type)]) {
        let mut found: Vec<(String, Type)> = Vec::new();
        for (field, ty) in fields {
            if found.iter().any(|(known, _)| *known == field.text) {
                self.twice(field, "field");
            }
            match self.ty(ty) {
                Some(ty) => found.push((field.text.clone(), ty)),
                None => self.spoil(name),
            }
        }
        if fields.is_empty() {
            self.fail(
                name.span,
                format!("the record `{}` has no fields", name.text),
            );
        }
        if self.spoilt.contains(&name.text) {
            return;
        }
        let record = Record {
            name: name.text.clone(),
            fields: found,
            shape: Shape::Fields,
        };
        self.declare_type(name, Type::Record(Rc::new(record)));
    }

    fn declare_type(&mut self, name: &Name, ty: Type) {
        let builtin = [
            "Bool", "Int", "UInt", "Real", "Float", "String", "List", "Set", "Map",
        ];
        if builtin.contains(&name.text.as_str()) || self.types.contains_key(&name.text) {
            return self.twice(name, "type");
        }
        self.types.insert(name.text.clone(), ty);
    }

    fn ty(&mut self, written: &ast::Type) -> Option<Type> {
        let name = &written.name;
        let mut ty = match (name.text.as_str(), &written.width) {
            ("List" | "Set" | "Map", _) => self.collection_type(written)?,
            ("Int" | "UInt", Some(width)) => {
                let width = self.natural(width, "bits", 64)?;
                Type::Bits {
                    width: width as u16,
                    signed: name.text == "Int",
                }
            }
            (_, Some(width)) => {
                let message = format!(
                    "only Int and UInt have a number of bits, not `{}`",
                    name.text
                );
                self.fail(width.span, message);
                return None;
            }
            ("Bool", _) => Type::Bool,
            ("Int", _) => Type::Int,
            ("UInt", _) => {
                self.fail(name.span, "say how many bits: UInt<8>");
                return None;
            }
            ("Real", _) => Type::Real,
            ("Float", _) => Type::Float,
            ("String", _) => Type::String,
            (other, _) => match self.types.get(other) {
                Some(ty) => ty.clone(),
                None => {
                    let message = format!(
                        "there is no type `{other}`; there are Bool, Int, Int<8>, UInt<8>, Real, \
                         Float, String, List, Set, Map and the model's enumerations and records"
                    );
                    self.missing(other, name.span, message);
                    return None;
                }
            },
        };
        for length in written.lengths.iter().rev() {
            let count = self.natural(length, "elements", LEAVES)?;
            if ty.size().saturating_mul(count) > LEAVES {
                let message = format!("an array of more than {LEAVES} values is too large");
                self.fail(length.span, message);
                return None;
            }
            ty = Type::Array(Box::new(ty), count);
        }
        Some(ty)
    }

    /// A constant between one and `most`.
    fn natural(&mut self, expr: &ast::Expr, what: &str, most: usize) -> Option<usize> {
        let typed = self.expression_of(expr, &Type::Int)?;
        let value = self.constant_value(&typed, expr.span)?;
        let number = match &value[0] {
            Value::Int(number) => usize::try_from(number.clone()).ok(),
            _ => None,
        };
        let number = number.filter(|number| (1..=most).contains(number));
        if number.is_none() {
            let message = format!("the number of {what} must be between 1 and {most}");
            self.fail(expr.span, message);
        }
        number
    }

    /// The value of a constant expression of this type.
    fn value_of(&mut self, expr: &ast::Expr, ty: &Type) -> Option<Vec<Value>> {
        let typed = self.expression_of(expr, ty)?;
        self.constant_value(&typed, expr.span)
    }

    fn constant_value(&mut self, expr: &crate::model::Expr, span: Span) -> Option<Vec<Value>> {
        if let Some(what) = expression::varying(expr) {
            let message = format!("the value must be known beforehand, but it has {what} in it");
            self.fail(span, message);
            return None;
        }
        if let Some(name) = self.unread_function(expr) {
            let message = format!(
                "the value must be known beforehand, but it needs `{name}`, which is declared below"
            );
            self.fail(span, message);
            return None;
        }
        let mut lowering = crate::lower::Lowering::new(&mut self.store, &self.model, Vec::new());
        let terms = lowering.lower(expr);
        let needs = std::mem::take(&mut lowering.needs);
        let is_computed = lowering.calls.is_empty();
        let (nothing, mut evaluator) = (term::Assignment::new(), Evaluator::default());
        let mut evaluation = evaluator.under(&self.store, &nothing);
        let meaningful = needs.into_iter().all(|need| evaluation.holds(need));
        let values = terms.iter().map(|&term| evaluation.value(term)).collect();
        if !meaningful {
            self.fail(span, "an index is outside its array");
            return None;
        }
        if !is_computed {
            let message = "the value must be known beforehand; it takes too many steps, or an \
                           external function";
            self.fail(span, message);
            return None;
        }
        Some(values)
    }

    fn twice(&mut self, name: &Name, what: &str) {
        let message = format!("there is another {what} `{}` already", name.text);
        self.fail(name.span, message);
    }

    /// A declaration is wrong: what uses the name is not wrong as well.
    fn spoil(&mut self, name: &Name) {
        self.spoilt.insert(name.text.clone());
    }

    /// Says that there is no such thing, unless its declaration was wrong.
    fn missing(&mut self, name: &str, span: Span, message: impl Into<String>) {
        if !self.spoilt.contains(name) {
            self.fail(span, message);
        }
    }

    fn fail(&mut self, span: Span, message: impl Into<String>) {
        self.faults.push(Fault::new(span, message));
    }
}

/// The name of a value that goes through a channel; empty if it has none.
fn named((name, _): &(Option<Name>, ast::Type)) -> String {
    name.as_ref()
        .map_or_else(String::new, |name| name.text.clone())
}
