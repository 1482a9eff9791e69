//! The published tables of staged symbolic execution, reproduced.
//!
//! Each row tests one method three ways: the invariant and the method at once, the
//! invariant alone (stage one), and the method with what stage one has written
//! (stage two). Seconds are those of exploring, without compiling.

use crate::workshop::Workshop;
use crate::{Report, dense};
use std::path::Path;
use suite::{ObjectCounts, RunReport, StageReport};

/// Seconds that all rows of the published tables may take together.
const TABLES_SECONDS: f64 = 10.0;
/// Times each way is run; the fastest counts.
const ROUNDS: usize = 3;

/// A method on objects of one size.
struct Row {
    program: &'static str,
    object: &'static str,
    invariant: &'static str,
    method: &'static str,
    /// The bounds on the objects.
    bounds: &'static [&'static str],
    /// How many staged objects the method takes.
    objects: usize,
    /// Valid paths of the method, and valid objects.
    valid: (u64, u64),
    /// How much faster stage two must be than both at once.
    ratio: f64,
    /// Whether both at once is run too.
    at_once: bool,
    /// Whether it is of the published tables.
    published: bool,
}

const fn tree(bounds: &'static [&'static str], valid: (u64, u64)) -> Row {
    Row {
        program: "search_tree.c",
        object: "SearchTree",
        invariant: "repOk",
        method: "add",
        bounds,
        objects: 1,
        valid,
        ratio: 1.0,
        at_once: true,
        published: true,
    }
}

const fn list(bounds: &'static [&'static str], valid: (u64, u64)) -> Row {
    Row {
        program: "sorted_list.c",
        object: "SortedList",
        invariant: "listRepOk",
        ..tree(bounds, valid)
    }
}

const fn heap(bounds: &'static [&'static str], valid: (u64, u64)) -> Row {
    Row {
        program: "binary_heap.c",
        object: "BinaryHeap",
        ..tree(bounds, valid)
    }
}

const ROWS: [Row; 13] = [
    tree(&["--max", "Node=3"], (29, 9)),
    tree(&["--max", "Node=4"], (99, 23)),
    tree(&["--max", "Node=5"], (351, 65)),
    list(&["--max", "Link=6"], (28, 7)),
    list(&["--max", "Link=7"], (36, 8)),
    list(&["--max", "Link=8"], (45, 9)),
    heap(&["--range", "BinaryHeap.size=0..8"], (25, 9)),
    heap(&["--range", "BinaryHeap.size=0..9"], (29, 10)),
    heap(&["--range", "BinaryHeap.size=0..10"], (33, 11)),
    Row {
        method: "isEqual",
        objects: 2,
        at_once: false,
        ..tree(&["--max", "Node=4"], (529, 23))
    },
    Row {
        method: "isIntersection",
        objects: 3,
        at_once: false,
        ..list(&["--max", "Link=4"], (5201, 5))
    },
    // Where the invariant refuses nearly everything, finding the rest once pays. The first
    // decides all colourings of a shape together; the second is written as usual, and its nodes
    // know their parents.
    Row {
        program: "lib/red_black_tree.c",
        object: "RedBlackTree",
        method: "insert",
        published: false,
        ..tree(&["--max", "Node=7"], (854, 56))
    },
    Row {
        program: "lib/red_black_parents.c",
        object: "RedBlackTree",
        method: "insert",
        ratio: 10.0,
        published: false,
        ..tree(&["--max", "Node=7"], (855, 67))
    },
];

/// Runs everything; an error is one message.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    report.line(&format!(
        "{:<32}{:>18}{:>18}{:>18}{:>8}",
        "valid/explored, seconds", "at once", "stage one", "stage two", "ratio"
    ));
    let mut verdicts = Vec::new();
    for row in &ROWS {
        verdicts.push((row, row.measure(&mut report, &workshop)?));
    }
    report.line("");
    let published = verdicts.iter().filter(|(row, _)| row.published);
    let seconds: f64 = published.map(|(_, figures)| figures.seconds()).sum();
    report.demand_at_most("all published tables: seconds", seconds, TABLES_SECONDS);
    for (row, figures) in verdicts {
        figures.judge(row, &mut report);
    }
    dense::measure(&mut report, &workshop)?;
    Ok(report)
}

/// One way to run a method.
#[derive(Clone, Copy)]
struct Figures {
    valid: u64,
    explored: u64,
    seconds: f64,
}

impl Figures {
    fn new(objects: ObjectCounts, seconds: f64) -> Figures {
        let ObjectCounts { valid, explored } = objects;
        Figures {
            valid,
            explored,
            seconds,
        }
    }

    fn cell(&self) -> String {
        format!("{}/{} {:>7.3}", self.valid, self.explored, self.seconds)
    }
}

struct Measured {
    at_once: Option<Figures>,
    one: Figures,
    two: Figures,
}

impl Row {
    fn name(&self) -> String {
        let size = self.bounds[1].rsplit(['=', '.']).next().unwrap_or_default();
        let sizes = vec![size; self.objects].join(",");
        let file = Path::new(self.program).file_stem().unwrap_or_default();
        let file = file.to_string_lossy();
        format!("{file}.{} {sizes}", self.method)
    }

    fn measure(&self, report: &mut Report, workshop: &Workshop) -> Result<Measured, String> {
        let program = workshop.staged_example(self.program);
        let program = program.to_string_lossy();
        let suite = workshop.file(&format!("{}.stage", self.name().replace([' ', ','], "-")));
        let suite = suite.to_string_lossy();
        let build = ["stage", "build", &program, "--object", self.object];
        let build = [
            &build[..],
            &["--invariant", self.invariant, "-o", &suite],
            self.bounds,
        ];
        let build = build.concat();
        let one = fastest(|| stage_one(workshop, &build))?;
        let method = [
            &*program,
            "--method",
            self.method,
            "--trust-method",
            "--no-dump",
        ];
        let inputs = ["--input", &suite].repeat(self.objects);
        let run = [&["stage", "run"], &method[..], &inputs].concat();
        let two = fastest(|| explored(workshop, &run))?;
        let at_once = match self.at_once {
            false => None,
            true => {
                let whole = [
                    &["run"],
                    &method[..],
                    &["--requires", self.invariant],
                    self.bounds,
                ];
                let whole = whole.concat();
                Some(fastest(|| explored(workshop, &whole))?)
            }
        };
        let measured = Measured { at_once, one, two };
        report.line(&format!(
            "{:<32}{:>18}{:>18}{:>18}{:>8}",
            self.name(),
            at_once.map_or("-".to_owned(), |figures| figures.cell()),
            one.cell(),
            two.cell(),
            measured
                .ratio()
                .map_or("-".to_owned(), |ratio| format!("{ratio:.1}")),
        ));
        Ok(measured)
    }
}

impl Measured {
    fn ratio(&self) -> Option<f64> {
        Some(self.at_once?.seconds / self.two.seconds)
    }

    fn seconds(&self) -> f64 {
        let at_once = self.at_once.map_or(0.0, |it| it.seconds);
        at_once + self.one.seconds + self.two.seconds
    }

    fn judge(&self, row: &Row, report: &mut Report) {
        let (valid, objects) = row.valid;
        let mut faults = Vec::new();
        let mut must = |what: &str, is: u64, should: u64| {
            if is != should {
                faults.push(format!("{what}: {is} instead of {should}"));
            }
        };
        must("valid objects", self.one.valid, objects);
        must("valid in stage two", self.two.valid, valid);
        must("explored in stage two", self.two.explored, valid);
        if let Some(at_once) = &self.at_once {
            must("valid at once", at_once.valid, valid);
        }
        report.expect(&format!("{}: valid counts", row.name()), &faults);
        if let Some(ratio) = self.ratio() {
            let what = format!("{}: times faster in stage two", row.name());
            report.demand(&what, ratio, row.ratio);
        }
    }
}

/// An invariant, explored alone.
fn stage_one(workshop: &Workshop, arguments: &[&str]) -> Result<Figures, String> {
    let report: StageReport = workshop.reported(arguments)?;
    Ok(Figures::new(report.stage, report.exploration_seconds))
}

/// A method, explored with objects of a suite or with its invariant.
fn explored(workshop: &Workshop, arguments: &[&str]) -> Result<Figures, String> {
    let report: RunReport = workshop.reported(arguments)?;
    let stage = report.stage.ok_or("the run made no objects")?;
    Ok(Figures::new(stage.objects, stage.exploration_seconds))
}

/// The fastest of some runs.
fn fastest(mut run: impl FnMut() -> Result<Figures, String>) -> Result<Figures, String> {
    let mut best = run()?;
    for _ in 1..ROUNDS {
        // One round of what takes long says enough.
        if best.seconds > 5.0 {
            break;
        }
        let figures = run()?;
        if figures.seconds < best.seconds {
            best = figures;
        }
    }
    Ok(best)
}
