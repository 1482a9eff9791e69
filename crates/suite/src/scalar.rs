//! The numbers that an input is made of, each by the name that the source has for it.
//!
//! A test is shown value by value, but a condition of a path is about a few of them:
//! `request.at.x` and `request.name[2]`, not bytes 8 and 14 of `request`.

use crate::input_type::{Shown, character};
use crate::{Array, InputKind, InputType, Structure};
use std::ops::Range;

/// Scalars of one input; those of a larger one have no names.
const MOST_SCALARS: usize = 4096;

/// One number of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// What the source calls it, `request.at.x`.
    pub name: String,
    /// The bits that it is, from the first of the input on.
    pub bits: Range<u64>,
    /// What it is: a kind with one element, or an enumeration.
    pub what: InputType,
}

impl Scalar {
    /// How its value is kept.
    pub fn kind(&self) -> InputKind {
        match &self.what {
            InputType::Kind(kind) => *kind,
            InputType::Enumeration(it) => it.kind,
            InputType::Structure(_) | InputType::Array(_) => InputKind::Bytes,
        }
    }

    /// A value of it as the source would write it.
    pub fn text(&self, value: u128) -> String {
        let width = (self.bits.end - self.bits.start).clamp(1, 128) as u32;
        let unused = 128 - width;
        let value = match self.kind() {
            InputKind::Signed(_) | InputKind::Char => {
                (((value << unused) as i128) >> unused) as u128
            }
            _ => value,
        };
        let bytes = value.to_le_bytes();
        let own = bytes.get(..self.kind().element_size()).unwrap_or(&bytes);
        match (self.kind(), own) {
            (InputKind::Bytes, &[byte]) => character(byte).unwrap_or(byte.to_string()),
            _ => match self.what.read(own) {
                Shown::Unreadable => value.to_string(),
                shown => shown.text(),
            },
        }
    }
}

impl InputType {
    /// How many ways there are to read it, one for each member of its unions.
    pub fn alternatives(&self) -> usize {
        match self {
            InputType::Kind(_) | InputType::Enumeration(_) => 1,
            InputType::Array(Array { element, .. }) => element.alternatives(),
            InputType::Structure(it) => {
                let members = it.members();
                let inner = members.iter().map(|it| it.field.what.alternatives());
                let own = match Structure::is_union(&members) {
                    true => members.len(),
                    false => 1,
                };
                inner.chain([own]).max().unwrap_or(1)
            }
        }
    }

    /// The numbers that an input of this name and size is made of; of a union those of
    /// its member with this number, or of its last.
    pub fn scalars(&self, name: &str, size: usize, alternative: usize) -> Vec<Scalar> {
        let mut found = Vec::new();
        let whole = 0..8 * size as u64;
        if self.fits(size)
            && self
                .collect(name, whole.clone(), alternative, &mut found)
                .is_some()
        {
            // Files may say anything.
            found.retain(|scalar| {
                scalar.bits.start < scalar.bits.end && scalar.bits.end <= whole.end
            });
        } else {
            found.clear();
        }
        found
    }

    /// Adds its scalars; none where there are too many.
    fn collect(
        &self,
        name: &str,
        bits: Range<u64>,
        alternative: usize,
        found: &mut Vec<Scalar>,
    ) -> Option<()> {
        let size = bits.end.checked_sub(bits.start)?;
        match self {
            InputType::Structure(it) => {
                let mut members = it.members();
                if Structure::is_union(&members) {
                    let chosen = alternative.min(members.len() - 1);
                    members = vec![members.swap_remove(chosen)];
                }
                for member in members {
                    let own = member.bits()?;
                    let own =
                        bits.start.checked_add(own.start)?..bits.start.checked_add(own.end)?;
                    let name = match member.name.as_str() {
                        "" => name.to_owned(),
                        member => format!("{name}.{member}"),
                    };
                    member.field.what.collect(&name, own, alternative, found)?;
                }
            }
            InputType::Array(Array { element, stride }) => {
                let stride = stride.checked_mul(8)?;
                for at in 0..size.checked_div(stride)? {
                    let start = bits.start + at * stride;
                    let name = format!("{name}[{at}]");
                    element.collect(&name, start..start + stride, alternative, found)?;
                }
            }
            InputType::Kind(kind) if size > 8 * kind.element_size() as u64 => {
                let element = 8 * kind.element_size() as u64;
                for at in 0..size / element {
                    let start = bits.start + at * element;
                    let name = format!("{name}[{at}]");
                    self.collect(&name, start..start + element, alternative, found)?;
                }
            }
            InputType::Kind(_) | InputType::Enumeration(_) => {
                if found.len() == MOST_SCALARS {
                    return None;
                }
                found.push(Scalar {
                    name: name.to_owned(),
                    bits,
                    what: self.clone(),
                });
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    fn kind(word: &str) -> InputType {
        InputType::Kind(word.parse().expect("it is a kind"))
    }

    /// A structure of as many bytes as its last field needs.
    fn structure(fields: &[(&str, u64, u64, InputType)]) -> InputType {
        let ends = fields.iter().map(|(_, offset, bits, _)| offset + bits);
        let field = |(name, offset, bits, what): &(&str, u64, u64, InputType)| Field {
            name: (*name).to_owned(),
            offset: *offset,
            bits: *bits,
            what: what.clone(),
            base: false,
        };
        InputType::Structure(Structure {
            name: "struct s".to_owned(),
            size: ends.max().unwrap_or(0).div_ceil(8),
            fields: fields.iter().map(field).collect(),
        })
    }

    fn names(what: &InputType, size: usize, alternative: usize) -> Vec<String> {
        let scalars = what.scalars("r", size, alternative).into_iter();
        scalars
            .map(|it| format!("{} {}..{}", it.name, it.bits.start, it.bits.end))
            .collect()
    }

    #[test]
    fn numbers_have_the_names_of_the_source() {
        let point = structure(&[("x", 0, 16, kind("i16")), ("y", 16, 16, kind("i16"))]);
        let points = InputType::Array(Array {
            element: Box::new(point),
            stride: 4,
        });
        let whole = structure(&[
            ("flag", 0, 3, kind("u32")),
            ("name", 8, 16, kind("char")),
            ("at", 32, 64, points),
        ]);
        assert_eq!(
            names(&whole, 12, 0),
            [
                "r.flag 0..3",
                "r.name[0] 8..16",
                "r.name[1] 16..24",
                "r.at[0].x 32..48",
                "r.at[0].y 48..64",
                "r.at[1].x 64..80",
                "r.at[1].y 80..96",
            ]
        );
        assert_eq!(names(&kind("i32"), 4, 0), ["r 0..32"]);
        assert_eq!(names(&kind("i32"), 6, 0), [""; 0]);
    }

    #[test]
    fn a_union_is_read_as_one_of_its_members() {
        let either = structure(&[("i", 0, 32, kind("i32")), ("f", 0, 32, kind("f32"))]);
        assert_eq!(either.alternatives(), 2);
        assert_eq!(names(&either, 4, 0), ["r.i 0..32"]);
        assert_eq!(names(&either, 4, 7), ["r.f 0..32"]);
    }

    #[test]
    fn a_type_from_a_file_may_say_anything() {
        let far = structure(&[("x", 0, 8, kind("u8"))]);
        let InputType::Structure(mut far) = far else {
            panic!("it is one");
        };
        far.fields[0].offset = u64::MAX;
        assert_eq!(names(&InputType::Structure(far), 1, 0), [""; 0]);
        let many = InputType::Array(Array {
            element: Box::new(kind("u8")),
            stride: 1,
        });
        assert_eq!(names(&many, 1 << 20, 0), [""; 0]);
    }

    #[test]
    fn values_are_written_as_in_the_source() {
        let text = |word: &str, bits: u64, value: u128| {
            let scalar = Scalar {
                name: "x".to_owned(),
                bits: 0..bits,
                what: kind(word),
            };
            scalar.text(value)
        };
        assert_eq!(text("i32", 3, 0b111), "-1");
        assert_eq!(text("u32", 32, 0xffff_ffff), "4294967295");
        assert_eq!(text("char", 8, 0x27), r"'\''");
        assert_eq!(text("char", 8, 200), "-56");
        assert_eq!(text("bytes", 8, 200), "200");
        assert_eq!(text("f32", 32, 0x3f80_0000), "1.0");
    }
}
