//! Random small grammars: everything that speaks of their words says what
//! writing all words out says.

use base::Stop;
use grammar::encode::{chart::Chart, core::Core, viable::Beginnings};
use grammar::words::{Side, Words};
use grammar::{
    Allowed, BYTES, Cfg, Completer, Completion, Letter, LetterSet, Membership, Normal, Part,
    Random, count,
};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use term::Store;

const LONGEST: usize = 5;

const UNSTOPPED: &str = "nobody stops it";

type Word = Vec<Letter>;

/// A grammar over this many letters, with rules that may be empty, useless,
/// recursive on both sides and through each other.
fn random_grammar(random: &mut Random, letters: usize) -> Cfg {
    let rules = 1 + random.below(4);
    let classes: Vec<LetterSet> = (0..1 + random.below(3))
        .map(|_| {
            let members = (0..1 + random.below(2)).map(|_| random.below(letters) as Letter);
            LetterSet::of(letters, members)
        })
        .collect();
    let part = |random: &mut Random| match random.below(5) {
        0..=2 => Part::Class(random.below(classes.len()) as u32),
        _ => Part::Rule(random.below(rules) as u32),
    };
    let productions = (0..rules).map(|_| {
        let ways = (0..1 + random.below(3)).map(|_| {
            let length = [0, 1, 1, 2, 2, 3][random.below(6)];
            (0..length).map(|_| part(random)).collect()
        });
        ways.collect::<Vec<Vec<Part>>>()
    });
    let rules = productions.collect();
    Cfg {
        letters,
        classes,
        rules,
        start: 0,
    }
}

/// All words to a length, by adding words to rules until nothing is new.
fn all_words(cfg: &Cfg, longest: usize) -> BTreeSet<Word> {
    let mut words: Vec<BTreeSet<Word>> = vec![BTreeSet::new(); cfg.rules.len()];
    loop {
        let before: usize = words.iter().map(BTreeSet::len).sum();
        for (rule, productions) in cfg.rules.iter().enumerate() {
            for production in productions {
                let mut heads = BTreeSet::from([Vec::new()]);
                for part in production {
                    let tails: BTreeSet<Word> = match part {
                        Part::Class(class) => {
                            let letters = cfg.classes[*class as usize].iter();
                            letters.map(|letter| vec![letter]).collect()
                        }
                        Part::Rule(rule) => words[*rule as usize].clone(),
                    };
                    let joined = heads.iter().flat_map(|head: &Word| {
                        let joined = tails.iter().map(|tail| [&head[..], &tail[..]].concat());
                        joined
                            .filter(|word| word.len() <= longest)
                            .collect::<Vec<_>>()
                    });
                    heads = joined.collect();
                }
                words[rule].extend(heads);
            }
        }
        if words.iter().map(BTreeSet::len).sum::<usize>() == before {
            return words.swap_remove(cfg.start);
        }
    }
}

/// Every word over the letters to a length, shorter ones first.
fn every_string(letters: usize, longest: usize) -> Vec<Word> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let to = all.len();
        for at in from..to {
            for letter in 0..letters as Letter {
                let longer = [&all[at][..], &[letter]].concat();
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

fn each_grammar(
    count: u64,
    letters: usize,
    mut look: impl FnMut(&mut Random, &Cfg, &BTreeSet<Word>),
) {
    let mut some = 0;
    for seed in 0..count {
        let mut random = Random::new(seed);
        let cfg = random_grammar(&mut random, letters);
        let words = all_words(&cfg, LONGEST);
        some += usize::from(words.len() > 3);
        look(&mut random, &cfg, &words);
    }
    assert!(
        some * 4 > count as usize,
        "only {some} grammars of {count} had words"
    );
}

#[test]
fn earley_accepts_exactly_the_words() {
    let strings = every_string(2, LONGEST);
    each_grammar(400, 2, |_, cfg, words| {
        for string in &strings {
            assert_eq!(
                cfg.accepts(string),
                words.contains(string),
                "{string:?} of {cfg:?}"
            );
        }
    });
}

#[test]
fn words_are_listed_and_counted_once_in_order() {
    each_grammar(600, 3, |_, cfg, words| {
        let normal = Normal::new(cfg);
        let side = Side {
            language: &normal,
            inside: true,
        };
        let graph =
            Words::new(&[side], LONGEST, &Stop::never()).expect("small grammars have few states");
        let mut expected: Vec<&Word> = words.iter().collect();
        expected.sort_by_key(|word| (word.len(), *word));
        let listed = graph.first(usize::MAX, &Stop::never()).expect(UNSTOPPED);
        assert_eq!(listed.iter().collect::<Vec<_>>(), expected, "{cfg:?}");
        let counts: Vec<BigUint> = (0..=LONGEST)
            .map(|length| {
                words
                    .iter()
                    .filter(|word| word.len() == length)
                    .count()
                    .into()
            })
            .collect();
        assert_eq!(graph.counts(&Stop::never()), Ok(counts), "{cfg:?}");
        assert_eq!(
            normal
                .shortest()
                .map(|word| (word.len(), words.contains(&word))),
            expected.first().map(|word| (word.len(), true)),
        );
    });
}

#[test]
fn the_words_of_two_languages_and_of_one_without_another_are_exact() {
    let mut before: Option<(Cfg, BTreeSet<Word>)> = None;
    each_grammar(300, 2, |_, cfg, words| {
        if let Some((other, other_words)) = &before {
            let (a, b) = (Normal::new(cfg), Normal::new(other));
            for inside in [true, false] {
                let sides = [(&a, true), (&b, inside)];
                let sides = sides.map(|(language, inside)| Side { language, inside });
                let found = Words::new(&sides, LONGEST, &Stop::never())
                    .expect("small grammars have few states");
                let found: BTreeSet<Word> = found
                    .first(usize::MAX, &Stop::never())
                    .into_iter()
                    .flatten()
                    .collect();
                let expected = words
                    .iter()
                    .filter(|word| other_words.contains(*word) == inside);
                assert_eq!(found, expected.cloned().collect());
            }
        }
        before = Some((cfg.clone(), words.clone()));
    });
}

#[test]
fn lengths_are_those_of_the_words() {
    each_grammar(400, 2, |_, cfg, words| {
        let normal = Normal::new(cfg);
        let lengths = normal.lengths(LONGEST);
        let found: BTreeSet<usize> = (1..=LONGEST)
            .filter(|&length| {
                normal
                    .start
                    .is_some_and(|start| lengths[start as usize][length])
            })
            .collect();
        let expected = words.iter().map(Vec::len).filter(|&length| length > 0);
        assert_eq!(found, expected.collect(), "{cfg:?}");
        assert_eq!(normal.empty, words.contains(&Vec::new()));
    });
}

#[test]
fn drawn_words_are_words_and_all_words_are_drawn() {
    each_grammar(200, 2, |random, cfg, words| {
        let normal = Normal::new(cfg);
        let sampler = count::Sampler::new(&normal, 0..=3, &Stop::never());
        let Some(sampler) = sampler.expect(UNSTOPPED) else {
            assert!(words.iter().all(|word| word.len() > 3));
            return;
        };
        let drawn: BTreeSet<Word> = (0..2000).map(|_| sampler.draw(random)).collect();
        let expected = words.iter().filter(|word| word.len() <= 3).cloned();
        assert_eq!(drawn, expected.collect());
    });
}

#[test]
fn a_completion_is_a_shortest_word_or_there_is_none() {
    each_grammar(1500, 3, |random, cfg, words| {
        let normal = Normal::new(cfg);
        let completer = Completer::new(&normal);
        for _ in 0..4 {
            let positions = random.below(LONGEST - 1);
            let mut allowed: Vec<Allowed> = (0..positions)
                .map(|_| Allowed {
                    letters: LetterSet::of(3, (0..3).filter(|_| random.below(3) > 0)),
                    end: random.below(4) == 0,
                })
                .collect();
            // Most constraints say nothing of the end.
            if random.below(3) > 0 {
                for position in &mut allowed {
                    position.end = false;
                }
            }
            let fits = |word: &Word| {
                allowed
                    .iter()
                    .enumerate()
                    .all(|(at, allowed)| match word.get(at) {
                        Some(&letter) => allowed.letters.contains(letter),
                        None => allowed.end,
                    })
            };
            let shortest = words.iter().filter(|word| fits(word)).map(Vec::len).min();
            let completion = completer.complete(&allowed, &Stop::never());
            match (completion.expect(UNSTOPPED), shortest) {
                (Completion::Word(word), Some(length)) => {
                    assert_eq!(word.len(), length, "{cfg:?} {allowed:?}");
                    assert!(
                        words.contains(&word) && fits(&word),
                        "{word:?} {cfg:?} {allowed:?}"
                    );
                }
                // The words written out are only those to a length.
                (Completion::Word(word), None) => {
                    assert!(word.len() > LONGEST && cfg.accepts(&word) && fits(&word));
                }
                (Completion::None { position }, shortest) => {
                    assert_eq!(shortest, None, "{cfg:?} {allowed:?}");
                    assert!(position <= allowed.len());
                }
            }
        }
    });
}

#[test]
fn both_encodings_hold_for_exactly_the_words() {
    let strings = every_string(2, 4);
    each_grammar(150, 2, |_, cfg, words| {
        let mut bytes = cfg.clone();
        bytes.letters = BYTES;
        for class in &mut bytes.classes {
            *class = LetterSet::of(BYTES, class.iter().collect::<Vec<_>>());
        }
        let normal = Normal::new(&bytes);
        let mut store = Store::new();
        for string in &strings {
            let letters: Vec<_> = string.iter().map(|&l| store.bv(8, l.into())).collect();
            let expected = Some(words.contains(string));
            let chart = Chart::new(&store, &normal, &letters, &Stop::never())
                .and_then(|mut chart| chart.prefix(&mut store, string.len()))
                .expect(UNSTOPPED);
            assert_eq!(
                store.as_bool(chart),
                expected,
                "chart: {string:?} of {cfg:?}"
            );
            let core = Core::new(&normal, &letters)
                .prefix(&mut store, string.len())
                .expect("nobody stops it");
            assert_eq!(store.as_bool(core), expected, "core: {string:?} of {cfg:?}");
        }
    });
}

#[test]
fn bytes_are_viable_exactly_where_a_word_that_fits_begins_with_them() {
    let strings = every_string(2, 4);
    each_grammar(150, 2, |_, cfg, words| {
        let mut bytes = cfg.clone();
        bytes.letters = BYTES;
        for class in &mut bytes.classes {
            *class = LetterSet::of(BYTES, class.iter().collect::<Vec<_>>());
        }
        let normal = Normal::new(&bytes);
        for most in 0..=LONGEST {
            let mut store = Store::new();
            let fitting: Vec<&Word> = words.iter().filter(|word| word.len() <= most).collect();
            for string in strings.iter().filter(|string| string.len() <= most) {
                // What comes after the string is open and must not matter.
                let letters: Vec<_> = (0..most)
                    .map(|at| match string.get(at) {
                        Some(&letter) => store.bv(8, letter.into()),
                        None => store.var(&format!("b{at}"), term::Sort::Bv(8)),
                    })
                    .collect();
                let beginnings = Beginnings::new(&store, &normal, &letters, &Stop::never());
                let mut beginnings = beginnings.expect(UNSTOPPED);
                let viable = beginnings.begin(&mut store, string.len());
                let viable = viable.expect(UNSTOPPED);
                let expected = fitting.iter().any(|word| word.starts_with(string));
                assert_eq!(
                    store.as_bool(viable),
                    Some(expected),
                    "{string:?} in {most} of {cfg:?}"
                );
                let word = beginnings.word(&mut store, string.len());
                let word = word.expect(UNSTOPPED);
                assert_eq!(store.as_bool(word), Some(words.contains(string)));
            }
        }
    });
}

#[test]
fn derivations_are_at_least_as_many_as_words_or_infinitely_many() {
    let mut finite = 0;
    each_grammar(300, 2, |_, cfg, words| {
        let Ok(Some(counts)) = count::derivations(cfg, LONGEST, &Stop::never()) else {
            return;
        };
        finite += 1;
        for (length, count) in counts.iter().enumerate() {
            let expected = words.iter().filter(|word| word.len() == length).count();
            assert!(
                *count >= expected.into() && (*count == 0u8.into()) == (expected == 0),
                "{cfg:?}"
            );
        }
    });
    assert!(
        finite > 50,
        "only {finite} grammars were finitely ambiguous"
    );
}
