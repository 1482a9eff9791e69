//! Search guided by how near paths come to what nobody has reached.
//!
//! After Xie, Tillmann, de Halleux and Schulte (2009). A *run* follows one path to
//! its end; the states that fork off on the way wait to be runs themselves. A
//! *target* is something that was not reached, and a run tells how far it was from
//! each target it came by: its fitness. Where a run forked off from another by
//! taking some branch the other way, the difference of their fitness is what that
//! branch gained, and branches that gained much are worth flipping again, in runs
//! that are near already. A branch that was never flipped for a target is worth a
//! try whatever it is.
//!
//! The branches of a run that can be flipped are those where states forked off on
//! the way, and those where states forked off from the runs before it, on the part
//! of the path that they share. The latter are looked at for the nearest run alone.
//!
//! Targets take turns. One that came no nearer when its turn was used misses
//! twice as many turns as before, so that many hopeless ones do not take all the
//! time of one that is not; while no other wants its turn, it misses none.

use super::Searcher;
use super::interleaved::Interleaved;
use crate::frontier::Standing;
use crate::tree::Tree;
use base::Random;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Every other turn the fittest state, if there is one; otherwise as ever.
#[derive(Default)]
pub(super) struct FitnessGuided {
    fitness: Fitness,
    otherwise: Interleaved,
    turns: u64,
}

impl Searcher for FitnessGuided {
    fn add(&mut self, number: u32, standing: &Standing) {
        self.fitness.add(number, standing.branch);
        self.otherwise.add(number, standing);
    }

    fn remove(&mut self, number: u32) {
        self.fitness.begin(number);
        self.otherwise.remove(number);
    }

    fn choose(&mut self, tree: &Tree, random: &mut Random) -> u32 {
        self.turns += 1;
        let fittest = match self.turns % 2 {
            0 => self.fitness.choose(),
            _ => None,
        };
        fittest.unwrap_or_else(|| self.otherwise.choose(tree, random))
    }

    fn spent(&mut self, work: u64) {
        self.otherwise.spent(work);
    }

    fn note_distance(&mut self, target: u64, distance: f64) {
        self.fitness.note(target, distance);
    }

    fn aim(&self) -> Option<u64> {
        self.fitness.aim()
    }

    fn retain_targets(&mut self, open: &mut dyn FnMut(u64) -> bool) {
        self.fitness.retain(open);
    }
}

/// Turns that a target misses at most.
const LONGEST_PAUSE: u32 = 64;

/// Runs, the states that wait because of them, and what branches gained.
#[derive(Default)]
struct Fitness {
    runs: Vec<Run>,
    targets: Vec<Target>,
    gains: HashMap<(u64, u64), Gain>,
    /// By number of a waiting state: where it is kept.
    places: Vec<Option<Place>>,
    /// States that have waited so far.
    ages: u64,
    /// The target whose turn it is.
    turn: usize,
}

/// Where a state forked off: the run, the branch it took, and when.
#[derive(Clone, Copy)]
struct Place {
    run: usize,
    branch: u64,
    age: u64,
}

/// One path followed to its end.
#[derive(Default)]
struct Run {
    origin: Option<Place>,
    /// The target at hand, if it forked off from the path of the nearest run.
    aim: Option<u64>,
    /// Whether it told what its branch gained.
    learnt: bool,
    /// How near it came to targets.
    distances: HashMap<u64, f64>,
    /// The states that forked off and wait, with their ages, by the branch they
    /// took, the oldest first: it has the most of the path still to choose.
    waiting: BTreeMap<u64, VecDeque<(u64, u32)>>,
}

struct Target {
    id: u64,
    /// How near any run came, and which did.
    best: f64,
    nearest: usize,
    /// Turns to miss after the next one that brings nothing, and still to miss now.
    pause: u32,
    missing: u32,
}

#[derive(Default)]
struct Gain {
    sum: f64,
    count: u32,
}

impl Fitness {
    /// Begins a run with the state of this number, which no longer waits, and
    /// learns from the one that ended.
    pub fn begin(&mut self, number: u32) {
        self.learn();
        let origin = self.remove(number);
        let turn = self.targets.get(self.turn);
        let aim = turn.filter(|target| origin.is_some_and(|at| self.is_on_path(at, target)));
        let aim = aim.map(|target| target.id);
        self.runs.push(Run {
            origin,
            aim,
            ..Run::default()
        });
    }

    /// A state waits that forked off from the run by taking this branch.
    pub fn add(&mut self, number: u32, branch: u64) {
        if self.runs.is_empty() {
            self.runs.push(Run::default());
        }
        let run = self.runs.len() - 1;
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, None);
        }
        self.ages += 1;
        let age = self.ages;
        self.places[number as usize] = Some(Place { run, branch, age });
        let waiting = self.runs[run].waiting.entry(branch).or_default();
        waiting.push_back((age, number));
    }

    fn remove(&mut self, number: u32) -> Option<Place> {
        let place = self.places.get_mut(number as usize)?.take()?;
        let waiting = &mut self.runs[place.run].waiting;
        let same = waiting.get_mut(&place.branch)?;
        same.retain(|&(_, other)| other != number);
        if same.is_empty() {
            waiting.remove(&place.branch);
        }
        Some(place)
    }

    /// The run came this near to a target.
    pub fn note(&mut self, target: u64, distance: f64) {
        if !self.targets.iter().any(|known| known.id == target) {
            self.targets.push(Target {
                id: target,
                best: f64::INFINITY,
                nearest: 0,
                pause: 0,
                missing: 0,
            });
        }
        if let Some(run) = self.runs.last_mut() {
            let nearest = run.distances.entry(target).or_insert(distance);
            *nearest = nearest.min(distance);
        }
    }

    /// Forgets the targets that were reached.
    pub fn retain(&mut self, mut open: impl FnMut(u64) -> bool) {
        self.targets.retain(|target| open(target.id));
    }

    /// The gain of the branch that the last run took, for each target.
    fn learn(&mut self) {
        let last = self.runs.len().wrapping_sub(1);
        let Some(run) = self.runs.get(last).filter(|run| !run.learnt) else {
            return;
        };
        let origin = run
            .origin
            .map(|place| (place.branch, &self.runs[place.run]));
        for target in &mut self.targets {
            let now = run.distances.get(&target.id).copied();
            let best = target.best;
            if let Some(now) = now.filter(|&now| now < target.best) {
                target.best = now;
                target.nearest = last;
                target.pause = 0;
                target.missing = 0;
            }
            let Some((branch, origin)) = origin else {
                continue;
            };
            let before = match run.aim {
                None => origin.distances.get(&target.id).copied(),
                // It kept the inputs of the nearest run, but for the branch.
                Some(aim) => (aim == target.id).then_some(best),
            };
            if let Some(before) = before {
                let gain = self.gains.entry((target.id, branch)).or_default();
                // A run that does not even come by is farther than any that does.
                gain.sum += now.map_or(-1.0 - before, |now| before - now);
                gain.count += 1;
            }
        }
        self.runs[last].learnt = true;
    }

    /// The target whose nearest run the last one forked off from, somewhere on its
    /// path.
    pub fn aim(&self) -> Option<u64> {
        self.runs.last()?.aim
    }

    /// Whether a state that forked off there did so on the path of the run nearest
    /// to the target.
    fn is_on_path(&self, place: Place, target: &Target) -> bool {
        let mut path = self.path(target.nearest);
        path.any(|(run, until)| run == place.run && place.age < until)
    }

    /// The runs that a run's path goes through, each with the age of the state at
    /// which it leaves it.
    fn path(&self, run: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        std::iter::successors(Some((run, u64::MAX)), |&(run, _)| {
            let origin = self.runs.get(run)?.origin?;
            Some((origin.run, origin.age))
        })
    }

    /// The state to run next, if any came by a target.
    pub fn choose(&mut self) -> Option<u32> {
        self.learn();
        // Turns are missed for others that want theirs; if none does, nobody waits.
        for lap in 0..2 {
            for _ in 0..self.targets.len() {
                self.turn = (self.turn + 1) % self.targets.len();
                let target = &mut self.targets[self.turn];
                if lap == 0 && target.missing > 0 {
                    target.missing -= 1;
                    continue;
                }
                target.pause = (2 * target.pause + 1).min(LONGEST_PAUSE);
                target.missing = target.pause - 1;
                let (id, best, nearest) = (target.id, target.best, target.nearest);
                let found = self.fittest(id, best, nearest);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The state of least distance less gain; of several, one on the path of the
    /// nearest run, and then the oldest.
    fn fittest(&self, target: u64, best: f64, nearest: usize) -> Option<u32> {
        let mut fittest = Fittest::default();
        for (run, until) in self.path(nearest) {
            for (&branch, waiting) in &self.runs[run].waiting {
                let shared = waiting.front().filter(|&&(age, _)| age < until);
                let hope = best - self.gain(target, branch, best);
                fittest.consider(hope, shared.map(|&(_, number)| number));
            }
        }
        for run in self.runs.iter().filter(|run| !run.waiting.is_empty()) {
            let Some(&distance) = run.distances.get(&target) else {
                continue;
            };
            for (&branch, waiting) in &run.waiting {
                let hope = distance - self.gain(target, branch, distance);
                fittest.consider(hope, waiting.front().map(|&(_, number)| number));
            }
        }
        fittest.state
    }

    /// What a branch gained on average; one that was never tried may lead all the
    /// way.
    fn gain(&self, target: u64, branch: u64, distance: f64) -> f64 {
        match self.gains.get(&(target, branch)) {
            Some(gain) => gain.sum / f64::from(gain.count),
            None => distance,
        }
    }
}

/// The best of the states that were considered, and the distance hoped for.
#[derive(Default)]
struct Fittest {
    hope: f64,
    state: Option<u32>,
}

impl Fittest {
    fn consider(&mut self, hope: f64, state: Option<u32>) {
        if state.is_some() && (self.state.is_none() || hope < self.hope) {
            *self = Fittest { hope, state };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path is a row of choices; the target is that `goal` of them are taken.
    /// Gives the number of runs until it is reached by fitness alone.
    fn runs_until(length: usize, goal: usize) -> usize {
        let mut fitness = Fitness::default();
        let mut states: Vec<Vec<bool>> = vec![Vec::new()];
        fitness.add(0, 0);
        let mut next = 0;
        for runs in 1..10_000 {
            fitness.begin(next);
            let mut path = states[next as usize].clone();
            while path.len() < length {
                let other = [&path[..], &[true]].concat();
                states.push(other);
                fitness.add(states.len() as u32 - 1, 1);
                path.push(false);
            }
            let taken = path.iter().filter(|&&taken| taken).count();
            if taken == goal {
                return runs;
            }
            fitness.note(7, goal.abs_diff(taken) as f64);
            next = fitness.choose().expect("a state waits");
        }
        panic!("the target was not reached")
    }

    #[test]
    fn a_counter_is_driven_up_one_run_at_a_time() {
        assert_eq!(runs_until(150, 110), 111);
    }

    #[test]
    fn targets_without_hope_do_not_stop_the_others() {
        let mut fitness = Fitness::default();
        for number in 0..2000 {
            fitness.add(number, u64::from(number % 2));
        }
        fitness.begin(0);
        for number in 2000..4000 {
            fitness.add(number, u64::from(number % 2));
        }
        for target in 0..100 {
            fitness.note(target, 5.0);
        }
        // Only the last target comes nearer, run by run.
        let mut near = 0;
        for run in 0..1000 {
            let number = fitness.choose().expect("a state waits");
            let was_for_last = fitness.targets[fitness.turn].id == 99;
            near += usize::from(was_for_last);
            fitness.begin(number);
            for target in 0..99 {
                fitness.note(target, 5.0);
            }
            fitness.note(99, 5.0 - f64::from(run) / 1000.0);
            fitness.add(4000 + run, 0);
        }
        assert!(near > 100, "{near} of 1000");
    }

    #[test]
    fn a_target_that_was_reached_is_no_longer_looked_for() {
        let mut fitness = Fitness::default();
        fitness.add(0, 0);
        fitness.begin(0);
        fitness.add(1, 1);
        fitness.note(7, 2.0);
        fitness.retain(|target| target != 7);
        assert_eq!(fitness.choose(), None);
    }
}
