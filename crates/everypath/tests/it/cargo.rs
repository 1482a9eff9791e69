//! `cargo everypath` on projects: a workspace with a dependency from the registry, tests
//! with our attribute, harnesses for Kani, properties for proptest, and fuzz targets.
//!
//! Dependencies are in the versions of this project's own, so that they are there.

use std::process::Command;
use testkit::{Finished, Scratch, project};

const CARGO: &str = env!("CARGO_BIN_EXE_cargo-everypath");

/// `cargo everypath` and what is typed after it.
fn cargo_everypath(scratch: &Scratch, line: &str) -> Finished {
    let mut command = Command::new(CARGO);
    command
        .arg("everypath")
        .args(line.split_whitespace())
        .current_dir(scratch.folder())
        .env("CARGO_NET_OFFLINE", "true");
    Finished::of(&mut command)
}

/// Plain `cargo test`, of which Everypath knows nothing.
fn cargo_test(scratch: &Scratch) -> Finished {
    let mut command = Command::new("cargo");
    command
        .args(["test", "--offline"])
        .current_dir(scratch.folder())
        .env_remove("CARGO_TARGET_DIR");
    Finished::of(&mut command)
}

/// What was printed, but for how long it took.
fn without_time(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| match line.split_once("; finished in") {
            Some((before, _)) => before,
            None => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// Names and verdicts.
fn verdicts(finished: &Finished) -> Vec<(String, String)> {
    let report = finished.json();
    let tests = report["tests"].as_array().expect("there is a list");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let pair = |test: &serde_json::Value| (text(&test["name"]), text(&test["verdict"]));
    tests.iter().map(pair).collect()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(a, b): &(&str, &str)| (a.to_owned(), b.to_owned());
    pairs.iter().map(owned).collect()
}

/// Two crates, one of them with features, tests within and beside it.
fn workspace() -> Scratch {
    let everypath = project("runtime/rust/everypath");
    let scratch = Scratch::with(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"versions\", \"middle\"]\nresolver = \"2\"\n",
        ),
        (
            "middle/Cargo.toml",
            "[package]\nname = \"middle\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [features]\nwide = []\n",
        ),
        (
            "middle/src/lib.rs",
            "pub fn middle(low: i32, high: i32) -> i32 {\n    \
                 if cfg!(feature = \"wide\") {\n        \
                     return ((i64::from(low) + i64::from(high)) / 2) as i32;\n    \
                 }\n    \
                 (low + high) / 2\n\
             }\n",
        ),
        (
            "versions/src/lib.rs",
            r#"
pub fn patch(text: &str) -> Result<u64, semver::Error> {
    Ok(semver::Version::parse(text)?.patch)
}

#[cfg(test)]
mod tests {
    #[everypath::test]
    fn the_middle_is_between() {
        let (low, high): (i32, i32) = everypath::any();
        everypath::assume(0 <= low && low <= high);
        let middle = middle::middle(low, high);
        assert!(low <= middle && middle <= high);
    }

    #[everypath::test]
    fn a_digit_is_read() -> Result<(), semver::Error> {
        let digit = everypath::any_where(|digit: &u8| *digit < 10);
        assert_eq!(super::patch(&format!("1.2.{digit}"))?, digit.into());
        Ok(())
    }

    #[everypath::test]
    #[should_panic(expected = "not a digit")]
    fn letters_are_refused() {
        let letter: u8 = everypath::any();
        assert!(letter.is_ascii_digit(), "not a digit");
    }

    #[test]
    fn a_test_of_cargo_alone() {
        assert!(super::patch("1").is_err());
    }
}
"#,
        ),
        (
            "versions/tests/beside.rs",
            r#"
#[everypath::test]
fn what_is_no_version_is_an_error() {
    everypath::property!(|(sign in b'!'..=b'/')| {
        assert!(versions::patch(&format!("1{}2", char::from(sign))).is_err());
    });
}
"#,
        ),
    ]);
    let manifest = format!(
        "[package]\nname = \"versions\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [features]\nwide = [\"middle/wide\"]\n\
         [dependencies]\nsemver = \"=1.0.28\"\nmiddle = {{ path = \"../middle\" }}\n\
         [dev-dependencies]\neverypath = {{ path = {everypath:?} }}\n"
    );
    scratch.write("versions/Cargo.toml", manifest);
    scratch
}

#[test]
fn the_tests_of_a_workspace_are_listed_as_cargo_does_and_their_cases_saved() {
    let scratch = workspace();
    let explored = cargo_everypath(&scratch, "test --save");
    assert_eq!(explored.status, Some(1), "{}", explored.said());
    let said = without_time(&explored.stdout);
    let (listed, failures) = said.split_once("\nfailures:\n").expect("one fails");
    assert!(
        listed.contains(
            "\nrunning 3 tests\n\
             test tests::a_digit_is_read ... ok (1 path)\n\
             test tests::letters_are_refused ... ok (2 paths)\n\
             test tests::the_middle_is_between ... FAILED (2 paths)\n"
        ),
        "{said}"
    );
    assert!(
        failures.contains(
            "\n---- tests::the_middle_is_between ----\n\
             error: middle/src/lib.rs:5:5: panic: attempt to add with overflow\n"
        ),
        "{said}"
    );
    assert!(
        said.contains(
            "\nrunning 1 test\ntest what_is_no_version_is_an_error ... ok (2 paths)\n\n\
             test result: ok. 1 passed; 0 failed; 0 unfinished; 0 ignored; 0 filtered out"
        ),
        "{said}"
    );
    let cases = scratch.names("versions/tests/everypath");
    assert_eq!(
        cases,
        [
            "beside.what_is_no_version_is_an_error",
            "versions.tests.a_digit_is_read",
            "versions.tests.letters_are_refused",
            "versions.tests.the_middle_is_between",
        ]
    );
    // The case fails without Everypath too, and one that should panic does.
    let replayed = cargo_test(&scratch);
    assert!(!replayed.success(), "{}", replayed.said());
    for line in [
        "test tests::a_digit_is_read ... ok\n",
        "test tests::a_test_of_cargo_alone ... ok\n",
        "test tests::letters_are_refused ... ok\n",
        "test tests::the_middle_is_between ... FAILED\n",
        "attempt to add with overflow\n",
        "the case is ",
    ] {
        assert!(replayed.stdout.contains(line), "{}", replayed.said());
    }
}

#[test]
fn a_name_a_package_and_features_choose_what_is_explored() {
    let scratch = workspace();
    let line = "test middle --package versions --features wide --format json";
    let explored = cargo_everypath(&scratch, line).succeeds();
    assert_eq!(
        verdicts(&explored),
        owned(&[("tests::the_middle_is_between", "passed")])
    );
    let line = "test the_middle --exact --format json";
    let explored = cargo_everypath(&scratch, line).succeeds();
    assert_eq!(verdicts(&explored), owned(&[]));
}

#[test]
fn harnesses_for_kani_have_the_verdicts_of_kani() {
    let scratch = Scratch::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"harnesses\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [lints.rust]\nunexpected_cfgs = { level = \"warn\", check-cfg = [\"cfg(kani)\"] }\n",
        ),
        (
            "src/lib.rs",
            r#"
pub fn clamp(x: u32) -> u32 {
    if x > 100 { 100 } else { x }
}

#[cfg(kani)]
mod proofs {
    #[derive(kani::Arbitrary)]
    enum Shape { Square(u8), Line { length: u8 }, Dot }

    #[derive(kani::Arbitrary)]
    enum Mask { One = 1 << 0, Two = 1 << 1, Four = 1 << 2 }

    #[derive(kani::Arbitrary)]
    struct Masked<T: Copy + PartialOrd<T> = u8> {
        owner: core::marker::PhantomData<fn() -> T>,
        value: T,
        mask: Mask,
    }

    #[kani::proof]
    #[kani::unwind(4)]
    fn clamped() {
        let x = kani::any();
        kani::cover!(x == 7, "seven");
        assert!(super::clamp(x) <= 100);
    }

    #[kani::proof]
    fn sums_fit() {
        let (a, b): (u8, u8) = kani::any();
        assert!(a + b >= a);
    }

    #[kani::should_panic]
    #[kani::proof]
    fn some_index_is_beyond() {
        let index = kani::any_where(|index: &usize| *index < 4);
        assert!([1, 2, 3][index] > 0);
    }

    #[kani::proof]
    #[kani::should_panic]
    fn nothing_is_wrong() {
        let x: u8 = kani::any();
        kani::assume(x > 3);
        kani::assert(x != 0, "it is more than three");
    }

    #[kani::proof]
    fn shapes_have_an_area() {
        let area = |shape| match shape {
            Shape::Square(side) => u16::from(side) * u16::from(side),
            Shape::Line { length } => u16::from(length),
            Shape::Dot => 0,
        };
        assert!(area(kani::any()) < u16::MAX);
    }

    #[kani::proof]
    fn every_variant_is_among_all() {
        let masked: Masked<u8> = kani::any();
        kani::cover(masked.value > 250, "large");
        kani::cover!(masked.value < 3 && masked.value > 5);
        let _owner = masked.owner;
        assert!(!matches!(masked.mask, Mask::Four));
    }

    #[kani::proof]
    fn quantifiers_and_bounds() {
        let all: Vec<bool> = kani::bounded_any::<_, 2>();
        let set = |i: usize| all[i];
        let none = !kani::exists!(|i in (0, all.len())| set(i));
        assert!(none == kani::forall!(|i in (0, all.len())| !set(i)));
    }

    #[kani::proof]
    async fn waiting_ends() {
        let x: u8 = kani::any();
        assert_eq!(async { x }.await, x);
    }

    #[kani::proof]
    #[kani::stub(super::clamp, super::clamp)]
    fn with_a_stub() {}
}
"#,
        ),
    ]);
    let explored = cargo_everypath(&scratch, "test --format json");
    assert_eq!(explored.status, Some(1), "{}", explored.said());
    assert_eq!(
        verdicts(&explored),
        owned(&[
            ("proofs::clamped", "passed"),
            ("proofs::every_variant_is_among_all", "failed"),
            ("proofs::nothing_is_wrong", "failed"),
            ("proofs::quantifiers_and_bounds", "passed"),
            ("proofs::shapes_have_an_area", "passed"),
            ("proofs::some_index_is_beyond", "passed"),
            ("proofs::sums_fit", "failed"),
            ("proofs::waiting_ends", "passed"),
            ("proofs::with_a_stub", "ignored"),
        ])
    );
    let notes = &explored.json()["tests"][0]["notes"];
    let text = notes.to_string();
    assert!(text.contains("the bound of loops is ignored"), "{text}");
    assert!(text.contains("the program says: seven"), "{text}");
    // What no input covers is not told of.
    let notes = &explored.json()["tests"][1]["notes"];
    assert_eq!(notes, &serde_json::json!(["the program says: large"]));
}

/// A crate with these tests, which uses ours.
fn crate_of(tests: &str) -> Scratch {
    let everypath = project("runtime/rust/everypath");
    let manifest = format!(
        "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [dependencies]\neverypath = {{ path = {everypath:?} }}\n"
    );
    Scratch::with(&[("Cargo.toml", manifest.as_str()), ("src/lib.rs", tests)])
}

#[test]
fn cases_of_an_earlier_version_of_a_test_are_gone_when_others_are_saved() {
    let test = |body: &str| format!("#[everypath::test]\nfn small() {{ {body} }}\n");
    let scratch = crate_of(&test(
        "let x: u8 = everypath::any();\nassert!(x < 9 || x > 200 || x % 2 < 2);",
    ));
    cargo_everypath(&scratch, "test --save").succeeds();
    let cases = || scratch.names("tests/everypath/own.small");
    assert!(cases().len() > 1, "{:?}", cases());
    scratch.write("tests/everypath/own.small/notes.txt", "not ours");
    scratch.write(
        "src/lib.rs",
        test("let _both: (u8, u16) = everypath::any();"),
    );
    let replayed = cargo_test(&scratch);
    let wanted = "the saved case is for another version of this test; save it again";
    assert!(replayed.stdout.contains(wanted), "{}", replayed.said());
    cargo_everypath(&scratch, "test --save").succeeds();
    assert_eq!(cases(), ["case000001.ktest", "notes.txt"]);
    cargo_test(&scratch).succeeds();
}

#[test]
fn a_test_that_gives_an_error_fails_where_it_is() {
    let scratch = crate_of(
        "#[everypath::test]\nfn parsed() -> Result<(), String> {\n    \
         match everypath::any::<u8>() {\n        \
             77 => Err(\"not a number\".to_owned()),\n        \
             _ => Ok(()),\n    \
         }\n}\n",
    );
    let explored = cargo_everypath(&scratch, "test --format json");
    let error = &explored.json()["tests"][0]["errors"][0];
    let place = (&error["message"], &error["line"]);
    let message = "the test gave an error: \"not a number\"";
    assert_eq!(place, (&message.into(), &1.into()), "{error}");
}

#[test]
fn values_that_a_type_does_not_have_are_errors_in_crates() {
    let scratch = crate_of(
        r#"
#[repr(u8)]
enum Level { Low = 1, High = 2 }

#[everypath::test]
fn truth() {
    let byte: u8 = everypath::any();
    let is_set: bool = unsafe { *(&raw const byte).cast() };
    if is_set {
        assert!(byte > 0);
    }
}

#[everypath::test]
fn variant() {
    let level: Level = unsafe { std::mem::transmute(everypath::any::<u8>()) };
    assert!(matches!(level, Level::Low | Level::High));
}

#[everypath::test]
fn character() {
    let letter = unsafe { char::from_u32_unchecked(everypath::any()) };
    assert!(letter.len_utf8() < 5);
}
"#,
    );
    let explored = cargo_everypath(&scratch, "test --format json");
    let report = explored.json();
    let tests = report["tests"].as_array().expect("there is a list");
    let first = |test: &serde_json::Value| {
        let error = &test["errors"][0];
        format!("{}: {}", test["name"], error["kind"]).replace('"', "")
    };
    let found: Vec<String> = tests.iter().map(first).collect();
    assert_eq!(
        found,
        ["character: panic", "truth: invalid-value", "variant: panic"],
        "{report}"
    );
}

#[test]
fn properties_of_proptest_are_explored_for_all_values_of_their_strategies() {
    let scratch = Scratch::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"properties\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [dev-dependencies]\n\
             proptest = { version = \"=1.12.0\", default-features = false, features = [\"std\"] }\n",
        ),
        (
            "src/lib.rs",
            r#"
pub fn middle(low: i32, high: i32) -> i32 {
    (low + high) / 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn is_small(x: u8) -> Result<(), TestCaseError> {
        prop_assert!(x < 200, "{} is not", x);
        Ok(())
    }

    prop_compose! {
        fn ordered(most: u8)(high in 0..most)(low in 0..=high, high in Just(high)) -> (u8, u8) {
            (low, high)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10))]

        #[test]
        fn the_middle_is_between(low in 0.., high: i32) {
            prop_assume!(low <= high);
            let middle = super::middle(low, high);
            prop_assert!(low <= middle && middle <= high);
        }

        #[test]
        fn strategies_give_what_they_say(
            text in "[a-c]{2}|x",
            (low, high) in ordered(9),
            number in prop_oneof![Just(1u8), 3..5u8, any::<u8>().prop_map(|it| it | 128)],
            even in any::<u16>().prop_filter("it is odd", |it| it % 2 == 0),
            fraction in 0.0..1.0f64,
        ) {
            prop_assert!(matches!(text.as_bytes(), [b'x'] | [b'a'..=b'c', ..]));
            prop_assert!(low <= high && high < 9);
            prop_assert!(number == 1 || number == 3 || number == 4 || number >= 128);
            prop_assert_eq!(even % 2, 0, "{} is even", even);
            prop_assert!((0.0..1.0).contains(&fraction) && !fraction.is_sign_negative());
        }

        #[test]
        fn sorting_sorts(
            mut all in prop::collection::vec(any::<u8>(), 0..=2),
            maybe in prop::option::of(prop::sample::select(vec![2, 3, 5])),
        ) {
            prop_assert_ne!(maybe, Some(4));
            all.sort();
            prop_assert!(all.windows(2).all(|pair| pair[0] <= pair[1]));
        }

        #[test]
        fn no_vector_is_long(all in prop::collection::vec(any::<bool>(), 0..50)) {
            prop_assert!(all.len() < 3);
        }

        #[test]
        #[should_panic(expected = "is not")]
        fn helpers_fail_too(x: u8) {
            is_small(x)?;
        }

        #[test]
        #[ignore]
        fn nobody_wants_it(_x: u8) {}
    }
}
"#,
        ),
    ]);
    let line = "test --proptest --max-size 2 --max-time 300 --save --format json";
    let explored = cargo_everypath(&scratch, line);
    assert_eq!(explored.status, Some(1), "{}", explored.said());
    assert_eq!(
        verdicts(&explored),
        owned(&[
            ("tests::helpers_fail_too", "passed"),
            ("tests::no_vector_is_long", "unfinished"),
            ("tests::nobody_wants_it", "ignored"),
            ("tests::sorting_sorts", "passed"),
            ("tests::strategies_give_what_they_say", "passed"),
            ("tests::the_middle_is_between", "failed"),
        ]),
        "{}",
        explored.said()
    );
    let report = explored.json();
    let notes = report["tests"][1]["notes"].to_string();
    assert!(
        notes.contains("left out: not supported: collections and strings of more than 2 elements"),
        "{notes}"
    );
    assert!(notes.contains("its cases are not saved"), "{notes}");
    let error = &report["tests"][5]["errors"][0];
    assert_eq!(error["message"], "attempt to add with overflow", "{error}");
}

/// A crate with properties in ordinary tests. That of quickcheck is a name alone: ours takes its
/// place.
fn ordinary_tests() -> Scratch {
    Scratch::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"ordinary\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [dev-dependencies]\nquickcheck = { path = \"quickcheck\" }\n\
             proptest = { version = \"=1.12.0\", default-features = false, features = [\"std\"] }\n",
        ),
        (
            "quickcheck/Cargo.toml",
            "[package]\nname = \"quickcheck\"\nversion = \"1.1.0\"\nedition = \"2021\"\n",
        ),
        (
            "quickcheck/src/lib.rs",
            "compile_error!(\"ours takes its place\");\n",
        ),
        (
            "src/lib.rs",
            r#"
#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, quickcheck};

    #[test]
    fn a_closure_holds() {
        let most = 10u32;
        proptest!(|(x in 0..most, y: u8)| {
            prop_assert!(x < most);
            prop_assert_eq!(u32::from(y) + x - x, u32::from(y));
        });
    }

    #[test]
    fn a_closure_fails() {
        proptest!(ProptestConfig::with_cases(5), |(x in 0..1000u32)| assert_ne!(x, 777));
    }

    #[test]
    #[should_panic(expected = "one; of them")]
    fn a_closure_panics() {
        proptest!(|(x: u16)| assert_ne!(x, 12345, "one; of them"));
    }

    #[test]
    #[ignore]
    fn nobody_wants_it() {
        proptest!(|(_x: u8)| {});
    }

    #[test]
    fn a_test_without_a_property() {
        assert_eq!(1 + 1, 2);
    }

    #[derive(Clone, Debug)]
    struct Even(u32);

    impl Arbitrary for Even {
        fn arbitrary(g: &mut Gen) -> Even {
            let factor = g.choose(&[2, 4, 6]).copied().unwrap_or(2);
            Even(u32::from(u16::arbitrary(g)) * factor)
        }
    }

    fn is_even(x: Even) -> bool {
        x.0 % 2 == 0
    }

    #[test]
    fn types_of_ones_own_have_any_value() {
        quickcheck(is_even as fn(Even) -> bool);
    }

    #[test]
    fn lists_are_short() {
        fn is_short(all: Vec<bool>) -> bool {
            all.len() < 3
        }
        let mut check = QuickCheck::new().rng(Gen::new(3)).tests(1);
        check.quickcheck(is_short as fn(Vec<bool>) -> bool);
    }

    quickcheck! {
        fn adding_has_no_order(x: u8, y: u8) -> bool {
            x.wrapping_add(y) == y.wrapping_add(x)
        }

        fn a_quotient_is_smaller(x: i16, y: i16) -> TestResult {
            if y == 0 {
                return TestResult::discard();
            }
            TestResult::from_bool((x / y).unsigned_abs() <= x.unsigned_abs())
        }

        fn sorting_keeps_lists(all: Vec<u8>) -> bool {
            let mut sorted = all.clone();
            sorted.sort();
            sorted.len() == all.len()
        }
    }
}
"#,
        ),
    ])
}

#[test]
fn ordinary_tests_that_call_properties_are_explored_for_all_values() {
    let scratch = ordinary_tests();
    let line = "test --quickcheck --max-size 2 --max-time 300 --format json";
    let explored = cargo_everypath(&scratch, line);
    assert_eq!(explored.status, Some(1), "{}", explored.said());
    assert_eq!(
        verdicts(&explored),
        owned(&[
            ("tests::a_closure_fails", "failed"),
            ("tests::a_closure_holds", "passed"),
            ("tests::a_closure_panics", "passed"),
            ("tests::a_quotient_is_smaller", "failed"),
            ("tests::adding_has_no_order", "passed"),
            ("tests::lists_are_short", "passed"),
            ("tests::nobody_wants_it", "ignored"),
            ("tests::sorting_keeps_lists", "unfinished"),
            ("tests::types_of_ones_own_have_any_value", "passed"),
        ]),
        "{}",
        explored.said()
    );
    let report = explored.json();
    let error = &report["tests"][3]["errors"][0];
    let message = error["message"].as_str().unwrap_or_default();
    assert_eq!(message, "attempt to divide with overflow", "{error}");
    let one = cargo_everypath(&scratch, "test --proptest tests::a_closure_fails --exact");
    assert!(
        one.said()
            .contains("test tests::a_closure_fails ... FAILED"),
        "{}",
        one.said()
    );
}

#[test]
fn harnesses_of_dependencies_are_left_alone() {
    let scratch = Scratch::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"nested\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [dependencies]\nzerocopy = \"=0.8.63\"\n",
        ),
        (
            "src/lib.rs",
            r#"
#[cfg(kani)]
fn first() {
    #[kani::proof]
    fn holds() {
        let number = zerocopy::byteorder::U16::<zerocopy::BigEndian>::new(kani::any());
        assert!(u32::from(number.get()) < 65_536);
    }
}

#[cfg(kani)]
fn second() {
    #[kani::proof]
    fn holds() {
        assert!(kani::any::<u8>() < 255);
    }
}
"#,
        ),
    ]);
    let explored = cargo_everypath(&scratch, "test --format json");
    assert_eq!(explored.status, Some(1), "{}", explored.said());
    let mut verdicts = verdicts(&explored);
    verdicts.sort();
    let expected = owned(&[("holds", "failed"), ("holds", "passed")]);
    assert_eq!(verdicts, expected, "{}", explored.said());
}

/// What `fuzz_target!` of libfuzzer-sys leaves in a program, as far as it is looked at.
const FUZZER: &str = r#"
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:expr) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn LLVMFuzzerInitialize(_: *const isize, _: *const *const *const u8) -> isize {
            std::panic::set_hook(Box::new(|_| std::process::abort()));
            0
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn rust_fuzzer_test_input($bytes: &[u8]) -> i32 {
            $body;
            0
        }
    };
}
"#;

#[test]
fn fuzz_targets_are_explored_and_their_inputs_saved_as_files() {
    let scratch = Scratch::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"records\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        ),
        (
            "src/lib.rs",
            "pub fn first(record: &[u8]) -> Option<u8> {\n    \
                 let (&length, rest) = record.split_first()?;\n    \
                 (length > 0).then(|| rest[usize::from(length) - 1])\n\
             }\n",
        ),
        (
            "fuzz/Cargo.toml",
            "[package]\nname = \"fuzz\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [workspace]\n\
             [dependencies]\nlibfuzzer-sys = { path = \"fuzzer\" }\nrecords = { path = \"..\" }\n\
             [[bin]]\nname = \"first\"\npath = \"first.rs\"\ntest = false\n",
        ),
        (
            "fuzz/fuzzer/Cargo.toml",
            "[package]\nname = \"libfuzzer-sys\"\nversion = \"0.4.0\"\nedition = \"2024\"\n",
        ),
        ("fuzz/fuzzer/src/lib.rs", FUZZER),
        (
            "fuzz/first.rs",
            "#![no_main]\n\
             libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(records::first(bytes)));\n",
        ),
    ]);
    let explored = cargo_everypath(&scratch, "fuzz first --max-len 2 --save --format json");
    assert_eq!(explored.status, Some(1), "{}", explored.said());
    let test = &explored.json()["tests"][0];
    assert_eq!(test["name"], "first", "{test}");
    let error = &test["errors"][0];
    let message = error["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("index out of bounds: the len is "),
        "{error}"
    );
    assert_eq!(
        (&error["kind"], &error["line"]),
        (&"panic".into(), &3.into())
    );
    // The target is compiled in its own folder; its files are named from where the user is.
    scratch.write(
        "fuzz/first.rs",
        "#![no_main]\n\
         libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {\n    \
             assert!(bytes.len() < 2, \"too long\");\n\
         });\n",
    );
    let told = cargo_everypath(&scratch, "fuzz first --max-len 2");
    let shown = "error: fuzz/first.rs:3:5: panic: too long\n  |\n\
                 3 |     assert!(bytes.len() < 2, \"too long\");\n";
    assert!(told.stdout.contains(shown), "{}", told.said());
    for name in scratch.names("fuzz/artifacts/first") {
        let path = scratch.path("fuzz/artifacts/first").join(name);
        let bytes = std::fs::read(path).expect("it was just listed");
        assert!(usize::from(bytes[0]) >= bytes.len(), "{bytes:?}");
    }
}

#[test]
fn a_crate_that_cannot_be_compiled_is_told() {
    let scratch = Scratch::new();
    let refused = cargo_everypath(&scratch, "test").refusal();
    assert!(
        refused.starts_with("error: cargo could not read the crate's manifest:\n"),
        "{refused}"
    );
    assert!(cargo_everypath(&scratch, "fuzz").refusal().starts_with(
        "error: fuzz/Cargo.toml does not exist: `cargo fuzz init` makes a crate for fuzz targets"
    ));
    scratch.write(
        "Cargo.toml",
        "[package]\nname = \"wrong\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    scratch.write("src/lib.rs", "fn wrong() -> u8 { \"text\" }\n");
    let refused = cargo_everypath(&scratch, "test").refusal();
    assert!(refused.contains("mismatched types"), "{refused}");
    assert!(
        refused.ends_with("error: cargo could not compile the crate:\nits messages are above\n"),
        "{refused}"
    );
}
