//! `everypath solve`: the answers to SMT-LIB scripts, and to queries about strings
//! in HAMPI's language.

use crate::error::Error;
use crate::output::say;
use crate::ui::statistics;
use crate::{Outcome, diagnostic, hampi, interrupt};
use base::{OneLine, Stop, caught};
use serde_json::{Value as Json, json};
use solver::{Answer, Config, Disagreement, Limits, Link, Reason, Solver, Statistics};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use term::print::smtlib as print;
use term::smtlib::{Command, Located};
use term::{Assignment, Evaluator, Function, Store, Term, Value, Variable};

/// Decides the constraints of SMT-LIB and HAMPI files.
///
/// Reads SMT-LIB 2 (bit-vectors, arrays, floating point, integers, reals,
/// strings, uninterpreted functions) and answers `check-sat`, `get-model`,
/// `get-value` and `get-unsat-core` as solvers do. A file whose name ends in
/// `.hmp` is a query about strings in HAMPI's language; the answer is a value
/// for every variable, or UNSAT.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath solve query.smt2
  everypath solve injection.hmp
  everypath solve --all 10 --encoding chart injection.hmp
  everypath solve --time-limit 10 --stats hard/*.smt2
  echo '(check-sat)' | everypath solve -

Exit status: 0 every answer is fine; 1 an answer differs from the file's
(set-info :status …); 2 a file cannot be read, with the place and the reason, or a
query met an internal error of everypath.")]
pub struct Arguments {
    /// The files: SMT-LIB 2, or `.hmp`; `-` reads SMT-LIB from standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Gives up to so many solutions of a `.hmp` file.
    #[arg(long, value_name = "N", default_value_t = 1)]
    all: usize,
    /// How a `.hmp` file says that a string is a word of a language.
    #[arg(long, value_enum, default_value_t = hampi::EncodingName::Auto)]
    encoding: hampi::EncodingName,
    /// Gives up on a query after this many conflicts.
    #[arg(long, value_name = "N")]
    conflict_limit: Option<u64>,
    /// Gives up on a query after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Gives up on everything after this many seconds: queries left are unknown,
    /// files left are not read.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Gives up on a query that takes more memory than this.
    #[arg(long, value_name = "MIB")]
    memory_limit: Option<usize>,
    /// Decides every query with two independent backends and stops if they differ.
    #[arg(long)]
    cross_check: bool,
    /// Shows what each link of the solver's chain did.
    #[arg(long, alias = "statistics")]
    stats: bool,
    /// Prints one JSON object with all answers instead of SMT-LIB.
    #[arg(long)]
    json: bool,
}

/// A time: a number of seconds, or of what stands behind it, as KLEE writes times.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 5] = [
        ("ms", 0.001),
        ("s", 1.0),
        ("min", 60.0),
        ("m", 60.0),
        ("h", 3600.0),
    ];
    let with_unit = |&(unit, seconds): &(&str, f64)| Some((text.strip_suffix(unit)?, seconds));
    let (number, unit) = UNITS.iter().find_map(with_unit).unwrap_or((text, 1.0));
    let number: f64 = (number.trim_end().parse())
        .map_err(|_| format!("`{text}` is not a time; write 20, 20s, 5min or 1h"))?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "seconds must be positive".to_owned())
}

/// Answers all the files until `stop` is set; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let stop = &stop.within(arguments.max_time);
    let mut total = Statistics::default();
    let mut files = Vec::new();
    let mut outcome = Outcome::Clean;
    let mut internal = 0;
    for (number, file) in arguments.files.iter().enumerate() {
        if stop.is_set() {
            let left = arguments.files.len() - number;
            eprintln!("{}: {left} files were not read", interrupt::because(stop));
            break;
        }
        if file.extension().is_some_and(|extension| extension == "hmp") {
            let solving = hampi::Solving {
                all: arguments.all,
                encoding: arguments.encoding,
                config: config(arguments, stop),
                quiet: arguments.json,
            };
            let (answers, statistics) = solving.answer(file)?;
            total.add(&statistics);
            files.push(json!({"file": file.to_string_lossy().into_owned(), "answers": answers}));
            continue;
        }
        let mut session = Session::new(arguments, stop, file)?;
        session.run()?;
        if session.mismatch {
            outcome = Outcome::Found;
        }
        internal += session.internal;
        total.add(session.solver.statistics());
        files
            .push(json!({"file": file.to_string_lossy().into_owned(), "answers": session.answers}));
    }
    if arguments.json {
        let object = json!({"schema": 1, "files": files, "solver": statistics_json(&total)});
        say(&format!("{object:#}"))?;
    }
    if arguments.stats {
        eprint!("{}", statistics::of_links(&total));
    }
    match internal {
        0 => Ok(outcome),
        count => Err(Error::Internal {
            count,
            what: "queries",
        }),
    }
}

/// One script and where it stands.
struct Session<'a> {
    arguments: &'a Arguments,
    name: String,
    commands: Vec<Located>,
    store: Store,
    solver: Solver,
    scopes: Vec<Scope>,
    status: Option<String>,
    last: Option<Answer>,
    /// What the last answer was about.
    decided: Vec<Term>,
    answers: Vec<Json>,
    mismatch: bool,
    /// Queries on which we failed ourselves.
    internal: usize,
    options: Options,
}

/// What `set-option` changes.
#[derive(Default)]
struct Options {
    print_success: bool,
    /// Whether declarations outlive the scope they are in.
    global_declarations: bool,
}

impl Options {
    /// Takes an option of the standard over; whether it is one that is understood with
    /// this value.
    fn set(&mut self, keyword: &str, value: &str) -> bool {
        let switch = match value {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        match (keyword, switch) {
            ("print-success", Some(on)) => self.print_success = on,
            ("global-declarations", Some(on)) => self.global_declarations = on,
            // They are always produced.
            ("produce-models" | "produce-unsat-cores", Some(_)) => {}
            ("regular-output-channel", None) => return value == "stdout",
            ("diagnostic-output-channel", None) => return value == "stderr",
            _ => return false,
        }
        true
    }
}

/// What `pop` takes back.
#[derive(Default)]
struct Scope {
    assertions: Vec<(Term, Option<String>)>,
    variables: Vec<Variable>,
    functions: Vec<Function>,
}

impl<'a> Session<'a> {
    fn new(arguments: &'a Arguments, stop: &Stop, file: &Path) -> Result<Session<'a>, Error> {
        let (name, text) = read(file)?;
        let mut store = Store::new();
        let script = term::smtlib::parse(&mut store, &text).map_err(|error| {
            let (line, column) = (error.line, error.column);
            Error::Diagnostics(diagnostic::at_place(
                &name,
                &text,
                line,
                column,
                &error.message,
            ))
        })?;
        Ok(Session {
            arguments,
            name,
            commands: script.commands,
            store,
            solver: Solver::new(config(arguments, stop)),
            scopes: vec![Scope::default()],
            status: None,
            last: None,
            decided: Vec::new(),
            answers: Vec::new(),
            mismatch: false,
            internal: 0,
            options: Options::default(),
        })
    }

    fn run(&mut self) -> Result<(), Error> {
        for located in std::mem::take(&mut self.commands) {
            self.command(&located)?;
        }
        Ok(())
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("there is always the outermost scope")
    }

    /// The scope that a declaration is in.
    fn declaring_scope(&mut self) -> &mut Scope {
        match self.options.global_declarations {
            true => &mut self.scopes[0],
            false => self.scope(),
        }
    }

    fn command(&mut self, located: &Located) -> Result<(), Error> {
        // The standard has answers only for what was asserted when `check-sat` came.
        if let Command::Assert { .. } | Command::Push(_) | Command::Pop(_) = located.command {
            self.last = None;
        }
        match &located.command {
            Command::SetInfo(key, value) if key == "status" => self.status = Some(value.clone()),
            Command::SetLogic(_) | Command::SetInfo(..) | Command::Define(_) => {}
            Command::Exit => {}
            Command::SetOption(keyword, value) => {
                if !self.options.set(keyword, value) {
                    return self.print("unsupported".to_owned());
                }
            }
            Command::DeclareVariable(variable) => {
                self.declaring_scope().variables.push(*variable);
            }
            Command::DeclareFunction(function) => {
                self.declaring_scope().functions.push(*function);
            }
            Command::Assert { term, name } => self.scope().assertions.push((*term, name.clone())),
            Command::CheckSat => return self.check(located, &[]),
            Command::CheckSatAssuming(terms) => return self.check(located, terms),
            Command::GetModel => return self.print(self.model()),
            Command::GetValue(terms) => return self.print(self.values(terms)),
            Command::GetUnsatCore => return self.print(self.core()),
            Command::Push(levels) => {
                self.scopes.extend((0..*levels).map(|_| Scope::default()));
            }
            Command::Pop(levels) => {
                self.scopes.truncate(self.scopes.len() - *levels as usize);
            }
            Command::Echo(text) => return self.print(text.clone()),
            Command::Reset => {
                self.scopes = vec![Scope::default()];
                self.last = None;
                self.options = Options::default();
            }
            Command::ResetAssertions => {
                let mut outermost = std::mem::take(&mut self.scopes[0]);
                outermost.assertions.clear();
                if !self.options.global_declarations {
                    outermost = Scope::default();
                }
                self.scopes = vec![outermost];
                self.last = None;
            }
            Command::GetInfo(_) | Command::GetOption(_) | Command::Unsupported(_) => {
                return self.print("unsupported".to_owned());
            }
        }
        match self.options.print_success {
            true => self.print("success".to_owned()),
            false => Ok(()),
        }
    }

    fn print(&self, text: String) -> Result<(), Error> {
        if self.arguments.json {
            Ok(())
        } else {
            say(&text)
        }
    }

    fn check(&mut self, located: &Located, assumptions: &[Term]) -> Result<(), Error> {
        let assertions = self.scopes.iter().flat_map(|scope| &scope.assertions);
        self.decided = assertions
            .map(|&(term, _)| term)
            .chain(assumptions.iter().copied())
            .collect();
        let decided = &self.decided;
        let asked = caught(|| self.solver.check(&mut self.store, decided));
        let answer = asked.unwrap_or_else(|panicked| {
            self.solver.forget();
            self.internal += 1;
            Answer::Unknown(Reason::GaveUp(panicked.to_string()))
        });
        let word = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let mut entry = json!({"line": located.line, "answer": word});
        if let Answer::Unknown(reason) = &answer {
            entry["reason"] = Json::from(reason.to_string());
            eprintln!("{}:{}: unknown: {reason}", self.name, located.line);
        }
        if let Answer::Sat(model) = &answer {
            entry["model"] = self.model_json(model);
            entry["functions"] = self.functions_json(model);
        }
        self.answers.push(entry);
        self.print(word.to_owned())?;
        if let Some(status) = self.status.take()
            && word != "unknown"
            && status != "unknown"
            && status != word
        {
            self.mismatch = true;
            let (name, line) = (&self.name, located.line);
            eprintln!("{name}:{line}: the answer is {word}, but the file says {status}");
        }
        self.last = Some(answer);
        Ok(())
    }

    fn declared(&self) -> (Vec<Variable>, Vec<Function>) {
        let variables = self
            .scopes
            .iter()
            .flat_map(|scope| scope.variables.iter().copied());
        let functions = self
            .scopes
            .iter()
            .flat_map(|scope| scope.functions.iter().copied());
        (variables.collect(), functions.collect())
    }

    fn model_json(&self, model: &Assignment) -> Json {
        let entries = self.declared().0.into_iter().map(|variable| {
            let name = self.store.variable_name(variable).to_owned();
            (
                name,
                Json::from(print::value(&self.value_of(model, variable))),
            )
        });
        Json::Object(entries.collect())
    }

    /// By name: the results at the arguments that matter, and the result elsewhere.
    fn functions_json(&self, model: &Assignment) -> Json {
        let entries = self.declared().1.into_iter().map(|function| {
            let (rows, default) = self.table(model, function);
            let rows = rows
                .into_iter()
                .map(|(arguments, result)| json!({"arguments": arguments, "result": result}));
            let name = self.store.signature(function).name.clone();
            let table = json!({"table": rows.collect::<Vec<_>>(), "default": default});
            (name, table)
        });
        Json::Object(entries.collect())
    }

    /// The rows of a function's table as text, in order, and its result elsewhere.
    fn table(
        &self,
        model: &Assignment,
        function: Function,
    ) -> (Vec<(Vec<String>, String)>, String) {
        let Some(value) = model.function(function) else {
            let sort = self.store.signature(function).result;
            return (Vec::new(), print::value(&Value::default_of(sort)));
        };
        let rows = value.table.iter().map(|(arguments, result)| {
            let arguments = arguments.iter().map(print::value);
            (arguments.collect(), print::value(result))
        });
        let mut rows: Vec<(Vec<String>, String)> = rows.collect();
        rows.sort();
        (rows, print::value(&value.default))
    }

    fn value_of(&self, model: &Assignment, variable: Variable) -> Value {
        let sort = self.store.variable_sort(variable);
        model
            .get(variable)
            .cloned()
            .unwrap_or_else(|| Value::default_of(sort))
    }

    fn model(&self) -> String {
        let Some(Answer::Sat(model)) = &self.last else {
            return error_text("there is no model: the last answer was not sat");
        };
        let (variables, functions) = self.declared();
        let mut lines = vec!["(".to_owned()];
        for variable in variables {
            let name = print::symbol(self.store.variable_name(variable));
            let sort = self.store.variable_sort(variable);
            let value = print::value(&self.value_of(model, variable));
            lines.push(format!("  (define-fun {name} () {sort} {value})"));
        }
        for function in functions {
            lines.push(self.definition(model, function));
        }
        lines.push(")".to_owned());
        lines.join("\n")
    }

    /// A function's table as a definition.
    fn definition(&self, model: &Assignment, function: Function) -> String {
        let signature = self.store.signature(function);
        let name = print::symbol(&signature.name);
        let parameters = signature.parameters.iter().enumerate();
        let parameters: Vec<String> = parameters
            .map(|(i, sort)| format!("(x!{i} {sort})"))
            .collect();
        let (rows, mut body) = self.table(model, function);
        for (arguments, result) in rows {
            let equal = arguments.iter().enumerate();
            let equal: Vec<String> = equal.map(|(i, v)| format!("(= x!{i} {v})")).collect();
            // The standard has no conjunction of one.
            let condition = match equal.as_slice() {
                [one] => one.clone(),
                several => format!("(and {})", several.join(" ")),
            };
            body = format!("(ite {condition} {result} {body})");
        }
        let parameters = parameters.join(" ");
        format!(
            "  (define-fun {name} ({parameters}) {} {body})",
            signature.result
        )
    }

    fn values(&self, terms: &[(String, Term)]) -> String {
        let Some(Answer::Sat(model)) = &self.last else {
            return error_text("there are no values: the last answer was not sat");
        };
        let mut evaluator = Evaluator::default();
        let mut evaluation = evaluator.under(&self.store, model);
        let pairs: Vec<String> = terms
            .iter()
            .map(|(text, term)| format!("({text} {})", print::value(&evaluation.value(*term))))
            .collect();
        format!("({})", pairs.join(" "))
    }

    fn core(&self) -> String {
        let Some(Answer::Unsat(core)) = &self.last else {
            return error_text("there is no core: the last answer was not unsat");
        };
        let assertions = self.scopes.iter().flat_map(|scope| &scope.assertions);
        let used = assertions.filter(|(term, _)| {
            let parts = term::conjuncts(&self.store, *term);
            parts.iter().any(|part| core.contains(part))
        });
        let names = used.filter_map(|(_, name)| name.as_deref());
        let names: Vec<String> = names.map(print::symbol).collect();
        format!("({})", names.join(" "))
    }
}

fn config(arguments: &Arguments, stop: &Stop) -> Config {
    let limits = Limits {
        conflicts: arguments.conflict_limit,
        memory: arguments.memory_limit.map(|mib| mib << 20),
        stop: stop.clone(),
    };
    Config {
        limits,
        time: arguments.time_limit,
        cross_check: arguments.cross_check.then_some(stop_with_dump as _),
        ..Config::default()
    }
}

fn error_text(message: &str) -> String {
    format!("(error \"{message}\")")
}

/// The file's name for messages, and its text.
pub fn read(file: &Path) -> Result<(String, String), Error> {
    let name = file.one_line().into_owned();
    let failed = |error: std::io::Error| {
        Error::Usage(format!(
            "cannot read {name}: {error}; give the path of an SMT-LIB 2 or .hmp file"
        ))
    };
    if name == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        return Ok(("standard input".to_owned(), text));
    }
    let text = std::fs::read_to_string(file).map_err(failed)?;
    Ok((name, text))
}

/// Writes the query on which the backends differ and ends the program.
fn stop_with_dump(disagreement: &Disagreement) -> ! {
    const DUMP: &str = "everypath-disagreement.smt2";
    let Disagreement {
        script,
        chain,
        link,
        referee,
        verdict,
    } = disagreement;
    eprintln!(
        "error: {} says {chain}, but {referee} says {verdict}; this is a bug in Everypath",
        link.name()
    );
    match base::files::write_whole(DUMP.as_ref(), script.as_bytes()) {
        Ok(()) => eprintln!("the query is in {DUMP}; please report it"),
        Err(error) => eprintln!("cannot write {DUMP}: {error}; the query:\n{script}"),
    }
    std::process::exit(2);
}

fn statistics_json(statistics: &Statistics) -> Json {
    let links = Link::ALL.iter().map(|&link| {
        let s = statistics.link(link);
        let entry = json!({
            "asked": s.queries, "answered": s.answered, "seconds": s.time.as_secs_f64(),
        });
        (link.name().to_owned(), entry)
    });
    json!({
        "queries": statistics.queries,
        "backend_calls": statistics.backend_calls(),
        "sat": statistics.sat,
        "unsat": statistics.unsat,
        "unknown": statistics.unknown,
        "seconds": statistics.time.as_secs_f64(),
        "links": Json::Object(links.collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let millis = |text| seconds(text).map(|time| time.as_millis());
        assert_eq!(millis("20"), Ok(20_000));
        assert_eq!(millis("0.5"), Ok(500));
        assert_eq!(millis("20s"), Ok(20_000));
        assert_eq!(millis("250ms"), Ok(250));
        assert_eq!(millis("5min"), Ok(300_000));
        assert_eq!(millis("5m"), Ok(300_000));
        assert_eq!(millis("1.5 h"), Ok(5_400_000));
        for wrong in ["", "s", "-1", "ten", "1d", "nan", "1e400"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
