; Atomic updates of floats, on one thread.

define internal float @float(i8 %bits) {
  %w = zext i8 %bits to i16
  %s = shl i16 %w, 8
  %h = bitcast i16 %s to half
  %r = fpext half %h to float
  ret float %r
}

; run: (0.1, 0.2) (-1.5, 2.5) (nan, 1.0) (1.0, nan) (inf, -inf) (-0.0, 1.0)
define double @rmw_fadd_double(double %a, double %b) {
  %p = alloca double
  store double %a, ptr %p
  %o = atomicrmw fadd ptr %p, double %b seq_cst
  %n = load double, ptr %p
  %x = fcmp une double %o, %a
  %r = select i1 %x, double %o, double %n
  ret double %r
}

; every: (_, 0x3e) (_, 0xbd) (_, 0x7c) (_, 0x7f)
define float @rmw_fadd_float(i8 %x, i8 %y) {
  %a = call float @float(i8 %x)
  %b = call float @float(i8 %y)
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw volatile fadd ptr %p, float %b acq_rel
  %n = load float, ptr %p
  ret float %n
}

; run: (0.1, 0.2) (-1.5, 2.5) (nan, 1.0) (1.0, nan) (inf, -inf) (-0.0, 1.0)
define double @rmw_fsub_double(double %a, double %b) {
  %p = alloca double
  store double %a, ptr %p
  %o = atomicrmw fsub ptr %p, double %b seq_cst
  %n = load double, ptr %p
  %x = fcmp une double %o, %a
  %r = select i1 %x, double %o, double %n
  ret double %r
}

; every: (_, 0x3e) (_, 0xbd) (_, 0x7c) (_, 0x7f)
define float @rmw_fsub_float(i8 %x, i8 %y) {
  %a = call float @float(i8 %x)
  %b = call float @float(i8 %y)
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw volatile fsub ptr %p, float %b acq_rel
  %n = load float, ptr %p
  ret float %n
}

; run: (0.1, 0.2) (-1.5, 2.5) (nan, 1.0) (1.0, nan) (inf, -inf) (-0.0, 1.0)
define double @rmw_fmax_double(double %a, double %b) {
  %p = alloca double
  store double %a, ptr %p
  %o = atomicrmw fmax ptr %p, double %b seq_cst
  %n = load double, ptr %p
  %x = fcmp une double %o, %a
  %r = select i1 %x, double %o, double %n
  ret double %r
}

; every: (_, 0x3e) (_, 0xbd) (_, 0x7c) (_, 0x7f)
define float @rmw_fmax_float(i8 %x, i8 %y) {
  %a = call float @float(i8 %x)
  %b = call float @float(i8 %y)
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw volatile fmax ptr %p, float %b acq_rel
  %n = load float, ptr %p
  ret float %n
}

; run: (0.1, 0.2) (-1.5, 2.5) (nan, 1.0) (1.0, nan) (inf, -inf) (-0.0, 1.0)
define double @rmw_fmin_double(double %a, double %b) {
  %p = alloca double
  store double %a, ptr %p
  %o = atomicrmw fmin ptr %p, double %b seq_cst
  %n = load double, ptr %p
  %x = fcmp une double %o, %a
  %r = select i1 %x, double %o, double %n
  ret double %r
}

; every: (_, 0x3e) (_, 0xbd) (_, 0x7c) (_, 0x7f)
define float @rmw_fmin_float(i8 %x, i8 %y) {
  %a = call float @float(i8 %x)
  %b = call float @float(i8 %y)
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw volatile fmin ptr %p, float %b acq_rel
  %n = load float, ptr %p
  ret float %n
}

; run: (0.1, 0.2) (-1.5, 2.5) (nan, 1.0) (1.0, nan) (inf, -inf) (-0.0, 1.0)
define double @rmw_fmaximum_double(double %a, double %b) {
  %p = alloca double
  store double %a, ptr %p
  %o = atomicrmw fmaximum ptr %p, double %b seq_cst
  %n = load double, ptr %p
  %x = fcmp une double %o, %a
  %r = select i1 %x, double %o, double %n
  ret double %r
}

; every: (_, 0x3e) (_, 0xbd) (_, 0x7c) (_, 0x7f)
define float @rmw_fmaximum_float(i8 %x, i8 %y) {
  %a = call float @float(i8 %x)
  %b = call float @float(i8 %y)
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw volatile fmaximum ptr %p, float %b acq_rel
  %n = load float, ptr %p
  ret float %n
}

; run: (0.1, 0.2) (-1.5, 2.5) (nan, 1.0) (1.0, nan) (inf, -inf) (-0.0, 1.0)
define double @rmw_fminimum_double(double %a, double %b) {
  %p = alloca double
  store double %a, ptr %p
  %o = atomicrmw fminimum ptr %p, double %b seq_cst
  %n = load double, ptr %p
  %x = fcmp une double %o, %a
  %r = select i1 %x, double %o, double %n
  ret double %r
}

; every: (_, 0x3e) (_, 0xbd) (_, 0x7c) (_, 0x7f)
define float @rmw_fminimum_float(i8 %x, i8 %y) {
  %a = call float @float(i8 %x)
  %b = call float @float(i8 %y)
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw volatile fminimum ptr %p, float %b acq_rel
  %n = load float, ptr %p
  ret float %n
}

; run: (1.5, -2.5)
define float @rmw_xchg_float(float %a, float %b) {
  %p = alloca float
  store float %a, ptr %p
  %o = atomicrmw xchg ptr %p, float %b seq_cst
  %n = load float, ptr %p
  %r = fsub float %o, %n
  ret float %r
}

; every: (0x3c00..0x3c40, 0x3555)
define half @rmw_fadd_half(half %a, half %b) {
  %p = alloca half
  store half %a, ptr %p
  %o = atomicrmw fadd ptr %p, half %b seq_cst
  %n = load half, ptr %p
  ret half %n
}

; every: (0x3c00..0x3c40, 0x3555)
define half @rmw_fmin_half(half %a, half %b) {
  %p = alloca half
  store half %a, ptr %p
  %o = atomicrmw fmin ptr %p, half %b seq_cst
  %n = load half, ptr %p
  ret half %n
}
