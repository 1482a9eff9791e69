//! The line that shows how far an exploration has come.
//!
//! It is drawn on standard error when that is a terminal, and nowhere else: a log
//! or a pipe gets results alone. Figures such as coverage take a walk over the
//! program, so a message is made only when it is about to be drawn, a few times a
//! second, and not at all for commands that end at once.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How long a command runs before anything is drawn.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long one message stands.
const EVERY: Duration = Duration::from_millis(250);

/// The progress of one command.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// When the next message is due, measured from the start.
    next: Duration,
}

impl Progress {
    /// Progress since `started`; with a time limit, a bar fills until it is reached.
    pub fn new(started: Instant, limit: Option<Duration>) -> Progress {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let (length, template) = match limit {
            Some(limit) => (
                Some(millis(limit)),
                "{bar:10} {elapsed}, {eta} left, {wide_msg}",
            ),
            None => (None, "{spinner} {elapsed} {wide_msg}"),
        };
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        let bar = ProgressBar::with_draw_target(length, target)
            .with_style(style)
            .with_elapsed(started.elapsed());
        Progress {
            bar,
            started,
            next: PATIENCE,
        }
    }

    /// Whether it is time to draw again.
    pub fn is_due(&self) -> bool {
        !self.bar.is_hidden() && self.started.elapsed() >= self.next
    }

    /// Draws what `message` says, when it is time.
    pub fn show(&mut self, message: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        if !self.is_due() {
            return;
        }
        self.next = elapsed + EVERY;
        self.bar.set_position(millis(elapsed));
        self.bar.set_message(message(elapsed));
    }

    /// Takes the line away, so that other text can be printed.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints something else while progress is shown.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
