; Intrinsics on floating-point numbers.
define double @doubles(double %a, double %b, i32 %n) {
  %1 = call double @llvm.sqrt.f64(double %a)
  %2 = call double @llvm.fma.f64(double %1, double %b, double %a)
  %3 = call double @llvm.fmuladd.f64(double %2, double %b, double %a)
  %4 = call double @llvm.fabs.f64(double %3)
  %5 = call double @llvm.copysign.f64(double %4, double %b)
  %6 = call double @llvm.minnum.f64(double %5, double %b)
  %7 = call double @llvm.maximum.f64(double %6, double %b)
  %8 = call double @llvm.floor.f64(double %7)
  %9 = call double @llvm.roundeven.f64(double %8)
  %10 = call i64 @llvm.lrint.i64.f64(double %9)
  %11 = call i64 @llvm.llround.i64.f64(double %9)
  %12 = call i8 @llvm.fptosi.sat.i8.f64(double %9)
  %13 = call i1 @llvm.is.fpclass.f64(double %9, i32 3)
  %14 = call double @llvm.sin.f64(double %9)
  %15 = call double @llvm.pow.f64(double %14, double %b)
  %16 = call double @llvm.powi.f64.i32(double %15, i32 %n)
  %17 = call { double, i32 } @llvm.frexp.f64.i32(double %16)
  %18 = extractvalue { double, i32 } %17, 0
  %19 = call { double, double } @llvm.sincos.f64(double %18)
  %20 = extractvalue { double, double } %19, 1
  %21 = call double @llvm.canonicalize.f64(double %20)
  ret double %21
}

define <2 x float> @vectors(<2 x float> %a) {
  %1 = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %a)
  ret <2 x float> %1
}

define float @half(i16 %h, float %f) {
  %1 = call float @llvm.convert.from.fp16.f32(i16 %h)
  %2 = call i16 @llvm.convert.to.fp16.f32(float %f)
  ret float %1
}

define i1 @constrained(double %a, double %b) strictfp {
  %1 = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %2 = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %1, metadata !"fpexcept.strict") strictfp
  %3 = call double @llvm.experimental.constrained.sqrt.f64(double %1, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  %4 = call i1 @llvm.experimental.constrained.fcmp.f64(double %3, double %b, metadata !"olt", metadata !"fpexcept.strict") strictfp
  %5 = call double @llvm.experimental.constrained.fmul.f64(double %a, double %b, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  ret i1 %4
}
