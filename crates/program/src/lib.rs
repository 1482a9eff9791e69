//! LLVM modules in, compact typed programs out.
//!
//! [`load`] takes C, C++, LLVM text and bitcode files and gives a [`Program`]:
//! functions as flat code over numbered registers, global variables as bytes
//! with relocations, and what the source says of both. Everything that LLVM
//! leaves open is settled here, so that whoever runs the program needs neither
//! LLVM nor a type system:
//!
//! - operands are register numbers, with no tag to look at: a function's
//!   constants are its first registers, its parameters the next ones;
//! - values are scalars: vectors, arrays and structs were taken apart;
//! - sizes, offsets and alignments are numbers;
//! - phis are copies on [`Edge`]s, in an order in which they can be made;
//! - exceptions leave a call by a table beside the code, as in a compiled program;
//! - what has no representation is an [`Inst::Unsupported`] that says its name.
//!
//! Undefined values are constants of their own ([`Constant::Undef`],
//! [`Constant::Poison`]); a machine with no opinion takes them for 0. In
//! initial values of global variables they are 0. Flags that only permit
//! optimisations (fast floating point, `noalias`, …) are left out.
//!
//! ```
//! use program::{Inst, LoadOptions, load};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("twice.c");
//! std::fs::write(&file, "int twice(int x) { return x + x; }")?;
//!
//! let options = LoadOptions { promote: true, ..LoadOptions::default() };
//! let program = load(&[file], &options)?;
//!
//! let twice = program.function("twice").expect("it is defined above");
//! let body = program.functions[twice.index()].body.as_ref().expect("it has code");
//! let x = body.parameter(0);
//! assert!(matches!(body.code[0], Inst::Binary { width: 32, a, b, .. } if a == x && b == x));
//! assert!(matches!(body.code[1], Inst::Return { values } if body.registers(values).len() == 1));
//! assert_eq!(program.source.location(body.locations[0]).line, 1);
//! # Ok(())
//! # }
//! ```

#![deny(unsafe_code)]

mod error;
mod executable;
mod fingerprint;
mod ids;
mod inst;
mod instrument;
mod intrinsic;
mod layout;
mod library;
mod listing;
#[allow(unsafe_code, reason = "the safe layer over LLVM")]
mod llvm;
mod load;
mod locals;
mod lower;
mod operations;
mod ops;
mod program;
mod promises;
mod scopes;
mod source;
mod straighten;
pub mod toolchain;

pub use error::LoadError;
pub use executable::bitcode_modules;
pub use fingerprint::fingerprint;
pub use ids::{
    AsmId, BlockId, EdgeId, FileId, FunctionId, GlobalId, LocationId, MessageId, PadId, Reg,
    SignatureId, SourceFunctionId, Span, TypeId,
};
pub use inst::Inst;
pub use instrument::{ENTRY_NAME, Instrumented, Point, PointLocation, instrument};
pub use intrinsic::Intrinsic;
pub use library::{Archive, Library, Provided};
pub use load::{DriverWriter, LoadOptions, WriteDriver, load, native_libraries, reload, verify};
pub use ops::{
    Access, Align, BinaryOp, CastOp, Flags, FloatKind, FloatOp, FloatPredicate, Kind, MAX_WIDTH,
    Ordering, Predicate, RmwOp,
};
pub use program::{
    Address, Alias, Annotated, Annotation, Base, Block, Body, Case, Clause, Constant, Edge,
    Function, Global, Initializer, InlineAsm, LandingPad, Linkage, Move, Parameter, Passing,
    Program, Relocation, Signature, Structor, Symbol, Unwind,
};
pub use scopes::{SCOPE_BEGINS, SCOPE_ENDS, SCOPES_MARK};
pub use source::{
    Branching, DebugType, Enumerator, Field, GlobalName, Line, Location, Place, Shape, Source,
    SourceFile, SourceFunction, SourceParameter, Variable, Variant,
};
pub use toolchain::{CompileOptions, OptLevel, ToolchainError};
