//! Tests as plain files, for fuzzers and scripts.

use super::{Call, ExportedTest};

/// The files of each test, by their paths: `test000001/stdin`, `test000001/arguments`
/// with a zero byte after each, `test000001/files/A`, `test000001/variables/HOME`, and
/// the inputs in order as `test000001/inputs/00-x`.
pub fn raw(tests: &[ExportedTest]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for test in tests {
        let mut arguments = Vec::new();
        let mut inputs = 0;
        let mut next_input = |name: &str| {
            let path = format!("inputs/{inputs:02}-{}", file_name(name));
            inputs += 1;
            path
        };
        let mut put = |path: String, bytes: Vec<u8>| {
            files.push((format!("{}/{path}", test.name), bytes));
        };
        for call in &test.calls {
            match call {
                Call::Bytes(name, bytes) => put(next_input(name), bytes.clone()),
                Call::Int(name, size, value) => {
                    let bytes = i128::from(*value).to_le_bytes();
                    put(next_input(name), bytes[..*size].to_vec());
                }
                Call::Float(name, 4, value) => {
                    put(next_input(name), (*value as f32).to_le_bytes().to_vec());
                }
                Call::Float(name, _, value) => put(next_input(name), value.to_le_bytes().to_vec()),
                Call::Argument(bytes) => {
                    arguments.extend_from_slice(bytes);
                    arguments.push(0);
                }
                Call::Variable(name, value) => {
                    put(format!("variables/{}", file_name(name)), value.clone());
                }
                Call::File(name, bytes) => put(format!("files/{}", file_name(name)), bytes.clone()),
                Call::Stdin(bytes) => put("stdin".to_owned(), bytes.clone()),
            }
        }
        if !arguments.is_empty() {
            put("arguments".to_owned(), arguments);
        }
    }
    files
}

/// A name that leads to no other folder.
fn file_name(name: &str) -> String {
    let allowed = |letter: char| match letter.is_alphanumeric() || "._-#[]".contains(letter) {
        true => letter,
        false => '_',
    };
    let text: String = name.chars().map(allowed).collect();
    match text.starts_with('.') || text.is_empty() {
        true => format!("_{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_a_file_with_its_bytes() {
        let files = raw(&super::super::tests::sample());
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "test000001/inputs/00-x",
                "test000001/inputs/01-f",
                "test000001/inputs/02-u",
                "test000001/inputs/03-text",
                "test000001/stdin",
                "test000002/inputs/00-x",
            ]
        );
        assert_eq!(files[0].1, (-2i32).to_le_bytes());
        assert_eq!(files[1].1, 0.1f32.to_le_bytes());
    }

    #[test]
    fn a_name_cannot_lead_to_another_folder() {
        assert_eq!(file_name("../a b"), "_.._a_b");
    }
}
