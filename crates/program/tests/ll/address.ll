; Address computations.
%inner = type { i16, [3 x i64] }
%outer = type { i8, %inner, <4 x float> }
@array = global [10 x i32] zeroinitializer
@external = external global %outer

define ptr @steps(ptr %p, i64 %i, i32 %j, i128 %k) {
  %1 = getelementptr inbounds %outer, ptr %p, i64 0, i32 1, i32 1, i64 2
  %2 = getelementptr %outer, ptr %1, i64 %i, i32 1, i32 1, i32 %j
  %3 = getelementptr i32, ptr %2, i64 -1
  %4 = getelementptr nuw i8, ptr %3, i128 %k
  %5 = getelementptr i8, ptr %4, i64 0
  ret ptr %5
}

define i32 @constants() {
  %1 = load i32, ptr getelementptr inbounds ([10 x i32], ptr @array, i64 0, i64 3), align 4
  %2 = load float, ptr getelementptr (%outer, ptr @external, i32 1, i32 2, i32 1), align 4
  ret i32 %1
}

define <2 x ptr> @vectors(<2 x ptr> %p, ptr %q, <2 x i64> %i) {
  %1 = getelementptr i32, <2 x ptr> %p, <2 x i64> %i
  %2 = getelementptr i32, ptr %q, <2 x i64> %i
  %3 = getelementptr %inner, <2 x ptr> %2, i64 1, i32 1
  ret <2 x ptr> %3
}
