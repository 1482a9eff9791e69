//! External functions: those without a body, and those said to be run concretely.
//!
//! A call with symbolic arguments becomes a term, an application of the function,
//! which [`mixed`] decides conditions about. The function itself is run only on
//! concrete arguments: natively, or by a machine of its own if the program defines it.
//! What takes pointers, or is known to have effects, is run on the spot, on the
//! arguments the path's model has, which the path keeps from there on.

mod concrete;
mod declare;

use crate::externals::{Effects, External};
use crate::floats::library::Library;
use crate::machine::Machine;
use crate::memory::{Place, Region};
use crate::outcome::{Halt, unsupported};
use crate::pointers::Spot;
use crate::state::State;
use crate::value::{Value, mask};
use mixed::Strategy;
use mixed::oracle::{Argument, Implementation, Signature, Type};
use program::{FloatKind, FunctionId, Kind};
use term::{BitVec, FpFormat, Function, Sort};

impl Machine<'_> {
    /// Whether a call of the function can be followed or run.
    pub fn can_call(&self, id: FunctionId) -> bool {
        self.is_external(id) || self.callee_of(id).is_some() || self.body(id).is_some()
    }

    /// Whether calls of the function leave the program.
    pub fn is_external(&self, id: FunctionId) -> bool {
        let external = self.externals.by_number.get(id.index());
        external.is_some_and(Option::is_some)
    }

    /// Calls the function if it is an external one.
    pub(crate) fn call_external(
        &mut self,
        state: &mut State,
        id: FunctionId,
        args: &[Value],
    ) -> Option<Result<Value, Halt>> {
        let external = self.externals.by_number.get(id.index())?.clone()?;
        Some(self.call_known(state, &external, args))
    }

    fn call_known(
        &mut self,
        state: &mut State,
        external: &External,
        args: &[Value],
    ) -> Result<Value, Halt> {
        self.tell_of_effects(state, external);
        let Some(function) = external.term else {
            return self.run_on_the_spot(state, external, args);
        };
        let strategy = self.mixed.config().strategy;
        let mut words = Vec::with_capacity(args.len());
        for (&kind, &arg) in external.parameters.iter().zip(args) {
            let width = kind.bits() as u16;
            words.push(match (arg.as_word(), strategy) {
                (Some(word), _) => Some(word),
                (None, Strategy::Exe) => {
                    Some(self.concretize_for_call(state, arg, width, &external.name))
                }
                (None, _) if external.has_effects() => {
                    Some(self.concretize_for_call(state, arg, width, &external.name))
                }
                (None, Strategy::Dart) => Some(self.example(state, arg, width)),
                (None, Strategy::Mixed | Strategy::Table | Strategy::Classic) => None,
            });
        }
        if let Some(words) = words.into_iter().collect::<Option<Vec<u64>>>() {
            return self.call_concretely(external, &words);
        }
        self.apply(state, function, &external.parameters, args)
    }

    /// Says where a function with effects is called first.
    fn tell_of_effects(&mut self, state: &State, external: &External) {
        if let Effects::Known { told } = &external.effects
            && !told.replace(true)
        {
            let place = self.place(state);
            self.note(format!(
                "{place}: `{}` has effects; where it is called, it is run with the arguments \
                 of one input",
                external.name
            ));
        }
    }

    /// Where the running instruction is in the source.
    fn place(&self, state: &State) -> String {
        let function = &self.program.functions[state.function().index()];
        let body = function.body.as_ref();
        let location = body.map(|body| body.locations[state.frame.pc as usize]);
        let location = location.map(|id| self.program.source.location(id));
        match location.and_then(|location| Some((location.file?, location.line))) {
            Some((file, line)) => format!("{}:{line}", self.program.source.file(file).name),
            None => format!("`{}`", function.name),
        }
    }

    /// The application of an external function to these arguments, as a value.
    fn apply(
        &mut self,
        state: &State,
        function: Function,
        kinds: &[Kind],
        args: &[Value],
    ) -> Result<Value, Halt> {
        let mut terms = Vec::with_capacity(args.len());
        for (&kind, &arg) in kinds.iter().zip(args) {
            let bits = arg.term(&mut self.store, kind.bits() as u16);
            terms.push(match kind {
                Kind::Float(float) => self.store.fp_from_bits(format_of(float), bits),
                Kind::Int(1) => self.store.is_nonzero(bits),
                Kind::Int(_) | Kind::Ptr => bits,
            });
        }
        let application = self.store.apply(function, &terms);
        let bits = match self.store.sort(application) {
            Sort::Fp(_) => self.store.fp_to_bits(application),
            Sort::Bool => self.store.bool_to_bv(application, 1),
            _ => application,
        };
        self.mixed.take_failure();
        self.mixed.under(&self.store, &state.model).value(bits);
        match self.mixed.take_failure() {
            None => Ok(Value::of(&self.store, bits)),
            Some(failure) => unsupported(failure.to_string()),
        }
    }

    /// The application of a function of the C library that this process has
    /// itself, to floats of one format.
    pub(crate) fn apply_library(
        &mut self,
        state: &State,
        library: &'static Library,
        kind: FloatKind,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let name = match kind {
            FloatKind::Single => format!("{}f", library.name),
            _ => library.name.to_owned(),
        };
        let format = format_of(kind);
        if !self.mixed.oracle().knows(&name) {
            let names = ["x", "y", "z"];
            let parameters: Vec<(&str, Type)> = names
                .into_iter()
                .zip(args)
                .map(|(name, _)| (name, Type::Float(format)))
                .collect();
            let signature = Signature::new(&name, &parameters, Type::Float(format));
            let run = Implementation::custom(move |arguments| {
                let words: Vec<u64> = arguments.iter().map(word_of).collect();
                let word = library.words(kind, &words).ok_or("it has no such format")?;
                Ok(value_of(Kind::Float(kind), word))
            });
            if let Err(failure) = self.mixed.oracle_mut().declare(signature, run) {
                return unsupported(failure.to_string());
            }
        }
        let function = self.store.function(term::Signature {
            name,
            parameters: vec![Sort::Fp(format); args.len()],
            result: Sort::Fp(format),
        });
        let kinds = vec![Kind::Float(kind); args.len()];
        self.apply(state, function, &kinds, args)
    }

    /// Runs a function whose arguments are all values and known.
    fn call_concretely(&mut self, external: &External, words: &[u64]) -> Result<Value, Halt> {
        let kinds = external.parameters.iter();
        let arguments: Vec<term::Value> = kinds
            .zip(words)
            .map(|(&kind, &word)| value_of(kind, word))
            .collect();
        let oracle = self.mixed.oracle_mut();
        let result = match external.has_effects() {
            false => oracle.call(&external.name, &arguments),
            true => {
                let arguments: Vec<Argument> = arguments.into_iter().map(Argument::Value).collect();
                let outcome = oracle.perform(&external.name, &arguments);
                outcome.map(|outcome| outcome.result.expect("a tabular function has a result"))
            }
        };
        match result {
            Ok(value) => Ok(Value::word(word_of(&value))),
            Err(failure) => unsupported(failure.to_string()),
        }
    }

    /// Runs a function that takes pointers or gives nothing, with the arguments
    /// and the bytes behind pointers that the path's model has.
    fn run_on_the_spot(
        &mut self,
        state: &mut State,
        external: &External,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let mut arguments = Vec::with_capacity(args.len());
        let mut places = Vec::with_capacity(args.len());
        for (&kind, &arg) in external.parameters.iter().zip(args) {
            let word = self.concretize_for_call(state, arg, kind.bits() as u16, &external.name);
            let (argument, place) = match kind {
                Kind::Ptr if word == 0 => (Argument::Null, None),
                Kind::Ptr => {
                    let Place::In(id, offset) = state.memory.place(word) else {
                        return unsupported(format!(
                            "a call of `{}` with a pointer into no object",
                            external.name
                        ));
                    };
                    let bytes = self.bytes_behind(state, id, offset as usize, &external.name);
                    (Argument::Bytes(bytes), Some((id, offset as usize)))
                }
                _ => (Argument::Value(value_of(kind, word)), None),
            };
            arguments.push(argument);
            places.push(place);
        }
        let outcome = self.mixed.oracle_mut().perform(&external.name, &arguments);
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(failure) => return unsupported(failure.to_string()),
        };
        for (changed, place) in outcome.changed.into_iter().zip(places) {
            let (Some(bytes), Some((id, offset))) = (changed, place) else {
                continue;
            };
            let constant = state.memory.object(id).map(|object| object.region);
            if constant == Some(Region::Constant) {
                continue;
            }
            let terms: Vec<_> = bytes
                .iter()
                .map(|&byte| self.store.bv(8, byte.into()))
                .collect();
            self.write(state, Spot::At(id, offset), &terms);
        }
        Ok(match (external.result, outcome.result) {
            (Some(_), Some(value)) => Value::word(word_of(&value)),
            _ => Value::ZERO,
        })
    }

    /// The bytes from an offset to the end of an object; symbolic ones are
    /// fixed to what the model has.
    fn bytes_behind(
        &mut self,
        state: &mut State,
        id: crate::memory::ObjectId,
        offset: usize,
        callee: &str,
    ) -> Vec<u8> {
        let size = state.memory.object(id).map_or(0, |object| object.size) as usize;
        let terms = self.read(state, Spot::At(id, offset), size - offset);
        let mut bytes = Vec::with_capacity(terms.len());
        for term in terms {
            let value = Value::of(&self.store, term);
            bytes.push(self.concretize_for_call(state, value, 8, callee) as u8);
        }
        bytes
    }
}

fn format_of(kind: FloatKind) -> FpFormat {
    match kind {
        FloatKind::Single => FpFormat::SINGLE,
        _ => FpFormat::DOUBLE,
    }
}

fn value_of(kind: Kind, word: u64) -> term::Value {
    match kind {
        Kind::Float(float) => {
            let width = u32::from(format_of(float).width() as u16);
            term::Value::Fp(
                format_of(float),
                canonical(float, word & mask(width)).into(),
            )
        }
        Kind::Int(1) => term::Value::Bool(word & 1 != 0),
        Kind::Int(width) => term::Value::Bv(BitVec::from_u64(width, word)),
        Kind::Ptr => term::Value::Bv(BitVec::from_u64(64, word)),
    }
}

/// Terms know one value that is not a number.
fn canonical(kind: FloatKind, word: u64) -> u64 {
    match kind {
        FloatKind::Single if f32::from_bits(word as u32).is_nan() => 0x7fc0_0000,
        FloatKind::Double if f64::from_bits(word).is_nan() => 0x7ff8_0000_0000_0000,
        _ => word,
    }
}

fn word_of(value: &term::Value) -> u64 {
    match value {
        term::Value::Bool(truth) => u64::from(*truth),
        term::Value::Bv(bits) => bits.to_u64().unwrap_or(0),
        term::Value::Fp(_, bits) => *bits as u64,
        _ => 0,
    }
}
