//! Where objects are: addresses that look like those of a process.
//!
//! Programs look at addresses: they hash them, cut them to 32 bits, keep flags in the
//! bits that alignment leaves free or that no process uses (NaN boxing), and keep the
//! distance of two globals in 32 bits (tables of `llvm.load.relative`). So globals are
//! below 2^31 and everything else is below 2^46, objects begin at the alignment they ask
//! for and hardly better, and of a hundred thousand no two have the same low 32 bits.
//!
//! The space is cut into *slots*, and the number of an object is that of the slot it
//! begins in, so that finding the object of an address is a shift. Within its slot an
//! object has room on both sides: a pointer that leaves it points into nothing rather
//! than into a neighbour. Large objects take several slots.

use super::ObjectId;

/// Globals are below, everything else is from here on.
const NEAR_END: u64 = 1 << 31;
/// Where addresses end.
const FAR_END: u64 = 1 << 46;
/// Bits of an address within a slot that is not a global's.
const FAR_BITS: u32 = 23;
/// Slots of globals are cut to measure, but not smaller than a page, nor larger than is
/// of use.
const NEAR_BITS: std::ops::RangeInclusive<u32> = 12..=26;
/// Numbers of slots from here on are not globals'.
const FIRST_FAR: u64 = NEAR_END >> *NEAR_BITS.start();
/// What every object is aligned to, as `malloc` does it.
const ALIGNMENT: u64 = 16;
/// Neighbours begin this many sixteenths apart within their slots. Odd, so that low bits
/// repeat as late as can be.
const STEP: u64 = 37;

/// Cuts the space into slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    near_bits: u32,
}

/// A place for an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Site {
    pub address: u64,
    /// How many slots it takes.
    pub slots: u32,
}

impl Layout {
    /// The layout with the widest slots for globals of these sizes.
    pub fn for_globals(sizes: impl Iterator<Item = u64> + Clone) -> Layout {
        let fits = |&near_bits: &u32| {
            let layout = Layout { near_bits };
            let needed: u64 = sizes
                .clone()
                .filter(|&size| layout.is_near(size))
                .map(|size| u64::from(layout.site(1, size, 1).slots))
                .sum();
            needed < NEAR_END >> near_bits
        };
        let near_bits = NEAR_BITS.rev().find(fits).unwrap_or(*NEAR_BITS.start());
        Layout { near_bits }
    }

    /// Whether a global of this size is put among the others.
    pub fn is_near(self, size: u64) -> bool {
        size <= NEAR_END >> 7
    }

    /// The numbers of globals' slots; there is nothing at the first, where null is.
    pub fn near(self) -> std::ops::Range<ObjectId> {
        1..(NEAR_END >> self.near_bits) as ObjectId
    }

    /// The numbers of all other slots.
    pub fn far(self) -> std::ops::Range<ObjectId> {
        let number = |address: u64| (FIRST_FAR + (address >> FAR_BITS)) as ObjectId;
        number(NEAR_END)..number(FAR_END)
    }

    /// The slot of an address; beyond all slots it is one that no object is in.
    #[inline]
    pub fn slot(self, address: u64) -> ObjectId {
        let number = match address < NEAR_END {
            true => address >> self.near_bits,
            false => FIRST_FAR + (address.min(FAR_END) >> FAR_BITS),
        };
        number as ObjectId
    }

    /// The first number that is no slot's.
    pub fn beyond(self) -> ObjectId {
        self.slot(u64::MAX) + 1
    }

    /// Where a slot begins, and how long it is.
    fn bounds(self, slot: ObjectId) -> (u64, u64) {
        match u64::from(slot).checked_sub(FIRST_FAR) {
            None => (u64::from(slot) << self.near_bits, 1 << self.near_bits),
            Some(far) => (far << FAR_BITS, 1 << FAR_BITS),
        }
    }

    /// Where an object begins if this is its first slot. In front of it and behind it
    /// there is a quarter of a slot where nothing is.
    pub fn site(self, slot: ObjectId, size: u64, alignment: u64) -> Site {
        let (start, length) = self.bounds(slot);
        let scatter = u64::from(slot) * STEP * ALIGNMENT % (length / 4);
        let address = (start + length / 4 + scatter).next_multiple_of(alignment.max(ALIGNMENT));
        let end = address + size + length / 4;
        Site {
            address,
            slots: (end - start).div_ceil(length) as u32,
        }
    }

    /// How far from nothing an address still looks like null.
    pub fn null_page(self) -> u64 {
        1 << self.near_bits
    }
}
