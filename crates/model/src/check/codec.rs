//! Codecs: how the messages of channels look on the wire.

use super::Checker;
use crate::codec::{Carried, Codec, Exchange, Frame, Line, Template};
use crate::model::{Action, Channel};
use crate::syntax::ast::{self, ExprKind, Name};
use crate::types::Type;
use term::Value;

/// The kinds of codecs.
const KINDS: &str = "lines, frames and http";

impl Checker<'_> {
    /// Reads the codec of the file, if it has one; channels are known.
    pub(super) fn codec(&mut self, file: &ast::File) {
        let mut codecs = file.items.iter().filter_map(|item| match item {
            ast::Item::Codec(codec) => Some(codec),
            _ => None,
        });
        let Some(codec) = codecs.next() else {
            return;
        };
        for other in codecs {
            self.fail(other.kind.span, "there is a codec already");
        }
        self.check_entries(codec);
        let kind = codec.kind.text.as_str();
        if let (Some(length), "lines" | "http") = (&codec.length, kind) {
            self.fail(length.span, "only frames have a length");
        }
        self.model.codec = match kind {
            "lines" => Codec::Lines(self.entries(codec, Checker::line)),
            "http" => Codec::Http(self.entries(codec, Checker::exchange)),
            "frames" => {
                let length = match &codec.length {
                    Some(length) => self.natural(length, "bytes", 8).unwrap_or(1),
                    None => {
                        let message = "say how many bytes the length has: `codec frames 2 { … }`";
                        return self.fail(codec.kind.span, message);
                    }
                };
                Codec::Frames(length, self.entries(codec, Checker::frame))
            }
            _ => {
                let message = format!("there is no codec `{kind}`; there are {KINDS}");
                return self.fail(codec.kind.span, message);
            }
        };
    }

    /// Every channel that leads outside is carried, and once.
    fn check_entries(&mut self, codec: &ast::Codec) {
        for (number, (name, _)) in codec.entries.iter().enumerate() {
            let before = &codec.entries[..number];
            if before.iter().any(|(known, _)| known.text == name.text) {
                self.twice(name, "message of");
            }
        }
        let is_carried = |it: &Channel| codec.entries.iter().any(|(name, _)| name.text == it.name);
        let outside = self
            .model
            .channels
            .iter()
            .enumerate()
            .filter(|&(number, channel)| {
                !channel.is_shared
                    && self.direction(number).is_some()
                    && !is_carried(channel)
                    && Some(number) != self.model.time
            });
        let missing: Vec<String> = outside.map(|(_, it)| format!("`{}`", it.name)).collect();
        if !missing.is_empty() {
            let message = format!(
                "the codec does not say how {} is carried",
                missing.join(", ")
            );
            self.fail(codec.kind.span, message);
        }
    }

    /// Whether a channel is an input; none if no transition uses it.
    fn direction(&self, channel: usize) -> Option<bool> {
        let mut uses = self
            .model
            .transitions
            .iter()
            .filter_map(|it| match it.action {
                Action::Input { channel: used, .. } if used == channel => Some(true),
                Action::Output { channel: used, .. } if used == channel => Some(false),
                Action::Internal | Action::Input { .. } | Action::Output { .. } => None,
            });
        uses.next()
    }

    fn entries<T>(
        &mut self,
        codec: &ast::Codec,
        entry: impl Fn(&mut Self, Carried, &Name, &ast::Expr) -> Option<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for (name, value) in &codec.entries {
            let Some(number) = self.channel_named(name) else {
                continue;
            };
            let channel = &self.model.channels[number];
            let names = channel.names.iter().cloned();
            let carried = Carried {
                channel: channel.name.clone(),
                payload: names.zip(channel.payload.iter().cloned()).collect(),
            };
            found.extend(entry(self, carried, name, value));
        }
        found
    }

    fn line(&mut self, carried: Carried, name: &Name, value: &ast::Expr) -> Option<Line> {
        let ExprKind::Text(text) = &value.kind else {
            self.fail(value.span, "a text should be here, with {} for each value");
            return None;
        };
        let template = self.template(text, value)?;
        let (expected, found) = (carried.payload.len(), template.places());
        if expected != found {
            let message = format!(
                "the channel `{}` has {expected} values; the text has {found} places, written {{}}",
                name.text
            );
            self.fail(value.span, message);
            return None;
        }
        Some(Line { carried, template })
    }

    fn template(&mut self, text: &str, value: &ast::Expr) -> Option<Template> {
        match Template::parsed(text) {
            Ok(template) => Some(template),
            Err(error) => {
                self.fail(value.span, error.to_string());
                None
            }
        }
    }

    fn frame(&mut self, carried: Carried, _: &Name, value: &ast::Expr) -> Option<Frame> {
        let tag = self.small_number(value, 255)?;
        for (_, ty) in &carried.payload {
            if let Err(error) = Frame::check(ty) {
                self.fail(value.span, error.to_string());
                return None;
            }
        }
        Some(Frame {
            carried,
            tag: tag as u8,
        })
    }

    fn exchange(&mut self, carried: Carried, name: &Name, value: &ast::Expr) -> Option<Exchange> {
        let number = self.model.channel(&name.text)?;
        let is_input = self.direction(number).unwrap_or(true);
        let ExprKind::Text(text) = &value.kind else {
            if is_input {
                let message = format!(
                    "`{}` is an input: write its request, \"POST /path\"",
                    name.text
                );
                self.fail(value.span, message);
                return None;
            }
            let status = self.small_number(value, 999)? as u16;
            self.check_names(&carried, 0, value)?;
            return Some(Exchange::Response { carried, status });
        };
        if !is_input {
            let message = format!(
                "`{}` is an output: write the status of its response, 200",
                name.text
            );
            self.fail(value.span, message);
            return None;
        }
        let request = text.split_once(' ');
        let request = request.filter(|(method, path)| {
            let is_method = method.bytes().all(|byte| byte.is_ascii_uppercase());
            is_method && !method.is_empty() && path.starts_with('/') && !path.contains(' ')
        });
        let Some((method, path)) = request else {
            self.fail(
                value.span,
                "a request is a method and a path: \"POST /path\"",
            );
            return None;
        };
        let path = self.template(path, value)?;
        if path.places() > carried.payload.len() {
            self.fail(
                value.span,
                "the path has more places than the channel has values",
            );
            return None;
        }
        self.check_names(&carried, path.places(), value)?;
        Some(Exchange::Request {
            carried,
            method: method.to_owned(),
            path,
        })
    }

    /// What is in a JSON object has a name.
    fn check_names(&mut self, carried: &Carried, from: usize, value: &ast::Expr) -> Option<()> {
        let is_named = carried.payload[from..]
            .iter()
            .all(|(name, _)| !name.is_empty());
        if !is_named {
            let message = format!(
                "the values in the body need names: `channel {}(name: Type)`",
                carried.channel
            );
            self.fail(value.span, message);
        }
        is_named.then_some(())
    }

    /// A constant between zero and `most`.
    fn small_number(&mut self, expr: &ast::Expr, most: usize) -> Option<usize> {
        let value = self.value_of(expr, &Type::Int)?;
        let number = match &value[0] {
            Value::Int(number) => usize::try_from(number.clone()).ok(),
            _ => None,
        };
        let number = number.filter(|&number| number <= most);
        if number.is_none() {
            self.fail(
                expr.span,
                format!("a number from 0 to {most} should be here"),
            );
        }
        number
    }
}
