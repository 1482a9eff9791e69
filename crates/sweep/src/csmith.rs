//! Programs of csmith: what they compute natively, they compute in Everypath.
//!
//! Every other program is run as it is, and its checksum compared. In the others one
//! global variable starts as any byte: brute force says the result for each, and the
//! program asserts it. Programs that end by a signal or not at all say nothing.

use crate::Sweep;
use crate::command::{self, Ended};
use crate::lines;
use crate::programs::{Compilation, NATIVE_HEADER, Native, SYMBOLIC_HEADER, write};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use suite::{End, ErrorKind};

/// Programs that are tried to make a disagreement smaller.
const TRIALS: usize = 150;

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-Os"];

/// Small programs: a large one hides what it shows, and takes its time.
const SIZE: [&str; 9] = [
    "--no-argc",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-dim",
    "2",
];

/// Compares until the time is over; how many disagreements there were.
pub fn run(sweep: &Sweep<'_>) -> Result<usize, String> {
    let scratch = sweep.scratch()?;
    let (mut found, mut compared, mut number) = (0, 0, 0u64);
    while Instant::now() < sweep.until {
        let seed = sweep.seed_of(number) & 0x7fff_ffff;
        number += 1;
        let text = generate(seed, &scratch)?;
        let level = LEVELS[(number / 2 % 4) as usize];
        let (text, asked) = match number % 2 {
            0 => (text, Asked::Checksum),
            _ => match symbolic(&text) {
                Some(text) => (text, Asked::EveryByte),
                None => continue,
            },
        };
        let trial = Trial {
            sweep,
            scratch: &scratch,
            level,
            asked,
        };
        let problem = match trial.compare(&text)? {
            Compared::Differs(problem) => problem,
            Compared::Agrees => {
                compared += 1;
                continue;
            }
            Compared::SaysNothing => continue,
        };
        found += 1;
        let small = lines::minimise(&text, TRIALS, |candidate| {
            Ok(trial.is_defined(candidate)?
                && matches!(trial.compare(candidate)?, Compared::Differs(_)))
        })?;
        let file = sweep.output.join(format!("csmith-{seed}.c"));
        let told = lines::commented(&problem);
        write(&file, &format!("// {level}\n{told}{small}"))?;
        println!("csmith: {}", file.display());
    }
    println!("csmith: {number} programs, {compared} compared, {found} disagreements");
    Ok(found)
}

/// What is compared.
#[derive(Clone, Copy)]
enum Asked {
    Checksum,
    EveryByte,
}

enum Compared {
    Agrees,
    Differs(String),
    /// Natively the program does not end well, or not in time.
    SaysNothing,
}

/// Where and how programs are tried.
struct Trial<'a> {
    sweep: &'a Sweep<'a>,
    scratch: &'a Path,
    level: &'a str,
    asked: Asked,
}

impl Trial<'_> {
    fn compare(&self, text: &str) -> Result<Compared, String> {
        match self.asked {
            Asked::Checksum => self.checksum(text),
            Asked::EveryByte => self.every_byte(text),
        }
    }

    /// Whether the program prints the same checksum.
    fn checksum(&self, text: &str) -> Result<Compared, String> {
        write(&self.scratch.join("program.c"), text)?;
        let arguments = self.arguments();
        let compilation = Compilation {
            sources: &["program.c"],
            arguments: &arguments,
        };
        let compiled = self.sweep.compile(self.scratch, &compilation, "native")?;
        if compiled.is_none() {
            return Ok(Compared::SaysNothing);
        }
        let native = match self.sweep.native(self.scratch, "./native")? {
            Some(finished) if finished.status.success() => finished.output,
            _ => return Ok(Compared::SaysNothing),
        };
        let mut everypath = Command::new(self.sweep.everypath);
        everypath.current_dir(self.scratch).args(["run", "--echo"]);
        everypath.args(["--workers", "1", "--max-time", "60", "--output", "run"]);
        everypath.args(&arguments).arg("program.c");
        let _ = std::fs::remove_dir_all(self.scratch.join("run"));
        let limit = Duration::from_secs(300);
        Ok(match command::run(&mut everypath, "", limit)? {
            Ended::Hung => Compared::Differs(format!("no end within {limit:?}")),
            Ended::With(it) if it.output.starts_with(&native) => Compared::Agrees,
            Ended::With(it) if it.output.contains("1 unfinished") => Compared::SaysNothing,
            Ended::With(it) => Compared::Differs(format!(
                "natively {native}{}\n{}{}",
                it.status, it.output, it.errors
            )),
        })
    }

    /// Whether the program has its native result for every byte.
    fn every_byte(&self, text: &str) -> Result<Compared, String> {
        write(&self.scratch.join("program.c"), text)?;
        write(&self.scratch.join("sweep.h"), NATIVE_HEADER)?;
        let arguments = self.arguments();
        let compilation = Compilation {
            sources: &["program.c"],
            arguments: &arguments,
        };
        let Some(ends) = self.sweep.on_every_byte(self.scratch, &compilation)? else {
            return Ok(Compared::SaysNothing);
        };
        let mut table = String::new();
        for end in ends {
            let (runs, result) = match end {
                Native::Result(result) => (1, result),
                Native::Crash | Native::Hang => (0, 0),
            };
            let _ = writeln!(table, "{{{runs}, {result}u}},");
        }
        write(&self.scratch.join("native.inc"), &table)?;
        write(&self.scratch.join("sweep.h"), SYMBOLIC_HEADER)?;
        let run = match self.sweep.everypath(self.scratch, &compilation)? {
            Ok(run) => run,
            Err(message) => return Ok(Compared::Differs(message)),
        };
        let wrong = run.tests.iter().find(|test| {
            let Some(End::Error(kind)) = test.end else {
                return false;
            };
            kind != ErrorKind::Unsupported
        });
        Ok(match wrong {
            Some(test) => Compared::Differs(format!("{:?} on {:?}", test.end, test.case.inputs)),
            None => Compared::Agrees,
        })
    }

    /// Whether sanitizers have nothing against the program, so that it has one meaning.
    fn is_defined(&self, text: &str) -> Result<bool, String> {
        write(&self.scratch.join("program.c"), text)?;
        write(&self.scratch.join("sweep.h"), NATIVE_HEADER)?;
        let mut arguments = self.arguments();
        arguments.extend([
            "-fsanitize=undefined,address",
            "-fno-sanitize-recover=undefined",
        ]);
        let compilation = Compilation {
            sources: &["program.c"],
            arguments: &arguments,
        };
        let compiled = self.sweep.compile(self.scratch, &compilation, "checked")?;
        if compiled.is_none() {
            return Ok(false);
        }
        let finished = self.sweep.native(self.scratch, "./checked")?;
        Ok(finished.is_some_and(|it| it.status.success() && !it.output.contains("crash")))
    }

    fn arguments(&self) -> Vec<&str> {
        vec![self.level, "-I", self.sweep.csmith]
    }
}

/// The program of a seed.
fn generate(seed: u64, scratch: &Path) -> Result<String, String> {
    let mut csmith = Command::new("csmith");
    // It leaves a file of its own where it runs.
    csmith.current_dir(scratch);
    csmith.args(["--seed", &seed.to_string()]).args(SIZE);
    match command::run(&mut csmith, "", Duration::from_secs(60)) {
        Ok(Ended::With(finished)) if finished.status.success() => Ok(finished.output),
        Ok(Ended::With(finished)) => Err(format!("csmith: {}", finished.errors)),
        Ok(Ended::Hung) => Err(format!("csmith --seed {seed} does not end")),
        Err(error) => Err(format!(
            "{error}; Debian has it as csmith and libcsmith-dev"
        )),
    }
}

/// The program with one of its global variables made an input, and a sum of them all that
/// solvers like better than a checksum for its result; none if it has no such variable.
fn symbolic(text: &str) -> Option<String> {
    const HEADER: &str = "#include \"csmith.h\"\n";
    const START: &str = "    func_1();\n";
    const SUM: &str = "#include \"sweep.h\"
static unsigned long sweep_sum;
#undef transparent_crc
#define transparent_crc(value, name, print) \\
    (sweep_sum = (sweep_sum << 7 | sweep_sum >> 57) ^ (unsigned long)(value))
#undef platform_main_end
#define platform_main_end(sum, print) sweep_end(sweep_sum)
";
    let variable = text.lines().find_map(integer)?;
    if !text.contains(HEADER) || !text.contains(START) {
        return None;
    }
    let text = text.replacen(HEADER, &format!("{HEADER}{SUM}"), 1);
    let input = format!("    {variable} = sweep_input();\n{START}");
    Some(text.replacen(START, &input, 1))
}

/// The name of the integer variable that a line defines.
fn integer(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("static ")?;
    let rest = rest.strip_prefix("volatile ").unwrap_or(rest);
    let (kind, rest) = rest.split_once(' ')?;
    let (name, _) = rest.split_once(" = ")?;
    let is_integer = kind.trim_start_matches('u').starts_with("int") && kind.ends_with("_t");
    let is_scalar = !name.contains(['*', '[', ' ']);
    (is_integer && is_scalar).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_told_from_pointers_arrays_and_constants() {
        assert_eq!(integer("static int32_t g_2 = 0xA3E1L;"), Some("g_2"));
        assert_eq!(integer("static volatile uint8_t g_9 = 1UL;"), Some("g_9"));
        assert_eq!(integer("static const int8_t g_3 = 1L;"), None);
        assert_eq!(integer("static int32_t *g_4 = &g_2;"), None);
        assert_eq!(integer("static int32_t g_5[3] = {1L,1L,1L};"), None);
        assert_eq!(integer("static struct S0 g_6 = {1};"), None);
    }

    #[test]
    fn one_variable_becomes_the_input() {
        let text = "#include \"csmith.h\"\nstatic int32_t g_2 = 5;\n    func_1();\n";
        let symbolic = symbolic(text).expect("it has a variable");
        assert!(symbolic.ends_with("    g_2 = sweep_input();\n    func_1();\n"));
    }
}
