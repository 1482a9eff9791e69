//! The standard library of C++: libc++ and libc++abi, compiled for the machine and for
//! native code at once.
//!
//! Its objects hold machine code and the bitcode it was made from. The machine is given
//! the bitcode, by need, and a native replay of the same program the machine code: both
//! run the same library. What differs is how exceptions find their handlers and how a
//! program ends that nobody caught one of, and that is in archives of their own.

use crate::library_build::{self, Job, LibraryError, Progress, prefix_map};
use base::Stop;
use machine::runtime::{CPP_CONFIGURATION, CPP_HANDLERS, LIBRARY_DIRECTORY};
use program::CompileOptions;
use program::toolchain::{Clang, CppLibrary};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders of `libcxx/src` that are compiled.
const FOLDERS: &str = ". filesystem ryu";

/// Files of libc++ and libc++abi that are left out: for other systems, or for programs
/// without exceptions; libc++ has the operators `new` and `delete` that libc++abi has too.
const LEFT_OUT: &str = "cxa_noexception.cpp int128_builtins.cpp stdlib_new_delete.cpp";

/// Files that the machine has something of its own for.
const NATIVE: &str = "cxa_personality.cpp cxa_default_handlers.cpp verbose_abort.cpp";

const FLAGS: [&str; 8] = [
    "-O1",
    "-gline-tables-only",
    "-std=c++23",
    "-nostdinc++",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fembed-bitcode",
    "-Wno-everything",
];

/// Macros that the two libraries expect while they are compiled themselves.
const LIBCXX: [&str; 2] = ["-D_LIBCPP_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI"];
const LIBCXXABI: [&str; 2] = [
    "-D_LIBCXXABI_BUILDING_LIBRARY",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS",
];

/// The file that says how the library is configured, in its folder of headers.
const CONFIGURATION: &str = "__config_site";

/// Changed with what [`build`] does, so that a library of an older one is built anew.
const FORM: &str = "2";

const HEADERS: &str = "include";
const COMMON: &str = "libc++.a";
const FOR_MACHINE: &str = "libmachine.a";
const FOR_NATIVE: &str = "libnative.a";

/// What the folder of the library is called.
pub fn directory_name() -> String {
    let files = [FOLDERS, LEFT_OUT, NATIVE, CPP_CONFIGURATION, CPP_HANDLERS];
    let parts = files.into_iter().chain([FORM]).chain(FLAGS);
    let parts = parts.chain(LIBCXX).chain(LIBCXXABI);
    format!("c++-{}", library_build::key(parts))
}

/// The library in a folder that [`build`] has made.
pub fn in_directory(directory: &Path) -> CppLibrary {
    CppLibrary {
        headers: directory.join(HEADERS),
        configuration: directory.join(HEADERS).join(CONFIGURATION),
        shown_as: format!("{LIBRARY_DIRECTORY}c++"),
        machine: vec![directory.join(FOR_MACHINE), directory.join(COMMON)],
        // Each needs the other, and a linker reads archives once, in order.
        native: [FOR_NATIVE, COMMON, FOR_NATIVE, COMMON]
            .map(|part| directory.join(part))
            .into(),
    }
}

/// Compiles the library, whose folders `libcxx` and `libcxxabi` are in `sources`.
///
/// # Errors
///
/// When the sources are not there, do not compile, or the folder cannot be written.
pub fn build(
    sources: &Path,
    directory: &Path,
    stop: &Stop,
    progress: &Progress<'_>,
) -> Result<(), LibraryError> {
    let unwritable = |reason| LibraryError::Unwritable {
        file: directory.to_owned(),
        reason,
    };
    let missing = |reason| LibraryError::Sources {
        what: "libc++ and libc++abi",
        directory: sources.to_owned(),
        reason,
    };
    let parent = directory.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(unwritable)?;
    // Beside the folder, so that it can be moved into its place in one step.
    let scratch = tempfile::tempdir_in(parent).map_err(unwritable)?;
    let whole = scratch.path().join("whole");
    let sources = sources.canonicalize().map_err(missing)?;
    let headers = whole.join(HEADERS);
    copy(&sources.join("libcxx/include"), &headers).map_err(missing)?;
    copy(&sources.join("libcxxabi/include"), &headers).map_err(missing)?;
    fs::write(headers.join(CONFIGURATION), CPP_CONFIGURATION).map_err(unwritable)?;
    let handlers = scratch.path().join("handlers.cpp");
    fs::write(&handlers, CPP_HANDLERS).map_err(unwritable)?;

    let options = CompileOptions::default();
    let clang = Clang::find(&options)?;
    let common = flags(&sources, &headers, scratch.path());
    let job = |file: &Path, own: &[&str]| {
        let object = scratch.path().join(object_name(&sources, file));
        let flags = [common.clone(), own.iter().map(OsString::from).collect()].concat();
        Job {
            file: file.to_owned(),
            command: clang.library_object(&flags, file, &object),
            object,
        }
    };
    let mut jobs = vec![job(&handlers, &LIBCXXABI)];
    for folder in FOLDERS.split_whitespace() {
        let files = files(&sources.join("libcxx/src").join(folder)).map_err(missing)?;
        jobs.extend(files.iter().map(|file| job(file, &LIBCXX)));
    }
    let files = files(&sources.join("libcxxabi/src")).map_err(missing)?;
    jobs.extend(files.iter().map(|file| job(file, &LIBCXXABI)));
    let is_native: Vec<bool> = jobs
        .iter()
        .map(|job| is_one_of(&job.file, NATIVE))
        .collect();

    let objects = library_build::run(jobs, stop, progress)?;
    let (for_machine, others) = objects.split_at(1);
    let (mut native, mut shared) = (Vec::new(), Vec::new());
    for (object, is_native) in others.iter().zip(&is_native[1..]) {
        let list = if *is_native { &mut native } else { &mut shared };
        list.push(object.clone());
    }
    let archives = [
        (FOR_MACHINE, for_machine),
        (FOR_NATIVE, &native),
        (COMMON, &shared),
    ];
    for (name, objects) in archives {
        let archive = clang.archive(objects, &whole.join(name))?;
        archive.run("make an archive of the C++ library", stop)?;
    }
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(unwritable)?;
    }
    fs::rename(&whole, directory).map_err(unwritable)
}

/// What the object of a file is called: no two may share one, since they are compiled at once.
fn object_name(sources: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(sources).unwrap_or(file);
    format!("{}.o", inside.to_string_lossy().replace('/', "-"))
}

/// The C++ files of a folder that are compiled, in the order of names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let is_cpp = path.extension().is_some_and(|extension| extension == "cpp");
        if is_cpp && !is_one_of(&path, LEFT_OUT) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn is_one_of(file: &Path, names: &str) -> bool {
    let name = file.file_name().unwrap_or_default();
    names.split_whitespace().any(|it| name == it)
}

fn flags(sources: &Path, headers: &Path, scratch: &Path) -> Vec<OsString> {
    let mut flags: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    let shown = format!("{LIBRARY_DIRECTORY}c++");
    flags.extend([sources, scratch, headers].map(|folder| prefix_map(folder, &shown)));
    flags.push("-include".into());
    flags.push(headers.join(CONFIGURATION).into());
    flags.push("-isystem".into());
    flags.push(headers.into());
    let folders = ["libcxx/src", "libcxx/libc", "libcxxabi/src"];
    for folder in folders {
        flags.push("-I".into());
        flags.push(sources.join(folder).into());
    }
    flags
}

/// Copies a folder and what is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir()? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_similar_names_have_objects_of_their_own() {
        let name = |file| object_name(Path::new("/zig"), Path::new(file));
        let names = [
            "/zig/libcxx/src/ios.cpp",
            "/zig/libcxx/src/ios.instantiations.cpp",
            "/zig/libcxxabi/src/ios.cpp",
        ];
        let expected = [
            "libcxx-src-ios.cpp.o",
            "libcxx-src-ios.instantiations.cpp.o",
            "libcxxabi-src-ios.cpp.o",
        ];
        assert_eq!(names.map(name), expected);
    }
}
