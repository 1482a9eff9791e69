use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

struct Node {
    value: Cell<u8>,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}

fn node(value: u8) -> Rc<Node> {
    Rc::new(Node {
        value: Cell::new(value),
        parent: RefCell::default(),
        children: RefCell::default(),
    })
}

fn main() {
    let value = everypath::any();
    let leaf = node(value);
    {
        let root = node(0);
        *leaf.parent.borrow_mut() = Rc::downgrade(&root);
        root.children.borrow_mut().push(Rc::clone(&leaf));
        let parent = leaf.parent.borrow().upgrade().unwrap();
        parent.value.set(value / 2);
        assert_eq!((Rc::strong_count(&leaf), root.value.get()), (2, value / 2));
    }
    assert!(leaf.parent.borrow().upgrade().is_none());
    assert_eq!(Rc::strong_count(&leaf), 1);
}
