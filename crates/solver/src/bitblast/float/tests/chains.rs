//! Operations on results of operations: what is known about a value when the
//! circuit is built must be true of it.

use super::*;
use term::fp;

/// A value known both as a circuit and, for each case, as a number.
struct Known {
    format: FpFormat,
    float: Float,
    values: Vec<u128>,
}

const FORMATS: [FpFormat; 5] = [
    FpFormat { eb: 2, sb: 4 },
    FpFormat { eb: 3, sb: 4 },
    FpFormat { eb: 4, sb: 3 },
    FpFormat { eb: 5, sb: 6 },
    FpFormat { eb: 6, sb: 3 },
];

#[test]
fn chains_of_operations_give_what_the_evaluator_gives() {
    for seed in 1..=1000 {
        run_chain(&mut Samples::new(seed));
    }
}

/// Grows a pool of values by random operations on random members of it, and
/// compares each new one with the evaluator's in all 64 cases.
fn run_chain(random: &mut Samples) {
    let mut aig = Aig::new();
    let mut words: Vec<u64> = Vec::new();
    let mut pool: Vec<Known> = Vec::new();
    let inputs = FORMATS.map(|format| aig.inputs(format.width() as usize));
    for (format, bits) in FORMATS.into_iter().zip(&inputs) {
        let values: Vec<u128> = (0..64).map(|_| random.float(format)).collect();
        words.extend(transposed(&values, format.width()));
        let float = unpack(&mut aig, format, bits);
        pool.push(Known {
            format,
            float,
            values,
        });
        let value = random.float(format);
        let float = constant(&mut aig, format, value);
        pool.push(Known {
            format,
            float,
            values: vec![value; 64],
        });
    }
    for step in 0..30 {
        let (name, known) = random_operation(random, &mut aig, &pool);
        let float = &known.float;
        let mut bits = pack(&mut aig, float);
        bits.extend([float.nan, float.inf, float.zero, float.subnormal]);
        let evaluation = aig.eval(|node| words[node as usize - 1]);
        for (lane, &expected) in known.values.iter().enumerate() {
            let got = bits.iter().rev().fold(0, |value, &bit| {
                value << 1 | u128::from(evaluation.word(bit) >> lane & 1)
            });
            let expected = with_classes(known.format, expected);
            assert!(
                got == expected,
                "step {step}, {name} in {:?} gives {got:#x}, not {expected:#x}",
                known.format
            );
        }
        pool.push(known);
    }
}

/// The packed value, with the four class literals above.
fn with_classes(f: FpFormat, a: u128) -> u128 {
    let holds = [
        fp::is_nan(f, a),
        fp::is_infinite(f, a),
        fp::is_zero(f, a),
        fp::is_subnormal(f, a),
    ];
    let classes = (0..4).map(|class| u128::from(holds[class]) << class);
    fp::canonical(f, a) | classes.sum::<u128>() << f.width()
}

fn transposed(values: &[u128], width: u32) -> Vec<u64> {
    (0..width)
        .map(|bit| {
            values
                .iter()
                .rev()
                .fold(0, |word, value| word << 1 | (value >> bit & 1) as u64)
        })
        .collect()
}

fn random_operation(random: &mut Samples, aig: &mut Aig, pool: &[Known]) -> (&'static str, Known) {
    let a = &pool[random.below(pool.len() as u64) as usize];
    let f = a.format;
    let alike: Vec<&Known> = pool.iter().filter(|known| known.format == f).collect();
    let b = alike[random.below(alike.len() as u64) as usize];
    let c = alike[random.below(alike.len() as u64) as usize];
    let (x, y, z) = (&a.float, &b.float, &c.float);
    let rm = RoundingMode::ALL[random.below(5) as usize];
    let m = mode(rm);
    let map = |function: &dyn Fn(u128, u128, u128) -> u128| -> Vec<u128> {
        (0..64)
            .map(|lane| function(a.values[lane], b.values[lane], c.values[lane]))
            .collect()
    };
    let (name, format, float, values) = match random.below(14) {
        0 => (
            "add",
            f,
            add(aig, m, x, y),
            map(&|a, b, _| fp::add(f, rm, a, b)),
        ),
        1 => (
            "sub",
            f,
            sub(aig, m, x, y),
            map(&|a, b, _| fp::sub(f, rm, a, b)),
        ),
        2 => (
            "mul",
            f,
            mul(aig, m, x, y),
            map(&|a, b, _| fp::mul(f, rm, a, b)),
        ),
        3 => (
            "div",
            f,
            div(aig, m, x, y),
            map(&|a, b, _| fp::div(f, rm, a, b)),
        ),
        4 => (
            "fma",
            f,
            fma(aig, m, x, y, z),
            map(&|a, b, c| fp::fma(f, rm, a, b, c)),
        ),
        5 => (
            "sqrt",
            f,
            sqrt(aig, m, x),
            map(&|a, _, _| fp::sqrt(f, rm, a)),
        ),
        6 => ("rem", f, rem(aig, x, y), map(&|a, b, _| fp::rem(f, a, b))),
        7 => {
            let integral = round_to_integral(aig, m, x);
            (
                "round_to_integral",
                f,
                integral,
                map(&|a, _, _| fp::round_to_integral(f, rm, a)),
            )
        }
        8 => ("min", f, min(aig, x, y), map(&|a, b, _| fp::min(f, a, b))),
        9 => ("neg", f, neg(x), map(&|a, _, _| fp::neg(f, a))),
        10 => ("abs", f, abs(x), map(&|a, _, _| fp::abs(f, a))),
        11 => {
            let less = lt(aig, x, y);
            let chosen = mux(aig, less, y, z);
            (
                "mux",
                f,
                chosen,
                map(&|a, b, c| if fp::lt(f, a, b) { b } else { c }),
            )
        }
        12 => {
            let bits = to_signed(aig, m, x, 6);
            let float = from_signed(aig, f, m, &bits);
            let values = map(&|a, _, _| fp::from_int(f, rm, &fp::to_signed(f, rm, a, 6)));
            ("to_signed and back", f, float, values)
        }
        _ => {
            let to = FORMATS[random.below(5) as usize];
            let converted = convert(aig, to, m, x);
            (
                "convert",
                to,
                converted,
                map(&|a, _, _| fp::convert(f, to, rm, a)),
            )
        }
    };
    (
        name,
        Known {
            format,
            float,
            values,
        },
    )
}
