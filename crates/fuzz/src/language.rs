//! Flipping conditions on the letters of a grammar, tokens or bytes.
//!
//! A position of the input has one of a few values: what the tokeniser returns for
//! the tokens of the grammar, or a byte, or the end. A condition on one position is
//! evaluated for each of them, which gives the set of those that are allowed there; the
//! grammar then completes the allowed prefix to a shortest word, or proves
//! that none has it. Conditions on several positions at once are the solver's: it
//! proposes values for them, and the grammar has the last word.

use crate::bytes::{OfTerm, hash_of};
use crate::spelling::{Piece, Spelling};
use crate::tokens::TokenIds;
use grammar::count::Sampler;
use grammar::{
    Allowed, BYTES, Cfg, Completer, Completion, Letter, LetterSet, Normal, Part, Random,
};
use machine::{Machine, Marked, Step};
use mixed::solver::{Answer, PathCondition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::{Assignment, BitVec, Evaluator, Store, Term, Value, Variable};

/// Values that the solver proposes for one condition on several positions.
const PROPOSALS: usize = 8;

/// Words drawn at random have at most so many letters.
const LONGEST_DRAWN: usize = 40;

/// Inputs that are words of a grammar.
pub struct Language<'g> {
    marked: Marked,
    width: u16,
    /// The values of a position, the last of which may be the end.
    values: Vec<u64>,
    end: Option<usize>,
    /// The letters that each value can stand for.
    letters: Vec<LetterSet>,
    value_of: FxHashMap<u64, usize>,
    /// The value that stands for each letter.
    of_letter: Vec<Option<usize>>,
    alphabet: usize,
    completer: Completer<'g>,
    sampler: Option<Sampler<'g>>,
    spelling: Spelling,
    longest: usize,
    variables: Vec<Position>,
    position_of: FxHashMap<Variable, usize>,
    evaluator: Evaluator,
    positions: OfTerm<Rc<[usize]>>,
    sets: OfTerm<LetterSet>,
    /// Whether prefixes that were asked about have a completion.
    asked: FxHashMap<u64, bool>,
    /// Prefixes that no word of the grammar has.
    pub impossible: u64,
}

/// What a position can be, as the program sees it.
struct Numbers {
    marked: Marked,
    width: u16,
    values: Vec<u64>,
    end: Option<usize>,
    of_letter: Vec<Option<usize>>,
}

/// The variables of a position.
#[derive(Clone, Copy)]
struct Position {
    letter: (Variable, Term),
    /// Whether the input has ended, where that is no letter.
    end: Option<(Variable, Term)>,
}

/// What holds on the path up to a condition.
pub(crate) struct WordPath {
    /// The values allowed at each position that a condition spoke of.
    sets: Vec<LetterSet>,
    /// Conditions on several positions, and all these positions.
    joint: Vec<Term>,
    joined: FxHashSet<usize>,
    /// The value that each position has in the run, if it is one of those known.
    taken: Vec<Option<usize>>,
}

/// A grammar that only has letters which can be used, in normal form.
pub fn usable(cfg: &Cfg, is_usable: impl Fn(Letter) -> bool) -> Normal {
    let mut cfg = cfg.clone();
    let letters = (0..cfg.letters as Letter).filter(|&letter| is_usable(letter));
    let good = LetterSet::of(cfg.letters, letters);
    for class in &mut cfg.classes {
        *class = class.and(&good);
    }
    let empty: Vec<bool> = cfg.classes.iter().map(LetterSet::is_empty).collect();
    for rule in &mut cfg.rules {
        rule.retain(|production| {
            let never = |part: &Part| matches!(part, Part::Class(class) if empty[*class as usize]);
            !production.iter().any(never)
        });
    }
    Normal::new(&cfg)
}

impl<'g> Language<'g> {
    /// Words of tokens, which a tokeniser returns by these numbers.
    pub fn of_tokens(
        normal: &'g Normal,
        ids: &TokenIds,
        spelling: Spelling,
        longest: usize,
    ) -> Language<'g> {
        let mut values: Vec<u64> = ids.of.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        values.retain(|&value| Some(value) != ids.end);
        let end = ids.end.map(|end| {
            values.push(end);
            values.len() - 1
        });
        let value_of: FxHashMap<u64, usize> = (values.iter().copied()).zip(0..).collect();
        let of_letter = ids.of.iter();
        let of_letter = of_letter.map(|id| id.and_then(|id| value_of.get(&id).copied()));
        let of_letter = of_letter.map(|value| value.filter(|_| value != end));
        let numbers = Numbers {
            marked: Marked::Tokens(ids.tokeniser),
            width: ids.width,
            of_letter: of_letter.collect(),
            values,
            end,
        };
        Language::new(normal, numbers, spelling, longest)
    }

    /// Words of bytes.
    pub fn of_bytes(normal: &'g Normal, longest: usize) -> Language<'g> {
        let numbers = Numbers {
            marked: Marked::Bytes { most: longest },
            width: 8,
            values: (0..=BYTES as u64).collect(),
            end: Some(BYTES),
            of_letter: (0..BYTES).map(Some).collect(),
        };
        Language::new(normal, numbers, Spelling::of_bytes(), longest)
    }

    fn new(
        normal: &'g Normal,
        numbers: Numbers,
        spelling: Spelling,
        longest: usize,
    ) -> Language<'g> {
        let Numbers {
            marked,
            width,
            values,
            end,
            of_letter,
        } = numbers;
        let alphabet = normal.letters;
        let mut letters = vec![LetterSet::none(alphabet); values.len()];
        for (letter, value) in of_letter.iter().enumerate() {
            if let Some(value) = value {
                letters[*value].insert(letter as Letter);
            }
        }
        Language {
            marked,
            width,
            value_of: values.iter().copied().zip(0..).collect(),
            values,
            end,
            letters,
            of_letter,
            alphabet,
            completer: Completer::new(normal),
            sampler: Sampler::new(normal, 0..=longest.min(LONGEST_DRAWN)),
            spelling,
            longest,
            variables: Vec::new(),
            position_of: FxHashMap::default(),
            evaluator: Evaluator::default(),
            positions: OfTerm::default(),
            sets: OfTerm::default(),
            asked: FxHashMap::default(),
            impossible: 0,
        }
    }

    pub(crate) fn marked(&self) -> Marked {
        self.marked
    }

    /// A shortest word, spelled.
    pub(crate) fn shortest(&self, random: &mut Random) -> Option<Vec<Piece>> {
        match self.completer.complete(&[]) {
            Completion::Word(word) => Some(self.spell(&word, &[], random)),
            Completion::None { .. } => None,
        }
    }

    /// A word drawn at random, spelled.
    pub(crate) fn draw(&self, random: &mut Random) -> Option<Vec<Piece>> {
        let word = self.sampler.as_ref()?.draw(random);
        Some(self.spell(&word, &[], random))
    }

    /// A word in which another one stands somewhere, if the grammar has such: with
    /// all that followed there, or else ended in the shortest way.
    pub(crate) fn splice(
        &self,
        into: &[Piece],
        what: &[Piece],
        random: &mut Random,
    ) -> Option<Vec<Piece>> {
        // One after the other is what most languages allow.
        let at = match random.below(2) {
            0 => into.len(),
            _ => random.below(into.len() + 1),
        };
        let begun = [&into[..at], what].concat();
        let whole = [&begun[..], &into[at..]].concat();
        let pieces = [whole, begun].into_iter().find_map(|pieces| {
            let letters = pieces.iter().map(|piece| piece.letter);
            let only = |letter| Allowed::letters(LetterSet::of(self.alphabet, [letter]));
            let allowed: Vec<Allowed> = letters.map(only).collect();
            match self.completer.complete(&allowed) {
                Completion::Word(word) if word.len() <= self.longest => {
                    Some(self.spell(&word, &pieces, random))
                }
                _ => None,
            }
        })?;
        match random.below(2) {
            0 => self.respell(&pieces, random).or(Some(pieces)),
            _ => Some(pieces),
        }
    }

    /// The same word, spelled anew.
    pub(crate) fn respell(&self, pieces: &[Piece], random: &mut Random) -> Option<Vec<Piece>> {
        let word: Vec<Letter> = pieces.iter().map(|piece| piece.letter).collect();
        self.spelling
            .varies(pieces)
            .then(|| self.spell(&word, &[], random))
    }

    pub(crate) fn text(&self, pieces: &[Piece]) -> Vec<u8> {
        self.spelling.text(pieces)
    }

    /// Whether a tokeniser returned what the pieces are, one after the other.
    pub(crate) fn reads(&self, pieces: &[Piece], tokens: &[u64]) -> bool {
        tokens.iter().enumerate().all(|(at, token)| {
            let value = self.value_of.get(token).copied();
            match pieces.get(at) {
                Some(piece) => {
                    value.is_some() && value == self.of_letter[usize::from(piece.letter)]
                }
                None => value == self.end,
            }
        })
    }

    /// Gives each letter its parent's spelling as long as the letters are the same,
    /// and one of its own from there on.
    fn spell(&self, word: &[Letter], before: &[Piece], random: &mut Random) -> Vec<Piece> {
        let same = before.iter().zip(word);
        let same = same.take_while(|(piece, letter)| piece.letter == **letter);
        let same = same.count();
        let mut pieces = before[..same].to_vec();
        for &letter in &word[same..] {
            let piece = self.spelling.choose(letter, &pieces, random);
            pieces.push(piece);
        }
        pieces
    }

    pub(crate) fn begin(&mut self, tokens: &[u64], input: &[u8]) -> WordPath {
        let of_bytes = input.iter().map(|&byte| Some(usize::from(byte)));
        let taken = match self.marked {
            Marked::Tokens(_) => {
                let values = tokens.iter();
                values
                    .map(|token| self.value_of.get(token).copied())
                    .collect()
            }
            Marked::Bytes { .. } => of_bytes.chain([self.end]).collect(),
        };
        WordPath {
            sets: Vec::new(),
            joint: Vec::new(),
            joined: FxHashSet::default(),
            taken,
        }
    }

    pub(crate) fn advance(&mut self, machine: &mut Machine<'_>, path: &mut WordPath, step: &Step) {
        let condition = step.condition();
        let positions = self.positions(machine, condition);
        match positions[..] {
            [] => {}
            [at] => {
                let set = self.set(&machine.store, condition, at);
                let every = LetterSet::all(self.values.len());
                while path.sets.len() <= at {
                    path.sets.push(every.clone());
                }
                path.sets[at] = path.sets[at].and(&set);
            }
            ref several => {
                path.joint.push(condition);
                path.joined.extend(several);
            }
        }
    }

    /// Words for which the path is the same up to the step, and the step goes
    /// another way.
    pub(crate) fn flip(
        &mut self,
        machine: &mut Machine<'_>,
        path: &WordPath,
        step: &Step,
        before: &[Piece],
        random: &mut Random,
    ) -> Vec<Vec<Piece>> {
        let flipped = machine.store.not(step.condition());
        let positions = self.positions(machine, flipped);
        let mut words = Vec::new();
        match positions[..] {
            [] => {}
            [at] if !path.joined.contains(&at) => {
                let mut set = self.set(&machine.store, flipped, at);
                if let Some(known) = path.sets.get(at) {
                    set = set.and(known);
                }
                match step.is_value() {
                    false => words.extend(self.word_with(path, &[(at, set)], before)),
                    true => {
                        for value in set.iter() {
                            let one = LetterSet::of(self.values.len(), [value]);
                            words.extend(self.word_with(path, &[(at, one)], before));
                        }
                    }
                }
            }
            _ => words.extend(self.propose(machine, path, flipped, &positions, before)),
        }
        let spelled = words.iter().flatten();
        spelled
            .map(|word| self.spell(word, before, random))
            .collect()
    }

    /// Words in which some positions have these values and all others what the
    /// path allows: a shortest one, and one that ends as the run's input did.
    fn word_with(
        &mut self,
        path: &WordPath,
        fixed: &[(usize, LetterSet)],
        before: &[Piece],
    ) -> Option<Vec<Vec<Letter>>> {
        if fixed.iter().any(|(_, set)| set.is_empty()) {
            return None;
        }
        let mut sets = path.sets.clone();
        let every = LetterSet::all(self.values.len());
        let held = path.joined.iter().map(|&at| {
            let taken = path.taken.get(at).copied().flatten();
            let set = taken.map(|value| LetterSet::of(self.values.len(), [value as Letter]));
            (
                at,
                set.unwrap_or_else(|| LetterSet::none(self.values.len())),
            )
        });
        let held: Vec<(usize, LetterSet)> = held.collect();
        for (at, set) in held.iter().chain(fixed) {
            while sets.len() <= *at {
                sets.push(every.clone());
            }
            sets[*at] = set.clone();
        }
        let mut allowed: Vec<Allowed> = sets.iter().map(|set| self.allowed(set)).collect();
        let mut words = Vec::new();
        match self.asked.get(&hash_of(&sets)) {
            Some(false) => return None,
            Some(true) => {}
            None => {
                let word = match self.completer.complete(&allowed) {
                    Completion::Word(word) => Some(word),
                    Completion::None { .. } => None,
                };
                self.asked.insert(hash_of(&sets), word.is_some());
                self.impossible += u64::from(word.is_none());
                words.push(word?);
            }
        }
        let last = fixed.iter().map(|(at, _)| *at).max().unwrap_or(0);
        allowed.truncate(last + 1);
        words.extend(self.graft(&allowed, before));
        words.retain(|word| word.len() <= self.longest);
        Some(words)
    }

    /// A word that begins as allowed and goes on as the run's input did: with the
    /// letter at the last position replaced, or after new ones, or left out.
    fn graft(&self, begun: &[Allowed], before: &[Piece]) -> Option<Vec<Letter>> {
        let at = begun.len();
        for (free, from) in [(0, at), (0, at - 1), (1, at - 1), (1, at), (0, at + 1)] {
            let rest = before.get(from..).filter(|rest| !rest.is_empty())?;
            let only = |piece: &Piece| LetterSet::of(self.alphabet, [piece.letter]);
            let any = (0..free).map(|_| LetterSet::all(self.alphabet));
            let rest = any.chain(rest.iter().map(only)).map(Allowed::letters);
            let allowed: Vec<Allowed> = begun.iter().cloned().chain(rest).collect();
            if let Completion::Word(word) = self.completer.complete(&allowed) {
                return Some(word);
            }
        }
        None
    }

    fn allowed(&self, values: &LetterSet) -> Allowed {
        let mut letters = LetterSet::none(self.alphabet);
        for value in values.iter() {
            for letter in self.letters[usize::from(value)].iter() {
                letters.insert(letter);
            }
        }
        let end = self.end.is_some_and(|end| values.contains(end as Letter));
        Allowed { letters, end }
    }

    /// Lets the solver find values for positions that conditions bind together.
    fn propose(
        &mut self,
        machine: &mut Machine<'_>,
        path: &WordPath,
        flipped: Term,
        positions: &[usize],
        before: &[Piece],
    ) -> Option<Vec<Vec<Letter>>> {
        let mut bound: Vec<usize> = path.joined.iter().copied().collect();
        bound.extend(positions);
        bound.sort_unstable();
        bound.dedup();
        let mut condition = PathCondition::new();
        let joint: Vec<Term> = path.joint.iter().copied().chain([flipped]).collect();
        for term in joint {
            machine.mixed.add(&machine.store, &mut condition, term);
        }
        for &at in &bound {
            let domain = self.domain(machine, path.sets.get(at), at);
            machine.mixed.add(&machine.store, &mut condition, domain);
        }
        for _ in 0..PROPOSALS {
            let Answer::Sat(model) = machine.mixed.check_path(&mut machine.store, &condition)
            else {
                return None;
            };
            let mut fixed = Vec::new();
            let mut same = Vec::new();
            for &at in &bound {
                let value = self.value_in(&model, at);
                let set = value.map(|value| LetterSet::of(self.values.len(), [value as Letter]));
                same.push(self.is(machine, at, value?));
                fixed.push((at, set?));
            }
            if let Some(words) = self.word_with(path, &fixed, before) {
                return Some(words);
            }
            let same = machine.store.and_all(same);
            let other = machine.store.not(same);
            machine.mixed.add(&machine.store, &mut condition, other);
        }
        None
    }

    /// The value that a position has in a model.
    fn value_in(&self, model: &Assignment, at: usize) -> Option<usize> {
        let position = self.variables[at];
        if let Some((end, _)) = position.end
            && model.get(end) == Some(&Value::Bool(true))
        {
            return self.end;
        }
        let word = model.get(position.letter.0).and_then(Value::to_word);
        self.value_of.get(&word.unwrap_or(0)).copied()
    }

    /// That a position has one of the values allowed.
    fn domain(&mut self, machine: &mut Machine<'_>, set: Option<&LetterSet>, at: usize) -> Term {
        let every = LetterSet::all(self.values.len());
        let set = set.cloned().unwrap_or(every);
        let cases: Vec<Term> = set
            .iter()
            .map(|value| self.is(machine, at, usize::from(value)))
            .collect();
        machine.store.or_all(cases)
    }

    /// That a position has this value.
    fn is(&mut self, machine: &mut Machine<'_>, at: usize, value: usize) -> Term {
        let position = self.position(machine, at);
        let constant = machine.store.bv(self.width, self.values[value]);
        match position.end {
            Some((_, ended)) if Some(value) == self.end => ended,
            Some((_, ended)) => {
                let goes_on = machine.store.not(ended);
                let equal = machine.store.eq(position.letter.1, constant);
                machine.store.and(goes_on, equal)
            }
            None => machine.store.eq(position.letter.1, constant),
        }
    }

    /// The values of a position for which a condition on it alone holds.
    fn set(&mut self, store: &Store, condition: Term, at: usize) -> LetterSet {
        if let Some(set) = self.sets.get(&condition) {
            return set.clone();
        }
        let position = self.variables[at];
        let mut set = LetterSet::none(self.values.len());
        for (value, &word) in self.values.iter().enumerate() {
            let mut assignment = Assignment::new();
            let ended = position.end.is_some() && Some(value) == self.end;
            if let Some((end, _)) = position.end {
                assignment.set(end, Value::Bool(ended));
            }
            if !ended {
                let bits = BitVec::from_u64(self.width, word);
                assignment.set(position.letter.0, Value::Bv(bits));
            }
            if self.evaluator.under(store, &assignment).holds(condition) {
                set.insert(value as Letter);
            }
        }
        self.sets.insert(condition, set.clone());
        set
    }

    /// The positions that a condition speaks of.
    fn positions(&mut self, machine: &mut Machine<'_>, condition: Term) -> Rc<[usize]> {
        if let Some(positions) = self.positions.get(&condition) {
            return positions.clone();
        }
        let variables = term::free_variables(&machine.store, &[condition]);
        let mut positions: Vec<usize> = variables
            .into_iter()
            .filter_map(|variable| self.find(machine, variable))
            .collect();
        positions.sort_unstable();
        positions.dedup();
        let positions: Rc<[usize]> = positions.into();
        self.positions.insert(condition, positions.clone());
        positions
    }

    /// The position of a variable. A run makes variables in the order of positions,
    /// so one that is not known belongs to a position after all that are.
    fn find(&mut self, machine: &mut Machine<'_>, variable: Variable) -> Option<usize> {
        const AHEAD: usize = 1024;
        let mut tried = 0;
        while !self.position_of.contains_key(&variable) && tried < AHEAD {
            let next = self.variables.len();
            self.position(machine, next);
            tried += 1;
        }
        self.position_of.get(&variable).copied()
    }

    fn position(&mut self, machine: &mut Machine<'_>, at: usize) -> Position {
        while self.variables.len() <= at {
            let next = self.variables.len();
            let (letter, end) = match self.marked {
                Marked::Tokens(_) => (machine.token_variable(next, self.width), None),
                Marked::Bytes { .. } => (
                    machine.byte_variable(next),
                    Some(machine.end_variable(next)),
                ),
            };
            self.position_of.insert(letter.0, next);
            if let Some((end, _)) = end {
                self.position_of.insert(end, next);
            }
            self.variables.push(Position { letter, end });
        }
        self.variables[at]
    }
}
