; Global variables: bytes, addresses, linkage, lists.
%s = type { i8, i32, ptr, [3 x i16] }
@zero = global [1000000 x i8] zeroinitializer
@bytes = constant [6 x i8] c"hello\00", align 1
@struct = internal global %s { i8 1, i32 -2, ptr @bytes, [3 x i16] [i16 1, i16 2, i16 3] }
@packed = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@floats = global [2 x float] [float 1.0, float -0.0]
@wide = global i128 -1
@odd = global i17 65537
@extended = global x86_fp80 0xK3FFF8000000000000000
@vector = global <3 x i8> <i8 1, i8 2, i8 3>
@bits = global <12 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1, i1 1, i1 0, i1 0>
@addresses = global [3 x ptr] [ptr @f, ptr getelementptr (i8, ptr @struct, i64 8), ptr null]
@relative = constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @bytes to i64), i64 ptrtoint (ptr @relative to i64)) to i32), i32 0]
@number = global i64 ptrtoint (ptr @zero to i64)
@partly = global { i32, i32 } { i32 undef, i32 7 }
@weak = weak global i32 1
@common = common global i32 0
@thread = thread_local global i32 3
@declared = external global i32
@maybe = extern_weak global i32
@placed = global i32 1, section "mine", align 64
@other = alias i32, ptr @weak
@inside = alias i32, getelementptr (i8, ptr @struct, i64 4)
@truncated = global i8 ptrtoint (ptr @zero to i8)

@llvm.used = appending global [1 x ptr] [ptr @weak], section "llvm.metadata"
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }, { i32, ptr, ptr } { i32 101, ptr @g, ptr null }, { i32, ptr, ptr } { i32 7, ptr null, ptr null }]
@llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }, { i32, ptr, ptr } { i32 2, ptr @g, ptr null }]

module asm ".globl something"

define void @f() {
  %1 = load i32, ptr @inside
  store i32 %1, ptr @other
  ret void
}

define void @g() {
  ret void
}
