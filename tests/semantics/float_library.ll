; Float intrinsics that the C library computes, on concrete numbers.

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @sin_double(double %a) {
  %r = call double @llvm.sin.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @sin_float(float %a) {
  %r = call float @llvm.sin.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @cos_double(double %a) {
  %r = call double @llvm.cos.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @cos_float(float %a) {
  %r = call float @llvm.cos.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @tan_double(double %a) {
  %r = call double @llvm.tan.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @tan_float(float %a) {
  %r = call float @llvm.tan.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @asin_double(double %a) {
  %r = call double @llvm.asin.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @asin_float(float %a) {
  %r = call float @llvm.asin.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @acos_double(double %a) {
  %r = call double @llvm.acos.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @acos_float(float %a) {
  %r = call float @llvm.acos.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @atan_double(double %a) {
  %r = call double @llvm.atan.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @atan_float(float %a) {
  %r = call float @llvm.atan.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @sinh_double(double %a) {
  %r = call double @llvm.sinh.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @sinh_float(float %a) {
  %r = call float @llvm.sinh.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @cosh_double(double %a) {
  %r = call double @llvm.cosh.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @cosh_float(float %a) {
  %r = call float @llvm.cosh.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @tanh_double(double %a) {
  %r = call double @llvm.tanh.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @tanh_float(float %a) {
  %r = call float @llvm.tanh.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @exp_double(double %a) {
  %r = call double @llvm.exp.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @exp_float(float %a) {
  %r = call float @llvm.exp.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @exp2_double(double %a) {
  %r = call double @llvm.exp2.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @exp2_float(float %a) {
  %r = call float @llvm.exp2.f32(float %a)
  ret float %r
}

; run: (0.0) (2.0) (-3.0) (1.0) (nan) (-inf)
define double @exp10_double(double %a) {
  %r = call double @llvm.exp10.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @exp10_float(float %a) {
  %r = call float @llvm.exp10.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @log_double(double %a) {
  %r = call double @llvm.log.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @log_float(float %a) {
  %r = call float @llvm.log.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @log2_double(double %a) {
  %r = call double @llvm.log2.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @log2_float(float %a) {
  %r = call float @llvm.log2.f32(float %a)
  ret float %r
}

; run: (0.0) (0.5) (-0.75) (1.0) (nan) (-inf)
define double @log10_double(double %a) {
  %r = call double @llvm.log10.f64(double %a)
  ret double %r
}

; run: (0.25) (-0.5) (1.0) (inf)
define float @log10_float(float %a) {
  %r = call float @llvm.log10.f32(float %a)
  ret float %r
}

; run: (0.0, -0.0) (0.5, 2.0) (-1.5, 3.0) (2.0, 0.5) (-8.0, 0.333) (1.0, nan) (10.0, -400.0)
define double @atan2_double(double %a, double %b) {
  %r = call double @llvm.atan2.f64(double %a, double %b)
  ret double %r
}

; run: (0.5, 2.0) (-1.5, 3.0) (2.0, 0.5)
define float @atan2_float(float %a, float %b) {
  %r = call float @llvm.atan2.f32(float %a, float %b)
  ret float %r
}

; run: (0.0, -0.0) (0.5, 2.0) (-1.5, 3.0) (2.0, 0.5) (-8.0, 0.333) (1.0, nan) (10.0, -400.0)
define double @pow_double(double %a, double %b) {
  %r = call double @llvm.pow.f64(double %a, double %b)
  ret double %r
}

; run: (0.5, 2.0) (-1.5, 3.0) (2.0, 0.5)
define float @pow_float(float %a, float %b) {
  %r = call float @llvm.pow.f32(float %a, float %b)
  ret float %r
}

; run: (0.0) (0.25) (1.5) (-3.0)
define double @sincos_sine(double %a) {
  %p = call { double, double } @llvm.sincos.f64(double %a)
  %r = extractvalue { double, double } %p, 0
  ret double %r
}

; run: (0.0) (0.25) (1.5) (-3.0)
define double @sincos_cosine(double %a) {
  %p = call { double, double } @llvm.sincos.f64(double %a)
  %r = extractvalue { double, double } %p, 1
  ret double %r
}

; run: (1.5, 3) (2.0, -3) (0.1, 17) (-1.1, 0) (1e200, 2) (0.0, -1) (1.0000001, 1000)
define double @powi_double(double %a, i32 %n) {
  %r = call double @llvm.powi.f64.i32(double %a, i32 %n)
  ret double %r
}

; run: (1.5, 3) (2.0, -3)
define float @powi_float(float %a, i32 %n) {
  %r = call float @llvm.powi.f32.i32(float %a, i32 %n)
  ret float %r
}

; every: (_, 3) (_, -2) (_, 0)
define float @powi_small_float(i8 %x, i32 %n) {
  %w = zext i8 %x to i16
  %s = shl i16 %w, 8
  %h = bitcast i16 %s to half
  %p = fpext half %h to float
  %r = call float @llvm.powi.f32.i32(float %p, i32 %n)
  ret float %r
}

; run: (0x3800) (0x3c00) (0x0001) (0xb800)
define half @sin_half(half %a) {
  %r = call half @llvm.sin.f16(half %a)
  ret half %r
}

; run: (0x3800) (0x3c00) (0x0001) (0xb800)
define half @exp2_half(half %a) {
  %r = call half @llvm.exp2.f16(half %a)
  ret half %r
}

; run: (0x3800) (0x3c00) (0x0001) (0xb800)
define half @log10_half(half %a) {
  %r = call half @llvm.log10.f16(half %a)
  ret half %r
}

; run: (0x3800, 3) (0xbc00, -2)
define half @powi_half(half %a, i32 %n) {
  %r = call half @llvm.powi.f16.i32(half %a, i32 %n)
  ret half %r
}
