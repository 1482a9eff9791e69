//! Intrinsics executed by a machine: memory, the stack, assumptions, and
//! floats that no term can express.

use crate::machine::{Machine, Options};
use crate::memory::Region;
use crate::outcome::{End, ErrorKind, Halt};
use crate::state::State;
use crate::value::Value;
use program::{Body, FloatKind, Function, FunctionId, Intrinsic, Kind, Linkage, Program, Reg};
use solver::Solver;
use std::rc::Rc;
use term::{Assignment, BitVec, Sort, Term};

const DOUBLE: Kind = Kind::Float(FloatKind::Double);

/// A machine whose one function has registers of these kinds and no code.
fn with_machine(kinds: &[Kind], run: impl FnOnce(&mut Machine<'_>, &mut State)) {
    let body = Body {
        code: vec![program::Inst::Unreachable],
        locations: vec![program::LocationId::UNKNOWN],
        blocks: vec![program::Block { start: 0, end: 1 }],
        kinds: kinds.to_vec(),
        ..Body::default()
    };
    let function = Function {
        name: "f".to_owned(),
        signature: program::SignatureId(0),
        linkage: Linkage::External,
        noreturn: false,
        returns_twice: false,
        unoptimised: true,
        source: None,
        body: Some(body),
    };
    let mut program = Program::default();
    program.functions.push(function);
    program.signatures.push(program::Signature {
        parameters: Vec::new(),
        fixed: 0,
        variadic: false,
        results: Vec::new(),
    });
    let made = Machine::new(
        &program,
        FunctionId(0),
        Solver::default(),
        Options::default(),
    );
    let (mut machine, mut state) = made.expect("the function has a body");
    run(&mut machine, &mut state);
}

impl Machine<'_> {
    fn run_intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: Intrinsic,
        kind: Kind,
        results: usize,
        args: &[Value],
    ) -> Result<(), Halt> {
        self.intrinsic(state, intrinsic, kind, Reg(0), results, args)
    }

    fn object_of(&mut self, state: &mut State, bytes: &[u8]) -> u64 {
        let address = self
            .allocate(state, bytes.len() as u64, Region::Heap)
            .expect("it is small");
        for (i, &byte) in bytes.iter().enumerate() {
            assert!(state.memory.store(address + i as u64, 1, byte.into()));
        }
        address
    }

    fn symbol(&mut self, name: &str, width: u16) -> (Term, Value) {
        let term = self.store.var(name, Sort::Bv(width));
        (term, Value::of(&self.store, term))
    }

    /// A symbolic byte that is 0x5a in the state's model.
    fn marked_byte(&mut self, state: &mut State) -> Value {
        let (term, value) = self.symbol("marked", 8);
        let variable = self.store.as_variable(term).expect("it is one");
        let mut model = Assignment::clone(&state.model);
        model.set(variable, term::Value::Bv(BitVec::from_u64(8, 0x5a)));
        state.model = Rc::new(model);
        value
    }

    fn is_marked(&mut self, state: &mut State, address: u64) -> bool {
        let loaded = self
            .load(state, word(address), Kind::Int(8))
            .expect("in bounds");
        loaded.as_term().is_some() && self.example(state, loaded, 8) == 0x5a
    }
}

fn bytes(state: &mut State, address: u64, n: u64) -> Vec<Option<u64>> {
    (0..n).map(|i| state.memory.load(address + i, 1)).collect()
}

fn word(word: u64) -> Value {
    Value::word(word)
}

fn copy(to: u64, from: u64, n: u64) -> [Value; 4] {
    [word(to), word(from), word(n), word(0)]
}

#[test]
fn ranges_that_overlap_are_moved_as_if_through_a_copy() {
    with_machine(&[], |m, state| {
        let text: Vec<u8> = (0..40).collect();
        let at = m.object_of(state, &text);
        for (to, from, n) in [(3, 0, 30), (0, 5, 33), (1, 2, 9), (7, 7, 12)] {
            let before = bytes(state, at, 40);
            let args = copy(at + to, at + from, n);
            m.run_intrinsic(state, Intrinsic::MemMove, Kind::Ptr, 0, &args)
                .expect("in bounds");
            let mut expected = before.clone();
            let range = from as usize..(from + n) as usize;
            expected.copy_within(range, to as usize);
            assert_eq!(bytes(state, at, 40), expected);
        }
    });
}

#[test]
fn symbolic_bytes_are_copied_as_terms_among_concrete_ones() {
    with_machine(&[], |m, state| {
        let (from, to) = (m.object_of(state, &[1; 20]), m.object_of(state, &[2; 30]));
        let value = m.marked_byte(state);
        m.store(state, word(from + 9), Kind::Int(8), value)
            .expect("in bounds");
        let args = copy(to + 3, from, 20);
        m.run_intrinsic(state, Intrinsic::MemCpy, Kind::Ptr, 0, &args)
            .expect("in bounds");
        let mut expected = [vec![Some(2); 3], vec![Some(1); 20], vec![Some(2); 7]].concat();
        expected[3 + 9] = None;
        assert_eq!(bytes(state, to, 30), expected);
        assert!(m.is_marked(state, to + 12));
        // And away again when something concrete is copied over it.
        let args = copy(to + 12, from, 1);
        m.run_intrinsic(state, Intrinsic::MemCpy, Kind::Ptr, 0, &args)
            .expect("in bounds");
        assert_eq!(state.memory.load(to + 12, 1), Some(1));
    });
}

#[test]
fn an_object_written_at_a_symbolic_index_is_copied_to_and_from() {
    with_machine(&[], |m, state| {
        let (table, other) = (m.object_of(state, &[7; 16]), m.object_of(state, &[8; 16]));
        let (x, _) = m.symbol("x", 64);
        let fifteen = m.store.bv(64, 15);
        let (index, base) = (m.store.bv_and(x, fifteen), m.store.bv(64, table));
        let address = m.store.bv_add(base, index);
        let address = Value::of(&m.store, address);
        m.store(state, address, Kind::Int(8), word(9))
            .expect("in bounds");
        let args = copy(table, other, 16);
        m.run_intrinsic(state, Intrinsic::MemCpy, Kind::Ptr, 0, &args)
            .expect("in bounds");
        let args = copy(other, table, 16);
        m.run_intrinsic(state, Intrinsic::MemCpy, Kind::Ptr, 0, &args)
            .expect("in bounds");
        let loaded = m
            .load(state, word(other + 5), Kind::Int(8))
            .expect("in bounds");
        assert_eq!(m.example(state, loaded, 8), 8);
    });
}

#[test]
fn a_range_outside_of_its_object_is_an_error_and_writes_nothing() {
    with_machine(&[], |m, state| {
        let (from, to) = (m.object_of(state, &[1; 8]), m.object_of(state, &[2; 8]));
        let mut kind_of = |intrinsic, args: &[Value]| {
            let stop = m.run_intrinsic(state, intrinsic, Kind::Ptr, 0, args);
            match stop {
                Err(Halt::End(End::Error(kind, _))) => kind,
                other => panic!("{other:?}"),
            }
        };
        let memcpy = Intrinsic::MemCpy;
        assert_eq!(
            kind_of(memcpy, &copy(to, from, 9)),
            ErrorKind::OutOfBoundsRead
        );
        assert_eq!(
            kind_of(memcpy, &copy(to + 1, from, 8)),
            ErrorKind::OutOfBoundsWrite
        );
        assert_eq!(
            kind_of(memcpy, &copy(0, from, 8)),
            ErrorKind::NullDereference
        );
        let fill = [word(to), word(3), word(9), word(0)];
        assert_eq!(
            kind_of(Intrinsic::MemSet, &fill),
            ErrorKind::OutOfBoundsWrite
        );
        assert_eq!(bytes(state, to, 8), [Some(2); 8]);
        let nothing = copy(0, 0, 0);
        assert_eq!(
            m.run_intrinsic(state, memcpy, Kind::Ptr, 0, &nothing),
            Ok(())
        );
    });
}

#[test]
fn memory_is_filled_with_a_byte_known_or_not() {
    with_machine(&[], |m, state| {
        let at = m.object_of(state, &[1; 12]);
        let args = [word(at + 1), word(0xab), word(10), word(0)];
        m.run_intrinsic(state, Intrinsic::MemSet, Kind::Ptr, 0, &args)
            .expect("in bounds");
        let expected = [vec![Some(1)], vec![Some(0xab); 10], vec![Some(1)]].concat();
        assert_eq!(bytes(state, at, 12), expected);
        let value = m.marked_byte(state);
        let args = [word(at + 10), value, word(2), word(0)];
        m.run_intrinsic(state, Intrinsic::MemSet, Kind::Ptr, 0, &args)
            .expect("in bounds");
        assert!(m.is_marked(state, at + 10) && m.is_marked(state, at + 11));
    });
}

#[test]
fn a_symbolic_size_is_forked_within_the_object_and_one_error_beyond() {
    with_machine(&[], |m, state| {
        let at = m.object_of(state, &[1; 3]);
        let (_, size) = m.symbol("n", 64);
        let args = [word(at), word(5), size, word(0)];
        let mut open = vec![state.clone()];
        let (mut contents, mut errors) = (Vec::<Vec<u64>>::new(), 0);
        while let Some(mut state) = open.pop() {
            match m.run_intrinsic(&mut state, Intrinsic::MemSet, Kind::Ptr, 0, &args) {
                Ok(()) => contents.push(bytes(&mut state, at, 3).into_iter().flatten().collect()),
                Err(Halt::End(End::Error(ErrorKind::OutOfBoundsWrite, _))) => errors += 1,
                Err(other) => panic!("{other:?}"),
            }
            open.append(&mut m.successors.running);
            errors += m.successors.ended.drain(..).count();
        }
        contents.sort();
        let expected: [Vec<u64>; 4] = [vec![1, 1, 1], vec![5, 1, 1], vec![5, 5, 1], vec![5, 5, 5]];
        assert_eq!(contents, expected);
        assert_eq!(errors, 1);
    });
}

#[test]
fn the_stack_is_restored_to_its_mark() {
    with_machine(&[Kind::Ptr, Kind::Ptr, Kind::Ptr], |m, state| {
        m.local(state, Reg(1), 4, 4).expect("it is small");
        m.run_intrinsic(state, Intrinsic::StackSave, Kind::Ptr, 1, &[])
            .expect("always");
        let mark = state.get(Reg(0));
        m.local(state, Reg(2), 4, 4).expect("it is small");
        m.run_intrinsic(state, Intrinsic::StackRestore, Kind::Ptr, 0, &[mark])
            .expect("always");
        let mut alive = |reg| {
            let address = state.get(reg).as_word().expect("it is concrete");
            state.memory.load(address, 4).is_some()
        };
        assert_eq!((alive(Reg(1)), alive(Reg(2))), (true, false));
    });
}

#[test]
fn an_assumption_keeps_only_the_paths_on_which_it_holds() {
    with_machine(&[], |m, state| {
        let (_, bit) = m.symbol("b", 1);
        let run = |m: &mut Machine<'_>, state: &mut State, value| {
            m.run_intrinsic(state, Intrinsic::Assume, Kind::Int(1), 0, &[value])
        };
        assert_eq!(run(m, state, word(1)), Ok(()));
        assert_eq!(run(m, state, word(0)), Err(Halt::End(End::Ignored)));
        // The model has 0: this path ends and the other executes it again.
        assert_eq!(run(m, state, bit), Err(Halt::End(End::Ignored)));
        let mut other = m.successors.running.pop().expect("the bit can be set");
        assert_eq!(run(m, &mut other, bit), Ok(()));
        assert!(m.successors.running.is_empty());
    });
}

#[test]
fn the_size_of_an_object_is_what_is_left_of_it() {
    with_machine(&[Kind::Int(64)], |m, state| {
        let at = m.object_of(state, &[0; 10]);
        let mut size = |address, minimum| {
            let args = [word(address), word(minimum), word(1), word(0)];
            m.run_intrinsic(state, Intrinsic::ObjectSize, Kind::Ptr, 1, &args)
                .expect("always");
            state.get(Reg(0)).as_word()
        };
        assert_eq!(size(at + 4, 0), Some(6));
        assert_eq!(size(0, 0), Some(u64::MAX));
        assert_eq!(size(0, 1), Some(0));
    });
}

#[test]
fn results_go_to_the_registers_from_the_destination_on() {
    with_machine(&[Kind::Int(8), Kind::Int(1)], |m, state| {
        let args = [word(200), word(100)];
        let add = Intrinsic::UAddOverflow;
        m.run_intrinsic(state, add, Kind::Int(8), 2, &args)
            .expect("always");
        assert_eq!((state.get(Reg(0)), state.get(Reg(1))), (word(44), word(1)));
    });
    with_machine(&[DOUBLE, Kind::Int(32)], |m, state| {
        let args = [word(6.0f64.to_bits())];
        m.run_intrinsic(state, Intrinsic::FRExp, DOUBLE, 2, &args)
            .expect("always");
        assert_eq!(
            (state.get(Reg(0)), state.get(Reg(1))),
            (word(0.75f64.to_bits()), word(3))
        );
    });
}

#[test]
fn a_sine_is_computed_and_of_a_symbolic_argument_solved() {
    with_machine(&[DOUBLE], |m, state| {
        let sin = |m: &mut Machine<'_>, state: &mut State, x| {
            m.run_intrinsic(state, Intrinsic::Sin, DOUBLE, 1, &[x])
                .expect("always");
            state.get(Reg(0))
        };
        let half = sin(m, state, word(0.5f64.to_bits()));
        assert_eq!(half.as_word().map(f64::from_bits), Some(0.5f64.sin()));
        let (x, value) = m.symbol("x", 64);
        let sine = sin(m, state, value).term(&mut m.store, 64);
        let sine = m.store.fp_from_bits(term::FpFormat::DOUBLE, sine);
        let limit = m.store.fp(term::FpFormat::DOUBLE, 0.9f64.to_bits().into());
        let high = m.store.fp_lt(limit, sine);
        let (holds, other) = m.split(state, high);
        assert!(!holds, "the sine of zero is not high");
        let other = other.expect("another sine is");
        let found = f64::from_bits(m.mixed.under(&m.store, &other.model).word(x));
        assert!(found.sin() > 0.9, "{found}");
    });
}

#[test]
fn an_integer_power_is_a_chain_of_products() {
    with_machine(&[DOUBLE], |m, state| {
        for (x, n) in [(1.1f64, 13), (0.3, -7), (-2.5, 0), (3.7, 1), (1.01, -1)] {
            let args = [word(x.to_bits()), word(u64::from(n as u32))];
            m.run_intrinsic(state, Intrinsic::PowI, DOUBLE, 1, &args)
                .expect("always");
            assert_eq!(
                state.get(Reg(0)).as_word().map(f64::from_bits),
                Some(x.powi(n))
            );
        }
        let (_, x) = m.symbol("x", 64);
        m.run_intrinsic(state, Intrinsic::PowI, DOUBLE, 1, &[x, word(3)])
            .expect("always");
        assert!(state.get(Reg(0)).as_term().is_some(), "it stays symbolic");
    });
}
