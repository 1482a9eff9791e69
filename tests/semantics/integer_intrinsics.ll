; Intrinsics on integers: bits, minima and maxima, comparisons, funnel shifts.

; every: (_)
define i8 @ctpop_i8(i8 %a) {
  %r = call i8 @llvm.ctpop.i8(i8 %a)
  ret i8 %r
}

; every: (0x1200..0x1240)
define i16 @ctpop_i16(i16 %a) {
  %r = call i16 @llvm.ctpop.i16(i16 %a)
  ret i16 %r
}

; run: (0x12345678) (0) (-1)
; every: (250..260)
define i32 @ctpop_i32(i32 %a) {
  %r = call i32 @llvm.ctpop.i32(i32 %a)
  ret i32 %r
}

; run: (0x123456789abcdef0) (-1) (1)
; every: (-3..3)
define i64 @ctpop_i64(i64 %a) {
  %r = call i64 @llvm.ctpop.i64(i64 %a)
  ret i64 %r
}

; run: (0x123456789abcdef0fedcba9876543210) (0)
; every: (-3..3)
define i128 @ctpop_i128(i128 %a) {
  %r = call i128 @llvm.ctpop.i128(i128 %a)
  ret i128 %r
}

; every: (_)
define i5 @ctpop_i5(i5 %a) {
  %r = call i5 @llvm.ctpop.i5(i5 %a)
  ret i5 %r
}

; every: (0x1200..0x1240)
define i16 @bswap_i16(i16 %a) {
  %r = call i16 @llvm.bswap.i16(i16 %a)
  ret i16 %r
}

; run: (0x12345678) (0) (-1)
; every: (250..260)
define i32 @bswap_i32(i32 %a) {
  %r = call i32 @llvm.bswap.i32(i32 %a)
  ret i32 %r
}

; run: (0x123456789abcdef0) (-1) (1)
; every: (-3..3)
define i64 @bswap_i64(i64 %a) {
  %r = call i64 @llvm.bswap.i64(i64 %a)
  ret i64 %r
}

; run: (0x123456789abcdef0fedcba9876543210) (0)
; every: (-3..3)
define i128 @bswap_i128(i128 %a) {
  %r = call i128 @llvm.bswap.i128(i128 %a)
  ret i128 %r
}

; every: (_)
define i8 @bitreverse_i8(i8 %a) {
  %r = call i8 @llvm.bitreverse.i8(i8 %a)
  ret i8 %r
}

; every: (0x1200..0x1240)
define i16 @bitreverse_i16(i16 %a) {
  %r = call i16 @llvm.bitreverse.i16(i16 %a)
  ret i16 %r
}

; run: (0x12345678) (0) (-1)
; every: (250..260)
define i32 @bitreverse_i32(i32 %a) {
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  ret i32 %r
}

; run: (0x123456789abcdef0) (-1) (1)
; every: (-3..3)
define i64 @bitreverse_i64(i64 %a) {
  %r = call i64 @llvm.bitreverse.i64(i64 %a)
  ret i64 %r
}

; run: (0x123456789abcdef0fedcba9876543210) (0)
; every: (-3..3)
define i128 @bitreverse_i128(i128 %a) {
  %r = call i128 @llvm.bitreverse.i128(i128 %a)
  ret i128 %r
}

; every: (_)
define i5 @bitreverse_i5(i5 %a) {
  %r = call i5 @llvm.bitreverse.i5(i5 %a)
  ret i5 %r
}

; run: (0x123456789abc) (1)
; every: (250..260)
define i48 @bswap_i48(i48 %a) {
  %r = call i48 @llvm.bswap.i48(i48 %a)
  ret i48 %r
}

; every: (_)
define i8 @ctlz_i8(i8 %a) {
  %r = call i8 @llvm.ctlz.i8(i8 %a, i1 false)
  ret i8 %r
}

; every: (_)
define i5 @ctlz_i5(i5 %a) {
  %r = call i5 @llvm.ctlz.i5(i5 %a, i1 false)
  ret i5 %r
}

; run: (0x00345000) (0) (-1)
; every: (0..70)
define i32 @ctlz_i32(i32 %a) {
  %r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  ret i32 %r
}

; run: (0x123456789abcde00) (0)
; every: (-3..3)
define i64 @ctlz_i64(i64 %a) {
  %r = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  ret i64 %r
}

; run: (0x100000000000000000000) (0)
; every: (-3..3)
define i128 @ctlz_i128(i128 %a) {
  %r = call i128 @llvm.ctlz.i128(i128 %a, i1 false)
  ret i128 %r
}

; every: (1..255)
define i8 @ctlz_of_nonzero(i8 %a) {
  %r = call i8 @llvm.ctlz.i8(i8 %a, i1 true)
  ret i8 %r
}

; every: (_)
define i8 @cttz_i8(i8 %a) {
  %r = call i8 @llvm.cttz.i8(i8 %a, i1 false)
  ret i8 %r
}

; every: (_)
define i5 @cttz_i5(i5 %a) {
  %r = call i5 @llvm.cttz.i5(i5 %a, i1 false)
  ret i5 %r
}

; run: (0x00345000) (0) (-1)
; every: (0..70)
define i32 @cttz_i32(i32 %a) {
  %r = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  ret i32 %r
}

; run: (0x123456789abcde00) (0)
; every: (-3..3)
define i64 @cttz_i64(i64 %a) {
  %r = call i64 @llvm.cttz.i64(i64 %a, i1 false)
  ret i64 %r
}

; run: (0x100000000000000000000) (0)
; every: (-3..3)
define i128 @cttz_i128(i128 %a) {
  %r = call i128 @llvm.cttz.i128(i128 %a, i1 false)
  ret i128 %r
}

; every: (1..255)
define i8 @cttz_of_nonzero(i8 %a) {
  %r = call i8 @llvm.cttz.i8(i8 %a, i1 true)
  ret i8 %r
}

; every: (_)
define i8 @abs_i8(i8 %a) {
  %r = call i8 @llvm.abs.i8(i8 %a, i1 false)
  ret i8 %r
}

; every: (-127..127)
define i8 @abs_i8_not_least(i8 %a) {
  %r = call i8 @llvm.abs.i8(i8 %a, i1 true)
  ret i8 %r
}

; run: (-5) (5) (-9223372036854775808)
; every: (-2..2)
define i64 @abs_i64(i64 %a) {
  %r = call i64 @llvm.abs.i64(i64 %a, i1 false)
  ret i64 %r
}

; run: (-5) (0x80000000000000000000000000000000)
; every: (-2..2)
define i128 @abs_i128(i128 %a) {
  %r = call i128 @llvm.abs.i128(i128 %a, i1 false)
  ret i128 %r
}

; every: (_, _)
define i4 @smin_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.smin.i4(i4 %a, i4 %b)
  ret i4 %r
}

; run: (-5, 7) (7, -5) (3, 3)
; every: (-1, -2..2)
define i64 @smin_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-5, 7) (0x10000000000000000, 0xffffffffffffffff)
define i128 @smin_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.smin.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i4 @smax_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.smax.i4(i4 %a, i4 %b)
  ret i4 %r
}

; run: (-5, 7) (7, -5) (3, 3)
; every: (-1, -2..2)
define i64 @smax_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-5, 7) (0x10000000000000000, 0xffffffffffffffff)
define i128 @smax_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.smax.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i4 @umin_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.umin.i4(i4 %a, i4 %b)
  ret i4 %r
}

; run: (-5, 7) (7, -5) (3, 3)
; every: (-1, -2..2)
define i64 @umin_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-5, 7) (0x10000000000000000, 0xffffffffffffffff)
define i128 @umin_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.umin.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i4 @umax_i4(i4 %a, i4 %b) {
  %r = call i4 @llvm.umax.i4(i4 %a, i4 %b)
  ret i4 %r
}

; run: (-5, 7) (7, -5) (3, 3)
; every: (-1, -2..2)
define i64 @umax_i64(i64 %a, i64 %b) {
  %r = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: (-5, 7) (0x10000000000000000, 0xffffffffffffffff)
define i128 @umax_i128(i128 %a, i128 %b) {
  %r = call i128 @llvm.umax.i128(i128 %a, i128 %b)
  ret i128 %r
}

; every: (_, _)
define i8 @scmp_i4(i4 %a, i4 %b) {
  %r = call i8 @llvm.scmp.i8.i4(i4 %a, i4 %b)
  ret i8 %r
}

; run: (-5, 7) (7, -5) (3, 3)
; every: (-1, -2..2)
define i2 @scmp_i64(i64 %a, i64 %b) {
  %r = call i2 @llvm.scmp.i2.i64(i64 %a, i64 %b)
  ret i2 %r
}

; every: (_, _)
define i8 @ucmp_i4(i4 %a, i4 %b) {
  %r = call i8 @llvm.ucmp.i8.i4(i4 %a, i4 %b)
  ret i8 %r
}

; run: (-5, 7) (7, -5) (3, 3)
; every: (-1, -2..2)
define i2 @ucmp_i64(i64 %a, i64 %b) {
  %r = call i2 @llvm.ucmp.i2.i64(i64 %a, i64 %b)
  ret i2 %r
}

; every: (0x5, _, _) (_, 0xa, _)
define i8 @fshl_i8(i8 %a, i4 %c, i4 %by) {
  %b = zext i4 %c to i8
  %x = mul i8 %b, 17
  %y = zext i4 %by to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %x, i8 %y)
  ret i8 %r
}

; every: (_, 9, _)
define i5 @fshl_i5(i5 %a, i5 %b, i5 %c) {
  %r = call i5 @llvm.fshl.i5(i5 %a, i5 %b, i5 %c)
  ret i5 %r
}

; run: (0x123456789abcdef0, -1, 12) (1, 2, 64) (1, 2, 0) (5, 6, -1)
; every: (0x8000000000000001, 0x123456789abcdef0, 60..70)
define i64 @fshl_i64(i64 %a, i64 %b, i64 %c) {
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 %c)
  ret i64 %r
}

; run: (0x123456789abcdef0, -1, 12) (1, 2, 128) (1, 2, 0) (5, 6, -1)
define i128 @fshl_i128(i128 %a, i128 %b, i128 %c) {
  %r = call i128 @llvm.fshl.i128(i128 %a, i128 %b, i128 %c)
  ret i128 %r
}

; every: (0x5, _, _) (_, 0xa, _)
define i8 @fshr_i8(i8 %a, i4 %c, i4 %by) {
  %b = zext i4 %c to i8
  %x = mul i8 %b, 17
  %y = zext i4 %by to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %x, i8 %y)
  ret i8 %r
}

; every: (_, 9, _)
define i5 @fshr_i5(i5 %a, i5 %b, i5 %c) {
  %r = call i5 @llvm.fshr.i5(i5 %a, i5 %b, i5 %c)
  ret i5 %r
}

; run: (0x123456789abcdef0, -1, 12) (1, 2, 64) (1, 2, 0) (5, 6, -1)
; every: (0x8000000000000001, 0x123456789abcdef0, 60..70)
define i64 @fshr_i64(i64 %a, i64 %b, i64 %c) {
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %c)
  ret i64 %r
}

; run: (0x123456789abcdef0, -1, 12) (1, 2, 128) (1, 2, 0) (5, 6, -1)
define i128 @fshr_i128(i128 %a, i128 %b, i128 %c) {
  %r = call i128 @llvm.fshr.i128(i128 %a, i128 %b, i128 %c)
  ret i128 %r
}

; every: (_)
define i8 @expect(i8 %a) {
  %r = call i8 @llvm.expect.i8(i8 %a, i8 3)
  %s = call i8 @llvm.expect.with.probability.i8(i8 %r, i8 3, double 0.5)
  ret i8 %s
}

; every: (0..8)
define i8 @assume(i8 %a) {
  %c = icmp ult i8 %a, 8
  call void @llvm.assume(i1 %c)
  call void @llvm.assume(i1 true)
  ret i8 %a
}

; run: (7)
define i8 @is_constant(i8 %a) {
  %x = call i1 @llvm.is.constant.i8(i8 3)
  %r = zext i1 %x to i8
  %s = add i8 %r, %a
  ret i8 %s
}

; every: (_)
define i8 @hints(i8 %a) {
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  %r = add i8 %a, 1
  ret i8 %r
}

; every: (_)
define i3 @ctlz_odd_i3(i3 %a) {
  %x = call i3 @llvm.ctlz.i3(i3 %a, i1 false)
  %y = call i3 @llvm.bitreverse.i3(i3 %a)
  %z = call i3 @llvm.cttz.i3(i3 %y, i1 false)
  %w = call i3 @llvm.ctpop.i3(i3 %y)
  %s = add i3 %x, %z
  %r = mul i3 %s, %w
  ret i3 %r
}

; every: (0..8)
define i17 @ctlz_odd_i17(i17 %a) {
  %x = call i17 @llvm.ctlz.i17(i17 %a, i1 false)
  %y = call i17 @llvm.bitreverse.i17(i17 %a)
  %z = call i17 @llvm.cttz.i17(i17 %y, i1 false)
  %w = call i17 @llvm.ctpop.i17(i17 %y)
  %s = add i17 %x, %z
  %r = mul i17 %s, %w
  ret i17 %r
}

; every: (0..8)
define i100 @ctlz_odd_i100(i100 %a) {
  %x = call i100 @llvm.ctlz.i100(i100 %a, i1 false)
  %y = call i100 @llvm.bitreverse.i100(i100 %a)
  %z = call i100 @llvm.cttz.i100(i100 %y, i1 false)
  %w = call i100 @llvm.ctpop.i100(i100 %y)
  %s = add i100 %x, %z
  %r = mul i100 %s, %w
  ret i100 %r
}
