//! The sorts of terms: what kind of value a term stands for.
//!
//! A [`Sort`] is a small copyable value, never a handle, so that two stores
//! agree on sorts without exchanging anything.

use std::fmt;

/// The widest bit-vector a term may have.
pub const MAX_WIDTH: u16 = 4096;

/// An IEEE 754 binary interchange format, given by its field widths.
///
/// `sb` counts the hidden bit, as SMT-LIB's `(_ FloatingPoint eb sb)` does, so
/// that a packed value takes `eb + sb` bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FpFormat {
    /// Bits of the exponent, 2 to 20.
    pub eb: u8,
    /// Bits of the significand with its hidden bit, 2 to 113.
    pub sb: u8,
}

impl FpFormat {
    /// IEEE binary16.
    pub const HALF: FpFormat = FpFormat { eb: 5, sb: 11 };
    /// IEEE binary32, C's `float`.
    pub const SINGLE: FpFormat = FpFormat { eb: 8, sb: 24 };
    /// IEEE binary64, C's `double`.
    pub const DOUBLE: FpFormat = FpFormat { eb: 11, sb: 53 };
    /// The values of x86's 80-bit `long double`, packed without its explicit
    /// integer bit (79 bits).
    pub const X87: FpFormat = FpFormat { eb: 15, sb: 64 };
    /// IEEE binary128.
    pub const QUAD: FpFormat = FpFormat { eb: 15, sb: 113 };

    /// The format with these field widths, if it is one this crate computes in.
    pub fn new(eb: u32, sb: u32) -> Option<FpFormat> {
        let fits = (2..=20).contains(&eb) && (2..=113).contains(&sb) && eb + sb <= 128;
        fits.then_some(FpFormat {
            eb: eb as u8,
            sb: sb as u8,
        })
    }

    /// Bits of a packed value: sign, exponent and stored significand.
    pub fn width(self) -> u32 {
        u32::from(self.eb) + u32::from(self.sb)
    }

    /// The format, with a longer exponent where it lacks integers that its numbers
    /// round to. One of 2 and 3 bits ends at 3.5, which rounds to 4: infinity there,
    /// and 4 in what this gives.
    pub fn holding_integers(self) -> FpFormat {
        // Where the last bit of the greatest number is worth one, that number is whole.
        let eb = (self.eb..).find(|&eb| FpFormat { eb, ..self }.bias() >= i32::from(self.sb) - 1);
        FpFormat {
            eb: eb.expect("an exponent of 8 bits exceeds every precision"),
            ..self
        }
    }

    /// The exponent's bias, which is also the largest exponent of a finite value.
    pub fn bias(self) -> i32 {
        (1 << (self.eb - 1)) - 1
    }
}

impl fmt::Debug for FpFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fp{}.{}", self.eb, self.sb)
    }
}

/// IEEE 754's five rounding directions, in SMT-LIB's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum RoundingMode {
    /// `RNE`: to nearest, ties to the even significand.
    NearestEven = 0,
    /// `RNA`: to nearest, ties away from zero.
    NearestAway = 1,
    /// `RTP`: toward positive infinity.
    TowardPositive = 2,
    /// `RTN`: toward negative infinity.
    TowardNegative = 3,
    /// `RTZ`: toward zero.
    TowardZero = 4,
}

impl RoundingMode {
    /// All five, in the order of their numbers.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// SMT-LIB's short name.
    pub fn name(self) -> &'static str {
        ["RNE", "RNA", "RTP", "RTN", "RTZ"][self as usize]
    }
}

/// What kind of value a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of this width, 1 to [`MAX_WIDTH`].
    Bv(u16),
    /// Floating-point numbers of this format, with one NaN.
    Fp(FpFormat),
    /// Rounding modes of floating-point operations.
    RoundingMode,
    /// Total maps from bit-vectors to bit-vectors.
    Array {
        /// Width of an index.
        index: u16,
        /// Width of an element.
        element: u16,
    },
    /// The integers.
    Int,
    /// The real numbers.
    Real,
    /// Finite sequences of Unicode code points below 0x30000.
    String,
    /// Regular languages over such sequences.
    RegLan,
}

impl Sort {
    /// The width of a bit-vector sort; zero for any other.
    pub fn bv_width(self) -> u16 {
        match self {
            Sort::Bv(width) => width,
            _ => 0,
        }
    }
}

impl Sort {
    /// A number that tells sorts apart, for hashing and for the portable encoding.
    pub(crate) fn code(self) -> u32 {
        let (tag, a, b) = match self {
            Sort::Bool => (0, 0, 0),
            Sort::Bv(width) => (1, width, 0),
            Sort::Fp(format) => (2, u16::from(format.eb), u16::from(format.sb)),
            Sort::RoundingMode => (3, 0, 0),
            Sort::Array { index, element } => (4, index, element),
            Sort::Int => (5, 0, 0),
            Sort::Real => (6, 0, 0),
            Sort::String => (7, 0, 0),
            Sort::RegLan => (8, 0, 0),
        };
        tag | u32::from(a) << 4 | u32::from(b) << 18
    }

    /// The sort with this [`code`](Sort::code).
    pub(crate) fn from_code(code: u32) -> Option<Sort> {
        let (a, b) = (code >> 4 & 0x3fff, code >> 18);
        let width = |w: u32| (1..=u32::from(MAX_WIDTH)).contains(&w).then_some(w as u16);
        Some(match code & 15 {
            0 => Sort::Bool,
            1 => Sort::Bv(width(a)?),
            2 => Sort::Fp(FpFormat::new(a, b)?),
            3 => Sort::RoundingMode,
            4 => Sort::Array {
                index: width(a)?,
                element: width(b)?,
            },
            5 => Sort::Int,
            6 => Sort::Real,
            7 => Sort::String,
            8 => Sort::RegLan,
            _ => return None,
        })
    }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Prints the sort as SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
            Sort::Fp(FpFormat { eb, sb }) => write!(f, "(_ FloatingPoint {eb} {sb})"),
            Sort::RoundingMode => write!(f, "RoundingMode"),
            Sort::Array { index, element } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
            Sort::Int => write!(f, "Int"),
            Sort::Real => write!(f, "Real"),
            Sort::String => write!(f, "String"),
            Sort::RegLan => write!(f, "RegLan"),
        }
    }
}
