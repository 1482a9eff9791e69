//! Strings and regular languages in Z3.
//!
//! Z3's theory of strings is incomplete, and some operators it only knows on
//! constants; it says so, and so does the backend. What it decides agrees with
//! SMT-LIB's alphabet once it is told to use it (see [`super::context`]).

use super::context::Context;
use super::translate::{Refusal, Translation};
use std::ffi::CString;
use std::fmt::Write;
use std::rc::Rc;
use term::{Op, Regex, Sort, Store, Term};
use z3_sys::*;

/// The operator on text of `term` on these arguments.
pub(super) fn operator(
    z3: &mut Translation,
    store: &Store,
    term: Term,
    args: &[Z3_ast],
) -> Result<Z3_ast, Refusal> {
    let c = z3.context.clone();
    Ok(match (store.op(term), args) {
        (Op::StrConcat, args) => c.nary(Z3_mk_seq_concat, args),
        (Op::StrLen, &[a]) => c.unary(Z3_mk_seq_length, a),
        (Op::StrAt, &[a, index]) => c.binary(Z3_mk_seq_at, a, index),
        (Op::StrSubstr, &[a, start, length]) => c.ternary(Z3_mk_seq_extract, a, start, length),
        (Op::StrPrefixOf, &[prefix, a]) => c.binary(Z3_mk_seq_prefix, prefix, a),
        (Op::StrSuffixOf, &[suffix, a]) => c.binary(Z3_mk_seq_suffix, suffix, a),
        (Op::StrContains, &[a, part]) => c.binary(Z3_mk_seq_contains, a, part),
        (Op::StrIndexOf, &[a, part, start]) => c.ternary(Z3_mk_seq_index, a, part, start),
        (Op::StrReplace, &[a, part, with]) => c.ternary(Z3_mk_seq_replace, a, part, with),
        (Op::StrReplaceAll, args) => c.apply(z3.text_operators().replace_all, args),
        (Op::StrReplaceRe, args) => c.apply(z3.text_operators().replace_re, args),
        (Op::StrReplaceReAll, args) => c.apply(z3.text_operators().replace_re_all, args),
        // Of its own `str.is_digit` Z3 does not find out that it holds.
        (Op::StrIsDigit, &[a]) => c.binary(Z3_mk_seq_in_re, a, range(&c, 0x30, 0x39)),
        (Op::StrToCode, args) => c.apply(z3.text_operators().to_code, args),
        (Op::StrFromCode, args) => c.apply(z3.text_operators().from_code, args),
        (Op::StrToInt, &[a]) => c.unary(Z3_mk_str_to_int, a),
        (Op::StrFromInt, &[a]) => c.unary(Z3_mk_int_to_str, a),
        (Op::StrLt, &[a, b]) => c.binary(Z3_mk_str_lt, a, b),
        (Op::StrLe, &[a, b]) => c.binary(Z3_mk_str_le, a, b),
        (Op::StrInRe, &[a, language]) => c.binary(Z3_mk_seq_in_re, a, language),
        (Op::ReNone, []) => none(z3),
        (Op::ReAll, []) => all(z3),
        (Op::ReAllChar, []) => z3.text_operators().any_character,
        (Op::ReFromStr, &[a]) => c.unary(Z3_mk_seq_to_re, a),
        (Op::ReRange, &[low, high]) => c.binary(Z3_mk_re_range, low, high),
        (Op::ReConcat, args) => c.nary(Z3_mk_re_concat, args),
        (Op::ReUnion, args) => c.nary(Z3_mk_re_union, args),
        (Op::ReInter, args) => c.nary(Z3_mk_re_intersect, args),
        (Op::ReStar, &[a]) => c.unary(Z3_mk_re_star, a),
        (Op::ReComp, &[a]) => c.unary(Z3_mk_re_complement, a),
        (Op::ReLoop, &[a]) => {
            let [least, most] = store.indices(term);
            repeat(z3, a, least, most)
        }
        (op, _) => unreachable!("{op:?} is not an operator on text"),
    })
}

/// The operators for which the C interface has no function of its own.
pub(super) struct TextOperators {
    replace_all: Z3_func_decl,
    replace_re: Z3_func_decl,
    replace_re_all: Z3_func_decl,
    to_code: Z3_func_decl,
    from_code: Z3_func_decl,
    any_character: Z3_ast,
}

impl TextOperators {
    /// Has Z3 read a text in which each of them occurs.
    pub fn new(context: &Context) -> TextOperators {
        let operator = |declaration: &str, application: &str| {
            let read = read_equation(context, declaration, application);
            // SAFETY: the context is alive and so is the application just read.
            context.keep_declaration(unsafe {
                let application = Z3_to_app(context.raw(), read).expect("it is an application");
                Z3_get_app_decl(context.raw(), application)
            })
        };
        let string = "(declare-const s String)";
        let language = "(declare-const s String) (declare-const r (RegEx String))";
        let number = "(declare-const n Int)";
        TextOperators {
            replace_all: operator(string, "(str.replace_all s s s)"),
            replace_re: operator(language, "(str.replace_re s r s)"),
            replace_re_all: operator(language, "(str.replace_re_all s r s)"),
            to_code: operator(string, "(str.to_code s)"),
            from_code: operator(number, "(str.from_code n)"),
            any_character: read_equation(context, "", "re.allchar"),
        }
    }

    /// The code point of a one-character string.
    pub fn code(&self, context: &Context, character: Z3_ast) -> Z3_ast {
        context.apply(self.to_code, &[character])
    }
}

/// The term as Z3 reads it.
fn read_equation(context: &Context, declaration: &str, term: &str) -> Z3_ast {
    let script = format!("{declaration} (assert (= {term} {term}))");
    let script = CString::new(script).expect("no script has a zero byte");
    let c = context.raw();
    // SAFETY: the context is alive; there are no sorts or declarations to point
    // to; the parts of the equation are alive as long as the vector is, and the
    // left side is kept before it goes.
    unsafe {
        let none = std::ptr::null();
        let sorts = std::ptr::null();
        let declarations = std::ptr::null();
        let script = script.as_ptr();
        let read = Z3_parse_smtlib2_string(c, script, 0, none, sorts, 0, none, declarations)
            .expect("Z3 reads the operators it documents");
        Z3_ast_vector_inc_ref(c, read);
        let equation = Z3_ast_vector_get(c, read, 0).expect("there is one assertion");
        let equation = Z3_to_app(c, equation).expect("an equation is an application");
        let left = context.keep(Z3_get_app_arg(c, equation, 0));
        Z3_ast_vector_dec_ref(c, read);
        left
    }
}

/// The string constant, every character but plain ones escaped.
pub(super) fn constant(context: &Context, points: &[u32]) -> Z3_ast {
    let mut escaped = String::new();
    for &point in points {
        match char::from_u32(point) {
            Some(plain) if plain.is_ascii_alphanumeric() => escaped.push(plain),
            _ => write!(escaped, "\\u{{{point:x}}}").expect("writing to a string succeeds"),
        }
    }
    let escaped = CString::new(escaped).expect("a zero is escaped too");
    // SAFETY: the context is alive and the text outlives the call.
    context.keep(unsafe { Z3_mk_string(context.raw(), escaped.as_ptr()) })
}

fn none(z3: &mut Translation) -> Z3_ast {
    let sort = z3.sort(Sort::RegLan);
    let c = &z3.context;
    // SAFETY: the context and the sort are alive.
    c.keep(unsafe { Z3_mk_re_empty(c.raw(), sort) })
}

fn all(z3: &mut Translation) -> Z3_ast {
    let sort = z3.sort(Sort::RegLan);
    let c = &z3.context;
    // SAFETY: the context and the sort are alive.
    c.keep(unsafe { Z3_mk_re_full(c.raw(), sort) })
}

fn empty_string(context: &Context) -> Z3_ast {
    context.unary(Z3_mk_seq_to_re, constant(context, &[]))
}

/// To Z3 an upper bound of zero means that there is none.
fn repeat(z3: &mut Translation, a: Z3_ast, least: u32, most: u32) -> Z3_ast {
    match most {
        _ if least > most => none(z3),
        0 => empty_string(&z3.context),
        _ => {
            let c = &z3.context;
            // SAFETY: the context is alive and so is the term, which was kept.
            c.keep(unsafe { Z3_mk_re_loop(c.raw(), a, least, most) })
        }
    }
}

/// The constant language in Z3. A long literal is deep, so the walk has a
/// stack of its own: parts wait on it until their own parts are made.
pub(super) fn language(z3: &mut Translation, language: &Rc<Regex>) -> Z3_ast {
    enum Step<'a> {
        Enter(&'a Regex),
        Leave(&'a Regex),
    }
    let mut steps = vec![Step::Enter(language)];
    let mut made: Vec<Z3_ast> = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(part) => {
                steps.push(Step::Leave(part));
                match part {
                    Regex::None | Regex::Empty | Regex::Range(..) => {}
                    Regex::Concat(a, b) | Regex::Union(a, b) | Regex::Inter(a, b) => {
                        steps.extend([Step::Enter(b), Step::Enter(a)]);
                    }
                    Regex::Star(a) | Regex::Loop(a, ..) | Regex::Complement(a) => {
                        steps.push(Step::Enter(a));
                    }
                }
            }
            Step::Leave(part) => {
                let mut last = || made.pop().expect("the parts were made before");
                let result = match part {
                    Regex::None => none(z3),
                    Regex::Empty => empty_string(&z3.context),
                    Regex::Range(low, high) => range(&z3.context, *low, *high),
                    Regex::Concat(..) | Regex::Union(..) | Regex::Inter(..) => {
                        let (b, a) = (last(), last());
                        let make = match part {
                            Regex::Concat(..) => Z3_mk_re_concat,
                            Regex::Union(..) => Z3_mk_re_union,
                            _ => Z3_mk_re_intersect,
                        };
                        z3.context.nary(make, &[a, b])
                    }
                    Regex::Star(_) => z3.context.unary(Z3_mk_re_star, last()),
                    Regex::Complement(_) => z3.context.unary(Z3_mk_re_complement, last()),
                    Regex::Loop(_, least, most) => {
                        let a = last();
                        repeat(z3, a, *least, *most)
                    }
                };
                made.push(result);
            }
        }
    }
    made.pop().expect("the whole was made last")
}

fn range(context: &Context, low: u32, high: u32) -> Z3_ast {
    let [low, high] = [low, high].map(|point| constant(context, &[point]));
    context.binary(Z3_mk_re_range, low, high)
}
