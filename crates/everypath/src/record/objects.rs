//! What an error means for the objects of a path: graphs before and after as text
//! and as pictures, and how to see the error again.

use super::Recorder;
use crate::error::Error;
use crate::finding::Diagnosis;
use crate::unit_test::{self, UnitTest, Violation};
use engine::PathEnd;
use engine::policy::staged::{object_graphs, shown_name};
use machine::{InputKind, Machine, State};
use std::fmt::Write;
use std::path::Path;
use suite::{Input, TestCase};

impl Recorder<'_> {
    /// Says which inputs lead to an error and how to see it again: by the test,
    /// or by a program that makes the objects of the path.
    pub(super) fn describe(&mut self, path: &mut PathEnd<'_, '_>, error: &mut Diagnosis) {
        let case = &path.case().clone();
        let (machine, state) = (&mut *path.machine, path.state);
        let graphs = object_graphs(machine, state);
        let scalars = TestCase::new(scalars(self.is_staged(), state, case));
        let several = graphs.iter().filter(|it| !it.objects.is_empty()).count() > 1;
        for (number, graph) in graphs.iter().enumerate() {
            if several && !graph.objects.is_empty() {
                let _ = writeln!(error.inputs, "argument {number}:");
            }
            error.inputs += &graph.text();
        }
        error.inputs += &suite::render(&scalars, &engine::report::input_types(machine));
        if !graphs.is_empty() {
            self.draw_objects(machine, state, &graphs, error);
        }
        if !self.is_staged() {
            return self.say_how_to_replay(error);
        }
        let sources = &self.wanted.sources;
        let function_at = |address| {
            let id = machine.function_at(address)?;
            Some(shown_name(self.program, id).to_owned())
        };
        let violation = Violation {
            kind: error.finding.kind,
            graphs: &graphs,
            case,
            function_at: &function_at,
        };
        let test = unit_test::write(self.program, sources, &self.staged, &violation);
        match test {
            Some(test) => self.write_unit_test(&test, error),
            None => {
                error.again += "\n  there are unit tests for programs of C and C++, and for single files of Rust"
            }
        }
    }

    /// Says how to see an error again by its test.
    pub(super) fn say_how_to_replay(&self, error: &mut Diagnosis) {
        let test = self.directory.path().join(&error.finding.test);
        error.again += &format!("\n  replay: everypath replay {} --native", test.display());
    }

    fn write_unit_test(&mut self, test: &UnitTest, error: &mut Diagnosis) {
        let file = format!("{}.{}", error.finding.test, test.extension);
        self.write_beside(&file, &test.text);
        let directory = self.directory.path().to_owned();
        if test.needs_runtime {
            let include = directory.join("include");
            for (name, text) in machine::runtime::HEADERS {
                self.write_runtime(&include.join(name), text);
            }
            self.write_runtime(&directory.join("replay.c"), machine::runtime::REPLAY);
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
    fn draw_objects(
        &mut self,
        machine: &mut Machine<'_>,
        state: &State,
        graphs: &[staged::ObjectGraph],
        error: &mut Diagnosis,
    ) {
        let mut drawn = Vec::new();
        let met = graphs.iter().enumerate();
        for (number, graph) in met.filter(|(_, graph)| !graph.objects.is_empty()) {
            let after = self.staged.object_graph_after(machine, state, number);
            let which = match graphs.len() {
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
        error.again += &format!("\n  drawn: {}", picture.display());
    }
}

/// The inputs of a test that are not objects.
fn scalars(is_staged: bool, state: &State, case: &TestCase) -> Vec<Input> {
    let kinds = state.inputs.all().into_iter().map(|input| input.kind);
    let kinds = kinds.filter(|kind| *kind != InputKind::Part);
    let inputs = case.inputs.iter().zip(kinds);
    let inputs = inputs.filter(|(input, kind)| match is_staged {
        true => !input.name.contains('#'),
        false => !matches!(kind, InputKind::Objects(_)),
    });
    inputs.map(|(input, _)| input.clone()).collect()
}
