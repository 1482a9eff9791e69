//! `everypath grammar`: what grammars say, and whether they say what was meant.

use crate::error::Error;
use crate::interrupt::because;
use crate::output::say;
use crate::solve::seconds;
use crate::{Outcome, diagnostic};
use ::grammar::words::{Side, Unfinished, Words};
use ::grammar::{
    BYTES, Cfg, Grammar, Letter, Normal, Problem, Problems, Random, Role, check, count, hampi,
    read, write,
};
use base::{OneLine, Stop};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Checks, samples, counts and intersects grammars.
///
/// A grammar is read by the end of its file's name: `.g4` (ANTLR), `.bnf` and
/// `.ebnf`, `.json` (the form of grammar fuzzers) and `.hmp` (the `cfg`
/// statements of HAMPI's language).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath grammar check calc.g4
  everypath grammar check calc.g4 --to json > calc.json
  everypath grammar sample calc.bnf --count 5 --max-length 20 --seed 1
  everypath grammar sample calc.g4 --tokens --spell
  everypath grammar count calc.bnf --max-length 12
  everypath grammar intersect calc.bnf --with other.bnf --max-length 10
  everypath grammar intersect calc.bnf --without '[0-9]+' --count 5

Exit status: 0 the command ran and found nothing wrong; 1 `check` found something
wrong; 2 a grammar cannot be read or has no words to show.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Reports rules that derive nothing, rules and tokens that nothing uses,
    /// and what was left out in reading; writes the grammar in another notation.
    Check(CheckArguments),
    /// Draws words at random.
    Sample(SampleArguments),
    /// Counts words and derivations by length.
    Count(CountArguments),
    /// Finds the words that are in several languages, or in one and not in
    /// others, up to a length.
    Intersect(IntersectArguments),
}

#[derive(clap::Args)]
struct Source {
    /// The grammar.
    #[arg(value_name = "GRAMMAR")]
    file: PathBuf,
    /// The rule to start with. Without it, `start` in BNF and JSON, the first rule
    /// with `EOF` in ANTLR's notation, or else the first rule.
    #[arg(long, value_name = "RULE")]
    start: Option<String>,
    /// Speaks of tokens instead of bytes: a word is a sequence of token names.
    #[arg(long)]
    tokens: bool,
    /// Gives up after this many seconds, with what there is by then.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
}

#[derive(clap::Args)]
struct CheckArguments {
    #[command(flatten)]
    source: Source,
    /// Writes the grammar on standard output.
    #[arg(long, value_enum, value_name = "NOTATION")]
    to: Option<Notation>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Notation {
    /// BNF with sets of characters in brackets.
    Bnf,
    /// The JSON form of grammar fuzzers.
    Json,
}

#[derive(clap::Args)]
struct SampleArguments {
    #[command(flatten)]
    source: Source,
    /// How many words.
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// The least length.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_length: usize,
    /// The greatest length.
    #[arg(long, value_name = "N", default_value_t = 30)]
    max_length: usize,
    /// Draws other words.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// With --tokens, spells each token in the shortest way, with spaces between.
    #[arg(long, requires = "tokens")]
    spell: bool,
}

#[derive(clap::Args)]
struct CountArguments {
    #[command(flatten)]
    source: Source,
    /// The greatest length.
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_length: usize,
}

#[derive(clap::Args)]
struct IntersectArguments {
    #[command(flatten)]
    source: Source,
    /// Another language that words must be in: a grammar's file, or a regular
    /// expression (`[a-z]`, `"text"`, `( | )`, `* + ?`).
    #[arg(long, value_name = "GRAMMAR|REGEX")]
    with: Vec<String>,
    /// A language that words must not be in.
    #[arg(long, value_name = "GRAMMAR|REGEX")]
    without: Vec<String>,
    /// The greatest length.
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_length: usize,
    /// How many words are shown.
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
}

/// Runs the command until it is done or `stop` is set; an error is one message for
/// the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    match &arguments.command {
        Command::Check(arguments) => check_grammar(arguments),
        Command::Sample(arguments) => sample(arguments, &stop.within(arguments.source.max_time)),
        Command::Count(arguments) => {
            count_words(arguments, &stop.within(arguments.source.max_time))
        }
        Command::Intersect(arguments) => {
            intersect(arguments, &stop.within(arguments.source.max_time))
        }
    }
}

/// The problems, each with its line shown.
pub fn complaints(label: &str, name: &str, text: &str, problems: &[Problem]) -> String {
    let shown = problems.iter().map(|problem| {
        let (line, column) = (problem.place.line, problem.place.column);
        diagnostic::labelled(label, name, text, line, column, &problem.message)
    });
    shown.collect::<Vec<String>>().join("\n")
}

/// A grammar and the text it was read from.
pub struct Loaded {
    pub name: String,
    text: String,
    grammar: Grammar,
}

impl Loaded {
    fn new(file: &Path) -> Result<Loaded, Error> {
        let name = file.one_line().into_owned();
        let bytes = std::fs::read(file).map_err(|error| {
            Error::Usage(format!(
                "cannot read {name}: {error}; give the path of a grammar"
            ))
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Error::content(
                &name,
                format!("the byte at offset {at} is not UTF-8; save the file as UTF-8"),
            )
        })?;
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        let grammar = match &*extension {
            "g4" => read::antlr(&text),
            "bnf" | "ebnf" => read::bnf(&text),
            "json" => read::json(&text),
            "hmp" => hampi::grammar(&text),
            _ => {
                return Err(Error::Usage(format!(
                    "cannot tell what {name} is: \
                     the name should end in .g4, .bnf, .ebnf, .json or .hmp"
                )));
            }
        };
        match grammar {
            Ok(grammar) => Ok(Loaded {
                name,
                text,
                grammar,
            }),
            Err(problems) => Err(Error::Diagnostics(complaints(
                "error",
                &name,
                &text,
                &problems.0,
            ))),
        }
    }

    fn of(source: &Source) -> Result<Loaded, Error> {
        Loaded::starting_at(&source.file, source.start.as_deref())
    }

    /// The grammar of a file, with this rule as its start if one is named.
    pub fn starting_at(file: &Path, start: Option<&str>) -> Result<Loaded, Error> {
        let mut loaded = Loaded::new(file)?;
        if let Some(start) = start {
            let plain = start.trim_start_matches('<').trim_end_matches('>');
            let Some(rule) = loaded.grammar.rule(plain) else {
                let named = loaded.grammar.rules.iter();
                let named: Vec<&str> = named
                    .map(|r| &*r.name)
                    .filter(|n| !n.contains('-'))
                    .collect();
                let there_are = named.join(", ");
                let problem = format!("there is no rule `{plain}`; there are: {there_are}");
                return Err(Error::content(&loaded.name, problem));
            };
            loaded.grammar = loaded.grammar.starting_at(rule);
        }
        Ok(loaded)
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the rules over bytes, as far as they are those of the grammar: what is
    /// skipped between tokens makes others of them.
    pub fn rule_names(&self) -> Vec<String> {
        let rules = &self.grammar.rules;
        let has_gaps = rules.iter().any(|rule| rule.role == Role::Skipped);
        let named = rules
            .iter()
            .filter(|_| !(has_gaps && self.grammar.has_tokens()));
        named.map(|rule| rule.name.clone()).collect()
    }

    /// What was read.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn refused(&self, problems: &Problems) -> Error {
        Error::Diagnostics(complaints("error", &self.name, &self.text, &problems.0))
    }

    /// The grammar over the letters that the user asked for, and their names.
    fn view(&self, source: &Source) -> Result<(Cfg, Names), Error> {
        if source.tokens {
            let view = self.grammar.tokens();
            let names = view.tokens.iter().map(|token| token.name.clone());
            let names = Names::Tokens(names.collect());
            return Ok((view.cfg, names));
        }
        Ok((self.bytes()?, Names::Bytes))
    }

    /// The grammar over bytes.
    pub fn bytes(&self) -> Result<Cfg, Error> {
        let cfg = self.grammar.bytes();
        cfg.map_err(|problems| self.refused(&problems))
    }
}

/// How letters are shown.
enum Names {
    Bytes,
    Tokens(Vec<String>),
}

impl Names {
    fn show(&self, word: &[Letter]) -> String {
        match self {
            Names::Tokens(names) => {
                let names = word.iter().map(|&letter| &*names[usize::from(letter)]);
                names.collect::<Vec<&str>>().join(" ")
            }
            Names::Bytes => {
                let bytes: Vec<u8> = word.iter().map(|&letter| letter as u8).collect();
                shown(&bytes)
            }
        }
    }
}

/// A text on one line: control characters, backslashes and what is not UTF-8
/// as escapes.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                c if c.is_control() => text.extend(c.escape_default()),
                c => text.push(c),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

fn check_grammar(arguments: &CheckArguments) -> Result<Outcome, Error> {
    let loaded = Loaded::of(&arguments.source)?;
    let findings = check(&loaded.grammar);
    let kinds = [
        ("error", &findings.errors),
        ("warning", &findings.warnings),
        ("note", &findings.notes),
    ];
    for (label, problems) in kinds {
        if !problems.is_empty() {
            eprintln!(
                "{}",
                complaints(label, &loaded.name, &loaded.text, problems)
            );
        }
    }
    match arguments.to {
        Some(Notation::Bnf) => say(write::bnf(&loaded.grammar).trim_end())?,
        Some(Notation::Json) => {
            let text = write::json(&loaded.grammar);
            let text = text.map_err(|error| Error::content(&loaded.name, error))?;
            say(text.trim_end())?;
        }
        None => {
            let tokens = loaded.grammar.tokens();
            say(&format!(
                "{}: {} rules, {} tokens, {} errors, {} warnings, {} notes",
                loaded.name,
                loaded.grammar.rules.len(),
                tokens.tokens.len(),
                findings.errors.len(),
                findings.warnings.len(),
                findings.notes.len()
            ))?;
        }
    }
    let nothing_wrong = findings.errors.is_empty() && findings.warnings.is_empty();
    Ok(if nothing_wrong {
        Outcome::Clean
    } else {
        Outcome::Found
    })
}

/// Lengths beyond this would take tables of too many numbers.
const LONGEST: usize = 500;

pub fn bounded(length: usize) -> Result<usize, Error> {
    match length <= LONGEST {
        true => Ok(length),
        false => Err(Error::Usage(format!(
            "a length of {length} is too large; the greatest is {LONGEST}"
        ))),
    }
}

fn sample(arguments: &SampleArguments, stop: &Stop) -> Result<Outcome, Error> {
    let most = bounded(arguments.max_length)?;
    let loaded = Loaded::of(&arguments.source)?;
    let (cfg, names) = loaded.view(&arguments.source)?;
    let normal = Normal::new(&cfg);
    let sampler = count::Sampler::new(&normal, arguments.min_length..=most, stop);
    let sampler = sampler.map_err(|_| Error::Stopped {
        why: because(stop),
        what: "the words to draw from were counted; give a smaller --max-length".to_owned(),
    })?;
    let Some(sampler) = sampler else {
        return Err(no_word(&loaded.name, &normal, arguments.min_length, most));
    };
    let mut random = Random::new(arguments.seed);
    let view = arguments.spell.then(|| loaded.grammar.tokens());
    for drawn in 0..arguments.count {
        if stop.is_set() {
            let (why, wanted) = (because(stop), arguments.count);
            eprintln!("{why} after {drawn} of {wanted} words");
            break;
        }
        let word = sampler.draw(&mut random);
        match &view {
            None => say(&names.show(&word))?,
            Some(view) => say(&shown(&view.spell(&word).map_err(|token| {
                let (name, token) = (&loaded.name, &token.name);
                let problem = format!("the token `{token}` is not defined, so it has no spelling");
                Error::content(name, problem)
            })?))?,
        }
    }
    Ok(Outcome::Clean)
}

/// Why there is no word of these lengths.
pub fn no_word(name: &str, normal: &Normal, least: usize, most: usize) -> Error {
    let problem = match normal.shortest() {
        None => "the language is empty; `everypath grammar check` says why".to_owned(),
        Some(word) => format!(
            "no word has a length from {least} to {most}; the shortest has {}",
            word.len()
        ),
    };
    Error::content(name, problem)
}

fn count_words(arguments: &CountArguments, stop: &Stop) -> Result<Outcome, Error> {
    let most = bounded(arguments.max_length)?;
    let loaded = Loaded::of(&arguments.source)?;
    let (cfg, _) = loaded.view(&arguments.source)?;
    let normal = Normal::new(&cfg);
    let words = Words::new(
        &[Side {
            language: &normal,
            inside: true,
        }],
        most,
        stop,
    );
    let words = words.and_then(|words| Ok(words.counts(stop)?));
    let derivations = count::derivations(&cfg, most, stop);
    if let (Err(Unfinished::Stopped), Err(_)) = (&words, &derivations) {
        return Err(Error::Stopped {
            why: because(stop),
            what: "anything was counted; give a smaller --max-length".to_owned(),
        });
    }
    say(&format!(
        "{:>6}  {:>24}  {:>24}",
        "length", "words", "derivations"
    ))?;
    for length in 0..=most {
        let words = match &words {
            Ok(counts) => counts[length].to_string(),
            Err(Unfinished::TooManyStates | Unfinished::Stopped) => "?".to_owned(),
        };
        let derivations = match &derivations {
            Ok(Some(counts)) => counts[length].to_string(),
            Ok(None) | Err(_) => "?".to_owned(),
        };
        say(&format!("{length:>6}  {words:>24}  {derivations:>24}"))?;
    }
    let infinite = "derivations are infinitely many: a rule derives itself";
    let uncounted = |why: &Unfinished| match why {
        Unfinished::TooManyStates => "telling them apart takes too many states",
        Unfinished::Stopped => because(stop),
    };
    match (&words, &derivations) {
        (Ok(words), Ok(Some(derivations))) if words == derivations => {
            say("every word of these lengths has one derivation")?;
        }
        (Ok(_), Ok(Some(_))) => say("some words have several derivations; words are counted once")?,
        (Ok(_), Ok(None)) => say(infinite)?,
        (Ok(_), Err(_)) => say(&format!("derivations were not counted: {}", because(stop)))?,
        (Err(why), Ok(Some(_))) => say(&format!(
            "words were not counted: {}; there are at most as many as derivations",
            uncounted(why)
        ))?,
        (Err(why), Ok(None)) => {
            say(&format!(
                "words were not counted: {}; {infinite}",
                uncounted(why)
            ))?;
        }
        (Err(why), Err(_)) => say(&format!(
            "words were not counted: {}; derivations were not counted: {}",
            uncounted(why),
            because(stop)
        ))?,
    }
    Ok(Outcome::Clean)
}

fn intersect(arguments: &IntersectArguments, stop: &Stop) -> Result<Outcome, Error> {
    let most = bounded(arguments.max_length)?;
    if arguments.with.is_empty() && arguments.without.is_empty() {
        return Err(Error::Usage(
            "nothing to intersect with; give --with or --without".to_owned(),
        ));
    }
    let loaded = Loaded::of(&arguments.source)?;
    if arguments.source.tokens {
        return Err(Error::Usage(
            "languages over tokens of different grammars share no tokens; \
                    intersect without --tokens"
                .to_owned(),
        ));
    }
    let (cfg, names) = loaded.view(&arguments.source)?;
    let mut languages = vec![(Normal::new(&cfg), true)];
    for (texts, inside) in [(&arguments.with, true), (&arguments.without, false)] {
        for text in texts {
            languages.push((other_language(text)?, inside));
        }
    }
    let sides: Vec<Side> = languages
        .iter()
        .map(|(language, inside)| Side {
            language,
            inside: *inside,
        })
        .collect();
    let unfinished = |why: Unfinished| match why {
        Unfinished::TooManyStates => Error::Usage(
            "telling the words of these languages apart takes too many states; \
             give a smaller --max-length, or ask for one word with `everypath solve`"
                .to_owned(),
        ),
        Unfinished::Stopped => Error::Stopped {
            why: because(stop),
            what: "the words of these languages were told apart; give a smaller --max-length"
                .to_owned(),
        },
    };
    let words = Words::new(&sides, most, stop).map_err(unfinished)?;
    let counts = words
        .counts(stop)
        .map_err(|stopped| unfinished(stopped.into()))?;
    let total: num_bigint::BigUint = counts.into_iter().sum();
    let first = words.first(arguments.count, stop);
    for word in first.map_err(|stopped| unfinished(stopped.into()))? {
        say(&names.show(&word))?;
    }
    say(&format!("{total} words of length 0 to {most}"))?;
    Ok(Outcome::Clean)
}

/// A grammar's file, or a regular expression.
fn other_language(text: &str) -> Result<Normal, Error> {
    let path = Path::new(text);
    let known: BTreeSet<&str> = ["g4", "bnf", "ebnf", "json", "hmp"].into();
    let extension = path.extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| known.contains(extension)) {
        let loaded = Loaded::new(path)?;
        let cfg = loaded.grammar.bytes();
        return Ok(Normal::new(&cfg.map_err(|p| loaded.refused(&p))?));
    }
    let rule = format!("regex ::= {text}");
    let grammar = read::bnf(&rule).map_err(|problems| {
        Error::Diagnostics(complaints(
            "error",
            "the regular expression",
            &rule,
            &problems.0,
        ))
    })?;
    let cfg = grammar.bytes();
    let cfg = cfg.map_err(|p| {
        Error::Diagnostics(complaints("error", "the regular expression", &rule, &p.0))
    })?;
    debug_assert_eq!(cfg.letters, BYTES);
    Ok(Normal::new(&cfg))
}
