//! Numbers as sets of bits.

use crate::collection::SizeRange;
use crate::strategy::Strategy;
use crate::sugar::input;
use std::fmt;

/// Any set of the bits of a mask.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Copy, Debug)]
pub struct BitSetStrategy<T> {
    mask: T,
}

/// Any set of so many bits of a mask.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct SampledBitSetStrategy<T> {
    mask: T,
    size: SizeRange,
}

impl<T: fmt::Debug> BitSetStrategy<T> {
    pub fn masked(mask: T) -> Self {
        BitSetStrategy { mask }
    }
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Strategy for BitSetStrategy<$type> {
            type Value = $type;
            tree!();

            fn __any(&self) -> $type {
                let value: $type = input();
                value & self.mask
            }
        }

        impl Strategy for SampledBitSetStrategy<$type> {
            type Value = $type;
            tree!();

            fn __any(&self) -> $type {
                let value: $type = input();
                let value = value & self.mask;
                let (least, most) = self.size.start_end_incl();
                let count = value.count_ones() as usize;
                everypath::assume((least <= count) & (count <= most));
                value
            }
        }

        pub mod $type {
            use super::*;

            /// Any set of bits.
            pub const ANY: BitSetStrategy<$type> = BitSetStrategy { mask: !0 };

            /// Any set of the bits from one up to, not including, another.
            pub fn between(min: usize, max: usize) -> BitSetStrategy<$type> {
                let mask = (min..max).fold(0, |mask, bit| mask | (1 << bit));
                BitSetStrategy { mask }
            }

            /// Any set of these bits.
            pub fn masked(mask: $type) -> BitSetStrategy<$type> {
                BitSetStrategy { mask }
            }

            /// Any set of so many bits.
            pub fn sampled(
                size: impl Into<SizeRange>,
                bits: impl Into<SizeRange>,
            ) -> SampledBitSetStrategy<$type> {
                let (low, high) = bits.into().start_end_incl();
                let mask = between(low, high + 1).mask;
                SampledBitSetStrategy { mask, size: size.into() }
            }
        }
    )* };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
