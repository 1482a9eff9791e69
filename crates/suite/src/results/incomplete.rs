//! Why a run that explored all it could does not show all the program can do.

use base::OneLine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that was left out, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Incomplete {
    /// Why there may be behaviour that no path showed.
    #[serde(flatten)]
    pub reason: IncompleteReason,
    /// The source file; empty where there is no one place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The line, from one; 0 where there is no one place.
    #[serde(default)]
    pub line: u32,
    /// How often it happened.
    pub times: u64,
}

/// Why there may be behaviour of the program that no path showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum IncompleteReason {
    /// Paths whose feasibility was not decided.
    UndecidedPaths,
    /// Assumptions contradict each other: they dropped every path.
    NoPath,
    /// Paths ended at a call of a function that nobody defines.
    MissingFunction {
        /// Its name.
        function: String,
    },
    /// Paths ended at a use of a variable that nothing defines.
    MissingVariable {
        /// Its name.
        variable: String,
    },
    /// A function was run with one of several values.
    Concretized {
        /// The function.
        function: String,
        /// What had other values: an argument, or the object behind one.
        what: String,
    },
    /// Paths ended in a native function that did not return in time.
    TimedOut {
        /// The function.
        function: String,
    },
    /// Paths ended at a native function that gave another result for the same calls.
    NotDeterministic {
        /// The function.
        function: String,
    },
    /// A native function that nobody said is pure was run on some of its arguments only.
    TakenForPure {
        /// The function.
        function: String,
    },
    /// A system call that is not modelled failed, as on a system that does not have it.
    NotModelled {
        /// The call.
        call: String,
    },
    /// Paths ended at something that is not supported.
    Unsupported {
        /// What it is.
        what: String,
    },
    /// An allocation may be larger than what was followed.
    LargeSize {
        /// The greatest size that was, in bytes.
        most: u64,
    },
    /// Threads could be interleaved with more preemptions than were tried.
    Preemptions {
        /// How many were, on one path.
        most: u64,
    },
    /// A member of the objects that were made is a pointer, and null in all of them.
    OnlyNull {
        /// The type and the member.
        member: String,
    },
    /// A symbolic pointer may point to more objects than were tried.
    UntriedObjects {
        /// How many were.
        tried: u64,
    },
}

impl fmt::Display for Incomplete {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(out, "{}:{}: ", self.file.one_line(), self.line)?;
        }
        let times = self.times;
        let paths = if times == 1 { "path" } else { "paths" };
        match &self.reason {
            IncompleteReason::UndecidedPaths => {
                write!(out, "{times} {paths} could not be decided")
            }
            IncompleteReason::NoPath => out.write_str(
                "the assumptions contradict each other: no input satisfies them, and no path was \
                 followed to its end",
            ),
            IncompleteReason::MissingFunction { function } => {
                write!(
                    out,
                    "`{function}` has no body; {times} {paths} ended at its call"
                )
            }
            IncompleteReason::MissingVariable { variable } => {
                write!(
                    out,
                    "nothing defines `{variable}`; {times} {paths} ended where it is used"
                )
            }
            IncompleteReason::Concretized { function, what } => {
                write!(
                    out,
                    "`{function}` was run with one value of {what}, {}; others were not followed",
                    times_over(times)
                )
            }
            IncompleteReason::TimedOut { function } => {
                write!(
                    out,
                    "`{function}` did not return in time; {times} {paths} ended there"
                )
            }
            IncompleteReason::NotDeterministic { function } => write!(
                out,
                "`{function}` gave another result for the same calls; {times} {paths} ended there"
            ),
            IncompleteReason::TakenForPure { function } => write!(
                out,
                "`{function}` was run on some of its arguments; what it does on others is not \
                 known"
            ),
            IncompleteReason::NotModelled { call } => write!(
                out,
                "the system call {call} is not modelled; it failed with ENOSYS, {}",
                times_over(times)
            ),
            IncompleteReason::Unsupported { what } => {
                write!(out, "{what}; {times} {paths} ended there")
            }
            IncompleteReason::LargeSize { most } => write!(
                out,
                "an allocation has a symbolic size; sizes above {most} bytes were not followed"
            ),
            IncompleteReason::Preemptions { most } => write!(
                out,
                "threads were made to wait at most {most} times on a path; there are more \
                 interleavings"
            ),
            IncompleteReason::OnlyNull { member } => write!(
                out,
                "`{member}` points to no structure whose members are known; only objects with \
                 null there were made"
            ),
            IncompleteReason::UntriedObjects { tried } => write!(
                out,
                "a symbolic pointer may point to more than {tried} objects; the first were tried"
            ),
        }
    }
}

fn times_over(times: u64) -> String {
    match times {
        1 => "once".to_owned(),
        _ => format!("{times} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_flat_object_and_one_sentence() {
        let missing = Incomplete {
            reason: IncompleteReason::MissingFunction {
                function: "absent".to_owned(),
            },
            file: "program.c".to_owned(),
            line: 3,
            times: 2,
        };
        let json = serde_json::to_string(&missing).expect("it is an object");
        assert_eq!(
            json,
            r#"{"reason":"missing-function","function":"absent","file":"program.c","line":3,"times":2}"#
        );
        assert_eq!(
            serde_json::from_str::<Incomplete>(&json).expect("what was written is read"),
            missing
        );
        assert_eq!(
            missing.to_string(),
            "program.c:3: `absent` has no body; 2 paths ended at its call"
        );
    }
}
