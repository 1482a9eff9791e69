//! The program under test: its files, and how they are compiled.

use std::path::PathBuf;
use suite::Recipe;

/// Which program, and how it is compiled.
#[derive(clap::Args)]
pub struct ProgramArguments {
    /// The program: .c .cc .cpp .cxx .rs .ll .bc
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
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
    /// What is compiled and how; the session begins at `entry`.
    pub fn recipe(&self, entry: &str) -> Recipe {
        Recipe {
            include: self.include.clone(),
            define: self.define.clone(),
            std: self.std.clone(),
            optimise: self.optimise.clone(),
            googletest: self.gtest,
            cc_args: self.cc_arg.clone(),
            entry: entry.to_owned(),
            ..Recipe::of_files(&self.files)
        }
    }
}
