//! Circuits against numbers: all operands of small formats against the exact
//! rational reference, many of large ones against the hardware and `term::fp`.

mod chains;
mod exhaustive;
#[path = "../../../../term/tests/support/fp_reference.rs"]
mod fp_reference;
mod hardware;
mod size;

use super::*;
use base::Random;
use term::RoundingMode;

/// Simulates the circuit on all cases, 64 at a time, and compares what its
/// outputs spell with what is expected.
fn check<const N: usize>(
    name: &str,
    widths: [u32; N],
    circuit: impl FnOnce(&mut Aig, &[Vec<Lit>; N]) -> Vec<Lit>,
    cases: &[[u128; N]],
    expected: impl Fn(usize) -> u128,
) {
    let mut aig = Aig::new();
    let inputs = widths.map(|width| aig.inputs(width as usize));
    let outputs = circuit(&mut aig, &inputs);
    let places: Vec<(usize, usize)> = (0..N)
        .flat_map(|operand| (0..widths[operand] as usize).map(move |bit| (operand, bit)))
        .collect();
    for (chunk, lanes) in cases.chunks(64).enumerate() {
        let evaluation = aig.eval(|node| {
            let (operand, bit) = places[node as usize - 1];
            lanes.iter().rev().fold(0, |word, lane| {
                word << 1 | (lane[operand] >> bit & 1) as u64
            })
        });
        let words: Vec<u64> = outputs.iter().map(|&lit| evaluation.word(lit)).collect();
        for (lane, operands) in lanes.iter().enumerate() {
            let got = words
                .iter()
                .rev()
                .fold(0, |value, word| value << 1 | u128::from(word >> lane & 1));
            let expected = expected(64 * chunk + lane);
            assert!(
                got == expected,
                "{name} of {operands:x?} gives {got:#x}, not {expected:#x}"
            );
        }
    }
}

/// The circuit of an operation on packed values.
fn on_packed<const N: usize>(
    f: FpFormat,
    operation: impl FnOnce(&mut Aig, &[Float; N]) -> Float,
) -> impl FnOnce(&mut Aig, &[Vec<Lit>; N]) -> Vec<Lit> {
    move |aig, operands| {
        let operands = operands.each_ref().map(|bits| unpack(aig, f, bits));
        let result = operation(aig, &operands);
        pack(aig, &result)
    }
}

/// `a - b`, as terms spell it.
fn sub(aig: &mut Aig, rm: Rounding, a: &Float, b: &Float) -> Float {
    add(aig, rm, a, &neg(b))
}

fn mode(rm: RoundingMode) -> Rounding {
    Rounding::constant(rm)
}

/// Operands to try.
struct Samples(Random);

impl Samples {
    fn new(seed: u64) -> Samples {
        Samples(Random::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound as usize) as u64
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A packed value: at random, at random near one, or next to an edge.
    fn float(&mut self, f: FpFormat) -> u128 {
        let bits = self.wide();
        let fields = (1u128 << (f.width() - 1)) - 1;
        let hidden = 1u128 << (f.sb - 1);
        let one = f.bias() as u128 * hidden;
        let magnitude = match self.below(8) {
            0 | 1 => bits,
            2 | 3 => one + (bits % (8 * hidden)),
            4 => one + (bits % (u128::from(f.sb) * 2 * hidden)),
            // Few bits set, for ties and exact results.
            5 => {
                one + ((bits % (8 * hidden)) & !(hidden - 1))
                    + (hidden >> (1 + self.below(f.sb.into())))
            }
            6 => bits % (3 * hidden),
            _ => {
                let infinity = ((1 << f.eb) - 1) * hidden;
                let edges = [
                    0,
                    1,
                    hidden,
                    2 * hidden,
                    one,
                    one + hidden,
                    infinity,
                    fields,
                ];
                let edge = edges[self.below(8) as usize];
                (edge + self.below(3) as u128).saturating_sub(1)
            }
        };
        magnitude & fields | (bits >> 127) << (f.width() - 1)
    }

    /// A value whose exponent is close to that of `a`.
    fn float_near(&mut self, f: FpFormat, a: u128) -> u128 {
        let steps = self.wide() % (u128::from(f.sb) << f.sb);
        let sign = u128::from(self.next() & 1) << (f.width() - 1);
        let moved = if self.next() & 1 == 0 {
            a.wrapping_add(steps)
        } else {
            a.wrapping_sub(steps)
        };
        (moved ^ sign) & (u128::MAX >> (128 - f.width()))
    }

    /// Operands for an operation on values of one format.
    fn floats<const N: usize>(&mut self, f: FpFormat, count: usize) -> Vec<[u128; N]> {
        (0..count)
            .map(|_| {
                let first = self.float(f);
                let mut operands = [first; N];
                for operand in &mut operands[1..] {
                    *operand = match self.below(3) {
                        0 => self.float_near(f, first),
                        _ => self.float(f),
                    };
                }
                operands
            })
            .collect()
    }
}
