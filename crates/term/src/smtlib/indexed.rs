//! Operators and constants with indices, `(_ name …)`.

use super::lexer::{Fault, Kind, Token};
use super::{Reader, literals};
use crate::bits::BitVec;
use crate::fp;
use crate::op::Op;
use crate::sort::{FpFormat, Sort};
use crate::store::Term;
use crate::text::CODE_POINTS;
use crate::typing;
use crate::value::Value;

/// An operator with its indices.
#[derive(Clone, Copy)]
pub(super) enum Indexed {
    Extract { high: u64, low: u64 },
    Repeat(u64),
    ZeroExtend(u64),
    SignExtend(u64),
    RotateLeft(u64),
    RotateRight(u64),
    ToFp(FpFormat),
    ToFpUnsigned(FpFormat),
    ToBits { width: u16, signed: bool },
    IntToBv(u16),
    Divisible(u64),
    Loop { least: u32, most: u32 },
}

/// Whether an operator with indices has this name.
pub(super) fn is_indexed(name: &str) -> bool {
    const NAMES: [&str; 22] = [
        "extract",
        "repeat",
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "to_fp",
        "to_fp_unsigned",
        "fp.to_ubv",
        "fp.to_sbv",
        "int2bv",
        "int_to_bv",
        "divisible",
        "re.loop",
        "re.^",
        "+oo",
        "-oo",
        "NaN",
        "+zero",
        "-zero",
        "char",
        "const",
    ];
    NAMES.contains(&name)
}

impl<'a> Reader<'a, '_> {
    /// The rest of `(_ name …)` where a term stands.
    pub(super) fn indexed_constant(&mut self, at: usize) -> Result<Term, Fault> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, Kind::Symbol | Kind::QuotedSymbol) {
            return self.unexpected(token, "a symbol");
        }
        if let Some(digits) = bit_vector_digits(token.text) {
            let (place, width) = self.numeral()?;
            self.close_paren()?;
            let width = literals::width(place, width)?;
            let bits = match digits.parse::<u64>() {
                Ok(word) if width >= 64 || word >> width == 0 => BitVec::from_u64(width, word),
                _ => literals::numbered_bits(token.at, digits, width)?,
            };
            return Ok(self.store.bv_value(bits));
        }
        let float: fn(FpFormat) -> u128 = match token.text {
            "+oo" => |format| fp::infinity(format, false),
            "-oo" => |format| fp::infinity(format, true),
            "NaN" => fp::nan,
            "+zero" => |format| fp::zero(format, false),
            "-zero" => |format| fp::zero(format, true),
            "char" => return self.character(),
            name if is_indexed(name) => {
                return Fault::new(token.at, format!("`{name}` needs arguments"));
            }
            name => return Fault::new(token.at, format!("unknown symbol `{name}`")),
        };
        let ((_, eb), (_, sb)) = (self.numeral()?, self.numeral()?);
        self.close_paren()?;
        let format = self.format(at, eb, sb)?;
        Ok(self.store.fp(format, float(format)))
    }

    /// The rest of `(_ char #x41)`.
    fn character(&mut self) -> Result<Term, Fault> {
        let token = self.lexer.next()?;
        let code = match token.kind {
            Kind::Hexadecimal => u32::from_str_radix(token.text, 16).ok(),
            _ => return self.unexpected(token, "a hexadecimal literal"),
        };
        self.close_paren()?;
        match code {
            Some(code) if code < CODE_POINTS => {
                Ok(self.store.value(Value::Str([code].as_slice().into())))
            }
            _ => Fault::new(token.at, format!("there is no character #x{}", token.text)),
        }
    }

    /// The rest of `(_ name …)` where an operator stands.
    pub(super) fn indexed_operator(&mut self) -> Result<Indexed, Fault> {
        let token = self.lexer.next()?;
        let operator = match token.text {
            "extract" => {
                let ((_, high), (_, low)) = (self.numeral()?, self.numeral()?);
                Indexed::Extract { high, low }
            }
            "repeat" => Indexed::Repeat(self.numeral()?.1),
            "zero_extend" => Indexed::ZeroExtend(self.numeral()?.1),
            "sign_extend" => Indexed::SignExtend(self.numeral()?.1),
            "rotate_left" => Indexed::RotateLeft(self.numeral()?.1),
            "rotate_right" => Indexed::RotateRight(self.numeral()?.1),
            "to_fp" => Indexed::ToFp(self.format_indices(token)?),
            "to_fp_unsigned" => Indexed::ToFpUnsigned(self.format_indices(token)?),
            "fp.to_ubv" => Indexed::ToBits {
                width: self.width_index()?,
                signed: false,
            },
            "fp.to_sbv" => Indexed::ToBits {
                width: self.width_index()?,
                signed: true,
            },
            "int2bv" | "int_to_bv" => Indexed::IntToBv(self.width_index()?),
            "divisible" => match self.numeral()? {
                (at, 0) => return Fault::new(at, "no number is divisible by 0"),
                (_, divisor) => Indexed::Divisible(divisor),
            },
            "re.loop" => Indexed::Loop {
                least: self.count_index()?,
                most: self.count_index()?,
            },
            "re.^" => {
                let times = self.count_index()?;
                Indexed::Loop {
                    least: times,
                    most: times,
                }
            }
            name => return Fault::new(token.at, format!("unknown indexed operator `{name}`")),
        };
        self.close_paren()?;
        Ok(operator)
    }

    fn format_indices(&mut self, token: Token<'a>) -> Result<FpFormat, Fault> {
        let ((_, eb), (_, sb)) = (self.numeral()?, self.numeral()?);
        self.format(token.at, eb, sb)
    }

    fn width_index(&mut self) -> Result<u16, Fault> {
        let (at, width) = self.numeral()?;
        literals::width(at, width)
    }

    fn count_index(&mut self) -> Result<u32, Fault> {
        let (at, count) = self.numeral()?;
        match u32::try_from(count) {
            Ok(count) => Ok(count),
            Err(_) => Fault::new(at, format!("unsupported: {count} repetitions")),
        }
    }

    pub(super) fn apply_indexed(
        &mut self,
        at: usize,
        name: &str,
        operator: Indexed,
        args: &[Term],
    ) -> Result<Term, Fault> {
        match operator {
            Indexed::ToFp(format) => self.apply_to_fp(at, name, format, args),
            Indexed::ToFpUnsigned(format) => {
                let result = Sort::Fp(format);
                self.operator(at, name, Op::FpFromUnsigned, [0, 0], Some(result), args)
            }
            Indexed::ToBits { width, signed } => self.apply_to_bits(at, name, width, signed, args),
            Indexed::IntToBv(width) => {
                self.operator(at, name, Op::IntToBv, [0, 0], Some(Sort::Bv(width)), args)
            }
            Indexed::Divisible(divisor) => {
                self.check(at, name, Op::StrFromInt, args)?;
                let (divisor, zero) = (self.store.int(divisor), self.store.int(0));
                let rest = self.store.int_mod(args[0], divisor);
                Ok(self.store.eq(rest, zero))
            }
            Indexed::Loop { least, most } => {
                self.operator(at, name, Op::ReLoop, [least, most], None, args)
            }
            Indexed::Extract { .. }
            | Indexed::Repeat(_)
            | Indexed::ZeroExtend(_)
            | Indexed::SignExtend(_)
            | Indexed::RotateLeft(_)
            | Indexed::RotateRight(_) => {
                self.check(at, name, Op::BvNot, args)?;
                self.rearrange(at, name, operator, args[0])
            }
        }
    }

    /// The operators that move the bits of one bit-vector.
    fn rearrange(
        &mut self,
        at: usize,
        name: &str,
        operator: Indexed,
        a: Term,
    ) -> Result<Term, Fault> {
        let width = u64::from(self.store.width(a));
        let wider = |more: u64| literals::width(at, width.saturating_add(more));
        match operator {
            Indexed::Extract { high, low } => {
                if high < low || high >= width {
                    return Fault::new(at, format!("`{name}` of {width} bits"));
                }
                let length = (high - low + 1) as u16;
                Ok(self.store.extract(a, low as u16, length))
            }
            Indexed::Repeat(0) => Fault::new(at, "`repeat` repeats at least once"),
            Indexed::Repeat(times) => {
                wider(width.saturating_mul(times - 1))?;
                Ok((1..times).fold(a, |all, _| self.store.concat(all, a)))
            }
            Indexed::ZeroExtend(0) | Indexed::SignExtend(0) => Ok(a),
            Indexed::ZeroExtend(more) => Ok(self.store.zext(a, wider(more)?)),
            Indexed::SignExtend(more) => Ok(self.store.sext(a, wider(more)?)),
            Indexed::RotateLeft(by) => Ok(self.store.rotate_left(a, (by % width) as u16)),
            Indexed::RotateRight(by) => {
                let back = (width - by % width) % width;
                Ok(self.store.rotate_left(a, back as u16))
            }
            _ => unreachable!("the caller sorted out the other operators"),
        }
    }

    /// The operator, its indices and the sort it names, on these arguments.
    pub(super) fn operator(
        &mut self,
        at: usize,
        name: &str,
        op: Op,
        indices: [u32; 2],
        named: Option<Sort>,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let sort = self.result_sort(at, name, op, indices, named, args)?;
        self.within_depth(at, op, args, |store| {
            typing::build(store, op, sort, indices, args)
        })
    }
}

/// The digits of a symbol `bvN`.
fn bit_vector_digits(symbol: &str) -> Option<&str> {
    let digits = symbol.strip_prefix("bv")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(digits)
}
