//! What instructions mean: functions of LLVM text executed by the machine and
//! by the processor, with equal results.
//!
//! `tests/semantics` at the root of the repository has one file a subject. The
//! comments before a function say with which operands it runs; see
//! [`notation`] for how they are written. Each function is executed
//!
//! * by clang's unoptimised code, the referee;
//! * by the machine on concrete operands, all those that the comments name;
//! * by the machine once for each line `every`, with symbolic operands. For
//!   every value of them exactly one path's condition holds, and that path's
//!   result is, for that value, the referee's.
//!
//! Results are equal bit by bit, except that a NaN equals a NaN.

mod coverage;
mod execution;
mod native;
mod notation;

use execution::{Outcome, Subject};
use native::Native;
use notation::Case;
use program::{FloatKind, Kind, LoadOptions, Program};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The files, each a test of its own so that they run beside each other.
macro_rules! subjects {
    ($($subject:ident)*) => {
        /// All files, by name.
        const SUBJECTS: &[&str] = &[$(stringify!($subject)),*];

        $(#[test]
        fn $subject() {
            check(stringify!($subject));
        })*
    };
}

subjects! {
    aggregates arith atomic_floats atomics bitwise calls casts compare control
    exceptions float_arith float_casts float_compare float_intrinsics
    float_library float_minmax float_rounding inline_assembly integer_intrinsics memory
    memory_intrinsics promises saturating vector_intrinsics vectors x87_patterns
}

/// How many disagreements are told of one file.
const TOLD: usize = 12;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/semantics")
}

fn load(subject: &str) -> Program {
    let file = directory().join(subject).with_extension("ll");
    let loaded = program::load(std::slice::from_ref(&file), &LoadOptions::default());
    loaded.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Executes all functions of a file in all ways and compares.
fn check(subject: &str) {
    let file = directory().join(subject).with_extension("ll");
    let program = load(subject);
    let text = std::fs::read_to_string(&file).expect("it was just loaded");
    let cases = notation::read(&text, &program)
        .unwrap_or_else(|(line, what)| panic!("{}:{line}: {what}", file.display()));

    let mut disagreements = Vec::new();
    let mut concrete = Vec::new();
    for case in &cases {
        let results = executed(&program, case);
        disagreements.extend(undeclared(case, &results));
        concrete.push(results);
    }
    let referee = judged(&file, &program, &cases, &concrete);
    for ((case, results), referee) in cases.iter().zip(&concrete).zip(&referee) {
        let kind = case.result;
        for (operands, expected) in referee {
            let found = &results[operands];
            if !agree(kind, found, expected) {
                disagreements.push(case.disagreement(operands, found, expected));
            }
        }
        let mut subject = Subject::new(&program, case.function);
        for every in &case.every {
            let paths = subject.paths(every, &case.name);
            for operands in notation::values(every) {
                let found = paths.outcome(&mut subject, every, &operands);
                // What ends in an error is no business of the referee's, but
                // the machine is of one mind about it.
                let expected = referee.get(&operands).unwrap_or(&results[&operands]);
                match found {
                    Ok(found) if agree(kind, &found, expected) => {}
                    Ok(found) => {
                        let told = case.disagreement(&operands, &found, expected);
                        disagreements.push(format!("{told}, symbolically"));
                    }
                    Err(paths) => {
                        let call = case.call(&operands);
                        disagreements.push(format!("{call} is on {paths} paths, not one"));
                    }
                }
            }
        }
    }
    let more = disagreements.len().saturating_sub(TOLD);
    disagreements.truncate(TOLD);
    assert!(
        disagreements.is_empty(),
        "{}: {}{}",
        file.display(),
        disagreements.join("\n"),
        if more > 0 {
            format!("\nand {more} more")
        } else {
            String::new()
        },
    );
}

/// What became of a function by its operands.
type Results = HashMap<Vec<u128>, Outcome>;

/// The function run by the machine on all its concrete operands.
fn executed(program: &Program, case: &Case) -> Results {
    let mut subject = Subject::new(program, case.function);
    let all = case.operands().into_iter();
    all.map(|operands| {
        let outcome = subject.run(&operands);
        (operands, outcome)
    })
    .collect()
}

/// The errors met must be those that the file declares, no fewer either.
fn undeclared(case: &Case, results: &Results) -> Vec<String> {
    let mut told = Vec::new();
    for (operands, outcome) in results {
        if let Outcome::Error { kind, message } = outcome
            && !case.errors.iter().any(|declared| declared == kind)
        {
            let call = case.call(operands);
            told.push(format!("{call} ends in the error `{kind}`: {message}"));
        }
    }
    for declared in &case.errors {
        let met =
            |outcome: &Outcome| matches!(outcome, Outcome::Error { kind, .. } if kind == declared);
        if !results.values().any(met) {
            let name = &case.name;
            told.push(format!("@{name} never ends in the error `{declared}`"));
        }
    }
    told
}

/// What the processor says about each call that did not end in an error.
fn judged(file: &Path, program: &Program, cases: &[Case], concrete: &[Results]) -> Vec<Results> {
    let native = Native::build(file, program, cases);
    let mut calls = Vec::new();
    for (number, results) in concrete.iter().enumerate() {
        for (operands, outcome) in results {
            if let Outcome::Result(_) = outcome {
                calls.push((number, operands.as_slice()));
            }
        }
    }
    let mut judged = vec![Results::new(); cases.len()];
    for (&(number, operands), bits) in calls.iter().zip(native.run(&calls)) {
        let bits = bits & notation::mask(cases[number].result.bits());
        judged[number].insert(operands.to_vec(), Outcome::Result(bits));
    }
    judged
}

fn agree(kind: Kind, a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Result(a), Outcome::Result(b)) => {
            a == b || (is_nan(kind, *a) && is_nan(kind, *b))
        }
        (Outcome::Error { kind: a, .. }, Outcome::Error { kind: b, .. }) => a == b,
        (Outcome::Result(_), Outcome::Error { .. })
        | (Outcome::Error { .. }, Outcome::Result(_)) => false,
    }
}

fn is_nan(kind: Kind, bits: u128) -> bool {
    let Kind::Float(format) = kind else {
        return false;
    };
    // Bits of the exponent and of the fraction below it.
    let (exponent, fraction) = match format {
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::Single => (8, 23),
        FloatKind::Double => (11, 52),
        FloatKind::X87 => (15, 64),
        FloatKind::Quad => (15, 112),
    };
    // The leading bit of the x87 unit is not part of the fraction.
    let tail = if format == FloatKind::X87 {
        63
    } else {
        fraction
    };
    bits >> fraction & notation::mask(exponent) == notation::mask(exponent)
        && bits & notation::mask(tail) != 0
}
