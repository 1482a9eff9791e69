; Comparisons of integers and of addresses.

@bytes = internal global [8 x i8] zeroinitializer

; run: (7, -8)
; every: (_, _)
define i1 @icmp_eq_i4(i4 %a, i4 %b) {
  %r = icmp eq i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_eq_i64(i64 %a, i64 %b) {
  %r = icmp eq i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_eq_i128(i128 %a, i128 %b) {
  %r = icmp eq i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_eq_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp eq ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_ne_i4(i4 %a, i4 %b) {
  %r = icmp ne i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_ne_i64(i64 %a, i64 %b) {
  %r = icmp ne i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_ne_i128(i128 %a, i128 %b) {
  %r = icmp ne i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_ne_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp ne ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_ugt_i4(i4 %a, i4 %b) {
  %r = icmp ugt i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_ugt_i64(i64 %a, i64 %b) {
  %r = icmp ugt i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_ugt_i128(i128 %a, i128 %b) {
  %r = icmp ugt i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_ugt_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp ugt ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_uge_i4(i4 %a, i4 %b) {
  %r = icmp uge i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_uge_i64(i64 %a, i64 %b) {
  %r = icmp uge i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_uge_i128(i128 %a, i128 %b) {
  %r = icmp uge i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_uge_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp uge ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_ult_i4(i4 %a, i4 %b) {
  %r = icmp ult i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_ult_i64(i64 %a, i64 %b) {
  %r = icmp ult i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_ult_i128(i128 %a, i128 %b) {
  %r = icmp ult i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_ult_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp ult ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_ule_i4(i4 %a, i4 %b) {
  %r = icmp ule i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_ule_i64(i64 %a, i64 %b) {
  %r = icmp ule i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_ule_i128(i128 %a, i128 %b) {
  %r = icmp ule i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_ule_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp ule ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_sgt_i4(i4 %a, i4 %b) {
  %r = icmp sgt i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_sgt_i64(i64 %a, i64 %b) {
  %r = icmp sgt i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_sgt_i128(i128 %a, i128 %b) {
  %r = icmp sgt i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_sgt_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp sgt ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_sge_i4(i4 %a, i4 %b) {
  %r = icmp sge i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_sge_i64(i64 %a, i64 %b) {
  %r = icmp sge i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_sge_i128(i128 %a, i128 %b) {
  %r = icmp sge i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_sge_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp sge ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_slt_i4(i4 %a, i4 %b) {
  %r = icmp slt i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_slt_i64(i64 %a, i64 %b) {
  %r = icmp slt i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_slt_i128(i128 %a, i128 %b) {
  %r = icmp slt i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_slt_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp slt ptr %p, %q
  ret i1 %r
}

; run: (7, -8)
; every: (_, _)
define i1 @icmp_sle_i4(i4 %a, i4 %b) {
  %r = icmp sle i4 %a, %b
  ret i1 %r
}

; run: (-1, 1) (1, -1) (5, 5) (-9223372036854775808, 9223372036854775807)
; every: (-1, -3..3)
define i1 @icmp_sle_i64(i64 %a, i64 %b) {
  %r = icmp sle i64 %a, %b
  ret i1 %r
}

; run: (-1, 1) (0x10000000000000000, 0xffffffffffffffff)
; every: (0, -3..3)
define i1 @icmp_sle_i128(i128 %a, i128 %b) {
  %r = icmp sle i128 %a, %b
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_sle_ptr(i64 %a, i64 %b) {
  %p = getelementptr i8, ptr @bytes, i64 %a
  %q = getelementptr i8, ptr @bytes, i64 %b
  %r = icmp sle ptr %p, %q
  ret i1 %r
}

; every: (_, _)
define i1 @icmp_i1(i1 %a, i1 %b) {
  %s = icmp slt i1 %a, %b
  %u = icmp ugt i1 %b, %a
  %r = xor i1 %s, %u
  ret i1 %r
}

; every: (0..8, 0..8)
define i1 @icmp_samesign(i8 %a, i8 %b) {
  %r = icmp samesign ult i8 %a, %b
  ret i1 %r
}

; every: (_)
define i1 @icmp_null(i1 %c) {
  %p = select i1 %c, ptr @bytes, ptr null
  %r = icmp eq ptr %p, null
  ret i1 %r
}
