//! What instructions are made of: kinds of values, operations, promises.

use std::fmt;

/// The widest integer that has a representation.
pub const MAX_WIDTH: u16 = 4096;

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// An integer of so many bits, 1 to [`MAX_WIDTH`].
    Int(u16),
    /// A floating-point number, held as its bits.
    Float(FloatKind),
    /// An address of 64 bits.
    Ptr,
}

impl Kind {
    /// The type of such values, as LLVM writes it.
    pub fn llvm_type(self) -> String {
        let name = match self {
            Kind::Int(width) => return format!("i{width}"),
            Kind::Ptr => "ptr",
            Kind::Float(FloatKind::Half) => "half",
            Kind::Float(FloatKind::BFloat) => "bfloat",
            Kind::Float(FloatKind::Single) => "float",
            Kind::Float(FloatKind::Double) => "double",
            Kind::Float(FloatKind::X87) => "x86_fp80",
            Kind::Float(FloatKind::Quad) => "fp128",
        };
        name.to_owned()
    }

    /// How many bits the value has.
    pub fn bits(self) -> u32 {
        match self {
            Self::Int(width) => u32::from(width),
            Self::Float(kind) => kind.bits(),
            Self::Ptr => 64,
        }
    }

    /// How many bytes a load or store of the value touches.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }
}

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// The upper half of a binary32.
    BFloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// The 80 bits of the x87 unit, with an explicit leading bit.
    X87,
    /// IEEE binary128.
    Quad,
}

impl FloatKind {
    /// How many bits the format has.
    pub fn bits(self) -> u32 {
        match self {
            Self::Half | Self::BFloat => 16,
            Self::Single => 32,
            Self::Double => 64,
            Self::X87 => 80,
            Self::Quad => 128,
        }
    }
}

/// An alignment, a power of two held as its exponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Align(pub u8);

impl Align {
    /// The alignment of `bytes`, which is rounded down to a power of two; 0 counts as 1.
    pub fn from_bytes(bytes: u64) -> Self {
        Self(bytes.max(1).ilog2() as u8)
    }

    /// The alignment in bytes.
    pub fn bytes(self) -> u64 {
        1 << self.0
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All there are, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in listings.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use named;

named! {
    /// An operation on two integers of one width.
    BinaryOp {
        /// Sum, modulo 2ⁿ.
        Add = "add",
        /// Difference, modulo 2ⁿ.
        Sub = "sub",
        /// Product, modulo 2ⁿ.
        Mul = "mul",
        /// Unsigned quotient; division by zero is an error.
        UDiv = "udiv",
        /// Signed quotient towards zero; division by zero and overflow are errors.
        SDiv = "sdiv",
        /// Unsigned remainder; division by zero is an error.
        URem = "urem",
        /// Signed remainder with the dividend's sign; division by zero and overflow are errors.
        SRem = "srem",
        /// Shift to the left; poison when the amount reaches the width.
        Shl = "shl",
        /// Shift to the right, filling with zeros.
        LShr = "lshr",
        /// Shift to the right, filling with the sign.
        AShr = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
    }
}

named! {
    /// A comparison of integers or addresses.
    Predicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Unsigned greater.
        Ugt = "ugt",
        /// Unsigned greater or equal.
        Uge = "uge",
        /// Unsigned less.
        Ult = "ult",
        /// Unsigned less or equal.
        Ule = "ule",
        /// Signed greater.
        Sgt = "sgt",
        /// Signed greater or equal.
        Sge = "sge",
        /// Signed less.
        Slt = "slt",
        /// Signed less or equal.
        Sle = "sle",
    }
}

named! {
    /// An operation on two floating-point numbers, rounded to nearest even.
    FloatOp {
        /// Sum.
        Add = "fadd",
        /// Difference.
        Sub = "fsub",
        /// Product.
        Mul = "fmul",
        /// Quotient.
        Div = "fdiv",
        /// Remainder as C's `fmod`.
        Rem = "frem",
    }
}

named! {
    /// A comparison of floating-point numbers: ordered ones fail on NaN, unordered ones hold.
    FloatPredicate {
        /// Never.
        False = "false",
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and greater or equal.
        Oge = "oge",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and less or equal.
        Ole = "ole",
        /// Ordered and not equal.
        One = "one",
        /// Neither is NaN.
        Ord = "ord",
        /// At least one is NaN.
        Uno = "uno",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or greater or equal.
        Uge = "uge",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or less or equal.
        Ule = "ule",
        /// Unordered or not equal.
        Une = "une",
        /// Always.
        True = "true",
    }
}

named! {
    /// A conversion from one kind to another.
    CastOp {
        /// Keep the low bits.
        Trunc = "trunc",
        /// Fill with zeros.
        ZExt = "zext",
        /// Fill with the sign.
        SExt = "sext",
        /// To a smaller floating-point format.
        FloatTrunc = "fptrunc",
        /// To a larger floating-point format.
        FloatExt = "fpext",
        /// Towards zero to an unsigned integer; poison when out of range.
        FloatToUnsigned = "fptoui",
        /// Towards zero to a signed integer; poison when out of range.
        FloatToSigned = "fptosi",
        /// From an unsigned integer.
        UnsignedToFloat = "uitofp",
        /// From a signed integer.
        SignedToFloat = "sitofp",
        /// The address as an integer, cut or filled with zeros.
        PtrToInt = "ptrtoint",
        /// The integer as an address, cut or filled with zeros.
        IntToPtr = "inttoptr",
        /// The same bits, read as another kind of the same width.
        Bits = "bitcast",
    }
}

named! {
    /// How an atomic access is ordered with others.
    Ordering {
        /// Not atomic at all.
        None = "plain",
        /// Atomic without order.
        Unordered = "unordered",
        /// C's `relaxed`.
        Relaxed = "relaxed",
        /// C's `acquire`.
        Acquire = "acquire",
        /// C's `release`.
        Release = "release",
        /// C's `acq_rel`.
        AcquireRelease = "acq_rel",
        /// C's `seq_cst`.
        Sequential = "seq_cst",
    }
}

named! {
    /// What an atomic update stores, from the old value and the operand.
    RmwOp {
        /// The operand.
        Exchange = "xchg",
        /// The sum.
        Add = "add",
        /// The difference.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// The complement of bitwise and.
        Nand = "nand",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// The signed maximum.
        Max = "max",
        /// The signed minimum.
        Min = "min",
        /// The unsigned maximum.
        UMax = "umax",
        /// The unsigned minimum.
        UMin = "umin",
        /// The floating-point sum.
        FAdd = "fadd",
        /// The floating-point difference.
        FSub = "fsub",
        /// As C's `fmax`.
        FMax = "fmax",
        /// As C's `fmin`.
        FMin = "fmin",
        /// The maximum, NaN if either is.
        FMaximum = "fmaximum",
        /// The minimum, NaN if either is.
        FMinimum = "fminimum",
        /// One more, or 0 once the operand is reached.
        IncrementWrap = "uinc_wrap",
        /// One less, or the operand from 0 or above it.
        DecrementWrap = "udec_wrap",
        /// The difference unless it would be negative, else the old value.
        SubConditional = "usub_cond",
        /// The difference, or 0 if it would be negative.
        SubSaturating = "usub_sat",
    }
}

/// Promises an arithmetic instruction carries; the result is poison when one is broken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags(pub u8);

impl Flags {
    /// No unsigned overflow.
    pub const NUW: Self = Self(1);
    /// No signed overflow.
    pub const NSW: Self = Self(2);
    /// No remainder, or no one shifted out.
    pub const EXACT: Self = Self(4);
    /// No bit is set in both operands.
    pub const DISJOINT: Self = Self(8);
    /// The operand is not negative.
    pub const NNEG: Self = Self(16);
    /// The address stays inside the object it starts in.
    pub const INBOUNDS: Self = Self(32);

    /// All promises of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all promises of `other` are made.
    #[inline]
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [(Flags, &str); 6] = [
            (Flags::NUW, "nuw"),
            (Flags::NSW, "nsw"),
            (Flags::EXACT, "exact"),
            (Flags::DISJOINT, "disjoint"),
            (Flags::NNEG, "nneg"),
            (Flags::INBOUNDS, "inbounds"),
        ];
        NAMES
            .iter()
            .filter(|(flag, _)| self.has(*flag))
            .try_for_each(|(_, name)| write!(f, " {name}"))
    }
}

/// How a load or store happens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The alignment the address is promised to have.
    pub align: Align,
    /// The order among threads.
    pub ordering: Ordering,
    /// Whether the access itself can be observed.
    pub volatile: bool,
    /// Whether an address of another alignment is an error of the program, as in Rust. In C
    /// it is too, and works on many machines; there it is looked for on request.
    pub exact: bool,
}

impl Access {
    /// Whether the access may be at that address.
    #[inline]
    pub fn allows(self, address: u64) -> bool {
        !self.exact || address & (self.align.bytes() - 1) == 0
    }
}
