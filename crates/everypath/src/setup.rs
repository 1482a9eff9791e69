//! `everypath setup`: fetches and builds what is too large to be part of the binary.

use crate::Outcome;
use crate::error::Error;
use crate::libraries;
use crate::scratch::Scratch;
use crate::ui::progress::Progress;
use base::Stop;
use engine::c_library;
use program::toolchain::CommandLine;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Builds the C library that programs are linked with.
///
/// Strings, streams and memory are built in. Everything else that C programs call comes
/// from musl, a whole C library: its sources are fetched as part of a Python package,
/// compiled to bitcode, and kept in a directory of the user's
/// (~/.local/share/everypath, or $EVERYPATH_LIBRARIES).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath setup                     once, after Everypath was installed
  everypath setup --musl ~/src/musl   without fetching anything

Exit status: 0 the library is there; 2 it is not, with the reason.")]
pub struct Arguments {
    /// Take musl's sources from this directory, the one with `src` and `arch` in it.
    #[arg(long, value_name = "DIR")]
    musl: Option<PathBuf>,
    /// Build the library even if it is there.
    #[arg(long)]
    force: bool,
}

/// The package that has musl's sources whole, with generated headers beside them.
const PACKAGE: &str = "ziglang==0.13.0";

/// What is unpacked of it, all below `ziglang/lib/libc`.
const UNPACK: &str = "
import sys, zipfile
wanted = ('musl/', 'include/generic-musl/', 'include/x86_64-linux-musl/')
wheel = zipfile.ZipFile(sys.argv[1])
names = [n for n in wheel.namelist() if n.startswith(tuple('ziglang/lib/libc/' + w for w in wanted))]
wheel.extractall(sys.argv[2], names)
";

/// Builds the library where it is missing.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    if let Some(file) = libraries::c_library().filter(|_| !arguments.force) {
        crate::output::say(&format!("the C library is there: {}", file.display()))?;
        return Ok(Outcome::Clean);
    }
    let directory = libraries::own_directory().ok_or_else(|| {
        Error::Usage(
            "there is no home directory to keep the library in; \
             name a directory with EVERYPATH_LIBRARIES"
                .to_owned(),
        )
    })?;
    let archive = directory.join(c_library::archive_name());
    let scratch = Scratch::new()?;
    let sources = match &arguments.musl {
        Some(sources) => sources.clone(),
        None => fetch(scratch.path(), stop)?,
    };
    let progress = Mutex::new(Progress::new(Instant::now(), None));
    c_library::build(&sources, &archive, stop, &|done, all| {
        let mut progress = progress.lock().expect("nothing panics while it draws");
        progress.show(|_| format!("compiling the C library: {done} of {all} files"));
    })?;
    progress.into_inner().expect("nothing panicked").clear();
    crate::output::say(&format!("the C library is there: {}", archive.display()))?;
    Ok(Outcome::Clean)
}

/// Fetches musl's sources; gives the directory they are in.
fn fetch(scratch: &Path, stop: &Stop) -> Result<PathBuf, Error> {
    let wheels = scratch.join("wheels");
    let pip = CommandLine::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--dest"])
        .arg(&wheels)
        .arg(PACKAGE);
    pip.run(
        "fetch the sources of musl (--musl DIR takes them from a directory)",
        stop,
    )?;
    let reading = |source| Error::Read {
        path: wheels.clone(),
        source,
    };
    let entry = wheels.read_dir().map_err(reading)?.next();
    let wheel = entry.ok_or_else(|| reading(std::io::ErrorKind::NotFound.into()))?;
    let wheel = wheel.map_err(reading)?.path();
    let unpack = CommandLine::new("python3")
        .args(["-c", UNPACK])
        .args([&wheel, scratch]);
    unpack.run("unpack the sources of musl", stop)?;
    Ok(scratch.join("ziglang/lib/libc/musl"))
}
