//! `everypath setup`: fetches and builds what is too large to be part of the binary.

use crate::Outcome;
use crate::error::Error;
use crate::libraries;
use crate::scratch::Scratch;
use crate::ui::progress::Progress;
use base::{OneLine, Stop};
use engine::{LibraryError, c_library, cpp_library};
use program::toolchain::CommandLine;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Builds the libraries that C and C++ programs are linked with.
///
/// Strings, streams and memory of C are built in. Everything else that C programs call
/// comes from musl, a whole C library, and the standard library of C++ is libc++. Their
/// sources are fetched as parts of Python packages, compiled to bitcode, and kept in a
/// directory of the user's (~/.local/share/everypath, or $EVERYPATH_LIBRARIES).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath setup    # once, after Everypath was installed
  everypath setup --musl ~/src/musl --libcxx ~/src/llvm-project    # fetches nothing

Exit status: 0 the libraries are there; 2 one is not, with the reason.")]
pub struct Arguments {
    /// Take musl's sources from this directory, the one with `src` and `arch` in it.
    #[arg(long, value_name = "DIR")]
    musl: Option<PathBuf>,
    /// Take the sources of libc++ from this directory, the one with `libcxx` and
    /// `libcxxabi` in it.
    #[arg(long, value_name = "DIR")]
    libcxx: Option<PathBuf>,
    /// Build the libraries even if they are there.
    #[arg(long)]
    force: bool,
}

/// A library, and where its sources are to be had.
struct Wanted {
    name: &'static str,
    /// What its sources are those of.
    upstream: &'static str,
    /// The option that names a directory of sources.
    option: &'static str,
    package: &'static str,
    /// What is unpacked of the package.
    folders: &'static [&'static str],
    /// Where the sources are in it.
    sources: &'static str,
}

/// This package has musl's sources whole, with generated headers beside them.
const C: Wanted = Wanted {
    name: "the C library",
    upstream: "musl",
    option: "--musl",
    package: "ziglang==0.13.0",
    folders: &[
        "ziglang/lib/libc/musl/",
        "ziglang/lib/libc/include/generic-musl/",
        "ziglang/lib/libc/include/x86_64-linux-musl/",
    ],
    sources: "ziglang/lib/libc/musl",
};

/// And this one the libc++ of the LLVM that is linked here.
const CPP: Wanted = Wanted {
    name: "the C++ library",
    upstream: "libc++",
    option: "--libcxx",
    package: "ziglang==0.17.0",
    folders: &["ziglang/lib/libcxx/", "ziglang/lib/libcxxabi/"],
    sources: "ziglang/lib",
};

const UNPACK: &str = "
import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = [n for n in wheel.namelist() if n.startswith(tuple(sys.argv[3:]))]
wheel.extractall(sys.argv[2], names)
";

/// Compiles sources into a place.
type Build = fn(&Path, &Path, &Stop, &(dyn Fn(usize, usize) + Sync)) -> Result<(), LibraryError>;

/// Builds the libraries where they are missing.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let directory = libraries::own_directory().ok_or_else(|| {
        Error::Usage(
            "there is no home directory to keep the libraries in; \
             name a directory with EVERYPATH_LIBRARIES"
                .to_owned(),
        )
    })?;
    let c = directory.join(c_library::archive_name());
    let cpp = directory.join(cpp_library::directory_name());
    let cpp_there = libraries::cpp_directory();
    let all = [
        (C, libraries::c_library(), &arguments.musl, c),
        (CPP, cpp_there, &arguments.libcxx, cpp),
    ];
    let (build_c, build_cpp): (Build, Build) = (c_library::build, cpp_library::build);
    for ((wanted, there, sources, place), build) in all.into_iter().zip([build_c, build_cpp]) {
        let there = match there.filter(|_| !arguments.force) {
            Some(there) => there,
            None => {
                wanted.build(sources.as_deref(), &place, build, stop)?;
                place
            }
        };
        crate::output::say(&format!("{} is there: {}", wanted.name, there.one_line()))?;
    }
    Ok(Outcome::Clean)
}

impl Wanted {
    fn build(
        &self,
        sources: Option<&Path>,
        place: &Path,
        build: Build,
        stop: &Stop,
    ) -> Result<(), Error> {
        let scratch = Scratch::new()?;
        let sources = match sources {
            Some(sources) => sources.to_owned(),
            None => self.fetch(scratch.path(), stop)?,
        };
        let progress = Mutex::new(Progress::new(Instant::now(), None));
        build(&sources, place, stop, &|done, all| {
            let mut progress = progress.lock().expect("nothing panics while it draws");
            progress.show(|_| format!("compiling {}: {done} of {all} files", self.name));
        })?;
        progress.into_inner().expect("nothing panicked").clear();
        Ok(())
    }

    /// Fetches the sources; gives the directory they are in.
    fn fetch(&self, scratch: &Path, stop: &Stop) -> Result<PathBuf, Error> {
        let wheels = scratch.join("wheels");
        let pip = CommandLine::new("python3")
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--disable-pip-version-check", "--dest"])
            .arg(&wheels)
            .arg(self.package);
        let purpose = format!(
            "fetch the sources of {} ({} DIR takes them from a directory)",
            self.upstream, self.option
        );
        pip.run(&purpose, stop)?;
        let reading = |source| Error::Read {
            path: wheels.clone(),
            source,
        };
        let entry = wheels.read_dir().map_err(reading)?.next();
        let wheel = entry.ok_or_else(|| reading(std::io::ErrorKind::NotFound.into()))?;
        let wheel = wheel.map_err(reading)?.path();
        let unpack = CommandLine::new("python3")
            .args(["-c", UNPACK])
            .arg(&wheel)
            .arg(scratch)
            .args(self.folders);
        unpack.run(&format!("unpack the sources of {}", self.upstream), stop)?;
        Ok(scratch.join(self.sources))
    }
}
