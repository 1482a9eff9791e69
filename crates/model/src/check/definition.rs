//! Functions that the model itself computes: `function double(x: Int): Int = 2 * x`.
//!
//! A body sees its parameters and constants and nothing else, so that a function gives the
//! same for the same arguments wherever it stands. It may apply itself, and functions above
//! it.

use super::{Checker, expression};
use crate::model::{Definition, Expr, ExprKind};
use crate::syntax::ast;
use crate::types::Type;

impl Checker<'_> {
    /// A function with this body; its name is new.
    pub(super) fn definition(
        &mut self,
        function: &ast::Function,
        parameters: Vec<(String, Type)>,
        result: Type,
        body: &ast::Expr,
    ) {
        let name = &function.name;
        let number = self.model.definitions.len();
        // Known before its body is read, for the sake of recursion.
        self.model.definitions.push(Definition {
            name: name.text.clone(),
            parameters: parameters.iter().map(|(_, ty)| ty.clone()).collect(),
            body: expression::default_of(&result),
            is_recursive: false,
        });
        self.parameters = Some(parameters);
        let checked = self.expression_of(body, &result);
        self.parameters = None;
        let Some(checked) = checked else {
            return self.spoil(name);
        };
        let is_recursive = any(
            &checked,
            &|it| matches!(it, ExprKind::Apply(it, _) if *it == number),
        );
        let is_any = any(&checked, &|it| matches!(it, ExprKind::Any));
        let is_external = any(&checked, &|it| matches!(it, ExprKind::Call(..)));
        if is_any {
            self.fail(body.span, "a function gives one value; it cannot be `any`");
        }
        if is_recursive && is_external {
            let message = "a function that applies itself cannot call an external one";
            self.fail(body.span, message);
        }
        if is_recursive && matches!(result, Type::Array(..) | Type::Record(_)) {
            let message = format!(
                "a function that applies itself gives one value, not {}",
                result.with_article()
            );
            self.fail(function.result.name.span, message);
        }
        let definition = &mut self.model.definitions[number];
        definition.body = checked;
        definition.is_recursive = is_recursive;
    }
}

/// Whether some part of the expression is so.
fn any(expr: &Expr, is_so: &dyn Fn(&ExprKind) -> bool) -> bool {
    is_so(&expr.kind) || expr.children().into_iter().any(|part| any(part, is_so))
}
