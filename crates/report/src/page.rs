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
    let summary = summary(document);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title} – Everypath</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <div id=\"page\"></div>\n<noscript>{summary}</noscript>\n\
         <script type=\"application/json\" id=\"document\">{json}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        policy(document.live.is_some()),
    )
}

/// What whoever has no JavaScript gets to see.
fn summary(document: &Document) -> String {
    let title = escaped(&document.title);
    let known = match &document.run {
        Some(run) => format!(
            "{} paths, {} tests, {} errors",
            run.paths.total(),
            run.tests,
            document.errors.len()
        ),
        None => format!("{} tests", document.tests.len()),
    };
    format!("{title}: {known}. This page needs JavaScript to show more.")
}

/// What the page may do: run our script and our style, and show pictures that are in it;
/// that of a run that goes on may also talk to the server it came from.
pub(crate) fn policy(is_live: bool) -> String {
    let connect = match is_live {
        true => " connect-src 'self';",
        false => "",
    };
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:;{connect} \
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
