//! The generational search: a queue of inputs by how much new code they reached.

use crate::bytes::{ByteLevel, BytePath, hash_of};
use crate::candidate::{Candidate, OpenCandidates, Waiting};
use crate::language::{Language, WordPath};
use crate::queue::Score;
use crate::spelling::Piece;
use engine::policy::Step;
use engine::policy::generational::{Marked, Traced, Tracer};
use grammar::Random;
use machine::{End, Machine, State};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Runs without new code after which words are drawn at random, where there are
/// words to draw.
const PATIENCE: u64 = 100;

/// Words drawn then, after each input that is expanded.
const DRAWN: usize = 4;

/// Words put together from two others after each input that is expanded.
const SPLICED: usize = 12;

/// Runs after which an input that has more conditions to flip waits again.
const SLICE: u64 = 50;

/// How often an input that reached new code is tried in other spellings.
const RESPELLINGS: usize = 3;

/// What inputs are made of.
pub enum Level<'g> {
    /// Bytes, as the solver wants them.
    Bytes(ByteLevel),
    /// Words of a grammar.
    Words(Box<Language<'g>>),
}

/// An input to begin with.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The input.
    pub input: Vec<u8>,
    /// The letters of the grammar that it is made of, where that is known.
    pub pieces: Option<Vec<Piece>>,
}

/// How to fuzz.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What random choices depend on.
    pub seed: u64,
    /// Stops after this many runs.
    pub runs: Option<u64>,
    /// Instructions after which a run is not followed further.
    pub instructions: u64,
}

/// A run on an input.
pub struct Run<'a> {
    /// The input.
    pub input: &'a [u8],
    /// The run's last state.
    pub state: &'a State,
    /// How it ended; none when it was not followed that far.
    pub end: Option<&'a End>,
    /// Blocks and edges that no run before had reached.
    pub new_coverage: u64,
}

/// What happens, told as it happens.
pub trait Observer {
    /// The program ran on an input for the first time.
    fn ran(&mut self, machine: &mut Machine<'_>, run: &Run<'_>);

    /// Called after every flip and every run; whether to stop.
    fn stops(&mut self, machine: &Machine<'_>, counts: &Counts) -> bool;

    /// Whether others take part, and hear of inputs that wait.
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether to be told now which inputs wait.
    fn wants_open(&mut self) -> bool {
        false
    }

    /// Whether others want some of what waits.
    fn wants_gift(&mut self) -> bool {
        false
    }

    /// What changed among the inputs that wait.
    fn open(&mut self, _: OpenCandidates, _: &Machine<'_>, _: &Counts) {}
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Runs on different inputs.
    pub runs: u64,
    /// Conditions that were flipped.
    pub flips: u64,
    /// Flips that gave an input.
    pub solved: u64,
    /// Runs that left the path their input was made for.
    pub divergences: u64,
    /// Runs in which the tokeniser returned other tokens than the input was made of.
    pub misread: u64,
    /// Prefixes that no word of the grammar has.
    pub impossible: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Inputs that wait to be expanded.
    pub waiting: u64,
    /// The latest generation.
    pub generation: u32,
}

impl Counts {
    /// Adds what was done elsewhere; what waits is where it waits.
    pub fn add(&mut self, other: &Counts) {
        self.runs += other.runs;
        self.flips += other.flips;
        self.solved += other.solved;
        self.divergences += other.divergences;
        self.misread += other.misread;
        self.impossible += other.impossible;
        self.instructions += other.instructions;
        self.generation = self.generation.max(other.generation);
    }

    /// What was done since then.
    pub fn since(&self, before: &Counts) -> Counts {
        Counts {
            runs: self.runs - before.runs,
            flips: self.flips - before.flips,
            solved: self.solved - before.solved,
            divergences: self.divergences - before.divergences,
            misread: self.misread - before.misread,
            impossible: self.impossible - before.impossible,
            instructions: self.instructions - before.instructions,
            ..*self
        }
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every condition was flipped.
    Complete,
    /// There were as many runs as wanted.
    Runs,
    /// The observer wanted it.
    Stopped,
}

/// What a search remembers of the inputs it ran on.
#[derive(Default)]
pub struct Memory {
    /// Words that reached new code.
    corpus: Vec<Vec<Piece>>,
    /// What runs did in short, by hash.
    features: FxHashSet<u64>,
    /// Inputs that the program ran on.
    met: FxHashSet<u64>,
}

/// Where a search begins.
pub enum Begin<'a> {
    /// With these inputs.
    Seeds(&'a [Seed]),
    /// In the middle of another, with what waits there.
    Candidates(Vec<Candidate>),
}

/// A search that is over.
pub struct Ended {
    /// Why.
    pub outcome: Outcome,
    /// What was done.
    pub counts: Counts,
    /// What waits still.
    pub waiting: Vec<Candidate>,
}

/// Runs the program on the first inputs, then on what follows from them.
pub fn fuzz(
    tracer: &mut Tracer<'_>,
    level: &mut Level<'_>,
    begin: Begin<'_>,
    settings: &Settings,
    memory: &mut Memory,
    observer: &mut impl Observer,
) -> Ended {
    let waiting = Waiting::new(observer.is_shared());
    let mut search = Search {
        tracer,
        level,
        settings,
        observer,
        random: Random::new(settings.seed),
        waiting,
        memory,
        counts: Counts::default(),
        last_new: 0,
    };
    let outcome = match search.go(begin) {
        Ok(()) => Outcome::Complete,
        Err(outcome) => outcome,
    };
    Ended {
        outcome,
        counts: search.counts,
        waiting: search.waiting.into_all(),
    }
}

struct Search<'s, 'p, 'g, O> {
    tracer: &'s mut Tracer<'p>,
    level: &'s mut Level<'g>,
    settings: &'s Settings,
    observer: &'s mut O,
    random: Random,
    waiting: Waiting,
    memory: &'s mut Memory,
    counts: Counts,
    /// The number of the last run that reached new code.
    last_new: u64,
}

/// The constraints of a path up to one of its conditions.
enum Path {
    Bytes(BytePath),
    Words(WordPath),
}

impl<O: Observer> Search<'_, '_, '_, O> {
    fn go(&mut self, begin: Begin<'_>) -> Result<(), Outcome> {
        match begin {
            Begin::Seeds(seeds) => self.plant(seeds)?,
            Begin::Candidates(candidates) => {
                for candidate in candidates {
                    self.memory.met.insert(hash_of(&candidate.input));
                    self.waiting.put(candidate, &mut self.random);
                }
            }
        }
        loop {
            match self.waiting.next() {
                Some(next) => self.expand(next)?,
                // Words that were drawn may all have been met before.
                None if !self.draw(DRAWN * DRAWN)? => return Ok(()),
                None => {}
            }
            self.waiting.finish();
            self.splice(SPLICED)?;
            if self.counts.runs > self.last_new + PATIENCE {
                self.draw(DRAWN)?;
            }
        }
    }

    /// Runs on the inputs to begin with.
    fn plant(&mut self, seeds: &[Seed]) -> Result<(), Outcome> {
        for seed in seeds {
            self.root(seed.input.clone(), seed.pieces.clone())?;
        }
        if let Level::Words(language) = self.level
            && let Some(pieces) = language.shortest(&mut self.random)
        {
            let input = language.text(&pieces);
            self.root(input, Some(pieces))?;
        } else if seeds.is_empty() {
            self.root(Vec::new(), None)?;
        }
        Ok(())
    }

    fn root(&mut self, input: Vec<u8>, pieces: Option<Vec<Piece>>) -> Result<(), Outcome> {
        self.try_out(Candidate::root(input, pieces), None)
    }

    /// Runs on words drawn at random; whether there was one that is new.
    fn draw(&mut self, count: usize) -> Result<bool, Outcome> {
        let before = self.counts.runs;
        for _ in 0..count {
            let Level::Words(language) = &*self.level else {
                return Ok(false);
            };
            if let Some(pieces) = language.draw(&mut self.random) {
                let input = language.text(&pieces);
                self.root(input, Some(pieces))?;
            }
        }
        Ok(self.counts.runs > before)
    }

    /// Runs on words put together from two that reached new code.
    fn splice(&mut self, count: usize) -> Result<(), Outcome> {
        for _ in 0..count {
            let Level::Words(language) = &*self.level else {
                return Ok(());
            };
            let Some(most) = self.memory.corpus.len().checked_sub(1) else {
                return Ok(());
            };
            let [into, what] = [0, 0].map(|_| self.random.below(most + 1));
            let (into, what) = (&self.memory.corpus[into], &self.memory.corpus[what]);
            if let Some(pieces) = language.splice(into, what, &mut self.random) {
                let input = language.text(&pieces);
                self.root(input, Some(pieces))?;
            }
        }
        Ok(())
    }

    fn marked(&self) -> Marked {
        match &*self.level {
            Level::Bytes(level) => level.marked(),
            Level::Words(language) => language.marked(),
        }
    }

    fn trace(&mut self, input: &[u8]) -> Traced {
        let marked = self.marked();
        let traced = (self.tracer).trace(input, marked, self.settings.instructions);
        self.counts.instructions += traced.state.progress.instructions;
        traced
    }

    /// Flips every condition after the candidate's bound.
    fn expand(&mut self, candidate: Candidate) -> Result<(), Outcome> {
        if candidate.score.new_coverage > 0 {
            self.respell(&candidate)?;
        }
        let traced = self.trace(&candidate.input);
        let most = self.counts.runs + SLICE;
        let steps: Vec<Step> = traced.steps().to_vec();
        let mut path = match &mut *self.level {
            Level::Bytes(level) => Path::Bytes(level.begin(&candidate.input, &traced.state.model)),
            Level::Words(language) => Path::Words(language.begin(&traced.tokens, &candidate.input)),
        };
        drop(traced);
        for (at, step) in steps.iter().enumerate() {
            if at >= candidate.bound {
                self.counts.flips += 1;
                let children = self.flip(&path, step, &candidate, at);
                // Flips without a solution take time too.
                self.look()?;
                for child in children {
                    self.try_out(child, Some(&steps[..=at]))?;
                }
                self.waiting.advance(at + 1);
                if self.counts.runs >= most {
                    self.put_back(candidate, at + 1);
                    return Ok(());
                }
            }
            match (&mut *self.level, &mut path) {
                (Level::Bytes(level), Path::Bytes(path)) => {
                    level.advance(&mut self.tracer.machine, path, step)
                }
                (Level::Words(language), Path::Words(path)) => {
                    language.advance(&mut self.tracer.machine, path, step);
                }
                _ => unreachable!("a path is made by its level"),
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), Outcome> {
        let machine = &self.tracer.machine;
        let gives = self.observer.wants_gift();
        if gives || self.observer.wants_open() {
            let change = self.waiting.take_change(gives, &mut self.random);
            self.observer.open(change, machine, &self.counts);
        }
        let stop = &machine.options.stop;
        match self.observer.stops(machine, &self.counts) || stop.is_set() {
            true => Err(Outcome::Stopped),
            false => Ok(()),
        }
    }

    fn flip(
        &mut self,
        path: &Path,
        step: &Step,
        candidate: &Candidate,
        at: usize,
    ) -> Vec<Candidate> {
        let child = |input: Vec<u8>, pieces: Option<Vec<Piece>>| Candidate {
            input,
            pieces,
            bound: at + 1,
            generation: candidate.generation + 1,
            score: Score::default(),
        };
        let children: Vec<Candidate> = match (&mut *self.level, path) {
            (Level::Bytes(level), Path::Bytes(path)) => {
                let inputs = level.flip(&mut self.tracer.machine, path, step, &mut self.random);
                inputs.into_iter().map(|input| child(input, None)).collect()
            }
            (Level::Words(language), Path::Words(path)) => {
                let before = candidate.pieces.as_deref().unwrap_or_default();
                let words = language.flip(
                    &mut self.tracer.machine,
                    path,
                    step,
                    before,
                    &mut self.random,
                );
                self.counts.impossible = language.impossible;
                let words = words.into_iter();
                words
                    .map(|pieces| child(language.text(&pieces), Some(pieces)))
                    .collect()
            }
            _ => unreachable!("a path is made by its level"),
        };
        self.counts.solved += u64::from(!children.is_empty());
        children
    }

    /// Lets a candidate wait whose conditions up to `bound` are flipped. It has less
    /// to offer than before.
    fn put_back(&mut self, candidate: Candidate, bound: usize) {
        let score = Score {
            new_coverage: candidate.score.new_coverage / 2,
            novelty: candidate.score.novelty / 2,
        };
        let candidate = Candidate {
            bound,
            score,
            ..candidate
        };
        self.waiting.put(candidate, &mut self.random);
    }

    /// How much of what the run did in short no run did before: of three tokens
    /// that follow each other, or two conditions.
    fn novelty(&mut self, traced: &Traced) -> u64 {
        let steps = traced.steps();
        let way = |step: &Step| (step.location(), step.successor());
        let features: Vec<u64> = match traced.tokens.is_empty() {
            false => traced
                .tokens
                .windows(3)
                .map(|three| hash_of(&three))
                .collect(),
            true => {
                let pairs = steps.windows(2);
                pairs
                    .map(|two| hash_of(&(way(&two[0]), way(&two[1]))))
                    .collect()
            }
        };
        let new = features
            .into_iter()
            .filter(|&feature| self.memory.features.insert(feature));
        new.count() as u64
    }

    /// Tries the same tokens in other spellings.
    fn respell(&mut self, candidate: &Candidate) -> Result<(), Outcome> {
        let Some(pieces) = &candidate.pieces else {
            return Ok(());
        };
        for _ in 0..RESPELLINGS {
            let Level::Words(language) = &*self.level else {
                return Ok(());
            };
            let Some(pieces) = language.respell(pieces, &mut self.random) else {
                return Ok(());
            };
            let again = Candidate {
                input: language.text(&pieces),
                pieces: Some(pieces),
                ..candidate.clone()
            };
            self.try_out(again, None)?;
        }
        Ok(())
    }

    /// Runs on an input that is new, and lets it wait; `meant` are the conditions
    /// up to the flipped one, which is to go another way.
    fn try_out(&mut self, mut candidate: Candidate, meant: Option<&[Step]>) -> Result<(), Outcome> {
        if !self.memory.met.insert(hash_of(&candidate.input)) {
            return Ok(());
        }
        let traced = self.trace(&candidate.input);
        self.counts.runs += 1;
        if traced.new_coverage > 0 {
            self.last_new = self.counts.runs;
            if traced.end.is_some() {
                self.memory.corpus.extend(candidate.pieces.clone());
            }
        }
        if let (Level::Words(language), Some(pieces)) = (&*self.level, &candidate.pieces)
            && !language.reads(pieces, &traced.tokens)
        {
            self.counts.misread += 1;
            candidate.pieces = None;
        }
        if let Some((flipped, before)) = meant.and_then(<[Step]>::split_last) {
            // Which ways of a switch were not gone depends on which one was.
            let others = before.iter().rev();
            let others = others.take_while(|step| step.location() == flipped.location());
            let before = &before[..before.len() - others.count()];
            let same = |(a, b): &(&Step, &Step)| {
                (a.location(), a.successor()) == (b.location(), b.successor())
            };
            let common = before.iter().zip(traced.steps()).take_while(same).count();
            if common < before.len() {
                self.counts.divergences += 1;
                candidate.bound = common;
            }
        }
        let run = Run {
            input: &candidate.input,
            state: &traced.state,
            end: traced.end.as_ref(),
            new_coverage: traced.new_coverage,
        };
        self.observer.ran(&mut self.tracer.machine, &run);
        self.counts.generation = self.counts.generation.max(candidate.generation);
        let novelty = self.novelty(&traced);
        candidate.score = Score {
            new_coverage: traced.new_coverage,
            novelty,
        };
        // What does not end costs more than it is worth, unless it reached new code.
        if traced.end.is_some() || traced.new_coverage > 0 {
            self.waiting.put(candidate, &mut self.random);
        }
        self.counts.waiting = self.waiting.len() as u64;
        self.look()?;
        match self.settings.runs {
            Some(most) if self.counts.runs >= most => Err(Outcome::Runs),
            _ => Ok(()),
        }
    }
}
