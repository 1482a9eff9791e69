//! A program as text, for people and for tests.
//!
//! The text of a program is the same whenever the program is. It is meant to
//! be read, not to be read back.

mod code;
mod names;

use std::fmt::{self, Display, Formatter};

use crate::ids::FunctionId;
use crate::ops::Kind;
use crate::program::{Body, Function, Global, Program, Signature, Structor};
use code::BodyListing;
use names::{ConstantText, Results, Text};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "target {}", self.triple)?;
        for global in &self.globals {
            write_global(f, self, global)?;
        }
        for alias in &self.aliases {
            writeln!(
                f,
                "\nalias @{} = {}",
                alias.name,
                Text(self, &alias.address)
            )?;
        }
        write_structors(f, self, "constructor", &self.constructors)?;
        write_structors(f, self, "destructor", &self.destructors)?;
        for annotation in &self.annotations {
            write!(
                f,
                "\nannotation {:?} of {}",
                annotation.text,
                Text(self, &annotation.target)
            )?;
            if annotation.line > 0 {
                write!(f, " ({}:{})", annotation.file, annotation.line)?;
            }
            writeln!(f)?;
        }
        if !self.module_asm.is_empty() {
            writeln!(f, "\nassembly {:?}", self.module_asm)?;
        }
        (0..self.functions.len())
            .try_for_each(|index| FunctionListing::new(self, FunctionId::from_index(index)).fmt(f))
    }
}

/// A function as text.
pub struct FunctionListing<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl<'p> FunctionListing<'p> {
    /// The text of one function of a program.
    pub fn new(program: &'p Program, function: FunctionId) -> Self {
        Self {
            program,
            function: &program.functions[function.index()],
        }
    }
}

impl Display for FunctionListing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { program, function } = *self;
        let signature = &program.signatures[function.signature.index()];
        let word = if function.body.is_some() {
            "define"
        } else {
            "declare"
        };
        write!(
            f,
            "\n{word} {}{}",
            Text(program, &function.linkage),
            Results(&signature.results)
        )?;
        write!(f, " @{}", function.name)?;
        write_parameters(f, signature, function.body.as_ref())?;
        for (set, name) in [
            (function.noreturn, "noreturn"),
            (function.returns_twice, "returns_twice"),
        ] {
            if set {
                write!(f, " {name}")?;
            }
        }
        if let Some(body) = &function.body {
            if let Some(personality) = &body.personality {
                write!(f, " personality {}", Text(program, personality))?;
            }
            write!(f, " {{")?;
        }
        if let Some(id) = function.source {
            let source = program.source.function(id);
            let file = source
                .file
                .map(|file| program.source.file(file).name.as_str());
            write!(
                f,
                " ; {} at {}:{}",
                source.name,
                file.unwrap_or("?"),
                source.line
            )?;
        }
        writeln!(f)?;
        match &function.body {
            None => Ok(()),
            Some(body) => {
                BodyListing { program, body }.fmt(f)?;
                writeln!(f, "}}")
            }
        }
    }
}

fn write_global(f: &mut Formatter<'_>, program: &Program, global: &Global) -> fmt::Result {
    let word = if global.initializer.is_some() {
        "global"
    } else {
        "external global"
    };
    let constant = if global.constant { "constant " } else { "" };
    let local = if global.thread_local {
        "thread_local "
    } else {
        ""
    };
    let linkage = Text(program, &global.linkage);
    write!(f, "\n{word} {linkage}{local}{constant}@{}", global.name)?;
    write!(f, ": {} bytes align {}", global.size, global.align.bytes())?;
    if let Some(section) = &global.section {
        write!(f, " section {section:?}")?;
    }
    if let Some(source) = &global.source {
        let file = source
            .file
            .map_or("?", |file| program.source.file(file).name.as_str());
        let name = source
            .debug_type
            .map(|id| program.source.debug_type(id).name.as_str());
        write!(
            f,
            " ; {}: {} at {file}:{}",
            source.name,
            name.unwrap_or("?"),
            source.line
        )?;
    }
    writeln!(f)?;
    let Some(initializer) = &global.initializer else {
        return Ok(());
    };
    for line in initializer.bytes.chunks(32) {
        write!(f, "    ")?;
        line.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        writeln!(f)?;
    }
    for relocation in &initializer.relocations {
        let text = ConstantText {
            program,
            constant: &relocation.value,
            kind: Kind::Ptr,
        };
        writeln!(
            f,
            "    at {}: {text} ({} bytes)",
            relocation.offset, relocation.bytes
        )?;
    }
    match initializer.unsupported {
        Some(message) => writeln!(f, "    unsupported: {}", program.message(message)),
        None => Ok(()),
    }
}

fn write_structors(
    f: &mut Formatter<'_>,
    program: &Program,
    word: &str,
    structors: &[Structor],
) -> fmt::Result {
    structors.iter().try_for_each(|structor| {
        let name = &program.functions[structor.function.index()].name;
        writeln!(f, "\n{word} @{name} priority {}", structor.priority)
    })
}

fn write_parameters(
    f: &mut Formatter<'_>,
    signature: &Signature,
    body: Option<&Body>,
) -> fmt::Result {
    write!(f, "(")?;
    for (index, parameter) in signature.parameters.iter().enumerate() {
        write!(f, "{}{parameter}", if index == 0 { "" } else { ", " })?;
        if let Some(body) = body {
            write!(f, " %{}", body.parameter(index).0)?;
        }
    }
    if signature.variadic {
        write!(
            f,
            "{}...",
            if signature.parameters.is_empty() {
                ""
            } else {
                ", "
            }
        )?;
    }
    write!(f, ")")
}
