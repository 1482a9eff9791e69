//! A command: built, shown to a person, run, and ended early.

use super::ToolchainError;
use super::find::Installed;
use base::{OneLine, Stop};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// A program and its arguments. It is displayed as a shell takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// What a person calls the program.
    name: String,
    program: PathBuf,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    environment: Vec<(&'static str, OsString)>,
    is_heard: bool,
}

/// What a command said, and how it ended.
pub(super) struct Ended {
    status: ExitStatus,
    pub output: String,
    pub errors: String,
}

impl CommandLine {
    /// A command that the system finds by its name, for a person to type.
    pub fn new(name: &str) -> CommandLine {
        CommandLine {
            name: name.to_owned(),
            program: name.into(),
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            is_heard: false,
        }
    }

    pub(super) fn of(tool: &Installed, directory: Option<&Path>) -> CommandLine {
        CommandLine {
            program: tool.path.clone(),
            directory: directory.map(Path::to_owned),
            ..CommandLine::new(&tool.name)
        }
    }

    /// The command with one more argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> CommandLine {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// The command with more arguments.
    pub fn args<A: AsRef<OsStr>>(self, arguments: impl IntoIterator<Item = A>) -> CommandLine {
        arguments.into_iter().fold(self, CommandLine::arg)
    }

    /// The command with an environment variable.
    pub fn env(mut self, name: &'static str, value: impl Into<OsString>) -> CommandLine {
        self.environment.push((name, value.into()));
        self
    }

    /// The same command, whose messages the person at the terminal sees as they come.
    pub fn heard(mut self) -> CommandLine {
        self.is_heard = true;
        self
    }

    /// Runs the command for a purpose; gives what it wrote to its standard output.
    ///
    /// # Errors
    ///
    /// As [`run`](CommandLine::run).
    pub fn output(&self, purpose: &str, stop: &Stop) -> Result<String, ToolchainError> {
        Ok(self.succeed(purpose, stop)?.output)
    }

    /// Runs the command for a purpose, as in "compile a.c"; gives what it said.
    ///
    /// # Errors
    ///
    /// When it cannot be run or does not succeed, and when `stop` is set.
    pub fn run(&self, purpose: &str, stop: &Stop) -> Result<String, ToolchainError> {
        Ok(self.succeed(purpose, stop)?.errors)
    }

    /// Makes this process the command; comes back only if that is not possible.
    #[cfg(unix)]
    pub fn replace_process(&self) -> ToolchainError {
        use std::os::unix::process::CommandExt;
        let error = self.command().exec();
        self.cannot_run(&error)
    }

    pub(super) fn succeed(&self, purpose: &str, stop: &Stop) -> Result<Ended, ToolchainError> {
        let ended = self.finish(stop)?;
        if ended.status.success() {
            return Ok(ended);
        }
        // Ctrl-C reaches the compiler of a terminal's foreground too.
        if interrupted(ended.status) || stop.is_set() {
            return Err(ToolchainError::Stopped);
        }
        let diagnostics = match ended.errors.trim_end() {
            "" if self.is_heard => "its messages are above".to_owned(),
            "" => format!("it ended with {} and said nothing", ended.status),
            said => said.to_owned(),
        };
        Err(ToolchainError::Failed {
            command: self.name.clone(),
            purpose: purpose.to_owned(),
            diagnostics,
        })
    }

    fn finish(&self, stop: &Stop) -> Result<Ended, ToolchainError> {
        stop.check()?;
        let cannot = |error: std::io::Error| self.cannot_run(&error);
        // Files, for a pipe that is full would have to be emptied while waiting, and one
        // that a linker inherited would stay open after its compiler was ended.
        let (mut output, mut errors) = (
            tempfile::tempfile().map_err(cannot)?,
            tempfile::tempfile().map_err(cannot)?,
        );
        let mut command = self.command();
        command
            .stdin(Stdio::null())
            .stdout(output.try_clone().map_err(cannot)?)
            .stderr(match self.is_heard {
                true => Stdio::inherit(),
                false => errors.try_clone().map_err(cannot)?.into(),
            });
        let mut child = command.spawn().map_err(cannot)?;
        let mut pause = Duration::from_micros(500);
        let status = loop {
            if let Some(status) = child.try_wait().map_err(cannot)? {
                break status;
            }
            if stop.is_set() {
                child.kill().map_err(cannot)?;
                child.wait().map_err(cannot)?;
                return Err(ToolchainError::Stopped);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        };
        Ok(Ended {
            status,
            output: contents(&mut output).map_err(cannot)?,
            errors: contents(&mut errors).map_err(cannot)?,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    fn cannot_run(&self, error: &std::io::Error) -> ToolchainError {
        ToolchainError::CannotRun {
            command: self.name.clone(),
            reason: match &self.directory {
                Some(directory) => format!("{error} (in {})", directory.one_line()),
                None => error.to_string(),
            },
        }
    }
}

fn contents(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(unix)]
fn interrupted(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGINT: i32 = 2;
    status.signal() == Some(SIGINT)
}

#[cfg(not(unix))]
fn interrupted(_: ExitStatus) -> bool {
    false
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name that is not Unicode cannot be shown as it is; no argument has a NUL,
        // which is all that quoting could refuse.
        let words = self.arguments.iter().map(|it| it.to_string_lossy());
        f.write_str(&self.name)?;
        for word in words {
            match shlex::try_quote(&word) {
                Ok(quoted) => write!(f, " {quoted}")?,
                Err(_) => write!(f, " {word}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Cause;

    #[test]
    fn a_command_is_shown_as_a_shell_takes_it() {
        let command = CommandLine::new("cc")
            .args(["-g", "-DNAME=\"a b\""])
            .arg("it's.c");
        assert_eq!(
            command.to_string(),
            "cc -g '-DNAME=\"a b\"' \"it's.c\"",
            "quoted once, by the library"
        );
        assert_eq!(
            shlex::split(&command.to_string()),
            Some(vec![
                "cc".to_owned(),
                "-g".to_owned(),
                "-DNAME=\"a b\"".to_owned(),
                "it's.c".to_owned()
            ])
        );
    }

    #[test]
    fn a_command_that_would_not_end_is_ended() {
        let stop = Stop::after(3);
        let command = CommandLine::new("sleep").arg("1000");
        assert_eq!(command.run("sleep", &stop), Err(ToolchainError::Stopped));
        assert_eq!((stop.cause(), stop.late()), (Some(Cause::Count), 1));
    }

    #[test]
    fn nothing_is_run_when_the_token_is_set_already() {
        let stop = Stop::after(0);
        let command = CommandLine::new("/no/such/command");
        assert_eq!(command.run("be", &stop), Err(ToolchainError::Stopped));
    }

    #[test]
    fn a_command_that_says_more_than_a_pipe_holds_is_heard_to_the_end() {
        let script = "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done";
        let command = CommandLine::new("sh").args(["-c", script]);
        let said = command.run("speak", &Stop::never()).expect("it succeeds");
        assert_eq!(said.lines().count(), 20_000);
    }
}
