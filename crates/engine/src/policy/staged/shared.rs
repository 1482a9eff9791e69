//! `std::shared_ptr` and `std::weak_ptr` of libc++: a pointer to an object, and one to the
//! block that counts its owners.
//!
//! The block is what is made. Mostly the object is inside of it, as `std::make_shared` has it;
//! where the program never does that, the block leads to it.

/// What a block is called that has the object inside.
pub(super) const WITH_OBJECT: &str = "__shared_ptr_emplace<";
/// What a block is called that leads to the object.
const WITH_POINTER: &str = "__shared_ptr_pointer<";
/// The object in the one, and the pointer to it in the other.
pub(super) const ELEMENT: &str = "__elem_";
pub(super) const POINTER: &str = "__ptr_";

/// A pointer that shares an object.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// The member.
    pub path: String,
    /// The slots of the pointer to the object and of that to the block.
    pub object: usize,
    pub block: usize,
    /// The type of the object.
    pub type_name: String,
    pub blocks: Vec<Block>,
    /// Whether it does not own the object.
    pub is_weak: bool,
}

/// A block that counts owners.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub name: String,
    /// Where the object is in it, if it is there.
    pub inside: Option<u64>,
}

impl Shared {
    /// The same in an array, where its slots come so many later.
    pub fn moved(&self, slots: usize, path: String) -> Shared {
        Shared {
            path,
            object: self.object + slots,
            block: self.block + slots,
            ..self.clone()
        }
    }

    pub fn slots(&self) -> [usize; 2] {
        [self.block, self.object]
    }
}

/// Whether a structure is a block that counts owners, by its name.
pub(super) fn is_block(name: &str) -> bool {
    name.starts_with(WITH_OBJECT) || name.starts_with(WITH_POINTER)
}

/// Whether a slot of a block leads to its object.
pub(super) fn is_pointer_of_block(type_name: &str, path: &str) -> bool {
    type_name.starts_with(WITH_POINTER) && path == POINTER
}
