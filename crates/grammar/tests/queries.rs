//! Random queries about strings: Z3's theory of sequences gives the same
//! answers as both encodings, and trying all strings the same solutions.

use base::Stop;
use grammar::hampi::{Claim, Query, Reply, Session, Settings, Text};
use grammar::words::{Side, Words};
use grammar::{Cfg, Encoding, Normal, Random, Regular, regular_to_cfg};
use solver::{Backend, Limits, Verdict, Z3};
use std::collections::BTreeSet;
use term::{Sort, Store, Term};

/// The greatest length a string of these queries can have.
const LONGEST: usize = 7;

fn regular(random: &mut Random, depth: usize) -> String {
    let some = |random: &mut Random| regular(random, depth - 1);
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => "\"a\"".to_owned(),
        1 => "\"ba\"".to_owned(),
        2 => "['a'-'b']".to_owned(),
        3 => "\"(\"".to_owned(),
        4 | 5 => format!("or({}, {})", some(random), some(random)),
        6 => format!("concat({}, {})", some(random), some(random)),
        _ => format!("star({})", some(random)),
    }
}

fn query(random: &mut Random) -> String {
    let least = random.below(2);
    let mut text = format!("var v : {least}..{};\n", least + random.below(3));
    text += &format!("var w : {};\n", random.below(3));
    text += "cfg E := \"()\" | \"(\" E \")\" | E E | \"a\";\ncfg P := | \"a\" P \"a\" | \"b\" P \"b\" | \"b\";\n";
    text += &format!("reg R := {};\n", regular(random, 3));
    let parts = [
        "val q := concat(v, w);\n",
        "val q := concat(\"(\", v, \")\", w);\n",
        "val q := concat(w, \"b\", v);\n",
    ];
    text += parts[random.below(3)];
    for _ in 0..1 + random.below(3) {
        let subject = ["v", "w", "q", "q"][random.below(4)];
        let not = ["", "", "not "][random.below(3)];
        text += &match random.below(7) {
            0 => format!("assert {subject} {not}in E;\n"),
            1 => format!("assert {subject} {not}in P;\n"),
            2 | 3 => format!("assert {subject} {not}in R;\n"),
            4 => format!(
                "assert {subject} {not}contains \"{}\";\n",
                ["a", "ab", ")(", "b)"][random.below(4)]
            ),
            5 => format!("assert {subject} {not}= concat(\"a\", w);\n"),
            _ => format!("assert {subject} {not}in concat(fixsize(E, 2), R);\n"),
        };
    }
    text
}

/// The query as terms of strings, for Z3.
struct Translation<'a> {
    query: &'a Query,
    store: Store,
    constraints: Vec<Term>,
}

impl Translation<'_> {
    fn run(mut self) -> Option<bool> {
        let mut variables = Vec::new();
        for variable in &self.query.variables {
            let term = self.store.var(&variable.name, Sort::String);
            let length = self.store.str_len(term);
            let (least, most) = (
                self.store.int(variable.least),
                self.store.int(variable.most),
            );
            let bounds = [self.store.le(least, length), self.store.le(length, most)];
            self.constraints.extend(bounds);
            variables.push(term);
        }
        let mut strings: Vec<Term> = Vec::new();
        for text in &self.query.strings {
            let term = match text {
                Text::Variable(variable) => variables[*variable],
                Text::Constant(text) => self
                    .store
                    .string(str::from_utf8(text).expect("it is ASCII")),
                Text::Concat(members) => {
                    let empty = self.store.string("");
                    let parts = members.iter().map(|&member| strings[member]);
                    parts.fold(empty, |whole, part| self.store.str_concat(whole, part))
                }
                Text::Slice { .. } => unreachable!("no query takes slices"),
            };
            strings.push(term);
        }
        for assertion in &self.query.assertions {
            let subject = strings[assertion.subject];
            let holds = match &assertion.claim {
                Claim::Contains(part) => {
                    let part = self
                        .store
                        .string(str::from_utf8(part).expect("it is ASCII"));
                    self.store.str_contains(subject, part)
                }
                Claim::Equals(other) => self.store.eq(subject, strings[*other]),
                Claim::InGrammar(rule) => {
                    let language = self.words(*rule, 0..=LONGEST);
                    self.store.str_in_re(subject, language)
                }
                Claim::InRegular(root) => {
                    let language = self.regular(*root);
                    self.store.str_in_re(subject, language)
                }
            };
            let term = if assertion.negated {
                self.store.not(holds)
            } else {
                holds
            };
            self.constraints.push(term);
        }
        let limits = Limits {
            conflicts: Some(8),
            ..Limits::default()
        };
        match Z3::fresh().check(&mut self.store, &self.constraints, &limits) {
            Verdict::Sat(_) => Some(true),
            Verdict::Unsat(_) => Some(false),
            Verdict::Unknown(_) => None,
        }
    }

    /// The words of a rule that have one of these lengths, one by one.
    fn words(&mut self, rule: usize, lengths: std::ops::RangeInclusive<usize>) -> Term {
        let grammar = self.query.grammar.as_ref().expect("there is a grammar");
        let normal = Normal::new(&grammar.bytes_of(rule));
        let side = Side {
            language: &normal,
            inside: true,
        };
        let words =
            Words::new(&[side], *lengths.end(), &Stop::never()).expect("there are few states");
        let mut union = self.store.re_none();
        for word in words
            .first(usize::MAX, &Stop::never())
            .expect("nobody stops it")
        {
            if lengths.contains(&word.len()) {
                let text: String = word
                    .iter()
                    .map(|&letter| char::from(letter as u8))
                    .collect();
                let text = self.store.string(&text);
                let single = self.store.re_from_str(text);
                union = self.store.re_union(union, single);
            }
        }
        union
    }

    fn regular(&mut self, root: usize) -> Term {
        let mut terms: Vec<Term> = Vec::new();
        for regular in &self.query.regular[..=root] {
            let term = match regular {
                Regular::Text(text) => {
                    let text = self
                        .store
                        .string(str::from_utf8(text).expect("it is ASCII"));
                    self.store.re_from_str(text)
                }
                Regular::Set(set) => {
                    let mut union = self.store.re_none();
                    for (low, high) in set.ranges() {
                        let ends = [low, high].map(|end| char::from(end as u8).to_string());
                        let ends = ends.map(|end| self.store.string(&end));
                        let range = self.store.re_range(ends[0], ends[1]);
                        union = self.store.re_union(union, range);
                    }
                    union
                }
                Regular::Union(members) => {
                    let none = self.store.re_none();
                    let parts = members.iter().map(|&member| terms[member]);
                    parts.fold(none, |any, part| self.store.re_union(any, part))
                }
                Regular::Concat(members) => {
                    let empty = self.store.string("");
                    let empty = self.store.re_from_str(empty);
                    let parts = members.iter().map(|&member| terms[member]);
                    parts.fold(empty, |whole, part| self.store.re_concat(whole, part))
                }
                Regular::Star(member) => self.store.re_star(terms[*member]),
                Regular::Fixed(number, length) => {
                    let rule = self.query.fixed[*number];
                    self.words(rule, *length..=*length)
                }
            };
            terms.push(term);
        }
        terms[root]
    }
}

#[test]
fn z3_and_both_encodings_agree_on_random_queries() {
    const QUERIES: u64 = 60;
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..QUERIES {
        let text = query(&mut Random::new(seed));
        let query = Query::parse(&text).unwrap_or_else(|p| panic!("{p}\n{text}"));
        let answers = [Encoding::Core, Encoding::Chart].map(|encoding| {
            let settings = Settings {
                encoding,
                ..Settings::default()
            };
            let mut session = Session::new(&query, settings).expect("the query is small");
            match session
                .next_solution()
                .unwrap_or_else(|failure| panic!("{failure}\n{text}"))
            {
                Reply::Solution(_) => true,
                Reply::None => false,
                Reply::Unknown(reason) => panic!("{reason}\n{text}"),
            }
        });
        assert_eq!(answers[0], answers[1], "core and chart\n{text}");
        let translation = Translation {
            query: &query,
            store: Store::new(),
            constraints: Vec::new(),
        };
        let Some(by_z3) = translation.run() else {
            continue;
        };
        assert_eq!(by_z3, answers[0], "Z3 and the encodings\n{text}");
        match by_z3 {
            true => sat += 1,
            false => unsat += 1,
        }
    }
    assert!(sat > 9 && unsat > 9, "{sat} and {unsat} were compared");
}

/// Every string over these letters to a length.
fn every_string(letters: &[u8], lengths: std::ops::RangeInclusive<usize>) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut found = Vec::new();
    for length in 0..=*lengths.end() {
        if lengths.contains(&length) {
            found.extend(all.iter().cloned());
        }
        let longer = all.iter().flat_map(|word: &Vec<u8>| {
            let longer = letters
                .iter()
                .map(|&letter| [&word[..], &[letter]].concat());
            longer.collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    found
}

/// The languages of a query as grammars, for Earley's algorithm.
fn claimed(query: &Query) -> Vec<Option<Cfg>> {
    let grammar = query.grammar.as_ref().expect("there is a grammar");
    let fixed = query.fixed.iter();
    let fixed: Vec<Normal> = fixed
        .map(|&rule| Normal::new(&grammar.bytes_of(rule)))
        .collect();
    let languages = query
        .assertions
        .iter()
        .map(|assertion| match assertion.claim {
            Claim::InGrammar(rule) => Some(grammar.bytes_of(rule)),
            Claim::InRegular(root) => Some(regular_to_cfg(&query.regular, root, &fixed)),
            Claim::Contains(_) | Claim::Equals(_) => None,
        });
    languages.collect()
}

fn holds(query: &Query, languages: &[Option<Cfg>], values: [&[u8]; 2]) -> bool {
    let mut strings: Vec<Vec<u8>> = Vec::new();
    for text in &query.strings {
        strings.push(match text {
            Text::Variable(variable) => values[*variable].to_vec(),
            Text::Constant(text) => text.clone(),
            Text::Concat(members) => members.iter().flat_map(|&m| strings[m].clone()).collect(),
            Text::Slice { .. } => unreachable!("no query takes slices"),
        });
    }
    query
        .assertions
        .iter()
        .zip(languages)
        .all(|(assertion, language)| {
            let subject = &strings[assertion.subject];
            let holds = match (&assertion.claim, language) {
                (Claim::Contains(part), _) => {
                    subject.windows(part.len()).any(|window| window == part)
                }
                (Claim::Equals(other), _) => *subject == strings[*other],
                (_, Some(language)) => {
                    language.accepts(&subject.iter().map(|&byte| byte.into()).collect::<Vec<_>>())
                }
                (_, None) => unreachable!("languages are grammars"),
            };
            holds != assertion.negated
        })
}

#[test]
fn all_solutions_are_those_found_by_trying_all_strings() {
    const LETTERS: &[u8] = b"ab()";
    let mut some = 0;
    for seed in 1000..1040 {
        let text = query(&mut Random::new(seed))
            + "reg Letters := star(or(\"a\", \"b\", \"(\", \")\"));
               assert v in Letters; assert w in Letters;";
        let query = Query::parse(&text).unwrap_or_else(|p| panic!("{p}\n{text}"));
        let languages = claimed(&query);
        let [v, w] = &query.variables[..] else {
            panic!("queries have two variables");
        };
        let mut expected = BTreeSet::new();
        for first in every_string(LETTERS, v.least..=v.most) {
            for second in every_string(LETTERS, w.least..=w.most) {
                if holds(&query, &languages, [&first, &second]) {
                    expected.insert(vec![first.clone(), second]);
                }
            }
        }
        if expected.len() > 40 {
            continue;
        }
        some += usize::from(!expected.is_empty());
        for encoding in [Encoding::Core, Encoding::Chart] {
            let settings = Settings {
                encoding,
                ..Settings::default()
            };
            let mut session = Session::new(&query, settings).expect("the query is small");
            let mut found = BTreeSet::new();
            while let Reply::Solution(values) = session.next_solution().expect("it is confirmed") {
                assert!(found.insert(values), "a solution came twice\n{text}");
            }
            assert_eq!(found, expected, "{encoding:?}\n{text}");
        }
    }
    assert!(some > 8, "only {some} queries had solutions");
}
