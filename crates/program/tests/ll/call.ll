; Calls and how arguments are passed.
%big = type { [4 x i64] }

declare i32 @printf(ptr, ...)
declare void @consume(ptr byval(%big) align 8)
declare void @produce(ptr sret(%big) align 8)
declare zeroext i8 @narrow(i8 zeroext, i16 signext)
declare { i64, double } @pair({ ptr, i32 })
declare void @stop() noreturn
declare i32 @setjmp(ptr) returns_twice
declare extern_weak void @maybe()
@alias = alias void (), ptr @target

define internal void @target() {
  ret void
}

define i32 @calls(ptr %f, ptr %p, { ptr, i32 } %s) {
  %1 = call i32 (ptr, ...) @printf(ptr %p, i32 1, double 2.0, ptr byval(%big) align 16 %p)
  call void @consume(ptr byval(%big) align 8 %p)
  call void @produce(ptr sret(%big) align 8 %p)
  %2 = call zeroext i8 @narrow(i8 zeroext 3, i16 signext -4)
  %3 = call { i64, double } @pair({ ptr, i32 } %s)
  %4 = extractvalue { i64, double } %3, 0
  %5 = call i32 %f(i64 %4)
  call void @alias()
  tail call void @target()
  %6 = call i32 @target(i32 1)
  call void @maybe()
  %7 = call i32 @setjmp(ptr %p) returns_twice
  call void @stop()
  unreachable
}

define i32 @variadic(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %1 = va_arg ptr %list, i32
  %2 = va_arg ptr %list, double
  call void @llvm.va_copy.p0(ptr %list, ptr %list)
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %1
}
