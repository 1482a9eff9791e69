//! Clang as the compiler of a build system, with the bitcode of each object kept in it.
//!
//! The objects are what clang makes anyway, so that configure scripts, `ar` and linkers
//! notice nothing; each has its module, as it was before optimisation, in the section
//! `.llvmbc`. Linkers put sections of one name one after the other, so that an executable
//! holds the modules of exactly the objects that it was linked from.

use super::Clang;
use super::command::CommandLine;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The environment variables by which whoever starts a build speaks to its compilers.
pub mod variables {
    /// The clang to use: one that is looked for on the path may be the wrapper itself.
    pub const CLANG: &str = "EVERYPATH_CLANG";
    /// A file that gets a line for each program or library that is linked.
    pub const LINKED: &str = "EVERYPATH_LINKED";
    /// Flags for every file beyond what the build asks for, separated by blanks.
    pub const FLAGS: &str = "EVERYPATH_CFLAGS";
}

/// What keeps the module. It is asked of the compiler itself, because the driver's own
/// -fembed-bitcode refuses flags such as -ffunction-sections.
const KEEP: [&str; 4] = [
    "-Xclang",
    "-fembed-bitcode=bitcode",
    // At -O0 functions are marked as not to be optimised, and locals would stay in memory.
    "-Xclang",
    "-disable-O0-optnone",
];

/// Options that are followed by a value of their own, which is no input file.
const WITH_VALUE: [&str; 34] = [
    "-o",
    "-x",
    "-D",
    "-U",
    "-I",
    "-L",
    "-l",
    "-F",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-include",
    "-imacros",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-target",
    "-arch",
    "-mllvm",
    "--param",
    "-framework",
];

/// Files of arguments that include each other are given up on after this many.
const MOST_RESPONSE_FILES: usize = 64;

/// How far clang goes with its inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    /// Preprocessing, a check, a question about clang, or text for a person: no code.
    NoCode,
    /// Machine code in objects.
    Object,
    /// A program or a shared library.
    Link,
}

/// What a build system asks of its compiler.
#[derive(Debug)]
pub struct Invocation {
    arguments: Vec<OsString>,
    step: Step,
    output: Option<PathBuf>,
}

impl Invocation {
    /// Reads the arguments of a compiler that works in `directory`.
    pub fn new(arguments: Vec<OsString>, directory: &Path) -> Invocation {
        let mut step = Step::Link;
        let (mut output, mut has_input) = (None, false);
        let mut rest = expanded(&arguments, directory).into_iter();
        while let Some(argument) = rest.next() {
            let Some(text) = argument.to_str() else {
                has_input |= !argument.as_encoded_bytes().starts_with(b"-");
                continue;
            };
            match text {
                "-o" => output = rest.next().map(PathBuf::from),
                // Assembly is read by people and by probes that look for words in it;
                // bitcode between the lines would answer them wrongly.
                "-E" | "-M" | "-MM" | "-S" | "-fsyntax-only" | "--analyze" | "-emit-llvm"
                | "-###" => step = step.min(Step::NoCode),
                "-c" => step = step.min(Step::Object),
                "-" => has_input = true,
                // What follows are files, whatever they begin with.
                "--" => {
                    has_input |= rest.next().is_some();
                    break;
                }
                _ if WITH_VALUE.contains(&text) => drop(rest.next()),
                _ if text.starts_with("-o") => output = Some(text[2..].into()),
                _ => has_input |= !text.starts_with('-') || text.starts_with("-l"),
            }
        }
        if !has_input {
            step = Step::NoCode;
        }
        Invocation {
            arguments,
            step,
            output,
        }
    }

    /// The program or shared library that comes of it, if one does.
    pub fn linked_file(&self) -> Option<&Path> {
        let output = self.output.as_deref().unwrap_or(Path::new("a.out"));
        (self.step == Step::Link).then_some(output)
    }
}

impl Clang<'_> {
    /// The command that does what a build system asks and keeps the bitcode; `more` are
    /// flags beyond what it asks for.
    pub fn wrapped(&self, invocation: &Invocation, cpp: bool, more: &[String]) -> CommandLine {
        let command = self.start().args(cpp.then_some("--driver-mode=g++"));
        if invocation.step == Step::NoCode {
            return command.args(&invocation.arguments);
        }
        let arguments = &invocation.arguments;
        let end = arguments.iter().position(|argument| argument == "--");
        let (options, files) = arguments.split_at(end.unwrap_or(arguments.len()));
        // Before the user's, so that -g0 and the like have the last word. With -Werror,
        // a flag that a step has no use for would be an error.
        command
            .args(["--start-no-unused-arguments", "-g"])
            .args(KEEP)
            .arg("--end-no-unused-arguments")
            .args(options)
            .arg("--start-no-unused-arguments")
            .args(more)
            // Objects of link-time optimisation are bitcode that is gone after the link.
            .args(["-fno-lto", "--end-no-unused-arguments"])
            .args(files)
    }
}

/// The arguments with those of response files (`@file`) in their places.
fn expanded(arguments: &[OsString], directory: &Path) -> Vec<OsString> {
    let mut rest: VecDeque<OsString> = arguments.iter().cloned().collect();
    let (mut whole, mut files) = (Vec::new(), 0);
    while let Some(argument) = rest.pop_front() {
        match response_file(&argument, directory) {
            Some(words) if files < MOST_RESPONSE_FILES => {
                files += 1;
                for word in words.into_iter().rev() {
                    rest.push_front(word.into());
                }
            }
            _ => whole.push(argument),
        }
    }
    whole
}

/// The words of a response file; none if this is an argument like any other.
fn response_file(argument: &OsStr, directory: &Path) -> Option<Vec<String>> {
    let name = argument.to_str()?.strip_prefix('@')?;
    let text = std::fs::read_to_string(directory.join(name)).ok()?;
    shlex::split(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::CompileOptions;

    fn invocation(line: &str) -> Invocation {
        let words = shlex::split(line).expect("the quotes are closed");
        Invocation::new(words.into_iter().map(Into::into).collect(), Path::new("."))
    }

    fn linked(line: &str) -> Option<PathBuf> {
        invocation(line).linked_file().map(Path::to_owned)
    }

    #[test]
    fn what_is_linked_is_known_whatever_the_spelling() {
        let tool = Some(PathBuf::from("tool"));
        assert_eq!(linked("-O2 a.c b.o -o tool -lz"), tool);
        assert_eq!(linked("a.c -otool"), tool);
        assert_eq!(linked("-o tool -x c -"), tool);
        assert_eq!(linked("a.o"), Some("a.out".into()));
        assert_eq!(linked("-shared -o 'a b.so' a.o"), Some("a b.so".into()));
        for other in [
            "-c a.c -o a.o",
            "-E a.c",
            "-S a.c -o a.s",
            "-M a.c",
            "-fsyntax-only a.c",
            "--version",
            "-v -o x",
            "-print-prog-name=ld",
            "-I include -D X",
        ] {
            assert_eq!(linked(other), None, "{other}");
        }
    }

    #[test]
    fn response_files_are_looked_into() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
        write("first", "-c \"a b.c\"\n@second").expect("it can be written");
        write("second", "-o out.o @first").expect("it can be written");
        let invocation = Invocation::new(vec!["@first".into()], folder.path());
        assert_eq!(
            (invocation.step, invocation.output),
            (Step::Object, Some("out.o".into()))
        );
    }

    #[test]
    fn only_steps_that_make_code_get_flags() {
        let options = CompileOptions::default();
        let clang = Clang::find(&options).expect("tests need clang");
        let shown = |line: &str, cpp| {
            let text = clang.wrapped(&invocation(line), cpp, &[]).to_string();
            let (_, arguments) = text.split_once(' ').expect("it has arguments");
            arguments.to_owned()
        };
        let before = "--start-no-unused-arguments -g -Xclang '-fembed-bitcode=bitcode' \
                      -Xclang -disable-O0-optnone --end-no-unused-arguments";
        let after = "--start-no-unused-arguments -fno-lto --end-no-unused-arguments";
        assert_eq!(shown("-E a.c", false), "-E a.c");
        assert_eq!(
            shown("-flto -c a.c -g0", false),
            format!("{before} -flto -c a.c -g0 {after}")
        );
        assert_eq!(
            shown("-c -- -a.cc", true),
            format!("'--driver-mode=g++' {before} -c {after} -- -a.cc")
        );
    }
}
