//! A mistake in our own code, caught where it costs one unit of work and not all.
//!
//! A panic says that this program is wrong, not the user's. Whoever does one of many
//! units of work (a path's turn, a query) does it in [`caught`], reports what comes
//! back as an internal error, and goes on with the next. What the unit was changing
//! when it panicked is half-changed: it has to be thrown away or made anew.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic: what it said and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panicked {
    /// Its message.
    pub message: String,
    /// File, line and column in our own source.
    pub location: String,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error at {}: {}", self.location, self.message)
    }
}

thread_local! {
    /// Where this thread panicked last; none while it does nothing in `caught`.
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does the work; if it panics, that is the result, and nothing is printed.
///
/// ```
/// assert_eq!(base::caught(|| 6 * 7), Ok(42));
/// let panicked = base::caught(|| [1, 2, 3].iter().position(|&n| n == 4).unwrap());
/// assert!(panicked.unwrap_err().message.contains("`None`"));
/// ```
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    // Only the hook knows the location. One that others set keeps its panics.
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_caught = LOCATION.with_borrow_mut(|location| {
                let at = info.location().map(ToString::to_string);
                location.as_mut().map(|it| *it = at.unwrap_or_default())
            });
            if is_caught.is_none() {
                before(info);
            }
        }));
    });
    let outer = LOCATION.replace(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let location = LOCATION.replace(outer).unwrap_or_default();
    result.map_err(|payload| Panicked {
        message: message(&*payload),
        location,
    })
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_caught_says_its_message_and_its_place() {
        let panicked = caught(|| panic!("{} and {}", 1, 2)).unwrap_err();
        assert_eq!(panicked.message, "1 and 2");
        assert!(panicked.location.contains("caught.rs:"), "{panicked}");
    }

    #[test]
    fn work_within_work_is_caught_where_it_panics() {
        let outer = caught(|| {
            let inner = caught(|| panic!("inner")).unwrap_err();
            panic!("outer after {}", inner.message);
        });
        assert_eq!(outer.unwrap_err().message, "outer after inner");
    }
}
