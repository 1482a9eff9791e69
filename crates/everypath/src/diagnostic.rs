//! Messages about a place in a file, with the line shown.

use std::fmt::Write;

/// `error: file:line:column: message`, the source line below it, and a mark
/// under the column. Lines and columns count from one.
pub fn at_place(file: &str, source: &str, line: u32, column: u32, message: &str) -> String {
    labelled("error", file, source, line, column, message)
}

/// The same with another word before it.
pub fn labelled(
    label: &str,
    file: &str,
    source: &str,
    line: u32,
    column: u32,
    message: &str,
) -> String {
    let mut text = format!("{label}: {file}:{line}:{column}: {message}");
    let Some(content) = source.lines().nth(line as usize - 1) else {
        return text;
    };
    let (shown, column) = window(content, column as usize);
    let margin = " ".repeat(line.to_string().len());
    let blank: String = shown
        .chars()
        .take(column - 1)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    write!(text, "\n{margin} |\n{line} | {shown}\n{margin} | {blank}^")
        .expect("writing to a string does not fail");
    text
}

/// The part of a long line around the column, and the column in it.
fn window(line: &str, column: usize) -> (String, usize) {
    const BEFORE: usize = 60;
    const WIDTH: usize = 100;
    let start = (column - 1).saturating_sub(BEFORE);
    let start = if line.chars().count() <= WIDTH {
        0
    } else {
        start
    };
    (
        line.chars().skip(start).take(WIDTH).collect(),
        column - start,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_under_the_column() {
        let text = at_place(
            "a.smt2",
            "(assert true)\n(assert x)",
            2,
            9,
            "unknown symbol `x`",
        );
        assert_eq!(
            text,
            "error: a.smt2:2:9: unknown symbol `x`\n  |\n2 | (assert x)\n  |         ^"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_column() {
        let source = format!("{}!{}", "x".repeat(500), "y".repeat(500));
        let text = at_place("a", &source, 1, 501, "here");
        let lines: Vec<&str> = text.lines().collect();
        let mark = lines[3].find('^').unwrap();
        assert_eq!(&lines[2][mark..=mark], "!");
        assert!(lines[2].len() < 120);
    }
}
