; Vectors as values.
define <2 x i32> @elementwise(<2 x i32> %a, <2 x i32> %b, <2 x i1> %m, i1 %c) {
  %1 = add nsw <2 x i32> %a, <i32 1, i32 2>
  %2 = icmp slt <2 x i32> %1, %b
  %3 = select <2 x i1> %2, <2 x i32> %1, <2 x i32> %b
  %4 = select i1 %c, <2 x i32> %3, <2 x i32> zeroinitializer
  %5 = sext <2 x i32> %4 to <2 x i64>
  %6 = trunc <2 x i64> %5 to <2 x i32>
  ret <2 x i32> %6
}

define i32 @elements(<4 x i32> %v, i64 %i, i32 %x) {
  %1 = extractelement <4 x i32> %v, i32 2
  %2 = extractelement <4 x i32> %v, i64 %i
  %3 = insertelement <4 x i32> %v, i32 %x, i32 0
  %4 = insertelement <4 x i32> %3, i32 %x, i64 %i
  %5 = shufflevector <4 x i32> %4, <4 x i32> %v, <3 x i32> <i32 7, i32 poison, i32 0>
  %6 = extractelement <3 x i32> %5, i32 2
  %7 = add i32 %1, %2
  %8 = add i32 %7, %6
  %9 = extractelement <4 x i32> %v, i32 9
  %10 = insertelement <4 x i32> %v, i32 %x, i32 9
  %11 = extractelement <4 x i32> %10, i32 0
  %12 = add i32 %9, %11
  ret i32 %8
}

define <4 x half> @splat(half %h) {
  %1 = insertelement <4 x half> poison, half %h, i64 0
  %2 = shufflevector <4 x half> %1, <4 x half> poison, <4 x i32> zeroinitializer
  %3 = fneg <4 x half> %2
  ret <4 x half> %3
}
