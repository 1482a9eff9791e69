//! A command whose paths other processes follow too: workers, and whoever resumes it. They
//! read its command line again.

use crate::error::Error;
use crate::input::Words;
use crate::stage::ExploredStage;
use crate::{Arguments, Command, run, stage};
use base::Stop;
use clap::Parser;
use engine::{Options, Start};
use program::Program;

fn no_paths() -> Error {
    Error::Usage("this command has no paths to follow".to_owned())
}

/// The command of a command line, without the name of the binary.
pub fn command(words: &[String]) -> Result<Command, Error> {
    let name = std::iter::once("everypath");
    let parsed = Arguments::try_parse_from(name.chain(words.iter().map(String::as_str)));
    let mut command = parsed
        .map_err(|error| Error::Usage(error.to_string()))?
        .command;
    remember(&mut command, words.to_vec());
    Ok(command)
}

/// Lets a command that other processes take part in know what they read again.
pub fn remember(command: &mut Command, words: Vec<String>) {
    match command {
        Command::Run(arguments) => arguments.words = words,
        Command::Stage(arguments) => arguments.remember(words),
        Command::Fuzz(arguments) => arguments.words = words,
        _ => {}
    }
}

/// What is explored.
pub enum Explored {
    /// A program, or a method on objects that are looked for in the same run.
    Program(Box<run::Arguments>),
    /// A method on the objects of suites.
    Method(Box<stage::SecondArguments>),
    /// An invariant, for the objects that satisfy it.
    Invariant(stage::FirstStage),
}

impl Explored {
    /// What a command explores.
    ///
    /// # Errors
    ///
    /// When it follows no paths.
    pub fn of(command: Command) -> Result<Explored, Error> {
        match command {
            Command::Run(arguments) => Ok(Explored::Program(arguments)),
            Command::Stage(arguments) => match arguments.into_explored() {
                Some(ExploredStage::First(first)) => Ok(Explored::Invariant(first)),
                Some(ExploredStage::Second(second)) => Ok(Explored::Method(second)),
                None => Err(no_paths()),
            },
            _ => Err(no_paths()),
        }
    }

    pub fn arguments(&self) -> &run::Arguments {
        match self {
            Explored::Program(arguments) => arguments,
            Explored::Method(method) => &method.run,
            Explored::Invariant(first) => &first.arguments.run,
        }
    }

    pub fn arguments_mut(&mut self) -> &mut run::Arguments {
        match self {
            Explored::Program(arguments) => arguments,
            Explored::Method(method) => &mut method.run,
            Explored::Invariant(first) => &mut first.arguments.run,
        }
    }

    fn is_staged(&self) -> bool {
        match self {
            Explored::Program(arguments) => arguments.staged.method.is_some(),
            Explored::Method(_) | Explored::Invariant(_) => true,
        }
    }

    /// How it is explored in this process.
    pub fn options<'s>(
        &'s self,
        stop: &Stop,
        language: Option<&'s Words>,
    ) -> Result<Options<'s>, Error> {
        match self.is_staged() {
            true => stage::options(self.arguments(), stop),
            false => run::options(self.arguments(), stop, language),
        }
    }

    /// Where its paths begin; a program's, at the function of this name.
    pub fn start(&self, program: &Program, entry: &str) -> Result<Start, Error> {
        match self {
            Explored::Method(method) => stage::objects_of_suites(method, program, None),
            Explored::Invariant(first) => first.start(program),
            Explored::Program(arguments) if self.is_staged() => {
                stage::objects_at_once(arguments, program)
            }
            Explored::Program(_) => match program.function(entry) {
                Some(function) => Ok(Start::Function(function)),
                None => Err(Error::Usage(format!("there is no function `{entry}`"))),
            },
        }
    }
}
