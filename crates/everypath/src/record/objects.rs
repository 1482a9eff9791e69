//! What an error means for the objects of a path: graphs before and after as text
//! and as pictures, and how to see the error again.

use super::Recorder;
use crate::error::Error;
use crate::finding::Diagnosis;
use crate::output::quoted;
use crate::unit_test::{self, ClassTest, Execution, UnitTest};
use base::OneLine;
use engine::PathEnd;
use engine::policy::staged::{Staged, object_graphs, shown_name};
use engine::report::input_types;
use machine::{End, InputKind, State};
use program::Program;
use serde::{Deserialize, Serialize};
use staged::ObjectGraph;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use suite::{Input, InputTypes, TestCase};

/// What a path that ended in an error was called with: made where the path is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Objects {
    /// The objects of each argument before, and now.
    before: Vec<ObjectGraph>,
    after: Vec<ObjectGraph>,
    /// All inputs, and those that are no objects.
    case: TestCase,
    scalars: TestCase,
    /// What inputs are in the source.
    types: InputTypes,
    /// The functions that inputs are the addresses of.
    functions: BTreeMap<u64, String>,
}

impl Objects {
    /// Those of a path.
    pub fn of(program: &Program, staged: &Staged<'_>, path: &mut PathEnd<'_, '_>) -> Objects {
        let case = path.case().clone();
        let (machine, state) = (&mut *path.machine, path.state);
        let before = object_graphs(machine, state);
        let after = (0..before.len()).map(|it| staged.after(machine, state, it).graph);
        let after = after.collect();
        let is_staged = staged.staging().makes_calls();
        let addresses = case.inputs.iter().filter_map(|input| {
            let bytes = <[u8; 8]>::try_from(&input.bytes[..]).ok()?;
            Some(u64::from_le_bytes(bytes))
        });
        let functions = addresses.filter_map(|address| {
            let id = machine.function_at(address)?;
            Some((address, shown_name(program, id).to_owned()))
        });
        Objects {
            before,
            after,
            scalars: TestCase::new(scalars(is_staged, state, &case)),
            functions: functions.collect(),
            types: input_types(machine),
            case,
        }
    }
}

impl Recorder<'_> {
    /// Says which inputs lead to an error and how to see it again: by the test,
    /// or by a program that makes the objects of the path.
    pub(super) fn describe(&mut self, objects: &Objects, error: &mut Diagnosis) {
        let graphs = &objects.before;
        let several = graphs.iter().filter(|it| !it.objects.is_empty()).count() > 1;
        for (number, graph) in graphs.iter().enumerate() {
            if several && !graph.objects.is_empty() {
                let _ = writeln!(error.inputs, "argument {number}:");
            }
            error.inputs += &graph.text();
        }
        error.inputs += &suite::render(&objects.scalars, &objects.types);
        if !graphs.is_empty() {
            self.draw_objects(objects, error);
        }
        if !self.is_staged() {
            return self.say_how_to_replay(error);
        }
        let sources = &self.wanted.sources;
        let execution = Execution {
            error: Some(error.finding.kind),
            effect: None,
            graphs,
            case: &objects.case,
            function_at: &|address| objects.functions.get(&address).cloned(),
        };
        let test = unit_test::write(self.program, sources, &self.staged, &execution);
        match test {
            Some(test) => self.write_unit_test(&test, error),
            None => {
                error.again += "\n  there are unit tests for programs of C and C++, and for single files of Rust"
            }
        }
    }

    /// Keeps the path as a test of its class, where such are wanted.
    pub(super) fn keep_class_test(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        let Some(most) = self.wanted.class_tests.filter(|_| self.is_staged()) else {
            return;
        };
        if self.class_tests.len() >= most {
            self.left_out += 1;
            return;
        }
        let case = &path.case().clone();
        let (machine, state) = (&mut *path.machine, path.state);
        let effect = match end {
            End::Error(..) => None,
            _ => Some(self.staged.effect(machine, state)),
        };
        let graphs = object_graphs(machine, state);
        let function_at = |address| {
            let id = machine.function_at(address)?;
            Some(shown_name(self.program, id).to_owned())
        };
        let execution = Execution {
            error: match end {
                End::Error(kind, _) => Some(*kind),
                _ => None,
            },
            effect: effect.as_ref(),
            graphs: &graphs,
            case,
            function_at: &function_at,
        };
        let method = self.staged.staging().method;
        let method = method.map_or("", |id| shown_name(self.program, id));
        let name = format!("{method}_{}", self.class_tests.len() + 1);
        let sources = &self.wanted.sources;
        let made = ClassTest::new(self.program, sources, &self.staged, &execution, &name);
        match made {
            Some(test) => self.class_tests.push(test),
            None => self.left_out += 1,
        }
    }

    /// The tests of the class, and how many paths have none.
    pub fn take_class_tests(&mut self) -> (Vec<ClassTest>, u64) {
        (std::mem::take(&mut self.class_tests), self.left_out)
    }

    /// Says how to see an error again by its test.
    pub(super) fn say_how_to_replay(&self, error: &mut Diagnosis) {
        let test = self.directory.path().join(&error.finding.test);
        error.again += &format!("\n  replay: everypath replay {} --native", quoted(&test));
    }

    fn write_unit_test(&mut self, test: &UnitTest, error: &mut Diagnosis) {
        let file = format!("{}.{}", error.finding.test, test.extension);
        self.write_beside(&file, &test.text);
        let directory = self.directory.path().to_owned();
        for (path, text) in test.runtime(&directory) {
            self.write_runtime(&path, text);
        }
        let command = test.command(&directory.join(file));
        error.again += &format!("\n  unit test: {command} && ./a.out");
    }

    /// Writes a file that unit tests are compiled with, once.
    fn write_runtime(&mut self, path: &Path, text: &str) {
        if path.exists() {
            return;
        }
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(error) = folder.and_then(|()| base::files::write_whole(path, text.as_bytes())) {
            self.fail(Error::writing(path)(error));
        }
    }

    /// Shows what objects were before and are now, as text and as pictures beside
    /// the test.
    fn draw_objects(&mut self, objects: &Objects, error: &mut Diagnosis) {
        let mut drawn = Vec::new();
        let met = objects.before.iter().zip(&objects.after).enumerate();
        for (number, (graph, after)) in met.filter(|(_, (graph, _))| !graph.objects.is_empty()) {
            let which = match objects.before.len() {
                1 => String::new(),
                _ => format!("argument {number} "),
            };
            let _ = write!(error.inputs, "\n{which}afterwards:\n{}", after.text());
            drawn.push(graph.drawn(&format!("{which}before")));
            drawn.push(after.drawn(&format!("{which}after")));
        }
        let dot = draw::dot("objects", &drawn);
        self.write_beside(&format!("{}.dot", error.finding.test), &dot);
        let picture = format!("{}.svg", error.finding.test);
        self.write_beside(&picture, &draw::svg(&drawn));
        let picture = self.directory.path().join(picture);
        error.again += &format!("\n  drawn: {}", picture.one_line());
    }
}

/// The inputs of a test that are not objects.
fn scalars(is_staged: bool, state: &State, case: &TestCase) -> Vec<Input> {
    let kinds = state.inputs.all().into_iter().map(|input| input.kind);
    let kinds = kinds.filter(|kind| *kind != InputKind::Part);
    // Behind them stand the streams that a policy gave whole.
    let kinds = kinds.chain(std::iter::repeat(InputKind::Bytes));
    let inputs = case.inputs.iter().zip(kinds);
    let inputs = inputs.filter(|(input, kind)| match is_staged {
        true => !input.name.contains('#'),
        false => !matches!(kind, InputKind::Objects(_)),
    });
    inputs.map(|(input, _)| input.clone()).collect()
}
