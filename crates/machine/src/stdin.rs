//! Standard input: bytes that become inputs when the program reads them.
//!
//! What nobody has read is nothing yet. Where the program asks for one byte more,
//! the path parts: there is one, or this is the end. Where the input is held to a
//! language, each way is followed only if a word begins, or ends, with what was
//! read, and that is all the path condition ever says of the language. A path
//! that ends before it has read everything gets the rest of some word, and what
//! goes into a test was looked over by the language once more, as a whole.

use base::{Stop, Stopped};
use std::rc::Rc;
use term::{Sort, Store, Term};

/// The name under which tests hold standard input.
pub const STDIN: &str = "stdin";

/// What standard input may be, beside its length. Terms and words can take long to
/// make; an answer that `stop` cuts off is none, and can be asked for again.
pub trait Language {
    /// The condition that a word begins with the first `length` bytes. Bytes are
    /// the same terms in every call, however many there are.
    ///
    /// # Errors
    ///
    /// When `stop` is set.
    fn begins(
        &mut self,
        store: &mut Store,
        bytes: &[Term],
        length: usize,
        stop: &Stop,
    ) -> Result<Term, Stopped>;

    /// The condition that the first `length` bytes are a word.
    ///
    /// # Errors
    ///
    /// When `stop` is set.
    fn is_word(
        &mut self,
        store: &mut Store,
        bytes: &[Term],
        length: usize,
        stop: &Stop,
    ) -> Result<Term, Stopped>;

    /// A word that begins with these bytes, and is these bytes where nothing may
    /// follow; none if there is no such word.
    ///
    /// # Errors
    ///
    /// When `stop` is set.
    fn complete(&self, read: &[u8], ended: bool, stop: &Stop) -> Result<Option<Vec<u8>>, Stopped>;
}

/// Standard input for all paths of a program.
pub(crate) struct StandardInput<'p> {
    /// As many variables as there may be bytes.
    pub bytes: Vec<Term>,
    pub language: Option<Box<dyn Language + 'p>>,
}

impl<'p> StandardInput<'p> {
    /// Up to so many bytes, any or those of a language.
    pub fn new(
        store: &mut Store,
        most: usize,
        language: Option<Box<dyn Language + 'p>>,
    ) -> StandardInput<'p> {
        // Inputs that the program marks have names that end in a bracket.
        let byte = |i| store.var(&format!("{STDIN}:{i}"), Sort::Bv(8));
        StandardInput {
            bytes: (0..most).map(byte).collect(),
            language,
        }
    }
}

/// What a path has seen of standard input.
#[derive(Clone, Default)]
pub struct Seen {
    /// Bytes that are known to be there.
    pub bytes: usize,
    /// Bytes that the program has taken.
    pub taken: usize,
    /// Whether there are no more.
    pub ended: bool,
    /// All of it, once the path has ended.
    pub(crate) whole: Option<Rc<[u8]>>,
}

impl Seen {
    /// All of standard input as it is on a path that has ended; none where the
    /// program has none.
    pub fn whole(&self) -> Option<&[u8]> {
        self.whole.as_deref()
    }
}
