//! Marking inputs: `everypath.h`'s functions and KLEE's.

use crate::incomplete::Incomplete;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::pointers::{Access, Spot};
use crate::policy::{Given, Guidance};
use crate::state::{Input, InputKind, State, input_name};
use crate::value::{Value, mask};
use mixed::solver::Answer;
use std::rc::Rc;
use term::{BitVec, Sort, Term};

/// Bytes an input may have: there is a term for each.
const LARGEST_INPUT: usize = 1 << 22;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "ep_symbolic" | "klee_make_symbolic" => make_symbolic,
        "ep_assume" | "klee_assume" => assume,
        "ep_ignore" | "klee_silent_exit" => ignore,
        "ep_choose" | "klee_choose" => choose,
        "ep_range" | "klee_range" => range,
        "klee_int" => klee_int,
        "ep_assert" | "klee_assert" => assert,
        "ep_is_symbolic" | "klee_is_symbolic" | "__ep_is_open" => is_symbolic,
        "ep_cover" | "klee_warning" | "klee_warning_once" => say,
        "klee_is_replay" => is_replay,
        "klee_abort" => abort,
        "klee_report_error" => report_error,
        "klee_get_obj_size" => object_size,
        "klee_check_memory_access" => check_memory,
        "klee_get_valuef" => get_value_32,
        "klee_get_value_i32" => get_value_32,
        "klee_get_valued" | "klee_get_valuel" | "klee_get_valuell" | "klee_get_value_i64" => {
            get_value_64
        }
        _ => return None,
    })
}

impl Machine<'_> {
    /// The bytes of a new input under a name, which other inputs may have too:
    /// what the policy gives for it, symbolic ones by default.
    ///
    /// # Errors
    ///
    /// When the policy has no such input, or it is too large.
    pub fn input(
        &mut self,
        state: &mut State,
        name: &str,
        size: usize,
        kind: InputKind,
    ) -> Result<Vec<Term>, Halt> {
        if size > LARGEST_INPUT {
            return unsupported(format!("an input of {size} bytes, `{name}`"));
        }
        let policy = self.policy.clone();
        let bytes = match policy.input(self, state, name, size)? {
            Given::Open => self.symbolic_bytes(state, name, size),
            Given::Concolic(values) => {
                let bytes = self.symbolic_bytes(state, name, size);
                self.set_model_where_open(state, &bytes, &values);
                bytes
            }
            Given::Concrete(values) => {
                let byte = |&byte: &u8| self.store.bv(8, byte.into());
                values.iter().map(byte).collect()
            }
        };
        state.inputs.push(Input {
            name: name.into(),
            bytes: bytes.clone().into(),
            kind,
        });
        Ok(bytes)
    }

    /// Gives these values to input bytes for which the path's model has none.
    pub fn set_model_where_open(&self, state: &mut State, bytes: &[Term], values: &[u8]) {
        for (&byte, &value) in bytes.iter().zip(values) {
            if let Some(variable) = self.store.as_variable(byte)
                && state.model.get(variable).is_none()
            {
                let value = term::Value::Bv(BitVec::from_u64(8, value.into()));
                Rc::make_mut(&mut state.model).set(variable, value);
            }
        }
    }

    fn symbolic_bytes(&mut self, state: &State, name: &str, size: usize) -> Vec<Term> {
        // Paths that part after an input was made share its variables.
        let unique = input_name(name, state.inputs.count(name));
        if let Some(known) = self.input_bytes.get(&unique)
            && known.len() >= size
        {
            return known[..size].to_vec();
        }
        let byte = |i| self.store.var(&format!("{unique}[{i}]"), Sort::Bv(8));
        let bytes: Vec<Term> = (0..size).map(byte).collect();
        self.input_bytes.insert(unique, bytes.clone());
        bytes
    }

    /// A new input that is one number.
    ///
    /// # Errors
    ///
    /// When the policy has no such input.
    pub fn input_value(
        &mut self,
        state: &mut State,
        name: &str,
        width: u16,
        kind: InputKind,
    ) -> Result<Value, Halt> {
        let bytes = self.input(state, name, usize::from(width.div_ceil(8)), kind)?;
        let whole = bytes
            .into_iter()
            .reduce(|low, high| self.store.concat(high, low));
        let whole = whole.expect("a number has at least one byte");
        let value = self.store.extract(whole, 0, width);
        Ok(Value::of(&self.store, value))
    }

    /// Holds inputs that were just made to a condition. No path is lost by it,
    /// so that none is forked or counted as ignored.
    ///
    /// # Errors
    ///
    /// When no input satisfies the condition on this path.
    pub fn confine(&mut self, state: &mut State, condition: Term) -> Result<(), Halt> {
        if !self.holds(state, condition) {
            let effort = self.mixed.current_effort();
            match self.ask(state, condition, effort) {
                Answer::Sat(model) => state.model = Rc::new(model),
                Answer::Unsat(_) => {
                    self.policy.clone().unmet(self, state, condition);
                    return Err(Halt::End(End::Ignored));
                }
                // What a stop left undecided is nobody's fault.
                Answer::Unknown(_) if self.options.stop.is_set() => {
                    return Err(Halt::End(End::Unknown));
                }
                Answer::Unknown(_) => {
                    return unsupported("an input whose range the solver could not decide");
                }
            }
        }
        self.assume_of_input(state, condition);
        Ok(())
    }

    /// Lets the path go on only where the condition holds.
    ///
    /// # Errors
    ///
    /// When it does not in the path's model; a state in which it does was forked off.
    pub fn only_if(&mut self, state: &mut State, condition: Term) -> Result<(), Halt> {
        if self.guidance(state) == Guidance::Finish {
            // It is to come to its end, with other inputs if need be.
            return self.confine(state, condition);
        }
        let (holds, other) = self.split(state, condition);
        if holds {
            // The other way is dropped; it counts as a path that was ignored.
            let ignored = other.map(|other| (other, End::Ignored));
            self.successors.ended.extend(ignored);
            return Ok(());
        }
        self.successors.running.extend(other);
        Err(Halt::End(End::Ignored))
    }
}

fn make_symbolic(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let name = match call.arg(2).as_word() {
        Some(0) => "unnamed".to_owned(),
        _ => m.string(state, call.arg(2))?,
    };
    let size = m.concretize(state, call.arg(1), 64);
    if size == 0 {
        return Ok(Returned::Nothing);
    }
    let spot = m.resolve_access(state, call.arg(0), size, Access::Write)?;
    if let Spot::Somewhere(..) = spot {
        return unsupported("marking memory at a symbolic address as an input");
    }
    if let Some(address) = call.arg(0).as_word() {
        m.note_input(state, &name, address, size);
    }
    let bytes = m.input(state, &name, size as usize, InputKind::Bytes)?;
    m.write(state, spot, &bytes);
    Ok(Returned::Nothing)
}

/// The first argument, of whatever width the call passes it.
fn truth(m: &mut Machine<'_>, call: &Invocation<'_>) -> Term {
    let parameters = &m.program.signatures[call.signature.index()].parameters;
    let width = parameters.first().map_or(32, |p| p.kind.bits() as u16);
    let value = call.arg(0).term(&mut m.store, width);
    m.store.is_nonzero(value)
}

fn assume(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = truth(m, call);
    m.only_if(state, condition)?;
    Ok(Returned::Nothing)
}

fn ignore(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    Err(Halt::End(End::Ignored))
}

fn choose(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let count = call.arg(0).term(&mut m.store, 64);
    let name = m.program.functions[call.function.index()].name.as_str();
    let value = m.input_value(state, name, 64, InputKind::Unsigned)?;
    let term = value.term(&mut m.store, 64);
    let below = m.store.bv_ult(term, count);
    m.confine(state, below)?;
    Ok(Returned::Value(value))
}

fn range(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let name = m.string(state, call.arg(2))?;
    let low = call.arg(0).term(&mut m.store, 32);
    let high = call.arg(1).term(&mut m.store, 32);
    let one = m.store.bv(32, 1);
    let next = m.store.bv_add(low, one);
    if next == high {
        // One value is no choice and no input.
        return Ok(Returned::Value(call.arg(0)));
    }
    let value = m.input_value(state, &name, 32, InputKind::Signed)?;
    let term = value.term(&mut m.store, 32);
    let (above, below) = (m.store.bv_sle(low, term), m.store.bv_slt(term, high));
    let inside = m.store.and(above, below);
    m.confine(state, inside)?;
    Ok(Returned::Value(value))
}

fn klee_int(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let name = m.string(state, call.arg(0))?;
    let value = m.input_value(state, &name, 32, InputKind::Signed)?;
    Ok(Returned::Value(value))
}

fn assert(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = truth(m, call);
    m.require(state, condition, ErrorKind::Assert, "assertion failed")?;
    Ok(Returned::Nothing)
}

fn is_symbolic(
    _: &mut Machine<'_>,
    _: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let symbolic = call.arg(0).as_word().is_none();
    Ok(Returned::Value(Value::word(symbolic.into())))
}

fn say(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    if !call.args.is_empty() {
        let text = m.string(state, call.arg(0))?;
        m.note(format!("the program says: {text}"));
    }
    Ok(Returned::Nothing)
}

fn is_replay(m: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    let replays = m.policy.is_replay();
    Ok(Returned::Value(Value::word(replays.into())))
}

fn abort(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    error(ErrorKind::Abort, "klee_abort was called")
}

fn report_error(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let message = m.string(state, call.arg(2))?;
    error(ErrorKind::Abort, message)
}

fn object_size(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    match m.resolve_access(state, call.arg(0), 0, Access::Read)? {
        Spot::At(id, _) | Spot::Somewhere(id, _) => {
            let size = state.memory.object(id).map_or(0, |object| object.size);
            Ok(Returned::Value(Value::word(size)))
        }
    }
}

fn check_memory(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let size = m.concretize(state, call.arg(1), 64);
    m.resolve_access(state, call.arg(0), size, Access::Read)?;
    Ok(Returned::Nothing)
}

/// One value of the argument, which it has from here on; that a function was run with one
/// value of what is named is told.
pub(super) fn hold_value(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    width: u16,
    (function, what): (Rc<str>, Rc<str>),
) -> Returned {
    let word = m.example(state, call.arg(0), width) & mask(width.into());
    let term = call.arg(0).term(&mut m.store, width);
    let constant = m.store.bv(width, word);
    let equal = m.store.eq(term, constant);
    if m.store.as_bool(equal).is_none() {
        m.incomplete(state, Incomplete::Concretized { function, what });
    }
    m.assume(state, equal);
    Returned::Value(Value::word(word))
}

fn get_value(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    width: u16,
) -> Returned {
    let function = m.program.functions[call.function.index()].name.as_str();
    hold_value(
        m,
        state,
        call,
        width,
        (function.into(), "its argument".into()),
    )
}

fn get_value_32(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    Ok(get_value(m, state, call, 32))
}

fn get_value_64(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    Ok(get_value(m, state, call, 64))
}
