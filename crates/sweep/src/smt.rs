//! SMT-LIB scripts of every logic, answered by `everypath solve` and by Z3, Bitwuzla
//! and cvc5.
//!
//! Every answer is held against the others, and every model and value we print is
//! read back by the others: with our definitions in place of the declarations, they
//! must find the assertions satisfiable. The referees get each query alone, so scopes
//! and assumptions are tested too. A referee that errs is outvoted: what counts is an
//! answer that one contradicts and none supports.

mod generate;
mod minimise;
mod referees;
mod script;

use crate::Sweep;
use crate::command::{self, Ended, Finished};
use base::Random;
use referees::Referees;
use script::{Query, Script};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

/// What one query may take us; the referees get the same.
const SECONDS: u64 = 5;

/// After this a query hangs, whatever it was told about time.
const HANGS: Duration = Duration::from_secs(4 * SECONDS);

/// Scripts that are tried to make a disagreement smaller.
const TRIALS: usize = 250;

/// Compares until the time is over; how many disagreements there were.
pub fn run(sweep: &Sweep<'_>) -> Result<usize, String> {
    let mut referees = Referees::start(sweep.python)?;
    let mut tally = Tally::default();
    let mut found = 0;
    let mut number = 0u64;
    while Instant::now() < sweep.until {
        let seed = sweep.seed.wrapping_mul(1_000_003).wrapping_add(number);
        let logic = &generate::LOGICS[(number % generate::LOGICS.len() as u64) as usize];
        let script = generate::script(&mut Random::new(seed), logic);
        number += 1;
        let Some(problem) = problem(sweep, &mut referees, &script, Some(&mut tally))? else {
            continue;
        };
        found += 1;
        // What differs in a smaller script must be of the same kind.
        let kind = problem.kind;
        let mut failure = None;
        let small = minimise::minimise(&script, TRIALS, |candidate| {
            match self::problem(sweep, &mut referees, candidate, None) {
                Ok(problem) => problem.is_some_and(|it| it.kind == kind),
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let problem = self::problem(sweep, &mut referees, &small, None)?.unwrap_or(problem);
        let file = sweep
            .output
            .join(format!("{kind:?}-{seed}.smt2").to_lowercase());
        let mut text = String::new();
        for line in problem.text.lines() {
            let _ = writeln!(text, "; {line}");
        }
        let _ = write!(text, "{small}");
        std::fs::write(&file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        println!("{kind:?}: {} ({})", file.display(), logic.name);
    }
    println!("smt: {number} scripts, {found} disagreements; {tally}");
    Ok(found)
}

/// How many queries came out how.
#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn note(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = self.0.iter().map(|(what, count)| format!("{count} {what}"));
        f.write_str(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// What is wrong with our answers to a script.
struct Problem {
    kind: Kind,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// We said sat or unsat, and it is the other.
    Answer,
    /// Our model or a value in it does not satisfy the assertions, or is not SMT-LIB.
    Model,
    /// We ended otherwise than with an answer.
    Crash,
    /// We did not end.
    Hang,
}

fn problem(
    sweep: &Sweep<'_>,
    referees: &mut Referees,
    script: &Script,
    mut tally: Option<&mut Tally>,
) -> Result<Option<Problem>, String> {
    let mut note = |what: &str| {
        if let Some(tally) = &mut tally {
            tally.note(what);
        }
    };
    let problem = |kind, text| Ok(Some(Problem { kind, text }));
    let ours = match ask(sweep, &script.to_string())? {
        Ran::Answered(output) => output,
        Ran::Refused(message) => {
            note("refused");
            // What is not supported says so by name; anything else is for a person to see.
            return match message.contains("unsupported") {
                true => Ok(None),
                false => problem(Kind::Crash, message),
            };
        }
        Ran::Crashed(message) => return problem(Kind::Crash, message),
        // A machine with other work may keep us waiting once.
        Ran::Hung if !matches!(ask(sweep, &script.to_string())?, Ran::Hung) => return Ok(None),
        Ran::Hung => return problem(Kind::Hang, format!("no answer within {HANGS:?}")),
    };
    let mut replies = replies(&ours).into_iter();
    for query in script.queries() {
        let answer = replies.next().unwrap_or_default();
        let model = replies.next().unwrap_or_default();
        let values = match query.values.is_empty() {
            true => String::new(),
            false => replies.next().unwrap_or_default(),
        };
        let flat = flat(script, &query);
        let theirs = referees.ask(&format!("{flat}(check-sat)\n"), SECONDS, &answer)?;
        note(&answer);
        let others = |word: &str| theirs.iter().filter(|(_, said)| said == word).count();
        let (opposite, kind_of) = match answer.as_str() {
            "sat" => ("unsat", true),
            "unsat" => ("sat", false),
            "unknown" => continue,
            other => return problem(Kind::Crash, format!("an answer is `{other}`")),
        };
        if others(opposite) > 0 && others(&answer) == 0 {
            return problem(
                Kind::Answer,
                format!("everypath: {answer}\n{}", told(&theirs)),
            );
        }
        if !kind_of {
            continue;
        }
        let defined = match defined(script, &query, &model, &values) {
            Ok(defined) => defined,
            Err(why) => return problem(Kind::Model, format!("{why}\n{model}\n{values}")),
        };
        let theirs = referees.ask(&format!("{defined}(check-sat)\n"), SECONDS, "sat")?;
        let said = |word: &str| theirs.iter().any(|(_, said)| said == word);
        let unread = theirs.iter().all(|(_, said)| said.starts_with("error"));
        if (said("unsat") && !said("sat")) || unread {
            let told = told(&theirs);
            return problem(Kind::Model, format!("{told}\n{model}\n{values}"));
        }
    }
    Ok(None)
}

/// What the referees said, a line each.
fn told(answers: &[(String, String)]) -> String {
    let lines = answers
        .iter()
        .map(|(name, answer)| format!("{name}: {answer}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The query without scopes and assumptions.
fn flat(script: &Script, query: &Query) -> String {
    let mut text = "(set-logic ALL)\n".to_owned();
    for declaration in &script.declarations {
        let _ = writeln!(text, "{declaration}");
    }
    assertions(query, &mut text);
    text
}

/// The query with our model for the declarations, and our values as assertions.
fn defined(script: &Script, query: &Query, model: &str, values: &str) -> Result<String, String> {
    let inside = |text: &str| {
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        inner
            .map(str::to_owned)
            .ok_or("no list of what was asked for")
    };
    let mut text = format!("(set-logic ALL)\n{}\n", inside(model)?.trim());
    for declaration in &script.declarations {
        let defines = format!("(define-fun {} (", declaration.name);
        if !text.contains(&defines) {
            return Err(format!("`{}` is not defined", declaration.name));
        }
    }
    assertions(query, &mut text);
    if query.values.is_empty() {
        return Ok(text);
    }
    let pairs = replies(&inside(values)?);
    if pairs.len() != query.values.len() {
        return Err(format!(
            "{} values for {} terms",
            pairs.len(),
            query.values.len()
        ));
    }
    for (pair, term) in pairs.iter().zip(&query.values) {
        let value = inside(pair)?;
        let value = value.strip_prefix(&term.to_string());
        let value = value.ok_or_else(|| format!("no value of {term}: {pair}"))?;
        let _ = writeln!(text, "(assert (= {term}{value}))");
    }
    Ok(text)
}

fn assertions(query: &Query, text: &mut String) {
    for assertion in &query.assertions {
        let _ = writeln!(text, "(assert {assertion})");
    }
}

/// How our solver ended.
enum Ran {
    Answered(String),
    /// It does not take the script, with this message.
    Refused(String),
    Crashed(String),
    Hung,
}

/// Gives a script to our solver.
fn ask(sweep: &Sweep<'_>, script: &str) -> Result<Ran, String> {
    let mut everypath = Command::new(sweep.everypath);
    everypath.args(["solve", "--time-limit", &SECONDS.to_string(), "-"]);
    let Finished {
        status,
        output,
        errors,
    } = match command::run(&mut everypath, script, HANGS)? {
        Ended::With(finished) => finished,
        Ended::Hung => return Ok(Ran::Hung),
    };
    Ok(match status.code() {
        Some(0) => Ran::Answered(output),
        Some(2) if !errors.contains("internal error") => Ran::Refused(errors),
        _ => Ran::Crashed(format!("{status}\n{errors}")),
    })
}

/// The expressions of a text, each whole: lists with their parentheses, or words.
fn replies(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let (mut current, mut depth) = (String::new(), 0usize);
    let mut quote = None;
    for c in text.chars() {
        if let Some(end) = quote {
            current.push(c);
            if c == end {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '|' => {
                quote = Some(c);
                current.push(c);
                continue;
            }
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 => {
                if !current.is_empty() {
                    all.push(std::mem::take(&mut current));
                }
                continue;
            }
            _ => {}
        }
        current.push(c);
        if c == ')' && depth == 0 {
            all.push(std::mem::take(&mut current));
        }
    }
    if !current.is_empty() {
        all.push(current);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_words_and_whole_lists() {
        let text = "sat\n(\n (define-fun x () String \"a )\")\n)\n((x \"\"))\nunsat\n";
        let expected = [
            "sat",
            "(\n (define-fun x () String \"a )\")\n)",
            "((x \"\"))",
            "unsat",
        ];
        assert_eq!(replies(text), expected);
    }
}
