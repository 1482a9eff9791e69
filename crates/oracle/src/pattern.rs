//! Names with wildcards, as people write them on a command line.

use std::fmt;

/// A name in which `*` stands for any text and `?` for any one character.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern with this text.
    pub fn new(text: impl Into<String>) -> Pattern {
        Pattern(text.into())
    }

    /// Whether it has a wildcard, so that more than one name can match.
    pub fn has_wildcards(&self) -> bool {
        self.0.contains(['*', '?'])
    }

    /// Whether the whole name fits.
    ///
    /// ```
    /// use oracle::Pattern;
    ///
    /// assert!(Pattern::new("sin*").matches("sinhf"));
    /// assert!(!Pattern::new("h?sh").matches("hsh"));
    /// ```
    pub fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.chars().collect();
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut read) = (0, 0);
        // The last star, and how much of the name it has taken: on a mismatch
        // it takes one character more. An earlier star never needs to.
        let mut star: Option<(usize, usize)> = None;
        while read < name.len() {
            match pattern.get(at) {
                Some('*') => {
                    star = Some((at, read));
                    at += 1;
                }
                Some(&c) if c == '?' || c == name[read] => {
                    at += 1;
                    read += 1;
                }
                _ => {
                    let Some((position, taken)) = star else {
                        return false;
                    };
                    star = Some((position, taken + 1));
                    at = position + 1;
                    read = taken + 1;
                }
            }
        }
        pattern[at..].iter().all(|&c| c == '*')
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_as_its_definition_by_recursion_does() {
        fn defined(pattern: &[u8], name: &[u8]) -> bool {
            match (pattern, name) {
                ([], _) => name.is_empty(),
                ([b'*', rest @ ..], _) => (0..=name.len()).any(|n| defined(rest, &name[n..])),
                ([b'?', rest @ ..], [_, tail @ ..]) => defined(rest, tail),
                ([c, rest @ ..], [d, tail @ ..]) => c == d && defined(rest, tail),
                (_, []) => false,
            }
        }
        let words = |letters: &[u8]| {
            let mut all = vec![Vec::new()];
            for length in 1..=5 {
                let longer: Vec<Vec<u8>> = all
                    .iter()
                    .filter(|word: &&Vec<u8>| word.len() == length - 1)
                    .flat_map(|word| letters.iter().map(move |&c| [&word[..], &[c]].concat()))
                    .collect();
                all.extend(longer);
            }
            all
        };
        for pattern in words(b"ab*?") {
            let text = String::from_utf8(pattern.clone()).expect("it is ASCII");
            let matcher = Pattern::new(text);
            for name in words(b"ab") {
                let text = std::str::from_utf8(&name).expect("it is ASCII");
                assert_eq!(
                    matcher.matches(text),
                    defined(&pattern, &name),
                    "{matcher} {text}"
                );
            }
        }
    }
}
