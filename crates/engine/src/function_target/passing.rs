//! How the arguments of a call are passed: whole, in pieces, or by their address.
//!
//! Debug information has the parameters as the source does; the signature has them as the
//! calling convention passes them. A structure of at most two eightbytes is passed in one
//! register for each (System V ABI for x86-64, 3.2.3), a larger one as a copy.

use super::TargetError;
use super::objects::Objects;
use super::text::Passed;
use program::{
    DebugType, FloatKind, Function, Kind, Parameter, Passing, Program, Shape, Source,
    SourceParameter, TypeId,
};
use std::iter::Peekable;
use std::slice::Iter;

/// Bytes that a register for arguments holds.
const EIGHTBYTE: u64 = 8;
/// Bytes of the largest structure that is passed in registers.
const IN_REGISTERS: u64 = 16;

/// Names of a parameter that is the number of elements of the one before it, whole or
/// after an underscore.
const COUNTS: [&str; 9] = [
    "n", "sz", "num", "nmemb", "nelem", "max", "capacity", "cap", "avail",
];
/// Ends of such names: `len` itself, `inlen`, `bufSize`, `nbytes`.
const COUNT_ENDS: [&str; 6] = ["len", "length", "size", "count", "cnt", "bytes"];

/// Makes the arguments of a call.
pub(super) fn arguments(
    program: &Program,
    function: &Function,
    objects: &mut Objects<'_>,
) -> Result<Vec<Passed>, TargetError> {
    let signature = &program.signatures[function.signature.index()];
    if signature.variadic {
        return Err(TargetError::Variadic(function.name.clone()));
    }
    let parameters = parameters(program, function)?;
    let mut call = Call {
        source: &program.source,
        function,
        registers: signature.parameters.iter().peekable(),
        objects,
        passed: Vec::new(),
    };
    call.pass_room_for_result();
    let mut elements = None;
    for (number, parameter) in parameters.iter().enumerate() {
        let name = match &*parameter.name {
            "" => format!("argument{number}"),
            name => name.to_owned(),
        };
        elements = call.pass(&name, parameter.debug_type, elements)?;
    }
    match call.registers.next() {
        None => Ok(call.passed),
        Some(_) => Err(call.not_passed("its last parameter")),
    }
}

/// The parameters as the source has them. Numbers need no debug information.
fn parameters(program: &Program, function: &Function) -> Result<Vec<SourceParameter>, TargetError> {
    if let Some(source) = function.source {
        return Ok(program.source.function(source).parameters.clone());
    }
    let signature = &program.signatures[function.signature.index()];
    let all = signature.parameters.iter();
    if all.clone().any(|parameter| parameter.kind == Kind::Ptr) {
        return Err(TargetError::NoDebugInformation(function.name.clone()));
    }
    let unknown = |_| SourceParameter {
        name: String::new(),
        debug_type: None,
    };
    Ok(all.map(unknown).collect())
}

/// A call whose arguments are being made.
struct Call<'p, 'o, 's> {
    source: &'p Source,
    function: &'p Function,
    /// What is left of the signature.
    registers: Peekable<Iter<'p, Parameter>>,
    objects: &'o mut Objects<'s>,
    passed: Vec<Passed>,
}

impl Call<'_, '_, '_> {
    fn pass_room_for_result(&mut self) {
        let of_result = |it: &&Parameter| matches!(it.passing, Passing::StructReturn { .. });
        if let Some(parameter) = self.registers.next_if(of_result)
            && let Passing::StructReturn { size } = parameter.passing
        {
            self.passed.push(Passed {
                type_name: format!("ptr sret([{size} x i8])"),
                value: self.objects.code.local(size),
            });
        }
    }

    /// Makes and passes one argument; gives the elements of the array that it points to.
    fn pass(
        &mut self,
        name: &str,
        debug_type: Option<TypeId>,
        before: Option<u64>,
    ) -> Result<Option<u64>, TargetError> {
        let resolved = debug_type.map(|id| self.source.debug_type(self.source.resolved(id)));
        if resolved.is_some_and(is_variable_arguments) {
            return Err(TargetError::Variadic(self.function.name.clone()));
        }
        if resolved.is_some_and(is_empty) {
            return Ok(None);
        }
        let Some(next) = self.registers.peek().copied() else {
            return Err(self.not_passed(name));
        };
        let is_address =
            resolved.is_none_or(|it| matches!(it.shape, Shape::Pointer(_) | Shape::Reference(_)));
        if next.kind == Kind::Ptr && next.passing == Passing::Direct && is_address {
            self.registers.next();
            let (value, elements) = self.objects.argument(debug_type, name);
            self.push("ptr", value);
            return Ok(elements);
        }
        self.pass_object(name, debug_type, resolved, before)?;
        Ok(None)
    }

    /// Makes an object of the argument and passes what is in it.
    fn pass_object(
        &mut self,
        name: &str,
        debug_type: Option<TypeId>,
        resolved: Option<&DebugType>,
        before: Option<u64>,
    ) -> Result<(), TargetError> {
        let next = **self.registers.peek().expect("the caller looked");
        let of_register = u64::from(next.kind.bits()).div_ceil(8);
        let size = match resolved.map_or(0, |it| it.bits / 8) {
            0 => of_register,
            size => size,
        };
        let object = self.objects.code.local(size.max(of_register));
        self.objects.fill(&object, size, debug_type, name, 0);
        self.objects.fill_pools();
        match next.passing {
            Passing::ByValue { size, align } => {
                self.registers.next();
                let align = align.bytes().max(1);
                self.push(&format!("ptr byval([{size} x i8]) align {align}"), object);
                Ok(())
            }
            // A class with a copy constructor is passed by its address, whatever its size.
            _ if next.kind == Kind::Ptr && (size > IN_REGISTERS || self.is_cpp()) => {
                match size > IN_REGISTERS {
                    true => {
                        self.registers.next();
                        self.push("ptr", object);
                        Ok(())
                    }
                    false => Err(self.not_passed(name)),
                }
            }
            _ => self.pass_pieces(name, &object, size, before, resolved),
        }
    }

    /// Passes the contents of an object, register by register.
    fn pass_pieces(
        &mut self,
        name: &str,
        object: &str,
        size: u64,
        before: Option<u64>,
        resolved: Option<&DebugType>,
    ) -> Result<(), TargetError> {
        let mut offset = 0;
        while offset < size {
            let Some(&parameter) = self.registers.next() else {
                return Err(self.not_passed(name));
            };
            let bytes = u64::from(parameter.kind.bits()).div_ceil(8);
            let pair = self.is_pair(parameter.kind, offset, size);
            let at = self.objects.code.address(object, offset);
            let (type_name, value) = self.loaded(parameter.kind, pair, &at);
            if let (Kind::Int(width @ 8..), true) = (parameter.kind, bytes == size) {
                let signed = resolved.and_then(|it| it.shape.signed());
                self.bound(before, width, &value, name, signed == Some(true));
            }
            let extended = match parameter.passing {
                Passing::SignExtended => " signext",
                Passing::ZeroExtended => " zeroext",
                _ => "",
            };
            self.push(&format!("{type_name}{extended}"), value);
            offset = (offset + bytes)
                .next_multiple_of(EIGHTBYTE)
                .max(offset + bytes);
        }
        Ok(())
    }

    /// Whether a register holds two floats. They are two values of the signature, of which
    /// the second is taken with the first.
    fn is_pair(&mut self, kind: Kind, offset: u64, size: u64) -> bool {
        const SINGLE: Kind = Kind::Float(FloatKind::Single);
        let is_second = |it: &&Parameter| it.kind == SINGLE;
        kind == SINGLE && offset + 4 < size && self.registers.next_if(is_second).is_some()
    }

    /// A piece of an object, and its type.
    fn loaded(&mut self, kind: Kind, pair: bool, at: &str) -> (String, String) {
        let code = &mut self.objects.code;
        match kind {
            Kind::Int(1) => {
                let byte = code.instruction(&format!("load i8, ptr {at}, align 1"));
                (
                    "i1".to_owned(),
                    code.instruction(&format!("trunc i8 {byte} to i1")),
                )
            }
            kind => {
                let name = match pair {
                    true => "<2 x float>".to_owned(),
                    false => kind.llvm_type(),
                };
                let value = code.instruction(&format!("load {name}, ptr {at}, align 1"));
                (name, value)
            }
        }
    }

    /// Holds a number to the elements of the array before it, if its name says that it is
    /// their number.
    fn bound(
        &mut self,
        elements: Option<u64>,
        width: u16,
        value: &str,
        name: &str,
        is_signed: bool,
    ) {
        let Some(elements) = elements.filter(|_| is_count(name)) else {
            return;
        };
        let compare = if is_signed { "sle" } else { "ule" };
        let code = &mut self.objects.code;
        let holds = code.instruction(&format!("icmp {compare} i{width} {value}, {elements}"));
        code.statement(&format!("call void @ep_assume(i1 zeroext {holds})"));
        self.objects.notes.push(format!(
            "`{name}` is taken for the size of the argument before it, at most {elements}"
        ));
    }

    fn push(&mut self, type_name: &str, value: String) {
        self.passed.push(Passed {
            type_name: type_name.to_owned(),
            value,
        });
    }

    fn not_passed(&self, parameter: &str) -> TargetError {
        TargetError::NotPassed {
            function: self.function.name.clone(),
            parameter: parameter.to_owned(),
        }
    }

    /// Whether the function is one of C++, by the name that the linker has for it.
    fn is_cpp(&self) -> bool {
        self.function.name.starts_with("_Z")
    }
}

/// Whether a parameter of this name after an array is the number of its elements.
fn is_count(name: &str) -> bool {
    let lower = name.to_lowercase();
    let last = lower.rsplit('_').next().unwrap_or_default();
    COUNTS.contains(&&*lower)
        || COUNTS.contains(&last)
        || COUNT_ENDS.iter().any(|end| lower.ends_with(end))
}

/// The structure behind a `va_list`, which only the call of a variadic function fills.
fn is_variable_arguments(debug_type: &DebugType) -> bool {
    debug_type.name.contains("__va_list_tag")
}

/// A structure without members takes no register.
fn is_empty(debug_type: &DebugType) -> bool {
    matches!(&debug_type.shape, Shape::Struct(fields) | Shape::Class(fields) if fields.is_empty())
}
