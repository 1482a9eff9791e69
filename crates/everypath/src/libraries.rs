//! Where the libraries are that programs are linked with and that are too large to be
//! part of the binary.
//!
//! `everypath setup` builds them once for a user; an installed Everypath may have them
//! in `share/everypath` beside its `bin`.

use crate::error::Error;
use base::Stop;
use engine::{Libraries, c_library, cpp_library};
use program::toolchain::{CppLibrary, Rustc};
use program::{Archive, CompileOptions};
use std::env;
use std::path::PathBuf;
use suite::{Language, Recipe};

/// A directory to use instead of all others.
const VARIABLE: &str = "EVERYPATH_LIBRARIES";

/// What is there for a program of this recipe.
pub fn installed(recipe: &Recipe, stop: &Stop) -> Result<Libraries, Error> {
    let mut libraries = Libraries::default();
    if recipe.has(Language::Cpp)
        && let Some(cpp) = cpp_library()
    {
        for file in &cpp.machine {
            libraries.archives.push(Archive::by_symbol(file));
        }
        libraries.cpp = Some(cpp);
    }
    if recipe.has(Language::Rust) {
        let options = CompileOptions::default();
        for file in Rustc::find(&options)?.archives(stop)? {
            libraries.archives.push(Archive::by_symbol(&file));
        }
    }
    if let Some(file) = c_library() {
        libraries.archives.push(Archive::new(&file));
    }
    Ok(libraries)
}

/// The C library, if it was built for this version of Everypath.
pub fn c_library() -> Option<PathBuf> {
    found(&c_library::archive_name())
}

/// The standard library of C++, if it was built for this version of Everypath.
pub fn cpp_library() -> Option<CppLibrary> {
    cpp_directory().map(|directory| cpp_library::in_directory(&directory))
}

/// The folder that it is in.
pub fn cpp_directory() -> Option<PathBuf> {
    found(&cpp_library::directory_name())
}

fn found(name: &str) -> Option<PathBuf> {
    let mut files = directories().into_iter().map(|it| it.join(name));
    files.find(|file| file.exists())
}

/// Where libraries are built.
pub fn own_directory() -> Option<PathBuf> {
    directories().into_iter().next()
}

/// Where they are looked for: the user's own first, then what was installed for all.
fn directories() -> Vec<PathBuf> {
    if let Some(directory) = env::var_os(VARIABLE).filter(|it| !it.is_empty()) {
        return vec![directory.into()];
    }
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.filter(|it| it.is_absolute());
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".local/share"));
    let own = data.or_else(home).map(|it| it.join("everypath"));
    let binary = env::current_exe()
        .ok()
        .and_then(|it| it.canonicalize().ok());
    let prefix = binary.and_then(|it| Some(it.parent()?.parent()?.to_owned()));
    let shared = prefix.map(|it| it.join("share/everypath"));
    own.into_iter().chain(shared).collect()
}
