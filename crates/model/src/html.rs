//! A run as one HTML page: the automata with the transitions that were taken, the
//! tests with their traces, the symbolic tree to unfold, the tables before and after.

use crate::execution::{Executor, SymbolicState};
use crate::exploration::{Node, Tree};
use crate::model::Model;
use crate::picture::coverage_svg;
use crate::render::{event_text, step_name};
use crate::runner::{Report, Verdict};
use csv::{ReaderBuilder, StringRecord};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rustc_hash::FxHashSet;
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
    let is_taken = |number: usize| page.reports.iter().any(|report| report.taken[number]);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (page.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (page.title) }
                (summary(model, page))
                h2 { "Model" }
                (PreEscaped(coverage_svg(model, is_taken)))
                (tests(executor.model, page.reports))
                @if let Some(tree) = page.tree {
                    h2 { "Symbolic tree" }
                    (tree_list(executor, tree))
                }
                @if !page.tables.is_empty() {
                    h2 { "Tables" }
                }
                @for (name, before, after) in page.tables {
                    (table(name, before, after))
                }
            }
        }
    };
    markup.into_string()
}

fn summary(model: &Model, page: &Page<'_>) -> Markup {
    let count = |verdict| {
        let reports = page.reports.iter();
        reports.filter(|report| report.verdict == verdict).count()
    };
    let taken = (0..model.transitions.len())
        .filter(|&number| page.reports.iter().any(|report| report.taken[number]));
    html! {
        p {
            @for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Inconclusive] {
                span class=(verdict) { (count(verdict)) " " (verdict) } ", "
            }
            (taken.count()) " of " (model.transitions.len()) " transitions taken"
        }
    }
}

fn tests(model: &Model, reports: &[Report]) -> Markup {
    html! {
        h2 { "Tests" }
        table {
            tr { th { "test" } th { "verdict" } th { "trace" } }
            @for report in reports {
                tr {
                    td {
                        (report.name)
                        @for requirement in report.requirements(model) {
                            br;
                            small { (requirement) }
                        }
                    }
                    td class=(report.verdict) { (report.verdict) }
                    td {
                        (report.reason)
                        details {
                            summary { (report.trace.len()) " messages" }
                            pre { (report.trace.join("\n")) }
                        }
                        @if !report.log.is_empty() {
                            details {
                                summary { (report.log.len()) " lines that are no messages" }
                                pre { (report.log.join("\n")) }
                            }
                        }
                        @if !report.stderr.is_empty() {
                            details {
                                summary { "standard error" }
                                pre { (report.stderr) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The tree as nested lists that unfold. Trees are as deep as the user likes, so it
/// is built from the leaves up, without recursion.
fn tree_list(executor: &Executor<'_, '_>, tree: &Tree) -> Markup {
    let shown = tree.nodes.len().min(NODES);
    let mut children: Vec<Vec<Markup>> = Vec::new();
    children.resize_with(shown, Vec::new);
    let mut root = html! {};
    // Children have greater numbers than their parents, so each node is complete
    // when its turn comes; siblings are met in reverse.
    for (number, node) in tree.nodes.iter().enumerate().take(shown).rev() {
        let below = std::mem::take(&mut children[number]);
        let markup = node_item(executor, node, below);
        match node.parent {
            Some(parent) => children[parent].push(markup),
            None => root = markup,
        }
    }
    html! {
        (root)
        @if shown < tree.nodes.len() {
            p { (tree.nodes.len() - shown) " more states are not shown." }
        }
    }
}

/// A state with those below it, the last first.
fn node_item(executor: &Executor<'_, '_>, node: &Node, below: Vec<Markup>) -> Markup {
    let model = executor.model;
    html! {
        details open[node.depth < 2] {
            summary {
                @if let Some((step, event)) = &node.step {
                    code { (step_name(model, *step)) }
                    " " (event_text(model, &executor.store, event)) " → "
                }
                b { (model.location_name(&node.state.location)) }
            }
            (terms(executor, &node.state))
            @for child in below.into_iter().rev() { (child) }
        }
    }
}

/// The condition of a state, its values and its calls.
fn terms(executor: &Executor<'_, '_>, state: &SymbolicState) -> Markup {
    let text = |term| infix::term(&executor.store, term);
    let condition: Vec<String> = state.path.constraints().map(text).collect();
    let mut values = Vec::new();
    for variable in &executor.model.variables {
        let names = variable.ty.leaf_names(&variable.name).into_iter();
        let leaves = &state.valuation[variable.offset..];
        let pairs = names.zip(leaves);
        values.extend(pairs.map(|(name, &leaf)| format!("{name} = {}", text(leaf))));
    }
    let calls: Vec<String> = state.calls.iter().map(|&call| text(call)).collect();
    let lines = [
        ("condition", condition.join(" and ")),
        ("values", values.join(", ")),
        ("calls", calls.join(", ")),
    ];
    html! {
        @for (what, terms) in lines {
            @if !terms.is_empty() {
                div { (what) ": " code { (terms) } }
            }
        }
    }
}

/// The table of a function; rows that were not there before stand out.
fn table(name: &str, before: &str, after: &str) -> Markup {
    let (before, after) = (records(before), records(after));
    // The first two say what the columns are.
    let rows = |records: &[StringRecord]| records.len().saturating_sub(2);
    let known: FxHashSet<Vec<&str>> = before.iter().map(|it| it.iter().collect()).collect();
    let is_new = |record: &StringRecord| !known.contains(&record.iter().collect::<Vec<_>>());
    html! {
        h3 { (name) }
        p { (rows(&before)) " rows before, " (rows(&after)) " after; new ones are coloured" }
        table {
            @for record in after.iter().take(NODES) {
                tr class=[is_new(record).then_some("new")] {
                    @for cell in record { td { (cell) } }
                }
            }
        }
    }
}

/// The rows of a table as an oracle writes it.
fn records(table: &str) -> Vec<StringRecord> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(table.as_bytes())
        .into_records()
        .map_while(Result::ok)
        .collect()
}
