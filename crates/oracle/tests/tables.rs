//! Tables: pairs kept and never computed twice, and files a person can edit.

mod common;

use common::{I32, double, int, signature};
use num_bigint::BigInt;
use num_rational::BigRational;
use oracle::{
    Failure, FunctionTable, Implementation, InsertError, Oracle, Signature, TableError, Type,
};
use proptest::prelude::*;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use term::{BitVec, FpFormat, Value, fp};

fn table(signature: Signature, pairs: &[(&[Value], Value)]) -> FunctionTable {
    let mut table = FunctionTable::new(signature).expect("it has values alone");
    for (arguments, result) in pairs {
        assert_eq!(table.insert(arguments.to_vec(), result.clone()), Ok(()));
    }
    table
}

#[test]
fn a_file_reads_as_a_person_would_write_it() {
    let hash = Signature::new("hash", &[("x", I32), ("scale", Type::DOUBLE)], Type::DOUBLE);
    let table = table(
        hash,
        &[
            (&[int(3), double(0.5)], double(1.5)),
            (&[int(-7), double(f64::INFINITY)], double(f64::NAN)),
            (&[int(0), double(-0.0)], double(1e300)),
            (&[int(0), double(0.1)], double(f64::NEG_INFINITY)),
        ],
    );
    let text = "\
x,scale,result
i32,double,double
3,0.5,1.5
-7,inf,nan
0,-0.0,1e300
0,0.1,-inf
";
    assert_eq!(table.to_csv(), text);
    assert_eq!(FunctionTable::read("hash", text.as_bytes()), Ok(table));
}

#[test]
fn tables_hold_the_sorts_of_models_too() {
    let parameters = [
        ("n", Type::Int),
        ("r", Type::Real),
        ("s", Type::String),
        ("b", Type::Bool),
    ];
    let price = Signature::new("price", &parameters, Type::Unsigned(8));
    let big = BigInt::from(10).pow(30);
    let third = BigRational::new(BigInt::from(-1), BigInt::from(3));
    let text: Vec<u32> = "a,\"b\"\n\\é"
        .chars()
        .map(u32::from)
        .chain([0xd800])
        .collect();
    let arguments = [
        Value::Int(big),
        Value::Real(third),
        Value::Str(text.into()),
        Value::Bool(true),
    ];
    let table = table(price, &[(&arguments, Value::Bv(BitVec::from_u64(8, 200)))]);
    let text = "\
n,r,s,b,result
Int,Real,String,Bool,u8
1000000000000000000000000000000,-1/3,\"a,\"\"b\"\"\\u{a}\\u{5c}é\\u{d800}\",true,200
";
    assert_eq!(table.to_csv(), text);
    assert_eq!(FunctionTable::read("price", text.as_bytes()), Ok(table));
}

#[test]
fn spaces_blank_lines_carriage_returns_and_a_mark_do_no_harm() {
    let text = "\u{feff}x , result\r\n i32 ,i32\r\n\r\n 1 , 0x10\r\n1,16\r\n";
    let x = Signature::new("f", &[("x", I32)], I32);
    let expected = table(x, &[(&[int(1)], int(16))]);
    assert_eq!(FunctionTable::read("f", text.as_bytes()), Ok(expected));
}

fn kinds() -> impl Strategy<Value = Type> {
    prop_oneof![
        Just(Type::Bool),
        (1u16..200).prop_map(Type::Signed),
        (1u16..200).prop_map(Type::Unsigned),
        prop_oneof![
            Just(FpFormat::HALF),
            Just(FpFormat::SINGLE),
            Just(FpFormat::DOUBLE),
            Just(FpFormat::X87),
            Just(FpFormat::QUAD)
        ]
        .prop_map(Type::Float),
        Just(Type::Int),
        Just(Type::Real),
        Just(Type::String),
    ]
}

fn values(kind: Type) -> BoxedStrategy<Value> {
    let big = || prop_oneof![any::<i128>(), (-9i128..9)].prop_map(BigInt::from);
    match kind {
        Type::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::Signed(width) | Type::Unsigned(width) => (big(), big())
            .prop_map(move |(a, b)| Value::Bv(BitVec::from_int(width, &(a * b))))
            .boxed(),
        Type::Float(format) => {
            let specials = prop_oneof![
                Just(fp::nan(format)),
                Just(fp::infinity(format, true)),
                Just(fp::zero(format, true)),
                Just(1)
            ];
            prop_oneof![3 => any::<u128>(), 1 => specials]
                .prop_map(move |bits| Value::Fp(format, fp::canonical(format, bits)))
                .boxed()
        }
        Type::Int => big().prop_map(Value::Int).boxed(),
        Type::Real => (big(), 1i64..1_000_000)
            .prop_map(|(n, d)| Value::Real(BigRational::new(n, BigInt::from(d))))
            .boxed(),
        Type::String => prop::collection::vec(prop_oneof![0u32..0x30000, 0u32..128], 0..12)
            .prop_map(|codes| Value::Str(codes.into()))
            .boxed(),
        Type::Void | Type::Pointer(_) => unreachable!("no such kind is drawn"),
    }
}

fn tables() -> impl Strategy<Value = FunctionTable> {
    (prop::collection::vec(kinds(), 0..4), kinds())
        .prop_flat_map(|(parameters, result)| {
            let arguments: Vec<_> = parameters.iter().map(|&kind| values(kind)).collect();
            let pairs = prop::collection::vec((arguments, values(result)), 0..8);
            (Just(signature("f", &parameters, result)), pairs)
        })
        .prop_map(|(signature, pairs)| {
            let mut table = FunctionTable::new(signature).expect("it has values alone");
            for (arguments, result) in pairs {
                if table.get(&arguments).is_none() {
                    assert_eq!(table.insert(arguments, result), Ok(()));
                }
            }
            table
        })
}

proptest! {
    #[test]
    fn every_table_is_read_back_as_it_was_written(table in tables()) {
        let text = table.to_csv();
        prop_assert_eq!(text.lines().count(), table.len() + 2);
        let back = FunctionTable::read("f", text.as_bytes());
        prop_assert_eq!(back.as_ref().map(FunctionTable::to_csv), Ok(text));
        prop_assert_eq!(back, Ok(table));
    }

    #[test]
    fn any_bytes_at_all_are_a_table_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = FunctionTable::read("f", &bytes);
    }

    #[test]
    fn any_text_like_a_table_is_one_or_an_error(text in "[a-z,\"\n]{0,9}\n(i32|Int|Real|double|String|,|\"){0,5}\n[0-9a-fx.,/\\\\u{}e\"\n-]{0,40}") {
        let _ = FunctionTable::read("f", text.as_bytes());
    }
}

#[test]
fn every_half_is_read_back_from_its_cell() {
    let half = Type::Float(FpFormat::HALF);
    let mut table = FunctionTable::new(signature("f", &[half], half)).expect("it has values");
    for bits in 0..=0xffff {
        let value = Value::Fp(FpFormat::HALF, fp::canonical(FpFormat::HALF, bits));
        assert_eq!(table.insert(vec![value.clone()], value), Ok(()));
    }
    let back = FunctionTable::read("f", table.to_csv().as_bytes());
    assert!(back == Ok(table));
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let file = folder.path().join("f.csv");
    let check = |content: &[u8], expected: &str| {
        std::fs::write(&file, content).expect("the folder is ours");
        let error = FunctionTable::load("f", &file).expect_err("it is wrong");
        let text = error.to_string();
        let place = format!("{}:", file.display());
        assert_eq!(text.strip_prefix(&place), Some(expected));
    };
    let header = "a table begins with two rows: the names of the parameters and `result`, \
                  then their types";
    check(b"", &format!("1: {header}"));
    check(b"x,result\n", &format!("1: {header}"));
    check(b"x,result\ni32\n", "2: expected 2 cells, found 1");
    check(
        b"x,result\nint,i32\n",
        "2: column 1 (x): `int` is not a type: use i8, i16, i32, i64 or u8, u16, u32, u64 for \
         machine integers, float, double, Bool, Int, Real or String",
    );
    let f = |rows: &str| format!("x,y,result\ni32,double,u8\n{rows}").into_bytes();
    check(&f("1,2,3\n1,2\n"), "4: expected 3 cells, found 2");
    check(&f("1,2,3,4\n"), "3: expected 3 cells, found 4");
    check(&f("one,2,3\n"), "3: column 1 (x): `one` is not an integer");
    check(
        &f("1,two,3\n"),
        "3: column 2 (y): `two` is not a number of type double",
    );
    check(&f("1,2,300\n"), "3: column 3 (result): 300 does not fit u8");
    check(
        &f("\n\n1,2,-3\n"),
        "5: column 3 (result): -3 does not fit u8",
    );
    check(
        &f("1,2,3\n5,5,5\n1,2.0,4\n"),
        "5: contradicts line 3: f(1, 2.0) cannot be both 3 and 4",
    );
    check(
        b"x,result\ni32,i32\n1,\xff\n",
        "3: the line is not UTF-8 text",
    );
    let missing = FunctionTable::load("f", Path::new("/no/such/table.csv"));
    assert_eq!(
        missing.expect_err("there is none").to_string(),
        "/no/such/table.csv: No such file or directory (os error 2)"
    );
}

#[test]
fn a_pair_that_does_not_belong_is_refused() {
    let mut table = table(signature("f", &[I32], I32), &[(&[int(1)], int(2))]);
    assert_eq!(table.insert(vec![int(1)], int(2)), Ok(()));
    assert_eq!(table.len(), 1);
    let contradiction = table.insert(vec![int(1)], int(-3));
    assert_eq!(
        contradiction,
        Err(InsertError::Contradiction {
            call: "f(1)".into(),
            known: "2".into(),
            new: "-3".into(),
        })
    );
    for (arguments, result) in [
        (vec![], int(1)),
        (vec![int(1), int(2)], int(1)),
        (vec![double(1.0)], int(1)),
        (vec![int(1)], double(1.0)),
    ] {
        let signature = "i32 f(i32 a)".to_owned();
        assert_eq!(
            table.insert(arguments, result),
            Err(InsertError::Sorts { signature })
        );
    }
    assert_eq!(table.len(), 1);
}

#[test]
fn tables_go_to_a_folder_and_come_back() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let tables = folder.path().join("made/when/needed");
    let calls = Rc::new(RefCell::new(Vec::new()));
    let square = |calls: &Rc<RefCell<Vec<Value>>>| {
        let calls = Rc::clone(calls);
        let run = move |arguments: &[Value]| match &arguments[0] {
            Value::Bv(x) => {
                calls.borrow_mut().push(arguments[0].clone());
                Ok(Value::Bv(x.mul(x)))
            }
            _ => Err("it takes integers".to_owned()),
        };
        Implementation::custom(run)
    };
    let mut first = Oracle::new();
    let f = signature("square", &[I32], I32);
    assert_eq!(first.declare(f.clone(), square(&calls)), Ok(()));
    for x in [3, -4, 3] {
        assert_eq!(first.call("square", &[int(x)]), Ok(int(x * x)));
    }
    assert_eq!(first.save_tables(&tables), Ok(()));
    assert_eq!(first.save_tables(&tables), Ok(()), "over the old ones");
    let names: Vec<_> = std::fs::read_dir(&tables)
        .expect("it was made")
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    assert_eq!(names, ["square.csv"], "nothing is left beside");
    let file = tables.join("square.csv");
    let content = std::fs::read_to_string(&file).expect("it was saved");
    assert_eq!(content, "a,result\ni32,i32\n3,9\n-4,16\n");

    std::fs::write(&file, format!("{content}5,1000\n")).expect("a person edits it");
    let mut second = Oracle::new();
    assert_eq!(second.load_tables(&tables), Ok(()));
    assert_eq!(
        second.undeclared().map(|s| &s.name[..]).collect::<Vec<_>>(),
        ["square"]
    );
    assert_eq!(second.declare(f.clone(), square(&calls)), Ok(()));
    assert_eq!(second.undeclared().count(), 0);
    for (x, result) in [(3, 9), (-4, 16), (5, 1000), (6, 36)] {
        assert_eq!(second.call("square", &[int(x)]), Ok(int(result)));
    }
    assert_eq!(*calls.borrow(), [int(3), int(-4), int(6)]);

    let mut third = Oracle::new();
    assert_eq!(third.declare(f, square(&calls)), Ok(()));
    assert_eq!(third.call("square", &[int(5)]), Ok(int(25)));
    assert_eq!(
        third
            .load_tables(&tables)
            .expect_err("they contradict")
            .to_string(),
        format!("{}: square(5) cannot be both 25 and 1000", file.display())
    );
}

#[test]
fn a_table_alone_answers_what_it_knows() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let file = folder.path().join("f.csv");
    std::fs::write(&file, "x,result\ni32,i32\n1,10\n").expect("the folder is ours");
    let mut oracle = Oracle::new();
    assert_eq!(oracle.load_table(&file), Ok(()));
    let other = oracle.declare(signature("f", &[Type::DOUBLE], I32), Implementation::Table);
    assert_eq!(
        other.expect_err("the types differ").to_string(),
        format!(
            "{}: the table is about `i32 f(i32 x)`, the function is `i32 f(double a)`",
            file.display()
        )
    );
    let declared = oracle.declare(signature("f", &[I32], I32), Implementation::Table);
    assert_eq!(declared, Ok(()));
    assert_eq!(oracle.call("f", &[int(1)]), Ok(int(10)));
    assert_eq!(
        oracle
            .call("f", &[int(2)])
            .expect_err("it is not there")
            .to_string(),
        "the table has no result for f(2), and there is no other way to run the function"
    );
    let again = oracle.declare(signature("f", &[Type::DOUBLE], I32), Implementation::Table);
    assert_eq!(
        again.expect_err("the types differ").to_string(),
        "an external function has two declarations: `i32 f(i32 a)` and `i32 f(double a)`"
    );
}

#[test]
fn a_refusal_is_remembered_and_a_wrong_result_refused() {
    let mut oracle = Oracle::new();
    let asked = Rc::new(RefCell::new(0));
    let count = Rc::clone(&asked);
    let run = move |_: &[Value]| {
        *count.borrow_mut() += 1;
        Err("the model's command failed".to_owned())
    };
    let custom = Implementation::custom(run);
    assert_eq!(
        oracle.declare(signature("f", &[Type::String], I32), custom),
        Ok(())
    );
    let text = Value::Str("hi".chars().map(u32::from).collect());
    for _ in 0..2 {
        let failure = oracle.call("f", std::slice::from_ref(&text));
        assert_eq!(
            failure.expect_err("it refuses").to_string(),
            "f(\"hi\"): the model's command failed"
        );
    }
    assert_eq!(*asked.borrow(), 1);
    let wrong = Implementation::custom(|_: &[Value]| Ok(Value::Bool(true)));
    assert_eq!(oracle.declare(signature("g", &[], I32), wrong), Ok(()));
    assert_eq!(
        oracle.call("g", &[]),
        Err(Failure::Refused {
            call: "g()".into(),
            reason: "its result is not of the type i32".into(),
        })
    );
}

#[test]
fn a_name_that_no_file_can_have_is_said() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let mut oracle = Oracle::new();
    let one = Implementation::custom(|_: &[Value]| Ok(int(1)));
    assert_eq!(oracle.declare(signature("a/b", &[], I32), one), Ok(()));
    assert_eq!(oracle.call("a/b", &[]), Ok(int(1)));
    let error = oracle.save_tables(folder.path());
    let function = "a/b".to_owned();
    assert_eq!(error, Err(TableError::Name { function }));
}
