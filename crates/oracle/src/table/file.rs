//! Tables as CSV files.
//!
//! ```csv
//! x,y,result
//! i32,double,double
//! 3,0.5,1.5
//! -7,inf,nan
//! ```
//!
//! The first row names the parameters, the second their types, and each further
//! row is a pair; the last column is the result. A file is replaced whole or
//! not at all.

use super::{FunctionTable, InsertError};
use crate::cell;
use crate::signature::{Parameter, Signature, Type, UnknownType};
use base::OneLine;
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

impl FunctionTable {
    /// The table of the function `name` in a file.
    pub fn load(name: &str, file: &Path) -> Result<FunctionTable, TableError> {
        let bytes = fs::read(file).map_err(|error| TableError::file(file, &error))?;
        FunctionTable::read(name, &bytes).map_err(|(line, problem)| TableError::Malformed {
            file: file.to_owned(),
            line,
            problem,
        })
    }

    /// The table of the function `name` in a file's content; otherwise the line
    /// that is wrong, and how.
    pub fn read(name: &str, content: &[u8]) -> Result<FunctionTable, (u64, TableProblem)> {
        // Spreadsheets mark UTF-8 so.
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        let mut rows = Rows::of(content);
        let names = rows.next().ok_or((1, TableProblem::NoHeader))??;
        let types = rows.next().ok_or((names.line, TableProblem::NoHeader))??;
        let signature = signature(name, &names, &types)?;
        let mut table = FunctionTable::new(signature).expect("every type in a file has values");
        let mut lines = Vec::new();
        for row in rows {
            let row = row?;
            table.read_pair(&row, &mut lines)?;
        }
        Ok(table)
    }

    fn read_pair(&mut self, row: &Row, lines: &mut Vec<u64>) -> Result<(), (u64, TableProblem)> {
        let columns = self.signature.parameters.len() + 1;
        row.expect_cells(columns)?;
        let kinds = self.signature.parameters.iter().map(|p| p.kind);
        let kinds = kinds.chain([self.signature.result]);
        let mut values = Vec::with_capacity(columns);
        for (index, (kind, text)) in kinds.zip(&row.cells).enumerate() {
            let value = cell::parse(kind, text).map_err(|reason| {
                let column = self.column(index);
                (row.line, TableProblem::Value { column, reason })
            })?;
            values.push(value);
        }
        let result = values.pop().expect("the result's column was read last");
        let known = self.pairs.get_index_of(&values).map(|index| lines[index]);
        match (known, self.insert(values, result)) {
            (None, Ok(())) => lines.push(row.line),
            (Some(_), Ok(())) => {}
            (first, Err(error)) => {
                let first = first.expect("a pair read by the types contradicts or goes in");
                return Err((row.line, TableProblem::Contradiction { first, error }));
            }
        }
        Ok(())
    }

    fn column(&self, index: usize) -> Column {
        let name = self.signature.parameters.get(index);
        Column {
            number: index + 1,
            name: name.map_or(RESULT.into(), |parameter| parameter.name.clone()),
        }
    }

    /// The file's content.
    pub fn to_csv(&self) -> String {
        let mut writer = WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let parameters = &self.signature.parameters;
        let kinds: Vec<Type> = parameters
            .iter()
            .map(|parameter| parameter.kind)
            .chain([self.signature.result])
            .collect();
        let names = parameters.iter().map(|parameter| parameter.name.clone());
        let mut write = |cells: Vec<String>| {
            writer
                .write_record(cells)
                .expect("a vector takes all bytes");
        };
        write(names.chain([RESULT.to_owned()]).collect());
        write(kinds.iter().map(Type::to_string).collect());
        for (arguments, result) in self.iter() {
            let values = arguments.iter().chain([result]);
            let cells = kinds.iter().zip(values);
            write(
                cells
                    .map(|(&kind, value)| cell::print(kind, value))
                    .collect(),
            );
        }
        let bytes = writer.into_inner().expect("a vector takes all bytes");
        String::from_utf8(bytes).expect("the cells were strings")
    }

    /// Writes the file, beside the old one and then over it.
    pub fn save(&self, file: &Path) -> Result<(), TableError> {
        let mut beside = file.as_os_str().to_owned();
        beside.push(format!(".{}.new", std::process::id()));
        let beside = PathBuf::from(beside);
        let written = File::create(&beside)
            .and_then(|mut output| {
                output.write_all(self.to_csv().as_bytes())?;
                output.sync_all()
            })
            .and_then(|()| fs::rename(&beside, file));
        written.map_err(|error| {
            // What is half written helps nobody, and the error is already told.
            let _ = fs::remove_file(&beside);
            TableError::file(file, &error)
        })
    }
}

const RESULT: &str = "result";

fn signature(name: &str, names: &Row, types: &Row) -> Result<Signature, (u64, TableProblem)> {
    types.expect_cells(names.cells.len())?;
    let columns = names.cells.iter().zip(&types.cells).enumerate();
    let mut parameters = columns
        .map(|(index, (name, kind))| {
            let name = name.trim().to_owned();
            match kind.trim().parse() {
                Ok(kind) => Ok(Parameter { name, kind }),
                Err(error) => {
                    let number = index + 1;
                    let column = Column { number, name };
                    Err((types.line, TableProblem::Type { column, error }))
                }
            }
        })
        .collect::<Result<Vec<Parameter>, _>>()?;
    let result = parameters.pop().expect("a row has a cell");
    Ok(Signature {
        name: name.to_owned(),
        parameters,
        result: result.kind,
    })
}

struct Row {
    line: u64,
    cells: Vec<String>,
}

impl Row {
    fn expect_cells(&self, expected: usize) -> Result<(), (u64, TableProblem)> {
        let found = self.cells.len();
        match found == expected {
            true => Ok(()),
            false => Err((self.line, TableProblem::Cells { expected, found })),
        }
    }
}

/// The rows of a file that are not empty.
struct Rows<'a> {
    content: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
    record: StringRecord,
}

impl<'a> Rows<'a> {
    fn of(content: &'a [u8]) -> Rows<'a> {
        Rows {
            content,
            reader: ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(content),
            record: StringRecord::new(),
        }
    }

    /// The line of the next row; the reader counts from the last one's end.
    fn line(&self) -> u64 {
        let at = self.reader.position();
        let rest = usize::try_from(at.byte()).map_or(&[][..], |byte| &self.content[byte..]);
        let blank = rest.iter().take_while(|&&c| c == b'\n' || c == b'\r');
        at.line() + blank.filter(|&&c| c == b'\n').count() as u64
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, (u64, TableProblem)>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.line();
        match self.reader.read_record(&mut self.record) {
            Ok(false) => None,
            Ok(true) => Some(Ok(Row {
                line,
                cells: self.record.iter().map(str::to_owned).collect(),
            })),
            Err(_) => Some(Err((line, TableProblem::NotText))),
        }
    }
}

/// Why a table cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The file system refuses.
    #[error("{}: {reason}", file.one_line())]
    File {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The content is not a table.
    #[error("{}:{line}: {problem}", file.one_line())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong there.
        problem: TableProblem,
    },
    /// The table is about a function of other types.
    #[error("{}: the table is about `{table}`, the function is `{function}`", file.one_line())]
    Signature {
        /// The file.
        file: PathBuf,
        /// The table's signature.
        table: String,
        /// The function's.
        function: String,
    },
    /// The table contradicts what is known already.
    #[error("{}: {error}", file.one_line())]
    Contradiction {
        /// The file.
        file: PathBuf,
        /// The two results.
        error: InsertError,
    },
    /// No file can have the function's name.
    #[error("the table of `{function}` cannot be saved: no file can have that name")]
    Name {
        /// The function.
        function: String,
    },
}

impl TableError {
    pub(crate) fn file(file: &Path, error: &std::io::Error) -> TableError {
        TableError::File {
            file: file.to_owned(),
            reason: error.to_string(),
        }
    }
}

/// What is wrong with a line of a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableProblem {
    /// The rows with names and types are not there.
    #[error(
        "a table begins with two rows: the names of the parameters and `result`, then their \
         types"
    )]
    NoHeader,
    /// Too many cells, or too few.
    #[error("expected {expected} cells, found {found}")]
    Cells {
        /// As many as there are names.
        expected: usize,
        /// As many as the line has.
        found: usize,
    },
    /// A type that does not exist.
    #[error("{column}: {error}")]
    Type {
        /// Where.
        column: Column,
        /// What was written.
        error: UnknownType,
    },
    /// A cell that is no value of its column's type.
    #[error("{column}: {reason}")]
    Value {
        /// Where.
        column: Column,
        /// What is wrong with it.
        reason: String,
    },
    /// A pair that contradicts another line.
    #[error("contradicts line {first}: {error}")]
    Contradiction {
        /// The line with the other result.
        first: u64,
        /// The two results.
        error: InsertError,
    },
    /// Bytes that are not UTF-8.
    #[error("the line is not UTF-8 text")]
    NotText,
}

/// A column of a table, for messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its number, from 1.
    pub number: usize,
    /// Its name in the first row.
    pub name: String,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {} ({})", self.number, self.name)
    }
}
