//! The built page and the types it was built with are those of the source tree.

use report::document::Document;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

fn web(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../web")
        .join(path)
}

#[test]
fn the_schema_of_the_page_is_that_of_the_types() {
    let schema = schemars::schema_for!(Document);
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let file = web("document.schema.json");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &text).expect("the project is writable");
    }
    let published = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        published == text,
        "web/document.schema.json is stale; BLESS=1 cargo nextest run -p report --test web \
         renews it, and make web the page"
    );
}

#[test]
fn the_built_page_is_made_of_the_sources_that_are_there() {
    let mut inputs = vec![
        "document.schema.json".to_owned(),
        "package-lock.json".to_owned(),
        "vite.config.ts".to_owned(),
    ];
    collect("src", &mut inputs);
    inputs.sort();
    let mut hash = Sha256::new();
    for path in inputs {
        hash.update(format!("{path}\0"));
        hash.update(fs::read(web(&path)).expect("it was listed"));
    }
    let hash: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let built = fs::read_to_string(web("dist/inputs.sha256")).expect("the page is built");
    assert!(
        built.trim() == hash,
        "web/dist is stale; make web builds it"
    );
}

fn collect(folder: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(web(folder)).expect("it is a folder") {
        let entry = entry.expect("it can be read");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}
