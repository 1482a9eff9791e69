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

/// Every Markdown file that is under version control.
fn documents() -> Vec<PathBuf> {
    let mut git = std::process::Command::new("git");
    git.args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "*.md",
    ]);
    let listed = Finished::of(git.current_dir(project(""))).succeeds().stdout;
    let documents: Vec<PathBuf> = listed.lines().map(project).collect();
    assert!(!documents.is_empty(), "there are documents");
    documents.into_iter().filter(|path| path.exists()).collect()
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
