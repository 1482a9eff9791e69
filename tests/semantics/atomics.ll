; Atomic accesses, on one thread.

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_xchg_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw xchg ptr %p, i8 %b monotonic
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_xchg_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw xchg ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_add_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw add ptr %p, i8 %b acquire
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_add_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw add ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_sub_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw sub ptr %p, i8 %b release
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_sub_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw sub ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_and_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw and ptr %p, i8 %b acq_rel
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_and_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw and ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_nand_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw nand ptr %p, i8 %b seq_cst
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_nand_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw nand ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_or_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw or ptr %p, i8 %b monotonic
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_or_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw or ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_xor_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw xor ptr %p, i8 %b acquire
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_xor_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw xor ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_max_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw max ptr %p, i8 %b release
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_max_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw max ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_min_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw min ptr %p, i8 %b acq_rel
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_min_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw min ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_umax_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw umax ptr %p, i8 %b seq_cst
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_umax_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw umax ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_umin_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw umin ptr %p, i8 %b monotonic
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_umin_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw umin ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_uinc_wrap_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw uinc_wrap ptr %p, i8 %b acquire
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_uinc_wrap_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw uinc_wrap ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_udec_wrap_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw udec_wrap ptr %p, i8 %b release
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_udec_wrap_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw udec_wrap ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_usub_cond_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw usub_cond ptr %p, i8 %b acq_rel
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_usub_cond_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw usub_cond ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_, 11) (_, -3) (77, _)
define i16 @rmw_usub_sat_i8(i8 %a, i8 %b) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = atomicrmw usub_sat ptr %p, i8 %b seq_cst
  %n = load i8, ptr %p
  %x = zext i8 %o to i16
  %y = zext i8 %n to i16
  %s = shl i16 %x, 8
  %r = or i16 %s, %y
  ret i16 %r
}

; run: (5, 7) (-1, 1) (0, 0) (7, 5) (-9223372036854775808, 3)
; every: (3, 1..6)
define i128 @rmw_usub_sat_i64(i64 %a, i64 %b) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = atomicrmw usub_sat ptr %p, i64 %b seq_cst
  %n = load i64, ptr %p
  %x = zext i64 %o to i128
  %y = zext i64 %n to i128
  %s = shl i128 %x, 64
  %r = or i128 %s, %y
  ret i128 %r
}

; every: (_)
define i1 @rmw_xchg_ptr(i1 %c) {
  %p = alloca ptr
  store ptr null, ptr %p
  %v = select i1 %c, ptr %p, ptr null
  %o = atomicrmw xchg ptr %p, ptr %v seq_cst
  %n = load ptr, ptr %p
  %r = icmp eq ptr %n, %o
  ret i1 %r
}

; every: (_, 7, 9) (7, _, 9) (7, 7, _)
define i32 @cmpxchg_i8(i8 %a, i8 %b, i8 %c) {
  %p = alloca i8
  store i8 %a, ptr %p
  %o = cmpxchg ptr %p, i8 %b, i8 %c seq_cst seq_cst
  %v = extractvalue { i8, i1 } %o, 0
  %k = extractvalue { i8, i1 } %o, 1
  %n = load i8, ptr %p
  %z = zext i1 %k to i32
  %x = add i8 %v, 0
  %y = add i8 %n, 0
  %x1 = zext i8 %x to i32
  %y1 = zext i8 %y to i32
  %x2 = shl i32 %x1, 8
  %y2 = shl i32 %y1, 16
  %s = or i32 %x2, %y2
  %r = or i32 %s, %z
  ret i32 %r
}

; run: (5, 5, 6) (5, 6, 7) (-1, -1, 0)
; every: (3, 1..5, 9)
define i32 @cmpxchg_weak_i64(i64 %a, i64 %b, i64 %c) {
  %p = alloca i64
  store i64 %a, ptr %p
  %o = cmpxchg weak ptr %p, i64 %b, i64 %c acq_rel monotonic
  %v = extractvalue { i64, i1 } %o, 0
  %k = extractvalue { i64, i1 } %o, 1
  %n = load i64, ptr %p
  %z = zext i1 %k to i32
  %x = trunc i64 %v to i8
  %y = trunc i64 %n to i8
  %x1 = zext i8 %x to i32
  %y1 = zext i8 %y to i32
  %x2 = shl i32 %x1, 8
  %y2 = shl i32 %y1, 16
  %s = or i32 %x2, %y2
  %r = or i32 %s, %z
  ret i32 %r
}

; run: (1) (2)
; every: (-2..2)
define i1 @cmpxchg_i128(i128 %a) "target-features"="+cx16" {
  %p = alloca i128, align 16
  store i128 %a, ptr %p
  %o = cmpxchg ptr %p, i128 1, i128 5 seq_cst seq_cst
  %k = extractvalue { i128, i1 } %o, 1
  ret i1 %k
}

; every: (_)
define i8 @atomic_loads_and_stores(i8 %a) {
  %p = alloca i8
  store atomic i8 %a, ptr %p unordered, align 1
  %b = load atomic i8, ptr %p monotonic, align 1
  store atomic i8 %b, ptr %p release, align 1
  fence acquire
  %c = load atomic i8, ptr %p acquire, align 1
  store atomic volatile i8 %c, ptr %p seq_cst, align 1
  fence syncscope("singlethread") acq_rel
  %r = load atomic i8, ptr %p seq_cst, align 1
  ret i8 %r
}

; run: (300, 7) (-5, 60000) (-1, -1)
; every: (300, 295..305)
define i16 @rmw_nand_i16(i16 %a, i16 %b) {
  %p = alloca i16
  store i16 %a, ptr %p
  %o = atomicrmw nand ptr %p, i16 %b seq_cst
  %n = load i16, ptr %p
  %r = xor i16 %n, %o
  ret i16 %r
}

; run: (300, 7) (-5, 60000) (-1, -1)
; every: (300, 295..305)
define i16 @rmw_max_i16(i16 %a, i16 %b) {
  %p = alloca i16
  store i16 %a, ptr %p
  %o = atomicrmw max ptr %p, i16 %b seq_cst
  %n = load i16, ptr %p
  %r = xor i16 %n, %o
  ret i16 %r
}

; run: (300, 7) (-5, 60000) (-1, -1)
; every: (300, 295..305)
define i16 @rmw_uinc_wrap_i16(i16 %a, i16 %b) {
  %p = alloca i16
  store i16 %a, ptr %p
  %o = atomicrmw uinc_wrap ptr %p, i16 %b seq_cst
  %n = load i16, ptr %p
  %r = xor i16 %n, %o
  ret i16 %r
}
