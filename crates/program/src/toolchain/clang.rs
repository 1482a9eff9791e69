//! What clang is asked to do.

use super::ToolchainError;
use super::command::CommandLine;
use super::find::{Installed, Tool};
use super::options::{CompileOptions, Language};
use base::Stop;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Clang with the options of a program.
#[derive(Clone, Debug)]
pub struct Clang<'o> {
    tool: Installed,
    options: &'o CompileOptions,
}

/// What a native program is linked from, beside its objects.
#[derive(Clone, Debug, Default)]
pub struct Link<'a> {
    /// Whether some of it is C++.
    pub cpp: bool,
    /// The archives of the standard library of C++, if it is not the system's.
    pub cpp_archives: &'a [PathBuf],
    /// The archive of the standard library of Rust, if some of it is Rust.
    pub rust_archive: Option<&'a Path>,
    /// Whether the objects were compiled with sanitizers.
    pub sanitize: bool,
    /// Functions in whose place the objects define others, as `__wrap_NAME`.
    pub wrapped: &'a [&'static str],
    /// Shared libraries, which are found at run time where they are now.
    pub libraries: &'a [PathBuf],
    /// Shared libraries of the system, by the names of their files.
    pub system_libraries: &'a [String],
}

/// Every finding ends the program, which is how a replay learns of it.
pub(super) const SANITIZERS: [&str; 2] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// What compilers of C warned of for decades and clang refuses today: programs that were
/// written then are to be tested too.
const OLD_C: [&str; 5] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

impl<'o> Clang<'o> {
    /// The clang that the options name, or the one that is installed.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn find(options: &'o CompileOptions) -> Result<Clang<'o>, ToolchainError> {
        let tool = match &options.clang {
            Some(named) => Tool::Clang.named(named)?,
            None => Tool::Clang.find()?,
        };
        Ok(Clang { tool, options })
    }

    /// What it is called.
    pub fn command(&self) -> &str {
        &self.tool.name
    }

    /// The file that is run.
    pub fn path(&self) -> &Path {
        &self.tool.path
    }

    /// The first line of what it says of itself.
    ///
    /// # Errors
    ///
    /// When it does not run.
    pub fn version(&self) -> Result<String, ToolchainError> {
        let command = self.start().arg("--version");
        let ended = command.succeed("say its version", &Stop::never())?;
        Ok(first_line(&ended.output))
    }

    /// Compiles a C or C++ file to bitcode with debug information.
    pub fn bitcode(&self, file: &Path, output: &Path) -> CommandLine {
        // At -O0 clang marks functions as not to be optimised, and then locals could
        // not be put into registers afterwards.
        let fixed = ["-g", "-emit-llvm", "-c", "-Xclang", "-disable-O0-optnone"];
        let command = self.start_for(file).args(fixed);
        let command = self.language(command.arg(self.options.opt_level.flag()), file);
        let command = self.cpp_library(command, file);
        let command = command.args(&self.options.cc_args).arg("-o").arg(output);
        command.arg(self.path_for(file))
    }

    /// Compiles a file of a library to bitcode, with these flags alone.
    pub fn library_bitcode(&self, flags: &[OsString], file: &Path, output: &Path) -> CommandLine {
        let fixed = ["-emit-llvm", "-c", "-w"];
        let command = self.start().args(fixed).args(flags);
        command.arg("-o").args([output, file])
    }

    /// Compiles a file of a library to native code, with these flags alone.
    pub fn library_object(&self, flags: &[OsString], file: &Path, output: &Path) -> CommandLine {
        let command = self.start().args(["-c", "-w"]).args(flags);
        command.arg("-o").args([output, file])
    }

    /// Puts files into an archive with an index of what they define.
    ///
    /// # Errors
    ///
    /// When clang cannot be asked where its archiver is.
    pub fn archive(&self, files: &[PathBuf], output: &Path) -> Result<CommandLine, ToolchainError> {
        let archiver = CommandLine::new(&self.companion("llvm-ar")?);
        Ok(archiver.arg("rcsD").arg(output).args(files))
    }

    /// The path of a tool that is installed with clang, or its name if there is none.
    ///
    /// # Errors
    ///
    /// When clang cannot be asked.
    pub fn companion(&self, tool: &str) -> Result<String, ToolchainError> {
        let question = self.start().arg(format!("-print-prog-name={tool}"));
        let answer = question.succeed(&format!("find {tool}"), &Stop::never())?;
        Ok(first_line(&answer.output))
    }

    /// Compiles a file of the program, C, C++ or LLVM, to native code.
    pub fn object(&self, file: &Path, output: &Path, sanitize: bool) -> CommandLine {
        let command = self
            .start_for(file)
            .args(["-c", "-g", "-w"])
            .arg(self.options.opt_level.flag());
        let command = match Language::of(file) {
            Some(_) => self.language(command, file),
            None => command,
        };
        let sanitizers = SANITIZERS.iter().filter(|_| sanitize);
        command
            .args(&self.options.cc_args)
            .args(sanitizers)
            .arg("-o")
            .arg(output)
            .arg(self.path_for(file))
    }

    /// Makes native code of bitcode or LLVM text as it stands: what was optimised or
    /// instrumented in it stays.
    pub fn unchanged_object(&self, file: &Path, output: &Path) -> CommandLine {
        self.start()
            .args(["-c", "-w", "-O0"])
            .args(&self.options.cc_args)
            .arg("-o")
            .args([output, file])
    }

    /// Compiles a C file of our own that is linked with the program. Only those of the
    /// program's arguments are given that say for which machine it is.
    pub fn runtime_object(&self, file: &Path, output: &Path) -> CommandLine {
        let is_target = |arg: &&String| arg.starts_with("-m") || arg.starts_with("--target");
        let command = self.start().args(["-c", "-w", "-O1"]);
        self.headers(command)
            .args(self.options.cc_args.iter().filter(is_target))
            .arg("-o")
            .args([output, file])
    }

    /// Links objects to a program that runs.
    pub fn link(&self, objects: &[PathBuf], with: &Link<'_>, output: &Path) -> CommandLine {
        let driver = with.cpp.then_some("--driver-mode=g++");
        let own_library = with.cpp_archives.iter().map(|_| "-nostdlib++").take(1);
        let sanitizers = SANITIZERS.iter().filter(|_| with.sanitize);
        let mut command = self
            .start()
            .arg("-w")
            .args(driver)
            .args(own_library)
            .args(objects)
            .args(with.cpp_archives)
            .args(with.rust_archive)
            .args(sanitizers)
            .args(&self.options.cc_args);
        for name in with.wrapped {
            command = command.arg(format!("-Wl,--wrap={name}"));
        }
        for library in with.libraries {
            let folder = library.parent().unwrap_or(Path::new("."));
            // Not `-Wl,-rpath,`: a comma in the name would end it.
            command = command.arg(library).arg("-Xlinker").arg("-rpath");
            command = command.arg("-Xlinker").arg(folder);
        }
        let of_system = with.system_libraries.iter();
        command
            .args(of_system.map(|name| format!("-l:{name}")))
            .arg("-lm")
            .arg("-o")
            .arg(output)
    }

    /// Compiles one C file to a library that can be loaded at run time.
    pub fn shared_library(&self, file: &Path, output: &Path) -> CommandLine {
        self.start()
            .args(["-O1", "-fPIC", "-shared", "-o"])
            .args([output, file])
            .arg("-lm")
    }

    /// Compiles one C file to a program.
    pub fn executable(&self, file: &Path, output: &Path, sanitize: bool) -> CommandLine {
        let sanitizers = SANITIZERS.iter().filter(|_| sanitize);
        let command = self.start().arg(self.options.opt_level.flag());
        let command = self.language(command, file);
        command
            .args(sanitizers)
            .args(&self.options.cc_args)
            .arg("-o")
            .args([output, file])
            .arg("-lm")
    }

    pub(super) fn start(&self) -> CommandLine {
        CommandLine::of(&self.tool, self.options.directory.as_deref())
    }

    /// Clang where a build system has it work on the file, with what it is told there.
    /// What comes after has the last word: -Werror is for the project's own compilers.
    fn start_for(&self, file: &Path) -> CommandLine {
        match self.options.command_for(file) {
            Some(own) => CommandLine::of(&self.tool, Some(&own.directory))
                .args(&own.arguments)
                .arg("-Wno-error"),
            None => self.start(),
        }
    }

    /// The file's name where [`Clang::start_for`] works.
    fn path_for(&self, file: &Path) -> PathBuf {
        match self.options.command_for(file) {
            Some(_) => std::path::absolute(file).unwrap_or_else(|_| file.to_owned()),
            None => file.to_owned(),
        }
    }

    /// What a source file needs beyond what an LLVM file does.
    fn language(&self, command: CommandLine, file: &Path) -> CommandLine {
        let standard = self.options.standard_for(file);
        let mut command = self.headers(command.args(standard.map(|it| format!("-std={it}"))));
        if Language::of(file) == Some(Language::C) {
            command = command.args(OLD_C);
        }
        for directory in &self.options.include_dirs {
            command = command.arg("-I").arg(directory);
        }
        let defines = self.options.defines.iter();
        command.args(defines.map(|define| format!("-D{define}")))
    }

    /// The standard library that C++ is compiled with to be run by the machine. Types are
    /// described in every file that uses them, since the library has no description.
    fn cpp_library(&self, command: CommandLine, file: &Path) -> CommandLine {
        let (Some(library), Some(Language::Cpp)) = (&self.options.cpp, Language::of(file)) else {
            return command;
        };
        let mut shown = OsString::from("-ffile-prefix-map=");
        shown.push(&library.headers);
        shown.push("=");
        shown.push(&library.shown_as);
        command
            .args(["-nostdinc++", "-fstandalone-debug", "-include"])
            .arg(&library.configuration)
            .arg("-isystem")
            .arg(&library.headers)
            .arg(shown)
    }

    fn headers(&self, command: CommandLine) -> CommandLine {
        match &self.options.headers {
            Some(directory) => command.arg("-I").arg(directory),
            None => command,
        }
    }
}

pub(super) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::OptLevel;

    fn shown(command: &CommandLine) -> String {
        let text = command.to_string();
        let (_, arguments) = text.split_once(' ').expect("it has arguments");
        arguments.to_owned()
    }

    #[test]
    fn the_programs_flags_reach_bitcode_and_native_code_alike() {
        let options = CompileOptions {
            headers: Some("ours".into()),
            include_dirs: vec!["a b".into()],
            defines: vec!["N=1".to_owned()],
            std: Some("c11".to_owned()),
            opt_level: OptLevel::Less,
            cc_args: vec!["-m64".to_owned(), "-fwrapv".to_owned()],
            ..CompileOptions::default()
        };
        let clang = Clang::find(&options).expect("tests need clang");
        let (c, cpp, bc, out) = ("x.c", "x.cc", "x.bc", Path::new("out"));
        let flags = "-I 'a b' '-DN=1' -m64 -fwrapv";
        let old = OLD_C.map(|flag| format!("'{flag}'")).join(" ");
        assert_eq!(
            shown(&clang.bitcode(c.as_ref(), out)),
            format!(
                "-g -emit-llvm -c -Xclang -disable-O0-optnone -O1 '-std=c11' -I ours {old} \
                 {flags} -o out x.c"
            )
        );
        assert_eq!(
            shown(&clang.object(cpp.as_ref(), out, true)),
            format!(
                "-c -g -w -O1 -I ours {flags} '-fsanitize=address,undefined' \
                 '-fno-sanitize-recover=all' -o out x.cc"
            )
        );
        assert_eq!(
            shown(&clang.object(bc.as_ref(), out, false)),
            "-c -g -w -O1 -m64 -fwrapv -o out x.bc"
        );
        assert_eq!(
            shown(&clang.runtime_object(c.as_ref(), out)),
            "-c -w -O1 -I ours -m64 -o out x.c"
        );
        let with = Link {
            cpp: true,
            cpp_archives: &[],
            rust_archive: Some("librust.a".as_ref()),
            sanitize: false,
            wrapped: &["sem_wait"],
            libraries: &["lib/libx.so".into()],
            system_libraries: &["libz.so.1".to_owned()],
        };
        assert_eq!(
            shown(&clang.link(&["x.o".into()], &with, out)),
            "-w '--driver-mode=g++' x.o librust.a -m64 -fwrapv '-Wl,--wrap=sem_wait' lib/libx.so -Xlinker -rpath \
             -Xlinker lib -l:libz.so.1 -lm -o out"
        );
    }
}
