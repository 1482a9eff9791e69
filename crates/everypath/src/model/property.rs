//! `everypath model check-property`: what holds of a model itself.

use super::explore::BoundArguments;
use super::load::{ModelArguments, SolvingArguments, load, write_json};
use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use ::model::execution::Executor;
use ::model::property::{Answer, Property, search};
use ::model::results::{PropertyAnswer, SCHEMA};
use ::model::testcase::{Data, TestCase};
use ::model::{Expr, Model, condition_on};
use base::Stop;
use std::path::PathBuf;

/// Checks what a model can do, without a system.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model check-property atm.iosts --deadlock
  everypath model check-property atm.iosts --invariant 'left >= 0'
  everypath model check-property atm.iosts --invariant 'asking: left > 0'
  everypath model check-property atm.iosts --reach closed
  everypath model check-property two.iosts --reach 'Left.busy, Right.busy'
  everypath model check-property two.iosts --invariant 'Left.busy: Right.left = 0'

A condition is about variables; `Right.left` is the one of an automaton where several
have it. With `STATE:` before it, or several states of different automata, it is about
where they are. What is found is shown as a path with values, and written as a test
with -o.

Exit status: 0 the invariant holds, there is no deadlock, or the state is reached;
1 not, or that was not decided; 2 nothing could be checked.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    bounds: BoundArguments,
    #[command(flatten)]
    solving: SolvingArguments,
    /// The test file that the path goes to.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Question {
    /// Looks for a state with transitions, none of which can be taken.
    #[arg(long)]
    deadlock: bool,
    /// Looks for a state where the condition does not hold.
    #[arg(long, value_name = "CONDITION")]
    invariant: Option<String>,
    /// Looks for a way to a state, to several at once, or to where a condition holds.
    #[arg(long, value_name = "STATES")]
    reach: Option<String>,
}

pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let stop = arguments.bounds.stop(stop);
    let (model, text) = load(&arguments.model)?;
    let property = property(arguments, &model, &text)?;
    let solving = &arguments.solving;
    let (mixed, kept) = solving.start(&arguments.model.file, &model, &stop)?;
    let mut executor = Executor::new(&model, mixed);
    executor.set_stop(&stop);
    let bounds = arguments.bounds.unlimited(solving.seed);
    let mut data = Data::new(solving.seed);
    let (answer, states) = search(&mut executor, &bounds, &property, &mut data);
    kept.save(&mut executor.mixed)?;
    if let (Answer::Found(test), Some(file)) = (&answer, &arguments.output) {
        write_json(file, &test.to_file(&model))?;
    }
    let is_wanted = matches!(property, Property::Reachable { .. });
    let told = told(&property, &answer);
    match arguments.json {
        true => say_json(&PropertyAnswer {
            schema: SCHEMA,
            answer: told,
            path: match &answer {
                Answer::Found(test) => test.lines(&model),
                Answer::Never | Answer::Unknown(_) => Vec::new(),
            },
            states,
        })?,
        false => {
            say(&told)?;
            if let Answer::Found(test) = &answer {
                show(test, &model)?;
            }
        }
    }
    Ok(match answer {
        Answer::Found(_) if is_wanted => Outcome::Clean,
        Answer::Never if !is_wanted => Outcome::Clean,
        Answer::Found(_) | Answer::Never | Answer::Unknown(_) => Outcome::Found,
    })
}

fn show(test: &TestCase, model: &Model) -> Result<(), Error> {
    for line in test.lines(model) {
        say(&format!("  {line}"))?;
    }
    Ok(())
}

fn told(property: &Property, answer: &Answer) -> String {
    let (found, never) = match property {
        Property::Deadlock => (
            "deadlock: nothing can happen after this path",
            "no deadlock",
        ),
        Property::Reachable { .. } => ("reached by this path", "never reached"),
        Property::Violated { .. } => ("violated by this path", "the invariant holds"),
    };
    match answer {
        Answer::Found(_) => found.to_owned(),
        Answer::Never => never.to_owned(),
        Answer::Unknown(reason) => format!("unknown: {reason}"),
    }
}

fn property(arguments: &Arguments, model: &Model, text: &str) -> Result<Property, Error> {
    let question = &arguments.question;
    let condition_of = |condition: &str| condition_of(arguments, text, condition);
    if let Some(asked) = &question.invariant {
        let (at, condition) = placed(model, asked)?;
        let condition = condition_of(condition)?;
        return Ok(Property::Violated { at, condition });
    }
    let Some(asked) = &question.reach else {
        return Ok(Property::Deadlock);
    };
    if let Some(at) = states(model, asked)? {
        return Ok(Property::Reachable {
            at,
            condition: None,
        });
    }
    let (at, condition) = placed(model, asked)?;
    Ok(Property::Reachable {
        at,
        condition: Some(condition_of(condition)?),
    })
}

/// The states before a colon, and the condition.
fn placed<'t>(model: &Model, text: &'t str) -> Result<(States, &'t str), Error> {
    let Some((names, rest)) = text.split_once(':') else {
        return Ok((Vec::new(), text));
    };
    Ok(match states(model, names)? {
        Some(states) => (states, rest),
        None => (Vec::new(), text),
    })
}

/// Automata, and a state of each.
type States = Vec<(usize, usize)>;

/// States with commas between them; none if these are no states.
fn states(model: &Model, names: &str) -> Result<Option<States>, Error> {
    let mut found = States::new();
    for name in names.split(',') {
        let named = model.states_named(name.trim());
        let Some(&state) = named.first() else {
            return Ok(None);
        };
        if named.len() > 1 {
            let names = named.iter().map(|&(a, s)| model.state_name(a, s));
            let names: Vec<String> = names.collect();
            let reason = format!(
                "several automata have this state: write {}",
                names.join(" or ")
            );
            return Err(Error::content(format!("`{}`", name.trim()), reason));
        }
        found.push(state);
    }
    Ok(Some(found))
}

fn condition_of(arguments: &Arguments, text: &str, condition: &str) -> Result<Expr, Error> {
    condition_on(text, &arguments.model.settings, condition).map_err(|faults| {
        let reasons: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        Error::content(format!("`{}`", condition.trim()), reasons.join("; "))
    })
}
