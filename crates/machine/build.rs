//! Compiles the C library of `runtime/libc` to bitcode, which the machine
//! links into programs.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let sources = root.join("runtime/libc");
    println!("cargo:rerun-if-changed={}", sources.display());
    println!("cargo:rerun-if-env-changed=EVERYPATH_CLANG");
    let clang = env::var("EVERYPATH_CLANG").unwrap_or_else(|_| "clang-22".to_owned());

    let mut files: Vec<PathBuf> = fs::read_dir(&sources)
        .expect("runtime/libc is part of the repository")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file
            .file_stem()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let bitcode = out.join(format!("{name}.bc"));
        let status = Command::new(&clang)
            .args(["-O1", "-g", "-std=c11", "-ffreestanding", "-fno-builtin"])
            .args([
                "-fno-vectorize",
                "-fno-slp-vectorize",
                "-emit-llvm",
                "-c",
                "-o",
            ])
            .arg(&bitcode)
            .arg(file)
            .current_dir(&root)
            .status();
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => panic!("{clang} does not compile {}", file.display()),
            Err(error) => panic!(
                "cannot run {clang}: {error}; `make build` installs it, or set EVERYPATH_CLANG"
            ),
        }
        writeln!(
            list,
            "    ({name:?}, include_bytes!({bitcode:?}) as &[u8]),"
        )
        .expect("writing to a string does not fail");
    }
    list.push(']');
    fs::write(out.join("library.rs"), list).expect("the output directory can be written");
}
