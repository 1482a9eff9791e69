//! The page: one HTML file that needs nothing else, not even a network.
//!
//! What the program under test is called, prints or holds in its strings comes into the
//! page as JSON alone and is put there as text. Should anything slip through all the
//! same, the content-security policy lets no script and no style run that is not ours:
//! both are named by their hash.

use crate::document::Document;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

const SCRIPT: &str = include_str!("../../../web/dist/report.js");
const STYLE: &str = include_str!("../../../web/dist/report.css");

/// The page of a run.
pub fn page(document: &Document) -> String {
    let json = serde_json::to_string(document).expect("keys are texts");
    // Inside an element of text, only a `<` can begin anything else.
    let json = json.replace('<', "\\u003c");
    let title = escaped(&document.title);
    let run = &document.run;
    let summary = format!(
        "{}: {} paths, {} tests, {} errors. This page needs JavaScript to show more.",
        escaped(&document.title),
        run.paths.total(),
        run.tests,
        document.errors.len(),
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title} – Everypath</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <div id=\"page\"></div>\n<noscript>{summary}</noscript>\n\
         <script type=\"application/json\" id=\"document\">{json}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        policy(),
    )
}

/// What the page may do: run our script and our style, and show pictures that are in it.
fn policy() -> String {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
