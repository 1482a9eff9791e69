//! Whether native functions are functions in the sense of mathematics.
//!
//! Nobody can prove that of machine code, but most that are not give themselves away
//! quickly: they are called twice, among each other in another order, and in a fresh
//! process, on a handful of arguments each. Whoever then gives two results for one list
//! of arguments, or changes a variable of its library, keeps state. State that one
//! function keeps another one may have set, so that the verdict is for all of them.

use super::Oracle;
use super::in_place::perform;
use crate::argument::{Argument, Outcome};
use crate::failure::{Accident, Failure};
use crate::native::NativeSide;
use crate::signature::{Signature, Type};
use std::time::Duration;
use term::{BitVec, RoundingMode, Value, fp};

/// Lists of arguments that each function is tried on.
const TUPLES: usize = 5;

/// How long a probe may take: long enough for a computation, and whoever waits for
/// something waits in vain.
const LIMIT: Duration = Duration::from_millis(300);

/// Bytes behind a pointer.
const ARRAY: usize = 256;

/// Why functions are called in place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Impurity {
    /// The function gave two results for one list of arguments.
    TwoResults {
        /// Which one.
        function: String,
    },
    /// The function changed a variable of its library.
    KeepsState {
        /// Which one.
        function: String,
    },
}

/// A call to be tried, and what came of it each time.
struct Probe {
    function: usize,
    arguments: Vec<Argument>,
    seen: Option<Seen>,
    /// It did not come back, and is not called again.
    hangs: bool,
}

#[derive(PartialEq)]
enum Seen {
    Outcome(Outcome),
    Accident(Accident),
}

impl Oracle<'_> {
    /// Calls these native functions on a few arguments, in several orders, in processes
    /// of their own; why they cannot be treated as mathematical ones, if they cannot.
    ///
    /// # Errors
    ///
    /// When no process can be had, or the stop token is set.
    pub fn probe(&mut self, functions: &[String]) -> Result<Option<Impurity>, Failure> {
        let mut probes = Vec::new();
        for tuple in 0..TUPLES {
            for name in functions {
                let function = self.number(name)?;
                let signature = &self.functions[function].signature;
                if tuple == 0 || !signature.parameters.is_empty() {
                    probes.push(Probe {
                        function,
                        arguments: arguments(signature, tuple),
                        seen: None,
                        hangs: false,
                    });
                }
            }
        }
        let mut native = self.native.sibling();
        native.set_limit(LIMIT.min(native.limit()));
        let forwards: Vec<usize> = (0..probes.len()).collect();
        let backwards: Vec<usize> = forwards.iter().rev().copied().collect();
        for (order, fresh) in [(&forwards, true), (&forwards, false), (&backwards, true)] {
            if fresh {
                native.renew();
            }
            for &number in order {
                let impurity = self.try_once(&mut native, &mut probes[number])?;
                if impurity.is_some() {
                    return Ok(impurity);
                }
            }
        }
        Ok(None)
    }

    fn try_once(
        &self,
        native: &mut NativeSide,
        probe: &mut Probe,
    ) -> Result<Option<Impurity>, Failure> {
        if probe.hangs {
            return Ok(None);
        }
        let signature = &self.functions[probe.function].signature;
        let function = signature.name.clone();
        let before = memory(native)?;
        let seen = match perform(native, probe.function, signature, &probe.arguments) {
            Ok(outcome) => Seen::Outcome(outcome),
            Err(Failure::Accident {
                accident: Accident::TimedOut { .. },
                ..
            }) => {
                probe.hangs = true;
                return Ok(None);
            }
            Err(Failure::Accident { accident, .. }) => Seen::Accident(accident),
            Err(failure) => return Err(failure),
        };
        let returned = matches!(seen, Seen::Outcome(_));
        if returned && memory(native)? != before {
            return Ok(Some(Impurity::KeepsState { function }));
        }
        let same = probe.seen.as_ref().is_none_or(|before| *before == seen);
        probe.seen = Some(seen);
        Ok((!same).then_some(Impurity::TwoResults { function }))
    }
}

/// What the libraries keep; that a process cannot say so is no accident of a function.
fn memory(native: &mut NativeSide) -> Result<Option<u64>, Failure> {
    use crate::native::Trouble;
    match native.memory() {
        Ok(hash) => Ok(Some(hash)),
        Err(Trouble::Accident(_)) => Ok(None),
        Err(Trouble::Failure(failure)) => Err(failure),
    }
}

/// Arguments with this number: small numbers, of which neighbours get different ones.
fn arguments(signature: &Signature, tuple: usize) -> Vec<Argument> {
    const WORDS: [i64; TUPLES] = [0, 1, 3, 100, -1];
    let parameters = signature.parameters.iter().enumerate();
    let arguments = parameters.map(|(number, parameter)| {
        let word = WORDS[(tuple + 2 * number) % TUPLES];
        let value = match parameter.kind {
            Type::Bool => Value::Bool(word & 1 != 0),
            Type::Signed(width) | Type::Unsigned(width) => {
                Value::Bv(BitVec::from_u64(width, word as u64))
            }
            Type::Float(format) => {
                let halves = num_rational::BigRational::new((3 * word).into(), 2.into());
                let bits = fp::from_rational(format, RoundingMode::NearestEven, &halves);
                Value::Fp(format, bits)
            }
            Type::Int => Value::Int(word.into()),
            Type::Real => Value::Real(num_rational::BigRational::from_integer(word.into())),
            Type::Pointer(_) => return Argument::Bytes(array(tuple)),
            Type::Void | Type::String => unreachable!("declaring the function checked its types"),
        };
        Argument::Value(value)
    });
    arguments.collect()
}

/// Zeros at first, then a short text.
fn array(tuple: usize) -> Vec<u8> {
    let mut bytes = vec![0; ARRAY];
    for (number, byte) in bytes.iter_mut().enumerate().take(tuple) {
        *byte = b'1' + number as u8;
    }
    bytes
}
