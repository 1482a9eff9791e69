//! `everypath fuzz`: a program on one input after the other, in generations.

mod corpus;

use crate::Outcome;
use crate::error::Error;
use crate::external::ExternalArguments;
use crate::grammar::{Loaded, no_word};
use crate::interrupt::because;
use crate::live::LiveArguments;
use crate::output::{say_json, say_styled};
use crate::run::explained;
use crate::seeds::{self, StdinSeed};
use crate::source::ProgramArguments;
use ::fuzz::{
    ByteLevel, Language, Level, Piece, Seed, Segments, Settings, Spelling, SpellingError,
    TokenError, TokenIds, fuzz, usable, words_of,
};
use base::{Stop, Stopped};
use corpus::{Corpus, Plan};
use engine::policy::generational::Tracer;
use engine::{Options, Session};
use grammar::{Normal, TokenView};
use machine::runtime::is_library;
use program::{Function, Program};
use solver::{Config, Solver};
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    /// The seed of random choices; equal seeds give equal results.
    #[arg(long, default_value_t = 0)]
    seed: u64,
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
    #[arg(long, value_name = "DIR", visible_alias = "output")]
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

/// Fuzzes the program; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    arguments.program.must_name_files()?;
    let started = Instant::now();
    let grammar = match &arguments.grammar {
        Some(file) => Some(Loaded::starting_at(file, arguments.start.as_deref())?),
        None => None,
    };
    if let Some(loaded) = &grammar {
        must_have_words(&Normal::new(&loaded.grammar().tokens().cfg), &loaded.name)?;
    }
    let seeds = seeds::read_stdin(&arguments.seeds)?;
    let stop = stop.limited(arguments.max_time, None);
    let config = Config {
        limits: solver::Limits {
            conflicts: Some(CONFLICTS),
            stop: stop.clone(),
            ..solver::Limits::default()
        },
        ..Config::default()
    };
    let recipe = arguments.program.recipe("main")?;
    let options = Options {
        machine: machine::Options {
            leaks: arguments.leaks,
            external: arguments.external.options(),
            stop: stop.clone(),
            ..machine::Options::default()
        },
        mixed: (arguments.external).mixed(Solver::new(config), arguments.seed)?,
        libraries: crate::libraries::installed(&recipe, &stop)?,
        ..Options::default()
    };
    let session = Session::new(recipe, options);
    crate::untrusted::examine(&arguments.program.files, &stop)?;
    let program = session.load().map_err(|error| explained(error, None))?;
    arguments.external.check(&program)?;
    if program.function("main").is_none() {
        let lacks = "there is no function `main` in the program, which reads the input";
        return Err(Error::Program(lacks.to_owned()));
    }
    let tracer = session.tracer(&program);
    let mut tracer = tracer.map_err(|error| explained(error, Some(&program)))?;
    let uncounted = |_: Stopped| Error::Stopped {
        why: because(&stop),
        what: "the words to draw from were counted".to_owned(),
    };
    let files = &seeds;
    let seeds = |pieces: &dyn Fn(&[u8]) -> Option<Vec<Piece>>| -> Vec<Seed> {
        let seeds = files.iter().map(|seed| Seed {
            input: seed.bytes.clone(),
            pieces: pieces(&seed.bytes),
        });
        seeds.collect()
    };
    match (&grammar, &arguments.tokens) {
        (None, _) => {
            let most = longest(arguments, files)?;
            let seeds = seeds(&|_| None);
            let level = Level::Bytes(ByteLevel::new(most));
            let plan = plan(arguments, Vec::new(), started);
            search(arguments, &program, tracer, level, &seeds, plan)
        }
        (Some(loaded), None) => {
            let most = longest(arguments, files)?;
            let normal = Normal::new(&loaded.bytes()?);
            must_fit(&normal, &loaded.name, most)?;
            let seeds = seeds(&|text| Some(Piece::of_bytes(text)));
            let level = Language::of_bytes(&normal, most, &stop).map_err(uncounted)?;
            let level = Level::Words(Box::new(level));
            let plan = plan(arguments, Vec::new(), started);
            search(arguments, &program, tracer, level, &seeds, plan)
        }
        (Some(loaded), Some(name)) => {
            let most = arguments.max_length.unwrap_or(100);
            let view = loaded.grammar().tokens();
            let mut spelling = spellings(arguments, &program, loaded, &view, &stop)?;
            let ids = TokenIds::learn(
                &mut tracer,
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
            let seeds = seeds(&|text| segments.of(text, &stop).ok().flatten());
            let remarks = ids.remarks.clone();
            let level = Language::of_tokens(&normal, &ids, spelling, most, &stop);
            let level = level.map_err(uncounted)?;
            let level = Level::Words(Box::new(level));
            let plan = plan(arguments, remarks, started);
            search(arguments, &program, tracer, level, &seeds, plan)
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
        arguments.seed,
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
            seed.path.display(),
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
        remarks,
        compile: compile(arguments),
    }
}

/// How to compile the program so that it shows its errors.
fn compile(arguments: &Arguments) -> String {
    let mut command = "cc -g -fsanitize=address,undefined".to_owned();
    let include = arguments
        .program
        .include
        .iter()
        .map(|dir| format!(" -I {}", dir.display()));
    let define = arguments
        .program
        .define
        .iter()
        .map(|name| format!(" -D {name}"));
    let files = arguments
        .program
        .files
        .iter()
        .map(|file| format!(" {}", file.display()));
    command.extend(include.chain(define).chain(files));
    command
}

/// Searches, writes and shows what is found.
fn search(
    arguments: &Arguments,
    program: &Program,
    mut tracer: Tracer<'_>,
    mut level: Level<'_>,
    seeds: &[Seed],
    plan: Plan,
) -> Result<Outcome, Error> {
    let directory = match &arguments.out {
        Some(path) => suite::OutputDirectory::create_at(path),
        None => suite::OutputDirectory::create_in(std::path::Path::new(".")),
    }?;
    let settings = Settings {
        seed: arguments.seed,
        runs: arguments.max_runs,
        instructions: arguments.max_run_instructions,
    };
    let mut corpus = Corpus::new(program, directory, plan);
    if arguments.live.live {
        corpus.go_live(&tracer.machine.options.stop)?;
    }
    corpus.tell_remarks();
    let (outcome, counts) = fuzz(&mut tracer, &mut level, seeds, &settings, &mut corpus);
    let report = corpus.finish(&mut tracer, outcome, counts)?;
    arguments.external.save(&tracer.machine)?;
    match arguments.json {
        true => say_json(&report)?,
        false => say_styled(&corpus.summary(&report))?,
    }
    corpus.end_live()?;
    crate::finding::outcome(&report.errors)
}
