//! Counting, sampling, telling words apart and solving end soon after their stop
//! token is set; a token counts how often it is looked at after that.

use base::{Stop, Stopped};
use grammar::encode::{chart::Chart, viable::Beginnings};
use grammar::hampi::{Failure, Query, Reply, Session, Settings};
use grammar::words::{Side, Unfinished, Words};
use grammar::{Allowed, BYTES, Cfg, Completer, Encoding, LetterSet, Normal, count, read};
use solver::Reason;
use term::{Sort, Store};

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
        let sampler = count::Sampler::new(&normal, 0..=500, &sampling);
        assert!(sampler.is_err());
        assert_eq!((counting.late(), sampling.late()), (1, 1));
    }
}

#[test]
fn completing_and_recognising_a_word_end_with_the_stop() {
    let cfg = cfg(AMBIGUOUS);
    let normal = Normal::new(&cfg);
    let any = Allowed::letters(LetterSet::of(BYTES, [u16::from(b'a'), u16::from(b'b')]));
    for looks in [0, 1, 5_000] {
        let (completing, recognising) = (Stop::after(looks), Stop::after(looks));
        let completion = Completer::new(&normal).complete(&vec![any.clone(); 200], &completing);
        assert_eq!(completion, Err(Stopped));
        let word = vec![u16::from(b'a'); 200];
        assert_eq!(cfg.accepts_until(&word, &recognising), Err(Stopped));
        assert_eq!((completing.late(), recognising.late()), (1, 1));
    }
}

#[test]
fn the_terms_of_a_beginning_end_with_the_stop_and_can_be_asked_for_again() {
    let normal = Normal::new(&cfg(AMBIGUOUS));
    let mut store = Store::new();
    let name = |at: usize| format!("b{at}");
    let bytes: Vec<_> = (0..40)
        .map(|at| store.var(&name(at), Sort::Bv(8)))
        .collect();
    for looks in [0, 1, 300] {
        let (charting, beginning) = (Stop::after(looks), Stop::after(looks));
        assert!(Chart::new(&store, &normal, &bytes, &charting).is_err());
        assert!(Beginnings::new(&store, &normal, &bytes, &beginning).is_err());
        assert_eq!((charting.late(), beginning.late()), (1, 1));
    }
    let beginnings = Beginnings::new(&store, &normal, &bytes, &Stop::never());
    let mut beginnings = beginnings.expect("nobody stops it");
    for looks in [0, 1, 30] {
        let stop = Stop::after(looks);
        beginnings.set_stop(&stop);
        assert_eq!(beginnings.begin(&mut store, 39), Err(Stopped));
        assert_eq!(stop.late(), 1);
        assert_eq!(beginnings.word(&mut store, 39), Err(Stopped));
        assert_eq!(stop.late(), 2);
    }
    beginnings.set_stop(&Stop::never());
    let begins = beginnings.begin(&mut store, 39).expect("nobody stops it");
    let word = beginnings.word(&mut store, 39).expect("nobody stops it");
    assert!(store.as_bool(begins).is_none() && store.as_bool(word).is_none());
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
