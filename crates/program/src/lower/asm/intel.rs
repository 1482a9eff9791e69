//! The text of inline assembly in Intel's notation, as statements: what is changed comes first,
//! registers have no sign, and memory stands in brackets after its size.

use super::text::{Address, Place, Register, Statement, number, operand, read};

/// The statements of a text; none where it has something else than instructions.
pub(super) fn statements(text: &str) -> Option<Vec<Statement>> {
    read(text, &["#", "//"], |mnemonic, places| {
        let written: Vec<&str> = match places.trim() {
            "" => Vec::new(),
            places => places.split(',').collect(),
        };
        let mut size = None;
        let mut places = Vec::new();
        for text in written.into_iter().rev() {
            let (said, place) = place(text.trim())?;
            size = size.or(said);
            places.push(place);
        }
        Some((with_size(mnemonic, size)?, places))
    })
}

/// The name of an instruction as AT&T's notation has it, where the size of what is in memory is
/// a letter of the name.
fn with_size(mnemonic: &str, size: Option<char>) -> Option<String> {
    Some(match (mnemonic, size) {
        ("movzx", Some(letter)) => format!("movz{letter}"),
        ("movsx", Some(letter)) => format!("movs{letter}"),
        ("movsxd", _) => "movslq".to_owned(),
        // Conditions: a letter at the end would be another one.
        _ if mnemonic.starts_with("set") || mnemonic.starts_with("cmov") => mnemonic.to_owned(),
        ("cmpxchg16b" | "lea", _) | (_, None) => mnemonic.to_owned(),
        (_, Some(letter)) => format!("{mnemonic}{letter}"),
    })
}

/// An operand, and the letter of its size if the text says one.
fn place(text: &str) -> Option<(Option<char>, Place)> {
    const SIZES: [(&str, char); 4] = [("byte", 'b'), ("word", 'w'), ("dword", 'l'), ("qword", 'q')];
    let lower = text.to_ascii_lowercase();
    for (name, letter) in SIZES {
        let rest = lower.strip_prefix(name).map(str::trim_start);
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix("ptr")) {
            return Some((Some(letter), place(rest.trim_start())?.1));
        }
    }
    if let Some(inside) = lower.strip_prefix('[') {
        let address = address(inside.strip_suffix(']')?)?;
        return Some((None, Place::Memory(address)));
    }
    if lower.starts_with('$') {
        return Some((None, operand(&lower)?));
    }
    match Register::of(&lower) {
        Some(register) => Some((None, Place::Register(register))),
        None => Some((None, Place::Number(number(&lower)?))),
    }
}

/// A sum of registers, one of them perhaps a multiple, and numbers.
fn address(text: &str) -> Option<Address> {
    let mut sum = Address {
        displacement: 0,
        base: None,
        index: None,
        scale: 1,
    };
    // A minus belongs to the number after it.
    let spread = text.replace('-', "+-");
    for part in spread.split('+').map(str::trim).filter(|it| !it.is_empty()) {
        let part = part.replace(' ', "");
        if let Some(known) = number(&part) {
            sum.displacement = sum.displacement.wrapping_add(known);
            continue;
        }
        let (name, scale) = match part.split_once('*') {
            Some((factor, name)) if number(factor).is_some() => (name.to_owned(), number(factor)?),
            Some((name, scale)) => (name.to_owned(), number(scale)?),
            None => (part, 1),
        };
        let place = match name.starts_with('$') {
            true => operand(&name)?,
            false => Place::Register(Register::of(&name)?),
        };
        let place = Some(Box::new(place));
        match (scale, &sum.base, &sum.index) {
            (1, None, _) => sum.base = place,
            (_, _, None) => (sum.index, sum.scale) = (place, scale),
            _ => return None,
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_comes_last() {
        let register = |name| Place::Register(Register::of(name).expect("a register"));
        for text in [
            "mov $0, dword ptr [rdi + rcx*4 - 8]",
            "MOV $0, DWORD PTR [rdi - 8 + 4*rcx] # a comment",
        ] {
            let found = statements(text).expect("it is understood");
            assert_eq!(found[0].mnemonic, "movl");
            let address = Address {
                displacement: -8,
                base: Some(Box::new(register("rdi"))),
                index: Some(Box::new(register("rcx"))),
                scale: 4,
            };
            let places = [Place::Memory(address), Place::Operand(0, None)];
            assert_eq!(found[0].places, places, "{text}");
        }
    }

    #[test]
    fn sizes_and_prefixes_are_those_of_the_instruction() {
        let found = statements("lock xadd qword ptr [${0:r}], $1; movzx eax, byte ptr [rsi]");
        let found = found.expect("it is understood");
        assert!(found[0].locked && found[0].mnemonic == "xaddq");
        assert_eq!(found[1].mnemonic, "movzb");
    }

    #[test]
    fn what_is_no_instruction_is_not_understood() {
        for text in [
            "2: jmp 2b",
            "mov eax, fs:[0]",
            "call ${0:P} extra words",
            "lock",
        ] {
            assert_eq!(statements(text), None, "{text}");
        }
    }
}
