//! Values of ECMAScript that are known beforehand, and what its operators make of them.
//!
//! Variables of models have one type; those of scripts may hold a list now and a text later, or
//! nothing. Where the value is known, that does not matter.

use num_rational::BigRational;

/// A value that is known.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in super::super) enum Constant {
    Undefined,
    Null,
    Bool(bool),
    Number(BigRational),
    Text(String),
    List(Vec<Constant>),
    /// Something that the platform chooses, and of which only that much is known.
    Given(Given),
}

/// What the platform chooses.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in super::super) enum Given {
    /// What it calls a message or a session that the document has no name for.
    Id(String),
    /// What it calls the session with this root.
    Session(usize),
    /// Where messages for that session go.
    Location(usize),
    /// All that it knows to send with.
    Processors,
}

impl Given {
    fn shown(&self) -> &str {
        match self {
            Given::Id(_) => "an id that the platform chooses",
            Given::Session(_) => "_sessionid",
            Given::Location(_) => "the location of a session",
            Given::Processors => "_ioprocessors",
        }
    }
}

/// What begins a name that the platform chooses, and no name in a document.
pub(in super::super) const CHOSEN: char = '#';
/// What an address begins with that goes on with the name of a session.
const SESSION: &str = "#_scxml_";

impl Constant {
    /// A name that a document or the platform gave to something.
    pub fn of_id(id: &str) -> Constant {
        match id.starts_with(CHOSEN) {
            true => Constant::Given(Given::Id(id.to_owned())),
            false => Constant::Text(id.to_owned()),
        }
    }

    /// The text that it is where names and addresses stand.
    pub fn address(&self) -> Option<String> {
        match self {
            Constant::Text(text) => Some(text.clone()),
            Constant::Given(Given::Id(id)) => Some(id.clone()),
            Constant::Given(Given::Location(root)) => Some(format!("{SESSION}{CHOSEN}{root}")),
            _ => None,
        }
    }

    /// What `typeof` says.
    pub fn type_name(&self) -> &'static str {
        match self {
            Constant::Undefined => "undefined",
            Constant::Null | Constant::List(_) | Constant::Given(Given::Processors) => "object",
            Constant::Bool(_) => "boolean",
            Constant::Number(_) => "number",
            Constant::Text(_) | Constant::Given(_) => "string",
        }
    }

    /// Whether a condition that is this value holds.
    pub fn is_true(&self) -> bool {
        match self {
            Constant::Undefined | Constant::Null => false,
            Constant::Bool(value) => *value,
            Constant::Number(value) => *value != BigRational::default(),
            Constant::Text(text) => !text.is_empty(),
            Constant::List(_) | Constant::Given(_) => true,
        }
    }

    /// How it is written, and its type, in models; none if they have no such value.
    pub fn literal(&self) -> Option<(String, &'static str)> {
        match self {
            Constant::Undefined | Constant::Null | Constant::List(_) | Constant::Given(_) => None,
            Constant::Bool(value) => Some((value.to_string(), "Bool")),
            Constant::Number(value) if value.is_integer() => Some((value.to_string(), "Int")),
            Constant::Number(value) => decimal(value).map(|text| (text, "Real")),
            Constant::Text(text) => {
                let is_plain = !text.contains(['\\', '"', '\n']);
                is_plain.then(|| (format!("\"{text}\""), "String"))
            }
        }
    }

    /// What it is, for people.
    pub fn shown(&self) -> String {
        match self {
            Constant::Undefined => "undefined".to_owned(),
            Constant::Null => "null".to_owned(),
            Constant::Bool(value) => value.to_string(),
            Constant::Number(value) => decimal(value).unwrap_or_else(|| value.to_string()),
            Constant::Text(text) => format!("'{text}'"),
            Constant::List(values) => {
                let values: Vec<String> = values.iter().map(Constant::shown).collect();
                format!("[{}]", values.join(", "))
            }
            Constant::Given(given) => given.shown().to_owned(),
        }
    }

    /// The text that it becomes where one is added to it; none for lists, of which scripts
    /// seldom make one.
    fn as_text(&self) -> Option<String> {
        match self {
            Constant::Text(text) => Some(text.clone()),
            Constant::List(_) | Constant::Given(_) => None,
            Constant::Number(value) => decimal(value),
            Constant::Undefined | Constant::Null | Constant::Bool(_) => Some(self.shown()),
        }
    }

    /// `self + other` and the like; none if scripts do not compute it exactly.
    pub fn computed(&self, operator: &str, other: &Constant) -> Option<Constant> {
        if let (Constant::Number(left), Constant::Number(right)) = (self, other) {
            return Some(Constant::Number(match operator {
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                "/" if *right != BigRational::default() => left / right,
                _ => return None,
            }));
        }
        if let (Constant::Text(text), Constant::Given(Given::Session(root))) = (self, other)
            && (text.as_str(), operator) == (SESSION, "+")
        {
            return Some(Constant::Given(Given::Location(*root)));
        }
        let is_joined = operator == "+"
            && [self, other]
                .iter()
                .any(|it| matches!(it, Constant::Text(_)));
        match is_joined {
            true => Some(Constant::Text(self.as_text()? + &other.as_text()?)),
            false => None,
        }
    }

    /// `self < other` and the like, for two numbers or two texts.
    pub fn compared(&self, operator: &str, other: &Constant) -> Option<bool> {
        let order = match (self, other) {
            (Constant::Number(left), Constant::Number(right)) => left.cmp(right),
            (Constant::Text(left), Constant::Text(right)) => left.cmp(right),
            _ => return None,
        };
        Some(match operator {
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            _ => order.is_ge(),
        })
    }

    /// `self == other`; none where one would be converted, or where it is about which list it is.
    pub fn equals(&self, other: &Constant, is_strict: bool) -> Option<bool> {
        let is_nothing = |it: &Constant| matches!(it, Constant::Undefined | Constant::Null);
        match (self, other) {
            (Constant::List(_), Constant::List(_)) => None,
            (Constant::Given(one), Constant::Given(other)) => {
                let is_same_kind = std::mem::discriminant(one) == std::mem::discriminant(other);
                is_same_kind.then(|| one == other)
            }
            (Constant::Given(_), Constant::Text(_)) | (Constant::Text(_), Constant::Given(_)) => {
                None
            }
            _ if std::mem::discriminant(self) == std::mem::discriminant(other) => {
                Some(self == other)
            }
            _ if is_strict => Some(false),
            _ if is_nothing(self) || is_nothing(other) => {
                Some(is_nothing(self) && is_nothing(other))
            }
            _ => None,
        }
    }
}

/// A number as a short decimal, if it is one.
fn decimal(value: &BigRational) -> Option<String> {
    if value.is_integer() {
        return Some(value.to_string());
    }
    for places in 1..=9u32 {
        let scaled = value * BigRational::from_integer(10u64.pow(places).into());
        if scaled.is_integer() {
            let digits = scaled.to_integer().to_string();
            let (sign, digits) = match digits.strip_prefix('-') {
                Some(digits) => ("-", digits.to_owned()),
                None => ("", digits),
            };
            let padded = format!("{digits:0>width$}", width = places as usize + 1);
            let (whole, rest) = padded.split_at(padded.len() - places as usize);
            return Some(format!("{sign}{whole}.{rest}"));
        }
    }
    None
}
