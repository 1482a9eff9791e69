//! Calls of `llvm.*` functions.
//!
//! A name either stands for an operation of the machine ([`Intrinsic`]), for an
//! ordinary instruction, for its own first argument, for nothing, or it is
//! refused by name.

use super::function::FunctionLowering;
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::layout::Lowered;
use crate::llvm::{TypeKind, Value, ValueKind};
use crate::ops::{CastOp, FloatKind, FloatOp, FloatPredicate, Kind};
use crate::program::Constant;
use crate::promises::Origin;

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers the call of an intrinsic, `name` being its full base name.
    pub(super) fn intrinsic(&mut self, call: Value<'m>, name: &str) -> Lowered<()> {
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        if let Some(intrinsic) = elementwise(short) {
            return self.elementwise(call, intrinsic);
        }
        if let Some(intrinsic) = plain(short) {
            return self.plain(call, intrinsic);
        }
        if let Some(operation) = short.strip_prefix("experimental.constrained.") {
            return self.constrained(call, operation, name);
        }
        if let Some(operation) = short.strip_prefix("vector.reduce.") {
            return self.reduce(call, operation, name);
        }
        if let Some(operation) = short.strip_prefix("vector.partial.reduce.") {
            return self.reduce_partly(call, operation, name);
        }
        if let Some(operation) = short.strip_prefix("vector.") {
            return self.rearrange(call, operation, name);
        }
        if let Some(operation) = short.strip_prefix("masked.") {
            return self.masked(call, operation, name);
        }
        if let Some(operation) = short.strip_prefix("x86.") {
            return self.x86(call, operation, name);
        }
        self.special(call, short, name)
    }

    fn special(&mut self, call: Value<'m>, short: &str, name: &str) -> Lowered<()> {
        match short {
            // Hints and marks for the optimiser and for tools.
            "donothing"
            | "sideeffect"
            | "prefetch"
            | "pcmarker"
            | "pseudoprobe"
            | "fake.use"
            | "reloc.none"
            | "clear_cache"
            | "codeview.annotation"
            | "invariant.end"
            | "experimental.noalias.scope.decl" => Ok(()),
            "var.annotation" => self.keep_annotation(call),
            "ptr.annotation" | "annotation" => {
                self.keep_annotation(call)?;
                self.same_as_argument(call)
            }
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "arithmetic.fence"
            | "preserve.static.offset" => self.same_as_argument(call),
            "invariant.start" => {
                let nothing = self.constant(Constant::Null, Kind::Ptr);
                self.define(call, &[nothing]);
                Ok(())
            }
            "is.constant" => {
                let known = u64::from(call.operand(0).is_constant());
                self.always(call, known)
            }
            "allow.runtime.check"
            | "allow.ubsan.check"
            | "allow.sanitize.address"
            | "allow.sanitize.thread"
            | "allow.sanitize.memory"
            | "allow.sanitize.hwaddress" => self.always(call, 1),
            "lifetime.start" => self.lifetime(call, Intrinsic::LifetimeStart),
            "lifetime.end" => self.lifetime(call, Intrinsic::LifetimeEnd),
            "assume" => {
                let condition = self.one(call.operand(0))?;
                let intrinsic = match self.origin {
                    Origin::Rust | Origin::RustLibrary => Intrinsic::Valid,
                    Origin::Other => Intrinsic::Assume,
                };
                self.emit_intrinsic(intrinsic, &[condition], &[]);
                Ok(())
            }
            "convert.to.fp16" => self.half_of_number(call),
            "convert.from.fp16" => self.number_of_half(call),
            "stepvector" => {
                let kinds = self.kinds_of(call.value_type())?;
                let numbers = (0..).zip(&kinds);
                let steps = numbers
                    .map(|(n, kind)| self.int(n, kind.bits() as u16))
                    .collect::<Vec<_>>();
                self.define(call, &steps);
                Ok(())
            }
            "get.active.lane.mask" => self.active_lanes(call),
            "experimental.cttz.elts" => self.first_nonzero_element(call),
            "experimental.vector.extract.last.active" => self.last_active(call),
            _ => Err(unsupported(name)),
        }
    }

    fn same_as_argument(&mut self, call: Value<'m>) -> Lowered<()> {
        let registers = self.all(call.operand(0))?;
        self.define(call, &registers);
        Ok(())
    }

    fn always(&mut self, call: Value<'m>, value: u64) -> Lowered<()> {
        let register = self.int(value, 1);
        self.define(call, &[register]);
        Ok(())
    }

    fn lifetime(&mut self, call: Value<'m>, intrinsic: Intrinsic) -> Lowered<()> {
        let arguments = call.call_arguments();
        let Some(&object) = arguments.last() else {
            return Ok(());
        };
        // LLVM puts poison where the object is gone.
        if object.kind() != ValueKind::Poison {
            let object = self.one(object)?;
            self.emit_intrinsic(intrinsic, &[object], &[]);
        }
        Ok(())
    }

    /// Emits one operation, and gives its results.
    pub(super) fn emit_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Reg],
        results: &[Kind],
    ) -> Vec<Reg> {
        let registers = self.fresh_all(results);
        let first_argument = arguments.first().map(|&register| self.kind_of(register));
        let kind = first_argument
            .or(results.first().copied())
            .unwrap_or(Kind::Ptr);
        let args = self.list(arguments);
        let dst = registers.first().copied().unwrap_or(Reg::NONE);
        let results = registers.len() as u8;
        self.emit(Inst::Intrinsic {
            intrinsic,
            results,
            kind,
            dst,
            args,
        });
        registers
    }

    /// An operation on scalars.
    fn plain(&mut self, call: Value<'m>, intrinsic: Intrinsic) -> Lowered<()> {
        let mut arguments = Vec::new();
        for argument in values(call) {
            arguments.push(self.one(argument)?);
        }
        self.copies_are_aligned(call, intrinsic, &arguments);
        let kinds = self.kinds_of(call.value_type())?;
        let results = self.emit_intrinsic(intrinsic, &arguments, &kinds);
        self.define(call, &results);
        Ok(())
    }

    /// An operation on scalars, or on each element of vectors.
    fn elementwise(&mut self, call: Value<'m>, intrinsic: Intrinsic) -> Lowered<()> {
        let arguments = values(call);
        let lanes = match arguments.first().map(|first| first.value_type().kind()) {
            Some(TypeKind::Vector { length, .. }) => length as usize,
            _ => 1,
        };
        let mut registers = Vec::new();
        for argument in arguments {
            registers.push(self.all(argument)?);
        }
        let kinds = self.kinds_of(call.value_type())?;
        // Several results of vectors are a struct of vectors.
        let per_lane = kinds.len() / lanes;
        let mut results = vec![Reg::NONE; kinds.len()];
        for lane in 0..lanes {
            let arguments: Vec<Reg> = registers.iter().map(|all| all[lane % all.len()]).collect();
            let kinds: Vec<Kind> = (0..per_lane)
                .map(|result| kinds[result * lanes + lane])
                .collect();
            for (result, register) in self
                .emit_intrinsic(intrinsic, &arguments, &kinds)
                .into_iter()
                .enumerate()
            {
                results[result * lanes + lane] = register;
            }
        }
        self.define(call, &results);
        Ok(())
    }

    /// Arithmetic that says how it rounds and signals; only the usual way is known.
    fn constrained(&mut self, call: Value<'m>, operation: &str, name: &str) -> Lowered<()> {
        let words: Vec<String> = metadata_strings(call);
        let unusual = words.iter().find(|word| {
            word.starts_with("round.") && *word != "round.tonearest" && *word != "round.dynamic"
        });
        if let Some(rounding) = unusual {
            return Err(format!("{} with {rounding}", unsupported(name)));
        }
        match operation {
            "fadd" => self.float_binary(call, FloatOp::Add),
            "fsub" => self.float_binary(call, FloatOp::Sub),
            "fmul" => self.float_binary(call, FloatOp::Mul),
            "fdiv" => self.float_binary(call, FloatOp::Div),
            "frem" => self.float_binary(call, FloatOp::Rem),
            "fptosi" => self.cast(call, CastOp::FloatToSigned),
            "fptoui" => self.cast(call, CastOp::FloatToUnsigned),
            "sitofp" => self.cast(call, CastOp::SignedToFloat),
            "uitofp" => self.cast(call, CastOp::UnsignedToFloat),
            "fptrunc" => self.cast(call, CastOp::FloatTrunc),
            "fpext" => self.cast(call, CastOp::FloatExt),
            "fcmp" | "fcmps" => {
                let found = words.iter().find_map(|word| float_predicate(word));
                let predicate = found.ok_or_else(|| unsupported(name))?;
                self.float_compare(call, predicate)
            }
            _ => match elementwise(operation) {
                Some(intrinsic) => self.elementwise(call, intrinsic),
                None => Err(unsupported(name)),
            },
        }
    }

    fn half_of_number(&mut self, call: Value<'m>) -> Lowered<()> {
        let wide = self.one(call.operand(0))?;
        let (from, half) = (self.kind_of(wide), Kind::Float(FloatKind::Half));
        let narrow = self.convert(CastOp::FloatTrunc, wide, from, half);
        let bits = self.convert(CastOp::Bits, narrow, half, Kind::Int(16));
        self.define(call, &[bits]);
        Ok(())
    }

    fn number_of_half(&mut self, call: Value<'m>) -> Lowered<()> {
        let bits = self.one(call.operand(0))?;
        let to = self.module.layouts.scalar(call.value_type())?;
        let half = Kind::Float(FloatKind::Half);
        let narrow = self.convert(CastOp::Bits, bits, Kind::Int(16), half);
        let wide = self.convert(CastOp::FloatExt, narrow, half, to);
        self.define(call, &[wide]);
        Ok(())
    }
}

/// The arguments of a call that are values.
fn values<'m>(call: Value<'m>) -> Vec<Value<'m>> {
    let arguments = call.call_arguments().into_iter();
    arguments
        .filter(|argument| argument.kind() != ValueKind::Metadata)
        .collect()
}

fn metadata_strings(call: Value<'_>) -> Vec<String> {
    let arguments = call.call_arguments().into_iter();
    let metadata = arguments.filter(|argument| argument.kind() == ValueKind::Metadata);
    metadata
        .filter_map(|argument| argument.metadata()?.string())
        .collect()
}

pub(super) fn unsupported(name: &str) -> String {
    format!("the intrinsic {name}")
}

/// Operations that work on each element of vectors, and on scalars.
fn elementwise(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "ctpop" => I::PopCount,
        "ctlz" => I::LeadingZeros,
        "cttz" => I::TrailingZeros,
        "bswap" => I::ByteSwap,
        "bitreverse" => I::BitReverse,
        "fshl" => I::FunnelLeft,
        "fshr" => I::FunnelRight,
        "abs" => I::Abs,
        "smin" => I::SMin,
        "smax" => I::SMax,
        "umin" => I::UMin,
        "umax" => I::UMax,
        "scmp" => I::SCompare,
        "ucmp" => I::UCompare,
        "sadd.with.overflow" => I::SAddOverflow,
        "uadd.with.overflow" => I::UAddOverflow,
        "ssub.with.overflow" => I::SSubOverflow,
        "usub.with.overflow" => I::USubOverflow,
        "smul.with.overflow" => I::SMulOverflow,
        "umul.with.overflow" => I::UMulOverflow,
        "sadd.sat" => I::SAddSat,
        "uadd.sat" => I::UAddSat,
        "ssub.sat" => I::SSubSat,
        "usub.sat" => I::USubSat,
        "sshl.sat" => I::SShlSat,
        "ushl.sat" => I::UShlSat,
        "ptrmask" => I::PtrMask,
        "sqrt" => I::Sqrt,
        "fma" => I::Fma,
        "fmuladd" => I::FMulAdd,
        "fabs" => I::FAbs,
        "copysign" => I::CopySign,
        "minnum" => I::MinNum,
        "maxnum" => I::MaxNum,
        "minimum" => I::Minimum,
        "maximum" => I::Maximum,
        "minimumnum" => I::MinimumNum,
        "maximumnum" => I::MaximumNum,
        "floor" => I::Floor,
        "ceil" => I::Ceil,
        "trunc" => I::Trunc,
        "rint" => I::RInt,
        "nearbyint" => I::NearbyInt,
        "round" => I::Round,
        "roundeven" => I::RoundEven,
        "lrint" | "llrint" => I::LRint,
        "lround" | "llround" => I::LRound,
        "fptosi.sat" => I::ToSignedSat,
        "fptoui.sat" => I::ToUnsignedSat,
        "is.fpclass" => I::IsClass,
        "canonicalize" => I::Canonicalize,
        "ldexp" => I::LdExp,
        "frexp" => I::FRExp,
        "modf" => I::Modf,
        "sin" => I::Sin,
        "cos" => I::Cos,
        "sincos" => I::SinCos,
        "sincospi" => I::SinCosPi,
        "tan" => I::Tan,
        "asin" => I::ASin,
        "acos" => I::ACos,
        "atan" => I::ATan,
        "atan2" => I::ATan2,
        "sinh" => I::SinH,
        "cosh" => I::CosH,
        "tanh" => I::TanH,
        "exp" => I::Exp,
        "exp2" => I::Exp2,
        "exp10" => I::Exp10,
        "log" => I::Log,
        "log2" => I::Log2,
        "log10" => I::Log10,
        "pow" => I::Pow,
        "powi" => I::PowI,
        _ => return None,
    })
}

/// Operations on scalars only.
fn plain(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "memcpy" | "memcpy.inline" => I::MemCpy,
        "memmove" => I::MemMove,
        "memset" | "memset.inline" => I::MemSet,
        "objectsize" => I::ObjectSize,
        "stacksave" => I::StackSave,
        "stackrestore" => I::StackRestore,
        "trap" => I::Trap,
        "debugtrap" => I::DebugTrap,
        "ubsantrap" => I::UbsanTrap,
        "va_start" => I::VaStart,
        "va_end" => I::VaEnd,
        "va_copy" => I::VaCopy,
        "returnaddress" => I::ReturnAddress,
        "frameaddress" => I::FrameAddress,
        "thread.pointer" => I::ThreadPointer,
        "readcyclecounter" | "x86.rdtsc" => I::CycleCounter,
        "readsteadycounter" => I::SteadyCounter,
        "threadlocal.address" => I::ThreadLocal,
        "load.relative" => I::LoadRelative,
        "eh.typeid.for" => I::TypeIdFor,
        "get.rounding" => I::GetRounding,
        "set.rounding" => I::SetRounding,
        _ => return None,
    })
}

fn float_predicate(word: &str) -> Option<FloatPredicate> {
    use FloatPredicate as P;
    [P::Oeq, P::Ogt, P::Oge, P::Olt, P::Ole, P::One, P::Ord]
        .into_iter()
        .chain([P::Uno, P::Ueq, P::Ugt, P::Uge, P::Ult, P::Ule, P::Une])
        .find(|predicate| predicate.name() == word)
}
