// run: --std 2021
use std::alloc::{Layout, alloc, dealloc, realloc};

fn main() {
    for align in [16, 64, 4096] {
        let (small, large) = (Layout::from_size_align(3, align), Layout::from_size_align(70, align));
        let (small, large) = (small.unwrap(), large.unwrap());
        unsafe {
            let first = alloc(small);
            *first = everypath::any();
            let kept = *first;
            let second = realloc(first, small, large.size());
            assert_eq!(second as usize % align, 0);
            assert_eq!(*second, kept);
            dealloc(second, large);
        }
    }
}
