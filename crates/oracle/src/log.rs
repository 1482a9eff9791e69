//! The native calls of one path, in its own order.
//!
//! A function that keeps state gives what it gives because of the calls before. A path
//! carries the log of those calls, and a process may serve it only if its own history is
//! the beginning of that log. Paths that part share what they have in common.

use crate::argument::{Argument, Outcome};
use base::List;

/// The calls that a path made, shared up to where paths parted.
#[derive(Clone, Default, Debug)]
pub struct CallLog(List<LoggedCall>);

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
        self.0.len()
    }

    /// Whether the path made no call.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, call: LoggedCall) {
        self.0.push(call);
    }

    /// Whether this log is the beginning of the other one. Only calls that both share
    /// count: equal ones that two paths made for themselves cost a replay, no more.
    pub(crate) fn begins(&self, other: &CallLog) -> bool {
        self.0.begins(&other.0)
    }

    /// The calls after the first so many, first to last; each with the log up to it.
    pub(crate) fn after(&self, number: usize) -> Vec<CallLog> {
        self.0.growing(number).map(CallLog).collect()
    }

    /// The last call.
    pub(crate) fn last(&self) -> Option<&LoggedCall> {
        self.0.last()
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
