//! The solutions that a path follows through an invariant.
//!
//! Solutions of one suite begin alike: their pointers lead to the same objects, and the
//! same conditions hold. A path follows all of them at once for as long as they agree, so
//! that the paths of a suite are a trie of which every edge is executed once. Where a
//! pointer is loaded that leads elsewhere in some of them, or a condition is met that some
//! of them decide otherwise, they go on in a state of their own from that instruction.
//!
//! A candidate carries its values of the inputs there are. The path's model is that of the
//! first. One that is alone has its values in the path's model and nowhere else.

use super::lazy::{Target, lazy_mut, objects};
use super::{Staged, StagedArgument, left_out};
use crate::policy::follow::{self, Reason};
use machine::{End, Halt, Machine, State};
use staged::{Field, Object, Solution};
use std::rc::Rc;
use term::{Assignment, BitVec, Sort, Store, Term};

/// What a path follows.
#[derive(Clone)]
pub(super) struct Following {
    /// The argument whose objects the solutions are.
    pub argument: usize,
    /// The solutions that take the path, of which there is at least one.
    candidates: Rc<Vec<Candidate>>,
    /// How high the stack is while the invariant runs, if a program's own call
    /// is what it was called for.
    pub until: Option<u32>,
}

/// A solution that takes a path.
#[derive(Clone)]
struct Candidate {
    solution: Rc<Solution>,
    /// Which of the path's objects a solution's object is.
    counterparts: Vec<Option<usize>>,
    /// Its values of the path's inputs, if it is not alone.
    model: Rc<Assignment>,
}

/// Solutions that a path can begin with.
pub(super) struct Company {
    /// What the first object of all of them is.
    pub form: String,
    pub solutions: Vec<Rc<Solution>>,
    /// Whether no other may join them.
    is_closed: bool,
}

/// Where a candidate has a pointer lead.
#[derive(PartialEq, Eq)]
enum Goal<'a> {
    Null,
    /// So many bytes into an object of the path.
    Known(usize, u64),
    /// So many bytes into an object of this type that the path has not met yet, which the
    /// pointer of this number among several is the first to lead to.
    Unknown(&'a str, usize, u64),
}

/// Lets the path follow solutions for the objects of an argument, whose first is `root`.
pub(super) fn follow(state: &mut State, argument: usize, root: usize, solutions: &[Rc<Solution>]) {
    let model = match solutions {
        [_] => Rc::default(),
        _ => state.model.clone(),
    };
    let candidates = solutions.iter().map(|solution| {
        let mut counterparts = vec![None; solution.graph.objects.len()];
        counterparts[0] = Some(root);
        Candidate {
            solution: solution.clone(),
            counterparts,
            model: model.clone(),
        }
    });
    let candidates = Rc::new(candidates.collect());
    lazy_mut(state).following = Some(Following {
        argument,
        candidates,
        until: None,
    });
    follow::begin(state, Reason::Solution);
}

/// What a path that follows solutions follows.
pub(super) fn followed(state: &State) -> &Following {
    let following = objects(state).following.as_ref();
    following.expect("a path with counterparts follows a solution")
}

/// Lets the path go on freely.
pub(super) fn stop_following(state: &mut State) {
    lazy_mut(state).following = None;
    follow::cease(state, Reason::Solution);
}

/// Gives inputs the same values in every candidate of the path, if it has several.
pub(super) fn set_for_all(store: &Store, state: &mut State, bytes: &[Term], values: &[u8]) {
    let following = lazy_mut(state).following.as_mut();
    if let Some(following) = following.filter(|it| it.is_shared()) {
        for candidate in Rc::make_mut(&mut following.candidates) {
            put_values(store, Rc::make_mut(&mut candidate.model), bytes, values);
        }
    }
}

/// Gives inputs that are bytes these values in a model.
pub(super) fn put_values(store: &Store, model: &mut Assignment, bytes: &[Term], values: &[u8]) {
    for (&byte, &value) in bytes.iter().zip(values) {
        if let Some(variable) = store.as_variable(byte) {
            let value = term::Value::Bv(BitVec::from_u64(8, value.into()));
            model.set(variable, value);
        }
    }
}

/// A state of the candidates that have another value for a term than the first; they leave
/// this path.
pub(super) fn dissenters(
    machine: &mut Machine<'_>,
    state: &mut State,
    term: Term,
) -> Option<State> {
    let lazy = state.marks.get::<super::LazyObjects>()?;
    let following = lazy.following.as_ref().filter(|it| it.is_shared())?;
    let values = following.values(machine, term);
    let (agree, differ): (Vec<usize>, Vec<usize>) =
        (0..values.len()).partition(|&it| values[it] == values[0]);
    if differ.is_empty() {
        return None;
    }
    state.memory.settle();
    let mut other = state.clone();
    keep(&mut other, &differ);
    keep(state, &agree);
    Some(other)
}

/// Leaves the path these of its candidates alone.
fn keep(state: &mut State, kept: &[usize]) {
    let following = lazy_mut(state).following.as_mut();
    let following = following.expect("it has several candidates");
    let all = &following.candidates;
    let mut left: Vec<Candidate> = kept.iter().map(|&it| all[it].clone()).collect();
    let model = left[0].model.clone();
    if let [only] = &mut left[..] {
        only.model = Rc::default();
    }
    following.candidates = Rc::new(left);
    // A path that is gone again has the model that it had in the end.
    if !state.is_retracing() {
        state.model = model;
    }
}

impl Following {
    /// Whether several solutions take the path.
    pub fn is_shared(&self) -> bool {
        self.candidates.len() > 1
    }

    /// The lines of the solutions in their suite.
    fn lines(&self) -> impl Iterator<Item = usize> + '_ {
        self.candidates.iter().map(|it| it.solution.line)
    }

    /// What the candidates, of which there are several, have for a truth value or a word.
    fn values(&self, machine: &mut Machine<'_>, term: Term) -> Vec<u64> {
        let is_truth = machine.store.sort(term) == Sort::Bool;
        let candidates = self.candidates.iter();
        candidates
            .map(|candidate| {
                let mut evaluation = machine.mixed.under(&machine.store, &candidate.model);
                match is_truth {
                    true => evaluation.holds(term).into(),
                    false => evaluation.word(term),
                }
            })
            .collect()
    }

    /// Where the solutions, which agree about it, have a pointer of an object lead. One that
    /// they leave open is null.
    pub fn target(&self, object: usize, path: &str) -> Target {
        match self.candidates[0].goals(object, &[path])[0] {
            Goal::Null => Target::Null,
            Goal::Known(number, offset) => Target::Existing(number, offset),
            Goal::Unknown(_, _, offset) => Target::Followed(offset),
        }
    }

    /// The candidates that agree where these pointers of an object lead, those of the first
    /// one first.
    fn groups(&self, object: usize, paths: &[&str]) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Vec<Goal<'_>>, Vec<usize>)> = Vec::new();
        for (number, candidate) in self.candidates.iter().enumerate() {
            let goals = candidate.goals(object, paths);
            match groups.iter_mut().find(|(theirs, _)| *theirs == goals) {
                Some((_, members)) => members.push(number),
                None => groups.push((goals, vec![number])),
            }
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }
}

impl Candidate {
    /// The solution's object that one of the path's is.
    fn own(&self, object: usize) -> Option<&Object> {
        let mut counterparts = self.counterparts.iter();
        let own = counterparts.position(|&it| it == Some(object))?;
        self.solution.graph.objects.get(own)
    }

    fn place(&self, object: usize, path: &str) -> Option<(usize, u64)> {
        self.own(object)?.field(path).place()
    }

    fn goals(&self, object: usize, paths: &[&str]) -> Vec<Goal<'_>> {
        let places: Vec<_> = paths.iter().map(|path| self.place(object, path)).collect();
        let goal = |place: &Option<(usize, u64)>| {
            let Some((to, offset)) = *place else {
                return Goal::Null;
            };
            if let Some(number) = self.counterparts[to] {
                return Goal::Known(number, offset);
            }
            let is_same = |other: &Option<(usize, u64)>| other.is_some_and(|(it, _)| it == to);
            let first = places.iter().position(is_same).unwrap_or(0);
            Goal::Unknown(&self.solution.graph.objects[to].type_name, first, offset)
        };
        places.iter().map(goal).collect()
    }
}

impl Staged<'_> {
    /// The solutions of an argument, those together that a path can begin with.
    pub(super) fn companies(&self, argument: &StagedArgument) -> Vec<Company> {
        let mut companies: Vec<Company> = Vec::new();
        for solution in argument.solutions.iter().flatten() {
            let form = &solution.graph.objects[0].type_name;
            let is_closed = self.has_hidden_pointers(solution);
            let mut open = companies.iter_mut().filter(|it| !it.is_closed);
            match open.find(|it| !is_closed && it.form == *form) {
                Some(company) => company.solutions.push(solution.clone()),
                None => companies.push(Company {
                    form: form.clone(),
                    solutions: vec![solution.clone()],
                    is_closed,
                }),
            }
        }
        companies
    }

    /// Whether a solution has pointers in numbers. The objects they lead to are made when
    /// the number is, not when somebody looks, and so is a path for this solution alone.
    fn has_hidden_pointers(&self, solution: &Solution) -> bool {
        solution.graph.objects.iter().any(|object| {
            let has_places = object.fields.iter().any(|(_, it)| it.place().is_some());
            has_places && {
                let layout = self.layout(&object.type_name);
                let mut numbers = layout.slots.iter().filter(|slot| !slot.is_pointer());
                numbers.any(|slot| object.field(&slot.path).place().is_some())
            }
        })
    }

    /// Lets a path go on with those candidates that agree where these pointers of an object
    /// lead; the others look at them again.
    pub(super) fn agree(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        slots: &[usize],
    ) -> Result<(), Halt> {
        let lazy = objects(state);
        let own = &lazy.objects[object];
        let shared = lazy.following.as_ref();
        let Some(following) = shared.filter(|it| it.is_shared() && it.argument == own.argument)
        else {
            return Ok(());
        };
        let paths = slots.iter().map(|&slot| &*own.layout.slots[slot].path);
        let groups = following.groups(object, &paths.collect::<Vec<_>>());
        match groups.len() {
            1 => Ok(()),
            ways => machine.go_each_way(state, ways, |_, path, number| {
                keep(path, &groups[number]);
                Ok(())
            }),
        }
    }

    /// Lets every candidate go on alone; the others come to this instruction again.
    pub(super) fn part_company(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
    ) -> Result<(), Halt> {
        let following = objects(state).following.as_ref();
        let count = following.map_or(0, |it| it.candidates.len());
        if count < 2 {
            return Ok(());
        }
        machine.go_each_way(state, count, |_, path, number| {
            keep(path, &[number]);
            Ok(())
        })
    }

    /// Takes the values of an object's numbers from the solutions. A number that is made
    /// of an address gets that of the object it stands for, which is made now if need be.
    pub(super) fn adopt(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
    ) -> Result<(), Halt> {
        let layout = objects(state).objects[number].layout.clone();
        let bytes = objects(state).objects[number].bytes.clone();
        let is_shared = followed(state).is_shared();
        for at in 0..followed(state).candidates.len() {
            let candidates = followed(state).candidates.clone();
            let Some(object) = candidates[at].own(number) else {
                continue;
            };
            let mut values = vec![0u8; bytes.len()];
            for slot in &layout.slots {
                let field = object.field(&slot.path);
                if let Field::Function(name) = field
                    && let Some(id) = machine.program.function(name)
                {
                    let address = machine.function_address(id);
                    slot.put(&mut values, &Field::Number(address.into()));
                    continue;
                }
                match field.place() {
                    Some((to, offset)) if !slot.is_pointer() => {
                        let target = self.counterpart(machine, state, number, to)?;
                        let address = objects(state).address(target) + offset;
                        slot.put(&mut values, &Field::Number(address.into()));
                    }
                    _ => slot.put(&mut values, field),
                }
            }
            drop(candidates);
            if is_shared {
                let following = lazy_mut(state).following.as_mut().expect("it follows some");
                let candidate = &mut Rc::make_mut(&mut following.candidates)[at];
                put_values(
                    &machine.store,
                    Rc::make_mut(&mut candidate.model),
                    &bytes,
                    &values,
                );
            }
            if at == 0 && !state.is_retracing() {
                let model = Rc::make_mut(&mut state.model);
                put_values(&machine.store, model, &bytes, &values);
            }
        }
        Ok(())
    }

    /// The path's object for one of the solution that it follows alone, reached from `from`.
    fn counterpart(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        from: usize,
        wanted: usize,
    ) -> Result<usize, Halt> {
        let candidate = &followed(state).candidates[0];
        if let Some(number) = candidate.counterparts[wanted] {
            return Ok(number);
        }
        let layout = self.layout(&candidate.solution.graph.objects[wanted].type_name);
        let argument = objects(state).objects[from].argument;
        let number = self.lazy_object(machine, state, argument, layout)?;
        let following = lazy_mut(state).following.as_mut().expect("it follows one");
        Rc::make_mut(&mut following.candidates)[0].counterparts[wanted] = Some(number);
        self.fill_lazily(machine, state, number, true)?;
        Ok(number)
    }

    /// A new object of the path, to which the solutions have a pointer of `from` lead.
    pub(super) fn meet(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        from: usize,
        path: &str,
    ) -> Result<usize, Halt> {
        let candidate = &followed(state).candidates[0];
        let (to, _) = (candidate.place(from, path)).expect("it leads to an object");
        let layout = self.layout(&candidate.solution.graph.objects[to].type_name);
        let argument = objects(state).objects[from].argument;
        let number = self.lazy_object(machine, state, argument, layout)?;
        let following = lazy_mut(state).following.as_mut().expect("it follows some");
        for candidate in Rc::make_mut(&mut following.candidates) {
            if let Some((to, _)) = candidate.place(from, path) {
                candidate.counterparts[to] = Some(number);
            }
        }
        self.fill_lazily(machine, state, number, true)?;
        Ok(number)
    }

    /// Adds what has to hold for the solutions to be some; those for which it does not leave
    /// the path.
    pub(super) fn must_fit(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        condition: Term,
    ) -> Result<(), Halt> {
        let why = "is out of bounds";
        if machine.store.as_bool(condition) == Some(true) {
            return Ok(());
        }
        let following = followed(state).clone();
        if !following.is_shared() {
            if !machine.holds(state, condition) {
                return Err(self.misfit(machine, state, why));
            }
            machine.assume(state, condition);
            return Ok(());
        }
        let values = following.values(machine, condition);
        let fitting: Vec<usize> = (0..values.len()).filter(|&it| values[it] == 1).collect();
        if fitting.is_empty() {
            return Err(self.misfit(machine, state, why));
        }
        if fitting.len() < values.len() {
            let mut others = following.candidates.iter().zip(&values);
            let lines = others.by_ref().filter(|(_, fits)| **fits == 0);
            for (candidate, _) in lines {
                self.note_misfit(machine, state, candidate.solution.line, why);
            }
            keep(state, &fitting);
        }
        machine.assume(state, condition);
        Ok(())
    }

    /// Ends a path whose solutions are none, and says so.
    pub(super) fn misfit(&self, machine: &mut Machine<'_>, state: &State, why: &str) -> Halt {
        if let Some(following) = objects(state).following.clone() {
            for line in following.lines() {
                self.note_misfit(machine, state, line, why);
            }
        }
        Halt::End(End::Ignored)
    }

    fn note_misfit(&self, machine: &mut Machine<'_>, state: &State, line: usize, why: &str) {
        let suite = self.suite_of(followed(state).argument);
        if let Some(suite) = suite.filter(|_| !state.is_retracing()) {
            machine.note(left_out(&suite, line, why));
        }
    }
}
