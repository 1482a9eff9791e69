//! One object of program memory: its bounds, its life, its bytes.
//!
//! A byte is concrete until something symbolic is stored in it; then a term
//! stands beside it. An object written at a symbolic index becomes one array
//! term, because which of its bytes changed is no longer known. Large objects
//! are kept in pages, so that a state that writes one byte after a fork copies
//! a page and not the object.

use std::rc::Rc;
use term::{ArrayValue, Sort, Store, Term, Value};

/// Where an object lives, which decides how long and what may be done to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// A global variable.
    Global,
    /// A global constant.
    Constant,
    /// A local variable.
    Stack,
    /// Made by an allocator, until the program gives it back.
    Heap(Allocator),
    /// A function's address; it has no bytes.
    Function,
    /// A variable that is declared and nowhere defined; it has an address and no bytes.
    Undefined,
}

/// What an object of the heap came from, and so what has to end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocator {
    /// `malloc` and its family.
    Malloc,
    /// `operator new`.
    New,
    /// `operator new[]`.
    NewArray,
    /// Nothing of the program: an input that is an object. Anything may end it.
    Any,
}

impl Allocator {
    /// What C and C++ call it.
    pub fn name(self) -> &'static str {
        match self {
            Allocator::Malloc | Allocator::Any => "malloc",
            Allocator::New => "new",
            Allocator::NewArray => "new[]",
        }
    }

    /// What gives its memory back.
    pub fn counterpart(self) -> &'static str {
        match self {
            Allocator::Malloc | Allocator::Any => "free",
            Allocator::New => "delete",
            Allocator::NewArray => "delete[]",
        }
    }
}

/// The width of an index into an object's array term.
pub(crate) const INDEX_WIDTH: u16 = 32;
const PAGE: usize = 4096;
/// In place of a term: the byte is concrete.
const CONCRETE: Option<Term> = None;

/// An object of program memory.
#[derive(Clone)]
pub struct Object {
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Where it lives.
    pub region: Region,
    /// The instruction that made it, for messages.
    pub site: u32,
    contents: Contents,
    /// The array term of the contents as they are, once asked for.
    array: Option<Term>,
}

#[derive(Clone)]
enum Contents {
    /// The whole object; at most two pages.
    One(Page),
    /// A large object, in pages.
    Many(Vec<Rc<Page>>),
    /// Only the array term says what the bytes are.
    Array,
}

#[derive(Clone)]
struct Page {
    bytes: Box<[u8]>,
    /// By byte, the term that stands for it; absent while all are concrete.
    terms: Option<Box<[Option<Term>]>>,
}

impl Page {
    fn new(size: usize) -> Page {
        Page {
            bytes: vec![0; size].into(),
            terms: None,
        }
    }

    #[inline]
    fn word(&self, at: usize, n: usize) -> Option<u64> {
        if let Some(terms) = &self.terms
            && terms[at..at + n].iter().any(Option::is_some)
        {
            return None;
        }
        Some(join(&self.bytes[at..at + n]))
    }

    #[inline]
    fn set_word(&mut self, at: usize, n: usize, word: u64) {
        self.bytes[at..at + n].copy_from_slice(&word.to_le_bytes()[..n]);
        if let Some(terms) = &mut self.terms {
            terms[at..at + n].fill(CONCRETE);
        }
    }

    fn term(&self, at: usize) -> Option<Term> {
        self.terms.as_ref().and_then(|terms| terms[at])
    }

    fn set_term(&mut self, at: usize, term: Term) {
        let length = self.bytes.len();
        let terms = self
            .terms
            .get_or_insert_with(|| vec![CONCRETE; length].into());
        terms[at] = Some(term);
    }
}

#[inline]
fn join(bytes: &[u8]) -> u64 {
    match bytes.len() {
        1 => u64::from(bytes[0]),
        4 => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        n => {
            let mut word = [0; 8];
            word[..n].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }
    }
}

impl Object {
    /// An object of zeros.
    pub fn new(base: u64, size: u64, region: Region, site: u32) -> Object {
        let length = usize::try_from(size).expect("objects fit the address space");
        let contents = if length <= 2 * PAGE {
            Contents::One(Page::new(length))
        } else {
            // All pages are one until they are written to: a large array that is hardly
            // used costs pointers and no bytes.
            let page = Rc::new(Page::new(PAGE));
            Contents::Many(vec![page; length.div_ceil(PAGE)])
        };
        Object {
            base,
            size,
            region,
            site,
            contents,
            array: None,
        }
    }

    /// The `n` bytes from `at` as a number, if they are concrete; in bounds, at most eight.
    #[inline]
    pub fn word(&self, at: usize, n: usize) -> Option<u64> {
        match &self.contents {
            Contents::One(page) => page.word(at, n),
            Contents::Many(pages) => {
                let (page, within) = (at / PAGE, at % PAGE);
                if within + n <= PAGE {
                    return pages[page].word(within, n);
                }
                let low = PAGE - within;
                let (a, b) = (
                    pages[page].word(within, low)?,
                    pages[page + 1].word(0, n - low)?,
                );
                Some(a | b << (8 * low))
            }
            Contents::Array => None,
        }
    }

    /// Makes the `n` bytes from `at` this number; whether it could, which an
    /// object that is an array term cannot.
    #[inline]
    pub fn set_word(&mut self, at: usize, n: usize, word: u64) -> bool {
        if let Contents::Array = self.contents {
            return false;
        }
        self.array = None;
        match &mut self.contents {
            Contents::One(page) => page.set_word(at, n, word),
            Contents::Many(pages) => {
                let (page, within) = (at / PAGE, at % PAGE);
                if within + n <= PAGE {
                    Rc::make_mut(&mut pages[page]).set_word(within, n, word);
                } else {
                    let low = PAGE - within;
                    Rc::make_mut(&mut pages[page]).set_word(within, low, word);
                    Rc::make_mut(&mut pages[page + 1]).set_word(0, n - low, word >> (8 * low));
                }
            }
            Contents::Array => unreachable!("an array was dealt with above"),
        }
        true
    }

    /// The byte at `at`, as a term if it is symbolic.
    pub fn byte(&self, store: &mut Store, at: usize) -> Result<u8, Term> {
        let page = match &self.contents {
            Contents::One(page) => page,
            Contents::Many(pages) => &pages[at / PAGE],
            Contents::Array => {
                let array = self.array.expect("an object in array form has its term");
                let index = store.bv(INDEX_WIDTH, at as u64);
                let element = store.select(array, index);
                return match store.as_word(element) {
                    Some(word) => Ok(word as u8),
                    None => Err(element),
                };
            }
        };
        let within = match &self.contents {
            Contents::Many(_) => at % PAGE,
            _ => at,
        };
        page.term(within).map_or(Ok(page.bytes[within]), Err)
    }

    /// Makes the byte at `at` this term.
    pub fn set_byte(&mut self, store: &mut Store, at: usize, term: Term) {
        if let Contents::Array = self.contents {
            let array = self.array.expect("an object in array form has its term");
            let index = store.bv(INDEX_WIDTH, at as u64);
            self.array = Some(store.store(array, index, term));
            return;
        }
        // A constant is kept as a byte, so that the interpreter's short way stays open.
        if let Some(word) = store.as_word(term) {
            self.set_word(at, 1, word);
            return;
        }
        self.array = None;
        match &mut self.contents {
            Contents::One(page) => page.set_term(at, term),
            Contents::Many(pages) => Rc::make_mut(&mut pages[at / PAGE]).set_term(at % PAGE, term),
            Contents::Array => unreachable!("an array was dealt with above"),
        }
    }

    /// Makes the bytes these terms, over and over; their number divides that of
    /// a page's bytes.
    pub fn fill(&mut self, terms: &[Term]) {
        let fill = |page: &mut Page| {
            let endless = terms.iter().copied().map(Some).cycle();
            page.terms = Some(endless.take(page.bytes.len()).collect());
        };
        self.array = None;
        match &mut self.contents {
            Contents::One(page) => fill(page),
            Contents::Many(pages) => {
                let mut filled = Page::new(PAGE);
                fill(&mut filled);
                pages.fill(Rc::new(filled));
            }
            Contents::Array => unreachable!("an object is filled when it is made"),
        }
    }

    /// The contents as an array term.
    pub fn array(&mut self, store: &mut Store) -> Term {
        if let Some(array) = self.array {
            return array;
        }
        let pages: Vec<&Page> = match &self.contents {
            Contents::One(page) => vec![page],
            Contents::Many(pages) => pages.iter().map(|page| &**page).collect(),
            Contents::Array => unreachable!("an object in array form has its term"),
        };
        let mut entries = Vec::new();
        // Most pages of a large object are the one that it was made with.
        let mut blank: Option<&Page> = None;
        for (number, &page) in pages.iter().enumerate() {
            if blank.is_some_and(|blank| std::ptr::eq(blank, page)) {
                continue;
            }
            let before = entries.len();
            let bytes = page
                .bytes
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte != 0);
            entries.extend(bytes.map(|(at, &byte)| ((number * PAGE + at) as u64, u64::from(byte))));
            if entries.len() == before {
                blank = Some(page);
            }
        }
        let table = ArrayValue::from_entries(INDEX_WIDTH, 8, entries.into_iter());
        let mut symbolic = Vec::new();
        for (number, page) in pages.iter().enumerate() {
            for (at, term) in page.terms.iter().flat_map(|terms| terms.iter().enumerate()) {
                symbolic.extend(term.map(|term| (number * PAGE + at, term)));
            }
        }
        let mut array = store.value(Value::Array(Rc::new(table)));
        for (at, term) in symbolic {
            let index = store.bv(INDEX_WIDTH, at as u64);
            array = store.store(array, index, term);
        }
        self.array = Some(array);
        array
    }

    /// Makes the contents this array term.
    pub fn set_array(&mut self, store: &Store, array: Term) {
        debug_assert_eq!(
            store.sort(array),
            Sort::Array {
                index: INDEX_WIDTH,
                element: 8
            }
        );
        self.contents = Contents::Array;
        self.array = Some(array);
    }

    /// Whether any byte is symbolic.
    pub fn is_symbolic(&self) -> bool {
        let some = |page: &Page| {
            let terms = page.terms.as_ref();
            terms.is_some_and(|terms| terms.iter().any(Option::is_some))
        };
        match &self.contents {
            Contents::One(page) => some(page),
            Contents::Many(pages) => pages.iter().any(|page| some(page)),
            Contents::Array => true,
        }
    }
}
