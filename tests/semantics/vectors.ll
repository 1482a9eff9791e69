; Vectors: elements, shuffles, element-wise arithmetic.

define internal <4 x i8> @four(i8 %a) {
  %v = insertelement <4 x i8> <i8 3, i8 -7, i8 100, i8 1>, i8 %a, i32 1
  ret <4 x i8> %v
}
define internal i32 @whole(<4 x i8> %v) {
  %r = bitcast <4 x i8> %v to i32
  ret i32 %r
}

; every: (0..4)
define i8 @extract_at(i32 %i) {
  %r = extractelement <4 x i8> <i8 10, i8 20, i8 30, i8 -40>, i32 %i
  ret i8 %r
}

; every: (0..4, _)
define i32 @insert_at(i64 %i, i8 %a) {
  %v = insertelement <4 x i8> <i8 10, i8 20, i8 30, i8 -40>, i8 %a, i64 %i
  %r = bitcast <4 x i8> %v to i32
  ret i32 %r
}

; every: (_)
define i8 @extract_wide(i1 %i) {
  %w = zext i1 %i to i8
  %e = extractelement <2 x i128> <i128 5, i128 18446744073709551616>, i8 %w
  %s = lshr i128 %e, 64
  %x = xor i128 %s, %e
  %r = trunc i128 %x to i8
  ret i8 %r
}

; every: (_)
define i32 @shuffle(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = shufflevector <4 x i8> %v, <4 x i8> <i8 50, i8 51, i8 52, i8 53>, <4 x i32> <i32 1, i32 5, i32 1, i32 0>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i16 @shuffle_shorter(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = shufflevector <4 x i8> %v, <4 x i8> poison, <2 x i32> <i32 3, i32 1>
  %r = bitcast <2 x i8> %s to i16
  ret i16 %r
}

; every: (_)
define i64 @shuffle_longer(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = shufflevector <4 x i8> %v, <4 x i8> zeroinitializer, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  %r = bitcast <8 x i8> %s to i64
  ret i64 %r
}

; every: (_)
define i32 @vector_add(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = add <4 x i8> %v, <i8 5, i8 -3, i8 77, i8 -1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_sub(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = sub <4 x i8> %v, <i8 5, i8 -3, i8 77, i8 -1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_mul(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = mul <4 x i8> %v, <i8 5, i8 -3, i8 77, i8 -1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_and(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = and <4 x i8> %v, <i8 5, i8 -3, i8 77, i8 -1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_or(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = or <4 x i8> %v, <i8 5, i8 -3, i8 77, i8 -1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_xor(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = xor <4 x i8> %v, <i8 5, i8 -3, i8 77, i8 -1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_udiv(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = udiv <4 x i8> %v, <i8 5, i8 -3, i8 7, i8 2>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_sdiv(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = sdiv <4 x i8> %v, <i8 5, i8 -3, i8 7, i8 2>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_urem(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = urem <4 x i8> %v, <i8 5, i8 -3, i8 7, i8 2>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_srem(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = srem <4 x i8> %v, <i8 5, i8 -3, i8 7, i8 2>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_shl(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = shl <4 x i8> %v, <i8 0, i8 3, i8 7, i8 1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_lshr(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = lshr <4 x i8> %v, <i8 0, i8 3, i8 7, i8 1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_ashr(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = ashr <4 x i8> %v, <i8 0, i8 3, i8 7, i8 1>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i4 @vector_icmp_slt(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = icmp slt <4 x i8> %v, <i8 3, i8 20, i8 77, i8 -1>
  %r = bitcast <4 x i1> %s to i4
  ret i4 %r
}

; every: (_)
define i4 @vector_icmp_ule(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = icmp ule <4 x i8> %v, <i8 3, i8 20, i8 77, i8 -1>
  %r = bitcast <4 x i1> %s to i4
  ret i4 %r
}

; every: (_)
define i4 @vector_icmp_ne(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = icmp ne <4 x i8> %v, <i8 3, i8 20, i8 77, i8 -1>
  %r = bitcast <4 x i1> %s to i4
  ret i4 %r
}

; every: (_, _)
define i32 @vector_select(i4 %m, i4 %a) {
  %w = sext i4 %a to i8
  %v = call <4 x i8> @four(i8 %w)
  %b = bitcast i4 %m to <4 x i1>
  %s = select <4 x i1> %b, <4 x i8> %v, <4 x i8> <i8 9, i8 8, i8 7, i8 6>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_select_by_one_bit(i1 %c) {
  %s = select i1 %c, <4 x i8> <i8 1, i8 2, i8 3, i8 4>, <4 x i8> <i8 9, i8 8, i8 7, i8 6>
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i64 @vector_zext(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = zext <4 x i8> %v to <4 x i16>
  %r = bitcast <4 x i16> %s to i64
  ret i64 %r
}

; every: (_)
define i64 @vector_sext(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = sext <4 x i8> %v to <4 x i16>
  %r = bitcast <4 x i16> %s to i64
  ret i64 %r
}

; every: (_)
define i16 @vector_trunc(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = trunc <4 x i8> %v to <4 x i4>
  %r = bitcast <4 x i4> %s to i16
  ret i16 %r
}

; run: (1.5, -2.5) (0.1, nan)
define double @vector_of_doubles(double %a, double %b) {
  %u = insertelement <2 x double> <double 1.0, double 3.0>, double %a, i32 0
  %v = insertelement <2 x double> <double -1.0, double 0.3>, double %b, i32 1
  %s = fadd <2 x double> %u, %v
  %m = fmul <2 x double> %s, %u
  %d = fdiv <2 x double> %m, %v
  %n = fneg <2 x double> %d
  %x = extractelement <2 x double> %n, i32 0
  %y = extractelement <2 x double> %n, i32 1
  %r = fsub double %x, %y
  ret double %r
}

; run: (1.5) (nan) (-3.0)
define i4 @vector_fcmp(float %a) {
  %v = insertelement <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, float %a, i32 2
  %s = fcmp ult <4 x float> %v, <float 1.0, float 3.0, float 0.0, float 9.0>
  %r = bitcast <4 x i1> %s to i4
  ret i4 %r
}

; every: (_)
define i32 @vector_conversions(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %f = sitofp <4 x i8> %v to <4 x float>
  %d = fpext <4 x float> %f to <4 x double>
  %i = fptosi <4 x double> %d to <4 x i8>
  %r = call i32 @whole(<4 x i8> %i)
  ret i32 %r
}

; every: (_)
define i32 @vector_in_memory(i8 %a) {
  %p = alloca <4 x i8>
  %v = call <4 x i8> @four(i8 %a)
  store <4 x i8> %v, ptr %p
  %q = getelementptr i8, ptr %p, i64 2
  store i8 %a, ptr %q
  %s = load <4 x i8>, ptr %p
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i8 @vector_of_bits_in_memory(i8 %a) {
  %p = alloca <8 x i1>
  %v = bitcast i8 %a to <8 x i1>
  store <8 x i1> %v, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; every: (_)
define i16 @vector_of_nibbles_in_memory(i4 %a) {
  %p = alloca <4 x i4>
  %v = insertelement <4 x i4> <i4 1, i4 2, i4 3, i4 4>, i4 %a, i32 2
  store <4 x i4> %v, ptr %p
  %r = load i16, ptr %p
  ret i16 %r
}

; every: (_)
define i32 @vector_phi(i2 %n) {
  br label %loop
loop:
  %v = phi <4 x i8> [ <i8 1, i8 2, i8 3, i8 4>, %0 ], [ %w, %loop ]
  %i = phi i2 [ 0, %0 ], [ %j, %loop ]
  %w = shufflevector <4 x i8> %v, <4 x i8> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 0>
  %j = add i2 %i, 1
  %c = icmp eq i2 %i, %n
  br i1 %c, label %end, label %loop
end:
  %r = call i32 @whole(<4 x i8> %v)
  ret i32 %r
}

; every: (_)
define i32 @vector_freeze(i8 %a) {
  %v = insertelement <4 x i8> <i8 poison, i8 2, i8 3, i8 4>, i8 %a, i32 0
  %s = freeze <4 x i8> %v
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (0..3, _)
define float @insert_float_at(i32 %i, i8 %a) {
  %x = sitofp i8 %a to float
  %v = insertelement <3 x float> <float 1.0, float 2.0, float 4.0>, float %x, i32 %i
  %p = extractelement <3 x float> %v, i32 0
  %q = extractelement <3 x float> %v, i32 2
  %m = fmul float %q, 3.0
  %r = fsub float %p, %m
  ret float %r
}

; every: (0..2)
define i8 @extract_address_at(i64 %i) {
  %p = alloca i8
  %q = alloca i8
  store i8 3, ptr %p
  store i8 4, ptr %q
  %v = insertelement <2 x ptr> poison, ptr %p, i32 0
  %w = insertelement <2 x ptr> %v, ptr %q, i32 1
  %s = extractelement <2 x ptr> %w, i64 %i
  %r = load i8, ptr %s
  ret i8 %r
}

; every: (_)
define i24 @vector_of_three(i8 %a) {
  %v = insertelement <3 x i8> <i8 1, i8 2, i8 3>, i8 %a, i32 2
  %m = mul <3 x i8> %v, <i8 3, i8 5, i8 7>
  %r = bitcast <3 x i8> %m to i24
  ret i24 %r
}

; every: (_)
define i4 @vector_of_wide_numbers(i8 %a) {
  %x = sext i8 %a to i128
  %v = insertelement <2 x i128> <i128 5, i128 -7>, i128 %x, i32 0
  %s = mul <2 x i128> %v, %v
  %c = icmp sgt <2 x i128> %s, <i128 100, i128 48>
  %b = bitcast <2 x i1> %c to i2
  %r = zext i2 %b to i4
  ret i4 %r
}

; every: (_)
define i16 @vector_of_three_in_memory(i8 %a) {
  %p = alloca [2 x <3 x i8>]
  %v = insertelement <3 x i8> <i8 1, i8 2, i8 3>, i8 %a, i32 2
  %q = getelementptr [2 x <3 x i8>], ptr %p, i64 0, i64 1
  store <3 x i8> %v, ptr %q
  %s = getelementptr i8, ptr %p, i64 5
  %r = load i16, ptr %s, align 1
  ret i16 %r
}

; every: (_)
define i8 @vector_compare_of_addresses(i1 %c) {
  %p = alloca i8
  %q = alloca i8
  %s = select i1 %c, ptr %p, ptr %q
  %v = insertelement <2 x ptr> poison, ptr %s, i32 0
  %w = insertelement <2 x ptr> %v, ptr %q, i32 1
  %x = insertelement <2 x ptr> poison, ptr %p, i32 0
  %y = insertelement <2 x ptr> %x, ptr %q, i32 1
  %e = icmp eq <2 x ptr> %w, %y
  %b = bitcast <2 x i1> %e to i2
  %r = zext i2 %b to i8
  ret i8 %r
}

; every: (_)
define i64 @vector_of_addresses_in_memory(i2 %i) {
  %p = alloca <2 x ptr>
  %t = alloca [4 x i32]
  %w = zext i2 %i to i64
  %q = getelementptr [4 x i32], ptr %t, i64 0, i64 %w
  %v = insertelement <2 x ptr> poison, ptr %t, i32 0
  %x = insertelement <2 x ptr> %v, ptr %q, i32 1
  store <2 x ptr> %x, ptr %p
  %y = load <2 x i64>, ptr %p
  %a = extractelement <2 x i64> %y, i32 1
  %b = extractelement <2 x i64> %y, i32 0
  %r = sub i64 %a, %b
  ret i64 %r
}
