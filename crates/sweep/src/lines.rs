//! Makes a text smaller by leaving out lines, as Zeller's delta debugging does it.

/// A text that `keeps` what matters, as small as so many trials make it.
pub fn minimise(
    text: &str,
    trials: usize,
    mut keeps: impl FnMut(&str) -> Result<bool, String>,
) -> Result<String, String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut left = trials;
    let mut size = lines.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        let mut smaller = false;
        while start < lines.len() {
            if left == 0 {
                return Ok(joined(&lines));
            }
            left -= 1;
            let end = (start + size).min(lines.len());
            let candidate = [&lines[..start], &lines[end..]].concat();
            if keeps(&joined(&candidate))? {
                lines = candidate;
                smaller = true;
            } else {
                start = end;
            }
        }
        // What could not go before may go now; of single lines, until none does.
        if !(smaller && size == 1) {
            size /= 2;
        }
    }
    Ok(joined(&lines))
}

fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_that_matter_are_left() {
        let text: String = (0..40).map(|number| format!("{number}\n")).collect();
        let has = |text: &str, line: &str| text.lines().any(|it| it == line);
        let keeps = |text: &str| Ok(has(text, "7") && has(text, "31"));
        assert_eq!(minimise(&text, 500, keeps), Ok("7\n31\n".to_owned()));
    }

    #[test]
    fn trials_bound_the_work() {
        let mut tried = 0;
        let keeps = |_: &str| {
            tried += 1;
            Ok(false)
        };
        assert_eq!(minimise("a\nb\nc\n", 2, keeps), Ok("a\nb\nc\n".to_owned()));
        assert_eq!(tried, 2);
    }
}
