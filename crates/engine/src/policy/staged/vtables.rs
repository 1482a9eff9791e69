//! The vtables that a program has, as the Itanium C++ ABI lays them out: for each pointer to
//! virtual functions in an object, how far the object begins before it, its type information,
//! and then the functions, where the pointer leads.

use program::{Address, Base, Constant, Global, GlobalId, Program, TypeId};

/// What a pure virtual function is in a vtable.
const PURE: &str = "__cxa_pure_virtual";

const WORD: u64 = 8;

/// Where the pointer leads that objects of a class have so many bytes from their start; none
/// if there are no objects of the class, for it is abstract or never constructed.
pub(super) fn vtable(program: &Program, class: TypeId, offset: u64) -> Option<(GlobalId, u64)> {
    let own = table_name(program, class)?;
    let at = program.globals.iter().position(|it| own.is(&it.name))?;
    let table = &program.globals[at];
    let functions = addresses(table).filter_map(|(_, it)| match it.base {
        Base::Function(id) => Some(&program.functions[id.index()].name),
        Base::Global(_) | Base::Block(..) => None,
    });
    if functions.into_iter().any(|name| name == PURE) {
        return None;
    }
    // Type information is the only data that a vtable leads to.
    let mut information = addresses(table).filter_map(|(at, it)| match it.base {
        Base::Global(_) => Some(at),
        Base::Function(_) | Base::Block(..) => None,
    });
    let within = information.find(|&at| before(table, at) == Some(-(offset as i64)));
    let within = within.map(|at| at + WORD);
    let without_information = (offset == 0).then_some(2 * WORD);
    let within = within.or(without_information)?;
    Some((GlobalId::from_index(at), within))
}

/// How a vtable is called.
enum TableName {
    Known(String),
    /// That of a class that other files cannot name ends so.
    Hidden(String),
}

impl TableName {
    fn is(&self, name: &str) -> bool {
        match self {
            TableName::Known(known) => name == known,
            TableName::Hidden(end) => {
                name.starts_with("_ZTVN12_GLOBAL__N_1") && name.ends_with(end.as_str())
            }
        }
    }
}

fn table_name(program: &Program, class: TypeId) -> Option<TableName> {
    let source = &program.source;
    let class = source.debug_type(source.resolved(class));
    match class.identifier.strip_prefix("_ZTS") {
        Some(mangled) => Some(TableName::Known(format!("_ZTV{mangled}"))),
        None if class.identifier.is_empty() => {
            let name = &class.name;
            Some(TableName::Hidden(format!("{}{name}E", name.len())))
        }
        None => None,
    }
}

/// The addresses in a variable, and where they are in it.
fn addresses(global: &Global) -> impl Iterator<Item = (u64, Address)> + '_ {
    let relocations = global.initializer.iter().flat_map(|it| &it.relocations);
    relocations.filter_map(|it| match &it.value {
        Constant::Address(address) => Some((it.offset, *address)),
        _ => None,
    })
}

/// The number in the word before a place in a variable.
fn before(global: &Global, at: u64) -> Option<i64> {
    let bytes = &global.initializer.as_ref()?.bytes;
    let start = usize::try_from(at.checked_sub(WORD)?).ok()?;
    let mut word = [0; WORD as usize];
    for (to, from) in word.iter_mut().zip(bytes.iter().skip(start)) {
        *to = *from;
    }
    Some(i64::from_le_bytes(word))
}
