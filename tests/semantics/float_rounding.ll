; Rounding of floats, to floats and to integers.

; Small floats: eight bits as the upper half of a binary16, seven with a zero below.
define internal half @half(i8 %bits) {
  %w = zext i8 %bits to i16
  %s = shl i16 %w, 8
  %h = bitcast i16 %s to half
  ret half %h
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

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @floor_double(double %a) {
  %r = call double @llvm.floor.f64(double %a)
  ret double %r
}

; every: (_)
define float @floor_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.floor.f32(float %p)
  ret float %r
}

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @ceil_double(double %a) {
  %r = call double @llvm.ceil.f64(double %a)
  ret double %r
}

; every: (_)
define float @ceil_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.ceil.f32(float %p)
  ret float %r
}

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @trunc_double(double %a) {
  %r = call double @llvm.trunc.f64(double %a)
  ret double %r
}

; every: (_)
define float @trunc_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.trunc.f32(float %p)
  ret float %r
}

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @rint_double(double %a) {
  %r = call double @llvm.rint.f64(double %a)
  ret double %r
}

; every: (_)
define float @rint_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.rint.f32(float %p)
  ret float %r
}

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @nearbyint_double(double %a) {
  %r = call double @llvm.nearbyint.f64(double %a)
  ret double %r
}

; every: (_)
define float @nearbyint_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.nearbyint.f32(float %p)
  ret float %r
}

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @round_double(double %a) {
  %r = call double @llvm.round.f64(double %a)
  ret double %r
}

; every: (_)
define float @round_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.round.f32(float %p)
  ret float %r
}

; run: (0.5) (-0.5) (1.5) (2.5) (-2.5) (0.49999999999999994) (4503599627370497.5) (-0.0) (inf) (nan) (1e300) (-3.7) (2.3)
define double @roundeven_double(double %a) {
  %r = call double @llvm.roundeven.f64(double %a)
  ret double %r
}

; every: (_)
define float @roundeven_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call float @llvm.roundeven.f32(float %p)
  ret float %r
}

; every: (_)
define half @floor_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call half @llvm.floor.f16(half %p)
  ret half %r
}

; every: (_)
define x86_fp80 @round_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call x86_fp80 @llvm.round.f80(x86_fp80 %p)
  ret x86_fp80 %r
}

; run: (0.5) (-0.5) (2.5) (-2.5) (3.7) (1e15) (-0.49999999999999994) (1e30) (nan) (-inf)
define i64 @lround_double(double %a) {
  %r = call i64 @llvm.lround.i64.f64(double %a)
  ret i64 %r
}

; every: (_)
define i64 @lround_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i64 @llvm.lround.i64.f32(float %p)
  ret i64 %r
}

; run: (0.5) (-0.5) (2.5) (-2.5) (3.7) (1e15) (-0.49999999999999994) (1e30) (nan) (-inf)
define i64 @llround_double(double %a) {
  %r = call i64 @llvm.llround.i64.f64(double %a)
  ret i64 %r
}

; every: (_)
define i64 @llround_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i64 @llvm.llround.i64.f32(float %p)
  ret i64 %r
}

; run: (0.5) (-0.5) (2.5) (-2.5) (3.7) (1e15) (-0.49999999999999994) (1e30) (nan) (-inf)
define i64 @lrint_double(double %a) {
  %r = call i64 @llvm.lrint.i64.f64(double %a)
  ret i64 %r
}

; every: (_)
define i64 @lrint_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i64 @llvm.lrint.i64.f32(float %p)
  ret i64 %r
}

; run: (0.5) (-0.5) (2.5) (-2.5) (3.7) (1e15) (-0.49999999999999994) (1e30) (nan) (-inf)
define i64 @llrint_double(double %a) {
  %r = call i64 @llvm.llrint.i64.f64(double %a)
  ret i64 %r
}

; every: (_)
define i64 @llrint_small_float(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i64 @llvm.llrint.i64.f32(float %p)
  ret i64 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i8 @fptosi_sat_i8(double %a) {
  %r = call i8 @llvm.fptosi.sat.i8.f64(double %a)
  ret i8 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i16 @fptosi_sat_i16(double %a) {
  %r = call i16 @llvm.fptosi.sat.i16.f64(double %a)
  ret i16 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i32 @fptosi_sat_i32(double %a) {
  %r = call i32 @llvm.fptosi.sat.i32.f64(double %a)
  ret i32 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i64 @fptosi_sat_i64(double %a) {
  %r = call i64 @llvm.fptosi.sat.i64.f64(double %a)
  ret i64 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i13 @fptosi_sat_i13(double %a) {
  %r = call i13 @llvm.fptosi.sat.i13.f64(double %a)
  ret i13 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i128 @fptosi_sat_i128(double %a) {
  %r = call i128 @llvm.fptosi.sat.i128.f64(double %a)
  ret i128 %r
}

; every: (_)
define i8 @fptosi_sat_small_i8(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i8 @llvm.fptosi.sat.i8.f32(float %p)
  ret i8 %r
}

; every: (_)
define i32 @fptosi_sat_small_i32(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %p)
  ret i32 %r
}

; every: (_)
define i64 @fptosi_sat_small_i64(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i64 @llvm.fptosi.sat.i64.f32(float %p)
  ret i64 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i8 @fptoui_sat_i8(double %a) {
  %r = call i8 @llvm.fptoui.sat.i8.f64(double %a)
  ret i8 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i16 @fptoui_sat_i16(double %a) {
  %r = call i16 @llvm.fptoui.sat.i16.f64(double %a)
  ret i16 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i32 @fptoui_sat_i32(double %a) {
  %r = call i32 @llvm.fptoui.sat.i32.f64(double %a)
  ret i32 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i64 @fptoui_sat_i64(double %a) {
  %r = call i64 @llvm.fptoui.sat.i64.f64(double %a)
  ret i64 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i13 @fptoui_sat_i13(double %a) {
  %r = call i13 @llvm.fptoui.sat.i13.f64(double %a)
  ret i13 %r
}

; run: (0.9) (-0.9) (300.5) (-300.5) (1e30) (-1e30) (nan) (inf) (-inf) (2147483647.5) (4294967295.9)
define i128 @fptoui_sat_i128(double %a) {
  %r = call i128 @llvm.fptoui.sat.i128.f64(double %a)
  ret i128 %r
}

; every: (_)
define i8 @fptoui_sat_small_i8(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i8 @llvm.fptoui.sat.i8.f32(float %p)
  ret i8 %r
}

; every: (_)
define i32 @fptoui_sat_small_i32(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %p)
  ret i32 %r
}

; every: (_)
define i64 @fptoui_sat_small_i64(i8 %x) {
  %p = call float @float(i8 %x)
  %r = call i64 @llvm.fptoui.sat.i64.f32(float %p)
  ret i64 %r
}

; run: (0.5) (2.5) (-7.7) (1e6)
define i32 @lrint_i32(double %a) {
  %r = call i32 @llvm.lrint.i32.f64(double %a)
  ret i32 %r
}

; every: (_)
define x86_fp80 @trunc_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call x86_fp80 @llvm.trunc.f80(x86_fp80 %p)
  ret x86_fp80 %r
}

; every: (_)
define half @trunc_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call half @llvm.trunc.f16(half %p)
  ret half %r
}

; every: (_)
define x86_fp80 @ceil_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call x86_fp80 @llvm.ceil.f80(x86_fp80 %p)
  ret x86_fp80 %r
}

; every: (_)
define half @ceil_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call half @llvm.ceil.f16(half %p)
  ret half %r
}

; every: (_)
define x86_fp80 @rint_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call x86_fp80 @llvm.rint.f80(x86_fp80 %p)
  ret x86_fp80 %r
}

; every: (_)
define half @rint_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call half @llvm.rint.f16(half %p)
  ret half %r
}

; every: (_)
define i8 @fptosi_sat_half(i8 %x) {
  %p = call half @half(i8 %x)
  %r = call i8 @llvm.fptosi.sat.i8.f16(half %p)
  ret i8 %r
}

; every: (_)
define i16 @fptoui_sat_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call i16 @llvm.fptoui.sat.i16.f80(x86_fp80 %p)
  ret i16 %r
}

; every: (_)
define i64 @lround_x87(i8 %x) {
  %p = call x86_fp80 @x87(i8 %x)
  %r = call i64 @llvm.lround.i64.f80(x86_fp80 %p)
  ret i64 %r
}
