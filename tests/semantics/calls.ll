; Calls: direct and indirect, by value, through memory, with variable arguments.

%pair = type { i32, i32 }
@functions = internal constant [3 x ptr] [ptr @twice, ptr @negated, ptr @squared]

define internal i8 @twice(i8 %x) {
  %r = shl i8 %x, 1
  ret i8 %r
}

define internal i8 @negated(i8 %x) {
  %r = sub i8 0, %x
  ret i8 %r
}

define internal i8 @squared(i8 %x) {
  %r = mul i8 %x, %x
  ret i8 %r
}

define internal void @increment(ptr %p) {
  %x = load i8, ptr %p
  %y = add i8 %x, 1
  store i8 %y, ptr %p
  ret void
}

define internal i32 @by_value(ptr byval(%pair) align 4 %p) {
  %x = load i32, ptr %p
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %y = load i32, ptr %q
  store i32 0, ptr %p
  %r = sub i32 %x, %y
  ret i32 %r
}

define internal void @by_result(ptr sret(%pair) align 4 %p, i32 %x) {
  store i32 %x, ptr %p
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %y = mul i32 %x, 3
  store i32 %y, ptr %q
  ret void
}

define internal i64 @sum(i32 %count, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %next ]
  %sum = phi i64 [ 0, %0 ], [ %more, %next ]
  %done = icmp eq i32 %i, %count
  br i1 %done, label %end, label %next
next:
  %x = va_arg ptr %list, i64
  %more = add i64 %sum, %x
  %j = add i32 %i, 1
  br label %loop
end:
  call void @llvm.va_end.p0(ptr %list)
  ret i64 %sum
}

define internal double @mixed(i32 %count, ...) {
  %list = alloca [24 x i8], align 16
  %copy = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i32
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %b = va_arg ptr %list, double
  %c = va_arg ptr %copy, double
  %d = va_arg ptr %copy, i32
  call void @llvm.va_end.p0(ptr %copy)
  call void @llvm.va_end.p0(ptr %list)
  %x = sitofp i32 %a to double
  %y = sitofp i32 %d to double
  %s = fadd double %b, %c
  %t = fmul double %s, %x
  %r = fsub double %t, %y
  ret double %r
}

; every: (_)
define i8 @direct(i8 %x) {
  %a = call i8 @twice(i8 %x)
  %b = call i8 @squared(i8 %a)
  %r = tail call i8 @negated(i8 %b)
  ret i8 %r
}

; every: (0..3, _)
define i8 @indirect(i64 %i, i8 %x) {
  %s = getelementptr [3 x ptr], ptr @functions, i64 0, i64 %i
  %f = load ptr, ptr %s
  %r = call i8 %f(i8 %x)
  ret i8 %r
}

; every: (_, _)
define i8 @chosen(i1 %c, i8 %x) {
  %f = select i1 %c, ptr @twice, ptr @negated
  %r = call i8 %f(i8 %x)
  ret i8 %r
}

; every: (_)
define i8 @through_pointer(i8 %x) {
  %p = alloca i8
  store i8 %x, ptr %p
  call void @increment(ptr %p)
  call fastcc void @increment_fast(ptr %p)
  %r = load i8, ptr %p
  ret i8 %r
}

define internal fastcc void @increment_fast(ptr %p) {
  call void @increment(ptr %p)
  ret void
}

; run: (5, 7) (-1, 3)
; every: (100, 0..8)
define i32 @passes_by_value(i32 %a, i32 %b) {
  %p = alloca %pair
  store i32 %a, ptr %p
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  store i32 %b, ptr %q
  %d = call i32 @by_value(ptr byval(%pair) align 4 %p)
  %x = load i32, ptr %p
  %r = mul i32 %d, %x
  ret i32 %r
}

; run: (5) (-1)
; every: (-4..4)
define i32 @returns_through_memory(i32 %a) {
  %p = alloca %pair
  call void @by_result(ptr sret(%pair) align 4 %p, i32 %a)
  %x = load i32, ptr %p
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %y = load i32, ptr %q
  %r = xor i32 %x, %y
  ret i32 %r
}

; run: (10, 20)
; every: (5, 0..8)
define i64 @variable_arguments(i64 %a, i64 %b) {
  %x = call i64 (i32, ...) @sum(i32 2, i64 %a, i64 %b)
  %y = call i64 (i32, ...) @sum(i32 0)
  %z = call i64 (i32, ...) @sum(i32 9, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 %b, i64 9)
  %s = mul i64 %x, 1000
  %t = add i64 %y, %z
  %r = add i64 %s, %t
  ret i64 %r
}

; run: (2, 0.5) (-7, 1e10)
; every: (-3..3, 0.5)
define double @variable_arguments_of_two_kinds(i32 %a, double %b) {
  %r = call double (i32, ...) @mixed(i32 3, i32 %a, double %b, i32 %a)
  ret double %r
}

; run: (0) (5)
; every: (0..6)
define i32 @factorial(i32 %n) {
  %small = icmp ult i32 %n, 2
  %huge = icmp ugt i32 %n, 12
  %stop = or i1 %small, %huge
  br i1 %stop, label %one, label %more
one:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %f = call i32 @factorial(i32 %m)
  %r = mul i32 %f, %n
  ret i32 %r
}

; every: (_)
define i8 @many_arguments(i8 %a) {
  %r = call i8 @last_of_many(i8 1, i16 2, i32 3, i64 4, i8 5, i8 6, i8 7, double 8.0, float 9.0, i128 10, i8 %a)
  ret i8 %r
}

define internal i8 @last_of_many(i8 %a, i16 %b, i32 %c, i64 %d, i8 %e, i8 %f, i8 %g, double %h, float %i, i128 %j, i8 %k) {
  %t = trunc i128 %j to i8
  %r = mul i8 %t, %k
  ret i8 %r
}

; every: (_)
; errors: null-dereference
define i8 @call_of_null(i1 %c) {
  %f = select i1 %c, ptr @twice, ptr null
  %r = call i8 %f(i8 4)
  ret i8 %r
}

define internal x86_fp80 @long_doubles(i32 %count, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i32
  %area = getelementptr i8, ptr %list, i64 8
  %next = load ptr, ptr %area
  %up = getelementptr i8, ptr %next, i64 15
  %p = call ptr @llvm.ptrmask.p0.i64(ptr %up, i64 -16)
  %after = getelementptr i8, ptr %p, i64 16
  store ptr %after, ptr %area
  %b = load x86_fp80, ptr %p, align 16
  %c = va_arg ptr %list, i32
  call void @llvm.va_end.p0(ptr %list)
  %x = sitofp i32 %a to x86_fp80
  %y = sitofp i32 %c to x86_fp80
  %s = fmul x86_fp80 %b, %x
  %r = fsub x86_fp80 %s, %y
  ret x86_fp80 %r
}

; run: (3, 0.1) (-5, 1e300)
define x86_fp80 @variable_arguments_with_long_double(i32 %a, double %b) {
  %w = fpext double %b to x86_fp80
  %r = call x86_fp80 (i32, ...) @long_doubles(i32 3, i32 %a, x86_fp80 %w, i32 %a)
  ret x86_fp80 %r
}
