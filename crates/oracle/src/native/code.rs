//! Native code: libraries, symbols and calls. This runs in the helper process.
//!
//! Everything is prepared once, when a function is bound, so that a call is a
//! copy of its arguments and a jump. Arrays are passed as copies with guards
//! on both sides; native code is never given an address of shared memory.

use super::wire::Passed;
use libffi::low::{self, CodePtr};
use libffi::middle::{Cif, Type};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::error::Error;
use std::ffi::{OsStr, c_void};

/// The loaded libraries, in the order in which symbols are looked for.
pub(crate) struct Libraries {
    given: Vec<(String, Library)>,
    system: Vec<(String, Library)>,
    /// Where the objects are that were there before any library was given.
    own: Vec<libc::Elf64_Addr>,
}

impl Libraries {
    /// The mathematical and the C library.
    pub(crate) fn new() -> Libraries {
        let names = ["libm.so.6", "libc.so.6", "libm.so", "libc.so"];
        let mut system: Vec<(String, Library)> = Vec::new();
        for name in names {
            // The last two are for systems whose libraries have no version;
            // where they do, the plain names belong to linker scripts.
            let known = system.iter().any(|(found, _)| found.starts_with(name));
            if let (false, Ok(library)) = (known, open(OsStr::new(name))) {
                system.push((name.to_owned(), library));
            }
        }
        let mut own = Vec::new();
        each_object(|object| own.push(object.dlpi_addr));
        Libraries {
            given: Vec::new(),
            system,
            own,
        }
    }

    /// Loads a library, whose symbols go before those of the system.
    pub(crate) fn load(&mut self, path: &OsStr) -> Result<(), String> {
        let library = open(path)?;
        self.given.push((path.to_string_lossy().into(), library));
        Ok(())
    }

    fn all(&self) -> impl Iterator<Item = &(String, Library)> {
        self.given.iter().chain(&self.system)
    }

    /// The names of the libraries, in the order they are searched.
    pub(crate) fn names(&self) -> Vec<String> {
        self.all().map(|(name, _)| name.clone()).collect()
    }

    /// The symbol's address, and whether a given library has it.
    pub(crate) fn find(&self, symbol: &str, given_only: bool) -> Option<(CodePtr, bool)> {
        let address = |(_, library): &(String, Library)| {
            // SAFETY: the address is taken for what the signature says it is;
            // that it is so, nobody can check. A library is never unloaded.
            let symbol = unsafe { library.get::<*const c_void>(symbol) }.ok()?;
            let address = symbol.as_raw_ptr();
            (!address.is_null()).then(|| CodePtr::from_ptr(address))
        };
        let given = self.given.iter().find_map(address).map(|code| (code, true));
        given.or_else(|| {
            let system = self.system.iter().filter(|_| !given_only);
            system.filter_map(address).next().map(|code| (code, false))
        })
    }

    /// A hash of what the given libraries, and those they brought, keep in memory: it
    /// changes when one of their functions changes a variable of its library.
    pub(crate) fn memory(&self) -> u64 {
        let mut hash: u64 = 0;
        let mut left = MOST_HASHED;
        each_object(|object| {
            if self.own.contains(&object.dlpi_addr) {
                return;
            }
            let count = usize::from(object.dlpi_phnum);
            // SAFETY: the object has so many headers, and is not unloaded meanwhile.
            let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, count) };
            let writable = |header: &&libc::Elf64_Phdr| {
                header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_W != 0
            };
            for header in headers.iter().filter(writable) {
                let size = (header.p_memsz as usize).min(left);
                left -= size;
                let start = (object.dlpi_addr + header.p_vaddr) as *const u8;
                for at in 0..size {
                    // SAFETY: the segment is mapped and this long. Threads of the library
                    // may write to it, hence the volatile read.
                    let byte = unsafe { start.add(at).read_volatile() };
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        });
        hash
    }
}

/// Bytes of memory that are hashed; variables beyond them are not watched.
const MOST_HASHED: usize = 16 << 20;

/// Shows every object that is loaded: the program and its libraries.
fn each_object<F: FnMut(&libc::dl_phdr_info)>(mut show: F) {
    unsafe extern "C" fn visit<F: FnMut(&libc::dl_phdr_info)>(
        object: *mut libc::dl_phdr_info,
        _: libc::size_t,
        show: *mut c_void,
    ) -> libc::c_int {
        // SAFETY: the linker gives a valid object, and `show` is what was handed over below.
        unsafe { (*show.cast::<F>())(&*object) };
        0
    }
    // SAFETY: `visit` is called before this returns, with the pointer to `show`.
    unsafe { libc::dl_iterate_phdr(Some(visit::<F>), (&raw mut show).cast()) };
}

fn open(name: &OsStr) -> Result<Library, String> {
    // SAFETY: the library's initialisers run in the helper process, which may
    // crash without harm.
    let opened = unsafe { Library::open(Some(name), RTLD_NOW | RTLD_LOCAL) };
    opened.map_err(|error| {
        let said = error.source().map_or(error.to_string(), |s| s.to_string());
        let name = format!("{}: ", name.to_string_lossy());
        said.strip_prefix(&name).unwrap_or(&said).to_owned()
    })
}

/// A function that is ready to be called.
pub(crate) struct Callable {
    code: CodePtr,
    cif: Cif,
    parameters: Vec<Passed>,
    result: Passed,
    /// The arguments of a call, each at the beginning of its word.
    values: Vec<[u8; 8]>,
    /// Where they are, for libffi; filled before every call.
    addresses: Vec<*mut c_void>,
}

impl Callable {
    /// Prepares calls of this code.
    pub(crate) fn new(code: CodePtr, parameters: Vec<Passed>, result: Passed) -> Callable {
        Callable {
            code,
            cif: Cif::new(parameters.iter().map(|&p| ffi_type(p)), ffi_type(result)),
            values: vec![[0; 8]; parameters.len()],
            addresses: Vec::with_capacity(parameters.len()),
            parameters,
            result,
        }
    }

    /// How its arguments are passed.
    pub(crate) fn parameters(&self) -> &[Passed] {
        &self.parameters
    }

    /// Calls it with a word for each parameter; a pointer's word is the address.
    pub(crate) fn call(&mut self, words: &[u64]) -> u64 {
        assert_eq!(words.len(), self.parameters.len());
        for ((value, &passed), &word) in self.values.iter_mut().zip(&self.parameters).zip(words) {
            *value = place(passed, word);
        }
        self.addresses.clear();
        let values = self.values.iter_mut();
        self.addresses
            .extend(values.map(|value| value.as_mut_ptr().cast::<c_void>()));
        let mut result = [0u64; 2];
        // SAFETY: there are as many addresses as the call interface has
        // parameters, each of a value of its type; the result has room for a
        // register. What the code does, it does to this process alone.
        unsafe {
            low::call_return_into(
                self.cif.as_raw_ptr(),
                self.code,
                self.addresses.as_mut_ptr(),
                result.as_mut_ptr().cast(),
            );
        }
        read_result(self.result, result[0])
    }
}

fn ffi_type(passed: Passed) -> Type {
    match passed {
        Passed::Void => Type::void(),
        Passed::U8 => Type::u8(),
        Passed::I8 => Type::i8(),
        Passed::U16 => Type::u16(),
        Passed::I16 => Type::i16(),
        Passed::U32 => Type::u32(),
        Passed::I32 => Type::i32(),
        Passed::U64 => Type::u64(),
        Passed::I64 => Type::i64(),
        Passed::F32 => Type::f32(),
        Passed::F64 => Type::f64(),
        Passed::Pointer => Type::pointer(),
    }
}

/// The value of a word's lowest bits, in memory as C has it.
fn place(passed: Passed, word: u64) -> [u8; 8] {
    let mut place = [0; 8];
    match passed {
        Passed::Void => {}
        Passed::U8 | Passed::I8 => place[..1].copy_from_slice(&(word as u8).to_ne_bytes()),
        Passed::U16 | Passed::I16 => place[..2].copy_from_slice(&(word as u16).to_ne_bytes()),
        Passed::U32 | Passed::I32 | Passed::F32 => {
            place[..4].copy_from_slice(&(word as u32).to_ne_bytes());
        }
        Passed::U64 | Passed::I64 | Passed::F64 | Passed::Pointer => place = word.to_ne_bytes(),
    }
    place
}

/// The bits of a result. libffi widens integers to a register and leaves
/// floats as memory has them.
fn read_result(passed: Passed, register: u64) -> u64 {
    let [a, b, c, d, ..] = register.to_ne_bytes();
    match passed {
        Passed::Void => 0,
        Passed::U8 | Passed::I8 => register & 0xff,
        Passed::U16 | Passed::I16 => register & 0xffff,
        Passed::U32 | Passed::I32 => register & 0xffff_ffff,
        Passed::F32 => u64::from(u32::from_ne_bytes([a, b, c, d])),
        Passed::U64 | Passed::I64 | Passed::F64 | Passed::Pointer => register,
    }
}

/// Copies of arrays for one call, each between guards that show whether native
/// code wrote beside it.
#[derive(Default)]
pub(crate) struct Arrays {
    memory: Vec<u128>,
    /// For each array: its parameter, its first byte, its length.
    places: Vec<(usize, usize, usize)>,
    used: usize,
}

const GUARD_BYTE: u8 = 0xa5;
const GUARD: usize = 64;

impl Arrays {
    /// Room for arrays of these lengths, given with their parameters' indices.
    pub(crate) fn new(lengths: &[(usize, usize)]) -> Arrays {
        let mut arrays = Arrays {
            used: GUARD,
            ..Arrays::default()
        };
        for &(parameter, length) in lengths {
            arrays.places.push((parameter, arrays.used, length));
            arrays.used += length.next_multiple_of(16) + GUARD;
        }
        let guards = u128::from_ne_bytes([GUARD_BYTE; 16]);
        arrays.memory = vec![guards; arrays.used / 16];
        arrays
    }

    /// Fills the array with this number and says its address.
    pub(crate) fn fill(&mut self, number: usize, bytes: &[u8]) -> u64 {
        let (_, start, length) = self.places[number];
        self.bytes_mut()[start..start + length].copy_from_slice(bytes);
        self.bytes_mut()[start..].as_mut_ptr() as u64
    }

    /// What the array with this number holds.
    pub(crate) fn get(&self, number: usize) -> &[u8] {
        let (_, start, length) = self.places[number];
        &self.bytes()[start..start + length]
    }

    /// The parameter of an array whose guards were written to.
    pub(crate) fn overrun(&self) -> Option<usize> {
        let broken = |range: std::ops::Range<usize>| {
            self.bytes()[range].iter().any(|&byte| byte != GUARD_BYTE)
        };
        let mut before = 0;
        for (index, &(parameter, start, length)) in self.places.iter().enumerate() {
            let next = self.places.get(index + 1);
            let after = next.map_or(self.used, |&(_, start, _)| start);
            // A guard between two arrays is most likely hit by the first, which
            // ran over its end.
            if broken(before..start) || broken(start + length..after) {
                return Some(parameter);
            }
            before = after;
        }
        None
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is this long, and any part of it is bytes.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.memory.len() * 16) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let length = self.memory.len() * 16;
        // SAFETY: the memory is this long, and any bytes are valid in it.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_written_beside_an_array_is_noticed() {
        let lengths = [(0, 3), (2, 16), (5, 0)];
        let all = Arrays::new(&lengths).bytes().len();
        for at in 0..all {
            let mut arrays = Arrays::new(&lengths);
            arrays.fill(0, b"abc");
            arrays.fill(1, &[7; 16]);
            assert_eq!(arrays.overrun(), None);
            arrays.bytes_mut()[at] ^= 1;
            let inside = arrays
                .places
                .iter()
                .any(|&(_, start, length)| (start..start + length).contains(&at));
            assert_eq!(arrays.overrun().is_none(), inside, "byte {at}");
        }
    }
}
