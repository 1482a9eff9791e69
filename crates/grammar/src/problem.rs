//! What is wrong with a text, and where.

/// A place in a text. Lines and columns count from one, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Place {
    /// Where every text begins.
    pub const START: Place = Place { line: 1, column: 1 };
}

/// Something to say about a place in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
#[error("{}:{}: {message}", place.line, place.column)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What, in words for the person who wrote the text.
    pub message: String,
}

impl Problem {
    /// What is wrong at this place.
    pub fn new(place: Place, message: impl Into<String>) -> Problem {
        Problem {
            place,
            message: message.into(),
        }
    }
}

/// Everything that makes a text unusable, in the order of the text; never empty.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// `Ok` when there is none.
    pub(crate) fn none_in(mut problems: Vec<Problem>) -> Result<(), Problems> {
        problems.sort();
        problems.dedup();
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Problems(problems)),
        }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        Problems(vec![problem])
    }
}

fn lines(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}
