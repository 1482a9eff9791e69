//! Families of floating-point queries: what programs that compute with
//! floats make a solver decide.

use term::{FpFormat, RoundingMode, Sort, Store, Term};

/// A query and the family it belongs to.
pub struct FloatQuery {
    /// The family's name.
    pub family: &'static str,
    /// The constraints.
    pub constraints: Vec<Term>,
}

/// All queries, in a fixed order.
pub fn queries(store: &mut Store) -> Vec<FloatQuery> {
    let mut all = Vec::new();
    polynomial_bounds(store, &mut all);
    quadratic_roots(store, &mut all);
    compare_chains(store, &mut all);
    conversions(store, &mut all);
    all
}

/// The float nearest to `value`.
fn number(store: &mut Store, format: FpFormat, value: f64) -> Term {
    let bits = term::fp::convert(
        FpFormat::DOUBLE,
        format,
        RoundingMode::NearestEven,
        value.to_bits().into(),
    );
    store.fp(format, bits)
}

fn within(store: &mut Store, x: Term, format: FpFormat, low: f64, high: f64) -> [Term; 2] {
    let (low, high) = (number(store, format, low), number(store, format, high));
    [store.fp_le(low, x), store.fp_le(x, high)]
}

/// Horner's scheme, rounding at every step.
fn polynomial(store: &mut Store, x: Term, format: FpFormat, coefficients: &[f64]) -> Term {
    let rm = store.rounding(RoundingMode::NearestEven);
    let mut value = number(store, format, coefficients[0]);
    for &coefficient in &coefficients[1..] {
        let product = store.fp_mul(rm, value, x);
        let coefficient = number(store, format, coefficient);
        value = store.fp_add(rm, product, coefficient);
    }
    value
}

/// Can a polynomial exceed a bound on an interval?
fn polynomial_bounds(store: &mut Store, all: &mut Vec<FloatQuery>) {
    // Format, coefficients, interval, bounds to exceed.
    type Case = (FpFormat, &'static [f64], f64, f64, &'static [f64]);
    let cases: [Case; 4] = [
        (
            FpFormat::SINGLE,
            &[1.0, 0.5, -1.0],
            -2.0,
            2.0,
            &[3.0, 3.999, 4.01, 5.0],
        ),
        (FpFormat::SINGLE, &[0.25, -1.0], 0.0, 8.0, &[0.5, 0.99, 1.5]),
        (
            FpFormat::HALF,
            &[1.0, -2.0, 1.0, 0.25],
            -1.0,
            1.0,
            &[0.2, 0.26, 0.4, 0.5],
        ),
        (
            FpFormat::DOUBLE,
            &[2.0, 1.0],
            -1.0,
            1.0,
            &[2.5, 2.9999, 3.25],
        ),
    ];
    for (i, (format, coefficients, low, high, bounds)) in cases.into_iter().enumerate() {
        let x = store.var(&format!("poly{i}"), Sort::Fp(format));
        let value = polynomial(store, x, format, coefficients);
        for &bound in bounds {
            let bound = number(store, format, bound);
            let mut constraints = within(store, x, format, low, high).to_vec();
            constraints.push(store.fp_lt(bound, value));
            all.push(FloatQuery {
                family: "polynomial bounds",
                constraints,
            });
        }
    }
}

/// Has a quadratic polynomial an exact root in floats?
fn quadratic_roots(store: &mut Store, all: &mut Vec<FloatQuery>) {
    let polynomials: [[f64; 3]; 6] = [
        [1.0, 0.0, -2.25],
        [1.0, -3.0, 2.0],
        [1.0, 0.0, -2.0],
        [1.0, 1.0, 1.0],
        [1.0, -0.5, -0.5],
        [4.0, -4.0, 1.0],
    ];
    for format in [FpFormat::HALF, FpFormat::SINGLE] {
        for (i, coefficients) in polynomials.iter().enumerate() {
            let x = store.var(&format!("root{i}_{}", format.eb), Sort::Fp(format));
            let value = polynomial(store, x, format, coefficients);
            let zero = number(store, format, 0.0);
            let mut constraints = within(store, x, format, -4.0, 4.0).to_vec();
            constraints.push(store.fp_eq(value, zero));
            all.push(FloatQuery {
                family: "quadratic roots",
                constraints,
            });
        }
    }
}

/// Chains `x0 < x1 < …`, closed to a circle or kept within bounds.
fn compare_chains(store: &mut Store, all: &mut Vec<FloatQuery>) {
    for format in [FpFormat::SINGLE, FpFormat::DOUBLE] {
        for length in [4, 8, 16, 24] {
            let names = (0..length).map(|i| format!("chain{length}_{i}_{}", format.eb));
            let xs: Vec<Term> = names
                .map(|name| store.var(&name, Sort::Fp(format)))
                .collect();
            let mut links: Vec<Term> = xs
                .windows(2)
                .map(|pair| store.fp_lt(pair[0], pair[1]))
                .collect();
            let (first, last) = (xs[0], xs[length - 1]);
            let closed = store.fp_le(last, first);
            let nan = store.fp_is_nan(xs[length / 2]);
            let (low, high) = (number(store, format, 1.0), number(store, format, 1.5));
            let bounds = [store.fp_lt(low, first), store.fp_lt(last, high)];
            for extra in [vec![closed], vec![nan], bounds.to_vec()] {
                all.push(FloatQuery {
                    family: "compare chains",
                    constraints: links.iter().copied().chain(extra).collect(),
                });
            }
            // Neighbours that are equal to something in between.
            let rm = store.rounding(RoundingMode::NearestEven);
            let half = number(store, format, 0.5);
            let sum = store.fp_add(rm, xs[0], xs[1]);
            let middle = store.fp_mul(rm, sum, half);
            links.push(store.fp_eq(middle, xs[1]));
            links.extend(within(store, xs[0], format, 1.0, 2.0));
            links.extend(within(store, xs[1], format, 1.0, 2.0));
            all.push(FloatQuery {
                family: "compare chains",
                constraints: links,
            });
        }
    }
}

/// Round trips between integers and floats, and between formats.
fn conversions(store: &mut Store, all: &mut Vec<FloatQuery>) {
    let rne = store.rounding(RoundingMode::NearestEven);
    let rtz = store.rounding(RoundingMode::TowardZero);
    for (format, width) in [
        (FpFormat::SINGLE, 32),
        (FpFormat::DOUBLE, 32),
        (FpFormat::DOUBLE, 64),
        (FpFormat::HALF, 16),
    ] {
        let i = store.var(&format!("int{width}_{}", format.eb), Sort::Bv(width));
        let float = store.fp_from_signed(rne, i, format);
        let back = store.fp_to_signed(rtz, float, width);
        let same = store.eq(back, i);
        let lost = store.not(same);
        let exact = u64::from(format.sb).min(u64::from(width) - 1);
        for bits in [exact - 2, exact, exact + 1] {
            let mut constraints = vec![lost];
            if bits < u64::from(width) - 1 {
                let limit = store.bv(width, 1 << bits);
                let minus = store.bv_neg(limit);
                constraints.push(store.bv_slt(i, limit));
                constraints.push(store.bv_slt(minus, i));
            }
            all.push(FloatQuery {
                family: "conversions",
                constraints,
            });
        }
        let x = store.var(&format!("trip{width}_{}", format.eb), Sort::Fp(format));
        let integer = store.fp_to_signed(rtz, x, width);
        let again = store.fp_from_signed(rne, integer, format);
        let greater = store.fp_lt(x, again);
        let mut constraints = within(store, x, format, 1.0, 1000.0).to_vec();
        constraints.push(greater);
        all.push(FloatQuery {
            family: "conversions",
            constraints,
        });
    }
    for (wide, narrow) in [
        (FpFormat::DOUBLE, FpFormat::SINGLE),
        (FpFormat::SINGLE, FpFormat::HALF),
    ] {
        let x = store.var(&format!("wide{}", wide.eb), Sort::Fp(wide));
        let down = store.fp_convert(rne, x, narrow);
        let up = store.fp_convert(rne, down, wide);
        let same = store.fp_eq(up, x);
        let differs = store.not(same);
        let above = store.fp_lt(up, x);
        let infinite = store.fp_is_infinite(down);
        let bounds = within(store, x, wide, 0.5, 60000.0);
        for extra in [same, differs, above, infinite] {
            let mut constraints = bounds.to_vec();
            constraints.push(extra);
            all.push(FloatQuery {
                family: "conversions",
                constraints,
            });
        }
    }
}
