//! Pieces: functions around one feature of the language or its library, with
//! random numbers in them. Each takes nothing and gives a number.

use super::generator::{Flavour, Generator};
use super::odd_pieces;
use super::scalar::Scalar;

type Piece = fn(&mut Generator, &str);

/// What needs no float and little enough room to run on every byte.
const SMALL: [Piece; 7] = [
    sorting,
    dispatch,
    recursion,
    bytecode,
    list,
    variadic_integers,
    text_search,
];

const LARGE: [Piece; 13] = [
    printing,
    variadic,
    matrix,
    wide,
    float_bits,
    long_jumps,
    parsing,
    shapes,
    odd_pieces::vectors,
    odd_pieces::bit_precise,
    odd_pieces::long_double,
    odd_pieces::atomics,
    odd_pieces::complex,
];

impl Generator {
    /// The names of some pieces, made.
    pub fn pieces(&mut self) -> Vec<String> {
        let (kinds, count): (Vec<Piece>, usize) = match self.flavour {
            Flavour::Concrete => ([&SMALL[..], &LARGE[..]].concat(), 5),
            Flavour::OneByte => (SMALL.to_vec(), 1),
        };
        let mut names = Vec::new();
        for _ in 0..count {
            let piece = kinds[self.random.below(kinds.len())];
            let name = self.fresh("piece");
            self.locals.clear();
            piece(self, &name);
            names.push(name);
        }
        names
    }

    /// Some values of the type, separated by commas.
    fn values(&mut self, scalar: Scalar, count: usize) -> String {
        let values: Vec<String> = (0..count).map(|_| self.expression(scalar, 1)).collect();
        values.join(", ")
    }
}

/// `qsort` and `bsearch`; elements that compare as equal are equal.
fn sorting(g: &mut Generator, name: &str) {
    let scalar = g.integer_scalar();
    let t = scalar.name();
    let order = g.random.pick(&[
        "(x > y) - (x < y)",
        "(x < y) - (x > y)",
        "(x % 8 != y % 8) ? (x % 8 > y % 8) - (x % 8 < y % 8) : (x > y) - (x < y)",
    ]);
    let count = if g.flavour == Flavour::OneByte {
        3
    } else {
        g.random.between(1, 24)
    };
    g.open(&format!(
        "static int order_{name}(const void *a, const void *b)"
    ));
    g.line(&format!("{t} x = *(const {t} *)a, y = *(const {t} *)b;"));
    g.line(&format!("return {order};"));
    g.close();
    g.open(&format!("static uint64_t {name}(void)"));
    let values = g.values(scalar, count);
    g.line(&format!("{t} items[{count}] = {{{values}}};"));
    g.line(&format!(
        "qsort(items, {count}, sizeof *items, order_{name});"
    ));
    g.line(&format!(
        "for (int i = 0; i < {count}; i++) mix((uint64_t)items[i]);"
    ));
    if g.flavour == Flavour::Concrete {
        let wanted = g.literal(scalar);
        g.line(&format!("{t} wanted = {wanted};"));
        g.line(&format!(
            "return bsearch(&wanted, items, {count}, sizeof *items, order_{name}) != NULL;"
        ));
    } else {
        g.line("return 1;");
    }
    g.close();
}

/// Calls through a table of functions.
fn dispatch(g: &mut Generator, name: &str) {
    let operators = ["+", "^", "*", "-", "|", "&"];
    let mut table = Vec::new();
    for i in 0..4 {
        let operator = g.random.pick(&operators);
        let constant = g.literal(Scalar::U32);
        g.line(&format!(
            "static uint32_t step{i}_{name}(uint32_t x) {{ return x {operator} {constant}; }}"
        ));
        table.push(format!("step{i}_{name}"));
    }
    g.line(&format!(
        "static uint32_t (*const steps_{name}[4])(uint32_t) = {{{}}};",
        table.join(", ")
    ));
    g.open(&format!("static uint64_t {name}(void)"));
    let (start, turns) = (g.expression(Scalar::U32, 2), g.random.between(1, 4));
    g.line(&format!("uint32_t x = {start};"));
    g.line(&format!("uint32_t (*last)(uint32_t) = steps_{name}[0];"));
    g.open(&format!("for (int i = 0; i < {turns}; i++)"));
    g.line(&format!("last = i & 1 ? last : steps_{name}[x >> 3 & 3];"));
    g.line("x = (*last)(x) + (uint32_t)i;");
    g.close();
    g.line("return x;");
    g.close();
}

/// Functions that call each other, so deep and no deeper.
fn recursion(g: &mut Generator, name: &str) {
    let (deep, stop) = (g.random.between(3, 12), g.literal(Scalar::U32));
    let (one, two) = (g.literal(Scalar::U32), g.literal(Scalar::U32));
    g.line(&format!(
        "static uint32_t even_{name}(int depth, uint32_t x);"
    ));
    g.open(&format!(
        "static uint32_t odd_{name}(int depth, uint32_t x)"
    ));
    g.line(&format!("if (depth <= 0 || x == {stop}) return x ^ {one};"));
    g.line(&format!("uint32_t inner = even_{name}(depth - 1, x + 1);"));
    g.line(&format!(
        "return inner + (depth & 4 ? even_{name}(depth - 3, inner) : {two});"
    ));
    g.close();
    g.open(&format!(
        "static uint32_t even_{name}(int depth, uint32_t x)"
    ));
    g.line("char local[4] = {(char)x, (char)depth, 1};");
    g.line("if (depth <= 0) return (uint8_t)local[x & 3];");
    g.line(&format!(
        "return odd_{name}(depth - 1, x ^ {two}) + (uint8_t)local[depth & 3];"
    ));
    g.close();
    let start = g.expression(Scalar::U32, 2);
    g.line(&format!(
        "static uint64_t {name}(void) {{ return even_{name}({deep}, {start}); }}"
    ));
}

/// A small machine: a loop around a switch, jumps included.
fn bytecode(g: &mut Generator, name: &str) {
    let code: Vec<String> = (0..16)
        .map(|_| format!("{{{}, {}}}", g.random.below(7), g.random.below(16)))
        .collect();
    let turns = if g.flavour == Flavour::OneByte {
        12
    } else {
        80
    };
    g.line(&format!("enum op_{name} {{ ADD_{name}, XOR_{name}, JUMP_{name}, SKIP_{name}, PUSH_{name} = 4, POP_{name}, HALT_{name} }};"));
    g.open(&format!("static uint64_t {name}(void)"));
    g.line(&format!(
        "static const struct {{ enum op_{name} op; uint8_t argument; }} code[16] = {{{}}};",
        code.join(", ")
    ));
    let start = g.expression(Scalar::U16, 2);
    g.line(&format!("uint16_t a = {start}, stack[8] = {{0}};"));
    g.line("unsigned pc = 0, top = 0;");
    g.open(&format!("for (int turn = 0; turn < {turns}; turn++)"));
    g.line("uint8_t argument = code[pc & 15].argument;");
    g.open("switch (code[pc++ & 15].op)");
    g.line(&format!("case ADD_{name}: a += argument; break;"));
    g.line(&format!(
        "case XOR_{name}: a ^= (uint16_t)(argument << 7); break;"
    ));
    g.line(&format!(
        "case JUMP_{name}: if (a & 1) pc = argument; break;"
    ));
    g.line(&format!(
        "case SKIP_{name}: if (a > argument * 100) pc++; /* fall through */"
    ));
    g.line(&format!("case PUSH_{name}: stack[top++ & 7] = a; break;"));
    g.line(&format!(
        "case POP_{name}: a = (uint16_t)(a + stack[--top & 7]); break;"
    ));
    g.line(&format!("case HALT_{name}: if (argument & 1) goto done;"));
    g.close();
    g.close();
    g.line("done:");
    g.line("return a * 16u + (pc & 15);");
    g.close();
}

/// A list on the heap: built, reversed, freed.
fn list(g: &mut Generator, name: &str) {
    let scalar = g.integer_scalar();
    let count = if g.flavour == Flavour::OneByte {
        3
    } else {
        g.random.between(1, 9)
    };
    g.line(&format!(
        "struct node_{name} {{ {} value; struct node_{name} *next; }};",
        scalar.name()
    ));
    g.open(&format!("static uint64_t {name}(void)"));
    let values = g.values(scalar, count);
    g.line(&format!("{} values[] = {{{values}}};", scalar.name()));
    g.line(&format!(
        "struct node_{name} *head = NULL, *reversed = NULL;"
    ));
    g.line("uint64_t sum = 0;");
    g.open(&format!("for (int i = 0; i < {count}; i++)"));
    g.line("if (i > 0 && values[i] == values[i - 1]) continue;");
    g.line(&format!("struct node_{name} *made = malloc(sizeof *made);"));
    g.line(&format!(
        "*made = (struct node_{name}){{.value = values[i], .next = head}};"
    ));
    g.line("head = made;");
    g.close();
    g.open("while (head)");
    g.line(&format!("struct node_{name} *next = head->next;"));
    g.line("head->next = reversed, reversed = head, head = next;");
    g.close();
    g.open("for (int i = 1; reversed; i++)");
    g.line(&format!("struct node_{name} *next = reversed->next;"));
    g.line("sum += (uint64_t)reversed->value * (unsigned)i;");
    g.line("free(reversed);");
    g.line("reversed = next;");
    g.close();
    g.line("return sum;");
    g.close();
}

/// A variable number of arguments, walked twice.
fn variadic_integers(g: &mut Generator, name: &str) {
    let count = g.random.between(1, 9);
    g.open(&format!("static uint64_t sum_{name}(int count, ...)"));
    g.line("va_list list, again;");
    g.line("va_start(list, count);");
    g.line("va_copy(again, list);");
    g.line("uint64_t sum = 0;");
    g.line("for (int i = 0; i < count; i++) sum += i & 1 ? va_arg(list, uint64_t) : va_arg(list, unsigned);");
    g.line("for (int i = 0; i < count; i++) sum = sum * 3 ^ (i & 1 ? va_arg(again, uint64_t) : va_arg(again, unsigned));");
    g.line("va_end(again);");
    g.line("va_end(list);");
    g.line("return sum;");
    g.close();
    let arguments: Vec<String> = (0..count)
        .map(|i| g.expression(if i % 2 == 1 { Scalar::U64 } else { Scalar::U32 }, 2))
        .collect();
    g.line(&format!(
        "static uint64_t {name}(void) {{ return sum_{name}({count}, {}); }}",
        arguments.join(", ")
    ));
}

/// Functions of `string.h` on bytes made here.
fn text_search(g: &mut Generator, name: &str) {
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(Scalar::U8, 1), g.expression(Scalar::U8, 1)];
    g.line(&format!(
        "char text[16] = \"every path\", copy[16]; unsigned place = {b} & 7;"
    ));
    g.line(&format!("text[place] = (char)('a' + ({a} & 7));"));
    g.line("strcpy(copy, text + 1);");
    g.line("memmove(copy + 2, copy, 6);");
    g.line("char *found = strchr(text, 'e');");
    g.line("uint64_t result = found ? (uint64_t)(found - text) : 99;");
    g.line("result = result * 31 + strlen(copy) + (strcmp(text, copy) < 0);");
    g.line("result = result * 31 + (unsigned)(memcmp(text, copy, 4) > 0) + (strstr(text, \"pat\") != NULL);");
    g.line("for (char *c = copy; *c; c++) result = result * 7 + (unsigned char)*c;");
    g.line("return result;");
    g.close();
}

/// Formats of `printf`, into a buffer that may be too small.
fn printing(g: &mut Generator, name: &str) {
    g.open(&format!("static uint64_t {name}(void)"));
    let room = g.random.between(1, 60);
    g.line(&format!("char text[{room}];"));
    g.line("int length = 0;");
    for _ in 0..4 {
        let scalar = g.scalar();
        let value = g.expression(scalar, 2);
        let flags = g.random.pick(&["", "-", "+", " ", "0", "#"]);
        let width = g.random.pick(&["", "3", "12", "20"]);
        let precision = g.random.pick(&["", ".0", ".1", ".5", ".17"]);
        let (prefix, conversion) = match scalar {
            Scalar::F32 | Scalar::F64 => ("", g.random.pick(&["f", "e", "g", "G", "E"])),
            Scalar::I64 => (g.random.pick(&["l", "ll", "j"]), "d"),
            Scalar::U64 => (
                g.random.pick(&["l", "ll", "z"]),
                g.random.pick(&["u", "x", "o", "X"]),
            ),
            Scalar::U32 => ("", g.random.pick(&["u", "x", "o", "X"])),
            Scalar::Bool | Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::I32 => {
                (g.random.pick(&["", "h", "hh"]), "d")
            }
        };
        let cast = scalar.printed_as();
        g.line(&format!(
            "length += snprintf(text, sizeof text, \"<%{flags}{width}{precision}{prefix}{conversion}>%s%c%%\", ({cast}){value}, \"ab\", 'c');"
        ));
        g.line("mix_bytes(text, strlen(text));");
        g.line("puts(text);");
    }
    g.line("return (uint64_t)length;");
    g.close();
}

/// Arguments of many types at once, structures among them.
fn variadic(g: &mut Generator, name: &str) {
    let number = g.random.below(g.records.len());
    let mut letters = String::new();
    let mut arguments = Vec::new();
    for _ in 0..g.random.between(1, 14) {
        let (letter, argument) = match g.random.below(5) {
            0 => ('i', g.expression(Scalar::I32, 1)),
            1 => ('l', g.expression(Scalar::I64, 1)),
            2 => ('d', g.expression(Scalar::F64, 1)),
            3 => ('s', "\"text\"".to_owned()),
            _ => ('r', format!("make{number}({})", g.random.below(1000))),
        };
        letters.push(letter);
        arguments.push(argument);
    }
    g.open(&format!(
        "static uint64_t take_{name}(const char *letters, ...)"
    ));
    g.line("va_list list;");
    g.line("va_start(list, letters);");
    g.open("for (; *letters; letters++)");
    g.open("switch (*letters)");
    g.line("case 'i': mix((uint64_t)va_arg(list, int)); break;");
    g.line("case 'l': mix((uint64_t)va_arg(list, int64_t)); break;");
    g.line("case 'd': mix_double(va_arg(list, double)); break;");
    g.line("case 's': mix(strlen(va_arg(list, const char *))); break;");
    g.line(&format!(
        "case 'r': hash{number}(va_arg(list, struct S{number})); break;"
    ));
    g.close();
    g.close();
    g.line("va_end(list);");
    g.line("return checksum;");
    g.close();
    g.line(&format!(
        "static uint64_t {name}(void) {{ return take_{name}(\"{letters}\", {}); }}",
        arguments.join(", ")
    ));
}

/// Matrices, one of them of a size that is only known at run time.
fn matrix(g: &mut Generator, name: &str) {
    let scalar = g.random.pick(&[
        Scalar::U32,
        Scalar::U64,
        Scalar::F64,
        Scalar::F32,
        Scalar::U16,
    ]);
    let (t, n) = (scalar.name(), g.random.between(1, 5));
    let tame = match scalar {
        Scalar::F32 => "tamef",
        Scalar::F64 => "tame",
        _ => "",
    };
    g.open(&format!("static uint64_t {name}(void)"));
    let values = g.values(scalar, n * n);
    g.line(&format!("volatile int n = {n};"));
    g.line("int m = n;");
    g.line(&format!(
        "{t} a[{n} * {n}] = {{{values}}}, b[m][m], c[{n}][{n}];"
    ));
    g.line("for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) b[i][j] = a[j * m + i];");
    g.open("for (int i = 0; i < m; i++) for (int j = 0; j < m; j++)");
    g.line(&format!("{t} sum = 0;"));
    g.line(&format!(
        "for (int k = 0; k < m; k++) sum = ({t}){tame}(sum + ({}){tame}(a[i * m + k] * 1u * b[k][j]));",
        t
    ));
    g.line("c[i][j] = sum;");
    g.close();
    let mix = if scalar.is_float() {
        "mix_double"
    } else {
        "mix"
    };
    g.line(&format!(
        "for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) {mix}(c[i][j]);"
    ));
    g.line("return sizeof b;");
    g.close();
}

/// Arithmetic on 128 bits.
fn wide(g: &mut Generator, name: &str) {
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(Scalar::U64, 2), g.expression(Scalar::I64, 2)];
    let (shift, operator) = (g.random.below(128), g.random.pick(&["+", "-", "*", "^"]));
    g.line(&format!("unsigned __int128 x = ((unsigned __int128){a} << 64) {operator} (unsigned __int128)(__int128){b};"));
    g.line("__int128 y = (__int128)x;");
    g.line(&format!("mix((uint64_t)(x >> {shift}));"));
    g.line(&format!("mix((uint64_t)(y >> {shift}));"));
    g.line(&format!("mix((uint64_t)(x << {shift} >> 64));"));
    g.line("mix((uint64_t)(x % 1000000007u) + (uint64_t)(y / 12345));");
    let divisor = g.expression(Scalar::U64, 1);
    g.line(&format!(
        "mix((uint64_t)(x / (((unsigned __int128){divisor} << 7) | 1)));"
    ));
    g.line("mix_double((double)(y >> 100));");
    g.line("return (uint64_t)(y < 0) + (uint64_t)(x > (unsigned __int128)y);");
    g.close();
}

/// Floats through their bits.
fn float_bits(g: &mut Generator, name: &str) {
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(Scalar::F64, 3), g.expression(Scalar::F64, 3)];
    let c = g.expression(Scalar::F32, 3);
    g.line(&format!(
        "double a = tame({a}), b = tame({b}); float c = tamef({c});"
    ));
    g.line("uint64_t bits; uint32_t small;");
    g.line("memcpy(&bits, &a, sizeof bits);");
    g.line("memcpy(&small, &c, sizeof small);");
    g.line("mix(bits), mix(small), mix((uint64_t)(a < b) + 2 * (c <= a) + 4 * (b != c));");
    g.line("bits ^= 1, memcpy(&a, &bits, sizeof a), mix_double(a);");
    g.line("mix_double(a * b + c), mix_double(tame(a / (fabs(b) + 1)));");
    g.line("mix_double((double)(float)a), mix((uint64_t)(int64_t)(b * 1000)), mix((uint64_t)(int16_t)(c / 64));");
    g.line("int power; mix_double(frexp(a, &power)), mix((uint64_t)power), mix_double(ldexp(b, power));");
    g.line("mix((uint64_t)lrint(a)), mix((uint64_t)lround(b)), mix_double(fma(a, b, c));");
    g.line("mix(isnan(a) + 2 * !!isinf(b) + 4 * !!signbit(c) + 8 * !!isfinite(a / 0.5));");
    g.line("printf(\"%a %.3e %g %f\\n\", a, b, c, a);");
    g.line("return (uint64_t)(uint32_t)(fabs(a) + 0.5);");
    g.close();
}

/// `longjmp` out of a call, more than once.
fn long_jumps(g: &mut Generator, name: &str) {
    let (turns, limit) = (g.random.between(1, 6), g.random.between(0, 9));
    g.line(&format!("static jmp_buf place_{name};"));
    g.open(&format!(
        "__attribute__((noinline)) static int jump_{name}(int x)"
    ));
    g.line(&format!("if (x > {limit}) longjmp(place_{name}, x);"));
    g.line(&format!("return x < 0 ? 0 : jump_{name}(x + 3) + 1;"));
    g.close();
    g.open(&format!("static uint64_t {name}(void)"));
    g.line("volatile uint64_t sum = 0; volatile int turn = 0;");
    g.line(&format!("int thrown = setjmp(place_{name});"));
    g.line("sum = sum * 7 + (uint64_t)thrown;");
    g.line(&format!(
        "if (turn++ < {turns}) sum += (uint64_t)jump_{name}(turn);"
    ));
    g.line("return sum;");
    g.close();
}

/// Numbers out of text, and text out of numbers.
fn parsing(g: &mut Generator, name: &str) {
    g.open(&format!("static uint64_t {name}(void)"));
    let [a, b] = [g.expression(Scalar::I64, 2), g.expression(Scalar::U64, 2)];
    let c = g.expression(Scalar::F64, 2);
    let base = g.random.pick(&[0, 8, 10, 16, 36]);
    g.line("char text[64], *end; int x; unsigned y; char word[8];");
    g.line(&format!(
        "snprintf(text, sizeof text, \"%lld\", (long long){a});"
    ));
    g.line(&format!("mix((uint64_t)strtoll(text, &end, {base})), mix((uint64_t)(end - text)), mix((uint64_t)atol(text));"));
    g.line(&format!(
        "snprintf(text, sizeof text, \"%#llx\", (unsigned long long){b});"
    ));
    g.line(&format!(
        "mix(strtoull(text, &end, {base})), mix((uint64_t)(end - text));"
    ));
    g.line(&format!(
        "snprintf(text, sizeof text, \"%.9g\", tame({c}));"
    ));
    g.line("mix_double(strtod(text, &end)), mix((uint64_t)(end - text)), mix_double(atof(text));");
    g.line("snprintf(text, sizeof text, \"%d-%x %s\", (int)(checksum % 1000), (unsigned)(checksum >> 40), \"word\");");
    g.line("mix((uint64_t)sscanf(text, \"%d-%x %7s\", &x, &y, word));");
    g.line("mix((uint64_t)x + y + strlen(word));");
    g.line("return strspn(text, \"0123456789\");");
    g.close();
}

/// Memory that grows, and compound literals and initialisers of all shapes.
fn shapes(g: &mut Generator, name: &str) {
    let (first, count) = (g.random.between(1, 8), g.random.between(4, 20));
    let value = g.expression(Scalar::U32, 2);
    let at = g.random.below(6);
    g.open(&format!("static uint64_t {name}(void)"));
    g.line(&format!(
        "uint32_t *items = calloc({first}, sizeof *items), sum = 0;"
    ));
    g.line(&format!("size_t room = {first}, used = 0;"));
    g.open(&format!("for (int i = 0; i < {count}; i++)"));
    g.line("if (used == room) items = realloc(items, (room = room * 2 + 1) * sizeof *items);");
    g.line(&format!("items[used++] = {value} + (uint32_t)i;"));
    g.close();
    g.line("for (uint32_t *item = items, *end = items + used; item != end; ++item) sum = sum * 33 + *item;");
    g.line("free(items);");
    g.line(
        &format!("int sparse[6] = {{[{at}] = 7, 8}}, *literal = (int[]){{sparse[{at}], 2, 3}};")
            .replace("7, 8}", if at < 5 { "7, 8}" } else { "7}" }),
    );
    g.line("struct { struct { short x, y; } point; const char *name; } shape = {.point.y = -3, .name = \"shape\"};");
    g.line("static const struct { char tag; union { int whole; char bytes[4]; }; } tagged[2] = {{'a', {.whole = 258}}, {.bytes = {1, 2}}};");
    g.line("sum += (uint32_t)(literal[0] + shape.point.x + shape.point.y) + (uint32_t)strlen(shape.name);");
    g.line("sum += (uint32_t)tagged[sum & 1].whole + (uint32_t)tagged[1].bytes[1] + (uint32_t)sizeof tagged;");
    g.line("static void *const labels[] = {&&one, &&two, &&three};");
    g.line("goto *labels[sum % 3];");
    g.line("one: sum += 1;");
    g.line("two: sum *= 3;");
    g.line("three: return sum;");
    g.close();
}
