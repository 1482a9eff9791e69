; Intrinsics on vectors.
define i32 @reductions(<3 x i32> %v, <2 x double> %d, double %s) {
  %1 = call i32 @llvm.vector.reduce.add.v3i32(<3 x i32> %v)
  %2 = call i32 @llvm.vector.reduce.smax.v3i32(<3 x i32> %v)
  %3 = call double @llvm.vector.reduce.fadd.v2f64(double %s, <2 x double> %d)
  %4 = call double @llvm.vector.reduce.fmin.v2f64(<2 x double> %d)
  %5 = add i32 %1, %2
  ret i32 %5
}

define <2 x i8> @rearranged(<4 x i8> %v, <2 x i8> %w) {
  %1 = call <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8> %v)
  %2 = call <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8> %1, <2 x i8> %w, i64 2)
  %3 = call { <2 x i8>, <2 x i8> } @llvm.vector.deinterleave2.v4i8(<4 x i8> %2)
  %4 = extractvalue { <2 x i8>, <2 x i8> } %3, 1
  %5 = call <4 x i8> @llvm.vector.interleave2.v4i8(<2 x i8> %4, <2 x i8> %w)
  %6 = call <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8> %5, i64 2)
  %7 = call <2 x i8> @llvm.stepvector.v2i8()
  %8 = add <2 x i8> %6, %7
  ret <2 x i8> %8
}

define <2 x i32> @masked(ptr %p, <2 x ptr> %ps, <2 x i1> %m, <2 x i32> %v) {
  %1 = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 8 %p, <2 x i1> %m, <2 x i32> %v)
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %1, ptr align 4 %p, <2 x i1> <i1 true, i1 false>)
  %2 = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 4 %ps, <2 x i1> <i1 true, i1 true>, <2 x i32> poison)
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> %2, <2 x ptr> align 4 %ps, <2 x i1> %m)
  %3 = call <2 x i32> @llvm.masked.expandload.v2i32.p0(ptr align 4 %p, <2 x i1> %m, <2 x i32> %v)
  call void @llvm.masked.compressstore.v2i32.p0(<2 x i32> %3, ptr align 4 %p, <2 x i1> %m)
  ret <2 x i32> %3
}

define <2 x i1> @lanes(i64 %base, i64 %n) {
  %1 = call <2 x i1> @llvm.get.active.lane.mask.v2i1.i64(i64 %base, i64 %n)
  ret <2 x i1> %1
}
