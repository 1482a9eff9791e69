//! Expressions of a given type. Each is of exactly that type, so that what it
//! is put into promotes and converts it as planned.

use super::generator::{Flavour, Function, Generator, Place};
use super::scalar::Scalar;

impl Generator {
    /// An expression of the type, nested so deep at most.
    pub fn expression(&mut self, scalar: Scalar, depth: usize) -> String {
        if depth == 0 || self.random.percent(15) {
            return self.leaf(scalar);
        }
        if let Some(call) = self.some_call(scalar, depth) {
            return call;
        }
        match scalar {
            Scalar::F32 | Scalar::F64 => self.float(scalar, depth - 1),
            Scalar::Bool => self.condition(depth - 1),
            _ => self.integer(scalar, depth - 1),
        }
    }

    /// A literal, or something to read.
    pub fn leaf(&mut self, scalar: Scalar) -> String {
        if self.flavour == Flavour::OneByte && self.random.percent(30) {
            let value = self
                .random
                .pick(&["g_input", "(g_input % 5)", "(g_input * 3)"]);
            return format!("(({}){value})", scalar.name());
        }
        let all = self.locals.iter().chain(&self.globals);
        let fitting: Vec<Place> = all
            .filter(|place| place.scalar == scalar)
            .cloned()
            .collect();
        if fitting.is_empty() || self.random.percent(20) {
            return self.literal(scalar);
        }
        let place = &fitting[self.random.below(fitting.len())];
        let text = self.element(place);
        match place.is_bit_field {
            true => format!("(({}){text})", scalar.name()),
            false => text,
        }
    }

    /// An element of the place, at an index that is within it.
    pub fn element(&mut self, place: &Place) -> String {
        let mut text = place.text.clone();
        for &size in &place.sizes {
            if self.random.percent(50) {
                text += &format!("[{}]", self.random.below(size));
                continue;
            }
            let unsigned = self.random.pick(&[Scalar::U32, Scalar::U8, Scalar::U64]);
            let index = self.plain(unsigned);
            text += &format!("[{index} & {}]", size - 1);
        }
        text
    }

    /// A literal or a variable of no array: reading it twice gives it twice.
    fn plain(&mut self, scalar: Scalar) -> String {
        let locals: Vec<String> = self
            .locals
            .iter()
            .filter(|place| place.scalar == scalar && place.sizes.is_empty() && !place.is_bit_field)
            .map(|place| place.text.clone())
            .collect();
        if locals.is_empty() {
            return self.literal(scalar);
        }
        locals[self.random.below(locals.len())].clone()
    }

    pub fn literal(&mut self, scalar: Scalar) -> String {
        let name = scalar.name();
        match scalar {
            Scalar::Bool => self.random.pick(&["0", "1"]).into(),
            Scalar::F32 | Scalar::F64 => {
                let suffix = if scalar == Scalar::F32 { "f" } else { "" };
                let (whole, part) = (self.random.below(300), self.random.below(1000));
                let sign = self.random.pick(&["", "-"]);
                format!("({sign}{whole}.{part:03}{suffix})")
            }
            _ if self.random.percent(50) => {
                let number = self.random.below(100) as i64 - 20;
                let number = if scalar.is_signed() {
                    number
                } else {
                    number.abs()
                };
                format!("(({name}){number})")
            }
            _ => {
                let top = 1u64 << (scalar.bits() - 1);
                let word = match self.random.below(4) {
                    0 => top,
                    1 => top - 1,
                    2 => u64::MAX,
                    _ => self.random.word(),
                };
                format!("(({name}){:#x}ull)", word & (top | (top - 1)))
            }
        }
    }

    /// A call of one of the functions, with arguments made for it.
    pub fn call(&mut self, function: &Function, depth: usize) -> String {
        let arguments: Vec<String> = function
            .parameters
            .iter()
            .map(|&scalar| self.expression(scalar, depth))
            .collect();
        format!("{}({})", function.name, arguments.join(", "))
    }

    fn some_call(&mut self, scalar: Scalar, depth: usize) -> Option<String> {
        if self.functions.is_empty() || !self.random.percent(8) {
            return None;
        }
        let fitting = self.functions.iter().filter(|f| f.result == scalar);
        let fitting: Vec<Function> = fitting.cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = &fitting[self.random.below(fitting.len())];
        Some(self.call(function, depth - 1))
    }

    fn integer(&mut self, scalar: Scalar, depth: usize) -> String {
        let name = scalar.name();
        let wrapping = scalar.wrapping();
        let wide = wrapping.name();
        let choices = match self.flavour {
            Flavour::Concrete => 19,
            Flavour::OneByte => 17,
        };
        match self.random.below(choices) {
            0..=3 => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                let [a, b] = self.two(scalar, depth);
                format!("(({name})(({wide}){a} {operator} ({wide}){b}))")
            }
            4 if scalar.is_signed() && scalar.bits() >= 32 => {
                let operator = self.random.pick(&["+", "-", "*"]);
                let [a, b] = self.two(scalar.half(), depth);
                format!("(({name}){a} {operator} {b})")
            }
            4 | 5 => {
                let operator = self.random.pick(&["/", "%"]);
                let [a, b] = self.two(scalar, depth);
                format!("(({name})({a} {operator} (({b} & 63) + 1)))")
            }
            6 => {
                let operator = self.random.pick(&["/", "%"]);
                let divisor = self.random.pick(&["3", "7", "10", "16", "100", "127"]);
                let sign = if scalar.is_signed() { "-" } else { "" };
                let sign = self.random.pick(&["", sign]);
                let a = self.expression(scalar, depth);
                format!("(({name})({a} {operator} {sign}{divisor}))")
            }
            7 => {
                let operator = self.random.pick(&["/", "%"]);
                let (a, b) = (self.expression(scalar, depth), self.plain(scalar));
                let guard = match scalar.is_signed() {
                    true => format!("{b} != 0 && {b} != -1"),
                    false => format!("{b} != 0"),
                };
                format!("({guard} ? ({name})({a} {operator} {b}) : {b})")
            }
            8 => {
                let [a, b] = self.two(scalar, depth);
                let most = wrapping.bits() - 1;
                format!("(({name})(({wide}){a} << ({b} & {most})))")
            }
            9 => {
                let [a, b] = self.two(scalar, depth);
                format!("(({name})({a} >> ({b} & {})))", scalar.bits() - 1)
            }
            10 => {
                let a = self.expression(scalar, depth);
                match self.random.below(3) {
                    0 => format!("(({name})~{a})"),
                    1 => format!("(({name})-({wide}){a})"),
                    _ => format!("(({name})!{a})"),
                }
            }
            11 => {
                let condition = self.condition(depth);
                let [a, b] = self.two(scalar, depth);
                format!("({condition} ? {a} : {b})")
            }
            12 => {
                let other = self.integer_scalar();
                let (a, b) = (
                    self.expression(other, depth),
                    self.expression(scalar, depth),
                );
                format!("((void){a}, {b})")
            }
            13 | 14 => {
                let other = self.integer_scalar();
                let a = self.expression(other, depth);
                format!("(({name}){a})")
            }
            15 => self.builtin(scalar, depth),
            16 => {
                let condition = self.condition(depth);
                let a = self.expression(scalar, depth);
                format!("(({name})({condition} + ({wide}){a}))")
            }
            17 => {
                let float = self.random.pick(&[Scalar::F32, Scalar::F64]);
                let a = self.expression(float, depth);
                match self.random.below(3) {
                    0 => format!("(({name})(int32_t)tame({a}))"),
                    1 => format!("(({name})(int64_t)tame({a}))"),
                    _ => format!("(({name})(uint32_t)(tame({a}) + 1e6))"),
                }
            }
            _ => {
                let shift = self.random.below(100);
                let [a, b] = self.two(Scalar::I64, depth);
                format!("(({name})((__int128){a} * {b} >> {shift}))")
            }
        }
    }

    fn two(&mut self, scalar: Scalar, depth: usize) -> [String; 2] {
        [
            self.expression(scalar, depth),
            self.expression(scalar, depth),
        ]
    }

    /// What clang computes with instructions of their own.
    fn builtin(&mut self, scalar: Scalar, depth: usize) -> String {
        let name = scalar.name();
        let [a, b] = self.two(scalar, depth);
        match self.random.below(8) {
            0 => format!("(({name})__builtin_popcountll((uint64_t){a}))"),
            1 => format!("(({name})__builtin_clz((uint32_t){a} | 1))"),
            2 => format!("(({name})__builtin_ctzll((uint64_t){a} | 0x8000000000000000u))"),
            3 => format!("(({name})__builtin_bswap32((uint32_t){a}))"),
            4 => format!("(({name})__builtin_bitreverse16((uint16_t){a}))"),
            5 => {
                let operation = self.random.pick(&["add", "sub", "mul"]);
                let result = self.fresh("o");
                format!(
                    "({{ {name} {result}; _Bool over = __builtin_{operation}_overflow({a}, {b}, &{result}); ({name})({result} ^ over); }})"
                )
            }
            6 => format!("(({name})__builtin_rotateleft32((uint32_t){a}, (uint32_t){b}))"),
            _ => format!("(({name})__builtin_parity((uint32_t){a}))"),
        }
    }

    /// A truth value, as an `int` or a `_Bool`.
    pub fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            let scalar = self.scalar();
            let (a, b) = (self.leaf(scalar), self.leaf(scalar));
            let operator = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
            return format!("({a} {operator} {b})");
        }
        match self.random.below(6) {
            0 => {
                let operator = self.random.pick(&["&&", "||"]);
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a} {operator} {b})")
            }
            1 => {
                let a = self.condition(depth - 1);
                format!("!{a}")
            }
            2 => {
                let scalar = self.scalar();
                let a = self.expression(scalar, depth);
                format!("((_Bool){a})")
            }
            _ => {
                let scalar = self.scalar();
                let [a, b] = self.two(scalar, depth - 1);
                let operator = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({a} {operator} {b})")
            }
        }
    }

    fn float(&mut self, scalar: Scalar, depth: usize) -> String {
        let name = scalar.name();
        let (tame, f) = match scalar {
            Scalar::F32 => ("tamef", "f"),
            _ => ("tame", ""),
        };
        match self.random.below(9) {
            0..=2 => {
                let operator = self.random.pick(&["+", "-", "*"]);
                let [a, b] = self.two(scalar, depth);
                format!("{tame}({a} {operator} {b})")
            }
            3 => {
                let [a, b] = self.two(scalar, depth);
                format!("{tame}({a} / ({b} * {b} + 1.5{f}))")
            }
            4 => {
                let other = self.integer_scalar();
                let a = self.expression(other, depth);
                format!("{tame}(({name}){a})")
            }
            5 => {
                let other = self.random.pick(&[Scalar::F32, Scalar::F64]);
                let a = self.expression(other, depth);
                format!("{tame}(({name}){a})")
            }
            6 => {
                let condition = self.condition(depth);
                let [a, b] = self.two(scalar, depth);
                format!("({condition} ? {a} : -{b})")
            }
            7 => {
                let function = self
                    .random
                    .pick(&["fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt"]);
                let a = self.expression(scalar, depth);
                match function {
                    "sqrt" => format!("{tame}(sqrt{f}(fabs{f}({a})))"),
                    _ => format!("{tame}({function}{f}({a}))"),
                }
            }
            _ => {
                let function = self.random.pick(&["fmod", "fmin", "fmax", "copysign"]);
                let [a, b] = self.two(scalar, depth);
                match function {
                    "fmod" => format!("{tame}(fmod{f}({a}, fabs{f}({b}) + 0.5{f}))"),
                    // Of zeros of both signs the C standard lets either be the larger.
                    _ => format!("{tame}({function}{f}({a}, {b}) + 1.0{f})"),
                }
            }
        }
    }
}
