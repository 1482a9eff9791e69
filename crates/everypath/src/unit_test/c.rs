//! Tests of C and C++: a file that includes the one that defines the method, so that its types
//! and functions are there, and is compiled together with the program's other files. Members
//! that are private are no obstacle: compilers can be told to let them be.

use super::{
    ENDLESS_SECONDS, Execution, Sources, UnitTest, needs_runtime, needs_sanitizers, object,
    parameters,
};
use base::ErrorKind;
use base::escape::c_string;
use engine::policy::staged::{OLD, Parameter, Staged, Staging, View, ViewRole};
use program::CompileOptions;
use program::{DebugType, Function, FunctionId, Program, Shape, SourceFunction, TypeId};
use std::fmt::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use suite::{Input, InputKind};

/// What the program's own `main` is called beside the test's.
const MAIN: &str = "mainOfTheProgram";

/// What leads to a structure whose name need not be known, in C++.
const ANY: &str = "AnyPlace";

const CPP_DEFINITIONS: &str = "\
#include <type_traits>
#include <utility>

struct AnyPlace {
    void *there;
    template <class T> operator T &() const { return *(T *)there; }
    template <class T> operator T *() const { return (T *)there; }
};
";

/// What the sanitizer looks for leaks with.
const LEAK_CHECK: &str = "__lsan_do_leak_check";

/// The test, if the program is C and C++ as a whole.
pub(super) fn write(
    program: &Program,
    sources: &Sources<'_>,
    staged: &Staged<'_>,
    execution: &Execution<'_>,
) -> Option<UnitTest> {
    let method = staged.staging().method?;
    let language = Language::of(sources.files)?;
    let included = defining_file(program, sources.files, method)?;
    let frame = Frame {
        program,
        language,
        included,
    };
    let writer = Writer { frame, staged };
    Some(UnitTest {
        extension: language.extension(),
        text: writer.text(sources, staged.staging(), method, execution)?,
        others: writer.other_files(sources),
        options: writer.compile_options(sources),
        needs_runtime: needs_runtime(program),
        needs_sanitizers: execution.error.is_some_and(needs_sanitizers),
        further: language.checks(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Cpp,
}

impl Language {
    /// What all of the files can be compiled as.
    pub(super) fn of(files: &[PathBuf]) -> Option<Language> {
        let endings = files.iter().map(|file| file.extension()?.to_str());
        let endings: Vec<&str> = endings.collect::<Option<_>>()?;
        let known = |ending: &&str| matches!(*ending, "c" | "i" | "cc" | "cpp" | "cxx");
        if !endings.iter().all(known) {
            return None;
        }
        match endings.iter().all(|ending| matches!(*ending, "c" | "i")) {
            true => Some(Language::C),
            false => Some(Language::Cpp),
        }
    }

    /// What the compiler is told for the library to check what ours does.
    pub(super) fn checks(self) -> &'static [&'static str] {
        match self {
            Language::C => &[],
            Language::Cpp => &["-D_GLIBCXX_ASSERTIONS"],
        }
    }

    pub(super) fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "cpp",
        }
    }
}

/// The program's file in which a function is defined, or which includes that file.
pub(super) fn defining_file<'a>(
    program: &Program,
    files: &'a [PathBuf],
    function: FunctionId,
) -> Option<&'a PathBuf> {
    if let [only] = files {
        return Some(only);
    }
    let source = program.functions[function.index()].source?;
    let file = program.source.function(source).file?;
    let path = Path::new(&program.source.file(file).path)
        .canonicalize()
        .ok()?;
    let is_it = |file: &&PathBuf| file.canonicalize().is_ok_and(|file| file == path);
    // One that is defined in a header is taken to be in the first file too.
    files.iter().find(is_it).or(files.first())
}

/// The file that tests stand in, and what there is around them.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub program: &'a Program,
    pub language: Language,
    /// The file with the method.
    pub included: &'a Path,
}

/// Writes the tests of one method.
pub(super) struct Writer<'a> {
    pub frame: Frame<'a>,
    pub staged: &'a Staged<'a>,
}

impl<'a> Deref for Writer<'a> {
    type Target = Frame<'a>;

    fn deref(&self) -> &Frame<'a> {
        &self.frame
    }
}

impl Frame<'_> {
    /// What is there before the first test: the file with the method, and functions that
    /// other files define.
    pub(super) fn prelude(&self, sources: &Sources<'_>, declared: &[FunctionId]) -> String {
        let mut code = String::new();
        for define in sources.define {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            let _ = writeln!(code, "#undef {name}\n#define {name} {value}");
        }
        let _ = writeln!(code, "#undef main\n#define main {MAIN}");
        let included = absolute(self.included);
        let _ = writeln!(code, "#include \"{}\"", included.to_string_lossy());
        code += "#undef main\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
        if self.language == Language::Cpp {
            code += CPP_DEFINITIONS;
        }
        code.push('\n');
        for &function in declared {
            code += &self.declaration(function, sources.files.len() > 1);
        }
        code
    }

    /// The objects come from `calloc`, whoever releases them, and are not released if the
    /// method keeps them: leaks are looked for where a test asks for it alone.
    pub(super) fn sanitizer_options(&self) -> String {
        let linkage = match self.language {
            Language::C => "",
            Language::Cpp => "extern \"C\" ",
        };
        format!(
            "{linkage}void {LEAK_CHECK}(void);\n\
             {linkage}const char *__asan_default_options(void) {{\n    \
             return \"alloc_dealloc_mismatch=0:leak_check_at_exit=0\";\n}}\n\n"
        )
    }

    /// What the compiler has to know.
    pub(super) fn compile_options(&self, sources: &Sources<'_>) -> CompileOptions {
        let mut defines = Vec::new();
        // The test says itself what holds for the file it includes.
        if sources.files.len() > 1 {
            // Another file may have the program's main.
            defines.push(format!("main={MAIN}"));
            defines.extend(sources.define.iter().cloned());
        }
        CompileOptions {
            include_dirs: sources.include.iter().map(|it| absolute(it)).collect(),
            defines,
            std: sources.std.map(str::to_owned),
            ..CompileOptions::default()
        }
    }

    pub(super) fn other_files(&self, sources: &Sources<'_>) -> Vec<PathBuf> {
        let others = sources.files.iter().filter(|file| **file != self.included);
        others.map(|file| absolute(file)).collect()
    }

    fn function(&self, id: FunctionId) -> (&Function, Option<&SourceFunction>) {
        let function = &self.program.functions[id.index()];
        let source = function.source.map(|id| self.program.source.function(id));
        (function, source)
    }

    /// A declaration of a C function that another file may define.
    fn declaration(&self, id: FunctionId, several: bool) -> String {
        let (function, source) = self.function(id);
        let Some(source) = source.filter(|_| several && self.language == Language::C) else {
            return String::new();
        };
        if function.linkage == program::Linkage::Internal {
            return String::new();
        }
        let name =
            |id: Option<TypeId>| id.map_or("void", |id| &self.program.source.debug_type(id).name);
        let parameters = source.parameters.iter();
        let parameters: Vec<&str> = parameters.map(|it| name(it.debug_type)).collect();
        let returns = name(source.returns);
        format!("{returns} {}({});\n", function.name, parameters.join(", "))
    }
}

impl Writer<'_> {
    fn text(
        &self,
        sources: &Sources<'_>,
        staging: &Staging,
        method: FunctionId,
        execution: &Execution<'_>,
    ) -> Option<String> {
        let checks = staging.arguments.iter().map(|argument| argument.invariant);
        let checks: Vec<FunctionId> = checks.chain(staging.postcondition).collect();
        let mut code = self.prelude(sources, &checks);
        if execution.error == Some(ErrorKind::Endless) {
            code += "#include <unistd.h>\n";
        }
        if execution.error.is_some_and(needs_sanitizers) {
            code += &self.sanitizer_options();
        }
        code += "\nint main(void) {\n";
        code += &self.body(staging, method, execution)?;
        code += "    return 0;\n}\n";
        Some(code)
    }

    /// The call with its objects, and what has to hold afterwards.
    pub(super) fn body(
        &self,
        staging: &Staging,
        method: FunctionId,
        execution: &Execution<'_>,
    ) -> Option<String> {
        let mut code = String::new();
        if execution.error == Some(ErrorKind::Endless) {
            let _ = writeln!(code, "    alarm({ENDLESS_SECONDS});");
        }
        let views = execution.graphs.iter().map(|graph| self.staged.view(graph));
        let views: Vec<View> = views.collect();
        let typed = self.build(&mut code, &views, method)?;
        // Whoever remembers an object would keep it from being lost.
        let is_leak = execution.error == Some(ErrorKind::Leak);
        if !is_leak {
            self.remember(&mut code, &views)?;
        }
        // Texts of which a grammar tells the shapes are made after all others.
        let inputs: Vec<&Input> = execution.inputs().collect();
        let (inputs, texts) = inputs.split_at(inputs.len().checked_sub(staging.texts.len())?);
        let (mut inputs, mut texts) = (inputs.iter(), texts.iter());
        let mut given = Vec::new();
        let mut graphs = 0..;
        let all = staging.parameters(self.program, method).ok()?;
        for (at, parameter) in all.into_iter().enumerate() {
            match parameter {
                Parameter::Object(_) => given.push(execution.root(graphs.next()?)),
                // The source returns it, and the first of several registers has all of them.
                Parameter::Result(_) => {}
                Parameter::Part { at, .. } if at > 0 => {}
                // Those are of Rust.
                Parameter::Slice { .. } | Parameter::Count => return None,
                Parameter::String => {
                    let name = format!("argument{}", given.len());
                    let text = short_text(&inputs.next()?.bytes)?;
                    let _ = writeln!(code, "    std::string {name}({text});");
                    given.push(match self.is_reference(method, given.len()) {
                        true => format!("&{name}"),
                        false => name,
                    });
                }
                Parameter::Place => {
                    let number = given.len();
                    let own = self.parameter_type(method, number)?;
                    let _ = writeln!(code, "    void *argument{number} = 0;");
                    given.push(format!("({})&argument{number}", own.name));
                }
                Parameter::Number
                | Parameter::Plain(..)
                | Parameter::Part { .. }
                | Parameter::Memory(_)
                | Parameter::Text
                | Parameter::Token
                | Parameter::TokenPlace
                | Parameter::Function(_)
                | Parameter::Copy(_) => {
                    let number = given.len();
                    let own = self.parameter_type(method, number)?;
                    let size = own.bits.div_ceil(8);
                    let parameter = match own.shape {
                        // One that fits into a register is a number to the machine.
                        Shape::Struct(_) | Shape::Class(_) => Parameter::Copy(size),
                        _ => parameter,
                    };
                    let is_shaped = staging.texts.iter().any(|it| it.parameter == at);
                    let input = match is_shaped {
                        true => texts.next()?,
                        false => inputs.next()?,
                    };
                    if let Parameter::Function(_) = parameter {
                        // The address is one of the machine's; who is there has a name.
                        let bytes: [u8; 8] = input.bytes[..].try_into().ok()?;
                        given.push((execution.function_at)(u64::from_le_bytes(bytes))?);
                        continue;
                    }
                    let is_structure = self.leads_to_structure(&own);
                    let leads = matches!(parameter, Parameter::Memory(_)) && is_structure;
                    let type_name = match (leads, self.language) {
                        (true, Language::Cpp) => ANY,
                        _ => &own.name,
                    };
                    given.push(declare(&mut code, number, &parameter, type_name, input));
                }
            }
        }
        let call = self.call(method, &given);
        let post = staging.postcondition;
        let takes_result = |post| parameters(self.program, post) == given.len() + 1;
        let asserted = execution
            .effect
            .is_some_and(|effect| effect.returned.is_some());
        let _ = match (asserted || post.is_some_and(takes_result), self.language) {
            (true, Language::C) => writeln!(code, "    __auto_type result = {call};"),
            (true, Language::Cpp) if self.returns_reference(method) => {
                writeln!(code, "    auto *result = &{call};")
            }
            (true, Language::Cpp) => writeln!(code, "    auto result = {call};"),
            (false, _) => writeln!(code, "    {call};"),
        };
        if let Some(effect) = execution.effect.filter(|_| !staging.ends) {
            let is_scalar = self.returns_scalar(method);
            self.assertions(&mut code, (effect, is_scalar), &views, &typed);
        }
        for (number, argument) in staging.arguments.iter().enumerate() {
            if staging.ensures(number) && !staging.may_keep(number) && !execution.has_freed(number)
            {
                self.check(&mut code, argument.invariant, &[execution.root(number)]);
            }
        }
        if let Some(post) = post.filter(|_| !is_leak && !staging.ends) {
            if takes_result(post) {
                given.push("result".to_owned());
            }
            self.check(&mut code, post, &given);
        }
        if is_leak {
            forget_parts(&mut code, &views);
            let _ = writeln!(code, "    {LEAK_CHECK}();");
        }
        Some(code)
    }

    /// Keeps the objects as they are for a postcondition that asks for them.
    fn remember(&self, code: &mut String, views: &[View]) -> Option<()> {
        if self.program.function(OLD).is_none() {
            return Some(());
        }
        for (graph, view) in views.iter().enumerate() {
            for (number, it) in view.graph.objects.iter().enumerate() {
                if view.objects[number].role == ViewRole::Hidden {
                    continue;
                }
                let size = self.staged.object_size(&it.type_name)?;
                let _ = writeln!(
                    code,
                    "    __ep_remember({}, {size});",
                    object(graph, number)
                );
            }
        }
        Some(())
    }

    /// What a method returns, by its shape.
    fn returned(&self, method: FunctionId) -> Option<&Shape> {
        let (_, source) = self.function(method);
        let types = &self.program.source;
        Some(&types.debug_type(types.resolved(source?.returns?)).shape)
    }

    /// Whether a method returns something that can be compared with a number.
    fn returns_scalar(&self, method: FunctionId) -> bool {
        !matches!(
            self.returned(method),
            Some(Shape::Struct(_) | Shape::Class(_) | Shape::Union(_))
        )
    }

    fn returns_reference(&self, method: FunctionId) -> bool {
        matches!(self.returned(method), Some(Shape::Reference(_)))
    }

    /// Whether a parameter is taken by reference, or by its address.
    fn is_reference(&self, method: FunctionId, number: usize) -> bool {
        let own = self.parameter_type(method, number);
        own.is_some_and(|own| matches!(own.shape, Shape::Reference(_) | Shape::Pointer(_)))
    }

    /// Whether a pointer or reference is to a structure.
    fn leads_to_structure(&self, pointer: &DebugType) -> bool {
        let (Shape::Pointer(Some(to)) | Shape::Reference(Some(to))) = pointer.shape else {
            return false;
        };
        let types = &self.program.source;
        let to = types.debug_type(types.resolved(to));
        matches!(to.shape, Shape::Struct(_) | Shape::Class(_))
    }

    /// The type of a parameter, as the source writes it.
    fn parameter_type(&self, id: FunctionId, number: usize) -> Option<DebugType> {
        let (_, source) = self.function(id);
        let id = source?.parameters.get(number)?.debug_type?;
        let types = &self.program.source;
        Some(DebugType {
            name: types.debug_type(id).name.clone(),
            ..types.debug_type(types.resolved(id)).clone()
        })
    }

    /// A structure's name as the language wants it.
    pub(super) fn root_type(&self, type_name: &str, method: FunctionId) -> String {
        let tagged = format!("struct {type_name}");
        let types = &self.program.source.types;
        if self.language == Language::C {
            let has_tag = types.iter().any(|known| known.name == tagged);
            return if has_tag {
                tagged
            } else {
                type_name.to_owned()
            };
        }
        let scopes = scopes(&self.program.functions[method.index()].name);
        // The class of a method, or a neighbour of the function in its namespace.
        match scopes.iter().rposition(|scope| *scope == type_name) {
            Some(own) => scopes[..=own].join("::"),
            None => [&scopes[..scopes.len().saturating_sub(1)], &[type_name]]
                .concat()
                .join("::"),
        }
    }

    /// A call with these pointers and numbers.
    fn call(&self, id: FunctionId, given: &[String]) -> String {
        let (function, source) = self.function(id);
        let own = source.map_or(&[][..], |source| &source.parameters);
        let given = given.iter().enumerate().map(|(number, given)| {
            let types = &self.program.source;
            let id = own.get(number).and_then(|parameter| parameter.debug_type);
            let shape = id.map(|id| &types.debug_type(types.resolved(id)).shape);
            let is_moved = || id.is_some_and(|id| types.debug_type(id).name.ends_with("&&"));
            match shape {
                // It finds out by itself what it leads to.
                _ if given.starts_with(ANY) => given.clone(),
                Some(Shape::Reference(_)) if is_moved() => format!("std::move(*{given})"),
                Some(Shape::Reference(_)) => format!("*{given}"),
                _ => given.clone(),
            }
        });
        let given: Vec<String> = given.collect();
        let name = match (self.language, source) {
            (Language::Cpp, Some(source)) => &source.name,
            _ => &function.name,
        };
        if own.first().is_some_and(|first| first.name == "this") {
            return format!("{}->{name}({})", given[0], given[1..].join(", "));
        }
        let mut path = match self.language {
            Language::C => Vec::new(),
            Language::Cpp => scopes(&function.name),
        };
        path.pop();
        path.push(name);
        format!("{}({})", path.join("::"), given.join(", "))
    }

    /// Code that fails when a function does not hold.
    fn check(&self, code: &mut String, function: FunctionId, given: &[String]) {
        let (linked, source) = self.function(function);
        let name = source.map_or(&linked.name, |source| &source.name);
        let call = self.call(function, given);
        // An operator's name may hold a percent sign, so nothing is formatted.
        let said = c_string(format!("{name} does not hold\n").as_bytes());
        let _ = writeln!(
            code,
            "    if (!{call}) {{\n        \
             fputs(\"{said}\", stderr);\n        abort();\n    }}"
        );
    }
}

/// Leaves the roots alone to lead to objects, as far as the test is concerned.
fn forget_parts(code: &mut String, views: &[View]) {
    for (graph, view) in views.iter().enumerate() {
        let named = |number: &usize| view.objects[*number].role != ViewRole::Hidden;
        for number in (1..view.objects.len()).filter(named) {
            let _ = writeln!(code, "    {} = 0;", object(graph, number));
        }
    }
}

/// The names that a function of C++ stands in, and its own: of
/// `_ZN4bank4Book5closeEi` these are `bank`, `Book` and `close`.
fn scopes(linked: &str) -> Vec<&str> {
    let mut rest = match linked.strip_prefix("_ZN") {
        Some(nested) => nested.trim_start_matches(['V', 'K']),
        None => return Vec::new(),
    };
    let mut found = Vec::new();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: Option<usize> = rest[..digits].parse().ok();
        let Some(word) = length.and_then(|length| rest.get(digits..digits + length)) else {
            return found;
        };
        found.push(word);
        rest = &rest[digits + word.len()..];
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Code for an argument that is no object, and how a call names it.
fn declare(
    code: &mut String,
    number: usize,
    parameter: &Parameter,
    type_name: &str,
    input: &Input,
) -> String {
    let name = format!("argument{number}");
    let size = input.bytes.len();
    let bytes: Vec<String> = input.bytes.iter().map(u8::to_string).collect();
    let bytes = bytes.join(", ");
    let (own_type, given, place) = match parameter {
        Parameter::Memory(_) | Parameter::Text => {
            // A call takes what a reference refers to by itself.
            let referred = type_name.strip_suffix('&').map(|it| format!("{it}*"));
            let pointer = referred.unwrap_or_else(|| type_name.to_owned());
            let given = match type_name == ANY {
                true => format!("{ANY}{{{name}}}"),
                false => format!("({pointer}){name}"),
            };
            let _ = writeln!(
                code,
                "    void *{name} = malloc({size}); /* {} */",
                input.name
            );
            (None, given, name.clone())
        }
        Parameter::Token => {
            let given = format!("({type_name}){name}");
            (Some("size_t"), given, format!("&{name}"))
        }
        Parameter::TokenPlace => {
            let given = format!("({type_name})&{name}");
            (Some("size_t"), given, format!("&{name}"))
        }
        Parameter::Copy(_) | Parameter::Part { .. } => {
            (Some(type_name), name.clone(), format!("&{name}"))
        }
        Parameter::Number
        | Parameter::Plain(..)
        | Parameter::String
        | Parameter::Slice { .. }
        | Parameter::Count
        | Parameter::Function(_)
        | Parameter::Object(_)
        | Parameter::Place
        | Parameter::Result(_) => (Some(number_type(input)), name.clone(), format!("&{name}")),
    };
    if let Some(own_type) = own_type {
        let _ = writeln!(code, "    {own_type} {name}; /* {} */", input.name);
    }
    let _ = writeln!(
        code,
        "    {{ const unsigned char bytes[] = {{{bytes}}}; memcpy({place}, bytes, {size}); }}"
    );
    given
}

/// The text of the bytes of a `std::string`, as C++ writes it and how long it is.
fn short_text(bytes: &[u8]) -> Option<String> {
    let length = usize::from(bytes.first()? >> 1);
    let text = bytes.get(1..1 + length)?;
    Some(format!("\"{}\", {length}", c_string(text)))
}

/// What C calls a number like an input.
fn number_type(input: &Input) -> &'static str {
    match input.kind {
        Some(InputKind::Float(4)) => "float",
        Some(InputKind::Float(_)) => "double",
        Some(InputKind::Signed(1)) => "signed char",
        Some(InputKind::Signed(2)) => "short",
        Some(InputKind::Signed(4)) => "int",
        Some(InputKind::Signed(_)) => "long long",
        _ => match input.bytes.len() {
            1 => "unsigned char",
            2 => "unsigned short",
            4 => "unsigned",
            _ => "unsigned long long",
        },
    }
}

pub(super) fn whole(value: i128) -> String {
    match value {
        _ if value == i128::from(i64::MIN) => format!("(-{}LL - 1)", i64::MAX),
        _ if value > i64::MAX.into() => format!("{value}ULL"),
        _ => format!("{value}LL"),
    }
}

pub(super) fn real(value: f64) -> String {
    match value {
        _ if value.is_nan() => "(0.0 / 0.0)".to_owned(),
        _ if value.is_infinite() => format!("({}1.0 / 0.0)", if value < 0.0 { "-" } else { "" }),
        _ => format!("{value:?}"),
    }
}
