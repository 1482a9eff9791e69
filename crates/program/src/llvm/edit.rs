//! Changing a module: marks that code leaves behind when it runs.
//!
//! An [`Editor`] only adds; handles read from the module before stay valid.

use std::ffi::{CStr, CString};
use std::path::Path;

use llvm_sys::LLVMIntPredicate;
use llvm_sys::bit_writer::{LLVMWriteBitcodeToFile, LLVMWriteBitcodeToMemoryBuffer};
use llvm_sys::core::{
    LLVMAddAlias2, LLVMAddFunction, LLVMAddGlobal, LLVMArrayType2, LLVMBuildCall2, LLVMBuildICmp,
    LLVMBuildInBoundsGEP2, LLVMBuildLoad2, LLVMBuildSelect, LLVMBuildStore, LLVMCloneModule,
    LLVMConstArray2, LLVMConstInt, LLVMConstNull, LLVMConstStructInContext,
    LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMDisposeMemoryBuffer, LLVMFunctionType,
    LLVMGetBufferSize, LLVMGetBufferStart, LLVMGetInitializer, LLVMGetNamedFunction,
    LLVMGetNamedGlobal, LLVMGetNumOperands, LLVMGetOperand, LLVMGlobalGetValueType,
    LLVMInt8TypeInContext, LLVMInt64TypeInContext, LLVMPointerTypeInContext,
    LLVMPositionBuilderBefore, LLVMSetGlobalConstant, LLVMSetInitializer, LLVMSetLinkage,
    LLVMSetOperand, LLVMSetValueName2, LLVMSetVolatile, LLVMTypeOf, LLVMVoidTypeInContext,
};
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

use super::{LinkageCode, Module, Value};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// Makes calls of a module call other functions; handles read from it before stay valid.
pub(crate) struct Callees<'m> {
    module: &'m Module<'m>,
}

impl<'m> Callees<'m> {
    pub(crate) fn new<'c: 'm>(module: &'m mut Module<'c>) -> Self {
        Self { module }
    }

    pub(crate) fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// The call calls the function of this name from now on, which takes the same.
    pub(crate) fn replace(&self, call: Value<'m>, name: &str) {
        call.assert_call();
        let name = CString::new(name).expect("names of functions have no zero");
        // SAFETY: it is a call of a module that was borrowed mutably by whoever made this, its
        // last operand is what it calls, and the function has the type of what it called.
        unsafe {
            let known = LLVMGetNamedFunction(self.module.raw, name.as_ptr());
            let function = match known.is_null() {
                true => {
                    let kind = LLVMGlobalGetValueType(call.callee().raw);
                    LLVMAddFunction(self.module.raw, name.as_ptr(), kind)
                }
                false => known,
            };
            let last = LLVMGetNumOperands(call.raw).cast_unsigned() - 1;
            LLVMSetOperand(call.raw, last, function);
        }
    }
}

/// Adds code to a module: bytes of a table are set when it runs.
pub(crate) struct Editor<'m> {
    module: &'m Module<'m>,
    builder: LLVMBuilderRef,
    /// The variable that holds the table's address.
    table: LLVMValueRef,
}

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        // SAFETY: the builder is ours.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl<'m> Editor<'m> {
    /// Edits the module, whose code will find the table in a global variable.
    pub(crate) fn new<'c: 'm>(module: &'m mut Module<'c>, table: &CStr) -> Self {
        let module: &'m Module<'m> = module;
        // SAFETY: the context is live; the builder is disposed of in `drop`.
        let builder = unsafe { LLVMCreateBuilderInContext(module.context.raw) };
        // SAFETY: the context is live.
        let pointer = unsafe { LLVMPointerTypeInContext(module.context.raw, 0) };
        // SAFETY: the module is live and borrowed mutably by whoever made the editor.
        let table = unsafe { LLVMAddGlobal(module.raw, pointer, table.as_ptr()) };
        Self {
            module,
            builder,
            table,
        }
    }

    pub(crate) fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// The number of a byte of the table.
    pub(crate) fn number(&self, number: usize) -> Value<'m> {
        // SAFETY: the type is an integer's.
        unsafe { Value::from_raw(LLVMConstInt(self.int64(), number as u64, 0)) }
    }

    /// Sets a byte of the table before the instruction runs.
    pub(crate) fn mark(&self, before: Value<'m>, number: Value<'m>) {
        self.go_before(before);
        let (byte, pointer) = (self.int8(), self.pointer());
        let mut index = number.raw;
        // SAFETY: the builder stands before an instruction of the module, and
        // the variable holds a pointer to bytes.
        unsafe {
            let table = LLVMBuildLoad2(self.builder, pointer, self.table, UNNAMED);
            let place =
                LLVMBuildInBoundsGEP2(self.builder, byte, table, &raw mut index, 1, UNNAMED);
            let store = LLVMBuildStore(self.builder, LLVMConstInt(byte, 1, 0), place);
            LLVMSetVolatile(store, 1);
        }
    }

    /// Calls a function before the instruction runs, with addresses as its arguments.
    pub(crate) fn call(&self, before: Value<'m>, name: &CStr, addresses: &[Value<'m>]) {
        self.go_before(before);
        let count = addresses.len() as u32;
        let mut given: Vec<LLVMValueRef> = addresses.iter().map(|it| it.raw).collect();
        let mut taken = vec![self.pointer(); addresses.len()];
        // SAFETY: the builder stands before an instruction of the module, and the function
        // that is called is of this type.
        unsafe {
            let nothing = LLVMVoidTypeInContext(self.module.context.raw);
            let kind = LLVMFunctionType(nothing, taken.as_mut_ptr(), count, 0);
            let known = LLVMGetNamedFunction(self.module.raw, name.as_ptr());
            let function = match known.is_null() {
                true => LLVMAddFunction(self.module.raw, name.as_ptr(), kind),
                false => known,
            };
            LLVMBuildCall2(
                self.builder,
                kind,
                function,
                given.as_mut_ptr(),
                count,
                UNNAMED,
            );
        }
    }

    /// One of two numbers, chosen before the instruction runs.
    pub(crate) fn choose(
        &self,
        before: Value<'m>,
        condition: Value<'m>,
        then: Value<'m>,
        otherwise: Value<'m>,
    ) -> Value<'m> {
        self.go_before(before);
        // SAFETY: the builder stands before an instruction that the condition,
        // one bit, is an operand of; the numbers are of one type.
        unsafe {
            let chosen = LLVMBuildSelect(
                self.builder,
                condition.raw,
                then.raw,
                otherwise.raw,
                UNNAMED,
            );
            Value::from_raw(chosen)
        }
    }

    /// Whether two integers of one type are equal, found out before the
    /// instruction runs.
    pub(crate) fn equal(&self, before: Value<'m>, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.go_before(before);
        // SAFETY: as above.
        unsafe {
            let predicate = LLVMIntPredicate::LLVMIntEQ;
            Value::from_raw(LLVMBuildICmp(
                self.builder,
                predicate,
                a.raw,
                b.raw,
                UNNAMED,
            ))
        }
    }

    /// Makes the table, and a constant that says its size.
    pub(crate) fn make_table(&self, size: usize, size_name: &CStr) {
        let module = self.module.raw;
        // SAFETY: the types belong to the module's context, and initial values
        // have the types of their variables.
        unsafe {
            let bytes = LLVMArrayType2(self.int8(), size.max(1) as u64);
            let room = LLVMAddGlobal(module, bytes, c"__everypath_room".as_ptr());
            LLVMSetInitializer(room, LLVMConstNull(bytes));
            LLVMSetLinkage(room, LinkageCode::LLVMInternalLinkage);
            LLVMSetInitializer(self.table, room);
        }
        self.make_constant(size_name, self.number(size));
    }

    /// Makes a list of addresses, with null at its end.
    pub(crate) fn make_list(&self, name: &CStr, addresses: &[Value<'m>]) {
        let mut elements: Vec<LLVMValueRef> = addresses.iter().map(|it| it.raw).collect();
        // SAFETY: all elements are pointers, and the context is live.
        let list = unsafe {
            elements.push(LLVMConstNull(self.pointer()));
            let count = elements.len() as u64;
            let list = LLVMConstArray2(self.pointer(), elements.as_mut_ptr(), count);
            Value::from_raw(list)
        };
        self.make_constant(name, list);
    }

    /// Makes a variable that never changes, which other modules find by its name.
    pub(crate) fn make_constant(&self, name: &CStr, value: Value<'m>) {
        // SAFETY: the module is live, and the initial value has the type of the variable.
        unsafe {
            let kind = LLVMTypeOf(value.raw);
            let constant = LLVMAddGlobal(self.module.raw, kind, name.as_ptr());
            LLVMSetInitializer(constant, value.raw);
            LLVMSetGlobalConstant(constant, 1);
        }
    }

    /// Keeps the constructors of all files in the order of the list. Those of inline variables are
    /// tied to their variable, which puts them into a section of its own, behind the ones of files
    /// that came later.
    pub(crate) fn order_constructors(&self, list: &CStr) {
        // SAFETY: the module is live, and a list of LLVM's is an array of structures of three: a
        // priority, a function and what it is tied to. One without elements has no operands.
        unsafe {
            let list = LLVMGetNamedGlobal(self.module.raw, list.as_ptr());
            if list.is_null() {
                return;
            }
            let elements = LLVMGetInitializer(list);
            let count = u32::try_from(LLVMGetNumOperands(elements)).unwrap_or(0);
            let untied = (0..count).map(|index| {
                let element = LLVMGetOperand(elements, index);
                let mut fields = [
                    LLVMGetOperand(element, 0),
                    LLVMGetOperand(element, 1),
                    LLVMConstNull(self.pointer()),
                ];
                LLVMConstStructInContext(self.module.context.raw, fields.as_mut_ptr(), 3, 0)
            });
            let mut untied: Vec<LLVMValueRef> = untied.collect();
            if let Some(first) = untied.first() {
                let kind = LLVMTypeOf(*first);
                let length = untied.len() as u64;
                LLVMSetInitializer(list, LLVMConstArray2(kind, untied.as_mut_ptr(), length));
            }
        }
    }

    /// Gives a function another name, by which other modules find it.
    pub(crate) fn publish(&self, function: Value<'m>, name: &CStr) {
        // SAFETY: it is a function of the module.
        unsafe {
            let kind = LLVMGlobalGetValueType(function.raw);
            LLVMAddAlias2(self.module.raw, kind, 0, function.raw, name.as_ptr());
        }
    }

    /// Names a function anew.
    pub(crate) fn rename(&self, function: Value<'m>, name: &str) {
        // SAFETY: it is a function of the module, and the name valid for its length.
        unsafe { LLVMSetValueName2(function.raw, name.as_ptr().cast(), name.len()) }
    }

    fn go_before(&self, instruction: Value<'m>) {
        // SAFETY: it is an instruction of the module.
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.raw) }
    }

    fn int8(&self) -> LLVMTypeRef {
        // SAFETY: the context is live.
        unsafe { LLVMInt8TypeInContext(self.module.context.raw) }
    }

    fn int64(&self) -> LLVMTypeRef {
        // SAFETY: the context is live.
        unsafe { LLVMInt64TypeInContext(self.module.context.raw) }
    }

    fn pointer(&self) -> LLVMTypeRef {
        // SAFETY: the context is live.
        unsafe { LLVMPointerTypeInContext(self.module.context.raw, 0) }
    }
}

impl Module<'_> {
    /// The same module once more.
    pub(crate) fn duplicate(&self) -> Self {
        // SAFETY: the module is live; the copy is owned.
        let raw = unsafe { LLVMCloneModule(self.raw) };
        Self {
            raw,
            context: self.context,
        }
    }

    /// The module as bitcode.
    pub(crate) fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is live, and the buffer is ours until it is disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let (start, size) = (LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Writes the module as bitcode; whether that worked.
    pub(crate) fn write_bitcode(&self, file: &Path) -> bool {
        let Ok(path) = CString::new(file.as_os_str().as_encoded_bytes()) else {
            return false;
        };
        // SAFETY: the module is live and the path ends with zero.
        unsafe { LLVMWriteBitcodeToFile(self.raw, path.as_ptr()) == 0 }
    }
}
