//! The program under test: its files, and how they are compiled.

use crate::error::Error;
use crate::scratch::Scratch;
use program::{CompileOptions, LoadOptions, OptLevel, Program};
use std::path::PathBuf;

/// Which program, and how it is compiled.
#[derive(clap::Args)]
pub struct ProgramArguments {
    /// The program: .c .cc .cpp .cxx .rs .ll .bc
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A directory to look for headers in.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// A macro to define; for Rust a --cfg.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The language standard, for example c11; of Rust the edition.
    #[arg(long)]
    pub std: Option<String>,
    /// How much clang optimises: 0, 1, 2, 3, s or z.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0")]
    pub optimise: String,
    /// An argument for clang.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,
}

impl ProgramArguments {
    /// Whether the compiler leaves the program as it is written.
    pub fn is_unoptimised(&self) -> bool {
        self.optimise == "0"
    }

    /// The program, compiled with these arguments beside the user's; `promote` puts
    /// locals into registers.
    pub fn load(&self, flags: &[&str], promote: bool) -> Result<Program, Error> {
        let opt_level = OptLevel::named(&self.optimise).ok_or_else(|| {
            let level = &self.optimise;
            Error::Usage(format!("there is no -O{level}; use 0, 1, 2, 3, s or z"))
        })?;
        // The headers are files for as long as the compiler needs them.
        let scratch = Scratch::new()?;
        let flags = flags.iter().map(|&flag| flag.to_owned());
        let options = LoadOptions {
            compile: CompileOptions {
                include_dirs: self.include.clone(),
                headers: Some(scratch.headers()?),
                defines: self.define.clone(),
                std: self.std.clone(),
                opt_level,
                cc_args: self.cc_arg.iter().cloned().chain(flags).collect(),
                ..CompileOptions::default()
            },
            promote,
            library: machine::runtime::LIBRARY,
            ..LoadOptions::default()
        };
        Ok(program::load(&self.files, &options)?)
    }
}
