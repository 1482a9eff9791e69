//! A whole C library as an archive of bitcode: musl, compiled for the machine.
//!
//! What our own small library has (streams, strings, numbers as text) is made for
//! symbolic execution and comes first. Everything else a C program may call is musl's:
//! time, regular expressions, directories, wide characters, locales, the wrappers of
//! system calls. Its assembly is replaced by C ([`MUSL`]), so that every system call
//! ends in the machine's model of the kernel, and of its own streams, allocator,
//! start-up and thread creation nothing is taken.

use crate::library_build::{self, Job, LibraryError, Progress, prefix_map};
use base::Stop;
use machine::runtime::{LIBRARY_DIRECTORY, MUSL};
use program::CompileOptions;
use program::toolchain::Clang;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders of musl's `src` that are compiled. Absent: `malloc`, `setjmp`, `exit` and most of
/// `math`, which the machine does itself or has done natively; `stdio`, which is ours;
/// `ldso` and `aio`.
const FOLDERS: &str = "complex conf crypt ctype dirent env errno fcntl ipc legacy linux locale \
    misc mman mq multibyte network passwd prng process regex sched search select signal stat \
    stdlib string temp termios thread time unistd";

/// Files of other folders: what the others need, and of `math` the functions of `long double`
/// that have no exact result. The host has those too, but calls with 80 bits are not made there.
const FILES: &str = "internal/libc.c internal/procfdname.c internal/syscall_ret.c internal/version.c \
    internal/defsysinfo.c math/__cosl.c math/__invtrigl.c math/__math_invalidl.c \
    math/__polevll.c math/__rem_pio2_large.c math/__rem_pio2l.c math/__signbitl.c \
    math/__sinl.c math/__tanl.c math/acoshl.c math/acosl.c math/asinhl.c math/asinl.c \
    math/atan2l.c math/atanhl.c math/atanl.c math/cbrtl.c math/coshl.c math/cosl.c math/erfl.c \
    math/exp10l.c math/exp2l.c math/expl.c math/expm1l.c math/fdiml.c math/hypotl.c \
    math/ilogbl.c math/lgammal.c math/log10l.c math/log1pl.c math/log2l.c math/logbl.c \
    math/logl.c math/nextafterl.c math/nexttoward.c math/nexttowardf.c math/nexttowardl.c \
    math/powl.c math/remquol.c math/signgam.c math/sincosl.c math/sinhl.c math/sinl.c \
    math/tanhl.c math/tanl.c math/tgammal.c";

/// Files that are left out: they are ours (options, messages, numbers as text), or would
/// make processes and threads behind the machine's back.
const LEFT_OUT: &str = "misc/getopt.c misc/getopt_long.c legacy/err.c signal/psignal.c \
    stdlib/wcstod.c stdlib/wcstol.c stdlib/strtod.c stdlib/strtol.c linux/clone.c \
    process/posix_spawn.c process/system.c process/vfork.c thread/clone.c \
    thread/pthread_create.c thread/pthread_cancel.c thread/pthread_exit.c thread/synccall.c \
    thread/__unmapself.c thread/__set_thread_area.c thread/thrd_create.c thread/thrd_exit.c \
    time/timer_create.c unistd/setxid.c";

/// Flags besides the folders of headers. Without `__GNUC__` musl reads strings byte by
/// byte and not by words, which may go beyond an object's end. `regoff_t` is what glibc has, whose headers
/// programs are compiled with; everything else that programs see has the same layout.
const FLAGS: [&str; 12] = [
    "-O1",
    "-gline-tables-only",
    "-std=gnu11",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-nostdinc",
    "-U__GNUC__",
    "-D_XOPEN_SOURCE=700",
    "-D__DEFINED_regoff_t",
    "-Dregoff_t=int",
];

/// What the archive is called. Another version of what goes into it has another name, so
/// that a new Everypath does not take an old archive for its own.
pub fn archive_name() -> String {
    let texts = MUSL.iter().flat_map(|(name, text)| [*name, *text]);
    let parts = texts.chain([FOLDERS, FILES, LEFT_OUT]).chain(FLAGS);
    format!("libc-{}.a", library_build::key(parts))
}

/// Compiles musl, whose folder `sources` is, into an archive. `progress` hears how many
/// files are done, and of how many.
///
/// # Errors
///
/// When the sources are not there, do not compile, or the archive cannot be written.
pub fn build(
    sources: &Path,
    archive: &Path,
    stop: &Stop,
    progress: &Progress<'_>,
) -> Result<(), LibraryError> {
    let unwritable = |reason| LibraryError::Unwritable {
        file: archive.to_owned(),
        reason,
    };
    let directory = archive.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).map_err(unwritable)?;
    // Beside the archive, so that it can be moved into its place in one step.
    let scratch = tempfile::tempdir_in(directory).map_err(unwritable)?;
    for (name, text) in MUSL {
        std::fs::write(scratch.path().join(name), text).map_err(unwritable)?;
    }
    let sources = sources
        .canonicalize()
        .map_err(|reason| missing(sources, reason))?;
    let mut files = files(&sources)?;
    files.push(scratch.path().join("glue.c"));

    let options = CompileOptions::default();
    let clang = Clang::find(&options)?;
    let flags = flags(&sources, scratch.path());
    let jobs = files.iter().enumerate().map(|(number, file)| {
        let object = format!("{}.bc", name(&sources, file, number));
        let object = scratch.path().join(object);
        let command = clang.library_bitcode(&flags, file, &object);
        Job {
            file: file.clone(),
            command,
            object,
        }
    });
    let objects = library_build::run(jobs.collect(), stop, progress)?;
    let whole = scratch.path().join("libc.a");
    clang
        .archive(&objects, &whole)?
        .run("make an archive of the C library", stop)?;
    std::fs::rename(&whole, archive).map_err(unwritable)
}

fn missing(directory: &Path, reason: std::io::Error) -> LibraryError {
    LibraryError::Sources {
        what: "musl",
        directory: directory.to_owned(),
        reason,
    }
}

/// What is compiled, in the order of names.
fn files(sources: &Path) -> Result<Vec<PathBuf>, LibraryError> {
    let src = sources.join("src");
    let left_out: Vec<PathBuf> = LEFT_OUT.split_whitespace().map(|it| src.join(it)).collect();
    let mut files: Vec<PathBuf> = FILES.split_whitespace().map(|it| src.join(it)).collect();
    for folder in FOLDERS.split_whitespace() {
        let folder = src.join(folder);
        let entries = folder
            .read_dir()
            .map_err(|reason| missing(sources, reason))?;
        for entry in entries {
            let path = entry.map_err(|reason| missing(sources, reason))?.path();
            let is_c = path.extension().is_some_and(|extension| extension == "c");
            if is_c && !left_out.contains(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The headers are ours, then the machine's, then musl's; some releases have the
/// generated ones beside the sources and some in a folder of their own.
fn flags(sources: &Path, ours: &Path) -> Vec<OsString> {
    let mut flags: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    let shown = format!("{LIBRARY_DIRECTORY}musl");
    flags.extend([sources, ours].map(|folder| prefix_map(folder, &shown)));
    let folders = [
        "arch/x86_64",
        "arch/generic",
        "src/include",
        "src/internal",
        "include",
        "../include/x86_64-linux-musl",
        "../include/generic-musl",
        "obj/include",
        "obj/src/internal",
    ];
    let folders = folders.map(|folder| sources.join(folder));
    for folder in std::iter::once(ours.to_owned()).chain(folders) {
        let mut flag = OsString::from("-I");
        flag.push(folder);
        flags.push(flag);
    }
    flags
}

/// A file's name in the archive, which messages show.
fn name(sources: &Path, file: &Path, number: usize) -> String {
    match file.strip_prefix(sources.join("src")) {
        Ok(inside) => inside
            .with_extension("")
            .to_string_lossy()
            .replace('/', "-"),
        Err(_) => format!("everypath-{number}"),
    }
}
