; Integer operations, their promises, any width.
define i32 @all(i32 %a, i32 %b) {
  %1 = add i32 %a, %b
  %2 = sub nsw i32 %1, %b
  %3 = mul nuw nsw i32 %2, 7
  %4 = udiv exact i32 %3, %b
  %5 = sdiv i32 %4, %b
  %6 = urem i32 %5, %b
  %7 = srem i32 %6, %b
  %8 = shl nuw i32 %7, 3
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 1
  %11 = and i32 %10, -16
  %12 = or disjoint i32 %11, 1
  %13 = xor i32 %12, -1
  ret i32 %13
}

define i129 @wide(i129 %a) {
  %1 = add i129 %a, 340282366920938463463374607431768211456
  ret i129 %1
}

define i1 @bit(i1 %a) {
  %1 = xor i1 %a, true
  ret i1 %1
}
