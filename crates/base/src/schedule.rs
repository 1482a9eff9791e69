//! The order in which the threads of a path took turns.
//!
//! One thread runs at a time, and another may take over only where threads notice each
//! other: at an operation on a lock or the like, and at an atomic access. Whoever counts the
//! operations of each turn can therefore have the same order again, in the machine and in
//! the real program. The text form is one word a turn, `THREAD:OPERATIONS`, so that a person
//! can read it and a runtime in C, too; `!` after it says that the turn begins because the
//! time of a wait is over, and `>THREAD` says whom a signal woke where several waited.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The turns of all threads of a path. The first thread, that of `main`, has number 0, and
/// the others are numbered as they are made.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Schedule {
    /// The turns, in order.
    pub slices: Vec<TimeSlice>,
    /// The threads that signals woke where there was a choice, in order.
    pub woken: Vec<u32>,
}

/// A turn of a thread.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TimeSlice {
    /// Whose it is.
    pub thread: u32,
    /// How many operations it begins and gets past. At the next one another thread takes
    /// over, or the thread ends before it.
    pub operations: u32,
    /// Whether it begins because the time of a wait is over.
    pub is_late: bool,
}

/// A text that is no schedule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{word}` is no turn of a thread")]
pub struct NoSchedule {
    word: String,
}

impl Schedule {
    /// Whether there was only ever one thread.
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slices = self.slices.iter().map(ToString::to_string);
        let woken = self.woken.iter().map(|thread| format!(">{thread}"));
        let words: Vec<String> = slices.chain(woken).collect();
        out.write_str(&words.join(" "))
    }
}

impl fmt::Display for TimeSlice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let late = if self.is_late { "!" } else { "" };
        write!(out, "{}:{}{late}", self.thread, self.operations)
    }
}

impl FromStr for Schedule {
    type Err = NoSchedule;

    fn from_str(text: &str) -> Result<Schedule, NoSchedule> {
        let mut schedule = Schedule::default();
        for word in text.split_ascii_whitespace() {
            let wrong = || NoSchedule {
                word: word.to_owned(),
            };
            let number = |digits: &str| digits.parse().map_err(|_| wrong());
            if let Some(thread) = word.strip_prefix('>') {
                schedule.woken.push(number(thread)?);
                continue;
            }
            let turn = word.strip_suffix('!');
            let (thread, operations) = turn.unwrap_or(word).split_once(':').ok_or_else(wrong)?;
            schedule.slices.push(TimeSlice {
                thread: number(thread)?,
                operations: number(operations)?,
                is_late: turn.is_some(),
            });
        }
        Ok(schedule)
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> String {
        schedule.to_string()
    }
}

impl TryFrom<String> for Schedule {
    type Error = NoSchedule;

    fn try_from(text: String) -> Result<Schedule, NoSchedule> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_schedule_is_read_back() {
        let text = "0:3 2:0 1:12! 0:1 >2 >1";
        let schedule: Schedule = text.parse().expect("it is one");
        assert_eq!(schedule.to_string(), text);
        assert_eq!(schedule.woken, [2, 1]);
        assert!(schedule.slices[2].is_late);
        assert_eq!("".parse(), Ok(Schedule::default()));
    }

    #[test]
    fn what_is_no_turn_is_named() {
        for text in ["0", "0:", ":1", "a:1", "0:1 >", "0:-1", "0:1!!"] {
            let problem = text.parse::<Schedule>().expect_err("it is none");
            assert!(problem.to_string().ends_with("is no turn of a thread"));
        }
    }
}
