; Intrinsics on vectors: element by element, reductions, rearrangements, masks.

@table = internal constant [8 x i32] [i32 11, i32 22, i32 33, i32 44, i32 55, i32 66, i32 77, i32 88]
define internal <4 x i8> @four(i8 %a) {
  %v = insertelement <4 x i8> <i8 3, i8 -7, i8 100, i8 1>, i8 %a, i32 1
  ret <4 x i8> %v
}
define internal i32 @whole(<4 x i8> %v) {
  %r = bitcast <4 x i8> %v to i32
  ret i32 %r
}
define internal i8 @sum(<4 x i32> %v) {
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %r = trunc i32 %s to i8
  ret i8 %r
}

; every: (_)
define i32 @vector_ctpop(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.ctpop.v4i8(<4 x i8> %v)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_bitreverse(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.bitreverse.v4i8(<4 x i8> %v)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_smin(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %v, <4 x i8> <i8 100, i8 -100, i8 55, i8 -1>)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_umax(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.umax.v4i8(<4 x i8> %v, <4 x i8> <i8 100, i8 -100, i8 55, i8 -1>)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_sadd_sat(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.sadd.sat.v4i8(<4 x i8> %v, <4 x i8> <i8 100, i8 -100, i8 55, i8 -1>)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_usub_sat(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.usub.sat.v4i8(<4 x i8> %v, <4 x i8> <i8 100, i8 -100, i8 55, i8 -1>)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @vector_abs_and_ctlz(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.abs.v4i8(<4 x i8> %v, i1 false)
  %t = call <4 x i8> @llvm.ctlz.v4i8(<4 x i8> %s, i1 false)
  %r = call i32 @whole(<4 x i8> %t)
  ret i32 %r
}

; every: (_)
define i32 @vector_fshl(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.fshl.v4i8(<4 x i8> %v, <4 x i8> <i8 1, i8 2, i8 3, i8 4>, <4 x i8> <i8 9, i8 3, i8 0, i8 7>)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i8 @vector_with_overflow(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %p = call { <4 x i8>, <4 x i1> } @llvm.uadd.with.overflow.v4i8(<4 x i8> %v, <4 x i8> <i8 -3, i8 100, i8 1, i8 1>)
  %o = extractvalue { <4 x i8>, <4 x i1> } %p, 1
  %i = bitcast <4 x i1> %o to i4
  %x = zext i4 %i to i8
  %s = extractvalue { <4 x i8>, <4 x i1> } %p, 0
  %y = extractelement <4 x i8> %s, i32 1
  %r = xor i8 %x, %y
  ret i8 %r
}

; run: (1.5) (-2.5) (nan)
define float @vector_of_floats(float %a) {
  %v = insertelement <2 x float> <float 1.0, float -3.5>, float %a, i32 0
  %s = call <2 x float> @llvm.fabs.v2f32(<2 x float> %v)
  %q = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %s)
  %t = call <2 x float> @llvm.floor.v2f32(<2 x float> %q)
  %m = call <2 x float> @llvm.fma.v2f32(<2 x float> %q, <2 x float> %v, <2 x float> %t)
  %x = extractelement <2 x float> %m, i32 0
  %y = extractelement <2 x float> %m, i32 1
  %r = fadd float %x, %y
  ret float %r
}

; every: (_)
define i8 @reduce_add(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.add.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_mul(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.mul.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_and(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.and.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_or(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.or.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_xor(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.xor.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_smin(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.smin.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_smax(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.smax.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_umin(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.umin.v4i8(<4 x i8> %v)
  ret i8 %r
}

; every: (_)
define i8 @reduce_umax(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.vector.reduce.umax.v4i8(<4 x i8> %v)
  ret i8 %r
}

; run: (0.1, 0.2) (1e300, -1e300) (nan, 0.0)
define double @reduce_fadd(double %a, double %b) {
  %v = insertelement <3 x double> <double 3.0, double 0.1, double 7.0>, double %a, i32 2
  %r = call double @llvm.vector.reduce.fadd.v3f64(double %b, <3 x double> %v)
  ret double %r
}

; run: (0.1, 0.2) (1e300, -1e300) (nan, 0.0)
define double @reduce_fmul(double %a, double %b) {
  %v = insertelement <3 x double> <double 3.0, double 0.1, double 7.0>, double %a, i32 2
  %r = call double @llvm.vector.reduce.fmul.v3f64(double %b, <3 x double> %v)
  ret double %r
}

; run: (0.1) (1e300) (-5.0)
define double @reduce_fmin(double %a) {
  %v = insertelement <3 x double> <double 3.0, double 0.5, double 7.0>, double %a, i32 2
  %r = call double @llvm.vector.reduce.fmin.v3f64(<3 x double> %v)
  ret double %r
}

; run: (0.1) (1e300) (-5.0)
define double @reduce_fmax(double %a) {
  %v = insertelement <3 x double> <double 3.0, double 0.5, double 7.0>, double %a, i32 2
  %r = call double @llvm.vector.reduce.fmax.v3f64(<3 x double> %v)
  ret double %r
}

; run: (0.1) (1e300) (-5.0)
define double @reduce_fminimum(double %a) {
  %v = insertelement <3 x double> <double 3.0, double 0.5, double 7.0>, double %a, i32 2
  %r = call double @llvm.vector.reduce.fminimum.v3f64(<3 x double> %v)
  ret double %r
}

; run: (0.1) (1e300) (-5.0)
define double @reduce_fmaximum(double %a) {
  %v = insertelement <3 x double> <double 3.0, double 0.5, double 7.0>, double %a, i32 2
  %r = call double @llvm.vector.reduce.fmaximum.v3f64(<3 x double> %v)
  ret double %r
}

; every: (_)
define i32 @reverse(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %s = call <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8> %v)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @insert_and_extract_parts(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %p = call <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8> %v, i64 0)
  %s = call <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8> %v, <2 x i8> %p, i64 2)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @interleave(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %d = call { <2 x i8>, <2 x i8> } @llvm.vector.deinterleave2.v4i8(<4 x i8> %v)
  %x = extractvalue { <2 x i8>, <2 x i8> } %d, 0
  %y = extractvalue { <2 x i8>, <2 x i8> } %d, 1
  %s = call <4 x i8> @llvm.vector.interleave2.v4i8(<2 x i8> %y, <2 x i8> %x)
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_)
define i32 @stepvector(i8 %a) {
  %v = call <4 x i8> @four(i8 %a)
  %t = call <4 x i8> @llvm.stepvector.v4i8()
  %s = add <4 x i8> %v, %t
  %r = call i32 @whole(<4 x i8> %s)
  ret i32 %r
}

; every: (_, _)
define i4 @active_lanes(i5 %a, i5 %n) {
  %x = zext i5 %a to i32
  %y = zext i5 %n to i32
  %m = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 %x, i32 %y)
  %r = bitcast <4 x i1> %m to i4
  ret i4 %r
}

; every: (_)
define i8 @masked_load(i4 %m) {
  %b = bitcast i4 %m to <4 x i1>
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 @table, <4 x i1> %b, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  %r = call i8 @sum(<4 x i32> %v)
  ret i8 %r
}

; every: (_)
define i8 @masked_store(i4 %m) {
  %p = alloca <4 x i32>
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %p
  %b = bitcast i4 %m to <4 x i1>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 50, i32 70, i32 90, i32 13>, ptr align 4 %p, <4 x i1> %b)
  %v = load <4 x i32>, ptr %p
  %r = call i8 @sum(<4 x i32> %v)
  ret i8 %r
}

; every: (_)
define i8 @masked_expandload(i4 %m) {
  %b = bitcast i4 %m to <4 x i1>
  %v = call <4 x i32> @llvm.masked.expandload.v4i32.p0(ptr align 4 @table, <4 x i1> %b, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  %w = mul <4 x i32> %v, <i32 1, i32 3, i32 5, i32 7>
  %r = call i8 @sum(<4 x i32> %w)
  ret i8 %r
}

; every: (_)
define i8 @masked_compressstore(i4 %m) {
  %p = alloca <4 x i32>
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %p
  %b = bitcast i4 %m to <4 x i1>
  call void @llvm.masked.compressstore.v4i32.p0(<4 x i32> <i32 50, i32 70, i32 90, i32 13>, ptr align 4 %p, <4 x i1> %b)
  %v = load <4 x i32>, ptr %p
  %w = mul <4 x i32> %v, <i32 1, i32 3, i32 5, i32 7>
  %r = call i8 @sum(<4 x i32> %w)
  ret i8 %r
}

; every: (_, _)
define i8 @masked_gather(i4 %m, i2 %i) {
  %b = bitcast i4 %m to <4 x i1>
  %w = zext i2 %i to i64
  %x = insertelement <4 x i64> <i64 7, i64 1, i64 0, i64 3>, i64 %w, i32 2
  %a = getelementptr i32, ptr @table, <4 x i64> %x
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %a, <4 x i1> %b, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  %r = call i8 @sum(<4 x i32> %v)
  ret i8 %r
}

; every: (_, _)
define i8 @masked_scatter(i4 %m, i2 %i) {
  %p = alloca <4 x i32>
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %p
  %b = bitcast i4 %m to <4 x i1>
  %w = zext i2 %i to i64
  %x = insertelement <4 x i64> <i64 2, i64 1, i64 0, i64 3>, i64 %w, i32 2
  %a = getelementptr i32, ptr %p, <4 x i64> %x
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> <i32 50, i32 70, i32 90, i32 13>, <4 x ptr> align 4 %a, <4 x i1> %b)
  %v = load <4 x i32>, ptr %p
  %y = mul <4 x i32> %v, <i32 1, i32 3, i32 5, i32 7>
  %r = call i8 @sum(<4 x i32> %y)
  ret i8 %r
}

; every: (_)
define i8 @first_nonzero_element(i4 %m) {
  %b = bitcast i4 %m to <4 x i1>
  %r = call i8 @llvm.experimental.cttz.elts.i8.v4i1(<4 x i1> %b, i1 false)
  ret i8 %r
}

; every: (_)
define i64 @first_nonzero_number(i8 %a) {
  %v = insertelement <4 x i8> <i8 0, i8 1, i8 2, i8 0>, i8 %a, i32 1
  %w = insertelement <4 x i8> %v, i8 0, i32 2
  %r = call i64 @llvm.experimental.cttz.elts.i64.v4i8(<4 x i8> %w, i1 false)
  ret i64 %r
}

; every: (_, _)
define i8 @last_active_element(i4 %m, i8 %a) {
  %b = bitcast i4 %m to <4 x i1>
  %v = call <4 x i8> @four(i8 %a)
  %r = call i8 @llvm.experimental.vector.extract.last.active.v4i8(<4 x i8> %v, <4 x i1> %b, i8 42)
  ret i8 %r
}

; every: (_)
define i32 @partial_reduction(i8 %a) {
  %w = sext i8 %a to i32
  %v = load <8 x i32>, ptr @table, align 4
  %i = insertelement <8 x i32> %v, i32 %w, i32 5
  %p = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, <8 x i32> %i)
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %p)
  ret i32 %r
}

; every: (_)
define i32 @sign_mask(i8 %a) {
  %v = insertelement <16 x i8> <i8 1, i8 -1, i8 3, i8 -4, i8 5, i8 6, i8 7, i8 -8, i8 9, i8 10, i8 11, i8 12, i8 13, i8 -14, i8 15, i8 16>, i8 %a, i32 0
  %r = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %v)
  ret i32 %r
}
