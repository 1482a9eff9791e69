//! The arithmetic types of C that programs compute with.

/// An arithmetic type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    pub const INTEGERS: [Scalar; 9] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::U8,
        Scalar::I16,
        Scalar::U16,
        Scalar::I32,
        Scalar::U32,
        Scalar::I64,
        Scalar::U64,
    ];

    /// What C calls it.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::I8 => "int8_t",
            Scalar::U8 => "uint8_t",
            Scalar::I16 => "int16_t",
            Scalar::U16 => "uint16_t",
            Scalar::I32 => "int32_t",
            Scalar::U32 => "uint32_t",
            Scalar::I64 => "int64_t",
            Scalar::U64 => "uint64_t",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    /// Bits of a value.
    pub fn bits(self) -> usize {
        match self {
            Scalar::Bool => 1,
            Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::F32 | Scalar::F64
        )
    }

    /// The unsigned type that arithmetic wraps around in.
    pub fn wrapping(self) -> Scalar {
        match self {
            Scalar::I64 | Scalar::U64 => Scalar::U64,
            _ => Scalar::U32,
        }
    }

    /// The type of half the width, whose products have room here.
    pub fn half(self) -> Scalar {
        match self {
            Scalar::I64 => Scalar::I32,
            _ => Scalar::I16,
        }
    }

    /// The type `printf` reads for it.
    pub fn printed_as(self) -> &'static str {
        match self {
            Scalar::F32 | Scalar::F64 => "double",
            Scalar::I64 => "long long",
            Scalar::U64 => "unsigned long long",
            Scalar::U32 => "unsigned",
            Scalar::Bool | Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::I32 => {
                "int"
            }
        }
    }
}
