//! The oracle: functions by name, how each is run, and what is known of it.
//!
//! A call is looked up, then run, then recorded. A native call that ends in an
//! accident is tried once more in a fresh process; arguments on which that fails
//! too are remembered for the run, so that no input crashes or hangs twice.

mod in_place;
mod probing;
mod running;
mod tables;

pub use probing::Impurity;

use crate::argument::{self, Argument, Outcome};
use crate::failure::{Accident, Failure, Note};
use crate::native::{HelperCommand, NativeSide, Scope, Trouble};
use crate::sandbox::{Confinement, Sandbox};
use crate::signature::{Signature, Type};
use crate::table::FunctionTable;
use base::Stop;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use term::Value;

/// How a function is run when its table is silent.
pub enum Implementation<'f> {
    /// A symbol of the loaded libraries, of libm or of libc.
    Native,
    /// A symbol of the loaded libraries alone.
    Loaded,
    /// Not at all: what the table does not say, nobody knows.
    Table,
    /// By the embedding program.
    Custom(Box<Custom<'f>>),
}

/// A function of the embedding program; one that can take long gives up when the
/// token is set.
pub type Custom<'f> = dyn FnMut(&[Value], &Stop) -> Result<Value, Refusal> + 'f;

/// Why a function of the embedding program gives no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// For this reason.
    Reason(String),
    /// It did not answer in time.
    TimedOut {
        /// The limit.
        limit: Duration,
    },
}

impl<'f> Implementation<'f> {
    /// The function that the embedding program runs so; an error says why there is
    /// no result.
    pub fn custom(
        mut run: impl FnMut(&[Value]) -> Result<Value, String> + 'f,
    ) -> Implementation<'f> {
        let run = move |arguments: &[Value], _: &Stop| run(arguments).map_err(Refusal::Reason);
        Implementation::Custom(Box::new(run))
    }
}

impl Implementation<'_> {
    fn is_native(&self) -> bool {
        matches!(self, Implementation::Native | Implementation::Loaded)
    }
}

impl fmt::Debug for Implementation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Implementation::Native => "Native",
            Implementation::Loaded => "Loaded",
            Implementation::Table => "Table",
            Implementation::Custom(_) => "Custom",
        })
    }
}

/// How often a function was called, and what that took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Calls wanted, those the table answered among them.
    pub calls: u64,
    /// Calls that the table answered.
    pub from_table: u64,
    /// Times the function was run, natively or by the embedding program.
    pub runs: u64,
    /// Calls that ended without a result.
    pub failures: u64,
    /// Runs that gave no result.
    pub in_vain: u64,
    /// Times the helper process had to be replaced.
    pub restarts: u64,
}

/// External functions and everything observed of them.
pub struct Oracle<'f> {
    functions: IndexMap<String, Entry<'f>, FxBuildHasher>,
    /// Tables read from files for functions nobody has declared yet.
    undeclared: BTreeMap<String, (PathBuf, FunctionTable)>,
    native: NativeSide,
    /// Processes for functions that keep state.
    servers: Vec<in_place::Server>,
    /// Calls in place so far.
    performed: u64,
    notes: Vec<Note>,
}

struct Entry<'f> {
    signature: Signature,
    implementation: Implementation<'f>,
    /// Whether a loaded library has it, and not the system.
    is_loaded: bool,
    /// None for functions with pointers or without a result.
    table: Option<FunctionTable>,
    /// Arguments that have no result, and why.
    failed: FxHashMap<Vec<Value>, Failure>,
    /// Those of them that it crashed on, since somebody last asked.
    crashes: Vec<Vec<Value>>,
    statistics: Statistics,
}

impl Default for Oracle<'_> {
    fn default() -> Self {
        Oracle::new()
    }
}

impl<'f> Oracle<'f> {
    /// An oracle that knows no function.
    pub fn new() -> Oracle<'f> {
        Oracle {
            functions: IndexMap::default(),
            undeclared: BTreeMap::new(),
            native: NativeSide::new(),
            servers: Vec::new(),
            performed: 0,
            notes: Vec::new(),
        }
    }

    /// Says how the helper process for native functions is started.
    pub fn set_helper(&mut self, command: HelperCommand) {
        self.native.set_command(command);
    }

    /// Says what native code may do beyond computing and reading files.
    pub fn set_sandbox(&mut self, sandbox: Sandbox) {
        self.native.set_sandbox(sandbox);
    }

    /// How much of the sandbox this system can enforce.
    ///
    /// # Errors
    ///
    /// When the helper process does not start.
    pub fn confinement(&mut self) -> Result<Confinement, Failure> {
        self.native.confinement()
    }

    /// Says how long a native call may take; two seconds unless told.
    pub fn set_time_limit(&mut self, limit: Duration) {
        self.native.set_limit(limit);
    }

    /// Ends calls early: before every run of a function and during those that take
    /// long the token is looked at, and a call it ends has no result. What is in the
    /// tables stays known.
    pub fn set_stop(&mut self, stop: Stop) {
        self.native.set_stop(stop);
    }

    /// The token that ends calls early.
    pub fn stop(&self) -> &Stop {
        self.native.stop()
    }

    /// The helper process, while there is one.
    pub fn helper_id(&self) -> Option<u32> {
        self.native.process_id()
    }

    /// Loads a library. Its functions go before those of the system and after
    /// those of libraries loaded before.
    pub fn load_library(&mut self, path: &Path) -> Result<(), Failure> {
        self.native.load(path)
    }

    /// Whether any library was loaded.
    pub fn has_libraries(&self) -> bool {
        self.native.has_libraries()
    }

    /// Makes a function known. Declared again with the same types, it keeps its
    /// table and is run in the new way.
    pub fn declare(
        &mut self,
        signature: Signature,
        implementation: Implementation<'f>,
    ) -> Result<(), Failure> {
        let known = self.functions.get_full(&signature.name);
        if let Some((_, _, entry)) = known
            && !entry.signature.same_types(&signature)
        {
            return Err(Failure::Redeclared {
                known: entry.signature.to_string(),
                new: signature.to_string(),
            });
        }
        let number = known.map_or(self.functions.len(), |(number, _, _)| number);
        let is_loaded = match &implementation {
            Implementation::Native => self.bind(number, &signature, Scope::Everywhere)?,
            Implementation::Loaded => self.bind(number, &signature, Scope::Given)?,
            Implementation::Table | Implementation::Custom(_) => {
                check_tabular(&signature)?;
                false
            }
        };
        if let Some(entry) = self.functions.get_mut(&signature.name) {
            entry.implementation = implementation;
            entry.is_loaded = is_loaded;
            entry.failed.clear();
            return Ok(());
        }
        let table = match self.undeclared.remove(&signature.name) {
            Some((file, table)) => Some(self.claim(&signature, file, table)?),
            None => FunctionTable::new(signature.clone()),
        };
        let entry = Entry {
            table,
            implementation,
            is_loaded,
            failed: FxHashMap::default(),
            crashes: Vec::new(),
            statistics: Statistics::default(),
            signature: signature.clone(),
        };
        self.functions.insert(signature.name, entry);
        Ok(())
    }

    fn bind(
        &mut self,
        number: usize,
        signature: &Signature,
        scope: Scope,
    ) -> Result<bool, Failure> {
        check_native(signature)?;
        self.native
            .bind(number, signature, scope)
            .map_err(|trouble| match trouble {
                Trouble::Failure(failure) => failure,
                Trouble::Accident(accident) => Failure::Accident {
                    call: format!("looking for `{}`", signature.name),
                    accident,
                },
            })
    }

    /// Whether the function is declared.
    pub fn knows(&self, function: &str) -> bool {
        self.functions.contains_key(function)
    }

    /// Whether a loaded library has the function, and not the system.
    pub fn is_loaded(&self, function: &str) -> bool {
        let entry = self.functions.get(function);
        entry.is_some_and(|entry| entry.is_loaded)
    }

    /// Whether the function can be run where its table is silent.
    pub fn can_run(&self, function: &str) -> bool {
        let entry = self.functions.get(function);
        entry.is_some_and(|entry| !matches!(entry.implementation, Implementation::Table))
    }

    /// The declared functions, in the order of their declarations.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = &Signature> {
        self.functions.values().map(|entry| &entry.signature)
    }

    /// What is known of a function; none when it has pointers or no result.
    pub fn table(&self, function: &str) -> Option<&FunctionTable> {
        self.functions.get(function)?.table.as_ref()
    }

    /// How often a function was called so far, and what that took.
    pub fn statistics(&self, function: &str) -> Option<Statistics> {
        self.functions.get(function).map(|entry| entry.statistics)
    }

    /// What the user should hear of since the last time.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// The functions that crashed since the last time, and on which arguments.
    pub fn take_crashes(&mut self) -> Vec<(String, Vec<Value>)> {
        let mut all = Vec::new();
        for entry in self.functions.values_mut() {
            let name = &entry.signature.name;
            all.extend(entry.crashes.drain(..).map(|it| (name.clone(), it)));
        }
        all
    }

    /// The function's result: from its table, else by running it.
    pub fn call(&mut self, function: &str, arguments: &[Value]) -> Result<Value, Failure> {
        let number = self.number(function)?;
        let entry = &mut self.functions[number];
        entry.statistics.calls += 1;
        let answer = match entry.remembered(arguments) {
            Some(answer) => {
                entry.statistics.from_table += u64::from(answer.is_ok());
                answer
            }
            None => self.compute(number, arguments),
        };
        self.functions[number].statistics.failures += u64::from(answer.is_err());
        answer
    }

    /// The function's results for many lists of arguments at once, which for
    /// native functions is many times faster than one by one.
    pub fn call_batch<A: AsRef<[Value]>>(
        &mut self,
        function: &str,
        calls: &[A],
    ) -> Vec<Result<Value, Failure>> {
        let number = match self.number(function) {
            Ok(number) => number,
            Err(failure) => return vec![Err(failure); calls.len()],
        };
        let entry = &self.functions[number];
        let known = entry.pairs();
        let new: IndexSet<&[Value], FxBuildHasher> = calls
            .iter()
            .map(AsRef::as_ref)
            .filter(|arguments| entry.remembered(arguments).is_none())
            .collect();
        let new: Vec<&[Value]> = new.into_iter().collect();
        let lost = self.compute_batch(number, &new);
        let entry = &mut self.functions[number];
        let answers: Vec<Result<Value, Failure>> = calls
            .iter()
            .map(|call| {
                let arguments = call.as_ref();
                let lost = || lost.get(arguments).cloned().map(Err);
                entry
                    .remembered(arguments)
                    .or_else(lost)
                    .expect("what was not remembered was computed or lost")
            })
            .collect();
        let results = answers.iter().filter(|answer| answer.is_ok()).count();
        let computed = entry.pairs() - known;
        let statistics = &mut entry.statistics;
        statistics.calls += calls.len() as u64;
        statistics.from_table += (results - computed) as u64;
        statistics.failures += (calls.len() - results) as u64;
        answers
    }

    /// Runs the function now, whatever its table says, and records nothing: for
    /// functions with effects, and for those that take arrays.
    pub fn perform(&mut self, function: &str, arguments: &[Argument]) -> Result<Outcome, Failure> {
        let number = self.number(function)?;
        let entry = &mut self.functions[number];
        entry.statistics.calls += 1;
        let outcome = match argument::mismatch(&entry.signature, arguments) {
            Some(reason) => Err(entry.refuse_arguments(reason)),
            None => self.perform_checked(number, arguments),
        };
        self.functions[number].statistics.failures += u64::from(outcome.is_err());
        outcome
    }

    fn number(&self, function: &str) -> Result<usize, Failure> {
        let number = self.functions.get_index_of(function);
        number.ok_or_else(|| Failure::Undeclared {
            function: function.to_owned(),
        })
    }
}

impl Entry<'_> {
    /// What came of these arguments before.
    #[inline]
    fn remembered(&self, arguments: &[Value]) -> Option<Result<Value, Failure>> {
        if let Some(value) = self.table.as_ref()?.get(arguments) {
            return Some(Ok(value.clone()));
        }
        self.failed.get(arguments).cloned().map(Err)
    }

    fn pairs(&self) -> usize {
        self.table.as_ref().map_or(0, FunctionTable::len)
    }

    fn remember(&mut self, arguments: &[Value], answer: &Result<Value, Failure>) {
        match answer {
            Ok(value) => {
                let table = self.table.as_mut().expect("what is called has a table");
                table
                    .insert(arguments.to_vec(), value.clone())
                    .expect("the sorts were checked and the table was silent");
            }
            Err(failure @ (Failure::Accident { .. } | Failure::Refused { .. })) => {
                if failure.is_crash() {
                    self.crashes.push(arguments.to_vec());
                }
                self.failed.insert(arguments.to_vec(), failure.clone());
            }
            Err(_) => {}
        }
    }

    fn refuse_arguments(&self, reason: String) -> Failure {
        Failure::Arguments {
            signature: self.signature.to_string(),
            reason,
        }
    }

    fn note(
        &self,
        call: impl Fn(&Signature) -> String,
        accident: Accident,
        recovered: bool,
    ) -> Note {
        Note {
            function: self.signature.name.clone(),
            call: call(&self.signature),
            accident,
            recovered,
        }
    }
}

fn check_native(signature: &Signature) -> Result<(), Failure> {
    let cannot_pass = |parameter: Option<&str>, kind: Type| Failure::CannotPass {
        function: signature.name.clone(),
        parameter: parameter.map(str::to_owned),
        kind,
    };
    if let Some(bad) = signature.parameters.iter().find(|p| !p.kind.is_native()) {
        return Err(cannot_pass(Some(&bad.name), bad.kind));
    }
    match signature.result.is_native_result() {
        true => Ok(()),
        false => Err(cannot_pass(None, signature.result)),
    }
}

fn check_tabular(signature: &Signature) -> Result<(), Failure> {
    match signature.is_tabular() {
        true => Ok(()),
        false => Err(Failure::Arguments {
            signature: signature.to_string(),
            reason: "a function with pointers or without a result has no table".into(),
        }),
    }
}
