//! Documents and what they link to.

use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Finished, project};

#[test]
fn relative_links_lead_somewhere() {
    let mut complaints = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document is text");
        let folder = document.parent().expect("a file is in a folder");
        for target in links(&text) {
            if !leads_somewhere(folder, target) {
                complaints.push(format!("{}: there is no {target}", document.display()));
            }
        }
    }
    crate::none(complaints);
}

/// What a tool left at the top, an archive or a program, is noticed before it is
/// committed for good.
#[test]
fn only_pictures_and_bitcode_are_no_text() {
    let is_expected = |file: &Path| {
        let kind = file.extension().and_then(|kind| kind.to_str());
        matches!(kind, Some("bc" | "png")) || file.starts_with(project("fuzz-targets/seeds"))
    };
    let files = kept("*").into_iter().filter(|file| !is_expected(file));
    let complaints = files.filter_map(|file| {
        let bytes = fs::read(&file).expect("it can be read");
        let is_text = String::from_utf8(bytes).is_ok();
        (!is_text).then(|| format!("{} is no text", file.display()))
    });
    crate::none(complaints.collect());
}

/// Every Markdown file.
fn documents() -> Vec<PathBuf> {
    let documents = kept("*.md");
    assert!(!documents.is_empty(), "there are documents");
    documents
}

/// The files of this kind that are under version control, or will be.
fn kept(kind: &str) -> Vec<PathBuf> {
    let mut git = std::process::Command::new("git");
    git.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        kind,
    ]);
    let listed = Finished::of(git.current_dir(project(""))).succeeds().stdout;
    let files = listed.split_terminator('\0').map(project);
    files.filter(|path| path.is_file()).collect()
}

/// The targets of links outside code blocks.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|after| after.split(')').next())
        .collect()
}

fn leads_somewhere(folder: &Path, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = folder.join(file);
    if file.is_empty() || anchor.is_empty() || !file.ends_with(".md") {
        return file.is_empty() || path.exists();
    }
    let Ok(text) = fs::read_to_string(path) else {
        return false;
    };
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| slug(heading) == anchor)
}

/// The anchor that GitHub gives a heading.
fn slug(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = title.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c => c.is_alphanumeric().then_some(c),
    });
    kept.collect()
}
