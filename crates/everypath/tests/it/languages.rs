//! The pages on C++ and Rust begin with an example each: it does what the page says.

use testkit::Scratch;

/// Runs the first program of a page by the command under it; gives what was reported.
fn first_example(page: &str, language: &str) -> serde_json::Value {
    let path = testkit::project("docs").join(page);
    let book = std::fs::read_to_string(path).expect("it is there");
    let mut blocks = book.split("```");
    let program = blocks.nth(1).and_then(|it| it.strip_prefix(language));
    let command = blocks.nth(1).expect("a command follows the program").trim();
    let line = command.strip_prefix("sh\neverypath ").expect("it is ours");
    let file = line.strip_prefix("run ").expect("it is run");
    let scratch = Scratch::with(&[(file, program.expect("it is of that language").trim_start())]);
    scratch.everypath(format!("{line} --json").as_str()).json()
}

#[test]
fn the_example_of_the_page_on_rust_overflows() {
    let run = first_example("rust.md", "rust\n");
    let errors = run["errors"].as_array().expect("there is a list");
    assert_eq!(errors.len(), 1, "{run}");
    assert_eq!(
        (&errors[0]["kind"], &errors[0]["line"]),
        (&"panic".into(), &4.into())
    );
    assert_eq!(errors[0]["message"], "attempt to add with overflow");
}

#[test]
fn the_example_of_the_page_on_cpp_throws() {
    let run = first_example("cpp.md", "cpp\n");
    let errors = run["errors"].as_array().expect("there is a list");
    assert!(!errors.is_empty(), "{run}");
    for error in errors {
        let place = (&error["kind"], &error["line"]);
        assert_eq!(place, (&"uncaught-exception".into(), &7.into()), "{error}");
    }
}
