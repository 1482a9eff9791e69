//! Every instruction, operation and intrinsic is in some file.

use crate::{SUBJECTS, directory, load};
use program::{
    BinaryOp, CastOp, FloatKind, FloatOp, FloatPredicate, Inst, Intrinsic, Kind, Ordering,
    Predicate, Program, RmwOp,
};
use std::collections::BTreeSet;

/// Names of instructions. That the match is exhaustive keeps the list whole.
macro_rules! instructions {
    ($($name:ident)*) => {
        const INSTRUCTIONS: &[&str] = &[$(stringify!($name)),*];

        fn instruction(inst: &Inst) -> &'static str {
            match inst { $(Inst::$name { .. } => stringify!($name),)* }
        }
    };
}

instructions! {
    Binary Compare ComparePointers FloatBinary FloatNegate FloatCompare Cast
    Select Freeze PickElement PutElement Alloca AllocaArray Load Store Offset
    Index AtomicRmw CompareExchange Fence VaArg Call CallIndirect Intrinsic
    InlineAsm LandingPad Resume Jump Branch Switch IndirectJump Return
    Unreachable Unsupported
}

/// Names of what there is, each with the word for its kind before it.
fn names<T: Copy>(kind: &str, all: &[T], name: fn(T) -> &'static str) -> Vec<String> {
    all.iter()
        .map(|&one| format!("{kind} {}", name(one)))
        .collect()
}

/// Intrinsics for which LLVM has no code on x86-64 Linux.
const WITHOUT_REFEREE: [Intrinsic; 1] = [Intrinsic::SinCosPi];

fn everything() -> BTreeSet<String> {
    let instructions = INSTRUCTIONS
        .iter()
        // It is how the program says that a file has something not in this list.
        .filter(|&&name| name != "Unsupported")
        .map(|name| format!("instruction {name}"));
    let intrinsics: Vec<Intrinsic> = Intrinsic::ALL
        .iter()
        .copied()
        .filter(|intrinsic| !WITHOUT_REFEREE.contains(intrinsic))
        .collect();
    instructions
        .chain(names("binary", BinaryOp::ALL, BinaryOp::name))
        .chain(names("compare", Predicate::ALL, Predicate::name))
        .chain(names("compare pointers", Predicate::ALL, Predicate::name))
        .chain(names("float", FloatOp::ALL, FloatOp::name))
        .chain(names(
            "float compare",
            FloatPredicate::ALL,
            FloatPredicate::name,
        ))
        .chain(names("cast", CastOp::ALL, CastOp::name))
        .chain(names("atomic", RmwOp::ALL, RmwOp::name))
        .chain(names("ordering", Ordering::ALL, Ordering::name))
        .chain(names("intrinsic", &intrinsics, Intrinsic::name))
        .chain(FORMATS.iter().map(|&format| format_name(format)))
        .collect()
}

const FORMATS: [FloatKind; 6] = [
    FloatKind::Half,
    FloatKind::BFloat,
    FloatKind::Single,
    FloatKind::Double,
    FloatKind::X87,
    FloatKind::Quad,
];

fn format_name(format: FloatKind) -> String {
    format!("format {format:?}")
}

/// What the program's code has.
fn met(program: &Program, names: &mut BTreeSet<String>) {
    let bodies = program.functions.iter().filter_map(|f| f.body.as_ref());
    for body in bodies {
        names.extend(body.kinds.iter().filter_map(|kind| match kind {
            Kind::Float(format) => Some(format_name(*format)),
            Kind::Int(_) | Kind::Ptr => None,
        }));
        for inst in &body.code {
            names.insert(format!("instruction {}", instruction(inst)));
            names.extend(operation(inst));
        }
    }
}

fn operation(inst: &Inst) -> Vec<String> {
    match *inst {
        Inst::Binary { op, .. } => vec![format!("binary {op}")],
        Inst::Compare { predicate, .. } => vec![format!("compare {predicate}")],
        Inst::ComparePointers { predicate, .. } => vec![format!("compare pointers {predicate}")],
        Inst::FloatBinary { op, .. } => vec![format!("float {op}")],
        Inst::FloatCompare { predicate, .. } => vec![format!("float compare {predicate}")],
        Inst::Cast { op, .. } => vec![format!("cast {op}")],
        Inst::Load { access, .. } | Inst::Store { access, .. } => {
            vec![format!("ordering {}", access.ordering)]
        }
        Inst::AtomicRmw { op, ordering, .. } => {
            vec![format!("atomic {op}"), format!("ordering {ordering}")]
        }
        Inst::Fence { ordering } => vec![format!("ordering {ordering}")],
        Inst::Intrinsic { intrinsic, .. } => vec![format!("intrinsic {intrinsic}")],
        _ => Vec::new(),
    }
}

#[test]
fn every_instruction_and_intrinsic_is_in_some_file() {
    let mut names = BTreeSet::new();
    for subject in SUBJECTS {
        let program = load(subject);
        let foreign: Vec<&str> = program.unsupported().map(|(.., what)| what).collect();
        assert!(foreign.is_empty(), "{subject}: {foreign:?}");
        met(&program, &mut names);
    }
    let missing: Vec<String> = everything().difference(&names).cloned().collect();
    assert!(missing.is_empty(), "in no file: {}", missing.join(", "));
}

#[test]
fn every_file_is_a_test() {
    let files = std::fs::read_dir(directory()).expect("the directory is there");
    let mut found: Vec<String> = files
        .map(|file| file.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ll"))
        .map(|path| {
            path.file_stem()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    found.sort();
    let mut listed = SUBJECTS.to_vec();
    listed.sort();
    assert_eq!(found, listed);
}
