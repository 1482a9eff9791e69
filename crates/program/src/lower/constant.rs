//! Constants: folding expressions over numbers and addresses.

use super::ModuleLowering;
use crate::layout::Lowered;
use crate::llvm::{Opcode, Type, TypeKind, Value, ValueKind};
use crate::program::{Address, Base, Constant};

impl<'m> ModuleLowering<'m> {
    /// The scalar constant as data, or none if only instructions can compute it.
    pub(super) fn fold(&mut self, value: Value<'m>) -> Lowered<Option<Constant>> {
        Ok(Some(match value.kind() {
            ValueKind::Int | ValueKind::Float => Constant::Bits(value.constant_words().into()),
            ValueKind::NullPointer => Constant::Null,
            ValueKind::Undef => Constant::Undef,
            ValueKind::Poison => Constant::Poison,
            ValueKind::Function => {
                let id = self
                    .functions
                    .get(&value)
                    .ok_or_else(|| address_of(value))?;
                address(Base::Function(*id))
            }
            ValueKind::GlobalVariable => {
                let id = self.globals.get(&value).ok_or_else(|| address_of(value))?;
                address(Base::Global(*id))
            }
            ValueKind::Alias => return self.fold(value.aliasee()),
            ValueKind::IFunc => return Err(format!("the ifunc {}", value.name())),
            ValueKind::BlockAddress => self.block_address(value)?,
            ValueKind::Expression => return self.fold_expression(value),
            ValueKind::Aggregate
            | ValueKind::Instruction
            | ValueKind::Argument
            | ValueKind::InlineAsm
            | ValueKind::Metadata
            | ValueKind::Other => {
                return Err(format!("a constant of type {}", value.value_type().text()));
            }
        }))
    }

    fn block_address(&mut self, value: Value<'m>) -> Lowered<Constant> {
        let (function, block) = value.block_address();
        let id = *self
            .functions
            .get(&function)
            .ok_or_else(|| address_of(function))?;
        Ok(match self.block_order(function).ids.get(&block) {
            Some(&block) => address(Base::Block(id, block)),
            // What LLVM itself puts for a block it has removed.
            None => Constant::int(1),
        })
    }

    fn fold_expression(&mut self, value: Value<'m>) -> Lowered<Option<Constant>> {
        let bits = match value.value_type().kind() {
            TypeKind::Int(width) => width,
            TypeKind::Pointer { .. } => 64,
            TypeKind::Float(kind) => kind.bits(),
            TypeKind::Void
            | TypeKind::Struct
            | TypeKind::Array { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Function
            | TypeKind::Other => return Ok(None),
        };
        match value.expression_opcode() {
            Opcode::LLVMGetElementPtr => self.fold_address(value),
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMIntToPtr => {
                let inner = self.fold_operand(value, 0)?;
                Ok(inner.and_then(|inner| convert_address(inner, bits)))
            }
            Opcode::LLVMBitCast => {
                let inner = value.operand(0);
                let is_scalar = !matches!(inner.value_type().kind(), TypeKind::Vector { .. });
                if is_scalar {
                    self.fold(inner)
                } else {
                    Ok(None)
                }
            }
            Opcode::LLVMTrunc => {
                let inner = self.fold_operand(value, 0)?;
                Ok(inner.and_then(|inner| truncate(inner, bits)))
            }
            Opcode::LLVMAdd => self.fold_sum(value, bits, Constant::plus),
            Opcode::LLVMSub => self.fold_sum(value, bits, Constant::minus),
            Opcode::LLVMAddrSpaceCast => Err("a cast between address spaces".into()),
            _ => Ok(None),
        }
    }

    fn fold_operand(&mut self, value: Value<'m>, index: u32) -> Lowered<Option<Constant>> {
        self.fold(value.operand(index))
    }

    fn fold_sum(
        &mut self,
        value: Value<'m>,
        bits: u32,
        apply: fn(Constant, Constant) -> Option<Constant>,
    ) -> Lowered<Option<Constant>> {
        if bits > 64 {
            return Ok(None);
        }
        let (Some(a), Some(b)) = (self.fold_operand(value, 0)?, self.fold_operand(value, 1)?)
        else {
            return Ok(None);
        };
        Ok(apply(a, b).and_then(|sum| truncate(sum, bits)))
    }

    fn fold_address(&mut self, value: Value<'m>) -> Lowered<Option<Constant>> {
        let Some(base) = self.fold_operand(value, 0)? else {
            return Ok(None);
        };
        let mut offset = 0_i64;
        for step in self.steps(value)? {
            let Step::Constant(bytes) = step else {
                return Ok(None);
            };
            offset = offset.wrapping_add(bytes);
        }
        Ok(base.plus(Constant::int(offset as u64)))
    }

    /// How an address computation moves from its base, index after index.
    pub(super) fn steps(&mut self, value: Value<'m>) -> Lowered<Vec<Step<'m>>> {
        let mut current = value.stepped_type();
        let mut steps = Vec::new();
        for (position, index) in value.operands().skip(1).enumerate() {
            let entered = (position > 0).then_some(current);
            match entered.map(|entered| (entered, entered.kind())) {
                Some((structure, TypeKind::Struct)) => {
                    let field = field_index(index)?;
                    steps.push(Step::Constant(
                        self.layouts.field_offset(structure, field)? as i64
                    ));
                    current = structure.fields()[field as usize];
                    continue;
                }
                Some((_, TypeKind::Array { element, .. } | TypeKind::Vector { element, .. })) => {
                    current = element;
                }
                Some((other, _)) => return Err(format!("an index into type {}", other.text())),
                None => {}
            }
            steps.push(self.step(index, current)?);
        }
        Ok(steps)
    }

    fn step(&mut self, index: Value<'m>, element: Type<'m>) -> Lowered<Step<'m>> {
        let size = self.layouts.size(element)? as i64;
        Ok(match constant_index(index) {
            Some(index) => Step::Constant(index.wrapping_mul(size)),
            None => Step::Variable { index, scale: size },
        })
    }
}

/// One step of an address computation.
pub(super) enum Step<'m> {
    /// So many bytes.
    Constant(i64),
    /// So many times as the index says.
    Variable { index: Value<'m>, scale: i64 },
}

/// The sign-extended value of a constant integer index.
fn constant_index(index: Value<'_>) -> Option<i64> {
    let TypeKind::Int(width) = index.value_type().kind() else {
        return None;
    };
    if index.kind() != ValueKind::Int {
        return None;
    }
    let low = index.constant_words()[0];
    let unused = 64 - width.min(64);
    Some(((low << unused) as i64) >> unused)
}

/// The field a struct index names; vectors of indices name one field too.
fn field_index(index: Value<'_>) -> Lowered<u32> {
    let scalar = if index.kind() == ValueKind::Int {
        Some(index)
    } else {
        index.element(0)
    };
    let found = scalar
        .and_then(constant_index)
        .and_then(|field| u32::try_from(field).ok());
    found.ok_or_else(|| "a struct index that is no constant".into())
}

fn address(base: Base) -> Constant {
    Constant::Address(Address { base, offset: 0 })
}

fn address_of(value: Value<'_>) -> String {
    format!("the address of {}", value.name())
}

fn convert_address(constant: Constant, bits: u32) -> Option<Constant> {
    match constant {
        Constant::Null => truncate(Constant::int(0), bits),
        Constant::Address(_) => (bits == 64).then_some(constant),
        Constant::Bits(_) | Constant::Difference { .. } | Constant::Undef | Constant::Poison => {
            truncate(constant, bits)
        }
    }
}

/// The low bits of a constant, which has at least as many.
fn truncate(constant: Constant, bits: u32) -> Option<Constant> {
    match constant {
        Constant::Bits(words) => {
            let mut words = words.into_vec();
            words.resize(bits.div_ceil(64) as usize, 0);
            if let (Some(last), 1..) = (words.last_mut(), bits % 64) {
                *last &= u64::MAX >> (64 - bits % 64);
            }
            Some(Constant::Bits(words.into()))
        }
        Constant::Difference { .. } | Constant::Undef | Constant::Poison => Some(constant),
        Constant::Address(_) => (bits == 64).then_some(constant),
        Constant::Null => Some(Constant::Null),
    }
}

impl Constant {
    /// The sum modulo 2⁶⁴, if it has a form.
    fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Poison, _) | (_, Self::Poison) => Some(Self::Poison),
            (Self::Undef, _) | (_, Self::Undef) => Some(Self::Undef),
            (Self::Address(address), number) | (number, Self::Address(address)) => {
                let offset = address.offset.wrapping_add(number.as_u64()? as i64);
                Some(Self::Address(Address { offset, ..address }))
            }
            (Self::Difference { left, right }, number)
            | (number, Self::Difference { left, right }) => {
                let offset = left.offset.wrapping_add(number.as_u64()? as i64);
                Some(Self::Difference {
                    left: Address { offset, ..left },
                    right,
                })
            }
            (a @ (Self::Bits(_) | Self::Null), b @ (Self::Bits(_) | Self::Null)) => {
                let sum = a.as_u64()?.wrapping_add(b.as_u64()?);
                let stays_null = matches!((&a, &b), (Self::Null, _)) && sum == 0;
                Some(if stays_null {
                    Self::Null
                } else {
                    Self::int(sum)
                })
            }
        }
    }

    /// The difference modulo 2⁶⁴, if it has a form.
    fn minus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Address(left), Self::Address(right)) if left.base == right.base => {
                Some(Self::int(left.offset.wrapping_sub(right.offset) as u64))
            }
            (Self::Address(left), Self::Address(right)) => Some(Self::Difference { left, right }),
            (_, Self::Address(_) | Self::Difference { .. }) => None,
            (left, Self::Undef) => left.plus(Self::Undef),
            (left, Self::Poison) => left.plus(Self::Poison),
            (left, right @ (Self::Bits(_) | Self::Null)) => {
                left.plus(Self::int(right.as_u64()?.wrapping_neg()))
            }
        }
    }
}
