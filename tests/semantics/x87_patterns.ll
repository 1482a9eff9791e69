; What the x87 unit makes of all its patterns: those it makes itself, and those that only
; memory gives it (pseudo-denormals, which are numbers; unnormals, pseudo-infinities and
; pseudo-NaNs, which are invalid operands).

; Six bits as a pattern: sign, two for the exponent (0, 1, 0x3fff, 0x7fff), the integer bit,
; the upper and the lowest bit of the fraction.
define internal i80 @pattern(i6 %x) {
  %w = zext i6 %x to i80
  %low = and i80 %w, 1
  %upper = lshr i80 %w, 1
  %two = and i80 %upper, 3
  %significand = shl i80 %two, 62
  %high = lshr i80 %w, 3
  %which = and i80 %high, 3
  %one = icmp eq i80 %which, 1
  %middle = icmp eq i80 %which, 2
  %end = icmp eq i80 %which, 3
  %e1 = select i1 %one, i80 1, i80 0
  %e2 = select i1 %middle, i80 16383, i80 %e1
  %e3 = select i1 %end, i80 32767, i80 %e2
  %exponent = shl i80 %e3, 64
  %sign = lshr i80 %w, 5
  %top = shl i80 %sign, 79
  %a = or i80 %low, %significand
  %b = or i80 %a, %exponent
  %c = or i80 %b, %top
  ret i80 %c
}

define internal x86_fp80 @x87(i6 %x) {
  %p = call i80 @pattern(i6 %x)
  %r = bitcast i80 %p to x86_fp80
  ret x86_fp80 %r
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38) (_, 0x3e) (_, 0x1d) (_, 0x1f)
define i80 @fadd_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fadd x86_fp80 %a, %b
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38) (_, 0x3e) (_, 0x1d) (_, 0x1f)
define i80 @fsub_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fsub x86_fp80 %a, %b
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38) (_, 0x3e) (_, 0x1d) (_, 0x1f)
define i80 @fmul_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fmul x86_fp80 %a, %b
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38) (_, 0x3e) (_, 0x1d) (_, 0x1f)
define i80 @fdiv_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fdiv x86_fp80 %a, %b
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38)
define i1 @fcmp_oeq_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fcmp oeq x86_fp80 %a, %b
  ret i1 %r
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38)
define i1 @fcmp_olt_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fcmp olt x86_fp80 %a, %b
  ret i1 %r
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38)
define i1 @fcmp_ule_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fcmp ule x86_fp80 %a, %b
  ret i1 %r
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38)
define i1 @fcmp_uno_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fcmp uno x86_fp80 %a, %b
  ret i1 %r
}

; every: (_, 0x16) (_, 0x17) (_, 0x1e) (_, 0x12) (_, 0x05) (_, 0x38)
define i1 @fcmp_une_x87(i6 %x, i6 %y) {
  %a = call x86_fp80 @x87(i6 %x)
  %b = call x86_fp80 @x87(i6 %y)
  %r = fcmp une x86_fp80 %a, %b
  ret i1 %r
}

; every: (_)
define i80 @fneg_x87(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fneg x86_fp80 %a
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_)
define i80 @fabs_x87(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call x86_fp80 @llvm.fabs.f80(x86_fp80 %a)
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_)
define i80 @sqrt_x87(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call x86_fp80 @llvm.sqrt.f80(x86_fp80 %a)
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_)
define i80 @rint_x87(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call x86_fp80 @llvm.rint.f80(x86_fp80 %a)
  %bits = bitcast x86_fp80 %r to i80
  ret i80 %bits
}

; every: (_)
define i64 @to_double(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptrunc x86_fp80 %a to double
  %bits = bitcast double %r to i64
  ret i64 %bits
}

; every: (_)
define i32 @to_float(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptrunc x86_fp80 %a to float
  %bits = bitcast float %r to i32
  ret i32 %bits
}

; every: (_)
define i64 @to_i64(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptosi x86_fp80 %a to i64
  ret i64 %r
}

; every: (_)
define i32 @to_i32(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptosi x86_fp80 %a to i32
  ret i32 %r
}

; every: (_)
define i16 @to_i16(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptosi x86_fp80 %a to i16
  ret i16 %r
}

; every: (_)
define i8 @to_i8(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptosi x86_fp80 %a to i8
  ret i8 %r
}

; every: (_)
define i16 @to_u16(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptoui x86_fp80 %a to i16
  ret i16 %r
}

; every: (_)
define i8 @to_u8(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptoui x86_fp80 %a to i8
  ret i8 %r
}

; every: (_)
define i64 @to_u64(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptoui x86_fp80 %a to i64
  ret i64 %r
}

; every: (_)
define i32 @to_u32(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = fptoui x86_fp80 %a to i32
  ret i32 %r
}

; every: (_)
define i1 @is_fpclass_1(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 1)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_2(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 2)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_3(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 3)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_4(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 4)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_8(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 8)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_16(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 16)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_32(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 32)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_64(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 64)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_128(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 128)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_256(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 256)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_264(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 264)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_504(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 504)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_512(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 512)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_516(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 516)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_1020(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 1020)
  ret i1 %r
}

; every: (_)
define i32 @call__fpclassifyl(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i32 @__fpclassifyl(x86_fp80 %a)
  ret i32 %r
}

; every: (_)
define i1 @call__isnanl(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i32 @__isnanl(x86_fp80 %a)
  %nan = icmp ne i32 %r, 0
  ret i1 %nan
}

; every: (_)
define i32 @call__isinfl(i6 %x) {
  %a = call x86_fp80 @x87(i6 %x)
  %r = call i32 @__isinfl(x86_fp80 %a)
  ret i32 %r
}

declare x86_fp80 @llvm.fabs.f80(x86_fp80)
declare x86_fp80 @llvm.sqrt.f80(x86_fp80)
declare x86_fp80 @llvm.rint.f80(x86_fp80)
declare i1 @llvm.is.fpclass.f80(x86_fp80, i32)
declare i32 @__fpclassifyl(x86_fp80)
declare i32 @__isnanl(x86_fp80)
declare i32 @__isinfl(x86_fp80)
