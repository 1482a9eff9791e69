//! Values as bytes. The sort comes first and says how to read the rest.

use super::{DecodeError, Reader, TOO_DEEP, Writer};
use crate::bits::{BitVec, mask};
use crate::fp;
use crate::regex::Regex;
use crate::sort::{FpFormat, RoundingMode, Sort};
use crate::text::CODE_POINTS;
use crate::typing::LanguageDepths;
use crate::value::{ArrayValue, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use std::rc::Rc;

/// What a regular expression is made of, as numbered in the bytes.
#[derive(Clone, Copy)]
enum Part {
    None,
    Empty,
    Range,
    Concat,
    Union,
    Inter,
    Star,
    Loop,
    Complement,
}

impl Part {
    const ALL: [Part; 9] = [
        Part::None,
        Part::Empty,
        Part::Range,
        Part::Concat,
        Part::Union,
        Part::Inter,
        Part::Star,
        Part::Loop,
        Part::Complement,
    ];
}

impl Writer {
    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(b) => self.byte((*b).into()),
            Value::Bv(bits) => self.bits(bits),
            Value::Fp(format, bits) => {
                self.bits(&BitVec::from_u128(format.width() as u16, *bits));
            }
            Value::Rm(mode) => self.byte(*mode as u8),
            Value::Array(array) => {
                self.bits(array.default());
                self.number(array.entries().len() as u64);
                for (index, element) in array.entries() {
                    self.bits(index);
                    self.bits(element);
                }
            }
            Value::Int(int) => self.int(int),
            Value::Real(real) => {
                self.int(real.numer());
                self.int(real.denom());
            }
            Value::Str(text) => {
                self.number(text.len() as u64);
                for &code in &**text {
                    self.number(code.into());
                }
            }
            Value::Re(regex) => self.regex(regex),
        }
    }

    fn bits(&mut self, bits: &BitVec) {
        match bits.to_u64().filter(|_| bits.width() <= 64) {
            Some(word) => self.number(word),
            None => self.block(&bits.to_big().to_bytes_le()),
        }
    }

    fn int(&mut self, int: &BigInt) {
        self.block(&int.to_signed_bytes_le());
    }

    /// Operands before operators.
    fn regex(&mut self, regex: &Regex) {
        let mut parts = Vec::new();
        let mut stack = vec![regex];
        while let Some(part) = stack.pop() {
            parts.push(part);
            match part {
                Regex::None | Regex::Empty | Regex::Range(..) => {}
                Regex::Concat(a, b) | Regex::Union(a, b) | Regex::Inter(a, b) => {
                    stack.extend([&**a, &**b]);
                }
                Regex::Star(a) | Regex::Loop(a, ..) | Regex::Complement(a) => stack.push(a),
            }
        }
        self.number(parts.len() as u64);
        for part in parts.into_iter().rev() {
            let (tag, numbers) = match *part {
                Regex::None => (Part::None, None),
                Regex::Empty => (Part::Empty, None),
                Regex::Range(low, high) => (Part::Range, Some((low, high))),
                Regex::Concat(..) => (Part::Concat, None),
                Regex::Union(..) => (Part::Union, None),
                Regex::Inter(..) => (Part::Inter, None),
                Regex::Star(_) => (Part::Star, None),
                Regex::Loop(_, least, most) => (Part::Loop, Some((least, most))),
                Regex::Complement(_) => (Part::Complement, None),
            };
            self.byte(tag as u8);
            if let Some((low, high)) = numbers {
                self.number(low.into());
                self.number(high.into());
            }
        }
    }
}

impl Reader<'_> {
    pub(super) fn value(&mut self, sort: Sort) -> Result<Value, DecodeError> {
        Ok(match sort {
            Sort::Bool => match self.byte()? {
                0 => Value::Bool(false),
                1 => Value::Bool(true),
                _ => return Err(self.malformed("a truth value is neither 0 nor 1")),
            },
            Sort::Bv(width) => Value::Bv(self.bits(width)?),
            Sort::Fp(format) => self.float(format)?,
            Sort::RoundingMode => {
                let mode = RoundingMode::ALL.get(usize::from(self.byte()?));
                Value::Rm(*mode.ok_or_else(|| self.malformed("there is no such rounding mode"))?)
            }
            Sort::Array { index, element } => self.array(index, element)?,
            Sort::Int => Value::Int(self.int()?),
            Sort::Real => {
                let (numerator, denominator) = (self.int()?, self.int()?);
                if denominator.sign() != Sign::Plus {
                    return Err(self.malformed("a denominator is not positive"));
                }
                Value::Real(BigRational::new(numerator, denominator))
            }
            Sort::String => {
                let mut text = Vec::new();
                for _ in 0..self.number()? {
                    text.push(self.code_point()?);
                }
                Value::Str(text.into())
            }
            Sort::RegLan => Value::Re(self.regex()?),
        })
    }

    fn bits(&mut self, width: u16) -> Result<BitVec, DecodeError> {
        let too_wide = "a bit-vector has bits above its width";
        if width <= 64 {
            let word = self.number()?;
            return match word & mask(width.into()) == word {
                true => Ok(BitVec::from_u64(width, word)),
                false => Err(self.malformed(too_wide)),
            };
        }
        let big = BigUint::from_bytes_le(self.block()?);
        match big.bits() <= u64::from(width) {
            true => Ok(BitVec::from_big(width, &big)),
            false => Err(self.malformed(too_wide)),
        }
    }

    fn float(&mut self, format: FpFormat) -> Result<Value, DecodeError> {
        let bits = self.bits(format.width() as u16)?.to_u128();
        match fp::canonical(format, bits) == bits {
            true => Ok(Value::Fp(format, bits)),
            false => Err(self.malformed("a NaN is not the canonical one")),
        }
    }

    fn array(&mut self, index: u16, element: u16) -> Result<Value, DecodeError> {
        let mut array = ArrayValue::filled(index, self.bits(element)?);
        let mut entries = Vec::new();
        for _ in 0..self.number()? {
            entries.push((self.bits(index)?, self.bits(element)?));
        }
        let is_dense = index <= 32 && element <= 64 && entries.len() > 1 << (index - 1);
        if is_dense {
            let word = |bits: &BitVec| bits.to_u64().expect("it has at most 64 bits");
            let mut words = vec![word(array.default()); 1 << index];
            for (index, element) in &entries {
                words[word(index) as usize] = word(element);
            }
            array = ArrayValue::from_words(index, element, &words);
        } else {
            for (index, element) in entries {
                array.set(index, element);
            }
        }
        Ok(Value::Array(Rc::new(array)))
    }

    fn int(&mut self) -> Result<BigInt, DecodeError> {
        Ok(BigInt::from_signed_bytes_le(self.block()?))
    }

    fn code_point(&mut self) -> Result<u32, DecodeError> {
        let code = self.number32()?;
        match code < CODE_POINTS {
            true => Ok(code),
            false => Err(self.malformed("a character is beyond the last code point")),
        }
    }

    fn regex(&mut self) -> Result<Rc<Regex>, DecodeError> {
        let mut stack: Vec<(Rc<Regex>, u32)> = Vec::new();
        for _ in 0..self.number()? {
            let tag = usize::from(self.byte()?);
            let part = Part::ALL.get(tag).copied();
            let part = part.ok_or_else(|| self.malformed("there is no such regular expression"))?;
            let mut operand = |reader: &Self| {
                let missing = "a regular expression lacks an operand";
                stack.pop().ok_or_else(|| reader.malformed(missing))
            };
            let (whole, depth) = match part {
                Part::None => (Rc::new(Regex::None), 0),
                Part::Empty => (Rc::new(Regex::Empty), 0),
                Part::Range => {
                    let (low, high) = (self.code_point()?, self.code_point()?);
                    (Rc::new(Regex::Range(low, high)), 0)
                }
                Part::Concat | Part::Union | Part::Inter => {
                    let ((b, depth_b), (a, depth_a)) = (operand(self)?, operand(self)?);
                    let whole = match part {
                        Part::Concat => Regex::concat(&a, &b),
                        Part::Union => Regex::union(&a, &b),
                        _ => Regex::inter(&a, &b),
                    };
                    (whole, depth_a.max(depth_b) + 1)
                }
                Part::Star => {
                    let (a, depth) = operand(self)?;
                    (Regex::star(&a), depth + 1)
                }
                Part::Loop => {
                    let (least, most) = (self.number32()?, self.number32()?);
                    let (a, depth) = operand(self)?;
                    (Regex::repeat(&a, least, most), depth + 1)
                }
                Part::Complement => {
                    let (a, depth) = operand(self)?;
                    (Regex::complement(&a), depth + 1)
                }
            };
            if depth > LanguageDepths::LIMIT {
                return Err(self.malformed(TOO_DEEP));
            }
            stack.push((whole, depth));
        }
        match <[(Rc<Regex>, u32); 1]>::try_from(stack) {
            Ok([(regex, _)]) => Ok(regex),
            Err(_) => Err(self.malformed("a regular expression lacks an operator")),
        }
    }
}
