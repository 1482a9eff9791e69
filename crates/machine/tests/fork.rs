//! What a fork costs: a few pointers, whatever the program owns.

use machine::{Machine, Options};
use program::LoadOptions;
use solver::Solver;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// 64 MiB, every page of them written to, in a stack of calls.
const PROGRAM: &str = r#"
    void *malloc(unsigned long);
    void klee_make_symbolic(void *, unsigned long, const char *);
    enum { SIZE = 64 << 20 };
    static int inner(char *block, int depth) {
        if (depth > 0)
            return inner(block, depth - 1);
        char c;
        klee_make_symbolic(&c, 1, "c");
        if (c == 'x')
            return block[SIZE - 1];
        return 0;
    }
    int main(void) {
        char *block = malloc(SIZE);
        for (long i = 0; i < SIZE; i += 4096)
            block[i] = 1;
        return inner(block, 20);
    }"#;

#[test]
fn forking_a_state_that_owns_64_mib_allocates_less_than_4_kib() {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let file = folder.path().join("program.c");
    std::fs::write(&file, PROGRAM).expect("the program can be written");
    let program = program::load(&[file], &LoadOptions::default()).expect("it compiles");
    let entry = program.function("main").expect("it is there");
    let (mut machine, mut state) =
        Machine::new(&program, entry, Solver::default(), Options::default()).expect("it fits");
    let forked = loop {
        let mut turn = machine.run(state);
        assert_eq!(turn.end, None, "it forks before it ends");
        if let Some(forked) = turn.successors.running.pop() {
            break forked;
        }
        state = turn.state;
    };
    let region = Region::new(ALLOCATOR);
    let copy = forked.clone();
    let allocated = region.change().bytes_allocated;
    assert!(allocated < 4096, "{allocated} bytes");
    drop(copy);
}
