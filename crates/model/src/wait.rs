//! Waiting for another thread without outstaying the stop token.

use base::Stop;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the token is looked at meanwhile: seldom enough to cost nothing, often
/// enough that a run stops well within a second.
const NAP: Duration = Duration::from_millis(20);

/// Why nothing arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Silence {
    /// The time is over.
    TimedOut,
    /// The token is set.
    Stopped,
    /// The other side is gone.
    Disconnected,
}

/// What arrives within the time, unless the token is set before.
pub(crate) fn receive<T>(
    receiver: &Receiver<T>,
    time: Duration,
    stop: &Stop,
) -> Result<T, Silence> {
    // A time too long to add is as good as none.
    let deadline = Instant::now().checked_add(time);
    loop {
        let left = deadline.map_or(NAP, |deadline| {
            deadline.saturating_duration_since(Instant::now())
        });
        match receiver.recv_timeout(left.min(NAP)) {
            Ok(arrived) => return Ok(arrived),
            Err(RecvTimeoutError::Disconnected) => return Err(Silence::Disconnected),
            Err(RecvTimeoutError::Timeout) if stop.is_set() => return Err(Silence::Stopped),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::TimedOut),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn waiting_ends_with_the_token_long_before_the_time() {
        let (_sender, receiver) = channel::<()>();
        let stop = Stop::after(3);
        let waited = receive(&receiver, Duration::MAX, &stop);
        assert_eq!((waited, stop.late()), (Err(Silence::Stopped), 1));
    }

    #[test]
    fn what_is_there_already_is_taken_though_the_token_is_set() {
        let (sender, receiver) = channel();
        sender.send(7).expect("the receiver is here");
        let arrived = receive(&receiver, Duration::ZERO, &Stop::after(0));
        assert_eq!(arrived, Ok(7));
        drop(sender);
        let gone = receive(&receiver, Duration::MAX, &Stop::never());
        assert_eq!(gone, Err(Silence::Disconnected));
    }
}
