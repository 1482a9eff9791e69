; Float intrinsics that are exact functions.

; Small floats: eight bits as the upper half of a binary16, seven with a zero below.
define internal half @half(i8 %bits) {
  %w = zext i8 %bits to i16
  %s = shl i16 %w, 8
  %h = bitcast i16 %s to half
  ret half %h
}

define internal bfloat @bfloat(i8 %bits) {
  %w = zext i8 %bits to i16
  %s = shl i16 %w, 8
  %h = bitcast i16 %s to bfloat
  ret bfloat %h
}

define internal float @float(i8 %bits) {
  %h = call half @half(i8 %bits)
  %r = fpext half %h to float
  ret float %r
}

define internal x86_fp80 @x87(i8 %bits) {
  %h = call half @half(i8 %bits)
  %r = fpext half %h to x86_fp80
  ret x86_fp80 %r
}

define internal fp128 @quad(i8 %bits) {
  %h = call half @half(i8 %bits)
  %r = fpext half %h to fp128
  ret fp128 %r
}

; run: (0.1) (2.0) (-2.0) (-0.0) (inf) (-inf) (nan) (1e300) (5e-324)
define double @sqrt_double(double %a) {
  %r = call double @llvm.sqrt.f64(double %a)
  ret double %r
}

; every: (_)
define float @sqrt_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.sqrt.f32(float %p)
  ret float %r
}

; run: (0.1) (2.0) (-2.0) (-0.0) (inf) (-inf) (nan) (1e300) (5e-324)
define double @fabs_double(double %a) {
  %r = call double @llvm.fabs.f64(double %a)
  ret double %r
}

; every: (_)
define float @fabs_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.fabs.f32(float %p)
  ret float %r
}

; run: (0.1) (2.0) (-2.0) (-0.0) (inf) (-inf) (nan) (1e300) (5e-324)
define double @canonicalize_double(double %a) {
  %r = call double @llvm.canonicalize.f64(double %a)
  ret double %r
}

; every: (_)
define float @canonicalize_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.canonicalize.f32(float %p)
  ret float %r
}

; every: (_)
define half @sqrt_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call half @llvm.sqrt.f16(half %p)
  ret half %r
}

; every: (_)
define x86_fp80 @sqrt_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call x86_fp80 @llvm.sqrt.f80(x86_fp80 %p)
  ret x86_fp80 %r
}

; every: (_)
define half @fabs_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call half @llvm.fabs.f16(half %p)
  ret half %r
}

; every: (_)
define x86_fp80 @fabs_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call x86_fp80 @llvm.fabs.f80(x86_fp80 %p)
  ret x86_fp80 %r
}

; every: (_)
define fp128 @fabs_quad(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  %r = call fp128 @llvm.fabs.f128(fp128 %p)
  ret fp128 %r
}

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @copysign_double(double %a, double %b) {
  %r = call double @llvm.copysign.f64(double %a, double %b)
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @copysign_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.copysign.f32(float %p, float %q)
  ret float %r
}

; run: (0.1, 10.0, -1.0) (1e200, 1e200, -inf) (1.0000000000000002, 1.0000000000000002, -1.0) (inf, 0.0, 1.0) (nan, 1.0, 1.0) (5e-324, 0.5, 5e-324)
define double @fma_double(double %a, double %b, double %c) {
  %r = call double @llvm.fma.f64(double %a, double %b, double %c)
  ret double %r
}

; every: (_, 0x1f) (_, 0x41)
define float @fma_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.fma.f32(float %p, float %q, float 0x3FB99999A0000000)
  ret float %r
}

; run: (0.1, 10.0, -1.0) (1e200, 1e200, -inf) (1.0000000000000002, 1.0000000000000002, -1.0) (inf, 0.0, 1.0) (nan, 1.0, 1.0) (5e-324, 0.5, 5e-324)
define double @fmuladd_double(double %a, double %b, double %c) {
  %r = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %r
}

; every: (_, 0x1f) (_, 0x41)
define float @fmuladd_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.fmuladd.f32(float %p, float %q, float 0x3FB99999A0000000)
  ret float %r
}

; every: (_)
define i1 @is_fpclass_1(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 1)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_2(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 2)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_4(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 4)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_8(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 8)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_16(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 16)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_32(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 32)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_64(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 64)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_128(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 128)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_256(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 256)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_512(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 512)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_3(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 3)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_519(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 519)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_504(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 504)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_1023(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 1023)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_0(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i1 @llvm.is.fpclass.f16(half %p, i32 0)
  ret i1 %r
}

; run: (0x7ff0000000000001) (0x7ff8000000000000) (-0.0) (5e-324) (inf) (2.0)
define i1 @is_fpclass_double(double %a) {
  %r = call i1 @llvm.is.fpclass.f64(double %a, i32 465)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %p, i32 519)
  ret i1 %r
}

; run: (1.5, 10) (1.5, -1100) (1.0, 5000) (nan, 3) (5e-324, 52) (0.75, -1074) (-0.0, 4)
define double @ldexp_double(double %a, i32 %n) {
  %r = call double @llvm.ldexp.f64.i32(double %a, i32 %n)
  ret double %r
}

; every: (_, 3) (_, -140) (0x3e, _)
define float @ldexp_small_float(i8 %x, i8 %n) {
  %p = call float @float(i8 %x)
  %w = sext i8 %n to i32
  %r = call float @llvm.ldexp.f32.i32(float %p, i32 %w)
  ret float %r
}

; run: (12.0) (-0.1) (0.0) (5e-324) (1e308)
define double @frexp_fraction(double %a) {
  %p = call { double, i32 } @llvm.frexp.f64.i32(double %a)
  %r = extractvalue { double, i32 } %p, 0
  ret double %r
}

; run: (12.0) (-0.1) (0.0) (5e-324) (1e308)
define i32 @frexp_power(double %a) {
  %p = call { double, i32 } @llvm.frexp.f64.i32(double %a)
  %r = extractvalue { double, i32 } %p, 1
  ret i32 %r
}

; every: (0..0x7c) (0x80..0xfc)
define i64 @frexp_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %b = call { float, i32 } @llvm.frexp.f32.i32(float %p)
  %m = extractvalue { float, i32 } %b, 0
  %e = extractvalue { float, i32 } %b, 1
  %i = bitcast float %m to i32
  %w = zext i32 %i to i64
  %s = shl i64 %w, 32
  %z = zext i32 %e to i64
  %r = or i64 %s, %z
  ret i64 %r
}

; run: (12.75) (-0.1) (-0.0) (inf) (1e300) (-3.0)
define double @modf_fraction(double %a) {
  %p = call { double, double } @llvm.modf.f64(double %a)
  %r = extractvalue { double, double } %p, 0
  ret double %r
}

; every: (_)
define float @modf_whole(i8 %x) {
  %p = call float @float(i8 %x)
  %b = call { float, float } @llvm.modf.f32(float %p)
  %r = extractvalue { float, float } %b, 1
  ret float %r
}

; run: ()
define i32 @get_rounding() {
  call void @llvm.set.rounding(i32 1)
  %r = call i32 @llvm.get.rounding()
  ret i32 %r
}

; every: (_)
define i16 @convert_from_and_to_fp16(i16 %a) {
  %x = call float @llvm.convert.from.fp16.f32(i16 %a)
  %y = fadd float %x, 1.0
  %n = fcmp uno float %y, %y
  %z = select i1 %n, float 2.0, float %y
  %r = call i16 @llvm.convert.to.fp16.f32(float %z)
  ret i16 %r
}

; run: (1.5, 2.25) (0.1, 0.2)
define double @constrained_arithmetic(double %a, double %b) strictfp {
  %s = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.ignore")
  %d = call double @llvm.experimental.constrained.fdiv.f64(double %s, double %b, metadata !"round.tonearest", metadata !"fpexcept.strict")
  %q = call double @llvm.experimental.constrained.sqrt.f64(double %d, metadata !"round.dynamic", metadata !"fpexcept.ignore")
  %c = call i1 @llvm.experimental.constrained.fcmp.f64(double %q, double %a, metadata !"olt", metadata !"fpexcept.ignore")
  %i = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %b, metadata !"fpexcept.ignore")
  %f = call double @llvm.experimental.constrained.sitofp.f64.i32(i32 %i, metadata !"round.dynamic", metadata !"fpexcept.ignore")
  %r = select i1 %c, double %q, double %f
  ret double %r
}

; run: (1.5) (-0.25)
define double @arithmetic_fence(double %a) {
  %x = call double @llvm.arithmetic.fence.f64(double %a)
  ret double %x
}

; run: (0x3c01, 0x3c01, 0x0001) (0x7bff, 0x3c01, 0xfbff) (0x3555, 0x3555, 0x8001)
; every: (_, 0x3c01, 0x1400)
define half @fma_half(half %a, half %b, half %c) {
  %r = call half @llvm.fma.f16(half %a, half %b, half %c)
  ret half %r
}

; run: (0x3c01, 0x3c01, 0x0001) (0x7bff, 0x3c01, 0xfbff) (0x3555, 0x3555, 0x8001)
; every: (_, 0x3c01, 0x1400)
define half @fmuladd_half(half %a, half %b, half %c) {
  %r = call half @llvm.fmuladd.f16(half %a, half %b, half %c)
  ret half %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40) (_, 0)
define half @copysign_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = call half @llvm.copysign.f16(half %p, half %q)
  ret half %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define x86_fp80 @copysign_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = call x86_fp80 @llvm.copysign.f80(x86_fp80 %p, x86_fp80 %q)
  ret x86_fp80 %r
}

; every: (_)
define i1 @is_fpclass_3_quad(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  %r = call i1 @llvm.is.fpclass.f128(fp128 %p, i32 3)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_3_bfloat(i8 %x) {
  %p = call bfloat @bfloat(i8 %x)
  %r = call i1 @llvm.is.fpclass.bf16(bfloat %p, i32 3)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_504_quad(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  %r = call i1 @llvm.is.fpclass.f128(fp128 %p, i32 504)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_504_bfloat(i8 %x) {
  %p = call bfloat @bfloat(i8 %x)
  %r = call i1 @llvm.is.fpclass.bf16(bfloat %p, i32 504)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_96_quad(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  %r = call i1 @llvm.is.fpclass.f128(fp128 %p, i32 96)
  ret i1 %r
}

; every: (_)
define i1 @is_fpclass_96_bfloat(i8 %x) {
  %p = call bfloat @bfloat(i8 %x)
  %r = call i1 @llvm.is.fpclass.bf16(bfloat %p, i32 96)
  ret i1 %r
}

; every: (0..0x7c)
define half @frexp_half(i8 %x) {
  %p = call half @half(i8 %x)
  %b = call { half, i32 } @llvm.frexp.f16.i32(half %p)
  %m = extractvalue { half, i32 } %b, 0
  ret half %m
}

; every: (_, 2) (_, -20) (0x3e, _)
define half @ldexp_half(i8 %x, i8 %n) {
  %p = call half @half(i8 %x)
  %w = sext i8 %n to i32
  %r = call half @llvm.ldexp.f16.i32(half %p, i32 %w)
  ret half %r
}

; run: (1.5, 3) (0.7, -2000)
; every: (0.7, -3..3)
define x86_fp80 @ldexp_x87(double %a, i32 %n) {
  %p = fpext double %a to x86_fp80
  %r = call x86_fp80 @llvm.ldexp.f80.i32(x86_fp80 %p, i32 %n)
  ret x86_fp80 %r
}

; run: (0.1, 3.0, 7.0) (1e300, 1e300, -1e300)
define x86_fp80 @fma_x87(double %a, double %b, double %c) {
  %x = fpext double %a to x86_fp80
  %y = fpext double %b to x86_fp80
  %z = fpext double %c to x86_fp80
  %r = call x86_fp80 @llvm.fma.f80(x86_fp80 %x, x86_fp80 %y, x86_fp80 %z)
  ret x86_fp80 %r
}
