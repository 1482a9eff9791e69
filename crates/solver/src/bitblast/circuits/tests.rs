//! Every circuit against arithmetic on numbers: exhaustively for small widths,
//! with symbolic and with constant operands, and on random and extreme values
//! for larger ones.

use super::*;
use base::Random;

/// A circuit with two operands and the function of numbers it must compute,
/// which is also given the width.
struct Operation {
    name: &'static str,
    circuit: fn(&mut Aig, &[Lit], &[Lit]) -> Vec<Lit>,
    function: fn(u32, u128, u128) -> u128,
}

const OPERATIONS: &[Operation] = &[
    Operation {
        name: "not",
        circuit: |_, a, _| not(a),
        function: |_, a, _| !a,
    },
    Operation {
        name: "and",
        circuit: and,
        function: |_, a, b| a & b,
    },
    Operation {
        name: "or",
        circuit: or,
        function: |_, a, b| a | b,
    },
    Operation {
        name: "xor",
        circuit: xor,
        function: |_, a, b| a ^ b,
    },
    Operation {
        name: "neg",
        circuit: |aig, a, _| neg(aig, a),
        function: |_, a, _| a.wrapping_neg(),
    },
    Operation {
        name: "add",
        circuit: add,
        function: |_, a, b| a.wrapping_add(b),
    },
    Operation {
        name: "add_with_carry",
        circuit: |aig, a, b| {
            let (mut sum, carry) = add_with_carry(aig, a, b, Lit::TRUE);
            sum.push(carry);
            sum
        },
        function: |_, a, b| a + b + 1,
    },
    Operation {
        name: "sub",
        circuit: sub,
        function: |_, a, b| a.wrapping_sub(b),
    },
    Operation {
        name: "mul",
        circuit: mul,
        function: |_, a, b| a.wrapping_mul(b),
    },
    Operation {
        name: "square",
        circuit: |aig, a, _| mul(aig, a, a),
        function: |_, a, _| a.wrapping_mul(a),
    },
    Operation {
        name: "square of a sign-extended value",
        circuit: |aig, a, _| {
            let a = sext(a, a.len() + 5);
            mul(aig, &a, &a)
        },
        function: |width, a, _| signed(width, a).wrapping_mul(signed(width, a)) as u128,
    },
    Operation {
        name: "product of sign-extended values",
        circuit: |aig, a, b| mul(aig, &sext(a, 2 * a.len()), &sext(b, 2 * b.len())),
        function: |width, a, b| signed(width, a).wrapping_mul(signed(width, b)) as u128,
    },
    Operation {
        name: "product of a sign-extended and a zero-extended value",
        circuit: |aig, a, b| mul(aig, &sext(a, 2 * a.len()), &zext(b, 2 * b.len())),
        function: |width, a, b| (signed(width, a) as u128).wrapping_mul(b),
    },
    Operation {
        name: "mul_full",
        circuit: mul_full,
        function: |_, a, b| a.wrapping_mul(b),
    },
    Operation {
        name: "udiv",
        circuit: |aig, a, b| udiv_urem(aig, a, b).0,
        function: |_, a, b| a.checked_div(b).unwrap_or(u128::MAX),
    },
    Operation {
        name: "urem",
        circuit: |aig, a, b| udiv_urem(aig, a, b).1,
        function: |_, a, b| a.checked_rem(b).unwrap_or(a),
    },
    Operation {
        name: "udiv by a zero-extended divisor",
        circuit: |aig, a, b| udiv_urem(aig, &zext(b, a.len() + 2), &zext(a, a.len() + 2)).0,
        function: |_, a, b| b.checked_div(a).unwrap_or(u128::MAX),
    },
    Operation {
        name: "urem by a zero-extended divisor",
        circuit: |aig, a, b| {
            let dividend = [b, &a[..a.len().min(4)]].concat();
            udiv_urem(aig, &dividend, &zext(b, dividend.len())).1
        },
        function: |width, a, b| {
            let dividend = (a & 15) << width | b;
            dividend.checked_rem(b).unwrap_or(dividend)
        },
    },
    Operation {
        name: "sdiv",
        circuit: sdiv,
        function: |width, a, b| {
            let (a, b) = (signed(width, a), signed(width, b));
            let by_zero = if a < 0 { 1 } else { -1 };
            a.checked_div(b).unwrap_or(by_zero) as u128
        },
    },
    Operation {
        name: "srem",
        circuit: srem,
        function: |width, a, b| {
            let (a, b) = (signed(width, a), signed(width, b));
            a.checked_rem(b).unwrap_or(a) as u128
        },
    },
    Operation {
        name: "smod",
        circuit: smod,
        function: |width, a, b| {
            let (a, b) = (signed(width, a), signed(width, b));
            let remainder = a.checked_rem(b).unwrap_or(a);
            let wraps = remainder != 0 && (a < 0) != (b < 0) && b != 0;
            (if wraps { remainder + b } else { remainder }) as u128
        },
    },
    Operation {
        name: "shl",
        circuit: shl,
        function: |width, a, b| if b < u128::from(width) { a << b } else { 0 },
    },
    Operation {
        name: "lshr",
        circuit: lshr,
        function: |width, a, b| if b < u128::from(width) { a >> b } else { 0 },
    },
    Operation {
        name: "ashr",
        circuit: ashr,
        function: |width, a, b| (signed(width, a) >> b.min(127)) as u128,
    },
    Operation {
        name: "ashr by a narrow amount",
        circuit: |aig, a, b| ashr(aig, a, &b[..1]),
        function: |width, a, b| (signed(width, a) >> (b & 1)) as u128,
    },
    Operation {
        name: "lshr_sticky",
        circuit: |aig, a, b| {
            let (mut shifted, sticky) = lshr_sticky(aig, a, b);
            shifted.insert(0, sticky);
            shifted
        },
        function: |_, a, b| {
            let shifted = if b < 128 { a >> b } else { 0 };
            let lost = a != if b < 128 { shifted << b } else { 0 };
            shifted << 1 | u128::from(lost)
        },
    },
    Operation {
        name: "normalise",
        circuit: |aig, a, _| {
            let (shifted, distance) = normalise(aig, a);
            [zext(&shifted, 72), distance].concat()
        },
        function: |width, a, _| {
            let distance = if a == 0 {
                u128::MAX
            } else {
                u128::from(a.leading_zeros() - (128 - width))
            };
            distance << 72 | a.checked_shl(distance as u32).unwrap_or(0)
        },
    },
    Operation {
        name: "comparisons",
        circuit: |aig, a, b| {
            let or_equal = less(aig, a, b, Lit::TRUE);
            vec![eq(aig, a, b), ult(aig, a, b), or_equal, slt(aig, a, b)]
        },
        function: |width, a, b| {
            let (x, y) = (signed(width, a), signed(width, b));
            let holds = [a == b, a < b, a <= b, x < y];
            (0..4).map(|bit| u128::from(holds[bit]) << bit).sum()
        },
    },
    Operation {
        name: "mux",
        circuit: |aig, a, b| mux(aig, a[0], a, b),
        function: |_, a, b| if a & 1 == 1 { a } else { b },
    },
];

#[test]
fn circuits_of_up_to_four_bits_compute_their_function_for_all_operands() {
    for width in 1..=4 {
        let all: Vec<(u128, u128)> = (0..1 << (2 * width))
            .map(|pair: u128| (pair >> width, pair & mask(width)))
            .collect();
        for operation in OPERATIONS {
            check_symbolic(operation, width, &all);
            for pair in &all {
                check_constant(operation, width, &[*pair], pair.0, pair.1);
            }
        }
    }
}

#[test]
fn wide_circuits_compute_their_function_on_extreme_and_random_operands() {
    for width in [5, 7, 8, 13, 16, 24, 31, 32, 33, 53, 63, 64, 65, 70] {
        let pairs = operand_pairs(width, 6 * 64);
        for operation in OPERATIONS {
            check_symbolic(operation, width, &pairs);
        }
    }
}

#[test]
fn wide_circuits_with_a_constant_operand_compute_their_function() {
    for width in [8, 32, 64] {
        let pairs = operand_pairs(width, 64);
        let values: Vec<u128> = pairs.iter().map(|pair| pair.0).collect();
        for operation in OPERATIONS {
            for &(_, constant) in &pairs {
                let right: Vec<_> = values.iter().map(|&value| (value, constant)).collect();
                check_constant(operation, width, &right, 0, constant);
            }
        }
    }
}

#[test]
fn products_and_sums_in_either_order_are_the_same_gates() {
    let mut aig = Aig::new();
    let (a, b) = (aig.inputs(16), aig.inputs(16));
    assert_eq!(mul(&mut aig, &a, &b), mul(&mut aig, &b, &a));
    assert_eq!(add(&mut aig, &a, &b), add(&mut aig, &b, &a));
}

#[test]
fn multiplication_by_a_constant_costs_one_adder_for_each_digit_after_the_first() {
    let gates = |constant_factor: u32| {
        let mut aig = Aig::new();
        let a = aig.inputs(32);
        let before = aig.len();
        mul(&mut aig, &a, &constant(32, &constant_factor.into()));
        aig.len() - before
    };
    assert_eq!(gates(1 << 7), 0);
    assert!(gates(5) <= 3 * 32);
    assert!(gates(0xffff) <= 3 * 32, "2^16 - 1 has two signed digits");
    assert!(gates(u32::MAX) <= 2 * 32, "-1 is a negation");
}

#[test]
fn division_by_a_power_of_two_makes_no_gates() {
    let mut aig = Aig::new();
    let a = aig.inputs(32);
    let before = aig.len();
    let (quotient, remainder) = udiv_urem(&mut aig, &a, &constant(32, &8u32.into()));
    assert_eq!(quotient, zext(&a[3..], 32));
    assert_eq!(remainder, zext(&a[..3], 32));
    assert_eq!(aig.len(), before);
}

#[test]
fn a_vector_of_constants_reads_back_as_its_number() {
    let value = BigUint::from(0x1234_5678_9abc_u64);
    assert_eq!(as_constant(&constant(64, &value)), Some(value));
    let mut aig = Aig::new();
    assert_eq!(as_constant(&aig.inputs(3)), None);
}

/// Both operands are inputs.
fn check_symbolic(operation: &Operation, width: u32, pairs: &[(u128, u128)]) {
    let mut aig = Aig::new();
    let a = aig.inputs(width as usize);
    let b = aig.inputs(width as usize);
    check(operation, width, pairs, aig, &a, &b);
}

/// The right operand is a constant, and where there is one pair, the left too.
fn check_constant(
    operation: &Operation,
    width: u32,
    pairs: &[(u128, u128)],
    left: u128,
    right: u128,
) {
    let mut aig = Aig::new();
    let a = if pairs.len() > 1 {
        aig.inputs(width as usize)
    } else {
        constant(width as usize, &left.into())
    };
    let b = constant(width as usize, &right.into());
    check(operation, width, pairs, aig, &a, &b);
}

fn check(
    operation: &Operation,
    width: u32,
    pairs: &[(u128, u128)],
    mut aig: Aig,
    a: &[Lit],
    b: &[Lit],
) {
    let outputs = (operation.circuit)(&mut aig, a, b);
    for pairs in pairs.chunks(64) {
        let evaluation = aig.eval(|node| {
            let bit = node as usize - 1;
            let word = |value: fn(&(u128, u128)) -> u128, bit: usize| {
                (0..pairs.len())
                    .map(|lane| ((value(&pairs[lane]) >> bit & 1) as u64) << lane)
                    .sum()
            };
            if bit < a.len() {
                word(|pair| pair.0, bit)
            } else {
                word(|pair| pair.1, bit - a.len())
            }
        });
        let words: Vec<u64> = outputs.iter().map(|&lit| evaluation.word(lit)).collect();
        for (lane, &(x, y)) in pairs.iter().enumerate() {
            let got: u128 = (words.iter().enumerate().take(128))
                .map(|(bit, word)| u128::from(word >> lane & 1) << bit)
                .sum();
            let expected = (operation.function)(width, x, y) & mask(outputs.len().min(128) as u32);
            assert_eq!(
                got, expected,
                "{} of {x:#x} and {y:#x}, {width} bits wide",
                operation.name
            );
        }
    }
}

/// All pairs of extreme values, and random ones of random magnitudes.
fn operand_pairs(width: u32, count: usize) -> Vec<(u128, u128)> {
    let top = 1u128 << (width - 1);
    let extremes = [
        0,
        1,
        2,
        3,
        top - 1,
        top,
        top + 1,
        mask(width) - 1,
        mask(width),
    ];
    let mut random = Random::new(0);
    let mut pairs: Vec<(u128, u128)> = extremes
        .iter()
        .flat_map(|&x| extremes.iter().map(move |&y| (x, y)))
        .step_by(if count > 100 { 1 } else { 3 })
        .collect();
    while pairs.len() < count {
        let mut value = || {
            let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
            (bits & mask(width)) >> random.below(width as usize)
        };
        pairs.push((value(), value()));
    }
    pairs
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(width: u32, value: u128) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}
