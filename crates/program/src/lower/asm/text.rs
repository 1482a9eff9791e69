//! The text of inline assembly as statements: AT&T's notation of x86-64, in which LLVM
//! writes operands as `$0` or `${0:q}` and a dollar as `$$`.

/// One instruction.
#[derive(Debug, PartialEq)]
pub(super) struct Statement {
    pub(super) locked: bool,
    pub(super) repeated: bool,
    pub(super) mnemonic: String,
    /// In the order they are written: what is changed comes last.
    pub(super) places: Vec<Place>,
}

/// What an instruction works on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// An operand by its number, and the letter that says how it is printed.
    Operand(usize, Option<char>),
    Register(Register),
    Number(i64),
    Memory(Address),
}

/// `displacement(base,index,scale)`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Address {
    pub(super) displacement: i64,
    pub(super) base: Option<Box<Place>>,
    pub(super) index: Option<Box<Place>>,
    pub(super) scale: i64,
}

/// A general register, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Register {
    /// Its number, as machine code has it.
    pub(super) number: usize,
    pub(super) bits: u16,
    /// Whether it is the second byte, `ah` and the like.
    pub(super) high: bool,
}

/// How many general registers there are.
pub(super) const REGISTERS: usize = 16;
pub(super) const RAX: usize = 0;
pub(super) const RCX: usize = 1;
pub(super) const RDX: usize = 2;
pub(super) const RBX: usize = 3;
pub(super) const RSP: usize = 4;
pub(super) const RSI: usize = 6;
pub(super) const RDI: usize = 7;

impl Register {
    /// The register of a name without its percent sign.
    pub(super) fn of(name: &str) -> Option<Register> {
        const OLD: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
        let part = |number, bits| Register {
            number,
            bits,
            high: false,
        };
        if let Some(number) = OLD.iter().position(|old| *old == name) {
            return Some(part(number, 16));
        }
        if let Some(old) = name.strip_prefix(['r', 'e'])
            && let Some(number) = OLD.iter().position(|it| *it == old)
        {
            return Some(part(number, if name.starts_with('r') { 64 } else { 32 }));
        }
        if let Some(low) = name.strip_suffix('l')
            && let Some(number) = OLD
                .iter()
                .position(|it| it.strip_suffix('x') == Some(low) || *it == low)
        {
            return Some(part(number, 8));
        }
        if let Some(letter) = name.strip_suffix('h')
            && let Some(number) = OLD[..4]
                .iter()
                .position(|it| it.strip_suffix('x') == Some(letter))
        {
            return Some(Register {
                high: true,
                ..part(number, 8)
            });
        }
        let new = name.strip_prefix('r')?;
        let digits = new.trim_end_matches(['b', 'w', 'd']);
        let number = digits
            .parse()
            .ok()
            .filter(|it| (8..REGISTERS).contains(it))?;
        let bits = match &new[digits.len()..] {
            "" => 64,
            "d" => 32,
            "w" => 16,
            "b" => 8,
            _ => return None,
        };
        Some(part(number, bits))
    }
}

/// The statements of a text; none where it has something else than instructions.
pub(super) fn statements(text: &str) -> Option<Vec<Statement>> {
    read(&without_intel(text)?, &["#"], |mnemonic, places| {
        let places = separated(places).into_iter().map(place);
        Some((mnemonic.to_owned(), places.collect::<Option<_>>()?))
    })
}

/// The statements of a text with comments that begin so, in a notation which says what a
/// mnemonic in small letters and what is written behind it mean.
pub(super) fn read(
    text: &str,
    comments: &[&str],
    notation: impl Fn(&str, &str) -> Option<(String, Vec<Place>)>,
) -> Option<Vec<Statement>> {
    let mut statements = Vec::new();
    let (mut locked, mut repeated) = (false, false);
    let lines = text.lines().map(|line| {
        let ends = comments.iter().filter_map(|comment| line.find(comment));
        &line[..ends.min().unwrap_or(line.len())]
    });
    for mut rest in lines.flat_map(|line| line.split(';')).map(str::trim) {
        // A prefix may stand before its instruction or in a statement of its own.
        loop {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            match word {
                "lock" => locked = true,
                "rep" | "repe" | "repz" => repeated = true,
                _ => break,
            }
            rest = after.trim_start();
        }
        if rest.is_empty() {
            continue;
        }
        let (mnemonic, places) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !mnemonic.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (mnemonic, places) = notation(&mnemonic.to_ascii_lowercase(), places)?;
        statements.push(Statement {
            locked: std::mem::take(&mut locked),
            repeated: std::mem::take(&mut repeated),
            mnemonic,
            places,
        });
    }
    (!locked && !repeated).then_some(statements)
}

/// Of text for both notations, `$(one$|other$)`, that of AT&T.
fn without_intel(text: &str) -> Option<String> {
    let mut chosen = String::new();
    let mut rest = text;
    while let Some((before, choice)) = rest.split_once("$(") {
        let (choice, after) = choice.split_once("$)")?;
        chosen.push_str(before);
        chosen.push_str(choice.split("$|").next().unwrap_or(""));
        rest = after;
    }
    chosen.push_str(rest);
    Some(chosen)
}

/// What stands between commas that are not in parentheses.
fn separated(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !parts.is_empty() || !last.is_empty() {
        parts.push(last);
    }
    parts
}

fn place(text: &str) -> Option<Place> {
    if let Some(name) = text.strip_prefix('%') {
        return Register::of(name).map(Place::Register);
    }
    if let Some(digits) = text.strip_prefix("$$") {
        return number(digits).map(Place::Number);
    }
    if let Some((displacement, inside)) = text.split_once('(') {
        return address(displacement.trim(), inside.strip_suffix(')')?);
    }
    operand(text)
}

/// `$0`, or `${0:q}` with the letter that says how it is printed.
pub(super) fn operand(text: &str) -> Option<Place> {
    let operand = text.strip_prefix('$')?;
    let (digits, modifier) = match operand.strip_prefix('{') {
        Some(braced) => {
            let inside = braced.strip_suffix('}')?;
            inside.split_once(':').unwrap_or((inside, ""))
        }
        None => (operand, ""),
    };
    let mut letters = modifier.chars();
    let modifier = letters.next();
    let number = digits.parse().ok()?;
    letters
        .next()
        .is_none()
        .then_some(Place::Operand(number, modifier))
}

fn address(displacement: &str, inside: &str) -> Option<Place> {
    let mut parts = inside.split(',').map(str::trim);
    let mut part = || match parts.next() {
        None | Some("") => Some(None),
        Some(text) => place(text).map(|it| Some(Box::new(it))),
    };
    let (base, index) = (part()?, part()?);
    let scale = parts.next().map_or(Some(1), number)?;
    Some(Place::Memory(Address {
        displacement: match displacement {
            "" => 0,
            text => number(text)?,
        },
        base,
        index,
        scale,
    }))
}

pub(super) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        // A leading zero would be octal.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => digits.parse::<u64>().ok()?,
    };
    let value = magnitude as i64;
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_stand_before_an_instruction_or_alone() {
        for text in [
            "lock xaddl $0, $1",
            "lock; xaddl $0,$1",
            "\tlock\n\txaddl $0, $1 # both",
        ] {
            let found = statements(text).expect("it is understood");
            let [one] = found.as_slice() else {
                panic!("{found:?}")
            };
            assert!(one.locked && one.mnemonic == "xaddl", "{one:?}");
            let operand = |number| Place::Operand(number, None);
            assert_eq!(one.places, [operand(0), operand(1)]);
        }
    }

    #[test]
    fn registers_and_their_parts_have_names() {
        let part = |name| Register::of(name).map(|it| (it.number, it.bits, it.high));
        assert_eq!(part("eax"), Some((RAX, 32, false)));
        assert_eq!(part("bh"), Some((RBX, 8, true)));
        assert_eq!(part("cl"), Some((RCX, 8, false)));
        assert_eq!(part("dil"), Some((RDI, 8, false)));
        assert_eq!(part("r11d"), Some((11, 32, false)));
        assert_eq!(part("rsp"), Some((RSP, 64, false)));
        for none in ["xmm0", "r16", "r7", "fs", "eal", "st"] {
            assert_eq!(part(none), None, "{none}");
        }
    }

    #[test]
    fn addresses_have_four_parts() {
        let found = statements("leal -8($1,%rcx,4), ${0:k}").expect("it is understood");
        let address = Address {
            displacement: -8,
            base: Some(Box::new(Place::Operand(1, None))),
            index: Some(Box::new(Place::Register(Register {
                number: RCX,
                bits: 64,
                high: false,
            }))),
            scale: 4,
        };
        let wanted = [Place::Memory(address), Place::Operand(0, Some('k'))];
        assert_eq!(found[0].places, wanted);
    }

    #[test]
    fn what_is_no_instruction_is_not_understood() {
        for text in [
            ".intel_syntax noprefix",
            "1: jmp 1b",
            "movl %fs:4, $0",
            "lock",
            "call f",
        ] {
            assert_eq!(statements(text), None, "{text}");
        }
    }
}
