; Structs and arrays as values.
%nested = type { i8, { i32, [2 x i64] }, ptr }

define i64 @parts(%nested %v, i64 %x) {
  %1 = extractvalue %nested %v, 1
  %2 = extractvalue { i32, [2 x i64] } %1, 1, 1
  %3 = insertvalue %nested %v, i64 %x, 1, 1, 0
  %4 = extractvalue %nested %3, 1, 1
  %5 = insertvalue [2 x i64] %4, i64 %2, 1
  %6 = extractvalue [2 x i64] %5, 0
  %7 = extractvalue [2 x i64] %5, 1
  %8 = add i64 %6, %7
  ret i64 %8
}

define { i32, ptr } @make(i32 %a) {
  %1 = insertvalue { i32, ptr } undef, i32 %a, 0
  %2 = insertvalue { i32, ptr } %1, ptr null, 1
  ret { i32, ptr } %2
}

define {} @nothing({} %v) {
  ret {} %v
}
