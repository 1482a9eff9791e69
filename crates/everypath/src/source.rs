//! The program under test: its files, and how they are compiled.

use crate::check::{self, Check, Failing};
use crate::compile_commands::CompileCommands;
use crate::error::Error;
use std::path::PathBuf;
use suite::{Argument, Environment, Language, Recipe, TestFramework};

/// Which program, and how it is compiled.
#[derive(clap::Args)]
pub struct ProgramArguments {
    /// The program: .c .i .cc .cpp .cxx .rs .ll .bc, or what `everypath build` has built,
    /// programs, .so, .a and .o.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compiles files as the compile_commands.json of this build directory says.
    #[arg(short = 'p', long = "build-dir", value_name = "DIR")]
    build_directory: Option<PathBuf>,
    /// With -p, adds the other files of the targets that the files are part of.
    #[arg(long, requires = "build_directory")]
    whole_target: bool,
    /// A directory to search for headers.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// A macro to define; for Rust, a --cfg.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The language standard, for example c11; for Rust, the edition.
    #[arg(long)]
    pub std: Option<String>,
    /// The standard library of C++: libc++.
    #[arg(long, value_name = "NAME", value_parser = standard_library)]
    pub stdlib: Option<String>,
    /// The optimisation level of the compiler: 0, 1, 2, 3, s or z.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0")]
    pub optimise: String,
    /// The program is tests for GoogleTest: explores each TEST.
    #[arg(long)]
    pub gtest: bool,
    /// The program is tests for doctest: explores each TEST_CASE, and failed checks are errors.
    #[arg(long, conflicts_with = "gtest")]
    pub doctest: bool,
    /// The program is tests for Catch2: failed checks are errors.
    #[arg(long, conflicts_with_all = ["gtest", "doctest"])]
    pub catch2: bool,
    /// Compiles checks of the language in, each an error of its own kind: ub for all
    /// undefined behaviour. Separate several with commas.
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    check: Vec<Check>,
    /// A further argument for clang.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,
}

/// The one standard library of C++ that there is bitcode of.
fn standard_library(name: &str) -> Result<String, String> {
    match name {
        "libc++" => Ok(name.to_owned()),
        "libstdc++" => Err(
            "programs are compiled with libc++, whose sources clang compiles to bitcode; \
             GCC's library comes as machine code, which cannot be explored"
                .to_owned(),
        ),
        _ => Err("there is libc++".to_owned()),
    }
}

impl ProgramArguments {
    /// Asks for a program where none is given.
    pub fn must_name_files(&self) -> Result<(), Error> {
        match self.files.is_empty() {
            true => Err(Error::Usage(
                "which program? Name its files, as in everypath run program.c".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// The framework whose failed checks are errors.
    fn framework(&self) -> Option<TestFramework> {
        match (self.doctest, self.catch2) {
            (true, _) => Some(TestFramework::Doctest),
            (false, true) => Some(TestFramework::Catch2),
            (false, false) => None,
        }
    }

    /// What is around the program, and a seed for Catch2: without one it takes a random number
    /// and prints it, with a path for each length.
    pub fn seeded(&self, mut environment: Environment) -> Environment {
        const SEED: &str = "--rng-seed";
        let is_seed =
            |it: &Argument| matches!(it, Argument::Concrete(text) if text.starts_with(SEED));
        if self.catch2 && !environment.arguments.iter().any(is_seed) {
            let seed = [SEED, "1"].map(|it| Argument::Concrete(it.to_owned()));
            environment.arguments.extend(seed);
        }
        environment
    }

    /// The flags for checks, which are compiled in, so that something has to be compiled.
    fn check_flags(&self) -> Result<Vec<String>, Error> {
        let is_source =
            |file: &PathBuf| matches!(Language::of(file), Some(Language::C | Language::Cpp));
        if self.check.contains(&Check::Scope) && self.optimise != "0" {
            return Err(Error::Usage(
                "--check scope is for code that is not optimised: an optimiser may read a \
                 variable outside of its block; leave -O out"
                    .to_owned(),
            ));
        }
        match self.check.is_empty() || self.files.iter().any(is_source) {
            true => Ok(check::flags(&self.check, Failing::Handler)),
            false => Err(Error::Usage(
                "--check is for C and C++ files, which the checks are compiled into; build a \
                 project with `everypath build --check`"
                    .to_owned(),
            )),
        }
    }

    /// What is compiled and how; the session begins at `entry`.
    pub fn recipe(&self, entry: &str) -> Result<Recipe, Error> {
        let checks = self.check_flags()?;
        let mut files = self.files.clone();
        let mut commands = Vec::new();
        if let Some(directory) = &self.build_directory {
            commands = CompileCommands::read(directory)?.of(&self.files, self.whole_target)?;
            let others = commands.iter().filter(|it| !self.files.contains(&it.file));
            files.extend(others.map(|command| command.file.clone()));
        }
        Ok(Recipe {
            commands,
            include: self.include.clone(),
            define: self.define.clone(),
            std: self.std.clone(),
            optimise: self.optimise.clone(),
            googletest: self.gtest,
            framework: self.framework(),
            cc_args: self.cc_arg.iter().cloned().chain(checks).collect(),
            entry: entry.to_owned(),
            ..Recipe::of_files(&files)
        })
    }
}
