//! Values: constants, globals, functions, arguments, blocks.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMAttributeRef, LLVMBasicBlockRef, LLVMValueRef};
use llvm_sys::{LLVMInlineAsmDialect, LLVMValueKind};

use super::metadata::Metadata;
use super::{LinkageCode, Opcode, Type, TypeKind, bytes, copy_c_string, copy_string, take_message};

/// A value: an instruction, argument, constant, function, global, ….
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueKind {
    Instruction,
    Argument,
    Function,
    GlobalVariable,
    Alias,
    IFunc,
    BlockAddress,
    Int,
    Float,
    NullPointer,
    Undef,
    Poison,
    /// An array, struct or vector of constants.
    Aggregate,
    Expression,
    InlineAsm,
    Metadata,
    /// What single targets or sanitizers have.
    Other,
}

/// Where an attribute is looked for.
#[derive(Clone, Copy)]
enum AttributeIndex {
    Function,
    Parameter(u32),
}

impl AttributeIndex {
    fn raw(self) -> u32 {
        match self {
            Self::Function => llvm_sys::LLVMAttributeFunctionIndex,
            Self::Parameter(index) => index + 1,
        }
    }
}

impl<'m> Value<'m> {
    /// # Safety
    ///
    /// `raw` is a value of the module borrowed for `'m`.
    pub(super) unsafe fn from_raw(raw: LLVMValueRef) -> Self {
        debug_assert!(!raw.is_null());
        Self {
            raw,
            module: PhantomData,
        }
    }

    /// # Safety
    ///
    /// `raw` is null or a value of the module borrowed for `'m`.
    pub(super) unsafe fn from_nullable(raw: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller's promise, and it is not null.
        (!raw.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: the value is live.
        match unsafe { LLVMGetValueKind(self.raw) } {
            LLVMValueKind::LLVMArgumentValueKind => ValueKind::Argument,
            LLVMValueKind::LLVMFunctionValueKind => ValueKind::Function,
            LLVMValueKind::LLVMGlobalAliasValueKind => ValueKind::Alias,
            LLVMValueKind::LLVMGlobalIFuncValueKind => ValueKind::IFunc,
            LLVMValueKind::LLVMGlobalVariableValueKind => ValueKind::GlobalVariable,
            LLVMValueKind::LLVMBlockAddressValueKind => ValueKind::BlockAddress,
            LLVMValueKind::LLVMConstantExprValueKind => ValueKind::Expression,
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantVectorValueKind
            | LLVMValueKind::LLVMConstantAggregateZeroValueKind
            | LLVMValueKind::LLVMConstantDataArrayValueKind
            | LLVMValueKind::LLVMConstantDataVectorValueKind => ValueKind::Aggregate,
            LLVMValueKind::LLVMUndefValueValueKind => ValueKind::Undef,
            LLVMValueKind::LLVMPoisonValueKind => ValueKind::Poison,
            LLVMValueKind::LLVMConstantIntValueKind => ValueKind::Int,
            LLVMValueKind::LLVMConstantFPValueKind => ValueKind::Float,
            LLVMValueKind::LLVMConstantPointerNullValueKind => ValueKind::NullPointer,
            LLVMValueKind::LLVMMetadataAsValueValueKind => ValueKind::Metadata,
            LLVMValueKind::LLVMInlineAsmValueKind => ValueKind::InlineAsm,
            // Also what LLVM says of values its C interface has no name for.
            LLVMValueKind::LLVMInstructionValueKind if self.is_instruction() => {
                ValueKind::Instruction
            }
            LLVMValueKind::LLVMInstructionValueKind
            | LLVMValueKind::LLVMBasicBlockValueKind
            | LLVMValueKind::LLVMMemoryUseValueKind
            | LLVMValueKind::LLVMMemoryDefValueKind
            | LLVMValueKind::LLVMMemoryPhiValueKind
            | LLVMValueKind::LLVMConstantTokenNoneValueKind
            | LLVMValueKind::LLVMConstantTargetNoneValueKind
            | LLVMValueKind::LLVMConstantPtrAuthValueKind => ValueKind::Other,
        }
    }

    fn is_instruction(self) -> bool {
        // SAFETY: the value is live.
        unsafe { !LLVMIsAInstruction(self.raw).is_null() }
    }

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: the value is live.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    pub(crate) fn value_type(self) -> Type<'m> {
        // SAFETY: the value is live, and so is its type.
        unsafe { Type::from_raw(LLVMTypeOf(self.raw)) }
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the value is live, the pointer valid for writing.
        let raw = unsafe { LLVMGetValueName2(self.raw, &raw mut length) };
        // SAFETY: LLVM gave pointer and length together.
        unsafe { copy_string(raw, length) }
    }

    /// The value as IR text, cut short where it is long.
    pub(crate) fn text(self) -> String {
        // SAFETY: the value is live; the message is ours.
        let text = unsafe { take_message(LLVMPrintValueToString(self.raw)) };
        match text.trim().char_indices().nth(120) {
            Some((cut, _)) => format!("{}…", &text.trim()[..cut]),
            None => text.trim().to_owned(),
        }
    }

    pub(crate) fn operand_count(self) -> u32 {
        // SAFETY: the value is live.
        if unsafe { LLVMIsAUser(self.raw) }.is_null() {
            return 0;
        }
        // SAFETY: users have operands.
        let count = unsafe { LLVMGetNumOperands(self.raw) };
        u32::try_from(count).expect("counts are not negative")
    }

    pub(crate) fn operand(self, index: u32) -> Self {
        assert!(index < self.operand_count(), "the operand exists");
        // SAFETY: the operand exists.
        unsafe { Self::from_raw(LLVMGetOperand(self.raw, index)) }
    }

    pub(crate) fn operands(self) -> impl Iterator<Item = Self> {
        (0..self.operand_count()).map(move |index| self.operand(index))
    }

    // Constants.

    /// The words of a constant integer or floating-point number, least significant first.
    pub(crate) fn constant_words(self) -> Vec<u64> {
        let bits = match (self.kind(), self.value_type().kind()) {
            (ValueKind::Int, TypeKind::Int(width)) => width,
            (ValueKind::Float, TypeKind::Float(kind)) => kind.bits(),
            _ => panic!("only scalar numbers have words"),
        };
        // SAFETY: the value is live.
        let context = unsafe { LLVMGetValueContext(self.raw) };
        // SAFETY: the context is live; LLVM allows widths to 2^23.
        let int = unsafe { LLVMIntTypeInContext(context, bits) };
        // SAFETY: both are live; LLVM folds a bit cast of a number.
        let value = unsafe { LLVMConstBitCast(self.raw, int) };
        if bits <= 64 {
            // SAFETY: it is an integer constant of at most 64 bits.
            return vec![unsafe { LLVMConstIntGetZExtValue(value) }];
        }
        // SAFETY: the context is live; disposed of below.
        let builder = unsafe { LLVMCreateBuilderInContext(context) };
        let words = (0..bits.div_ceil(64)).map(|word| {
            // SAFETY: the type is an integer type of more than 64 bits.
            let amount = unsafe { LLVMConstInt(int, u64::from(word) * 64, 0) };
            // SAFETY: both operands are constants, which builders fold without
            // a place to insert.
            let shifted = unsafe { LLVMBuildLShr(builder, value, amount, c"".as_ptr()) };
            // SAFETY: the context is live.
            let low = unsafe { LLVMInt64TypeInContext(context) };
            // SAFETY: cutting a wider integer constant folds.
            unsafe { LLVMConstIntGetZExtValue(LLVMConstTrunc(shifted, low)) }
        });
        let words = words.collect();
        // SAFETY: made above.
        unsafe { LLVMDisposeBuilder(builder) };
        words
    }

    /// The raw bytes of an array or vector of plain numbers, if it is stored as such.
    pub(crate) fn data_bytes(self) -> Option<&'m [u8]> {
        // SAFETY: the value is live.
        if unsafe { LLVMIsAConstantDataSequential(self.raw) }.is_null() {
            return None;
        }
        let mut length = 0_usize;
        // SAFETY: it is sequential data. The binding declares the pointer to
        // the length as an integer of the same size.
        let raw = unsafe { LLVMGetRawDataValues(self.raw, (&raw mut length) as usize) };
        // SAFETY: LLVM gave pointer and length together; data lives with the context.
        Some(unsafe { bytes(raw, length) })
    }

    /// An element of a constant array, struct or vector.
    pub(crate) fn element(self, index: u32) -> Option<Self> {
        // SAFETY: the value is live.
        if unsafe { LLVMIsAConstant(self.raw) }.is_null() {
            return None;
        }
        // SAFETY: it is a constant; LLVM answers null for what has no such element.
        unsafe { Self::from_nullable(LLVMGetAggregateElement(self.raw, index)) }
    }

    /// Whether all bits of a constant are known to be 0.
    pub(crate) fn is_zero(self) -> bool {
        // SAFETY: the value is live.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    /// The operation of a constant expression.
    pub(crate) fn expression_opcode(self) -> Opcode {
        assert_eq!(
            self.kind(),
            ValueKind::Expression,
            "only expressions have an operation"
        );
        // SAFETY: it is a constant expression.
        unsafe { LLVMGetConstOpcode(self.raw) }
    }

    /// Function and block of a block address.
    pub(crate) fn block_address(self) -> (Self, Block<'m>) {
        assert_eq!(
            self.kind(),
            ValueKind::BlockAddress,
            "only block addresses name a block"
        );
        // SAFETY: it is a block address.
        let function = unsafe { Self::from_raw(LLVMGetBlockAddressFunction(self.raw)) };
        // SAFETY: it is a block address.
        let block = unsafe { Block::from_raw(LLVMGetBlockAddressBasicBlock(self.raw)) };
        (function, block)
    }

    // Globals.

    pub(crate) fn linkage(self) -> LinkageCode {
        self.assert_global();
        // SAFETY: it is a global value.
        unsafe { LLVMGetLinkage(self.raw) }
    }

    pub(crate) fn is_declaration(self) -> bool {
        self.assert_global();
        // SAFETY: it is a global value.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether it is declared such that it may be missing.
    pub(crate) fn is_weak_reference(self) -> bool {
        self.linkage() == LinkageCode::LLVMExternalWeakLinkage
    }

    /// Whether it is declared such that somebody else has to define it.
    pub(crate) fn is_undefined(self) -> bool {
        self.is_declaration() && !self.is_weak_reference()
    }

    /// The type of what a global's address points to.
    pub(crate) fn content_type(self) -> Type<'m> {
        self.assert_global();
        // SAFETY: it is a global value.
        unsafe { Type::from_raw(LLVMGlobalGetValueType(self.raw)) }
    }

    pub(crate) fn section(self) -> Option<String> {
        self.assert_global();
        // SAFETY: it is a global value; the string is its own and ends with zero.
        let section = unsafe { copy_c_string(LLVMGetSection(self.raw)) };
        (!section.is_empty()).then_some(section)
    }

    /// The alignment of a global variable in bytes; 0 if none is asked for.
    pub(crate) fn global_align(self) -> u64 {
        self.assert_variable();
        // SAFETY: it is a global variable.
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    pub(crate) fn initializer(self) -> Option<Self> {
        self.assert_variable();
        // SAFETY: it is a global variable.
        unsafe { Self::from_nullable(LLVMGetInitializer(self.raw)) }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        self.assert_variable();
        // SAFETY: it is a global variable.
        unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// Whether a global variable may never be written.
    pub(crate) fn is_read_only(self) -> bool {
        self.assert_variable();
        // SAFETY: it is a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    pub(crate) fn aliasee(self) -> Self {
        assert_eq!(
            self.kind(),
            ValueKind::Alias,
            "only aliases stand for something"
        );
        // SAFETY: it is an alias.
        unsafe { Self::from_raw(LLVMAliasGetAliasee(self.raw)) }
    }

    /// The metadata of one kind attached to a global.
    pub(crate) fn global_metadata(self, kind: u32) -> Vec<Metadata<'m>> {
        // SAFETY: the value is live.
        let object = unsafe { LLVMIsAGlobalObject(self.raw) };
        assert!(
            !object.is_null(),
            "only functions and variables have metadata"
        );
        let mut count = 0;
        // SAFETY: it is a global object.
        let entries = unsafe { LLVMGlobalCopyAllMetadata(self.raw, &raw mut count) };
        // SAFETY: the value is live.
        let context = unsafe { LLVMGetValueContext(self.raw) };
        let found = (0..count as u32)
            // SAFETY: the entry exists.
            .filter(|&index| unsafe { LLVMValueMetadataEntriesGetKind(entries, index) } == kind)
            // SAFETY: the entry exists, and metadata lives with the context.
            .filter_map(|index| unsafe {
                Metadata::from_raw(LLVMValueMetadataEntriesGetMetadata(entries, index), context)
            })
            .collect();
        // SAFETY: the entries are ours.
        unsafe { LLVMDisposeValueMetadataEntries(entries) };
        found
    }

    fn assert_global(self) {
        // SAFETY: the value is live.
        let raw = unsafe { LLVMIsAGlobalValue(self.raw) };
        assert!(!raw.is_null(), "the value is a global one");
    }

    fn assert_variable(self) {
        assert_eq!(
            self.kind(),
            ValueKind::GlobalVariable,
            "the value is a global variable"
        );
    }

    // Functions.

    pub(crate) fn arguments(self) -> Vec<Self> {
        self.assert_function();
        // SAFETY: it is a function.
        let count = unsafe { LLVMCountParams(self.raw) };
        // SAFETY: the parameter exists.
        (0..count)
            .map(|index| unsafe { Self::from_raw(LLVMGetParam(self.raw, index)) })
            .collect()
    }

    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        self.assert_function();
        // SAFETY: it is a function.
        let count = unsafe { LLVMCountBasicBlocks(self.raw) };
        let mut raw = vec![std::ptr::null_mut(); count as usize];
        // SAFETY: there is room for as many as were counted.
        unsafe { LLVMGetBasicBlocks(self.raw, raw.as_mut_ptr()) };
        // SAFETY: the blocks are the function's.
        raw.into_iter()
            .map(|raw| unsafe { Block::from_raw(raw) })
            .collect()
    }

    pub(crate) fn personality(self) -> Option<Self> {
        self.assert_function();
        // SAFETY: it is a function.
        if unsafe { LLVMHasPersonalityFn(self.raw) } == 0 {
            return None;
        }
        // SAFETY: it has a personality.
        unsafe { Self::from_nullable(LLVMGetPersonalityFn(self.raw)) }
    }

    /// What has the value as an operand; debug information is not among them.
    pub(crate) fn users(self) -> Vec<Self> {
        let mut users = Vec::new();
        // SAFETY: the value is live, and so are its users, which are of the same module.
        unsafe {
            let mut next = LLVMGetFirstUse(self.raw);
            while !next.is_null() {
                users.push(Self::from_raw(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        users
    }

    /// Whether the function's address is used for anything but a call.
    pub(crate) fn is_addressed(self) -> bool {
        self.assert_function();
        // SAFETY: it is a function of a live module, whose users are values of the module; only
        // calls are asked what they call.
        unsafe {
            let mut next = LLVMGetFirstUse(self.raw);
            while !next.is_null() {
                let user = LLVMGetUser(next);
                let is_call =
                    !LLVMIsACallInst(user).is_null() || !LLVMIsAInvokeInst(user).is_null();
                let times = (0..LLVMGetNumOperands(user).cast_unsigned())
                    .filter(|&index| LLVMGetOperand(user, index) == self.raw)
                    .count();
                if !is_call || times > 1 || LLVMGetCalledValue(user) != self.raw {
                    return true;
                }
                next = LLVMGetNextUse(next);
            }
        }
        false
    }

    /// The base name of an intrinsic, as `llvm.ctpop`; none for other functions.
    pub(crate) fn intrinsic_name(self) -> Option<String> {
        self.assert_function();
        // SAFETY: it is a function.
        let id = unsafe { LLVMGetIntrinsicID(self.raw) };
        if id == 0 {
            // Intrinsics this LLVM does not know are functions to it.
            return Some(self.name()).filter(|name| name.starts_with("llvm."));
        }
        let mut length = 0;
        // SAFETY: the intrinsic exists, the pointer is valid for writing.
        let raw = unsafe { LLVMIntrinsicGetName(id, &raw mut length) };
        // SAFETY: LLVM gave pointer and length together.
        Some(unsafe { copy_string(raw, length) })
    }

    pub(crate) fn function_has(self, attribute: &str) -> bool {
        self.function_attribute(AttributeIndex::Function, attribute)
            .is_some()
    }

    pub(super) fn add_to_function(self, attribute: &str) {
        self.assert_function();
        let index = AttributeIndex::Function.raw();
        // SAFETY: it is a function of a live context, and the attribute takes no number.
        unsafe {
            let context = LLVMGetValueContext(self.raw);
            let made = LLVMCreateEnumAttribute(context, attribute_kind(attribute), 0);
            LLVMAddAttributeAtIndex(self.raw, index, made);
        }
    }

    pub(super) fn remove_from_function(self, attribute: &str) {
        self.assert_function();
        let index = AttributeIndex::Function.raw();
        // SAFETY: it is a function, and the kind exists.
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.raw, index, attribute_kind(attribute)) }
    }

    pub(crate) fn parameter_has(self, parameter: u32, attribute: &str) -> bool {
        self.function_attribute(AttributeIndex::Parameter(parameter), attribute)
            .is_some()
    }

    /// The type of an attribute like `byval`.
    pub(crate) fn parameter_type(self, parameter: u32, attribute: &str) -> Option<Type<'m>> {
        let found = self.function_attribute(AttributeIndex::Parameter(parameter), attribute)?;
        type_of_attribute(found)
    }

    /// The number of an attribute like `align`.
    pub(crate) fn parameter_number(self, parameter: u32, attribute: &str) -> Option<u64> {
        let found = self.function_attribute(AttributeIndex::Parameter(parameter), attribute)?;
        number_of_attribute(found)
    }

    fn function_attribute(self, index: AttributeIndex, name: &str) -> Option<LLVMAttributeRef> {
        self.assert_function();
        let kind = attribute_kind(name);
        // SAFETY: it is a function and the kind exists.
        let raw = unsafe { LLVMGetEnumAttributeAtIndex(self.raw, index.raw(), kind) };
        (!raw.is_null()).then_some(raw)
    }

    pub(crate) fn call_argument_has(self, argument: u32, attribute: &str) -> bool {
        self.call_attribute(argument, attribute).is_some()
    }

    /// The type of an attribute like `byval`.
    pub(crate) fn call_argument_type(self, argument: u32, attribute: &str) -> Option<Type<'m>> {
        type_of_attribute(self.call_attribute(argument, attribute)?)
    }

    /// The number of an attribute like `align`.
    pub(crate) fn call_argument_number(self, argument: u32, attribute: &str) -> Option<u64> {
        number_of_attribute(self.call_attribute(argument, attribute)?)
    }

    fn call_attribute(self, argument: u32, name: &str) -> Option<LLVMAttributeRef> {
        self.assert_call();
        let index = AttributeIndex::Parameter(argument).raw();
        // SAFETY: it is a call and the kind exists.
        let raw = unsafe { LLVMGetCallSiteEnumAttribute(self.raw, index, attribute_kind(name)) };
        (!raw.is_null()).then_some(raw)
    }

    /// The source's own description of the function.
    pub(crate) fn subprogram(self) -> Option<Metadata<'m>> {
        self.assert_function();
        // SAFETY: the value is live.
        let context = unsafe { LLVMGetValueContext(self.raw) };
        // SAFETY: it is a function; the answer is null or metadata of the context.
        unsafe { Metadata::from_raw(llvm_sys::debuginfo::LLVMGetSubprogram(self.raw), context) }
    }

    fn assert_function(self) {
        assert_eq!(self.kind(), ValueKind::Function, "the value is a function");
    }

    // Inline assembly.

    /// Text and constraints of inline assembly, and whether it has side effects.
    pub(crate) fn inline_asm(self) -> (String, String, bool) {
        assert_eq!(
            self.kind(),
            ValueKind::InlineAsm,
            "the value is inline assembly"
        );
        let mut length = 0;
        // SAFETY: it is inline assembly, the pointer is valid for writing.
        let raw = unsafe { LLVMGetInlineAsmAsmString(self.raw, &raw mut length) };
        // SAFETY: LLVM gave pointer and length together.
        let text = unsafe { copy_string(raw, length) };
        // SAFETY: as above.
        let raw = unsafe { LLVMGetInlineAsmConstraintString(self.raw, &raw mut length) };
        // SAFETY: as above.
        let constraints = unsafe { copy_string(raw, length) };
        // SAFETY: it is inline assembly.
        let side_effects = unsafe { LLVMGetInlineAsmHasSideEffects(self.raw) != 0 };
        (text, constraints, side_effects)
    }

    /// Whether inline assembly is in the notation of AT&T.
    pub(crate) fn is_att_asm(self) -> bool {
        // SAFETY: callers know that it is inline assembly.
        let dialect = unsafe { LLVMGetInlineAsmDialect(self.raw) };
        matches!(dialect, LLVMInlineAsmDialect::LLVMInlineAsmDialectATT)
    }

    /// The metadata wrapped in a value.
    pub(crate) fn metadata(self) -> Option<Metadata<'m>> {
        assert_eq!(self.kind(), ValueKind::Metadata, "the value wraps metadata");
        // SAFETY: the value is live.
        let context = unsafe { LLVMGetValueContext(self.raw) };
        // SAFETY: it wraps metadata, which lives with the context.
        unsafe { Metadata::from_raw(LLVMValueAsMetadata(self.raw), context) }
    }
}

fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the string is valid for its length.
    let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
    assert_ne!(kind, 0, "the attribute is one of LLVM's");
    kind
}

fn type_of_attribute<'m>(attribute: LLVMAttributeRef) -> Option<Type<'m>> {
    // SAFETY: callers found the attribute on a live value.
    if unsafe { LLVMIsTypeAttribute(attribute) } == 0 {
        return None;
    }
    // SAFETY: it is an attribute with a type of the same context.
    Some(unsafe { Type::from_raw(LLVMGetTypeAttributeValue(attribute)) })
}

fn number_of_attribute(attribute: LLVMAttributeRef) -> Option<u64> {
    // SAFETY: callers found the attribute on a live value.
    if unsafe { LLVMIsEnumAttribute(attribute) } == 0 {
        return None;
    }
    // SAFETY: it is an attribute with a number, 0 if it has none.
    Some(unsafe { LLVMGetEnumAttributeValue(attribute) })
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    /// # Safety
    ///
    /// `raw` is a block of the module borrowed for `'m`.
    pub(super) unsafe fn from_raw(raw: LLVMBasicBlockRef) -> Self {
        debug_assert!(!raw.is_null());
        Self {
            raw,
            module: PhantomData,
        }
    }

    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the block is live; the answer is null or its first instruction.
        let first = unsafe { Value::from_nullable(LLVMGetFirstInstruction(self.raw)) };
        std::iter::successors(first, |instruction| {
            // SAFETY: it is an instruction of the block; the answer is null or the next.
            unsafe { Value::from_nullable(LLVMGetNextInstruction(instruction.raw)) }
        })
    }

    /// The name, which most compilers leave away.
    pub(crate) fn name(self) -> String {
        // SAFETY: the block is live; its name ends with a zero byte.
        unsafe { copy_c_string(LLVMGetBasicBlockName(self.raw)) }
    }

    pub(crate) fn terminator(self) -> Value<'m> {
        // SAFETY: the block is live, and verified blocks have a terminator.
        let raw = unsafe { LLVMGetBasicBlockTerminator(self.raw) };
        assert!(!raw.is_null(), "verified blocks have a terminator");
        // SAFETY: it is an instruction of the block.
        unsafe { Value::from_raw(raw) }
    }

    /// Where control can go from here, in the terminator's order.
    pub(crate) fn successors(self) -> Vec<Self> {
        let terminator = self.terminator().raw;
        // SAFETY: it is a terminator.
        let count = unsafe { LLVMGetNumSuccessors(terminator) };
        // SAFETY: the successor exists.
        let successor = |index| unsafe { Self::from_raw(LLVMGetSuccessor(terminator, index)) };
        (0..count).map(successor).collect()
    }
}
