//! Which functions of a program are external, and what they take and give.

use super::concrete::ConcreteCall;
use super::format_of;
use crate::error::{SourceLine, StartError};
use crate::externals::{External, Stub, Way};
use crate::machine::Machine;
use crate::partition;
use mixed::Partition;
use mixed::oracle::{
    Failure, Implementation, Impurity, Pattern, Pointee, Signature, Type, is_pure,
};
use program::{Annotated, Annotation, FloatKind, FunctionId, Kind, Passing, Program};
use std::cell::Cell;
use std::rc::Rc;

/// What `EP_CONCRETE` attaches to a function.
const CONCRETE: &str = "everypath.concrete";

/// What `EP_PARTITION` attaches to a function, before the condition.
const PARTITION: &str = "everypath.partition:";

/// Functions of C that do more than give a result, so that there is no need to try.
const WITH_EFFECTS: &[&str] = &[
    "rand",
    "random",
    "srand",
    "srandom",
    "drand48",
    "lrand48",
    "mrand48",
    "time",
    "clock",
    "getpid",
    "getppid",
    "getuid",
    "sleep",
    "usleep",
    "nanosleep",
    "system",
    "open",
    "close",
    "read",
    "write",
    "lseek",
    "unlink",
    "remove",
    "rename",
    "fork",
    "kill",
    "signal",
    "raise",
    "alarm",
    "getchar",
    "putchar",
    "puts",
    "fputs",
    "fgets",
    "fopen",
    "fclose",
    "fread",
    "fwrite",
    "fflush",
    "isatty",
    "sched_yield",
    "getrandom",
    "arc4random",
    "time64",
    "gettimeofday",
    "clock_gettime",
    "setenv",
    "putenv",
    "strtok",
];

/// Whether a function always gives the same for the same, and does nothing else.
enum Purity {
    /// It does; that is known, or the user said so.
    Known,
    /// It does not.
    No,
    /// That is still to be tried.
    Open,
}

impl<'p> Machine<'p> {
    /// Makes the program's external functions known to the oracle.
    pub(crate) fn declare_externals(&mut self) -> Result<(), StartError> {
        let program = self.program;
        let mut declared = Vec::new();
        for number in 0..program.functions.len() {
            let id = FunctionId::from_index(number);
            declared.push(self.declare_external(program, id)?);
        }
        let open = declared.iter().flatten();
        let open = open.filter(|(_, purity)| matches!(purity, Purity::Open));
        let open: Vec<String> = open
            .map(|(external, _)| external.name.to_string())
            .collect();
        let impurity = self.impurity(&open);
        let all = declared.into_iter().map(|declared| {
            let (mut external, purity) = declared?;
            let why = match purity {
                Purity::Known => None,
                Purity::No => Some("it has effects".into()),
                Purity::Open => impurity.clone(),
            };
            external.way = match (external.way, why) {
                (Way::Pure, None) if matches!(purity, Purity::Open) => Way::in_place(
                    "what it does with pointers, or instead of giving a result, is not known"
                        .into(),
                ),
                (Way::Term { .. } | Way::Pure, Some(why)) => Way::in_place(why),
                (way, _) => way,
            };
            Some(Rc::new(external))
        });
        self.externals.by_number = all.collect();
        Ok(())
    }

    /// Why none of these functions is taken for a mathematical one, if that is so.
    fn impurity(&mut self, functions: &[String]) -> Option<Rc<str>> {
        if functions.is_empty() {
            return None;
        }
        let why = match self.mixed.oracle_mut().probe(functions) {
            Ok(None) => return None,
            Ok(Some(Impurity::TwoResults { function })) => {
                format!("`{function}` gave two results for the same arguments")
            }
            Ok(Some(Impurity::KeepsState { function })) => {
                format!("`{function}` changes a variable of its library")
            }
            Err(failure) => format!("whether it keeps state could not be tried: {failure}"),
        };
        Some(why.into())
    }

    fn declare_external(
        &mut self,
        program: &'p Program,
        id: FunctionId,
    ) -> Result<Option<(External, Purity)>, StartError> {
        let function = &program.functions[id.index()];
        let options = &self.options.external;
        if let Some(&stub) = options.stubs.get(&function.name) {
            return Ok(Some((stubbed(program, id, stub)?, Purity::Known)));
        }
        let named = |patterns: &[Pattern]| patterns.iter().any(|p| p.matches(&function.name));
        let annotation = annotations(program, id).find(|a| a.text == CONCRETE);
        let concrete = named(&options.concrete) || annotation.is_some();
        let pure = named(&options.pure);
        let is_own = function.body.is_some();
        let wanted = match is_own {
            true => concrete && options.own,
            false => concrete || pure || self.callee_of(id).is_none(),
        };
        if !wanted {
            // A mistake in what is not used is a mistake.
            if annotations(program, id).next().is_some()
                && let Ok(signature) = signature_of(program, id)
            {
                partitions(program, id, &signature)?;
            }
            return Ok(None);
        }
        let signature = match signature_of(program, id) {
            Ok(signature) => signature,
            Err(reason) if annotation.is_some() || options.has_in_full(&function.name) => {
                return Err(StartError::NotConcrete {
                    annotation: annotation.map(line_of),
                    function: function.name.clone(),
                    reason,
                });
            }
            // Nobody asked for this very function.
            Err(_) => return Ok(None),
        };
        // Of the host only what is known to be harmless is run without being asked for.
        let implementation = match is_own {
            true => ConcreteCall::new(program, id)?.into_implementation(),
            false if concrete || pure || is_pure(&function.name) => Implementation::Native,
            false => Implementation::Loaded,
        };
        let oracle = self.mixed.oracle_mut();
        if matches!(implementation, Implementation::Loaded) && !oracle.has_libraries() {
            return Ok(None);
        }
        match oracle.declare(signature.clone(), implementation) {
            Ok(()) => {}
            // Whoever calls it gets to hear that it is missing.
            Err(Failure::Symbol { .. } | Failure::Helper { .. }) if !concrete && !pure => {
                return Ok(None);
            }
            Err(failure) => return Err(failure.into()),
        }
        let is_loaded = oracle.is_loaded(&signature.name);
        let partitions = partitions(program, id, &signature)?;
        if !partitions.is_empty() {
            self.mixed.set_partitions(&signature.name, partitions);
        }
        let purity = match &*signature.name {
            _ if pure || is_own => Purity::Known,
            name if !is_loaded && is_pure(name) => Purity::Known,
            name if !is_loaded && WITH_EFFECTS.contains(&name) => Purity::No,
            _ => Purity::Open,
        };
        let way = match signature.is_tabular() {
            false => Way::Pure,
            true => {
                let sort = |kind: Type| kind.sort().expect("a tabular function has values");
                let function = self.store.function(term::Signature {
                    name: signature.name.clone(),
                    parameters: signature.parameters.iter().map(|p| sort(p.kind)).collect(),
                    result: sort(signature.result),
                });
                let is_known = matches!(purity, Purity::Known);
                Way::Term { function, is_known }
            }
        };
        let shape = &program.signatures[function.signature.index()];
        let names = signature.parameters.into_iter().map(|it| it.name);
        let external = External {
            name: signature.name.into(),
            parameters: shape.parameters.iter().map(|p| p.kind).collect(),
            names: names.collect(),
            result: shape.results.first().copied(),
            way,
        };
        Ok(Some((external, purity)))
    }
}

impl Way {
    fn in_place(why: Rc<str>) -> Way {
        Way::InPlace {
            told: Cell::new(false),
            why,
        }
    }
}

/// The function as the user replaces it.
fn stubbed(program: &Program, id: FunctionId, stub: Stub) -> Result<External, StartError> {
    let function = &program.functions[id.index()];
    let shape = &program.signatures[function.signature.index()];
    let refused = |why: &'static str| {
        Err(StartError::NotReplaced {
            name: function.name.clone(),
            reason: why,
        })
    };
    let returns_struct = |p: &program::Parameter| matches!(p.passing, Passing::StructReturn { .. });
    let result = match shape.results[..] {
        _ if shape.parameters.iter().any(returns_struct) => {
            return refused("its result is a struct");
        }
        [] => None,
        [Kind::Ptr] if stub == Stub::Symbolic => {
            return refused("its result is a pointer, which can only be zero");
        }
        [Kind::Ptr] if matches!(stub, Stub::Number(1.. | ..=-1)) => {
            return refused("its result is a pointer, which can only be zero");
        }
        [Kind::Float(float)] if !matches!(float, FloatKind::Single | FloatKind::Double) => {
            return refused("its result is neither a float nor a double");
        }
        [Kind::Int(65..)] => return refused("its result has more than 64 bits"),
        [kind] => Some(kind),
        _ => return refused("its result is a struct"),
    };
    Ok(External {
        name: function.name.as_str().into(),
        parameters: Vec::new(),
        names: Vec::new(),
        result,
        way: Way::Stub(stub),
    })
}

/// The texts attached to a function.
fn annotations(program: &Program, id: FunctionId) -> impl Iterator<Item = &Annotation> {
    let all = program.annotations.iter();
    all.filter(move |annotation| annotation.target == Annotated::Function(id))
}

fn line_of(annotation: &Annotation) -> SourceLine {
    SourceLine {
        file: annotation.file.clone(),
        line: annotation.line,
    }
}

/// What `EP_PARTITION` says of a function.
fn partitions(
    program: &Program,
    id: FunctionId,
    signature: &Signature,
) -> Result<Vec<Partition>, StartError> {
    let mut partitions = Vec::new();
    for annotation in annotations(program, id) {
        let Some(text) = annotation.text.strip_prefix(PARTITION) else {
            continue;
        };
        let partition = partition::parse(text, signature);
        partitions.push(partition.map_err(|reason| StartError::Partition {
            place: line_of(annotation),
            text: text.trim().to_owned(),
            function: signature.name.clone(),
            reason,
        })?);
    }
    Ok(partitions)
}

/// What a function takes and gives; otherwise what of it the oracle cannot say.
fn signature_of(program: &Program, id: FunctionId) -> Result<Signature, String> {
    let function = &program.functions[id.index()];
    let shape = &program.signatures[function.signature.index()];
    if shape.variadic {
        return Err("it takes any number of arguments, which is not supported".to_owned());
    }
    let unsupported = |what: &str, kind: &str| format!("{what} is {kind}, which is not supported");
    let source = function.source.map(|id| program.source.function(id));
    let mut parameters = Vec::new();
    for (number, parameter) in shape.parameters.iter().enumerate() {
        let own = source.and_then(|source| source.parameters.get(number));
        let name = own.map(|own| own.name.clone()).filter(|n| !n.is_empty());
        let kind = match parameter.passing {
            Passing::Direct | Passing::SignExtended => type_of(parameter.kind, true),
            Passing::ZeroExtended => type_of(parameter.kind, false),
            Passing::ByValue { .. } => Err("a struct".to_owned()),
            Passing::StructReturn { .. } => return Err(unsupported("its result", "a struct")),
        };
        let kind = kind.map_err(|kind| match &name {
            Some(name) => unsupported(&format!("its parameter `{name}`"), &kind),
            None => unsupported(&format!("its parameter {}", number + 1), &kind),
        })?;
        parameters.push((name.unwrap_or_else(|| format!("a{number}")), kind));
    }
    let result = match shape.results[..] {
        [] => Ok(Type::Void),
        [Kind::Ptr] => Err("a pointer".to_owned()),
        [kind] => type_of(kind, true),
        _ => Err("a struct".to_owned()),
    };
    let result = result.map_err(|kind| unsupported("its result", &kind))?;
    let pairs: Vec<(&str, Type)> = parameters.iter().map(|(name, t)| (&**name, *t)).collect();
    let signature = Signature::new(&function.name, &pairs, result);
    match function.body.is_some() && !signature.is_tabular() {
        false => Ok(signature),
        true => Err(format!(
            "a function of the program itself has to take and give numbers, and this is \
             `{signature}`"
        )),
    }
}

/// What the oracle calls the type; otherwise what people call it.
fn type_of(kind: Kind, signed: bool) -> Result<Type, String> {
    Ok(match kind {
        Kind::Int(1) => Type::Bool,
        Kind::Int(width @ (8 | 16 | 32 | 64)) if signed => Type::Signed(width),
        Kind::Int(width @ (8 | 16 | 32 | 64)) => Type::Unsigned(width),
        Kind::Int(width) => return Err(format!("an integer of {width} bits")),
        Kind::Float(float) => match float {
            FloatKind::Single | FloatKind::Double => Type::Float(format_of(float)),
            FloatKind::X87 => return Err("a long double".to_owned()),
            FloatKind::Quad => return Err("a float of 128 bits".to_owned()),
            FloatKind::Half | FloatKind::BFloat => return Err("a float of 16 bits".to_owned()),
        },
        Kind::Ptr => Type::Pointer(Pointee::Mutable),
    })
}
