//! What the program knows of its source.

mod support;

use program::{
    Body, CompileOptions, DebugType, Function, Inst, LoadOptions, OptLevel, Place, Program, Shape,
    Variable,
};
use support::loaded_text;

const TEXT: &str = r#"
#include <stddef.h>
typedef unsigned long size;
enum colour { RED, GREEN = 5, BLUE = -1 };
struct node;
struct point { int x, y; unsigned bits : 3; struct node *owner; };
struct node { const char *name; union { double d; size n; } value; struct point at[2][3]; };
volatile struct node *const root = NULL;
enum colour paint = GREEN;
int (*callback)(struct node *, char, ...);

size measure(const struct node *node, size limit, enum colour colour) {
    size count = 0;
    if (node && colour == RED) {
        for (size i = 0; i < limit; i++) {
            _Bool odd = i & 1;
            count += odd ? i : 1;
        }
    }
    switch (colour) {
    case GREEN: return count + 1;
    case BLUE: return count + 2;
    default: return count + (root != NULL) + (paint == RED);
    }
}
"#;

#[test]
fn functions_have_names_types_and_lines() {
    let program = loaded_text("c", TEXT, &LoadOptions::default());
    let function = named(&program, "measure");
    let source = program
        .source
        .function(function.source.expect("there is debug information"));
    assert_eq!((source.name.as_str(), source.line), ("measure", 12));
    let parameters: Vec<String> = source
        .parameters
        .iter()
        .map(|p| format!("{}: {}", p.name, type_name(&program, p.debug_type)))
        .collect();
    assert_eq!(
        parameters,
        [
            "node: const struct node *",
            "limit: size",
            "colour: enum colour"
        ]
    );
    assert_eq!(type_name(&program, source.returns), "size");
    let file = program.source.file(source.file.expect("it is in a file"));
    assert!(
        file.path.starts_with('/') && file.path.ends_with("/test.c"),
        "{file:?}"
    );
}

#[test]
fn variables_are_found_in_memory_or_in_registers() {
    let found = |promote| {
        let options = LoadOptions {
            promote,
            ..LoadOptions::default()
        };
        let program = loaded_text("c", TEXT, &options);
        let body = body(named(&program, "measure"));
        let describe = |variable: &Variable| {
            let (place, register) = match variable.place {
                Place::Memory(register) => ("memory", register),
                Place::Value(register) => ("value", register),
            };
            assert!(register.index() >= body.constants.len());
            format!(
                "{} {} {:?} {place}",
                variable.name,
                type_name(&program, variable.debug_type),
                variable.parameter
            )
        };
        let mut names: Vec<String> = body.variables.iter().map(describe).collect();
        names.sort();
        names.dedup();
        names
    };
    assert_eq!(
        found(false),
        [
            "colour enum colour Some(2) memory",
            "count size None memory",
            "i size None memory",
            "limit size Some(1) memory",
            "node const struct node * Some(0) memory",
            "odd _Bool None memory",
        ]
    );
    assert_eq!(
        found(true),
        [
            "colour enum colour Some(2) value",
            "count size None value",
            "i size None value",
            "limit size Some(1) value",
            "node const struct node * Some(0) value",
            "odd _Bool None value",
        ]
    );
}

#[test]
fn lines_with_code_and_branches_are_listed() {
    let program = loaded_text("c", TEXT, &LoadOptions::default());
    let body = body(named(&program, "measure"));
    let lines: Vec<u32> = body.lines.iter().map(|line| line.line).collect();
    assert_eq!(lines, [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25]);
    let branches: Vec<(u32, usize)> = body
        .branches
        .iter()
        .map(|branch| {
            (
                program.source.location(branch.location).line,
                branch.edges.len(),
            )
        })
        .collect();
    assert_eq!(branches, [(14, 2), (14, 2), (15, 2), (17, 2), (20, 3)]);
    for branch in &body.branches {
        assert!(matches!(
            body.code[branch.pc as usize],
            Inst::Branch { .. } | Inst::Switch { .. }
        ));
    }
}

#[test]
fn types_are_written_as_in_the_source() {
    let program = loaded_text("c", TEXT, &LoadOptions::default());
    let global = |name: &str| {
        let id = program.global(name).expect("it is defined");
        let source = program.globals[id.index()]
            .source
            .as_ref()
            .expect("it is in the source");
        program
            .source
            .debug_type(source.debug_type.expect("it has a type"))
    };
    assert_eq!(global("root").name, "volatile struct node *const");
    assert_eq!(global("callback").name, "int (*)(struct node *, char, ...)");
    assert_eq!(global("callback").bits, 64);
    let Shape::Enum {
        underlying,
        enumerators,
    } = &global("paint").shape
    else {
        panic!()
    };
    let names: Vec<(&str, i128)> = enumerators
        .iter()
        .map(|one| (one.name.as_str(), one.value))
        .collect();
    assert_eq!(names, [("RED", 0), ("GREEN", 5), ("BLUE", -1)]);
    assert_eq!(type_name(&program, *underlying), "int");
}

#[test]
fn structures_have_their_fields() {
    let program = loaded_text("c", TEXT, &LoadOptions::default());
    let find = |name: &str| -> &DebugType {
        program
            .source
            .types
            .iter()
            .find(|known| known.name == name)
            .expect("the type is known")
    };
    let fields = |name: &str| -> Vec<String> {
        let (Shape::Struct(fields) | Shape::Union(fields)) = &find(name).shape else {
            panic!()
        };
        let describe = |field: &program::Field| {
            let bit_field = if field.bit_field { " bit-field" } else { "" };
            let name = type_name(&program, field.debug_type);
            format!(
                "{}: {name} {}+{}{bit_field}",
                field.name, field.offset, field.bits
            )
        };
        fields.iter().map(describe).collect()
    };
    assert_eq!(
        fields("struct point"),
        [
            "x: int 0+32",
            "y: int 32+32",
            "bits: unsigned int 64+3 bit-field",
            "owner: struct node * 128+64",
        ]
    );
    assert_eq!(
        fields("struct node"),
        [
            "name: const char * 0+64",
            "value: union (anonymous) 64+64",
            "at: struct point [2][3] 128+1152",
        ]
    );
    assert_eq!(
        find("unsigned long").shape,
        Shape::Integer { signed: false }
    );
    assert_eq!(find("int").shape.signed(), Some(true));
    assert_eq!(find("char").shape, Shape::Character { signed: true });
    assert_eq!(find("_Bool").shape, Shape::Bool);
    let size = program
        .source
        .types
        .iter()
        .position(|known| known.name == "size");
    let resolved = program
        .source
        .resolved(program::TypeId::from_index(size.expect("it is known")));
    assert_eq!(program.source.debug_type(resolved).name, "unsigned long");
}

#[test]
fn inlined_code_keeps_both_places() {
    let text = "static inline int square(int x) {\n  return x * x;\n}\n\
                int twice(int y) {\n  return square(y) + square(y + 1);\n}\n";
    let options = LoadOptions {
        compile: CompileOptions {
            opt_level: OptLevel::Default,
            ..CompileOptions::default()
        },
        ..LoadOptions::default()
    };
    let program = loaded_text("c", text, &options);
    let body = body(named(&program, "twice"));
    let product = body
        .code
        .iter()
        .position(|inst| {
            matches!(
                inst,
                Inst::Binary {
                    op: program::BinaryOp::Mul,
                    ..
                }
            )
        })
        .expect("it multiplies");
    let places: Vec<(u32, &str)> = program
        .source
        .inlining(body.locations[product])
        .map(|place| {
            let function = place.function.expect("it is in a function");
            (place.line, program.source.function(function).name.as_str())
        })
        .collect();
    assert_eq!(places, [(2, "square"), (5, "twice")]);
    assert_eq!(
        body.lines.iter().map(|line| line.line).collect::<Vec<_>>(),
        [2, 5]
    );
}

#[test]
fn cpp_names_stand_without_struct() {
    let text = "struct Base { int b; }; template <typename T> struct Box : Base { T held; T &get() { return held; } };\n\
                Box<char> box; char f(Box<char> &&other) { return box.get() + other.get(); }\n";
    let program = loaded_text("cpp", text, &LoadOptions::default());
    let function = named(&program, "_Z1fO3BoxIcE");
    let source = program
        .source
        .function(function.source.expect("there is debug information"));
    assert_eq!(
        (source.name.as_str(), source.linkage_name.as_str()),
        ("f", "_Z1fO3BoxIcE")
    );
    assert_eq!(
        type_name(&program, source.parameters[0].debug_type),
        "Box<char> &&"
    );
    let held = program
        .source
        .types
        .iter()
        .find(|known| known.name == "Box<char>");
    let Shape::Struct(fields) = &held.expect("the type is known").shape else {
        panic!()
    };
    assert!(
        fields[0].base_class && fields[1].name == "held",
        "{fields:?}"
    );
    let get = named(&program, "_ZN3BoxIcE3getEv");
    let source = program
        .source
        .function(get.source.expect("there is debug information"));
    assert_eq!(source.parameters[0].name, "this");
}

#[test]
fn long_chains_of_types_do_not_exhaust_the_stack() {
    let mut text = String::new();
    for link in 0..3_000 {
        text += &format!("struct s{link} {{ struct s{} *next; }};\n", link + 1);
    }
    text += "struct s0 first;\n";
    let program = loaded_text("c", &text, &LoadOptions::default());
    assert!(
        program
            .source
            .types
            .iter()
            .any(|known| known.name == "struct s2999")
    );
}

#[test]
fn programs_without_debug_information_load_too() {
    let options = LoadOptions {
        compile: CompileOptions {
            cc_args: vec!["-g0".into()],
            ..CompileOptions::default()
        },
        ..LoadOptions::default()
    };
    let program = loaded_text("c", TEXT, &options);
    let function = named(&program, "measure");
    assert_eq!(function.source, None);
    assert_eq!(body(function).lines, []);
    assert_eq!(body(function).branches.len(), 5);
    assert!(program.source.files.is_empty());
}

fn named<'p>(program: &'p Program, name: &str) -> &'p Function {
    let id = program
        .function(name)
        .unwrap_or_else(|| panic!("no function {name}"));
    &program.functions[id.index()]
}

fn body(function: &Function) -> &Body {
    function.body.as_ref().expect("it is defined")
}

fn type_name(program: &Program, id: Option<program::TypeId>) -> String {
    id.map_or("void".into(), |id| {
        program.source.debug_type(id).name.clone()
    })
}
