; Comparisons of floats: ordered ones fail on NaN, unordered ones hold.

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

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_false_double(double %a, double %b) {
  %r = fcmp false double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_false_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp false float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_oeq_double(double %a, double %b) {
  %r = fcmp oeq double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_oeq_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp oeq float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ogt_double(double %a, double %b) {
  %r = fcmp ogt double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ogt_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ogt float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_oge_double(double %a, double %b) {
  %r = fcmp oge double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_oge_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp oge float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_olt_double(double %a, double %b) {
  %r = fcmp olt double %a, %b
  ret i1 %r
}

; every: (_, _)
define i1 @fcmp_olt_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp olt float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ole_double(double %a, double %b) {
  %r = fcmp ole double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ole_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ole float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_one_double(double %a, double %b) {
  %r = fcmp one double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_one_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp one float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ord_double(double %a, double %b) {
  %r = fcmp ord double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ord_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ord float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_uno_double(double %a, double %b) {
  %r = fcmp uno double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_uno_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp uno float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ueq_double(double %a, double %b) {
  %r = fcmp ueq double %a, %b
  ret i1 %r
}

; every: (_, _)
define i1 @fcmp_ueq_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ueq float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ugt_double(double %a, double %b) {
  %r = fcmp ugt double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ugt_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ugt float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_uge_double(double %a, double %b) {
  %r = fcmp uge double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_uge_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp uge float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ult_double(double %a, double %b) {
  %r = fcmp ult double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ult_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ult float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_ule_double(double %a, double %b) {
  %r = fcmp ule double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ule_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp ule float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_une_double(double %a, double %b) {
  %r = fcmp une double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_une_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp une float %p, %q
  ret i1 %r
}

; run: (0.1, 0.2) (-0.0, 0.0) (nan, 1.0) (1.0, nan) (inf, inf) (-inf, 5e-324)
define i1 @fcmp_true_double(double %a, double %b) {
  %r = fcmp true double %a, %b
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_true_float(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call float @float(i8 %a2)
  %q = call float @float(i8 %b2)
  %r = fcmp true float %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_olt_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = fcmp olt half %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_une_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = fcmp une half %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ueq_half(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call half @half(i8 %a2)
  %q = call half @half(i8 %b2)
  %r = fcmp ueq half %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_oge_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = fcmp oge bfloat %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_uno_bfloat(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call bfloat @bfloat(i8 %a2)
  %q = call bfloat @bfloat(i8 %b2)
  %r = fcmp uno bfloat %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ogt_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fcmp ogt x86_fp80 %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_one_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fcmp one x86_fp80 %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ule_x87(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call x86_fp80 @x87(i8 %a2)
  %q = call x86_fp80 @x87(i8 %b2)
  %r = fcmp ule x86_fp80 %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ole_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fcmp ole fp128 %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ord_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fcmp ord fp128 %p, %q
  ret i1 %r
}

; every: (_, 0x1e) (_, 0x3e) (_, 0x7e) (_, 0x7f) (_, 0x40)
define i1 @fcmp_ult_quad(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call fp128 @quad(i8 %a2)
  %q = call fp128 @quad(i8 %b2)
  %r = fcmp ult fp128 %p, %q
  ret i1 %r
}

; every: (_, _)
define i8 @branch_on_floats(i7 %x, i7 %y) {
  %a = zext i7 %x to i8
  %b = zext i7 %y to i8
  %a2 = shl i8 %a, 1
  %b2 = shl i8 %b, 1
  %p = call double @double(i8 %a2)
  %q = call double @double(i8 %b2)
  %less = fcmp olt double %p, %q
  br i1 %less, label %below, label %rest
below:
  ret i8 1
rest:
  %nan = fcmp uno double %p, %q
  br i1 %nan, label %unordered, label %above
unordered:
  ret i8 2
above:
  ret i8 3
}
