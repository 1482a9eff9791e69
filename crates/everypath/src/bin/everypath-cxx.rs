//! `everypath-cxx`, and `everypath-c++` where it is installed under that name: what
//! `everypath-cc` is for C, for C++.

#[path = "../wrapper.rs"]
mod wrapper;

fn main() -> std::process::ExitCode {
    wrapper::run(true)
}
