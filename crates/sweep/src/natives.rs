//! Programs that call functions of a shared library which compute, keep state, crash or
//! hang: every test that Everypath predicts is held against a native execution, and a run
//! that calls itself complete has found every end there is.

use crate::Sweep;
use crate::lines;
use crate::programs::{Compilation, NATIVE_HEADER, Native, write};
use base::Random;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;
use suite::{End, ErrorKind, Incomplete, IncompleteReason, Outcome, RunDirectory, RunReport};

/// Programs that are tried to make a disagreement smaller; each has few lines.
const TRIALS: usize = 40;

/// Compares until the time is over; how many disagreements there were.
pub fn run(sweep: &Sweep<'_>) -> Result<usize, String> {
    let scratch = sweep.scratch()?;
    let (mut found, mut complete, mut number) = (0, 0, 0u64);
    while Instant::now() < sweep.until {
        let seed = sweep.seed_of(number);
        number += 1;
        let program = Program::new(&mut Random::new(seed));
        let problem = match compare(sweep, &scratch, &program.library, &program.statements)? {
            Compared::Agrees { all } => {
                complete += usize::from(all);
                continue;
            }
            Compared::SaysNothing => continue,
            Compared::Differs(problem) => problem,
        };
        found += 1;
        let statements = lines::minimise(&program.statements, TRIALS, |fewer| {
            let compared = compare(sweep, &scratch, &program.library, fewer)?;
            Ok(matches!(compared, Compared::Differs(_)))
        })?;
        let file = sweep.output.join(format!("natives-{seed}.txt"));
        let Program { library, .. } = program;
        let main = main(&statements);
        write(&file, &format!("{problem}\n\n{library}\n{main}"))?;
        println!("natives: {}", file.display());
    }
    println!("natives: {number} programs, {complete} complete, {found} disagreements");
    Ok(found)
}

/// A library, and what `main` does with it.
struct Program {
    library: String,
    /// One a line.
    statements: String,
}

impl Program {
    fn new(random: &mut Random) -> Program {
        let mut library = "static int state;\n".to_owned();
        let functions = 1 + random.below(3);
        for number in 0..functions {
            let body = body(random);
            let _ = writeln!(library, "int f{number}(int x) {{ {body} }}");
        }
        let mut statements = String::new();
        for _ in 0..2 + random.below(4) {
            let function = random.below(functions);
            let argument = argument(random);
            let constant = random.below(12);
            let _ = match random.below(3) {
                0 => writeln!(statements, "r += f{function}({argument}) & {constant};"),
                1 => writeln!(
                    statements,
                    "if (f{function}({argument}) == {constant}) r += 16;"
                ),
                _ => writeln!(statements, "if (f{function}({argument}) > r) r ^= 8;"),
            };
        }
        Program {
            library,
            statements,
        }
    }
}

/// What a function does: mostly it computes, sometimes it is one to be careful with.
fn body(random: &mut Random) -> String {
    let (a, b) = (1 + random.below(5), random.below(20));
    match random.below(8) {
        0 => format!("return state += x & {a};"),
        1 => format!("state = x; return {b};"),
        2 => format!("return state + {b};"),
        3 => format!("if (x == {b}) __builtin_trap(); return x * {a};"),
        4 => format!("if (x == {b}) for (;;) {{}} return x + {a};"),
        5 => format!("return x % {a} + {b};"),
        6 => format!("return x > {b} ? {a} : x;"),
        _ => format!("return x * {a} + {b};"),
    }
}

fn argument(random: &mut Random) -> String {
    match random.below(6) {
        0 => "r".to_owned(),
        1 => random.below(20).to_string(),
        2 => "x & 15".to_owned(),
        3 => "x + r".to_owned(),
        _ => "x".to_owned(),
    }
}

/// The program around these statements.
fn main(statements: &str) -> String {
    format!(
        "#include \"sweep.h\"
int f0(int), f1(int), f2(int);
int main(void) {{
    int x = sweep_input(), r = 0;
{statements}    sweep_end(r & 127);
}}
"
    )
}

/// In Everypath the result is the exit status, which a test predicts: one a path, so that
/// a complete run has them all.
const SYMBOLIC_HEADER: &str = "#include <everypath.h>
#include <stdlib.h>
static unsigned char sweep_input(void) {
    unsigned char byte;
    ep_symbolic(&byte, 1, \"byte\");
    return byte;
}
static void sweep_end(unsigned long result) {
    for (int status = 0; status < 128; status++)
        if (result == status) exit(status);
}
";

enum Compared {
    /// All that was predicted is so; `all` if that is all there is.
    Agrees {
        all: bool,
    },
    Differs(String),
    /// Natively the program does not end in time.
    SaysNothing,
}

fn compare(
    sweep: &Sweep<'_>,
    scratch: &Path,
    library: &str,
    statements: &str,
) -> Result<Compared, String> {
    write(&scratch.join("library.c"), library)?;
    write(&scratch.join("program.c"), &main(statements))?;
    write(&scratch.join("sweep.h"), NATIVE_HEADER)?;
    let shared = Compilation {
        sources: &["library.c"],
        arguments: &["-shared", "-fPIC"],
    };
    let compiled = sweep.compile(scratch, &shared, "library.so")?;
    compiled.ok_or("the library cannot be compiled")?;
    let native = Compilation {
        sources: &["program.c", "library.c"],
        arguments: &["-O0"],
    };
    // What hangs on most bytes takes longer than a comparison is worth.
    let Some(ends) = sweep.on_every_byte(scratch, &native)? else {
        return Ok(Compared::SaysNothing);
    };
    write(&scratch.join("sweep.h"), SYMBOLIC_HEADER)?;
    let symbolic = Compilation {
        sources: &["program.c"],
        arguments: &["--load", "./library.so"],
    };
    let run = match sweep.everypath(scratch, &symbolic)? {
        Ok(run) => run,
        Err(message) => return Ok(Compared::Differs(message)),
    };
    Ok(held(&ends, &run))
}

/// What a run says that it has found all of.
#[derive(PartialEq, Eq)]
enum Promises {
    Ends,
    /// Its functions may crash or hang where it did not run them.
    Results,
}

fn promises(report: &RunReport) -> Option<Promises> {
    let is_only_tried =
        |it: &Incomplete| matches!(it.reason, IncompleteReason::TakenForPure { .. });
    match report.outcome {
        Outcome::Complete => Some(Promises::Ends),
        Outcome::Incomplete => {
            let mut reasons = report.incomplete.iter();
            reasons.all(is_only_tried).then_some(Promises::Results)
        }
        _ => None,
    }
}

/// Holds what a run predicts against how each byte ends natively.
fn held(ends: &[Native], run: &RunDirectory) -> Compared {
    for test in &run.tests {
        let Some(byte) = test.case.inputs.first().and_then(|it| it.bytes.first()) else {
            continue;
        };
        let native = ends[usize::from(*byte)];
        let right = match (test.end, native) {
            (Some(End::Exit(status)), Native::Result(result)) => status as u64 == result,
            (Some(End::Exit(_)), Native::Crash | Native::Hang) => false,
            (Some(End::Error(ErrorKind::NativeCrash)), native) => {
                !matches!(native, Native::Result(_))
            }
            // A path that is given up, by name, promises nothing.
            (Some(End::Error(ErrorKind::Unsupported)) | None, _) => true,
            (Some(End::Error(_)), _) => false,
        };
        if !right {
            let end = test.end;
            return Compared::Differs(format!("byte {byte}: natively {native:?}, said {end:?}"));
        }
    }
    let Some(promises) = run.report.as_ref().and_then(promises) else {
        return Compared::Agrees { all: false };
    };
    for (byte, native) in ends.iter().enumerate() {
        if promises == Promises::Results && !matches!(native, Native::Result(_)) {
            continue;
        }
        let known = run.tests.iter().any(|test| match (test.end, native) {
            (Some(End::Exit(status)), Native::Result(result)) => status as u64 == *result,
            (Some(End::Error(_)), Native::Crash | Native::Hang) => true,
            _ => false,
        });
        if !known {
            return Compared::Differs(format!(
                "complete, but byte {byte} natively {native:?} is in no test"
            ));
        }
    }
    Compared::Agrees { all: true }
}
