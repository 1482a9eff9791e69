//! External functions: those without a body, and those said to be run concretely.
//!
//! A function that always gives the same for the same becomes a term when its arguments
//! are symbolic, an application, which [`mixed`] decides conditions about. The function
//! itself is run only on concrete arguments: natively, or by a machine of its own if the
//! program defines it. What takes pointers, or may keep state, is run on the spot, on the
//! arguments the path's model has, which the path keeps from there on. Nothing of the host
//! is run unless it is known to compute and do nothing else, or the user said so.

mod concrete;
mod crashes;
mod declare;
mod stub;
mod variable;

use crate::applied::Applied;
use crate::externals::{External, Way};
use crate::floats::library::Library;
use crate::incomplete::Incomplete;
use crate::machine::Machine;
use crate::memory::{Place, Region};
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::pointers::Spot;
use crate::policy::Guidance;
use crate::state::State;
use crate::value::{Value, mask};
use mixed::oracle::{Accident, Argument, Failure, Implementation, Signature, Type};
use mixed::solver::Answer;
use mixed::{Effort, Passing};
use program::{FloatKind, FunctionId, Kind};
use std::rc::Rc;
use term::{BitVec, FpFormat, Function, Sort, Term};

/// The longest row of arguments that one call may crash on before its path is given up.
const MOST_CRASHES: u32 = 8;

/// What a path remembers of a function applied to its arguments: that it has a result,
const WORKS: u64 = 0;
/// that it crashes on these, and the path goes on with others,
const CRASHES: u64 = 1;
/// or that work stopped before this was known.
const WAITS: u64 = 2;

impl Machine<'_> {
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
        Some(match &external.way {
            &Way::Term { function, is_known } => {
                if !is_known && args.iter().any(|arg| arg.as_word().is_none()) {
                    let function = external.name.clone();
                    self.incomplete(state, Incomplete::TakenForPure { function });
                }
                self.call_function(state, &external, function, args)
            }
            Way::Pure => self.run_here(state, &external, args),
            Way::InPlace { told, why } => {
                if !told.replace(true) {
                    let place = self.own_place(state);
                    self.note(format!(
                        "{}:{}: `{}` is called in each path's own order, with the arguments of \
                         one input: {why}",
                        place.file, place.line, external.name
                    ));
                }
                self.run_here(state, &external, args)
            }
            Way::Stub(stub) => self.call_stub(state, &external, *stub),
        })
    }

    /// Ends the path at a call of a function that nobody defines.
    pub(crate) fn call_missing<T>(&mut self, state: &State, id: FunctionId) -> Result<T, Halt> {
        let name: Rc<str> = self.program.functions[id.index()].name.as_str().into();
        let function = name.clone();
        self.incomplete_end(state, Incomplete::MissingFunction { function });
        unsupported(format!("a call of `{name}`, which has no body"))
    }

    /// Calls a function of numbers, as a term if need be.
    fn call_function(
        &mut self,
        state: &mut State,
        external: &External,
        function: Function,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let symbolic = args.iter().any(|arg| arg.as_word().is_none());
        if symbolic && self.passes_terms() {
            return self.apply(state, function, &external.parameters, args);
        }
        let mut words = Vec::with_capacity(args.len());
        for (number, (&kind, &arg)) in external.parameters.iter().zip(args).enumerate() {
            let what = || external.argument(number);
            let width = kind.bits() as u16;
            words.push(self.pass(state, arg, width, &external.name, what));
        }
        let kinds = external.parameters.iter();
        let arguments: Vec<term::Value> = kinds
            .zip(words)
            .map(|(&kind, word)| value_of(kind, word))
            .collect();
        let called = self.interruptible(state, |machine, _| {
            machine.mixed.oracle_mut().call(&external.name, &arguments)
        })?;
        match called {
            Ok(value) => Ok(Value::word(word_of(&value))),
            Err(failure) => self.end_of(state, &external.name, &failure),
        }
    }

    /// How a path ends at a call without a result.
    fn end_of<T>(&mut self, state: &State, name: &str, failure: &Failure) -> Result<T, Halt> {
        let function: Rc<str> = name.into();
        match failure {
            Failure::Accident {
                accident: Accident::Overrun { .. },
                ..
            } => error(ErrorKind::OutOfBoundsWrite, failure.to_string()),
            failure if failure.is_crash() => error(ErrorKind::NativeCrash, failure.to_string()),
            Failure::Accident {
                accident: Accident::TimedOut { .. },
                ..
            } => {
                self.incomplete_end(state, Incomplete::TimedOut { function });
                Err(Halt::End(End::Unknown))
            }
            Failure::NotDeterministic { .. } => {
                self.incomplete_end(state, Incomplete::NotDeterministic { function });
                unsupported(failure.to_string())
            }
            // Nothing is wrong with the path; it waits where it is.
            Failure::Stopped { .. } => Err(Halt::Yield),
            other => unsupported(other.to_string()),
        }
    }

    /// The application of an external function to these arguments, as a value. Where the
    /// path's own arguments crash the function, that is the end of a path with these
    /// arguments, and the path goes on with others if there are any.
    fn apply(
        &mut self,
        state: &mut State,
        function: Function,
        kinds: &[Kind],
        args: &[Value],
    ) -> Result<Value, Halt> {
        let name: Rc<str> = self.store.signature(function).name.as_str().into();
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
        let applied = Applied {
            function: name.clone(),
            terms: terms.clone().into(),
            result: bits,
        };
        for _ in 0..MOST_CRASHES {
            match state.recall(2) {
                Some(WORKS) => {
                    state.applied.push(applied);
                    return Ok(Value::of(&self.store, bits));
                }
                Some(CRASHES) => {
                    let words = kinds.iter().map(|&kind| (kind, state.recall_word()));
                    let values: Vec<term::Value> = words
                        .map(|(kind, word)| value_of(kind, word.unwrap_or(0)))
                        .collect();
                    let condition = self.has_arguments(&terms, &values);
                    let others = self.store.not(condition);
                    self.assume(state, others);
                    continue;
                }
                Some(_) => return Err(Halt::Yield),
                None => {}
            }
            self.mixed.take_failure();
            let mut evaluation = self.mixed.under(&self.store, &state.model);
            evaluation.value(bits);
            let values: Vec<_> = terms.iter().map(|&term| evaluation.value(term)).collect();
            let Some(failure) = self.mixed.take_failure() else {
                self.keep_call(state, applied.clone());
                state.applied.push(applied);
                state.record(WORKS, 2);
                return Ok(Value::of(&self.store, bits));
            };
            if !failure.is_crash() || self.guidance(state) != Guidance::Explore {
                state.record(WAITS, 2);
                return self.end_of(state, &name, &failure);
            }
            let condition = self.has_arguments(&terms, &values);
            let others = self.store.not(condition);
            let Answer::Sat(model) = self.query(state, others, Effort::Full) else {
                return self.end_of(state, &name, &failure);
            };
            let mut crashed = state.clone();
            self.assume(&mut crashed, condition);
            if self.is_new_crash(state, &values) {
                let end = End::Error(ErrorKind::NativeCrash, failure.to_string());
                self.successors.ended.push((crashed, end));
            }
            state.record(CRASHES, 2);
            for value in &values {
                state.record_word(word_of(value));
            }
            state.model = Rc::new(model);
            self.assume(state, others);
        }
        unsupported(format!(
            "a call of `{name}`, which crashes on more than {MOST_CRASHES} of its arguments here"
        ))
    }

    /// Makes a call that work may stop in the middle of. The path waits then; where it is
    /// gone again it waits as often, so that its instructions begin as often.
    fn interruptible<T>(
        &mut self,
        state: &mut State,
        call: impl FnOnce(&mut Self, &mut State) -> Result<T, Failure>,
    ) -> Result<Result<T, Failure>, Halt> {
        let recalled = state.recall(1);
        if recalled == Some(1) {
            return Err(Halt::Yield);
        }
        let result = call(self, state);
        let is_stopped = matches!(result, Err(Failure::Stopped { .. }));
        if recalled.is_none() {
            state.record(is_stopped.into(), 1);
        }
        match is_stopped {
            true => Err(Halt::Yield),
            false => Ok(result),
        }
    }

    /// The application of a function of the C library that this process has
    /// itself, to floats of one format.
    pub(crate) fn apply_library(
        &mut self,
        state: &mut State,
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

    /// Runs a function with the arguments and the bytes behind pointers that the path's
    /// model has, which the path keeps from here on.
    fn run_here(
        &mut self,
        state: &mut State,
        external: &External,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let name = &external.name;
        let mut arguments = Vec::with_capacity(args.len());
        let mut places = Vec::with_capacity(args.len());
        for (number, (&kind, &arg)) in external.parameters.iter().zip(args).enumerate() {
            let what = || external.argument(number);
            let word = self.concretize_for_call(state, arg, kind.bits() as u16, name, what);
            let (argument, place) = match kind {
                Kind::Ptr if word == 0 => (Argument::Null, None),
                Kind::Ptr => {
                    let Place::In(id, offset @ 0..) = state.memory.place(word) else {
                        return unsupported(format!(
                            "a call of `{name}` with a pointer into no object"
                        ));
                    };
                    let what = || format!("the object behind {}", external.argument(number));
                    let bytes = self.bytes_behind(state, id, offset as usize, name, what);
                    (Argument::Bytes(bytes), Some((id, offset as usize)))
                }
                _ => (Argument::Value(value_of(kind, word)), None),
            };
            arguments.push(argument);
            places.push(place);
        }
        let outcome = self.interruptible(state, |machine, state| {
            let oracle = machine.mixed.oracle_mut();
            match external.way {
                Way::InPlace { .. } => oracle.call_in_place(&mut state.natives, name, arguments),
                Way::Term { .. } | Way::Pure | Way::Stub(_) => oracle.perform(name, &arguments),
            }
        })?;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(failure) => return self.end_of(state, name, &failure),
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
    /// concretized to what the model has.
    fn bytes_behind(
        &mut self,
        state: &mut State,
        id: crate::memory::ObjectId,
        offset: usize,
        callee: &str,
        what: impl FnOnce() -> String,
    ) -> Vec<u8> {
        let size = state.memory.object(id).map_or(0, |object| object.size) as usize;
        let terms = self.read(state, Spot::At(id, offset), size - offset);
        let mut bytes = Vec::with_capacity(terms.len());
        let mut fixed = Vec::new();
        for term in terms {
            let byte = self.example(state, Value::of(&self.store, term), 8);
            bytes.push(byte as u8);
            let constant = self.store.bv(8, byte);
            let equal = self.store.eq(term, constant);
            if self.store.as_bool(equal).is_none() {
                fixed.push(equal);
            }
        }
        self.concretize_all(state, &fixed, callee, what);
        bytes
    }

    /// The value in the state's model, which the path keeps from here on. If there are
    /// others, the run is not complete: `what` of `callee` was concretized.
    pub(crate) fn concretize_for_call(
        &mut self,
        state: &mut State,
        value: Value,
        width: u16,
        callee: &str,
        what: impl FnOnce() -> String,
    ) -> u64 {
        if let Some(word) = value.as_word() {
            return word;
        }
        let word = self.example(state, value, width);
        let term = value.term(&mut self.store, width);
        let constant = self.store.bv(width, word);
        let equal = self.store.eq(term, constant);
        if self.store.as_bool(equal).is_none() {
            self.concretize_all(state, &[equal], callee, what);
        }
        word
    }

    /// Whether calls of functions of numbers are terms, if an argument is.
    pub(crate) fn passes_terms(&self) -> bool {
        self.mixed.config().strategy.passing() == Passing::Term
    }

    /// The word that such a function gets for a value, where it is called with words.
    pub(crate) fn pass(
        &mut self,
        state: &mut State,
        value: Value,
        width: u16,
        callee: &str,
        what: impl FnOnce() -> String,
    ) -> u64 {
        let is_example = self.mixed.config().strategy.passing() == Passing::Example;
        if !is_example || value.as_word().is_some() {
            return self.concretize_for_call(state, value, width, callee, what);
        }
        self.was_concretized(state, callee, &what());
        self.example(state, value, width)
    }

    /// Holds the path to equations that its model satisfies.
    fn concretize_all(
        &mut self,
        state: &mut State,
        equations: &[Term],
        callee: &str,
        what: impl FnOnce() -> String,
    ) {
        if equations.is_empty() {
            return;
        }
        let all = equations
            .iter()
            .copied()
            .reduce(|a, b| self.store.and(a, b));
        let others = self.store.not(all.expect("there are equations"));
        let lost = match self.guidance(state) {
            // It was said when the path was gone first.
            _ if state.is_retracing() => false,
            Guidance::Explore => {
                let answer = self.query(state, others, Effort::Quick);
                !matches!(answer, Answer::Unsat(_))
            }
            Guidance::Follow | Guidance::Finish => true,
        };
        if lost {
            self.was_concretized(state, callee, &what());
        }
        for &equal in equations {
            self.assume(state, equal);
        }
    }

    fn was_concretized(&mut self, state: &State, callee: &str, what: &str) {
        let reason = Incomplete::Concretized {
            function: callee.into(),
            what: what.into(),
        };
        self.incomplete(state, reason);
    }
}

impl External {
    /// What messages call an argument.
    fn argument(&self, number: usize) -> String {
        match self.names.get(number) {
            Some(name) => format!("its argument `{name}`"),
            None => format!("its argument {}", number + 1),
        }
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
