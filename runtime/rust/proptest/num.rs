//! Numbers.

use crate::strategy::Strategy;
use crate::sugar::input;
use everypath::assume;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

/// Ranges with both ends, and those that follow from them.
macro_rules! between {
    ($type:ident, $within:ident) => {
        impl Strategy for RangeInclusive<$type> {
            type Value = $type;
            tree!();

            fn __any(&self) -> $type {
                let (low, high) = (*self.start(), *self.end());
                assert!(low <= high, "Invalid use of empty range {low}..={high}.");
                $within(low, high)
            }
        }

        impl Strategy for RangeFrom<$type> {
            type Value = $type;
            tree!();

            fn __any(&self) -> $type {
                $within(self.start, $type::MAX)
            }
        }

        impl Strategy for RangeToInclusive<$type> {
            type Value = $type;
            tree!();

            fn __any(&self) -> $type {
                $within($type::MIN, self.end)
            }
        }
    };
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        pub mod $type {
            use super::*;

            /// See [`ANY`].
            #[must_use = "strategies do nothing unless used"]
            #[derive(Clone, Copy, Debug)]
            pub struct Any(());

            /// Any number.
            pub const ANY: Any = Any(());

            impl Strategy for Any {
                type Value = $type;
                tree!();

                fn __any(&self) -> $type {
                    input()
                }
            }

            between!($type, within);

            fn within(low: $type, high: $type) -> $type {
                let value: $type = input();
                // One condition: to be within is no choice between paths.
                assume((low <= value) & (value <= high));
                value
            }

            impl Strategy for Range<$type> {
                type Value = $type;
                tree!();

                fn __any(&self) -> $type {
                    assert!(
                        self.start < self.end,
                        "Invalid use of empty range {}..{}.", self.start, self.end
                    );
                    within(self.start, self.end - 1)
                }
            }

            impl Strategy for RangeTo<$type> {
                type Value = $type;
                tree!();

                fn __any(&self) -> $type {
                    ($type::MIN..self.end).__any()
                }
            }
        }
    )* };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! floats {
    ($($type:ident $bits:ident $mantissa:literal)*) => { $(
        pub mod $type {
            use super::*;
            use std::ops::{BitOr, BitOrAssign};

            /// Numbers of some classes; `|` joins them.
            #[must_use = "strategies do nothing unless used"]
            #[derive(Clone, Copy, Debug)]
            pub struct Any(u32);

            pub const POSITIVE: Any = Any(1);
            pub const NEGATIVE: Any = Any(2);
            pub const NORMAL: Any = Any(4);
            pub const SUBNORMAL: Any = Any(8);
            pub const ZERO: Any = Any(16);
            pub const INFINITE: Any = Any(32);
            pub const QUIET_NAN: Any = Any(64);
            pub const SIGNALING_NAN: Any = Any(128);
            pub const ANY: Any = Any(127);

            impl BitOr for Any {
                type Output = Any;

                fn bitor(self, other: Any) -> Any {
                    Any(self.0 | other.0)
                }
            }

            impl BitOrAssign for Any {
                fn bitor_assign(&mut self, other: Any) {
                    self.0 |= other.0;
                }
            }

            impl Strategy for Any {
                type Value = $type;
                tree!();

                fn __any(&self) -> $type {
                    const SIGN: $bits = 1 << ($bits::BITS - 1);
                    const MANTISSA: $bits = (1 << $mantissa) - 1;
                    const EXPONENT: $bits = !(SIGN | MANTISSA);
                    const QUIET: $bits = 1 << ($mantissa - 1);
                    // Without a sign they are positive, and without a class normal.
                    let signs = if self.0 & 3 == 0 { 1 } else { self.0 & 3 };
                    let classes = if self.0 >> 2 == 0 { 4 } else { self.0 };
                    let has = |class: Any| classes & class.0 != 0;
                    let bits: $bits = input();
                    let (exponent, mantissa) = (bits & EXPONENT, bits & MANTISSA);
                    let (is_least, is_most) = (exponent == 0, exponent == EXPONENT);
                    let is_zero = mantissa == 0;
                    let is_quiet = mantissa & QUIET != 0;
                    let is_negative = bits & SIGN != 0;
                    let class = (has(NORMAL) & !is_least & !is_most)
                        | (has(SUBNORMAL) & is_least & !is_zero)
                        | (has(ZERO) & is_least & is_zero)
                        | (has(INFINITE) & is_most & is_zero)
                        | (has(QUIET_NAN) & is_most & is_quiet)
                        | (has(SIGNALING_NAN) & is_most & !is_quiet & !is_zero);
                    let sign = ((signs & 1 != 0) & !is_negative) | ((signs & 2 != 0) & is_negative);
                    assume(class & sign);
                    $type::from_bits(bits)
                }
            }

            between!($type, within);

            fn within(low: $type, high: $type) -> $type {
                let value: $type = input();
                // There is no way to a negative zero but from one.
                let is_negative_zero = (value == 0.0) & value.is_sign_negative();
                let may_be = (low == 0.0) & low.is_sign_negative();
                assume((low <= value) & (value <= high) & (!is_negative_zero | may_be));
                value
            }

            impl Strategy for Range<$type> {
                type Value = $type;
                tree!();

                fn __any(&self) -> $type {
                    assert!(
                        self.start < self.end,
                        "Invalid use of empty range {}..{}.", self.start, self.end
                    );
                    let value = within(self.start, self.end);
                    assume(value < self.end);
                    value
                }
            }

            impl Strategy for RangeTo<$type> {
                type Value = $type;
                tree!();

                fn __any(&self) -> $type {
                    ($type::MIN..self.end).__any()
                }
            }
        }
    )* };
}

floats!(f32 u32 23 f64 u64 52);
