//! Expressions on their way to models: their text, with brackets where they are needed, and
//! their value where it is known.

use super::super::precedence::{AND, COMPARISON, CONDITIONAL, OR, PRIMARY, PRODUCT, SIGN, SUM};
use super::constant::Constant;

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Trouble {
    /// It has something that models do not.
    Foreign(String),
    /// It is an error in the script itself, whatever runs it.
    Wrong(String),
}

impl From<String> for Trouble {
    fn from(what: String) -> Trouble {
        Trouble::Foreign(what)
    }
}

impl Trouble {
    /// What is the trouble.
    pub fn what(self) -> String {
        match self {
            Trouble::Foreign(what) | Trouble::Wrong(what) => what,
        }
    }
}

/// An expression as models write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Written {
    pub text: String,
    /// Its type, if its parts say it.
    pub ty: Option<&'static str>,
    /// Its value, if that is known.
    pub constant: Option<Constant>,
    /// How tightly its outermost operator binds.
    pub(super) level: u8,
}

impl Written {
    /// `true` or `false`.
    pub fn constant(value: bool) -> Written {
        Written::known(Constant::Bool(value))
    }

    /// A value that is known; one that models do not have is for people to read.
    pub fn known(value: Constant) -> Written {
        let (text, ty) = match value.literal() {
            Some((text, ty)) => (text, Some(ty)),
            None => (value.shown(), None),
        };
        let is_signed = text.starts_with('-');
        Written {
            text,
            ty,
            constant: Some(value),
            level: if is_signed { SIGN } else { PRIMARY },
        }
    }

    /// That a script would take it for true.
    pub fn truth(self) -> Written {
        match (&self.constant, self.ty) {
            (Some(value), _) => Written::constant(value.is_true()),
            (None, Some("Int" | "Real")) => unlike(&self, "0"),
            (None, Some("String")) => unlike(&self, "\"\""),
            (None, _) => self,
        }
    }

    /// Itself, if models have such values.
    pub fn solid(self) -> Result<Written, Trouble> {
        match &self.constant {
            Some(value) if value.literal().is_none() => {
                Err(Trouble::Foreign(format!("`{}`", value.shown())))
            }
            _ => Ok(self),
        }
    }
}

pub(super) fn foreign(what: impl Into<String>) -> Trouble {
    Trouble::Foreign(what.into())
}

pub(super) fn leaf(text: &str, ty: Option<&'static str>) -> Written {
    Written {
        text: text.to_owned(),
        ty,
        constant: None,
        level: PRIMARY,
    }
}

/// That it is not this value.
pub(super) fn unlike(it: &Written, value: &str) -> Written {
    Written {
        text: format!("{} != {value}", at_least(it, SUM)),
        ty: Some("Bool"),
        constant: None,
        level: COMPARISON,
    }
}

/// `undefined` and `null` have no members; to ask for one is an error.
pub(super) fn nothing_of(value: &Written) -> Result<(), Trouble> {
    match &value.constant {
        Some(it @ (Constant::Undefined | Constant::Null)) => {
            Err(Trouble::Wrong(format!("a member of `{}`", it.shown())))
        }
        _ => Ok(()),
    }
}

/// An element of a list that is known.
pub(super) fn element(list: &Written, index: &Written) -> Result<Written, Trouble> {
    let (Some(Constant::List(values)), Some(Constant::Number(index))) =
        (&list.constant, &index.constant)
    else {
        return Err(foreign(format!("an element of `{}`", list.text)));
    };
    let index = usize::try_from(index.to_integer())
        .ok()
        .filter(|_| index.is_integer());
    let found = index.and_then(|index| values.get(index)).cloned();
    Ok(Written::known(found.unwrap_or(Constant::Undefined)))
}

/// The text, in brackets where it binds less tightly than that.
pub(super) fn at_least(it: &Written, level: u8) -> String {
    match it.level >= level {
        true => it.text.clone(),
        false => format!("({})", it.text),
    }
}

pub(super) fn called(function: &str, arguments: &[Written], ty: Option<&'static str>) -> Written {
    let arguments: Vec<&str> = arguments.iter().map(|it| it.text.as_str()).collect();
    Written {
        text: format!("{function}({})", arguments.join(", ")),
        ty,
        constant: None,
        level: PRIMARY,
    }
}

pub(super) fn chosen(
    condition: &Written,
    then: Written,
    otherwise: Written,
) -> Result<Written, Trouble> {
    match condition.text.as_str() {
        "true" => Ok(then),
        "false" => Ok(otherwise),
        text => {
            let (then, otherwise) = (then.solid()?, otherwise.solid()?);
            Ok(Written {
                text: format!("if {text} then {} else {}", then.text, otherwise.text),
                ty: then.ty.or(otherwise.ty),
                constant: None,
                level: CONDITIONAL,
            })
        }
    }
}

/// That one of the two holds.
pub(super) fn either(left: &Written, right: &Written) -> Written {
    match (left.text.as_str(), right.text.as_str()) {
        ("true", _) | (_, "false") => left.clone(),
        (_, "true") | ("false", _) => right.clone(),
        _ => Written {
            text: format!("{} or {}", at_least(left, OR), at_least(right, AND)),
            ty: Some("Bool"),
            constant: None,
            level: OR,
        },
    }
}

/// That both hold.
pub(in super::super) fn both(left: &Written, right: &Written) -> Written {
    match (left.text.as_str(), right.text.as_str()) {
        ("false", _) | (_, "true") => left.clone(),
        (_, "false") | ("true", _) => right.clone(),
        _ => Written {
            text: format!(
                "{} and {}",
                at_least(left, AND),
                at_least(right, COMPARISON)
            ),
            ty: Some("Bool"),
            constant: None,
            level: AND,
        },
    }
}

/// That it does not hold.
pub(in super::super) fn negated(it: &Written) -> Written {
    match it.text.as_str() {
        "true" => Written::constant(false),
        "false" => Written::constant(true),
        _ => Written {
            text: format!("not {}", at_least(it, SUM)),
            ty: Some("Bool"),
            constant: None,
            level: COMPARISON,
        },
    }
}

/// `a % b` has the sign of `a`; `mod` is never negative.
pub(super) fn remainder(left: &Written, right: &Written) -> Result<Written, Trouble> {
    let is_whole = right.text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_whole || right.text.bytes().all(|byte| byte == b'0') {
        return Err(foreign(format!("`%` by `{}`, which may be 0", right.text)));
    }
    if let (Some(Constant::Number(value)), Some(Constant::Number(by))) =
        (&left.constant, &right.constant)
    {
        return Ok(Written::known(Constant::Number(value % by)));
    }
    let (value, by) = (at_least(left, PRODUCT), &right.text);
    let opposite = at_least(left, SIGN);
    Ok(Written {
        text: format!("if {value} >= 0 then {value} mod {by} else -(-{opposite} mod {by})"),
        ty: Some("Int"),
        constant: None,
        level: CONDITIONAL,
    })
}
