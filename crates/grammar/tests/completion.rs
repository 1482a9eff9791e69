//! Constraints on the first tokens, completed to whole inputs.

use base::Stop;
use grammar::{Allowed, Completer, Completion, Grammar, LetterSet, Normal, TokenView, read};

/// A token language and queries about its inputs.
struct Tokens {
    view: TokenView,
    normal: Normal,
}

impl Tokens {
    fn new(grammar: &Grammar) -> Tokens {
        let view = grammar.tokens();
        let normal = Normal::new(&view.cfg);
        Tokens { view, normal }
    }

    fn set(&self, names: &[&str]) -> LetterSet {
        let letters = names.iter().map(|name| {
            let letter = self.view.letter(name);
            letter.unwrap_or_else(|| panic!("there is a token {name}"))
        });
        LetterSet::of(self.view.tokens.len(), letters)
    }

    /// One of these tokens.
    fn one_of(&self, names: &[&str]) -> Allowed {
        Allowed::letters(self.set(names))
    }

    /// Any token but these.
    fn none_of(&self, names: &[&str]) -> Allowed {
        let all = LetterSet::all(self.view.tokens.len());
        Allowed::letters(all.without(&self.set(names)))
    }

    /// The shortest input, with a space between tokens.
    #[track_caller]
    fn completes(&self, allowed: &[Allowed], expected: &str) {
        let completion = Completer::new(&self.normal).complete(allowed, &Stop::never());
        let found = match completion.expect("nobody stops it") {
            Completion::Word(word) => {
                let names = word
                    .iter()
                    .map(|&t| &*self.view.tokens[usize::from(t)].name);
                let names: Vec<&str> = names.map(|name| name.trim_matches('\'')).collect();
                names.join(" ")
            }
            Completion::None { position } => format!("none: position {position}"),
        };
        assert_eq!(found, expected);
    }
}

fn functions() -> Tokens {
    Tokens::new(
        &read::bnf(
            r#"FunDecl  ::= "function" "id" "(" Formals? ")" FunBody
               FunBody  ::= "{" SrcElems "}"
               SrcElems ::= "" | SrcElem SrcElems
               Formals  ::= "id" | "id" "," Formals
               SrcElem  ::= FunDecl | "id" "(" ")" ";""#,
        )
        .expect("it is read"),
    )
}

#[test]
fn a_parameter_list_that_does_not_close_gets_a_parameter() {
    let tokens = functions();
    let mut allowed = vec![
        tokens.one_of(&["function"]),
        tokens.one_of(&["id"]),
        tokens.one_of(&["("]),
        tokens.none_of(&[")"]),
    ];
    tokens.completes(&allowed, "function id ( id ) { }");
    allowed.truncate(3);
    tokens.completes(&allowed, "function id ( ) { }");
    allowed.truncate(2);
    allowed.push(tokens.none_of(&["("]));
    tokens.completes(&allowed, "none: position 2");
}

#[test]
fn s_expressions_are_unrolled_and_pruned_as_published() {
    let tokens = Tokens::new(
        &read::bnf(
            r#"S  ::= "(" "let" "(" "(" "id" S ")" ")" S ")" | "(" Op S S ")" | "num" | "id"
               Op ::= "+" | "-""#,
        )
        .expect("it is read"),
    );
    let mut allowed = vec![
        tokens.one_of(&["("]),
        tokens.one_of(&["+"]),
        tokens.one_of(&["("]),
        tokens.one_of(&["(", ")", "num", "id", "let"]),
    ];
    tokens.completes(&allowed, "( + ( let ( ( id num ) ) num ) num )");
    allowed[3] = tokens.one_of(&["(", ")"]);
    tokens.completes(&allowed, "none: position 3");
    tokens.completes(&[], "num");
}

#[test]
fn an_input_may_end_where_that_is_allowed_and_only_there() {
    let tokens = Tokens::new(&read::bnf(r#"list ::= "x" | "x" "," list"#).expect("it is read"));
    let mut allowed = vec![
        tokens.one_of(&["x"]),
        tokens.one_of(&[","]),
        tokens.one_of(&["x"]),
        tokens.one_of(&[","]),
    ];
    tokens.completes(&allowed, "x , x , x");
    allowed[3].end = true;
    tokens.completes(&allowed, "x , x");
    allowed[3].letters = tokens.set(&["x"]);
    tokens.completes(&allowed, "x , x");
    // An end that is followed by a token that must be there is none.
    allowed[3].end = false;
    allowed[1].end = true;
    tokens.completes(&allowed, "none: position 3");
}

#[test]
fn long_and_deep_prefixes_are_completed_without_recursion() {
    let tokens = Tokens::new(&read::bnf(r#"e ::= "(" e ")" | "x" | e "+" e"#).expect("it is read"));
    let allowed: Vec<Allowed> = (0..400).map(|_| tokens.one_of(&["("])).collect();
    let expected = format!("{}x{}", "( ".repeat(400), " )".repeat(400));
    tokens.completes(&allowed, &expected);
}

#[test]
fn an_empty_language_has_no_completion() {
    let tokens = Tokens::new(&read::bnf(r#"s ::= "x" s"#).expect("it is read"));
    tokens.completes(&[], "none: position 0");
    tokens.completes(&[tokens.one_of(&["x"])], "none: position 0");
}
