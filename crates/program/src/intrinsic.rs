//! Operations that are neither instructions nor functions of a library.
//!
//! Arguments come in the order LLVM's reference gives, metadata left out; an
//! argument that must be constant there (a flag, a mask) is in a constant
//! register here. Vector forms are taken apart into one operation an element.

use std::fmt;

use crate::ops::named;

named! {
    /// An operation the machine provides.
    Intrinsic {
        /// `(to, from, bytes, volatile)`: copies bytes between disjoint or equal ranges.
        MemCpy = "memcpy",
        /// `(to, from, bytes, volatile)`: copies bytes between ranges that may overlap.
        MemMove = "memmove",
        /// `(to, byte, bytes, volatile)`: fills a range.
        MemSet = "memset",

        /// The number of ones.
        PopCount = "ctpop",
        /// `(x, zero_is_poison)`: the number of leading zeros.
        LeadingZeros = "ctlz",
        /// `(x, zero_is_poison)`: the number of trailing zeros.
        TrailingZeros = "cttz",
        /// The bytes in reverse.
        ByteSwap = "bswap",
        /// The bits in reverse.
        BitReverse = "bitreverse",
        /// `(high, low, amount)`: the upper half of the pair shifted left by the amount modulo the width.
        FunnelLeft = "fshl",
        /// `(high, low, amount)`: the lower half of the pair shifted right by the amount modulo the width.
        FunnelRight = "fshr",
        /// `(x, min_is_poison)`: the signed absolute value.
        Abs = "abs",
        /// The signed minimum.
        SMin = "smin",
        /// The signed maximum.
        SMax = "smax",
        /// The unsigned minimum.
        UMin = "umin",
        /// The unsigned maximum.
        UMax = "umax",
        /// -1, 0 or 1 as the signed comparison says.
        SCompare = "scmp",
        /// -1, 0 or 1 as the unsigned comparison says.
        UCompare = "ucmp",

        /// Two results: the sum and whether it overflowed, signed.
        SAddOverflow = "sadd.with.overflow",
        /// Two results: the sum and whether it overflowed, unsigned.
        UAddOverflow = "uadd.with.overflow",
        /// Two results: the difference and whether it overflowed, signed.
        SSubOverflow = "ssub.with.overflow",
        /// Two results: the difference and whether it overflowed, unsigned.
        USubOverflow = "usub.with.overflow",
        /// Two results: the product and whether it overflowed, signed.
        SMulOverflow = "smul.with.overflow",
        /// Two results: the product and whether it overflowed, unsigned.
        UMulOverflow = "umul.with.overflow",
        /// The signed sum, clamped to the range.
        SAddSat = "sadd.sat",
        /// The unsigned sum, clamped to the range.
        UAddSat = "uadd.sat",
        /// The signed difference, clamped to the range.
        SSubSat = "ssub.sat",
        /// The unsigned difference, clamped to the range.
        USubSat = "usub.sat",
        /// The signed left shift, clamped to the range.
        SShlSat = "sshl.sat",
        /// The unsigned left shift, clamped to the range.
        UShlSat = "ushl.sat",

        /// `(condition)`: the one bit is set, or the behaviour is undefined.
        Assume = "assume",
        /// `(condition)`: the one bit is set, or a value is none of its type, an error.
        Valid = "valid",
        /// `(address, bytes)`: the address is a multiple, or the program is in error.
        Aligned = "aligned",
        /// `(address)`: the stack object begins to live.
        LifetimeStart = "lifetime.start",
        /// `(address)`: the stack object is dead.
        LifetimeEnd = "lifetime.end",
        /// `(address, minimum, null_is_unknown, dynamic)`: bytes from the address to its object's end.
        ObjectSize = "objectsize",
        /// A mark of the stack, for [`StackRestore`](Self::StackRestore).
        StackSave = "stacksave",
        /// `(mark)`: frees what was allocated on the stack since the mark.
        StackRestore = "stackrestore",
        /// Ends the program abnormally.
        Trap = "trap",
        /// Stops for a debugger.
        DebugTrap = "debugtrap",
        /// `(check)`: a check of the undefined-behaviour sanitizer failed.
        UbsanTrap = "ubsantrap",
        /// `(list)`: starts to walk the variadic arguments.
        VaStart = "va_start",
        /// `(list)`: ends the walk.
        VaEnd = "va_end",
        /// `(to, from)`: copies a walk.
        VaCopy = "va_copy",
        /// `(level)`: where the function at that level returns to.
        ReturnAddress = "returnaddress",
        /// `(level)`: the frame of the function at that level.
        FrameAddress = "frameaddress",
        /// The address of the thread's own block.
        ThreadPointer = "thread.pointer",
        /// A counter that grows with time.
        CycleCounter = "readcyclecounter",
        /// A counter that grows steadily with time.
        SteadyCounter = "readsteadycounter",
        /// `(address, mask)`: the address with the bits outside the mask cleared.
        PtrMask = "ptrmask",
        /// `(variable)`: the running thread's own of a thread-local variable.
        ThreadLocal = "threadlocal.address",
        /// `(table, offset)`: the table's address plus the number of 32 bits at the offset in it.
        LoadRelative = "load.relative",
        /// `(type_info)`: the selector of landing pads for that type.
        TypeIdFor = "eh.typeid.for",

        /// The square root.
        Sqrt = "sqrt",
        /// `(a, b, c)`: `a * b + c` rounded once.
        Fma = "fma",
        /// `(a, b, c)`: `a * b + c` rounded once or twice.
        FMulAdd = "fmuladd",
        /// The absolute value.
        FAbs = "fabs",
        /// `(magnitude, sign)`.
        CopySign = "copysign",
        /// The minimum; a number rather than NaN.
        MinNum = "minnum",
        /// The maximum; a number rather than NaN.
        MaxNum = "maxnum",
        /// The minimum; NaN if either is; -0 below +0.
        Minimum = "minimum",
        /// The maximum; NaN if either is; -0 below +0.
        Maximum = "maximum",
        /// The minimum; a number rather than NaN; -0 below +0.
        MinimumNum = "minimumnum",
        /// The maximum; a number rather than NaN; -0 below +0.
        MaximumNum = "maximumnum",
        /// Rounded down.
        Floor = "floor",
        /// Rounded up.
        Ceil = "ceil",
        /// Rounded towards zero.
        Trunc = "trunc",
        /// Rounded in the current direction.
        RInt = "rint",
        /// Rounded in the current direction, without signalling.
        NearbyInt = "nearbyint",
        /// Rounded to nearest, halves away from zero.
        Round = "round",
        /// Rounded to nearest, halves to even.
        RoundEven = "roundeven",
        /// Rounded in the current direction to an integer.
        LRint = "lrint",
        /// Rounded halves away from zero to an integer.
        LRound = "lround",
        /// Towards zero to a signed integer, clamped; NaN is 0.
        ToSignedSat = "fptosi.sat",
        /// Towards zero to an unsigned integer, clamped; NaN is 0.
        ToUnsignedSat = "fptoui.sat",
        /// `(x, classes)`: whether the number is in one of the classes of the mask.
        IsClass = "is.fpclass",
        /// The canonical encoding of the number.
        Canonicalize = "canonicalize",
        /// `(x, power)`: `x * 2^power`.
        LdExp = "ldexp",
        /// Two results: the fraction in [0.5, 1) and the power of two.
        FRExp = "frexp",
        /// Two results: the fractional part and the integral part.
        Modf = "modf",
        /// The current rounding direction, as C's `FLT_ROUNDS`.
        GetRounding = "get.rounding",
        /// Sets the rounding direction.
        SetRounding = "set.rounding",

        /// C's `sin`.
        Sin = "sin",
        /// C's `cos`.
        Cos = "cos",
        /// Two results: sine and cosine.
        SinCos = "sincos",
        /// Two results: sine and cosine of π times the argument.
        SinCosPi = "sincospi",
        /// C's `tan`.
        Tan = "tan",
        /// C's `asin`.
        ASin = "asin",
        /// C's `acos`.
        ACos = "acos",
        /// C's `atan`.
        ATan = "atan",
        /// C's `atan2`.
        ATan2 = "atan2",
        /// C's `sinh`.
        SinH = "sinh",
        /// C's `cosh`.
        CosH = "cosh",
        /// C's `tanh`.
        TanH = "tanh",
        /// C's `exp`.
        Exp = "exp",
        /// C's `exp2`.
        Exp2 = "exp2",
        /// C's `exp10`.
        Exp10 = "exp10",
        /// C's `log`.
        Log = "log",
        /// C's `log2`.
        Log2 = "log2",
        /// C's `log10`.
        Log10 = "log10",
        /// C's `pow`.
        Pow = "pow",
        /// `(x, n)`: a power with a signed integer exponent.
        PowI = "powi",
    }
}
