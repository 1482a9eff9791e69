//! What `everypath-cc` and `everypath-cxx` do: say to `everypath build` what is linked, and
//! become clang.

use program::CompileOptions;
use program::toolchain::variables::{CLANG, FLAGS, LINKED};
use program::toolchain::{Clang, Invocation};
use std::env;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Compiles as the arguments say.
pub fn run(cpp: bool) -> ExitCode {
    let directory = env::current_dir().unwrap_or_default();
    let invocation = Invocation::new(env::args_os().skip(1).collect(), &directory);
    if let (Some(file), Some(list)) = (invocation.linked_file(), env::var_os(LINKED)) {
        note(Path::new(&list), &directory.join(file));
    }
    let options = CompileOptions {
        clang: env::var_os(CLANG).map(Into::into),
        ..CompileOptions::default()
    };
    let flags = env::var(FLAGS).unwrap_or_default();
    let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    let error = match Clang::find(&options) {
        Ok(clang) => clang.wrapped(&invocation, cpp, &flags).replace_process(),
        Err(error) => error,
    };
    eprintln!("everypath-cc: error: {error}");
    ExitCode::FAILURE
}

/// Adds a line to a file that other compilers write to at the same time. A build does
/// not fail because its summary is short of a line.
fn note(list: &Path, file: &Path) {
    let opened = File::options().append(true).create(true).open(list);
    let line = format!("{}\n", file.to_string_lossy());
    if let Ok(mut list) = opened {
        let _ = list.write_all(line.as_bytes());
    }
}
