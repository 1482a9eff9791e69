//! What is printed as SMT-LIB, and that reading it back gives the same.

#[path = "support/random_terms.rs"]
mod random_terms;

use random_terms::Terms;
use term::print::smtlib;
use term::smtlib::{Command, parse};
use term::{
    Assignment, BitVec, Evaluator, FpFormat, RoundingMode, Signature, Sort, Store, Term, Value, fp,
    free_variables, functions,
};

/// The script of what is built, without its first and last line.
fn body(build: impl FnOnce(&mut Store) -> Vec<Term>) -> String {
    let mut store = Store::new();
    let constraints = build(&mut store);
    let script = smtlib::script(&store, &constraints);
    let (_, rest) = script.split_once('\n').unwrap();
    rest.strip_suffix("(check-sat)\n").unwrap().to_owned()
}

fn logic(sort: Sort, build: impl FnOnce(&mut Store, Term) -> Term) -> String {
    let mut store = Store::new();
    let x = store.var("x", sort);
    let built = build(&mut store, x);
    let y = store.var("y", store.sort(built));
    let equal = store.eq(built, y);
    let script = smtlib::script(&store, &[equal]);
    let (first, _) = script.split_once('\n').unwrap();
    first.to_owned()
}

#[test]
fn the_logic_is_the_narrowest() {
    let f = |result| Signature {
        name: "f".into(),
        parameters: vec![result],
        result,
    };
    let applied = |store: &mut Store, x: Term| {
        let f = store.function(f(store.sort(x)));
        store.apply(f, &[x])
    };
    let array = Sort::Array {
        index: 8,
        element: 8,
    };
    let float = Sort::Fp(FpFormat::HALF);
    assert_eq!(logic(Sort::Bool, |_, x| x), "(set-logic QF_UF)");
    assert_eq!(logic(Sort::Bv(8), |_, x| x), "(set-logic QF_BV)");
    assert_eq!(logic(array, |_, x| x), "(set-logic QF_ABV)");
    assert_eq!(logic(Sort::Bv(8), applied), "(set-logic QF_UFBV)");
    assert_eq!(logic(array, applied), "(set-logic QF_AUFBV)");
    assert_eq!(logic(float, |s, x| s.fp_abs(x)), "(set-logic QF_FP)");
    assert_eq!(logic(float, |s, x| s.fp_to_bits(x)), "(set-logic QF_BVFP)");
    assert_eq!(logic(float, applied), "(set-logic ALL)");
    assert_eq!(logic(float, |s, x| s.fp_to_real(x)), "(set-logic ALL)");
    assert_eq!(logic(Sort::Int, |s, x| s.neg(x)), "(set-logic QF_LIA)");
    assert_eq!(logic(Sort::Int, |s, x| s.mul(x, x)), "(set-logic QF_NIA)");
    assert_eq!(logic(Sort::Real, |s, x| s.neg(x)), "(set-logic QF_LRA)");
    assert_eq!(logic(Sort::Int, |s, x| s.to_real(x)), "(set-logic QF_LIRA)");
    assert_eq!(logic(Sort::Int, applied), "(set-logic QF_UFLIA)");
    assert_eq!(
        logic(Sort::String, |s, x| s.str_len(x)),
        "(set-logic QF_SLIA)"
    );
    assert_eq!(logic(Sort::Bv(8), |s, x| s.bv_to_nat(x)), "(set-logic ALL)");
}

#[test]
fn names_are_quoted_and_told_apart() {
    let text = body(|store| {
        let signature = |name: &str| Signature {
            name: name.into(),
            parameters: vec![Sort::Bool],
            result: Sort::Bool,
        };
        let mut terms: Vec<Term> = [
            "x", "a b", "", "x!1", "select", "assert", "7up", "a|b", "@k",
        ]
        .into_iter()
        .map(|name| store.var(name, Sort::Bool))
        .collect();
        let narrow = store.var("x", Sort::Bv(1));
        let one = store.bv(1, 1);
        terms.push(store.eq(narrow, one));
        let f = store.function(signature("x"));
        terms.push(store.apply(f, &[terms[0]]));
        terms
    });
    let expected = "\
(declare-const x Bool)
(declare-const |a b| Bool)
(declare-const || Bool)
(declare-const x!1 Bool)
(declare-const select!1 Bool)
(declare-const |assert| Bool)
(declare-const |7up| Bool)
(declare-const |a_b| Bool)
(declare-const |@k| Bool)
(declare-const x!2 (_ BitVec 1))
(declare-fun x!3 (Bool) Bool)
(assert x)
(assert |a b|)
(assert ||)
(assert x!1)
(assert select!1)
(assert |assert|)
(assert |7up|)
(assert |a_b|)
(assert |@k|)
(assert (= x!2 #b1))
(assert (x!3 x))
";
    assert_eq!(text, expected);
}

#[test]
fn parts_used_twice_are_bound() {
    let text = body(|store| {
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(8)));
        let product = store.bv_mul(x, y);
        let quotient = store.bv_udiv(x, y);
        let both = store.bv_urem(product, quotient);
        let shifted = store.bv_shl(both, product);
        let third = store.bv_lshr(shifted, quotient);
        vec![store.bv_slt(third, shifted)]
    });
    let expected = "\
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (let ((?1 (bvmul x y)) (?2 (bvudiv x y))) \
(let ((?3 (bvshl (bvurem ?1 ?2) ?1))) (bvslt (bvlshr ?3 ?2) ?3))))
";
    assert_eq!(text, expected);
}

#[test]
fn parts_of_several_assertions_are_defined() {
    let text = body(|store| {
        let [x, y] = ["?1", "y"].map(|name| store.var(name, Sort::Bv(8)));
        let product = store.bv_mul(x, y);
        let quotient = store.bv_udiv(product, y);
        let less = store.bv_ult(quotient, x);
        let more = store.bv_ult(x, quotient);
        vec![less, more]
    });
    let expected = "\
(declare-const ?1 (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun ??1 () (_ BitVec 8) (bvudiv (bvmul ?1 y) y))
(assert (bvult ??1 ?1))
(assert (bvult ?1 ??1))
";
    assert_eq!(text, expected);
}

/// The printed form of what is built from two variables of this sort.
fn printed(sort: Sort, build: impl FnOnce(&mut Store, Term, Term) -> Term) -> String {
    let mut store = Store::new();
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let built = build(&mut store, x, y);
    smtlib::term(&store, built)
}

#[test]
fn what_smt_lib_leaves_open_is_printed_with_its_cases() {
    assert_eq!(
        printed(Sort::Int, |s, x, y| s.int_div(x, y)),
        "(ite (= y 0) 0 (div x y))"
    );
    assert_eq!(
        printed(Sort::Int, |s, x, y| s.int_mod(x, y)),
        "(ite (= y 0) x (mod x y))"
    );
    assert_eq!(
        printed(Sort::Real, |s, x, y| s.real_div(x, y)),
        "(ite (= y 0.0) 0.0 (/ x y))"
    );
    let by_three = |s: &mut Store, x, _| {
        let three = s.int(-3);
        s.int_div(x, three)
    };
    assert_eq!(printed(Sort::Int, by_three), "(div x (- 3))");
    let half = Sort::Fp(FpFormat::HALF);
    assert_eq!(
        printed(half, |s, x, y| s.fp_min(x, y)),
        "(ite (and (fp.isZero x) (fp.isZero y)) (ite (fp.isNegative x) x y) (fp.min x y))"
    );
    assert_eq!(
        printed(half, |s, x, y| s.fp_max(x, y)),
        "(ite (and (fp.isZero x) (fp.isZero y)) (ite (fp.isNegative x) y x) (fp.max x y))"
    );
    let with_one = |s: &mut Store, x, _| {
        let one = s.fp(FpFormat::HALF, 0x3c00);
        s.fp_min(x, one)
    };
    assert_eq!(
        printed(half, with_one),
        "(fp.min x (fp #b0 #b01111 #b0000000000))"
    );
    assert_eq!(
        printed(half, |s, x, _| s.fp_to_real(x)),
        "(ite (or (fp.isNaN x) (fp.isInfinite x)) 0.0 (fp.to_real x))"
    );
    let to_byte = |s: &mut Store, x, _| {
        let rtz = s.rounding(RoundingMode::TowardZero);
        s.fp_to_signed(rtz, x, 8)
    };
    assert_eq!(
        printed(half, to_byte),
        "(let ((?r (fp.roundToIntegral RTZ x))) (ite (fp.isNaN ?r) #x00 \
         (ite (fp.lt ?r (fp #b1 #b10110 #b0000000000)) #x80 \
         (ite (fp.lt (fp #b0 #b10101 #b1111110000) ?r) #x7f ((_ fp.to_sbv 8) RTZ ?r)))))"
    );
    assert_eq!(
        printed(half, |s, x, _| s.fp_to_bits(x)),
        "(ite (fp.isNaN x) #b0111111000000000 (fp.to_ieee_bv x))"
    );
}

#[test]
fn indices_are_printed() {
    let byte = Sort::Bv(8);
    assert_eq!(
        printed(byte, |s, x, _| s.extract(x, 2, 4)),
        "((_ extract 5 2) x)"
    );
    assert_eq!(
        printed(byte, |s, x, _| s.zext(x, 32)),
        "((_ zero_extend 24) x)"
    );
    assert_eq!(
        printed(byte, |s, x, _| s.sext(x, 9)),
        "((_ sign_extend 1) x)"
    );
    assert_eq!(
        printed(byte, |s, x, _| s.const_array(4, x)),
        "((as const (Array (_ BitVec 4) (_ BitVec 8))) x)"
    );
    assert_eq!(
        printed(Sort::Int, |s, x, _| s.int_to_bv(x, 5)),
        "((_ int2bv 5) x)"
    );
    assert_eq!(
        printed(Sort::String, |s, x, _| {
            let re = s.re_from_str(x);
            s.re_loop(re, 2, 7)
        }),
        "((_ re.loop 2 7) (str.to_re x))"
    );
    let rm = |s: &mut Store| s.rounding(RoundingMode::NearestAway);
    assert_eq!(
        printed(byte, |s, x, _| {
            let rm = rm(s);
            s.fp_from_unsigned(rm, x, FpFormat::SINGLE)
        }),
        "((_ to_fp_unsigned 8 24) RNA x)"
    );
    assert_eq!(
        printed(byte, |s, x, _| {
            let rm = rm(s);
            s.fp_from_signed(rm, x, FpFormat::SINGLE)
        }),
        "((_ to_fp 8 24) RNA x)"
    );
}

#[test]
fn values_are_printed_as_literals() {
    let mut array = term::ArrayValue::filled(4, BitVec::zero(8));
    array.set(BitVec::from_u64(4, 3), BitVec::from_u64(8, 255));
    array.set(BitVec::from_u64(4, 1), BitVec::from_u64(8, 16));
    let fraction = |a: i32, b: i32| Value::Real(num_rational::BigRational::new(a.into(), b.into()));
    let half = FpFormat::HALF;
    let cases = [
        (Value::Bool(true), "true"),
        (Value::Bv(BitVec::from_u64(8, 10)), "#x0a"),
        (Value::Bv(BitVec::from_u64(7, 10)), "#b0001010"),
        (Value::Bv(BitVec::ones(68)), "#xfffffffffffffffff"),
        (Value::Fp(half, fp::nan(half)), "(_ NaN 5 11)"),
        (Value::Fp(half, fp::infinity(half, true)), "(_ -oo 5 11)"),
        (Value::Fp(half, 0), "(_ +zero 5 11)"),
        (Value::Fp(half, 0xc001), "(fp #b1 #b10000 #b0000000001)"),
        (Value::Rm(RoundingMode::TowardNegative), "RTN"),
        (Value::Int(42.into()), "42"),
        (Value::Int((-42).into()), "(- 42)"),
        (fraction(3, 1), "3.0"),
        (fraction(-1, 3), "(- (/ 1.0 3.0))"),
        (
            Value::Str([0x61, 0x22, 0x5c, 0x2fff0, 0x7e].as_slice().into()),
            r#""a""\u{5c}\u{2fff0}~""#,
        ),
        (
            Value::Array(std::rc::Rc::new(array)),
            "(store (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) \
             #x1 #x10) #x3 #xff)",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(smtlib::value(&value), expected);
    }
}

#[test]
fn constant_languages_are_printed_as_terms() {
    let text = printed(Sort::String, |s, x, _| {
        let [a, b, word] = ["a", "b", "wo\"rd"].map(|text| s.string(text));
        let range = s.re_range(a, b);
        let word = s.re_from_str(word);
        let either = s.re_union(range, word);
        let many = s.re_star(either);
        let some = s.re_loop(many, 1, 4);
        let none = s.re_comp(some);
        s.str_in_re(x, none)
    });
    assert_eq!(
        text,
        "(str.in_re x (re.comp ((_ re.loop 1 4) (re.* \
         (re.union (re.range \"a\" \"b\") (str.to_re \"wo\"\"rd\"))))))"
    );
}

#[test]
fn the_bits_of_a_float_are_a_constant_of_their_own() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Fp(FpFormat::HALF));
    let bits = store.fp_to_bits(x);
    let limit = store.bv(16, 100);
    let less = store.bv_ult(bits, limit);
    let script = smtlib::script(&store, &[less]);
    assert_eq!(
        script,
        "\
(set-logic QF_BVFP)
(declare-const x (_ FloatingPoint 5 11))
(declare-const ?b1 (_ BitVec 16))
(assert (and (= ((_ to_fp 5 11) ?b1) x) (=> (fp.isNaN x) (= ?b1 #b0111111000000000))))
(assert (bvult ?b1 #x0064))
(check-sat)
"
    );
    // The constant can be nothing but the bits.
    let terms = read(&mut store, &script);
    let b = store.var("?b1", Sort::Bv(16));
    let [x, b] = [x, b].map(|term| store.as_variable(term).unwrap());
    for (float, bits, expected) in [
        (5, 5, true),
        (5, 6, false),
        (0x7e00, 0x7e00, true),
        (0x7e00, 0x7e01, false),
    ] {
        let mut assignment = Assignment::new();
        assignment.set(x, Value::Fp(FpFormat::HALF, float));
        assignment.set(b, Value::Bv(BitVec::from_u64(16, bits)));
        let holds = Evaluator::default().all_hold(&store, &assignment, &terms[..1]);
        assert_eq!(holds, expected, "{float:x} {bits:x}");
    }
}

fn read(store: &mut Store, text: &str) -> Vec<Term> {
    let script = parse(store, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let terms = script.commands.into_iter().flat_map(|c| match c.command {
        Command::Assert { term, .. } => vec![term],
        Command::GetValue(values) => values.into_iter().map(|(_, term)| term).collect(),
        _ => vec![],
    });
    terms.collect()
}

/// Declarations of everything that occurs in `roots`.
fn declarations(store: &Store, roots: &[Term]) -> String {
    let variables = free_variables(store, roots).into_iter().map(|variable| {
        let name = smtlib::symbol(store.variable_name(variable));
        format!("(declare-const {name} {})", store.variable_sort(variable))
    });
    let functions = functions(store, roots).into_iter().map(|function| {
        let signature = store.signature(function);
        let parameters: Vec<String> = signature.parameters.iter().map(Sort::to_string).collect();
        let (name, parameters) = (smtlib::symbol(&signature.name), parameters.join(" "));
        format!("(declare-fun {name} ({parameters}) {})", signature.result)
    });
    variables.chain(functions).collect()
}

#[test]
fn printed_terms_read_back_are_the_same_or_equal() {
    let (mut same, mut all) = (0, 0);
    for seed in 100..160 {
        let mut store = Store::new();
        let mut terms = Terms::new(&mut store, seed);
        let roots: Vec<Term> = (0..200).map(|_| terms.grow(&mut store)).collect();
        let header = declarations(&store, &roots);
        let assignments: Vec<Assignment> = (0..4).map(|_| terms.assignment(&store)).collect();
        let mut evaluator = Evaluator::default();
        for &root in &roots {
            let text = smtlib::term(&store, root);
            let [copy] = read(&mut store, &format!("{header}(get-value ({text}))"))[..] else {
                panic!("one term was printed");
            };
            all += 1;
            if copy == root {
                same += 1;
                continue;
            }
            for assignment in &assignments {
                let mut evaluation = evaluator.under(&store, assignment);
                let (value, again) = (evaluation.value(root), evaluation.value(copy));
                match (value, again) {
                    (Value::Re(value), Value::Re(again)) => {
                        for word in ["", "a", "b", "1", "ab", "a0\"", "000"] {
                            let word: Vec<u32> = word.chars().map(u32::from).collect();
                            assert_eq!(value.accepts(&word), again.accepts(&word), "{text}");
                        }
                    }
                    (value, again) => assert_eq!(value, again, "seed {seed}: {text}"),
                }
            }
        }
    }
    assert!(same * 2 > all, "{same} of {all} are the same");
}

#[test]
fn printed_scripts_read_back_hold_under_the_same_assignments() {
    for seed in 200..240 {
        let mut store = Store::new();
        let mut terms = Terms::new(&mut store, seed);
        for _ in 0..150 {
            terms.grow(&mut store);
        }
        let has_bits = |store: &Store, term| {
            let parts = term::post_order(store, &[term]);
            parts
                .iter()
                .any(|&part| store.op(part) == term::Op::FpToBits)
        };
        let mut constraints: Vec<Term> = (0..20)
            .map(|_| terms.grow_sort(&mut store, Sort::Bool))
            .collect();
        constraints.retain(|&term| !has_bits(&store, term));
        let script = smtlib::script(&store, &constraints);
        let copies = read(&mut store, &script);
        assert_eq!(copies.len(), constraints.len());
        for _ in 0..4 {
            let assignment = terms.assignment(&store);
            let mut evaluator = Evaluator::default();
            let mut evaluation = evaluator.under(&store, &assignment);
            for (&constraint, &copy) in constraints.iter().zip(&copies) {
                let (ours, theirs) = (evaluation.holds(constraint), evaluation.holds(copy));
                assert_eq!(ours, theirs, "seed {seed}: {script}");
            }
        }
    }
}

#[test]
fn a_term_a_million_levels_deep_is_printed() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut root = x;
    for _ in 0..500_000 {
        root = store.bv_mul(root, x);
        root = store.bv_xor(root, y);
    }
    let limit = store.bv(32, 7);
    let less = store.bv_ult(root, limit);
    let text = smtlib::script(&store, &[less]);
    assert_eq!(read(&mut store, &text), [less]);
}

#[test]
fn names_bound_a_hundred_thousand_deep_are_printed() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut root = x;
    for _ in 0..100_000 {
        let rest = store.bv_urem(root, y);
        root = store.bv_udiv(rest, root);
    }
    let less = store.bv_ult(root, y);
    let text = smtlib::script(&store, &[less]);
    assert_eq!(read(&mut store, &text), [less]);
}
