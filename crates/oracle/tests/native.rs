//! Native functions of every type that can be passed, against what C and the
//! hardware compute.

mod common;

use common::{I32, bits, declare, double, float, int, oracle, oracle_with, signature};
use num_bigint::BigInt;
use num_rational::BigRational;
use oracle::{
    Argument, Failure, Implementation, Outcome, Pointee, Signature, Type, known_names,
    known_signature,
};
use term::{FpFormat, Value, fp};

const EDGES: [i64; 17] = [
    0,
    1,
    -1,
    2,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    i64::MAX,
    i64::MIN,
    -129,
];

#[test]
fn integers_of_every_width_are_extended_and_cut_as_in_c() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    let i64_type = Type::Signed(64);
    macro_rules! check {
        ($kind:expr, $name:literal, $native:ty, $width:literal) => {
            let name = |prefix: &str| format!("{prefix}_{}", $name);
            declare(&mut oracle, &name("next"), &[$kind], $kind);
            declare(&mut oracle, &name("widen"), &[$kind], i64_type);
            declare(&mut oracle, &name("narrow"), &[i64_type], $kind);
            for edge in EDGES {
                let value = edge as $native;
                let argument = [bits($width, value as i64)];
                let next = bits($width, value.wrapping_add(1) as i64);
                assert_eq!(oracle.call(&name("next"), &argument), Ok(next));
                let wide = bits(64, value as i64);
                assert_eq!(oracle.call(&name("widen"), &argument), Ok(wide));
                let narrow = bits($width, value as i64);
                assert_eq!(oracle.call(&name("narrow"), &[bits(64, edge)]), Ok(narrow));
            }
        };
    }
    check!(Type::Signed(8), "i8", i8, 8);
    check!(Type::Unsigned(8), "u8", u8, 8);
    check!(Type::Signed(16), "i16", i16, 16);
    check!(Type::Unsigned(16), "u16", u16, 16);
    check!(Type::Signed(32), "i32", i32, 32);
    check!(Type::Unsigned(32), "u32", u32, 32);
    check!(Type::Signed(64), "i64", i64, 64);
    check!(Type::Unsigned(64), "u64", u64, 64);
}

#[test]
fn truth_values_are_c_bools() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    declare(&mut oracle, "negate", &[Type::Bool], Type::Bool);
    declare(&mut oracle, "is_negative", &[I32], Type::Bool);
    declare(&mut oracle, "from_bool", &[Type::Bool], I32);
    for truth in [false, true] {
        let argument = [Value::Bool(truth)];
        assert_eq!(oracle.call("negate", &argument), Ok(Value::Bool(!truth)));
        let number = int(if truth { 7 } else { -7 });
        assert_eq!(oracle.call("from_bool", &argument), Ok(number));
        let sign = oracle.call("is_negative", &[int(if truth { -5 } else { 5 })]);
        assert_eq!(sign, Ok(Value::Bool(truth)));
    }
}

#[test]
fn a_bool_may_be_given_as_a_byte() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    let byte = Type::Unsigned(8);
    declare(&mut oracle, "negate", &[byte], byte);
    assert_eq!(oracle.call("negate", &[bits(8, 0)]), Ok(bits(8, 1)));
    assert_eq!(oracle.call("negate", &[bits(8, 1)]), Ok(bits(8, 0)));
}

const DOUBLES: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.25,
    2.0,
    -2.5,
    1e10,
    1e300,
    5e-324,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

#[test]
fn floats_pass_without_loss() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    declare(&mut oracle, "same_double", &[Type::DOUBLE], Type::DOUBLE);
    declare(&mut oracle, "same_float", &[Type::FLOAT], Type::FLOAT);
    declare(&mut oracle, "from_float", &[Type::FLOAT], Type::DOUBLE);
    declare(
        &mut oracle,
        "double_bits",
        &[Type::DOUBLE],
        Type::Unsigned(64),
    );
    for x in DOUBLES {
        assert_eq!(oracle.call("same_double", &[double(x)]), Ok(double(x)));
        let narrow = x as f32;
        assert_eq!(
            oracle.call("same_float", &[float(narrow)]),
            Ok(float(narrow))
        );
        let wide = double(f64::from(narrow));
        assert_eq!(oracle.call("from_float", &[float(narrow)]), Ok(wide));
        let Value::Fp(format, packed) = double(x) else {
            unreachable!("it is a float")
        };
        let packed = fp::canonical(format, packed) as i64;
        assert_eq!(
            oracle.call("double_bits", &[double(x)]),
            Ok(bits(64, packed))
        );
    }
}

#[link(name = "m")]
unsafe extern "C" {
    safe fn sin(x: f64) -> f64;
    safe fn y0(x: f64) -> f64;
    safe fn tgamma(x: f64) -> f64;
    safe fn sqrt(x: f64) -> f64;
    safe fn logf(x: f32) -> f32;
    safe fn pow(x: f64, y: f64) -> f64;
    safe fn atan2f(y: f32, x: f32) -> f32;
    safe fn ldexp(x: f64, exponent: i32) -> f64;
    safe fn jn(n: i32, x: f64) -> f64;
    safe fn lrint(x: f64) -> i64;
}

#[test]
fn the_mathematical_library_gives_what_a_direct_call_gives() {
    let mut oracle = oracle();
    let names = [
        "sin", "y0", "tgamma", "sqrt", "logf", "pow", "atan2f", "ldexp", "jn", "lrint",
    ];
    for name in names {
        let signature = known_signature(name).expect("libm is known");
        let declared = oracle.declare(signature, Implementation::Native);
        assert_eq!(declared, Ok(()));
    }
    for x in DOUBLES {
        let mut check = |name: &str, arguments: &[Value], expected: Value| {
            assert_eq!(oracle.call(name, arguments), Ok(expected), "{name} at {x}");
        };
        let narrow = x as f32;
        check("sin", &[double(x)], double(sin(x)));
        check("y0", &[double(x)], double(y0(x)));
        check("tgamma", &[double(x)], double(tgamma(x)));
        check("sqrt", &[double(x)], double(sqrt(x)));
        check("logf", &[float(narrow)], float(logf(narrow)));
        check("lrint", &[double(x)], bits(64, lrint(x)));
        check("ldexp", &[double(x), int(-3)], double(ldexp(x, -3)));
        check("jn", &[int(2), double(x)], double(jn(2, x)));
        for y in DOUBLES {
            check("pow", &[double(x), double(y)], double(pow(x, y)));
            let (a, b) = (narrow, y as f32);
            check("atan2f", &[float(a), float(b)], float(atan2f(a, b)));
        }
    }
}

/// Functions of C23 that C libraries have not had for long.
const RECENT: &[&str] = &[
    "acospi",
    "asinpi",
    "atanpi",
    "atan2pi",
    "cospi",
    "sinpi",
    "tanpi",
    "exp2m1",
    "exp10m1",
    "log2p1",
    "log10p1",
    "logp1",
    "rsqrt",
    "pown",
    "powr",
    "rootn",
    "compoundn",
    "fmaximum",
    "fminimum",
    "fmaximum_mag",
    "fminimum_mag",
    "fmaximum_num",
    "fminimum_num",
    "fmaximum_mag_num",
    "fminimum_mag_num",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "ffma",
    "fsqrt",
];

#[test]
fn every_known_function_that_can_be_passed_is_in_the_system() {
    let mut oracle = oracle();
    for name in known_names() {
        let base = |suffix: char| name.strip_suffix(suffix).unwrap_or(&name);
        let is_excused = RECENT
            .iter()
            .any(|&recent| recent == name || recent == base('f') || recent == base('l'));
        let signature = known_signature(&name).expect("it is a known name");
        match oracle.declare(signature, Implementation::Native) {
            Ok(())
            | Err(Failure::CannotPass {
                kind: Type::LONG_DOUBLE,
                ..
            }) => {}
            Err(Failure::Symbol { .. }) if is_excused => {}
            Err(failure) => panic!("{failure}"),
        }
    }
}

#[test]
fn arguments_beyond_the_registers_go_on_the_stack() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    let integers = [
        Type::Signed(8),
        Type::Unsigned(8),
        Type::Signed(16),
        Type::Unsigned(16),
        Type::Signed(32),
        Type::Unsigned(32),
        Type::Signed(64),
        Type::Unsigned(64),
        Type::Signed(8),
        Type::Unsigned(16),
    ];
    declare(&mut oracle, "many_integers", &integers, Type::Signed(64));
    let values = [
        -1,
        200,
        -300,
        60000,
        -70000,
        4_000_000_000,
        -5,
        6,
        -7,
        65535,
    ];
    let arguments: Vec<Value> = integers
        .iter()
        .zip(values)
        .map(|(kind, value)| match kind {
            Type::Signed(width) | Type::Unsigned(width) => bits(*width, value),
            _ => unreachable!("they are integers"),
        })
        .collect();
    let expected: i64 = (1..)
        .zip(values)
        .map(|(factor, value)| factor * value)
        .sum();
    assert_eq!(
        oracle.call("many_integers", &arguments),
        Ok(bits(64, expected))
    );

    let [d, f, b] = [Type::DOUBLE, Type::FLOAT, Type::Signed(8)];
    let mixed = [
        d,
        I32,
        f,
        Type::Signed(64),
        d,
        f,
        d,
        d,
        f,
        d,
        d,
        f,
        b,
        b,
        b,
        b,
        b,
        d,
    ];
    declare(&mut oracle, "many_mixed", &mixed, d);
    let values: Vec<i64> = (0..mixed.len() as i64).map(|n| n * n - 40).collect();
    let arguments: Vec<Value> = mixed
        .iter()
        .zip(&values)
        .map(|(kind, &value)| match *kind {
            Type::DOUBLE => double(value as f64),
            Type::FLOAT => float(value as f32),
            Type::Signed(8) => bits(8, i64::from(value as i8)),
            Type::Signed(width) => bits(width, value),
            _ => unreachable!("there are no others"),
        })
        .collect();
    let cut = mixed.iter().zip(&values).map(|(kind, &value)| match kind {
        Type::Signed(8) => i64::from(value as i8),
        _ => value,
    });
    let expected: i64 = (1..).zip(cut).map(|(factor, value)| factor * value).sum();
    assert_eq!(
        oracle.call("many_mixed", &arguments),
        Ok(double(expected as f64))
    );
}

#[test]
fn a_function_is_called_once_for_each_input() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    declare(&mut oracle, "counted", &[I32], I32);
    declare(&mut oracle, "times_counted", &[], I32);
    for round in 0..3 {
        for x in 0..1000 {
            assert_eq!(oracle.call("counted", &[int(x)]), Ok(int(2 * x)), "{round}");
        }
    }
    let batch: Vec<[Value; 1]> = (500..3000).chain(500..3000).map(|x| [int(x)]).collect();
    let doubled: Vec<_> = (500..3000)
        .chain(500..3000)
        .map(|x| Ok(int(2 * x)))
        .collect();
    assert_eq!(oracle.call_batch("counted", &batch), doubled);
    assert_eq!(oracle.call("times_counted", &[]), Ok(int(3000)));
    let statistics = oracle.statistics("counted").expect("it is declared");
    assert_eq!(
        (statistics.calls, statistics.from_table, statistics.runs),
        (8000, 5000, 3000)
    );
    assert_eq!((statistics.failures, statistics.restarts), (0, 0));
    let table = oracle.table("counted").expect("it has a table");
    let inputs: Vec<&Value> = table.iter().map(|(arguments, _)| &arguments[0]).collect();
    let expected: Vec<Value> = (0..3000).map(int).collect();
    assert!(
        inputs.into_iter().eq(&expected),
        "in the order of the calls"
    );
}

#[test]
fn what_is_performed_is_run_every_time() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    declare(&mut oracle, "counted", &[I32], I32);
    declare(&mut oracle, "times_counted", &[], I32);
    for count in 1..=3 {
        let outcome = oracle.perform("counted", &[Argument::Value(int(5))]);
        let result = Some(int(10));
        let changed = vec![None];
        assert_eq!(outcome, Ok(Outcome { result, changed }));
        let times = oracle.perform("times_counted", &[]).map(|o| o.result);
        assert_eq!(times, Ok(Some(int(count))));
    }
    assert!(
        oracle
            .table("counted")
            .is_some_and(|table| table.is_empty())
    );
}

const TEXT: Type = Type::Pointer(Pointee::Text);
const CONST: Type = Type::Pointer(Pointee::Const);
const MUTABLE: Type = Type::Pointer(Pointee::Mutable);

fn bytes(content: &[u8]) -> Argument {
    Argument::Bytes(content.to_vec())
}

fn word(value: i64) -> Argument {
    Argument::Value(bits(64, value))
}

#[test]
fn strings_and_arrays_are_copied_in() {
    let (mut oracle, _library) = oracle_with("arrays");
    declare(&mut oracle, "length", &[TEXT], Type::Signed(64));
    declare(&mut oracle, "sum", &[CONST, Type::Unsigned(64)], I32);
    let mut length = |argument| oracle.perform("length", &[argument]).map(|o| o.result);
    assert_eq!(length(bytes(b"hello")), Ok(Some(bits(64, 5))));
    assert_eq!(length(bytes(b"")), Ok(Some(bits(64, 0))));
    assert_eq!(length(bytes(b"ab\0cd")), Ok(Some(bits(64, 2))));
    assert_eq!(length(Argument::Null), Ok(Some(bits(64, -1))));
    let numbers: Vec<u8> = [1i32, -20, 300]
        .iter()
        .flat_map(|n| n.to_ne_bytes())
        .collect();
    let outcome = oracle.perform("sum", &[bytes(&numbers), word(3)]);
    let expected = Outcome {
        result: Some(int(281)),
        changed: vec![None, None],
    };
    assert_eq!(outcome, Ok(expected));
}

#[test]
fn arrays_that_may_change_are_copied_out_and_others_are_not() {
    let (mut oracle, _library) = oracle_with("arrays");
    declare(
        &mut oracle,
        "reverse",
        &[MUTABLE, Type::Unsigned(64)],
        Type::Void,
    );
    declare(&mut oracle, "breaks_promise", &[CONST], I32);
    declare(&mut oracle, "copy", &[MUTABLE, CONST, I32], I32);
    declare(&mut oracle, "misaligned", &[CONST, CONST, MUTABLE], I32);
    let expected = Outcome {
        result: None,
        changed: vec![Some(b"cba".to_vec()), None],
    };
    assert_eq!(
        oracle.perform("reverse", &[bytes(b"abc"), word(3)]),
        Ok(expected)
    );
    let expected = Outcome {
        result: Some(int(99)),
        changed: vec![None],
    };
    assert_eq!(
        oracle.perform("breaks_promise", &[bytes(b"xy")]),
        Ok(expected)
    );
    let arguments = [bytes(&[0; 7]), bytes(b"1234567"), Argument::Value(int(5))];
    let expected = Outcome {
        result: Some(int(5)),
        changed: vec![Some(b"12345\0\0".to_vec()), None, None],
    };
    assert_eq!(oracle.perform("copy", &arguments), Ok(expected));
    let outcome = oracle.perform("misaligned", &[bytes(b"1"), bytes(b"22"), bytes(b"333")]);
    assert_eq!(outcome.map(|o| o.result), Ok(Some(int(0))));
}

#[test]
fn arrays_larger_than_the_shared_memory_make_it_grow() {
    let (mut oracle, _library) = oracle_with("arrays");
    declare(
        &mut oracle,
        "reverse",
        &[MUTABLE, Type::Unsigned(64)],
        Type::Void,
    );
    for length in [60_000, 70_000, 5_000_000, 3, 300_000] {
        let content: Vec<u8> = (0..length).map(|n| (n % 251) as u8).collect();
        let reversed: Vec<u8> = content.iter().rev().copied().collect();
        let outcome = oracle.perform("reverse", &[Argument::Bytes(content), word(length)]);
        let changed = outcome.map(|outcome| outcome.changed);
        assert!(changed == Ok(vec![Some(reversed), None]), "{length} bytes");
    }
    let statistics = oracle.statistics("reverse").expect("it is declared");
    assert_eq!(statistics.restarts, 0);
}

#[test]
fn writing_outside_an_array_is_noticed_tried_once_more_and_told() {
    let (mut oracle, _library) = oracle_with("arrays");
    declare(&mut oracle, "scatter", &[MUTABLE, I32], Type::Void);
    for at in [4, 5, 20, -1, -64] {
        let outcome = oracle.perform("scatter", &[bytes(b"abcd"), Argument::Value(int(at))]);
        let message = outcome.expect_err("it wrote outside").to_string();
        assert_eq!(
            message,
            format!("scatter([4 bytes], {at}) wrote outside the array `a`")
        );
        let notes = oracle.take_notes();
        let recovered: Vec<bool> = notes.iter().map(|note| note.recovered).collect();
        assert_eq!(recovered, [false]);
    }
    let statistics = oracle.statistics("scatter").expect("it is declared");
    assert_eq!((statistics.runs, statistics.restarts), (10, 10));
    let outcome = oracle.perform("scatter", &[bytes(b"abcd"), Argument::Value(int(3))]);
    let changed = outcome.map(|outcome| outcome.changed);
    assert_eq!(changed, Ok(vec![Some(b"abc\x01".to_vec()), None]));
}

#[test]
fn functions_of_the_c_library_need_no_library() {
    let mut oracle = oracle();
    for name in ["strlen", "toupper", "frexp", "htons", "atof"] {
        let signature = known_signature(name).expect("it is a known name");
        assert_eq!(oracle.declare(signature, Implementation::Native), Ok(()));
    }
    assert_eq!(oracle.call("toupper", &[int(97)]), Ok(int(65)));
    assert_eq!(
        oracle.call("htons", &[bits(16, 0x1234)]),
        Ok(bits(16, 0x3412))
    );
    let outcome = oracle.perform("atof", &[bytes(b"2.5e1")]);
    assert_eq!(outcome.map(|o| o.result), Ok(Some(double(25.0))));
    let arguments = [Argument::Value(double(12.0)), bytes(&[0; 4])];
    let expected = Outcome {
        result: Some(double(0.75)),
        changed: vec![None, Some(4i32.to_ne_bytes().to_vec())],
    };
    assert_eq!(oracle.perform("frexp", &arguments), Ok(expected));
}

#[test]
fn types_that_cannot_be_passed_are_refused_by_name() {
    let mut oracle = oracle();
    let mut refuse = |parameters: &[Type], result| {
        let declared = oracle.declare(signature("f", parameters, result), Implementation::Native);
        declared.expect_err("it cannot be passed").to_string()
    };
    let parameter = |kind: &str| {
        format!(
            "`f` cannot be called natively: its parameter `b` has the type {kind}, \
             which is not supported"
        )
    };
    assert_eq!(
        refuse(&[I32, Type::LONG_DOUBLE], I32),
        parameter("long double")
    );
    assert_eq!(refuse(&[I32, Type::Signed(128)], I32), parameter("i128"));
    assert_eq!(refuse(&[I32, Type::String], I32), parameter("String"));
    assert_eq!(refuse(&[I32, Type::Void], I32), parameter("void"));
    assert_eq!(
        refuse(&[I32, Type::Float(FpFormat::HALF)], I32),
        parameter("fp5.11")
    );
    assert_eq!(
        refuse(&[I32], CONST),
        "`f` cannot be called natively: its result has the type const void*, \
         which is not supported"
    );
}

#[test]
fn arguments_of_other_types_are_refused() {
    let (mut oracle, _library) = oracle_with("arithmetic");
    declare(&mut oracle, "counted", &[I32], I32);
    let message = |answer: Result<Value, Failure>| answer.expect_err("it is refused").to_string();
    assert_eq!(
        message(oracle.call("counted", &[])),
        "`i32 counted(i32 a)` cannot be called: it takes 1 arguments, not 0"
    );
    assert_eq!(
        message(oracle.call("counted", &[double(1.0)])),
        "`i32 counted(i32 a)` cannot be called: \
         its parameter `a` does not take a value of sort (_ FloatingPoint 11 53)"
    );
    assert_eq!(
        message(oracle.call("unheard_of", &[])),
        "the external function `unheard_of` was called but never declared"
    );
    let batch = oracle.call_batch("counted", &[vec![int(1)], vec![], vec![int(2)]]);
    assert_eq!(batch[0], Ok(int(2)));
    assert!(batch[1].is_err());
    assert_eq!(batch[2], Ok(int(4)));
}

#[test]
fn the_library_given_goes_before_the_system() {
    let (mut oracle, library) = oracle_with("arithmetic");
    declare(&mut oracle, "j0", &[Type::DOUBLE], Type::DOUBLE);
    declare(&mut oracle, "j1", &[Type::DOUBLE], Type::DOUBLE);
    assert_eq!(oracle.call("j0", &[double(3.0)]), Ok(double(-3.0)));
    assert_eq!(oracle.call("j1", &[double(0.0)]), Ok(double(0.0)));
    let declared = oracle.declare(signature("sums", &[I32], I32), Implementation::Native);
    let path = library.path.display().to_string();
    let expected = Failure::Symbol {
        function: "sums".into(),
        searched: vec![path, "libm.so.6".into(), "libc.so.6".into()],
    };
    assert_eq!(declared, Err(expected));
}

/// Numbers of models: integers without bounds go as `int64_t`, rational numbers
/// as the nearest `double`, and come back as the decimals people write.
#[test]
fn integers_and_reals_of_models_pass_where_c_has_room_for_them() {
    let mut oracle = oracle();
    let real = |top: i64, bottom: i64| Value::Real(BigRational::new(top.into(), bottom.into()));
    let absolute = Signature::new("llabs", &[("x", Type::Int)], Type::Int);
    oracle.declare(absolute, Implementation::Native).unwrap();
    let root = Signature::new("sqrt", &[("x", Type::Real)], Type::Real);
    oracle.declare(root, Implementation::Native).unwrap();
    let whole = |number: BigInt| Value::Int(number);
    assert_eq!(
        oracle.call("llabs", &[whole((-7).into())]),
        Ok(whole(7.into()))
    );
    assert_eq!(oracle.call("sqrt", &[real(49, 100)]), Ok(real(7, 10)));
    let beyond = oracle.call("llabs", &[whole(BigInt::from(1) << 64)]);
    assert_eq!(
        beyond.unwrap_err().to_string(),
        "llabs(18446744073709551616): 18446744073709551616 does not fit a 64-bit \
         integer"
    );
    let imaginary = oracle.call("sqrt", &[real(-1, 1)]).unwrap_err().to_string();
    assert!(imaginary.ends_with("is no rational number"), "{imaginary}");
}
