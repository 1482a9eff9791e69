//! Conditions on the parameters of a function, as `EP_PARTITION` states them.
//!
//! The language is that of C's conditions over numbers: comparisons of sums,
//! products and quotients of parameters and constants, joined by `&&`, `||`, `!`
//! and parentheses. Where a float takes part, everything is a double.

use mixed::Partition;
use mixed::oracle::{Signature, Type};
use std::rc::Rc;
use term::{FpFormat, RoundingMode, Sort, Store, Term};

/// Reads a condition; the error says what is wrong and at which character.
pub(crate) fn parse(text: &str, signature: &Signature) -> Result<Partition, String> {
    let mut parser = Parser {
        text,
        at: 0,
        signature,
        named: false,
    };
    let condition = parser.condition()?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.unexpected("the end"));
    }
    if !parser.named {
        let names: Vec<&str> = signature.parameters.iter().map(|p| &*p.name).collect();
        let known = match &names[..] {
            [] => "there is none".to_owned(),
            [one] => format!("there is {one}"),
            several => format!("there are {}", several.join(", ")),
        };
        return Err(format!("it names no parameter; {known}"));
    }
    let condition = Rc::new(condition);
    Ok(Rc::new(move |store: &mut Store, arguments: &[Term]| {
        condition.term(store, arguments)
    }))
}

/// A truth value.
enum Condition {
    Compare(Comparison, Number, Number),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

#[derive(Clone, Copy)]
enum Comparison {
    Equal,
    Differs,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A number.
enum Number {
    Parameter(usize, Type),
    Integer(i64),
    Float(f64),
    Negated(Box<Number>),
    Binary(char, Box<Number>, Box<Number>),
}

impl Number {
    fn is_float(&self) -> bool {
        match self {
            Number::Parameter(_, kind) => matches!(kind, Type::Float(_)),
            Number::Integer(_) => false,
            Number::Float(_) => true,
            Number::Negated(a) => a.is_float(),
            Number::Binary(_, a, b) => a.is_float() || b.is_float(),
        }
    }

    /// The number as a signed one of 64 bits, or as a double.
    fn term(&self, store: &mut Store, arguments: &[Term], float: bool) -> Term {
        let mode = store.rounding(RoundingMode::NearestEven);
        match self {
            Number::Parameter(number, kind) => {
                let argument = arguments[*number];
                match (store.sort(argument), float) {
                    (Sort::Fp(_), _) => store.fp_convert(mode, argument, FpFormat::DOUBLE),
                    (Sort::Bool, _) => {
                        let bits = store.bool_to_bv(argument, 64);
                        whole(store, bits, float)
                    }
                    (_, float) => {
                        let bits = match kind {
                            Type::Unsigned(_) => store.zext(argument, 64),
                            _ => store.sext(argument, 64),
                        };
                        whole(store, bits, float)
                    }
                }
            }
            Number::Integer(value) if float => {
                store.fp(FpFormat::DOUBLE, (*value as f64).to_bits().into())
            }
            Number::Integer(value) => store.bv(64, *value as u64),
            Number::Float(value) => store.fp(FpFormat::DOUBLE, value.to_bits().into()),
            Number::Negated(a) => {
                let a = a.term(store, arguments, float);
                match float {
                    true => store.fp_neg(a),
                    false => store.bv_neg(a),
                }
            }
            Number::Binary(operator, a, b) => {
                let (a, b) = (
                    a.term(store, arguments, float),
                    b.term(store, arguments, float),
                );
                match (operator, float) {
                    ('+', true) => store.fp_add(mode, a, b),
                    ('-', true) => store.fp_sub(mode, a, b),
                    ('*', true) => store.fp_mul(mode, a, b),
                    (_, true) => store.fp_div(mode, a, b),
                    ('+', false) => store.bv_add(a, b),
                    ('-', false) => store.bv_sub(a, b),
                    ('*', false) => store.bv_mul(a, b),
                    ('%', false) => store.bv_srem(a, b),
                    (_, false) => store.bv_sdiv(a, b),
                }
            }
        }
    }
}

/// A 64-bit number as itself or as a double.
fn whole(store: &mut Store, bits: Term, float: bool) -> Term {
    if !float {
        return bits;
    }
    let mode = store.rounding(RoundingMode::NearestEven);
    store.fp_from_signed(mode, bits, FpFormat::DOUBLE)
}

impl Condition {
    fn term(&self, store: &mut Store, arguments: &[Term]) -> Term {
        match self {
            Condition::Compare(comparison, a, b) => {
                let float = a.is_float() || b.is_float();
                let (a, b) = (
                    a.term(store, arguments, float),
                    b.term(store, arguments, float),
                );
                comparison.term(store, a, b, float)
            }
            Condition::And(a, b) => {
                let (a, b) = (a.term(store, arguments), b.term(store, arguments));
                store.and(a, b)
            }
            Condition::Or(a, b) => {
                let (a, b) = (a.term(store, arguments), b.term(store, arguments));
                store.or(a, b)
            }
            Condition::Not(a) => {
                let a = a.term(store, arguments);
                store.not(a)
            }
        }
    }
}

impl Comparison {
    fn term(self, store: &mut Store, a: Term, b: Term, float: bool) -> Term {
        match (self, float) {
            (Comparison::Equal, true) => store.fp_eq(a, b),
            (Comparison::Equal, false) => store.eq(a, b),
            (Comparison::Differs, float) => {
                let equal = Comparison::Equal.term(store, a, b, float);
                store.not(equal)
            }
            (Comparison::Less, true) => store.fp_lt(a, b),
            (Comparison::Less, false) => store.bv_slt(a, b),
            (Comparison::LessOrEqual, true) => store.fp_le(a, b),
            (Comparison::LessOrEqual, false) => store.bv_sle(a, b),
            (Comparison::Greater, float) => Comparison::Less.term(store, b, a, float),
            (Comparison::GreaterOrEqual, float) => Comparison::LessOrEqual.term(store, b, a, float),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    signature: &'a Signature,
    /// Whether a parameter was named.
    named: bool,
}

impl Parser<'_> {
    fn condition(&mut self) -> Result<Condition, String> {
        let mut all = self.conjunction()?;
        while self.take("||") {
            all = Condition::Or(Box::new(all), Box::new(self.conjunction()?));
        }
        Ok(all)
    }

    fn conjunction(&mut self) -> Result<Condition, String> {
        let mut all = self.comparison()?;
        while self.take("&&") {
            all = Condition::And(Box::new(all), Box::new(self.comparison()?));
        }
        Ok(all)
    }

    fn comparison(&mut self) -> Result<Condition, String> {
        let start = self.at;
        if self.take("!") && !self.rest().starts_with('=') {
            return Ok(Condition::Not(Box::new(self.comparison()?)));
        }
        self.at = start;
        if self.take("(") {
            // A parenthesis may hold a condition or a number.
            let inside = self.condition();
            if let Ok(inside) = inside
                && self.take(")")
                && !self.continues_a_number()
            {
                return Ok(inside);
            }
            self.at = start;
        }
        let left = self.sum()?;
        const OPERATORS: [(&str, Comparison); 6] = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Differs),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        let found = OPERATORS.iter().find(|(text, _)| self.take(text));
        let Some(&(_, comparison)) = found else {
            return Err(self.unexpected("a comparison"));
        };
        Ok(Condition::Compare(comparison, left, self.sum()?))
    }

    fn continues_a_number(&mut self) -> bool {
        self.skip_blanks();
        self.rest()
            .starts_with(['+', '-', '*', '/', '%', '<', '>', '='])
            || self.rest().starts_with("!=")
    }

    fn sum(&mut self) -> Result<Number, String> {
        let mut sum = self.product()?;
        loop {
            let operator = match () {
                () if self.take("+") => '+',
                () if self.take("-") => '-',
                () => return Ok(sum),
            };
            sum = Number::Binary(operator, Box::new(sum), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Number, String> {
        let mut product = self.factor()?;
        loop {
            let operator = match () {
                () if self.take("*") => '*',
                () if self.take("/") => '/',
                () if self.take("%") => '%',
                () => return Ok(product),
            };
            let factor = self.factor()?;
            if operator == '%' && (product.is_float() || factor.is_float()) {
                return Err("a remainder is of whole numbers".to_owned());
            }
            product = Number::Binary(operator, Box::new(product), Box::new(factor));
        }
    }

    fn factor(&mut self) -> Result<Number, String> {
        if self.take("-") {
            return Ok(Number::Negated(Box::new(self.factor()?)));
        }
        if self.take("(") {
            let inside = self.sum()?;
            return match self.take(")") {
                true => Ok(inside),
                false => Err(self.unexpected("`)`")),
            };
        }
        self.skip_blanks();
        let length = word_length(self.rest());
        let word = &self.rest()[..length];
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            let number = number(word);
            return match number {
                Some(number) => {
                    self.at += length;
                    Ok(number)
                }
                None => Err(self.unexpected("a number")),
            };
        }
        let parameters = &self.signature.parameters;
        let Some(found) = parameters.iter().position(|p| p.name == word) else {
            return Err(match word {
                "" => self.unexpected("a parameter or a number"),
                _ => format!("`{word}` is no parameter of `{}`", self.signature.name),
            });
        };
        if matches!(parameters[found].kind, Type::Pointer(_)) {
            return Err(format!(
                "`{word}` is a pointer, and only numbers are divided"
            ));
        }
        self.at += length;
        self.named = true;
        Ok(Number::Parameter(found, parameters[found].kind))
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        self.at += blanks;
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn unexpected(&mut self, wanted: &str) -> String {
        self.skip_blanks();
        let found = match self.rest().chars().next() {
            Some(found) => format!("`{found}`"),
            None => "the end".to_owned(),
        };
        format!(
            "at character {}: {found} where {wanted} should be",
            self.at + 1
        )
    }
}

/// The length of the name or number a text begins with.
fn word_length(text: &str) -> usize {
    let mut before = ' ';
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    for (at, c) in text.char_indices() {
        let exponent = is_number && matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
        if !(c.is_alphanumeric() || c == '_' || c == '.' || exponent) {
            return at;
        }
        before = c;
    }
    text.len()
}

fn number(word: &str) -> Option<Number> {
    if let Some(digits) = word.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().map(Number::Integer);
    }
    match word.parse::<i64>() {
        Ok(value) => Some(Number::Integer(value)),
        Err(_) => word.parse::<f64>().ok().map(Number::Float),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Assignment, BitVec, Evaluator, Value};

    fn signature() -> Signature {
        Signature::new(
            "f",
            &[("n", Type::Signed(32)), ("x", Type::DOUBLE)],
            Type::DOUBLE,
        )
    }

    #[track_caller]
    fn check(text: &str, n: i32, x: f64, expected: bool) {
        let partition = parse(text, &signature()).expect("it parses");
        let mut store = Store::new();
        let arguments = [
            store.bv_value(BitVec::from_u64(32, n as u32 as u64)),
            store.fp(FpFormat::DOUBLE, x.to_bits().into()),
        ];
        let condition = partition(&mut store, &arguments);
        let mut evaluator = Evaluator::default();
        let value = evaluator.under(&store, &Assignment::new()).value(condition);
        assert_eq!(value, Value::Bool(expected), "{text} for {n}, {x}");
    }

    #[test]
    fn conditions_mean_what_they_mean_in_c() {
        check("x > 3.0", 0, 3.5, true);
        check("x > 3", 0, 3.0, false);
        check("n <= -3 || n >= 10", -3, 0.0, true);
        check("!(n == 4) && n % 2 == 0", 4, 0.0, false);
        check("(n + 1) * 2 < x / 0.5", 3, 4.5, true);
        check("((n) < 5)", 4, 0.0, true);
        check("n < x", -1, -0.5, true);
        check("n != 0x10 && x >= 1e-3", 16, 1.0, false);
    }

    #[test]
    fn what_is_no_condition_is_refused_with_its_place() {
        let refused = |text: &str| parse(text, &signature()).err().expect("it is refused");
        assert_eq!(refused("y > 3"), "`y` is no parameter of `f`");
        assert_eq!(
            refused("x >"),
            "at character 4: the end where a parameter or a number should be"
        );
        assert_eq!(
            refused("x > 3 )"),
            "at character 7: `)` where the end should be"
        );
        assert_eq!(refused("3 > 2"), "it names no parameter; there are n, x");
        assert_eq!(
            refused("x"),
            "at character 2: the end where a comparison should be"
        );
        assert_eq!(refused("x % 2 == 0"), "a remainder is of whole numbers");
    }
}
