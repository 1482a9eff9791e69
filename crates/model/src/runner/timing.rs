//! What is wrong with the time of an output, in words.

use super::clock::{Bounds, shown};
use super::session::{decoded, received_text};
use crate::execution::Executor;
use crate::observer::{Observer, Window};
use crate::output::either;
use num_rational::BigRational;
use serde_json::Value as Json;

/// Why an output is not allowed that would be at another time, from what was known before that
/// time passed; none if the time is not what is wrong with it.
pub(super) fn mistimed(
    executor: &mut Executor<'_, '_>,
    before: &Observer,
    came: &Bounds,
    name: &str,
    values: &[Json],
) -> Option<String> {
    let text = received_text(executor.model, name, values);
    let (channel, values) = decoded(executor.model, name, values).ok()?;
    let windows = before.windows(executor, channel, &values);
    if windows.is_empty() {
        return None;
    }
    let (earliest, latest) = came;
    let is_early = windows.iter().all(|window| window.from > *latest);
    let is_late = windows
        .iter()
        .all(|window| window.to.as_ref().is_some_and(|to| to < earliest));
    let fault = match (is_early, is_late) {
        (true, _) => ", too early",
        (_, true) => ", too late",
        _ => "",
    };
    let at = match earliest == latest {
        true => format!("at {} s", shown(earliest)),
        false => format!("between {} and {} s", shown(earliest), shown(latest)),
    };
    let windows: Vec<String> = windows.iter().map(window_text).collect();
    let windows = windows.join(" or ");
    Some(format!(
        "{name}({text}) came {at}{fault}; the model expects it {windows}"
    ))
}

/// Why it is wrong that nothing came until now.
pub(super) fn overdue(
    executor: &mut Executor<'_, '_>,
    observer: &mut Observer,
    now: &BigRational,
) -> String {
    let expected = either(executor.model, &observer.foreseen(executor));
    let due = match observer.latest(executor) {
        Some(latest) => format!("by {} s", shown(&latest)),
        None => "before".to_owned(),
    };
    let now = shown(now);
    format!("nothing came until {now} s; the model expects {expected} {due}")
}

fn window_text(window: &Window) -> String {
    let from = shown(&window.from);
    match &window.to {
        None => format!("from {from} s on"),
        Some(to) if *to == window.from => format!("at {from} s"),
        Some(to) => format!("between {from} and {} s", shown(to)),
    }
}
