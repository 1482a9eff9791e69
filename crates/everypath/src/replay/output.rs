//! Comparing what the machine and the real program write.

use super::native::{Ended, Ran};
use engine::Replayed;
use std::ops::Range;
use suite::End;

/// Where standard output differs, on a path that both followed to its end. What a program
/// has not written yet when a signal ends it is nobody's claim.
pub fn difference(predicted: Option<End>, machine: &Replayed, ran: &Ran) -> Option<String> {
    let (Some(End::Exit(_)), Ended::Exit(_)) = (predicted, ran.ended) else {
        return None;
    };
    let (addresses, machine, native) = (&machine.addresses, &machine.stdout, &ran.written);
    if is_same(machine, addresses, native) {
        return None;
    }
    let same = machine
        .iter()
        .zip(native)
        .take_while(|(a, b)| a == b)
        .count();
    Some(format!(
        "standard output differs after {same} bytes: {} bytes by the machine, {} by the real program",
        machine.len(),
        native.len()
    ))
}

/// Whether both wrote the same, but for these addresses, which have as many digits as they
/// happen to have, and spaces beside them.
fn is_same(machine: &[u8], addresses: &[Range<usize>], native: &[u8]) -> bool {
    let (mut begin, mut rest) = (0, native);
    for address in addresses {
        let mut before = &machine[begin..address.start];
        if begin > 0 {
            before = behind_spaces(before);
        }
        while let Some(shorter) = before.strip_suffix(b" ") {
            before = shorter;
        }
        let Some(after) = rest.strip_prefix(before).and_then(behind_address) else {
            return false;
        };
        (begin, rest) = (address.end, after);
    }
    match begin {
        0 => machine == rest,
        _ => behind_spaces(&machine[begin..]) == rest,
    }
}

/// What comes after an address and the spaces around it.
fn behind_address(text: &[u8]) -> Option<&[u8]> {
    let text = behind_spaces(text);
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    let count = digits
        .iter()
        .take_while(|it| it.is_ascii_hexdigit())
        .count();
    (count > 0).then(|| behind_spaces(&digits[count..]))
}

fn behind_spaces(mut text: &[u8]) -> &[u8] {
    while let Some(shorter) = text.strip_prefix(b" ") {
        text = shorter;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_others_and_all_else_is_the_same() {
        let machine = b"a   0xe624 b\n0xe630";
        let addresses = [4..10, 13..19];
        for (native, expected) in [
            ("a 0x7ffd12345678 b\n0x55d0", true),
            ("a 0x7ffd12345678 c\n0x55d0", false),
            ("a (nil) b\n0x55d0", false),
            ("a 0x7ffd12345678 b\n0x55d0\n", false),
            ("a 0x7ffd12345678 b", false),
        ] {
            assert_eq!(
                is_same(machine, &addresses, native.as_bytes()),
                expected,
                "{native}"
            );
        }
        assert!(is_same(b" x", &[], b" x") && !is_same(b" x", &[], b"x"));
    }
}
