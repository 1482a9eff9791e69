//! A hash of a function's code, of the functions it uses and of the data they use.
//!
//! Only what the code does counts. Where it stands in its file, what else is there,
//! and how things are called change nothing: functions and data are known by the
//! order in which the code leads to them. Functions that are not the program's own
//! are known by name.

use machine::runtime::is_built_in;
use program::{Base, Constant, FunctionId, FunctionListing, GlobalId, Program, Symbol};
use sha2::{Digest, Sha256};

/// The hash, in hexadecimal.
pub fn of(program: &Program, function: FunctionId) -> String {
    let mut code = Code {
        program,
        functions: vec![function],
        globals: Vec::new(),
    };
    let mut hash = Sha256::new();
    let (mut functions, mut globals) = (0, 0);
    loop {
        let text = if functions < code.functions.len() {
            functions += 1;
            code.function_text(code.functions[functions - 1])
        } else if globals < code.globals.len() {
            globals += 1;
            code.global_text(code.globals[globals - 1])
        } else {
            break;
        };
        hash.update(text);
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Code<'p> {
    program: &'p Program,
    /// What the code has led to so far.
    functions: Vec<FunctionId>,
    globals: Vec<GlobalId>,
}

impl Code<'_> {
    /// A function's listing without places in the source, with numbers for names.
    fn function_text(&mut self, id: FunctionId) -> String {
        let listing = FunctionListing::new(self.program, id).to_string();
        let mut text = String::new();
        for line in listing.lines() {
            let line = line.split(" ; ").next().unwrap_or_default().trim_end();
            let is_name = |word| line.trim_start().starts_with(word);
            if is_name("variable ") || is_name("parameter ") {
                continue;
            }
            let mut rest = line;
            while let Some((before, after)) = rest.split_once('@') {
                let is_part = |c: char| c.is_alphanumeric() || "_.$".contains(c);
                let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
                text += before;
                text += &self.number_for(&after[..end]);
                rest = &after[end..];
            }
            text += rest;
            text.push('\n');
        }
        text
    }

    /// What is in a global before the program begins.
    fn global_text(&mut self, id: GlobalId) -> String {
        let global = &self.program.globals[id.index()];
        let mut text = format!("{} bytes", global.size);
        let Some(initializer) = &global.initializer else {
            return text + " of " + &global.name + "\n";
        };
        text += &format!(": {:?}", initializer.bytes);
        for relocation in &initializer.relocations {
            let target = match &relocation.value {
                Constant::Address(address) => match address.base {
                    Base::Function(id) => self.function(id),
                    Base::Global(id) => self.global(id),
                    Base::Block(id, block) => format!("{} {}", self.function(id), block.0),
                },
                other => format!("{other:?}"),
            };
            text += &format!(" {} {target}", relocation.offset);
        }
        text + "\n"
    }

    fn number_for(&mut self, name: &str) -> String {
        match self.program.symbol(name) {
            Some(Symbol::Function(id)) => self.function(id),
            Some(Symbol::Global(id)) => self.global(id),
            Some(Symbol::Address(address)) => match address.base {
                Base::Function(id) | Base::Block(id, _) => self.function(id),
                Base::Global(id) => self.global(id),
            },
            None => format!("@{name}"),
        }
    }

    fn function(&mut self, id: FunctionId) -> String {
        let function = &self.program.functions[id.index()];
        let source = function.source.map(|id| self.program.source.function(id));
        let file = source.and_then(|source| source.file);
        let built_in = file.is_some_and(|id| is_built_in(&self.program.source.file(id).path));
        if function.body.is_none() || built_in {
            return format!("@{}", function.name);
        }
        format!("function {}", position(&mut self.functions, id))
    }

    fn global(&mut self, id: GlobalId) -> String {
        format!("global {}", position(&mut self.globals, id))
    }
}

/// Where the item is in the list, at whose end it is put if it is not there.
fn position<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    match list.iter().position(|known| *known == item) {
        Some(known) => known,
        None => {
            list.push(item);
            list.len() - 1
        }
    }
}
