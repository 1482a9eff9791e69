//! Programs of object files and archives with bitcode in them.

use program::{Archive, Library, LoadError, LoadOptions, load};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// A folder with object files of these sources.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new(sources: &[(&str, &str)], flags: &[&str]) -> Scene {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for (name, text) in sources {
            std::fs::write(folder.path().join(name), text).expect("it can be written to");
            let mut clang = Command::new("clang-22");
            run(clang
                .args(["-g", "-c", name])
                .args(flags)
                .current_dir(folder.path()));
        }
        Scene { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn archive(&self, members: &[&str]) -> PathBuf {
        let archiver = Command::new("clang-22")
            .arg("-print-prog-name=llvm-ar")
            .output();
        let archiver = String::from_utf8(archiver.expect("clang runs").stdout);
        let mut archiver = Command::new(archiver.expect("it is text").trim());
        run(archiver
            .args(["rcs", "library.a"])
            .args(members)
            .current_dir(self.folder.path()));
        self.file("library.a")
    }
}

fn run(command: &mut Command) {
    let status = command.status().expect("it is installed");
    assert!(status.success(), "{command:?}");
}

fn defined(files: &[PathBuf]) -> Vec<String> {
    defined_with(Library::default(), files)
}

fn defined_with(library: Library, files: &[PathBuf]) -> Vec<String> {
    let options = LoadOptions {
        library,
        ..LoadOptions::default()
    };
    let program = load(files, &options).expect("it can be loaded");
    let functions = program
        .functions
        .iter()
        .filter(|function| function.body.is_some());
    let mut names: Vec<String> = functions.map(|function| function.name.clone()).collect();
    names.sort();
    names
}

const SOURCES: [(&str, &str); 4] = [
    (
        "main.c",
        "int half(int); int main(void) { return half(4); }",
    ),
    (
        "half.c",
        "int third(int); int half(int x) { return third(x) + x / 2; }",
    ),
    (
        "third.c",
        "int third(int x) { return x / 3; } int spare(void) { return 1; }",
    ),
    ("other.c", "int other(void) { return 2; }"),
];

#[test]
fn what_is_needed_of_an_archive_is_linked() {
    for flags in [&["-flto"][..], &["-fembed-bitcode=all"]] {
        let scene = Scene::new(&SOURCES, flags);
        let archive = scene.archive(&["half.o", "third.o", "other.o"]);
        let names = defined(&[archive.clone(), scene.file("main.o")]);
        assert_eq!(names, ["half", "main", "spare", "third"], "{flags:?}");
    }
}

#[test]
fn an_archive_with_a_main_is_a_program() {
    let scene = Scene::new(&SOURCES, &["-flto"]);
    let archive = scene.archive(&["main.o", "half.o", "third.o", "other.o"]);
    assert_eq!(defined(&[archive]), ["half", "main", "spare", "third"]);
}

#[test]
fn a_program_with_its_own_definition_keeps_it() {
    let own = "int half(int); int spare(void) { return 7; } int main(void) { return half(4); }";
    let scene = Scene::new(&[SOURCES[1], SOURCES[2], ("own.c", own)], &["-flto"]);
    let archive = scene.archive(&["half.o", "third.o"]);
    assert_eq!(
        defined(&[scene.file("own.o"), archive]),
        ["half", "main", "spare", "third"]
    );
}

#[test]
fn a_stand_in_of_a_library_yields_to_what_it_stands_for() {
    let exit = "static int none(void) { return 0; } \
                extern __typeof(none) handlers __attribute__((weak, alias(\"none\"))); \
                int leave(void) { return handlers(); }";
    let handlers = "int handlers(void) { return 5; } int at_exit(void) { return 1; }";
    let main = "int leave(void); int at_exit(void); int main(void) { return leave() + at_exit(); }";
    let sources = [("exit.c", exit), ("handlers.c", handlers), ("main.c", main)];
    let scene = Scene::new(&sources, &["-flto"]);
    let archive = scene.archive(&["exit.o", "handlers.o"]);
    let names = defined(&[scene.file("main.o"), archive]);
    assert!(names.contains(&"handlers".to_owned()), "{names:?}");
}

#[test]
fn what_is_provided_does_not_come_with_something_else_of_a_library() {
    let keys = "int __made(void) { return 1; } \
                extern __typeof(__made) made __attribute__((weak, alias(\"__made\"))); \
                int gone(void) { return made(); } int count(void) { return gone(); }";
    let main = "int count(void); int made(void); int main(void) { return count() + made(); }";
    let scene = Scene::new(&[("keys.c", keys), ("main.c", main)], &["-flto"]);
    let library = |provided: &'static [&str]| Library {
        archives: vec![Archive::new(&scene.archive(&["keys.o"]))],
        provided: Some(Rc::new(|name| provided.contains(&name))),
        ..Library::default()
    };
    let main = [scene.file("main.o")];
    let all = ["__made", "count", "gone", "main"];
    assert_eq!(defined_with(library(&[]), &main), all);
    let left = ["__made", "count", "main"];
    assert_eq!(defined_with(library(&["made", "gone"]), &main), left);
    // A name that another one stands for stays where it is.
    assert_eq!(defined_with(library(&["__made"]), &main), all);
}

#[test]
fn machine_code_alone_is_refused_with_what_to_do() {
    let scene = Scene::new(&SOURCES[..1], &[]);
    let file = scene.file("main.o");
    let refused = load(std::slice::from_ref(&file), &LoadOptions::default())
        .expect_err("there is no bitcode");
    assert_eq!(refused, LoadError::NoBitcode { file });
}

#[test]
fn an_archive_cut_short_is_refused() {
    let scene = Scene::new(&SOURCES, &["-flto"]);
    let archive = scene.archive(&["main.o", "half.o", "third.o"]);
    let whole = std::fs::read(&archive).expect("it was made");
    for length in (8..whole.len()).step_by(97) {
        std::fs::write(&archive, &whole[..length]).expect("it can be written to");
        let refused = load(std::slice::from_ref(&archive), &LoadOptions::default());
        assert!(
            refused.is_err(),
            "{length} bytes of {}",
            Path::new(&archive).display()
        );
    }
}
