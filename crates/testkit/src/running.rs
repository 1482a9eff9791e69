//! A command that is still at work.

use crate::Finished;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// How long to sleep before looking again whether something has happened. It decides
/// only how soon a test goes on, never whether it passes.
const PAUSE: Duration = Duration::from_millis(10);

/// A command that was started. It is killed if the test fails before it ends.
#[derive(Debug)]
pub struct Running(Option<Child>);

impl Running {
    /// Starts the command with nothing on its standard input.
    #[track_caller]
    pub fn start(command: &mut Command) -> Running {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        match child {
            Ok(child) => Running(Some(child)),
            Err(error) => panic!("{command:?}: {error}"),
        }
    }

    /// Waits until this holds. A command that ends before has failed.
    #[track_caller]
    pub fn until(&mut self, holds: impl Fn() -> bool) {
        while !holds() {
            let ended = self.child().try_wait().expect("it is our child");
            if ended.is_some() && !holds() {
                let said = self.take().said();
                panic!("it ended before it was interrupted:\n{said}");
            }
            thread::sleep(PAUSE);
        }
    }

    /// Sends what Ctrl-C sends, and gives what the command left when it ended.
    #[track_caller]
    pub fn interrupt(mut self) -> Finished {
        // The shell has a `kill` of its own where the system has none.
        let kill = Command::new("sh")
            .args(["-c", "kill -INT $0", &self.child().id().to_string()])
            .status();
        assert!(kill.expect("there is a shell").success());
        self.take()
    }

    /// Ends the command as a crash of the machine would.
    pub fn kill(mut self) -> Finished {
        self.child().kill().expect("it is our child");
        self.take()
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("only `take` takes it")
    }

    fn take(&mut self) -> Finished {
        let child = self.0.take().expect("only `take` takes it");
        let output = child.wait_with_output();
        output.expect("its pipes can be read").into()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
