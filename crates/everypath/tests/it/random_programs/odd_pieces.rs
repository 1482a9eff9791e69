//! Pieces around the less usual types of C: vectors, integers of any width,
//! `long double`, atomics, complex numbers.

use super::generator::Generator;
use super::scalar::Scalar;

/// Arithmetic on vectors, an element at a time and all at once.
pub fn vectors(g: &mut Generator, name: &str) {
    let scalar = g.random.pick(&[
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F32,
        Scalar::F64,
    ]);
    let (t, count) = (scalar.name(), g.random.pick(&[2, 4, 8]));
    let values = |g: &mut Generator| {
        let values: Vec<String> = (0..count).map(|_| g.leaf(scalar)).collect();
        values.join(", ")
    };
    let (first, second) = (values(g), values(g));
    g.line(&format!(
        "typedef {t} vector_{name} __attribute__((vector_size({count} * sizeof({t}))));"
    ));
    g.open(&format!(
        "__attribute__((noinline)) static vector_{name} turn_{name}(vector_{name} x, vector_{name} y)"
    ));
    let operator = g.random.pick(&["+", "-", "*"]);
    let bitwise = g.random.pick(&["&", "|", "^"]);
    let shift = g.random.below(scalar.bits());
    match scalar.is_float() {
        true => g.line(&format!("return x {operator} y + ({t})0.5;")),
        false => g.line(&format!(
            "return (x {operator} y) {bitwise} (x >> {shift}) {bitwise} ~y;"
        )),
    }
    g.close();
    g.open(&format!("static uint64_t {name}(void)"));
    g.line(&format!("vector_{name} x = {{{first}}}, y = {{{second}}};"));
    let order: Vec<String> = (0..count)
        .map(|_| g.random.below(2 * count).to_string())
        .collect();
    g.line(&format!(
        "vector_{name} z = __builtin_shufflevector(x, turn_{name}(x, y), {});",
        order.join(", ")
    ));
    g.line("__typeof__(x < y) less = x < z;");
    let changed = g.random.below(count);
    g.line(&format!("z[{changed}] = x[0];"));
    let mix = if scalar.is_float() {
        "mix_double"
    } else {
        "mix"
    };
    let value = if scalar.is_float() {
        "tame(z[i])"
    } else {
        "z[i]"
    };
    g.line(&format!(
        "for (int i = 0; i < {count}; i++) {mix}({value}), mix((uint64_t)less[i]);"
    ));
    g.line("return sizeof x;");
    g.close();
}

/// Integers of widths that no machine has.
pub fn bit_precise(g: &mut Generator, name: &str) {
    let (width, other) = (g.random.between(2, 128), g.random.between(2, 128));
    g.line(&format!(
        "struct bits_{name} {{ unsigned _BitInt({width}) x; char between; _BitInt({other}) y; }};"
    ));
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(Scalar::U64, 2), g.expression(Scalar::I64, 2)];
    let shift = g.random.below(width);
    g.line(&format!(
        "struct bits_{name} s = {{(unsigned _BitInt({width})){a}, 1, (_BitInt({other})){b}}};"
    ));
    g.line(&format!(
        "s.x = s.x * s.x + (unsigned _BitInt({width}))s.y;"
    ));
    g.line(&format!(
        "s.x ^= s.x << {shift} | s.x >> {};",
        width - 1 - shift
    ));
    g.line("mix((uint64_t)s.x), mix((uint64_t)(s.x >> 1)), mix((uint64_t)s.y);");
    g.line(&format!(
        "unsigned _BitInt({width}) d = (unsigned _BitInt({width}))(s.between | 1);"
    ));
    g.line("mix((uint64_t)(s.x / d) + (uint64_t)(s.x % d));");
    g.line(&format!("_BitInt({other}) half = s.y >> 1;"));
    g.line("return (uint64_t)(half < s.y) + 2 * (uint64_t)(s.y < 0) + sizeof s;");
    g.close();
}

/// `long double`, within what a `double` has room for too.
pub fn long_double(g: &mut Generator, name: &str) {
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(Scalar::F64, 2), g.expression(Scalar::I64, 2)];
    g.line(&format!("volatile long double x = tame({a}), y = {b};"));
    g.line("long double sum = x + y / 3, product = x * y - 1.25L;");
    g.line("mix_double((double)sum), mix_double((double)product), mix((uint64_t)(sum < product));");
    g.line("mix((uint64_t)(int64_t)(sum / (product * product + 1)));");
    g.line(
        "return (uint64_t)(x == (double)x) + 2 * (uint64_t)(-sum > 0) + (uint64_t)(int)(float)x;",
    );
    g.close();
}

/// Atomic operations, by one thread.
pub fn atomics(g: &mut Generator, name: &str) {
    let scalar = g.random.pick(&[
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::I32,
    ]);
    let t = scalar.name();
    g.line(&format!("static _Atomic {t} shared_{name};"));
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(scalar, 2), g.expression(scalar, 2)];
    let operation = g
        .random
        .pick(&["add", "sub", "and", "or", "xor", "nand", "min", "max"]);
    g.line(&format!("{t} x = {a}, expected = {b};"));
    g.line(&format!("shared_{name} = x;"));
    g.line(&format!("mix((uint64_t)(shared_{name} ^= 5));"));
    g.line(&format!("mix((uint64_t)__atomic_fetch_{operation}(({t} *)&shared_{name}, expected, __ATOMIC_SEQ_CST));"));
    g.line(&format!(
        "mix((uint64_t)__atomic_compare_exchange_n(({t} *)&shared_{name}, &expected, x, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));"
    ));
    g.line(&format!(
        "mix((uint64_t)__atomic_exchange_n(({t} *)&shared_{name}, expected, __ATOMIC_RELEASE));"
    ));
    g.line(&format!(
        "return (uint64_t)shared_{name} + (uint64_t)expected;"
    ));
    g.close();
}

/// Complex numbers, and state that stays between calls.
pub fn complex(g: &mut Generator, name: &str) {
    let scalar = g.random.pick(&[Scalar::F32, Scalar::F64]);
    let t = scalar.name();
    g.open(&format!("static {t} _Complex next_{name}({t} _Complex z)"));
    g.line("static unsigned calls;");
    g.line(&format!("return z * z + ({t})++calls;"));
    g.close();
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.leaf(scalar), g.leaf(scalar)];
    g.line(&format!("{t} _Complex z = {a} + {b} * 1.0iF;"));
    g.open("for (int i = 0; i < 3; i++)");
    g.line(&format!("z = next_{name}(z);"));
    g.line(&format!(
        "z = ({t})tame(__real__ z) - ({t})tame(__imag__ z) * 1.0iF;"
    ));
    g.line("mix_double(__real__ z), mix_double(__imag__ z);");
    g.close();
    g.line("return sizeof z + (uint64_t)(z == __real__ z);");
    g.close();
}
