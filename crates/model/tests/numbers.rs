//! Numbers: `div` and `mod` with and without a width, by brute force, and numbers
//! in JSON.

use mixed::{Mixed, solver::Solver};
use model::execution::{Event, Executor};
use model::exploration::{Bounds, explore};
use model::value::{from_json, to_json};
use model::{Type, check};
use num_rational::BigRational;
use term::{BitVec, FpFormat, Value};

/// The quotient and the rest as people define them: the rest is never negative.
/// By zero the quotient is zero, and the rest what was divided.
fn divided(x: i64, y: i64) -> (i64, i64) {
    match y {
        0 => (0, x),
        _ => (x.div_euclid(y), x.rem_euclid(y)),
    }
}

/// Number `x` as one of so many bits.
fn wrapped(x: i64, width: u32, signed: bool) -> i64 {
    let natural = x.rem_euclid(1 << width);
    match signed && natural >= 1 << (width - 1) {
        true => natural - (1 << width),
        false => natural,
    }
}

/// What `x div y` and `x mod y` are for all pairs, computed by constants.
fn computed(ty: &str, values: &[i64]) -> Vec<(String, String)> {
    let pairs = values
        .iter()
        .flat_map(|x| values.iter().map(move |y| (x, y)));
    let pairs: Vec<(&i64, &i64)> = pairs.collect();
    let mut text = format!("channel o({ty}, {ty})\nautomaton A {{\n");
    for (number, (x, y)) in pairs.iter().enumerate() {
        text += &format!("var x{number}: {ty} = {x}\nvar y{number}: {ty} = {y}\n");
    }
    text += "initial s\n";
    for number in 0..pairs.len() {
        text += &format!("s -> s, o!(x{number} div y{number}, x{number} mod y{number})\n");
    }
    let model = check(&(text + "}\n"), &[])
        .expect("the model is right")
        .model;
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 1,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    let steps = tree.nodes.iter().filter_map(|node| node.step.as_ref());
    let outputs = steps.map(|(_, event)| match event {
        Event::Output { values, .. } => values.clone(),
        Event::Input { .. } | Event::Internal => Vec::new(),
    });
    let outputs: Vec<_> = outputs.collect();
    let shown = |executor: &Executor<'_, '_>, term| {
        let value = executor.store.as_value(term).expect("it is a constant");
        let leaf = &model.channels[0].payload[0];
        to_json(leaf, &[value]).to_string()
    };
    let rows = outputs.iter();
    rows.map(|values| (shown(&executor, values[0]), shown(&executor, values[1])))
        .collect()
}

#[test]
fn all_integer_types_divide_alike() {
    let cases = [
        ("Int", (-8..8).collect::<Vec<i64>>(), None),
        ("Int<4>", (-8..8).collect(), Some(true)),
        ("UInt<4>", (0..16).collect(), Some(false)),
    ];
    for (ty, values, signed) in cases {
        let pairs = values
            .iter()
            .flat_map(|&x| values.iter().map(move |&y| (x, y)));
        let expected: Vec<(String, String)> = pairs
            .map(|(x, y)| {
                let fit = |n: i64| signed.map_or(n, |signed| wrapped(n, 4, signed));
                let (quotient, rest) = divided(x, y);
                (fit(quotient).to_string(), fit(rest).to_string())
            })
            .collect();
        assert_eq!(computed(ty, &values), expected, "{ty}");
    }
}

#[test]
fn no_input_shows_a_difference_between_integer_types() {
    for (ty, whole) in [("Int<4>", "x != -8 or y != -1"), ("UInt<4>", "true")] {
        let text = format!(
            "channel a({ty}, {ty})
            automaton A {{
                var x, y: {ty}
                initial s
                state e
                read: s -> t, a?(x, y)
                product: t -> e when x != (x div y) * y + x mod y, tau
                quotient: t -> e when ({whole}) and int(x div y) != int(x) div int(y), tau
                rest: t -> e when int(x mod y) != int(x) mod int(y), tau
            }}"
        );
        let model = check(&text, &[]).expect("the model is right").model;
        let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
        let tree = explore(&mut executor, &Bounds::default(), None);
        assert_eq!(
            (&tree.taken[..], tree.infeasible),
            (&[1, 0, 0, 0][..], 3),
            "{ty}"
        );
    }
}

#[test]
fn numbers_that_json_does_not_hold_go_out_as_text() {
    let big = |text: &str| Value::Int(text.parse().expect("it is a number"));
    let third = BigRational::new(1.into(), 3.into());
    let wide = Type::Bits {
        width: 64,
        signed: false,
    };
    let float = |x: f64| Value::Fp(FpFormat::DOUBLE, x.to_bits().into());
    for (ty, value, expected) in [
        (
            &Type::Int,
            big("9223372036854775807"),
            "9223372036854775807",
        ),
        (
            &Type::Int,
            big("9223372036854775808"),
            "\"9223372036854775808\"",
        ),
        (
            &Type::Int,
            big("1000000000000000000000000000000"),
            "\"1000000000000000000000000000000\"",
        ),
        (
            &wide,
            Value::Bv(BitVec::from_u64(64, u64::MAX)),
            "\"18446744073709551615\"",
        ),
        (&Type::Real, Value::Real(third), "\"1/3\""),
        (&Type::Float, float(f64::NAN), "\"nan\""),
        (&Type::Float, float(f64::NEG_INFINITY), "\"-inf\""),
    ] {
        let leaves = [value];
        let json = to_json(ty, &leaves);
        assert_eq!(json.to_string(), expected);
        assert_eq!(from_json(ty, &json), Ok(leaves.to_vec()));
    }
}
