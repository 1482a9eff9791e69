; Bitwise operations and shifts. A shift by the width or more is an error here.

; every: (_, _)
define i4 @and_i4(i4 %a, i4 %b) {
  %r = and i4 %a, %b
  ret i4 %r
}

; run: (0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff) (-1, 0)
define i64 @and_i64(i64 %a, i64 %b) {
  %r = and i64 %a, %b
  ret i64 %r
}

; run: (0xffffffff00000000ffffffff00000000, 0x123456789abcdef0123456789abcdef)
; every: (0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f, 0..32)
define i128 @and_i128(i128 %a, i128 %b) {
  %r = and i128 %a, %b
  ret i128 %r
}

; every: (_, _)
define i4 @or_i4(i4 %a, i4 %b) {
  %r = or i4 %a, %b
  ret i4 %r
}

; run: (0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff) (-1, 0)
define i64 @or_i64(i64 %a, i64 %b) {
  %r = or i64 %a, %b
  ret i64 %r
}

; run: (0xffffffff00000000ffffffff00000000, 0x123456789abcdef0123456789abcdef)
; every: (0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f, 0..32)
define i128 @or_i128(i128 %a, i128 %b) {
  %r = or i128 %a, %b
  ret i128 %r
}

; every: (_, _)
define i4 @xor_i4(i4 %a, i4 %b) {
  %r = xor i4 %a, %b
  ret i4 %r
}

; run: (0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff) (-1, 0)
define i64 @xor_i64(i64 %a, i64 %b) {
  %r = xor i64 %a, %b
  ret i64 %r
}

; run: (0xffffffff00000000ffffffff00000000, 0x123456789abcdef0123456789abcdef)
; every: (0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f, 0..32)
define i128 @xor_i128(i128 %a, i128 %b) {
  %r = xor i128 %a, %b
  ret i128 %r
}

; every: (_)
define i8 @not_i8(i8 %a) {
  %r = xor i8 %a, -1
  ret i8 %r
}

; every: (0..8)
define i8 @or_disjoint(i8 %a) {
  %r = or disjoint i8 %a, 16
  ret i8 %r
}

; every: (_, _)
; errors: shift
define i5 @shl_i5(i5 %a, i5 %b) {
  %r = shl i5 %a, %b
  ret i5 %r
}

; every: (_, _)
; errors: shift
define i8 @shl_i8(i8 %a, i8 %b) {
  %r = shl i8 %a, %b
  ret i8 %r
}

; run: (-2, 31) (1, 32) (0x12345678, 4)
; errors: shift
define i32 @shl_i32(i32 %a, i32 %b) {
  %r = shl i32 %a, %b
  ret i32 %r
}

; run: (-2, 63) (0x8000000000000001, 1) (-1, 64)
; every: (0x8123456789abcdef, 0..70)
; errors: shift
define i64 @shl_i64(i64 %a, i64 %b) {
  %r = shl i64 %a, %b
  ret i64 %r
}

; run: (-2, 127) (0x80000000000000000000000000000001, 64) (7, 128)
; every: (0x81234567890123456789abcdef012345, 60..70)
; errors: shift
define i128 @shl_i128(i128 %a, i128 %b) {
  %r = shl i128 %a, %b
  ret i128 %r
}

; every: (_, _)
; errors: shift
define i5 @lshr_i5(i5 %a, i5 %b) {
  %r = lshr i5 %a, %b
  ret i5 %r
}

; every: (_, _)
; errors: shift
define i8 @lshr_i8(i8 %a, i8 %b) {
  %r = lshr i8 %a, %b
  ret i8 %r
}

; run: (-2, 31) (1, 32) (0x12345678, 4)
; errors: shift
define i32 @lshr_i32(i32 %a, i32 %b) {
  %r = lshr i32 %a, %b
  ret i32 %r
}

; run: (-2, 63) (0x8000000000000001, 1) (-1, 64)
; every: (0x8123456789abcdef, 0..70)
; errors: shift
define i64 @lshr_i64(i64 %a, i64 %b) {
  %r = lshr i64 %a, %b
  ret i64 %r
}

; run: (-2, 127) (0x80000000000000000000000000000001, 64) (7, 128)
; every: (0x81234567890123456789abcdef012345, 60..70)
; errors: shift
define i128 @lshr_i128(i128 %a, i128 %b) {
  %r = lshr i128 %a, %b
  ret i128 %r
}

; every: (_, _)
; errors: shift
define i5 @ashr_i5(i5 %a, i5 %b) {
  %r = ashr i5 %a, %b
  ret i5 %r
}

; every: (_, _)
; errors: shift
define i8 @ashr_i8(i8 %a, i8 %b) {
  %r = ashr i8 %a, %b
  ret i8 %r
}

; run: (-2, 31) (1, 32) (0x12345678, 4)
; errors: shift
define i32 @ashr_i32(i32 %a, i32 %b) {
  %r = ashr i32 %a, %b
  ret i32 %r
}

; run: (-2, 63) (0x8000000000000001, 1) (-1, 64)
; every: (0x8123456789abcdef, 0..70)
; errors: shift
define i64 @ashr_i64(i64 %a, i64 %b) {
  %r = ashr i64 %a, %b
  ret i64 %r
}

; run: (-2, 127) (0x80000000000000000000000000000001, 64) (7, 128)
; every: (0x81234567890123456789abcdef012345, 60..70)
; errors: shift
define i128 @ashr_i128(i128 %a, i128 %b) {
  %r = ashr i128 %a, %b
  ret i128 %r
}

; every: (_)
define i1 @shift_of_one_bit(i1 %a) {
  %r = shl i1 %a, 0
  %s = ashr i1 %r, 0
  ret i1 %s
}

; every: (_)
define i8 @shifts_with_promises(i8 %a) {
  %n = and i8 %a, 12
  %x = lshr exact i8 %n, 2
  %y = shl nuw nsw i8 %x, 3
  %z = ashr exact i8 %y, 3
  ret i8 %z
}

; run: (1, 200) (-1, 255)
; every: (5, 250..256)
define i64 @shift_of_wide_number(i64 %a, i64 %by) {
  %w = zext i64 %a to i300
  %b = zext i64 %by to i300
  %l = shl i300 %w, %b
  %r = lshr i300 %l, 199
  %t = trunc i300 %r to i64
  ret i64 %t
}
