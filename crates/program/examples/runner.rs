//! Temporary: runs `run` of a file in the tests' interpreter.
#[path = "../tests/support/interpreter.rs"]
mod interpreter;
fn main() {
    let mut options = program::LoadOptions::default();
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--promote" => options.promote = true,
            "-O0" => options.opt_level = program::OptLevel::None,
            "-O1" => options.opt_level = program::OptLevel::Less,
            "-O2" => options.opt_level = program::OptLevel::Default,
            "-O3" => options.opt_level = program::OptLevel::Aggressive,
            other if other.starts_with('-') => options.cc_args.push(other.into()),
            other => files.push(other.into()),
        }
    }
    let program = program::load(&files, &options).unwrap_or_else(|error| panic!("{error}"));
    println!("{}", interpreter::Interpreter::new(&program).run("run"));
}
