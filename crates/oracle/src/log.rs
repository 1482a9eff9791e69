//! The native calls of one path, in its own order.
//!
//! A function that keeps state gives what it gives because of the calls before. A path
//! carries the log of those calls, and a process may serve it only if its own history is
//! the beginning of that log. Paths that part share what they have in common.

use crate::argument::{Argument, Outcome};
use std::rc::Rc;

/// The calls that a path made, shared up to where paths parted.
#[derive(Clone, Default, Debug)]
pub struct CallLog {
    last: Option<Rc<Link>>,
}

#[derive(Debug)]
struct Link {
    call: LoggedCall,
    /// How many calls there are up to this one.
    number: usize,
    before: Option<Rc<Link>>,
}

/// A call, and what came of it.
#[derive(Debug)]
pub(crate) struct LoggedCall {
    /// The function's number.
    pub(crate) function: usize,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) outcome: Outcome,
}

impl CallLog {
    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.number)
    }

    /// Whether the path made no call.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    pub(crate) fn push(&mut self, call: LoggedCall) {
        let number = self.len() + 1;
        let before = self.last.take();
        self.last = Some(Rc::new(Link {
            call,
            number,
            before,
        }));
    }

    fn backwards(&self) -> impl Iterator<Item = &Rc<Link>> {
        std::iter::successors(self.last.as_ref(), |link| link.before.as_ref())
    }

    /// Whether this log is the beginning of the other one. Only calls that both share
    /// count: equal ones that two paths made for themselves cost a replay, no more.
    pub(crate) fn begins(&self, other: &CallLog) -> bool {
        match &self.last {
            None => true,
            Some(last) => {
                let mut at = other
                    .backwards()
                    .skip_while(|link| link.number > last.number);
                at.next().is_some_and(|link| Rc::ptr_eq(link, last))
            }
        }
    }

    /// The calls after the first so many, first to last; each with the log up to it.
    pub(crate) fn after(&self, number: usize) -> Vec<CallLog> {
        let links = self.backwards().take_while(|link| link.number > number);
        let mut logs: Vec<CallLog> = links
            .map(|link| CallLog {
                last: Some(link.clone()),
            })
            .collect();
        logs.reverse();
        logs
    }

    /// The last call.
    pub(crate) fn last(&self) -> Option<&LoggedCall> {
        self.last.as_ref().map(|link| &link.call)
    }
}

impl Drop for Link {
    /// A long list is taken down link by link, not by recursion.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.before.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: usize) -> LoggedCall {
        LoggedCall {
            function,
            arguments: Vec::new(),
            outcome: Outcome {
                result: None,
                changed: Vec::new(),
            },
        }
    }

    #[test]
    fn a_log_begins_those_that_grew_from_it_and_no_others() {
        let mut common = CallLog::default();
        common.push(call(1));
        let (mut left, mut right) = (common.clone(), common.clone());
        left.push(call(2));
        right.push(call(2));
        assert!(CallLog::default().begins(&left));
        assert!(common.begins(&left) && common.begins(&common));
        assert!(!left.begins(&right) && !left.begins(&common));
        let after: Vec<usize> = left.after(1).iter().map(CallLog::len).collect();
        assert_eq!(after, [2]);
        assert_eq!(left.after(0).len(), 2);
    }
}
