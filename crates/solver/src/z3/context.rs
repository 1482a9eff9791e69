//! The border to Z3's C interface.
//!
//! Everything made through a [`Context`] stays alive until the last handle of
//! the context is gone, so that the handles Z3 gives out may be copied freely
//! on this side. The bindings of `z3-sys` are written for newer releases than
//! the oldest we run with (4.8.12): only functions and enumerations that have
//! not changed since are used, and operators are told apart by their names,
//! never by `DeclKind`, whose numbers move between releases.

use std::ffi::{CStr, CString, c_char};
use std::rc::Rc;
use std::sync::Once;
use z3_sys::*;

/// A Z3 context; its clones are handles of the same one.
#[derive(Clone)]
pub(super) struct Context(Rc<Owned>);

/// Deletes the context, and with it all that was made in it.
struct Owned(Z3_context);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the context was made by `Context::new` and this is its last handle.
        unsafe { Z3_del_context(self.0) }
    }
}

impl Context {
    /// A context with nothing in it.
    pub fn new() -> Context {
        set_global_parameters();
        // SAFETY: the configuration lives until the context is made. Without a
        // handler errors are returned, not thrown.
        unsafe {
            let config = Z3_mk_config().expect("Z3 makes a configuration");
            let context = Z3_mk_context_rc(config).expect("Z3 makes a context");
            Z3_del_config(config);
            Z3_set_error_handler(context, None);
            Context(Rc::new(Owned(context)))
        }
    }

    /// The context as Z3's functions take it.
    #[inline]
    pub fn raw(&self) -> Z3_context {
        self.0.0
    }

    /// The term just made, which now lives as long as the context.
    ///
    /// # Panics
    /// When Z3 refused to make it, which it only does with ill-sorted arguments.
    #[inline]
    pub fn keep(&self, made: Option<Z3_ast>) -> Z3_ast {
        let made =
            made.unwrap_or_else(|| panic!("Z3 rejects a well-sorted term: {}", self.error()));
        // SAFETY: the term was made in this context by the call before this one.
        unsafe { Z3_inc_ref(self.raw(), made) };
        made
    }

    /// The sort just made, which now lives as long as the context.
    pub fn keep_sort(&self, made: Option<Z3_sort>) -> Z3_sort {
        let made = made.unwrap_or_else(|| panic!("Z3 rejects a sort: {}", self.error()));
        // SAFETY: as in `keep`; a sort is a term to the reference counts.
        unsafe {
            let ast = Z3_sort_to_ast(self.raw(), made).expect("a sort is a term");
            Z3_inc_ref(self.raw(), ast);
        }
        made
    }

    /// The declaration just made, which now lives as long as the context.
    pub fn keep_declaration(&self, made: Option<Z3_func_decl>) -> Z3_func_decl {
        let made = made.unwrap_or_else(|| panic!("Z3 rejects a declaration: {}", self.error()));
        // SAFETY: as in `keep`; a declaration is a term to the reference counts.
        unsafe {
            let ast = Z3_func_decl_to_ast(self.raw(), made).expect("a declaration is a term");
            Z3_inc_ref(self.raw(), ast);
        }
        made
    }

    /// The last error, in Z3's words.
    pub fn error(&self) -> String {
        // SAFETY: the context is alive; the text is copied before the next call.
        unsafe {
            let code = Z3_get_error_code(self.raw());
            text(Z3_get_error_msg(self.raw(), code))
        }
    }

    /// A term from a function of no arguments.
    #[inline]
    pub fn nullary(&self, make: unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>) -> Z3_ast {
        // SAFETY: the context is alive.
        self.keep(unsafe { make(self.raw()) })
    }

    /// A term from a function of one term.
    #[inline]
    pub fn unary(
        &self,
        make: unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>,
        a: Z3_ast,
    ) -> Z3_ast {
        // SAFETY: the context is alive, and so is the term, which was kept.
        self.keep(unsafe { make(self.raw(), a) })
    }

    /// A term from a function of two terms.
    #[inline]
    pub fn binary(
        &self,
        make: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>,
        a: Z3_ast,
        b: Z3_ast,
    ) -> Z3_ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw(), a, b) })
    }

    /// A term from a function of three terms.
    #[inline]
    pub fn ternary(
        &self,
        make: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>,
        a: Z3_ast,
        b: Z3_ast,
        c: Z3_ast,
    ) -> Z3_ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw(), a, b, c) })
    }

    /// A term from a function of any number of terms.
    #[inline]
    pub fn nary(
        &self,
        make: unsafe extern "C" fn(Z3_context, u32, *const Z3_ast) -> Option<Z3_ast>,
        args: &[Z3_ast],
    ) -> Z3_ast {
        // SAFETY: as in `unary`; the pointer is to as many terms as are named.
        self.keep(unsafe { make(self.raw(), args.len() as u32, args.as_ptr()) })
    }

    /// A term from a function of a number and a term.
    #[inline]
    pub fn indexed(
        &self,
        make: unsafe extern "C" fn(Z3_context, u32, Z3_ast) -> Option<Z3_ast>,
        index: u32,
        a: Z3_ast,
    ) -> Z3_ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw(), index, a) })
    }

    /// A term from a conversion of one term to a sort.
    #[inline]
    pub fn cast(
        &self,
        make: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_sort) -> Option<Z3_ast>,
        a: Z3_ast,
        to: Z3_sort,
    ) -> Z3_ast {
        // SAFETY: as in `unary`; sorts are kept too.
        self.keep(unsafe { make(self.raw(), a, to) })
    }

    /// A term from a rounded conversion of one term to a sort.
    #[inline]
    pub fn rounded_cast(
        &self,
        make: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_sort) -> Option<Z3_ast>,
        rm: Z3_ast,
        a: Z3_ast,
        to: Z3_sort,
    ) -> Z3_ast {
        // SAFETY: as in `cast`.
        self.keep(unsafe { make(self.raw(), rm, a, to) })
    }

    /// The function applied to these terms.
    #[inline]
    pub fn apply(&self, function: Z3_func_decl, args: &[Z3_ast]) -> Z3_ast {
        // SAFETY: as in `nary`; declarations are kept too.
        self.keep(unsafe { Z3_mk_app(self.raw(), function, args.len() as u32, args.as_ptr()) })
    }

    /// The numeral that this decimal text denotes in the sort.
    pub fn numeral(&self, digits: &str, sort: Z3_sort) -> Z3_ast {
        let digits = CString::new(digits).expect("digits hold no zero byte");
        // SAFETY: as in `cast`; the text outlives the call.
        self.keep(unsafe { Z3_mk_numeral(self.raw(), digits.as_ptr(), sort) })
    }

    /// The choice between two terms.
    pub fn ite(&self, condition: Z3_ast, then: Z3_ast, otherwise: Z3_ast) -> Z3_ast {
        self.ternary(Z3_mk_ite, condition, then, otherwise)
    }

    /// The bits from `low` to `high` of a bit-vector.
    pub fn extract(&self, high: u32, low: u32, a: Z3_ast) -> Z3_ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { Z3_mk_extract(self.raw(), high, low, a) })
    }

    /// An equal term, as simple as Z3 can say it.
    pub fn simplify(&self, a: &Held) -> Held {
        // SAFETY: as in `unary`.
        let made = unsafe { Z3_simplify(self.raw(), a.ast()) };
        self.temporary(self.keep(made))
    }

    /// The term Z3 just gave, let go of with the result.
    pub fn hold(&self, given: Z3_ast) -> Held {
        Held(self.clone(), self.keep(Some(given)))
    }

    /// The term just made here, let go of with the result.
    pub fn temporary(&self, made: Z3_ast) -> Held {
        Held(self.clone(), made)
    }
}

/// A term that is let go again, for results that are only looked at.
pub(super) struct Held(Context, Z3_ast);

impl Held {
    /// The term, alive as long as `self` is.
    pub fn ast(&self) -> Z3_ast {
        self.1
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the term was kept when `self` was made.
        unsafe { Z3_dec_ref(self.0.raw(), self.1) }
    }
}

/// A copy of a text Z3 gave.
///
/// # Safety
/// The pointer is to a text that is alive and ends with a zero byte.
pub(super) unsafe fn text(given: *const c_char) -> String {
    // SAFETY: the caller promises it.
    let given = unsafe { CStr::from_ptr(given) };
    given.to_string_lossy().into_owned()
}

/// Releases before 4.8.13 have strings of bytes unless told otherwise; later
/// ones have SMT-LIB's alphabet and do not know the parameter.
fn set_global_parameters() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let [mut major, mut minor, mut build, mut revision] = [0; 4];
        // SAFETY: the pointers are to live numbers; the texts are constants.
        unsafe {
            Z3_get_version(&mut major, &mut minor, &mut build, &mut revision);
            if (major, minor, build) < (4, 8, 13) {
                Z3_global_param_set(c"unicode".as_ptr(), c"true".as_ptr());
            }
        }
    });
}
