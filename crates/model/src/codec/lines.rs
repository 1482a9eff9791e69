//! Lines of text with values in them: `refused = "ERR {} tries left"`.

use super::{Carried, Message};
use crate::types::Type;
use crate::value::from_json;
use serde_json::Value as Json;

/// A text with places for values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The text before the first place, between two, and behind the last.
    pieces: Vec<String>,
}

/// Why a text is no template.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TemplateError {
    /// Nothing says where one value ends and the next begins.
    #[error("there must be something between two values")]
    Adjacent,
    /// A line cannot have several.
    #[error("a message is one line")]
    Newline,
}

impl Template {
    /// The template that a text is: `{}` is a place for a value.
    ///
    /// # Errors
    ///
    /// When lines cannot be read back by it.
    pub fn parsed(text: &str) -> Result<Template, TemplateError> {
        let pieces: Vec<String> = text.split("{}").map(str::to_owned).collect();
        let between = pieces.get(1..pieces.len() - 1).unwrap_or_default();
        if between.iter().any(String::is_empty) {
            return Err(TemplateError::Adjacent);
        }
        match text.contains(['\n', '\r']) {
            true => Err(TemplateError::Newline),
            false => Ok(Template { pieces }),
        }
    }

    /// How many values it has places for.
    pub fn places(&self) -> usize {
        self.pieces.len() - 1
    }

    /// The text with these values in their places.
    pub fn filled(&self, values: &[Json]) -> String {
        let mut text = self.pieces[0].clone();
        for (value, piece) in values.iter().zip(&self.pieces[1..]) {
            text += &plain(value);
            text += piece;
        }
        text
    }

    /// What stands in the places, if the text is so; a value ends where the text behind its
    /// place first comes.
    fn values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut rest = text.strip_prefix(&self.pieces[0])?;
        let mut found = Vec::new();
        for (number, piece) in self.pieces[1..].iter().enumerate() {
            let at = match number + 1 == self.places() {
                true => rest.len().checked_sub(piece.len())?,
                false => rest.find(piece)?,
            };
            let (value, behind) = (rest.get(..at)?, rest.get(at..)?);
            found.push(value);
            rest = behind.strip_prefix(piece.as_str())?;
        }
        rest.is_empty().then_some(found)
    }
}

/// The line of a channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The channel.
    pub carried: Carried,
    /// What the line says.
    pub template: Template,
}

impl Line {
    pub(super) fn encoded(&self, values: &[Json]) -> Result<Vec<u8>, String> {
        let line = self.template.filled(values);
        match line.contains(['\n', '\r']) {
            true => Err("a value has more than one line".to_owned()),
            false => Ok((line + "\n").into_bytes()),
        }
    }

    pub(super) fn decoded(&self, line: &str) -> Option<Message> {
        let texts = self.template.values(line)?;
        let payload = self.carried.payload.iter();
        let values = texts.into_iter().zip(payload);
        let values = values.map(|(text, (_, ty))| read(ty, text));
        Some(Message {
            channel: self.carried.channel.clone(),
            values: values.collect::<Option<_>>()?,
        })
    }
}

/// A value as a line has it.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The value of this type that a text is.
fn read(ty: &Type, text: &str) -> Option<Json> {
    let json = match ty {
        // Numbers may stand as text; those are read exactly.
        Type::String
        | Type::Enumeration(_)
        | Type::Int
        | Type::Bits { .. }
        | Type::Real
        | Type::Float => Json::String(text.to_owned()),
        Type::Bool | Type::Array(..) | Type::Record(_) => serde_json::from_str(text).ok()?,
    };
    from_json(ty, &json).is_ok().then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
        let template = Template::parsed(template).expect("it is a template");
        template.values(text)
    }

    #[test]
    fn a_template_reads_back_what_it_wrote_and_nothing_else() {
        assert_eq!(values("OK", "OK"), Some(vec![]));
        assert_eq!(values("OK", "OKAY"), None);
        assert_eq!(values("ERR {} left", "ERR 2 left"), Some(vec!["2"]));
        assert_eq!(values("ERR {} left", "ERR  left"), Some(vec![""]));
        assert_eq!(values("ERR {} left", "ERR left"), None);
        assert_eq!(values("{},{};", "a,b,c;"), Some(vec!["a", "b,c"]));
        assert_eq!(values("SAY {}", "SAY a b {}"), Some(vec!["a b {}"]));
        assert_eq!(values("{}", "é"), Some(vec!["é"]));
        assert_eq!(Template::parsed("{}{}"), Err(TemplateError::Adjacent));
        assert_eq!(Template::parsed("a\nb"), Err(TemplateError::Newline));
    }
}
