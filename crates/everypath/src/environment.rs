//! Options for what is around the program: arguments, variables, files.
//!
//! KLEE's spellings are understood, before `--` as options and after it in their places
//! among the program's arguments.

use crate::error::Error;
use base::OneLine;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsString;
use std::path::PathBuf;
use suite::{Argument, Environment, SymbolicFiles, Variable};

/// The longest argument and the largest file that may be symbolic.
const LONGEST: usize = 1 << 16;
/// The most symbolic arguments, which tests number with two digits.
const MOST_ARGUMENTS: u32 = 100;
const MOST_FILES: u8 = 26;
const MOST_SOCKETS: u8 = 100;

/// What is around the program.
#[derive(Args)]
struct Flags {
    /// Gives the program a symbolic argument of up to this many characters.
    #[arg(long, value_name = "LEN")]
    sym_arg: Vec<usize>,
    /// Gives the program MIN to MAX symbolic arguments of up to LEN characters each.
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"])]
    sym_args: Vec<usize>,
    /// Gives the program N symbolic files, A, B and so on in its current directory, of
    /// up to LEN bytes each.
    #[arg(long, num_args = 2, value_names = ["N", "LEN"])]
    sym_files: Vec<usize>,
    /// Accepted as in KLEE; what the program writes is kept in any case.
    #[arg(long)]
    sym_stdout: bool,
    /// Gives the program an environment variable with a symbolic value of up to LEN
    /// characters.
    #[arg(long, value_name = "NAME=LEN")]
    sym_env: Vec<String>,
    /// Lets the clock show any time that is not before the last.
    #[arg(long)]
    sym_time: bool,
    /// Gives sockets of the program up to N symbolic peers that send up to LEN bytes
    /// each; without, connections are refused.
    #[arg(long, num_args = 2, value_names = ["N", "LEN"])]
    sym_sockets: Vec<usize>,
    /// Lets up to N system calls and allocations on each path fail although nothing is
    /// wrong.
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_fail: u32,
    /// Lets the program read this directory of the host, and what is below it, at its
    /// own path.
    #[arg(long, value_name = "DIR")]
    host_dir: Vec<PathBuf>,
    /// Arguments for the program, after --; among them --sym-arg LEN and
    /// --sym-args MIN MAX LEN stand for symbolic ones.
    #[arg(last = true, value_name = "ARGUMENT")]
    program_arguments: Vec<OsString>,
}

/// What is around the program, its arguments in the order they were given.
pub struct EnvironmentArguments {
    flags: Flags,
    symbolic: Vec<Argument>,
}

impl Args for EnvironmentArguments {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args_for_update(command)
    }
}

impl FromArgMatches for EnvironmentArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        // Options of two names are in order only by their places on the command line.
        let places = |name: &str| -> Vec<usize> {
            let indices = matches.indices_of(name);
            indices.map(Iterator::collect).unwrap_or_default()
        };
        let (single, several) = (places("sym_arg"), places("sym_args"));
        let flags = Flags::from_arg_matches_mut(matches)?;
        let one = |(&place, &length)| (place, Argument::Symbolic(length));
        let mut symbolic: Vec<(usize, Argument)> =
            single.iter().zip(&flags.sym_arg).map(one).collect();
        let groups = several.chunks(3).zip(flags.sym_args.chunks(3));
        symbolic.extend(groups.map(|(places, numbers)| (places[0], group(numbers))));
        symbolic.sort_by_key(|(place, _)| *place);
        let symbolic = symbolic.into_iter().map(|(_, argument)| argument);
        Ok(EnvironmentArguments {
            symbolic: symbolic.collect(),
            flags,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Several arguments: their least and greatest number and their length.
fn group(numbers: &[usize]) -> Argument {
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
    let count = |at: usize| u32::try_from(number(at)).unwrap_or(u32::MAX);
    Argument::Several {
        min: count(0),
        max: count(1),
        length: number(2),
    }
}

/// What the options say, and what they say of standard input.
#[derive(Default)]
pub struct Around {
    pub environment: Environment,
    pub stdin: Option<usize>,
}

impl EnvironmentArguments {
    /// What is around the program.
    pub fn read(&self) -> Result<Around, Error> {
        let mut around = Around::default();
        around.environment.arguments.clone_from(&self.symbolic);
        around.environment.symbolic_time = self.flags.sym_time;
        if let [number, length] = self.flags.sym_files[..] {
            around.environment.files = files(number, length)?;
        }
        around.environment.failures = self.flags.max_fail;
        if let [number, length] = self.flags.sym_sockets[..] {
            around.environment.sockets = sockets(number, length)?;
        }
        for variable in &self.flags.sym_env {
            around.environment.variables.push(variable_of(variable)?);
        }
        for directory in &self.flags.host_dir {
            let absolute = std::fs::canonicalize(directory).ok();
            let absolute = absolute.filter(|path| path.is_dir()).ok_or_else(|| {
                Error::Usage(format!(
                    "--host-dir {}: there is no such directory",
                    directory.one_line()
                ))
            })?;
            around.environment.host.push(absolute);
        }
        self.read_program_arguments(&mut around)?;
        check(&around.environment.arguments)?;
        Ok(around)
    }

    /// The arguments after `--`, in KLEE's manner.
    fn read_program_arguments(&self, around: &mut Around) -> Result<(), Error> {
        let mut rest = self.flags.program_arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_str().ok_or_else(|| {
                Error::Usage(format!(
                    "the argument {} is not UTF-8",
                    argument.to_string_lossy()
                ))
            })?;
            let flag = text.strip_prefix('-').filter(|rest| rest.starts_with('-'));
            let flag = flag.unwrap_or(text);
            let mut numbers = |count: usize, names: &str| -> Result<Vec<usize>, Error> {
                let values: Option<Vec<usize>> = (0..count)
                    .map(|_| rest.next()?.to_str()?.parse().ok())
                    .collect();
                values.ok_or_else(|| {
                    Error::Usage(format!("-{flag} is followed by numbers: -{flag} {names}"))
                })
            };
            let arguments = &mut around.environment.arguments;
            match flag {
                "-sym-arg" => arguments.push(Argument::Symbolic(numbers(1, "LEN")?[0])),
                "-sym-args" => arguments.push(group(&numbers(3, "MIN MAX LEN")?)),
                "-sym-files" => {
                    let numbers = numbers(2, "N LEN")?;
                    around.environment.files = files(numbers[0], numbers[1])?;
                }
                "-sym-stdin" => around.stdin = Some(numbers(1, "N")?[0]),
                "-sym-stdout" => {}
                "-max-fail" => {
                    let number = numbers(1, "N")?[0];
                    around.environment.failures = u32::try_from(number).unwrap_or(u32::MAX);
                }
                "-fd-fail" => around.environment.failures = 1,
                _ => arguments.push(Argument::Concrete(text.to_owned())),
            }
        }
        Ok(())
    }

    /// Refuses to be used with something that cannot have it.
    pub fn refuse(&self, with: &str) -> Result<(), Error> {
        let around = self.read()?;
        match around.stdin.is_none() && around.environment == Environment::default() {
            true => Ok(()),
            false => Err(Error::Usage(format!(
                "arguments, files and variables for the program cannot be used with {with}"
            ))),
        }
    }
}

fn files(number: usize, length: usize) -> Result<SymbolicFiles, Error> {
    let Some(number) = u8::try_from(number).ok().filter(|&it| it <= MOST_FILES) else {
        return Err(Error::Usage(format!(
            "--sym-files {number}: there can be at most {MOST_FILES} symbolic files, A to Z"
        )));
    };
    at_most(length, "a symbolic file")?;
    Ok(SymbolicFiles { number, length })
}

fn sockets(number: usize, length: usize) -> Result<SymbolicFiles, Error> {
    let Some(number) = u8::try_from(number).ok().filter(|&it| it <= MOST_SOCKETS) else {
        return Err(Error::Usage(format!(
            "--sym-sockets {number}: there can be at most {MOST_SOCKETS} symbolic peers"
        )));
    };
    at_most(length, "what a symbolic peer sends")?;
    Ok(SymbolicFiles { number, length })
}

fn variable_of(text: &str) -> Result<Variable, Error> {
    let parts = text.split_once('=');
    let variable = parts.and_then(|(name, length)| {
        Some(Variable {
            name: (!name.is_empty()).then(|| name.to_owned())?,
            length: length.parse().ok()?,
        })
    });
    let variable = variable.ok_or_else(|| {
        Error::Usage(format!(
            "--sym-env {text}: say the name and the length of its value, for example HOME=8"
        ))
    })?;
    at_most(variable.length, "the value of a variable")?;
    Ok(variable)
}

fn check(arguments: &[Argument]) -> Result<(), Error> {
    let mut most = 0_u32;
    for argument in arguments {
        match *argument {
            Argument::Concrete(_) => {}
            Argument::Symbolic(length) => {
                at_most(length, "a symbolic argument")?;
                most = most.saturating_add(1);
            }
            Argument::Several { min, max, length } => {
                at_most(length, "a symbolic argument")?;
                most = most.saturating_add(max);
                if min > max {
                    return Err(Error::Usage(format!(
                        "--sym-args {min} {max} {length}: the least number of arguments is \
                         above the greatest"
                    )));
                }
            }
        }
    }
    match most > MOST_ARGUMENTS {
        true => Err(Error::Usage(format!(
            "there can be at most {MOST_ARGUMENTS} symbolic arguments, and these are up to {most}"
        ))),
        false => Ok(()),
    }
}

fn at_most(length: usize, what: &str) -> Result<(), Error> {
    match length > LONGEST {
        true => Err(Error::Usage(format!(
            "{what} of {length} bytes is too large; the greatest is {LONGEST}"
        ))),
        false => Ok(()),
    }
}

fn is_of_klee(option: &str) -> bool {
    option.starts_with("-sym-") || option == "-max-fail"
}

/// KLEE's options may begin with one dash, which would be letters of their own here.
pub fn with_two_dashes(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut is_option = true;
    let both = |argument: OsString| {
        is_option &= argument != "--";
        match argument.to_str() {
            Some(text) if is_option && is_of_klee(text) => format!("-{text}").into(),
            _ => argument,
        }
    };
    arguments.into_iter().map(both).collect()
}
