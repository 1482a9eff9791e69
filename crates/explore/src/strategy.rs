//! The ways of choosing the next state.

use std::fmt;
use std::str::FromStr;

/// How the next state is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The newest first: follows one path to its end.
    Dfs,
    /// The oldest first.
    Bfs,
    /// A random walk down the tree of forks.
    RandomPath,
    /// Any state, all alike.
    RandomState,
    /// States that lately reached new code are likelier.
    CoverageNew,
    /// Shallow states are likelier.
    Depth,
    /// States that executed little are likelier.
    Instructions,
    /// New coverage, the most inputs, random paths and dives, each with its share of the work.
    #[default]
    Interleaved,
    /// Paths that came near to what was not reached, in turn with all of that.
    Fitness,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 9] = [
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::RandomPath,
        Strategy::RandomState,
        Strategy::CoverageNew,
        Strategy::Depth,
        Strategy::Instructions,
        Strategy::Interleaved,
        Strategy::Fitness,
    ];

    /// Whether it prefers what leads to new code.
    pub fn seeks_coverage(self) -> bool {
        matches!(
            self,
            Strategy::CoverageNew | Strategy::Interleaved | Strategy::Fitness
        )
    }

    /// Whether a state that was taken is run to its end before another is.
    pub fn finishes_runs(self) -> bool {
        self == Strategy::Fitness
    }

    /// Whether it walks down the tree of forks.
    pub(crate) fn walks(self) -> bool {
        matches!(
            self,
            Strategy::RandomPath | Strategy::Interleaved | Strategy::Fitness
        )
    }

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::RandomPath => "random-path",
            Strategy::RandomState => "random-state",
            Strategy::CoverageNew => "coverage-new",
            Strategy::Depth => "depth",
            Strategy::Instructions => "instructions",
            Strategy::Interleaved => "interleaved",
            Strategy::Fitness => "fitness",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(name: &str) -> Result<Strategy, String> {
        let known = Strategy::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name);
        known.ok_or_else(|| {
            let names = Strategy::ALL.map(Strategy::name).join(", ");
            format!("there is no strategy `{name}`; choose one of {names}")
        })
    }
}
