//! Imports: the model that comes out, and what is refused by name.

mod charts;
mod drawings;
mod graphs;
mod scripts;
mod sessions;
mod systems;

use model::import::{ImportError, Imported};

/// The text of what was imported; it is a model.
fn text(imported: Result<Imported, ImportError>) -> String {
    let imported = imported.unwrap_or_else(|reason| panic!("{reason}"));
    assert!(
        model::check(&imported.text, &[]).is_ok(),
        "{}",
        imported.text
    );
    imported.text
}

/// The transitions of what was imported.
fn arrows(imported: Result<Imported, ImportError>) -> Vec<String> {
    let text = text(imported);
    let lines = text.lines().map(str::trim);
    let arrows = lines.filter(|line| line.contains(" -> ") || line.starts_with("initial "));
    arrows.map(str::to_owned).collect()
}

/// What of a file was not understood.
fn refused(imported: Result<Imported, ImportError>) -> Vec<String> {
    match imported {
        Err(ImportError::Refused(what)) => what,
        Err(other) => panic!("{other}"),
        Ok(imported) => panic!("{}", imported.text),
    }
}
