; Conversions of floats. What does not fit an integer gives what x86-64 gives.

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

define internal double @double(i8 %bits) {
  %h = call half @half(i8 %bits)
  %r = fpext half %h to double
  ret double %r
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

; run: (0.1) (1e300) (-1e-50) (nan) (1e-45) (3.4028235677973366e38) (-0.0)
define float @fptrunc_double_float(double %a) {
  %r = fptrunc double %a to float
  ret float %r
}

; run: (0.1) (1e30) (65520.0) (65519.9) (5.9604644775390625e-8) (2.98e-8) (-0.0) (nan)
define half @fptrunc_double_half(double %a) {
  %r = fptrunc double %a to half
  ret half %r
}

; run: (0.1) (1e30) (65520.0) (-65519.0) (6e-8) (inf)
define half @fptrunc_float_half(float %a) {
  %r = fptrunc float %a to half
  ret half %r
}

; run: (0.1) (1e30) (3.4e38) (1.00390625) (1.01171875) (-inf)
define bfloat @fptrunc_float_bfloat(float %a) {
  %r = fptrunc float %a to bfloat
  ret bfloat %r
}

; run: (0.1) (1e308) (-3.0) (nan)
define double @fptrunc_x87_double(double %a) {
  %w = fpext double %a to x86_fp80
  %t = fdiv x86_fp80 %w, 0xK4000C000000000000000
  %r = fptrunc x86_fp80 %t to double
  ret double %r
}

; run: (0.1) (1e308) (5e-324)
define float @fptrunc_quad_float(double %a) {
  %w = fpext double %a to fp128
  %r = fptrunc fp128 %w to float
  ret float %r
}

; run: (0.1) (1e308) (5e-324)
define x86_fp80 @fptrunc_quad_x87(double %a) {
  %w = fpext double %a to fp128
  %t = fmul fp128 %w, %w
  %r = fptrunc fp128 %t to x86_fp80
  ret x86_fp80 %r
}

; every: (_)
define half @fptrunc_of_every_half(half %a) {
  %w = fpext half %a to float
  %r = fptrunc float %w to half
  ret half %r
}

; run: (0.1) (1e-45) (-0.0) (inf) (nan)
define double @fpext_float_double(float %a) {
  %r = fpext float %a to double
  ret double %r
}

; every: (_)
define float @fpext_half_float(half %a) {
  %r = fpext half %a to float
  ret float %r
}

; every: (_)
define float @fpext_bfloat_float(bfloat %a) {
  %r = fpext bfloat %a to float
  ret float %r
}

; every: (_)
define x86_fp80 @fpext_half_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  ret x86_fp80 %p
}

; every: (_)
define fp128 @fpext_half_quad(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  ret fp128 %p
}

; run: (0.1) (5e-324) (-1e308)
define fp128 @fpext_x87_quad(double %a) {
  %w = fpext double %a to x86_fp80
  %r = fpext x86_fp80 %w to fp128
  ret fp128 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i8 @fptosi_double_i8(double %a) {
  %r = fptosi double %a to i8
  ret i8 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i16 @fptosi_double_i16(double %a) {
  %r = fptosi double %a to i16
  ret i16 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i32 @fptosi_double_i32(double %a) {
  %r = fptosi double %a to i32
  ret i32 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i64 @fptosi_double_i64(double %a) {
  %r = fptosi double %a to i64
  ret i64 %r
}

; run: (1e30) (-1e30) (nan) (inf) (2147483648.0) (4294967296.0) (9.3e18) (1.9e19) (-1.0) (-2147483649.0)
define i32 @fptosi_outside_i32(double %a) {
  %r = fptosi double %a to i32
  ret i32 %r
}

; run: (1e30) (-1e30) (nan) (inf) (2147483648.0) (4294967296.0) (9.3e18) (1.9e19) (-1.0) (-2147483649.0)
define i64 @fptosi_outside_i64(double %a) {
  %r = fptosi double %a to i64
  ret i64 %r
}

; every: (_)
define i32 @fptosi_small_i32(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptosi float %p to i32
  ret i32 %r
}

; every: (_)
define i64 @fptosi_small_i64(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptosi float %p to i64
  ret i64 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i8 @fptoui_double_i8(double %a) {
  %r = fptoui double %a to i8
  ret i8 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i16 @fptoui_double_i16(double %a) {
  %r = fptoui double %a to i16
  ret i16 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i32 @fptoui_double_i32(double %a) {
  %r = fptoui double %a to i32
  ret i32 %r
}

; run: (0.9) (-0.9) (1.5) (100.99) (127.0)
define i64 @fptoui_double_i64(double %a) {
  %r = fptoui double %a to i64
  ret i64 %r
}

; run: (1e30) (-1e30) (nan) (inf) (2147483648.0) (4294967296.0) (9.3e18) (1.9e19) (-1.0) (-2147483649.0)
define i32 @fptoui_outside_i32(double %a) {
  %r = fptoui double %a to i32
  ret i32 %r
}

; run: (1e30) (-1e30) (nan) (inf) (2147483648.0) (4294967296.0) (9.3e18) (1.9e19) (-1.0) (-2147483649.0)
define i64 @fptoui_outside_i64(double %a) {
  %r = fptoui double %a to i64
  ret i64 %r
}

; every: (_)
define i32 @fptoui_small_i32(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptoui float %p to i32
  ret i32 %r
}

; every: (_)
define i64 @fptoui_small_i64(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptoui float %p to i64
  ret i64 %r
}

; every: (-100..100)
define i8 @fptosi_half_i8(i8 %x) {
  %h = sitofp i8 %x to half
  %r = fptosi half %h to i8
  ret i8 %r
}

; run: (1e20) (-1e30) (3.7)
define i128 @fptosi_double_i128(double %a) {
  %r = fptosi double %a to i128
  ret i128 %r
}

; run: (1e20) (1e38) (3.7)
define i128 @fptoui_double_i128(double %a) {
  %r = fptoui double %a to i128
  ret i128 %r
}

; every: (0..0x7b)
define i64 @fptoui_x87_i64(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = fptoui x86_fp80 %p to i64
  ret i64 %r
}

; every: (0..0x7b)
define i32 @fptosi_quad_i32(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  %r = fptosi fp128 %p to i32
  ret i32 %r
}

; run: (0) (1) (-1) (16777217) (0x7fffffffffffffff) (-9223372036854775808) (9007199254740993) (0x8000000000000401)
define float @sitofp_i64_float(i64 %a) {
  %r = sitofp i64 %a to float
  ret float %r
}

; every: (_)
define float @sitofp_i8_float(i8 %a) {
  %r = sitofp i8 %a to float
  ret float %r
}

; run: (-1) (0x123456789abcdef0123456789abcdef) (1)
define float @sitofp_i128_float(i128 %a) {
  %r = sitofp i128 %a to float
  ret float %r
}

; run: (0) (1) (-1) (16777217) (0x7fffffffffffffff) (-9223372036854775808) (9007199254740993) (0x8000000000000401)
define double @sitofp_i64_double(i64 %a) {
  %r = sitofp i64 %a to double
  ret double %r
}

; every: (_)
define double @sitofp_i8_double(i8 %a) {
  %r = sitofp i8 %a to double
  ret double %r
}

; run: (-1) (0x123456789abcdef0123456789abcdef) (1)
define double @sitofp_i128_double(i128 %a) {
  %r = sitofp i128 %a to double
  ret double %r
}

; every: (_)
define half @sitofp_i16_half(i16 %a) {
  %r = sitofp i16 %a to half
  ret half %r
}

; every: (_)
define bfloat @sitofp_i8_bfloat(i8 %a) {
  %r = sitofp i8 %a to bfloat
  ret bfloat %r
}

; run: (-1) (0x7fffffffffffffff)
; every: (-8..8)
define x86_fp80 @sitofp_i64_x87(i64 %a) {
  %r = sitofp i64 %a to x86_fp80
  ret x86_fp80 %r
}

; run: (-1) (0x7fffffffffffffff)
; every: (-8..8)
define fp128 @sitofp_i64_quad(i64 %a) {
  %r = sitofp i64 %a to fp128
  ret fp128 %r
}

; run: (0) (1) (-1) (16777217) (0x7fffffffffffffff) (-9223372036854775808) (9007199254740993) (0x8000000000000401)
define float @uitofp_i64_float(i64 %a) {
  %r = uitofp i64 %a to float
  ret float %r
}

; every: (_)
define float @uitofp_i8_float(i8 %a) {
  %r = uitofp i8 %a to float
  ret float %r
}

; run: (-1) (0x123456789abcdef0123456789abcdef) (1)
define float @uitofp_i128_float(i128 %a) {
  %r = uitofp i128 %a to float
  ret float %r
}

; run: (0) (1) (-1) (16777217) (0x7fffffffffffffff) (-9223372036854775808) (9007199254740993) (0x8000000000000401)
define double @uitofp_i64_double(i64 %a) {
  %r = uitofp i64 %a to double
  ret double %r
}

; every: (_)
define double @uitofp_i8_double(i8 %a) {
  %r = uitofp i8 %a to double
  ret double %r
}

; run: (-1) (0x123456789abcdef0123456789abcdef) (1)
define double @uitofp_i128_double(i128 %a) {
  %r = uitofp i128 %a to double
  ret double %r
}

; every: (_)
define half @uitofp_i16_half(i16 %a) {
  %r = uitofp i16 %a to half
  ret half %r
}

; every: (_)
define bfloat @uitofp_i8_bfloat(i8 %a) {
  %r = uitofp i8 %a to bfloat
  ret bfloat %r
}

; run: (-1) (0x7fffffffffffffff)
; every: (-8..8)
define x86_fp80 @uitofp_i64_x87(i64 %a) {
  %r = uitofp i64 %a to x86_fp80
  ret x86_fp80 %r
}

; run: (-1) (0x7fffffffffffffff)
; every: (-8..8)
define fp128 @uitofp_i64_quad(i64 %a) {
  %r = uitofp i64 %a to fp128
  ret fp128 %r
}

; every: (_)
define float @uitofp_i1(i1 %a) {
  %r = uitofp i1 %a to float
  ret float %r
}

; every: (_)
define double @uitofp_nneg(i7 %a) {
  %w = zext i7 %a to i16
  %r = uitofp nneg i16 %w to double
  ret double %r
}

; run: (0x3FF0020000000001) (0x3FF0060000000000) (0x3E60000000000001) (0x40EFFDFFFFFFFFFF)
define half @fptrunc_rounds_once_to_half(double %a) {
  %r = fptrunc double %a to half
  ret half %r
}

; run: (0x3FF0100000000001) (0x3FF0300000000000) (0x36A0000000000001)
define bfloat @fptrunc_rounds_once_to_bfloat(double %a) {
  %r = fptrunc double %a to bfloat
  ret bfloat %r
}

; run: (0x3FF0020000000001) (1e10) (-3.3)
define half @fptrunc_x87_half(double %a) {
  %w = fpext double %a to x86_fp80
  %x = fdiv x86_fp80 %w, 0xK4000C000000000000000
  %r = fptrunc x86_fp80 %x to half
  ret half %r
}

; run: (0x3FF0020000000001) (1e10) (-3.3)
define half @fptrunc_quad_half(double %a) {
  %w = fpext double %a to fp128
  %r = fptrunc fp128 %w to half
  ret half %r
}

; run: (0x1010001) (0x7fffffffffffffff) (-1) (65520) (65519) (-3)
define half @sitofp_i64_half(i64 %a) {
  %r = sitofp i64 %a to half
  ret half %r
}

; run: (0x1010001) (0x7fffffffffffffff) (-1) (0x1008001) (257)
define bfloat @sitofp_i64_bfloat(i64 %a) {
  %r = sitofp i64 %a to bfloat
  ret bfloat %r
}

; every: (_)
define double @sitofp_i1(i1 %a) {
  %r = sitofp i1 %a to double
  ret double %r
}

; run: (0.5) (1.0) (-0.5)
define i1 @fptoui_i1(double %a) {
  %r = fptoui double %a to i1
  ret i1 %r
}

; run: (-1) (0x1123456789abcdef0) (3)
define double @uitofp_i65(i65 %a) {
  %r = uitofp i65 %a to double
  ret double %r
}

; run: (1e15) (-1e15) (0.5)
define i50 @fptosi_i50(double %a) {
  %r = fptosi double %a to i50
  ret i50 %r
}

; every: (_)
define i64 @fptosi_half_i64(i8 %x) {
  %p = call half @half(i8 %x)
  %r = fptosi half %p to i64
  ret i64 %r
}

; every: (0..0x7c) (0x80..0xfc)
define i64 @fptosi_bfloat_small(i8 %x) {
  %p = call bfloat @bfloat(i8 %x)
  %m = call bfloat @llvm.fabs.bf16(bfloat %p)
  %c = fcmp olt bfloat %m, 0xR4600
  %s = select i1 %c, bfloat %p, bfloat 0xR3F80
  %r = fptosi bfloat %s to i64
  ret i64 %r
}

; every: (_)
define i8 @fptosi_small_i8(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptosi float %p to i8
  ret i8 %r
}

; run: (1e30) (-1e30) (nan) (inf) (300.7) (-300.7) (70000.5) (-70000.5) (3000000000.0)
define i8 @fptosi_outside_i8(double %a) {
  %r = fptosi double %a to i8
  ret i8 %r
}

; every: (_)
define i16 @fptosi_small_i16(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptosi float %p to i16
  ret i16 %r
}

; run: (1e30) (-1e30) (nan) (inf) (300.7) (-300.7) (70000.5) (-70000.5) (3000000000.0)
define i16 @fptosi_outside_i16(double %a) {
  %r = fptosi double %a to i16
  ret i16 %r
}

; run: (1e30) (-1e30) (inf) (-inf) (1e39) (-1e39) (-1.5)
define i128 @fptosi_outside_i128(double %a) {
  %r = fptosi double %a to i128
  ret i128 %r
}

; run: (1e30) (-1e30) (nan) (5e9) (-5e9) (3e9)
define i32 @fptosi_outside_float(float %a) {
  %r = fptosi float %a to i32
  ret i32 %r
}

; run: (0x7c00) (0xfc00) (0x7e00) (0x7bff) (0xfbff) (0x5c00)
define i8 @fptosi_outside_half(half %a) {
  %r = fptosi half %a to i8
  ret i8 %r
}

; every: (_)
define i8 @fptoui_small_i8(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptoui float %p to i8
  ret i8 %r
}

; run: (1e30) (-1e30) (nan) (inf) (300.7) (-300.7) (70000.5) (-70000.5) (3000000000.0)
define i8 @fptoui_outside_i8(double %a) {
  %r = fptoui double %a to i8
  ret i8 %r
}

; every: (_)
define i16 @fptoui_small_i16(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fptoui float %p to i16
  ret i16 %r
}

; run: (1e30) (-1e30) (nan) (inf) (300.7) (-300.7) (70000.5) (-70000.5) (3000000000.0)
define i16 @fptoui_outside_i16(double %a) {
  %r = fptoui double %a to i16
  ret i16 %r
}

; run: (1e30) (-1e30) (inf) (-inf) (1e39) (-1e39) (-1.5)
define i128 @fptoui_outside_i128(double %a) {
  %r = fptoui double %a to i128
  ret i128 %r
}

; run: (1e30) (-1e30) (nan) (5e9) (-5e9) (3e9)
define i32 @fptoui_outside_float(float %a) {
  %r = fptoui float %a to i32
  ret i32 %r
}

; run: (0x7c00) (0xfc00) (0x7e00) (0x7bff) (0xfbff) (0x5c00)
define i8 @fptoui_outside_half(half %a) {
  %r = fptoui half %a to i8
  ret i8 %r
}
