; Constant expressions: folded where they can be, computed at entry where not.
@a = global [4 x i32] zeroinitializer
@b = global i8 0
@thread = thread_local global i32 0
declare void @f()

define i64 @folded() {
  %1 = add i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 4) to i64), 1
  %2 = add i64 %1, sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
  %3 = add i64 %2, sub (i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 12) to i64), i64 ptrtoint (ptr @a to i64))
  store ptr inttoptr (i64 4096 to ptr), ptr inttoptr (i64 add (i64 ptrtoint (ptr @b to i64), i64 2) to ptr)
  store ptr getelementptr (i8, ptr null, i64 24), ptr @f
  %4 = ptrtoint ptr @thread to i64
  ret i64 %3
}

define i32 @computed(i1 %c) {
entry:
  %1 = add i32 ptrtoint (ptr @a to i32), 5
  %2 = add i32 %1, ptrtoint (ptr @a to i32)
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %3 = phi i64 [ 0, %entry ], [ xor (i64 ptrtoint (ptr @b to i64), i64 1), %left ]
  %4 = trunc i64 %3 to i32
  %5 = add i32 %2, %4
  ret i32 %5
}

define i32 @undefined(i1 %c) {
  %1 = add i32 undef, poison
  %2 = select i1 undef, i32 %1, i32 0
  %3 = extractvalue { i8, i32 } undef, 1
  %4 = add i32 %2, %3
  ret i32 %4
}

define void @whole(ptr %p) {
  store { i8, ptr, <2 x i16> } { i8 1, ptr @a, <2 x i16> <i16 3, i16 undef> }, ptr %p
  store [3 x i8] c"ab\00", ptr %p
  ret void
}
