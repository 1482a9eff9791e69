//! How a program was compiled for a run, so that it can be once more.

use crate::error::Error;
use program::{CompileOptions, OptLevel};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use suite::TestCase;

/// What `run.json` says of the program.
pub struct Recipe {
    pub files: Vec<PathBuf>,
    /// Where the run's compiler worked.
    pub directory: PathBuf,
    /// The function the run began at.
    pub entry: String,
    include: Vec<String>,
    define: Vec<String>,
    std: Option<String>,
    optimise: String,
    cc_args: Vec<String>,
    pub libraries: Vec<PathBuf>,
    /// Whether the last input of each test is its standard input.
    pub stdin: bool,
}

impl Recipe {
    pub fn read(run: &Json) -> Result<Recipe, String> {
        let program = run
            .get("program")
            .ok_or("it does not say what program was run; run it again with this version")?;
        let text = |name: &str| {
            let value = program.get(name).and_then(Json::as_str);
            value.map(str::to_owned)
        };
        let texts = |name: &str| -> Result<Vec<String>, String> {
            let values = program.get(name).and_then(Json::as_array);
            let values = values.map(|all| all.iter().map(|one| Some(one.as_str()?.to_owned())));
            let values: Option<Vec<String>> = values.and_then(Iterator::collect);
            values.ok_or_else(|| format!("`program.{name}` is not a list of texts"))
        };
        if let Some(method) = text("method") {
            return Err(format!(
                "the run called `{method}` on objects made for it, which no input of a program holds; \
                 errors have unit tests beside them, testNNNNNN.c"
            ));
        }
        let directory = text("directory").unwrap_or_else(|| ".".to_owned());
        if !Path::new(&directory).is_dir() {
            return Err(format!("the run was in {directory}, which is gone"));
        }
        Ok(Recipe {
            files: texts("files")?.into_iter().map(PathBuf::from).collect(),
            directory: directory.into(),
            entry: text("entry").ok_or("`program.entry` is not a text")?,
            include: texts("include")?,
            define: texts("define")?,
            std: text("std"),
            optimise: text("optimise").unwrap_or_else(|| "0".to_owned()),
            cc_args: texts("cc_args")?,
            libraries: texts("libraries")?.into_iter().map(PathBuf::from).collect(),
            stdin: program.get("stdin").is_some_and(|most| !most.is_null()),
        })
    }

    /// The program's files that are younger than `run_json`.
    pub fn files_changed_since(&self, run_json: &Path) -> Vec<&PathBuf> {
        let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
        let Some(written) = changed(run_json) else {
            return Vec::new();
        };
        let is_younger = |file: &&PathBuf| changed(file).is_some_and(|time| time > written);
        self.files.iter().filter(is_younger).collect()
    }

    /// Whether sanitizers watch all of the program: they are put in where C
    /// is compiled, and LLVM files have that behind them.
    pub fn is_checked(&self, sanitize: bool) -> bool {
        sanitize && !self.files.iter().any(|file| is_llvm(file))
    }

    pub fn is_optimised(&self) -> bool {
        self.optimise != "0"
    }

    pub fn is_cpp(&self) -> bool {
        self.files.iter().any(|file| is_cpp(file))
    }

    pub fn is_rust(&self) -> bool {
        self.files.iter().any(|file| extension(file) == "rs")
    }

    /// The standard input of a test and how many of its inputs come before it.
    pub fn stdin_of<'t>(&self, case: &'t TestCase) -> (usize, &'t [u8]) {
        match case.inputs.split_last() {
            Some((last, before)) if self.stdin && last.name == machine::STDIN => {
                (before.len(), &last.bytes)
            }
            _ => (case.inputs.len(), &[]),
        }
    }

    /// How the program's files are compiled.
    pub fn compile_options(&self, headers: &Path) -> Result<CompileOptions, Error> {
        let level = OptLevel::named(&self.optimise);
        Ok(CompileOptions {
            clang: None,
            directory: Some(self.directory.clone()),
            include_dirs: self.include.iter().map(PathBuf::from).collect(),
            headers: Some(headers.to_owned()),
            defines: self.define.clone(),
            std: self.std.clone(),
            opt_level: level
                .ok_or_else(|| Error::Usage(format!("there is no -O{}", self.optimise)))?,
            cc_args: self.cc_args.clone(),
        })
    }
}

fn extension(file: &Path) -> &str {
    file.extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
}

fn is_llvm(file: &Path) -> bool {
    matches!(extension(file), "ll" | "bc")
}

fn is_cpp(file: &Path) -> bool {
    matches!(extension(file), "cc" | "cpp" | "cxx")
}
