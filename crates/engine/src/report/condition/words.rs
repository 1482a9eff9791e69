//! The numbers of inputs as variables of terms, in the words of the program's source.

use machine::Input;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use suite::{InputKind, InputType, Scalar};
use term::print::infix::{Sign, Vocabulary};
use term::{BitVec, FpFormat, Sort, Store, Term, Variable};

/// An input of a path, and what it is in the source.
pub(super) struct Learned {
    /// What its variables are called, without the number of the byte.
    pub name: String,
    pub bytes: Rc<[Term]>,
    pub what: InputType,
    /// Whether the source does not say what it is.
    pub is_guessed: bool,
}

/// Sizes in bytes of inputs of unknown type that may be one number.
const WORDS: [usize; 3] = [2, 4, 8];

impl Learned {
    /// An input of this type, if it is known; none for inputs whose bytes are no variables.
    pub fn new(store: &Store, input: &Input, what: Option<InputType>) -> Option<Learned> {
        let first = store.as_variable(*input.bytes.first()?)?;
        let name = store.variable_name(first).strip_suffix("[0]")?.to_owned();
        let size = input.bytes.len();
        let guess = match WORDS.contains(&size) {
            true => InputKind::Signed(size as u8),
            false => InputKind::Bytes,
        };
        Some(Learned {
            name,
            bytes: input.bytes.clone(),
            is_guessed: what.is_none(),
            what: what.unwrap_or(InputType::Kind(guess)),
        })
    }
}

/// A number of an input, or a byte of one.
struct Word {
    scalar: Scalar,
    sign: Sign,
    /// The bytes of the input that it is in.
    input: Rc<[Term]>,
}

/// What variables are called that stand for numbers of inputs.
#[derive(Default)]
pub(super) struct Words(FxHashMap<Variable, Word>);

impl Words {
    /// A term for each byte of the input that a number covers, in which the number is one
    /// variable.
    pub fn whole(
        &mut self,
        store: &mut Store,
        input: &Learned,
        alternative: usize,
    ) -> Vec<(Term, Term)> {
        let mut pieces: FxHashMap<usize, Vec<(u16, Term)>> = FxHashMap::default();
        for scalar in input
            .what
            .scalars(&input.name, input.bytes.len(), alternative)
        {
            let bits = scalar.bits.clone();
            let number = self.number(store, input, scalar);
            for byte in bits.start / 8..bits.end.div_ceil(8) {
                let start = bits.start.max(8 * byte);
                let width = bits.end.min(8 * byte + 8) - start;
                let piece = store.extract(number, (start - bits.start) as u16, width as u16);
                let own = pieces.entry(byte as usize).or_default();
                own.push(((start % 8) as u16, piece));
            }
        }
        let mut terms: Vec<(usize, Vec<(u16, Term)>)> = pieces.into_iter().collect();
        terms.sort_by_key(|(byte, _)| *byte);
        let terms = terms.into_iter();
        terms
            .map(|(byte, pieces)| (input.bytes[byte], filled(store, input.bytes[byte], pieces)))
            .collect()
    }

    /// A variable for each byte of an input that was only guessed to be one number, with its
    /// place as the name; of others the same as [`Words::whole`].
    pub fn bytes(
        &mut self,
        store: &mut Store,
        input: &Learned,
        alternative: usize,
    ) -> Vec<(Term, Term)> {
        if !(input.is_guessed && WORDS.contains(&input.bytes.len())) {
            return self.whole(store, input, alternative);
        }
        let bytes = input.bytes.iter().enumerate();
        let bytes = bytes.map(|(at, &byte)| {
            let part = Scalar {
                name: format!("{}[{at}]", input.name),
                bits: 8 * at as u64..8 * at as u64 + 8,
                what: InputType::Kind(InputKind::Unsigned(1)),
            };
            (byte, self.number(store, input, part))
        });
        bytes.collect()
    }

    /// The bits of a number as a term over its variable.
    fn number(&mut self, store: &mut Store, input: &Learned, scalar: Scalar) -> Term {
        let width = (scalar.bits.end - scalar.bits.start) as u16;
        let sort = match (scalar.kind(), width) {
            (InputKind::Float(4), 32) => Sort::Fp(FpFormat::SINGLE),
            (InputKind::Float(8), 64) => Sort::Fp(FpFormat::DOUBLE),
            _ => Sort::Bv(width),
        };
        // A name that no byte of an input has.
        let term = store.var(&format!("number {}", scalar.name), sort);
        let variable = store.as_variable(term).expect("it is a variable");
        let sign = match scalar.kind() {
            InputKind::Signed(_) if input.is_guessed => Sign::Unknown,
            InputKind::Signed(_) => Sign::Signed,
            InputKind::Char | InputKind::Float(_) => Sign::Unknown,
            InputKind::Bool | InputKind::Unsigned(_) | InputKind::Pointer(_) | InputKind::Bytes => {
                Sign::Unsigned
            }
        };
        let input = input.bytes.clone();
        self.0.insert(
            variable,
            Word {
                scalar,
                sign,
                input,
            },
        );
        match sort {
            Sort::Fp(_) => store.fp_to_bits(term),
            _ => term,
        }
    }

    /// The name of a number and the value it has where bytes have these.
    pub fn value(
        &self,
        variable: Variable,
        mut byte: impl FnMut(Term) -> u8,
    ) -> Option<(String, String)> {
        let Word { scalar, input, .. } = self.0.get(&variable)?;
        let bits = &scalar.bits;
        let own = (bits.start / 8) as usize..bits.end.div_ceil(8) as usize;
        let bytes = input.get(own)?.iter().rev();
        let all = bytes.fold(0u128, |all, &term| all << 8 | u128::from(byte(term)));
        let unused = 128 - (bits.end - bits.start).min(128) as u32;
        let value = ((all >> (bits.start % 8)) << unused) >> unused;
        Some((scalar.name.clone(), scalar.text(value)))
    }
}

impl Vocabulary for Words {
    fn name(&self, store: &Store, variable: Variable) -> String {
        match self.0.get(&variable) {
            Some(word) => word.scalar.name.clone(),
            None => store.variable_name(variable).to_owned(),
        }
    }

    fn sign(&self, variable: Variable) -> Sign {
        // What has no type is a byte.
        self.0
            .get(&variable)
            .map_or(Sign::Unsigned, |word| word.sign)
    }

    fn constant(&self, variable: Variable, value: &BitVec) -> Option<String> {
        let word = self.0.get(&variable)?;
        (value.width() <= 128).then(|| word.scalar.text(value.to_u128()))
    }

    fn is_bool(&self, variable: Variable) -> bool {
        let word = self.0.get(&variable);
        word.is_some_and(|word| word.scalar.kind() == InputKind::Bool)
    }
}

/// A byte made of these pieces, each with the bit it begins at; the rest is as it was.
fn filled(store: &mut Store, byte: Term, mut pieces: Vec<(u16, Term)>) -> Term {
    pieces.sort_by_key(|(start, _)| *start);
    let mut whole: Option<Term> = None;
    let mut at = 0;
    let mut put = |store: &mut Store, piece: Term| {
        whole = Some(match whole {
            Some(lower) => store.concat(piece, lower),
            None => piece,
        });
    };
    for (start, piece) in pieces {
        // Members that lie over one another are in files that say anything.
        if start < at {
            return byte;
        }
        if start > at {
            let gap = store.extract(byte, at, start - at);
            put(store, gap);
        }
        at = start + store.width(piece);
        put(store, piece);
    }
    if at < 8 {
        let gap = store.extract(byte, at, 8 - at);
        put(store, gap);
    }
    whole.unwrap_or(byte)
}
