//! The functions of `math.h` that no solver knows: sines, logarithms, powers.
//!
//! They are computed by the C library of the host, as the native program has
//! them computed. Of a symbolic `float` or `double` they are applications, which
//! `mixed` decides conditions about. In other formats, and where the strategy
//! says so, an argument is given the value it has in the path's model; the path
//! goes on with that value alone, which is said in a note.

use super::{as_double, convert};
use crate::machine::Machine;
use crate::outcome::{Halt, unsupported};
use crate::state::State;
use crate::value::Value;
use program::FloatKind;

/// A function of the C library in its two formats.
pub(crate) struct Library {
    /// Its name in C, for `double`.
    pub name: &'static str,
    double: fn(&[f64]) -> f64,
    single: fn(&[f32]) -> f32,
}

/// Defines functions whose expression is the same for `double` and `float`.
macro_rules! library {
    ($($constant:ident = $name:literal ($($arg:ident),+) $result:expr;)+) => {$(
        #[doc = concat!("C's `", $name, "`.")]
        pub(crate) const $constant: Library = Library {
            name: $name,
            double: |args: &[f64]| match *args {
                [$($arg,)+ ..] => $result,
                _ => unreachable!("{} has its arguments", $name),
            },
            single: |args: &[f32]| match *args {
                [$($arg,)+ ..] => $result,
                _ => unreachable!("{} has its arguments", $name),
            },
        };
    )+};
}

library! {
    SIN = "sin" (x) x.sin();
    COS = "cos" (x) x.cos();
    TAN = "tan" (x) x.tan();
    ASIN = "asin" (x) x.asin();
    ACOS = "acos" (x) x.acos();
    ATAN = "atan" (x) x.atan();
    ATAN2 = "atan2" (y, x) y.atan2(x);
    SINH = "sinh" (x) x.sinh();
    COSH = "cosh" (x) x.cosh();
    TANH = "tanh" (x) x.tanh();
    EXP = "exp" (x) x.exp();
    EXP2 = "exp2" (x) x.exp2();
    EXPM1 = "expm1" (x) x.exp_m1();
    LOG = "log" (x) x.ln();
    LOG2 = "log2" (x) x.log2();
    LOG10 = "log10" (x) x.log10();
    LOG1P = "log1p" (x) x.ln_1p();
    POW = "pow" (x, y) x.powf(y);
    CBRT = "cbrt" (x) x.cbrt();
    HYPOT = "hypot" (x, y) x.hypot(y);
}

/// GNU's `exp10`; the last digit may differ from that library's.
pub(crate) const EXP10: Library = Library {
    name: "exp10",
    double: |args| 10f64.powf(args[0]),
    single: |args| 10f64.powf(args[0].into()) as f32,
};

/// The sine of π times the argument; the last digit may differ from a library's.
pub(crate) const SINPI: Library = Library {
    name: "sinpi",
    double: |args| (args[0] % 2.0 * std::f64::consts::PI).sin(),
    single: |args| (f64::from(args[0] % 2.0) * std::f64::consts::PI).sin() as f32,
};

/// The cosine of π times the argument; the last digit may differ from a library's.
pub(crate) const COSPI: Library = Library {
    name: "cospi",
    double: |args| (args[0] % 2.0 * std::f64::consts::PI).cos(),
    single: |args| (f64::from(args[0] % 2.0) * std::f64::consts::PI).cos() as f32,
};

impl Library {
    /// The function of these words; none for formats wider than 64 bits.
    pub(crate) fn words(&self, kind: FloatKind, args: &[u64]) -> Option<u64> {
        match kind {
            FloatKind::Double => {
                let args: Vec<f64> = args.iter().map(|&word| f64::from_bits(word)).collect();
                Some((self.double)(&args).to_bits())
            }
            // Narrower formats are computed as `float`, as compilers do it.
            FloatKind::Single | FloatKind::Half | FloatKind::BFloat => {
                let args: Option<Vec<f64>> =
                    args.iter().map(|&word| as_double(kind, word)).collect();
                let args: Vec<f32> = args?.into_iter().map(|arg| arg as f32).collect();
                let result = (self.single)(&args).to_bits().into();
                Some(convert(FloatKind::Single, kind, result))
            }
            FloatKind::X87 | FloatKind::Quad => None,
        }
    }
}

impl Machine<'_> {
    /// The library's function of these values; symbolic ones are concretized.
    pub(crate) fn library(
        &mut self,
        state: &mut State,
        function: &'static Library,
        kind: FloatKind,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let width = kind.bits() as u16;
        if width > 64 {
            return unsupported(format!("`{}` of a {width}-bit float", function.name));
        }
        let symbolic = args.iter().any(|arg| arg.as_word().is_none());
        let decided = matches!(kind, FloatKind::Single | FloatKind::Double);
        if symbolic && decided && self.passes_terms() {
            return self.apply_library(state, function, kind, args);
        }
        let mut words = Vec::with_capacity(args.len());
        for &arg in args {
            let what = || "an argument".to_owned();
            words.push(self.pass(state, arg, width, function.name, what));
        }
        let result = function
            .words(kind, &words)
            .expect("the format fits a word");
        Ok(Value::word(result))
    }
}
