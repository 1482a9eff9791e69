//! How a program was compiled for a run, so that it can be once more.

use std::fs;
use std::path::{Path, PathBuf};
use suite::Recipe;

/// Why the tests of a run cannot be replayed natively.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayable {
    #[error("it does not say what program was run; run it again with this version")]
    NoRecipe,
    #[error(
        "the run called `{0}` on objects made for it, which no input of a program holds; \
         errors have unit tests beside them, testNNNNNN.c"
    )]
    Method(String),
    #[error("the run was in {}, which is gone", .0.display())]
    DirectoryGone(PathBuf),
}

/// The recipe, if the program it is of can be compiled and takes tests.
pub fn replayable(recipe: Option<&Recipe>) -> Result<&Recipe, NotReplayable> {
    let recipe = recipe.ok_or(NotReplayable::NoRecipe)?;
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
