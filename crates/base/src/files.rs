//! Files that are there whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// What the names of files begin with while they are written. A reader that lists a
/// directory leaves them out: they may be what a kill left behind.
pub const TEMPORARY: &str = ".everypath-";

/// Writes a file so that a reader, at any moment and after any kill, finds the old
/// contents or the new ones and nothing between.
///
/// # Errors
///
/// When the directory does not exist or cannot be written to.
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A device, a pipe or a link is the user's, who wants it written to and not replaced.
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, contents);
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .permissions_like_any_file()
        .tempfile_in(directory)?;
    file.write_all(contents)?;
    file.persist(path)?;
    Ok(())
}

/// Temporary files are private by default; what is written for the user is not.
trait Permissions {
    fn permissions_like_any_file(&mut self) -> &mut Self;
}

impl Permissions for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_like_any_file(&mut self) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        // The process's umask takes away from this what the user does not want.
        self.permissions(std::fs::Permissions::from_mode(0o666))
    }

    #[cfg(not(unix))]
    fn permissions_like_any_file(&mut self) -> &mut Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::write_whole;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("run.json");
        write_whole(&path, b"old").expect("it can be written");
        write_whole(&path, b"new").expect("it can be replaced");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"new");
        let entries = std::fs::read_dir(directory.path()).expect("it is there");
        assert_eq!(entries.count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_one_and_what_it_leads_to_is_written() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        write_whole(&file, b"old").expect("it can be written");
        std::os::unix::fs::symlink(&file, &link).expect("it can be linked");
        write_whole(&link, b"new").expect("it can be written through");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).expect("it is there"), b"new");
    }
}
