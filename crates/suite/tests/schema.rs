//! The published schema of `run.json` is the one of the types that write it.

use std::fs;
use std::path::Path;
use suite::RunReport;

#[test]
fn the_published_schema_is_that_of_the_types() {
    let schema = schemars::schema_for!(RunReport);
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/run.schema.json");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &text).expect("the documentation is writable");
    }
    let published = fs::read_to_string(&file).expect("the schema is published");
    assert!(
        published == text,
        "docs/run.schema.json is stale; BLESS=1 cargo nextest run -p suite --test schema renews it"
    );
}
