//! Coverage in the format of lcov's tracefiles (`coverage.info`).
//!
//! ```
//! use suite::lcov::{Coverage, FileCoverage};
//!
//! let mut file = FileCoverage::default();
//! file.lines.insert(3, 1);
//! file.lines.insert(4, 0);
//! let mut coverage = Coverage::default();
//! coverage.files.insert("a.c".into(), file);
//! assert_eq!(
//!     coverage.to_info("run"),
//!     "TN:run\nSF:a.c\nDA:3,1\nDA:4,0\nLF:2\nLH:1\nend_of_record\n"
//! );
//! ```

use base::OneLine;
use base::escape::from_one_line;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What was executed, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The files by their paths.
    pub files: BTreeMap<String, FileCoverage>,
}

/// What was executed of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The functions, in the order of the file.
    pub functions: Vec<FunctionCoverage>,
    /// How often each line that holds code was executed.
    pub lines: BTreeMap<u32, u64>,
    /// The branches, in the order of the file.
    pub branches: Vec<BranchCoverage>,
}

/// How often a function was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// Its name.
    pub name: String,
    /// The line it begins in.
    pub line: u32,
    /// How often it was entered.
    pub hits: u64,
}

/// One way out of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    /// The line of the branch.
    pub line: u32,
    /// Which branch of the line this is.
    pub block: u32,
    /// Which way out of the branch this is.
    pub branch: u32,
    /// How often this way was taken; none when the branch was never reached.
    pub taken: Option<u64>,
}

impl Coverage {
    /// The text of a tracefile, for the test with this name.
    pub fn to_info(&self, test: &str) -> String {
        let mut info = String::new();
        for (path, file) in &self.files {
            let _ = writeln!(info, "TN:{}", test_name(test));
            let _ = writeln!(info, "SF:{}", path.one_line());
            file.put_functions(&mut info);
            file.put_branches(&mut info);
            file.put_lines(&mut info);
            info.push_str("end_of_record\n");
        }
        info
    }
}

/// A line of a tracefile that does not say what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the tracefile is wrong: `{text}`")]
pub struct BadTracefile {
    /// The line, from one.
    pub line: usize,
    /// What it says.
    pub text: String,
}

impl Coverage {
    /// Reads a tracefile. What this type has no room for, such as checksums, is skipped.
    ///
    /// # Errors
    ///
    /// When a record that is known has other fields than it should.
    pub fn parse(info: &str) -> Result<Coverage, BadTracefile> {
        let mut coverage = Coverage::default();
        let mut path = String::new();
        for (index, line) in info.lines().enumerate() {
            let Some((record, fields)) = line.split_once(':') else {
                continue;
            };
            if record == "SF" {
                path = from_one_line(fields).into_owned();
            }
            let file = coverage.files.entry(path.clone());
            let read = match record {
                "SF" => {
                    file.or_default();
                    Some(())
                }
                "FN" | "FNDA" | "BRDA" | "DA" => file.or_default().read(record, fields),
                _ => Some(()),
            };
            read.ok_or_else(|| BadTracefile {
                line: index + 1,
                text: line.to_owned(),
            })?;
        }
        Ok(coverage)
    }
}

/// lcov takes only letters, digits and underscores in the name of a test.
fn test_name(test: &str) -> String {
    let kept = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    test.chars().map(kept).collect()
}

impl FileCoverage {
    fn read(&mut self, record: &str, fields: &str) -> Option<()> {
        let (first, rest) = fields.split_once(',')?;
        match record {
            "FN" => self.functions.push(FunctionCoverage {
                line: first.parse().ok()?,
                name: rest.to_owned(),
                hits: 0,
            }),
            "FNDA" => {
                let hits = first.parse().ok()?;
                let mut functions = self.functions.iter_mut();
                functions.find(|function| function.name == rest)?.hits = hits;
            }
            "BRDA" => {
                let mut numbers = rest.split(',');
                self.branches.push(BranchCoverage {
                    line: first.parse().ok()?,
                    block: numbers.next()?.parse().ok()?,
                    branch: numbers.next()?.parse().ok()?,
                    taken: match numbers.next()? {
                        "-" => None,
                        taken => Some(taken.parse().ok()?),
                    },
                });
            }
            _ => {
                // A checksum may follow.
                let hits = rest.split(',').next()?.parse().ok()?;
                self.lines.insert(first.parse().ok()?, hits);
            }
        }
        Some(())
    }

    fn put_functions(&self, info: &mut String) {
        if self.functions.is_empty() {
            return;
        }
        for function in &self.functions {
            let _ = writeln!(info, "FN:{},{}", function.line, function.name);
        }
        for function in &self.functions {
            let _ = writeln!(info, "FNDA:{},{}", function.hits, function.name);
        }
        let hit = self
            .functions
            .iter()
            .filter(|function| function.hits > 0)
            .count();
        let _ = writeln!(info, "FNF:{}\nFNH:{hit}", self.functions.len());
    }

    fn put_branches(&self, info: &mut String) {
        if self.branches.is_empty() {
            return;
        }
        for BranchCoverage {
            line,
            block,
            branch,
            taken,
        } in &self.branches
        {
            let taken = taken.map_or_else(|| "-".to_string(), |taken| taken.to_string());
            let _ = writeln!(info, "BRDA:{line},{block},{branch},{taken}");
        }
        let hit = self
            .branches
            .iter()
            .filter(|branch| branch.taken.unwrap_or(0) > 0)
            .count();
        let _ = writeln!(info, "BRF:{}\nBRH:{hit}", self.branches.len());
    }

    fn put_lines(&self, info: &mut String) {
        for (line, hits) in &self.lines {
            let _ = writeln!(info, "DA:{line},{hits}");
        }
        let hit = self.lines.values().filter(|hits| **hits > 0).count();
        let _ = writeln!(info, "LF:{}\nLH:{hit}", self.lines.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tracefile_is_read_back_from_its_text() {
        let file = FileCoverage {
            functions: vec![FunctionCoverage {
                name: "operator,(A, B)".to_owned(),
                line: 3,
                hits: 2,
            }],
            lines: [(3, 2), (4, 0)].into(),
            branches: vec![
                BranchCoverage {
                    line: 4,
                    block: 0,
                    branch: 0,
                    taken: None,
                },
                BranchCoverage {
                    line: 4,
                    block: 1,
                    branch: 1,
                    taken: Some(7),
                },
            ],
        };
        let mut coverage = Coverage::default();
        let other = FileCoverage::default();
        coverage.files.insert("a b:c.c".to_owned(), file);
        coverage.files.insert("a\nSF:b.c".to_owned(), other);
        assert_eq!(Coverage::parse(&coverage.to_info("t")), Ok(coverage));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = Coverage::parse("SF:a.c\nDA:x,1\n").expect_err("x is no line");
        assert_eq!(
            error.to_string(),
            "line 2 of the tracefile is wrong: `DA:x,1`"
        );
    }
}
