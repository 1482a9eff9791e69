//! A thin safe layer over LLVM's C interface; the only place with `unsafe`.
//!
//! Handles ([`Type`], [`Value`], [`Block`], [`Metadata`], [`Layout`]) are plain
//! pointers that borrow the [`Module`] they were read from, so none outlives
//! it and none survives a change (linking and passes take the module mutably).
//! A method that makes sense for some values only checks that with LLVM's own
//! `IsA` question before it asks on, and panics otherwise: calling it is a
//! mistake in the lowering, not in the input.
//!
//! Nothing is printed: what LLVM would write to standard error is collected in
//! the [`Context`].

mod assumption;
mod edit;
mod file;
mod instruction;
mod metadata;
mod module;
mod types;
mod value;

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler, LLVMDisposeMessage,
    LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity, LLVMGetVersion,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef};

pub(crate) use assumption::Assumptions;
pub(crate) use edit::{Callees, Editor};
pub(crate) use file::MappedFile;
pub(crate) use instruction::{
    FloatPredicateCode, IntPredicateCode, Opcode, OrderingCode, RecordKind, RmwCode, VariableRecord,
};
pub(crate) use metadata::{Metadata, MetadataKind};
pub(crate) use module::{LinkageCode, Module};
pub(crate) use types::{Layout, Type, TypeKind};
pub(crate) use value::{Block, Value, ValueKind};

/// What LLVM had to say.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub is_error: bool,
    pub message: String,
}

/// Owns everything LLVM makes, and collects what it has to say.
pub(crate) struct Context {
    raw: LLVMContextRef,
    // Boxed: LLVM keeps its address.
    diagnostics: Box<RefCell<Vec<Diagnostic>>>,
}

impl Context {
    pub(crate) fn new() -> Self {
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        // SAFETY: creating a context has no preconditions.
        let raw = unsafe { LLVMContextCreate() };
        let collector = (&raw const *diagnostics).cast_mut().cast::<c_void>();
        // SAFETY: `collect` casts the pointer back to what it was, and the box
        // lives until the context is disposed of in `drop`.
        unsafe { LLVMContextSetDiagnosticHandler(raw, Some(collect), collector) };
        Self { raw, diagnostics }
    }

    /// What LLVM said since the last time this was asked.
    pub(crate) fn take_diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.take()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so all of them are gone.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, collector: *mut c_void) {
    // SAFETY: `Context::new` registered this function with that very type.
    let diagnostics = unsafe { &*collector.cast::<RefCell<Vec<Diagnostic>>>() };
    // SAFETY: LLVM calls handlers with a live diagnostic.
    let severity = unsafe { LLVMGetDiagInfoSeverity(info) };
    // SAFETY: as above; the message is ours to dispose of.
    let message = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    let is_error = matches!(severity, LLVMDiagnosticSeverity::LLVMDSError);
    diagnostics
        .borrow_mut()
        .push(Diagnostic { is_error, message });
}

/// The version of the LLVM this program is linked with, as `22.1.8`.
pub(crate) fn version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: the three pointers are valid for writing.
    unsafe { LLVMGetVersion(&raw mut major, &raw mut minor, &raw mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// Copies a message LLVM allocated, and frees it.
///
/// # Safety
///
/// `raw` is null or a message from LLVM that nobody else frees.
unsafe fn take_message(raw: *mut c_char) -> String {
    // SAFETY: messages end with a zero byte.
    let text = unsafe { copy_c_string(raw) };
    if !raw.is_null() {
        // SAFETY: the caller owns the message.
        unsafe { LLVMDisposeMessage(raw) };
    }
    text
}

/// Copies a string LLVM owns.
///
/// # Safety
///
/// `raw` is null or a string that ends with a zero byte.
unsafe fn copy_c_string(raw: *const c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(raw) }
        .to_string_lossy()
        .into_owned()
}

/// Copies a string of known length that LLVM owns.
///
/// # Safety
///
/// `raw` is null or valid for `length` bytes.
unsafe fn copy_string(raw: *const c_char, length: usize) -> String {
    // SAFETY: the caller's promise.
    String::from_utf8_lossy(unsafe { bytes(raw, length) }).into_owned()
}

/// The bytes of a string LLVM owns.
///
/// # Safety
///
/// `raw` is null or valid for `length` bytes for as long as `'a`.
unsafe fn bytes<'a>(raw: *const c_char, length: usize) -> &'a [u8] {
    if raw.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) }
}
