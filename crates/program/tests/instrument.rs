//! Instrumented code has the blocks and branches of the program, by number.

use program::{
    BlockId, CompileOptions, Instrumented, LoadOptions, OptLevel, PointLocation, instrument,
};
use std::collections::BTreeSet;
use std::path::Path;

const PROGRAM: &str = r"
static int classify(int x) {
    switch (x) {
    case 1: case 2: return 10;
    case 3: return 11;
    case 9: break;
    default: return x > 100 && x < 200 ? 12 : 13;
    }
    return 14;
}
int main(int count, char **arguments) {
    int total = 0;
    for (int i = 0; i < count; i++)
        total += classify(i);
    return total;
}
";

fn instrumented(directory: &Path, level: OptLevel, entry: &str) -> Instrumented {
    let file = directory.join("program.c");
    std::fs::write(&file, PROGRAM).expect("the directory is writable");
    let options = LoadOptions {
        compile: CompileOptions {
            opt_level: level,
            ..CompileOptions::default()
        },
        promote: true,
        ..LoadOptions::default()
    };
    let made = instrument(
        &[file],
        &options,
        entry,
        &|_| false,
        &directory.join("out.bc"),
    );
    made.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_block_and_every_way_out_of_a_branch_has_a_point() {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    for level in [OptLevel::None, OptLevel::Default] {
        let made = instrumented(directory.path(), level, "main");
        let mut expected = BTreeSet::new();
        for function in &made.program.functions {
            let Some(body) = &function.body else {
                continue;
            };
            for block in 0..body.blocks.len() {
                expected.insert((&function.name, block, None));
            }
            for branch in &body.branches {
                let from = body.block_of(branch.pc).index();
                for &edge in &branch.edges {
                    expected.insert((&function.name, from, Some(body.edge(edge).target)));
                }
            }
        }
        let found: BTreeSet<(&String, usize, Option<BlockId>)> = made
            .points
            .iter()
            .map(|point| match point.location {
                PointLocation::Block(block) => (&point.function, block.index(), None),
                PointLocation::Edge { from, to } => (&point.function, from.index(), Some(to)),
            })
            .collect();
        assert_eq!(found, expected);
        assert_eq!(found.len(), made.points.len());
    }
}

#[test]
fn an_entry_function_is_published_and_main_steps_aside() {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    instrumented(directory.path(), OptLevel::None, "classify");
    let bitcode = directory.path().join("out.bc");
    let native = program::load(&[bitcode], &LoadOptions::default());
    let native = native.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        native.function(program::ENTRY_NAME),
        native.function("classify")
    );
    assert_eq!(native.function("main"), None);
    assert!(native.global("__everypath_coverage").is_some());
    assert!(native.global("__everypath_coverage_size").is_some());
}

#[test]
fn a_place_that_cannot_be_written_gets_a_message() {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, PROGRAM).expect("the directory is writable");
    let out = directory.path().join("nowhere/out.bc");
    let error = instrument(&[file], &LoadOptions::default(), "main", &|_| false, &out)
        .expect_err("there is no such directory");
    assert_eq!(error.to_string(), format!("cannot write {}", out.display()));
}
