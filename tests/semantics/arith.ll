; Integer arithmetic: add, sub, mul, udiv, sdiv, urem, srem.

; every: (_, _)
define i4 @add_i4(i4 %a, i4 %b) {
  %r = add i4 %a, %b
  ret i4 %r
}

; run: (100, 100) (-128, -1) (127, 2)
; every: (_, 3) (-128, _)
define i8 @add_i8(i8 %a, i8 %b) {
  %r = add i8 %a, %b
  ret i8 %r
}

; run: (2147483647, 1) (-5, 7) (65536, 65536)
define i32 @add_i32(i32 %a, i32 %b) {
  %r = add i32 %a, %b
  ret i32 %r
}

; run: (0, 0) (-1, 1) (0x7fffffffffffffff, 0x7fffffffffffffff) (-9223372036854775808, 3) (123456789012345, -987654321)
define i64 @add_i64(i64 %a, i64 %b) {
  %r = add i64 %a, %b
  ret i64 %r
}

; run: (-1, 1) (0x123456789abcdef0123456789abcdef, 0xfedcba98765432100f1e2d3c4b5a6978) (-3, -4)
; every: (0xffffffffffffffff, -2..3)
define i128 @add_i128(i128 %a, i128 %b) {
  %r = add i128 %a, %b
  ret i128 %r
}

; every: (_, _)
define i4 @sub_i4(i4 %a, i4 %b) {
  %r = sub i4 %a, %b
  ret i4 %r
}

; run: (100, 100) (-128, -1) (127, 2)
; every: (_, 3) (-128, _)
define i8 @sub_i8(i8 %a, i8 %b) {
  %r = sub i8 %a, %b
  ret i8 %r
}

; run: (2147483647, 1) (-5, 7) (65536, 65536)
define i32 @sub_i32(i32 %a, i32 %b) {
  %r = sub i32 %a, %b
  ret i32 %r
}

; run: (0, 0) (-1, 1) (0x7fffffffffffffff, 0x7fffffffffffffff) (-9223372036854775808, 3) (123456789012345, -987654321)
define i64 @sub_i64(i64 %a, i64 %b) {
  %r = sub i64 %a, %b
  ret i64 %r
}

; run: (-1, 1) (0x123456789abcdef0123456789abcdef, 0xfedcba98765432100f1e2d3c4b5a6978) (-3, -4)
; every: (0xffffffffffffffff, -2..3)
define i128 @sub_i128(i128 %a, i128 %b) {
  %r = sub i128 %a, %b
  ret i128 %r
}

; every: (_, _)
define i4 @mul_i4(i4 %a, i4 %b) {
  %r = mul i4 %a, %b
  ret i4 %r
}

; run: (100, 100) (-128, -1) (127, 2)
; every: (_, 3) (-128, _)
define i8 @mul_i8(i8 %a, i8 %b) {
  %r = mul i8 %a, %b
  ret i8 %r
}

; run: (2147483647, 1) (-5, 7) (65536, 65536)
define i32 @mul_i32(i32 %a, i32 %b) {
  %r = mul i32 %a, %b
  ret i32 %r
}

; run: (0, 0) (-1, 1) (0x7fffffffffffffff, 0x7fffffffffffffff) (-9223372036854775808, 3) (123456789012345, -987654321)
define i64 @mul_i64(i64 %a, i64 %b) {
  %r = mul i64 %a, %b
  ret i64 %r
}

; run: (-1, 1) (0x123456789abcdef0123456789abcdef, 0xfedcba98765432100f1e2d3c4b5a6978) (-3, -4)
; every: (0xffffffffffffffff, -2..3)
define i128 @mul_i128(i128 %a, i128 %b) {
  %r = mul i128 %a, %b
  ret i128 %r
}

; run: (-3, 0x100000000)
; every: (0xffffffff, 0..20)
define i33 @mul_i33(i33 %a, i33 %b) {
  %r = mul i33 %a, %b
  ret i33 %r
}

; every: (_, _)
define i1 @add_i1(i1 %a, i1 %b) {
  %s = add i1 %a, %b
  %d = sub i1 %s, %a
  %m = mul i1 %d, %s
  ret i1 %m
}

; every: (0..8, 0..8)
define i4 @add_with_promises(i4 %a, i4 %b) {
  %r = add nuw i4 %a, %b
  ret i4 %r
}

; every: (-4..4, -4..4)
define i4 @sub_with_promises(i4 %a, i4 %b) {
  %r = sub nsw i4 %a, %b
  ret i4 %r
}

; every: (0..4, 0..4)
define i5 @mul_with_promises(i5 %a, i5 %b) {
  %r = mul nuw nsw i5 %a, %b
  ret i5 %r
}

; every: (_, _)
; errors: division
define i4 @udiv_i4(i4 %a, i4 %b) {
  %r = udiv i4 %a, %b
  ret i4 %r
}

; run: (-128, 127) (-128, 0)
; every: (_, 3) (_, -7) (-100, _)
; errors: division
define i8 @udiv_i8(i8 %a, i8 %b) {
  %r = udiv i8 %a, %b
  ret i8 %r
}

; run: (-2147483648, -2147483648) (-7, 2) (7, -2) (0, 5) (-2147483648, 0)
; errors: division
define i32 @udiv_i32(i32 %a, i32 %b) {
  %r = udiv i32 %a, %b
  ret i32 %r
}

; run: (-1, 1) (-9223372036854775808, 3) (123456789012345, -987654321) (1, -1)
define i64 @udiv_i64(i64 %a, i64 %b) {
  %r = udiv i64 %a, %b
  ret i64 %r
}

; run: (-1, 3) (0x123456789abcdef0123456789abcdef, -12345678901234567890) (5, 0)
; every: (-1000000000000000000000, 1..8)
; errors: division
define i128 @udiv_i128(i128 %a, i128 %b) {
  %r = udiv i128 %a, %b
  ret i128 %r
}

; every: (_, _)
; errors: division
define i4 @urem_i4(i4 %a, i4 %b) {
  %r = urem i4 %a, %b
  ret i4 %r
}

; run: (-128, 127) (-128, 0)
; every: (_, 3) (_, -7) (-100, _)
; errors: division
define i8 @urem_i8(i8 %a, i8 %b) {
  %r = urem i8 %a, %b
  ret i8 %r
}

; run: (-2147483648, -2147483648) (-7, 2) (7, -2) (0, 5) (-2147483648, 0)
; errors: division
define i32 @urem_i32(i32 %a, i32 %b) {
  %r = urem i32 %a, %b
  ret i32 %r
}

; run: (-1, 1) (-9223372036854775808, 3) (123456789012345, -987654321) (1, -1)
define i64 @urem_i64(i64 %a, i64 %b) {
  %r = urem i64 %a, %b
  ret i64 %r
}

; run: (-1, 3) (0x123456789abcdef0123456789abcdef, -12345678901234567890) (5, 0)
; every: (-1000000000000000000000, 1..8)
; errors: division
define i128 @urem_i128(i128 %a, i128 %b) {
  %r = urem i128 %a, %b
  ret i128 %r
}

; every: (_, _)
; errors: division
define i4 @sdiv_i4(i4 %a, i4 %b) {
  %r = sdiv i4 %a, %b
  ret i4 %r
}

; run: (-128, 127) (-128, 0)
; every: (_, 3) (_, -7) (-100, _)
; errors: division
define i8 @sdiv_i8(i8 %a, i8 %b) {
  %r = sdiv i8 %a, %b
  ret i8 %r
}

; run: (-2147483648, -2147483648) (-7, 2) (7, -2) (0, 5) (-2147483648, 0)
; errors: division
define i32 @sdiv_i32(i32 %a, i32 %b) {
  %r = sdiv i32 %a, %b
  ret i32 %r
}

; run: (-1, 1) (-9223372036854775808, 3) (123456789012345, -987654321) (1, -1)
define i64 @sdiv_i64(i64 %a, i64 %b) {
  %r = sdiv i64 %a, %b
  ret i64 %r
}

; run: (-1, 3) (0x123456789abcdef0123456789abcdef, -12345678901234567890) (5, 0)
; every: (-1000000000000000000000, 1..8)
; errors: division
define i128 @sdiv_i128(i128 %a, i128 %b) {
  %r = sdiv i128 %a, %b
  ret i128 %r
}

; every: (_, _)
; errors: division
define i4 @srem_i4(i4 %a, i4 %b) {
  %r = srem i4 %a, %b
  ret i4 %r
}

; run: (-128, 127) (-128, 0)
; every: (_, 3) (_, -7) (-100, _)
; errors: division
define i8 @srem_i8(i8 %a, i8 %b) {
  %r = srem i8 %a, %b
  ret i8 %r
}

; run: (-2147483648, -2147483648) (-7, 2) (7, -2) (0, 5) (-2147483648, 0)
; errors: division
define i32 @srem_i32(i32 %a, i32 %b) {
  %r = srem i32 %a, %b
  ret i32 %r
}

; run: (-1, 1) (-9223372036854775808, 3) (123456789012345, -987654321) (1, -1)
define i64 @srem_i64(i64 %a, i64 %b) {
  %r = srem i64 %a, %b
  ret i64 %r
}

; run: (-1, 3) (0x123456789abcdef0123456789abcdef, -12345678901234567890) (5, 0)
; every: (-1000000000000000000000, 1..8)
; errors: division
define i128 @srem_i128(i128 %a, i128 %b) {
  %r = srem i128 %a, %b
  ret i128 %r
}

; run: (-2147483648, -1) (-2147483647, -1)
; errors: division
define i32 @sdiv_overflow(i32 %a, i32 %b) {
  %r = sdiv i32 %a, %b
  ret i32 %r
}

; run: (-2147483648, -1) (-2147483647, -1)
; errors: division
define i32 @srem_overflow(i32 %a, i32 %b) {
  %r = srem i32 %a, %b
  ret i32 %r
}

; run: (12, 4) (-12, 3)
; every: (6, 1..4)
define i8 @sdiv_exact(i8 %a, i8 %b) {
  %r = sdiv exact i8 %a, %b
  ret i8 %r
}

; run: (12, 4) (250, 5)
; every: (60, 1..7)
define i8 @udiv_exact(i8 %a, i8 %b) {
  %r = udiv exact i8 %a, %b
  ret i8 %r
}

; run: (0x123456789abcdef0, 12345) (-1, -7) (7, -1)
; every: (-1000, 1..5)
define i64 @udiv_i200(i64 %a, i64 %b) {
  %x = sext i64 %a to i200
  %s = shl i200 %x, 110
  %t = or i200 %s, 12345678901234567890
  %y = sext i64 %b to i200
  %q = udiv i200 %t, %y
  %h = lshr i200 %q, 100
  %u = xor i200 %h, %q
  %r = trunc i200 %u to i64
  ret i64 %r
}

; run: (0x123456789abcdef0, 12345) (-1, -7) (7, -1)
; every: (-1000, 1..5)
define i64 @sdiv_i200(i64 %a, i64 %b) {
  %x = sext i64 %a to i200
  %s = shl i200 %x, 110
  %t = or i200 %s, 12345678901234567890
  %y = sext i64 %b to i200
  %q = sdiv i200 %t, %y
  %h = lshr i200 %q, 100
  %u = xor i200 %h, %q
  %r = trunc i200 %u to i64
  ret i64 %r
}

; run: (0x123456789abcdef0, 12345) (-1, -7) (7, -1)
; every: (-1000, 1..5)
define i64 @urem_i200(i64 %a, i64 %b) {
  %x = sext i64 %a to i200
  %s = shl i200 %x, 110
  %t = or i200 %s, 12345678901234567890
  %y = sext i64 %b to i200
  %q = urem i200 %t, %y
  %h = lshr i200 %q, 100
  %u = xor i200 %h, %q
  %r = trunc i200 %u to i64
  ret i64 %r
}

; run: (0x123456789abcdef0, 12345) (-1, -7) (7, -1)
; every: (-1000, 1..5)
define i64 @srem_i200(i64 %a, i64 %b) {
  %x = sext i64 %a to i200
  %s = shl i200 %x, 110
  %t = or i200 %s, 12345678901234567890
  %y = sext i64 %b to i200
  %q = srem i200 %t, %y
  %h = lshr i200 %q, 100
  %u = xor i200 %h, %q
  %r = trunc i200 %u to i64
  ret i64 %r
}

; run: (0x123456789abcdef0, 12345) (-1, -7) (7, -1)
; every: (-1000, 1..5)
define i64 @mul_i200(i64 %a, i64 %b) {
  %x = sext i64 %a to i200
  %s = shl i200 %x, 110
  %t = or i200 %s, 12345678901234567890
  %y = sext i64 %b to i200
  %q = mul i200 %t, %y
  %h = lshr i200 %q, 100
  %u = xor i200 %h, %q
  %r = trunc i200 %u to i64
  ret i64 %r
}
