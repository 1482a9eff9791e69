//! The command that compiles a unit test. It is for a person to type, later and on a
//! machine without Everypath: it names the usual compilers, and files where they are.

use super::clang::SANITIZERS;
use super::command::CommandLine;
use super::options::{CompileOptions, Language};
use super::rustc::{cfg, edition};
use std::path::{Path, PathBuf};

/// A unit test and what it is compiled with.
#[derive(Clone, Debug)]
pub struct UnitTestBuild<'a> {
    /// The test.
    pub test: &'a Path,
    /// The program's files that the test does not include.
    pub others: &'a [PathBuf],
    /// How those are compiled.
    pub options: &'a CompileOptions,
    /// A C file of our own that feeds inputs, if the program asks for some.
    pub runtime: Option<&'a Path>,
    /// Whether the compiler is to add checks.
    pub sanitize: bool,
}

impl UnitTestBuild<'_> {
    /// The command; it makes `a.out`.
    pub fn command(&self) -> CommandLine {
        match Language::of(self.test) {
            Some(Language::Rust) => self.rust(),
            Some(Language::Cpp) => {
                // The test builds objects whose members may be private.
                let command = CommandLine::new("c++").args(["-g", "-fno-access-control"]);
                self.c(command)
            }
            Some(Language::C) | None => self.c(CommandLine::new("cc").arg("-g")),
        }
    }

    fn c(&self, command: CommandLine) -> CommandLine {
        let options = self.options;
        let checks = self.sanitize.then_some(SANITIZERS);
        let command = command.args(checks.into_iter().flatten());
        let standard = options.standard_for(self.test);
        let mut command = command.args(standard.map(|it| format!("-std={it}")));
        for directory in options.headers.iter().chain(&options.include_dirs) {
            command = command.arg("-I").arg(directory);
        }
        command = command
            .args(options.defines.iter().map(|it| format!("-D{it}")))
            .arg(self.test)
            .args(self.others);
        match self.runtime {
            // It is C also where the rest is C++.
            Some(runtime) => command.args(["-x", "c"]).arg(runtime),
            None => command,
        }
    }

    fn rust(&self) -> CommandLine {
        let edition = edition(self.options, self.test);
        let mut command = CommandLine::new("rustc").args(["-g", "--edition", edition]);
        for define in &self.options.defines {
            command = command.arg("--cfg").arg(cfg(define));
        }
        command.args(["-o", "a.out"]).arg(self.test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(test: &str, std: &str, expected: &str) {
        let options = CompileOptions {
            std: Some(std.to_owned()),
            headers: Some("out/include".into()),
            include_dirs: vec!["/my files".into()],
            defines: vec!["fast".to_owned(), "size=big one".to_owned()],
            ..CompileOptions::default()
        };
        let build = UnitTestBuild {
            test: Path::new(test),
            others: &["/it's/other.c".into()],
            options: &options,
            runtime: Some(Path::new("out/replay.c")),
            sanitize: false,
        };
        assert_eq!(build.command().to_string(), expected);
    }

    #[test]
    fn a_test_in_c() {
        check(
            "out/test000001.c",
            "c11",
            "cc -g '-std=c11' -I out/include -I '/my files' -Dfast '-Dsize=big one' \
             out/test000001.c \"/it's/other.c\" -x c out/replay.c",
        );
    }

    #[test]
    fn a_test_in_cpp() {
        check(
            "out/test000001.cpp",
            "c11",
            "c++ -g -fno-access-control -I out/include -I '/my files' -Dfast '-Dsize=big one' \
             out/test000001.cpp \"/it's/other.c\" -x c out/replay.c",
        );
    }

    #[test]
    fn a_test_in_rust() {
        check(
            "out/test000001.rs",
            "2021",
            "rustc -g --edition 2021 --cfg fast --cfg 'size=\"big one\"' -o a.out \
             out/test000001.rs",
        );
    }
}
