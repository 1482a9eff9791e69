//! What rustc is asked to do.

use super::ToolchainError;
use super::clang::first_line;
use super::command::CommandLine;
use super::find::{Installed, Tool};
use super::options::CompileOptions;
use base::Stop;
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

    /// Rust's standard library as one shared library, for programs that another
    /// compiler links.
    ///
    /// # Errors
    ///
    /// When rustc does not run, or was installed without it.
    pub fn shared_library(&self, stop: &Stop) -> Result<PathBuf, ToolchainError> {
        let command = self.start().args(["--print", "target-libdir"]);
        let ended = command.succeed("say where its libraries are", stop)?;
        let folder = PathBuf::from(first_line(&ended.output));
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut libraries = files.map(|file| file.path()).filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".so")
        });
        let found = libraries.next();
        found.ok_or(ToolchainError::NoRustLibrary(folder))
    }

    /// Compiles a Rust file to bitcode, as a library: what is not generic is all there,
    /// and `main` is what the file has for the linker under that name. Gives what
    /// rustc said.
    pub(crate) fn bitcode(
        &self,
        file: &Path,
        output: &Path,
        stop: &Stop,
    ) -> Result<String, ToolchainError> {
        let purpose = format!("compile {}", file.display());
        let mut command = self.compile();
        if let Some(own) = self.own_crate(file) {
            let library = output.with_file_name("libeverypath.rlib");
            let crate_command = self
                .compile()
                .args(["--crate-type=rlib", "--crate-name=everypath", "-o"])
                .args([&library, &own]);
            crate_command.run(&purpose, stop)?;
            command = command.arg("--extern").arg(joined("everypath=", &library));
        }
        let level = self.options.opt_level.name();
        command = command
            .args(["--crate-type=lib", "-g", "-C"])
            .arg(format!("opt-level={level}"))
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

    fn start(&self) -> CommandLine {
        // Stable compilers take flags that begin with -Z too when told so.
        CommandLine::of(&self.tool, self.options.directory.as_deref()).env("RUSTC_BOOTSTRAP", "1")
    }

    /// What the file and the crate it uses are both compiled with.
    fn compile(&self) -> CommandLine {
        let edition = edition(self.options, Path::new("any.rs"));
        self.start()
            .args(["-C", "panic=abort", "--edition", edition])
    }

    /// The crate for marking inputs, if the file may use it: it takes time to compile.
    fn own_crate(&self, file: &Path) -> Option<PathBuf> {
        let own = self.options.headers.as_ref()?.join("everypath.rs");
        let text = std::fs::read(file).unwrap_or_default();
        let mentions = text.windows(9).any(|part| part == b"everypath");
        (mentions && own.exists()).then_some(own)
    }
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
