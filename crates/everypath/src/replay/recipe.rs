//! How a program was compiled for a run, so that it can be once more.

use base::OneLine;
use std::fs;
use std::path::{Path, PathBuf};
use suite::{Recipe, RunReport};

/// Why the tests of a run cannot be replayed natively.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayable {
    #[error("it does not say what program was run; run it again with this version")]
    NoRecipe,
    #[error(
        "fuzzing keeps inputs and no tests; everypath run FILE --seed-dir DIR/inputs makes tests \
         of them"
    )]
    Fuzzed,
    #[error(
        "the run called `{0}` on objects made for it, which no input of a program holds; \
         errors have unit tests beside them, testNNNNNN.c"
    )]
    Method(String),
    #[error("the run was in {}, which is gone", .0.one_line())]
    DirectoryGone(PathBuf),
}

/// The recipe of a run, if the program it is of can be compiled and takes tests.
pub fn replayable(report: &RunReport) -> Result<&Recipe, NotReplayable> {
    match (&report.program, &report.fuzz) {
        (Some(recipe), _) => compilable(recipe),
        (None, Some(_)) => Err(NotReplayable::Fuzzed),
        (None, None) => Err(NotReplayable::NoRecipe),
    }
}

/// The same of a recipe at hand.
pub fn compilable(recipe: &Recipe) -> Result<&Recipe, NotReplayable> {
    if let Some(method) = &recipe.method {
        return Err(NotReplayable::Method(method.clone()));
    }
    match recipe.directory.is_dir() {
        true => Ok(recipe),
        false => Err(NotReplayable::DirectoryGone(recipe.directory.clone())),
    }
}

/// The program's files that are younger than `run_json`.
pub fn files_changed_since<'r>(recipe: &'r Recipe, run_json: &Path) -> Vec<&'r PathBuf> {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let Some(written) = changed(run_json) else {
        return Vec::new();
    };
    let is_younger = |file: &&PathBuf| changed(file).is_some_and(|time| time > written);
    recipe.files.iter().filter(is_younger).collect()
}
