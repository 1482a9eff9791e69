//! Functions executed by the processor.
//!
//! A file is linked with two more: one of LLVM text with a function for each
//! case that takes its operands from memory and puts its result there, and one
//! of C that reads calls, makes them, and writes results.

use crate::notation::Case;
use program::{FloatKind, Kind, Program};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Bytes of an operand and of a result.
const SLOT: usize = 16;

/// A compiled file.
pub struct Native {
    executable: PathBuf,
    _directory: TempDir,
}

impl Native {
    /// Compiles the file with clang, without optimisation.
    pub fn build(file: &Path, program: &Program, cases: &[Case]) -> Native {
        let directory = tempfile::tempdir().expect("a directory can be made");
        let at = |name: &str| directory.path().join(name);
        let executable = at("native");
        let calls = adapters(cases);
        std::fs::write(at("calls.ll"), calls).expect("the directory was just made");
        let compiled = Command::new("clang-22")
            .args(["-O0", "-Wno-override-module", "--rtlib=compiler-rt", "-o"])
            .arg(&executable)
            .args([file, &at("calls.ll")])
            .arg(crate::directory().join("driver.c"))
            .arg("-lm")
            .output()
            .expect("clang-22 is installed");
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{}: {said}", file.display());
        assert!(program.warnings.is_empty(), "{:?}", program.warnings);
        Native {
            executable,
            _directory: directory,
        }
    }

    /// The results of calls of cases, by their number, with operands.
    pub fn run(&self, calls: &[(usize, &[u128])]) -> Vec<u128> {
        let mut input = Vec::new();
        for (number, operands) in calls {
            input.extend((*number as u32).to_le_bytes());
            input.extend((operands.len() as u32).to_le_bytes());
            operands
                .iter()
                .for_each(|bits| input.extend(bits.to_le_bytes()));
        }
        let mut child = Command::new(&self.executable)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was just compiled");
        let mut pipe = child.stdin.take().expect("it has a pipe");
        // Reading and writing at once, so that neither waits for the other.
        let writer = std::thread::spawn(move || pipe.write_all(&input));
        let output = child.wait_with_output().expect("it runs");
        let written = writer.join().expect("it does not panic");
        assert!(
            output.status.success(),
            "the referee ended with {}",
            output.status
        );
        written.expect("the referee reads all calls");
        let results = output.stdout.chunks_exact(SLOT);
        let results: Vec<u128> = results
            .map(|slot| u128::from_le_bytes(slot.try_into().expect("a slot is as long")))
            .collect();
        assert_eq!(results.len(), calls.len(), "one result a call");
        results
    }
}

/// A function for each case with one shape, `void (ptr operands, ptr result)`.
fn adapters(cases: &[Case]) -> String {
    let mut text = String::new();
    for (number, case) in cases.iter().enumerate() {
        let types: Vec<String> = case
            .parameters
            .iter()
            .map(|&kind| type_name(kind))
            .collect();
        let (name, result) = (&case.name, type_name(case.result));
        let mut lines = String::new();
        let mut operands = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let offset = i * SLOT;
            let _ = writeln!(
                lines,
                "  %p{i} = getelementptr i8, ptr %operands, i64 {offset}"
            );
            let _ = writeln!(lines, "  %a{i} = load {ty}, ptr %p{i}");
            operands.push(format!("{ty} %a{i}"));
        }
        let (types, operands) = (types.join(", "), operands.join(", "));
        let _ = write!(
            text,
            "declare {result} @{name}({types})\n\
             define void @call.{number}(ptr %operands, ptr %result) {{\n{lines}  \
             %r = call {result} @{name}({operands})\n  \
             store {result} %r, ptr %result\n  ret void\n}}\n"
        );
    }
    let entries: Vec<String> = (0..cases.len())
        .map(|number| format!("ptr @call.{number}"))
        .collect();
    let _ = writeln!(
        text,
        "@calls = constant [{} x ptr] [{}]",
        entries.len(),
        entries.join(", ")
    );
    text
}

fn type_name(kind: Kind) -> String {
    match kind {
        Kind::Int(width) => format!("i{width}"),
        Kind::Ptr => "ptr".into(),
        Kind::Float(format) => match format {
            FloatKind::Half => "half",
            FloatKind::BFloat => "bfloat",
            FloatKind::Single => "float",
            FloatKind::Double => "double",
            FloatKind::X87 => "x86_fp80",
            FloatKind::Quad => "fp128",
        }
        .into(),
    }
}
