//! What the source says: files, places, functions, variables.
//!
//! Debug information is a graph of nodes whose operands have fixed positions,
//! as LLVM's `DebugInfoMetadata.h` lists them; the few fields that are no
//! operands and that the C interface lacks are read from a node's text.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;

use super::types::{UnfinishedType, is_composite, tag};
use crate::ids::{FileId, LocationId, Reg, SourceFunctionId, TypeId};
use crate::llvm::{Metadata, MetadataKind, RecordKind, Value, VariableRecord};
use crate::source::{
    GlobalName, Location, Place, Source, SourceFile, SourceFunction, SourceParameter, Variable,
};

/// Where a function's node has that of its declaration in a class, and that the class.
const DECLARATION: usize = 6;
const SCOPE: usize = 1;

/// Reads debug information, each node once.
#[derive(Default)]
pub(super) struct SourceReader<'m> {
    pub(super) source: Source,
    files: FxHashMap<Metadata<'m>, FileId>,
    file_names: FxHashMap<SourceFile, FileId>,
    locations: FxHashMap<Metadata<'m>, LocationId>,
    functions: FxHashMap<Metadata<'m>, SourceFunctionId>,
    variables: FxHashMap<Metadata<'m>, KnownVariable>,
    expressions: FxHashMap<Metadata<'m>, Expression>,
    languages: FxHashMap<Metadata<'m>, bool>,
    pub(super) types: FxHashMap<Metadata<'m>, TypeId>,
    pub(super) unfinished_types: Vec<UnfinishedType<'m>>,
    /// Whether the code at hand is C, where one says `struct` before its name.
    pub(super) is_c: bool,
}

/// What a local variable's node says.
#[derive(Clone)]
struct KnownVariable {
    name: String,
    debug_type: Option<TypeId>,
    parameter: Option<u32>,
}

/// What a record says of the value it names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expression {
    /// It is the value itself.
    Itself,
    /// The value is where it points to.
    There,
    Other,
}

impl Expression {
    fn read(text: &str) -> Expression {
        match text {
            _ if text.ends_with("!DIExpression()") => Expression::Itself,
            _ if text.ends_with("!DIExpression(DW_OP_deref)") => Expression::There,
            _ => Expression::Other,
        }
    }
}

impl<'m> SourceReader<'m> {
    pub(super) fn finish(mut self) -> Source {
        self.finish_types();
        self.source
    }

    pub(super) fn file(&mut self, node: Metadata<'m>) -> FileId {
        if let Some(&known) = self.files.get(&node) {
            return known;
        }
        let (name, directory) = node.file_name_and_directory();
        let path = normalised(&Path::new(&directory).join(&name));
        let file = SourceFile {
            name,
            directory,
            path,
        };
        let files = &mut self.source.files;
        let id = *self.file_names.entry(file.clone()).or_insert_with(|| {
            files.push(file);
            FileId::from_index(files.len() - 1)
        });
        self.files.insert(node, id);
        id
    }

    pub(super) fn location(&mut self, node: Option<Metadata<'m>>) -> LocationId {
        let Some(node) = node else {
            return LocationId::UNKNOWN;
        };
        if let Some(&known) = self.locations.get(&node) {
            return known;
        }
        let inlined_at = node.inlined_at().map(|outer| self.location(Some(outer)));
        let scope = node.location_scope();
        let (line, column) = node.line_and_column();
        let location = Location {
            file: scope
                .and_then(Metadata::scope_file)
                .map(|file| self.file(file)),
            line,
            column,
            function: scope
                .and_then(subprogram_of)
                .map(|function| self.function(function)),
            inlined_at,
        };
        self.source.locations.push(location);
        let id = LocationId::from_index(self.source.locations.len() - 1);
        self.locations.insert(node, id);
        id
    }

    /// The function a subprogram node describes.
    pub(super) fn function(&mut self, node: Metadata<'m>) -> SourceFunctionId {
        if let Some(&known) = self.functions.get(&node) {
            return known;
        }
        self.is_c = node.operand(5).is_some_and(|unit| self.is_c_unit(unit));
        let id = SourceFunctionId::from_index(self.source.functions.len());
        self.functions.insert(node, id);
        let file = node.scope_file().map(|file| self.file(file));
        self.source.functions.push(SourceFunction {
            name: node.operand_string(2),
            linkage_name: node.operand_string(3),
            file,
            line: node.subprogram_line(),
            returns: None,
            parameters: Vec::new(),
            is_private: node.operand(DECLARATION).is_some_and(is_private),
        });
        self.prototype(node, id);
        for retained in node.operand(7).map(Metadata::operands).unwrap_or_default() {
            let Some(variable) = retained.filter(|node| is_local_variable(*node)) else {
                continue;
            };
            self.local_variable(variable);
        }
        id
    }

    fn prototype(&mut self, node: Metadata<'m>, id: SourceFunctionId) {
        let types = node.operand(4).and_then(|prototype| prototype.operand(5));
        let types = types.map(Metadata::operands).unwrap_or_default();
        let mut types = types
            .into_iter()
            .map(|node| node.map(|node| self.debug_type(node)));
        let returns = types.next().flatten();
        let parameters = types
            .map(|debug_type| SourceParameter {
                name: String::new(),
                debug_type,
            })
            .collect::<Vec<_>>();
        let function = &mut self.source.functions[id.index()];
        function.returns = returns;
        // A variadic prototype ends with a type that is none.
        function.parameters = parameters;
        while function
            .parameters
            .last()
            .is_some_and(|last| last.debug_type.is_none())
        {
            function.parameters.pop();
        }
    }

    /// The variable a record names and the value it has or points to. None if
    /// the value is not simply there.
    pub(super) fn variable(
        &mut self,
        record: &VariableRecord<'m>,
    ) -> Option<(Value<'m>, Variable)> {
        let expression = *self
            .expressions
            .entry(record.expression)
            .or_insert_with(|| Expression::read(&record.expression.text()));
        if expression == Expression::Other {
            return None;
        }
        let value = record.value()?;
        let known = self.local_variable(record.variable);
        let place = match (record.kind, expression) {
            (RecordKind::LLVMDbgRecordDeclare, Expression::Itself)
            | (RecordKind::LLVMDbgRecordValue, Expression::There) => Place::Memory(Reg::NONE),
            (
                RecordKind::LLVMDbgRecordValue | RecordKind::LLVMDbgRecordAssign,
                Expression::Itself,
            ) => Place::Value(Reg::NONE),
            _ => return None,
        };
        let location = self.location(record.location);
        let KnownVariable {
            name,
            debug_type,
            parameter,
        } = known;
        Some((
            value,
            Variable {
                name,
                debug_type,
                parameter,
                location,
                place,
            },
        ))
    }

    fn local_variable(&mut self, node: Metadata<'m>) -> KnownVariable {
        if let Some(known) = self.variables.get(&node) {
            return known.clone();
        }
        let text = node.text();
        let argument = field(&text, "arg").and_then(|number| number.parse::<u32>().ok());
        let known = KnownVariable {
            name: node.operand_string(1),
            debug_type: node.operand(3).map(|node| self.debug_type(node)),
            parameter: argument
                .filter(|&number| number > 0)
                .map(|number| number - 1),
        };
        self.variables.insert(node, known.clone());
        self.name_parameter(node, &known);
        known
    }

    fn name_parameter(&mut self, node: Metadata<'m>, known: &KnownVariable) {
        let Some(index) = known.parameter else { return };
        let Some(function) = node.operand(0).and_then(subprogram_of) else {
            return;
        };
        let id = self.function(function);
        let parameters = &mut self.source.functions[id.index()].parameters;
        let index = index as usize;
        if parameters.len() <= index {
            let unknown = SourceParameter {
                name: String::new(),
                debug_type: None,
            };
            parameters.resize(index + 1, unknown);
        }
        parameters[index].name.clone_from(&known.name);
        parameters[index].debug_type = parameters[index].debug_type.or(known.debug_type);
    }

    /// The global variable's own description.
    pub(super) fn global(&mut self, global: Value<'m>, dbg: u32) -> Option<GlobalName> {
        let expression = global.global_metadata(dbg).into_iter().next()?;
        let node = expression.operand(0)?;
        if !matches!(node.kind(), MetadataKind::LLVMDIGlobalVariableMetadataKind) {
            return None;
        }
        if let Some(unit) = node.operand(0).filter(|scope| is_unit(*scope)) {
            self.is_c = self.is_c_unit(unit);
        }
        Some(GlobalName {
            name: node.operand_string(1),
            debug_type: node.operand(3).map(|node| self.debug_type(node)),
            file: node.operand(2).map(|file| self.file(file)),
            line: node.variable_line(),
        })
    }

    fn is_c_unit(&mut self, unit: Metadata<'m>) -> bool {
        *self.languages.entry(unit).or_insert_with(|| {
            let text = unit.text();
            let language = field(&text, "language").or_else(|| field(&text, "sourceLanguageName"));
            let language = language.unwrap_or_default();
            let name = language
                .trim_start_matches("DW_LANG_")
                .trim_start_matches("DW_LNAME_");
            name.strip_prefix('C')
                .is_some_and(|year| year.chars().all(|c| c.is_ascii_digit()))
        })
    }
}

/// The subprogram a scope is in.
fn subprogram_of(scope: Metadata<'_>) -> Option<Metadata<'_>> {
    let mut scope = scope;
    loop {
        match scope.kind() {
            MetadataKind::LLVMDISubprogramMetadataKind => return Some(scope),
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => scope = scope.operand(1)?,
            _ => return None,
        }
    }
}

fn is_local_variable(node: Metadata<'_>) -> bool {
    matches!(node.kind(), MetadataKind::LLVMDILocalVariableMetadataKind)
}

fn is_unit(node: Metadata<'_>) -> bool {
    matches!(node.kind(), MetadataKind::LLVMDICompileUnitMetadataKind)
}

/// The value of a field in a node's text, as `1` of `arg` in `!DILocalVariable(arg: 1, …)`.
pub(super) fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, inside) = text.split_once('(')?;
    let mut quoted = false;
    let mut start = 0;
    for (position, character) in inside.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ',' | ')' if !quoted => {
                let entry = inside[start..position].trim_start();
                let value = entry
                    .strip_prefix(name)
                    .and_then(|rest| rest.strip_prefix(": "));
                if value.is_some() {
                    return value;
                }
                start = position + 1;
            }
            _ => {}
        }
    }
    None
}

/// Whether a class declares a member to be private or protected, or does not say so and is no
/// `struct`.
fn is_private(declaration: Metadata<'_>) -> bool {
    let class = declaration.operand(SCOPE);
    if !class.is_some_and(is_composite) {
        return false;
    }
    let text = declaration.text();
    let flags = field(&text, "flags").unwrap_or_default();
    let mut access = flags
        .split('|')
        .map(str::trim)
        .filter_map(|flag| match flag {
            "DIFlagPrivate" | "DIFlagProtected" => Some(true),
            "DIFlagPublic" => Some(false),
            _ => None,
        });
    access
        .next()
        .unwrap_or_else(|| class.is_some_and(|class| class.type_tag() == tag::CLASS))
}

/// The path of the source file that a function is in.
pub(crate) fn file_of(function: Value<'_>) -> Option<String> {
    let (name, directory) = function
        .subprogram()?
        .scope_file()?
        .file_name_and_directory();
    Some(normalised(&Path::new(&directory).join(&name)))
}

/// The path without `.` and `..`, as far as text alone can tell.
fn normalised(path: &Path) -> String {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if parts.file_name().is_some() => {
                parts.pop();
            }
            Component::ParentDir
            | Component::Normal(_)
            | Component::RootDir
            | Component::Prefix(_) => parts.push(component),
        }
    }
    parts.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_past_names_that_look_like_it() {
        let text = r#"<0x1> = !DILocalVariable(name: "arg: 7, (x", arg: 2, scope: <0x2>)"#;
        assert_eq!(field(text, "arg"), Some("2"));
        assert_eq!(field(text, "scope"), Some("<0x2>"));
        assert_eq!(field(text, "line"), None);
    }

    #[test]
    fn paths_lose_their_dots() {
        assert_eq!(normalised(Path::new("/a/./b/../c.c")), "/a/c.c");
        assert_eq!(normalised(Path::new("../x/../y.c")), "../y.c");
    }
}
