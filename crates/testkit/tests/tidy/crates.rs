//! The crates of the workspace, as Cargo sees them.

use crate::source::Source;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};
use testkit::{Finished, project};

/// A crate of the workspace.
pub struct Crate {
    pub name: String,
    /// Where its Cargo.toml is.
    pub folder: PathBuf,
    /// What it is built with; what only its tests use is not among them.
    pub dependencies: BTreeSet<String>,
}

impl Crate {
    /// All crates but `testkit`, which is no part of the product.
    pub fn all() -> Vec<Crate> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut metadata = Command::new(cargo);
        metadata
            .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
            .current_dir(project(""));
        let metadata = Finished::of(&mut metadata).succeeds().json();
        let packages = metadata["packages"].as_array().expect("Cargo lists them");
        let crates = packages.iter().map(Crate::read);
        crates.filter(|one| one.name != "testkit").collect()
    }

    fn read(package: &Json) -> Crate {
        let text = |json: &Json| json.as_str().expect("it is a text").to_owned();
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        Crate {
            name: text(&package["name"]),
            folder: manifest
                .parent()
                .expect("a manifest is in a folder")
                .to_owned(),
            dependencies: dependencies
                .filter(|dependency| dependency["kind"].is_null())
                .map(|dependency| text(&dependency["name"]))
                .collect(),
        }
    }

    /// Whether it is a program that talks to people rather than a library.
    pub fn is_program(&self) -> bool {
        !self.folder.join("src/lib.rs").exists()
    }

    /// The files under `src`, those of tests left out.
    pub fn sources(&self) -> Vec<Source> {
        Source::under(&self.folder.join("src"))
    }

    pub fn manifest(&self) -> String {
        fs::read_to_string(self.folder.join("Cargo.toml")).expect("Cargo has read it")
    }
}

#[test]
fn unsafe_code_is_where_native_libraries_are() {
    const MAY: [&str; 4] = ["jit", "oracle", "program", "solver"];
    let mut complaints = Vec::new();
    for one in Crate::all() {
        let name = &one.name;
        let manifest = one.manifest();
        if !MAY.contains(&name.as_str()) {
            if !manifest.contains("[lints]\nworkspace = true") {
                complaints.push(format!(
                    "crate {name}: its Cargo.toml has to say `[lints] workspace = true`, \
                     which forbids unsafe code"
                ));
            }
            continue;
        }
        if !manifest.contains("undocumented_unsafe_blocks = \"deny\"") {
            complaints.push(format!(
                "crate {name}: its Cargo.toml has to deny clippy::undocumented_unsafe_blocks"
            ));
        }
    }
    crate::none(complaints);
}

#[test]
fn each_native_library_is_linked_by_one_crate() {
    const OWNERS: [(&str, &str); 9] = [
        ("llvm-sys", "program"),
        ("batsat", "solver"),
        ("cadical", "solver"),
        ("z3", "solver"),
        ("z3-sys", "solver"),
        ("libffi", "oracle"),
        ("libloading", "oracle"),
        ("cranelift-codegen", "jit"),
        ("cranelift-jit", "jit"),
    ];
    let mut complaints = Vec::new();
    for one in Crate::all() {
        for (library, owner) in OWNERS {
            if one.dependencies.contains(library) && one.name != owner {
                complaints.push(format!(
                    "crate {} depends on {library}, which only {owner} may",
                    one.name
                ));
            }
        }
    }
    crate::none(complaints);
}
