//! Running functions: once, many at once, and again after an accident.

use super::{Implementation, Oracle, Refusal, check_tabular};
use crate::argument::{self, Argument, Outcome};
use crate::failure::{Accident, Failure};
use crate::native::{NativeSide, Trouble, beyond_native, from_word};
use crate::signature::Signature;
use crate::table;
use rustc_hash::FxHashMap;
use term::Value;

/// How many calls go to the helper process at once.
const BATCH: usize = 1024;

impl Oracle<'_> {
    /// Runs the function and remembers what came of it.
    pub(super) fn compute(&mut self, number: usize, arguments: &[Value]) -> Result<Value, Failure> {
        let entry = &mut self.functions[number];
        check_tabular(&entry.signature)?;
        if let Some(reason) = argument::value_mismatch(&entry.signature, arguments) {
            return Err(entry.refuse_arguments(reason));
        }
        let answer = self.run(number, arguments);
        self.functions[number].remember(arguments, &answer);
        answer
    }

    fn run(&mut self, number: usize, arguments: &[Value]) -> Result<Value, Failure> {
        let stopped = |signature: &Signature| Failure::Stopped {
            call: table::call(signature, arguments),
        };
        let entry = &mut self.functions[number];
        if self.native.stop().is_set() {
            return Err(stopped(&entry.signature));
        }
        match &mut entry.implementation {
            Implementation::Table => Err(Failure::NotInTable {
                call: table::call(&entry.signature, arguments),
            }),
            Implementation::Custom(function) => {
                entry.statistics.runs += 1;
                let answer = function(arguments, self.native.stop()).and_then(|value| {
                    match Some(value.sort()) == entry.signature.result.sort() {
                        true => Ok(value),
                        false => Err(Refusal::Reason(format!(
                            "its result is not of the type {}",
                            entry.signature.result
                        ))),
                    }
                });
                answer.map_err(|refusal| {
                    entry.statistics.in_vain += 1;
                    let call = table::call(&entry.signature, arguments);
                    match refusal {
                        _ if self.native.stop().is_set() => Failure::Stopped { call },
                        Refusal::Reason(reason) => Failure::Refused { call, reason },
                        Refusal::TimedOut { limit } => Failure::Accident {
                            call,
                            accident: Accident::TimedOut { limit },
                        },
                    }
                })
            }
            Implementation::Native | Implementation::Loaded => {
                let refused = |signature: &Signature, reason| Failure::Refused {
                    call: table::call(signature, arguments),
                    reason,
                };
                if let Some(reason) = arguments.iter().find_map(beyond_native) {
                    return Err(refused(&entry.signature, reason));
                }
                let word = self.twice(
                    number,
                    |signature| table::call(signature, arguments),
                    |native, signature| {
                        let words = native.call(number, signature, [arguments].into_iter())?;
                        Ok(words[0])
                    },
                )?;
                let signature = &self.functions[number].signature;
                from_word(signature.result, word).map_err(|reason| refused(signature, reason))
            }
        }
    }

    /// Computes what is new; gives the failures that are not worth remembering.
    pub(super) fn compute_batch(
        &mut self,
        number: usize,
        new: &[&[Value]],
    ) -> FxHashMap<Vec<Value>, Failure> {
        let mut lost = FxHashMap::default();
        let mut stopped = false;
        for chunk in new.chunks(BATCH) {
            if !stopped && self.compute_at_once(number, chunk) {
                continue;
            }
            for &arguments in chunk {
                let answer = match stopped {
                    true => Err(Failure::Stopped {
                        call: table::call(&self.functions[number].signature, arguments),
                    }),
                    false => self.compute(number, arguments),
                };
                if let Err(failure) = answer {
                    stopped |= matches!(failure, Failure::Stopped { .. });
                    lost.insert(arguments.to_vec(), failure);
                }
            }
        }
        lost
    }

    /// Computes all of it in one request; whether that worked.
    fn compute_at_once(&mut self, number: usize, calls: &[&[Value]]) -> bool {
        let entry = &mut self.functions[number];
        let fits = |arguments: &&[Value]| {
            argument::value_mismatch(&entry.signature, arguments).is_none()
                && arguments.iter().all(|value| beyond_native(value).is_none())
        };
        let is_native = entry.implementation.is_native();
        if !is_native || entry.table.is_none() || !calls.iter().all(fits) {
            return false;
        }
        entry.statistics.runs += calls.len() as u64;
        let words = match self
            .native
            .call(number, &entry.signature, calls.iter().copied())
        {
            Ok(words) => words,
            Err(Trouble::Accident(_)) => {
                entry.statistics.restarts += 1;
                return false;
            }
            Err(Trouble::Failure(_)) => return false,
        };
        for (&arguments, &word) in calls.iter().zip(words) {
            let answer = from_word(entry.signature.result, word);
            let answer = answer.map_err(|reason| Failure::Refused {
                call: table::call(&entry.signature, arguments),
                reason,
            });
            entry.remember(arguments, &answer);
        }
        true
    }

    pub(super) fn perform_checked(
        &mut self,
        number: usize,
        arguments: &[Argument],
    ) -> Result<Outcome, Failure> {
        let entry = &self.functions[number];
        if !entry.implementation.is_native() {
            let values: Vec<Value> = arguments.iter().filter_map(Argument::value).collect();
            return self.run(number, &values).map(|result| Outcome {
                result: Some(result),
                changed: vec![None; arguments.len()],
            });
        }
        let performed = self.twice(
            number,
            |signature| argument::call(signature, arguments),
            |native, signature| native.perform(number, signature, arguments),
        )?;
        Ok(performed.outcome(&self.functions[number].signature, arguments))
    }

    /// Tries, and after an accident once more in a fresh process.
    fn twice<T>(
        &mut self,
        number: usize,
        call: impl Fn(&Signature) -> String,
        mut attempt: impl FnMut(&mut NativeSide, &Signature) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let entry = &mut self.functions[number];
        let mut first: Option<Accident> = None;
        loop {
            entry.statistics.runs += 1;
            let accident = match attempt(&mut self.native, &entry.signature) {
                Ok(value) => {
                    if let Some(accident) = first {
                        self.notes.push(entry.note(&call, accident, true));
                    }
                    return Ok(value);
                }
                Err(Trouble::Failure(failure)) => return Err(failure),
                Err(Trouble::Accident(Accident::Stopped)) => {
                    let call = call(&entry.signature);
                    return Err(Failure::Stopped { call });
                }
                Err(Trouble::Accident(accident)) => accident,
            };
            entry.statistics.in_vain += 1;
            entry.statistics.restarts += 1;
            if let Some(first) = first {
                self.notes.push(entry.note(&call, first, false));
                let call = call(&entry.signature);
                return Err(Failure::Accident { call, accident });
            }
            first = Some(accident);
        }
    }
}
