//! Checks that clang compiles into a program (`-fsanitize=undefined`), and what the program
//! does when one fails: it calls a handler that says which, or executes a trap that has its
//! number.
//!
//! Each is an error of its own kind. What a handler is given are addresses of constants:
//! where the check is in the source, which is known anyway, and the type it is about.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::State;
use crate::value::{Value, mask};
use program::Kind;

/// A check: its name in handlers, the kind of error, and what failed.
type Check = (&'static str, ErrorKind, &'static str);

/// The checks, in the order of the numbers that traps have (clang's SanitizerHandler.h).
const CHECKS: [Check; 25] = [
    (
        "add_overflow",
        ErrorKind::SignedOverflow,
        "an addition overflows",
    ),
    (
        "builtin_unreachable",
        ErrorKind::Unreachable,
        "code was reached that must not be",
    ),
    (
        "cfi_check_fail",
        ErrorKind::BadCall,
        "a call that control-flow integrity forbids",
    ),
    (
        "divrem_overflow",
        ErrorKind::Division,
        "a division by zero, or one that overflows",
    ),
    (
        "dynamic_type_cache_miss",
        ErrorKind::BadCall,
        "an object of another dynamic type",
    ),
    (
        "float_cast_overflow",
        ErrorKind::FloatCast,
        "a number does not fit the type it is converted to",
    ),
    (
        "function_type_mismatch",
        ErrorKind::BadCall,
        "a call of a function of another type",
    ),
    (
        "implicit_conversion",
        ErrorKind::LossyConversion,
        "an implicit conversion changes the value",
    ),
    (
        "invalid_builtin",
        ErrorKind::InvalidValue,
        "zero given to a builtin that counts zeros",
    ),
    (
        "invalid_objc_cast",
        ErrorKind::BadCall,
        "an object of another class",
    ),
    (
        "load_invalid_value",
        ErrorKind::InvalidValue,
        "a value that its type does not have",
    ),
    (
        "missing_return",
        ErrorKind::MissingReturn,
        "the end of a function that should return a value",
    ),
    (
        "mul_overflow",
        ErrorKind::SignedOverflow,
        "a multiplication overflows",
    ),
    (
        "negate_overflow",
        ErrorKind::SignedOverflow,
        "a negation overflows",
    ),
    (
        "nullability_arg",
        ErrorKind::NullArgument,
        "null given where it must not be",
    ),
    (
        "nullability_return",
        ErrorKind::NullArgument,
        "null returned where it must not be",
    ),
    (
        "nonnull_arg",
        ErrorKind::NullArgument,
        "null given where it must not be",
    ),
    (
        "nonnull_return",
        ErrorKind::NullArgument,
        "null returned where it must not be",
    ),
    (
        "out_of_bounds",
        ErrorKind::IndexOutOfBounds,
        "an index out of bounds",
    ),
    (
        "pointer_overflow",
        ErrorKind::PointerOverflow,
        "pointer arithmetic overflows",
    ),
    (
        "shift_out_of_bounds",
        ErrorKind::Shift,
        "a shift that its type does not allow",
    ),
    (
        "sub_overflow",
        ErrorKind::SignedOverflow,
        "a subtraction overflows",
    ),
    (
        "type_mismatch",
        ErrorKind::Misaligned,
        "an address that is null or not aligned",
    ),
    (
        "alignment_assumption",
        ErrorKind::Misaligned,
        "an address is not aligned as was said",
    ),
    (
        "vla_bound_not_positive",
        ErrorKind::VlaBound,
        "an array whose length is not positive",
    ),
];

/// Where a handler's data has the address of its type, after a file, a line and a column.
const TYPE_AT: u64 = 16;
/// Where that of an address has the logarithm of its alignment.
const ALIGNMENT_AT: u64 = TYPE_AT + 8;

pub(super) fn find(name: &str) -> Option<Shim> {
    check(name).map(|_| failed as Shim)
}

/// The check of a handler. There are variants that go on, that abort, and of a smaller
/// runtime, and versions; a path ends at a failed check in all of them.
fn check(handler: &str) -> Option<Check> {
    let mut name = handler.strip_prefix("__ubsan_handle_")?;
    for suffix in ["_abort", "_minimal", "_v1", "_v2", "_preserve"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    CHECKS.into_iter().find(|(own, ..)| *own == name)
}

/// The error of a trap with this number.
pub(crate) fn trapped<T>(number: u64) -> Result<T, Halt> {
    let known = usize::try_from(number).ok().and_then(|it| CHECKS.get(it));
    match known {
        Some(&(_, kind, words)) => error(kind, words),
        None => error(
            ErrorKind::Abort,
            format!("check {number} of the sanitizer failed"),
        ),
    }
}

fn failed(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let handler = m.program.functions[call.function.index()].name.clone();
    let (name, kind, words) = check(&handler).expect("only known names are found");
    // The smaller runtime is told nothing.
    if handler.contains("_minimal") || call.args.is_empty() {
        return error(kind, words);
    }
    let about = Type::read(m, state, call.arg(0));
    let Some(about) = about.filter(|about| !about.name.is_empty()) else {
        return error(kind, words);
    };
    let type_name = &about.name;
    let (kind, message) = match name {
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => {
            let kind = match about.is_signed {
                true => ErrorKind::SignedOverflow,
                false => ErrorKind::UnsignedOverflow,
            };
            let operands = call.args.iter().skip(1);
            let operands: Option<Vec<String>> = operands
                .map(|&value| about.shown(m, state, value))
                .collect();
            let of = operands.map_or_else(String::new, |it| format!(" of {}", it.join(" and ")));
            let what = words.trim_end_matches(" overflows");
            (kind, format!("{what}{of} overflows in type {type_name}"))
        }
        "type_mismatch" => mismatch(m, state, call, &about),
        "load_invalid_value" => {
            let value = about.shown(m, state, call.arg(1));
            let value = value.unwrap_or_else(|| "a value".to_owned());
            (
                kind,
                format!("{value}, which is no value of type {type_name}"),
            )
        }
        "out_of_bounds" => (kind, format!("{words} for type {type_name}")),
        "float_cast_overflow" | "implicit_conversion" => {
            (kind, format!("{words}, from {type_name}"))
        }
        "shift_out_of_bounds" => (
            kind,
            format!("a shift that type {type_name} does not allow"),
        ),
        _ => (kind, words.to_owned()),
    };
    error(kind, message)
}

/// An address that is null, not aligned, or of an object that is too small.
fn mismatch(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    about: &Type,
) -> (ErrorKind, String) {
    let address = m.example(state, call.arg(1), 64);
    let data = m.example(state, call.arg(0), 64);
    let alignment = constant(m, state, data + ALIGNMENT_AT, Kind::Int(8)).unwrap_or(0);
    let bytes = 1u64 << alignment.min(63);
    let type_name = &about.name;
    if address == 0 {
        let message = format!("a null pointer used for an object of type {type_name}");
        return (ErrorKind::NullDereference, message);
    }
    if address & (bytes - 1) != 0 {
        let message = format!("an address for type {type_name} that is no multiple of {bytes}");
        return (ErrorKind::Misaligned, message);
    }
    let message = format!("an object that is too small for type {type_name}");
    (ErrorKind::OutOfBoundsRead, message)
}

/// A number in the program's constants.
fn constant(m: &mut Machine<'_>, state: &mut State, address: u64, kind: Kind) -> Option<u64> {
    let value = m.load(state, Value::word(address), kind).ok()?;
    value.as_word()
}

/// A type as a handler is told of it.
struct Type {
    /// As a person writes it, in quotes.
    name: String,
    is_signed: bool,
    /// Bits of a whole number; 0 for other types.
    width: u16,
}

impl Type {
    /// The type that the data of a check names: whether it is a whole number, how large it
    /// is, and its name.
    fn read(m: &mut Machine<'_>, state: &mut State, data: Value) -> Option<Type> {
        const INTEGER: u64 = 0;
        let data = m.example(state, data, 64);
        let about = constant(m, state, data + TYPE_AT, Kind::Ptr)?;
        let kind = constant(m, state, about, Kind::Int(16))?;
        let properties = constant(m, state, about + 2, Kind::Int(16))?;
        let name = m.string(state, Value::word(about + 4)).ok()?;
        let is_integer = kind == INTEGER;
        Some(Type {
            name,
            is_signed: is_integer && properties & 1 == 1,
            width: if is_integer {
                1 << (properties >> 1).min(15)
            } else {
                0
            },
        })
    }

    /// A value of the type, of a path that has it, as a number. What is wider than a
    /// register is handed over by its address, and not shown.
    fn shown(&self, m: &mut Machine<'_>, state: &State, value: Value) -> Option<String> {
        if self.width == 0 || self.width > 64 {
            return None;
        }
        let word = m.glance(state, value, 64) & mask(self.width.into());
        let unused = 64 - u32::from(self.width);
        Some(match self.is_signed {
            true => (((word << unused) as i64) >> unused).to_string(),
            false => word.to_string(),
        })
    }
}
