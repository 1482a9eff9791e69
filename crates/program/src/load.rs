//! From files to a program: compile, read, check, link, lower.

use std::ffi::CStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::error::LoadError;
use crate::executable::{Located, SharedLibraries, embedded, located};
use crate::library::{Archive, Library, SharedModule, link_library};
use crate::llvm::{self, Context, Module};
use crate::lower::lower;
use crate::program::Program;
use crate::promises::spell_out;
use crate::scopes::tell_scopes;
use crate::straighten::straighten;
use crate::toolchain::{CompileOptions, Language, compile};
use base::Stop;

/// How files are compiled and loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// How source files are compiled.
    pub compile: CompileOptions,
    /// Whether local variables whose address is not needed move into registers.
    pub promote: bool,
    /// What is linked where the program uses it and does not define it itself.
    pub library: Library,
    /// Writes what calls functions of the program that nothing else calls.
    pub driver: Option<DriverWriter>,
    /// Whether the program keeps its bitcode, for other processes.
    pub keep: bool,
    /// Set when the program is no longer wanted.
    pub stop: Stop,
}

/// Writes modules in LLVM text for a program that it is shown. They may call each of its
/// functions, whatever their linkage, and are linked as part of it.
#[derive(Clone)]
pub struct DriverWriter(pub Rc<WriteDriver>);

/// Modules in LLVM text, or why there are none.
pub type WriteDriver = dyn Fn(&Program) -> Result<Vec<String>, String>;

impl fmt::Debug for DriverWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DriverWriter").finish_non_exhaustive()
    }
}

/// What files without a target are taken to be for.
const DEFAULT_TRIPLE: &CStr = c"x86_64-unknown-linux-gnu";
const DEFAULT_LAYOUT: &CStr =
    c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Machines that fit, for files that give no layout.
const LITTLE_ENDIAN_64: [&str; 7] = [
    "aarch64",
    "arm64",
    "riscv64",
    "loongarch64",
    "powerpc64le",
    "mips64el",
    "wasm64",
];

/// Loads C, C++, Rust, LLVM text and bitcode files as one program.
///
/// # Errors
///
/// When a file cannot be read, compiled or linked; see [`LoadError`]. Things
/// the program does that have no representation are no errors here: they
/// become [`Inst::Unsupported`](crate::Inst::Unsupported).
pub fn load(inputs: &[PathBuf], options: &LoadOptions) -> Result<Program, LoadError> {
    let context = Context::new();
    let mut warnings = Vec::new();
    let module = linked(&context, inputs, options, &mut warnings)?;
    finish(&context, module, options, warnings)
}

/// The archives among files; programs are linked with what they need of them.
fn archives(inputs: &[PathBuf]) -> Result<Vec<Archive>, LoadError> {
    let mut archives = Vec::new();
    for file in inputs {
        if matches!(InputKind::of(file)?, InputKind::Archive) {
            // The libraries of Rust have one large member each.
            let archive = match file.extension().is_some_and(|it| it == "rlib") {
                true => Archive::by_symbol(file),
                false => Archive::new(file),
            };
            archive.open()?;
            archives.push(archive);
        }
    }
    Ok(archives)
}

/// The files as one module, with what they need of the archives among them, without the
/// library.
pub(crate) fn linked<'c>(
    context: &'c Context,
    inputs: &[PathBuf],
    options: &LoadOptions,
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LoadError> {
    let located: Vec<Located> = inputs.iter().map(|file| located(file)).collect();
    let inputs: Vec<PathBuf> = located.iter().map(|it| it.file.clone()).collect();
    let archives = archives(&inputs)?;
    let mut linked: Option<Module<'_>> = None;
    let mut shared = Vec::new();
    for (file, located) in inputs.iter().zip(&located) {
        let kind = InputKind::of(file)?;
        if matches!(kind, InputKind::Archive) {
            continue;
        }
        if matches!(kind, InputKind::Object) {
            shared.extend(SharedLibraries::of(located).with_bitcode);
        }
        for (number, mut module) in read(context, file, options, warnings)?
            .into_iter()
            .enumerate()
        {
            match &mut linked {
                None => linked = Some(module),
                Some(whole) => {
                    // Where a linker let two objects define a name, the first has it.
                    if number > 0 {
                        module.yield_to(whole);
                    }
                    link(context, whole, module, file, warnings)?;
                }
            }
        }
    }
    let mut whole = match linked {
        Some(whole) => whole,
        None => archives_alone(context, &archives, warnings)?,
    };
    let library = Library {
        archives,
        ..Library::default()
    };
    let shared = shared_modules(&shared)?;
    link_library(context, &mut whole, &library, &shared, warnings)?;
    if let Some(writer) = &options.driver {
        link_drivers(context, &mut whole, writer, warnings)?;
    }
    if let Some(is_standard) = options
        .library
        .standard
        .as_ref()
        .filter(|_| options.promote)
    {
        let straightened = straighten(&mut whole, &**is_standard);
        straightened.map_err(|reason| LoadError::Transform { reason })?;
    }
    Ok(whole)
}

/// Links what the writer makes of the program, whose functions it may all call.
fn link_drivers<'c>(
    context: &'c Context,
    whole: &mut Module<'c>,
    writer: &DriverWriter,
    warnings: &mut Vec<String>,
) -> Result<(), LoadError> {
    let file = Path::new("the driver");
    let texts = (writer.0)(&lower(whole)).map_err(|reason| LoadError::NoDriver { reason })?;
    for text in texts {
        let module = Module::parse_text(context, text.as_bytes(), &file.to_string_lossy());
        let module = module.map_err(|reason| LoadError::Syntax {
            file: file.to_owned(),
            reason,
        })?;
        let module = verified(module, file)?;
        for function in module.functions().filter(|it| it.is_declaration()) {
            whole.publish(&function.name());
        }
        link(context, whole, module, file, warnings)?;
    }
    Ok(())
}

/// A program that is archives alone: the member with `main`, as of a library's tests, or
/// else all that they hold.
fn archives_alone<'c>(
    context: &'c Context,
    archives: &[Archive],
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LoadError> {
    let mut members = Vec::new();
    for archive in archives {
        if let Some(main) = archive.member("main")? {
            members = vec![main];
            break;
        }
        members.extend(archive.members()?);
    }
    let mut linked: Option<Module<'_>> = None;
    for member in members {
        let mut module = parse_bitcode(context, &member.name, member.bitcode)?;
        match &mut linked {
            None => linked = Some(module),
            Some(whole) => {
                module.yield_to(whole);
                link(context, whole, module, &member.name, warnings)?;
            }
        }
    }
    linked.ok_or(LoadError::NoInput)
}

/// The modules of shared libraries.
fn shared_modules(files: &[PathBuf]) -> Result<Vec<SharedModule>, LoadError> {
    let mut modules = Vec::new();
    for file in files {
        let content = contents(file)?;
        modules.extend(embedded(&content).into_iter().map(|bitcode| SharedModule {
            file: file.clone(),
            bitcode: bitcode.to_owned(),
        }));
    }
    Ok(modules)
}

/// The names of the shared libraries without bitcode that programs among these files
/// are linked with, for a native program that is made of the same modules.
pub fn native_libraries(inputs: &[PathBuf]) -> Vec<String> {
    let mut names = Vec::new();
    for located in inputs.iter().map(|file| located(file)) {
        if matches!(InputKind::of(&located.file), Ok(InputKind::Object)) {
            names.extend(SharedLibraries::of(&located).others);
        }
    }
    names
}

/// Makes a program of a module.
pub(crate) fn finish<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    options: &LoadOptions,
    mut warnings: Vec<String>,
) -> Result<Program, LoadError> {
    link_library(context, &mut module, &options.library, &[], &mut warnings)?;
    spell_out(&mut module);
    tell_scopes(&mut module);
    if options.promote {
        // Blocks stay as they are: they are counted, and compared by number.
        let promoted = module.run_passes(c"function(sroa<preserve-cfg>)");
        promoted.map_err(|reason| LoadError::Transform { reason })?;
    }
    let mut program = lower(&module);
    program.warnings = warnings;
    if options.keep {
        program.bitcode = module.to_bitcode();
    }
    Ok(program)
}

/// The program again from its [`Program::bitcode`], function by function and instruction by
/// instruction the same.
///
/// # Errors
///
/// When these bytes are no bitcode.
pub fn reload(bitcode: &[u8]) -> Result<Program, LoadError> {
    let context = Context::new();
    let module = parse_bitcode(&context, Path::new("the program"), bitcode)?;
    Ok(lower(&module))
}

/// Checks `.ll` and `.bc` files with LLVM's verifier; others are clang's to check.
///
/// # Errors
///
/// When a file cannot be read or breaks a rule, with all the verifier says.
pub fn verify(inputs: &[PathBuf]) -> Result<(), LoadError> {
    let context = Context::new();
    for file in inputs {
        match InputKind::of(file)? {
            InputKind::Source => {}
            InputKind::Text => drop(text(&context, file)?),
            InputKind::Bitcode => drop(bitcode(&context, file, &contents(file)?)?),
            InputKind::Object => drop(object(&context, file)?),
            InputKind::Archive => {
                Archive::new(file).open()?;
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum InputKind {
    Source,
    Text,
    Bitcode,
    /// Machine code with the bitcode it was made from beside it.
    Object,
    /// Many of those, or of bitcode.
    Archive,
}

impl InputKind {
    fn of(file: &Path) -> Result<Self, LoadError> {
        if Language::of(file).is_some() {
            return Ok(Self::Source);
        }
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("ll") => Ok(Self::Text),
            Some("bc") => Ok(Self::Bitcode),
            // That it cannot be read says more than that its name is unusual.
            Some(_) | None => match &contents(file)?[..] {
                [b'\x7f', b'E', b'L', b'F', ..] => Ok(Self::Object),
                content if content.starts_with(b"!<arch>\n") => Ok(Self::Archive),
                content if is_bitcode(content) => Ok(Self::Bitcode),
                _ => Err(LoadError::UnknownKind {
                    file: file.to_owned(),
                }),
            },
        }
    }
}

/// Reads the modules of one file, and sees that they fit.
fn read<'c>(
    context: &'c Context,
    file: &Path,
    options: &LoadOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<Module<'c>>, LoadError> {
    let mut modules = match InputKind::of(file)? {
        InputKind::Source => {
            contents(file)?;
            let compiled = compile(file, &options.compile, &options.stop)?;
            if !compiled.warnings.trim().is_empty() {
                warnings.push(compiled.warnings.trim_end().to_owned());
            }
            vec![parse_bitcode(context, file, &compiled.bitcode)?]
        }
        InputKind::Text => vec![text(context, file)?],
        InputKind::Bitcode => vec![bitcode(context, file, &contents(file)?)?],
        InputKind::Object => object(context, file)?,
        InputKind::Archive => Vec::new(),
    };
    warnings.extend(
        context
            .take_diagnostics()
            .into_iter()
            .map(|diagnostic| diagnostic.message),
    );
    for module in &mut modules {
        accept_target(module, file)?;
    }
    Ok(modules)
}

pub(crate) fn contents(file: &Path) -> Result<Vec<u8>, LoadError> {
    std::fs::read(file).map_err(|error| unreadable(file, &error))
}

/// That a file cannot be read, and why.
pub(crate) fn unreadable(file: &Path, error: &std::io::Error) -> LoadError {
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::IsADirectory => "it is a directory; name the files in it".into(),
        _ => error.to_string(),
    };
    LoadError::Unreadable {
        file: file.to_owned(),
        reason,
    }
}

fn text<'c>(context: &'c Context, file: &Path) -> Result<Module<'c>, LoadError> {
    let name = file.to_string_lossy();
    let module = Module::parse_text(context, &contents(file)?, &name);
    let module = module.map_err(|reason| LoadError::Syntax {
        file: file.to_owned(),
        reason,
    })?;
    verified(module, file)
}

/// The modules that a compiler put beside machine code.
fn object<'c>(context: &'c Context, file: &Path) -> Result<Vec<Module<'c>>, LoadError> {
    let content = contents(file)?;
    let embedded = embedded(&content).into_iter();
    let modules: Result<Vec<_>, _> = embedded.map(|it| bitcode(context, file, it)).collect();
    match modules? {
        modules if modules.is_empty() => Err(LoadError::NoBitcode {
            file: file.to_owned(),
        }),
        modules => Ok(modules),
    }
}

/// Whether this is how bitcode begins.
pub(crate) fn is_bitcode(content: &[u8]) -> bool {
    const RAW: &[u8] = b"BC\xc0\xde";
    const WRAPPED: &[u8] = b"\xde\xc0\x17\x0b";
    content.starts_with(RAW) || content.starts_with(WRAPPED)
}

fn bitcode<'c>(context: &'c Context, file: &Path, content: &[u8]) -> Result<Module<'c>, LoadError> {
    if !is_bitcode(content) {
        return Err(LoadError::NotBitcode {
            file: file.to_owned(),
        });
    }
    verified(parse_bitcode(context, file, content)?, file)
}

pub(crate) fn parse_bitcode<'c>(
    context: &'c Context,
    file: &Path,
    content: &[u8],
) -> Result<Module<'c>, LoadError> {
    let parsed = Module::parse_bitcode(context, content, &file.to_string_lossy());
    parsed.ok_or_else(|| unreadable_bitcode(file, &errors(context)))
}

fn unreadable_bitcode(file: &Path, reason: &str) -> LoadError {
    let (file, reason, reader) = (file.to_owned(), reason.to_owned(), llvm::version());
    if is_newer(&reason, &reader) {
        return LoadError::NewerBitcode {
            file,
            reader,
            reason,
        };
    }
    LoadError::DamagedBitcode { file, reason }
}

/// Whether the reason names a producer newer than the reader, or a format it has given up on.
fn is_newer(reason: &str, reader: &str) -> bool {
    let major = |version: &str| {
        let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    };
    let producer = reason.split("Producer: 'LLVM").nth(1).and_then(major);
    let newer = producer
        .zip(major(reader))
        .is_some_and(|(producer, reader)| producer > reader);
    newer || reason.contains("Incompatible epoch")
}

fn verified<'c>(module: Module<'c>, file: &Path) -> Result<Module<'c>, LoadError> {
    match module.verify() {
        Ok(()) => Ok(module),
        Err(reason) => Err(LoadError::Invalid {
            file: file.to_owned(),
            reason,
        }),
    }
}

fn accept_target(module: &mut Module<'_>, file: &Path) -> Result<(), LoadError> {
    let triple = module.triple();
    let machine = machine(&triple);
    let refuse = |reason: &str| LoadError::Target {
        file: file.to_owned(),
        triple: triple.clone(),
        reason: reason.into(),
    };
    if module.data_layout().is_empty() {
        match machine {
            "" => {
                module.set_triple(DEFAULT_TRIPLE);
                module.set_data_layout(DEFAULT_LAYOUT);
            }
            "x86_64" => module.set_data_layout(DEFAULT_LAYOUT),
            known if LITTLE_ENDIAN_64.contains(&known) => {}
            _ => return Err(refuse("a machine that is not supported")),
        }
    }
    let layout = module.layout();
    if !layout.is_little_endian() {
        return Err(refuse("which is big-endian"));
    }
    match layout.pointer_bytes() {
        8 => Ok(()),
        bytes => Err(refuse(&format!("where addresses have {} bits", bytes * 8))),
    }
}

fn machine(triple: &str) -> &str {
    match triple.split('-').next().unwrap_or_default() {
        "amd64" => "x86_64",
        machine => machine,
    }
}

pub(crate) fn link<'c>(
    context: &Context,
    whole: &mut Module<'c>,
    module: Module<'c>,
    file: &Path,
    warnings: &mut Vec<String>,
) -> Result<(), LoadError> {
    let (first, second) = (whole.triple(), module.triple());
    let refuse = |reason| LoadError::Link {
        file: file.to_owned(),
        reason,
    };
    if machine(&first) != machine(&second) {
        return Err(refuse(format!("they are for {first}, it is for {second}")));
    }
    whole.link(module).map_err(|()| {
        let reason = errors(context);
        match defined_twice(&reason) {
            Some(symbol) => LoadError::DefinedTwice {
                file: file.to_owned(),
                symbol: symbol.to_owned(),
            },
            None => refuse(reason),
        }
    })?;
    warnings.extend(
        context
            .take_diagnostics()
            .into_iter()
            .map(|diagnostic| diagnostic.message),
    );
    Ok(())
}

/// What LLVM says is defined twice, if that is the reason it gives.
fn defined_twice(reason: &str) -> Option<&str> {
    let rest = reason.strip_prefix("Linking globals named '")?;
    rest.strip_suffix("': symbol multiply defined!")
}

/// What LLVM reported as errors, as one text.
pub(crate) fn errors(context: &Context) -> String {
    let reported = context
        .take_diagnostics()
        .into_iter()
        .filter(|d| d.is_error);
    let messages: Vec<String> = reported.map(|diagnostic| diagnostic.message).collect();
    if messages.is_empty() {
        "LLVM gives no reason".into()
    } else {
        messages.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcode_of_a_newer_llvm_is_told_from_damaged_bitcode() {
        let newer =
            "Unknown attribute kind (105) (Producer: 'LLVM23.0.0git' Reader: 'LLVM 22.1.8')";
        let same = "Invalid record (Producer: 'LLVM22.1.2-rust-1.95.0' Reader: 'LLVM 22.1.8')";
        assert!(is_newer(newer, "22.1.8"));
        assert!(!is_newer(same, "22.1.8"));
        assert!(is_newer(
            "Incompatible epoch: Bitcode '1' vs current: '0'",
            "22.1.8"
        ));
    }
}
