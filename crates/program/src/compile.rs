//! From C and C++ to bitcode, by clang; from Rust, by rustc.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::error::LoadError;
use crate::load::LoadOptions;

/// The commands tried when none is named.
const COMPILERS: [&str; 2] = ["clang-22", "clang"];

/// What a compiler made of a file.
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
    let (compiler, result) = match is_rust(file) {
        true => (
            "rustc".to_owned(),
            run_rustc(file, directory.path(), &output, options)?,
        ),
        false => run(options, &arguments(file, &output, options))?,
    };
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

/// Compiles a Rust file as a library: what is not generic is all there, and `main`
/// is what the file has for the linker under that name.
fn run_rustc(
    file: &Path,
    directory: &Path,
    output: &Path,
    options: &LoadOptions,
) -> Result<Output, LoadError> {
    let edition = options.std.as_deref().filter(|std| is_edition(std));
    let mut fixed: Vec<OsString> = ["-C", "panic=abort", "--edition"].map(Into::into).to_vec();
    fixed.push(edition.unwrap_or("2024").into());
    let mut arguments = fixed.clone();
    let own = options
        .headers
        .as_ref()
        .map(|headers| headers.join("everypath.rs"));
    let own = own.filter(|own| own.exists() && mentions_everypath(file));
    if let Some(own) = own {
        let library = directory.join("libeverypath.rlib");
        let mut made = fixed;
        made.extend([
            "--crate-type=rlib".into(),
            "--crate-name=everypath".into(),
            "-o".into(),
        ]);
        made.extend([library.clone().into(), own.into()]);
        let result = rustc(options, &made)?;
        if !result.status.success() {
            return Ok(result);
        }
        let mut given = OsString::from("everypath=");
        given.push(&library);
        arguments.extend(["--extern".into(), given]);
    }
    let level = options.opt_level.flag().trim_start_matches("-O");
    arguments.extend(["--crate-type=lib".into(), "-g".into()]);
    arguments.extend(["-C".into(), format!("opt-level={level}").into()]);
    arguments.extend(["-C".into(), "codegen-units=1".into()]);
    arguments.extend(["-C".into(), "link-dead-code".into()]);
    // Generic code of the library's that other crates have in compiled form is
    // wanted in this one.
    arguments.push("-Zshare-generics=no".into());
    for directory in &options.include_dirs {
        arguments.extend(["-L".into(), directory.into()]);
    }
    for define in &options.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, ""));
        let cfg = match value {
            "" => name.to_owned(),
            value => format!("{name}={value:?}"),
        };
        arguments.extend(["--cfg".into(), cfg.into()]);
    }
    let mut emit = OsString::from("--emit=llvm-bc=");
    emit.push(output);
    arguments.extend([emit, file.into()]);
    rustc(options, &arguments)
}

fn rustc(options: &LoadOptions, arguments: &[OsString]) -> Result<Output, LoadError> {
    let mut command = Command::new("rustc");
    // Stable compilers take flags that begin with -Z too when told so.
    command.args(arguments).env("RUSTC_BOOTSTRAP", "1");
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
    command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LoadError::NoRustCompiler,
        _ => LoadError::Unreadable {
            file: "rustc".into(),
            reason: error.to_string(),
        },
    })
}

/// Whether the file may use our own crate, which takes time to compile.
fn mentions_everypath(file: &Path) -> bool {
    let text = std::fs::read(file).unwrap_or_default();
    text.windows(9).any(|part| part == b"everypath")
}

fn arguments(file: &Path, output: &Path, options: &LoadOptions) -> Vec<OsString> {
    let fixed = ["-g", "-emit-llvm", "-c", "-Xclang", "-disable-O0-optnone"];
    let mut arguments: Vec<OsString> = fixed.map(OsString::from).to_vec();
    arguments.push(options.opt_level.flag().into());
    let standard = options.std.as_ref();
    if let Some(standard) =
        standard.filter(|std| is_cpp_standard(std) == is_cpp(file) && !is_edition(std))
    {
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

fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "rs")
}

fn is_cpp_standard(standard: &str) -> bool {
    standard.contains("++")
}

fn is_edition(standard: &str) -> bool {
    standard.starts_with("20") && standard.bytes().all(|byte| byte.is_ascii_digit())
}
