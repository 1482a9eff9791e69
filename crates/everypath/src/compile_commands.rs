//! How a build system compiles files, as it writes it to `compile_commands.json` (cmake,
//! meson, bear): a file of a large project is compiled with its own flags, without building
//! the project.

use crate::error::Error;
use base::OneLine;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use suite::FileCommand;

const NAME: &str = "compile_commands.json";

/// Programs that start a compiler, which is the word after them.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "env"];

/// Options about files that come of a compilation, which are followed by a name.
const OUTPUTS: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];

/// All commands of a build.
pub struct CompileCommands {
    file: PathBuf,
    entries: Vec<Entry>,
}

/// One command, as the file has it.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    /// The words, or else one text that a shell would split.
    arguments: Option<Vec<String>>,
    command: Option<String>,
    output: Option<PathBuf>,
}

impl CompileCommands {
    /// Reads the commands of a build directory, or those of a file.
    pub fn read(path: &Path) -> Result<CompileCommands, Error> {
        let is_file = path.extension().is_some_and(|it| it == "json") && !path.is_dir();
        let file = match is_file {
            true => path.to_owned(),
            false => path.join(NAME),
        };
        let text = std::fs::read_to_string(&file).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => Error::Usage(format!(
                "there is no {}; cmake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson \
                 always, and `bear -- make` for other builds",
                file.one_line()
            )),
            _ => Error::reading(&file)(source),
        })?;
        let entries =
            serde_json::from_str(&text).map_err(|error| Error::content(file.one_line(), error))?;
        Ok(CompileCommands { file, entries })
    }

    /// The commands of those of the files that the build compiles; a driver for them may
    /// be among the others. With `whole_targets`, the commands follow of the other files
    /// that are compiled for the same targets.
    pub fn of(&self, files: &[PathBuf], whole_targets: bool) -> Result<Vec<FileCommand>, Error> {
        let known: Vec<_> = files
            .iter()
            .filter_map(|file| Some((file, self.entry(file)?)))
            .collect();
        if known.is_empty() {
            let files: Vec<String> = files.iter().map(|it| it.one_line().into_owned()).collect();
            return Err(Error::Usage(format!(
                "{} has no command for {}",
                self.file.one_line(),
                files.join(" or ")
            )));
        }
        let mut found = Vec::new();
        let (mut targets, mut paths) = (Vec::new(), Vec::new());
        for (file, entry) in known {
            found.push(self.command(entry, file.clone())?);
            targets.push(self.target(entry)?);
            paths.push(entry.path());
        }
        for entry in self.entries.iter().filter(|_| whole_targets) {
            let path = entry.path();
            if !paths.contains(&path) && targets.contains(&self.target(entry)?) {
                found.push(self.command(entry, path.clone())?);
                paths.push(path);
            }
        }
        Ok(found)
    }

    fn entry(&self, file: &Path) -> Option<&Entry> {
        let wanted = real(file);
        self.entries.iter().find(|it| it.path() == wanted)
    }

    fn command(&self, entry: &Entry, file: PathBuf) -> Result<FileCommand, Error> {
        let words = self.words(entry)?;
        let mut words = words.into_iter().skip_while(|word| is_launcher(word));
        let mut arguments = Vec::new();
        let _compiler = words.next();
        while let Some(word) = words.next() {
            let is_file =
                !word.starts_with('-') && real(&entry.directory.join(&word)) == real(&file);
            if OUTPUTS.contains(&&*word) {
                words.next();
            } else if !is_file && !is_about_output(&word) {
                arguments.push(word);
            }
        }
        Ok(FileCommand {
            file,
            directory: real(&entry.directory),
            arguments,
        })
    }

    fn words(&self, entry: &Entry) -> Result<Vec<String>, Error> {
        let split = || shlex::split(entry.command.as_deref()?);
        let words = entry.arguments.clone().or_else(split);
        words.ok_or_else(|| {
            let problem = format!("the command for {} cannot be read", entry.file.one_line());
            Error::content(self.file.one_line(), problem)
        })
    }

    /// What an object is for. Cmake and meson have a folder for the objects of each
    /// target; elsewhere those of one folder are taken to belong together.
    fn target(&self, entry: &Entry) -> Result<PathBuf, Error> {
        let words = self.words(entry)?;
        let after = words.iter().position(|word| word == "-o");
        let named = after.and_then(|at| words.get(at + 1)).map(PathBuf::from);
        let object = entry.output.clone().or(named);
        let object = object.unwrap_or_else(|| entry.file.with_extension("o"));
        let object = entry.directory.join(object);
        let of_target = object.ancestors().find(|folder| {
            let extension = folder.extension().and_then(|it| it.to_str());
            matches!(extension, Some("dir" | "p"))
        });
        let folder = of_target.or(object.parent());
        Ok(folder.map(Path::to_owned).unwrap_or_default())
    }
}

impl Entry {
    fn path(&self) -> PathBuf {
        real(&self.directory.join(&self.file))
    }
}

/// A path without links and dots; the path itself where nothing is there.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_launcher(word: &str) -> bool {
    let name = Path::new(word).file_name().and_then(|it| it.to_str());
    name.is_some_and(|name| LAUNCHERS.contains(&name))
}

/// Whether an option says what comes of a compilation, which is ours to say.
fn is_about_output(word: &str) -> bool {
    [
        "-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-pipe", "--",
    ]
    .contains(&word)
        || ["-o", "-MF", "-MT", "-MQ", "-flto", "-fembed-bitcode"]
            .iter()
            .any(|option| word.starts_with(option))
}
