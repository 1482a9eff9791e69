//! Where the libraries are that programs are linked with and that are too large to be
//! part of the binary.
//!
//! `everypath setup` builds them once for a user; an installed Everypath may have them
//! in `share/everypath` beside its `bin`.

use crate::error::Error;
use engine::c_library::archive_name;
use program::Archive;
use std::env;
use std::path::PathBuf;

/// A directory to use instead of all others.
const VARIABLE: &str = "EVERYPATH_LIBRARIES";

/// The archives that are there: none, or the C library.
pub fn installed() -> Result<Vec<Archive>, Error> {
    match c_library() {
        Some(file) => Ok(vec![Archive::read(&file)?]),
        None => Ok(Vec::new()),
    }
}

/// The C library, if it was built for this version of Everypath.
pub fn c_library() -> Option<PathBuf> {
    let name = archive_name();
    let files = directories().into_iter().map(|it| it.join(&name));
    files.into_iter().find(|file| file.is_file())
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
