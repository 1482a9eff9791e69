; Minima and maxima of floats, each with its opinion on NaN and on zeros.

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

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @minnum_double(double %a, double %b) {
  %r = call double @llvm.minnum.f64(double %a, double %b)
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @minnum_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.minnum.f32(float %p, float %q)
  ret float %r
}

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @maxnum_double(double %a, double %b) {
  %r = call double @llvm.maxnum.f64(double %a, double %b)
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @maxnum_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.maxnum.f32(float %p, float %q)
  ret float %r
}

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @minimum_double(double %a, double %b) {
  %r = call double @llvm.minimum.f64(double %a, double %b)
  ret double %r
}

; every: (_, _)
define float @minimum_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.minimum.f32(float %p, float %q)
  ret float %r
}

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @maximum_double(double %a, double %b) {
  %r = call double @llvm.maximum.f64(double %a, double %b)
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @maximum_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.maximum.f32(float %p, float %q)
  ret float %r
}

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @minimumnum_double(double %a, double %b) {
  %r = call double @llvm.minimumnum.f64(double %a, double %b)
  ret double %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define float @minimumnum_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.minimumnum.f32(float %p, float %q)
  ret float %r
}

; run: (1.5, -2.5) (-1.5, 2.5) (0.0, -0.0) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (nan, nan) (inf, -inf) (3.0, 3.0)
define double @maximumnum_double(double %a, double %b) {
  %r = call double @llvm.maximumnum.f64(double %a, double %b)
  ret double %r
}

; every: (_, _)
define float @maximumnum_small_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = call float @llvm.maximumnum.f32(float %p, float %q)
  ret float %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40) (_, 0)
define half @minnum_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = call half @llvm.minnum.f16(half %p, half %q)
  ret half %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40) (_, 0)
define half @maxnum_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = call half @llvm.maxnum.f16(half %p, half %q)
  ret half %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40) (_, 0)
define half @maximum_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = call half @llvm.maximum.f16(half %p, half %q)
  ret half %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40) (_, 0)
define half @minimumnum_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = call half @llvm.minimumnum.f16(half %p, half %q)
  ret half %r
}

; every: (_, 0x1e) (_, 0x7e) (_, 0x40) (_, 0)
define x86_fp80 @minnum_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = call x86_fp80 @llvm.minnum.f80(x86_fp80 %p, x86_fp80 %q)
  ret x86_fp80 %r
}

; every: (_, 0x1e) (_, 0x7e) (_, 0x40) (_, 0)
define bfloat @maxnum_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = call bfloat @llvm.maxnum.bf16(bfloat %p, bfloat %q)
  ret bfloat %r
}

; every: (_, 0x1e) (_, 0x7e) (_, 0x40) (_, 0)
define x86_fp80 @maxnum_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = call x86_fp80 @llvm.maxnum.f80(x86_fp80 %p, x86_fp80 %q)
  ret x86_fp80 %r
}
