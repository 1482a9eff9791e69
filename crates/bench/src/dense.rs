//! Dense suites: every object of up to some size, beside Korat where it can be had.
//!
//! Korat is a tool for Java that runs an invariant on candidate after candidate. Where the
//! variable `KORAT` has the class path of Korat, its examples and Javassist, and there is a
//! `java`, it runs the same cases side by side, and the ratio is how much longer it takes. Both are given the seconds of processor time of
//! the whole command, with the start of Java and of a compiler.

use crate::Report;
use crate::workshop::{Workshop, fastest, timed};
use std::ffi::OsString;
use std::process::Command;
use suite::StageReport;

/// What Korat's instrumentation needs of a Java that came after it: classes without
/// verification, and no reflection by classes made on the way.
const JAVA: [&str; 2] = [
    "-Xverify:none",
    "-Dsun.reflect.inflationThreshold=2147483647",
];

struct Case {
    name: &'static str,
    arguments: &'static [&'static str],
    program: &'static str,
    /// Objects there are: sums of Catalan numbers, for search trees each times the ways
    /// to choose its values.
    valid: u64,
    class: &'static str,
    finitization: &'static str,
}

const CASES: [Case; 2] = [
    Case {
        name: "binary trees of up to 9 nodes",
        arguments: &[
            "stage",
            "build",
            "--max",
            "Node=9",
            "--range",
            "Tree.size=0..9",
        ],
        program: "dense/binary_tree.c",
        valid: 6918,
        class: "korat.examples.binarytree.BinaryTree",
        finitization: "9,0,9",
    },
    Case {
        name: "search trees of up to 7 nodes",
        arguments: &[
            "stage",
            "enumerate",
            "--max",
            "Node=7",
            "--values",
            "1..7",
            "--range",
            "Tree.size=0..7",
        ],
        program: "dense/search_tree.c",
        valid: 2950,
        class: "korat.examples.searchtree.SearchTree",
        finitization: "7,0,7,1,7",
    },
];

/// Measures every case.
pub fn measure(report: &mut Report, workshop: &Workshop) -> Result<(), String> {
    let korat = std::env::var_os("KORAT");
    report.line("");
    report.line(&format!(
        "{:<32}{:>18}{:>18}{:>8}",
        "every object, seconds", "here", "Korat", "ratio"
    ));
    for case in &CASES {
        let (valid, seconds) = case.here(workshop)?;
        let (beside, ratio) = match &korat {
            Some(classes) => {
                let korat = case.beside(classes)?;
                (format!("{korat:.2}"), format!("{:.1}", korat / seconds))
            }
            None => ("not here".to_owned(), "-".to_owned()),
        };
        let name = case.name;
        report.line(&format!("{name:<32}{seconds:>18.2}{beside:>18}{ratio:>8}"));
        let wrong = (valid != case.valid).then(|| format!("{valid} instead of {}", case.valid));
        let wrong: Vec<String> = wrong.into_iter().collect();
        report.expect(&format!("{}: there are {}", case.name, case.valid), &wrong);
    }
    Ok(())
}

impl Case {
    /// The objects that are found, and the seconds of processor time.
    fn here(&self, workshop: &Workshop) -> Result<(u64, f64), String> {
        let program = workshop.staged_example(self.program);
        let suite = workshop.file("dense.stage");
        let (program, suite) = (program.to_string_lossy(), suite.to_string_lossy());
        let object = ["--object", "Tree", "--invariant", "repOk", "-o", &*suite];
        let arguments = [
            &self.arguments[..2],
            &[&*program],
            &self.arguments[2..],
            &object,
        ];
        let arguments = arguments.concat();
        let seconds = fastest(|| timed(Command::new(&workshop.everypath).args(&arguments)))?;
        let report: StageReport = workshop.reported(&arguments)?;
        Ok((report.stage.valid, seconds))
    }

    /// The seconds of processor time that Korat takes.
    fn beside(&self, classes: &OsString) -> Result<f64, String> {
        fastest(|| {
            let mut java = Command::new("java");
            java.args(JAVA).arg("-cp").arg(classes).arg("korat.Korat");
            timed(java.args(["--class", self.class, "--args", self.finitization]))
        })
    }
}
