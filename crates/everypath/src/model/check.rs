//! `everypath model check` and `everypath model fmt`.

use super::load::{ModelArguments, functions, read, text_of, told, told_all, write};
use crate::Outcome;
use crate::error::Error;
use crate::external::SandboxArguments;
use crate::output::{say, say_json};
use ::model::results::{self, SCHEMA, Warning};
use ::model::{Action, Checked, Location, Model, picture};
use base::{OneLine, Stop};
use std::path::PathBuf;

/// Checks a model and draws it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model check grid.iosts
  everypath model check grid.iosts --set N=4 --svg grid.svg

Exit status: 0 the model is right; 2 it is not, with every mistake and its line.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// Draws the automata for Graphviz.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Draws the automata as a picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// A library to search for functions, beside those the model names.
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArguments,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let (checked, text) = read(&arguments.model)?;
    let model = &checked.model;
    let name = arguments.model.file.one_line().into_owned();
    if !model.functions.is_empty() {
        functions(
            &arguments.model.file,
            model,
            &arguments.load,
            &arguments.sandbox,
            stop,
        )?;
    }
    if let Some(file) = &arguments.dot {
        write(file, &picture::dot(model))?;
    }
    if let Some(file) = &arguments.svg {
        write(file, &picture::svg(model))?;
    }
    if arguments.json {
        say_json(&result(&checked, &text))?;
    } else {
        for warning in &checked.warnings {
            eprintln!("{}", told("warning", &name, &text, warning));
        }
        say(summary(model).trim_end())?;
    }
    Ok(Outcome::Clean)
}

fn result(checked: &Checked, text: &str) -> results::Checked {
    let model = &checked.model;
    let warnings = checked.warnings.iter().map(|warning| {
        let Location { line, column } = warning.span.location(text);
        Warning {
            line,
            column,
            message: warning.message.clone(),
        }
    });
    results::Checked {
        schema: SCHEMA,
        automata: model.automata.len(),
        states: model.states().count(),
        transitions: model.transitions.len(),
        variables: model.variables.len(),
        channels: model.channels.len(),
        functions: model.functions.len(),
        warnings: warnings.collect(),
    }
}

fn summary(model: &Model) -> String {
    let mut text = String::new();
    for (number, automaton) in model.automata.iter().enumerate() {
        let transitions = model.transitions.iter().filter(|t| t.automaton == number);
        let variables = model
            .variables
            .iter()
            .filter(|v| v.automaton == Some(number));
        text += &format!(
            "automaton {}: {} states, {} transitions, {} variables\n",
            automaton.name,
            automaton.states.len(),
            transitions.count(),
            variables.count()
        );
    }
    for constant in model
        .constants
        .iter()
        .filter(|constant| constant.is_parameter)
    {
        let value = ::model::value::to_text(&constant.ty, &constant.value);
        text += &format!("parameter {} = {value}\n", constant.name);
    }
    let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
        let channels = model.channels.iter().enumerate();
        let chosen = channels.filter(|&(number, _)| wanted(number));
        chosen.map(|(_, channel)| channel.name.clone()).collect()
    };
    let used = |input: bool| {
        move |number: usize| {
            !model.channels[number].is_shared
                && model
                    .transitions
                    .iter()
                    .any(|transition| match transition.action {
                        Action::Input { channel, .. } => input && channel == number,
                        Action::Output { channel, .. } => !input && channel == number,
                        Action::Internal => false,
                    })
        }
    };
    let groups = [
        ("inputs", names(&used(true))),
        ("outputs", names(&used(false))),
        (
            "shared channels",
            names(&|number| model.channels[number].is_shared),
        ),
        (
            "external functions",
            model
                .functions
                .iter()
                .map(|function| function.name.clone())
                .collect(),
        ),
    ];
    for (what, names) in groups {
        if !names.is_empty() {
            text += &format!("{what}: {}\n", names.join(", "));
        }
    }
    text
}

/// Formats models: indentation and spaces.
#[derive(clap::Args)]
pub struct FormatArguments {
    /// The models.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Changes nothing; exit status 1 says that a file is not formatted.
    #[arg(long)]
    check: bool,
}

pub fn format(arguments: &FormatArguments) -> Result<Outcome, Error> {
    let mut outcome = Outcome::Clean;
    for file in &arguments.files {
        let text = text_of(file)?;
        let mistakes = ::model::mistakes(&text);
        if !mistakes.is_empty() {
            return Err(told_all(&file.one_line(), &text, &mistakes));
        }
        let formatted = ::model::format(&text);
        if formatted == text {
            continue;
        }
        if arguments.check {
            say(&format!("{} is not formatted", file.one_line()))?;
            outcome = Outcome::Found;
        } else {
            write(file, &formatted)?;
        }
    }
    Ok(outcome)
}
