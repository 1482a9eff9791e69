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

/// Those of so many parts that `keeps` what matters needs, found in the same way.
pub fn minimise_parts(
    parts: usize,
    trials: usize,
    mut keeps: impl FnMut(&[usize]) -> Result<bool, String>,
) -> Result<Vec<usize>, String> {
    let numbers = |text: &str| {
        let numbers = text.lines().map(|line| line.parse());
        numbers
            .collect::<Result<Vec<usize>, _>>()
            .expect("lines are numbers")
    };
    let all: String = (0..parts).map(|part| format!("{part}\n")).collect();
    let kept = minimise(&all, trials, |text| keeps(&numbers(text)))?;
    Ok(numbers(&kept))
}

/// A text as comments of C, and of what looks like it.
pub fn commented(text: &str) -> String {
    text.lines().map(|line| format!("// {line}\n")).collect()
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
    fn only_the_parts_that_matter_are_left() {
        let keeps = |parts: &[usize]| Ok(parts.contains(&3) && parts.contains(&4));
        assert_eq!(minimise_parts(9, 100, keeps), Ok(vec![3, 4]));
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
