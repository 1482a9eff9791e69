//! The comments that say how a function is run.
//!
//! They stand before the function, in any number:
//!
//! ```text
//! ; run: (100, 27) (-128, -1)
//! ; every: (_, _)
//! ; every: (_, 3) (-8..8, _)
//! ; errors: division
//! define i8 @sdiv_i8(i8 %a, i8 %b) {
//! ```
//!
//! `run` gives operands. `every` gives what operands range over: all values of
//! the parameter's type (`_`), a range without its end, or one value; what
//! ranges is symbolic. `errors` names the errors some of these runs end in;
//! those are not run by the referee. Integers are decimal or, with `0x`,
//! hexadecimal; floats are decimal, `inf`, `nan`, or their bits with `0x`.
//!
//! A function that is not `internal` has at least one such comment.

use crate::execution::Outcome;
use program::{FloatKind, FunctionId, Kind, Linkage, Program};

/// A function and how it is run.
pub struct Case {
    /// Its name, without `@`.
    pub name: String,
    /// It.
    pub function: FunctionId,
    /// What its parameters are.
    pub parameters: Vec<Kind>,
    /// What it returns.
    pub result: Kind,
    /// Operands.
    pub runs: Vec<Vec<u128>>,
    /// What operands range over.
    pub every: Vec<Vec<Range>>,
    /// The errors it may end in, by name.
    pub errors: Vec<String>,
}

/// What one operand ranges over.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// So many values from this one on, modulo 2ⁿ for `n` the last number.
    From(u128, u128, u32),
    /// This value.
    Only(u128),
}

impl Range {
    /// The value that comes first.
    pub fn first(&self) -> u128 {
        match *self {
            Range::From(low, ..) | Range::Only(low) => low,
        }
    }
}

/// What is wrong, and in which line.
type Mistake = (usize, String);

/// The largest number of values one `every` may stand for.
const MOST: u128 = 1 << 16;

/// All cases of a file.
pub fn read(text: &str, program: &Program) -> Result<Vec<Case>, Mistake> {
    let mut cases = Vec::new();
    let mut pending: Vec<(usize, &str, &str)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line
            .strip_prefix("; ")
            .and_then(|rest| rest.split_once(": "));
        if let Some((word @ ("run" | "every" | "errors"), rest)) = comment {
            pending.push((number, word, rest));
        } else if line.starts_with("define ") {
            let name = line.split(['@', '(']).nth(1).unwrap_or_default();
            let case = case(program, name, &std::mem::take(&mut pending));
            cases.extend(case.map_err(|(at, what)| (if at == 0 { number } else { at }, what))?);
        }
    }
    match pending.first() {
        Some(&(number, ..)) => Err((number, "no function follows".into())),
        None => Ok(cases),
    }
}

fn case(
    program: &Program,
    name: &str,
    comments: &[(usize, &str, &str)],
) -> Result<Option<Case>, Mistake> {
    let here = |what: &str| (0, format!("@{name} {what}"));
    let id = program
        .function(name)
        .ok_or_else(|| here("is not in the program"))?;
    let function = &program.functions[id.index()];
    if comments.is_empty() {
        return match function.linkage {
            Linkage::Internal => Ok(None),
            _ => Err(here("does not say how it is run, and is not internal")),
        };
    }
    let signature = &program.signatures[function.signature.index()];
    let [result] = signature.results[..] else {
        return Err(here("does not return one number"));
    };
    let mut case = Case {
        name: name.to_owned(),
        function: id,
        parameters: signature.parameters.iter().map(|p| p.kind).collect(),
        result,
        runs: Vec::new(),
        every: Vec::new(),
        errors: Vec::new(),
    };
    for &(number, word, rest) in comments {
        let wrong = |what: String| (number, what);
        match word {
            "run" => case
                .runs
                .extend(tuples(rest, &case.parameters, value).map_err(wrong)?),
            "every" => {
                let every = tuples(rest, &case.parameters, range).map_err(wrong)?;
                if every.iter().any(|ranges| count(ranges) > MOST) {
                    return Err(wrong(format!("more than {MOST} values")));
                }
                case.every.extend(every);
            }
            _ => case.errors.extend(rest.split(", ").map(String::from)),
        }
    }
    Ok(Some(case))
}

/// Lists in parentheses, with one item for each parameter.
fn tuples<T>(
    text: &str,
    kinds: &[Kind],
    item: fn(&str, Kind) -> Option<T>,
) -> Result<Vec<Vec<T>>, String> {
    let mut tuples = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (inside, after) = inside.ok_or_else(|| format!("no list: `{rest}`"))?;
        let items: Vec<&str> = inside
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect();
        if items.len() != kinds.len() {
            return Err(format!(
                "{} operands for {} parameters",
                items.len(),
                kinds.len()
            ));
        }
        let made = items
            .iter()
            .zip(kinds)
            .map(|(text, &kind)| item(text, kind).ok_or_else(|| format!("no operand: `{text}`")));
        tuples.push(made.collect::<Result<_, _>>()?);
        rest = after.trim_start();
    }
    Ok(tuples)
}

fn range(text: &str, kind: Kind) -> Option<Range> {
    let bits = kind.bits();
    if text == "_" {
        return Some(Range::From(0, mask(bits).checked_add(1)?, bits));
    }
    match text.split_once("..") {
        Some((low, end)) => {
            let (low, end) = (value(low, kind)?, value(end, kind)?);
            Some(Range::From(low, end.wrapping_sub(low) & mask(bits), bits))
        }
        None => value(text, kind).map(Range::Only),
    }
}

fn value(text: &str, kind: Kind) -> Option<u128> {
    let bits = match (text.strip_prefix("0x"), kind) {
        (Some(digits), _) => u128::from_str_radix(digits, 16).ok()?,
        (None, Kind::Int(_)) => text.parse::<i128>().ok()? as u128,
        (None, Kind::Float(FloatKind::Single)) => text.parse::<f32>().ok()?.to_bits().into(),
        (None, Kind::Float(FloatKind::Double)) => text.parse::<f64>().ok()?.to_bits().into(),
        (None, Kind::Float(_) | Kind::Ptr) => return None,
    };
    Some(bits & mask(kind.bits()))
}

/// The lowest bits.
pub fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

fn count(ranges: &[Range]) -> u128 {
    let counts = ranges.iter().map(|range| match range {
        Range::From(_, count, _) => *count,
        Range::Only(_) => 1,
    });
    counts.fold(1, u128::saturating_mul)
}

/// All operands in the ranges.
pub fn values(ranges: &[Range]) -> Vec<Vec<u128>> {
    let mut all = vec![Vec::new()];
    for &range in ranges {
        let values: Vec<u128> = match range {
            Range::Only(value) => vec![value],
            Range::From(low, count, bits) => (0..count)
                .map(|i| low.wrapping_add(i) & mask(bits))
                .collect(),
        };
        all = all
            .into_iter()
            .flat_map(|operands: Vec<u128>| {
                values
                    .iter()
                    .map(move |&value| [operands.as_slice(), &[value]].concat())
            })
            .collect();
    }
    all
}

impl Case {
    /// All operands that it is run on.
    pub fn operands(&self) -> Vec<Vec<u128>> {
        let ranging = self.every.iter().flat_map(|ranges| values(ranges));
        self.runs.iter().cloned().chain(ranging).collect()
    }

    /// A call as people write it.
    pub fn call(&self, operands: &[u128]) -> String {
        let operands: Vec<String> = operands.iter().map(|bits| format!("{bits:#x}")).collect();
        format!("@{}({})", self.name, operands.join(", "))
    }

    /// Says what is not as it should be.
    pub fn disagreement(&self, operands: &[u128], found: &Outcome, expected: &Outcome) -> String {
        format!("{} is {found}, not {expected}", self.call(operands))
    }
}
