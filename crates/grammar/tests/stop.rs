//! Counting, sampling, telling words apart and solving end soon after their stop
//! token is set; a token counts how often it is looked at after that.

use base::{Stop, Stopped};
use grammar::hampi::{Failure, Query, Reply, Session, Settings};
use grammar::words::{Side, Unfinished, Words};
use grammar::{Cfg, Encoding, Normal, count, read};
use solver::Reason;

/// Looks at a token that unwinding may take.
const UNWINDING: u64 = 12;

fn cfg(text: &str) -> Cfg {
    let grammar = read::bnf(text).expect("the text is well-formed");
    grammar.bytes().expect("all tokens are defined")
}

/// After half of a palindrome its letters have to be known: states without end.
const PALINDROMES: &str = "S ::= 'a' S 'a' | 'b' S 'b' | 'c' S 'c' | 'd' S 'd' | 'e'";

/// Every word has as many derivations as there are trees with so many leaves.
const AMBIGUOUS: &str = "S ::= S S S | S S | 'a' | 'b'";

#[test]
fn telling_words_apart_ends_with_the_stop() {
    let normal = Normal::new(&cfg(PALINDROMES));
    let side = Side {
        language: &normal,
        inside: true,
    };
    for looks in [0, 1, 1_000] {
        let stop = Stop::after(looks);
        let words = Words::new(&[side], 500, &stop);
        assert_eq!(words.err(), Some(Unfinished::Stopped));
        assert_eq!(stop.late(), 1);
    }
    let words = Words::new(&[side], 5, &Stop::never()).expect("short words need few states");
    for looks in [0, 1, 3] {
        let (counting, listing) = (Stop::after(looks), Stop::after(looks));
        assert_eq!(words.counts(&counting), Err(Stopped));
        assert_eq!(words.first(10, &listing), Err(Stopped));
        assert_eq!((counting.late(), listing.late()), (1, 1));
    }
}

#[test]
fn counting_derivations_ends_with_the_stop() {
    let cfg = cfg(AMBIGUOUS);
    let normal = Normal::new(&cfg);
    for looks in [0, 1, 300] {
        let (counting, sampling) = (Stop::after(looks), Stop::after(looks));
        assert_eq!(count::derivations(&cfg, 500, &counting), Err(Stopped));
        let sampler = count::Sampler::until(&sampling, &normal, 0..=500);
        assert!(sampler.is_err());
        assert_eq!((counting.late(), sampling.late()), (1, 1));
    }
}

const HARD: &str = r#"
    var v : 40;
    cfg S := S S | "(" S ")" | "[" S "]" | "()" | "[]";
    assert v in S;
    assert v contains "([()])[[](";
    assert v not contains "()()";
    assert v[3:20] = v[20:20];
"#;

fn settings(encoding: Encoding, stop: &Stop) -> Settings {
    let mut settings = Settings {
        encoding,
        ..Settings::default()
    };
    settings.solver.limits.stop = stop.clone();
    settings
}

#[test]
fn a_hampi_query_ends_with_the_stop_while_it_is_encoded() {
    let query = Query::parse(HARD).expect("the text is well-formed");
    for encoding in [Encoding::Core, Encoding::Chart] {
        for looks in [0, 1, 500] {
            let stop = Stop::after(looks);
            let failure = Session::new(&query, settings(encoding, &stop)).err();
            assert_eq!(failure, Some(Failure::Stopped(Reason::Interrupted)));
            assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
        }
    }
}

#[test]
fn a_hampi_query_ends_with_the_stop_while_it_is_solved() {
    let query = Query::parse(HARD).expect("the text is well-formed");
    let never = settings(Encoding::Chart, &Stop::never());
    let mut session = Session::new(&query, never).expect("the query is small");
    for looks in [0, 1, 3, 10] {
        let stop = Stop::after(looks);
        session.set_stop(stop.clone());
        let reply = session.next_solution();
        assert_eq!(reply, Ok(Reply::Unknown(Reason::Interrupted)));
        assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
    }
}
