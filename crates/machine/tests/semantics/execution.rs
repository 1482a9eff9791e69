//! Functions executed by the machine.

use crate::notation::{Range, mask};
use machine::{End, Machine, Options, State, Turn, Value};
use mixed::Effort;
use mixed::solver::Answer;
use program::{FunctionId, Inst, Program, Reg};
use solver::Solver;
use std::fmt;
use std::rc::Rc;
use term::{Assignment, BitVec, Evaluator, Term};

/// What became of a call.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The bits returned.
    Result(u128),
    /// It ended in an error.
    Error {
        /// The name of its kind.
        kind: &'static str,
        /// What the machine says of it.
        message: String,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Result(bits) => write!(f, "{bits:#x}"),
            Outcome::Error { kind, message } => write!(f, "the error `{kind}` ({message})"),
        }
    }
}

/// A function in a machine of its own.
pub struct Subject<'p> {
    program: &'p Program,
    function: FunctionId,
    machine: Machine<'p>,
    /// About to enter the function, with symbolic operands.
    first: State,
    evaluator: Evaluator,
}

/// All paths of a function.
pub struct Paths {
    ended: Vec<(Vec<Term>, End, Option<Value>)>,
}

impl<'p> Subject<'p> {
    /// Makes a machine that is about to enter the function.
    pub fn new(program: &'p Program, function: FunctionId) -> Subject<'p> {
        let made = Machine::new(program, function, Solver::default(), Options::default());
        let (machine, first) = made.unwrap_or_else(|reason| panic!("{reason}"));
        Subject {
            program,
            function,
            machine,
            first,
            evaluator: Evaluator::default(),
        }
    }

    /// Runs the function on concrete operands.
    pub fn run(&mut self, operands: &[u128]) -> Outcome {
        let mut state = self.first.clone();
        for (i, &bits) in operands.iter().enumerate() {
            self.fix(&mut state, i, bits);
        }
        let (state, end) = loop {
            let turn = self.machine.run(state);
            let forked = turn.successors.running.len() + turn.successors.ended.len();
            assert_eq!(forked, 0, "nothing concrete forks");
            match turn.end {
                Some(end) => break (turn.state, end),
                None => state = turn.state,
            }
        };
        let result = self.returned(&state, &end);
        let bits = result.map(|value| {
            let width = self.width();
            let bits = value.as_bits(&self.machine.store, width);
            bits.expect("concrete operands give concrete results")
                .to_u128()
        });
        outcome(&end, bits)
    }

    /// Follows all paths of the function on operands in the ranges.
    pub fn paths(&mut self, ranges: &[Range], name: &str) -> Paths {
        let mut state = self.first.clone();
        for (i, range) in ranges.iter().enumerate() {
            match *range {
                Range::Only(bits) => self.fix(&mut state, i, bits),
                Range::From(low, count, bits) => self.confine(&mut state, i, low, count, bits),
            }
        }
        let least: Vec<u128> = ranges.iter().map(Range::first).collect();
        state.model = Rc::new(self.assignment(ranges, &least));
        let states = self.follow_all(state, name);
        let ended = states.into_iter().map(|(state, end)| {
            let result = self.returned(&state, &end);
            (state.path.constraints().collect(), end, result)
        });
        Paths {
            ended: ended.collect(),
        }
    }

    /// The states in which the paths from this one end.
    fn follow_all(&mut self, first: State, name: &str) -> Vec<(State, End)> {
        let mut ended = Vec::new();
        let mut waiting = vec![first];
        while let Some(state) = waiting.pop() {
            let Turn {
                state,
                end,
                successors,
            } = self.machine.run(state);
            waiting.extend(successors.running);
            ended.extend(successors.ended);
            for (mut state, deferred) in successors.deferred {
                let condition = deferred.condition;
                match self.machine.query(&state, condition, Effort::Full) {
                    Answer::Sat(model) => {
                        state.model = Rc::new(model);
                        self.machine.assume(&mut state, condition);
                        waiting.push(state);
                    }
                    Answer::Unsat(_) => {}
                    Answer::Unknown(reason) => panic!("@{name}: a path is unknown: {reason}"),
                }
            }
            match end {
                Some(end) => ended.push((state, end)),
                None => waiting.push(state),
            }
        }
        ended
    }

    /// Makes an operand concrete.
    fn fix(&mut self, state: &mut State, operand: usize, bits: u128) {
        let register = self.parameter(operand);
        let signature = self.program.functions[self.function.index()].signature;
        let parameters = &self.program.signatures[signature.index()].parameters;
        let bits = BitVec::from_u128(parameters[operand].kind.bits() as u16, bits);
        state.set(register, Value::from_bits(&mut self.machine.store, bits));
    }

    /// Holds a symbolic operand to so many values from `low` on.
    fn confine(&mut self, state: &mut State, operand: usize, low: u128, count: u128, bits: u32) {
        if count > mask(bits) {
            return;
        }
        let register = self.parameter(operand);
        let width = bits as u16;
        let Machine { store, mixed, .. } = &mut self.machine;
        let value = state.get(register).term(store, width);
        let low = store.bv_value(BitVec::from_u128(width, low));
        let count = store.bv_value(BitVec::from_u128(width, count));
        let distance = store.bv_sub(value, low);
        let inside = store.bv_ult(distance, count);
        mixed.add(store, &mut state.path, inside);
    }

    fn parameter(&self, operand: usize) -> Reg {
        let body = self.program.functions[self.function.index()].body.as_ref();
        body.expect("the machine entered it").parameter(operand)
    }

    /// What a function that came to its end returned.
    fn returned(&self, state: &State, end: &End) -> Option<Value> {
        let body = self.program.functions[state.function().index()]
            .body
            .as_ref()?;
        match (end, body.code[state.frame.pc as usize]) {
            (End::Exit(_), Inst::Return { values }) => body
                .registers(values)
                .first()
                .map(|&register| state.get(register)),
            _ => None,
        }
    }

    fn width(&self) -> u16 {
        let signature = self.program.functions[self.function.index()].signature;
        let results = &self.program.signatures[signature.index()].results;
        results[0].bits() as u16
    }

    /// The assignment that gives the ranging operands these values.
    fn assignment(&self, ranges: &[Range], operands: &[u128]) -> Assignment {
        let mut assignment = Assignment::new();
        let inputs = self.first.inputs.all();
        for ((input, range), operand) in inputs.iter().zip(ranges).zip(operands) {
            if let Range::Only(_) = range {
                continue;
            }
            for (&term, byte) in input.bytes.iter().zip(operand.to_le_bytes()) {
                let variable = self.machine.store.as_variable(term);
                let byte = term::Value::Bv(BitVec::from_u64(8, byte.into()));
                assignment.set(variable.expect("inputs are variables"), byte);
            }
        }
        assignment
    }
}

impl Paths {
    /// What becomes of the operands; if they are not on exactly one path, on how many.
    pub fn outcome(
        &self,
        subject: &mut Subject<'_>,
        ranges: &[Range],
        operands: &[u128],
    ) -> Result<Outcome, usize> {
        let assignment = subject.assignment(ranges, operands);
        let width = subject.width();
        let store = &mut subject.machine.store;
        let mut taken = Vec::new();
        for (constraints, end, result) in &self.ended {
            let result = result.map(|value| value.term(store, width));
            let mut evaluation = subject.evaluator.under(store, &assignment);
            if constraints
                .iter()
                .all(|&constraint| evaluation.holds(constraint))
            {
                let bits = result.map(|term| match evaluation.value(term) {
                    term::Value::Bv(bits) => bits.to_u128(),
                    other => panic!("a register holds {other:?}"),
                });
                taken.push(outcome(end, bits));
            }
        }
        match taken.pop() {
            Some(only) if taken.is_empty() => Ok(only),
            other => Err(taken.len() + usize::from(other.is_some())),
        }
    }
}

fn outcome(end: &End, result: Option<u128>) -> Outcome {
    match (end, result) {
        (End::Exit(_), Some(bits)) => Outcome::Result(bits),
        (End::Exit(_), None) => Outcome::Error {
            kind: "exit",
            message: "it exited without returning".into(),
        },
        (End::Error(kind, message), _) => Outcome::Error {
            kind: kind.name(),
            message: message.clone(),
        },
        (End::Ignored | End::Redundant | End::TooDeep | End::Unknown, _) => Outcome::Error {
            kind: "ignored",
            message: "the path was dropped".into(),
        },
    }
}
