//! The helper process alone: what an embedding program does in a hidden
//! subcommand of its own. The tests and benchmarks of this crate use it.

use std::process::ExitCode;

fn main() -> ExitCode {
    match oracle::serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oracle-helper: {error}");
            ExitCode::from(2)
        }
    }
}
