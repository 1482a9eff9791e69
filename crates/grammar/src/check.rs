//! What is probably wrong with a grammar that can be read.

use crate::grammar::{Grammar, Role};
use crate::problem::Problem;

/// What a look at a grammar finds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// What makes the grammar useless, or a part of it.
    pub errors: Vec<Problem>,
    /// What may be meant that way.
    pub warnings: Vec<Problem>,
    /// What was read in a way that its writer may not expect.
    pub notes: Vec<Problem>,
}

/// Looks for rules that derive nothing, rules that nothing uses, and tokens
/// that no rule takes. Undefined symbols are found when a grammar is read.
pub fn check(grammar: &Grammar) -> Findings {
    let mut findings = Findings {
        errors: Vec::new(),
        warnings: Vec::new(),
        notes: grammar.notes.clone(),
    };
    let (productive, reachable) = (grammar.productive(), grammar.reachable());
    let made =
        |id: usize| matches!(grammar.rules[id].role, Role::Made) || is_made_part(grammar, id);
    for (id, rule) in grammar.rules.iter().enumerate() {
        let name = &rule.name;
        if !productive[id] && !made(id) {
            let words = match id == grammar.start {
                true => {
                    format!("the language is empty: `{name}`, where it starts, derives no word")
                }
                false => format!("`{name}` derives no word: every way of it leads back to itself"),
            };
            findings.errors.push(Problem::new(rule.place, words));
            continue;
        }
        if reachable[id] || made(id) {
            continue;
        }
        let start = &grammar.rules[grammar.start].name;
        let words = match rule.role {
            Role::Token | Role::Declared => format!("no rule uses the token `{name}`"),
            Role::Fragment => format!("no token uses the fragment `{name}`"),
            Role::Syntax | Role::Made | Role::Skipped => {
                format!("`{name}` is not used: nothing leads to it from `{start}`")
            }
        };
        findings.warnings.push(Problem::new(rule.place, words));
    }
    findings.errors.sort();
    findings.warnings.sort();
    findings
}

/// Whether a fragment was made of a repetition, an option or a group: its name
/// has a dash, which no name in a notation with fragments has.
fn is_made_part(grammar: &Grammar, id: usize) -> bool {
    let rule = &grammar.rules[id];
    rule.role == Role::Fragment && rule.name.contains('-')
}
