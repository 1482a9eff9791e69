; Structs and arrays as values.

%shape = type { i8, { i16, [2 x i32] }, ptr }

; every: (_)
define i8 @insert_extract(i8 %a) {
  %s = insertvalue { i8, i8 } { i8 1, i8 2 }, i8 %a, 1
  %x = extractvalue { i8, i8 } %s, 0
  %y = extractvalue { i8, i8 } %s, 1
  %r = sub i8 %x, %y
  ret i8 %r
}

; run: (5, 77)
; every: (_, 9)
define i32 @nested(i8 %a, i32 %b) {
  %s = insertvalue %shape poison, i8 %a, 0
  %t = insertvalue %shape %s, i32 %b, 1, 1, 1
  %u = insertvalue %shape %t, i16 3, 1, 0
  %i = extractvalue %shape %u, 1
  %j = insertvalue { i16, [2 x i32] } %i, i32 100, 1, 0
  %k = extractvalue { i16, [2 x i32] } %j, 1
  %x = extractvalue [2 x i32] %k, 0
  %y = extractvalue [2 x i32] %k, 1
  %z = extractvalue %shape %u, 0
  %w = zext i8 %z to i32
  %p = add i32 %x, %y
  %r = mul i32 %p, %w
  ret i32 %r
}

; every: (_)
define i16 @store_whole_load_parts(i8 %a) {
  %p = alloca { i8, i16, i8 }
  %s = insertvalue { i8, i16, i8 } { i8 1, i16 2, i8 3 }, i8 %a, 2
  store { i8, i16, i8 } %s, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %x = load i8, ptr %q
  %y = zext i8 %x to i16
  %m = getelementptr i8, ptr %p, i64 2
  %z = load i16, ptr %m
  %r = add i16 %y, %z
  ret i16 %r
}

; run: (0x11223344)
; every: (0..256)
define i16 @load_whole(i32 %a) {
  %p = alloca i32
  store i32 %a, ptr %p
  %s = load [2 x i16], ptr %p
  %x = extractvalue [2 x i16] %s, 0
  %y = extractvalue [2 x i16] %s, 1
  %r = xor i16 %x, %y
  ret i16 %r
}

; every: (_, _)
define i8 @select_and_phi(i1 %c, i1 %d) {
  %s = select i1 %c, { i8, i8 } { i8 1, i8 2 }, { i8, i8 } { i8 3, i8 4 }
  br i1 %d, label %one, label %two
one:
  %t = insertvalue { i8, i8 } %s, i8 50, 0
  br label %two
two:
  %u = phi { i8, i8 } [ %s, %0 ], [ %t, %one ]
  %x = extractvalue { i8, i8 } %u, 0
  %y = extractvalue { i8, i8 } %u, 1
  %r = mul i8 %x, %y
  ret i8 %r
}

define internal { i8, [2 x i16], double } @several(i8 %a) {
  %w = zext i8 %a to i16
  %d = uitofp i8 %a to double
  %s = insertvalue { i8, [2 x i16], double } undef, i8 %a, 0
  %t = insertvalue { i8, [2 x i16], double } %s, i16 %w, 1, 1
  %u = insertvalue { i8, [2 x i16], double } %t, i16 7, 1, 0
  %v = insertvalue { i8, [2 x i16], double } %u, double %d, 2
  ret { i8, [2 x i16], double } %v
}

; every: (_)
define i16 @returned(i8 %a) {
  %s = call { i8, [2 x i16], double } @several(i8 %a)
  %x = extractvalue { i8, [2 x i16], double } %s, 1, 1
  %d = extractvalue { i8, [2 x i16], double } %s, 2
  %i = fptoui double %d to i16
  %y = extractvalue { i8, [2 x i16], double } %s, 1, 0
  %p = add i16 %x, %i
  %r = mul i16 %p, %y
  ret i16 %r
}

define internal i8 @taken([3 x i8] %v, { i8, i1 } %s) {
  %x = extractvalue [3 x i8] %v, 2
  %y = extractvalue { i8, i1 } %s, 0
  %b = extractvalue { i8, i1 } %s, 1
  %r = select i1 %b, i8 %x, i8 %y
  ret i8 %r
}

; every: (_, _)
define i8 @passed(i4 %a, i1 %b) {
  %w = sext i4 %a to i8
  %v = insertvalue [3 x i8] [i8 1, i8 2, i8 3], i8 %w, 2
  %s = insertvalue { i8, i1 } { i8 100, i1 false }, i1 %b, 1
  %r = call i8 @taken([3 x i8] %v, { i8, i1 } %s)
  ret i8 %r
}

; run: (3)
define i8 @empty(i8 %a) {
  %s = insertvalue { {}, i8 } zeroinitializer, i8 %a, 1
  %r = extractvalue { {}, i8 } %s, 1
  ret i8 %r
}
