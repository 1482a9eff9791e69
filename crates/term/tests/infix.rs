//! Terms as people read them.

use term::print::infix;
use term::print::infix::{Sign, Vocabulary};
use term::{BitVec, FpFormat, RoundingMode, Signature, Sort, Store, Term, Variable};

/// Builds a term from named bit-vectors of 8 bits and compares its text.
fn check<const N: usize>(
    names: [&str; N],
    build: impl FnOnce(&mut Store, [Term; N]) -> Term,
    expected: &str,
) {
    check_sorted(Sort::Bv(8), names, build, expected);
}

fn check_sorted<const N: usize>(
    sort: Sort,
    names: [&str; N],
    build: impl FnOnce(&mut Store, [Term; N]) -> Term,
    expected: &str,
) {
    let mut store = Store::new();
    let variables = names.map(|name| store.var(name, sort));
    let term = build(&mut store, variables);
    assert_eq!(infix::term(&store, term), expected);
}

#[test]
fn negated_comparisons_read_as_their_opposites() {
    check(["a", "b"], |s, [a, b]| s.bv_ult(a, b), "a <u b");
    check(["a", "b"], |s, [a, b]| s.bv_ule(a, b), "a <=u b");
    check(["a", "b"], |s, [a, b]| s.bv_sle(a, b), "a <=s b");
    check(
        ["a", "b"],
        |s, [a, b]| {
            let equal = s.eq(a, b);
            s.not(equal)
        },
        "a != b",
    );
}

#[test]
fn constants_stand_on_the_right_of_comparisons() {
    check(
        ["x"],
        |s, [x]| {
            let c = s.bv(8, 48);
            s.bv_ule(c, x)
        },
        "x >=u 48",
    );
    check(
        ["x"],
        |s, [x]| {
            let c = s.bv(8, 0xf0);
            s.bv_slt(x, c)
        },
        "x <s -16",
    );
    check_sorted(
        Sort::Fp(FpFormat::SINGLE),
        ["x"],
        |s, [x]| {
            let c = s.fp(FpFormat::SINGLE, u128::from(2.5f32.to_bits()));
            s.fp_lt(c, x)
        },
        "x > 2.5",
    );
}

#[test]
fn connectives_read_as_they_were_meant() {
    let sort = Sort::Bool;
    check_sorted(sort, ["a", "b"], |s, [a, b]| s.and(a, b), "a && b");
    check_sorted(sort, ["a", "b"], |s, [a, b]| s.or(a, b), "a || b");
    check_sorted(sort, ["a", "b"], |s, [a, b]| s.implies(a, b), "a => b");
    check_sorted(
        sort,
        ["a", "b"],
        |s, [a, b]| {
            let both = s.and(a, b);
            s.not(both)
        },
        "!(a && b)",
    );
    check_sorted(
        sort,
        ["a", "b", "c", "d"],
        |s, [a, b, c, d]| {
            let (left, right) = (s.or(a, b), s.or(c, d));
            s.and(left, right)
        },
        "(a || b) && (c || d)",
    );
    check_sorted(
        sort,
        ["a", "b", "c", "d"],
        |s, [a, b, c, d]| {
            let (first, second) = (s.and(a, b), s.and(c, d));
            s.and(first, second)
        },
        "a && b && c && d",
    );
    check_sorted(
        sort,
        ["a", "b", "c"],
        |s, [a, b, c]| s.ite(a, b, c),
        "a ? b : c",
    );
}

#[test]
fn sums_read_as_differences_where_something_is_negative() {
    check(["a", "b"], |s, [a, b]| s.bv_sub(a, b), "a - b");
    check(
        ["x"],
        |s, [x]| {
            let c = s.bv(8, 255);
            s.bv_add(x, c)
        },
        "x - 1",
    );
    check(
        ["x", "y", "z"],
        |s, [x, y, z]| {
            let masked = s.bv_and(y, z);
            s.bv_sub(x, masked)
        },
        "x - (y & z)",
    );
    check_sorted(
        Sort::Int,
        ["n"],
        |s, [n]| {
            let c = s.int(-7);
            s.add(n, c)
        },
        "n - 7",
    );
}

#[test]
fn parentheses_stand_only_where_they_are_needed() {
    check(
        ["a", "b", "c"],
        |s, [a, b, c]| {
            let product = s.bv_mul(b, c);
            s.bv_add(product, a)
        },
        "a + b * c",
    );
    check(
        ["a", "b", "c"],
        |s, [a, b, c]| {
            let sum = s.bv_add(a, b);
            s.bv_mul(sum, c)
        },
        "c * (a + b)",
    );
    check(
        ["a", "b", "c"],
        |s, [a, b, c]| {
            let quotient = s.bv_udiv(b, c);
            s.bv_udiv(a, quotient)
        },
        "a /u (b /u c)",
    );
    check(
        ["a", "b"],
        |s, [a, b]| {
            let not = s.bv_not(a);
            let masked = s.bv_and(not, b);
            let shifted = s.bv_lshr(masked, b);
            s.bv_xor(shifted, a)
        },
        "a ^ (b & ~a) >>u b",
    );
}

#[test]
fn widths_show_where_bits_are_moved() {
    check(["x", "y"], |s, [x, y]| s.concat(x, y), "x :: y");
    check(
        ["x"],
        |s, [x]| {
            let zero = s.bv(4, 5);
            s.concat(zero, x)
        },
        "0x5 :: x",
    );
    check(["x"], |s, [x]| s.extract(x, 2, 4), "x[5:2]");
    check(["x"], |s, [x]| s.extract(x, 7, 1), "x[7]");
    check(["x"], |s, [x]| s.zext(x, 32), "zext32(x)");
    check(["x"], |s, [x]| s.sext(x, 64), "sext64(x)");
}

#[test]
fn shifts_by_constants_read_as_shifts() {
    let by = |build: fn(&mut Store, Term, Term) -> Term| {
        move |s: &mut Store, [x]: [Term; 1]| {
            let three = s.bv(8, 3);
            build(s, x, three)
        }
    };
    check(["x"], by(Store::bv_lshr), "x >>u 3");
    check(["x"], by(Store::bv_ashr), "x >>s 3");
    check(["x"], by(Store::bv_shl), "x << 3");
    check(
        ["x"],
        |s, [x]| {
            let top = s.extract(x, 3, 5);
            s.zext(top, 8)
        },
        "x >>u 3",
    );
}

#[test]
fn arrays_read_like_arrays() {
    let sort = Sort::Array {
        index: 32,
        element: 8,
    };
    check_sorted(
        sort,
        ["m"],
        |s, [m]| {
            let [i, j] = ["i", "j"].map(|name| s.var(name, Sort::Bv(32)));
            let nine = s.bv(8, 9);
            let next = s.bv_add(i, j);
            let written = s.store(m, i, nine);
            s.select(written, next)
        },
        "m[i := 9][i + j]",
    );
    check_sorted(
        sort,
        ["m"],
        |s, [m]| {
            let table = s.table(32, 8, &[7, 0, 300]);
            s.eq(m, table)
        },
        "m == {0: 7, 2: 44, else 0}",
    );
}

#[test]
fn floats_read_like_floats() {
    let sort = Sort::Fp(FpFormat::DOUBLE);
    check_sorted(
        sort,
        ["x", "y"],
        |s, [x, y]| {
            let rne = s.rounding(RoundingMode::NearestEven);
            let half = s.fp(FpFormat::DOUBLE, u128::from(0.5f64.to_bits()));
            let product = s.fp_mul(rne, x, half);
            let difference = s.fp_sub(rne, product, y);
            s.fp_le(difference, y)
        },
        "x * 0.5 - y <= y",
    );
    check_sorted(
        sort,
        ["x", "y"],
        |s, [x, y]| {
            let rtz = s.rounding(RoundingMode::TowardZero);
            let sum = s.fp_add(rtz, x, y);
            s.fp_to_signed(rtz, sum, 32)
        },
        "signed32(RTZ, add(RTZ, x, y))",
    );
    check_sorted(sort, ["x", "y"], |s, [x, y]| s.eq(x, y), "x === y");
    check_sorted(sort, ["x", "y"], |s, [x, y]| s.fp_eq(x, y), "x == y");
}

#[test]
fn strings_and_languages_read_like_patterns() {
    check_sorted(
        Sort::String,
        ["s"],
        |s, [x]| {
            let (zero, nine) = (s.string("0"), s.string("9"));
            let digit = s.re_range(zero, nine);
            let digits = s.re_star(digit);
            let (minus, dot) = (s.string("-"), s.string("."));
            let (minus, dot) = (s.re_from_str(minus), s.re_from_str(dot));
            let sign = s.re_loop(minus, 0, 1);
            let either = s.re_union(digits, dot);
            let language = s.re_concat(sign, either);
            s.str_in_re(x, language)
        },
        r"s in /\-{0,1}([0-9]*|\.)/",
    );
    check_sorted(
        Sort::String,
        ["s"],
        |s, [x]| {
            let quoted = s.string("a\"b\\\n");
            let both = s.str_concat(x, quoted);
            s.str_to_int(both)
        },
        r#"to_int(s ++ "a\"b\\\u{a}")"#,
    );
}

#[test]
fn shared_parts_are_named_once() {
    check(
        ["x", "y"],
        |s, [x, y]| {
            let product = s.bv_mul(x, y);
            let quotient = s.bv_udiv(product, y);
            let rest = s.bv_urem(quotient, x);
            let square = s.bv_mul(rest, rest);
            s.bv_ult(square, rest)
        },
        "let t1 = ((x * y) /u y) %u x\nt1 * t1 <u t1",
    );
}

#[test]
fn names_of_parts_avoid_names_of_variables() {
    check(
        ["t1", "y"],
        |s, [x, y]| {
            let product = s.bv_mul(x, y);
            let quotient = s.bv_udiv(product, y);
            let rest = s.bv_urem(quotient, x);
            let more = s.bv_udiv(rest, y);
            s.bv_udiv(more, rest)
        },
        "let $t1 = ((t1 * y) /u y) %u t1\n($t1 /u y) /u $t1",
    );
}

#[test]
fn variables_of_one_name_are_told_apart_by_their_sorts() {
    let mut store = Store::new();
    let narrow = store.var("x", Sort::Bv(8));
    let wide = store.var("x", Sort::Bv(32));
    let widened = store.zext(narrow, 32);
    let less = store.bv_ult(widened, wide);
    assert_eq!(infix::term(&store, less), "zext32(x:bv8) <u x:bv32");
}

#[test]
fn functions_read_as_calls() {
    let mut store = Store::new();
    let f = store.function(Signature {
        name: "f".into(),
        parameters: vec![Sort::Int, Sort::Int],
        result: Sort::Int,
    });
    let n = store.var("n", Sort::Int);
    let two = store.int(2);
    let (twice, half) = (store.mul(n, two), store.int_div(n, two));
    let applied = store.apply(f, &[twice, half]);
    assert_eq!(infix::term(&store, applied), "f(n * 2, n div 2)");
}

#[test]
fn a_doubling_term_stays_small() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut term = store.bv_udiv(x, y);
    for _ in 0..40 {
        let rest = store.bv_urem(term, y);
        term = store.bv_udiv(rest, term);
    }
    let mut expected = vec!["let t1 = ((x /u y) %u y) /u (x /u y)".to_owned()];
    for n in 2..40 {
        let m = n - 1;
        expected.push(format!("let t{n} = (t{m} %u y) /u t{m}"));
    }
    expected.push("(t39 %u y) /u t39".to_owned());
    let text = infix::term(&store, term);
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_term_a_million_levels_deep_is_cut_into_lines() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut term = x;
    for _ in 0..500_000 {
        term = store.bv_mul(term, x);
        term = store.bv_xor(term, y);
    }
    let text = infix::term(&store, term);
    assert!(text.lines().all(|line| line.len() < 300));
    assert!(text.lines().count() > 1000);
}

#[test]
fn several_terms_share_their_lines() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let product = store.bv_mul(x, y);
    let quotient = store.bv_udiv(product, y);
    let rest = store.bv_urem(quotient, x);
    let less = store.bv_ult(rest, y);
    let greater = store.bv_ult(x, rest);
    assert_eq!(
        infix::terms(&store, &[less, greater]),
        "let t1 = ((x * y) /u y) %u x\nt1 <u y\nx <u t1"
    );
}

/// Variables whose names begin with `u` are unsigned, with `b` truth values, and constants
/// beside a `c` are letters.
struct ByName<'a>(&'a Store);

impl ByName<'_> {
    fn begins(&self, variable: Variable, letter: char) -> bool {
        self.0.variable_name(variable).starts_with(letter)
    }
}

impl Vocabulary for ByName<'_> {
    fn name(&self, store: &Store, variable: Variable) -> String {
        format!("in.{}", store.variable_name(variable))
    }

    fn sign(&self, variable: Variable) -> Sign {
        match self.begins(variable, 'u') {
            true => Sign::Unsigned,
            false => Sign::Signed,
        }
    }

    fn constant(&self, variable: Variable, value: &BitVec) -> Option<String> {
        let letter = char::from(value.to_u128() as u8);
        (self.begins(variable, 'c')).then(|| format!("'{letter}'"))
    }

    fn is_bool(&self, variable: Variable) -> bool {
        self.begins(variable, 'b')
    }
}

#[track_caller]
fn check_in_words<const N: usize>(
    names: [&str; N],
    build: impl FnOnce(&mut Store, [Term; N]) -> Term,
    expected: &str,
) {
    let mut store = Store::new();
    let variables = names.map(|name| store.var(name, Sort::Bv(16)));
    let term = build(&mut store, variables);
    let words = ByName(&store);
    assert_eq!(infix::term_in(&store, term, &words), expected);
}

#[test]
fn operators_are_marked_only_where_the_types_say_otherwise() {
    check_in_words(["u", "v"], |s, [u, v]| s.bv_slt(u, v), "(short)in.u < in.v");
    check_in_words(["x", "y"], |s, [x, y]| s.bv_slt(x, y), "in.x < in.y");
    let below = |s: &mut Store, [x, y]: [Term; 2]| s.bv_ult(x, y);
    check_in_words(
        ["x", "y"],
        below,
        "(unsigned short)in.x < (unsigned short)in.y",
    );
    let low = |s: &mut Store, [x]: [Term; 1]| {
        let (low, three) = (s.extract(x, 0, 8), s.bv(8, 3));
        s.bv_slt(low, three)
    };
    check_in_words(["x"], low, "(signed char)(unsigned char)in.x < 3");
    let shifted = |s: &mut Store, [x, y]: [Term; 2]| s.bv_lshr(x, y);
    check_in_words(["x", "y"], shifted, "(unsigned short)in.x >> in.y");
    let above = |s: &mut Store, [u, ub]: [Term; 2]| {
        let (low, zeros) = (s.extract(u, 0, 8), s.bv(8, 0));
        let above = s.concat(low, zeros);
        s.bv_ult(above, ub)
    };
    check_in_words(["u", "ub"], above, "in.u << 8 < in.ub");
    check_in_words(["u", "ub"], |s, [u, v]| s.bv_ult(u, v), "in.u < in.ub");
    check_in_words(["u", "ub"], |s, [u, v]| s.bv_udiv(u, v), "in.u / in.ub");
}

#[test]
fn widened_numbers_are_casts_where_they_keep_their_value() {
    let widened = |store: &mut Store, [x, y]: [Term; 2]| {
        let (x, y) = (store.zext(x, 32), store.sext(y, 32));
        store.bv_mul(x, y)
    };
    check_in_words(["u", "y"], widened, "(int)in.u * (int)in.y");
    check_in_words(["x", "u"], widened, "(unsigned short)in.x * (short)in.u");
}

#[test]
fn constants_have_the_words_of_what_they_are_compared_with() {
    let equals = |store: &mut Store, [x]: [Term; 1]| {
        let constant = store.bv(16, 97);
        store.eq(x, constant)
    };
    check_in_words(["c"], equals, "in.c == 'a'");
    check_in_words(["x"], equals, "in.x == 97");
    let minus = |store: &mut Store, [x]: [Term; 1]| {
        let constant = store.bv(16, 0xfffe);
        store.eq(x, constant)
    };
    check_in_words(["x"], minus, "in.x == -2");
    check_in_words(["u"], minus, "in.u == 65534");
}

#[test]
fn truth_values_are_not_compared() {
    let first = |store: &mut Store, b: Term| {
        let (bit, one) = (store.extract(b, 0, 1), store.bv(1, 1));
        store.eq(bit, one)
    };
    check_in_words(["b"], |s, [b]| first(s, b), "in.b");
    check_in_words(
        ["b"],
        |s, [b]| {
            let first = first(s, b);
            s.not(first)
        },
        "!in.b",
    );
}

#[test]
fn bits_are_written_as_c_takes_them_out() {
    let equal = |low: u16, width: u16, value: u64| {
        move |store: &mut Store, [x]: [Term; 1]| {
            let (bits, value) = (store.extract(x, low, width), store.bv(width, value));
            store.eq(bits, value)
        }
    };
    check_in_words(["x"], equal(0, 2, 3), "(in.x & 3) == 3");
    check_in_words(["x"], equal(4, 5, 3), "((in.x >> 4) & 0x1f) == 3");
    check_in_words(["x"], equal(12, 4, 3), "((in.x >> 12) & 0xf) == 3");
    check_in_words(["u"], equal(12, 4, 3), "in.u >> 12 == 3");
    check_in_words(["x"], equal(0, 8, 200), "(unsigned char)in.x == 200");
    check_in_words(["x"], equal(1, 1, 1), "(in.x & 2) != 0");
    check_in_words(["x"], equal(6, 1, 0), "(in.x & 0x40) == 0");
    check_in_words(
        ["x"],
        |store, [x]| {
            let equal = equal(3, 1, 1)(store, [x]);
            store.not(equal)
        },
        "(in.x & 8) == 0",
    );
}

#[test]
fn bits_that_are_widened_and_joined_are_shifts_and_masks() {
    check_in_words(
        ["x", "y"],
        |store, [x, y]| {
            let low = store.extract(x, 0, 3);
            let low = store.zext(low, 16);
            store.bv_slt(y, low)
        },
        "in.y < (in.x & 7)",
    );
    check_in_words(
        ["u"],
        |store, [u]| {
            let (low, high) = (store.extract(u, 0, 8), store.extract(u, 8, 8));
            let swapped = store.concat(low, high);
            store.bv_ult(u, swapped)
        },
        "in.u < ((unsigned char)in.u << 8 | in.u >> 8)",
    );
    check_in_words(
        ["x", "y"],
        |store, [x, y]| {
            let (both, zero) = (store.concat(x, y), store.bv(32, 9));
            store.eq(both, zero)
        },
        "in.y == 9 && in.x == 0",
    );
    check_in_words(
        ["x", "y"],
        |store, [x, y]| {
            let (one, other) = (store.concat(x, y), store.concat(y, x));
            store.bv_ult(one, other)
        },
        "(in.x << 16 | (unsigned short)in.y) < (in.y << 16 | (unsigned short)in.x)",
    );
}
