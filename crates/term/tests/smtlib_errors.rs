//! What the reader says of text it does not take, and where.

#[path = "support/random_terms.rs"]
mod random_terms;

use random_terms::Rng;
use term::{Store, smtlib};

fn check(text: &str, expected: &str) {
    let error = smtlib::parse(&mut Store::new(), text).expect_err(text);
    assert_eq!(error.to_string(), expected, "{text}");
}

#[test]
fn unbalanced_parentheses_are_placed() {
    check("(check-sat", "1:1: this parenthesis is never closed");
    check(
        "(assert true)\n(assert (and true\n  (or false)",
        "2:9: this parenthesis is never closed",
    );
    check("(check-sat))", "1:12: `)` without its `(`");
    check(
        "(assert (= #b1 #b0)\n(check-sat)",
        "2:1: expected `)`, found `(`",
    );
    check(
        "(assert (and true\n(check-sat)",
        "2:2: `check-sat` is a command: is a parenthesis missing before it?",
    );
    check("(assert ())", "1:10: expected an operator, found `)`");
    check("(assert)", "1:8: expected a term, found `)`");
    check("check-sat", "1:1: expected a command, found `check-sat`");
}

#[test]
fn broken_tokens_are_placed() {
    check("(assert |x)", "1:9: this `|` is never closed");
    check(
        "(assert |a\\b|)",
        "1:11: a symbol between bars cannot hold `\\`",
    );
    check("(echo \"hello)", "1:7: this string is never closed");
    check("(assert {)", "1:9: unexpected character `{`");
    check("(assert é)", "1:9: unexpected character `é`");
    check("(set-info : x)", "1:11: `:` must begin a keyword");
    check(
        "(assert (= #b12 #b01))",
        "1:12: `#b12` is not a bit-vector literal",
    );
    check(
        "(assert (= #q #b01))",
        "1:12: `#q` is not a bit-vector literal",
    );
    check("(assert (= 12ab 3))", "1:12: `12ab` is not a number");
}

#[test]
fn unknown_names_are_told() {
    check("(assert x)", "1:9: unknown symbol `x`");
    check(
        "(declare-const x Bool)\n(assert (f x))",
        "2:10: unknown symbol `f`",
    );
    check("(declare-const x Foo)", "1:18: unknown sort `Foo`");
    check("(assert (_ bw3 4))", "1:12: unknown symbol `bw3`");
    check(
        "(assert ((_ rotate 4) #x1))",
        "1:13: unknown indexed operator `rotate`",
    );
    check("(assert bvadd)", "1:9: `bvadd` needs arguments");
    check("(asert true)", "1:2: unknown command `asert`");
}

#[test]
fn unsupported_things_are_told_by_name() {
    check(
        "(set-logic ALL)\n(declare-const y (Seq Int))",
        "2:19: unsupported sort `Seq`",
    );
    check(
        "(declare-const a (Array Int Int))",
        "1:18: unsupported sort `(Array Int Int)`: arrays go from bit-vectors to bit-vectors",
    );
    check(
        "(declare-const a (_ BitVec 5000))",
        "1:28: unsupported width 5000: bit-vectors have at most 4096 bits",
    );
    check(
        "(declare-const a (_ FloatingPoint 40 200))",
        "1:18: unsupported sort `(_ FloatingPoint 40 200)`",
    );
    check(
        "(assert (forall ((x Int)) true))",
        "1:10: unsupported: `forall`",
    );
    check(
        "(declare-sort S 0)",
        "1:2: unsupported command `declare-sort`",
    );
    check(
        "(define-fun-rec f ((x Int)) Int x)",
        "1:2: unsupported command `define-fun-rec`",
    );
    check(
        "(declare-const r RegLan)",
        "1:18: unsupported: a variable or function of sort `RegLan`",
    );
    check(
        "(assert (= re.all re.none))",
        "1:9: unsupported: `=` of regular languages",
    );
}

#[test]
fn wrong_arguments_are_told_with_their_sorts() {
    check(
        "(assert (= (bvadd #x01 true) #x00))",
        "1:12: `bvadd` does not take (_ BitVec 8) and Bool",
    );
    check(
        "(assert (bvult #b01 #b011))",
        "1:9: `bvult` does not take (_ BitVec 2) and (_ BitVec 3)",
    );
    check(
        "(assert (not true false))",
        "1:9: `not` takes 1 argument, not 2",
    );
    check(
        "(assert (= #x1))",
        "1:9: `=` takes at least 2 arguments, not 1",
    );
    check(
        "(assert (and 1 2 3 4 5 6))",
        "1:9: `and` does not take Int, Int, Int, … and Int",
    );
    check(
        "(assert (+ 1 2))",
        "1:9: this must be of sort Bool, not Int",
    );
    check(
        "(declare-fun f (Int Bool) Bool)\n(assert (f 1))",
        "2:9: `f` takes 2 arguments, not 1",
    );
    check(
        "(declare-fun f (Int Bool) Bool)\n(assert (f true 1))",
        "2:9: `f` does not take Bool and Int",
    );
    check(
        "(declare-const x Int)\n(assert (x 1))",
        "2:10: `x` takes no arguments",
    );
    check(
        "(assert (= ((_ extract 8 0) #x00) #x00))",
        "1:12: `(_ extract 8 0)` of 8 bits",
    );
    check(
        "(assert (= ((_ extract 2 3) #x00) #x00))",
        "1:12: `(_ extract 2 3)` of 8 bits",
    );
    check(
        "(assert (= (_ bv256 8) #x00))",
        "1:15: `bv256` does not fit 8 bits",
    );
    check(
        "(assert (= (_ bv1 0) #x00))",
        "1:19: a bit-vector has at least one bit",
    );
    check(
        "(assert ((_ divisible 0) 3))",
        "1:23: no number is divisible by 0",
    );
    check(
        "(assert (= ((as const Int) 3) 3))",
        "1:23: Int is not a sort of arrays",
    );
    check(
        "(assert (fp.lt (fp #b0 #b10 #b01) (fp #b0 #b100 #b01)))",
        "1:9: `fp.lt` does not take (_ FloatingPoint 2 3) and (_ FloatingPoint 3 3)",
    );
    check(
        "(define-fun f () Bool 3)",
        "1:23: `f` is of sort Bool, but this is Int",
    );
}

#[test]
fn misplaced_names_are_told() {
    check(
        "(declare-const x Int)\n(declare-const x Bool)",
        "2:16: `x` is already declared",
    );
    check(
        "(declare-const and Bool)",
        "1:16: `and` is already declared",
    );
    check(
        "(declare-const let Bool)",
        "1:16: expected a symbol, found `let`",
    );
    check(
        "(push)\n(declare-const x Bool)\n(pop)\n(assert x)",
        "4:9: unknown symbol `x`",
    );
    check("(push 2)\n(pop 3)", "2:6: cannot pop 3 of 2 levels");
    check(
        "(define-sort Int () Bool)",
        "1:14: sort `Int` is already defined",
    );
    check(
        "(define-sort W (N) (Array N N))\n(declare-const x W)",
        "2:18: sort `W` needs parameters",
    );
    check("(assert (let () true))", "1:9: this `let` binds nothing");
    check(
        "(assert (let ((x true false)) x))",
        "1:28: expected one term, found 2",
    );
    check(
        "(assert (let ((x true) (y x)) y))",
        "1:27: unknown symbol `x`",
    );
    check(
        "(assert (! true :named a))\n(assert (! true :named a))",
        "2:24: `a` is already declared",
    );
    check("(set-logic 3)", "1:12: expected a symbol, found `3`");
    check("(push -1)", "1:7: expected a numeral, found `-1`");
    check(
        "(get-value true)",
        "1:12: expected `(` before terms, found `true`",
    );
}

#[test]
fn columns_count_characters() {
    check("(echo \"äöü\") (assert x)", "1:22: unknown symbol `x`");
    check("; comment é\n  (assert x)", "2:11: unknown symbol `x`");
}

#[test]
fn a_regular_expression_too_deep_to_compute_with_is_refused() {
    let refuse = |header: &str, head: &str| {
        let (nest, close) = (head.repeat(5000), ")".repeat(5002));
        let text = format!("{header}(assert (str.in_re \"\" {nest} re.allchar{close}");
        let error = smtlib::parse(&mut Store::new(), &text).unwrap_err();
        let expected = "unsupported: a regular expression nested this deeply";
        assert_eq!(error.message, expected);
    };
    refuse("", "((_ re.loop 2 3) ");
    refuse("", "(re.++ (str.to_re \"ab\") ");
    let twice = "(define-fun f ((r RegLan)) RegLan (re.comp (re.* r)))";
    refuse(twice, "(f ");
    let text = format!(
        "(assert (str.in_re \"\" (str.to_re \"{}\")))",
        "a".repeat(5000)
    );
    smtlib::parse(&mut Store::new(), &text).unwrap_err();
}

const VALID: [&str; 4] = [
    r#"(set-logic QF_ABV)
(set-info :status sat)
(declare-fun |a b| () (Array (_ BitVec 32) (_ BitVec 8)))
(define-sort Byte () (_ BitVec 8))
(define-fun f ((x Byte) (y Byte)) Byte (bvadd x ((_ rotate_left 3) y) #x0f))
(push 1)
(assert (! (let ((x (select |a b| (_ bv0 32))) (y #b10100101)) (bvult (f x y) y)) :named n))
(assert (=> n (distinct (concat #b1 #xf) ((_ extract 4 0) (f #x00 #xff)))))
(check-sat-assuming (n (not n)))
(get-value ((f #x01 #x02) n))
(pop 1)
(exit)"#,
    r#"(set-logic QF_FP)
(declare-const x Float32)
(declare-const r RoundingMode)
(assert (fp.leq ((_ to_fp 8 24) r (/ 1 3)) (fp.add r x (fp #b0 #x7f #b00000000000000000000000))))
(assert (= ((_ fp.to_sbv 8) RTZ x) ((_ fp.to_ubv 8) roundTowardZero (fp.min x (_ -zero 8 24)))))
(assert (fp.isNaN ((_ to_fp 5 11) RNE (_ NaN 8 24))))
(check-sat)"#,
    r#"(declare-fun g (Int Real) Real)
(declare-const n Int)
(assert (< 0 (+ n 1) (div n 3) (mod 7 n) (abs (- n))))
(assert (>= (g n 2) 1.5 (to_real n)))
(assert ((_ divisible 3) (to_int (g 0 0.5))))
(assert (= (bv2nat ((_ int2bv 8) n)) n))
(check-sat)(get-model)"#,
    r#"(declare-const s String)
(assert (str.in_re s (re.+ (re.union (str.to_re "a""b\u{41}") ((_ re.loop 1 3) (re.range "0" "9"))))))
(assert (= (str.indexof s "b" 0) (str.len (str.substr s 0 (str.to_int s)))))
(assert (xor (str.prefixof "x" s) (str.<= s (str.replace_all s "a" "b")) (str.is_digit (str.at s 2))))
(echo "done ""now""")"#,
];

#[test]
fn the_texts_to_be_damaged_are_whole() {
    for text in VALID {
        smtlib::parse(&mut Store::new(), text).unwrap();
    }
}

#[test]
fn truncated_text_never_panics() {
    for text in VALID {
        for (length, _) in text.char_indices() {
            let _ = smtlib::parse(&mut Store::new(), &text[..length]);
        }
    }
}

#[test]
fn damaged_text_never_panics() {
    let mut rng = Rng::new(5);
    let scraps: Vec<&str> = VALID.iter().flat_map(|text| text.split(' ')).collect();
    for text in VALID {
        let words: Vec<&str> = text.split_inclusive(['(', ')', ' ']).collect();
        for _ in 0..3000 {
            let mut damaged = words.clone();
            for _ in 0..rng.below(4) + 1 {
                let at = rng.below(damaged.len());
                match rng.below(4) {
                    0 => drop(damaged.remove(at)),
                    1 => damaged.insert(at, rng.of(&scraps)),
                    2 => damaged[at] = rng.of(&scraps),
                    _ => {
                        let other = rng.below(damaged.len());
                        damaged.swap(at, other);
                    }
                }
            }
            let _ = smtlib::parse(&mut Store::new(), &damaged.concat());
        }
        for _ in 0..3000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..rng.below(3) + 1 {
                let at = rng.below(bytes.len());
                bytes[at] = rng.of(b"()|\"#:;!_.0123456789abcx \\-\xc3\xa9");
            }
            let _ = smtlib::parse(&mut Store::new(), &String::from_utf8_lossy(&bytes));
        }
    }
}
