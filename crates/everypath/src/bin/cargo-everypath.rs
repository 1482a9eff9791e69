//! `cargo everypath`: the command that cargo looks for, which is `everypath cargo`.

use base::OneLine;
use std::env;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // Cargo gives the name of the subcommand first.
    let mut arguments = env::args_os().skip(1).peekable();
    arguments.next_if(|first| first == "everypath");
    let beside = env::current_exe().ok().and_then(|own| {
        let beside = own.parent()?.join("everypath");
        beside.exists().then_some(beside)
    });
    let everypath = beside.unwrap_or_else(|| "everypath".into());
    let status = Command::new(&everypath)
        .arg("cargo")
        .args(arguments)
        .status();
    match status {
        Ok(status) => ExitCode::from(
            status
                .code()
                .and_then(|it| u8::try_from(it).ok())
                .unwrap_or(2),
        ),
        Err(error) => {
            eprintln!("error: cannot run {}: {error}", everypath.one_line());
            ExitCode::from(2)
        }
    }
}
