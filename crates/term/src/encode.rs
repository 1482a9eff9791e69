//! Terms as bytes, to carry them between stores and to disk.
//!
//! The bytes hold a graph: functions first, then each node once, naming its
//! arguments by how far back they stand, then the roots. Variables and
//! functions go by name and sort, constants by value, so nothing depends on
//! the numbers of either store. Reading trusts nothing: every sort is checked
//! before a term is built, and bytes that mean nothing are an error.
//!
//! ```
//! use term::{Sort, Store, decode, encode};
//!
//! let mut here = Store::new();
//! let x = here.var("x", Sort::Bv(8));
//! let y = here.var("y", Sort::Bv(8));
//! let less = here.bv_ult(x, y);
//! let bytes = encode(&here, &[less]);
//!
//! let mut there = Store::new();
//! let copy = decode(&mut there, &bytes).unwrap();
//! assert_eq!(encode(&there, &copy), bytes);
//! ```

mod value;

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Function, Signature, Store, Term};
use crate::typing::{self, LanguageDepths};
use crate::walk;
use rustc_hash::FxHashMap;

/// The format written; a change to the numbers of operators or sorts, or to
/// the layout, must change it.
const VERSION: u8 = 1;

const TOO_DEEP: &str = "a regular expression is nested too deeply";

/// Why bytes are not an encoding of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// They begin with the number of another version of the format.
    #[error("the terms are written in format {0}; this program reads format {VERSION}")]
    UnknownVersion(u8),
    /// They end before the terms do.
    #[error("the terms end too early: the data is cut short")]
    Truncated,
    /// They say something that makes no sense.
    #[error("the terms are damaged at byte {offset}: {what}")]
    Malformed {
        /// How many bytes were read before the fault was seen.
        offset: usize,
        /// What makes no sense.
        what: &'static str,
    },
}

/// The bytes of `roots`; the same for the same terms.
pub fn encode(store: &Store, roots: &[Term]) -> Vec<u8> {
    let order = walk::post_order(store, roots);
    let mut writer = Writer {
        bytes: vec![VERSION],
    };
    let functions = writer.functions(store, &order);
    writer.number(order.len() as u64);
    let mut places: FxHashMap<Term, u64> = FxHashMap::default();
    places.reserve(order.len());
    for (place, &term) in order.iter().enumerate() {
        writer.node(store, &functions, term);
        for arg in store.args(term) {
            writer.number(place as u64 - places[arg]);
        }
        places.insert(term, place as u64);
    }
    writer.number(roots.len() as u64);
    for root in roots {
        writer.number(places[root]);
    }
    writer.bytes
}

/// The terms that `bytes` encode, built in `store` and simplified there.
pub fn decode(store: &mut Store, bytes: &[u8]) -> Result<Vec<Term>, DecodeError> {
    let mut reader = Reader {
        bytes,
        offset: 0,
        depths: LanguageDepths::default(),
    };
    match reader.byte()? {
        VERSION => {}
        other => return Err(DecodeError::UnknownVersion(other)),
    }
    let mut functions = Vec::new();
    for _ in 0..reader.number()? {
        let signature = reader.signature()?;
        functions.push(store.function(signature));
    }
    let mut terms = Vec::new();
    for _ in 0..reader.number()? {
        let term = reader.node(store, &functions, &terms)?;
        terms.push(term);
    }
    let mut roots = Vec::new();
    for _ in 0..reader.number()? {
        let place = reader.number()?;
        let root = usize::try_from(place).ok().and_then(|at| terms.get(at));
        roots.push(*root.ok_or_else(|| reader.malformed("a root is missing"))?);
    }
    if reader.offset < bytes.len() {
        return Err(reader.malformed("something follows the last root"));
    }
    Ok(roots)
}

/// What is written so far.
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits a byte, the lowest first; a set top bit says more follow.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn block(&mut self, block: &[u8]) {
        self.number(block.len() as u64);
        self.bytes.extend_from_slice(block);
    }

    fn sort(&mut self, sort: Sort) {
        self.number(sort.code().into());
    }

    /// Writes the functions applied in `order`, and says where each went.
    fn functions(&mut self, store: &Store, order: &[Term]) -> FxHashMap<Function, u64> {
        let mut places = FxHashMap::default();
        let mut applied = Vec::new();
        for function in order.iter().filter_map(|&term| store.as_function(term)) {
            places.entry(function).or_insert_with(|| {
                applied.push(function);
                applied.len() as u64 - 1
            });
        }
        self.number(applied.len() as u64);
        for function in applied {
            let signature = store.signature(function);
            self.block(signature.name.as_bytes());
            self.number(signature.parameters.len() as u64);
            for &parameter in &signature.parameters {
                self.sort(parameter);
            }
            self.sort(signature.result);
        }
        places
    }

    /// Everything of the node but its arguments.
    fn node(&mut self, store: &Store, functions: &FxHashMap<Function, u64>, term: Term) {
        let op = store.op(term);
        self.byte(op as u8);
        match op {
            Op::Const => {
                let value = store.as_value(term).expect("it is a constant");
                self.sort(value.sort());
                self.value(&value);
            }
            Op::Var => {
                let variable = store.as_variable(term).expect("it is a variable");
                self.sort(store.variable_sort(variable));
                self.block(store.variable_name(variable).as_bytes());
            }
            Op::Apply => {
                let function = store.as_function(term).expect("it is an application");
                self.number(functions[&function]);
            }
            _ if typing::names_its_result(op) => self.sort(store.sort(term)),
            _ => {}
        }
        let [first, second] = store.indices(term);
        match op {
            Op::Extract => self.number(first.into()),
            Op::ReLoop => {
                self.number(first.into());
                self.number(second.into());
            }
            _ => {}
        }
    }
}

/// What is read so far.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    depths: LanguageDepths,
}

impl<'a> Reader<'a> {
    fn malformed(&self, what: &'static str) -> DecodeError {
        DecodeError::Malformed {
            offset: self.offset,
            what,
        }
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        let byte = self.bytes.get(self.offset).ok_or(DecodeError::Truncated)?;
        self.offset += 1;
        Ok(*byte)
    }

    fn number(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.malformed("a number has more than 64 bits"))
    }

    fn number32(&mut self) -> Result<u32, DecodeError> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| self.malformed("a number has more than 32 bits"))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], DecodeError> {
        let rest = &self.bytes[self.offset..];
        let taken = usize::try_from(length).ok().and_then(|n| rest.get(..n));
        let taken = taken.ok_or(DecodeError::Truncated)?;
        self.offset += taken.len();
        Ok(taken)
    }

    fn block(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.number()?;
        self.take(length)
    }

    fn name(&mut self) -> Result<&'a str, DecodeError> {
        let name = self.block()?;
        std::str::from_utf8(name).map_err(|_| self.malformed("a name is not UTF-8"))
    }

    fn sort(&mut self) -> Result<Sort, DecodeError> {
        let code = self.number32()?;
        Sort::from_code(code).ok_or_else(|| self.malformed("there is no such sort"))
    }

    fn signature(&mut self) -> Result<Signature, DecodeError> {
        let name = self.name()?.to_owned();
        let mut parameters = Vec::new();
        for _ in 0..self.number()? {
            parameters.push(self.sort()?);
        }
        let result = self.sort()?;
        Ok(Signature {
            name,
            parameters,
            result,
        })
    }

    fn node(
        &mut self,
        store: &mut Store,
        functions: &[Function],
        terms: &[Term],
    ) -> Result<Term, DecodeError> {
        let op = Op::from_number(self.byte()?);
        match op.ok_or_else(|| self.malformed("there is no such operator"))? {
            Op::Const => {
                let sort = self.sort()?;
                let value = self.value(sort)?;
                Ok(store.value(value))
            }
            Op::Var => {
                let sort = self.sort()?;
                Ok(store.var(self.name()?, sort))
            }
            Op::Apply => self.application(store, functions, terms),
            op => self.operation(store, op, terms),
        }
    }

    fn application(
        &mut self,
        store: &mut Store,
        functions: &[Function],
        terms: &[Term],
    ) -> Result<Term, DecodeError> {
        let place = self.number()?;
        let function = usize::try_from(place).ok().and_then(|at| functions.get(at));
        let &function = function.ok_or_else(|| self.malformed("a function is missing"))?;
        let arity = store.signature(function).parameters.len();
        let args = self.args(terms, arity)?;
        let sorts = args.iter().map(|&arg| store.sort(arg));
        if !sorts.eq(store.signature(function).parameters.iter().copied()) {
            return Err(self.malformed("a function does not take its arguments"));
        }
        Ok(store.apply(function, &args))
    }

    fn operation(
        &mut self,
        store: &mut Store,
        op: Op,
        terms: &[Term],
    ) -> Result<Term, DecodeError> {
        let named = match typing::names_its_result(op) {
            true => Some(self.sort()?),
            false => None,
        };
        let indices = match op {
            Op::Extract => [self.number32()?, 0],
            Op::ReLoop => [self.number32()?, self.number32()?],
            _ => [0, 0],
        };
        let args = self.args(terms, op.arity().unwrap_or(4))?;
        let sorts: Vec<Sort> = args.iter().map(|&arg| store.sort(arg)).collect();
        let sort = typing::result(op, indices, named, &sorts)
            .ok_or_else(|| self.malformed("an operator does not take its arguments"))?;
        let depth = self.depths.of(store, op, &args);
        if depth > LanguageDepths::LIMIT {
            return Err(self.malformed(TOO_DEEP));
        }
        let term = typing::build(store, op, sort, indices, &args);
        self.depths.record(term, depth);
        Ok(term)
    }

    fn args(&mut self, terms: &[Term], arity: usize) -> Result<Vec<Term>, DecodeError> {
        let mut args = Vec::new();
        for _ in 0..arity {
            let back = usize::try_from(self.number()?).unwrap_or(usize::MAX);
            let place = terms.len().checked_sub(back);
            let arg = place.and_then(|place| terms.get(place));
            args.push(*arg.ok_or_else(|| self.malformed("an argument is missing"))?);
        }
        Ok(args)
    }
}
