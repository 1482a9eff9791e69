//! Tokens of XLIA.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A name or a keyword; names may have a `#` in them.
    Word,
    Number,
    /// Text between quotes.
    Text,
    /// `@region`, without the colon that may follow.
    Section,
    Mark,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub line: usize,
}

/// Marks of several characters, the longer before the shorter. Those between bars say in
/// which order what they stand between runs.
const MARKS: [&str; 37] = [
    "|interleaving|",
    "|parallel|",
    "|or#else|",
    "|and#then|",
    "|partial-order|",
    "|async|",
    "|indet|",
    "|fork|",
    "|join|",
    "|and|",
    "|;;|",
    "|/;|",
    "|or|",
    "|i|",
    "|;|",
    "|,|",
    "|~|",
    "|a|",
    "|.|",
    "-->",
    "<--",
    "==>",
    "<=<",
    ">=>",
    "->",
    "::",
    ":=",
    "==",
    "!=",
    "<=",
    ">=",
    "&&",
    "||",
    "++",
    "+=",
    "-=",
    "*=",
];

/// All tokens of the text, with an `End` behind them; or what is none.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = match c {
            _ if c.is_whitespace() => (None, c.len_utf8()),
            _ if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            _ if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => (None, end + 2),
                None => return Err(format!("line {line}: a comment that does not end")),
            },
            '@' => (Some(Kind::Section), 1 + word(&rest[1..])),
            'a'..='z' | 'A'..='Z' | '_' | '#' => (Some(Kind::Word), word(rest)),
            '0'..='9' => (Some(Kind::Number), number(rest)),
            '"' => match rest[1..].find(['"', '\n']) {
                Some(end) if rest[1 + end..].starts_with('"') => (Some(Kind::Text), end + 2),
                _ => return Err(format!("line {line}: a text that does not end")),
            },
            _ => {
                let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
                let decrement = rest.starts_with("--").then_some(2);
                let length = mark.map(|mark| mark.len()).or(decrement);
                (Some(Kind::Mark), length.unwrap_or(c.len_utf8()))
            }
        };
        let text = &rest[..length];
        if let Some(kind) = kind {
            found.push(Token { kind, text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    let (kind, text) = (Kind::End, "");
    found.push(Token { kind, text, line });
    Ok(found)
}

fn word(rest: &str) -> usize {
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '#';
    rest.find(ends).unwrap_or(rest.len())
}

/// Digits, with a fraction if a digit is behind the point.
fn number(rest: &str) -> usize {
    let digits = |from: &str| {
        let ends = |c: char| !c.is_ascii_digit();
        from.find(ends).unwrap_or(from.len())
    };
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.').map(digits) {
        None | Some(0) => whole,
        Some(fraction) => whole + 1 + fraction,
    }
}
