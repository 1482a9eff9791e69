//! `everypath report`: a run as one page.
//!
//! The run wrote down what cannot be had again; the rest comes from following its tests
//! once more. Where the program is gone or has no path to follow, the page says so and
//! shows what there is.

pub mod document;
mod followed;
pub mod tree;

use crate::Outcome;
use crate::error::Error;
use crate::output::say;
use base::{OneLine, Stop};
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use suite::RunDirectory;

/// Writes one page that shows a run: errors, source, execution tree, tests, solver time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath report
  everypath report everypath-out-3 --html run.html

The page needs no other file and no network. Tests are followed again to show what each
takes; a program that has changed since the run is noted.

Exit status: 0 the page was written; 2 it could not be.")]
pub struct Arguments {
    /// A directory that everypath run, fuzz, stage or model has written.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    directory: PathBuf,
    /// The page [default: report.html in the directory].
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Does not open the page on a desktop.
    #[arg(long)]
    no_open: bool,
}

/// The page in the directory of a run or a model.
pub const PAGE: &str = "report.html";

/// Writes the page; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let directory = match RunDirectory::open(&arguments.directory) {
        Ok(directory) => directory,
        Err(error) => return show_written(arguments).unwrap_or(Err(error.into())),
    };
    let document = document::whole(&arguments.directory, &directory, stop)?;
    let default = directory.path.join(PAGE);
    let path = arguments.html.as_ref().unwrap_or(&default);
    let page = ::report::page(&document);
    base::files::write_whole(path, page.as_bytes()).map_err(Error::writing(path))?;
    show(path, arguments)
}

/// Shows the page of a model, which the commands of models write themselves.
fn show_written(arguments: &Arguments) -> Option<Result<Outcome, Error>> {
    let written = arguments.directory.join(PAGE);
    if !written.is_file() {
        return None;
    }
    let Some(path) = &arguments.html else {
        return Some(show(&written, arguments));
    };
    let copied = std::fs::copy(&written, path).map_err(Error::writing(path));
    Some(copied.and_then(|_| show(path, arguments)))
}

/// Says where a page is, and opens it.
fn show(path: &Path, arguments: &Arguments) -> Result<Outcome, Error> {
    say(&path.one_line())?;
    if !arguments.no_open && std::io::stdout().is_terminal() {
        open(path.as_os_str());
    }
    Ok(Outcome::Clean)
}

/// Opens a page where there is a desktop to do it; elsewhere its name was printed.
pub fn open(page: &OsStr) {
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if has_desktop {
        let mut opener = Command::new("xdg-open");
        let quiet = opener.stdout(Stdio::null()).stderr(Stdio::null());
        // A desktop without an opener has the name of the page all the same.
        let _ = quiet.arg(page).spawn();
    }
}
