//! What the reader makes of scripts.

#[path = "support/random_terms.rs"]
mod random_terms;

use term::smtlib::{self, Command};
use term::{Assignment, Evaluator, Sort, Store, Term, Value, print};

const RECORDED: &str = include_str!("../../../tests/queries/recorded.smt2");

fn commands(store: &mut Store, text: &str) -> Vec<Command> {
    let script = smtlib::parse(store, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    script.commands.into_iter().map(|c| c.command).collect()
}

fn assertions(store: &mut Store, text: &str) -> Vec<Term> {
    let commands = commands(store, text);
    let asserted = commands.into_iter().filter_map(|command| match command {
        Command::Assert { term, .. } => Some(term),
        _ => None,
    });
    asserted.collect()
}

/// Whether the closed formula holds.
fn holds(formula: &str) -> bool {
    let mut store = Store::new();
    let terms = assertions(&mut store, &format!("(assert {formula})"));
    Evaluator::default().all_hold(&store, &Assignment::new(), &terms)
}

/// Each of these closed formulas holds.
fn check_all(formulas: &[&str]) {
    for formula in formulas {
        assert!(holds(formula), "{formula}");
    }
}

#[test]
fn every_recorded_query_is_read() {
    let mut answers = [0; 3];
    for query in RECORDED.split("; == ").skip(1) {
        let (name, text) = query.split_once('\n').unwrap();
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).unwrap_or_else(|e| panic!("{name}:{e}"));
        let commands: Vec<Command> = script.commands.into_iter().map(|c| c.command).collect();
        let Some(Command::SetInfo(key, status)) = commands.get(1) else {
            panic!("{name} has no status");
        };
        assert_eq!(key, "status");
        let known = ["sat", "unsat", "unknown"];
        let status = known.iter().position(|known| known == status).unwrap();
        answers[status] += 1;
        assert_eq!(commands.last(), Some(&Command::CheckSat));
    }
    assert_eq!(answers, [1221, 426, 1]);
}

#[test]
fn every_recorded_query_survives_printing() {
    for query in RECORDED.split("; == ").skip(1) {
        let (name, text) = query.split_once('\n').unwrap();
        let mut store = Store::new();
        let read = assertions(&mut store, text);
        let printed = print::smtlib::script(&store, &read);
        assert_eq!(assertions(&mut store, &printed), read, "{name}");
    }
}

#[test]
fn commands_come_with_their_places() {
    let mut store = Store::new();
    let text = "(set-logic QF_BV) (set-info :source |some\ntext|)\n\n  (declare-const x Bool)\n\
                ;comment\n(declare-fun f (Bool) Int)(assert x)\n(check-sat)";
    let script = smtlib::parse(&mut store, text).unwrap();
    let places: Vec<_> = script.commands.iter().map(|c| (c.line, c.column)).collect();
    assert_eq!(places, [(1, 1), (1, 19), (4, 3), (6, 1), (6, 27), (7, 1)]);
}

#[test]
fn commands_carry_what_they_say() {
    let mut store = Store::new();
    let text = r#"(set-logic QF_UFLIA)
        (set-option :produce-models true)
        (set-info :notes "a ""quoted"" word")
        (set-info :license)
        (declare-const x Int)
        (declare-fun f (Int) Int)
        (define-fun g ((a Int)) Int (f (+ a 1)))
        (define-const c Int (g x))
        (assert (! (= c 0) :named zero))
        (assert (> x 0))
        (check-sat)
        (check-sat-assuming (zero (not zero)))
        (get-model)
        (get-value (x (g  x)))
        (get-unsat-core)
        (get-info :name)
        (get-option :verbosity)
        (get-assertions)
        (push) (push 2) (pop 2) (pop)
        (echo "hi")
        (reset-assertions)
        (reset)
        (exit)
        (this is not read"#;
    let read = commands(&mut store, text);
    let x = store.var("x", Sort::Int);
    let variable = store.as_variable(x).unwrap();
    let f = store.function(term::Signature {
        name: "f".into(),
        parameters: vec![Sort::Int],
        result: Sort::Int,
    });
    let (zero, one) = (store.int(0), store.int(1));
    let next = store.add(x, one);
    let applied = store.apply(f, &[next]);
    let is_zero = store.eq(applied, zero);
    let is_not = store.not(is_zero);
    let positive = store.lt(zero, x);
    let expected = [
        Command::SetLogic("QF_UFLIA".into()),
        Command::SetOption("produce-models".into(), "true".into()),
        Command::SetInfo("notes".into(), "a \"quoted\" word".into()),
        Command::SetInfo("license".into(), String::new()),
        Command::DeclareVariable(variable),
        Command::DeclareFunction(f),
        Command::Define("g".into()),
        Command::Define("c".into()),
        Command::Assert {
            term: is_zero,
            name: Some("zero".into()),
        },
        Command::Assert {
            term: positive,
            name: None,
        },
        Command::CheckSat,
        Command::CheckSatAssuming(vec![is_zero, is_not]),
        Command::GetModel,
        Command::GetValue(vec![("x".into(), x), ("(g  x)".into(), applied)]),
        Command::GetUnsatCore,
        Command::GetInfo("name".into()),
        Command::GetOption("verbosity".into()),
        Command::Unsupported("get-assertions".into()),
        Command::Push(1),
        Command::Push(2),
        Command::Pop(2),
        Command::Pop(1),
        Command::Echo("hi".into()),
        Command::ResetAssertions,
        Command::Reset,
        Command::Exit,
    ];
    assert_eq!(read, expected);
}

#[test]
fn declarations_end_with_their_level() {
    let mut store = Store::new();
    let text = "(push) (declare-const x Bool) (define-fun y () Int 3) (define-sort S () Int) (pop)
        (define-sort S () (_ BitVec 1)) (declare-const x S) (declare-const y S) (assert (= x y))";
    let read = assertions(&mut store, text);
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(1)));
    assert_eq!(read, [store.eq(x, y)]);
}

#[test]
fn global_declarations_outlive_their_level() {
    let text = "(set-option :global-declarations true)
        (push) (declare-const x Bool) (pop) (assert x)";
    assert_eq!(assertions(&mut Store::new(), text).len(), 1);
}

#[test]
fn bindings_of_one_let_do_not_see_each_other() {
    check_all(&[
        "(let ((x 1) (y 2)) (let ((x y) (y x)) (and (= x 2) (= y 1))))",
        "(let ((x 1)) (and (let ((x 2)) (= x 2)) (= x 1)))",
    ]);
}

#[test]
fn definitions_are_expanded() {
    let text = "(define-sort Word () (_ BitVec 8))
        (define-sort Memory (I) (Array I Word))
        (define-sort Pair (A B) (Array A B))
        (declare-const m (Memory (_ BitVec 32)))
        (declare-const k (Pair (_ BitVec 32) Word))
        (define-fun first ((a (Memory (_ BitVec 32)))) Word (select a #x00000000))
        (define-fun sum ((a Word) (b Word)) Word (bvadd a (first m) b))
        (assert (= (sum #x01 (first k)) (sum (first k) #x01)))";
    let mut store = Store::new();
    let [term] = assertions(&mut store, text)[..] else {
        panic!("there is one assertion");
    };
    let sort = Sort::Array {
        index: 32,
        element: 8,
    };
    let [m, k] = ["m", "k"].map(|name| store.var(name, sort));
    let (zero, one) = (store.bv(32, 0), store.bv(8, 1));
    let (m0, k0) = (store.select(m, zero), store.select(k, zero));
    let left = store.bv_add(one, m0);
    let left = store.bv_add(left, k0);
    let right = store.bv_add(k0, m0);
    let right = store.bv_add(right, one);
    assert_eq!(term, store.eq(left, right));
}

#[test]
fn bit_vector_operators_mean_what_smt_lib_says() {
    check_all(&[
        "(= (bvadd #xff #x03) #x02)",
        "(= (bvadd #x01 #x02 #x03) #x06)",
        "(= (bvsub #x01 #x02) #xff)",
        "(= (bvsub #x09 #x02 #x03) #x04)",
        "(= (bvudiv #x07 #x00) #xff)",
        "(= (bvurem #x07 #x00) #x07)",
        "(= (bvsdiv #xf9 #x02) #xfd)",
        "(= (bvsrem #xf9 #x02) #xff)",
        "(= (bvsmod #xf9 #x02) #x01)",
        "(= (bvnand #b0011 #b0101) #b1110)",
        "(= (bvnor #b0011 #b0101) #b1000)",
        "(= (bvxnor #b0011 #b0101) #b1001)",
        "(= (bvcomp #x01 #x01) #b1)",
        "(= (bvcomp #x01 #x02) #b0)",
        "(= (bvredor #x10) #b1)",
        "(= (bvredand #xff) #b1)",
        "(and (bvule #x01 #x01) (bvuge #x80 #x7f) (bvugt #x80 #x7f) (bvult #x7f #x80))",
        "(and (bvsle #x80 #x7f) (bvsge #x7f #x80) (bvsgt #x7f #x80) (bvslt #x80 #x7f))",
        "(= (concat #xa #xb #b1) #b101010111)",
        "(= ((_ extract 5 2) #b10110100) #b1101)",
        "(= ((_ repeat 3) #b10) #b101010)",
        "(= ((_ zero_extend 4) #xf) #x0f)",
        "(= ((_ sign_extend 4) #xf) #xff)",
        "(= ((_ zero_extend 0) #xf) #xf)",
        "(= ((_ rotate_left 1) #b1001) #b0011)",
        "(= ((_ rotate_right 1) #b1001) #b1100)",
        "(= ((_ rotate_right 5) #b1001) #b1100)",
        "(= (_ bv10 4) #xa)",
        "(= (bvshl #x01 #x09) #x00)",
        "(= (bvashr #x80 #x09) #xff)",
        "(= (bvlshr #x80 #x07) #x01)",
        "(= (_ bv340282366920938463463374607431768211455 128) (bvnot (_ bv0 128)))",
        "(and (bvuaddo #xff #x01) (not (bvuaddo #xfe #x01)))",
        "(and (bvsaddo #x7f #x01) (not (bvsaddo #xff #x01)) (bvsaddo #x80 #xff))",
        "(and (bvusubo #x00 #x01) (not (bvusubo #x01 #x01)))",
        "(and (bvssubo #x80 #x01) (not (bvssubo #x00 #x01)) (bvssubo #x00 #x80))",
        "(and (bvumulo #x10 #x10) (not (bvumulo #x10 #x0f)))",
        "(and (bvsmulo #x10 #x08) (not (bvsmulo #xf0 #x08)) (bvsmulo #x80 #xff))",
        "(and (bvnego #x80) (not (bvnego #x00)))",
        "(and (bvsdivo #x80 #xff) (not (bvsdivo #x80 #x01)))",
        "(= (bv2nat #xff) (ubv_to_int #xff) 255)",
        "(= (sbv_to_int #xff) (- 1))",
        "(= ((_ int2bv 8) (- 1)) ((_ int_to_bv 8) 511) #xff)",
    ]);
}

#[test]
fn array_operators_mean_what_smt_lib_says() {
    check_all(&[
        "(= (select ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x07) #x3) #x07)",
        "(let ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #x1 #xff)))
           (and (= (select a #x1) #xff) (= (select a #x2) #x00) (= (store a #x1 #x00)
             ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00))))",
    ]);
}

#[test]
fn float_operators_mean_what_smt_lib_says() {
    check_all(&[
        "(= (fp #b0 #b01111111 #b10000000000000000000000) ((_ to_fp 8 24) RNE 1.5))",
        "(= ((_ to_fp 8 24) #x3fc00000) ((_ to_fp 8 24) RNE (/ 3 2)))",
        "(= ((_ to_fp 8 24) RNE (- 1.5)) (fp.neg ((_ to_fp 8 24) RNE 1.5)))",
        "(= ((_ to_fp 8 24) RNE #xff) ((_ to_fp 8 24) RNE (- 1)))",
        "(= ((_ to_fp_unsigned 8 24) RNE #xff) ((_ to_fp 8 24) RNE 255))",
        "(= ((_ to_fp 5 11) RTP ((_ to_fp 8 24) RNE 0.1)) ((_ to_fp 5 11) RTP (/ 1 10)))",
        "(fp.lt (_ -oo 8 24) (_ -zero 8 24) ((_ to_fp 8 24) RNE 1) (_ +oo 8 24))",
        "(fp.gt (_ +oo 5 11) (_ +zero 5 11) (_ -oo 5 11))",
        "(and (fp.eq (_ +zero 5 11) (_ -zero 5 11)) (not (= (_ +zero 5 11) (_ -zero 5 11))))",
        "(and (= (_ NaN 5 11) (_ NaN 5 11)) (not (fp.eq (_ NaN 5 11) (_ NaN 5 11))))",
        "(and (fp.isNaN (_ NaN 5 11)) (fp.isInfinite (_ +oo 5 11)) (fp.isZero (_ -zero 5 11)))",
        "(and (fp.isNegative (_ -zero 5 11)) (fp.isPositive (_ +oo 5 11)))",
        "(and (fp.isNormal ((_ to_fp 5 11) RNE 1)) (fp.isSubnormal (fp #b0 #b00000 #b0000000001)))",
        "(= (fp.sub RNE ((_ to_fp 5 11) RNE 3) ((_ to_fp 5 11) RNE 1)) ((_ to_fp 5 11) RNE 2))",
        "(= (fp.fma RNE ((_ to_fp 5 11) RNE 3) ((_ to_fp 5 11) RNE 2) ((_ to_fp 5 11) RNE 1))
            ((_ to_fp 5 11) RNE 7))",
        "(= (fp.sqrt RNE ((_ to_fp 5 11) RNE 9)) (fp.abs ((_ to_fp 5 11) RNE (- 3))))",
        "(= (fp.rem ((_ to_fp 5 11) RNE 5) ((_ to_fp 5 11) RNE 3)) ((_ to_fp 5 11) RNE (- 1)))",
        "(= (fp.roundToIntegral RTN ((_ to_fp 5 11) RNE 2.5)) ((_ to_fp 5 11) RNE 2))",
        "(= ((_ fp.to_sbv 8) RTZ ((_ to_fp 5 11) RNE (- 2.5))) #xfe)",
        "(= ((_ fp.to_ubv 8) RNA ((_ to_fp 5 11) RNE 2.5)) #x03)",
        "(= (fp.to_real ((_ to_fp 5 11) RNE 2.5)) 2.5)",
        "(= (fp.to_ieee_bv ((_ to_fp 8 24) RNE 1.5)) #x3fc00000)",
        "(distinct roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive
            roundTowardNegative roundTowardZero)",
        "(and (= RNE roundNearestTiesToEven) (= RNA roundNearestTiesToAway)
            (= RTP roundTowardPositive) (= RTN roundTowardNegative) (= RTZ roundTowardZero))",
        "(= ((_ to_fp 15 113) RNE ((_ to_fp 11 53) RNE 0.5)) ((_ to_fp 15 113) RNE 0.5))",
    ]);
}

#[test]
fn number_operators_mean_what_smt_lib_says() {
    check_all(&[
        "(= (+ 1 2 3) 6)",
        "(= (- 1 2 3) (- 4))",
        "(= (* 2 3 4) 24)",
        "(= (div 7 (- 2)) (- 3))",
        "(= (mod 7 (- 2)) 1)",
        "(= (div (- 7) 2) (- 4))",
        "(= (mod (- 7) 2) 1)",
        "(= (abs (- 3)) 3)",
        "(< 1 2 3)",
        "(not (< 1 3 2))",
        "(and (<= 1 1 2) (>= 2 1 1) (> 2 1))",
        "(= (/ 1 3) (/ 2.0 6.0))",
        "(= (to_real 3) 3.0)",
        "(= (to_int (- 2.5)) (- 3))",
        "(and (is_int 2.0) (not (is_int 2.5)))",
        "(and ((_ divisible 3) 9) (not ((_ divisible 3) 10)))",
        "(= 1 1.0)",
        "(= (+ 1 0.5) 1.5)",
        "(= (ite true 1 2.5) 1.0)",
        "(= 100000000000000000000000000000 (* 100000000000000 1000000000000000))",
    ]);
}

#[test]
fn string_operators_mean_what_smt_lib_says() {
    check_all(&[
        r#"(= (str.++ "a" "b" "c") "abc")"#,
        r#"(= (str.len "a\u{1F600}\u0041""") 4)"#,
        r#"(= "\u{41}\u0042" "AB")"#,
        r#"(= (str.len "\u{110000}") 10)"#,
        r#"(= (str.at "abc" 1) "b")"#,
        r#"(= (str.substr "abcd" 1 2) "bc")"#,
        r#"(and (str.prefixof "ab" "abc") (str.suffixof "bc" "abc") (str.contains "abc" "b"))"#,
        r#"(= (str.indexof "abcb" "b" 2) 3)"#,
        r#"(= (str.indexof "abcb" "b") 1)"#,
        r#"(= (str.replace "aba" "a" "x") "xba")"#,
        r#"(= (str.replace_all "aba" "a" "x") "xbx")"#,
        r#"(= (str.replace_re "ab12" (re.+ (re.range "0" "9")) "n") "abn2")"#,
        r#"(= (str.replace_re_all "ab12" (re.range "0" "9") "n") "abnn")"#,
        r#"(and (str.is_digit "7") (not (str.is_digit "77")))"#,
        r#"(and (= (str.to_code "A") 65) (= (str.from_code 65) "A"))"#,
        r#"(and (= (str.to_int "42") (str.to.int "42") 42) (= (str.from_int 42) "42"))"#,
        r#"(= (int.to.str 7) "7")"#,
        r#"(and (str.< "a" "b" "c") (str.<= "a" "a"))"#,
        r#"(str.in_re "aab" (re.++ (re.* (str.to_re "a")) (str.to_re "b")))"#,
        r#"(str.in.re "ab" (re.opt (str.to.re "ab")))"#,
        r#"(not (str.in_re "" (re.+ re.allchar)))"#,
        r#"(str.in_re "aaa" ((_ re.loop 2 3) (str.to_re "a")))"#,
        r#"(str.in_re "aaa" (re.loop (str.to_re "a") 2 3))"#,
        r#"(str.in_re "aaa" ((_ re.^ 3) (str.to_re "a")))"#,
        r#"(str.in_re "b" (re.diff re.allchar (str.to_re "a")))"#,
        r#"(str.in_re "b" (re.inter re.all (re.comp (re.union re.none (str.to_re "a")))))"#,
        r#"(= (_ char #x41) "A")"#,
    ]);
}

#[test]
fn connectives_mean_what_smt_lib_says() {
    check_all(&[
        "(=> false true false)",
        "(not (=> true true false))",
        "(xor true true true)",
        "(not (xor true true))",
        "(or false false true)",
        "(and true)",
        "(distinct 1 2 3)",
        "(not (distinct 1 2 1))",
        "(= true true true)",
        "(not (= true true false))",
        "(ite false false true)",
        "(= (as true Bool) true)",
    ]);
}

#[test]
fn results_left_open_are_functions_of_the_arguments() {
    let float = "(_ FloatingPoint 5 11)";
    let byte = "(_ BitVec 8)";
    let open = [
        ("(div x 0)", "Int", "@div0"),
        ("(mod x 0)", "Int", "@mod0"),
        ("(/ x 0.0)", "Real", "@/0"),
        (
            "((_ fp.to_sbv 8) RNE (_ NaN 5 11))",
            byte,
            "@fp.to_sbv_5_11_8",
        ),
        (
            "((_ fp.to_ubv 8) RNE (_ +oo 5 11))",
            byte,
            "@fp.to_ubv_5_11_8",
        ),
        ("(fp.to_real (_ -oo 5 11))", "Real", "@fp.to_real_5_11"),
        (
            "(fp.min (_ -zero 5 11) (_ +zero 5 11))",
            float,
            "@fp.min_5_11",
        ),
        (
            "(fp.max (_ -zero 5 11) (_ +zero 5 11))",
            float,
            "@fp.max_5_11",
        ),
    ];
    for (text, sort, function) in open {
        let mut store = Store::new();
        let text = format!("(declare-const x {sort})(assert (= x {text}))");
        let terms = assertions(&mut store, &text);
        let functions = term::functions(&store, &terms).into_iter();
        let names: Vec<&str> = functions.map(|f| &*store.signature(f).name).collect();
        assert_eq!(names, [function], "{text}");
    }
}

#[test]
fn division_by_a_constant_leaves_nothing_open() {
    let mut store = Store::new();
    let text = "(declare-const x Int)(declare-const y Real)
        (assert (= (+ (div x 3) (mod x (- 3))) 0))(assert (< (/ y 2) 1))";
    let terms = assertions(&mut store, text);
    assert_eq!(term::functions(&store, &terms), []);
    let text = "(declare-const x Int)(declare-const z Int)(assert (= (div x z) 0))";
    let terms = assertions(&mut store, text);
    assert_eq!(term::functions(&store, &terms).len(), 1);
}

#[test]
fn zeros_of_one_sign_leave_nothing_open() {
    check_all(&[
        "(= (fp.min (_ -zero 5 11) (_ -zero 5 11)) (_ -zero 5 11))",
        "(= (fp.max (_ +zero 5 11) (_ +oo 5 11)) (_ +oo 5 11))",
        "(fp.isZero (fp.min (_ +zero 5 11) (_ -zero 5 11)))",
        "(fp.isZero (fp.max (_ +zero 5 11) (_ -zero 5 11)))",
    ]);
}

#[test]
fn conversions_out_of_range_are_left_open() {
    let cases = [
        ("(- 0.5)", "RTZ", false, false),
        ("(- 1)", "RTZ", false, true),
        ("255.5", "RTZ", false, false),
        ("255.5", "RTP", false, true),
        ("256", "RTZ", false, true),
        ("127", "RTZ", true, false),
        ("128", "RTZ", true, true),
        ("(- 128)", "RTZ", true, false),
        ("(- 128.5)", "RTZ", true, false),
        ("(- 128.5)", "RTN", true, true),
    ];
    for (value, mode, signed, is_open) in cases {
        let kind = if signed { "sbv" } else { "ubv" };
        let text = format!("((_ fp.to_{kind} 8) {mode} ((_ to_fp 11 53) RNE {value}))");
        let mut store = Store::new();
        let terms = assertions(
            &mut store,
            &format!("(declare-const y (_ BitVec 8))(assert (= y {text}))"),
        );
        let mut assignment = Assignment::new();
        let result = Value::Bv(term::BitVec::from_u64(8, 0x5a));
        for function in term::functions(&store, &terms) {
            let table = Default::default();
            let default = result.clone();
            assignment.set_function(function, term::FunctionValue { table, default });
        }
        let y = store.var("y", Sort::Bv(8));
        assignment.set(store.as_variable(y).unwrap(), result);
        let took_the_function = Evaluator::default().all_hold(&store, &assignment, &terms);
        assert_eq!(took_the_function, is_open, "{text}");
    }
}

#[test]
fn numerals_are_reals_in_the_logics_of_reals() {
    let mut store = Store::new();
    let text = "(set-logic QF_LRA)(declare-const x Real)(declare-const c Bool)
        (assert (= (ite c 1 2) (+ x 1)))";
    let [term] = assertions(&mut store, text)[..] else {
        panic!("there is one assertion");
    };
    let terms = term::post_order(&store, &[term]);
    assert!(terms.iter().all(|&term| store.sort(term) != Sort::Int));
}

#[test]
fn terms_a_million_levels_deep_are_read() {
    let mut text = String::from("(declare-const x Bool)(declare-const y Bool)(assert ");
    for level in 0..1_000_000 {
        text.push_str(["(not ", "(xor y ", "(and x "][level % 3]);
    }
    text.push('x');
    text.push_str(&")".repeat(1_000_001));
    assert_eq!(assertions(&mut Store::new(), &text).len(), 1);
}

#[test]
fn lets_a_million_levels_deep_are_read() {
    let mut text = String::from("(declare-const x (_ BitVec 8))(assert (let ((a0 x)) ");
    for level in 1..1_000_000 {
        let before = level - 1;
        text.push_str(&format!("(let ((a{level} (bvmul a{before} x))) "));
    }
    text.push_str("(= a999999 x)");
    text.push_str(&")".repeat(1_000_001));
    assert_eq!(assertions(&mut Store::new(), &text).len(), 1);
}

#[test]
fn a_long_table_is_read_in_linear_time() {
    let mut text = String::from("(assert (= #x00 (select ");
    text.push_str(&"(store ".repeat(100_000));
    text.push_str("((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00)");
    for index in 0..100_000 {
        text.push_str(&format!(" #x{index:08x} #x{:02x})", index % 251));
    }
    text.push_str(" #x00000000)))");
    let mut store = Store::new();
    assert_eq!(assertions(&mut store, &text), [store.bool(true)]);
    assert!(store.len() < 1_000_000);
}
