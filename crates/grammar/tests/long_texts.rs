//! A long text in a grammar costs its length, not the square of it.

use base::Stop;
use grammar::{Normal, count, read};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What is allocated for all that is done with a grammar whose token has so many
/// characters: its bytes, their normal form, counting and drawing.
fn allocated(characters: usize) -> usize {
    let text = "ab".repeat(characters / 2);
    let grammar =
        format!("grammar g; start : T start | 'x' start | 'y' ; T : '{text}' ; WS : ' ' -> skip ;");
    let region = Region::new(ALLOCATOR);
    let grammar = read::antlr(&grammar).expect("it is well-formed");
    let cfg = grammar.bytes().expect("all tokens are defined");
    let normal = Normal::new(&cfg);
    let never = Stop::never();
    let sampler = count::Sampler::new(&normal, 0..=20, &never).expect("nobody stops it");
    assert!(sampler.is_some_and(|sampler| sampler.lengths().contains(&1)));
    let derivations = count::derivations(&cfg, 20, &never).expect("nobody stops it");
    assert!(derivations.is_some());
    region.change().bytes_allocated
}

#[test]
fn twice_as_long_a_text_takes_about_twice_the_memory() {
    let (short, long) = (allocated(5_000), allocated(10_000));
    assert!(long < 3 * short, "{short} bytes, then {long}");
}
