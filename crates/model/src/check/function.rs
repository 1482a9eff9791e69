//! Functions: their types, and for external ones their bindings and the rows of their tables.

use super::Checker;
use crate::model::{Builtin, Function, Run};
use crate::syntax::ast;
use crate::syntax::{Fault, Span};
use crate::types::Type;
use rustc_hash::FxHashMap;
use term::Value;

/// The parameters of a function with their names, and what it gives.
pub(super) type Signature = (Vec<(String, Type)>, Type);

impl Checker<'_> {
    pub(super) fn function(&mut self, function: &ast::Function) {
        let name = &function.name;
        self.later.retain(|it| it.name != *name);
        let is_pending = |it: &usize| self.model.definitions[*it].is_named(&name.text);
        let is_applied = function.body.is_some() && self.pending.iter().any(is_pending);
        if !is_applied && self.is_taken(&name.text) {
            return self.twice(name, "function");
        }
        let Some((parameters, result)) = self.signature(function) else {
            return;
        };
        if let Some(body) = &function.body {
            return self.definition(function, parameters, result, body);
        }
        self.external(function, parameters, result);
    }

    /// Whether there is a function of this name.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.model.functions.iter().any(|it| it.name == name)
            || self.model.definitions.iter().any(|it| it.is_named(name))
            || Builtin::named(name).is_some()
    }

    /// The parameters of a function and what it gives, unless they are wrong.
    pub(super) fn signature(&mut self, function: &ast::Function) -> Option<Signature> {
        let name = &function.name;
        let mut parameters = Vec::new();
        for (number, (name, ty)) in function.parameters.iter().enumerate() {
            let given = name.as_ref().map(|name| name.text.clone());
            match self.ty(ty) {
                Some(ty) => {
                    parameters.push((given.unwrap_or_else(|| format!("x{}", number + 1)), ty));
                }
                None => self.spoil(&function.name),
            }
        }
        let result = self.ty(&function.result);
        let Some(result) = result.filter(|_| !self.spoilt.contains(&name.text)) else {
            self.spoil(name);
            return None;
        };
        Some((parameters, result))
    }

    /// A function that the model does not compute.
    fn external(
        &mut self,
        function: &ast::Function,
        parameters: Vec<(String, Type)>,
        result: Type,
    ) {
        let name = &function.name;
        if result.size() != 1 || matches!(result, Type::Array(..) | Type::Record(_)) {
            let message = format!("a function gives one value, not {}", result.with_article());
            self.spoil(name);
            return self.fail(function.result.name.span, message);
        }
        let location = name.span.location(self.text);
        let mut checked = Function {
            name: name.text.clone(),
            parameters,
            result,
            run: Run::Table,
            run_location: location,
            files: Vec::new(),
            rows: Vec::new(),
            location,
        };
        for binding in &function.bindings {
            self.binding(&mut checked, binding);
        }
        self.model.functions.push(checked);
    }

    fn binding(&mut self, function: &mut Function, binding: &ast::Binding) {
        let run = match binding {
            ast::Binding::Native {
                library,
                symbol,
                span,
            } => {
                let symbol = symbol
                    .as_ref()
                    .map_or(&function.name, |symbol| &symbol.text);
                let run = Run::Native {
                    library: library.as_ref().map(|library| library.text.clone()),
                    symbol: symbol.clone(),
                };
                (run, *span)
            }
            ast::Binding::Command { command, span } => match command.text.parse() {
                Ok(command) => (Run::Command(command), *span),
                Err(error) => return self.fail(*span, error.to_string()),
            },
            ast::Binding::TableFile { file } => {
                let location = file.span.location(self.text);
                function.files.push((file.text.clone(), location));
                return;
            }
            ast::Binding::Table { rows } => {
                let mut known: FxHashMap<Vec<Value>, Value> =
                    function.rows.iter().cloned().collect();
                for (arguments, result) in rows {
                    let before = self.faults.len();
                    if let Some(row) = self.row(function, arguments, result, &mut known) {
                        function.rows.push(row);
                    }
                    if self.faults.len() > before && self.is_changed(function) {
                        self.faults.truncate(before);
                        self.leave_out(function, arguments, result);
                    }
                }
                return;
            }
        };
        if function.run != Run::Table {
            self.fail(
                run.1,
                format!("`{}` is bound twice; keep one", function.name),
            );
        }
        function.run = run.0;
        function.run_location = run.1.location(self.text);
    }

    /// Whether the user's values for parameters give the function other types than
    /// the model has, which is right by itself.
    fn is_changed(&self, function: &Function) -> bool {
        let unset = self.unset.iter().flatten();
        let mut unset = unset.filter(|known| known.name == function.name);
        unset
            .any(|known| known.parameters != function.parameters || known.result != function.result)
    }

    /// Says that a row for other types is not used.
    fn leave_out(&mut self, function: &Function, arguments: &[ast::Expr], result: &ast::Expr) {
        let types: Vec<String> = function
            .parameters
            .iter()
            .map(|(_, ty)| ty.to_string())
            .collect();
        let message = format!(
            "the row is left out: with these parameters, `{}` takes {}",
            function.name,
            types.join(", ")
        );
        let warning = Fault::new(row_span(arguments, result), message);
        self.warnings.push(warning);
    }

    fn row(
        &mut self,
        function: &Function,
        arguments: &[ast::Expr],
        result: &ast::Expr,
        known: &mut FxHashMap<Vec<Value>, Value>,
    ) -> Option<(Vec<Value>, Value)> {
        let span = row_span(arguments, result);
        let leaves: usize = function.parameters.iter().map(|(_, ty)| ty.size()).sum();
        let types: Vec<Type> = match arguments.len() == function.parameters.len() {
            true => function
                .parameters
                .iter()
                .map(|(_, ty)| ty.clone())
                .collect(),
            // `(123, 96) -> 228` may stand for one array of two.
            false if arguments.len() == leaves => function
                .parameters
                .iter()
                .flat_map(|(_, ty)| ty.leaves())
                .collect(),
            false => {
                let (found, name) = (arguments.len(), &function.name);
                let expected = function.parameters.len();
                let message = match leaves == expected {
                    true => format!("the row has {found} arguments; `{name}` takes {expected}"),
                    false => format!(
                        "the row has {found} arguments; `{name}` takes {expected}, of {leaves} \
                         values in all"
                    ),
                };
                self.fail(span, message);
                return None;
            }
        };
        let mut values = Vec::new();
        let mut whole = true;
        for (argument, ty) in arguments.iter().zip(&types) {
            match self.value_of(argument, ty) {
                Some(value) => values.extend(value),
                None => whole = false,
            }
        }
        let result = self.value_of(result, &function.result)?.swap_remove(0);
        if !whole {
            return None;
        }
        let first = known
            .entry(values.clone())
            .or_insert_with(|| result.clone());
        if *first != result {
            self.fail(span, "another row gives another result for these arguments");
        }
        Some((values, result))
    }
}

/// Where a row of a table stands.
fn row_span(arguments: &[ast::Expr], result: &ast::Expr) -> Span {
    let first = arguments.first();
    first.map_or(result.span, |first| first.span.to(result.span))
}
