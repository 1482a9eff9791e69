//! How many paths operations of the standard libraries take, as the pages say: the code of a row
//! is what is run.

use std::collections::BTreeMap;
use testkit::{Scratch, project};

/// How the results of different operations are told apart by the exit status: each has ten.
const RESULTS: usize = 10;

/// An operation of a page, and how many paths and results the page says it has.
#[derive(Debug, PartialEq)]
struct Row {
    code: String,
    paths: usize,
    results: usize,
}

/// The rows of the table of a page whose first column is code and whose others are numbers.
fn rows(page: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(project(page)).expect("the page is there");
    let row = |line: &str| {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        let code = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        let mut number = || cells.next()?.parse().ok();
        Some(Row {
            code: code.to_owned(),
            paths: number()?,
            results: number()?,
        })
    };
    let rows: Vec<Row> = text.lines().filter_map(row).collect();
    assert!((10..=25).contains(&rows.len()), "{rows:?}");
    rows
}

/// The same rows as a run has them: one program, which chooses an operation first, and takes a
/// path at least for each result.
fn measured(line: &str, program: &str, rows: &[Row]) -> Vec<Row> {
    let file = line.split_whitespace().next().expect("a file comes first");
    let scratch = Scratch::with(&[(file, program)]);
    let run = scratch.everypath(&format!("run {line} --json"));
    let report = run.json();
    assert_eq!(report["outcome"], "complete", "{}", run.said());
    let ends = report["ends"].as_object().expect("there are ends");
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (end, tests) in ends {
        let status = end.strip_prefix("exit ").expect("no path has an error");
        let status: usize = status.parse().expect("a status is a number");
        let tests = tests.as_str().expect("tests are listed");
        let paths = tests.split_whitespace().map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.parse::<usize>().expect("a test has a number");
            number(last) - number(first) + 1
        });
        found.entry(status / RESULTS).or_default().push(paths.sum());
    }
    let measured = rows.iter().enumerate().map(|(number, row)| {
        let paths = found.remove(&number).unwrap_or_default();
        Row {
            code: row.code.clone(),
            paths: paths.iter().sum(),
            results: paths.len(),
        }
    });
    measured.collect()
}

/// What a person copies to the page.
fn table(rows: &[Row]) -> String {
    let line = |row: &Row| format!("| `{}` | {} | {} |\n", row.code, row.paths, row.results);
    rows.iter().map(line).collect()
}

fn check(page: &str, line: &str, program: impl Fn(&[Row]) -> String) {
    let rows = rows(page);
    let measured = measured(line, &program(&rows), &rows);
    assert_eq!(table(&measured), table(&rows), "{page}");
}

#[test]
fn operations_of_cpp_take_as_many_paths_as_the_page_says() {
    check("docs/cpp.md", "operations.cc --std c++20", |rows| {
        let cases = rows.iter().enumerate().map(|(number, row)| {
            format!(
                "    case {number}: return static_cast<int>({});\n",
                row.code
            )
        });
        let cases: String = cases.collect();
        format!(
            r#"
#include <algorithm>
#include <array>
#include <everypath.h>
#include <format>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

static int result(std::size_t number) {{
    auto letters = ep::any<std::array<char, 3>>("s");
    auto bytes = ep::any<std::array<unsigned char, 3>>("b");
    std::string s(letters.begin(), letters.end());
    std::vector<int> b(bytes.begin(), bytes.end());
    int x = b[0];
    std::ostringstream out;
    std::map<int, int> map = {{{{1, 1}}, {{5, 2}}, {{9, 3}}, {{13, 4}}}};
    std::unordered_map<int, int> unordered(map.begin(), map.end());
    std::map<std::string, int> words = {{{{"abc", 1}}, {{"def", 2}}, {{"xyz", 3}}}};
    std::unordered_map<std::string, int> hashed(words.begin(), words.end());
    switch (number) {{
{cases}    }}
    return 0;
}}

int main() {{
    std::size_t chosen = ep_choose({count}), number = 0;
    while (number < chosen)
        number++;
    try {{
        int value = result(number), known = 0;
        while (known < value)
            known++;
        return number * {RESULTS} + known;
    }} catch (...) {{
        return number * {RESULTS} + {RESULTS} - 1;
    }}
}}
"#,
            count = rows.len()
        )
    });
}

#[test]
fn operations_of_rust_take_as_many_paths_as_the_page_says() {
    check("docs/rust.md", "operations.rs", |rows| {
        let cases = rows
            .iter()
            .enumerate()
            .map(|(number, row)| format!("        {number} => ({}) as usize,\n", row.code));
        let cases: String = cases.collect();
        format!(
            r#"
use std::collections::{{BTreeMap, BTreeSet, HashMap, HashSet}};

fn result(number: usize) -> usize {{
    let letters: [u8; 3] = everypath::any();
    everypath::assume(letters.iter().fold(0, |all, it| all | it) < 128);
    let s = String::from_utf8_lossy(&letters).into_owned();
    let mut b: Vec<u8> = everypath::any::<[u8; 3]>().to_vec();
    let x = b[0];
    let mut map = BTreeMap::from([(1, 1), (5, 2), (9, 3), (13, 4)]);
    let mut hashed = HashMap::from([(1, 1), (5, 2), (9, 3), (13, 4)]);
    let words = BTreeMap::from([("abc", 1), ("def", 2), ("xyz", 3)]);
    let hashed_words = HashMap::from([("abc", 1), ("def", 2), ("xyz", 3)]);
    match number {{
{cases}        _ => 0,
    }}
}}

fn main() {{
    let chosen = everypath::choose({count});
    let mut number = 0;
    while number < chosen {{
        number += 1;
    }}
    let (value, mut known) = (result(number), 0);
    while known < value {{
        known += 1;
    }}
    std::process::exit((number * {RESULTS} + known) as i32);
}}
"#,
            count = rows.len()
        )
    });
}
