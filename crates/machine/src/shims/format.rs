//! Formats of `printf` and `scanf`, held against the arguments they are used with.
//!
//! What is an error here reads bits that nobody passed, or bits of another kind: an
//! argument that is missing, an `int` where 64 bits are taken, a number for a pointer, an
//! integer for a floating-point number. A `long` for `%d` loses its upper half, as everywhere.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::{Extra, State};
use program::{FloatKind, Kind};

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_argument" => argument,
        _ => return None,
    })
}

/// What a conversion takes, as `enum ep_taken` of the library numbers it.
#[derive(Clone, Copy)]
enum Taken {
    Int,
    Long,
    Pointer,
    Double,
    LongDouble,
}

impl Taken {
    fn of(number: u64) -> Taken {
        match number {
            0 => Taken::Int,
            1 => Taken::Long,
            2 => Taken::Pointer,
            3 => Taken::Double,
            _ => Taken::LongDouble,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Taken::Int => "an int",
            Taken::Long => "64 bits",
            Taken::Pointer => "a pointer",
            Taken::Double => "a double",
            Taken::LongDouble => "a long double",
        }
    }

    fn fits(self, passed: Extra) -> bool {
        let Extra::Scalar(kind, _) = passed else {
            return false;
        };
        match (self, kind) {
            (Taken::Int, Kind::Int(width)) => width <= 64,
            // Addresses are kept in integers, too.
            (Taken::Long | Taken::Pointer, Kind::Int(64)) => true,
            (Taken::Int | Taken::Long | Taken::Pointer, Kind::Ptr) => true,
            (Taken::Double, Kind::Float(FloatKind::Double)) => true,
            (Taken::LongDouble, Kind::Float(FloatKind::X87)) => true,
            _ => false,
        }
    }
}

/// `__ep_argument(list, taken, letter)`: a conversion is about to take its argument.
fn argument(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let Some((before, passed)) = m.upcoming_argument(state, call.arg(0))? else {
        return Ok(Returned::Nothing);
    };
    let taken = Taken::of(m.concretize(state, call.arg(1), 32));
    if passed.is_some_and(|passed| taken.fits(passed)) {
        return Ok(Returned::Nothing);
    }
    let letter = m.example(state, call.arg(2), 8) as u8;
    let letter = char::from(letter).escape_default();
    let number = before + 1;
    let taken = taken.name();
    let message = match passed {
        Some(passed) => format!(
            "`{letter}` of the format takes {taken}, but argument {number} after the format's \
             is {}",
            name(passed)
        ),
        None => {
            format!("`{letter}` of the format takes {taken}, but there is no argument {number}")
        }
    };
    error(ErrorKind::Format, message)
}

/// What was passed, as C would call it.
fn name(passed: Extra) -> String {
    match passed {
        Extra::Scalar(Kind::Ptr, _) => "a pointer".to_owned(),
        Extra::Scalar(Kind::Int(width), _) => format!("an integer of {width} bits"),
        Extra::Scalar(Kind::Float(FloatKind::X87), _) => "a long double".to_owned(),
        Extra::Scalar(Kind::Float(_), _) => "a double".to_owned(),
        Extra::Object { .. } => "a structure".to_owned(),
    }
}
