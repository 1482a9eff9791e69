//! Types as the source names them.

use super::debug::{SourceReader, field};
use crate::ids::TypeId;
use crate::llvm::{Metadata, MetadataKind};
use crate::source::{DebugType, Enumerator, Field, Shape, Variant};

/// DWARF's numbers for kinds of types.
pub(super) mod tag {
    pub(in crate::lower) const ARRAY: u16 = 0x01;
    pub(in crate::lower) const CLASS: u16 = 0x02;
    pub(in crate::lower) const ENUMERATION: u16 = 0x04;
    pub(in crate::lower) const MEMBER: u16 = 0x0d;
    pub(in crate::lower) const POINTER: u16 = 0x0f;
    pub(in crate::lower) const REFERENCE: u16 = 0x10;
    pub(in crate::lower) const STRUCTURE: u16 = 0x13;
    pub(in crate::lower) const TYPEDEF: u16 = 0x16;
    pub(in crate::lower) const UNION: u16 = 0x17;
    pub(in crate::lower) const INHERITANCE: u16 = 0x1c;
    pub(in crate::lower) const MEMBER_POINTER: u16 = 0x1f;
    pub(in crate::lower) const CONST: u16 = 0x26;
    pub(in crate::lower) const VARIANT_PART: u16 = 0x33;
    pub(in crate::lower) const VOLATILE: u16 = 0x35;
    pub(in crate::lower) const RESTRICT: u16 = 0x37;
    pub(in crate::lower) const RVALUE_REFERENCE: u16 = 0x42;
    pub(in crate::lower) const ATOMIC: u16 = 0x47;
}

/// LLVM's flags of members.
const VIRTUAL: i32 = 1 << 5;
const STATIC_MEMBER: i32 = 1 << 12;
const BIT_FIELD: i32 = 1 << 19;

/// A type of which only name and size are known.
pub(super) struct UnfinishedType<'m> {
    id: TypeId,
    node: Metadata<'m>,
    is_c: bool,
}

/// Where the type another is made of stands among a node's operands.
const BASE_TYPE: usize = 5;
/// Where the tag of a variant stands.
const EXTRA_DATA: usize = 6;
/// Where the parts of a composite type stand.
const ELEMENTS: usize = 6;
/// Where a generic type's parameters stand, what identifies a type, and which member tells
/// variants apart.
const TYPE_PARAMETERS: usize = 8;
const IDENTIFIER: usize = 9;
const TAG: usize = 10;
/// Of a function type, its result and its parameters.
const SIGNATURE: usize = 5;

/// Beyond this a type is taken to go round in circles.
const LONGEST_DECLARATOR: usize = 1000;

impl<'m> SourceReader<'m> {
    /// The type a node describes. What it is made of is found out at the end,
    /// for types refer to each other in long chains and to themselves.
    pub(super) fn debug_type(&mut self, node: Metadata<'m>) -> TypeId {
        if let Some(&known) = self.types.get(&node) {
            return known;
        }
        let id = TypeId::from_index(self.source.types.len());
        let name = self.type_name(node, String::new());
        let bits = if node.is_type() { node.type_bits() } else { 0 };
        self.source.types.push(DebugType {
            name,
            bits,
            shape: Shape::Other,
            arguments: Vec::new(),
            identifier: String::new(),
        });
        self.types.insert(node, id);
        self.unfinished_types.push(UnfinishedType {
            id,
            node,
            is_c: self.is_c,
        });
        id
    }

    /// Finds out what all types are made of.
    pub(super) fn finish_types(&mut self) {
        while let Some(UnfinishedType { id, node, is_c }) = self.unfinished_types.pop() {
            self.is_c = is_c;
            let shape = self.shape(node);
            let arguments = self.type_arguments(node);
            let it = &mut self.source.types[id.index()];
            it.shape = shape;
            it.arguments = arguments;
            if is_composite(node) {
                it.identifier = node.operand_string(IDENTIFIER);
            }
        }
        // Names and qualifiers are as large as what they stand for.
        for index in 0..self.source.types.len() {
            let resolved = self.source.resolved(TypeId::from_index(index));
            self.source.types[index].bits = self.source.debug_type(resolved).bits;
        }
    }

    fn shape(&mut self, node: Metadata<'m>) -> Shape {
        match node.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => basic_shape(node),
            MetadataKind::LLVMDIDerivedTypeMetadataKind => {
                let base = node.operand(BASE_TYPE).map(|base| self.debug_type(base));
                match (node.type_tag(), base) {
                    (tag::POINTER | tag::MEMBER_POINTER, base) => Shape::Pointer(base),
                    (tag::REFERENCE | tag::RVALUE_REFERENCE, base) => Shape::Reference(base),
                    (tag::TYPEDEF, Some(base)) => Shape::Named(base),
                    (tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC, Some(base)) => {
                        Shape::Qualified(base)
                    }
                    _ => Shape::Other,
                }
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => self.composite_shape(node),
            MetadataKind::LLVMDISubroutineTypeMetadataKind => {
                let types = node.operand(SIGNATURE).map(Metadata::operands);
                let mut types = types.unwrap_or_default().into_iter();
                let returns = types.next().flatten();
                let parameters: Vec<Option<Metadata<'m>>> = types.collect();
                Shape::Function {
                    returns: returns.map(|it| self.debug_type(it)),
                    // What has no type stands for arguments of any.
                    variadic: parameters.iter().any(Option::is_none),
                    parameters: parameters
                        .into_iter()
                        .flatten()
                        .map(|it| self.debug_type(it))
                        .collect(),
                }
            }
            _ => Shape::Other,
        }
    }

    fn composite_shape(&mut self, node: Metadata<'m>) -> Shape {
        match node.type_tag() {
            tag::ARRAY => self.array_shape(node),
            tag::STRUCTURE => match elements(node).find(|it| is_variant_part(*it)) {
                Some(part) => Shape::Variants {
                    tag: part.operand(TAG).map(|member| self.field(member)),
                    variants: self.variants(part),
                },
                None => Shape::Struct(self.fields(node)),
            },
            tag::CLASS => Shape::Class(self.fields(node)),
            tag::UNION => Shape::Union(self.fields(node)),
            tag::ENUMERATION => Shape::Enum {
                underlying: node.operand(BASE_TYPE).map(|base| self.debug_type(base)),
                enumerators: elements(node).filter_map(enumerator).collect(),
            },
            _ => Shape::Other,
        }
    }

    /// Arrays of several dimensions have one count: that of all elements.
    fn array_shape(&mut self, node: Metadata<'m>) -> Shape {
        let element = node.operand(BASE_TYPE).map(|base| self.debug_type(base));
        let mut counts = elements(node).map(dimension);
        let count = counts.try_fold(1_u64, |all, count| Some(all.saturating_mul(count?)));
        Shape::Array { element, count }
    }

    fn fields(&mut self, node: Metadata<'m>) -> Vec<Field> {
        let mut fields = Vec::new();
        for member in elements(node) {
            if !matches!(member.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind) {
                continue;
            }
            let base_class = member.type_tag() == tag::INHERITANCE;
            let is_member = member.type_tag() == tag::MEMBER || base_class;
            if !is_member || member.type_flags() & STATIC_MEMBER != 0 {
                continue;
            }
            fields.push(self.field(member));
        }
        fields
    }

    fn field(&mut self, member: Metadata<'m>) -> Field {
        Field {
            name: member.operand_string(2),
            debug_type: member.operand(BASE_TYPE).map(|base| self.debug_type(base)),
            offset: member.type_offset(),
            bits: member.type_bits(),
            bit_field: member.type_flags() & BIT_FIELD != 0,
            base_class: member.type_tag() == tag::INHERITANCE,
            virtual_base: member.type_flags() & VIRTUAL != 0,
        }
    }

    /// The types that a template or a generic type was made for, in order.
    fn type_arguments(&mut self, node: Metadata<'m>) -> Vec<TypeId> {
        if !is_composite(node) {
            return Vec::new();
        }
        let parameters = node.operand(TYPE_PARAMETERS).map(Metadata::operands);
        let parameters = parameters.unwrap_or_default().into_iter().flatten();
        let types = parameters.filter(|it| {
            matches!(
                it.kind(),
                MetadataKind::LLVMDITemplateTypeParameterMetadataKind
            )
        });
        let types: Vec<Metadata<'m>> = types.filter_map(|it| it.operand(1)).collect();
        types.into_iter().map(|it| self.debug_type(it)).collect()
    }

    fn variants(&mut self, part: Metadata<'m>) -> Vec<Variant> {
        let tags: Vec<Option<i64>> = elements(part)
            .map(|member| member.operand_integer(EXTRA_DATA))
            .collect();
        let fields = self.fields(part).into_iter().zip(tags);
        fields.map(|(field, tag)| Variant { field, tag }).collect()
    }

    /// The type as one would write it, around what is declared with it.
    fn type_name(&self, node: Metadata<'m>, declared: String) -> String {
        let join = |name: &str| match declared.is_empty() {
            true => name.to_owned(),
            false => format!("{name} {declared}"),
        };
        if declared.len() > LONGEST_DECLARATOR {
            return "…".into();
        }
        match node.kind() {
            MetadataKind::LLVMDIDerivedTypeMetadataKind => self.derived_name(node, &declared),
            MetadataKind::LLVMDICompositeTypeMetadataKind if node.type_tag() == tag::ARRAY => {
                let counts = elements(node).map(|range| match dimension(range) {
                    Some(count) => format!("[{count}]"),
                    None => "[]".into(),
                });
                self.base_name(node, format!("{declared}{}", counts.collect::<String>()))
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => {
                let name = node.operand_string(2);
                let name = if name.is_empty() {
                    "(anonymous)".into()
                } else {
                    name
                };
                let word = match node.type_tag() {
                    tag::STRUCTURE => "struct ",
                    tag::UNION => "union ",
                    tag::ENUMERATION => "enum ",
                    _ => "",
                };
                join(&format!("{}{name}", if self.is_c { word } else { "" }))
            }
            MetadataKind::LLVMDISubroutineTypeMetadataKind => self.function_name(node, &declared),
            _ => join(&node.operand_string(2)),
        }
    }

    fn derived_name(&self, node: Metadata<'m>, declared: &str) -> String {
        let qualified = |word: &str| match node.operand(BASE_TYPE) {
            // Qualifiers of a pointer stand behind the star.
            Some(base) if is_pointer(base) => {
                let space = if declared.is_empty() { "" } else { " " };
                self.type_name(base, format!("{word}{space}{declared}"))
            }
            _ => format!("{word} {}", self.base_name(node, declared.to_owned())),
        };
        match node.type_tag() {
            tag::POINTER => self.pointed_name(node, "*", declared),
            tag::REFERENCE => self.pointed_name(node, "&", declared),
            tag::RVALUE_REFERENCE => self.pointed_name(node, "&&", declared),
            tag::MEMBER_POINTER => self.pointed_name(node, "::*", declared),
            tag::CONST => qualified("const"),
            tag::VOLATILE => qualified("volatile"),
            tag::RESTRICT => qualified("restrict"),
            tag::ATOMIC => qualified("_Atomic"),
            _ if declared.is_empty() => node.operand_string(2),
            _ => format!("{} {declared}", node.operand_string(2)),
        }
    }

    fn pointed_name(&self, node: Metadata<'m>, sign: &str, declared: &str) -> String {
        let name = node.operand_string(2);
        if !name.is_empty() {
            // Rust's pointers have names of their own.
            return if declared.is_empty() {
                name
            } else {
                format!("{name} {declared}")
            };
        }
        let inner = format!("{sign}{declared}");
        let around = node.operand(BASE_TYPE).is_some_and(|base| {
            matches!(base.kind(), MetadataKind::LLVMDISubroutineTypeMetadataKind)
                || (base.is_type() && base.type_tag() == tag::ARRAY)
        });
        self.base_name(node, if around { format!("({inner})") } else { inner })
    }

    fn function_name(&self, node: Metadata<'m>, declared: &str) -> String {
        let types = node
            .operand(SIGNATURE)
            .map(Metadata::operands)
            .unwrap_or_default();
        let mut names = types.iter().enumerate().map(|(position, part)| match part {
            Some(part) => self.type_name(*part, String::new()),
            None if position == 0 => "void".into(),
            None => "...".into(),
        });
        let returns = names.next().unwrap_or_else(|| "void".into());
        let parameters = names.collect::<Vec<_>>().join(", ");
        format!("{returns} {declared}({parameters})")
    }

    fn base_name(&self, node: Metadata<'m>, declared: String) -> String {
        match node.operand(BASE_TYPE) {
            Some(base) => self.type_name(base, declared),
            None if declared.is_empty() => "void".into(),
            None => format!("void {declared}"),
        }
    }
}

fn is_pointer(node: Metadata<'_>) -> bool {
    matches!(node.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
        && node.type_tag() == tag::POINTER
}

pub(super) fn is_composite(node: Metadata<'_>) -> bool {
    matches!(node.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind)
}

fn is_variant_part(node: Metadata<'_>) -> bool {
    is_composite(node) && node.type_tag() == tag::VARIANT_PART
}

fn basic_shape(node: Metadata<'_>) -> Shape {
    let text = node.text();
    match field(&text, "encoding") {
        Some("DW_ATE_boolean") => Shape::Bool,
        Some("DW_ATE_signed") => Shape::Integer { signed: true },
        Some("DW_ATE_unsigned") => Shape::Integer { signed: false },
        Some("DW_ATE_signed_char") => Shape::Character { signed: true },
        Some("DW_ATE_unsigned_char" | "DW_ATE_UTF") => Shape::Character { signed: false },
        Some("DW_ATE_float") => Shape::Float,
        Some(_) | None => Shape::Other,
    }
}

/// The parts of a composite type.
fn elements(node: Metadata<'_>) -> impl Iterator<Item = Metadata<'_>> {
    node.operand(ELEMENTS)
        .map(Metadata::operands)
        .unwrap_or_default()
        .into_iter()
        .flatten()
}

/// How many elements a range has, if it is fixed.
fn dimension(range: Metadata<'_>) -> Option<u64> {
    range
        .operand_integer(0)
        .and_then(|count| u64::try_from(count).ok())
}

fn enumerator(node: Metadata<'_>) -> Option<Enumerator> {
    let text = node.text();
    let value = field(&text, "value")?.parse().ok()?;
    Some(Enumerator {
        name: node.operand_string(0),
        value,
    })
}
