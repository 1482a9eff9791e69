//! `--check`: checks of the language that clang compiles into a program.

/// A check of the language.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Check {
    /// All undefined behaviour that there is a check for.
    Ub,
    /// Signed sums, differences and products that do not fit.
    Overflow,
    /// The same of unsigned numbers, which wrap.
    UnsignedOverflow,
    /// Shifts by negative or too large numbers.
    Shift,
    /// Indices beyond their array.
    Bounds,
    /// Null pointers.
    Null,
    /// Addresses that are not aligned.
    Alignment,
    /// Truth values other than 0 and 1.
    Bool,
    /// Values that an enumeration of C++ does not have.
    Enum,
    /// Floating-point numbers that do not fit the type they are converted to.
    FloatCast,
    /// Floating-point divisions by zero.
    FloatDivision,
    /// Code that must not be reached.
    Unreachable,
    /// Functions that end without returning a value, in C++.
    Return,
    /// Pointer arithmetic that overflows.
    PointerOverflow,
    /// Null where something else was promised.
    Nonnull,
    /// Lengths of arrays that are not positive.
    Vla,
    /// Implicit conversions that change a value.
    Conversion,
    /// Local variables used after their block.
    Scope,
}

impl Check {
    /// What clang calls it, if it compiles the check in.
    fn sanitizers(self) -> Option<&'static str> {
        Some(match self {
            // The machine checks; clang says where blocks are.
            Check::Scope => return None,
            Check::Ub => "undefined",
            Check::Overflow => "signed-integer-overflow",
            Check::UnsignedOverflow => "unsigned-integer-overflow",
            Check::Shift => "shift",
            Check::Bounds => "bounds",
            Check::Null => "null",
            Check::Alignment => "alignment",
            Check::Bool => "bool",
            Check::Enum => "enum",
            Check::FloatCast => "float-cast-overflow",
            Check::FloatDivision => "float-divide-by-zero",
            Check::Unreachable => "unreachable",
            Check::Return => "return",
            Check::PointerOverflow => "pointer-overflow",
            Check::Nonnull => "nonnull-attribute,returns-nonnull-attribute",
            Check::Vla => "vla-bound",
            Check::Conversion => "implicit-conversion",
        })
    }
}

/// What a check does that fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// It calls a function of clang's runtime that is told the type and the values.
    Handler,
    /// It traps, which needs no runtime where the program is linked.
    Trap,
}

/// The flags that make clang compile checks in. Two are left out: they look at types in
/// tables beside the code, which the machine does not have.
pub fn flags(checks: &[Check], failing: Failing) -> Vec<String> {
    let mut flags = Vec::new();
    if checks.contains(&Check::Scope) {
        let told = ["-fsanitize-address-use-after-scope", "-dwarf-debug-flags"];
        for flag in told.into_iter().chain([program::SCOPES_MARK]) {
            flags.extend(["-Xclang", flag].map(str::to_owned));
        }
    }
    let names: Vec<&str> = checks
        .iter()
        .filter_map(|check| check.sanitizers())
        .collect();
    if names.is_empty() {
        return flags;
    }
    // A failed check ends the real program too, which is how a replay learns of it.
    let end = match failing {
        Failing::Handler => "-fno-sanitize-recover=all",
        Failing::Trap => "-fsanitize-trap=all",
    };
    flags.push(format!("-fsanitize={}", names.join(",")));
    flags.push("-fno-sanitize=vptr,function".to_owned());
    flags.push(end.to_owned());
    flags
}
