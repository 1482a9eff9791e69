//! The formatter: one look for all models.
//!
//! It keeps the lines as they are divided and every comment, and sets
//! indentation and the spaces between tokens. What it wrote it leaves alone.

use super::lexer::{Kind, Token, closes_width, is_sized, tokens};

/// The model with its indentation and spaces set right; a text that is no model
/// comes back with its tokens in order all the same.
pub fn format(text: &str) -> String {
    let (tokens, _) = tokens(text);
    let mut writer = Writer::default();
    for (number, &token) in tokens.iter().enumerate() {
        if token.kind != Kind::End {
            let ends_type = token.text == ">" && closes_width(&tokens[..number]);
            writer.token(token, ends_type);
        }
    }
    if !writer.text.is_empty() {
        writer.text.push('\n');
    }
    writer.text
}

#[derive(Default)]
struct Writer<'a> {
    text: String,
    /// The brackets that are open, and the word before each.
    open: Vec<(&'a str, &'a str)>,
    before: Option<Token<'a>>,
    /// The last token that is no comment.
    last: Option<Token<'a>>,
    /// The token before that.
    earlier: Option<Token<'a>>,
    /// Whether the last token ends a type with a width.
    after_type: bool,
    /// The word that begins the line's statement.
    leading: &'a str,
}

impl<'a> Writer<'a> {
    fn token(&mut self, token: Token<'a>, ends_type: bool) {
        if token.first {
            self.new_line(token);
        } else if !ends_type && self.is_apart(token) {
            self.text.push(' ');
        }
        self.text.push_str(token.text.trim_end());
        if token.kind == Kind::Mark {
            match token.text {
                "(" | "{" | "[" => {
                    let word = match token.text {
                        "{" => self.leading,
                        _ => "",
                    };
                    self.open.push((token.text, word));
                }
                ")" | "}" | "]" => {
                    self.open.pop();
                }
                _ => {}
            }
        }
        self.before = Some(token);
        if token.kind != Kind::Comment {
            self.earlier = self.last;
            self.last = Some(token);
            self.after_type = ends_type;
        }
    }

    fn new_line(&mut self, token: Token<'a>) {
        if self.before.is_some() {
            self.text.push('\n');
        }
        let after_opening = self.before.is_some_and(|before| before.text == "{");
        let closes = token.kind == Kind::Mark && matches!(token.text, ")" | "}" | "]");
        if token.blank && !after_opening && !closes {
            self.text.push('\n');
        }
        let depth = self.open.len() - usize::from(closes && !self.open.is_empty());
        let depth = depth + usize::from(!closes && self.continues(token));
        self.text.push_str(&"    ".repeat(depth));
        if !self.continues(token) && token.kind == Kind::Word {
            self.leading = token.text;
        }
    }

    /// Whether the line goes on with what the line before began.
    fn continues(&self, token: Token<'a>) -> bool {
        let Some(last) = self.last else {
            return false;
        };
        if token.kind == Kind::Comment {
            return last.text == "," && self.in_statement();
        }
        let ends_open = last.kind == Kind::Mark
            && !self.after_type
            && !matches!(
                last.text,
                "{" | "}" | ")" | "]" | ";" | "?" | "!" | "(" | "[" | "," | "@"
            )
            || matches!(
                last.text,
                "when" | "where" | "while" | "and" | "or" | "not" | "then" | "else" | "if"
            );
        let begins_open = matches!(
            token.text,
            "when" | "where" | "while" | "and" | "or" | "then" | "else"
        ) || token.kind == Kind::Mark
            && !matches!(token.text, "{" | "}" | ")" | "]" | "(" | "[" | "-" | "@");
        ends_open || begins_open || last.text == "," && self.in_statement()
    }

    /// Whether a comma at the end of a line means that the statement goes on,
    /// rather than that a list has another entry.
    fn in_statement(&self) -> bool {
        match self.open.last() {
            None => true,
            Some(&("{", word)) => matches!(word, "automaton" | "state" | "region"),
            Some(_) => false,
        }
    }

    /// Whether there is a space before the token.
    fn is_apart(&self, token: Token<'a>) -> bool {
        let Some(before) = self.before else {
            return false;
        };
        if token.kind == Kind::Comment {
            return true;
        }
        let call = before.kind == Kind::Word && !is_operator(before.text);
        match token.text {
            "," | ";" | ")" | "]" | ":" | "." => false,
            "?" | "!" => false,
            _ if self.opens_width() => false,
            "where" => true,
            "(" => !(call || matches!(before.text, "(" | "[" | "?" | "!" | ".") || self.is_sign()),
            "[" => {
                !(call
                    || matches!(before.text, "(" | "[" | "]" | ")" | ">" | "?" | "!")
                    || self.is_sign())
            }
            "<" if is_sized(before.text) => false,
            _ => !(matches!(before.text, "(" | "[" | "." | "?" | "!" | "@") || self.is_sign()),
        }
    }

    /// Whether the token before is a minus that has only one operand.
    fn is_sign(&self) -> bool {
        self.before
            .is_some_and(|before| before.text == "-" && before.kind == Kind::Mark)
            && self.earlier.is_none_or(|earlier| {
                is_operator(earlier.text)
                    || earlier.kind == Kind::Mark && !matches!(earlier.text, ")" | "]")
            })
    }

    fn opens_width(&self) -> bool {
        self.before.is_some_and(|before| before.text == "<")
            && self.earlier.is_some_and(|earlier| is_sized(earlier.text))
    }
}

fn is_operator(text: &str) -> bool {
    matches!(
        text,
        "when"
            | "where"
            | "while"
            | "and"
            | "or"
            | "not"
            | "div"
            | "mod"
            | "implies"
            | "if"
            | "then"
            | "else"
            | "table"
    )
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn spaces_and_indentation_are_set_and_comments_kept() {
        let text = "
param N=2 // how many
enum Colour{red,green}


function F(x:Int<8>,Int[N]):Real{
native   \"f.so\"   f
table{
(1,[2,3])->-0.5, // measured
2 -> 1
}
}
automaton A{
var x:Int=-1,y : Bool
var b:Int<8>=-1
var c:UInt<(4+4)>
// where it begins
initial a
go:a->b when x>-1 and(y or x-1<N),out!(x,-y),
x:=x -1
a->a when not y, in?x
}
";
        let expected = "\
param N = 2 // how many
enum Colour { red, green }

function F(x: Int<8>, Int[N]): Real {
    native \"f.so\" f
    table {
        (1, [2, 3]) -> -0.5, // measured
        2 -> 1
    }
}
automaton A {
    var x: Int = -1, y: Bool
    var b: Int<8> = -1
    var c: UInt<(4 + 4)>
    // where it begins
    initial a
    go: a -> b when x > -1 and (y or x - 1 < N), out!(x, -y),
        x := x - 1
    a -> a when not y, in?x
}
";
        assert_eq!(format(text), expected);
        assert_eq!(format(expected), expected);
    }

    #[test]
    fn any_text_comes_out_the_same_the_second_time() {
        for text in ["", "}}}", "a ( [ {", "\"open", "x:=\n\n\n->", "é < Int<"] {
            let once = format(text);
            assert_eq!(format(&once), once, "{text}");
        }
    }
}
