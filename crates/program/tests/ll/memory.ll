; Stack objects, loads and stores of scalars and of whole values.
%pair = type { i8, i32, [2 x i16] }

define i32 @scalars(i64 %n, i32 %m) {
  %a = alloca i32, align 4
  %b = alloca %pair, align 8
  %c = alloca i32, i64 10, align 16
  %d = alloca %pair, i64 %n, align 4
  %e = alloca i8, i32 %m, align 1
  store i32 5, ptr %a, align 4
  %1 = load volatile i32, ptr %a, align 4
  store volatile i8 1, ptr %e, align 1
  %2 = load i24, ptr %a, align 4
  %3 = load i1, ptr %a, align 1
  %4 = load ptr, ptr %a, align 2
  %5 = load x86_fp80, ptr %c, align 16
  ret i32 %1
}

define void @wholes(ptr %p, ptr %q) {
  %1 = load %pair, ptr %p, align 4
  store %pair %1, ptr %q, align 1
  %2 = load <3 x i32>, ptr %p, align 16
  store <3 x i32> %2, ptr %q, align 16
  %3 = load <12 x i1>, ptr %p, align 2
  store <12 x i1> %3, ptr %q, align 2
  %4 = load {}, ptr %p, align 1
  store [2 x double] zeroinitializer, ptr %q, align 8
  ret void
}
