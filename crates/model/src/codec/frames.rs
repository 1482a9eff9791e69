//! Binary frames: the length, a byte that says which channel it is, and the values.
//!
//! Numbers are big-endian. An integer has the bytes of its type, a `Float` eight, a truth value
//! and an enumeration one; a text has its length in two bytes before it, in UTF-8. Arrays
//! and records are their parts one after the other.

use super::{Carried, Message};
use crate::types::Type;
use crate::value::{from_json, to_json};
use num_bigint::BigUint;
use serde_json::Value as Json;
use term::{BitVec, FpFormat, Value};

/// The frame of a channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The channel.
    pub carried: Carried,
    /// The byte that says so.
    pub tag: u8,
}

/// Why values of a type have no place in a frame.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FrameError {
    /// It has no size.
    #[error("{0} has no size in bytes: use Int<32> or Float, for example")]
    Unsized(String),
    /// It has no whole number of bytes.
    #[error("{0} is no whole number of bytes")]
    Bits(String),
    /// It has too many values for a byte.
    #[error("{0} has more than 256 values")]
    Values(String),
}

impl Frame {
    /// Whether values of a type can stand in a frame.
    ///
    /// # Errors
    ///
    /// When they cannot.
    pub fn check(ty: &Type) -> Result<(), FrameError> {
        let name = || ty.with_article();
        match ty {
            Type::Bool | Type::Float | Type::String => Ok(()),
            Type::Bits { width, .. } if width % 8 == 0 => Ok(()),
            Type::Bits { .. } => Err(FrameError::Bits(name())),
            Type::Int | Type::Real => Err(FrameError::Unsized(name())),
            Type::Enumeration(it) if it.values.len() > 256 => Err(FrameError::Values(name())),
            Type::Enumeration(_) => Ok(()),
            Type::Array(element, _) => Frame::check(element),
            Type::Record(record) => {
                let mut fields = record.fields.iter();
                fields.try_for_each(|(_, ty)| Frame::check(ty))
            }
        }
    }

    pub(super) fn encoded(&self, values: &[Json], length: usize) -> Result<Vec<u8>, String> {
        let mut body = vec![self.tag];
        for ((_, ty), json) in self.carried.payload.iter().zip(values) {
            let leaves = from_json(ty, json).map_err(|error| error.to_string())?;
            for (leaf, value) in ty.leaves().iter().zip(&leaves) {
                write(leaf, value, &mut body)?;
            }
        }
        let size = body.len().to_be_bytes();
        let (above, size) = size.split_at(size.len() - length);
        match above.iter().all(|&byte| byte == 0) {
            true => Ok([size, &body].concat()),
            false => Err(format!("{} bytes are too many for a frame", body.len())),
        }
    }

    pub(super) fn decoded(&self, bytes: &[u8]) -> Option<Message> {
        let mut rest = bytes.strip_prefix(&[self.tag])?;
        let mut values = Vec::new();
        for (_, ty) in &self.carried.payload {
            let leaves = ty.leaves();
            let leaves = leaves.iter().map(|leaf| read(leaf, &mut rest));
            values.push(to_json(ty, &leaves.collect::<Option<Vec<Value>>>()?));
        }
        rest.is_empty().then(|| Message {
            channel: self.carried.channel.clone(),
            values,
        })
    }
}

fn write(ty: &Type, value: &Value, bytes: &mut Vec<u8>) -> Result<(), String> {
    match value {
        Value::Bool(truth) => bytes.push(u8::from(*truth)),
        Value::Bv(bits) => {
            let digits = bits.to_big().to_bytes_be();
            let width = usize::from(bits.width() / 8);
            bytes.extend(std::iter::repeat_n(0, width.saturating_sub(digits.len())));
            bytes.extend(&digits[digits.len().saturating_sub(width)..]);
        }
        Value::Fp(_, bits) => bytes.extend((*bits as u64).to_be_bytes()),
        Value::Int(number) => {
            let byte = u8::try_from(number.clone());
            bytes.push(byte.map_err(|_| format!("{number} is no byte"))?);
        }
        Value::Str(codes) => {
            let text: String = codes.iter().filter_map(|&it| char::from_u32(it)).collect();
            let length = u16::try_from(text.len());
            let length = length.map_err(|_| "a text is longer than 65535 bytes".to_owned())?;
            bytes.extend(length.to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        _ => return Err(format!("{} has no place in a frame", ty.with_article())),
    }
    Ok(())
}

fn read(ty: &Type, rest: &mut &[u8]) -> Option<Value> {
    let mut taken = |count: usize| {
        let (taken, behind) = rest.split_at_checked(count)?;
        *rest = behind;
        Some(taken)
    };
    Some(match ty {
        Type::Bool => match taken(1)? {
            [0] => Value::Bool(false),
            [1] => Value::Bool(true),
            _ => return None,
        },
        Type::Bits { width, .. } => {
            let digits = BigUint::from_bytes_be(taken(usize::from(width / 8))?);
            Value::Bv(BitVec::from_big(*width, &digits))
        }
        Type::Float => {
            let bits = u64::from_be_bytes(taken(8)?.try_into().ok()?);
            // There is one NaN.
            let bits = match f64::from_bits(bits).is_nan() {
                true => f64::NAN.to_bits(),
                false => bits,
            };
            Value::Fp(FpFormat::DOUBLE, bits.into())
        }
        Type::Enumeration(enumeration) => {
            let number = usize::from(taken(1)?[0]);
            (number < enumeration.values.len()).then(|| Value::Int(number.into()))?
        }
        Type::String => {
            let length = u16::from_be_bytes(taken(2)?.try_into().ok()?);
            let text = std::str::from_utf8(taken(length.into())?).ok()?;
            Value::Str(text.chars().map(u32::from).collect())
        }
        Type::Int | Type::Real | Type::Array(..) | Type::Record(_) => return None,
    })
}
