//! Where programs are compiled and run, and what a run of `everypath` says of
//! itself.
//!
//! Everything is measured from outside, with the release build that lies beside
//! this program: what is timed is what a user waits for.

use base::Stop;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use program::CompileOptions;
use program::toolchain::{Clang, CommandLine};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use suite::{End, RunReport, Share};

/// Times each program is run; the fastest counts.
pub const ROUNDS: usize = 3;

/// A folder to work in. What runs write stays until the end: a file system that
/// has just deleted many files creates new ones slowly.
pub struct Workshop {
    folder: tempfile::TempDir,
    programs: PathBuf,
    /// The published cases of mixed solving.
    pub examples: PathBuf,
    /// The program that is measured.
    pub everypath: PathBuf,
    runs: Cell<usize>,
}

impl Workshop {
    pub fn new() -> Result<Workshop, String> {
        let own = std::env::current_exe()
            .map_err(|error| format!("cannot find this program's own file: {error}"))?;
        let everypath = own.with_file_name("everypath");
        if !everypath.exists() {
            return Err(format!(
                "{} is missing; `make build` builds it",
                everypath.display()
            ));
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = tempfile::tempdir().map_err(|error| format!("no folder to work in: {error}"));
        Ok(Workshop {
            folder: folder?,
            programs: root.join("programs"),
            examples: root.join("../../examples/mixed"),
            everypath,
            runs: Cell::default(),
        })
    }

    /// A file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a command reports in JSON.
    pub fn reported<T: DeserializeOwned>(&self, arguments: &[&str]) -> Result<T, String> {
        let mut command = Command::new(&self.everypath);
        command.args(arguments).arg("--json");
        command.current_dir(self.folder.path());
        let output = command.stderr(Stdio::null()).output();
        let output = output.map_err(|error| format!("cannot run {command:?}: {error}"))?;
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{command:?} reported something else: {error}"))
    }

    /// A program of objects with an invariant.
    pub fn staged_example(&self, name: &str) -> PathBuf {
        self.examples.join("../staged").join(name)
    }

    /// The source of one of the programs that are measured.
    pub fn source(&self, name: &str) -> PathBuf {
        self.programs.join(format!("{name}.c"))
    }

    pub fn native(&self, name: &str) -> Result<PathBuf, String> {
        let binary = self.folder.path().join(name);
        let options = CompileOptions::default();
        let clang = Clang::find(&options).map_err(|error| error.to_string())?;
        compile(&clang.executable(&self.source(name), &binary, false), name)?;
        Ok(binary)
    }

    pub fn bitcode(&self, name: &str, define: Option<&str>) -> Result<PathBuf, String> {
        let tag = define.unwrap_or_default().replace('=', "");
        let bitcode = self.folder.path().join(format!("{name}{tag}.bc"));
        let options = CompileOptions {
            headers: Some(self.programs.join("../../../runtime/include")),
            defines: define.iter().map(|&define| define.to_owned()).collect(),
            ..CompileOptions::default()
        };
        let clang = Clang::find(&options).map_err(|error| error.to_string())?;
        compile(&clang.bitcode(&self.source(name), &bitcode), name)?;
        Ok(bitcode)
    }

    /// The fastest of some runs of one program.
    pub fn fastest_run(&self, program: &Path, arguments: &[&str]) -> Result<Run, String> {
        let mut fastest = self.run(&[program], arguments)?;
        for _ in 1..ROUNDS {
            let run = self.run(&[program], arguments)?;
            if run.seconds < fastest.seconds {
                fastest = run;
            }
        }
        Ok(fastest)
    }

    /// Runs the program of these files once.
    pub fn run(&self, files: &[impl AsRef<Path>], arguments: &[&str]) -> Result<Run, String> {
        self.run_by(Command::new(&self.everypath), files, arguments)
    }

    /// Runs it once, and stops it after some seconds of processor time.
    pub fn run_within(
        &self,
        seconds: u64,
        files: &[impl AsRef<Path>],
        arguments: &[&str],
    ) -> Result<Run, String> {
        self.run_by(self.limited(seconds), files, arguments)
    }

    /// The product, to be given arguments, stopped after some seconds of processor time: a
    /// busy machine does not take away from them. Each process has so many, so that it has
    /// to be told to stay in one.
    pub fn limited(&self, seconds: u64) -> Command {
        let mut shell = Command::new("sh");
        let line = format!("ulimit -S -t {seconds} && exec \"$0\" \"$@\"");
        shell.arg("-c").arg(line).arg(&self.everypath);
        shell
    }

    fn run_by(
        &self,
        mut command: Command,
        files: &[impl AsRef<Path>],
        arguments: &[&str],
    ) -> Result<Run, String> {
        self.runs.set(self.runs.get() + 1);
        let output = self.folder.path().join(format!("run{}", self.runs.get()));
        // Arguments of the program may stand behind a `--`: ours come first.
        command
            .arg("run")
            .args(files.iter().map(AsRef::as_ref))
            .args(["--output".as_ref(), output.as_os_str()])
            .args(arguments);
        let seconds = timed(&mut command)?;
        let report = RunReport::read(&output.join("run.json"));
        Ok(Run {
            seconds,
            report: report.map_err(|error| format!("{command:?}: {error}"))?,
            output,
        })
    }
}

/// What came of a run.
pub struct Run {
    /// From its start to its end.
    pub seconds: f64,
    /// What it says of itself.
    pub report: RunReport,
    /// Where its tests are.
    pub output: PathBuf,
}

impl Run {
    /// A run that wrote nothing but its report.
    #[cfg(test)]
    pub fn reporting(report: RunReport) -> Run {
        Run {
            seconds: 0.0,
            report,
            output: PathBuf::new(),
        }
    }

    /// Paths to the end of the program or to an error.
    pub fn paths(&self) -> u64 {
        self.report.paths.completed + self.report.paths.errors
    }

    /// The different ends that paths have.
    pub fn ends(&self) -> BTreeSet<End> {
        self.report.ends.counts().map(|(end, _)| end).collect()
    }

    /// Successors of branches that were reached, and all there are.
    pub fn branches(&self) -> Share {
        self.report.coverage.branches
    }

    /// How often solutions were tried for conditions beyond the solver.
    pub fn tries(&self) -> u64 {
        let external = self.report.external.iter();
        let tallies = external.flat_map(|external| external.heuristics.values());
        tallies.map(|tally| tally.tries).sum()
    }

    /// How often external functions were run.
    pub fn native_calls(&self) -> u64 {
        let external = self.report.external.iter();
        let functions = external.flat_map(|external| &external.functions);
        functions.map(|function| function.runs).sum()
    }

    /// A file that the run has written.
    pub fn read(&self, name: &str) -> Result<String, String> {
        let file = self.output.join(name);
        std::fs::read_to_string(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))
    }
}

fn compile(command: &CommandLine, name: &str) -> Result<(), String> {
    let said = command.run(&format!("compile {name}.c"), &Stop::never());
    said.map(drop).map_err(|error| error.to_string())
}

/// The least of what some rounds take.
pub fn fastest(mut round: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        least = least.min(round()?);
    }
    Ok(least)
}

/// The seconds of processor time that a command takes with all its children. A busy
/// machine makes them no more.
pub fn timed(command: &mut Command) -> Result<f64, String> {
    let before = processor_time()?;
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let name = command.get_program().to_string_lossy();
    status.map_err(|error| format!("cannot run {name}: {error}"))?;
    Ok(processor_time()? - before)
}

/// What ended children have used, user's and system's time together.
pub fn processor_time() -> Result<f64, String> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
