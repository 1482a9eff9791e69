//! Dense numbers for everything a program has many of.
//!
//! Each is an index into one table of [`Program`](crate::Program) or
//! [`Body`](crate::Body), as a type of its own so that they cannot be mixed up.

use std::ops::Range;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table this number belongs to.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The number of the entry at `index`.
            ///
            /// # Panics
            ///
            /// When there are more than 2³² entries.
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("a table has fewer than 2^32 entries"))
            }
        }
    )*};
}

ids! {
    /// A function, defined or only declared: [`Program::functions`](crate::Program::functions).
    FunctionId;
    /// A global variable: [`Program::globals`](crate::Program::globals).
    GlobalId;
    /// The shape of a call: [`Program::signatures`](crate::Program::signatures).
    SignatureId;
    /// A piece of inline assembly: [`Program::inline_asms`](crate::Program::inline_asms).
    AsmId;
    /// Why an instruction has no meaning here: [`Program::messages`](crate::Program::messages).
    MessageId;
    /// A source file: [`Source::files`](crate::Source::files).
    FileId;
    /// A place in the source: [`Source::locations`](crate::Source::locations).
    LocationId;
    /// A function as the source names it: [`Source::functions`](crate::Source::functions).
    SourceFunctionId;
    /// A type as the source names it: [`Source::types`](crate::Source::types).
    TypeId;
    /// A register of one function: [`Body::kinds`](crate::Body::kinds).
    Reg;
    /// A basic block of one function: [`Body::blocks`](crate::Body::blocks).
    BlockId;
    /// A way from one block to another: [`Body::edges`](crate::Body::edges).
    EdgeId;
    /// A landing pad of one function: [`Body::landing_pads`](crate::Body::landing_pads).
    PadId;
}

impl LocationId {
    /// The location of code that no source line stands for; its line is 0.
    pub const UNKNOWN: Self = Self(0);
}

impl Reg {
    /// The destination of an instruction that yields nothing.
    pub const NONE: Self = Self(u32::MAX);
}

/// A run of entries in one of a body's tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first entry.
    pub start: u32,
    /// How many there are.
    pub count: u32,
}

impl Span {
    /// The entries as a range of positions.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }
}
