//! Kani's names for what Everypath does, so that harnesses written for it run here.
//!
//! Bounds of loops (`#[kani::unwind]`) and the choice of a solver are ignored: paths are
//! followed to their end.
#![allow(unexpected_cfgs)]

pub use everypath::{Arbitrary, any, any_where, assume, cover};
pub use everypath_macros::{ignored as solver, ignored as unwind, proof};

#[cfg(not(everypath))]
pub use everypath::saved;
