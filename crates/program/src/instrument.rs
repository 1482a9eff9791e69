//! The program as native code that tells where it has been.
//!
//! The files become one module, just as for [`load`](crate::load), of which two
//! things are made: the [`Program`], and bitcode for a native compiler in which
//! every block, and every edge out of a branch or switch, sets a byte of its own
//! in a table. Both have the same blocks under the same numbers, so that what
//! was reached in one can be compared with what was reached in the other. The
//! built-in library is in the program alone: natively there is the real one.
//!
//! Functions that take variadic arguments one by one are not marked: each time
//! the compiled code branches between registers and memory, and where arguments
//! are is the machine's own business.
//!
//! What threads do that others notice is marked too (`operations`), so that they can be made to
//! take turns.
//!
//! The bitcode defines `__everypath_coverage`, which holds the address of the
//! table, and `__everypath_coverage_size`. A runtime may move the table by
//! storing another address.

use std::path::{Path, PathBuf};

use crate::error::LoadError;
use crate::ids::BlockId;
use crate::llvm::{Block, Context, Editor, LinkageCode, Module, Opcode, Value, ValueKind};
use crate::load::{LoadOptions, finish, linked};
use crate::lower::block_order;
use crate::operations::Functions;
use crate::program::Program;

/// A program, and its code that tells where it has been.
#[derive(Debug)]
pub struct Instrumented {
    /// The program, as [`load`](crate::load) gives it.
    pub program: Program,
    /// The functions that the files define, rather than the library.
    pub functions: Vec<String>,
    /// What each byte of the table stands for.
    pub points: Vec<Point>,
    /// Whether a runtime that counts operations counts what the machine does.
    pub counts_operations: bool,
}

/// What a byte of the table stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// The function's linkage name.
    pub function: String,
    /// Where in it.
    pub location: PointLocation,
}

/// A location in a function that is reached or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PointLocation {
    /// A block.
    Block(BlockId),
    /// An edge from a block that has several successors.
    Edge {
        /// The block with the branch.
        from: BlockId,
        /// The successor.
        to: BlockId,
    },
}

/// The name under which the bitcode publishes an entry function.
pub const ENTRY_NAME: &str = "__everypath_entry";

/// Loads the files, and writes them as instrumented bitcode to `out`.
///
/// With an `entry` that is not `main`, the function is published as
/// [`ENTRY_NAME`], for a `main` that is to be linked; the program's own `main`
/// steps aside. `is_wrapped` says which functions of the C library the runtime stands before.
///
/// # Errors
///
/// As [`load`](crate::load), and when the bitcode cannot be written.
pub fn instrument(
    inputs: &[PathBuf],
    options: &LoadOptions,
    entry: &str,
    is_wrapped: &dyn Fn(&str) -> bool,
    out: &Path,
) -> Result<Instrumented, LoadError> {
    let context = Context::new();
    let mut warnings = Vec::new();
    let mut naming = options.clone();
    naming
        .compile
        .cc_args
        .push("-fno-discard-value-names".to_owned());
    let module = linked(&context, inputs, &naming, &mut warnings)?;
    let defined = module.functions().filter(|f| !f.is_declaration());
    let functions = defined.map(Value::name).collect();
    let mut native = module.duplicate();
    let program = finish(&context, module, options, warnings)?;
    let is_standard = options.library.standard.as_deref();
    let is_own = options.library.own.as_deref();
    let owners = Functions {
        program: &program,
        is_standard: &|file| is_standard.is_some_and(|is_one| is_one(file)),
        running_own_code: program.running_code_of(|file| is_own.is_some_and(|is_one| is_one(file))),
        is_wrapped,
        entry,
    };
    let (points, counts_operations) = mark(&mut native, entry, &owners);
    if let Err(reason) = native.verify() {
        return Err(LoadError::Transform { reason });
    }
    if !native.write_bitcode(out) {
        return Err(LoadError::Unwritable {
            file: out.to_owned(),
        });
    }
    Ok(Instrumented {
        program,
        functions,
        points,
        counts_operations,
    })
}

fn mark(module: &mut Module<'_>, entry: &str, owners: &Functions<'_>) -> (Vec<Point>, bool) {
    let editor = Editor::new(module, c"__everypath_coverage");
    let mut marks = Marks {
        editor: &editor,
        points: Vec::new(),
    };
    for function in editor.module().functions().filter(is_marked) {
        marks.function(function);
    }
    let points = marks.points;
    let counts_operations = owners.mark(&editor);
    editor.make_table(points.len(), c"__everypath_coverage_size");
    for list in [c"llvm.global_ctors", c"llvm.global_dtors"] {
        editor.order_constructors(list);
    }
    if entry != "main" {
        let named = |name: &str| editor.module().functions().find(|f| f.name() == name);
        if let Some(function) = named(entry) {
            editor.publish(function, c"__everypath_entry");
        }
        if let Some(main) = named("main") {
            editor.rename(main, "__everypath_other_main");
        }
    }
    (points, counts_operations)
}

/// Whether the function's native code is the one here, and can be added to.
fn is_marked(function: &Value<'_>) -> bool {
    !function.is_declaration()
        && !function.function_has("naked")
        && function.linkage() != LinkageCode::LLVMAvailableExternallyLinkage
        && !takes_variadic(*function)
}

/// Whether a function takes variadic arguments one by one.
fn takes_variadic(function: Value<'_>) -> bool {
    let takes = |instruction: Value<'_>| match instruction.opcode() {
        Opcode::LLVMGetElementPtr => instruction.stepped_type().text().contains("__va_list"),
        Opcode::LLVMCall => {
            let callee = instruction.callee();
            callee.kind() == ValueKind::Function && callee.name().starts_with("llvm.va_start")
        }
        _ => false,
    };
    // Optimised code is known by the names of its blocks alone.
    let blocks = function.blocks();
    blocks
        .iter()
        .any(|block| block.name().starts_with("vaarg."))
        || blocks.into_iter().flat_map(Block::instructions).any(takes)
}

struct Marks<'e, 'm> {
    editor: &'e Editor<'m>,
    points: Vec<Point>,
}

impl<'m> Marks<'_, 'm> {
    fn function(&mut self, function: Value<'m>) {
        let order = block_order(function);
        let name = function.name();
        for (number, &block) in order.blocks.iter().enumerate() {
            let from = BlockId::from_index(number);
            let point = self.point(&name, PointLocation::Block(from));
            let head = block.instructions().find(|inst| !inst.is_pinned());
            let head = head.expect("verified blocks have a terminator");
            self.editor.mark(head, point);
            self.edges(&name, from, block, |to| order.ids[&to]);
        }
    }

    /// Marks the edge by which control leaves a block that has several.
    fn edges(
        &mut self,
        function: &str,
        from: BlockId,
        block: Block<'m>,
        number_of: impl Fn(Block<'m>) -> BlockId,
    ) {
        let terminator = block.terminator();
        let successors = block.successors();
        let mut targets: Vec<Block<'m>> = Vec::new();
        for &successor in &successors {
            if !targets.contains(&successor) {
                targets.push(successor);
            }
        }
        let opcode = terminator.opcode();
        if targets.len() < 2 || !matches!(opcode, Opcode::LLVMBr | Opcode::LLVMSwitch) {
            return;
        }
        let points: Vec<Value<'m>> = targets
            .iter()
            .map(|&target| {
                let to = number_of(target);
                self.point(function, PointLocation::Edge { from, to })
            })
            .collect();
        let point_of = |successor: usize| {
            let target = successors[successor];
            let position = targets.iter().position(|&known| known == target);
            points[position.expect("every successor is a target")]
        };
        let taken = if opcode == Opcode::LLVMBr {
            let condition = terminator.condition().expect("it has two targets");
            self.editor
                .choose(terminator, condition, point_of(0), point_of(1))
        } else {
            let value = terminator.operand(0);
            let mut taken = point_of(0);
            for case in 1..successors.len() {
                let constant = terminator.case_value(case as u32);
                let equal = self.editor.equal(terminator, value, constant);
                taken = self.editor.choose(terminator, equal, point_of(case), taken);
            }
            taken
        };
        self.editor.mark(terminator, taken);
    }

    fn point(&mut self, function: &str, location: PointLocation) -> Value<'m> {
        let number = self.points.len();
        self.points.push(Point {
            function: function.to_owned(),
            location,
        });
        self.editor.number(number)
    }
}
