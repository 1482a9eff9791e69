; What the source attaches.
@text = private unnamed_addr constant [6 x i8] c"input\00", section "llvm.metadata"
@file = private unnamed_addr constant [4 x i8] c"a.c\00", section "llvm.metadata"
@g = global i32 0
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @g, ptr @text, ptr @file, i32 3, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @text, ptr @file, i32 4, ptr null }], section "llvm.metadata"

define i32 @f(ptr %p) {
  %x = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %x, ptr @text, ptr @file, i32 5, ptr null)
  %1 = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @text, ptr @file, i32 6, ptr null)
  %2 = load i32, ptr %1
  %3 = call i32 @llvm.annotation.i32.p0(i32 %2, ptr @text, ptr @file, i32 7)
  %4 = add i32 %3, 1, !annotation !0
  ret i32 %4
}
!0 = !{!"auto-init", !"mine"}
