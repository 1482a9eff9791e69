//! Queries about strings: how long they take, and how that grows with the
//! length.

use crate::Report;
use grammar::Encoding;
use grammar::hampi::{Query, Reply, Session, Settings};
use std::time::{Duration, Instant};

/// Balanced parentheses, with a text inside that makes the word a query.
fn parentheses(length: usize) -> String {
    format!(
        "var v : {length};
         cfg E := \"()\" | E E | \"(\" E \")\";
         assert v in E;
         assert v contains \"))()((\";"
    )
}

/// The same without a solution: the language, but for a first byte that no word
/// has.
fn no_parentheses(length: usize) -> String {
    format!(
        "var v : {length};
         cfg E := \"()\" | E E | \"(\" E \")\";
         assert v in E;
         assert v[{}:1] = \"(\";",
        length - 1
    )
}

const SQL: &str = "
    cfg Sql := \"SELECT \" Names \" FROM \" Name \" WHERE \" Cond;
    cfg Names := Name | Name \",\" Names | \"*\";
    cfg Name := (Letter)+;
    cfg Cond := Val \"=\" Val | Cond \" OR \" Cond | Cond \" AND \" Cond | \"(\" Cond \")\";
    cfg Val := Name | \"'\" (LetterOrDigit)* \"'\" | (Digit)+;
    cfg LetterOrDigit := Letter | Digit;
    cfg Letter := ['a'-'z'];
    cfg Digit := ['0'-'9'];
    assert q in Sql;
    assert q contains \"OR 1=1\";";

/// A query with a tautology in it, every byte of which is unknown.
fn sql(length: usize) -> String {
    format!("var q : {length}; {SQL}")
}

/// What is to be typed so that a query has a tautology in it.
fn injection(length: usize) -> String {
    let query = "val q := concat(\"SELECT m FROM t WHERE b=\", v);";
    format!("var v : {length}; {query} {SQL}")
}

/// A kind of query, the lengths it is asked for, and the one that may take a
/// second at most.
struct Family {
    name: &'static str,
    query: fn(usize) -> String,
    solvable: bool,
    lengths: &'static [usize],
    quick: Option<usize>,
}

const FAMILIES: [Family; 4] = [
    Family {
        name: "parentheses",
        query: parentheses,
        solvable: true,
        lengths: &[10, 20, 40, 60, 80],
        quick: Some(60),
    },
    Family {
        name: "parentheses, unsat",
        query: no_parentheses,
        solvable: false,
        lengths: &[10, 20, 40, 60, 80],
        quick: Some(60),
    },
    Family {
        name: "SQL, bytes to inject",
        query: injection,
        solvable: true,
        lengths: &[10, 20, 40, 60, 80],
        quick: None,
    },
    // Shorter ones have no solution, so no power of the length is fitted.
    Family {
        name: "SQL, all bytes",
        query: sql,
        solvable: true,
        lengths: &[36, 40, 50, 60, 80],
        quick: Some(40),
    },
];

const ENCODINGS: [(&str, Encoding); 3] = [
    ("core", Encoding::Core),
    ("chart", Encoding::Chart),
    ("auto", Encoding::Auto),
];

/// Times every family with every encoding.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    report.line("Queries about strings, ms by length");
    let mut demands = Vec::new();
    for family in FAMILIES {
        let lengths = family.lengths.iter().map(|length| format!("{length:>10}"));
        let lengths: String = lengths.collect();
        let fitted = family.lengths[0] == 10;
        let last = if fitted { "exponent" } else { "" };
        report.line(&format!("{:<28}{lengths}{last:>10}", family.name));
        for (name, encoding) in ENCODINGS {
            let times = family
                .lengths
                .iter()
                .map(|&length| time(&family, length, encoding));
            let times = times.collect::<Result<Vec<Duration>, String>>()?;
            let cells = times
                .iter()
                .map(|time| format!("{:>10.1}", time.as_secs_f64() * 1e3));
            let mut row = format!("  {name:<26}{}", cells.collect::<String>());
            if fitted {
                let exponent = exponent(family.lengths, &times);
                row += &format!("{exponent:>10.1}");
                demands.push((format!("exponent, {}, {name}", family.name), exponent, 5.0));
            }
            report.line(&row);
            if encoding == Encoding::Auto {
                let known = family.lengths.iter().zip(&times);
                for (length, time) in known.filter(|(length, _)| Some(**length) == family.quick) {
                    let what = format!("seconds, {} of length {length}", family.name);
                    demands.push((what, time.as_secs_f64(), 1.0));
                }
            }
        }
    }
    report.line("");
    for (what, figure, most) in demands {
        report.demand_at_most(&what, figure, most);
    }
    Ok(report)
}

/// The best of three, from the text to a confirmed answer.
fn time(family: &Family, length: usize, encoding: Encoding) -> Result<Duration, String> {
    let text = (family.query)(length);
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let query = Query::parse(&text).map_err(|problems| problems.to_string())?;
        let settings = Settings {
            encoding,
            // Putting small queries in order would hide how time grows.
            any_order: true,
            ..Settings::default()
        };
        let mut session = Session::new(&query, settings).map_err(|error| error.to_string())?;
        let reply = session.next_solution().map_err(|error| error.to_string())?;
        best = best.min(start.elapsed());
        if matches!(reply, Reply::Solution(_)) != family.solvable {
            return Err(format!("{} of length {length}: {reply:?}", family.name));
        }
    }
    Ok(best)
}

/// The slope of the line of least squares through the logarithms: time grows as
/// the length to this power.
fn exponent(lengths: &[usize], times: &[Duration]) -> f64 {
    let points = lengths.iter().zip(times);
    let points: Vec<(f64, f64)> = points
        .map(|(&length, time)| ((length as f64).ln(), time.as_secs_f64().ln()))
        .collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let above = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y));
    let below = points.iter().map(|(x, _)| (x - mean_x).powi(2));
    above.sum::<f64>() / below.sum::<f64>()
}
