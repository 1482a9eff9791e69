//! From C and C++ to bitcode, by clang.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::error::LoadError;
use crate::load::LoadOptions;

/// The commands tried when none is named.
const COMPILERS: [&str; 2] = ["clang-22", "clang"];

/// What clang made of a file.
pub(crate) struct Compiled {
    pub bitcode: Vec<u8>,
    /// What it printed, if anything.
    pub warnings: String,
}

pub(crate) fn compile(file: &Path, options: &LoadOptions) -> Result<Compiled, LoadError> {
    let no_temporary = |error: io::Error| LoadError::NoTemporary {
        reason: error.to_string(),
    };
    let directory = tempfile::tempdir().map_err(no_temporary)?;
    let output = directory.path().join("module.bc");
    let arguments = arguments(file, &output, options);
    let (compiler, result) = run(options, &arguments)?;
    let warnings = String::from_utf8_lossy(&result.stderr).into_owned();
    let bitcode = match result.status.success() {
        true => std::fs::read(&output).ok(),
        false => None,
    };
    match bitcode {
        Some(bitcode) => Ok(Compiled { bitcode, warnings }),
        None => {
            let diagnostics = match warnings.trim().is_empty() {
                true => format!("it ended with {} and said nothing", result.status),
                false => warnings,
            };
            Err(LoadError::Compile {
                file: file.to_owned(),
                compiler,
                diagnostics,
            })
        }
    }
}

fn run(options: &LoadOptions, arguments: &[OsString]) -> Result<(String, Output), LoadError> {
    let named = options
        .clang
        .as_ref()
        .map(|path| path.to_string_lossy().into_owned());
    let candidates = match named {
        Some(named) => vec![named],
        None => COMPILERS.map(String::from).to_vec(),
    };
    for candidate in &candidates {
        let mut command = Command::new(candidate);
        command.args(arguments);
        if let Some(directory) = &options.directory {
            command.current_dir(directory);
        }
        match command.output() {
            Ok(output) => return Ok((candidate.clone(), output)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let file = PathBuf::from(candidate);
                return Err(LoadError::Unreadable {
                    file,
                    reason: error.to_string(),
                });
            }
        }
    }
    Err(LoadError::NoCompiler { tried: candidates })
}

fn arguments(file: &Path, output: &Path, options: &LoadOptions) -> Vec<OsString> {
    let fixed = ["-g", "-emit-llvm", "-c", "-Xclang", "-disable-O0-optnone"];
    let mut arguments: Vec<OsString> = fixed.map(OsString::from).to_vec();
    arguments.push(options.opt_level.flag().into());
    let standard = options.std.as_ref();
    if let Some(standard) = standard.filter(|std| is_cpp_standard(std) == is_cpp(file)) {
        arguments.push(format!("-std={standard}").into());
    }
    for directory in options.headers.iter().chain(&options.include_dirs) {
        arguments.push("-I".into());
        arguments.push(directory.into());
    }
    arguments.extend(
        options
            .defines
            .iter()
            .map(|define| format!("-D{define}").into()),
    );
    arguments.extend(options.cc_args.iter().map(OsString::from));
    arguments.extend(["-o".into(), output.into(), file.into()]);
    arguments
}

fn is_cpp(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension != "c")
}

fn is_cpp_standard(standard: &str) -> bool {
    standard.contains("++")
}
