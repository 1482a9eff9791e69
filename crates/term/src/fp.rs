//! Softfloat.
