use std::collections::VecDeque;

fn main() {
    let mut queue = VecDeque::new();
    let mut model: Vec<u8> = Vec::new();
    for step in 0..4u8 {
        if everypath::any::<bool>() {
            queue.push_back(step);
            model.push(step);
        } else {
            let expected = if model.is_empty() { None } else { Some(model.remove(0)) };
            assert_eq!(queue.pop_front(), expected);
        }
    }
    assert!(queue.iter().eq(model.iter()));
}
