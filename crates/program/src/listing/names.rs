//! Names of kinds, constants and addresses.

use std::fmt::{self, Display, Formatter};

use crate::ids::FunctionId;
use crate::ops::{Access, FloatKind, Kind, Ordering};
use crate::program::{Address, Annotated, Base, Constant, Linkage, Parameter, Passing, Program};

/// The text if it applies.
pub(super) fn word(set: bool, text: &'static str) -> &'static str {
    if set { text } else { "" }
}

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(width) => write!(f, "i{width}"),
            Self::Float(kind) => write!(f, "{kind}"),
            Self::Ptr => write!(f, "ptr"),
        }
    }
}

impl Display for FloatKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Half => "half",
            Self::BFloat => "bfloat",
            Self::Single => "float",
            Self::Double => "double",
            Self::X87 => "x86_fp80",
            Self::Quad => "fp128",
        })
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        match self.passing {
            Passing::Direct => Ok(()),
            Passing::ZeroExtended => write!(f, " zeroext"),
            Passing::SignExtended => write!(f, " signext"),
            Passing::ByValue { size, align } => {
                write!(f, " byval({size} align {})", align.bytes())
            }
            Passing::StructReturn { size } => write!(f, " sret({size})"),
        }
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, " align {}", self.align.bytes())?;
        f.write_str(word(self.exact, " exactly"))?;
        if self.ordering != Ordering::None {
            write!(f, " {}", self.ordering)?;
        }
        f.write_str(word(self.volatile, " volatile"))
    }
}

/// What a function returns.
pub(super) struct Results<'p>(pub(super) &'p [Kind]);

impl Display for Results<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => write!(f, "void"),
            [kind] => write!(f, "{kind}"),
            several => {
                let names = several.iter().map(ToString::to_string).collect::<Vec<_>>();
                write!(f, "{{{}}}", names.join(", "))
            }
        }
    }
}

/// Something whose text needs the names of the program.
pub(super) struct Text<'p, T>(pub(super) &'p Program, pub(super) &'p T);

impl Display for Text<'_, Linkage> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.1 {
            Linkage::External => "",
            Linkage::Internal => "internal ",
            Linkage::Weak => "weak ",
            Linkage::ExternalWeak => "extern_weak ",
        })
    }
}

impl Display for Text<'_, Address> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = |id: FunctionId| &self.0.functions[id.index()].name;
        match self.1.base {
            Base::Global(id) => write!(f, "@{}", self.0.globals[id.index()].name)?,
            Base::Function(id) => write!(f, "@{}", function(id))?,
            Base::Block(id, block) => write!(f, "@{}:b{}", function(id), block.0)?,
        }
        match self.1.offset {
            0 => Ok(()),
            offset => write!(f, "{offset:+}"),
        }
    }
}

impl Display for Text<'_, Annotated> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = |id: FunctionId| &self.0.functions[id.index()].name;
        match *self.1 {
            Annotated::Function(id) => write!(f, "@{}", function(id)),
            Annotated::Global(id) => write!(f, "@{}", self.0.globals[id.index()].name),
            Annotated::Register(id, register) => write!(f, "@{}:%{}", function(id), register.0),
            Annotated::Instruction(id, pc) => write!(f, "@{} instruction {pc}", function(id)),
        }
    }
}

/// A constant, as a value of its kind.
pub(super) struct ConstantText<'p> {
    pub(super) program: &'p Program,
    pub(super) constant: &'p Constant,
    pub(super) kind: Kind,
}

impl Display for ConstantText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.constant {
            Constant::Bits(words) => write_bits(f, words, self.kind),
            Constant::Null => write!(f, "null"),
            Constant::Address(address) => Text(self.program, address).fmt(f),
            Constant::Difference { left, right } => {
                write!(
                    f,
                    "({} - {})",
                    Text(self.program, left),
                    Text(self.program, right)
                )
            }
            Constant::Undef => write!(f, "undef"),
            Constant::Poison => write!(f, "poison"),
        }
    }
}

fn write_bits(f: &mut Formatter<'_>, words: &[u64], kind: Kind) -> fmt::Result {
    match kind {
        Kind::Int(1) => write!(f, "{}", words[0]),
        Kind::Int(width @ 2..=64) => {
            let unused = 64 - u32::from(width);
            write!(f, "{}", ((words[0] << unused) as i64) >> unused)
        }
        Kind::Float(FloatKind::Single) => match f32::from_bits(words[0] as u32) {
            number if number.is_nan() => write!(f, "{:#x}", words[0]),
            number => write!(f, "{number:?}"),
        },
        Kind::Float(FloatKind::Double) => match f64::from_bits(words[0]) {
            number if number.is_nan() => write!(f, "{:#x}", words[0]),
            number => write!(f, "{number:?}"),
        },
        Kind::Int(_) | Kind::Ptr | Kind::Float(_) => {
            write!(f, "0x")?;
            words
                .iter()
                .rev()
                .try_for_each(|word| write!(f, "{word:016x}"))
        }
    }
}
