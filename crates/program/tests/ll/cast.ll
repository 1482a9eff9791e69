; Conversions.
define i64 @integers(i32 %a, ptr %p) {
  %1 = trunc nuw i32 %a to i8
  %2 = zext nneg i8 %1 to i16
  %3 = sext i16 %2 to i64
  %4 = ptrtoint ptr %p to i32
  %5 = inttoptr i64 %3 to ptr
  %6 = ptrtoint ptr %5 to i128
  %7 = trunc i128 %6 to i64
  ret i64 %7
}

define i32 @floats(double %d, i32 %i) {
  %1 = fptrunc double %d to float
  %2 = fpext float %1 to x86_fp80
  %3 = fptoui x86_fp80 %2 to i8
  %4 = fptosi double %d to i32
  %5 = uitofp i8 %3 to half
  %6 = sitofp i32 %i to bfloat
  %7 = fpext bfloat %6 to fp128
  %8 = bitcast float %1 to i32
  %9 = bitcast i32 %8 to float
  %10 = bitcast half %5 to i16
  ret i32 %8
}

define i64 @bits(<2 x i32> %v, <4 x i8> %b, i64 %x, <8 x i1> %m, <2 x ptr> %p) {
  %1 = bitcast <2 x i32> %v to i64
  %2 = bitcast i64 %x to <4 x i16>
  %3 = bitcast <4 x i8> %b to <2 x i16>
  %4 = bitcast <8 x i1> %m to i8
  %5 = bitcast i64 %x to <2 x float>
  %6 = bitcast <2 x i32> %v to <2 x float>
  %7 = extractelement <4 x i16> %2, i32 1
  %8 = extractelement <2 x float> %5, i32 1
  ret i64 %1
}
