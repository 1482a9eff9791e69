//! Colours for what a person reads, where a terminal takes them.
//!
//! Texts are made without colours, so that files, pipes and tests have the same ones; they
//! get them as they are printed, by their form. Whether a terminal takes colours is decided as
//! other tools do: `NO_COLOR`, `CLICOLOR` and `TERM=dumb` are heeded.

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const FINE: Style = AnsiColor::Green.on_default();
const COMMAND: Style = Style::new().bold();
const MARGIN: Style = AnsiColor::Blue.on_default();

/// Words that lines begin with, and their styles.
const LABELS: [(&str, Style); 4] = [
    ("error:", ERROR),
    ("warning:", WARNING),
    ("not complete:", WARNING),
    ("note:", NOTE),
];
/// Words before a command that the reader may type.
const BEFORE_COMMANDS: [&str; 2] = ["  replay: ", "  unit test: "];

/// The text with colours; what would steer a terminal in it is made visible first.
pub fn styled(text: &str) -> String {
    let text = base::escape::visible(text);
    let lines = text.split('\n').map(|line| {
        let label = LABELS.iter().find(|(label, _)| line.starts_with(label));
        if let Some((label, style)) = label {
            let rest = &line[label.len()..];
            return format!("{style}{label}{style:#}{rest}");
        }
        let before = BEFORE_COMMANDS.iter().find(|it| line.starts_with(**it));
        if let Some(before) = before {
            let command = &line[before.len()..];
            return format!("{before}{COMMAND}{command}{COMMAND:#}");
        }
        let formed = source_line(line).or_else(|| summary_row(line));
        formed.unwrap_or_else(|| line.to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of the source under an error, `12 | f(x);`, or the mark below it.
fn source_line(line: &str) -> Option<String> {
    let (number, code) = line.split_once(" |")?;
    if !number.chars().all(|it| it.is_ascii_digit() || it == ' ') {
        return None;
    }
    let is_mark = code.trim() == "^";
    let style = if is_mark { ERROR } else { Style::new() };
    Some(format!(
        "{MARGIN}{number} |{MARGIN:#}{style}{code}{style:#}"
    ))
}

/// A row of a summary: what it is about, and what there is to say.
pub fn row(label: &str, text: &str) -> String {
    format!("{label:<INDENT$}{text}\n")
}

/// How far the texts of rows are from the margin.
const INDENT: usize = 10;
/// What rows of summaries are about.
const ROWS: [&str; 7] = [
    "paths", "runs", "objects", "coverage", "solver", "tests", "inputs",
];

fn summary_row(line: &str) -> Option<String> {
    let (label, text) = line.split_at_checked(INDENT)?;
    if !ROWS.contains(&label.trim_end()) {
        return None;
    }
    let style = match label.trim_end() {
        "paths" | "runs" if text.contains("with errors") => ERROR,
        "paths" | "runs" => FINE,
        _ => Style::new(),
    };
    Some(format!("{MARGIN}{label}{MARGIN:#}{style}{text}{style:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn colours_change_no_letter_of_a_text() {
        let text = "error: a.c:3:5: assert: x\n  |\n3 |   f(x);\n  |   ^\n  replay: everypath replay t\n\
                    note: | is no margin\npaths     2: 1 completed, 1 with errors\npathsé";
        let styled = styled(text);
        assert_ne!(styled, text);
        assert_eq!(plain(&styled), text);
    }

    #[test]
    fn what_would_steer_a_terminal_is_shown() {
        let styled = styled("error: \u{1b}[2J");
        assert!(!styled.contains("\u{1b}[2J"), "{styled:?}");
        assert!(plain(&styled).ends_with("[2J"), "{styled:?}");
    }
}
