//! Two versions of a method, as `stage diff` compares them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of comparing two versions of a method on the same objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionComparison {
    /// Paths of the old version; those of the new one are the run's.
    pub old_paths: u64,
    /// Pairs of paths of which the solver could not tell whether they differ.
    pub undecided: u64,
    /// Whether some inputs were not compared, or some paths not explored.
    pub partial: bool,
    /// Objects for which the versions differ, one for each pair of paths.
    pub differences: Vec<BehaviourDifference>,
}

/// Objects and other inputs for which two versions of a method behave differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BehaviourDifference {
    /// The objects of each argument, a line for each object.
    pub objects: Vec<Vec<String>>,
    /// The other inputs, a line for each.
    pub inputs: Vec<String>,
    /// What differs.
    pub changes: Vec<Change>,
}

/// Something that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// What it is.
    pub kind: ChangeKind,
    /// Where it is: a field, or nothing for an error and for output.
    pub place: String,
    /// What it is in the old version.
    pub old: String,
    /// What it is in the new one.
    pub new: String,
}

/// What can differ between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// What the method returned.
    Result,
    /// What its objects and its other parameters point to hold afterwards.
    State,
    /// How the path ended.
    Error,
    /// What was written.
    Output,
}
