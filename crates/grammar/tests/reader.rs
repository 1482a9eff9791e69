//! What may follow letters that were read, against all words there are.

use grammar::{BYTES, Following, Letter, LetterSet, Normal, Reader, read};

const GRAMMARS: [&str; 4] = [
    r#"<e> ::= "()" | "(" <e> ")" | <e> <e>"#,
    r#"<s> ::= "a" <s> "b" | "ab" | "b""#,
    r#"<s> ::= "" | "a" | "ba" <s> | "b" <t>
       <t> ::= "aa" | "b" <t>"#,
    r#"<s> ::= <n> | <n> "+" <s>
       <n> ::= [ab] | "(" <s> ")""#,
];
const LETTERS: &[u8] = b"ab()+";
const LONGEST: usize = 6;

/// All strings over the letters up to a length.
fn strings(longest: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        let longer = last.iter().flat_map(|string: &Vec<u8>| {
            LETTERS
                .iter()
                .map(move |&letter| [&string[..], &[letter]].concat())
        });
        last = longer.collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn set(letters: impl IntoIterator<Item = u8>) -> LetterSet {
    LetterSet::of(BYTES, letters.into_iter().map(Letter::from))
}

/// The words of a grammar up to the greatest length, by trying all strings.
fn words(grammar: &str) -> Vec<Vec<u8>> {
    let cfg = read::bnf(grammar).unwrap().bytes().unwrap();
    let mut all = strings(LONGEST);
    all.retain(|string| {
        let letters: Vec<Letter> = string.iter().map(|&letter| letter.into()).collect();
        cfg.accepts(&letters)
    });
    all
}

/// What follows some letters in words; none if no word begins so.
fn following(words: &[Vec<u8>], begun: &[u8], longest: usize) -> Option<Following> {
    let begin = words
        .iter()
        .filter(|word| word.starts_with(begun) && word.len() <= longest);
    let begin: Vec<&Vec<u8>> = begin.collect();
    let next = begin
        .iter()
        .filter_map(|word| word.get(begun.len()).copied());
    (!begin.is_empty()).then(|| Following {
        letters: set(next),
        ends: words.iter().any(|word| word == begun),
    })
}

#[test]
fn after_letters_that_are_known_follows_what_words_go_on_with() {
    for grammar in GRAMMARS {
        let words = words(grammar);
        let normal = Normal::new(&read::bnf(grammar).unwrap().bytes().unwrap());
        let mut reader = Reader::new(&normal);
        for begun in strings(4) {
            let sets: Vec<LetterSet> = begun.iter().map(|&letter| set([letter])).collect();
            for longest in begun.len()..=LONGEST {
                // A beginning that nothing ends in time is none that a path has read.
                if let Some(expected) = following(&words, &begun, longest) {
                    let found = reader.after(&sets, longest - begun.len());
                    assert_eq!(found, Some(expected), "{grammar}: {}", begun.escape_ascii());
                }
            }
        }
    }
}

#[test]
fn after_letters_that_are_open_nothing_is_said_that_depends_on_them() {
    for grammar in GRAMMARS {
        let words = words(grammar);
        let normal = Normal::new(&read::bnf(grammar).unwrap().bytes().unwrap());
        let mut reader = Reader::new(&normal);
        let mut said = 0;
        for begun in strings(3) {
            for open in 0..begun.len() {
                let sets = begun
                    .iter()
                    .enumerate()
                    .map(|(at, &letter)| match at == open {
                        true => set(LETTERS.iter().copied()),
                        false => set([letter]),
                    });
                let sets: Vec<LetterSet> = sets.collect();
                let Some(found) = reader.after(&sets, LONGEST - begun.len()) else {
                    continue;
                };
                said += 1;
                for &letter in LETTERS {
                    let mut one = begun.clone();
                    one[open] = letter;
                    if let Some(expected) = following(&words, &one, LONGEST) {
                        assert_eq!(found, expected, "{grammar}: {}", one.escape_ascii());
                    }
                }
            }
        }
        assert!(said > 0, "{grammar}");
    }
}
