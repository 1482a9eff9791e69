; Floating-point arithmetic: fadd, fsub, fmul, fdiv, frem, fneg.

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

; run: (0.1, 0.2) (1e308, 10.0) (-1e308, 1e308) (5e-324, 0.5) (1.0, 3.0) (0.0, 0.0) (-0.0, 0.0) (inf, inf) (nan, 1.0) (1e16, 1.0) (7.5, -2.0)
define double @fadd_double(double %a, double %b) {
  %r = fadd double %a, %b
  ret double %r
}

; run: (0.1, 0.2) (3e38, 10.0) (-3e38, 3e38) (1e-45, 0.5) (1.0, 3.0) (-0.0, -0.0) (inf, -inf) (1.0, nan) (16777216.0, 1.0) (-7.5, 2.0)
define float @fadd_float(float %a, float %b) {
  %r = fadd float %a, %b
  ret float %r
}

; every: (_, _)
define double @fadd_small_double(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call double @double(i8 %a2)
  %q = call double @double(i8 %b2)
  %r = fadd double %p, %q
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @fadd_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fadd float %p, %q
  ret float %r
}

; run: (0x3c00, 0x3555) (0x7bff, 0x7bff) (0x0001, 0x0003) (0x7c00, 0xfc00)
; every: (_, 0x3555)
define half @fadd_half(half %a, half %b) {
  %r = fadd half %a, %b
  ret half %r
}

; run: (0x3f80, 0x3eab) (0x7f7f, 0x7f7f) (0x0001, 0x0003) (0x7f80, 0xff80)
define bfloat @fadd_bfloat(bfloat %a, bfloat %b) {
  %r = fadd bfloat %a, %b
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define bfloat @fadd_small_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = fadd bfloat %p, %q
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define x86_fp80 @fadd_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fadd x86_fp80 %p, %q
  ret x86_fp80 %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define fp128 @fadd_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fadd fp128 %p, %q
  ret fp128 %r
}

; run: (0.1, 0.2) (1e308, 10.0) (-1e308, 1e308) (5e-324, 0.5) (1.0, 3.0) (0.0, 0.0) (-0.0, 0.0) (inf, inf) (nan, 1.0) (1e16, 1.0) (7.5, -2.0)
define double @fsub_double(double %a, double %b) {
  %r = fsub double %a, %b
  ret double %r
}

; run: (0.1, 0.2) (3e38, 10.0) (-3e38, 3e38) (1e-45, 0.5) (1.0, 3.0) (-0.0, -0.0) (inf, -inf) (1.0, nan) (16777216.0, 1.0) (-7.5, 2.0)
define float @fsub_float(float %a, float %b) {
  %r = fsub float %a, %b
  ret float %r
}

; every: (_, _)
define double @fsub_small_double(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call double @double(i8 %a2)
  %q = call double @double(i8 %b2)
  %r = fsub double %p, %q
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @fsub_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fsub float %p, %q
  ret float %r
}

; run: (0x3c00, 0x3555) (0x7bff, 0x7bff) (0x0001, 0x0003) (0x7c00, 0xfc00)
; every: (_, 0x3555)
define half @fsub_half(half %a, half %b) {
  %r = fsub half %a, %b
  ret half %r
}

; run: (0x3f80, 0x3eab) (0x7f7f, 0x7f7f) (0x0001, 0x0003) (0x7f80, 0xff80)
define bfloat @fsub_bfloat(bfloat %a, bfloat %b) {
  %r = fsub bfloat %a, %b
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define bfloat @fsub_small_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = fsub bfloat %p, %q
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define x86_fp80 @fsub_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fsub x86_fp80 %p, %q
  ret x86_fp80 %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define fp128 @fsub_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fsub fp128 %p, %q
  ret fp128 %r
}

; run: (0.1, 0.2) (1e308, 10.0) (-1e308, 1e308) (5e-324, 0.5) (1.0, 3.0) (0.0, 0.0) (-0.0, 0.0) (inf, inf) (nan, 1.0) (1e16, 1.0) (7.5, -2.0)
define double @fmul_double(double %a, double %b) {
  %r = fmul double %a, %b
  ret double %r
}

; run: (0.1, 0.2) (3e38, 10.0) (-3e38, 3e38) (1e-45, 0.5) (1.0, 3.0) (-0.0, -0.0) (inf, -inf) (1.0, nan) (16777216.0, 1.0) (-7.5, 2.0)
define float @fmul_float(float %a, float %b) {
  %r = fmul float %a, %b
  ret float %r
}

; every: (_, _)
define double @fmul_small_double(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call double @double(i8 %a2)
  %q = call double @double(i8 %b2)
  %r = fmul double %p, %q
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @fmul_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fmul float %p, %q
  ret float %r
}

; run: (0x3c00, 0x3555) (0x7bff, 0x7bff) (0x0001, 0x0003) (0x7c00, 0xfc00)
; every: (_, 0x3555)
define half @fmul_half(half %a, half %b) {
  %r = fmul half %a, %b
  ret half %r
}

; run: (0x3f80, 0x3eab) (0x7f7f, 0x7f7f) (0x0001, 0x0003) (0x7f80, 0xff80)
define bfloat @fmul_bfloat(bfloat %a, bfloat %b) {
  %r = fmul bfloat %a, %b
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define bfloat @fmul_small_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = fmul bfloat %p, %q
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define x86_fp80 @fmul_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fmul x86_fp80 %p, %q
  ret x86_fp80 %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define fp128 @fmul_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fmul fp128 %p, %q
  ret fp128 %r
}

; run: (0.1, 0.2) (1e308, 10.0) (-1e308, 1e308) (5e-324, 0.5) (1.0, 3.0) (0.0, 0.0) (-0.0, 0.0) (inf, inf) (nan, 1.0) (1e16, 1.0) (7.5, -2.0)
define double @fdiv_double(double %a, double %b) {
  %r = fdiv double %a, %b
  ret double %r
}

; run: (0.1, 0.2) (3e38, 10.0) (-3e38, 3e38) (1e-45, 0.5) (1.0, 3.0) (-0.0, -0.0) (inf, -inf) (1.0, nan) (16777216.0, 1.0) (-7.5, 2.0)
define float @fdiv_float(float %a, float %b) {
  %r = fdiv float %a, %b
  ret float %r
}

; every: (_, _)
define double @fdiv_small_double(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call double @double(i8 %a2)
  %q = call double @double(i8 %b2)
  %r = fdiv double %p, %q
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @fdiv_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fdiv float %p, %q
  ret float %r
}

; run: (0x3c00, 0x3555) (0x7bff, 0x7bff) (0x0001, 0x0003) (0x7c00, 0xfc00)
; every: (_, 0x3555)
define half @fdiv_half(half %a, half %b) {
  %r = fdiv half %a, %b
  ret half %r
}

; run: (0x3f80, 0x3eab) (0x7f7f, 0x7f7f) (0x0001, 0x0003) (0x7f80, 0xff80)
define bfloat @fdiv_bfloat(bfloat %a, bfloat %b) {
  %r = fdiv bfloat %a, %b
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define bfloat @fdiv_small_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = fdiv bfloat %p, %q
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define x86_fp80 @fdiv_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fdiv x86_fp80 %p, %q
  ret x86_fp80 %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define fp128 @fdiv_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fdiv fp128 %p, %q
  ret fp128 %r
}

; run: (0.1, 0.2) (1e308, 10.0) (-1e308, 1e308) (5e-324, 0.5) (1.0, 3.0) (0.0, 0.0) (-0.0, 0.0) (inf, inf) (nan, 1.0) (1e16, 1.0) (7.5, -2.0)
define double @frem_double(double %a, double %b) {
  %r = frem double %a, %b
  ret double %r
}

; run: (0.1, 0.2) (3e38, 10.0) (-3e38, 3e38) (1e-45, 0.5) (1.0, 3.0) (-0.0, -0.0) (inf, -inf) (1.0, nan) (16777216.0, 1.0) (-7.5, 2.0)
define float @frem_float(float %a, float %b) {
  %r = frem float %a, %b
  ret float %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define double @frem_small_double(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call double @double(i8 %a2)
  %q = call double @double(i8 %b2)
  %r = frem double %p, %q
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @frem_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = frem float %p, %q
  ret float %r
}

; run: (0x3c00, 0x3555) (0x7bff, 0x7bff) (0x0001, 0x0003) (0x7c00, 0xfc00)
; every: (_, 0x3555)
define half @frem_half(half %a, half %b) {
  %r = frem half %a, %b
  ret half %r
}

; run: (0x3f80, 0x3eab) (0x7f7f, 0x7f7f) (0x0001, 0x0003) (0x7f80, 0xff80)
define bfloat @frem_bfloat(bfloat %a, bfloat %b) {
  %r = frem bfloat %a, %b
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define bfloat @frem_small_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = frem bfloat %p, %q
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x21) (_, 0x7e) (_, 0x40)
define x86_fp80 @frem_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = frem x86_fp80 %p, %q
  ret x86_fp80 %r
}

; every: (_)
define half @fneg_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = fneg half %p
  ret half %r
}

; every: (_)
define bfloat @fneg_bfloat(i8 %x) {
  %p = call bfloat @bfloat(i8 %x)
  %r = fneg bfloat %p
  ret bfloat %r
}

; every: (_)
define float @fneg_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = fneg float %p
  ret float %r
}

; every: (_)
define double @fneg_double(i8 %x) {
  %p = call double @double(i8 %x)
  %r = fneg double %p
  ret double %r
}

; every: (_)
define x86_fp80 @fneg_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = fneg x86_fp80 %p
  ret x86_fp80 %r
}

; every: (_)
define fp128 @fneg_quad(i8 %x) {
  %p = call fp128 @quad(i8 %x)
  %r = fneg fp128 %p
  ret fp128 %r
}

; run: (1.0, 3.0, 7.0) (1e300, -1e300, 0.1)
define double @chain_of_double(double %a, double %b, double %c) {
  %d = fdiv double %a, %b
  %m = fmul double %d, %c
  %s = fsub double %m, %a
  %r = fadd double %s, %b
  ret double %r
}

; run: (0.1, 0.2) (1.5, -2.5)
define double @fast_flags(double %a, double %b) {
  %s = fadd nnan ninf double %a, %b
  %r = fmul nsz double %s, %b
  ret double %r
}
