//! A stack of numbers in boxes, with the functions under test named for the linker.
//!
//!     everypath stage build examples/staged/stack.rs --object Stack --invariant rep_ok \
//!         --max Node=4 -o stack.stage
//!     everypath stage run examples/staged/stack.rs --method push --post push_post \
//!         --input stack.stage

use std::iter::successors;
use std::ptr;

pub struct Node {
    value: i32,
    below: Option<Box<Node>>,
}

#[derive(Default)]
pub struct Stack {
    top: Option<Box<Node>>,
    depth: usize,
}

impl Stack {
    fn nodes(&self) -> impl Iterator<Item = &Node> {
        successors(self.top.as_deref(), |node| node.below.as_deref())
    }
}

/// Whether the boxes end, and are as many as the stack says.
///
/// Safe code makes no ring of boxes, but a box of an object under test may be any
/// of its boxes.
#[unsafe(no_mangle)]
pub extern "C" fn rep_ok(stack: &Stack) -> bool {
    let mut nodes = 0;
    for node in stack.nodes() {
        if stack.nodes().take(nodes).any(|above| ptr::eq(above, node)) {
            return false;
        }
        nodes += 1;
    }
    stack.depth == nodes
}

#[unsafe(no_mangle)]
pub extern "C" fn push(stack: &mut Stack, value: i32) {
    let below = stack.top.take();
    stack.top = Some(Box::new(Node { value, below }));
    stack.depth += 1;
}

/// What has been pushed is on top.
#[unsafe(no_mangle)]
pub extern "C" fn push_post(stack: &Stack, value: i32) -> bool {
    stack.top.as_ref().is_some_and(|top| top.value == value)
}

/// Takes the top off; false when the stack is empty.
#[unsafe(no_mangle)]
pub extern "C" fn pop(stack: &mut Stack) -> bool {
    let Some(top) = stack.top.take() else {
        return false;
    };
    stack.top = top.below;
    stack.depth -= 1;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushing_and_popping_keep_the_invariant() {
        let mut stack = Stack::default();
        for value in 0..200 {
            push(&mut stack, value);
            assert!(rep_ok(&stack) && push_post(&stack, value));
            if value % 3 == 0 {
                assert!(pop(&mut stack) && rep_ok(&stack));
            }
        }
        while pop(&mut stack) {
            assert!(rep_ok(&stack));
        }
        assert_eq!(stack.depth, 0);
    }

    #[test]
    fn a_wrong_depth_breaks_the_invariant() {
        let mut stack = Stack::default();
        push(&mut stack, 1);
        stack.depth = 2;
        assert!(!rep_ok(&stack));
    }
}
