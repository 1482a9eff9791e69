//! Bitcode of other versions: `bitcode/llvmNN.bc` is `sample.c` by that
//! version's `clang -g -O1 -fno-inline -emit-llvm -c`; `rustc.bc` is
//! `sample.rs` by `rustc --edition 2024 -g -O -C panic=abort --emit=llvm-bc`.

mod support;

use program::LoadOptions;
use support::interpreter::Interpreter;
use support::{loaded, path};

macro_rules! versions {
    ($($sentence:ident: $name:literal == $result:literal,)*) => {$(
        #[test]
        fn $sentence() {
            let program = loaded(concat!("bitcode/", $name, ".bc"), &LoadOptions::default());
            assert_eq!(program.unsupported().count(), 0);
            assert_eq!(Interpreter::new(&program).run("run"), $result);
            assert!(program.source.files.iter().any(|file| file.name.starts_with("sample.")));
        }
    )*};
}

versions! {
    bitcode_of_llvm_13_runs: "llvm13" == 1811,
    bitcode_of_llvm_14_runs: "llvm14" == 1811,
    bitcode_of_llvm_15_runs: "llvm15" == 1811,
    bitcode_of_llvm_16_runs: "llvm16" == 1811,
    bitcode_of_llvm_19_runs: "llvm19" == 1811,
    bitcode_of_llvm_22_runs: "llvm22" == 1811,
    bitcode_of_rustc_runs: "rustc" == 1711,
}

#[test]
fn bitcode_of_all_versions_says_the_same_of_the_source() {
    for name in ["llvm13", "llvm14", "llvm15", "llvm16", "llvm19", "llvm22"] {
        let program = loaded(&format!("bitcode/{name}.bc"), &LoadOptions::default());
        let sum = program.function("sum").expect("it is defined");
        let id = program.functions[sum.index()]
            .source
            .expect("there is debug information");
        let function = program.source.function(id);
        let parameters: Vec<(&str, &str)> = function
            .parameters
            .iter()
            .map(|parameter| {
                let debug_type = parameter.debug_type.expect("it has a type");
                (
                    parameter.name.as_str(),
                    program.source.debug_type(debug_type).name.as_str(),
                )
            })
            .collect();
        assert_eq!(
            parameters,
            [("p", "const struct pair *"), ("n", "int")],
            "{name}"
        );
        assert_eq!(function.line, 5, "{name}");
    }
}

#[test]
fn text_with_typed_pointers_of_old_versions_loads() {
    let text = "define i64 @run(i64* %p) {\n  %x = alloca i64\n  store i64 7, i64* %x\n  \
                %v = load i64, i64* %x\n  ret i64 %v\n}\n";
    let program = support::loaded_text("ll", text, &LoadOptions::default());
    assert_eq!(Interpreter::new(&program).run("run"), 7);
}

#[test]
fn bitcode_passes_the_verifier() {
    let files = ["llvm14", "llvm19", "rustc"].map(|name| path(&format!("bitcode/{name}.bc")));
    assert_eq!(program::verify(&files), Ok(()));
}
