//! How tightly operators bind in the language of models, so that imports put brackets where
//! they are needed and nowhere else.

pub(super) const CONDITIONAL: u8 = 0;
pub(super) const OR: u8 = 1;
pub(super) const AND: u8 = 2;
/// Comparisons, and `not`, which takes one.
pub(super) const COMPARISON: u8 = 3;
pub(super) const SUM: u8 = 4;
pub(super) const PRODUCT: u8 = 5;
pub(super) const SIGN: u8 = 6;
pub(super) const PRIMARY: u8 = 7;
