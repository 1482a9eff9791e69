//! A panic of ours costs the path it happens on, and says where it was.

use machine::{End, ErrorKind, Incomplete, Machine, Options, Policy, State};
use mixed::Mixed;
use program::LoadOptions;
use solver::Solver;
use std::rc::Rc;

const PROGRAM: &str = r#"
    void klee_make_symbolic(void *, unsigned long, const char *);
    void abort(void);
    int main(void) {
        unsigned char c;
        klee_make_symbolic(&c, 1, "c");
        if (c > 200)
            return 1;
        if (c == 7)
            abort();
        return 3;
    }"#;

/// Panics where a path has decided for the second time, on one side.
struct Mistaken;

impl Policy for Mistaken {
    fn decided(&self, _machine: &Machine<'_>, state: &mut State, successor: u64) -> bool {
        assert!(
            state.progress.depth < 2 || successor != 0,
            "no path to {successor}"
        );
        true
    }
}

#[test]
fn a_panic_ends_its_path_with_an_input_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let file = folder.path().join("program.c");
    std::fs::write(&file, PROGRAM).expect("the program can be written");
    let program = program::load(&[file], &LoadOptions::default()).expect("it compiles");
    let entry = program.function("main").expect("it is there");
    let mixed = Mixed::from(Solver::default());
    let (mut machine, memory) =
        Machine::prepare(&program, mixed, Options::default(), Rc::new(Mistaken)).expect("it fits");
    let first = machine.start(memory, entry).expect("it starts");
    let (mut waiting, mut ends) = (vec![first], Vec::new());
    while let Some(state) = waiting.pop() {
        let turn = machine.run(state);
        waiting.extend(turn.successors.running);
        match turn.end {
            None => waiting.push(turn.state),
            Some(End::Error(ErrorKind::Internal, message)) => {
                assert!(
                    message.contains("internal error at crates/machine/tests"),
                    "{message}"
                );
                assert!(message.contains("no path to 0"), "{message}");
                // The model is that of the path, so that there is a test for it.
                let constraints = turn.state.path.constraints();
                let mut evaluation = machine.mixed.under(&machine.store, &turn.state.model);
                assert!(constraints.into_iter().all(|it| evaluation.holds(it)));
                ends.push("internal".to_owned());
            }
            Some(end) => ends.push(format!("{end:?}")),
        }
    }
    ends.sort();
    assert_eq!(ends, ["Exit(1)", "internal"]);
    let left_out: Vec<_> = machine.omissions().map(|(reason, ..)| reason).collect();
    assert!(
        matches!(&left_out[..], [Incomplete::Unsupported { what }] if what.contains("no path to 0")),
        "{left_out:?}"
    );
}
