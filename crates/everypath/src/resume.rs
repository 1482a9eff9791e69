//! `everypath run --resume DIR`: a run that was interrupted goes on.

use crate::Outcome;
use crate::error::Error;
use crate::explored::{self, Explored};
use crate::ranges::journal::{self, Interrupted, Journal};
use crate::run::{self, Arguments, Begun};
use crate::session_error;
use crate::stage;
use base::{OneLine, Stop};
use engine::{Books, Session};
use std::path::Path;
use suite::{Finding, OutputDirectory};

/// Goes on with the run in this directory, under the limits given now.
pub fn run(directory: &Path, given: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let path = std::fs::canonicalize(directory).map_err(Error::reading(directory))?;
    let Some(run) = journal::read(&path)? else {
        return Err(Error::Usage(format!(
            "{}: there is nothing to resume: the run is over, or it was killed before it \
             had written what was open",
            directory.one_line()
        )));
    };
    let mut explored = Explored::of(explored::command(&run.words)?)?;
    std::env::set_current_dir(&run.directory).map_err(Error::reading(&run.directory))?;
    let bitcode = suite::read_program(&path)?;
    let mut program = program::reload(&bitcode).map_err(|error| Error::Compile(error.into()))?;
    program.bitcode = bitcode;
    if explored.arguments().means().fingerprint(&program.bitcode) != run.fingerprint {
        return Err(Error::Usage(format!(
            "{}: a file that the run reads has changed since, and what was decided means \
             nothing any more; start the run anew",
            directory.one_line()
        )));
    }
    explored.arguments_mut().take_limits(given);
    if let Explored::Invariant(first) = &explored {
        return stage::resume(first, &program, (&path, &run), stop);
    }
    let arguments = explored.arguments();
    let language = arguments.input.language()?;
    let session = Session::new(
        run::recipe(arguments)?,
        explored.options(stop, language.as_ref())?,
    );
    let start = explored.start(&program, &session.recipe().entry)?;
    let prepared = session.prepare(&program, start);
    let mut prepared = prepared.map_err(|error| session_error::explained(error, Some(&program)))?;
    let begun = take_up(&path, &run)?;
    let limit = arguments.max_time;
    let page = arguments.live.page(&path, stop)?;
    let (mut recorder, report) =
        run::record(arguments, &mut prepared, &program, begun, limit, page)?;
    arguments.external.save(prepared.machine())?;
    let outcome = run::say(arguments, &recorder, &report, &mut prepared)?;
    recorder.end_live()?;
    Ok(outcome)
}

/// The directory as it was when the journal was last written.
fn take_up(path: &Path, run: &Interrupted) -> Result<Begun, Error> {
    let (mut directory, there) = OutputDirectory::resume(path, run.tests, &run.inputs)?;
    let mut journal = Journal::resumed(run);
    directory.replace_journal(&journal.first_records(run))?;
    let mut books = Books::default();
    for test in &there.tests {
        books.enter(&test.case, test.end);
    }
    books.errors.clone_from(&run.errors);
    books.inputs.clone_from(&run.inputs);
    let ranges = run.ranges(path)?;
    let text = |finding: &Finding| {
        let file = path.join(format!("{}.{}.err", finding.test, finding.kind.name()));
        std::fs::read_to_string(file).unwrap_or_else(|_| finding.message.clone())
    };
    let errors = run.errors.iter();
    Ok(Begun {
        directory,
        books,
        before: run.tally.clone(),
        errors: errors.map(|it| (it.clone(), text(it))).collect(),
        journal: Some(journal),
        ranges: Some(ranges),
        class_tests: None,
    })
}
