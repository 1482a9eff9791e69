//! The two views of a float: the bits in a register, and the number they are.
//!
//! A register's term is a bit-vector, an operation's a float with one NaN. The
//! result of an operation goes into its register as *one choice*: the bits of a
//! quiet NaN where it is NaN, else the bits of the number. The next operation
//! finds the number in that choice again, also after memory took the bits
//! apart, so that a computation is a term of floats alone, and the bits of NaNs
//! cost nothing until the program looks at them.

use super::{default_nan, nan_pattern};
use crate::value::{format, mask};
use program::FloatKind;
use term::{BitVec, FpFormat, Op, Sort, Store, Term};

/// A float in both views: its packed bits, and the number they are.
#[derive(Clone, Copy)]
pub(super) struct Float {
    pub bits: Term,
    pub number: Term,
    /// Where the register holds a pattern that the x87 unit never makes; none where it
    /// cannot.
    pub odd: Option<Odd>,
}

/// Where a register holds patterns that the x87 unit never makes.
#[derive(Clone, Copy)]
pub(super) struct Odd {
    /// It takes this for no float at all.
    pub invalid: Term,
    /// It takes this for the number that it spells.
    pub pseudo_denormal: Term,
}

impl Float {
    /// The float in a register.
    pub fn of(store: &mut Store, kind: FloatKind, register: Term) -> Float {
        let (bits, odd) = from_register(store, kind, register);
        let number = number_in(store, format(kind), bits, DEEPEST).unwrap_or_else(|| {
            let format = format(kind);
            store.fp_from_bits(format, bits)
        });
        Float { bits, number, odd }
    }
}

/// The number in a register.
pub(super) fn number_of(store: &mut Store, kind: FloatKind, register: Term) -> Term {
    Float::of(store, kind, register).number
}

/// The register of a result that an operation on these operands gave.
pub(super) fn result(store: &mut Store, kind: FloatKind, number: Term, operands: &[Float]) -> Term {
    let nan = nan_of(store, kind, operands);
    choice(store, kind, number, nan)
}

/// The packed NaN that an operation on these operands gives.
fn nan_of(store: &mut Store, kind: FloatKind, operands: &[Float]) -> Term {
    let default = default_nan_term(store, kind);
    let mut nan = default;
    for (index, operand) in operands.iter().enumerate().rev() {
        let mut taken = store.fp_is_nan(operand.number);
        if let (FloatKind::X87, 0, [first, second]) = (kind, index, operands) {
            let outweighed = outweighs(store, *second, *first);
            let kept = store.not(outweighed);
            taken = store.and(taken, kept);
        }
        let quieted = quiet(store, kind, operand.bits);
        nan = store.ite(taken, quieted, nan);
    }
    // An invalid operand gives the default NaN, whatever the other is.
    for odd in operands.iter().filter_map(|operand| operand.odd) {
        nan = store.ite(odd.invalid, default, nan);
    }
    nan
}

/// Whether the x87 unit takes this NaN before the other one: it has the greater
/// fraction, or the same and is positive where the other is not.
fn outweighs(store: &mut Store, nan: Float, other: Float) -> Term {
    let is_nan = store.fp_is_nan(nan.number);
    let top = store.width(nan.bits) - 1;
    // Below the exponent, which is the same in both, stands the fraction.
    let [own, others] = [nan.bits, other.bits].map(|bits| store.extract(bits, 0, top));
    let signs = [nan.bits, other.bits].map(|bits| store.extract(bits, top, 1));
    let (greater, same) = (store.bv_ult(others, own), store.eq(own, others));
    let positive = store.bv_ult(signs[0], signs[1]);
    let by_sign = store.and(same, positive);
    let before = store.or(greater, by_sign);
    store.and(is_nan, before)
}

/// The register of a number, with these packed bits where it is NaN.
pub(super) fn choice(store: &mut Store, kind: FloatKind, number: Term, nan: Term) -> Term {
    let packed = packed_choice(store, number, nan);
    to_register(store, kind, packed)
}

fn packed_choice(store: &mut Store, number: Term, nan: Term) -> Term {
    let is_nan = store.fp_is_nan(number);
    let bits = store.fp_to_bits(number);
    store.ite(is_nan, nan, bits)
}

/// How many choices deep the number of a register is looked for.
const DEEPEST: u32 = 4;

/// The number that these packed bits were made from; none if they were not.
fn number_in(store: &mut Store, format: FpFormat, bits: Term, depth: u32) -> Option<Term> {
    match store.op(bits) {
        Op::FpToBits => number_of_bits(store, format, bits),
        Op::Const => Some(store.fp_from_bits(format, bits)),
        Op::Ite => {
            if let Some(number) = number_of_choice(store, format, bits) {
                return Some(number);
            }
            let &[condition, then, otherwise] = store.args(bits) else {
                unreachable!("a choice has three arguments");
            };
            let depth = depth.checked_sub(1)?;
            let then = number_in(store, format, then, depth)?;
            let otherwise = number_in(store, format, otherwise, depth)?;
            Some(store.ite(condition, then, otherwise))
        }
        Op::Concat => match common_piece(store, format, bits)? {
            Piece::Number(number) => Some(number),
            Piece::Bits(bits) => number_in(store, format, bits, depth.checked_sub(1)?),
        },
        _ => None,
    }
}

/// The number that an operation put into these packed bits; where it is NaN,
/// they are a quiet one.
fn computed_number(store: &mut Store, format: FpFormat, bits: Term) -> Option<Term> {
    match store.op(bits) {
        Op::FpToBits => number_of_bits(store, format, bits),
        Op::Ite => number_of_choice(store, format, bits),
        Op::Concat => match common_piece(store, format, bits)? {
            Piece::Number(number) => Some(number),
            Piece::Bits(_) => None,
        },
        _ => None,
    }
}

/// What was taken to pieces, as memory does it, and put together again: each
/// piece is the right part of a number's bits, or of a choice that has them, or
/// a choice between a part of a NaN and a part of them.
fn common_piece(store: &mut Store, format: FpFormat, whole: Term) -> Option<Piece> {
    let mut found: Option<Piece> = None;
    let mut rest = vec![whole];
    let mut end = store.width(whole);
    while let Some(piece) = rest.pop() {
        if store.op(piece) == Op::Concat {
            let args = store.args(piece);
            rest.extend([args[1], args[0]]);
            continue;
        }
        end -= store.width(piece);
        let piece = Piece::of(store, format, piece, end)?;
        if found.is_some_and(|found| found != piece) {
            return None;
        }
        found = Some(piece);
    }
    found
}

/// What a piece is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// The bits of this number; where it is NaN, of any quiet NaN.
    Number(Term),
    /// These packed bits.
    Bits(Term),
}

impl Piece {
    /// The piece that starts at this bit.
    fn of(store: &mut Store, format: FpFormat, piece: Term, low: u16) -> Option<Piece> {
        if let Some(whole) = whole_of(store, format, piece, low) {
            let number = number_of_bits(store, format, whole)
                .or_else(|| number_of_choice(store, format, whole));
            return Some(number.map_or(Piece::Bits(whole), Piece::Number));
        }
        if store.op(piece) != Op::Ite {
            return None;
        }
        let &[condition, nan, otherwise] = store.args(piece) else {
            unreachable!("a choice has three arguments");
        };
        let whole = whole_of(store, format, otherwise, low)?;
        let number = number_of_bits(store, format, whole)?;
        let width = u32::from(store.width(piece));
        let pattern = (nan_pattern(format) >> low) as u64 & mask(width);
        let matches =
            store.fp_is_nan(number) == condition && store.facts(nan).ones & pattern == pattern;
        matches.then_some(Piece::Number(number))
    }
}

/// The packed bits of which this is the part that starts at this bit.
fn whole_of(store: &Store, format: FpFormat, piece: Term, low: u16) -> Option<Term> {
    if store.op(piece) != Op::Extract || store.indices(piece)[0] != u32::from(low) {
        return None;
    }
    let whole = store.args(piece)[0];
    (format.width() <= 64 && u32::from(store.width(whole)) == format.width()).then_some(whole)
}

/// The number that these are the bits of.
fn number_of_bits(store: &Store, format: FpFormat, bits: Term) -> Option<Term> {
    if store.op(bits) != Op::FpToBits {
        return None;
    }
    let number = store.args(bits)[0];
    (format_of(store, number) == format).then_some(number)
}

/// The two sides of a [`packed_choice`]: what there is where the number is NaN,
/// and the number.
fn nan_choice(store: &mut Store, bits: Term) -> Option<(Term, Term)> {
    if store.op(bits) != Op::Ite {
        return None;
    }
    let &[condition, nan, otherwise] = store.args(bits) else {
        unreachable!("a choice has three arguments");
    };
    if store.op(otherwise) != Op::FpToBits {
        return None;
    }
    let number = store.args(otherwise)[0];
    (store.fp_is_nan(number) == condition).then_some((nan, number))
}

/// The number of a choice that has a quiet NaN where the number is NaN; a
/// program may have chosen something else there.
fn number_of_choice(store: &mut Store, format: FpFormat, bits: Term) -> Option<Term> {
    let (nan, number) = nan_choice(store, bits)?;
    let pattern = nan_pattern(format);
    // Facts are known of at most 64 bits.
    let always = u128::from(store.facts(nan).ones) & pattern == pattern;
    (format.width() <= 64 && always && format_of(store, number) == format).then_some(number)
}

/// The packed pattern in a register, and where the register holds an odd one. An x87 float is
/// packed without its integer bit: with the exponent of the subnormals, that bit makes the
/// exponent one more; a missing one under another exponent is an invalid operand, here the
/// default NaN.
fn from_register(store: &mut Store, kind: FloatKind, register: Term) -> (Term, Option<Odd>) {
    match kind {
        FloatKind::X87 => {
            let head = store.extract(register, 64, 16);
            let integer = store.extract(register, 63, 1);
            let fraction = store.extract(register, 0, 63);
            let packed = store.concat(head, fraction);
            let normal = is_normal_exponent(store, packed);
            let expected = store.bool_to_bv(normal, 1);
            // What an operation put there is well formed, and stays one term.
            if integer == expected {
                return (packed, None);
            }
            let present = store.is_nonzero(integer);
            let missing = store.not(present);
            let invalid = store.and(normal, missing);
            let small = store.not(normal);
            let pseudo_denormal = store.and(small, present);
            let one = store.bv_value(BitVec::from_u128(79, 1 << 63));
            let raised = store.bv_or(packed, one);
            let packed = store.ite(pseudo_denormal, raised, packed);
            let nan = default_nan_term(store, kind);
            let odd = Odd {
                invalid,
                pseudo_denormal,
            };
            (store.ite(invalid, nan, packed), Some(odd))
        }
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Single
        | FloatKind::Double
        | FloatKind::Quad => (register, None),
    }
}

/// Whether the exponent of a packed x87 float is not that of zero and the subnormals.
fn is_normal_exponent(store: &mut Store, packed: Term) -> Term {
    let exponent = store.extract(packed, 63, 15);
    store.is_nonzero(exponent)
}

/// The register of a packed pattern: the integer bit is there unless the
/// exponent is that of zero and the subnormals.
pub(super) fn to_register(store: &mut Store, kind: FloatKind, packed: Term) -> Term {
    match kind {
        FloatKind::X87 => {
            let head = store.extract(packed, 63, 16);
            let normal = is_normal_exponent(store, packed);
            let integer = store.bool_to_bv(normal, 1);
            let fraction = store.extract(packed, 0, 63);
            let head = store.concat(head, integer);
            store.concat(head, fraction)
        }
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Single
        | FloatKind::Double
        | FloatKind::Quad => packed,
    }
}

/// The packed pattern of a NaN made quiet; of what is no NaN, a NaN too, so
/// that it can be told by its bits.
pub(super) fn quiet(store: &mut Store, kind: FloatKind, packed: Term) -> Term {
    let format = format(kind);
    let width = format.width() as u16;
    let pattern = store.bv_value(BitVec::from_u128(width, nan_pattern(format)));
    store.bv_or(packed, pattern)
}

fn default_nan_term(store: &mut Store, kind: FloatKind) -> Term {
    let width = format(kind).width() as u16;
    store.bv_value(BitVec::from_u128(width, default_nan(kind)))
}

/// The same bits with the sign flipped.
pub(super) fn negate_bits(store: &mut Store, bits: Term) -> Term {
    let width = store.width(bits);
    let sign = store.bv_value(BitVec::from_u128(width, 1 << (width - 1)));
    let flipped = store.bv_xor(bits, sign);
    change_sign(store, bits, flipped, Store::fp_neg)
}

/// The same bits with the sign cleared.
pub(super) fn abs_bits(store: &mut Store, bits: Term) -> Term {
    let width = store.width(bits);
    let others = store.bv_value(BitVec::from_u128(width, (1 << (width - 1)) - 1));
    let cleared = store.bv_and(bits, others);
    change_sign(store, bits, cleared, Store::fp_abs)
}

/// The changed bits, as the choice that a changed number is if the bits are
/// those of one.
fn change_sign(
    store: &mut Store,
    bits: Term,
    changed: Term,
    change: fn(&mut Store, Term) -> Term,
) -> Term {
    const FORMATS: [FloatKind; 5] = [
        FloatKind::Half,
        FloatKind::BFloat,
        FloatKind::Single,
        FloatKind::Double,
        FloatKind::Quad,
    ];
    for kind in FORMATS {
        if u32::from(store.width(bits)) != kind.bits() {
            continue;
        }
        if let Some(number) = computed_number(store, format(kind), bits) {
            let number = change(store, number);
            let nan = quiet(store, kind, changed);
            return packed_choice(store, number, nan);
        }
    }
    changed
}

/// The format of a float term.
pub(super) fn format_of(store: &Store, number: Term) -> FpFormat {
    match store.sort(number) {
        Sort::Fp(format) => format,
        other => unreachable!("{other} is not a floating-point sort"),
    }
}
