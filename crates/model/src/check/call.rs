//! Calls: of external functions, of records, and of what the language has itself.

use super::Checker;
use super::collection::{collection, is_operation};
use super::expression::converted;
use crate::model::{Builtin, Expr, ExprKind};
use crate::pattern;
use crate::syntax::ast::{self, Name};
use crate::types::Type;
use term::Value;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        hint: Option<&Type>,
    ) -> Option<Expr> {
        if let Some(Type::Record(record)) = self.types.get(&name.text) {
            let record = record.clone();
            if !record.variants().is_empty() {
                let values = record.variants().join(", ");
                let message = format!("`{}` is one of {values}: write which", name.text);
                self.fail(name.span, message);
                return None;
            }
            let types: Vec<Type> = record.fields.iter().map(|(_, ty)| ty.clone()).collect();
            let parts = self.arguments(name, arguments, &types)?;
            return Some(Expr {
                kind: ExprKind::Gather(parts),
                ty: Type::Record(record),
            });
        }
        let known = self
            .model
            .functions
            .iter()
            .position(|f| f.name == name.text);
        if let Some(number) = known {
            let function = &self.model.functions[number];
            let ty = function.result.clone();
            let types: Vec<Type> = function
                .parameters
                .iter()
                .map(|(_, ty)| ty.clone())
                .collect();
            let parts = self.arguments(name, arguments, &types)?;
            return Some(Expr {
                kind: ExprKind::Call(number, parts),
                ty,
            });
        }
        if let Some(number) = self.definition_named(name) {
            let definition = &self.model.definitions[number];
            let (ty, types) = (definition.body.ty.clone(), definition.parameters.clone());
            let parts = self.arguments(name, arguments, &types)?;
            return Some(Expr {
                kind: ExprKind::Apply(number, parts),
                ty,
            });
        }
        if let Some(value) = self.variant(name, arguments, hint) {
            return value;
        }
        if is_operation(&name.text)
            && let Some((first, others)) = arguments.split_first()
        {
            let first = self.expression(first, hint)?;
            if collection(&first.ty).is_none() {
                let message = format!("{} has no `{}`", first.ty.with_article(), name.text);
                self.fail(name.span, message);
                return None;
            }
            return self.collection_call(name, first, others);
        }
        match name.text.as_str() {
            "text" => return self.conversion(name, arguments, Type::String),
            "real" => return self.conversion(name, arguments, Type::Real),
            "int" => return self.conversion(name, arguments, Type::Int),
            "float" => return self.conversion(name, arguments, Type::Float),
            _ => {}
        }
        let Some(builtin) = Builtin::named(&name.text) else {
            let message = format!(
                "there is no function `{}`; declare it with `function {}(…): …`",
                name.text, name.text
            );
            self.missing(&name.text, name.span, message);
            return None;
        };
        if let Builtin::Length | Builtin::Contains | Builtin::IndexOf = builtin
            && let Some((first, others)) = arguments.split_first()
        {
            return self.of_text_or_collection(builtin, name, first, others);
        }
        self.builtin(builtin, name, arguments, hint)
    }

    /// What texts and collections both have.
    fn of_text_or_collection(
        &mut self,
        builtin: Builtin,
        name: &Name,
        first: &ast::Expr,
        others: &[ast::Expr],
    ) -> Option<Expr> {
        let typed = self.expression(first, None)?;
        if collection(&typed.ty).is_some() {
            return self.collection_call(name, typed, others);
        }
        if typed.ty != Type::String {
            let message = format!(
                "it is {}, and a String should be here",
                typed.ty.with_article()
            );
            self.fail(first.span, message);
            return None;
        }
        let (types, ty): (&[Type], Type) = match builtin {
            Builtin::Length => (&[], Type::Int),
            Builtin::IndexOf => (&[Type::String], Type::Int),
            _ => (&[Type::String], Type::Bool),
        };
        if others.len() != types.len() {
            let (expected, found) = (types.len() + 1, others.len() + 1);
            let message = format!("`{}` takes {expected} values, not {found}", name.text);
            self.fail(name.span, message);
            return None;
        }
        let mut parts = vec![typed];
        parts.extend(self.arguments(name, others, types)?);
        Some(Expr {
            kind: ExprKind::Builtin(builtin, parts),
            ty,
        })
    }

    pub(super) fn arguments(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        types: &[Type],
    ) -> Option<Vec<Expr>> {
        if arguments.len() != types.len() {
            let (expected, found) = (types.len(), arguments.len());
            let message = format!("`{}` takes {expected} values, not {found}", name.text);
            self.fail(name.span, message);
            return None;
        }
        let pairs = arguments.iter().zip(types);
        let parts: Vec<Option<Expr>> = pairs.map(|(a, ty)| self.expression_of(a, ty)).collect();
        parts.into_iter().collect()
    }

    fn conversion(&mut self, name: &Name, arguments: &[ast::Expr], to: Type) -> Option<Expr> {
        let [argument] = arguments else {
            self.fail(name.span, format!("`{}` takes one value", name.text));
            return None;
        };
        let found = self.expression(argument, None)?;
        let is_possible = match (&found.ty, &to) {
            (Type::Enumeration(_) | Type::String, Type::Int) => true,
            (Type::Int | Type::Bits { .. }, Type::String) => true,
            (_, Type::String) => false,
            (from, _) => from.is_number(),
        };
        if !is_possible {
            let message = format!(
                "{} cannot become {}",
                found.ty.with_article(),
                to.with_article()
            );
            self.fail(argument.span, message);
            return None;
        }
        Some(converted(found, to))
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        name: &Name,
        arguments: &[ast::Expr],
        hint: Option<&Type>,
    ) -> Option<Expr> {
        let (parts, ty) = match builtin {
            Builtin::Abs => match arguments {
                [argument] => {
                    let found = self.expression(argument, hint)?;
                    let ty = found.ty.clone();
                    (vec![found], ty)
                }
                _ => (self.arguments(name, arguments, &[Type::Int])?, Type::Int),
            },
            Builtin::Min | Builtin::Max => match arguments {
                [left, right] => {
                    let (left, right) = self.same_type(left, right, name.span, hint)?;
                    let ty = left.ty.clone();
                    (vec![left, right], ty)
                }
                _ => (
                    self.arguments(name, arguments, &[Type::Int, Type::Int])?,
                    Type::Int,
                ),
            },
            Builtin::CharAt => {
                let types = [Type::String, Type::Int];
                (self.arguments(name, arguments, &types)?, Type::String)
            }
            Builtin::Replace | Builtin::ReplaceAll => {
                let types = [Type::String, Type::String, Type::String];
                (self.arguments(name, arguments, &types)?, Type::String)
            }
            Builtin::Matches => (self.pattern_arguments(name, arguments)?, Type::Bool),
            Builtin::Length | Builtin::IndexOf | Builtin::Contains => {
                let message = format!("`{}` takes a text or a collection", name.text);
                self.fail(name.span, message);
                return None;
            }
            Builtin::StartsWith | Builtin::EndsWith => {
                let types = [Type::String, Type::String];
                (self.arguments(name, arguments, &types)?, Type::Bool)
            }
            Builtin::Substring => {
                let types = [Type::String, Type::Int, Type::Int];
                (self.arguments(name, arguments, &types)?, Type::String)
            }
        };
        let numeric = matches!(builtin, Builtin::Abs | Builtin::Min | Builtin::Max);
        if numeric && !ty.is_number() {
            self.fail(
                name.span,
                format!("`{}` takes numbers, not {}", name.text, ty.with_article()),
            );
            return None;
        }
        Some(Expr {
            kind: ExprKind::Builtin(builtin, parts),
            ty,
        })
    }

    /// A text and a pattern, which is known beforehand.
    fn pattern_arguments(&mut self, name: &Name, arguments: &[ast::Expr]) -> Option<Vec<Expr>> {
        let types = [Type::String, Type::String];
        let mut parts = self.arguments(name, arguments, &types)?;
        let span = arguments[1].span;
        let value = self.constant_value(&parts[1], span)?;
        if let [Value::Str(codes)] = &value[..]
            && let Err(error) = pattern::parsed(codes)
        {
            self.fail(span, format!("the pattern is wrong: {error}"));
            return None;
        }
        parts[1].kind = ExprKind::Value(value);
        Some(parts)
    }
}
