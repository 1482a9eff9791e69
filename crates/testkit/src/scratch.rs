//! A folder for one test, removed with it.

use crate::{CLANG, CommandLine, Finished, Running};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder of its own for a test; commands run in it.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new()
    }
}

impl Scratch {
    /// An empty folder.
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("there is room for a folder"))
    }

    /// A folder with these files: names, which may have folders in them, and contents.
    pub fn with(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch::new();
        for (name, content) in files {
            scratch.write(name, content);
        }
        scratch
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and makes the folders that its name has.
    pub fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("the folder is the test's own");
        }
        fs::write(path, content).expect("the folder is the test's own");
    }

    /// A file's text.
    #[track_caller]
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path(name);
        match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }

    /// The names in a folder of it, sorted; those of `"."` are the folder's own. A
    /// folder that is not there has none.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.expect("it can be read").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Runs `everypath` here until it ends.
    #[track_caller]
    pub fn everypath(&self, line: impl CommandLine) -> Finished {
        crate::everypath(self.folder(), line)
    }

    /// Starts `everypath` here.
    #[track_caller]
    pub fn start(&self, line: impl CommandLine) -> Running {
        Running::start(&mut crate::command(self.folder(), line))
    }

    /// The message of a command that cannot do its work, which leaves nothing behind.
    #[track_caller]
    pub fn refusal(&self, line: impl CommandLine) -> String {
        let before = self.names(".");
        let words = line.words();
        let message = self.everypath(&words).refusal();
        assert_eq!(self.names("."), before, "{words:?} leaves nothing behind");
        message
    }

    /// Runs clang here; it has to succeed.
    #[track_caller]
    pub fn clang<T: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = T>) {
        let mut clang = Command::new(CLANG);
        clang.current_dir(self.folder()).args(arguments);
        Finished::of(&mut clang).succeeds();
    }

    /// Checks that every test of a run in this folder does in the real program what
    /// was predicted.
    #[track_caller]
    pub fn replays_natively(&self, run: &str) {
        let replayed = self.everypath(&["replay", run, "--native", "--json"]);
        let shown = replayed.json();
        assert_eq!(shown["agreed"], shown["tests"], "{shown}");
        replayed.succeeds();
    }
}
