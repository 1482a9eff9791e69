//! A command whose paths other processes follow too: workers, and whoever resumes it. They
//! read its command line again.

use crate::error::Error;
use crate::input::Words;
use crate::{Arguments, Command, run, stage};
use base::Stop;
use clap::Parser;
use engine::{Options, Start};
use program::Program;

/// What is explored.
pub enum Explored {
    /// A program, or a method on objects that are looked for in the same run.
    Program(Box<run::Arguments>),
    /// A method on the objects of suites.
    Method(Box<stage::SecondArguments>),
}

impl Explored {
    /// The command of a command line, without the name of the binary.
    pub fn read(words: &[String]) -> Result<Explored, Error> {
        let name = std::iter::once("everypath");
        let parsed = Arguments::try_parse_from(name.chain(words.iter().map(String::as_str)));
        let parsed = parsed.map_err(|error| Error::Usage(error.to_string()))?;
        let mut explored = match parsed.command {
            Command::Run(arguments) => Explored::Program(arguments),
            Command::Stage(arguments) => Explored::Method(arguments.into_method()?),
            _ => {
                return Err(Error::Usage(
                    "this command has no paths to follow".to_owned(),
                ));
            }
        };
        explored.arguments_mut().words = words.to_vec();
        Ok(explored)
    }

    pub fn arguments(&self) -> &run::Arguments {
        match self {
            Explored::Program(arguments) => arguments,
            Explored::Method(method) => &method.run,
        }
    }

    pub fn arguments_mut(&mut self) -> &mut run::Arguments {
        match self {
            Explored::Program(arguments) => arguments,
            Explored::Method(method) => &mut method.run,
        }
    }

    fn is_staged(&self) -> bool {
        matches!(self, Explored::Method(_)) || self.arguments().staged.method.is_some()
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
