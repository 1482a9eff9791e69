//! A whole C library as an archive of bitcode: musl, compiled for the machine.
//!
//! What our own small library has (streams, strings, numbers as text) is made for
//! symbolic execution and comes first. Everything else a C program may call is musl's:
//! time, regular expressions, directories, wide characters, locales, the wrappers of
//! system calls. Its assembly is replaced by C ([`MUSL`]), so that every system call
//! ends in the machine's model of the kernel, and of its own streams, allocator,
//! start-up and thread creation nothing is taken.

use base::Stop;
use machine::runtime::{LIBRARY_DIRECTORY, MUSL};
use program::toolchain::Clang;
use program::{CompileOptions, ToolchainError};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
pub enum CLibraryError {
    /// This is not where musl's sources are.
    #[error("{} does not hold the sources of musl: {reason}", directory.display())]
    Sources {
        /// Where they were looked for.
        directory: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The archive cannot be written.
    #[error("cannot write {}: {reason}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A file does not compile, or the compiler was stopped.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
}

/// Folders of musl's `src` that are compiled. Absent: `malloc`, `setjmp`, `exit` and
/// `math`, which the machine does itself or has done natively; `stdio`, which is ours;
/// `ldso` and `aio`.
const FOLDERS: &str = "complex conf crypt ctype dirent env errno fcntl ipc legacy linux locale \
    misc mman mq multibyte network passwd prng process regex sched search select signal stat \
    stdlib string temp termios thread time unistd";

/// Files of `src/internal` that the others need.
const INTERNAL: &str = "libc.c procfdname.c syscall_ret.c version.c defsysinfo.c";

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
    let mut hash = Sha256::new();
    let texts = MUSL.iter().flat_map(|(name, text)| [*name, *text]);
    for part in texts.chain([FOLDERS, INTERNAL, LEFT_OUT]).chain(FLAGS) {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let key: String = hash.finalize()[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("libc-{key}.a")
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
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), CLibraryError> {
    let unwritable = |reason| CLibraryError::Unwritable {
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
    let objects: Vec<PathBuf> = (0..files.len())
        .map(|number| {
            scratch
                .path()
                .join(format!("{}.bc", name(&sources, &files[number], number)))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<ToolchainError>> = Mutex::new(None);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((file, object)) = files.get(number).zip(objects.get(number)) else {
                return;
            };
            let command = clang.library_bitcode(&flags, file, object);
            let purpose = format!("compile {}", file.display());
            if let Err(error) = command.run(&purpose, stop) {
                failure
                    .lock()
                    .expect("no thread panics")
                    .get_or_insert(error);
                next.store(files.len(), Ordering::Relaxed);
                return;
            }
            progress(number + 1, files.len());
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    if let Some(error) = failure.into_inner().expect("no thread panics") {
        return Err(error.into());
    }
    let whole = scratch.path().join("libc.a");
    clang
        .archive(&objects, &whole)?
        .run("make an archive of the C library", stop)?;
    std::fs::rename(&whole, archive).map_err(unwritable)
}

fn missing(directory: &Path, reason: io::Error) -> CLibraryError {
    CLibraryError::Sources {
        directory: directory.to_owned(),
        reason,
    }
}

/// What is compiled, in the order of names.
fn files(sources: &Path) -> Result<Vec<PathBuf>, CLibraryError> {
    let src = sources.join("src");
    let left_out: Vec<PathBuf> = LEFT_OUT.split_whitespace().map(|it| src.join(it)).collect();
    let mut files: Vec<PathBuf> = INTERNAL
        .split_whitespace()
        .map(|name| src.join("internal").join(name))
        .collect();
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
    flags.push(
        format!(
            "-fdebug-prefix-map={}={LIBRARY_DIRECTORY}musl",
            sources.display()
        )
        .into(),
    );
    flags.push(
        format!(
            "-fdebug-prefix-map={}={LIBRARY_DIRECTORY}musl",
            ours.display()
        )
        .into(),
    );
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
            .display()
            .to_string()
            .replace('/', "-"),
        Err(_) => format!("everypath-{number}"),
    }
}
