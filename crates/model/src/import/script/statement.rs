//! A script as statements, without looking into them.

/// Methods of `console` that only show something.
const SHOWING: [&str; 5] = ["log", "info", "warn", "error", "debug"];

/// The statements of a script, without comments: what is between semicolons and ends of lines
/// that stand outside brackets and texts.
pub(in crate::import) fn statements(script: &str) -> Vec<String> {
    let (mut found, mut statement, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut rest = script;
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest);
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            '/' if length > 1 => statement.push(' '),
            ';' | '\n' if depth == 0 => found.push(std::mem::take(&mut statement)),
            _ => {
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                statement.push_str(token);
            }
        }
    }
    found.push(statement);
    let found = found.iter().map(|it| it.trim().to_owned());
    found.filter(|it| !it.is_empty()).collect()
}

/// Whether a statement shows something to the developer and does nothing else:
/// `console.log("on", timer)`.
pub(in crate::import) fn is_shown(statement: &str) -> bool {
    let Some(call) = statement.strip_prefix("console.") else {
        return false;
    };
    let method: String = call.chars().take_while(char::is_ascii_alphabetic).collect();
    let arguments = call[method.len()..].trim_start();
    let arguments = arguments
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'));
    SHOWING.contains(&method.as_str()) && arguments.is_some_and(|it| !may_change(it))
}

/// Whether evaluating this may change something: it calls, assigns or counts.
fn may_change(arguments: &str) -> bool {
    let mut rest = arguments;
    while let Some(first) = rest.chars().next() {
        let (_, after) = rest.split_at(token_length(rest));
        if matches!(first, '(' | ')' | '=' | '`')
            || rest.starts_with("++")
            || rest.starts_with("--")
        {
            return true;
        }
        rest = after;
    }
    false
}

/// How long the text or the comment at the beginning is, or else one character.
fn token_length(script: &str) -> usize {
    if script.starts_with("//") {
        return script.find('\n').unwrap_or(script.len());
    }
    if let Some(comment) = script.strip_prefix("/*") {
        return comment.find("*/").map_or(script.len(), |end| end + 4);
    }
    let mut characters = script.char_indices();
    let Some((_, quote)) = characters.next() else {
        return 0;
    };
    if !matches!(quote, '"' | '\'' | '`') {
        return quote.len_utf8();
    }
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    script.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_outside_brackets_and_texts() {
        let script = "a = 1; // one; two\nb = 'x;y'\n send({\n c: 2; })\n/* d = 3;\n */ e++";
        let found = statements(script);
        assert_eq!(found, ["a = 1", "b = 'x;y'", "send({\n c: 2; })", "e++"]);
        assert_eq!(statements("t = \"it\\\"s; ok\";;"), ["t = \"it\\\"s; ok\""]);
        assert!(statements("// nothing").is_empty());
    }

    #[test]
    fn what_only_shows_something_changes_nothing() {
        for shown in [
            "console.log (\"n=\", n)",
            "console.warn('f(x)')",
            "console.debug()",
        ] {
            assert!(is_shown(shown), "{shown}");
        }
        for other in [
            "console.log(n++)",
            "console.log(f(n))",
            "console.log(n = 2)",
            "console.clear()",
            "log(n)",
        ] {
            assert!(!is_shown(other), "{other}");
        }
    }
}
