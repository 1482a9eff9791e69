//! Grammars over few letters, and queries about strings, against all short texts: which
//! are words, and which are solutions.

mod language;

use crate::Sweep;
use crate::command::{self, Finished};
use crate::lines;
use crate::programs::write;
use base::Random;
use language::{Languages, Query, Rule};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Files that are tried to make a disagreement smaller.
const TRIALS: usize = 60;

/// After this a command hangs.
const HANGS: Duration = Duration::from_secs(120);

/// Words are counted up to this length.
const LENGTH: usize = 5;

/// More solutions than any query has.
const ALL: &str = "1000";

/// Compares until the time is over; how many disagreements there were.
pub fn run(sweep: &Sweep<'_>) -> Result<usize, String> {
    let scratch = sweep.scratch()?;
    let (mut found, mut number) = (0, 0u64);
    while Instant::now() < sweep.until {
        let seed = sweep.seed_of(number);
        number += 1;
        let random = &mut Random::new(seed);
        let rules = Rule::some(random);
        let query = Query::new(random, rules.len());
        let trial = Trial {
            sweep,
            scratch: &scratch,
            encoding: ["core", "chart"][random.below(2)],
        };
        let Some(problem) = trial.problem(&rules, &query)? else {
            continue;
        };
        found += 1;
        let kept = lines::minimise_parts(query.parts(), TRIALS, |kept| {
            Ok(trial.problem(&rules, &query.with(kept))?.is_some())
        })?;
        let small = query.with(&kept);
        let problem = trial.problem(&rules, &small)?.unwrap_or(problem);
        let file = sweep.output.join(format!("grammars-{seed}.hmp"));
        let told = lines::commented(&problem);
        let text = text(&rules, &small);
        write(&file, &format!("{told}{text}"))?;
        println!("grammars: {}", file.display());
    }
    println!("grammars: {number} grammars, {found} disagreements");
    Ok(found)
}

/// The query with its grammar, as a file.
fn text(rules: &[Rule], query: &Query) -> String {
    let rules: String = rules.iter().map(Rule::to_string).collect();
    format!("{}{rules}{query}", query.declarations())
}

/// Where and how files are tried.
struct Trial<'a> {
    sweep: &'a Sweep<'a>,
    scratch: &'a Path,
    encoding: &'static str,
}

impl Trial<'_> {
    /// What Everypath gets wrong about a grammar and a query.
    fn problem(&self, rules: &[Rule], query: &Query) -> Result<Option<String>, String> {
        let languages = Languages::new(rules, language::LONGEST);
        let grammar: String = rules.iter().map(Rule::to_string).collect();
        write(&self.scratch.join("grammar.hmp"), &grammar)?;
        write(&self.scratch.join("query.hmp"), &text(rules, query))?;
        if let Some(problem) = self.counted(&languages)? {
            return Ok(Some(problem));
        }
        if let Some(problem) = self.sampled(&languages)? {
            return Ok(Some(problem));
        }
        self.solved(&languages, query)
    }

    /// How many words there are of each length.
    fn counted(&self, languages: &Languages) -> Result<Option<String>, String> {
        let length = LENGTH.to_string();
        let arguments = ["grammar", "count", "grammar.hmp", "--max-length", &length];
        let counted = match self.everypath(&arguments)? {
            Ok(finished) => finished.output,
            Err(problem) => return Ok(says_empty(&problem, languages).then_some(problem)),
        };
        for length in 0..=LENGTH {
            let row = counted.lines().find_map(|line| {
                let mut columns = line.split_whitespace();
                let is_row = columns.next()?.parse() == Ok(length);
                is_row.then(|| columns.next().unwrap_or_default().to_owned())
            });
            let words = languages.of(0).iter();
            let words = words.filter(|word| word.len() == length).count();
            if row != Some(words.to_string()) {
                return Ok(Some(format!("{words} words of length {length}\n{counted}")));
            }
        }
        Ok(None)
    }

    /// That samples are words.
    fn sampled(&self, languages: &Languages) -> Result<Option<String>, String> {
        let length = LENGTH.to_string();
        let mut arguments = vec!["grammar", "sample", "grammar.hmp", "--count", "8"];
        arguments.extend(["--max-length", &length]);
        let sampled = match self.everypath(&arguments)? {
            Ok(finished) => finished.output,
            Err(problem) => return Ok(says_empty(&problem, languages).then_some(problem)),
        };
        let wrong = sampled
            .lines()
            .find(|line| !languages.of(0).contains(*line));
        Ok(wrong.map(|line| format!("`{line}` is sampled, and no word")))
    }

    /// That the solutions are all there are, each once.
    fn solved(&self, languages: &Languages, query: &Query) -> Result<Option<String>, String> {
        let mut arguments = vec!["solve", "query.hmp", "--all", ALL];
        arguments.extend(["--encoding", self.encoding]);
        let solved = match self.everypath(&arguments)? {
            Ok(finished) => finished.output,
            Err(problem) => return Ok(Some(problem)),
        };
        let mut given: Vec<String> = Vec::new();
        for solution in solved.split("\n\n") {
            let values: Vec<&str> = solution.lines().filter_map(value).collect();
            if !values.is_empty() {
                given.push(values.join(" "));
            }
        }
        let expected: BTreeSet<String> = query.solutions(languages).collect();
        let set: BTreeSet<String> = given.iter().cloned().collect();
        if set.len() != given.len() {
            return Ok(Some(format!("a solution is given twice\n{solved}")));
        }
        let (more, fewer) = (
            set.difference(&expected).next(),
            expected.difference(&set).next(),
        );
        Ok(match (more, fewer) {
            (None, None) => None,
            (Some(wrong), _) => Some(format!("{}: `{wrong}` is none", self.encoding)),
            (None, Some(left_out)) => Some(format!("{}: `{left_out}` is missing", self.encoding)),
        })
    }

    /// Runs Everypath; a problem if it did not end as it should.
    fn everypath(&self, arguments: &[&str]) -> Result<Result<Finished, String>, String> {
        let mut everypath = Command::new(self.sweep.everypath);
        everypath.current_dir(self.scratch).args(arguments);
        let works = command::works(&mut everypath, HANGS)?;
        Ok(works.map_err(|problem| format!("{arguments:?}: {problem}")))
    }
}

/// Whether a refusal is wrong: a grammar without words is refused, one with words is not.
fn says_empty(problem: &str, languages: &Languages) -> bool {
    let mut words = languages.of(0).iter();
    !problem.contains("exit status: 2") || words.any(|word| word.len() <= LENGTH)
}

/// The text in `v = "ab"`.
fn value(line: &str) -> Option<&str> {
    let (_, text) = line.split_once(" = \"")?;
    text.strip_suffix('"')
}
