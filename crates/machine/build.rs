//! Compiles the C library of `runtime/libc` to bitcode, which the machine links into
//! programs. The bitcode is part of the binary: what is built here works from any
//! directory, and when the source tree is gone.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where debug information says that the library's files are. No such directory exists;
/// a path of the machine that built this would be one that users take for a real one.
const DIRECTORY: &str = "/everypath/libc";

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let sources = root.join("runtime/libc");
    println!("cargo:rerun-if-changed={}", sources.display());
    println!("cargo:rerun-if-env-changed=EVERYPATH_CLANG");
    println!("cargo:rustc-env=EVERYPATH_LIBRARY_DIRECTORY={DIRECTORY}/");
    let clang = env::var("EVERYPATH_CLANG").unwrap_or_else(|_| "clang-22".to_owned());

    let mut files: Vec<PathBuf> = fs::read_dir(&sources)
        .expect("runtime/libc is part of the repository")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.file_stem().expect("it has a name").to_string_lossy();
        let bitcode = out.join(format!("{name}.bc"));
        compile(&clang, &sources, file, &bitcode);
        writeln!(
            list,
            "    ({name:?}, include_bytes!({bitcode:?}) as &[u8]),"
        )
        .expect("writing to a string does not fail");
    }
    list.push(']');
    fs::write(out.join("library.rs"), list).expect("the output directory can be written");
}

fn compile(clang: &str, sources: &Path, file: &Path, bitcode: &Path) {
    let status = Command::new(clang)
        .args(["-O1", "-g", "-std=c11", "-ffreestanding", "-fno-builtin"])
        .args(["-fno-vectorize", "-fno-slp-vectorize", "-emit-llvm", "-c"])
        .arg(format!("-fdebug-compilation-dir={DIRECTORY}"))
        .arg("-o")
        .arg(bitcode)
        // By its name alone, so that the bitcode holds no other path.
        .arg(file.file_name().expect("it has a name"))
        .current_dir(sources)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => panic!("{clang} does not compile {}", file.display()),
        Err(error) => {
            panic!("cannot run {clang}: {error}; `make build` installs it, or set EVERYPATH_CLANG")
        }
    }
}
