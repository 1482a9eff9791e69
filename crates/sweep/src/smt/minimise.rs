//! Makes a script smaller while it still shows the same.
//!
//! Delta debugging over what a script is made of: steps are left out, a term gives way
//! to a part of itself of the same sort, or to a plain constant. Each round tries the
//! largest cuts first, until nothing smaller is left or the trials are used up.

use super::script::{Node, Script, Sort, Step};

/// The smallest script found in so many trials for which `still` holds.
pub fn minimise(script: &Script, trials: usize, mut still: impl FnMut(&Script) -> bool) -> Script {
    let mut best = script.clone();
    let mut left = trials;
    'again: loop {
        let mut candidates = smaller(&best);
        candidates.sort_by_key(Script::size);
        for candidate in candidates {
            if left == 0 {
                return best;
            }
            left -= 1;
            if still(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Scripts that are one cut smaller.
fn smaller(script: &Script) -> Vec<Script> {
    let mut all = Vec::new();
    let queries = script.queries().len();
    if queries > 1 || script.steps.iter().any(|step| matches!(step, Step::Push)) {
        all.extend((0..queries).map(|number| script.only(number)));
    }
    for (position, step) in script.steps.iter().enumerate() {
        let mut replace = |with: Option<Step>| {
            let mut steps = script.steps.clone();
            match with {
                Some(step) => steps[position] = step,
                None => {
                    steps.remove(position);
                }
            }
            let cut = Script {
                steps,
                ..script.clone()
            };
            all.push(cut.without_unused());
        };
        match step {
            Step::Assert(node) => {
                replace(None);
                for cut in cuts(node) {
                    replace(Some(Step::Assert(cut)));
                }
            }
            Step::Check(assumptions, values) => {
                for fewer in fewer(assumptions) {
                    replace(Some(Step::Check(fewer, values.clone())));
                }
                for fewer in fewer(values) {
                    replace(Some(Step::Check(assumptions.clone(), fewer)));
                }
            }
            // Scopes go when a query is taken alone.
            Step::Push | Step::Pop => {}
        }
    }
    all.retain(|candidate| candidate.size() < script.size());
    all
}

/// The terms without one of them, or with one cut.
fn fewer(terms: &[Node]) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    for (position, term) in terms.iter().enumerate() {
        let mut without = terms.to_vec();
        without.remove(position);
        all.push(without);
        for cut in cuts(term) {
            let mut with = terms.to_vec();
            with[position] = cut;
            all.push(with);
        }
    }
    all
}

/// The term with one part cut out.
fn cuts(node: &Node) -> Vec<Node> {
    let mut all = Vec::new();
    if !node.args.is_empty() {
        parts(node, &node.sort, &mut all);
        all.extend(plain(&node.sort).map(|head| Node::leaf(node.sort.clone(), head)));
    }
    for (position, arg) in node.args.iter().enumerate() {
        for cut in cuts(arg) {
            let mut with = node.clone();
            with.args[position] = cut;
            all.push(with);
        }
    }
    all
}

/// The parts of a term that have a sort, the term itself left out.
fn parts(node: &Node, sort: &Sort, all: &mut Vec<Node>) {
    for arg in &node.args {
        if arg.sort == *sort {
            all.push(arg.clone());
        }
        parts(arg, sort, all);
    }
}

/// A constant of the sort.
fn plain(sort: &Sort) -> Option<String> {
    Some(match sort {
        Sort::Bool => "true".to_owned(),
        Sort::Bv(width) => format!("(_ bv0 {width})"),
        Sort::Fp(eb, sb) => format!("(_ +zero {eb} {sb})"),
        Sort::Mode => "RNE".to_owned(),
        Sort::Int => "0".to_owned(),
        Sort::Real => "0.0".to_owned(),
        Sort::String => "\"\"".to_owned(),
        Sort::Array(..) | Sort::Language => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::generate;
    use base::Random;

    #[test]
    fn what_is_left_still_shows_it_and_nothing_smaller_does() {
        let mut random = Random::new(7);
        for logic in generate::LOGICS {
            for _ in 0..5 {
                let script = generate::script(&mut random, logic);
                let name = script.declarations[0].name.clone();
                let shows = |script: &Script| {
                    let text = script.to_string();
                    text.contains(&format!("declare-fun {name} "))
                };
                let small = minimise(&script, 10_000, shows);
                assert!(shows(&small), "{script}");
                assert!(small.size() <= 8, "{script}\n{small}");
            }
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_script() {
        for logic in generate::LOGICS {
            let [first, second] =
                [1, 1].map(|seed| generate::script(&mut Random::new(seed), logic));
            assert_eq!(first, second);
        }
    }
}
