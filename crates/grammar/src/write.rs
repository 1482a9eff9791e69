//! Grammars as text: BNF for people, JSON for grammar fuzzers. The readers
//! understand both.

use crate::chars::CharSet;
use crate::grammar::{Grammar, RuleId, Symbol};
use std::fmt::Write;

/// Why a grammar has no JSON form.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoJson {
    /// A set has so many characters, each of which would be an expansion.
    #[error(
        "the set {0} has {1} characters; JSON would list every one, and more than \
         {LARGEST_SET} are too many"
    )]
    LargeSet(String, usize),
    /// A byte that is no character by itself.
    #[error("the byte 0x{0:02x} is no character in JSON")]
    Byte(u8),
    /// A token that is defined elsewhere.
    #[error("the token `{0}` is not defined here")]
    Declared(String),
}

/// The largest set that is written as a list of its characters.
const LARGEST_SET: usize = 4096;

/// The grammar in BNF, the start rule first.
pub fn bnf(grammar: &Grammar) -> String {
    let mut text = String::new();
    for id in order(grammar) {
        let rule = &grammar.rules[id];
        let ways = rule.productions.iter().map(|production| {
            let parts = production.symbols.iter().map(|symbol| match symbol {
                Symbol::Rule(id) => format!("<{}>", grammar.rules[*id].name),
                Symbol::Text(text) => format!("\"{}\"", escaped(text, '"')),
                Symbol::Chars(chars) => set(chars),
            });
            let parts: Vec<String> = parts.collect();
            match parts.is_empty() {
                true => "\"\"".to_owned(),
                false => parts.join(" "),
            }
        });
        let ways: Vec<String> = ways.collect();
        writeln!(text, "<{}> ::= {}", rule.name, ways.join(" | "))
            .expect("writing to a string does not fail");
    }
    text
}

/// The grammar in the JSON form of grammar fuzzers: lists of names and texts.
pub fn json(grammar: &Grammar) -> Result<String, NoJson> {
    let mut entries: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    let mut sets: Vec<&CharSet> = Vec::new();
    for id in order(grammar) {
        let rule = &grammar.rules[id];
        if rule.role == crate::grammar::Role::Declared {
            return Err(NoJson::Declared(rule.name.clone()));
        }
        let mut ways = Vec::new();
        for production in &rule.productions {
            let mut parts = Vec::new();
            for symbol in &production.symbols {
                match symbol {
                    Symbol::Rule(id) => parts.push(format!("<{}>", name(grammar, *id))),
                    Symbol::Text(text) => parts.extend(pieces(text)?),
                    Symbol::Chars(chars) => {
                        if !sets.contains(&chars) {
                            sets.push(chars);
                        }
                        parts.push(format!("<{}>", set_name(chars)));
                    }
                }
            }
            ways.push(parts);
        }
        entries.push((name(grammar, id), ways));
    }
    for chars in sets {
        entries.push((set_name(chars), members(chars)?));
    }
    let mut text = String::from("{\n");
    for (at, (name, ways)) in entries.iter().enumerate() {
        let ways = ways.iter().map(|parts| {
            let parts: Vec<String> = parts.iter().map(|part| json_string(part)).collect();
            format!("[{}]", parts.join(", "))
        });
        let ways: Vec<String> = ways.collect();
        let comma = if at + 1 < entries.len() { "," } else { "" };
        let key = json_string(&format!("<{name}>"));
        writeln!(text, "  {key}: [{}]{comma}", ways.join(", "))
            .expect("writing to a string does not fail");
    }
    text.push_str("}\n");
    Ok(text)
}

/// The rules, the start first.
fn order(grammar: &Grammar) -> impl Iterator<Item = RuleId> + use<> {
    let start = grammar.start;
    let others = (0..grammar.rules.len()).filter(move |&id| id != start);
    std::iter::once(start).chain(others)
}

/// A name that fits in angle brackets in JSON, where spaces end it.
fn name(grammar: &Grammar, id: RuleId) -> String {
    grammar.rules[id].name.replace(' ', "-")
}

fn set_name(chars: &CharSet) -> String {
    let ranges = chars.ranges().iter().map(|&(low, high)| match low == high {
        true => format!("{low:x}"),
        false => format!("{low:x}-{high:x}"),
    });
    let ranges: Vec<String> = ranges.collect();
    format!("set-{}", ranges.join("_"))
}

fn members(chars: &CharSet) -> Result<Vec<Vec<String>>, NoJson> {
    if chars.len() > LARGEST_SET {
        return Err(NoJson::LargeSet(set(chars), chars.len()));
    }
    let codes = chars.ranges().iter().flat_map(|&(low, high)| low..=high);
    let members = codes.map(|code| match char::from_u32(code) {
        Some(c) if !chars.is_bytes() || c.is_ascii() => Ok(vec![c.to_string()]),
        _ => Err(NoJson::Byte(code as u8)),
    });
    members.collect()
}

/// The text in pieces that cannot be taken for names.
fn pieces(text: &[u8]) -> Result<Vec<String>, NoJson> {
    let text = str::from_utf8(text)
        .map_err(|error| NoJson::Byte(text[error.valid_up_to()]))?
        .to_owned();
    let looks_like_a_name = text.starts_with('<') && text.ends_with('>') && text.len() > 1;
    Ok(match looks_like_a_name {
        true => vec!["<".to_owned(), text[1..].to_owned()],
        false => vec![text],
    })
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A set in brackets.
pub(crate) fn set(chars: &CharSet) -> String {
    let one = |code: u32| match char::from_u32(code) {
        Some(c) if !chars.is_bytes() || c.is_ascii() => escaped_char(c, "[]^-\\#"),
        _ => format!("\\x{code:02x}"),
    };
    let ranges = chars.ranges().iter().map(|&(low, high)| match high - low {
        0 => one(low),
        1 => one(low) + &one(high),
        _ => format!("{}-{}", one(low), one(high)),
    });
    format!("[{}]", ranges.collect::<String>())
}

fn escaped(text: &[u8], quote: char) -> String {
    let special = format!("{quote}\\");
    let mut result = String::new();
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            result.push_str(&escaped_char(c, &special));
        }
        for byte in chunk.invalid() {
            write!(result, "\\x{byte:02x}").expect("writing to a string does not fail");
        }
    }
    result
}

fn escaped_char(c: char, special: &str) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if special.contains(c) => format!("\\{c}"),
        c if u32::from(c) < 0x20 || u32::from(c) == 0x7f => format!("\\x{:02x}", u32::from(c)),
        c if c.is_control() || c.is_whitespace() && c != ' ' => {
            format!("\\u{{{:x}}}", u32::from(c))
        }
        c => c.to_string(),
    }
}
