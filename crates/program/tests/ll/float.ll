; Floating-point arithmetic and constants of every format.
define double @doubles(double %a, double %b) {
  %1 = fadd double %a, %b
  %2 = fsub fast double %1, 1.5
  %3 = fmul double %2, -0.0
  %4 = fdiv double %3, 0x7FF8000000000001
  %5 = frem double %4, 0x7FF0000000000000
  %6 = fneg double %5
  ret double %6
}

define half @halves(half %a) {
  %1 = fadd half %a, 0xH3C00
  ret half %1
}

define bfloat @bfloats(bfloat %a) {
  %1 = fadd bfloat %a, 0xR3F80
  ret bfloat %1
}

define float @singles(float %a) {
  %1 = fadd float %a, 0.25
  ret float %1
}

define x86_fp80 @extended(x86_fp80 %a) {
  %1 = fadd x86_fp80 %a, 0xK3FFF8000000000000000
  ret x86_fp80 %1
}

define fp128 @quads(fp128 %a) {
  %1 = fadd fp128 %a, 0xL00000000000000003FFF000000000000
  ret fp128 %1
}
