use std::cell::RefCell;
use std::rc::Rc;

fn main() {
    let shared = Rc::new(RefCell::new(vec![1]));
    let other = Rc::clone(&shared);
    let nested: bool = everypath::any();
    let guard = shared.borrow_mut();
    if !nested {
        drop(guard);
        other.borrow_mut().push(2);
    } else {
        other.borrow_mut().push(3);
    }
}
