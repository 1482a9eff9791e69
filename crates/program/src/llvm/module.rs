//! Modules: reading, linking, checking, and the lists of what they hold.

use std::ffi::{CStr, CString};
use std::ptr;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::{LLVMGetBitcodeModuleInContext2, LLVMParseBitcodeInContext2};
use llvm_sys::core::{
    LLVMAddFunction, LLVMAddGlobal, LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMDeleteFunction,
    LLVMDeleteGlobal, LLVMDisposeMemoryBuffer, LLVMDisposeModule, LLVMGetDataLayoutStr,
    LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetFirstGlobalAlias, LLVMGetFirstUse,
    LLVMGetLinkage, LLVMGetMDKindIDInContext, LLVMGetModuleInlineAsm,
    LLVMGetNamedFunctionWithLength, LLVMGetNamedGlobalAlias, LLVMGetNamedGlobalWithLength,
    LLVMGetNextFunction, LLVMGetNextGlobal, LLVMGetNextGlobalAlias, LLVMGetTarget,
    LLVMGetValueName2, LLVMGlobalGetValueType, LLVMModuleCreateWithNameInContext,
    LLVMReplaceAllUsesWith, LLVMSetDataLayout, LLVMSetLinkage, LLVMSetTarget, LLVMSetValueName2,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::{LLVMMemoryBufferRef, LLVMModuleRef, LLVMValueRef};
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};

use super::{Context, Layout, Value, ValueKind, copy_c_string, copy_string, take_message};

pub(crate) use llvm_sys::LLVMLinkage as LinkageCode;

/// A module, owned.
pub(crate) struct Module<'c> {
    pub(super) raw: LLVMModuleRef,
    pub(super) context: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is owned, and every handle into it borrowed it.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

impl<'c> Module<'c> {
    /// Reads bitcode. The reason of a failure is among the context's diagnostics.
    pub(crate) fn parse_bitcode(context: &'c Context, content: &[u8], name: &str) -> Option<Self> {
        let buffer = memory_buffer(content, name);
        let mut raw = ptr::null_mut();
        // SAFETY: context and buffer are live; the buffer stays ours.
        let failed = unsafe { LLVMParseBitcodeInContext2(context.raw, buffer, &raw mut raw) };
        // SAFETY: made above, and the module has been read in full.
        unsafe { LLVMDisposeMemoryBuffer(buffer) };
        (failed == 0).then_some(Self { raw, context })
    }

    /// Reads bitcode whose functions are read when they are linked.
    pub(crate) fn open_bitcode(context: &'c Context, content: &[u8], name: &str) -> Option<Self> {
        let buffer = memory_buffer(content, name);
        let mut raw = ptr::null_mut();
        // SAFETY: context and buffer are live; the module takes the buffer over.
        let failed = unsafe { LLVMGetBitcodeModuleInContext2(context.raw, buffer, &raw mut raw) };
        (failed == 0).then_some(Self { raw, context })
    }

    /// Reads IR text, or says what is wrong with it.
    pub(crate) fn parse_text(
        context: &'c Context,
        content: &[u8],
        name: &str,
    ) -> Result<Self, String> {
        let buffer = memory_buffer(content, name);
        let mut raw = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: context and buffer are live; the buffer stays ours.
        let failed =
            unsafe { LLVMParseIRInContext2(context.raw, buffer, &raw mut raw, &raw mut message) };
        // SAFETY: made above, and the module has been read in full.
        unsafe { LLVMDisposeMemoryBuffer(buffer) };
        // SAFETY: null or a message that is ours.
        let message = unsafe { take_message(message) };
        if failed == 0 {
            Ok(Self { raw, context })
        } else {
            Err(message)
        }
    }

    /// An empty module for the machine of this one.
    pub(crate) fn empty_like(&self) -> Module<'c> {
        // SAFETY: the context is live.
        let raw = unsafe { LLVMModuleCreateWithNameInContext(c"".as_ptr(), self.context.raw) };
        let context = self.context;
        let empty = Module { raw, context };
        // SAFETY: both modules are live; the strings are this one's and are copied.
        unsafe {
            LLVMSetTarget(raw, LLVMGetTarget(self.raw));
            LLVMSetDataLayout(raw, LLVMGetDataLayoutStr(self.raw));
        }
        empty
    }

    /// Declares what another module of the same context uses and does not define; weak
    /// references are none.
    pub(crate) fn declare_undefined_of(&mut self, other: &Module<'c>) {
        let is_missing = |value: &Value<'_>| value.is_undefined();
        for function in other.functions().filter(is_missing) {
            if let Ok(name) = CString::new(function.name()) {
                let kind = function.content_type().raw;
                // SAFETY: the module is live, the type of its context.
                unsafe { LLVMAddFunction(self.raw, name.as_ptr(), kind) };
            }
        }
        for global in other.globals().filter(is_missing) {
            if let Ok(name) = CString::new(global.name()) {
                let kind = global.content_type().raw;
                // SAFETY: the module is live, the type of its context.
                unsafe { LLVMAddGlobal(self.raw, kind, name.as_ptr()) };
            }
        }
    }

    /// Removes declarations that nothing uses.
    pub(crate) fn remove_unused_declarations(&mut self) {
        let is_unused = |value: &Value<'_>| {
            // SAFETY: it is a value of this module.
            value.is_declaration() && unsafe { LLVMGetFirstUse(value.raw) }.is_null()
        };
        let raw = |value: Value<'_>| value.raw;
        let functions: Vec<_> = self.functions().filter(is_unused).map(raw).collect();
        let globals: Vec<_> = self.globals().filter(is_unused).map(raw).collect();
        for function in functions {
            // SAFETY: it is of this module, which is borrowed mutably, and used nowhere.
            unsafe { LLVMDeleteFunction(function) };
        }
        for global in globals {
            // SAFETY: as above.
            unsafe { LLVMDeleteGlobal(global) };
        }
    }

    /// Moves everything from `other` into this module. The reason of a failure
    /// is among the context's diagnostics.
    pub(crate) fn link(&mut self, other: Module<'c>) -> Result<(), ()> {
        let other = std::mem::ManuallyDrop::new(other);
        // SAFETY: both modules are live and of one context; linking consumes
        // the second, which is therefore not dropped.
        let failed = unsafe { LLVMLinkModules2(self.raw, other.raw) };
        if failed == 0 { Ok(()) } else { Err(()) }
    }

    /// Lets definitions of the `other` module win over this one's. What is weak in it is
    /// a stand-in, and yields to a definition here as it would to any.
    pub(crate) fn yield_to(&mut self, other: &Module<'_>) {
        for value in self.functions().chain(self.globals()).chain(self.aliases()) {
            let external = LinkageCode::LLVMExternalLinkage;
            if value.is_declaration() || value.linkage() != external {
                continue;
            }
            let defined = other.definition(&value.name());
            if defined.is_some_and(|linkage| linkage == external) {
                // SAFETY: it is a global value of this module, which is borrowed mutably.
                unsafe { LLVMSetLinkage(value.raw, LinkageCode::LLVMWeakAnyLinkage) };
            }
        }
    }

    /// Takes functions away from the module that somebody else has. One that another name
    /// stands for stays.
    pub(crate) fn leave_out(&mut self, is_elsewhere: impl Fn(&str) -> bool) {
        let aliases: Vec<Value<'_>> = self.aliases().collect();
        let is_aliased = |value: Value<'_>| aliases.iter().any(|it| it.aliasee() == value);
        let is_visible = |value: &Value<'_>| {
            let linkage = value.linkage();
            linkage == LinkageCode::LLVMExternalLinkage
                || linkage == LinkageCode::LLVMWeakAnyLinkage
        };
        let of_functions = aliases.iter().copied();
        let of_functions = of_functions.filter(|it| it.aliasee().kind() == ValueKind::Function);
        let defined = self.functions().filter(|it| !it.is_declaration());
        let found = defined.chain(of_functions).filter(is_visible);
        let found = found.filter(|it| is_elsewhere(&it.name()) && !is_aliased(*it));
        let found: Vec<(LLVMValueRef, CString)> = found
            .filter_map(|it| Some((it.raw, CString::new(it.name()).ok()?)))
            .collect();
        for (raw, name) in found {
            // SAFETY: it is a function of this module or stands for one, and the module is
            // borrowed mutably. The declaration that takes its place has its type.
            unsafe {
                LLVMSetLinkage(raw, LinkageCode::LLVMInternalLinkage);
                LLVMSetValueName2(raw, c"".as_ptr(), 0);
                let declared =
                    LLVMAddFunction(self.raw, name.as_ptr(), LLVMGlobalGetValueType(raw));
                LLVMReplaceAllUsesWith(raw, declared);
            }
        }
    }

    /// Lets only those of the module's definitions be linked that are missing where it is
    /// linked to, and what they use; LLVM's linker treats what has this linkage so. What is
    /// the module's own gets a name that has the mark in it, so that it is the same thing
    /// when the module is linked again for other symbols. Its constructors come with the
    /// first.
    pub(crate) fn offer_symbols(&mut self, mark: &str, is_first: bool) {
        let values: Vec<LLVMValueRef> = {
            let values = self.functions().chain(self.globals()).chain(self.aliases());
            let defined = values.filter(|value| !value.is_declaration());
            defined.map(|value| value.raw).collect()
        };
        for raw in values {
            // SAFETY: it is a global value of this module, which is borrowed mutably; those
            // that are deleted are not looked at again.
            unsafe {
                match LLVMGetLinkage(raw) {
                    LinkageCode::LLVMAppendingLinkage if !is_first => LLVMDeleteGlobal(raw),
                    LinkageCode::LLVMInternalLinkage | LinkageCode::LLVMPrivateLinkage => {
                        let mut length = 0;
                        let name = LLVMGetValueName2(raw, &raw mut length);
                        let own = format!("{}.{mark}", copy_string(name, length));
                        LLVMSetValueName2(raw, own.as_ptr().cast(), own.len());
                        LLVMSetLinkage(raw, LinkageCode::LLVMLinkOnceODRLinkage);
                    }
                    LinkageCode::LLVMExternalLinkage
                    | LinkageCode::LLVMWeakAnyLinkage
                    | LinkageCode::LLVMWeakODRLinkage => {
                        LLVMSetLinkage(raw, LinkageCode::LLVMLinkOnceODRLinkage);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Makes a function that the module defines visible to other modules.
    pub(crate) fn publish(&mut self, name: &str) {
        let own = |value: &Value<'_>| value.name() == name && !value.is_declaration();
        if let Some(function) = self.functions().find(own) {
            // SAFETY: it is a global value of this module, which is borrowed mutably.
            unsafe { LLVMSetLinkage(function.raw, LinkageCode::LLVMExternalLinkage) };
        }
    }

    /// The linkage of what the module defines under a name.
    pub(crate) fn definition(&self, name: &str) -> Option<LinkageCode> {
        let (start, length) = (name.as_ptr().cast(), name.len());
        // SAFETY: the module is live, the string valid for its length.
        let function = unsafe { LLVMGetNamedFunctionWithLength(self.raw, start, length) };
        // SAFETY: as above.
        let global = unsafe { LLVMGetNamedGlobalWithLength(self.raw, start, length) };
        // SAFETY: as above.
        let alias = unsafe { LLVMGetNamedGlobalAlias(self.raw, start, length) };
        let found = [function, global, alias];
        // SAFETY: null or a global value of this module, which is borrowed.
        let mut found = found
            .map(|raw| unsafe { Value::from_nullable(raw) })
            .into_iter()
            .flatten();
        let value = found.find(|value| !value.is_declaration())?;
        Some(value.linkage())
    }

    /// What LLVM's verifier finds wrong.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is live, the pointer valid for writing.
        let broken = unsafe { LLVMVerifyModule(self.raw, action, &raw mut message) };
        // SAFETY: null or a message that is ours.
        let message = unsafe { take_message(message) };
        if broken == 0 { Ok(()) } else { Err(message) }
    }

    /// Runs passes, named as for `opt -passes=`.
    pub(crate) fn run_passes(&mut self, passes: &CStr) -> Result<(), String> {
        // SAFETY: no preconditions; disposed of below.
        let options = unsafe { LLVMCreatePassBuilderOptions() };
        // SAFETY: the module is live, and a target machine is optional.
        let error = unsafe { LLVMRunPasses(self.raw, passes.as_ptr(), ptr::null_mut(), options) };
        // SAFETY: made above.
        unsafe { LLVMDisposePassBuilderOptions(options) };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is ours; asking for its message consumes it.
        let raw = unsafe { LLVMGetErrorMessage(error) };
        // SAFETY: error messages end with a zero byte.
        let message = unsafe { copy_c_string(raw) };
        // SAFETY: the message is ours.
        unsafe { LLVMDisposeErrorMessage(raw) };
        Err(message)
    }

    /// Runs passes on the functions that are chosen. They may not conclude from a use of null
    /// that it is never reached: that use is an error of the program's.
    pub(crate) fn run_passes_on(
        &mut self,
        is_chosen: impl Fn(Value<'_>) -> bool,
        passes: &CStr,
    ) -> Result<(), String> {
        // Passes leave functions alone that have this attribute.
        const ALONE: &str = "optnone";
        const NULL_IS_VALID: &str = "null_pointer_is_valid";
        let marked: Vec<_> = (self.functions())
            .filter(|it| !it.is_declaration())
            .map(|it| match is_chosen(it) {
                true => (it, NULL_IS_VALID),
                false => (it, ALONE),
            })
            .filter(|&(it, mark)| !it.function_has(mark))
            .map(|(it, mark)| (it.raw, mark))
            .collect();
        for &(raw, mark) in &marked {
            // SAFETY: it is a function of the module.
            unsafe { Value::from_raw(raw) }.add_to_function(mark);
        }
        let result = self.run_passes(passes);
        for (raw, mark) in marked {
            // SAFETY: passes of functions delete none.
            unsafe { Value::from_raw(raw) }.remove_from_function(mark);
        }
        result
    }

    pub(crate) fn triple(&self) -> String {
        // SAFETY: the module is live; the string is its own and ends with zero.
        unsafe { copy_c_string(LLVMGetTarget(self.raw)) }
    }

    pub(crate) fn set_triple(&mut self, triple: &CStr) {
        // SAFETY: the module is live.
        unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) }
    }

    pub(crate) fn data_layout(&self) -> String {
        // SAFETY: the module is live; the string is its own and ends with zero.
        unsafe { copy_c_string(LLVMGetDataLayoutStr(self.raw)) }
    }

    pub(crate) fn set_data_layout(&mut self, layout: &CStr) {
        // SAFETY: the module is live, and callers pass layouts LLVM itself defines.
        unsafe { LLVMSetDataLayout(self.raw, layout.as_ptr()) }
    }

    pub(crate) fn layout(&self) -> Layout<'_> {
        // SAFETY: the module is live and keeps its layout as long as it is borrowed.
        unsafe { Layout::from_raw(LLVMGetModuleDataLayout(self.raw)) }
    }

    pub(crate) fn inline_asm(&self) -> String {
        let mut length = 0;
        // SAFETY: the module is live, the pointer valid for writing.
        let raw = unsafe { LLVMGetModuleInlineAsm(self.raw, &raw mut length) };
        // SAFETY: LLVM gave pointer and length together.
        unsafe { copy_string(raw, length) }
    }

    /// The number of a kind of metadata.
    pub(crate) fn metadata_kind(&self, name: &str) -> u32 {
        let length = u32::try_from(name.len()).expect("kinds of metadata have short names");
        // SAFETY: the context is live, the string valid for its length.
        unsafe { LLVMGetMDKindIDInContext(self.context.raw, name.as_ptr().cast(), length) }
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is live.
        let first = unsafe { LLVMGetFirstFunction(self.raw) };
        // SAFETY: the list holds functions of this module.
        list(first, |value| unsafe { LLVMGetNextFunction(value) })
    }

    pub(crate) fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is live.
        let first = unsafe { LLVMGetFirstGlobal(self.raw) };
        // SAFETY: the list holds global variables of this module.
        list(first, |value| unsafe { LLVMGetNextGlobal(value) })
    }

    pub(crate) fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is live.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.raw) };
        // SAFETY: the list holds aliases of this module.
        list(first, |value| unsafe { LLVMGetNextGlobalAlias(value) })
    }

    pub(crate) fn global(&self, name: &str) -> Option<Value<'_>> {
        // SAFETY: the module is live, the string valid for its length.
        let raw =
            unsafe { LLVMGetNamedGlobalWithLength(self.raw, name.as_ptr().cast(), name.len()) };
        // SAFETY: null or a global of this module, which is borrowed.
        unsafe { Value::from_nullable(raw) }
    }
}

/// The values from `first` to null.
fn list<'m>(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    // SAFETY: the callers' lists hold values of a module borrowed for `'m`.
    let first = unsafe { Value::from_nullable(first) };
    std::iter::successors(first, move |value: &Value<'m>| {
        // SAFETY: as above.
        unsafe { Value::from_nullable(next(value.raw)) }
    })
}

fn memory_buffer(content: &[u8], name: &str) -> LLVMMemoryBufferRef {
    let name = CString::new(name.replace('\0', "")).expect("zero bytes were removed");
    // SAFETY: the content is valid for its length and copied; the name too.
    unsafe {
        LLVMCreateMemoryBufferWithMemoryRangeCopy(
            content.as_ptr().cast(),
            content.len(),
            name.as_ptr(),
        )
    }
}
