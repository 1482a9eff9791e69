//! `everypath fuzz`: a program on one input after the other, in generations.

mod corpus;
mod keeper;
mod worker;

use crate::Outcome;
use crate::error::Error;
use crate::external::ExternalArguments;
use crate::grammar::{Loaded, no_word};
use crate::interrupt::because;
use crate::live::LiveArguments;
use crate::output::{quoted, say_json, say_styled};
use crate::ranges::{self, Line, Means};
use crate::seeds::{self, StdinSeed};
use crate::session_error::explained;
use crate::source::ProgramArguments;
use ::fuzz::{
    Begin, ByteLevel, Ended, Language, Level, Memory, Piece, Seed, Segments, Settings, Spelling,
    SpellingError, TokenError, TokenIds, fuzz, usable, words_of,
};
use base::{OneLine, Stop, Stopped};
use corpus::{Corpus, Plan};
use engine::policy::generational::Tracer;
use engine::{Books, Observer, Options, Session, Tally};
use explore::{Limit, Limits};
use grammar::{Normal, TokenView};
use machine::runtime::is_library;
use program::{Function, Program};
use solver::{Config, Solver};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use suite::Recipe;

/// Conflicts that one query may cost; what takes more is not an input of interest.
const CONFLICTS: u64 = 2_000;

/// Fuzzes a program: inputs are made from the branches of earlier runs.
///
/// The program reads standard input. Every condition that a run meets is flipped, and
/// solved for the input that goes the other way; inputs that reach new code are
/// kept, and errors are reported with the input that triggers them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath fuzz parser.c --max-time 60
  everypath fuzz parser.c --seeds corpus/ --max-length 200 --out fuzzed/
  everypath fuzz interp.c --grammar js.g4 --tokens next_token --out fuzzed/
  everypath fuzz calc.c --grammar calc.bnf --max-length 20

Without --grammar, inputs are bytes. With it, they are words of the grammar:
sequences of tokens where --tokens names the program's tokeniser, a function that
returns an integer for each token, and bytes otherwise.

Inputs that reached new code go to DIR/inputs, one file each, which other fuzzers
read as a corpus; errors go to DIR/crashes, with the input and, beside it, what
happened; runs that did not end go to DIR/hangs. See one again with
  cc -g -fsanitize=address,undefined parser.c && ./a.out < DIR/crashes/000001

Exit status: 0 no error was found; 1 the program has an error; 2 the program
could not be run.")]
pub struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    /// A grammar that inputs are words of: .g4 .bnf .ebnf .json .hmp
    #[arg(long, value_name = "GRAMMAR")]
    grammar: Option<PathBuf>,
    /// The start rule of the grammar.
    #[arg(long, value_name = "RULE", requires = "grammar")]
    start: Option<String>,
    /// The program's function that reads and returns the next token, as an integer.
    #[arg(long, value_name = "FUNC", requires = "grammar")]
    tokens: Option<String>,
    /// The text between two tokens.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = " ",
        requires = "tokens",
        allow_hyphen_values = true
    )]
    join: String,
    /// Spellings of a token, in place of those of the grammar; separate several with
    /// commas.
    #[arg(long, value_name = "TOKEN=TEXT,…", requires = "tokens", value_parser = spelling)]
    spell: Vec<(String, Vec<Vec<u8>>)>,
    /// Files, or directories of files, with the first inputs.
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., alias = "seed-dir")]
    seeds: Vec<PathBuf>,
    /// The longest input in bytes, or in tokens with --tokens [default: 64, 100 with
    /// --tokens, and as long as the longest seed]
    #[arg(long, value_name = "N")]
    max_length: Option<usize>,
    /// The seed of random choices; equal seeds give equal results in one process, which is
    /// then the default [default: 0].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many processes fuzz; with 1 results do not depend on time [default: the number of
    /// cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// The command line, for workers.
    #[arg(skip)]
    pub words: Vec<String>,
    /// Stops after this many seconds.
    #[arg(long, value_name = "SECONDS", visible_alias = "seconds", value_parser = crate::solve::seconds)]
    max_time: Option<Duration>,
    /// Stops after this many runs.
    #[arg(long, value_name = "N")]
    max_runs: Option<u64>,
    /// Stops after this many different errors.
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,
    /// The most instructions of one run; a longer one counts as a hang.
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    max_run_instructions: u64,
    /// Reports memory that is never freed.
    #[arg(long)]
    leaks: bool,
    #[command(flatten)]
    external: ExternalArguments,
    /// The directory for the inputs [default: everypath-out-N].
    #[arg(short, long, value_name = "DIR", visible_alias = "output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    live: LiveArguments,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

fn spelling(text: &str) -> Result<(String, Vec<Vec<u8>>), String> {
    let (name, texts) = text
        .split_once('=')
        .filter(|(name, texts)| !name.is_empty() && !texts.is_empty())
        .ok_or("write TOKEN=TEXT, or TOKEN=TEXT,TEXT for several ways")?;
    let texts = texts.split(',').map(|text| text.as_bytes().to_vec());
    Ok((name.to_owned(), texts.collect()))
}

impl Arguments {
    /// What other processes are started with. A seed, or a number of runs, is wanted to give
    /// the same again, which takes one process.
    pub fn means(&self) -> Means {
        let is_repeatable = self.seed.is_some() || self.max_runs.is_some();
        Means {
            words: self.words.clone(),
            files: self.grammar.iter().cloned().collect(),
            workers: self.workers,
            memory: None,
            stays: self.words.is_empty() || (is_repeatable && self.workers.is_none()),
            socket: None,
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            seed: self.seed.unwrap_or_default(),
            runs: self.max_runs,
            instructions: self.max_run_instructions,
        }
    }

    /// How the program is compiled and run.
    fn options(&self, recipe: &Recipe, stop: &Stop) -> Result<Options<'_>, Error> {
        let config = Config {
            limits: solver::Limits {
                conflicts: Some(CONFLICTS),
                stop: stop.clone(),
                ..solver::Limits::default()
            },
            ..Config::default()
        };
        let seed = self.seed.unwrap_or_default();
        Ok(Options {
            machine: machine::Options {
                leaks: self.leaks,
                external: self.external.options(),
                stop: stop.clone(),
                ..machine::Options::default()
            },
            mixed: self.external.mixed(Solver::new(config), seed)?,
            libraries: crate::libraries::installed(recipe, stop)?,
            keep_bitcode: true,
            ..Options::default()
        })
    }

    /// The grammar, if there is one.
    fn language(&self) -> Result<Option<Loaded>, Error> {
        let Some(file) = &self.grammar else {
            return Ok(None);
        };
        let loaded = Loaded::starting_at(file, self.start.as_deref())?;
        must_have_words(&Normal::new(&loaded.grammar().tokens().cfg), &loaded.name)?;
        Ok(Some(loaded))
    }
}

/// Fuzzes the program; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    arguments.program.must_name_files()?;
    let started = Instant::now();
    let grammar = arguments.language()?;
    let seeds = seeds::read_stdin(&arguments.seeds)?;
    let stop = stop.limited(arguments.max_time, None);
    let recipe = arguments.program.recipe("main")?;
    let session = Session::new(recipe.clone(), arguments.options(&recipe, &stop)?);
    crate::untrusted::examine(&arguments.program.files, &stop)?;
    let program = session.load().map_err(|error| explained(error, None))?;
    arguments.external.check(&program)?;
    if program.function("main").is_none() {
        let lacks = "there is no function `main` in the program, which reads the input";
        return Err(Error::Program(lacks.to_owned()));
    }
    let tracer = session.tracer(&program);
    let mut tracer = tracer.map_err(|error| explained(error, Some(&program)))?;
    let target = Target {
        arguments,
        program: &program,
        grammar: grammar.as_ref(),
        seeds: &seeds,
    };
    target.with_level(&mut tracer, &stop, |tracer, level, seeds, remarks| {
        let plan = plan(arguments, remarks, started);
        search(&target, recipe, tracer, level, seeds, plan)
    })
}

/// Fuzzes for a coordinator.
pub fn serve(
    arguments: &Arguments,
    (recipe, program): (Recipe, &Program),
    stop: &Stop,
    line: &mut Line,
) -> Result<(), Error> {
    let grammar = arguments.language()?;
    let seeds = seeds::read_stdin(&arguments.seeds)?;
    let options = arguments.options(&recipe, stop)?;
    let tracer = Session::new(recipe, options).tracer(program);
    let mut tracer = tracer.map_err(|error| explained(error, Some(program)))?;
    let target = Target {
        arguments,
        program,
        grammar: grammar.as_ref(),
        seeds: &seeds,
    };
    // Who draws the same words as the others finds what they find.
    let settings = Settings {
        seed: u64::from(std::process::id()),
        runs: None,
        ..arguments.settings()
    };
    target.with_level(&mut tracer, stop, |tracer, level, _, _| {
        worker::work(program, tracer, level, &settings, line);
        Ok(())
    })
}

/// What is fuzzed.
struct Target<'a> {
    arguments: &'a Arguments,
    program: &'a Program,
    grammar: Option<&'a Loaded>,
    seeds: &'a [StdinSeed],
}

impl Target<'_> {
    /// Does something with what inputs are made of, the first of them, and what the
    /// tokeniser's numbers say about the grammar.
    fn with_level<'p, T>(
        &self,
        tracer: &mut Tracer<'p>,
        stop: &Stop,
        then: impl FnOnce(&mut Tracer<'p>, &mut Level<'_>, &[Seed], Vec<String>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let &Target {
            arguments,
            program,
            grammar,
            seeds: files,
        } = self;
        let uncounted = |_: Stopped| Error::Stopped {
            why: because(stop),
            what: "the words to draw from were counted".to_owned(),
        };
        let seeds = |pieces: &dyn Fn(&[u8]) -> Option<Vec<Piece>>| -> Vec<Seed> {
            let seeds = files.iter().map(|seed| Seed {
                input: seed.bytes.clone(),
                pieces: pieces(&seed.bytes),
            });
            seeds.collect()
        };
        match (grammar, &arguments.tokens) {
            (None, _) => {
                let most = longest(arguments, files)?;
                let mut level = Level::Bytes(ByteLevel::new(most));
                then(tracer, &mut level, &seeds(&|_| None), Vec::new())
            }
            (Some(loaded), None) => {
                let most = longest(arguments, files)?;
                let normal = Normal::new(&loaded.bytes()?);
                must_fit(&normal, &loaded.name, most)?;
                let seeds = seeds(&|text| Some(Piece::of_bytes(text)));
                let level = Language::of_bytes(&normal, most, stop).map_err(uncounted)?;
                let mut level = Level::Words(Box::new(level));
                then(tracer, &mut level, &seeds, Vec::new())
            }
            (Some(loaded), Some(name)) => {
                let most = arguments.max_length.unwrap_or(100);
                let view = loaded.grammar().tokens();
                let mut spelling = spellings(arguments, program, loaded, &view, stop)?;
                let ids = TokenIds::learn(
                    tracer,
                    name,
                    &view,
                    &mut spelling,
                    arguments.max_run_instructions,
                )
                .map_err(|error| token_error(&error))?;
                let normal = usable(&view.cfg, |letter| ids.of[usize::from(letter)].is_some());
                if normal.start.is_none() && !normal.empty {
                    return Err(Error::Usage(format!(
                        "{}: no word is left without the tokens that `{name}` does not know\n  {}",
                        loaded.name,
                        ids.remarks.join("\n  ")
                    )));
                }
                must_fit(&normal, &loaded.name, most)?;
                let segments = Segments::new(loaded.grammar(), &view);
                // A seed that a stop leaves uncut is one that nobody expands any more.
                let seeds = seeds(&|text| segments.of(text, stop).ok().flatten());
                let remarks = ids.remarks.clone();
                let level = Language::of_tokens(&normal, &ids, spelling, most, stop);
                let mut level = Level::Words(Box::new(level.map_err(uncounted)?));
                then(tracer, &mut level, &seeds, remarks)
            }
        }
    }
}

fn spellings(
    arguments: &Arguments,
    program: &Program,
    loaded: &Loaded,
    view: &TokenView,
    stop: &Stop,
) -> Result<Spelling, Error> {
    let is_own = |function: &Function| {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| source.file);
        file.is_some_and(|id| !is_library(&program.source.file(id).path))
    };
    let (words, join) = (words_of(program, is_own), arguments.join.as_bytes());
    Spelling::new(
        loaded.grammar(),
        view,
        &arguments.spell,
        &words,
        join,
        arguments.seed.unwrap_or_default(),
        stop,
    )
    .map_err(|error| match error {
        SpellingError::Stopped(_) => Error::Stopped {
            why: because(stop),
            what: "the spellings of tokens were found".to_owned(),
        },
        SpellingError::NoSuchToken(name, known) => Error::content(
            &loaded.name,
            format!(
                "--spell {name}=…: the grammar has no such token; it has {}",
                known.join(", ")
            ),
        ),
        SpellingError::Undefined(_) => {
            let what = format!("{error}; give it with --spell NAME=TEXT");
            Error::content(&loaded.name, what)
        }
    })
}

/// Why the function given with `--tokens` is none, and what to do.
fn token_error(error: &TokenError) -> Error {
    let hint = match error {
        TokenError::NeverReturns { .. } => "; --max-run-instructions gives it more",
        TokenError::Missing(_)
        | TokenError::Bodiless(_)
        | TokenError::NoInteger(_)
        | TokenError::NeverCalled(_)
        | TokenError::KnowsNone { .. } => "",
    };
    Error::Usage(format!("--tokens {error}{hint}"))
}

fn must_have_words(normal: &Normal, name: &str) -> Result<(), Error> {
    match normal.shortest() {
        Some(_) => Ok(()),
        None => Err(no_word(name, normal, 0, 0)),
    }
}

fn must_fit(normal: &Normal, name: &str, most: usize) -> Result<(), Error> {
    let shortest = normal.shortest().map_or(0, |word| word.len());
    match shortest <= most {
        true => Ok(()),
        false => Err(Error::Usage(format!(
            "{name}: no word has a length up to {most}; the shortest has {shortest}, \
             so give --max-length {shortest} or more"
        ))),
    }
}

/// The longest input in bytes.
fn longest(arguments: &Arguments, seeds: &[StdinSeed]) -> Result<usize, Error> {
    const DEFAULT: usize = 64;
    let longest = seeds.iter().max_by_key(|seed| seed.bytes.len());
    let Some(most) = arguments.max_length else {
        return Ok(longest.map_or(DEFAULT, |seed| seed.bytes.len().max(DEFAULT)));
    };
    match longest {
        Some(seed) if seed.bytes.len() > most => Err(Error::Usage(format!(
            "{}: the seed has {} bytes, more than --max-length {most}",
            seed.path.one_line(),
            seed.bytes.len()
        ))),
        _ => Ok(most),
    }
}

fn plan(arguments: &Arguments, remarks: Vec<String>, started: Instant) -> Plan {
    Plan {
        started,
        time: arguments.max_time,
        errors: arguments.max_errors,
        runs: arguments.max_runs,
        remarks,
        compile: compile(arguments),
        handover: arguments.means().handover(),
    }
}

/// How to compile the program so that it shows its errors.
fn compile(arguments: &Arguments) -> String {
    let mut command = "cc -g -fsanitize=address,undefined".to_owned();
    let program = &arguments.program;
    let include = program.include.iter();
    let include = include.map(|dir| format!(" -I {}", quoted(dir)));
    let define = program.define.iter();
    let define = define.map(|name| format!(" -D {}", quoted(name.as_ref())));
    let files = program.files.iter();
    let files = files.map(|file| format!(" {}", quoted(file)));
    command.extend(include.chain(define).chain(files));
    command
}

/// Searches, writes and shows what is found.
fn search(
    target: &Target<'_>,
    recipe: Recipe,
    tracer: &mut Tracer<'_>,
    level: &mut Level<'_>,
    seeds: &[Seed],
    plan: Plan,
) -> Result<Outcome, Error> {
    let &Target {
        arguments, program, ..
    } = target;
    let directory = match &arguments.out {
        Some(path) => suite::OutputDirectory::create_at(path),
        None => suite::OutputDirectory::create_in(std::path::Path::new(".")),
    }?;
    let stop = tracer.machine.options.stop.clone();
    let mut corpus = Corpus::new(program, directory, plan);
    if arguments.live.live {
        corpus.go_live(&stop)?;
    }
    corpus.tell_remarks();
    let (begin, settings) = (Begin::Seeds(seeds), arguments.settings());
    let mut memory = Memory::default();
    let ended = fuzz(tracer, level, begin, &settings, &mut memory, &mut corpus);
    let Ended {
        outcome,
        counts,
        waiting,
    } = ended;
    let told = tracer.machine.mixed.oracle_mut().take_notes();
    let notes = told.iter().map(ToString::to_string);
    for note in tracer.take_notes().into_iter().chain(notes) {
        corpus.note(&note);
    }
    let tally = Tally::of(&tracer.machine, &engine::Counts::default());
    corpus.go_on(waiting, counts, tally.clone());
    let (outcome, tally) = match outcome {
        ::fuzz::Outcome::Stopped if corpus.gives_away() && !stop.is_set() => {
            let what = (recipe, &program.bitcode[..]);
            let books = (&mut Books::default(), tally);
            let until = (Limits::default(), stop.clone());
            ranges::hand_over(&arguments.means(), what, books, until, &mut corpus)?
        }
        ::fuzz::Outcome::Complete => (engine::Outcome::Complete, tally),
        ::fuzz::Outcome::Runs => (engine::Outcome::Limit(Limit::Tests), tally),
        ::fuzz::Outcome::Stopped => (engine::Outcome::Interrupted, tally),
    };
    let report = corpus.finish(outcome, &stop, &tally)?;
    arguments.external.save(&tracer.machine)?;
    match arguments.json {
        true => say_json(&report)?,
        false => say_styled(&corpus.summary(&report))?,
    }
    corpus.end_live()?;
    crate::finding::outcome(&report.errors)
}
