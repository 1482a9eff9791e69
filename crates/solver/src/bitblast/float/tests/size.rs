//! How many gates the operations take.

use super::super::super::aig::Gate;
use super::*;
use RoundingMode::NearestEven;

/// The gates that the outputs of an operation on packed operands depend on.
fn gates<const N: usize>(
    f: FpFormat,
    operation: impl FnOnce(&mut Aig, &[Float; N]) -> Float,
) -> usize {
    let mut aig = Aig::new();
    let inputs: [Vec<Lit>; N] = std::array::from_fn(|_| aig.inputs(f.width() as usize));
    let outputs = on_packed(f, operation)(&mut aig, &inputs);
    reached(&aig, &outputs)
}

fn reached(aig: &Aig, outputs: &[Lit]) -> usize {
    let mut seen = vec![false; aig.len()];
    for lit in outputs {
        seen[lit.node() as usize] = true;
    }
    let mut count = 0;
    for node in (0..aig.len()).rev().filter(|&node| node > 0) {
        let operands = match aig.gate(node as u32) {
            Gate::False | Gate::Input => continue,
            Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
            Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => vec![a, b, c],
        };
        if seen[node] {
            count += 1;
            for operand in operands {
                seen[operand.node() as usize] = true;
            }
        }
    }
    count
}

#[test]
fn operations_on_double_stay_small() {
    let f = FpFormat::DOUBLE;
    let rm = mode(NearestEven);
    let sizes = [
        ("add", gates(f, |aig, [a, b]| add(aig, rm, a, b)), 1800),
        ("mul", gates(f, |aig, [a, b]| mul(aig, rm, a, b)), 12600),
        ("div", gates(f, |aig, [a, b]| div(aig, rm, a, b)), 13300),
        ("sqrt", gates(f, |aig, [a]| sqrt(aig, rm, a)), 6700),
        (
            "fma",
            gates(f, |aig, [a, b, c]| fma(aig, rm, a, b, c)),
            14400,
        ),
    ];
    for (name, size, most) in sizes {
        assert!(size <= most, "{name} takes {size} gates");
    }
}
