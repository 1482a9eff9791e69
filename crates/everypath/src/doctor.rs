//! `everypath doctor`: what is installed, what is missing, how to get it.

use crate::Outcome;
use crate::error::Error;
use crate::interrupt::because;
use crate::scratch::Scratch;
use base::{OneLine, Stop};
use mixed::oracle::{Confinement, Sandbox};
use program::toolchain::{Clang, Rustc};
use program::{CompileOptions, ToolchainError};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Says what is installed, what is missing and how to get it.
///
/// Everypath itself needs clang to compile programs; LLVM and Z3 are linked
/// with it. Rust is needed for programs in Rust only.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath doctor

Exit status: 0 everything that is needed is there; 2 something is missing.")]
pub struct Arguments {}

/// The newest clang whose bitcode the linked LLVM reads.
const NEWEST: u32 = 22;

/// Looks around; an error is one message for the user.
pub fn run(_: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let options = CompileOptions::default();
    let clang = Clang::find(&options);
    let mut findings = vec![compiler(&clang)];
    if let Ok(clang) = &clang {
        let trial = Trial::new(stop)?;
        findings.push(trial.library(clang));
        findings.push(trial.sanitizers(clang));
    }
    // A compiler that was stopped is not one that is missing.
    if stop.is_set() {
        return Err(Error::Stopped {
            why: because(stop),
            what: "everything was tried".to_owned(),
        });
    }
    findings.push(c_library());
    findings.push(cpp_library());
    findings.push(rust_compiler(&options, stop));
    findings.push(cargo());
    let loaded = LoadedLibraries::of_this_process();
    findings.push(loaded.finding("LLVM", "libLLVM"));
    findings.push(loaded.finding("Z3", "libz3"));
    findings.push(sandbox()?);

    let mut text = String::new();
    for finding in &findings {
        text += &finding.line();
    }
    let missing: Vec<&Finding> = findings.iter().filter(|f| f.is_missing()).collect();
    for finding in &missing {
        text += &finding.advice();
    }
    let fatal = missing.iter().any(|f| f.need == Need::Required);
    text += match (fatal, missing.is_empty()) {
        (true, _) => "",
        (false, true) => "\neverything is there",
        (false, false) => "\neverything that is needed is there",
    };
    crate::output::say(text.trim_end())?;
    if fatal {
        return Err(Error::Tool(
            "something that is needed is missing".to_owned(),
        ));
    }
    Ok(Outcome::Clean)
}

/// Whether everypath works without it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

/// Something looked for.
struct Finding {
    name: &'static str,
    need: Need,
    /// What was found, or why it is as good as not there.
    found: Result<String, String>,
    /// The packages that hold it.
    packages: Packages,
}

/// How to get something, by system.
#[derive(Clone, Copy)]
struct Packages {
    debian: &'static str,
    fedora: &'static str,
    arch: &'static str,
    macos: &'static str,
}

const CLANG: Packages = Packages {
    debian: "sudo apt-get install clang-22 (from https://apt.llvm.org if Debian has none)",
    fedora: "sudo dnf install clang",
    arch: "sudo pacman -S clang",
    macos: "brew install llvm@22",
};
const LIBRARY: Packages = Packages {
    debian: "sudo apt-get install libc6-dev",
    fedora: "sudo dnf install glibc-devel",
    arch: "sudo pacman -S glibc",
    macos: "xcode-select --install",
};
const SANITIZERS: Packages = Packages {
    debian: "sudo apt-get install libclang-rt-22-dev",
    fedora: "sudo dnf install compiler-rt",
    arch: "sudo pacman -S compiler-rt",
    macos: "brew install llvm@22",
};

const SETUP: Packages = Packages {
    debian: "everypath setup",
    fedora: "everypath setup",
    arch: "everypath setup",
    macos: "everypath setup",
};

const RUST: Packages = Packages {
    debian: "sudo apt-get install rustc (or a newer one from https://rustup.rs)",
    fedora: "sudo dnf install rust",
    arch: "sudo pacman -S rust",
    macos: "brew install rust",
};

const CARGO: Packages = Packages {
    debian: "sudo apt-get install cargo, and make install of Everypath",
    fedora: "sudo dnf install cargo, and make install of Everypath",
    arch: "sudo pacman -S rust, and make install of Everypath",
    macos: "brew install rust, and make install of Everypath",
};

const LANDLOCK: Packages = Packages {
    debian: "a kernel of 5.13 or newer, with lsm=landlock on its command line",
    fedora: "a kernel of 5.13 or newer, with lsm=landlock on its command line",
    arch: "a kernel of 5.13 or newer, with lsm=landlock on its command line",
    macos: "nothing; native functions are for Linux",
};

impl Finding {
    fn is_missing(&self) -> bool {
        self.found.is_err()
    }

    fn line(&self) -> String {
        match &self.found {
            Ok(found) => format!("ok       {}: {found}\n", self.name),
            Err(reason) => format!("missing  {}: {reason}\n", self.name),
        }
    }

    fn advice(&self) -> String {
        let Packages {
            debian,
            fedora,
            arch,
            macos,
        } = self.packages;
        format!(
            "\nto get {}:\n  Debian  {debian}\n  Fedora  {fedora}\n  Arch    {arch}\n  macOS   {macos}\n",
            self.name
        )
    }
}

fn c_library() -> Finding {
    let found = crate::libraries::c_library().map(|file| file.one_line().into_owned());
    let lacks = "C programs that use more than strings, streams and memory need it";
    Finding {
        name: "the C library for programs under test",
        need: Need::Optional,
        found: found.ok_or_else(|| lacks.to_owned()),
        packages: SETUP,
    }
}

fn cpp_library() -> Finding {
    let found = crate::libraries::cpp_directory().map(|it| it.one_line().into_owned());
    let lacks = "C++ programs that use the standard library or exceptions need it";
    Finding {
        name: "the C++ library for programs under test",
        need: Need::Optional,
        found: found.ok_or_else(|| lacks.to_owned()),
        packages: SETUP,
    }
}

fn compiler(clang: &Result<Clang<'_>, ToolchainError>) -> Finding {
    let found = clang.as_ref().map_err(reason).and_then(|clang| {
        let (command, version) = (clang.command(), clang.version());
        let version = version.map_err(|error| reason(&error))?;
        match major(&version) {
            Some(major) if major > NEWEST => Err(format!(
                "{command} is {version}, whose bitcode LLVM {NEWEST} cannot read"
            )),
            _ => Ok(format!("{command}, {version}")),
        }
    });
    Finding {
        name: "clang",
        need: Need::Required,
        found,
        packages: CLANG,
    }
}

fn rust_compiler(options: &CompileOptions, stop: &Stop) -> Finding {
    // Programs are linked with the standard library, so that rustc alone is not enough.
    let version = Rustc::find(options).and_then(|rustc| {
        rustc.archives(stop)?;
        rustc.version()
    });
    Finding {
        name: "rustc (programs in Rust)",
        need: Need::Optional,
        found: version.map_err(|error| reason(&error)),
        packages: RUST,
    }
}

/// Whether crates can be tested: cargo is there, and finds our command for it.
fn cargo() -> Finding {
    let version = Command::new("cargo").arg("--version").output();
    let version = version.ok().filter(|said| said.status.success());
    let found = match version {
        None => Err("cargo is not on the PATH".to_owned()),
        Some(said) if is_on_path(CARGO_COMMAND) => {
            Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
        }
        Some(_) => Err(format!(
            "{CARGO_COMMAND} is not on the PATH, where cargo looks for it; it is installed \
             beside everypath"
        )),
    };
    Finding {
        name: "cargo everypath (crates in Rust)",
        need: Need::Optional,
        found,
        packages: CARGO,
    }
}

/// What `cargo everypath` runs.
const CARGO_COMMAND: &str = "cargo-everypath";

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Whether native functions can be kept from writing files.
fn sandbox() -> Result<Finding, Error> {
    let confinement = crate::external::oracle(&[], Sandbox::default())?.confinement();
    let found = match confinement {
        Ok(Confinement::Full) => Ok("files, network, processes and signals are held".to_owned()),
        Ok(Confinement::Partial) => {
            Ok("network, processes and most ways of writing files are held".to_owned())
        }
        Ok(Confinement::FilesOpen) => Err("this kernel has no Landlock, so that native functions \
             can write files; network, processes and signals are held"
            .to_owned()),
        Err(failure) => Err(failure.to_string()),
    };
    Ok(Finding {
        name: "sandbox (native functions)",
        need: Need::Optional,
        found,
        packages: LANDLOCK,
    })
}

/// Why a compiler is as good as not there; how to get it is said below all findings.
fn reason(error: &ToolchainError) -> String {
    match error {
        ToolchainError::Missing { tried, .. } => match &tried[..] {
            [only] => format!("{only} is not on the PATH"),
            several => format!("neither {} is on the PATH", several.join(" nor ")),
        },
        ToolchainError::Failed { diagnostics, .. } => {
            diagnostics.lines().next().unwrap_or("it fails").to_owned()
        }
        other => other.to_string(),
    }
}

/// 22 in `Debian clang version 22.1.0 (…)`.
fn major(version: &str) -> Option<u32> {
    let (_, after) = version.split_once("version ")?;
    after.split('.').next()?.parse().ok()
}

/// A small program that is compiled to see whether that works.
struct Trial<'s> {
    stop: &'s Stop,
    scratch: Scratch,
    source: PathBuf,
}

impl<'s> Trial<'s> {
    fn new(stop: &'s Stop) -> Result<Trial<'s>, Error> {
        let scratch = Scratch::new()?;
        let text = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";
        let source = scratch.write("trial.c", text)?;
        Ok(Trial {
            stop,
            scratch,
            source,
        })
    }

    fn library(&self, clang: &Clang<'_>) -> Finding {
        Finding {
            name: "C library",
            need: Need::Required,
            found: self.compiles(clang, false),
            packages: LIBRARY,
        }
    }

    fn sanitizers(&self, clang: &Clang<'_>) -> Finding {
        Finding {
            name: "sanitizers (replay --sanitize)",
            need: Need::Optional,
            found: self.compiles(clang, true),
            packages: SANITIZERS,
        }
    }

    fn compiles(&self, clang: &Clang<'_>, sanitize: bool) -> Result<String, String> {
        let output = self.scratch.path().join("trial");
        let command = clang.executable(&self.source, &output, sanitize);
        match command.run("compile a program", self.stop) {
            Ok(_) => Ok("programs compile and link".to_owned()),
            Err(error) => Err(reason(&error)),
        }
    }
}

/// The libraries this process has loaded, as Linux tells.
struct LoadedLibraries(Vec<PathBuf>);

impl LoadedLibraries {
    fn of_this_process() -> LoadedLibraries {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let paths = maps
            .lines()
            .filter_map(|line| line.find('/').map(|at| &line[at..]));
        let mut paths: Vec<PathBuf> = paths.map(PathBuf::from).collect();
        paths.dedup();
        LoadedLibraries(paths)
    }

    /// A library that is linked: this process would not run without it.
    fn finding(&self, name: &'static str, prefix: &str) -> Finding {
        let is_it = |path: &&PathBuf| file_name(path).starts_with(prefix);
        let found = match self.0.iter().find(is_it) {
            None => "linked in".to_owned(),
            Some(path) => match version_of(path) {
                Some(version) => format!("{version}, {}", path.one_line()),
                None => format!("{} (version not known)", path.one_line()),
            },
        };
        Finding {
            name,
            need: Need::Required,
            found: Ok(found),
            packages: CLANG,
        }
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The version in `libLLVM.so.22.1`; one number says too little, and then
/// pkg-config is asked.
fn version_of(path: &Path) -> Option<String> {
    let name = file_name(path);
    let (library, version) = name.split_once(".so.")?;
    if version.contains('.') {
        return Some(version.to_owned());
    }
    let package = library.strip_prefix("lib")?;
    let output = Command::new("pkg-config")
        .args(["--modversion", package])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !said.is_empty()).then_some(said)
}
