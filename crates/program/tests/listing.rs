//! LLVM text in, listing out: `ll/NAME.ll` becomes `ll/NAME.expected`.
//! `BLESS=1 cargo test -p program --test listing` renews the expectations.

mod support;

use program::LoadOptions;
use support::{check, loaded, path};

macro_rules! listings {
    ($($sentence:ident: $name:literal,)*) => {
        $(#[test]
        fn $sentence() {
            let program = loaded(concat!("ll/", $name, ".ll"), &LoadOptions::default());
            check(&program.to_string(), &path(concat!("ll/", $name, ".expected")));
        })*

        const NAMES: &[&str] = &[$($name),*];
    };
}

listings! {
    integer_operations_keep_width_and_promises: "arithmetic",
    comparisons_yield_one_bit: "compare",
    conversions_name_both_kinds: "cast",
    floating_point_constants_keep_their_bits: "float",
    whole_values_are_read_and_written_part_by_part: "memory",
    constant_steps_of_an_address_are_one_offset: "address",
    vectors_are_taken_apart: "vector",
    parts_of_structs_are_renamed: "aggregate",
    phis_become_ordered_copies_on_edges: "control",
    calls_say_how_arguments_are_passed: "call",
    exceptions_leave_calls_by_a_table: "exception",
    atomic_accesses_keep_their_order: "atomic",
    constant_expressions_fold_or_run_at_entry: "constants",
    globals_are_bytes_and_relocations: "globals",
    intrinsics_are_recognised_by_name: "intrinsics",
    floating_point_intrinsics_are_recognised_by_name: "float_intrinsics",
    vector_intrinsics_need_no_branches: "vector_intrinsics",
    empty_assembly_is_renaming: "asm",
    annotations_are_kept: "annotation",
    what_has_no_representation_is_named: "unsupported",
}

#[test]
fn every_text_has_a_test() {
    let files = std::fs::read_dir(path("ll")).expect("the texts are there");
    let mut names: Vec<String> = files
        .map(|file| file.expect("the directory can be read").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "ll"))
        .map(|file| {
            file.file_stem()
                .expect("files have names")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let mut tested: Vec<&str> = NAMES.to_vec();
    tested.sort_unstable();
    assert_eq!(names, tested);
}

#[test]
fn the_same_input_gives_the_same_listing() {
    let listing = || loaded("ll/control.ll", &LoadOptions::default()).to_string();
    assert_eq!(listing(), listing());
}
