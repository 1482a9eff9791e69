//! Texts that are guessed before a solver is asked for them.
//!
//! Solvers of strings may take minutes for a few texts of a language that have to differ, where
//! almost any words of it will do. So words are tried first: those that conditions compare with,
//! those that other texts have, and some of each language. What is found was evaluated; where
//! nothing is, nothing is known.

use base::Random;
use mixed::Mixed;
use mixed::solver::PathCondition;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Assignment, Op, Regex, Sort, Store, Term, Value, Variable};

/// Words that are tried for one text.
const WORDS: usize = 48;

/// Words of one language.
const OF_LANGUAGE: usize = 8;

/// How often a part is repeated beyond what it has to be.
const REPEATED: usize = 3;

/// Words with more characters are not tried, nor are parts repeated more often.
const LONGEST: usize = 1000;

/// An assignment under which a condition holds beside those of a path, by another value for one
/// of the texts it is about; none if that is not so easy.
pub(crate) fn texts(
    mixed: &mut Mixed,
    store: &Store,
    path: &PathCondition,
    known: &Assignment,
    condition: Term,
) -> Option<Assignment> {
    let open = texts_in(store, &[condition]);
    if open.is_empty() {
        return None;
    }
    mixed.take_failure();
    if mixed.under(store, known).holds(condition) && mixed.take_failure().is_none() {
        return None;
    }
    let path: Vec<Term> = path.constraints().collect();
    let words = words(mixed, store, &path, known, condition);
    // The newest last: what came before is decided already.
    for &text in open.iter().rev() {
        for word in &words {
            let mut assignment = known.clone();
            assignment.set(text, Value::Str(word.clone()));
            mixed.take_failure();
            let mut evaluation = mixed.under(store, &assignment);
            let holds = evaluation.holds(condition) && path.iter().all(|&it| evaluation.holds(it));
            if holds && mixed.take_failure().is_none() {
                return Some(assignment);
            }
        }
    }
    None
}

/// The variables in terms that are texts, the oldest first.
fn texts_in(store: &Store, terms: &[Term]) -> Vec<Variable> {
    let mut found = term::free_variables(store, terms);
    found.retain(|&it| store.variable_sort(it) == Sort::String);
    found
}

/// Words worth a try.
fn words(
    mixed: &mut Mixed,
    store: &Store,
    path: &[Term],
    known: &Assignment,
    condition: Term,
) -> Vec<Rc<[u32]>> {
    let mut found: Vec<Rc<[u32]>> = Vec::new();
    let mut random = Random::new(WORDS as u64);
    let all: Vec<Term> = [condition].iter().chain(path).copied().collect();
    for part in term::post_order(store, &all) {
        match store.as_value(part) {
            Some(Value::Str(text)) => found.push(text),
            Some(_) => {}
            None if store.op(part) == Op::StrInRe => {
                let language = mixed.under(store, known).value(store.args(part)[1]);
                if let Value::Re(language) = language {
                    let words = (0..OF_LANGUAGE).filter_map(|_| word(&language, &mut random));
                    found.extend(words.filter(|it| language.accepts(it)).map(Rc::from));
                }
            }
            None => {}
        }
    }
    let others = known.values().filter_map(|(_, value)| match value {
        Value::Str(text) => Some(text.clone()),
        _ => None,
    });
    found.extend(others);
    found.extend(["", "a", "b", "ab"].map(|it| it.chars().map(u32::from).collect()));
    let mut seen = FxHashSet::default();
    found.retain(|word| seen.insert(word.clone()));
    found.truncate(WORDS);
    found
}

/// A word of a language, if that is easy to find; with complements and intersections it may be
/// one that is not in it.
fn word(language: &Regex, random: &mut Random) -> Option<Vec<u32>> {
    Some(match language {
        Regex::None => return None,
        Regex::Empty | Regex::Complement(_) => Vec::new(),
        Regex::Range(low, high) => {
            // Letters where there are some, which are easier to read.
            let (a, z) = (u32::from('a').max(*low), u32::from('z').min(*high));
            let (low, high) = if a <= z { (a, z) } else { (*low, *high) };
            let size = usize::try_from(high.checked_sub(low)?).ok()? + 1;
            vec![low + u32::try_from(random.below(size)).ok()?]
        }
        Regex::Concat(first, second) => {
            let mut found = word(first, random)?;
            found.extend(word(second, random)?);
            found
        }
        Regex::Union(first, second) => {
            let sides = match random.below(2) {
                0 => [first, second],
                _ => [second, first],
            };
            sides.into_iter().find_map(|side| word(side, random))?
        }
        Regex::Inter(first, _) => word(first, random)?,
        Regex::Star(part) => repeated(part, random.below(REPEATED + 1), random)?,
        Regex::Loop(part, least, most) => {
            let least = usize::try_from(*least).ok()?;
            let spare = usize::try_from(*most).ok()?.checked_sub(least)?;
            let times = least + random.below(spare.min(REPEATED) + 1);
            repeated(part, times, random)?
        }
    })
}

fn repeated(part: &Regex, times: usize, random: &mut Random) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for _ in 0..times {
        found.extend(word(part, random)?);
        if times.max(found.len()) > LONGEST {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_of_their_language_and_not_too_long() {
        let letter = Rc::new(Regex::Range(u32::from('a'), u32::from('c')));
        let twice = Rc::new(Regex::Loop(letter, 2, 5));
        let random = &mut Random::new(1);
        let found = word(&twice, random).expect("there is one");
        assert!(twice.accepts(&found) && (2..=5).contains(&found.len()));
        let often = |part: Rc<Regex>| Rc::new(Regex::Loop(part, 900, 900));
        assert_eq!(word(&often(often(twice)), random), None);
        let nothing = Rc::new(Regex::Loop(Rc::new(Regex::Empty), u32::MAX, u32::MAX));
        assert_eq!(word(&nothing, random), None);
    }
}
