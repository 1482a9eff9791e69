; Arithmetic that tells of overflow, and arithmetic that saturates.

; every: (_, _)
define i8 @sadd_overflow_i4(i4 %a, i4 %b) {
  %p = call { i4, i1 } @llvm.sadd.with.overflow.i4(i4 %a, i4 %b)
  %v = extractvalue { i4, i1 } %p, 0
  %o = extractvalue { i4, i1 } %p, 1
  %x = zext i4 %v to i8
  %y = zext i1 %o to i8
  %s = shl i8 %y, 4
  %r = or i8 %s, %x
  ret i8 %r
}

; every: (_, 11) (-77, _)
define i16 @sadd_overflow_i8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %x = zext i8 %v to i16
  %y = zext i1 %o to i16
  %s = shl i16 %y, 8
  %r = or i16 %s, %x
  ret i16 %r
}

; run: (0x7fffffff, 1) (-2147483648, -1) (46341, 46341) (65536, 65535) (0, -1)
define i64 @sadd_overflow_i32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i1 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (0x100000000, 0x100000000) (3, -4) (-1, -1)
; every: (0x7fffffffffffffff, -2..3)
define i128 @sadd_overflow_i64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = zext i64 %v to i128
  %y = zext i1 %o to i128
  %s = shl i128 %y, 64
  %r = or i128 %s, %x
  ret i128 %r
}

; run: (3, 4) (-1, -1) (0x10000000000000000, 0x10000000000000000) (-5, 7) (0x7fffffffffffffffffffffffffffffff, 2)
define i1 @sadd_overflow_i128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 %a, i128 %b)
  %o = extractvalue { i128, i1 } %p, 1
  ret i1 %o
}

; every: (_, _)
define i8 @uadd_overflow_i4(i4 %a, i4 %b) {
  %p = call { i4, i1 } @llvm.uadd.with.overflow.i4(i4 %a, i4 %b)
  %v = extractvalue { i4, i1 } %p, 0
  %o = extractvalue { i4, i1 } %p, 1
  %x = zext i4 %v to i8
  %y = zext i1 %o to i8
  %s = shl i8 %y, 4
  %r = or i8 %s, %x
  ret i8 %r
}

; every: (_, 11) (-77, _)
define i16 @uadd_overflow_i8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %x = zext i8 %v to i16
  %y = zext i1 %o to i16
  %s = shl i16 %y, 8
  %r = or i16 %s, %x
  ret i16 %r
}

; run: (0x7fffffff, 1) (-2147483648, -1) (46341, 46341) (65536, 65535) (0, -1)
define i64 @uadd_overflow_i32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i1 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (0x100000000, 0x100000000) (3, -4) (-1, -1)
; every: (0x7fffffffffffffff, -2..3)
define i128 @uadd_overflow_i64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = zext i64 %v to i128
  %y = zext i1 %o to i128
  %s = shl i128 %y, 64
  %r = or i128 %s, %x
  ret i128 %r
}

; run: (3, 4) (-1, -1) (0x10000000000000000, 0x10000000000000000) (-5, 7) (0x7fffffffffffffffffffffffffffffff, 2)
define i1 @uadd_overflow_i128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.uadd.with.overflow.i128(i128 %a, i128 %b)
  %o = extractvalue { i128, i1 } %p, 1
  ret i1 %o
}

; every: (_, _)
define i8 @ssub_overflow_i4(i4 %a, i4 %b) {
  %p = call { i4, i1 } @llvm.ssub.with.overflow.i4(i4 %a, i4 %b)
  %v = extractvalue { i4, i1 } %p, 0
  %o = extractvalue { i4, i1 } %p, 1
  %x = zext i4 %v to i8
  %y = zext i1 %o to i8
  %s = shl i8 %y, 4
  %r = or i8 %s, %x
  ret i8 %r
}

; every: (_, 11) (-77, _)
define i16 @ssub_overflow_i8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %x = zext i8 %v to i16
  %y = zext i1 %o to i16
  %s = shl i16 %y, 8
  %r = or i16 %s, %x
  ret i16 %r
}

; run: (0x7fffffff, 1) (-2147483648, -1) (46341, 46341) (65536, 65535) (0, -1)
define i64 @ssub_overflow_i32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i1 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (0x100000000, 0x100000000) (3, -4) (-1, -1)
; every: (0x7fffffffffffffff, -2..3)
define i128 @ssub_overflow_i64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = zext i64 %v to i128
  %y = zext i1 %o to i128
  %s = shl i128 %y, 64
  %r = or i128 %s, %x
  ret i128 %r
}

; run: (3, 4) (-1, -1) (0x10000000000000000, 0x10000000000000000) (-5, 7) (0x7fffffffffffffffffffffffffffffff, 2)
define i1 @ssub_overflow_i128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.ssub.with.overflow.i128(i128 %a, i128 %b)
  %o = extractvalue { i128, i1 } %p, 1
  ret i1 %o
}

; every: (_, _)
define i8 @usub_overflow_i4(i4 %a, i4 %b) {
  %p = call { i4, i1 } @llvm.usub.with.overflow.i4(i4 %a, i4 %b)
  %v = extractvalue { i4, i1 } %p, 0
  %o = extractvalue { i4, i1 } %p, 1
  %x = zext i4 %v to i8
  %y = zext i1 %o to i8
  %s = shl i8 %y, 4
  %r = or i8 %s, %x
  ret i8 %r
}

; every: (_, 11) (-77, _)
define i16 @usub_overflow_i8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %x = zext i8 %v to i16
  %y = zext i1 %o to i16
  %s = shl i16 %y, 8
  %r = or i16 %s, %x
  ret i16 %r
}

; run: (0x7fffffff, 1) (-2147483648, -1) (46341, 46341) (65536, 65535) (0, -1)
define i64 @usub_overflow_i32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i1 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (0x100000000, 0x100000000) (3, -4) (-1, -1)
; every: (0x7fffffffffffffff, -2..3)
define i128 @usub_overflow_i64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = zext i64 %v to i128
  %y = zext i1 %o to i128
  %s = shl i128 %y, 64
  %r = or i128 %s, %x
  ret i128 %r
}

; run: (3, 4) (-1, -1) (0x10000000000000000, 0x10000000000000000) (-5, 7) (0x7fffffffffffffffffffffffffffffff, 2)
define i1 @usub_overflow_i128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.usub.with.overflow.i128(i128 %a, i128 %b)
  %o = extractvalue { i128, i1 } %p, 1
  ret i1 %o
}

; every: (_, _)
define i8 @smul_overflow_i4(i4 %a, i4 %b) {
  %p = call { i4, i1 } @llvm.smul.with.overflow.i4(i4 %a, i4 %b)
  %v = extractvalue { i4, i1 } %p, 0
  %o = extractvalue { i4, i1 } %p, 1
  %x = zext i4 %v to i8
  %y = zext i1 %o to i8
  %s = shl i8 %y, 4
  %r = or i8 %s, %x
  ret i8 %r
}

; every: (_, 11) (-77, _)
define i16 @smul_overflow_i8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %x = zext i8 %v to i16
  %y = zext i1 %o to i16
  %s = shl i16 %y, 8
  %r = or i16 %s, %x
  ret i16 %r
}

; run: (0x7fffffff, 1) (-2147483648, -1) (46341, 46341) (65536, 65535) (0, -1)
define i64 @smul_overflow_i32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i1 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (0x100000000, 0x100000000) (3, -4) (-1, -1)
; every: (0x7fffffffffffffff, -2..3)
define i128 @smul_overflow_i64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = zext i64 %v to i128
  %y = zext i1 %o to i128
  %s = shl i128 %y, 64
  %r = or i128 %s, %x
  ret i128 %r
}

; run: (3, 4) (-1, -1) (0x10000000000000000, 0x10000000000000000) (-5, 7) (0x7fffffffffffffffffffffffffffffff, 2)
define i1 @smul_overflow_i128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.smul.with.overflow.i128(i128 %a, i128 %b)
  %o = extractvalue { i128, i1 } %p, 1
  ret i1 %o
}

; every: (_, _)
define i8 @umul_overflow_i4(i4 %a, i4 %b) {
  %p = call { i4, i1 } @llvm.umul.with.overflow.i4(i4 %a, i4 %b)
  %v = extractvalue { i4, i1 } %p, 0
  %o = extractvalue { i4, i1 } %p, 1
  %x = zext i4 %v to i8
  %y = zext i1 %o to i8
  %s = shl i8 %y, 4
  %r = or i8 %s, %x
  ret i8 %r
}

; every: (_, 11) (-77, _)
define i16 @umul_overflow_i8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %x = zext i8 %v to i16
  %y = zext i1 %o to i16
  %s = shl i16 %y, 8
  %r = or i16 %s, %x
  ret i16 %r
}

; run: (0x7fffffff, 1) (-2147483648, -1) (46341, 46341) (65536, 65535) (0, -1)
define i64 @umul_overflow_i32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i1 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (0x100000000, 0x100000000) (3, -4) (-1, -1)
; every: (0x7fffffffffffffff, -2..3)
define i128 @umul_overflow_i64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = zext i64 %v to i128
  %y = zext i1 %o to i128
  %s = shl i128 %y, 64
  %r = or i128 %s, %x
  ret i128 %r
}

; run: (3, 4) (-1, -1) (0x10000000000000000, 0x10000000000000000) (-5, 7) (0x7fffffffffffffffffffffffffffffff, 2)
define i1 @umul_overflow_i128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)
  %o = extractvalue { i128, i1 } %p, 1
  ret i1 %o
}

; every: (_, _)
define i4 @sadd_sat_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.sadd.sat.i4(i4 %a, i4 %b)
  ret i4 %r
}

; every: (_, 11) (-77, _)
define i8 @sadd_sat_i8(i8 %a, i8 %b) {
  %r = call i8 @llvm.sadd.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (-1, 1) (3, -4)
define i64 @sadd_sat_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-1, 1) (0x7fffffffffffffffffffffffffffffff, 2) (3, 4) (3, -4)
define i128 @sadd_sat_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.sadd.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i4 @uadd_sat_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.uadd.sat.i4(i4 %a, i4 %b)
  ret i4 %r
}

; every: (_, 11) (-77, _)
define i8 @uadd_sat_i8(i8 %a, i8 %b) {
  %r = call i8 @llvm.uadd.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (-1, 1) (3, -4)
define i64 @uadd_sat_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-1, 1) (0x7fffffffffffffffffffffffffffffff, 2) (3, 4) (3, -4)
define i128 @uadd_sat_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.uadd.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i4 @ssub_sat_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.ssub.sat.i4(i4 %a, i4 %b)
  ret i4 %r
}

; every: (_, 11) (-77, _)
define i8 @ssub_sat_i8(i8 %a, i8 %b) {
  %r = call i8 @llvm.ssub.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (-1, 1) (3, -4)
define i64 @ssub_sat_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.ssub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-1, 1) (0x7fffffffffffffffffffffffffffffff, 2) (3, 4) (3, -4)
define i128 @ssub_sat_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.ssub.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i4 @usub_sat_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.usub.sat.i4(i4 %a, i4 %b)
  ret i4 %r
}

; every: (_, 11) (-77, _)
define i8 @usub_sat_i8(i8 %a, i8 %b) {
  %r = call i8 @llvm.usub.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}

; run: (0x7fffffffffffffff, 1) (-9223372036854775808, -1) (-1, 1) (3, -4)
define i64 @usub_sat_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.usub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-1, 1) (0x7fffffffffffffffffffffffffffffff, 2) (3, 4) (3, -4)
define i128 @usub_sat_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.usub.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, 0..8)
define i8 @sshl_sat_i8(i8 %a, i8 %b) {
  %r = call i8 @llvm.sshl.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}

; run: (1, 63) (1, 62) (-1, 63) (-3, 62) (0, 63) (5, 4)
; every: (-5, 58..64)
define i64 @sshl_sat_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.sshl.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; every: (_, 0..5)
define i5 @sshl_sat_i5(i5 %a, i5 %b) {
  %r = call i5 @llvm.sshl.sat.i5(i5 %a, i5 %b)
  ret i5 %r
}

; every: (_, 0..8)
define i8 @ushl_sat_i8(i8 %a, i8 %b) {
  %r = call i8 @llvm.ushl.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}

; run: (1, 63) (1, 62) (-1, 63) (-3, 62) (0, 63) (5, 4)
; every: (-5, 58..64)
define i64 @ushl_sat_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.ushl.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; every: (_, 0..5)
define i5 @ushl_sat_i5(i5 %a, i5 %b) {
  %r = call i5 @llvm.ushl.sat.i5(i5 %a, i5 %b)
  ret i5 %r
}

; run: (1, -1, 0) (0, 5, 7) (255, 3, 3) (1, 0, -1)
; every: (_, 0xffffffff, 0) (_, 4, 5)
define i64 @x86_addcarry(i8 %c, i32 %a, i32 %b) {
  %p = call { i8, i32 } @llvm.x86.addcarry.32(i8 %c, i32 %a, i32 %b)
  %o = extractvalue { i8, i32 } %p, 0
  %v = extractvalue { i8, i32 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i8 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}

; run: (1, -1, 0) (0, 5, 7) (255, 3, 3) (1, 0, -1)
; every: (_, 0xffffffff, 0) (_, 4, 5)
define i64 @x86_subborrow(i8 %c, i32 %a, i32 %b) {
  %p = call { i8, i32 } @llvm.x86.subborrow.32(i8 %c, i32 %a, i32 %b)
  %o = extractvalue { i8, i32 } %p, 0
  %v = extractvalue { i8, i32 } %p, 1
  %x = zext i32 %v to i64
  %y = zext i8 %o to i64
  %s = shl i64 %y, 32
  %r = or i64 %s, %x
  ret i64 %r
}
