//! The translation agrees with the evaluator on every operator, models of every
//! sort are read, and limits hold.

use super::*;
use base::Random;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::time::Duration;
use term::{ArrayValue, Assignment, BitVec, FpFormat, RoundingMode, Sort, fp};

const TINY: FpFormat = FpFormat { eb: 3, sb: 4 };
const SMALL: FpFormat = FpFormat { eb: 4, sb: 5 };
const BYTES: Sort = Sort::Array {
    index: 3,
    element: 4,
};

/// Values that are the same in every run.
struct Rng(Random);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound as usize) as u64
    }

    fn integer(&mut self) -> BigInt {
        match self.below(8) {
            0 => BigInt::from(self.next()) * BigInt::from(self.next()),
            1 => -BigInt::from(self.next()),
            _ => BigInt::from(self.below(17)) - 8,
        }
    }

    fn string(&mut self) -> Vec<u32> {
        let alphabet = [
            0x61, 0x61, 0x62, 0x30, 0x39, 0x5c, 0x75, 0x7b, 0, 0x1f600, 0x2ffff,
        ];
        let length = self.below(5);
        (0..length)
            .map(|_| alphabet[self.below(alphabet.len() as u64) as usize])
            .collect()
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::Bv(width) => {
                let bits = u128::from(self.next()) << 64 | u128::from(self.next());
                Value::Bv(match self.below(6) {
                    0 => BitVec::zero(width),
                    1 => BitVec::ones(width),
                    2 => BitVec::from_u64(width, self.below(20)),
                    _ => BitVec::from_u128(width, bits),
                })
            }
            Sort::Fp(format) => Value::Fp(format, fp::canonical(format, self.float(format))),
            Sort::RoundingMode => Value::Rm(RoundingMode::ALL[self.below(5) as usize]),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::filled(index, self.bits(element));
                for _ in 0..self.below(4) {
                    array.set(self.bits(index), self.bits(element));
                }
                Value::Array(Rc::new(array))
            }
            Sort::Int => Value::Int(self.integer()),
            Sort::Real => {
                let denominator = BigInt::from(self.below(9) + 1);
                Value::Real(BigRational::new(self.integer(), denominator))
            }
            Sort::String => Value::Str(self.string().into()),
            Sort::RegLan => unreachable!("languages are built, not drawn"),
        }
    }

    fn bits(&mut self, width: u16) -> BitVec {
        BitVec::from_u64(width, self.next())
    }

    /// Any pattern, with the borders between kinds of floats more often.
    fn float(&mut self, format: FpFormat) -> u128 {
        let pattern = u128::from(self.next()) << 64 | u128::from(self.next());
        let magnitudes = [
            0,
            1,
            fp::infinity(format, false),
            fp::infinity(format, false) - 1,
            fp::nan(format),
            (format.bias() as u128) << (format.sb - 1),
        ];
        let sign = fp::zero(format, self.below(2) == 0);
        match self.below(4) {
            0 => sign | magnitudes[self.below(magnitudes.len() as u64) as usize],
            // Near one, where integers and halves are.
            1 => {
                let exponent = (format.bias() as u64 - 2 + self.below(6)) as u128;
                sign | exponent << (format.sb - 1) | pattern & ((1 << (format.sb - 1)) - 1)
            }
            _ => pattern,
        }
    }

    fn language(&mut self, store: &mut Store, depth: u32) -> Term {
        if depth == 0 {
            let text: String =
                ["a", "b", "ab", "0", "", "\u{1f600}"][self.below(6) as usize].into();
            let (text, other) = (store.string(&text), store.string("b"));
            return match self.below(6) {
                0 => store.re_none(),
                1 => store.re_all(),
                2 => store.re_all_char(),
                3 => store.re_range(text, other),
                _ => store.re_from_str(text),
            };
        }
        let a = self.language(store, depth - 1);
        match self.below(6) {
            0 => {
                let b = self.language(store, depth - 1);
                store.re_concat(a, b)
            }
            1 => {
                let b = self.language(store, depth - 1);
                store.re_union(a, b)
            }
            2 => {
                let b = self.language(store, depth - 1);
                store.re_inter(a, b)
            }
            3 => store.re_star(a),
            4 => store.re_comp(a),
            _ => {
                let (least, most) = (self.below(3) as u32, self.below(4) as u32);
                store.re_loop(a, least, most)
            }
        }
    }
}

/// Makes a term of the arguments; the numbers choose its indices.
type Build = Box<dyn Fn(&mut Store, &mut Rng, &[Term]) -> Term>;

/// An operator on variables of some sorts.
struct Case {
    sorts: Vec<Sort>,
    build: Build,
}

fn case(sorts: &[Sort], build: impl Fn(&mut Store, &[Term]) -> Term + 'static) -> Case {
    Case {
        sorts: sorts.to_vec(),
        build: Box::new(move |store, _, args| build(store, args)),
    }
}

macro_rules! cases {
    ($($method:ident($($sort:expr),* $(; $extra:expr)*);)+) => {
        vec![$({
            #[allow(unused_mut, unused_assignments)]
            case(&[$($sort),*], |store, args| {
                let mut next = args.iter().copied();
                store.$method($({ let _: Sort = $sort; next.next().unwrap() }),* $(, $extra)*)
            })
        }),+]
    };
}

/// Constraints that leave the variable no value but this, in a form that Z3
/// takes to its simplifier, or in one that reaches its decision procedures.
fn concretized(store: &mut Store, variable: Term, value: &Value, by_simplifier: bool) -> Vec<Term> {
    let constant = store.value(value.clone());
    let excluded = |store: &mut Store, terms: [Term; 2]| terms.map(|term| store.not(term)).to_vec();
    match value {
        Value::Bv(_) if !by_simplifier => {
            let sides = [
                store.bv_ult(variable, constant),
                store.bv_ult(constant, variable),
            ];
            excluded(store, sides)
        }
        Value::Fp(..) if !by_simplifier => {
            let bits = [store.fp_to_bits(variable), store.fp_to_bits(constant)];
            let sides = [
                store.bv_ult(bits[0], bits[1]),
                store.bv_ult(bits[1], bits[0]),
            ];
            excluded(store, sides)
        }
        Value::Int(_) | Value::Real(_) if !by_simplifier => {
            vec![store.le(variable, constant), store.le(constant, variable)]
        }
        Value::Rm(mode) if !by_simplifier => {
            let others = RoundingMode::ALL.into_iter().filter(|other| other != mode);
            let others: Vec<_> = others.collect();
            others
                .into_iter()
                .map(|other| {
                    let other = store.rounding(other);
                    let same = store.eq(variable, other);
                    store.not(same)
                })
                .collect()
        }
        Value::Str(points) if !by_simplifier => {
            let length = store.str_len(variable);
            let expected = store.int(points.len());
            let mut equalities = vec![store.eq(length, expected)];
            for (at, &point) in points.iter().enumerate() {
                let at = store.int(at);
                let character = store.str_at(variable, at);
                let expected = store.value(Value::Str([point].into()));
                equalities.push(store.eq(character, expected));
            }
            equalities
        }
        _ => vec![store.eq(variable, constant)],
    }
}

/// Every operator, on variables of small and some larger sorts.
fn all_operators() -> Vec<Case> {
    let (w, v) = (Sort::Bv(4), Sort::Bv(70));
    let (t, s, h, f32) = (
        Sort::Fp(TINY),
        Sort::Fp(SMALL),
        Sort::Fp(FpFormat::HALF),
        Sort::Fp(FpFormat::SINGLE),
    );
    let (rm, int, real, text, b) = (
        Sort::RoundingMode,
        Sort::Int,
        Sort::Real,
        Sort::String,
        Sort::Bool,
    );
    let mut all: Vec<Case> = Vec::new();
    for n in [Sort::Bv(1), w, v] {
        all.extend(cases! {
            bv_not(n); bv_neg(n); bv_and(n, n); bv_or(n, n); bv_xor(n, n); bv_add(n, n);
            bv_mul(n, n); bv_udiv(n, n); bv_urem(n, n); bv_sdiv(n, n); bv_srem(n, n);
            bv_smod(n, n); bv_shl(n, n); bv_lshr(n, n); bv_ashr(n, n); bv_ult(n, n);
            bv_slt(n, n); concat(n, w); concat(w, n); zext(n; 72); sext(n; 72); extract(n; 0; 1); bv_to_nat(n);
        });
    }
    for n in [b, w, v, t, rm, BYTES, int, real, text] {
        all.extend(cases! { eq(n, n); ite(b, n, n); });
    }
    all.extend(cases! {
        not(b); and(b, b); extract(w; 1; 2); extract(v; 3; 65); select(BYTES, Sort::Bv(3)); store(BYTES, Sort::Bv(3), w);
        int_to_bv(int; 3);
        add(int, int); mul(int, int); neg(int); lt(int, int); le(int, int); int_div(int, int);
        int_mod(int, int); add(real, real); mul(real, real); neg(real); lt(real, real);
        le(real, real); real_div(real, real); to_real(int); to_int(real);
    });
    all.push(case(&[w], |st, a| st.const_array(3, a[0])));
    for n in [t, s, h] {
        let Sort::Fp(format) = n else { unreachable!() };
        all.extend(cases! {
            fp_to_bits(n); fp_abs(n); fp_neg(n); fp_add(rm, n, n); fp_mul(rm, n, n);
            fp_div(rm, n, n); fp_fma(rm, n, n, n); fp_sqrt(rm, n); fp_round(rm, n);
            fp_min(n, n); fp_max(n, n); fp_eq(n, n); fp_lt(n, n); fp_le(n, n); fp_is_nan(n);
            fp_is_infinite(n); fp_is_zero(n); fp_is_normal(n); fp_is_subnormal(n);
            fp_is_negative(n); fp_is_positive(n); fp_to_real(n); fp_rem(n, n);
            fp_to_signed(rm, n; 1); fp_to_signed(rm, n; 3); fp_to_signed(rm, n; 8); fp_to_signed(rm, n; 20);
            fp_to_unsigned(rm, n; 1); fp_to_unsigned(rm, n; 3); fp_to_unsigned(rm, n; 8); fp_to_unsigned(rm, n; 20);
            fp_convert(rm, n; TINY); fp_convert(rm, n; SMALL); fp_convert(rm, n; FpFormat::HALF); fp_convert(rm, n; FpFormat::SINGLE);
        });
        for m in [
            Sort::Bv(1),
            w,
            Sort::Bv(12),
            Sort::Bv(20),
            Sort::Bv(40),
            Sort::Bv(100),
        ] {
            all.push(case(&[rm, m], move |st, a| {
                st.fp_from_signed(a[0], a[1], format)
            }));
            all.push(case(&[rm, m], move |st, a| {
                st.fp_from_unsigned(a[0], a[1], format)
            }));
        }
        all.push(case(&[Sort::Bv(format.width() as u16)], move |st, a| {
            st.fp_from_bits(format, a[0])
        }));
        all.push(Case {
            sorts: vec![rm],
            build: Box::new(move |st, rng, a| {
                let r = rng.value(Sort::Real);
                let r = st.value(r);
                st.fp_from_real(a[0], r, format)
            }),
        });
    }
    all.extend(cases! { fp_convert(rm, f32; FpFormat::HALF); fp_convert(rm, f32; TINY);fp_convert(rm, f32; FpFormat{eb: 6, sb:12});fp_convert(rm, f32; FpFormat::DOUBLE); fp_add(rm, f32, f32); fp_to_real(f32); fp_to_signed(rm, f32; 32); fp_to_unsigned(rm, f32; 32); });
    // More precision than exponents: 7.75 rounds to 8, which the format does not have.
    let lacking = Sort::Fp(FpFormat { eb: 3, sb: 6 });
    all.extend(cases! {
        fp_to_signed(rm, lacking; 3); fp_to_signed(rm, lacking; 8); fp_round(rm, lacking);
        fp_to_unsigned(rm, lacking; 3); fp_to_unsigned(rm, lacking; 8);
    });
    all.extend(cases! {
        str_concat(text, text); str_len(text); str_at(text, int); str_substr(text, int, int);
        str_prefix_of(text, text); str_suffix_of(text, text); str_contains(text, text);
        str_index_of(text, text, int); str_replace(text, text, text); str_replace_all(text, text, text);
        str_is_digit(text); str_to_code(text); str_from_code(int); str_to_int(text); str_from_int(int);
        str_lt(text, text); str_le(text, text);
    });
    for _ in 0..12 {
        all.push(Case {
            sorts: vec![text],
            build: Box::new(|st, rng, a| {
                let r = rng.language(st, 3);
                st.str_in_re(a[0], r)
            }),
        });
    }
    all.push(Case {
        sorts: vec![text, text],
        build: Box::new(|st, rng, a| {
            let r = rng.language(st, 1);
            st.str_replace_re(a[0], r, a[1])
        }),
    });
    all.push(Case {
        sorts: vec![text, text],
        build: Box::new(|st, rng, a| {
            let r = rng.language(st, 1);
            st.str_replace_re_all(a[0], r, a[1])
        }),
    });
    all.push(case(&[text, text], |st, a| {
        let r = st.re_from_str(a[1]);
        let r = st.re_star(r);
        st.str_in_re(a[0], r)
    }));
    all.push(case(&[text, text, text], |st, a| {
        let r = st.re_range(a[1], a[2]);
        st.str_in_re(a[0], r)
    }));
    all
}

/// Some of Z3's operators count no steps; those must not keep the others waiting.
fn in_two_seconds(limits: &Limits) -> Limits {
    Limits {
        stop: limits.stop.within(Some(Duration::from_secs(2))),
        ..limits.clone()
    }
}

#[test]
fn z3_says_of_every_operator_what_the_evaluator_says() {
    const SAMPLES: usize = 4;
    let limits = Limits {
        conflicts: Some(5_000),
        ..Limits::default()
    };
    let mut rng = Rng(Random::new(0));
    let (mut tried, mut decided) = (0, 0);
    for case in all_operators() {
        let mut store = Store::new();
        let mut z3 = Z3::fresh();
        let mut evaluator = Evaluator::default();
        let sorts = case.sorts.iter().enumerate();
        let vars: Vec<Term> = sorts
            .map(|(i, &sort)| store.var(&format!("v{i}"), sort))
            .collect();
        for sample in 0..SAMPLES {
            let term = (case.build)(&mut store, &mut rng, &vars);
            let values: Vec<Value> = case.sorts.iter().map(|&sort| rng.value(sort)).collect();
            let mut assignment = Assignment::new();
            for (&var, value) in vars.iter().zip(&values) {
                let variable = store.as_variable(var).expect("it is a variable");
                assignment.set(variable, value.clone());
            }
            let result = evaluator.under(&store, &assignment).value(term);
            let constant = store.value(result.clone());
            let right = store.eq(term, constant);
            let wrong = store.not(right);
            // Z3's simplifier and its solver both get to see the operator.
            let by_simplifier = sample % 2 == 0;
            let mut query = Vec::new();
            for (&var, value) in vars.iter().zip(&values) {
                query.extend(concretized(&mut store, var, value, by_simplifier));
            }
            let op = store.op(term);
            for (claim, holds) in [(wrong, false), (right, true)] {
                query.push(claim);
                tried += 1;
                let answer = match z3.check(&mut store, &query, &in_two_seconds(&limits)) {
                    Verdict::Sat(_) => Some(true),
                    Verdict::Unsat(_) => Some(false),
                    Verdict::Unknown(_) => None,
                };
                if let Some(answer) = answer {
                    assert_eq!(answer, holds, "{op:?} of {values:?} is {result:?}");
                    decided += 1;
                }
                query.pop();
            }
        }
    }
    assert!(
        decided * 10 >= tried * 7,
        "only {decided} of {tried} were decided"
    );
}
