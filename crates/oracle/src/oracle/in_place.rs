//! Functions that keep state, called where a path calls them and in its order.
//!
//! The processes that serve such calls each remember their history. A path is served by
//! one whose history is the beginning of the path's log; the calls that it lacks are made
//! again first, and must give what they gave before. If none fits, a fresh process does.

use super::Oracle;
use crate::argument::{self, Argument, Outcome};
use crate::failure::{Accident, Failure};
use crate::log::{CallLog, LoggedCall};
use crate::native::NativeSide;

/// Processes that are kept, for paths that take turns.
const SERVERS: usize = 4;

/// A process, and the calls it has served.
pub(super) struct Server {
    native: NativeSide,
    history: CallLog,
    /// When it served last, for the choice of the one to end.
    served: u64,
}

impl Oracle<'_> {
    /// Calls the function after the calls of the log, and adds the call to it. Nothing is
    /// looked up and nothing remembered: the function may keep state.
    pub fn call_in_place(
        &mut self,
        log: &mut CallLog,
        function: &str,
        arguments: Vec<Argument>,
    ) -> Result<Outcome, Failure> {
        let number = self.number(function)?;
        let entry = &mut self.functions[number];
        entry.statistics.calls += 1;
        let outcome = match argument::mismatch(&entry.signature, &arguments) {
            Some(reason) => Err(entry.refuse_arguments(reason)),
            None => self.serve(log, number, &arguments),
        };
        self.functions[number].statistics.failures += u64::from(outcome.is_err());
        let outcome = outcome?;
        log.push(LoggedCall {
            function: number,
            arguments,
            outcome: outcome.clone(),
        });
        if let Some(server) = self.servers.iter_mut().max_by_key(|server| server.served) {
            server.history = log.clone();
        }
        Ok(outcome)
    }

    /// Makes the call in a process that has made those of the log; after an accident once
    /// more, in a fresh one.
    fn serve(
        &mut self,
        log: &CallLog,
        number: usize,
        arguments: &[Argument],
    ) -> Result<Outcome, Failure> {
        let mut first: Option<Accident> = None;
        loop {
            let mut server = self.server_for(log);
            let caught_up = self.catch_up(&mut server, log);
            let outcome = caught_up.and_then(|()| {
                let entry = &mut self.functions[number];
                entry.statistics.runs += 1;
                perform(&mut server.native, number, &entry.signature, arguments)
            });
            let failure = match outcome {
                Ok(outcome) => {
                    self.servers.push(server);
                    return Ok(outcome);
                }
                Err(failure) => failure,
            };
            // What it has served, nobody knows any more.
            drop(server);
            let Failure::Accident { accident, .. } = &failure else {
                return Err(failure);
            };
            let entry = &mut self.functions[number];
            entry.statistics.in_vain += 1;
            entry.statistics.restarts += 1;
            if first.is_some() || matches!(accident, Accident::TimedOut { .. }) {
                return Err(failure);
            }
            first = Some(accident.clone());
        }
    }

    /// The process with the longest history that begins the log; taken out of the others.
    fn server_for(&mut self, log: &CallLog) -> Server {
        self.performed += 1;
        let served = self.performed;
        self.servers.retain(|server| server.native.has_process());
        let fitting = self.servers.iter().enumerate();
        let fitting = fitting.filter(|(_, server)| server.history.begins(log));
        let best = fitting.max_by_key(|(_, server)| server.history.len());
        if let Some(best) = best.map(|(at, _)| at) {
            let mut server = self.servers.swap_remove(best);
            server.served = served;
            return server;
        }
        if self.servers.len() >= SERVERS {
            let oldest = self.servers.iter().enumerate();
            let oldest = oldest.min_by_key(|(_, server)| server.served);
            let oldest = oldest.map(|(at, _)| at);
            self.servers.swap_remove(oldest.expect("there are several"));
        }
        Server {
            native: self.native.sibling(),
            history: CallLog::default(),
            served,
        }
    }

    /// Makes the calls of the log that the process has not made.
    fn catch_up(&mut self, server: &mut Server, log: &CallLog) -> Result<(), Failure> {
        for up_to in log.after(server.history.len()) {
            let call = up_to.last().expect("it ends with a call");
            let entry = &mut self.functions[call.function];
            entry.statistics.runs += 1;
            let signature = &entry.signature;
            let outcome = perform(
                &mut server.native,
                call.function,
                signature,
                &call.arguments,
            )?;
            if outcome != call.outcome {
                return Err(Failure::NotDeterministic {
                    function: signature.name.clone(),
                    call: argument::call(signature, &call.arguments),
                });
            }
            server.history = up_to;
        }
        Ok(())
    }
}

/// Makes a call that may have effects, once.
pub(super) fn perform(
    native: &mut NativeSide,
    number: usize,
    signature: &crate::Signature,
    arguments: &[Argument],
) -> Result<Outcome, Failure> {
    use crate::native::Trouble;
    let call = || argument::call(signature, arguments);
    match native.perform(number, signature, arguments) {
        Ok(performed) => Ok(performed.outcome(signature, arguments)),
        Err(Trouble::Failure(failure)) => Err(failure),
        Err(Trouble::Accident(Accident::Stopped)) => Err(Failure::Stopped { call: call() }),
        Err(Trouble::Accident(accident)) => Err(Failure::Accident {
            call: call(),
            accident,
        }),
    }
}
