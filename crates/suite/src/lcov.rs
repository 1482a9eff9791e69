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
            let _ = writeln!(info, "SF:{path}");
            file.put_functions(&mut info);
            file.put_branches(&mut info);
            file.put_lines(&mut info);
            info.push_str("end_of_record\n");
        }
        info
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
