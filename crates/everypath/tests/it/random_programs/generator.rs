//! Makes C programs whose behaviour the standard and clang fix completely.
//!
//! A program is a handful of types, globals and functions with random bodies,
//! beside *pieces* that exercise the library. Everything it computes goes into
//! a checksum, which it prints as it goes along and returns the rest of.
//! Nothing is left open: divisors are not zero, shifts are shorter than their
//! operand, indices are masked, signed arithmetic has room, floats stay small
//! and are never NaN, all memory is set before it is read, and every function
//! spends from a budget that ends.

use super::random::Random;
use super::scalar::Scalar;
use std::fmt::Write;

/// What a program may be made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Everything, with nothing from outside.
    Concrete,
    /// Integers and memory, depending on one byte from outside.
    OneByte,
}

/// The text of the program of this seed.
pub fn generate(seed: u64, flavour: Flavour) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        flavour,
        text: String::new(),
        indent: 0,
        names: 0,
        globals: Vec::new(),
        locals: Vec::new(),
        functions: Vec::new(),
        records: Vec::new(),
    };
    generator.program();
    generator.text
}

/// Something that can be read and perhaps written: a variable, a field, an array.
#[derive(Clone)]
pub struct Place {
    pub text: String,
    pub scalar: Scalar,
    /// The sizes of an array, powers of two.
    pub sizes: Vec<usize>,
    pub is_bit_field: bool,
    pub is_writable: bool,
}

impl Place {
    pub fn new(text: impl Into<String>, scalar: Scalar) -> Place {
        Place {
            text: text.into(),
            scalar,
            sizes: Vec::new(),
            is_bit_field: false,
            is_writable: true,
        }
    }

    pub fn array(text: impl Into<String>, scalar: Scalar, sizes: Vec<usize>) -> Place {
        Place {
            sizes,
            ..Place::new(text, scalar)
        }
    }

    pub fn constant(self) -> Place {
        Place {
            is_writable: false,
            ..self
        }
    }
}

/// A function that bodies made after it may call.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub result: Scalar,
    pub parameters: Vec<Scalar>,
}

/// The program so far.
pub struct Generator {
    pub random: Random,
    pub flavour: Flavour,
    text: String,
    indent: usize,
    names: usize,
    pub globals: Vec<Place>,
    pub locals: Vec<Place>,
    pub functions: Vec<Function>,
    pub records: Vec<super::records::Record>,
}

const PRELUDE: &str = r#"#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t checksum = 1;
static inline double tame(double x) { return x > -1e6 && x < 1e6 ? x : 0.5; }
static inline float tamef(float x) { return x > -1e6f && x < 1e6f ? x : 0.25f; }
static void mix_bytes(const void *bytes, size_t size) {
    const unsigned char *next = bytes;
    while (size--)
        checksum = (checksum ^ *next++) * 1099511628211u;
}
static void mix_double(double x) { mix_bytes(&x, sizeof x); }
"#;

/// Multiplication makes every later question about the byte a hard one; so the
/// checksum of a symbolic program does without.
const MIX: &str = "static void mix(uint64_t x) { checksum = (checksum ^ x) * 0x9e3779b97f4a7c15u; checksum ^= checksum >> 29; }\n";
const SIMPLE_MIX: &str =
    "static void mix(uint64_t x) { checksum = ((checksum << 5) | (checksum >> 59)) ^ x; }\n";

impl Generator {
    fn program(&mut self) {
        self.text += PRELUDE;
        let is_symbolic = self.flavour == Flavour::OneByte;
        self.text += if is_symbolic { SIMPLE_MIX } else { MIX };
        let fuel = if is_symbolic { 20 } else { 150 };
        self.line(&format!("static unsigned fuel = {fuel};"));
        if is_symbolic {
            self.line("static unsigned char g_input;");
        }
        for _ in 0..self.random.between(1, 3) {
            self.record();
        }
        self.globals();
        for _ in 0..self.random.between(2, if is_symbolic { 3 } else { 6 }) {
            self.function();
        }
        let pieces = self.pieces();
        match self.flavour {
            Flavour::Concrete => self.main(&pieces),
            Flavour::OneByte => self.main_of_one_byte(&pieces),
        }
    }

    fn main(&mut self, pieces: &[String]) {
        self.open("int main(void)");
        let functions = self.functions.clone();
        for function in &functions {
            self.locals.clear();
            let call = self.call(function, 2);
            self.mix(function.result, &call);
            self.line(&format!(
                r#"printf("{}: %016llx\n", (unsigned long long)checksum);"#,
                function.name
            ));
        }
        for piece in pieces {
            self.line(&format!("mix({piece}());"));
            self.line(&format!(
                r#"printf("{piece}: %llu\n", (unsigned long long)checksum);"#
            ));
        }
        self.print_globals();
        if self.random.percent(30) {
            self.line("exit((int)(checksum % 251));");
        } else {
            self.line("return (int)(checksum % 251);");
        }
        self.close();
    }

    /// The byte reaches the functions as an argument and through a global.
    fn main_of_one_byte(&mut self, pieces: &[String]) {
        self.open("static int program(unsigned char input)");
        self.locals = vec![Place::new("input", Scalar::U8).constant()];
        self.line("g_input = input;");
        let functions = self.functions.clone();
        for function in &functions {
            let call = self.call(function, 2);
            self.mix(function.result, &call);
            self.line("putchar((int)('a' + (checksum & 15)));");
            if self.random.percent(50) {
                self.line("fflush(stdout);");
            }
        }
        for piece in pieces {
            self.line(&format!("mix({piece}());"));
        }
        self.line(r#"printf("%u %c\n", (unsigned)(checksum & 0xfff), (int)('a' + (checksum >> 12 & 15)));"#);
        self.line("return (int)(checksum >> 16 & 127);");
        self.close();
        self.text += ONE_BYTE_MAIN;
    }

    fn globals(&mut self) {
        for scalar in self.scalars() {
            let (name, value) = (self.fresh("g"), self.literal(scalar));
            let storage = self.random.pick(&["static ", "", "static volatile "]);
            self.line(&format!("{storage}{} {name} = {value};", scalar.name()));
            self.globals.push(Place::new(name, scalar));
        }
        for _ in 0..self.random.between(2, 4) {
            let scalar = self.scalar();
            let sizes = match self.random.below(3) {
                0 => vec![2, 4],
                1 => vec![4],
                _ => vec![8],
            };
            self.array("static ", scalar, sizes, true);
        }
        for _ in 0..2 {
            let scalar = self.integer_scalar();
            self.array("static const ", scalar, vec![8], false);
        }
        for number in 0..self.records.len() {
            let name = self.fresh("r");
            self.line(&format!("static struct S{number} {name};"));
            let places = self.records[number].places(&name, &self.records);
            self.globals.extend(places);
        }
    }

    fn array(&mut self, storage: &str, scalar: Scalar, sizes: Vec<usize>, is_writable: bool) {
        let name = self.fresh("a");
        let count = sizes.iter().product::<usize>();
        let values: Vec<String> = (0..count).map(|_| self.literal(scalar)).collect();
        let dimensions: String = sizes.iter().map(|size| format!("[{size}]")).collect();
        let rows: Vec<String> = values
            .chunks(*sizes.last().expect("an array has a size"))
            .map(|row| format!("{{{}}}", row.join(", ")))
            .collect();
        let values = match sizes.len() {
            1 => rows.concat(),
            _ => format!("{{{}}}", rows.join(", ")),
        };
        self.line(&format!(
            "{storage}{} {name}{dimensions} = {values};",
            scalar.name()
        ));
        let place = Place::array(name, scalar, sizes);
        self.globals.push(Place {
            is_writable,
            ..place
        });
    }

    fn print_globals(&mut self) {
        for place in self.globals.clone() {
            let text = place.text.clone() + &"[1]".repeat(place.sizes.len());
            let format = match place.scalar {
                Scalar::F64 | Scalar::F32 => {
                    self.random.pick(&["%.6f", "%g", "%e", "%a", "%10.3f"])
                }
                Scalar::I64 => "%lld",
                Scalar::U64 => self.random.pick(&["%llu", "%llx", "%#llo"]),
                Scalar::U32 => self.random.pick(&["%u", "%x", "%08X", "%#o"]),
                Scalar::Bool
                | Scalar::I8
                | Scalar::U8
                | Scalar::I16
                | Scalar::U16
                | Scalar::I32 => self.random.pick(&["%d", "%5d", "%-7d", "%+d", "%.4d"]),
            };
            let cast = place.scalar.printed_as();
            self.line(&format!(
                r#"printf("{}={format}\n", ({cast}){text});"#,
                place.text
            ));
        }
    }

    /// A function with a random body.
    fn function(&mut self) {
        let (name, result) = (self.fresh("f"), self.scalar());
        let parameters: Vec<Scalar> = (0..self.random.between(1, 4))
            .map(|_| self.scalar())
            .collect();
        self.locals.clear();
        let mut list = Vec::new();
        for &scalar in &parameters {
            let parameter = self.fresh("p");
            list.push(format!("{} {parameter}", scalar.name()));
            self.locals.push(Place::new(parameter, scalar));
        }
        let storage = self
            .random
            .pick(&["static ", "", "__attribute__((noinline)) "]);
        self.open(&format!(
            "{storage}{} {name}({})",
            result.name(),
            list.join(", ")
        ));
        let value = self.literal(result);
        self.line(&format!("if (fuel == 0) return {value};"));
        self.line("fuel--;");
        self.declarations();
        let statements = match self.flavour {
            Flavour::Concrete => self.random.between(4, 9),
            Flavour::OneByte => self.random.between(2, 4),
        };
        for _ in 0..statements {
            self.statement(2);
        }
        let value = self.expression(result, 3);
        self.line(&format!("return {value};"));
        self.close();
        self.locals.clear();
        self.functions.push(Function {
            name,
            result,
            parameters,
        });
    }

    /// Local variables, all of them set.
    fn declarations(&mut self) {
        for _ in 0..self.random.between(2, 4) {
            let (name, scalar) = (self.fresh("v"), self.scalar());
            let value = self.expression(scalar, 2);
            let storage = self.random.pick(&["", "", "", "volatile ", "register "]);
            self.line(&format!("{storage}{} {name} = {value};", scalar.name()));
            self.locals.push(Place::new(name, scalar));
        }
        if self.random.percent(60) {
            let (name, scalar) = (self.fresh("t"), self.scalar());
            let values: Vec<String> = (0..8).map(|_| self.leaf(scalar)).collect();
            self.line(&format!(
                "{} {name}[8] = {{{}}};",
                scalar.name(),
                values.join(", ")
            ));
            self.locals.push(Place::array(&name, scalar, vec![8]));
            // Four elements are within reach of the pointer wherever it points.
            let (pointer, start) = (self.fresh("q"), self.random.below(5));
            self.line(&format!("{} *{pointer} = {name} + {start};", scalar.name()));
            self.locals.push(Place::array(&pointer, scalar, vec![4]));
        }
        let number = self.random.below(self.records.len());
        let (name, seed) = (self.fresh("s"), self.expression(Scalar::U64, 1));
        self.line(&format!("struct S{number} {name} = make{number}({seed});"));
        let places = self.records[number].places(&name, &self.records);
        self.locals.extend(places);
        if self.random.percent(50) {
            let (other, extra) = (self.fresh("s"), self.expression(Scalar::I32, 1));
            self.line(&format!(
                "struct S{number} {other} = tweak{number}({extra}, {name});"
            ));
            let (pointer, target) = (self.fresh("z"), self.random.pick(&[&name, &other]).clone());
            self.line(&format!("struct S{number} *{pointer} = &{target};"));
            let places = self.records[number].places(&format!("(*{pointer})"), &self.records);
            self.locals.extend(places);
            self.line(&format!("{name} = tweak{number}(3, *{pointer});"));
        }
    }

    /// Puts a value into the checksum.
    pub fn mix(&mut self, scalar: Scalar, value: &str) {
        match scalar {
            Scalar::F32 | Scalar::F64 => self.line(&format!("mix_double({value});")),
            _ => self.line(&format!("mix((uint64_t){value});")),
        }
    }

    /// The types a program of this flavour computes with.
    pub fn scalars(&self) -> Vec<Scalar> {
        let mut scalars = Scalar::INTEGERS.to_vec();
        if self.flavour == Flavour::Concrete {
            scalars.extend([Scalar::F32, Scalar::F64]);
        }
        scalars
    }

    pub fn scalar(&mut self) -> Scalar {
        let scalars = self.scalars();
        self.random.pick(&scalars)
    }

    pub fn integer_scalar(&mut self) -> Scalar {
        self.random.pick(&Scalar::INTEGERS)
    }

    pub fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    pub fn line(&mut self, text: &str) {
        let indent = 4 * self.indent;
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    pub fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
    }

    /// Ends a block and begins the other one of an `if`.
    pub fn otherwise(&mut self) {
        self.close_with(" else {");
        self.indent += 1;
    }

    pub fn close(&mut self) {
        self.close_with("");
    }

    pub fn close_with(&mut self, tail: &str) {
        self.indent -= 1;
        self.line(&format!("}}{tail}"));
    }
}

/// Natively each value of the byte gets a process of its own, and what it
/// prints is followed by a line with its status.
const ONE_BYTE_MAIN: &str = r#"
#ifdef NATIVE
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int value = 0; value < 256; value++) {
        int status;
        if (fork() == 0)
            exit(program((unsigned char)value));
        wait(&status);
        dprintf(1, "== %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
    return 0;
}
#else
void ep_symbolic(void *bytes, size_t size, const char *name);
int main(void) {
    unsigned char input;
    ep_symbolic(&input, 1, "input");
    return program(input);
}
#endif
"#;
