//! A source file taken apart just far enough for rules about it: code without
//! comments, texts, and which lines are tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, mem};
use testkit::project;

/// A Rust file that is not a test.
pub struct Source {
    /// Its path from `src`.
    pub path: PathBuf,
    /// Its path from the top of the project, for messages.
    pub name: String,
    /// Its lines, comments, the contents of texts and test modules blanked out.
    pub code: Vec<String>,
    /// Its string literals outside tests, as written, and their lines from 1.
    pub texts: Vec<(usize, String)>,
}

impl Source {
    /// The files under a folder `src`, those of tests left out.
    pub fn under(src: &Path) -> Vec<Source> {
        let files = Source::files(src);
        let sources: Vec<(Source, BTreeSet<String>)> = files
            .iter()
            .map(|file| {
                let text = fs::read_to_string(file).expect("a source file is text");
                let path = file.strip_prefix(src).expect("it is below").to_owned();
                Source::read(path, file, &text)
            })
            .collect();
        // A module that its parent declares for tests only is one, whatever its name.
        let tests: Vec<PathBuf> = sources
            .iter()
            .flat_map(|(source, modules)| {
                let folder = source.module_folder();
                modules.iter().map(move |module| folder.join(module))
            })
            .collect();
        let is_test = |path: &Path| {
            let module = path.with_extension("");
            tests.iter().any(|test| module.starts_with(test))
        };
        sources
            .into_iter()
            .map(|(source, _)| source)
            .filter(|source| !is_test(&source.path))
            .collect()
    }

    /// Every Rust file under a folder, in order.
    pub fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        collect(folder, &mut files);
        files.sort();
        files
    }

    /// Where the modules that it declares are.
    fn module_folder(&self) -> PathBuf {
        let stem = self.path.file_stem().and_then(|stem| stem.to_str());
        match stem {
            Some("lib" | "main" | "mod") => {
                self.path.parent().map(Path::to_owned).unwrap_or_default()
            }
            _ => self.path.with_extension(""),
        }
    }

    /// The file, and the names of modules that it declares for tests only.
    fn read(path: PathBuf, file: &Path, text: &str) -> (Source, BTreeSet<String>) {
        let (code, mut texts) = blank(text);
        let (code, modules) = without_tests(&code);
        texts.retain(|&(line, _)| !code[line - 1].trim().is_empty());
        let name = file.strip_prefix(project("")).unwrap_or(file);
        let source = Source {
            name: name.display().to_string(),
            path,
            code,
            texts,
        };
        (source, modules)
    }

    /// A complaint about each line whose code has one of these in it.
    pub fn lines_with<'a>(
        &'a self,
        unwanted: &'a [&'a str],
        why: &'a str,
    ) -> impl Iterator<Item = String> + 'a {
        self.code.iter().enumerate().flat_map(move |(index, line)| {
            let name = &self.name;
            let found = unwanted.iter().filter(|what| has_word(line, what));
            found.map(move |what| format!("{name}:{}: {what}: {why}", index + 1))
        })
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a crate has a folder src") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Whether it is in the line and not the end of a longer name.
fn has_word(line: &str, what: &str) -> bool {
    line.match_indices(what).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let begins_a_name = what.starts_with(|c: char| c.is_alphanumeric());
        !begins_a_name || !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The lines with comments and the contents of literals as blanks, and the string
/// literals with the lines they begin in.
fn blank(text: &str) -> (Vec<String>, Vec<(usize, String)>) {
    let mut code = String::with_capacity(text.len());
    let mut texts = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (length, is_text) = literal_or_comment(rest, &code);
        let piece = match length {
            0 => &rest[..first.len_utf8()],
            length => &rest[..length],
        };
        if is_text {
            texts.push((line, piece.to_owned()));
        }
        match length {
            0 => code.push(first),
            // Something stays where a text was, so that its line is not empty.
            _ if is_text => {
                code.push('"');
                code.extend(piece.chars().skip(1).map(keep_newline));
            }
            _ => code.extend(piece.chars().map(keep_newline)),
        }
        line += piece.matches('\n').count();
        rest = &rest[piece.len()..];
    }
    (code.lines().map(str::to_owned).collect(), texts)
}

fn keep_newline(c: char) -> char {
    match c {
        '\n' => '\n',
        _ => ' ',
    }
}

/// The length in bytes of a literal or a comment that begins here, or 0, and whether
/// it is a string literal.
fn literal_or_comment(rest: &str, before: &str) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    if rest.starts_with('"') {
        return (quoted(rest, '"'), true);
    }
    let in_a_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if !in_a_name && let Some(length) = raw_string(rest) {
        return (length, true);
    }
    if rest.starts_with('\'') {
        return (character(rest), false);
    }
    (0, false)
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

fn quoted(rest: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !mem::take(&mut escaped) {
            if c == mark {
                return at + 1;
            }
            escaped = c == '\\';
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let opened = after.trim_start_matches('#');
    let marks = after.len() - opened.len();
    let content = opened.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks));
    let start = rest.len() - content.len();
    Some(
        content
            .find(&end)
            .map_or(rest.len(), |at| start + at + end.len()),
    )
}

/// The length of a character literal; a lifetime is none.
fn character(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) => quoted(rest, '\''),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}

/// Blanks out items that are for tests only; tells the names of modules among them
/// whose code is in other files.
fn without_tests(code: &[String]) -> (Vec<String>, BTreeSet<String>) {
    let mut kept = Vec::with_capacity(code.len());
    let mut modules = BTreeSet::new();
    let mut lines = code.iter();
    while let Some(line) = lines.next() {
        if line.trim_start() != "#[cfg(test)]" {
            kept.push(line.clone());
            continue;
        }
        kept.push(String::new());
        let mut depth = 0;
        for line in lines.by_ref() {
            kept.push(String::new());
            let item = line.trim();
            if let Some(module) = item.strip_prefix("mod ").and_then(|m| m.strip_suffix(';')) {
                modules.insert(module.to_owned());
            }
            depth += line.matches('{').count() as isize - line.matches('}').count() as isize;
            let is_attribute = item.starts_with("#[");
            if depth == 0 && !is_attribute && (item.ends_with([';', '}']) || item.ends_with("},")) {
                break;
            }
        }
    }
    (kept, modules)
}

#[test]
fn comments_texts_and_tests_are_no_code() {
    let text = r##"fn f() { g('"', "a//b{", r#"x"y"#); } // println!
/* todo! /* nested */ */ let a: &'static str = 'b';
#[cfg(test)]
mod tests {
    fn t() { x.unwrap() }
}
#[cfg(test)]
mod helpers;
fn h() {}
"##;
    let (source, modules) = Source::read("a.rs".into(), Path::new("a.rs"), text);
    let code: Vec<&str> = source.code.iter().map(|line| line.trim_end()).collect();
    assert_eq!(
        code,
        [
            "fn f() { g(   , \"      , \"       ); }",
            "                         let a: &'static str =    ;",
            "",
            "",
            "",
            "",
            "",
            "",
            "fn h() {}",
        ]
    );
    let texts: Vec<&str> = source.texts.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["\"a//b{\"", "r#\"x\"y\"#"]);
    assert_eq!(modules.into_iter().collect::<Vec<_>>(), ["helpers"]);
}
