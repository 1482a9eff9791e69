//! The functions everybody has: all of C23's `<math.h>` with its POSIX and GNU
//! company, and those of the C library that compute and do nothing else.
//!
//! They are pure: the result, and what is written through a pointer, depend on
//! the arguments alone. (`lgamma` also sets `signgam`, which C does not know.)
//! A signature here is what a program that calls the function without a
//! declaration at hand may assume on a 64-bit Unix.

use crate::signature::{Parameter, Pointee, Signature, Type};

/// Whether the function is known to compute its result and do nothing else.
pub fn is_pure(name: &str) -> bool {
    let unshaped = |base: &str| UNSHAPED.split_whitespace().any(|known| known == base);
    shape(name).is_some() || unshaped(name) || name.strip_suffix(['f', 'l']).is_some_and(unshaped)
}

/// The signature of a function known to be pure.
pub fn known_signature(name: &str) -> Option<Signature> {
    let (shape, real) = shape(name)?;
    let kind = |letter: u8| match letter {
        b'r' => real,
        b'f' => Type::FLOAT,
        b'd' => Type::DOUBLE,
        b'e' => Type::LONG_DOUBLE,
        b'i' => Type::Signed(32),
        b'l' => Type::Signed(64),
        b'h' => Type::Unsigned(16),
        b'u' => Type::Unsigned(32),
        b'z' => Type::Unsigned(64),
        b's' => Type::Pointer(Pointee::Text),
        b'c' => Type::Pointer(Pointee::Const),
        b'm' => Type::Pointer(Pointee::Mutable),
        b'v' => Type::Void,
        _ => unreachable!("the shapes below use these letters"),
    };
    let (result, parameters) = shape
        .as_bytes()
        .split_first()
        .expect("a shape begins with its result");
    let parameters = parameters.iter().zip(["x", "y", "z"]);
    Some(Signature {
        name: name.to_owned(),
        parameters: parameters
            .map(|(&letter, name)| Parameter {
                name: name.to_owned(),
                kind: kind(letter),
            })
            .collect(),
        result: kind(*result),
    })
}

/// Every name with a known signature.
pub fn known_names() -> impl Iterator<Item = String> {
    let of = |table: &'static [(&str, &'static str)]| {
        table.iter().flat_map(|(_, names)| names.split_whitespace())
    };
    let real = of(REAL).flat_map(|name| ["", "f", "l"].map(|suffix| format!("{name}{suffix}")));
    real.chain(of(PLAIN).map(str::to_owned))
}

/// The shape of a function: its result, then its parameters, a letter each;
/// and what `r` stands for in it.
fn shape(name: &str) -> Option<(&'static str, Type)> {
    let find = |table: &[(&'static str, &'static str)], name: &str| {
        let has = |names: &str| names.split_whitespace().any(|known| known == name);
        table.iter().find(|(_, names)| has(names)).map(|row| row.0)
    };
    let variant = |suffix: char, real: Type| {
        let shape = find(REAL, name.strip_suffix(suffix)?)?;
        Some((shape, real))
    };
    find(REAL, name)
        .or_else(|| find(PLAIN, name))
        .map(|shape| (shape, Type::DOUBLE))
        .or_else(|| variant('f', Type::FLOAT))
        .or_else(|| variant('l', Type::LONG_DOUBLE))
}

/// Functions that come three times: for `double`, `float` (`f`) and `long
/// double` (`l`).
const REAL: &[(&str, &str)] = &[
    (
        "rr",
        "acos asin atan cos sin tan acospi asinpi atanpi cospi sinpi tanpi \
         acosh asinh atanh cosh sinh tanh \
         exp exp2 exp10 expm1 exp2m1 exp10m1 log log2 log10 log1p log2p1 log10p1 logp1 logb \
         cbrt fabs rsqrt sqrt erf erfc lgamma tgamma gamma j0 j1 y0 y1 significand \
         ceil floor nearbyint rint round roundeven trunc nextup nextdown",
    ),
    (
        "rrr",
        "atan2 atan2pi hypot pow powr fmod remainder drem copysign nextafter scalb \
         fdim fmax fmin fmaximum fminimum fmaximum_mag fminimum_mag fmaximum_num fminimum_num \
         fmaximum_mag_num fminimum_mag_num",
    ),
    ("rrrr", "fma"),
    ("rri", "ldexp scalbn"),
    ("rrl", "scalbln pown rootn compoundn"),
    ("rir", "jn yn"),
    ("rre", "nexttoward"),
    ("ir", "ilogb finite isinf isnan"),
    ("lr", "llogb lrint llrint lround llround"),
    ("rrm", "frexp modf"),
    ("rrrm", "remquo"),
    ("vrmm", "sincos"),
    ("rs", "nan"),
    ("imc", "canonicalize"),
    ("icc", "totalorder totalordermag"),
    ("rc", "getpayload"),
    ("imr", "setpayload setpayloadsig"),
];

/// Pure functions in three variants without a signature here: complex numbers
/// have no [`Type`], and C libraries disagree on what `fromfp` returns.
const UNSHAPED: &str = "fromfp ufromfp fromfpx ufromfpx \
     cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow \
     cproj creal csin csinh csqrt ctan ctanh";

/// Functions that come once.
const PLAIN: &[(&str, &str)] = &[
    ("ddm", "lgamma_r"),
    ("ffm", "lgammaf_r"),
    ("eem", "lgammal_r"),
    ("fdd", "fadd fsub fmul fdiv"),
    ("fee", "faddl fsubl fmull fdivl"),
    ("dee", "daddl dsubl dmull ddivl"),
    ("fddd", "ffma"),
    ("feee", "ffmal"),
    ("deee", "dfmal"),
    ("fd", "fsqrt"),
    ("fe", "fsqrtl"),
    ("de", "dsqrtl"),
    ("ii", "abs ffs"),
    ("ll", "labs llabs"),
    ("il", "ffsl ffsll"),
    (
        "ii",
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace \
         isupper isxdigit toascii tolower toupper",
    ),
    ("uu", "htonl ntohl"),
    ("hh", "htons ntohs"),
    ("dll", "difftime"),
    ("is", "atoi"),
    ("ls", "atol atoll"),
    ("ds", "atof"),
    ("zs", "strlen"),
    ("zss", "strspn strcspn"),
    ("iss", "strcmp strcasecmp"),
    ("issz", "strncmp strncasecmp"),
    ("iccz", "memcmp"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn text(name: &str) -> String {
        known_signature(name).map_or("unknown".into(), |signature| signature.to_string())
    }

    #[test]
    fn each_known_function_has_one_signature() {
        let names: Vec<String> = known_names().collect();
        let distinct: HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        for name in &names {
            assert!(is_pure(name), "{name}");
            assert_eq!(known_signature(name).map(|s| s.name).as_ref(), Some(name));
        }
    }

    #[test]
    fn the_suffix_says_the_type() {
        assert_eq!(text("sin"), "double sin(double x)");
        assert_eq!(text("sinf"), "float sinf(float x)");
        assert_eq!(text("sinl"), "long double sinl(long double x)");
        assert_eq!(text("erf"), "double erf(double x)");
        assert_eq!(text("erff"), "float erff(float x)");
        assert_eq!(text("modf"), "double modf(double x, void* y)");
        assert_eq!(text("ceil"), "double ceil(double x)");
        assert_eq!(text("ceill"), "long double ceill(long double x)");
        assert_eq!(text("jnf"), "float jnf(i32 x, float y)");
        assert_eq!(
            text("nexttowardf"),
            "float nexttowardf(float x, long double y)"
        );
        assert_eq!(text("fmul"), "float fmul(double x, double y)");
        assert_eq!(text("lrintf"), "i64 lrintf(float x)");
        assert_eq!(text("strlen"), "u64 strlen(const char* x)");
    }

    #[test]
    fn purity_does_not_need_a_signature() {
        for name in ["cexp", "csqrtf", "cabsl", "fromfp", "ufromfpxf"] {
            assert!(is_pure(name), "{name}");
            assert_eq!(known_signature(name), None);
        }
    }

    #[test]
    fn functions_with_effects_are_not_known() {
        for name in [
            "rand", "printf", "malloc", "time", "strtok", "f", "l", "", "absf",
        ] {
            assert_eq!(text(name), "unknown");
            assert!(!is_pure(name), "{name}");
        }
    }
}
