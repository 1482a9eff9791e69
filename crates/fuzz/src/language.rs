//! Flipping conditions on the letters of a grammar, tokens or bytes.
//!
//! A position of the input has one of a few values: what the tokeniser returns for
//! the tokens of the grammar, or a byte, or the end. A condition on one position is
//! evaluated for each of them, which gives the set of those that are allowed there; the
//! grammar then completes the allowed prefix to a shortest word, or proves
//! that none has it. Conditions on several positions at once are the solver's: it
//! proposes values for them, and the grammar has the last word.
//!
//! What a token stands for, and why conditions on tokens suffice: Godefroid, Kieżun and
//! Levin, *Grammar-based whitebox fuzzing*, PLDI 2008.

use crate::bytes::hash_of;
use crate::positions::Positions;
use crate::spelling::{Piece, Spelling};
use crate::tokens::TokenIds;
use base::{Stop, Stopped};
use engine::policy::Step;
use engine::policy::generational::Marked;
use grammar::count::Sampler;
use grammar::{
    Allowed, BYTES, Cfg, Completer, Completion, Letter, LetterSet, Normal, Part, Random,
};
use machine::Machine;
use mixed::solver::{Answer, PathCondition};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

/// Values that the solver proposes for one condition on several positions.
const PROPOSALS: usize = 8;

/// Words drawn at random have at most so many letters.
const LONGEST_DRAWN: usize = 40;

/// Inputs that are words of a grammar.
pub struct Language<'g> {
    positions: Positions,
    /// The letters that each value of a position can stand for.
    letters: Vec<LetterSet>,
    /// The value that stands for each letter.
    of_letter: Vec<Option<usize>>,
    alphabet: usize,
    completer: Completer<'g>,
    sampler: Option<Sampler<'g>>,
    stop: Stop,
    spelling: Spelling,
    longest: usize,
    /// Whether prefixes that were asked about have a completion.
    asked: FxHashMap<u64, bool>,
    /// Prefixes that no word of the grammar has.
    pub impossible: u64,
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
    /// Words of tokens, which a tokeniser returns by these numbers; none are made once
    /// `stop` is set.
    ///
    /// # Errors
    ///
    /// When `stop` is set before the words to draw from are counted.
    pub fn of_tokens(
        normal: &'g Normal,
        ids: &TokenIds,
        spelling: Spelling,
        longest: usize,
        stop: &Stop,
    ) -> Result<Language<'g>, Stopped> {
        let mut values: Vec<u64> = ids.of.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        values.retain(|&value| Some(value) != ids.end);
        let end = ids.end.map(|end| {
            values.push(end);
            values.len() - 1
        });
        let marked = Marked::Tokens(ids.tokeniser);
        let positions = Positions::new(marked, ids.width, values, end);
        let of_letter = ids.of.iter().map(|id| {
            let value = id.and_then(|id| positions.number(id));
            value.filter(|_| value != end)
        });
        let of_letter = of_letter.collect();
        Language::new(normal, positions, of_letter, spelling, longest, stop)
    }

    /// Words of bytes; none are made once `stop` is set.
    ///
    /// # Errors
    ///
    /// When `stop` is set before the words to draw from are counted.
    pub fn of_bytes(
        normal: &'g Normal,
        longest: usize,
        stop: &Stop,
    ) -> Result<Language<'g>, Stopped> {
        let marked = Marked::Bytes { most: longest };
        let values = (0..=BYTES as u64).collect();
        let positions = Positions::new(marked, 8, values, Some(BYTES));
        let of_letter = (0..BYTES).map(Some).collect();
        let spelling = Spelling::of_bytes();
        Language::new(normal, positions, of_letter, spelling, longest, stop)
    }

    fn new(
        normal: &'g Normal,
        positions: Positions,
        of_letter: Vec<Option<usize>>,
        spelling: Spelling,
        longest: usize,
        stop: &Stop,
    ) -> Result<Language<'g>, Stopped> {
        let alphabet = normal.letters;
        let mut letters = vec![LetterSet::none(alphabet); positions.value_count()];
        for (letter, value) in of_letter.iter().enumerate() {
            if let Some(value) = value {
                letters[*value].insert(letter as Letter);
            }
        }
        Ok(Language {
            positions,
            letters,
            of_letter,
            alphabet,
            completer: Completer::new(normal),
            sampler: Sampler::new(normal, 0..=longest.min(LONGEST_DRAWN), stop)?,
            stop: stop.clone(),
            spelling,
            longest,
            asked: FxHashMap::default(),
            impossible: 0,
        })
    }

    pub(crate) fn marked(&self) -> Marked {
        self.positions.marked
    }

    /// A shortest word, spelled.
    pub(crate) fn shortest(&self, random: &mut Random) -> Option<Vec<Piece>> {
        let word = self.complete(&[]).ok().flatten()?;
        Some(self.spell(&word, &[], random))
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
            let word = self.complete(&allowed).ok().flatten()?;
            (word.len() <= self.longest).then(|| self.spell(&word, &pieces, random))
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
            let value = self.positions.number(*token);
            match pieces.get(at) {
                Some(piece) => {
                    value.is_some() && value == self.of_letter[usize::from(piece.letter)]
                }
                None => value == self.positions.end,
            }
        })
    }

    /// Gives the letters at both ends that are those of another input its spellings,
    /// and the letters between them spellings of their own.
    fn spell(&self, word: &[Letter], before: &[Piece], random: &mut Random) -> Vec<Piece> {
        let same = |(piece, letter): &(&Piece, &Letter)| piece.letter == **letter;
        let start = before.iter().zip(word).take_while(same).count();
        let (rest, rest_before) = (&word[start..], &before[start..]);
        let end = rest_before.iter().rev().zip(rest.iter().rev());
        let end = end.take_while(same).count();
        let mut pieces = before[..start].to_vec();
        for &letter in &rest[..rest.len() - end] {
            let piece = self.spelling.choose(letter, &pieces, random);
            pieces.push(piece);
        }
        pieces.extend_from_slice(&rest_before[rest_before.len() - end..]);
        pieces
    }

    pub(crate) fn begin(&mut self, tokens: &[u64], input: &[u8]) -> WordPath {
        let of_bytes = input.iter().map(|&byte| Some(usize::from(byte)));
        let taken = match self.positions.marked {
            Marked::Tokens(_) => {
                let values = tokens.iter();
                values.map(|token| self.positions.number(*token)).collect()
            }
            Marked::Bytes { .. } => of_bytes.chain([self.positions.end]).collect(),
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
        let positions = self.positions.of(machine, condition);
        match positions[..] {
            [] => {}
            [at] => {
                let set = self.positions.set(&machine.store, condition, at);
                let every = self.positions.every();
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
        let positions = self.positions.of(machine, flipped);
        let mut words = Vec::new();
        match positions[..] {
            [] => {}
            [at] if !path.joined.contains(&at) => {
                let mut set = self.positions.set(&machine.store, flipped, at);
                if let Some(known) = path.sets.get(at) {
                    set = set.and(known);
                }
                match step.is_value() {
                    false => words.extend(self.word_with(path, &[(at, set)], before)),
                    true => {
                        for value in set.iter() {
                            let one = self.positions.only(value.into());
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
        let every = self.positions.every();
        let held = path.joined.iter().map(|&at| {
            let taken = path.taken.get(at).copied().flatten();
            let set = taken.map(|value| self.positions.only(value));
            (
                at,
                set.unwrap_or_else(|| LetterSet::none(self.positions.value_count())),
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
                // What a stop leaves open is not impossible.
                let word = self.complete(&allowed).ok()?;
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
            if let Some(word) = self.complete(&allowed).ok()? {
                return Some(word);
            }
        }
        None
    }

    /// A shortest word that has what is allowed at each position, if there is one.
    fn complete(&self, allowed: &[Allowed]) -> Result<Option<Vec<Letter>>, Stopped> {
        Ok(match self.completer.complete(allowed, &self.stop)? {
            Completion::Word(word) => Some(word),
            Completion::None { .. } => None,
        })
    }

    fn allowed(&self, values: &LetterSet) -> Allowed {
        let mut letters = LetterSet::none(self.alphabet);
        for value in values.iter() {
            for letter in self.letters[usize::from(value)].iter() {
                letters.insert(letter);
            }
        }
        let end = self
            .positions
            .end
            .is_some_and(|end| values.contains(end as Letter));
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
            let domain = self.positions.domain(machine, path.sets.get(at), at);
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
                let value = self.positions.value_in(&model, at);
                let set = value.map(|value| self.positions.only(value));
                same.push(self.positions.is(machine, at, value?));
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
}
