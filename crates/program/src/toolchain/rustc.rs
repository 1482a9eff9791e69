//! What rustc is asked to do.

use super::ToolchainError;
use super::clang::first_line;
use super::command::CommandLine;
use super::find::{Installed, Tool};
use super::options::{CompileOptions, OptLevel};
use base::{OneLine, Stop};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The edition of files for which none is given.
const EDITION: &str = "2024";

/// Rustc with the options of a program.
#[derive(Clone, Debug)]
pub struct Rustc<'o> {
    tool: Installed,
    options: &'o CompileOptions,
}

impl<'o> Rustc<'o> {
    /// The rustc that is installed.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn find(options: &'o CompileOptions) -> Result<Rustc<'o>, ToolchainError> {
        Ok(Rustc {
            tool: Tool::Rustc.find()?,
            options,
        })
    }

    /// The first line of what it says of itself.
    ///
    /// # Errors
    ///
    /// When it does not run.
    pub fn version(&self) -> Result<String, ToolchainError> {
        let command = self.start().arg("--version");
        let ended = command.succeed("say its version", &Stop::never())?;
        Ok(first_line(&ended.output))
    }

    /// Puts Rust's standard library into a folder as one archive, for programs that another
    /// compiler links.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or was installed without it.
    pub fn archive(&self, folder: &Path, stop: &Stop) -> Result<PathBuf, ToolchainError> {
        let archive = folder.join("librust.a");
        // A static library holds all that it needs, and one without a line of its own needs
        // the standard library.
        let command = self.start().args(["--crate-type=staticlib", "-"]);
        let command = command.args(["--crate-name=rust", "-o"]).arg(&archive);
        command.run("put together the standard library", stop)?;
        Ok(archive)
    }

    /// Rust's standard library as archives whose members hold bitcode, which the toolchain
    /// has for the sake of link-time optimisation.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or was installed without it.
    pub fn archives(&self, stop: &Stop) -> Result<Vec<PathBuf>, ToolchainError> {
        let folder = self.library_folder(stop)?;
        let is_left_out = |name: &str| {
            let mut left_out = NO_PART_OF_PROGRAMS.iter();
            left_out.any(|other| name.starts_with(&format!("lib{other}-")))
        };
        let found = files_of(&folder, |name| {
            name.ends_with(".rlib") && !is_left_out(name)
        });
        match found.is_empty() {
            true => Err(ToolchainError::NoRustLibrary(folder)),
            false => Ok(found),
        }
    }

    /// The machine that it compiles for by itself.
    ///
    /// # Errors
    ///
    /// When rustc does not run.
    pub fn host(&self, stop: &Stop) -> Result<String, ToolchainError> {
        let said = self.start().arg("-vV").output("say its host", stop)?;
        let host = said.lines().find_map(|line| line.strip_prefix("host: "));
        Ok(host.unwrap_or("x86_64-unknown-linux-gnu").to_owned())
    }

    /// Compiles our crate under Kani's name, and what it needs, into a folder, unless that
    /// was done before; gives the file.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or refuses.
    pub fn kani(&self, folder: &Path, stop: &Stop) -> Result<PathBuf, ToolchainError> {
        let own = OwnCrate {
            sources: self.own_sources().unwrap_or_default(),
            folder,
            macros: true,
        };
        let kani = folder.join("libkani.rlib");
        if kani.exists() {
            return Ok(kani);
        }
        for step in self.own_crates(CrateKind::Program, &own) {
            step.run("compile the crate everypath", stop)?;
        }
        let command = self
            .compile(CrateKind::Program, EDITION)
            .args(["--crate-type=rlib", "--crate-name=kani", "-L"])
            .arg(folder)
            .arg("--extern")
            .arg(joined("everypath=", &own.library()))
            .arg("--extern")
            .arg(joined("everypath_macros=", &own.macro_library()))
            .arg("-o")
            .args([&kani, &own.sources.join("kani/kani.rs")]);
        command.run("compile the crate kani", stop)?;
        Ok(kani)
    }

    /// Compiles what runs one `#[test]` of a crate into a folder, unless that was done before;
    /// gives the file.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or refuses.
    pub fn test_harness(&self, folder: &Path, stop: &Stop) -> Result<PathBuf, ToolchainError> {
        let library = folder.join("libeverypath_tests.rlib");
        if library.exists() {
            return Ok(library);
        }
        let command = self
            .compile(CrateKind::Program, EDITION)
            .args(["--crate-type=rlib", "--crate-name=everypath_tests", "-o"])
            .args([&library, &self.own("properties/harness.rs")]);
        command.run("compile what runs tests", stop)?;
        Ok(library)
    }

    /// Compiles how many elements collections of properties have to bitcode.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or refuses.
    pub fn most_elements(
        &self,
        most: usize,
        output: &Path,
        stop: &Stop,
    ) -> Result<(), ToolchainError> {
        let command = self
            .compile(CrateKind::Library, EDITION)
            .args(["--crate-type=lib", "--crate-name=elements"])
            .env("EVERYPATH_MOST_ELEMENTS", most.to_string())
            .arg(joined("--emit=llvm-bc=", output))
            .arg(self.own("properties/elements.rs"));
        command.run("compile a bound of properties", stop)?;
        Ok(())
    }

    /// Where our sources for Rust are, among them those that take the place of other crates.
    pub fn own(&self, path: &str) -> PathBuf {
        self.own_sources().unwrap_or_default().join(path)
    }

    /// Compiles the entry of fuzz targets to bitcode, for inputs up to a length, with our
    /// crate from the folder that [`kani`](Rustc::kani) filled.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or refuses.
    pub fn fuzz_entry(
        &self,
        most_bytes: usize,
        folder: &Path,
        output: &Path,
        stop: &Stop,
    ) -> Result<(), ToolchainError> {
        let source = self.own("fuzz/fuzz.rs");
        let command = self
            .compile(CrateKind::Program, EDITION)
            .args(["--crate-type=lib", "--crate-name=fuzz", "-g"])
            .args(["-C", "codegen-units=1", "-Zshare-generics=no", "--extern"])
            .arg(joined("everypath=", &folder.join("libeverypath.rlib")))
            .arg("-L")
            .arg(folder)
            .env("EVERYPATH_MOST_BYTES", most_bytes.to_string())
            .arg(joined("--emit=llvm-bc=", output))
            .arg(source);
        command.run("compile the entry of fuzz targets", stop)?;
        Ok(())
    }

    fn library_folder(&self, stop: &Stop) -> Result<PathBuf, ToolchainError> {
        let command = self.start().args(["--print", "target-libdir"]);
        let ended = command.succeed("say where its libraries are", stop)?;
        Ok(PathBuf::from(first_line(&ended.output)))
    }

    /// Compiles a Rust file to bitcode, as a program if it has a `main` as Rust has it, and
    /// otherwise as a library: what is not generic is all there, and `main` is what the
    /// file has for the linker under that name. Gives what rustc said.
    pub(crate) fn bitcode(
        &self,
        file: &Path,
        output: &Path,
        stop: &Stop,
    ) -> Result<String, ToolchainError> {
        let purpose = format!("compile {}", file.one_line());
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
        let kind = CrateKind::of(&text);
        let mut command = self.compile(kind, edition(self.options, file));
        let wants_own = text.contains("everypath");
        if let Some(sources) = self.own_sources().filter(|_| wants_own) {
            let folder = output.parent().unwrap_or(Path::new("."));
            let own = OwnCrate {
                sources,
                folder,
                macros: uses_macros(&text),
            };
            for step in self.own_crates(kind, &own) {
                step.run(&purpose, stop)?;
            }
            command = command
                .arg("--extern")
                .arg(joined("everypath=", &own.library()))
                .arg("-L")
                .arg(folder);
        }
        command = command
            .args([kind.flag(), "-g"])
            .args(level(self.options.opt_level))
            .args(["-C", "codegen-units=1", "-C", "link-dead-code"])
            // Generic code of the standard library that other crates hold in compiled
            // form is wanted in this one, where it can be explored.
            .arg("-Zshare-generics=no");
        for directory in &self.options.include_dirs {
            command = command.arg("-L").arg(directory);
        }
        for define in &self.options.defines {
            command = command.arg("--cfg").arg(cfg(define));
        }
        command = command.arg(joined("--emit=llvm-bc=", output)).arg(file);
        command.run(&purpose, stop)
    }

    /// The commands that compile the crate for marking inputs.
    fn own_crates(&self, kind: CrateKind, own: &OwnCrate<'_>) -> Vec<CommandLine> {
        let mut crate_command = self
            .compile(kind, EDITION)
            .args(["--crate-type=rlib", "--crate-name=everypath", "-o"])
            .arg(own.library())
            .arg(own.sources.join("everypath/src/lib.rs"));
        if !own.macros {
            return vec![crate_command];
        }
        let macros = own.macro_library();
        let macro_command = self
            .start()
            .args(["--crate-type=proc-macro", "--edition", EDITION])
            .args(["--crate-name=everypath_macros", "-o"])
            .args([&macros, &own.sources.join("everypath-macros/src/lib.rs")]);
        crate_command = crate_command
            .args(["--cfg", "feature=\"macros\"", "--extern"])
            .arg(joined("everypath_macros=", &macros));
        vec![macro_command, crate_command]
    }

    fn start(&self) -> CommandLine {
        // Stable compilers take flags that begin with -Z too when told so.
        CommandLine::of(&self.tool, self.options.directory.as_deref()).env("RUSTC_BOOTSTRAP", "1")
    }

    /// What the file and the crate it uses are both compiled with. Each has an edition of its own.
    fn compile(&self, kind: CrateKind, edition: &str) -> CommandLine {
        self.start()
            .args(["-C", kind.panic(), "--edition", edition])
            .args(["--cfg", "everypath"])
    }

    /// Where the sources of our crates are.
    fn own_sources(&self) -> Option<PathBuf> {
        let sources = self.options.headers.as_ref()?.join("rust");
        sources.exists().then_some(sources)
    }
}

/// Code as it is written, with what its types promise beside it. Rustc leaves that out where it
/// is told not to optimise; so it is told to, and left without a pass that would. Functions that
/// are always inlined, are.
pub const AS_WRITTEN: [&str; 6] = [
    "-Copt-level=1",
    "-Cno-prepopulate-passes",
    "-Cpasses=always-inline",
    "-Cdebug-assertions=on",
    "-Zmir-opt-level=1",
    "-Zcross-crate-inline-threshold=never",
];

fn level(level: OptLevel) -> Vec<String> {
    match level {
        OptLevel::None => AS_WRITTEN.map(str::to_owned).to_vec(),
        level => vec![format!("-Copt-level={}", level.name())],
    }
}

/// The crate for marking inputs, for one program.
struct OwnCrate<'a> {
    sources: PathBuf,
    folder: &'a Path,
    /// Whether the program uses its macros, which take time to compile.
    macros: bool,
}

impl OwnCrate<'_> {
    fn library(&self) -> PathBuf {
        self.folder.join("libeverypath.rlib")
    }

    fn macro_library(&self) -> PathBuf {
        self.folder.join("libeverypath_macros.so")
    }
}

fn uses_macros(text: &str) -> bool {
    text.contains("everypath::test") || (text.contains("derive(") && text.contains("Arbitrary"))
}

/// What a Rust file is compiled as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CrateKind {
    /// Its `main` is Rust's: the standard library starts it, and catches its panics.
    Program,
    /// Whatever it defines for the linker; a panic is the end.
    Library,
}

impl CrateKind {
    fn of(text: &str) -> CrateKind {
        let lines = || text.lines().map(str::trim_start);
        let is_main = |line: &str| {
            let rest = line.strip_prefix("pub ").unwrap_or(line);
            rest.starts_with("fn main(")
        };
        let is_program = lines().any(is_main) && !lines().any(|it| it.starts_with("#![no_main]"));
        match is_program {
            true => CrateKind::Program,
            false => CrateKind::Library,
        }
    }

    fn flag(self) -> &'static str {
        match self {
            CrateKind::Program => "--crate-type=bin",
            CrateKind::Library => "--crate-type=lib",
        }
    }

    fn panic(self) -> &'static str {
        match self {
            CrateKind::Program => "panic=unwind",
            CrateKind::Library => "panic=abort",
        }
    }
}

/// Archives of the toolchain that are for compilers, tests and tools.
const NO_PART_OF_PROGRAMS: [&str; 4] =
    ["getopts", "panic_abort", "proc_macro", "profiler_builtins"];

/// The files of a folder whose names are such, in order.
fn files_of(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = files
        .map(|file| file.path())
        .filter(|path| is_wanted(&path.file_name().unwrap_or_default().to_string_lossy()))
        .collect();
    files.sort();
    files
}

pub(super) fn edition<'o>(options: &'o CompileOptions, file: &Path) -> &'o str {
    options.standard_for(file).unwrap_or(EDITION)
}

/// `NAME=VALUE` as a condition of Rust: the value is in quotes there.
pub(super) fn cfg(define: &str) -> String {
    match define.split_once('=') {
        None | Some((_, "")) => define.trim_end_matches('=').to_owned(),
        Some((name, value)) => format!("{name}={value:?}"),
    }
}

fn joined(flag: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(flag);
    argument.push(path);
    argument
}

#[cfg(test)]
mod tests {
    use super::CrateKind;

    #[test]
    fn a_file_with_a_main_of_rust_is_a_program() {
        let kind = |text: &str| CrateKind::of(text);
        assert_eq!(kind("fn main() {}"), CrateKind::Program);
        assert_eq!(kind("mod a {}\n  pub fn main() -> R {"), CrateKind::Program);
        assert_eq!(kind("#![no_main]\nfn main() {}"), CrateKind::Library);
        assert_eq!(
            kind("pub extern \"C\" fn main() -> i32 { 0 }"),
            CrateKind::Library
        );
        assert_eq!(kind("pub fn double(x: i32) {}"), CrateKind::Library);
    }
}
