//! Standard input and symbolic files: bytes that become inputs when the program reads
//! them.
//!
//! What nobody has read is nothing yet. Where the program asks for one byte more,
//! the path parts: there is one, or this is the end. Where standard input is held to a
//! language, each way is followed only if a word begins, or ends, with what was
//! read, and that is all the path condition ever says of the language. A path
//! that ends before it has read everything gets the rest of some word, and what
//! goes into a test was looked over by the language once more, as a whole.

use base::{Stop, Stopped};
use mixed::solver::ByteValues;
use term::{Sort, Store, Term};

/// The name under which tests hold standard input.
pub const STDIN: &str = "stdin";

/// Which stream: its place among those of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamId(pub usize);

impl StreamId {
    /// Standard input, which is there even if it is empty.
    pub const STDIN: StreamId = StreamId(0);
}

/// When a word of a language goes on, and when it may end.
pub struct Continuation {
    /// There is a word that begins with one byte more.
    pub more: Term,
    /// What was read is a word.
    pub end: Term,
}

/// What standard input may be, beside its length. Terms and words can take long to
/// make; an answer that `stop` cuts off is none, and can be asked for again.
pub trait Language {
    /// The conditions that a word begins with one byte more than were read, and that these are
    /// a word themselves. Bytes are the same terms in every call, however many there are;
    /// `read` are the values that the path leaves each that was read, at most. The path says
    /// already that these begin a word.
    ///
    /// # Errors
    ///
    /// When `stop` is set.
    fn next(
        &mut self,
        store: &mut Store,
        bytes: &[Term],
        read: &[ByteValues],
        stop: &Stop,
    ) -> Result<Continuation, Stopped>;

    /// A word that begins with these bytes, and is these bytes where nothing may
    /// follow; none if there is no such word.
    ///
    /// # Errors
    ///
    /// When `stop` is set.
    fn complete(&self, read: &[u8], ended: bool, stop: &Stop) -> Result<Option<Vec<u8>>, Stopped>;
}

/// A stream for all paths of a program.
pub(crate) struct Stream<'p> {
    pub name: String,
    /// Whether it is an input, and tests hold it; standard input that nobody asked to
    /// be symbolic is empty and none.
    pub is_input: bool,
    /// As many variables as there may be bytes.
    pub bytes: Vec<Term>,
    pub language: Option<Box<dyn Language + 'p>>,
}

impl Stream<'_> {
    /// Up to so many bytes.
    pub fn new(store: &mut Store, name: &str, most: Option<usize>) -> Self {
        // Inputs that the program marks have names that end in a bracket.
        let byte = |i| store.var(&format!("{name}:{i}"), Sort::Bv(8));
        Stream {
            name: name.to_owned(),
            is_input: most.is_some(),
            bytes: (0..most.unwrap_or(0)).map(byte).collect(),
            language: None,
        }
    }
}

/// What a path has seen of a stream.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    /// Bytes that are known to be there.
    pub bytes: usize,
    /// Whether there are no more.
    pub ended: bool,
}
