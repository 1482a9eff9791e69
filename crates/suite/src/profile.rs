//! Where a run's time went and how it got on: `profile.json`, which reports read.
//!
//! It is beside `run.json` and not in it: nobody who compares runs wants to compare
//! this, and a run that was killed may lack it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

use crate::file;
use crate::{CallCosts, SuiteError};

pub(crate) const PROFILE: &str = "profile.json";

/// What `profile.json` holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// Lines whose conditions took the solver's time, the most expensive first.
    pub costs: Vec<LineCost>,
    /// The same by the calls that led to the lines.
    #[serde(default, skip_serializing_if = "CallCosts::is_empty")]
    pub calls: CallCosts,
    /// How far the run was, from its start to its end.
    pub curve: Vec<Sample>,
}

/// What the conditions of a line cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineCost {
    /// The function.
    pub function: String,
    /// The source file, as coverage names it; empty where the compiler says none.
    pub file: String,
    /// The line, from one; 0 where the compiler says none.
    pub line: u32,
    /// Queries that were made there.
    pub queries: u64,
    /// The time they took.
    pub seconds: f64,
}

/// How far a run was at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Since its start.
    pub seconds: f64,
    /// Paths that had ended.
    pub paths: u64,
    /// Those of them that ended in an error.
    pub errors: u64,
    /// Blocks and edges of the program that were reached.
    pub covered: u64,
    /// States that waited.
    pub waiting: u64,
}

impl Profile {
    /// Reads the profile of the run in this directory; an empty one where there is none.
    ///
    /// # Errors
    ///
    /// When the file is there and is not a profile.
    pub fn read(directory: &Path) -> Result<Profile, SuiteError> {
        let path = directory.join(PROFILE);
        if !path.is_file() {
            return Ok(Profile::default());
        }
        let bytes = file::read(&path)?;
        serde_json::from_slice(&bytes).map_err(|source| SuiteError::RunJson { path, source })
    }
}

/// The samples of a run, at most so many however long it takes: when they are too many,
/// every other one goes, and the next come half as often.
#[derive(Clone, Debug)]
pub struct Curve {
    samples: Vec<Sample>,
    /// Seconds between two samples.
    every: f64,
}

impl Default for Curve {
    fn default() -> Curve {
        Curve {
            samples: vec![Sample::default()],
            every: 0.01,
        }
    }
}

impl Curve {
    const MOST: usize = 512;

    /// Whether it is time for another sample.
    pub fn is_due(&self, seconds: f64) -> bool {
        let last = self.samples.last().map_or(0.0, |last| last.seconds);
        seconds >= last + self.every
    }

    /// Adds a sample.
    pub fn add(&mut self, sample: Sample) {
        if self.samples.len() == Curve::MOST {
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
            self.every *= 2.0;
        }
        self.samples.push(sample);
    }

    /// The samples so far.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// All samples.
    pub fn into_samples(self) -> Vec<Sample> {
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_as_many_samples_as_a_short_one() {
        let mut curve = Curve::default();
        let mut seconds = 0.0;
        while seconds < 1000.0 {
            if curve.is_due(seconds) {
                curve.add(Sample {
                    seconds,
                    ..Sample::default()
                });
            }
            seconds += 0.005;
        }
        let samples = curve.into_samples();
        assert!((Curve::MOST / 4..=Curve::MOST).contains(&samples.len()));
        assert!(samples.is_sorted_by(|a, b| a.seconds < b.seconds));
        assert!(samples.last().is_some_and(|last| last.seconds > 990.0));
    }
}
