//! Code that a program is linked with where it uses it: parts that are built in, and
//! archives of bitcode.
//!
//! Linking is by need, as a linker treats `.a` files: a member comes in when something
//! it defines is missing, and brings what it misses itself. What the program defines is
//! never replaced.

use crate::error::LoadError;
use crate::executable::embedded;
use crate::llvm::{Context, MappedFile, Module};
use crate::load::{errors, is_bitcode, link, parse_bitcode, unreadable};
use object::read::archive::ArchiveFile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// Says of names whether whoever runs the program has an own way to do what they stand for.
pub type Provided = Rc<dyn Fn(&str) -> bool>;

/// What programs are linked with.
#[derive(Clone, Default)]
pub struct Library {
    /// Modules, by name and bitcode; they come before archives.
    pub parts: &'static [(&'static str, &'static [u8])],
    /// Archives, the first that defines a name wins.
    pub archives: Vec<Archive>,
    /// Names that no archive is looked through for.
    pub provided: Option<Provided>,
    /// Source files of standard libraries, whose branches without side effects become values.
    pub standard: Option<Provided>,
    /// Source files of the program itself, and of no library.
    pub own: Option<Provided>,
}

/// One of the modules of a shared library.
pub(crate) struct SharedModule {
    /// The library.
    pub file: PathBuf,
    pub bitcode: Vec<u8>,
}

/// An archive of bitcode with an index of what it defines, as `llvm-ar` makes it. It is read
/// when something is first looked for in it.
#[derive(Clone)]
pub struct Archive {
    file: PathBuf,
    unit: Unit,
    opened: Arc<OnceLock<Opened>>,
}

/// What is in an archive.
pub(crate) struct Opened {
    content: MappedFile,
    /// The member that defines a symbol, by its position in the file.
    symbols: FxHashMap<Box<str>, u64>,
}

/// What comes into a program when something of an archive's member is missing there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// The member, as linkers have it.
    Member,
    /// What is missing and what that uses, and the member's constructors. The library of a
    /// language has few and large members.
    Symbol,
}

/// One of an archive's modules.
pub(crate) struct Member<'a> {
    /// What messages call it.
    pub name: PathBuf,
    pub bitcode: &'a [u8],
    offset: u64,
}

impl Archive {
    /// An archive whose members are linked whole.
    pub fn new(file: &Path) -> Archive {
        Archive::with_unit(file, Unit::Member)
    }

    /// An archive of which no more is linked than is used, symbol by symbol.
    pub fn by_symbol(file: &Path) -> Archive {
        Archive::with_unit(file, Unit::Symbol)
    }

    fn with_unit(file: &Path, unit: Unit) -> Archive {
        Archive {
            file: file.to_owned(),
            unit,
            opened: Arc::default(),
        }
    }

    /// Reads the archive and its index, if nobody has yet.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or has no index.
    pub(crate) fn open(&self) -> Result<&Opened, LoadError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = Opened::read(&self.file)?;
        Ok(self.opened.get_or_init(|| opened))
    }

    /// All members that define something and have bitcode, in the order of the file.
    pub(crate) fn members(&self) -> Result<Vec<Member<'_>>, LoadError> {
        let opened = self.open()?;
        let offsets: BTreeSet<u64> = opened.symbols.values().copied().collect();
        let members = offsets.into_iter().filter_map(|it| self.at(opened, it));
        Ok(members.collect())
    }

    /// The member that defines a symbol; none if nothing does, or machine code without
    /// bitcode does.
    pub(crate) fn member(&self, symbol: &str) -> Result<Option<Member<'_>>, LoadError> {
        let opened = self.open()?;
        let offset = opened.symbols.get(symbol);
        Ok(offset.and_then(|&offset| self.at(opened, offset)))
    }

    fn at<'a>(&self, opened: &'a Opened, offset: u64) -> Option<Member<'a>> {
        let archive = ArchiveFile::parse(opened.content.bytes()).ok()?;
        let member = archive
            .member(object::read::archive::ArchiveOffset(offset))
            .ok()?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let content = member.data(opened.content.bytes()).ok()?;
        let bitcode = match is_bitcode(content) {
            true => content,
            false => *embedded(content).first()?,
        };
        Some(Member {
            name: PathBuf::from(format!("{}({name})", self.file.to_string_lossy())),
            bitcode,
            offset,
        })
    }
}

impl Opened {
    fn read(file: &Path) -> Result<Opened, LoadError> {
        let damaged = |reason: String| LoadError::DamagedArchive {
            file: file.to_owned(),
            reason,
        };
        // What the system says of a file that cannot be read is plainer than LLVM's words.
        File::open(file).map_err(|error| unreadable(file, &error))?;
        let mapped = MappedFile::open(file).map_err(damaged)?;
        let content = mapped.bytes();
        let archive = ArchiveFile::parse(content).map_err(|error| damaged(error.to_string()))?;
        let index = archive
            .symbols()
            .map_err(|error| damaged(error.to_string()))?;
        let index = index.ok_or_else(|| {
            damaged("it has no index of symbols; make it with `llvm-ar rcs`".to_owned())
        })?;
        // Only what is needed is looked at later, so that a file cut short must be seen now.
        for member in archive.members() {
            let data = member.and_then(|member| member.data(content).map(|_| ()));
            data.map_err(|error| damaged(error.to_string()))?;
        }
        let mut symbols = FxHashMap::default();
        for symbol in index {
            let symbol = symbol.map_err(|error| damaged(error.to_string()))?;
            let name: Box<str> = String::from_utf8_lossy(symbol.name()).into();
            symbols.entry(name).or_insert(symbol.offset().0);
        }
        Ok(Opened {
            content: mapped,
            symbols,
        })
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<&str> = self.parts.iter().map(|(name, _)| *name).collect();
        let mut shown = f.debug_struct("Library");
        shown
            .field("parts", &parts)
            .field("archives", &self.archives);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Archive").field(&self.file).finish()
    }
}

/// Links what is missing, and what that misses in turn. Modules of shared libraries come
/// before archives.
pub(crate) fn link_library<'c>(
    context: &'c Context,
    whole: &mut Module<'c>,
    library: &Library,
    shared: &[SharedModule],
    warnings: &mut Vec<String>,
) -> Result<(), LoadError> {
    let mut parts = Vec::new();
    for &(name, bitcode) in library.parts {
        let file = Path::new(name);
        parts.push((file.to_owned(), open_bitcode(context, file, bitcode)?));
    }
    for module in shared {
        let (file, bitcode) = (&module.file, &module.bitcode);
        let opened = Module::open_bitcode(context, bitcode, &file.to_string_lossy());
        let mut opened = opened.ok_or_else(|| LoadError::DamagedBitcode {
            file: file.clone(),
            reason: errors(context),
        })?;
        // A library that is loaded does what its constructors do, needed or not.
        if opened.global("llvm.global_ctors").is_some() {
            opened.yield_to(whole);
            link(context, whole, opened, file, warnings)?;
        } else {
            parts.push((file.clone(), opened));
        }
    }
    let mut wanted = Wanted {
        context,
        library,
        parts,
        linked: FxHashSet::default(),
        asked: FxHashSet::default(),
    };
    while let Some((file, round)) = wanted.round(whole, warnings)? {
        link(context, whole, round, &file, warnings)?;
    }
    Ok(())
}

/// What may be linked.
struct Wanted<'l, 'c> {
    context: &'c Context,
    library: &'l Library,
    /// Modules that come whole and before archives, if one of their names is missing.
    parts: Vec<(PathBuf, Module<'c>)>,
    /// Archives and positions of members that are linked.
    linked: FxHashSet<(usize, u64)>,
    /// Names that archives were asked for which are linked by symbol: such a member may come
    /// in several times, for other names.
    asked: FxHashSet<(usize, String)>,
}

impl<'c> Wanted<'_, 'c> {
    /// What the whole misses, as far as it can be had, and the last file it is from. A link
    /// costs what the module has that is linked to, so that it is put together apart.
    fn round(
        &mut self,
        whole: &Module<'c>,
        warnings: &mut Vec<String>,
    ) -> Result<Option<(PathBuf, Module<'c>)>, LoadError> {
        let missing = missing(whole);
        let mut round = whole.empty_like();
        round.declare_undefined_of(whole);
        // Parts come before archives, and so does what they need.
        let is_of_parts = missing.iter().any(|name| self.part_with(name).is_some());
        let mut last = None;
        for name in &missing {
            // It may have come with another.
            if round.definition(name).is_some() {
                continue;
            }
            let found = match is_of_parts {
                true => self.part_with(name).map(|part| self.parts.remove(part)),
                false => self.member_with(name)?,
            };
            if let Some((file, mut module)) = found {
                module.yield_to(whole);
                module.yield_to(&round);
                link(self.context, &mut round, module, &file, warnings)?;
                last = Some(file);
            }
        }
        // What nothing defined is not to meet what the whole says of it.
        round.remove_unused_declarations();
        Ok(last.map(|file| (file, round)))
    }

    fn part_with(&self, name: &str) -> Option<usize> {
        let mut parts = self.parts.iter();
        parts.position(|(_, part)| part.definition(name).is_some())
    }

    /// The member of an archive that defines a name, if it is not linked.
    fn member_with(&mut self, name: &str) -> Result<Option<(PathBuf, Module<'c>)>, LoadError> {
        let provided = self.library.provided.as_ref();
        if provided.is_some_and(|provided| provided(name)) {
            return Ok(None);
        }
        for (i, archive) in self.library.archives.iter().enumerate() {
            let Some(member) = archive.member(name)? else {
                continue;
            };
            let is_first = self.linked.insert((i, member.offset));
            let is_wanted = match archive.unit {
                Unit::Member => is_first,
                Unit::Symbol => self.asked.insert((i, name.to_owned())),
            };
            if !is_wanted {
                continue;
            }
            let module = match archive.unit {
                Unit::Member => {
                    let mut module = parse_bitcode(self.context, &member.name, member.bitcode)?;
                    // It came for something else, and may define what is provided beside.
                    if let Some(provided) = provided {
                        module.leave_out(|name| provided(name));
                    }
                    module
                }
                Unit::Symbol => {
                    let mut module = open_bitcode(self.context, &member.name, member.bitcode)?;
                    let mark = format!("{i}.{}", member.offset);
                    module.offer_symbols(&mark, is_first);
                    module
                }
            };
            return Ok(Some((member.name, module)));
        }
        Ok(None)
    }
}

/// Reads bitcode whose functions are read when they are linked.
fn open_bitcode<'c>(
    context: &'c Context,
    file: &Path,
    bitcode: &[u8],
) -> Result<Module<'c>, LoadError> {
    let module = Module::open_bitcode(context, bitcode, &file.to_string_lossy());
    module.ok_or_else(|| LoadError::DamagedBitcode {
        file: file.to_owned(),
        reason: errors(context),
    })
}

/// What the module uses and does not define, in the order of names, so that a program is
/// linked in the same way each time. What it can do without is not looked for.
fn missing(module: &Module<'_>) -> BTreeSet<String> {
    let values = module.functions().chain(module.globals());
    let undefined = values.filter(|value| value.is_undefined());
    undefined.map(|value| value.name()).collect()
}
