//! The smallest machine that can run a program: concrete values, one flat
//! memory, no library. It exists to check that what the lowering makes means
//! what the source means; what it does not know it panics at.

use program::{
    Address, Base, BinaryOp, Body, CastOp, Constant, EdgeId, FloatKind, FloatOp, FloatPredicate,
    FunctionId, Inst, Intrinsic, Kind, Parameter, Passing, Predicate, Program, Reg, RmwOp, Span,
};

const MEMORY_START: u64 = 0x1_0000;
const FUNCTIONS: u64 = 1 << 40;
const BLOCKS: u64 = 1 << 41;

/// A program in the middle of running.
pub struct Interpreter<'p> {
    program: &'p Program,
    memory: Vec<u8>,
    globals: Vec<u64>,
    steps: u64,
}

struct Frame<'p> {
    body: &'p Body,
    registers: Vec<u128>,
    variadic: u64,
}

impl<'p> Interpreter<'p> {
    /// Puts the globals into memory and runs the constructors.
    pub fn new(program: &'p Program) -> Self {
        let mut this = Self {
            program,
            memory: Vec::new(),
            globals: Vec::new(),
            steps: 0,
        };
        for global in &program.globals {
            let address = this.allocate(global.size, global.align.bytes());
            this.globals.push(address);
        }
        for (index, global) in program.globals.iter().enumerate() {
            let Some(initializer) = &global.initializer else {
                continue;
            };
            let start = this.globals[index];
            assert_eq!(initializer.unsupported, None, "{}", global.name);
            this.write_bytes(start, &initializer.bytes);
            for relocation in &initializer.relocations {
                let value = this.constant(&relocation.value);
                this.write(start + relocation.offset, value, relocation.bytes);
            }
        }
        for constructor in &program.constructors {
            this.call(constructor.function, &[], 0);
        }
        this
    }

    /// Runs a function without parameters that returns one number.
    pub fn run(&mut self, name: &str) -> u64 {
        let function = self
            .program
            .function(name)
            .unwrap_or_else(|| panic!("no function {name}"));
        self.call(function, &[], 0)[0] as u64
    }

    fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let end = MEMORY_START + self.memory.len() as u64;
        let start = end.next_multiple_of(align);
        // A byte at least, so that different objects have different addresses.
        let new_end = start + size.max(1);
        assert!(new_end < 1 << 30, "out of memory");
        self.memory.resize((new_end - MEMORY_START) as usize, 0);
        start
    }

    fn slice(&mut self, address: u64, size: u64) -> &mut [u8] {
        let start = address
            .checked_sub(MEMORY_START)
            .expect("an address of memory") as usize;
        &mut self.memory[start..start + size as usize]
    }

    fn write_bytes(&mut self, address: u64, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.slice(address, bytes.len() as u64)
                .copy_from_slice(bytes);
        }
    }

    fn write(&mut self, address: u64, value: u128, bytes: u32) {
        let value = value.to_le_bytes();
        self.slice(address, u64::from(bytes))
            .copy_from_slice(&value[..bytes as usize]);
    }

    fn read(&mut self, address: u64, bytes: u32) -> u128 {
        let mut value = [0; 16];
        value[..bytes as usize].copy_from_slice(self.slice(address, u64::from(bytes)));
        u128::from_le_bytes(value)
    }

    fn address(&self, address: &Address) -> u64 {
        let base = match address.base {
            Base::Global(id) => self.globals[id.index()],
            Base::Function(id) => FUNCTIONS + u64::from(id.0),
            Base::Block(function, block) => {
                BLOCKS + (u64::from(function.0) << 20) + u64::from(block.0)
            }
        };
        base.wrapping_add(address.offset as u64)
    }

    fn constant(&self, constant: &Constant) -> u128 {
        match constant {
            Constant::Bits(words) => {
                assert!(words.len() <= 2, "numbers of at most 128 bits");
                words
                    .iter()
                    .rev()
                    .fold(0, |all, &word| all << 64 | u128::from(word))
            }
            Constant::Null | Constant::Undef | Constant::Poison => 0,
            Constant::Address(address) => u128::from(self.address(address)),
            Constant::Difference { left, right } => {
                u128::from(self.address(left).wrapping_sub(self.address(right)))
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[u128], variadic: u64) -> Vec<u128> {
        let program = self.program;
        let function = &program.functions[function.index()];
        let Some(body) = &function.body else {
            // Registers a destructor for the end, which here never comes.
            assert_eq!(
                function.name, "__cxa_atexit",
                "a function that is not defined"
            );
            return vec![0];
        };
        let mut registers: Vec<u128> = body
            .constants
            .iter()
            .map(|constant| self.constant(constant))
            .collect();
        let signature = &program.signatures[function.signature.index()];
        for (argument, parameter) in arguments.iter().zip(&signature.parameters) {
            registers.push(self.passed(*argument, parameter));
        }
        registers.resize(body.kinds.len(), 0);
        for (register, kind) in registers.iter_mut().zip(&body.kinds) {
            *register &= mask(kind.bits());
        }
        let mut frame = Frame {
            body,
            registers,
            variadic,
        };
        let stack = self.memory.len();
        let mut pc = 0_usize;
        let results = loop {
            match self.step(&mut frame, pc) {
                Next::On => pc += 1,
                Next::Along(edge) => pc = frame.follow(edge),
                Next::Return(values) => break frame.list(values),
            }
        };
        self.memory.truncate(stack);
        results
    }

    fn passed(&mut self, argument: u128, parameter: &Parameter) -> u128 {
        match parameter.passing {
            Passing::ByValue { size, align } => {
                let copy = self.allocate(size, align.bytes());
                let bytes = self.slice(argument as u64, size).to_vec();
                self.write_bytes(copy, &bytes);
                u128::from(copy)
            }
            Passing::Direct
            | Passing::ZeroExtended
            | Passing::SignExtended
            | Passing::StructReturn { .. } => argument,
        }
    }

    /// Lays variadic arguments out one after the other, as the x86-64 convention does on the stack.
    fn spill(&mut self, arguments: &[u128], parameters: &[Parameter]) -> u64 {
        let mut bytes: Vec<u8> = Vec::new();
        for (argument, parameter) in arguments.iter().zip(parameters) {
            if let Passing::ByValue { size, align } = parameter.passing {
                bytes.resize(
                    bytes.len().next_multiple_of(align.bytes().max(8) as usize),
                    0,
                );
                bytes.extend_from_slice(self.slice(*argument as u64, size));
            } else {
                bytes.extend_from_slice(&argument.to_le_bytes()[..8]);
            }
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        let area = self.allocate(bytes.len() as u64, 16);
        self.write_bytes(area, &bytes);
        area
    }

    fn call_from(
        &mut self,
        frame: &mut Frame<'p>,
        callee: FunctionId,
        args: Span,
        dst: Reg,
        signature: usize,
    ) {
        let signature = &self.program.signatures[signature];
        let arguments = frame.list(args);
        let (fixed, extra) = arguments.split_at(signature.fixed as usize);
        let stack = self.memory.len();
        let variadic = match signature.variadic {
            true => self.spill(extra, &signature.parameters[signature.fixed as usize..]),
            false => 0,
        };
        let results = self.call(callee, fixed, variadic);
        self.memory.truncate(stack);
        assert_eq!(results.len(), signature.results.len());
        for (index, result) in results.into_iter().enumerate() {
            frame.set(Reg(dst.0 + index as u32), result);
        }
    }

    fn step(&mut self, frame: &mut Frame<'p>, pc: usize) -> Next {
        self.steps += 1;
        assert!(self.steps < 200_000_000, "the program does not end");
        match frame.body.code[pc] {
            Inst::Freeze { dst, src } => frame.set(dst, frame.get(src)),
            Inst::Binary {
                op,
                width,
                dst,
                a,
                b,
                ..
            } => {
                frame.set(
                    dst,
                    binary(op, u32::from(width), frame.get(a), frame.get(b)),
                );
            }
            Inst::Compare {
                predicate,
                width,
                dst,
                a,
                b,
            } => {
                let holds = compare(predicate, u32::from(width), frame.get(a), frame.get(b));
                frame.set(dst, u128::from(holds));
            }
            Inst::ComparePointers {
                predicate,
                dst,
                a,
                b,
            } => {
                let holds = compare(predicate, 64, frame.get(a), frame.get(b));
                frame.set(dst, u128::from(holds));
            }
            Inst::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (number(kind, frame.get(a)), number(kind, frame.get(b)));
                let result = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                    FloatOp::Div => a / b,
                    FloatOp::Rem => a % b,
                };
                frame.set(dst, bits(kind, result));
            }
            Inst::FloatNegate { kind, dst, src } => {
                frame.set(dst, frame.get(src) ^ 1 << (kind.bits() - 1));
            }
            Inst::FloatCompare {
                predicate,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (number(kind, frame.get(a)), number(kind, frame.get(b)));
                frame.set(dst, u128::from(float_compare(predicate, a, b)));
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
                ..
            } => {
                frame.set(dst, cast(op, from, to, frame.get(src)));
            }
            Inst::Select {
                dst,
                condition,
                then,
                otherwise,
            } => {
                let chosen = if frame.get(condition) == 1 {
                    then
                } else {
                    otherwise
                };
                frame.set(dst, frame.get(chosen));
            }
            Inst::PickElement {
                dst,
                index,
                elements,
                ..
            } => {
                frame.set(dst, frame.list(elements)[frame.get(index) as usize]);
            }
            Inst::PutElement {
                dst,
                index,
                value,
                elements,
                ..
            } => {
                let mut all = frame.list(elements);
                all[frame.get(index) as usize] = frame.get(value);
                for (offset, value) in all.into_iter().enumerate() {
                    frame.set(Reg(dst.0 + offset as u32), value);
                }
            }
            Inst::Alloca { align, dst, size } => {
                let address = self.allocate(size, align.bytes());
                frame.set(dst, u128::from(address));
            }
            Inst::AllocaArray {
                align,
                dst,
                count,
                size,
                ..
            } => {
                let address = self.allocate(size * frame.get(count) as u64, align.bytes());
                frame.set(dst, u128::from(address));
            }
            Inst::Load {
                kind,
                dst,
                address,
                access,
            } => {
                let address = frame.get(address) as u64;
                assert_eq!(address % access.align.bytes(), 0, "the promised alignment");
                let value = self.read(address, kind.bytes());
                frame.set(dst, value);
            }
            Inst::Store {
                kind,
                address,
                value,
                access,
            } => {
                let address = frame.get(address) as u64;
                assert_eq!(address % access.align.bytes(), 0, "the promised alignment");
                self.write(address, frame.get(value), kind.bytes());
            }
            Inst::Offset {
                dst, base, offset, ..
            } => {
                frame.set(
                    dst,
                    u128::from((frame.get(base) as u64).wrapping_add(offset as u64)),
                );
            }
            Inst::Index {
                width,
                dst,
                base,
                index,
                scale,
                ..
            } => {
                let index = signed(u32::from(width), frame.get(index)) as i64;
                let distance = index.wrapping_mul(scale) as u64;
                frame.set(
                    dst,
                    u128::from((frame.get(base) as u64).wrapping_add(distance)),
                );
            }
            Inst::AtomicRmw {
                op,
                kind,
                dst,
                address,
                value,
                ..
            } => {
                let address = frame.get(address) as u64;
                let old = self.read(address, kind.bytes());
                let new = update(op, kind, old, frame.get(value));
                self.write(address, new, kind.bytes());
                frame.set(dst, old);
            }
            Inst::CompareExchange {
                kind,
                dst,
                address,
                expected,
                new,
                ..
            } => {
                let address = frame.get(address) as u64;
                let old = self.read(address, kind.bytes());
                let equal = old == frame.get(expected);
                if equal {
                    self.write(address, frame.get(new), kind.bytes());
                }
                frame.set(dst, old);
                frame.set(Reg(dst.0 + 1), u128::from(equal));
            }
            Inst::Fence { .. } => {}
            Inst::Call {
                function,
                args,
                dst,
                signature,
                is_read: _,
            } => {
                self.call_from(frame, function, args, dst, signature.index());
            }
            Inst::CallIndirect {
                callee,
                args,
                dst,
                signature,
            } => {
                let function = frame.get(callee) as u64 - FUNCTIONS;
                self.call_from(
                    frame,
                    FunctionId(function as u32),
                    args,
                    dst,
                    signature.index(),
                );
            }
            Inst::Intrinsic {
                intrinsic,
                kind,
                dst,
                args,
                ..
            } => {
                let arguments = frame.list(args);
                let results = self.intrinsic(frame, intrinsic, kind, dst, &arguments);
                for (offset, value) in results.into_iter().enumerate() {
                    frame.set(Reg(dst.0 + offset as u32), value);
                }
            }
            Inst::Jump { edge } => return Next::Along(edge),
            Inst::Branch {
                condition,
                then,
                otherwise,
            } => {
                return Next::Along(if frame.get(condition) == 1 {
                    then
                } else {
                    otherwise
                });
            }
            Inst::Switch {
                value,
                default,
                cases,
                ..
            } => {
                let value = frame.get(value) as u64;
                let cases = frame.body.cases(cases);
                let found = cases.binary_search_by_key(&value, |case| case.value);
                return Next::Along(found.map_or(default, |found| cases[found].edge));
            }
            Inst::IndirectJump { address, targets } => {
                let block = frame.get(address) as u32 & 0xf_ffff;
                let mut targets = frame.body.targets(targets).iter().copied();
                let edge = targets.find(|&edge| frame.body.edge(edge).target.0 == block);
                return Next::Along(edge.expect("the address is one of the targets"));
            }
            Inst::Return { values } => return Next::Return(values),
            Inst::Unsupported { message } => panic!("{}", self.program.message(message)),
            inst @ (Inst::VaArg { .. }
            | Inst::InlineAsm { .. }
            | Inst::LandingPad { .. }
            | Inst::Resume { .. }
            | Inst::Unreachable) => panic!("reached {inst:?}"),
        }
        Next::On
    }

    fn intrinsic(
        &mut self,
        frame: &Frame<'p>,
        intrinsic: Intrinsic,
        kind: Kind,
        dst: Reg,
        a: &[u128],
    ) -> Vec<u128> {
        use Intrinsic as I;
        let width = kind.bits();
        let s = |index: usize| signed(width, a[index]);
        let overflow = |exact: Option<i128>, is_signed: bool| {
            let value = exact.expect("operands of at most 64 bits");
            let fits = if is_signed {
                signed(width, value as u128) == value
            } else {
                value as u128 == value as u128 & mask(width)
            };
            vec![value as u128, u128::from(!fits)]
        };
        let float = |compute: fn(f64) -> f64| match kind {
            Kind::Float(kind) => vec![bits(kind, compute(number(kind, a[0])))],
            Kind::Int(_) | Kind::Ptr => panic!("{intrinsic} of an integer"),
        };
        match intrinsic {
            I::MemCpy | I::MemMove => {
                if a[2] > 0 {
                    let bytes = self.slice(a[1] as u64, a[2] as u64).to_vec();
                    self.write_bytes(a[0] as u64, &bytes);
                }
                vec![]
            }
            I::MemSet => {
                if a[2] > 0 {
                    self.slice(a[0] as u64, a[2] as u64).fill(a[1] as u8);
                }
                vec![]
            }
            I::LifetimeStart
            | I::LifetimeEnd
            | I::Assume
            | I::Valid
            | I::Aligned
            | I::VaEnd
            | I::StackRestore => vec![],
            I::StackSave => vec![0],
            I::VaStart => {
                // All registers are said to be used up, so everything is on the stack.
                self.write(a[0] as u64, 48, 4);
                self.write(a[0] as u64 + 4, 176, 4);
                self.write(a[0] as u64 + 8, u128::from(frame.variadic), 8);
                vec![]
            }
            I::VaCopy => {
                let bytes = self.slice(a[1] as u64, 24).to_vec();
                self.write_bytes(a[0] as u64, &bytes);
                vec![]
            }
            I::PopCount => vec![u128::from(a[0].count_ones())],
            I::LeadingZeros => vec![u128::from(a[0].leading_zeros() - (128 - width))],
            I::TrailingZeros => vec![u128::from(a[0].trailing_zeros().min(width))],
            I::ByteSwap => vec![a[0].swap_bytes() >> (128 - width)],
            I::BitReverse => vec![a[0].reverse_bits() >> (128 - width)],
            I::FunnelLeft | I::FunnelRight => {
                let amount = (a[2] % u128::from(width)) as u32;
                let pair = a[0] << width | a[1];
                vec![if intrinsic == I::FunnelLeft {
                    pair << amount >> width
                } else {
                    pair >> amount
                }]
            }
            I::Abs => vec![s(0).unsigned_abs()],
            I::SMin => vec![s(0).min(s(1)) as u128],
            I::SMax => vec![s(0).max(s(1)) as u128],
            I::UMin => vec![a[0].min(a[1])],
            I::UMax => vec![a[0].max(a[1])],
            I::SCompare => vec![s(0).cmp(&s(1)) as i128 as u128],
            I::UCompare => vec![a[0].cmp(&a[1]) as i128 as u128],
            I::SAddOverflow => overflow(s(0).checked_add(s(1)), true),
            I::SSubOverflow => overflow(s(0).checked_sub(s(1)), true),
            I::SMulOverflow => overflow(s(0).checked_mul(s(1)), true),
            I::UAddOverflow => overflow((a[0] as i128).checked_add(a[1] as i128), false),
            I::USubOverflow => overflow((a[0] as i128).checked_sub(a[1] as i128), false),
            I::UMulOverflow => {
                let (value, over) = a[0].overflowing_mul(a[1]);
                vec![value, u128::from(over || value > mask(width))]
            }
            I::UAddSat => vec![(a[0] + a[1]).min(mask(width))],
            I::USubSat => vec![a[0].saturating_sub(a[1])],
            I::Sqrt => float(f64::sqrt),
            I::FAbs => float(f64::abs),
            I::Floor => float(f64::floor),
            I::Ceil => float(f64::ceil),
            I::Trunc => float(f64::trunc),
            I::RInt => float(f64::round_ties_even),
            I::FMulAdd => match kind {
                Kind::Float(kind) => {
                    let product = number(kind, bits(kind, number(kind, a[0]) * number(kind, a[1])));
                    vec![bits(kind, product + number(kind, a[2]))]
                }
                Kind::Int(_) | Kind::Ptr => panic!("{intrinsic} of an integer"),
            },
            // There is one thread.
            I::ThreadLocal => vec![a[0]],
            other => panic!("no {other} here, into {dst:?}"),
        }
    }
}

enum Next {
    On,
    Along(EdgeId),
    Return(Span),
}

impl Frame<'_> {
    fn get(&self, register: Reg) -> u128 {
        self.registers[register.index()]
    }

    fn set(&mut self, register: Reg, value: u128) {
        assert!(
            register.index() >= self.body.constants.len(),
            "constants stay"
        );
        let kind = self.body.kinds[register.index()];
        self.registers[register.index()] = value & mask(kind.bits());
    }

    fn list(&self, span: Span) -> Vec<u128> {
        self.body
            .registers(span)
            .iter()
            .map(|&register| self.get(register))
            .collect()
    }

    fn follow(&mut self, edge: EdgeId) -> usize {
        let edge = *self.body.edge(edge);
        for step in self.body.moves(&edge) {
            let value = self.get(step.src);
            self.set(step.dst, value);
        }
        assert_eq!(edge.pc, self.body.blocks[edge.target.index()].start);
        edge.pc as usize
    }
}

fn mask(bits: u32) -> u128 {
    assert!(bits <= 128, "numbers of at most 128 bits");
    u128::MAX >> (128 - bits)
}

fn signed(bits: u32, value: u128) -> i128 {
    ((value << (128 - bits)) as i128) >> (128 - bits)
}

fn binary(op: BinaryOp, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a / b,
        BinaryOp::SDiv => sa.wrapping_div(sb) as u128,
        BinaryOp::URem => a % b,
        BinaryOp::SRem => sa.wrapping_rem(sb) as u128,
        BinaryOp::Shl => a << b,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (sa >> b) as u128,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    }
}

fn compare(predicate: Predicate, width: u32, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Ugt => a > b,
        Predicate::Uge => a >= b,
        Predicate::Ult => a < b,
        Predicate::Ule => a <= b,
        Predicate::Sgt => sa > sb,
        Predicate::Sge => sa >= sb,
        Predicate::Slt => sa < sb,
        Predicate::Sle => sa <= sb,
    }
}

fn float_compare(predicate: FloatPredicate, a: f64, b: f64) -> bool {
    use FloatPredicate as P;
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        P::False => false,
        P::Oeq => a == b,
        P::Ogt => a > b,
        P::Oge => a >= b,
        P::Olt => a < b,
        P::Ole => a <= b,
        P::One => !unordered && a != b,
        P::Ord => !unordered,
        P::Uno => unordered,
        P::Ueq => unordered || a == b,
        P::Ugt => unordered || a > b,
        P::Uge => unordered || a >= b,
        P::Ult => unordered || a < b,
        P::Ule => unordered || a <= b,
        P::Une => a != b,
        P::True => true,
    }
}

fn number(kind: FloatKind, value: u128) -> f64 {
    match kind {
        FloatKind::Single => f64::from(f32::from_bits(value as u32)),
        FloatKind::Double => f64::from_bits(value as u64),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => {
            panic!("no arithmetic on {kind}")
        }
    }
}

fn bits(kind: FloatKind, value: f64) -> u128 {
    match kind {
        // Rounding twice is exact for one operation on two singles.
        FloatKind::Single => u128::from((value as f32).to_bits()),
        FloatKind::Double => u128::from(value.to_bits()),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => {
            panic!("no arithmetic on {kind}")
        }
    }
}

fn cast(op: CastOp, from: Kind, to: Kind, value: u128) -> u128 {
    match (op, from, to) {
        (CastOp::SExt, _, _) => signed(from.bits(), value) as u128,
        (CastOp::FloatTrunc | CastOp::FloatExt, Kind::Float(from), Kind::Float(to)) => {
            bits(to, number(from, value))
        }
        (CastOp::FloatToUnsigned, Kind::Float(from), _) => number(from, value) as u128,
        (CastOp::FloatToSigned, Kind::Float(from), _) => number(from, value) as i128 as u128,
        (CastOp::UnsignedToFloat, _, Kind::Float(FloatKind::Single)) => {
            u128::from((value as f32).to_bits())
        }
        (CastOp::UnsignedToFloat, _, Kind::Float(to)) => bits(to, value as f64),
        (CastOp::SignedToFloat, _, Kind::Float(FloatKind::Single)) => {
            u128::from((signed(from.bits(), value) as f32).to_bits())
        }
        (CastOp::SignedToFloat, _, Kind::Float(to)) => bits(to, signed(from.bits(), value) as f64),
        (
            CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits,
            _,
            _,
        ) => value,
        (_, from, to) => panic!("{op} from {from} to {to}"),
    }
}

fn update(op: RmwOp, kind: Kind, old: u128, operand: u128) -> u128 {
    let width = kind.bits();
    let (so, sp) = (signed(width, old), signed(width, operand));
    match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Max => so.max(sp) as u128,
        RmwOp::Min => so.min(sp) as u128,
        RmwOp::UMax => old.max(operand),
        RmwOp::UMin => old.min(operand),
        other => panic!("no atomic {other} here"),
    }
}
