//! Functions that the model itself computes: `function double(x: Int): Int = 2 * x`.
//!
//! A body sees its parameters and constants and nothing else, so that a function gives the
//! same for the same arguments wherever it stands. It may apply itself and other functions,
//! also those that stand below it: their types are read when they are first applied, and their
//! bodies where they stand.

use super::{Checker, expression};
use crate::model::{Definition, Expr, ExprKind};
use crate::syntax::ast::{self, Name};
use crate::types::Type;

impl Checker<'_> {
    /// A function with this body; its name is new, or was applied before.
    pub(super) fn definition(
        &mut self,
        function: &ast::Function,
        parameters: Vec<(String, Type)>,
        result: Type,
        body: &ast::Expr,
    ) {
        let name = &function.name;
        let known = self.model.definitions.iter();
        let known = known.into_iter().position(|it| it.is_named(&name.text));
        // Known before its body is read, for the sake of recursion.
        let number = known.unwrap_or_else(|| self.declare(function, body, &parameters, &result));
        self.pending.retain(|&it| it != number);
        self.parameters = Some(parameters);
        let checked = self.expression_of(body, &result);
        self.parameters = None;
        let Some(checked) = checked else {
            return self.spoil(name);
        };
        if any(&checked, &|it| matches!(it, ExprKind::Any)) {
            self.fail(body.span, "a function gives one value; it cannot be `any`");
        }
        self.model.definitions[number].body = checked;
        self.find_recursion();
    }

    fn declare(
        &mut self,
        function: &ast::Function,
        body: &ast::Expr,
        parameters: &[(String, Type)],
        result: &Type,
    ) -> usize {
        self.bodies.push((body.span, function.result.name.span));
        self.model.definitions.push(Definition {
            name: function.name.text.clone(),
            parameters: parameters.iter().map(|(_, ty)| ty.clone()).collect(),
            body: expression::default_of(result),
            is_recursive: false,
            is_inherent: false,
        });
        self.model.definitions.len() - 1
    }

    /// The function of this name; in the body of a function, also one that stands below.
    pub(super) fn definition_named(&mut self, name: &Name) -> Option<usize> {
        let mut known = self.model.definitions.iter();
        if let Some(number) = known.position(|it| it.is_named(&name.text)) {
            return Some(number);
        }
        self.parameters.as_ref()?;
        let later = self.later.iter().find(|it| it.name.text == name.text)?;
        let later = later.clone();
        if self.is_taken(&name.text) {
            return None;
        }
        let body = later.body.as_ref()?;
        let (parameters, result) = self.signature(&later)?;
        let number = self.declare(&later, body, &parameters, &result);
        self.pending.push(number);
        Some(number)
    }

    /// Marks the functions that apply themselves, by way of others too.
    fn find_recursion(&mut self) {
        for number in 0..self.model.definitions.len() {
            let definition = &self.model.definitions[number];
            if definition.is_recursive || !self.applied_by(&definition.body)[number] {
                continue;
            }
            let is_external = any(&definition.body, &|it| matches!(it, ExprKind::Call(..)));
            let result = definition.body.ty.clone();
            let (body, of_result) = self.bodies[number];
            if is_external {
                let message = "a function that applies itself cannot call an external one";
                self.fail(body, message);
            }
            if matches!(result, Type::Array(..) | Type::Record(_)) {
                let message = format!(
                    "a function that applies itself gives one value, not {}",
                    result.with_article()
                );
                self.fail(of_result, message);
            }
            self.model.definitions[number].is_recursive = true;
        }
    }

    /// By function: whether the expression applies it, by way of others too.
    fn applied_by(&self, expr: &Expr) -> Vec<bool> {
        let mut applied = vec![false; self.model.definitions.len()];
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if let ExprKind::Apply(number, _) = expr.kind
                && !std::mem::replace(&mut applied[number], true)
            {
                stack.push(&self.model.definitions[number].body);
            }
            stack.extend(expr.children());
        }
        applied
    }

    /// A function that an expression applies whose body was not read yet.
    pub(super) fn unread_function(&self, expr: &Expr) -> Option<&str> {
        let applied = self.applied_by(expr);
        let number = self.pending.iter().find(|&&number| applied[number])?;
        Some(&self.model.definitions[*number].name)
    }
}

/// The functions of the file that the model computes.
pub(super) fn computed(file: &ast::File) -> Vec<ast::Function> {
    let functions = file.items.iter().filter_map(|item| match item {
        ast::Item::Function(function) if function.body.is_some() => Some(function.clone()),
        _ => None,
    });
    functions.collect()
}

/// Whether some part of the expression is so.
fn any(expr: &Expr, is_so: &dyn Fn(&ExprKind) -> bool) -> bool {
    is_so(&expr.kind) || expr.children().into_iter().any(|part| any(part, is_so))
}
