//! `everypath-cc`: clang for build systems of C, with the bitcode of each object kept
//! in it. A small binary of its own, because a configure script starts it a thousand times.

#[path = "../wrapper.rs"]
mod wrapper;

fn main() -> std::process::ExitCode {
    wrapper::run(false)
}
