//! Pages in a real browser. `scripts/install-browser` gets one; where there is none, these
//! tests have nothing to look with.

use serde_json::Value as Json;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use testkit::{Finished, project};

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

/// Looks at pages as a script of `web/scripts/browser` says; what was found there. With
/// `PICTURES`, pictures of them go to that folder.
pub fn look(script: &str, pages: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Option<Json> {
    let web = project("web");
    let (Some(browser), true) = (browser(), web.join("node_modules/playwright-core").is_dir())
    else {
        eprintln!("skipped: there is no browser; scripts/install-browser gets one");
        return None;
    };
    let mut node = Command::new("node");
    node.current_dir(&web)
        .arg(format!("scripts/browser/{script}.mjs"))
        .arg(browser)
        .args(pages);
    if let Some(pictures) = std::env::var_os("PICTURES") {
        node.arg(pictures);
    }
    Some(Finished::of(&mut node).succeeds().json())
}
