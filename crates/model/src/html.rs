//! A run as one HTML page: the automaton with what was taken, the tests with
//! their traces, the symbolic tree to unfold, the tables before and after.

use crate::draw::{Mark, escaped, svg};
use crate::execution::{Executor, SymbolicState};
use crate::exploration::Tree;
use crate::model::Model;
use crate::render::{event_text, step_name};
use crate::runner::{Report, Verdict};
use csv::ReaderBuilder;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use term::print::infix;

/// What the page shows.
pub struct Page<'a> {
    /// The page's title.
    pub title: &'a str,
    /// What became of the tests.
    pub reports: &'a [Report],
    /// The tree the tests come from.
    pub tree: Option<&'a Tree>,
    /// By function: its name, its table before and its table after, as CSV.
    pub tables: &'a [(String, String, String)],
}

const STYLE: &str = "body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em;\
color:#24292f}table{border-collapse:collapse}td,th{border:1px solid #d0d7de;padding:.3em .6em;\
text-align:left;vertical-align:top}.pass{color:#1a7f37}.fail{color:#cf222e}.inconclusive\
{color:#9a6700}details{margin-left:1.2em}summary{cursor:pointer}code,pre{font-size:90%}\
.new{background:#dafbe1}svg{max-width:100%;height:auto}";

/// Nodes of a tree that a page shows; more make browsers slow.
pub const NODES: usize = 2000;

/// The page.
pub fn page(executor: &Executor<'_, '_>, page: &Page<'_>) -> String {
    let model = executor.model;
    let title = escaped(page.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    summary(model, page, &mut html);
    let taken = |number: usize| match page.reports.iter().any(|report| report.taken[number]) {
        true => Mark::Taken,
        false => Mark::Missed,
    };
    let _ = writeln!(html, "<h2>Model</h2>\n{}", svg(model, &taken));
    tests(page.reports, &mut html);
    if let Some(tree) = page.tree {
        html.push_str("<h2>Symbolic tree</h2>\n");
        tree_html(executor, tree, &mut html);
    }
    if !page.tables.is_empty() {
        html.push_str("<h2>Tables</h2>\n");
    }
    for (name, before, after) in page.tables {
        table(name, before, after, &mut html);
    }
    html.push_str("</body></html>\n");
    html
}

fn summary(model: &Model, page: &Page<'_>, html: &mut String) {
    let count = |verdict| {
        page.reports
            .iter()
            .filter(|report| report.verdict == verdict)
            .count()
    };
    let taken = (0..model.transitions.len())
        .filter(|&number| page.reports.iter().any(|report| report.taken[number]));
    let _ = writeln!(
        html,
        "<p><span class=\"pass\">{} pass</span>, <span class=\"fail\">{} fail</span>, \
         <span class=\"inconclusive\">{} inconclusive</span>; {} of {} transitions taken</p>",
        count(Verdict::Pass),
        count(Verdict::Fail),
        count(Verdict::Inconclusive),
        taken.count(),
        model.transitions.len()
    );
}

fn tests(reports: &[Report], html: &mut String) {
    html.push_str("<h2>Tests</h2>\n<table><tr><th>test<th>verdict<th>trace</tr>\n");
    for report in reports {
        let name = report.verdict.name();
        let _ = writeln!(
            html,
            "<tr><td>{}<td class=\"{name}\">{name}<td>{}<details><summary>{} messages</summary>\
             <pre>{}</pre></details></tr>",
            escaped(&report.name),
            escaped(&report.reason),
            report.trace.len(),
            escaped(&report.trace.join("\n"))
        );
    }
    html.push_str("</table>\n");
}

/// The tree as nested lists that unfold.
fn tree_html(executor: &Executor<'_, '_>, tree: &Tree, html: &mut String) {
    let shown = tree.nodes.len().min(NODES);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); shown];
    for (number, node) in tree.nodes.iter().enumerate().take(shown) {
        if let Some(parent) = node.parent {
            children[parent].push(number);
        }
    }
    // None closes what was opened.
    let mut stack = vec![Some(0)];
    while let Some(next) = stack.pop() {
        let Some(number) = next else {
            html.push_str("</details>\n");
            continue;
        };
        let node = &tree.nodes[number];
        let state = escaped(&executor.model.location_name(&node.state.location));
        let step = match &node.step {
            Some((step, event)) => format!(
                "<code>{}</code> {} → ",
                escaped(&step_name(executor.model, *step)),
                escaped(&event_text(executor.model, &executor.store, event))
            ),
            None => String::new(),
        };
        let open = if node.depth < 2 { " open" } else { "" };
        let _ = writeln!(
            html,
            "<details{open}><summary>{step}<b>{state}</b></summary>"
        );
        terms(executor, &node.state, html);
        stack.push(None);
        stack.extend(children[number].iter().rev().map(|&child| Some(child)));
    }
    if shown < tree.nodes.len() {
        let _ = writeln!(
            html,
            "<p>{} more states are not shown.</p>",
            tree.nodes.len() - shown
        );
    }
}

/// The condition of a state, its values and its calls.
fn terms(executor: &Executor<'_, '_>, state: &SymbolicState, html: &mut String) {
    let text = |term| infix::term(&executor.store, term);
    let condition: Vec<String> = state.path.constraints().map(text).collect();
    let mut values = Vec::new();
    for variable in &executor.model.variables {
        let names = variable.ty.leaf_names(&variable.name).into_iter();
        let leaves = &state.valuation[variable.offset..];
        values.extend(
            names
                .zip(leaves)
                .map(|(name, &leaf)| format!("{name} = {}", text(leaf))),
        );
    }
    let calls: Vec<String> = state.calls.iter().map(|&call| text(call)).collect();
    for (what, terms) in [
        ("condition", condition.join(" and ")),
        ("values", values.join(", ")),
        ("calls", calls.join(", ")),
    ] {
        if !terms.is_empty() {
            let _ = writeln!(html, "<div>{what}: <code>{}</code></div>", escaped(&terms));
        }
    }
}

/// Rows that were not there before stand out.
fn table(name: &str, before: &str, after: &str, html: &mut String) {
    let (before, after) = (records(before), records(after));
    // The first two say what the columns are.
    let rows = |records: &[Vec<String>]| records.len().saturating_sub(2);
    let _ = writeln!(
        html,
        "<h3>{}</h3>\n<p>{} rows before, {} after; new ones are coloured</p>\n<table>",
        escaped(name),
        rows(&before),
        rows(&after)
    );
    let known: FxHashSet<&Vec<String>> = before.iter().collect();
    for record in after.iter().take(NODES) {
        let class = if known.contains(record) {
            ""
        } else {
            " class=\"new\""
        };
        let cells: Vec<String> = record
            .iter()
            .map(|cell| format!("<td>{}", escaped(cell)))
            .collect();
        let _ = writeln!(html, "<tr{class}>{}</tr>", cells.concat());
    }
    html.push_str("</table>\n");
}

/// The rows of a table as an oracle writes it.
fn records(table: &str) -> Vec<Vec<String>> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(table.as_bytes())
        .into_records()
        .map_while(Result::ok)
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}
