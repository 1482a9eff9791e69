//! Calling native code in another process.
//!
//! [`NativeSide`] is the parent's end: it starts the helper process when it is
//! first needed, tells it the libraries and functions, and passes arguments and
//! results as words. When the process dies, hangs or answers nonsense, the
//! caller hears of the [`Accident`], and the next request starts a fresh one.

mod code;
mod process;
mod serve;
mod shared;
mod wire;

pub use process::HelperCommand;
pub use serve::serve;

use crate::argument::{Argument, Outcome};
use crate::cell;
use crate::failure::{Accident, Failure};
use crate::sandbox::{Confinement, Sandbox};
use crate::signature::{Pointee, Signature, Type};
use base::Stop;
use num_traits::ToPrimitive;
use process::{Expected, Process};
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use term::{BitVec, FpFormat, RoundingMode, Value, fp};
use wire::{
    ACCESS_NULL, ACCESS_READ, ACCESS_WRITE, BIND, CALL, DONE, EVERYWHERE, GIVEN_ONLY, LOAD, MEMORY,
    OVERRUN, PERFORM, Passed, REFUSED, Reader, put_bytes, words_of_bytes,
};

/// Why native code gave no result.
pub(crate) enum Trouble {
    /// Trying again would not help.
    Failure(Failure),
    /// Trying again might.
    Accident(Accident),
}

/// Where a function is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// In the given libraries and in those of the system.
    Everywhere,
    /// In the given libraries alone.
    Given,
}

/// The parent's end of the helper process.
pub(crate) struct NativeSide {
    command: Option<HelperCommand>,
    sandbox: Sandbox,
    limit: Duration,
    stop: Stop,
    libraries: Vec<PathBuf>,
    process: Option<Process>,
    /// The functions that the present process knows.
    bound: HashSet<usize>,
    request: Vec<u64>,
    response: Vec<u64>,
}

impl NativeSide {
    pub(crate) fn new() -> NativeSide {
        NativeSide {
            command: None,
            sandbox: Sandbox::default(),
            limit: Duration::from_secs(2),
            stop: Stop::never(),
            libraries: Vec::new(),
            process: None,
            bound: HashSet::new(),
            request: Vec::new(),
            response: Vec::new(),
        }
    }

    pub(crate) fn set_command(&mut self, command: HelperCommand) {
        self.command = Some(command);
    }

    pub(crate) fn set_sandbox(&mut self, sandbox: Sandbox) {
        self.sandbox = sandbox;
        // One that runs is in another sandbox, for good.
        self.process = None;
    }

    /// Another end with the same libraries, and no process yet.
    pub(crate) fn sibling(&self) -> NativeSide {
        NativeSide {
            command: self.command.clone(),
            sandbox: self.sandbox.clone(),
            limit: self.limit,
            stop: self.stop.clone(),
            libraries: self.libraries.clone(),
            ..NativeSide::new()
        }
    }

    /// Ends the process; the next request starts a fresh one.
    pub(crate) fn renew(&mut self) {
        self.process = None;
    }

    pub(crate) fn has_libraries(&self) -> bool {
        !self.libraries.is_empty()
    }

    pub(crate) fn has_process(&self) -> bool {
        self.process.is_some()
    }

    /// How much of the sandbox holds the process.
    pub(crate) fn confinement(&mut self) -> Result<Confinement, Failure> {
        self.ensure_process()?;
        let process = self.process.as_ref().expect("a process was ensured");
        Ok(process.confinement())
    }

    /// A hash of what the given libraries keep in memory.
    pub(crate) fn memory(&mut self) -> Result<u64, Trouble> {
        self.ensure_process().map_err(Trouble::Failure)?;
        self.request.clear();
        self.request.push(MEMORY);
        self.exchange(Expected::errand())
            .map_err(Trouble::Accident)?;
        match self.response[..] {
            [DONE, hash] => Ok(hash),
            _ => Err(self.nonsense()),
        }
    }

    pub(crate) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    pub(crate) fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Loads a library now, and again in every process that follows.
    pub(crate) fn load(&mut self, path: &Path) -> Result<(), Failure> {
        self.ensure_process()?;
        // The process works elsewhere. A name alone is for the linker to find.
        let absolute = match path.components().count() {
            1 => path.to_owned(),
            _ => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        };
        self.load_into_process(&absolute)
            .map_err(|failure| match failure {
                // In the words of whoever asked for it.
                Failure::Library { reason, .. } => Failure::Library {
                    path: path.to_owned(),
                    reason,
                },
                other => other,
            })?;
        self.libraries.push(absolute);
        Ok(())
    }

    /// Looks the function up in this process, unless it knows it.
    fn bind_known(&mut self, number: usize, signature: &Signature) -> Result<(), Trouble> {
        self.ensure_process().map_err(Trouble::Failure)?;
        match self.bound.contains(&number) {
            true => Ok(()),
            false => self.bind(number, signature, Scope::Everywhere).map(drop),
        }
    }

    /// Looks the function up; whether a given library has it.
    pub(crate) fn bind(
        &mut self,
        number: usize,
        signature: &Signature,
        scope: Scope,
    ) -> Result<bool, Trouble> {
        self.ensure_process().map_err(Trouble::Failure)?;
        let scope = match scope {
            Scope::Everywhere => EVERYWHERE,
            Scope::Given => GIVEN_ONLY,
        };
        self.request.clear();
        self.request.extend([BIND, number as u64, scope]);
        put_bytes(&mut self.request, signature.name.as_bytes());
        let kinds = signature.parameters.iter().map(|parameter| parameter.kind);
        for kind in [signature.result].into_iter().chain(kinds) {
            let passed = Passed::of(kind).expect("declaring the function checked its types");
            self.request.push(passed.code());
        }
        let expected = Expected {
            limit: self.limit,
            ..Expected::errand()
        };
        self.exchange(expected).map_err(Trouble::Accident)?;
        match self.refusal() {
            None => {
                self.bound.insert(number);
                Ok(self.response.get(1) == Some(&1))
            }
            Some(searched) => Err(Trouble::Failure(Failure::Symbol {
                function: signature.name.clone(),
                searched: searched.lines().map(str::to_owned).collect(),
            })),
        }
    }

    /// Calls a function once for each list of arguments; a word for each result.
    pub(crate) fn call<'a>(
        &mut self,
        number: usize,
        signature: &Signature,
        calls: impl ExactSizeIterator<Item = &'a [Value]>,
    ) -> Result<&[u64], Trouble> {
        self.bind_known(number, signature)?;
        let count = calls.len();
        self.request.clear();
        self.request.extend([CALL, number as u64, count as u64]);
        for arguments in calls {
            self.request.extend(arguments.iter().map(to_word));
        }
        let expected = Expected {
            words: 1 + count,
            calls: count,
            limit: self.limit,
        };
        self.exchange(expected).map_err(Trouble::Accident)?;
        if self.response.first() != Some(&DONE) || self.response.len() != 1 + count {
            return Err(self.nonsense());
        }
        Ok(&self.response[1..])
    }

    /// Calls a function that may take arrays; gives the result, if any, and the
    /// arrays it may have changed.
    pub(crate) fn perform(
        &mut self,
        number: usize,
        signature: &Signature,
        arguments: &[Argument],
    ) -> Result<Performed, Trouble> {
        self.bind_known(number, signature)?;
        self.request.clear();
        self.request.extend([PERFORM, number as u64]);
        let mut words = 2;
        let mut lengths = Vec::new();
        for (parameter, argument) in signature.parameters.iter().zip(arguments) {
            match (argument, parameter.kind) {
                (Argument::Value(value), _) => self.request.push(to_word(value)),
                (Argument::Null, _) => self.request.push(ACCESS_NULL),
                (Argument::Bytes(bytes), Type::Pointer(Pointee::Mutable)) => {
                    self.request.push(ACCESS_WRITE);
                    put_bytes(&mut self.request, bytes);
                    words += words_of_bytes(bytes.len());
                    lengths.push(bytes.len());
                }
                (Argument::Bytes(bytes), Type::Pointer(Pointee::Text)) => {
                    self.request.push(ACCESS_READ);
                    let text = [bytes.as_slice(), &[0]].concat();
                    put_bytes(&mut self.request, &text);
                }
                (Argument::Bytes(bytes), _) => {
                    self.request.push(ACCESS_READ);
                    put_bytes(&mut self.request, bytes);
                }
            }
        }
        let expected = Expected {
            words,
            calls: 1,
            limit: self.limit,
        };
        self.exchange(expected).map_err(Trouble::Accident)?;
        let accident = match self.read_performed(signature, &lengths) {
            Some(Ok(performed)) => return Ok(performed),
            Some(Err(accident)) => accident,
            None => Accident::Damaged,
        };
        // What else was overwritten is anybody's guess.
        self.process = None;
        Err(Trouble::Accident(accident))
    }

    /// What the response says came of a call; none when it makes no sense.
    fn read_performed(
        &self,
        signature: &Signature,
        lengths: &[usize],
    ) -> Option<Result<Performed, Accident>> {
        let mut reader = Reader(&self.response);
        match reader.word()? {
            DONE => {
                let word = reader.word()?;
                let arrays = lengths
                    .iter()
                    .map(|&length| reader.bytes().filter(|bytes| bytes.len() == length))
                    .collect::<Option<Vec<Vec<u8>>>>()?;
                let result = signature.result;
                let result = (result != Type::Void).then(|| from_word(result, word));
                let result = result.transpose().ok()?;
                Some(Ok(Performed { result, arrays }))
            }
            OVERRUN => {
                let index = usize::try_from(reader.word()?).ok()?;
                let parameter = signature.parameters.get(index)?.name.clone();
                Some(Err(Accident::Overrun { parameter }))
            }
            _ => None,
        }
    }

    fn ensure_process(&mut self) -> Result<(), Failure> {
        if self.process.is_some() {
            return Ok(());
        }
        let command = self.command.as_ref().ok_or_else(|| Failure::Helper {
            command: None,
            reason: "no helper process was set up".into(),
        })?;
        let process = Process::start(command, &self.sandbox, &self.stop).map_err(|reason| {
            Failure::Helper {
                command: Some(command.to_string()),
                reason,
            }
        })?;
        self.process = Some(process);
        self.bound.clear();
        let libraries = std::mem::take(&mut self.libraries);
        let loaded = libraries
            .iter()
            .try_for_each(|path| self.load_into_process(path));
        self.libraries = libraries;
        loaded
    }

    fn load_into_process(&mut self, path: &Path) -> Result<(), Failure> {
        self.request.clear();
        self.request.push(LOAD);
        put_bytes(&mut self.request, path.as_os_str().as_bytes());
        let reason = match self.exchange(Expected::errand()) {
            Ok(()) => self.refusal(),
            Err(accident) => Some(format!("its initialisation {accident}")),
        };
        match reason {
            None => Ok(()),
            Some(reason) => Err(Failure::Library {
                path: path.to_owned(),
                reason,
            }),
        }
    }

    /// Sends the request; an accident ends the process.
    fn exchange(&mut self, expected: Expected) -> Result<(), Accident> {
        let process = self.process.as_mut().expect("a process was ensured");
        let outcome = process.exchange(&self.request, &expected, &self.stop, &mut self.response);
        if outcome.is_err() {
            self.process = None;
        }
        outcome
    }

    /// Why the process refused, when it did.
    fn refusal(&self) -> Option<String> {
        let mut reader = Reader(&self.response);
        match reader.word() {
            Some(DONE) => None,
            Some(REFUSED) => reader.text().or_else(|| Some(String::new())),
            _ => Some("the helper process answers nonsense".into()),
        }
    }

    /// The response has a valid checksum and makes no sense.
    fn nonsense(&mut self) -> Trouble {
        self.process = None;
        Trouble::Accident(Accident::Damaged)
    }
}

/// What came of a call with arrays.
pub(crate) struct Performed {
    result: Option<Value>,
    /// The arrays that may have been written to.
    arrays: Vec<Vec<u8>>,
}

impl Performed {
    /// The same, for each argument.
    pub(crate) fn outcome(self, signature: &Signature, arguments: &[Argument]) -> Outcome {
        let mut arrays = self.arrays.into_iter();
        let kinds = signature.parameters.iter().map(|parameter| parameter.kind);
        let changed = kinds.zip(arguments).map(|(kind, argument)| {
            let is_array = matches!(argument, Argument::Bytes(_));
            let is_mutable = kind == Type::Pointer(Pointee::Mutable);
            (is_array && is_mutable).then(|| arrays.next()).flatten()
        });
        Outcome {
            changed: changed.collect(),
            result: self.result,
        }
    }
}

// Which types native code takes is decided where they are passed, not where they are named.
impl Type {
    /// Whether a native function can take such an argument.
    pub fn is_native(self) -> bool {
        self != Type::Void && Passed::of(self).is_some()
    }

    /// Whether a native function can give such a result back.
    pub fn is_native_result(self) -> bool {
        !matches!(self, Type::Pointer(_)) && Passed::of(self).is_some()
    }
}

/// Why a value has no counterpart in native code, if it has none.
pub(crate) fn beyond_native(value: &Value) -> Option<String> {
    match value {
        Value::Int(number) if number.to_i64().is_none() => {
            Some(format!("{number} does not fit a 64-bit integer"))
        }
        _ => None,
    }
}

/// The bits of a value that native code can be called with: an integer without
/// bounds as an `int64_t`, a rational number as the nearest `double`.
fn to_word(value: &Value) -> u64 {
    match value {
        Value::Bool(truth) => u64::from(*truth),
        Value::Bv(bits) => bits.to_u64().expect("native integers have 64 bits"),
        Value::Fp(_, bits) => *bits as u64,
        Value::Int(number) => number.to_i64().unwrap_or_default() as u64,
        Value::Real(number) => {
            fp::from_rational(FpFormat::DOUBLE, RoundingMode::NearestEven, number) as u64
        }
        Value::Rm(_) | Value::Array(_) | Value::Str(_) | Value::Re(_) => {
            unreachable!("declaring the function checked its types")
        }
    }
}

/// The value with these bits. A `double` becomes the rational number that people
/// write for it, so that 0.7 is seven tenths; the infinities have none.
pub(crate) fn from_word(kind: Type, word: u64) -> Result<Value, String> {
    Ok(match kind {
        Type::Bool => Value::Bool(word != 0),
        Type::Signed(width) | Type::Unsigned(width) => Value::Bv(BitVec::from_u64(width, word)),
        Type::Float(format) => Value::Fp(format, fp::canonical(format, u128::from(word))),
        Type::Int => Value::Int((word as i64).into()),
        Type::Real => {
            let text = fp::to_decimal(FpFormat::DOUBLE, u128::from(word));
            let finite = f64::from_bits(word).is_finite();
            let refused = || format!("its result {} is no rational number", f64::from_bits(word));
            let value = finite
                .then(|| cell::parse(Type::Real, &text).ok())
                .flatten();
            value.ok_or_else(refused)?
        }
        Type::Void | Type::String | Type::Pointer(_) => {
            unreachable!("declaring the function checked its types")
        }
    })
}
