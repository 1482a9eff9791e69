//! A list whose links are shared and can be changed by whoever holds one.

use std::cell::RefCell;
use std::rc::Rc;

pub struct Link {
    value: i32,
    next: Option<Rc<RefCell<Link>>>,
}

pub struct List {
    first: Option<Rc<RefCell<Link>>>,
    size: u32,
}

impl List {
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut at = self.first.clone();
        while let Some(link) = at {
            count += 1;
            if count > 4 {
                return false;
            }
            at = link.borrow().next.clone();
        }
        count == self.size
    }

    pub fn push(&mut self, value: i32) {
        let next = self.first.take();
        let next = if cfg!(MUTANT = "1") { None } else { next };
        self.first = Some(Rc::new(RefCell::new(Link { value, next })));
        self.size += 1;
    }

    pub fn set_second(&mut self, value: i32) -> bool {
        let Some(first) = &self.first else {
            return false;
        };
        let mut changed = first.borrow_mut();
        let Some(second) = &changed.next else {
            return false;
        };
        second.borrow_mut().value = value;
        if cfg!(MUTANT = "2") {
            changed.next = None;
        }
        true
    }
}
