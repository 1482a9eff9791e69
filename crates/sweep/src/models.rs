//! Models with small numbers: what Everypath proves of them, the tests it makes and its
//! verdicts on recorded logs, against an execution state by state.

mod machine;

use crate::Sweep;
use crate::command::{self, Finished};
use crate::lines;
use crate::programs::write;
use base::Random;
use machine::{Condition, Event, Machine, Place, RANGE};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Models that are tried to make a disagreement smaller.
const TRIALS: usize = 60;

/// What a command is told about time: a model that takes longer has a tree without end.
const LIMIT: &str = "2s";

/// After this it hangs, whatever it was told.
const HANGS: Duration = Duration::from_secs(60);

/// Logs that each model is asked about.
const LOGS: usize = 3;

/// Compares until the time is over; how many disagreements there were.
pub fn run(sweep: &Sweep<'_>) -> Result<usize, String> {
    let scratch = sweep.scratch()?;
    let (mut found, mut number) = (0, 0u64);
    let mut counts = Counts::default();
    while Instant::now() < sweep.until {
        let seed = sweep.seed_of(number);
        number += 1;
        let trial = Trial {
            sweep,
            scratch: &scratch,
            seed,
        };
        let machine = Machine::new(&mut Random::new(seed));
        let Some(problem) = trial.problem(&machine, &mut counts)? else {
            continue;
        };
        found += 1;
        let kept = lines::minimise_parts(machine.transitions.len(), TRIALS, |kept| {
            let problem = trial.problem(&machine.with(kept), &mut Counts::default())?;
            Ok(problem.is_some())
        })?;
        let small = machine.with(&kept);
        let problem = trial
            .problem(&small, &mut Counts::default())?
            .unwrap_or(problem);
        let file = sweep.output.join(format!("models-{seed}.iosts"));
        let told = lines::commented(&problem);
        write(&file, &format!("{told}{small}"))?;
        println!("models: {}", file.display());
    }
    let Counts { decided, unknown } = counts;
    println!(
        "models: {number} models, {decided} answers, {unknown} unknown, {found} disagreements"
    );
    Ok(found)
}

/// Answers that could be compared, and those that promise nothing.
#[derive(Default)]
struct Counts {
    decided: usize,
    unknown: usize,
}

impl Counts {
    /// A disagreement, if the answer is not what it should be; none is no promise.
    fn compare(&mut self, what: &str, answer: Option<bool>, expected: bool) -> Option<String> {
        let Some(answer) = answer else {
            self.unknown += 1;
            return None;
        };
        self.decided += 1;
        (answer != expected).then(|| format!("{what}: said {answer}, it is {expected}"))
    }
}

/// Where and how models are tried.
struct Trial<'a> {
    sweep: &'a Sweep<'a>,
    scratch: &'a Path,
    /// What the questions depend on, so that a smaller model is asked the same.
    seed: u64,
}

impl Trial<'_> {
    /// What Everypath gets wrong about a machine.
    fn problem(&self, machine: &Machine, counts: &mut Counts) -> Result<Option<String>, String> {
        write(&self.scratch.join("model.iosts"), &machine.to_string())?;
        let (places, taken) = machine.reachable();
        if let Some(problem) = self.properties(machine, &places, counts)? {
            return Ok(Some(problem));
        }
        if let Some(problem) = self.tests(machine, &taken, counts)? {
            return Ok(Some(problem));
        }
        let mut random = Random::new(self.seed);
        for _ in 0..LOGS {
            if let Some(problem) = self.log(machine, &mut random, counts)? {
                return Ok(Some(problem));
            }
        }
        Ok(None)
    }

    /// Deadlock, a state, and a condition.
    fn properties(
        &self,
        machine: &Machine,
        places: &BTreeSet<Place>,
        counts: &mut Counts,
    ) -> Result<Option<String>, String> {
        let mut random = Random::new(self.seed);
        let state = random.below(machine.states);
        let condition = Condition::new(&mut random, 1);
        let questions = [
            (
                vec!["--deadlock".to_owned()],
                ("deadlock:", "no deadlock"),
                places.iter().any(|place| machine.is_stuck(place)),
            ),
            (
                vec!["--reach".to_owned(), format!("s{state}")],
                ("reached by", "never reached"),
                places.iter().any(|place| place.state == state),
            ),
            (
                vec!["--invariant".to_owned(), condition.to_string()],
                ("violated by", "the invariant holds"),
                places.iter().any(|place| !condition.holds_at(place)),
            ),
        ];
        for (question, (yes, no), expected) in questions {
            let mut arguments = vec!["check-property", "model.iosts", "--max-time", LIMIT];
            arguments.extend(question.iter().map(String::as_str));
            let finished = match self.model(&arguments)? {
                Ok(finished) => finished,
                Err(problem) => return Ok(Some(problem)),
            };
            let answer = match &finished.output {
                said if said.starts_with(yes) => Some(true),
                said if said.starts_with(no) => Some(false),
                said if said.starts_with("unknown") => None,
                said => return Ok(Some(format!("{question:?}: {said}"))),
            };
            let problem = counts.compare(&question.join(" "), answer, expected);
            if problem.is_some() {
                return Ok(problem);
            }
        }
        Ok(None)
    }

    /// Each test is a way through the machine, and what is infeasible is on none.
    fn tests(
        &self,
        machine: &Machine,
        taken: &BTreeSet<usize>,
        counts: &mut Counts,
    ) -> Result<Option<String>, String> {
        let directory = self.scratch.join("tests");
        let _ = std::fs::remove_dir_all(&directory);
        let cover = ["--cover", "transitions", "--max-time", LIMIT];
        let mut arguments = vec!["test", "model.iosts", "--json", "-o", "tests"];
        arguments.extend(cover);
        let finished = match self.model(&arguments)? {
            Ok(finished) => finished,
            Err(problem) => return Ok(Some(problem)),
        };
        let made: Json = match serde_json::from_str(&finished.output) {
            Ok(made) => made,
            Err(error) => return Ok(Some(format!("model test: {error}"))),
        };
        for missed in made["missed"].as_array().into_iter().flatten() {
            let reason = missed["reason"].as_str().unwrap_or_default();
            let number = missed["goal"].as_str().and_then(number);
            let number = number.ok_or_else(|| format!("a goal {}", missed["goal"]))?;
            let answer = reason.starts_with("infeasible").then_some(true);
            let what = format!("that t{number} is infeasible");
            let problem = counts.compare(&what, answer, !taken.contains(&number));
            if problem.is_some() {
                return Ok(problem);
            }
        }
        let entries = std::fs::read_dir(&directory);
        for entry in entries.into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
            let test: Json = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let Some(steps) = test["steps"].as_array() else {
                continue;
            };
            counts.decided += 1;
            if let Err(problem) = walked(machine, steps) {
                return Ok(Some(format!("{}: {problem}", path.display())));
            }
        }
        Ok(None)
    }

    /// The verdict on a log, which mostly is one of the machine, with or without a fault.
    fn log(
        &self,
        machine: &Machine,
        random: &mut Random,
        counts: &mut Counts,
    ) -> Result<Option<String>, String> {
        let events = events(machine, random);
        let mut places = machine.closed(BTreeSet::from([Place::default()]));
        for event in &events {
            places = machine.after(&places, event);
            // What follows an input that the model does not take is not said.
            if places.is_empty() && matches!(event, Event::Input(..)) {
                return Ok(None);
            }
        }
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        write(&self.scratch.join("log.jsonl"), &text)?;
        let arguments = ["check-log", "model.iosts", "log.jsonl", "--max-time", LIMIT];
        let finished = match self.model(&arguments)? {
            Ok(finished) => finished,
            Err(problem) => return Ok(Some(problem)),
        };
        let said = finished.output.trim_start_matches("log.jsonl: ");
        let answer = match said {
            said if said.starts_with("pass") => Some(true),
            said if said.starts_with("fail") => Some(false),
            said if said.starts_with("inconclusive") => None,
            said => return Ok(Some(format!("check-log: {said}"))),
        };
        Ok(counts.compare(&format!("{text}pass"), answer, !places.is_empty()))
    }

    /// Runs `everypath model`; a problem if it did not end as it should.
    fn model(&self, arguments: &[&str]) -> Result<Result<Finished, String>, String> {
        let mut everypath = Command::new(self.sweep.everypath);
        everypath.current_dir(self.scratch).arg("model");
        everypath.args(arguments);
        let works = command::works(&mut everypath, HANGS)?;
        Ok(works.map_err(|problem| format!("{arguments:?}: {problem}")))
    }
}

/// The number of the transition `t3`.
fn number(name: &str) -> Option<usize> {
    name.rsplit(['.', ' '])
        .next()?
        .strip_prefix('t')?
        .parse()
        .ok()
}

/// Follows the transitions of a test with its values.
fn walked(machine: &Machine, steps: &[Json]) -> Result<(), String> {
    let mut place = Place::default();
    for (index, step) in steps.iter().enumerate() {
        let wrong = |what: &str| format!("step {}: {what}", index + 1);
        if step["silence"] == true {
            let after = machine.after(&BTreeSet::from([place]), &Event::Silence);
            match after.is_empty() {
                true => return Err(wrong("there is no silence")),
                false => continue,
            }
        }
        let taken = step["transition"].as_str().and_then(number);
        let event = |kind: &str| {
            let channel = step[kind].as_str()?;
            Some((channel, step["values"][0].as_i64()?))
        };
        let next = machine.steps(&place).into_iter().find(|(number, seen, _)| {
            let is_same = match seen {
                None => step["input"].is_null() && step["output"].is_null(),
                Some(Event::Input(channel, value)) => event("input") == Some((channel, *value)),
                // Where the test leaves the value open, any will do.
                Some(Event::Output(channel, value)) => match step["values"].is_null() {
                    true => step["output"] == **channel,
                    false => event("output") == Some((channel, *value)),
                },
                Some(Event::Silence) => false,
            };
            Some(*number) == taken && is_same
        });
        match next {
            Some((_, _, next)) => place = next,
            None => return Err(wrong("the model does not do this")),
        }
    }
    Ok(())
}

/// What is seen of a random walk; every other one has a fault.
fn events(machine: &Machine, random: &mut Random) -> Vec<Event> {
    let mut places = machine.closed(BTreeSet::from([Place::default()]));
    let mut events = Vec::new();
    for _ in 0..1 + random.below(6) {
        let mut possible: BTreeSet<Event> = places
            .iter()
            .flat_map(|place| machine.steps(place))
            .filter_map(|(_, event, _)| event)
            .collect();
        if !machine.after(&places, &Event::Silence).is_empty() {
            possible.insert(Event::Silence);
        }
        let possible: Vec<Event> = possible.into_iter().collect();
        let Some(event) = random.pick(&possible) else {
            break;
        };
        places = machine.after(&places, event);
        events.push(event.clone());
    }
    if random.coin() && !events.is_empty() {
        let at = random.below(events.len());
        events[at] = match (&events[at], random.below(3)) {
            (Event::Output(channel, value), 0) => Event::Output(channel, value + 1),
            (Event::Output(..) | Event::Input(..), 1) => Event::Silence,
            (Event::Output("p", value), _) => Event::Output("q", *value),
            (_, _) => Event::Output("p", random.below(RANGE as usize) as i64),
        };
    }
    events
}
