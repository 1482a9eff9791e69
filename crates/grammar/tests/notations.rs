//! Reading grammars: the same language from every notation, round trips, and
//! complaints with their places.

use base::Stop;
use grammar::words::{Side, Words};
use grammar::{Grammar, Normal, Problems, Role, Symbol, check, read, write};

/// The first words of the grammar, shorter ones first.
fn words(grammar: &Grammar, longest: usize, most: usize) -> Vec<String> {
    let normal = Normal::new(&grammar.bytes().expect("all tokens are defined"));
    let side = Side {
        language: &normal,
        inside: true,
    };
    let graph = Words::new(&[side], longest, &Stop::never()).expect("there are few states");
    let words = graph.first(most, &Stop::never()).into_iter().flatten();
    words
        .map(|word| {
            let bytes: Vec<u8> = word.into_iter().map(|letter| letter as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .collect()
}

/// What is wrong, as lines.
fn complaints(result: Result<Grammar, Problems>) -> Vec<String> {
    let problems = result.expect_err("something is wrong").0;
    problems.iter().map(ToString::to_string).collect()
}

/// Errors and warnings.
fn findings(grammar: &Grammar) -> (Vec<String>, Vec<String>) {
    let found = check(grammar);
    let lines = |problems: &[grammar::Problem]| problems.iter().map(ToString::to_string).collect();
    (lines(&found.errors), lines(&found.warnings))
}

const CALC: [&str; 2] = ["1", "2"];

#[test]
fn one_language_reads_the_same_from_every_notation() {
    let notations = [
        read::bnf("<e> ::= <e> \"+\" <t> | <t>\n<t> ::= \"(\" <e> \")\" | \"1\" | \"2\""),
        read::bnf("e ::= t (\"+\" t)*\nt ::= '(' e ')' | [12]"),
        read::bnf("e = t, { \"+\", t } ; (* ISO *)\nt = \"(\", e, \")\" | \"1\" | \"2\" ;"),
        read::bnf("e : t | e '+' t ;\nt : '(' e ')' | '1'..'2' ;"),
        read::json(
            r#"{"<start>": ["<e>"], "<e>": ["<t>", "<e>+<t>"], "<t>": ["(<e>)", "1", "2"]}"#,
        ),
        read::json(
            r#"{"<e>": [["<t>"], ["<e>", "+", "<t>"]], "<t>": [["(", "<e>", ")"], ["1"], ["2"]]}"#,
        ),
        read::antlr("grammar Calc; e : e '+' t | t ; t : '(' e ')' | D ; D : [12] ;"),
        read::antlr(
            "grammar Calc; e : t ('+' t)* EOF? ; t : '(' e ')' | '1' | D ; fragment X : '2' ; D : X ;",
        ),
    ];
    let expected = words(notations[0].as_ref().expect("it is read"), 5, 1000);
    assert_eq!(expected[..2], CALC);
    assert_eq!(expected.len(), 2 + (4 + 2) + (8 + 4 + 8 + 2));
    for (at, notation) in notations.into_iter().enumerate() {
        let grammar = notation.unwrap_or_else(|problems| panic!("notation {at}: {problems}"));
        assert_eq!(words(&grammar, 5, 1000), expected, "notation {at}");
    }
}

fn shape(grammar: &Grammar) -> Vec<(String, Vec<Vec<Symbol>>)> {
    let start = grammar.start;
    let mut order: Vec<usize> = (0..grammar.rules.len()).filter(|&id| id != start).collect();
    order.insert(0, start);
    let renamed = |symbol: &Symbol| match symbol {
        Symbol::Rule(id) => Symbol::Rule(order.iter().position(|o| o == id).expect("it is there")),
        other => other.clone(),
    };
    let rules = order.iter().map(|&id| {
        let rule = &grammar.rules[id];
        let ways = rule.productions.iter();
        let ways = ways
            .map(|p| p.symbols.iter().map(renamed).collect())
            .collect();
        (rule.name.clone(), ways)
    });
    rules.collect()
}

#[test]
fn what_is_written_reads_back_the_same() {
    let texts = [
        "<s> ::= <a> \"\\\"q\\\\\" | \"\"\n<a> ::= [a-z_\\]\\-^] <s> | \"\\x80\\n\" | [\\x80-\\xff]",
        "s ::= (\"a\" | 'b' [^\"\\\\])* \"<x>\" s? | #x41+ [α-ω]",
    ];
    for text in texts {
        let grammar = read::bnf(text).expect("it is read");
        let written = write::bnf(&grammar);
        let again = read::bnf(&written).unwrap_or_else(|p| panic!("{p}\n{written}"));
        assert_eq!(shape(&again), shape(&grammar), "{written}");
        assert_eq!(write::bnf(&again), written);
    }
    let json = "{\n  \"<start>\": [[\"<a>\", \" b\\\"\\n\"], []],\n  \"<a>\": [[\"x\"], [\"é\", \"<start>\"]]\n}\n";
    let grammar = read::json(json).expect("it is read");
    assert_eq!(write::json(&grammar).as_deref(), Ok(json));
    let grammar = read::bnf("s ::= [a-c] s | \"<z>\"").expect("it is read");
    let written = write::json(&grammar).expect("it has a JSON form");
    let again = read::json(&written).expect("it is read");
    assert_eq!(words(&again, 5, 100), words(&grammar, 5, 100));
}

#[test]
fn a_rule_called_start_is_the_start_where_the_notation_says_so() {
    let first_of = |grammar: Result<Grammar, Problems>| words(&grammar.expect("it is one"), 5, 9);
    let bnf = "<all> ::= \"a\" <start>\n<start> ::= \"b\"\n";
    assert_eq!(first_of(read::bnf(bnf)), ["ab"]);
    let json = "{\"<all>\": [\"a<start>\"], \"<start>\": [\"b\"]}";
    assert_eq!(first_of(read::json(json)), ["b"]);
}

#[test]
fn what_json_cannot_say_is_named() {
    let grammar = read::bnf("s ::= [^a]").expect("it is read");
    let error = write::json(&grammar).expect_err("the set is large");
    assert!(
        error.to_string().contains("more than 4096 are too many"),
        "{error}"
    );
    let grammar = read::bnf("s ::= [\\x80]").expect("it is read");
    let error = write::json(&grammar).expect_err("the byte is no character");
    assert_eq!(error.to_string(), "the byte 0x80 is no character in JSON");
}

#[test]
fn all_undefined_symbols_are_named_with_their_places() {
    assert_eq!(
        complaints(read::bnf(
            "expr ::= term \"+\" exprr\nterm ::= factor |\n  digit"
        )),
        [
            "1:19: `exprr` is not defined; did you mean `expr`?",
            "2:10: `factor` is not defined; define it, or put it in quotes if it stands for itself",
            "3:3: `digit` is not defined; define it, or put it in quotes if it stands for itself",
        ]
    );
    assert_eq!(
        complaints(read::json("{\"<start>\": [\"<a> x\",\n  \"<b>\"]}")),
        [
            "1:14: `a` is not defined; define it, or put it in quotes if it stands for itself",
            "2:3: `b` is not defined; define it, or put it in quotes if it stands for itself",
        ]
    );
    assert_eq!(
        complaints(read::bnf("a ::= 'x'\na ::= 'y'")),
        ["2:1: `a` is already defined in line 1"]
    );
}

#[test]
fn mistakes_are_named_and_reading_goes_on_with_the_next_rule() {
    assert_eq!(
        complaints(read::bnf("a ::= \"x\nb ::= [z-a]\nc ::= ( 'x'\nd ::= 'y'")),
        [
            "1:7: this text has no end; close it with `\"`",
            "2:8: this range ends before it begins; exchange its ends",
            "3:7: this group has no end; close it with `)`",
        ]
    );
    assert_eq!(
        complaints(read::antlr(
            "grammar G;\na : b C ;\nb : 'x ;\nC : [a ;\nd : ( 'x' ;"
        )),
        [
            "3:5: this text has no end; close it with `'`",
            "4:5: this set has no end; close it with `]`",
            "5:11: `;` is not expected here; `)` would end the group",
        ]
    );
    assert_eq!(
        complaints(read::bnf("")),
        ["1:1: there is no rule here; a grammar needs at least one"]
    );
    assert_eq!(
        complaints(read::bnf("a ::= 'x' - 'y'")),
        ["1:11: exceptions (`-`) are not supported; write the set without the characters"]
    );
    assert_eq!(
        complaints(read::json("[1]")),
        ["1:1: `[` is not expected here; a grammar in JSON is an object: `{\"<start>\": [\"…\"]}`"]
    );
}

#[test]
fn deep_nesting_is_refused_and_long_repetition_is_not() {
    let deep = format!("a ::= {}'x'{}", "(".repeat(100_000), ")".repeat(100_000));
    let words = "groups nest deeper than 200 levels here; name a part of it";
    assert_eq!(complaints(read::bnf(&deep)), [format!("1:207: {words}")]);
    let deep = format!(
        "grammar G; a : {}'x'{} ;",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(complaints(read::antlr(&deep)), [format!("1:216: {words}")]);
    let deep = format!("grammar G; A : {}'x' ;", "~".repeat(100_000));
    assert_eq!(complaints(read::antlr(&deep)), [format!("1:216: {words}")]);
    let stars = format!("a ::= 'x'{}", "*".repeat(100_000));
    assert_eq!(
        self::words(&read::bnf(&stars).expect("it is read"), 2, 9),
        ["", "x", "xx"]
    );
    let json = format!(
        "{{\"<start>\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(
        complaints(read::json(&json)),
        [
            "1:15: `[` is not expected here; a list holds names and texts; other values are not supported"
        ]
    );
}

#[test]
fn bytes_and_characters_beyond_ascii_do_not_mix_in_one_set() {
    assert_eq!(
        complaints(read::antlr("grammar G; s : A ; A : ~([\\x80] | 'α') ;")),
        ["1:24: `~` takes a set of characters, or one of bytes, here",]
    );
    assert_eq!(
        complaints(read::bnf("s ::= [\\xffα]")),
        ["1:7: this set mixes bytes (`\\x80` and above) with characters beyond ASCII"]
    );
}

#[test]
fn a_rule_without_words_a_rule_without_use_and_an_empty_language_are_found() {
    let grammar =
        read::bnf("s ::= 'x' | loop\nloop ::= 'y' loop\nspare ::= 'z'").expect("it is read");
    assert_eq!(
        findings(&grammar),
        (
            vec!["2:1: `loop` derives no word: every way of it leads back to itself".to_owned()],
            vec!["3:1: `spare` is not used: nothing leads to it from `s`".to_owned()],
        )
    );
    let grammar = read::bnf("s ::= '(' s ')'").expect("it is read");
    let errors =
        vec!["1:1: the language is empty: `s`, where it starts, derives no word".to_owned()];
    assert_eq!(findings(&grammar), (errors, Vec::new()));
}

#[test]
fn antlr_tokens_are_one_letter_each_and_what_is_skipped_may_stand_between() {
    let grammar = read::antlr(
        "grammar L;
         options { language = Java; }
         @header { package x; }
         list : '[' (item (',' item)*)? ']' EOF # Whole ;
         item returns [int v] : n=NUMBER | list | ~(',' | ']' | WS | NUMBER) ;
         NUMBER : DIGIT+ ;
         KEY : 'key' ;
         fragment DIGIT : [0-9] ;
         fragment UNUSED : 'u' ;
         SPARE : 'spare' { code(); } ;
         WS : [ \\t]+ -> skip ;
         COMMENT : '#' .*? '\\n' -> channel(HIDDEN) ;",
    )
    .expect("it is read");
    let warnings = vec!["9:19: no token uses the fragment `UNUSED`".to_owned()];
    assert_eq!(findings(&grammar), (Vec::new(), warnings));
    let notes: Vec<String> = check(&grammar)
        .notes
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        notes,
        [
            "3:10: `@header` is left out: it is code",
            "10:26: an action is left out: it is code",
            "12:25: a non-greedy repetition is read as a greedy one: \
             words with its end inside count as valid",
        ]
    );
    let view = grammar.tokens();
    let names: Vec<&str> = view.tokens.iter().map(|token| &*token.name).collect();
    assert_eq!(names, ["'['", "']'", "NUMBER", "','", "KEY", "SPARE"]);
    let spelled: Vec<&[u8]> = view
        .tokens
        .iter()
        .flat_map(|token| token.spelling.as_deref())
        .collect();
    assert_eq!(spelled, [&b"["[..], b"]", b"0", b",", b"key", b"spare"]);
    let accepts = |text: &str| {
        let cfg = grammar.bytes().expect("all tokens are defined");
        cfg.accepts(&text.bytes().map(u16::from).collect::<Vec<_>>())
    };
    assert!(accepts("[]") && accepts(" [ 1,key , [23] ]#c\n "));
    assert!(!accepts("[1 2]") && !accepts("[,]") && !accepts("[k ey]") && !accepts("[1"));
    assert_eq!(
        grammar.rules[grammar.rule("WS").expect("it is there")].role,
        Role::Skipped
    );
}

#[test]
fn words_do_not_touch_words_but_may_touch_everything_else() {
    let grammar = read::antlr(
        "grammar G; s : ('let' ID '=' (ID | NUM))* EOF ; ID : [a-zé]+ ; NUM : '-'? [0-9]+ ;
         WS : ' '+ -> skip ; REM : '#' [a-z]* -> skip ;",
    )
    .expect("it is read");
    let cfg = grammar.bytes().expect("all tokens are defined");
    let accepts = |text: &str| cfg.accepts(&text.bytes().map(u16::from).collect::<Vec<_>>());
    for valid in [
        "",
        " ",
        "let x=y",
        "let x=-1 let é = 2 ",
        "let#a x=1",
        "let x=1#b let y=2",
    ] {
        assert!(accepts(valid), "{valid}");
    }
    for invalid in [
        "letx=y",
        "let x=ylet y=z",
        "let x=1let y=2",
        "let é=1let é=2",
    ] {
        assert!(!accepts(invalid), "{invalid}");
    }
    // Without anything to skip, tokens cannot but touch.
    let grammar = read::antlr("grammar G; s : 'let' ID ; ID : [a-z]+ ;").expect("it is read");
    assert_eq!(words(&grammar, 4, 1), ["leta"]);
}

#[test]
fn a_parser_grammar_may_name_tokens_that_are_defined_elsewhere() {
    let text = "parser grammar P; options { tokenVocab = L; } s : ID '=' NUM ;";
    let grammar = read::antlr(text).expect("it is read");
    let view = grammar.tokens();
    let names: Vec<&str> = view.tokens.iter().map(|token| &*token.name).collect();
    assert_eq!(names, ["ID", "'='", "NUM"]);
    let refused = grammar.bytes().expect_err("tokens have no spelling");
    assert_eq!(
        refused.to_string(),
        "1:51: the token `ID` is not defined here, so it has no spelling\n\
         1:58: the token `NUM` is not defined here, so it has no spelling"
    );
}

#[test]
fn characters_beyond_ascii_are_spelled_in_utf_8() {
    let grammar =
        read::antlr("grammar G; s : A ; A : [α-γ\\u{1F600}] | '\\u00e9' ;").expect("it is read");
    let mut found = words(&grammar, 4, 100);
    found.sort();
    assert_eq!(found, ["é", "α", "β", "γ", "😀"]);
    let grammar =
        read::antlr("grammar G; s : A ; A : ~[\\u0000-\\u{10fffd}] ;").expect("it is read");
    assert_eq!(words(&grammar, 4, 100), ["\u{10fffe}", "\u{10ffff}"]);
}

#[test]
fn a_text_that_a_token_rule_spells_is_that_token() {
    let grammar = read::antlr(
        "grammar G; part : ~(',' | Close)* ; all : '(' part (',' part)* ')' EOF ;
         Comma : ',' ; Close : ')' ; Open : '(' ; Id : [a-z]+ ;",
    )
    .expect("it is read");
    assert_eq!(grammar.rules[grammar.start].name, "all");
    let view = grammar.tokens();
    let names: Vec<&str> = view.tokens.iter().map(|token| &*token.name).collect();
    assert_eq!(names, ["Open", "Close", "Id", "Comma"]);
    assert_eq!(view.letter("("), view.letter("Open"));
    assert_eq!(view.letter("a"), None);
    let letters = |text: &str| {
        let letters = text
            .split(' ')
            .map(|name| view.letter(name).expect("it is a token"));
        letters.collect::<Vec<_>>()
    };
    assert!(view.cfg.accepts(&letters("Open Id Open Comma Close")));
    assert!(!view.cfg.accepts(&letters("Open Close Id Close")));
}

/// Texts in every notation, to be damaged.
const TEXTS: [&str; 6] = [
    "<s> ::= <a> \"x\" | [a-z\\x80-\\xff]* (<s> | 'y')+\n<a> ::= #x41 \"b\"..\"d\" | \"\"",
    "s = a, { 'x' }, [ b ] ; (* c *)\na = \"1\" | b ;\nb = '2' ;",
    "{\"<start>\": [\"<a> \\u00e9\", \"\"], \"<a>\": [[\"x\", \"<start>\"], []]}",
    "grammar G; options { a = b; } @h { x } s[int i] : l=a b+=B* # L | ~(B|'c') {act()}? ; a : 'c' ;\nB : [a-z] '0'..'9' .*? -> skip ; fragment C : ~[\\]\\n] ;",
    "var v : 1..4; cfg S := \"a\" (S)? ['a'-'z'] | \\065 ; reg R := star(or(\"b\", fixsize(S, 3)));",
    "var w : 2; val q := concat(\"x\", w[0:1]); assert q not in R; assert q contains \"\\n\"; assert w != q;",
];

#[test]
fn damaged_texts_are_read_or_refused_and_nothing_else() {
    let mut random = grammar::Random::new(7);
    let extra: Vec<char> = "()[]{}<>|*+?~'\"\\;:=.,-#x0é\n/".chars().collect();
    let (mut fine, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut text: Vec<char> = TEXTS[round % TEXTS.len()].chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len());
            match random.below(9) {
                0..=3 if text.len() > 1 => drop(text.remove(at)),
                0..=7 => text.insert(at, extra[random.below(extra.len())]),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        let read = match round % TEXTS.len() {
            0 | 1 => read::bnf(&text),
            2 => read::json(&text),
            3 => read::antlr(&text),
            _ => grammar::hampi::grammar(&text),
        };
        match read {
            Ok(grammar) => {
                fine += 1;
                check(&grammar);
                grammar.tokens();
                if let Ok(cfg) = grammar.bytes() {
                    Normal::new(&cfg);
                }
                read::bnf(&write::bnf(&grammar)).unwrap_or_else(|p| panic!("{p}\n{text}"));
            }
            Err(problems) => {
                refused += 1;
                let lines = text.lines().count().max(1) as u32 + 1;
                assert!(
                    problems.0.iter().all(|p| p.place.line <= lines),
                    "{problems}"
                );
            }
        }
    }
    assert!(
        fine > 300 && refused > 500,
        "{fine} were fine, {refused} refused"
    );
}

#[test]
fn a_grammar_with_too_many_symbols_is_refused_where_they_become_too_many() {
    let rules: String = (0..30_000)
        .map(|at| format!("r{at} ::= 't{at}'\n"))
        .collect();
    assert_eq!(
        complaints(read::bnf(&rules)),
        ["10001:1: there are more than 20000 rules and texts up to here; divide the grammar"]
    );
}

#[test]
fn a_long_chain_of_rules_is_read_and_checked() {
    let rules: String = (0..9_000)
        .map(|at| format!("r{at} ::= r{} | 'x' r{}\n", at + 1, at + 1))
        .collect();
    let grammar = read::bnf(&(rules + "r9000 ::= 'y'")).expect("it is read");
    assert_eq!(findings(&grammar), (Vec::new(), Vec::new()));
    let normal = Normal::new(&grammar.bytes().expect("all tokens are defined"));
    assert_eq!(normal.shortest(), Some(vec![u16::from(b'y')]));
}
