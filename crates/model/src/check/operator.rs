//! Operators, and how their operands come to one type.

use super::Checker;
use super::expression::converted;
use crate::model::{Expr, ExprKind, Operator};
use crate::syntax::Span;
use crate::syntax::ast;
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        operator: Operator,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        hint: Option<&Type>,
    ) -> Option<Expr> {
        let build = |operator, left, right, ty| {
            Some(Expr {
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                ty,
            })
        };
        if let Operator::Or | Operator::And | Operator::Implies = operator {
            let left = self.expression_of(left, &Type::Bool);
            let right = self.expression_of(right, &Type::Bool);
            return build(operator, left?, right?, Type::Bool);
        }
        let compares = operator.compares();
        let hint = hint.filter(|_| !compares);
        let (mut left, mut right) = self.same_type(left, right, span, hint)?;
        let ty = left.ty.clone();
        let problem = match operator {
            Operator::Equal | Operator::Unequal => None,
            _ if compares => {
                let ordered = ty.is_number() || ty == Type::String;
                (!ordered).then(|| format!("{} has no order", ty.with_article()))
            }
            Operator::Add if ty == Type::String => None,
            Operator::IntegerDivide | Operator::Modulo => {
                let whole = matches!(ty, Type::Int | Type::Bits { .. });
                (!whole).then(|| {
                    format!(
                        "div and mod take integers, not {}; there is /",
                        ty.with_article()
                    )
                })
            }
            Operator::Divide => match ty {
                Type::Real | Type::Float => None,
                Type::Int if hint == Some(&Type::Real) => {
                    left = converted(left, Type::Real);
                    right = converted(right, Type::Real);
                    None
                }
                _ => Some(format!(
                    "/ divides a Real or a Float, not {}; use div, or real(…)",
                    ty.with_article()
                )),
            },
            _ => {
                (!ty.is_number()).then(|| format!("{} cannot be computed with", ty.with_article()))
            }
        };
        if let Some(problem) = problem {
            self.fail(span, problem);
            return None;
        }
        let ty = left.ty.clone();
        let result = if compares { Type::Bool } else { ty };
        build(operator, left, right, result)
    }

    /// Two expressions brought to one type.
    pub(super) fn same_type(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        hint: Option<&Type>,
    ) -> Option<(Expr, Expr)> {
        // What is written as a plain number takes the type of the other side.
        let before = self.faults.len();
        let first = self.expression(left, hint);
        let second = self.expression(right, first.as_ref().map(|first| &first.ty).or(hint));
        let (mut first, mut second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (None, Some(second)) if is_bare(left) => {
                self.faults.truncate(before);
                (self.expression(left, Some(&second.ty))?, second)
            }
            _ => return None,
        };
        if first.ty != second.ty && is_bare(left) {
            let again = self.expression(left, Some(&second.ty))?;
            if again.ty == second.ty {
                first = again;
            }
        }
        match (&first.ty, &second.ty) {
            (Type::Int, Type::Real) => first = converted(first, Type::Real),
            (Type::Real, Type::Int) => second = converted(second, Type::Real),
            _ => {}
        }
        if first.ty != second.ty {
            let message = format!(
                "{} and {} do not go together",
                first.ty.with_article(),
                second.ty.with_article()
            );
            self.fail(span, message);
            return None;
        }
        Some((first, second))
    }
}

/// Whether its type depends on what is around it.
fn is_bare(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Number(_) | ast::ExprKind::Name(_) => true,
        ast::ExprKind::Negate(inner) => is_bare(inner),
        ast::ExprKind::List(elements) => elements.iter().all(is_bare),
        ast::ExprKind::Pairs(pairs) => pairs.iter().all(|(key, it)| is_bare(key) && is_bare(it)),
        ast::ExprKind::Binary(_, left, right) => is_bare(left) && is_bare(right),
        _ => false,
    }
}
