; Conversions of integers, addresses and bits.

@bytes = internal global [256 x i8] zeroinitializer

; every: (_)
define i4 @trunc_i8_i4(i8 %a) {
  %r = trunc i8 %a to i4
  ret i4 %r
}

; run: (0x123456789abcdef0) (-1)
; every: (-2..2)
define i8 @trunc_i64_i8(i64 %a) {
  %r = trunc i64 %a to i8
  ret i8 %r
}

; run: (0x1fedcba98123456789abcdef0) (-1)
; every: (-2..2)
define i64 @trunc_i128_i64(i128 %a) {
  %r = trunc i128 %a to i64
  ret i64 %r
}

; run: (0x1fedcba98123456789abcdef0) (-1)
define i65 @trunc_i128_i65(i128 %a) {
  %r = trunc i128 %a to i65
  ret i65 %r
}

; every: (0..8)
define i4 @trunc_with_promises(i8 %a) {
  %r = trunc nuw nsw i8 %a to i4
  ret i4 %r
}

; every: (_)
define i8 @zext_i1_i8(i1 %a) {
  %r = zext i1 %a to i8
  ret i8 %r
}

; every: (_)
define i64 @zext_i8_i64(i8 %a) {
  %r = zext i8 %a to i64
  ret i64 %r
}

; every: (_)
define i33 @zext_i7_i33(i7 %a) {
  %r = zext i7 %a to i33
  ret i33 %r
}

; every: (_)
define i128 @zext_i8_i128(i8 %a) {
  %r = zext i8 %a to i128
  ret i128 %r
}

; run: (-1) (1) (-9223372036854775808)
; every: (-2..2)
define i128 @zext_i64_i128(i64 %a) {
  %r = zext i64 %a to i128
  ret i128 %r
}

; every: (_)
define i8 @sext_i1_i8(i1 %a) {
  %r = sext i1 %a to i8
  ret i8 %r
}

; every: (_)
define i64 @sext_i8_i64(i8 %a) {
  %r = sext i8 %a to i64
  ret i64 %r
}

; every: (_)
define i33 @sext_i7_i33(i7 %a) {
  %r = sext i7 %a to i33
  ret i33 %r
}

; every: (_)
define i128 @sext_i8_i128(i8 %a) {
  %r = sext i8 %a to i128
  ret i128 %r
}

; run: (-1) (1) (-9223372036854775808)
; every: (-2..2)
define i128 @sext_i64_i128(i64 %a) {
  %r = sext i64 %a to i128
  ret i128 %r
}

; every: (0..8)
define i8 @zext_nneg(i4 %a) {
  %r = zext nneg i4 %a to i8
  ret i8 %r
}

; every: (_)
define i64 @ptrtoint(i8 %i) {
  %p = getelementptr i8, ptr @bytes, i8 %i
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr @bytes to i64
  %d = sub i64 %a, %b
  ret i64 %d
}

; every: (_)
define i16 @ptrtoint_narrow_and_wide(i8 %i) {
  %p = getelementptr i8, ptr @bytes, i8 %i
  %n = ptrtoint ptr %p to i16
  %m = ptrtoint ptr @bytes to i16
  %d = sub i16 %n, %m
  %w = ptrtoint ptr %p to i128
  %h = lshr i128 %w, 64
  %t = trunc i128 %h to i16
  %r = add i16 %d, %t
  ret i16 %r
}

; every: (_)
define i8 @inttoptr(i8 %i) {
  %w = zext i8 %i to i64
  %b = ptrtoint ptr @bytes to i64
  %a = add i64 %b, %w
  %p = inttoptr i64 %a to ptr
  store i8 %i, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; every: (_)
define i1 @inttoptr_narrow_and_wide(i8 %i) {
  %p = inttoptr i8 %i to ptr
  %w = zext i8 %i to i128
  %q = inttoptr i128 %w to ptr
  %r = icmp eq ptr %p, %q
  ret i1 %r
}

; run: (1.5) (-0.0) (inf) (0x7fc00001)
define i32 @bitcast_float(float %a) {
  %r = bitcast float %a to i32
  ret i32 %r
}

; run: (0x3ff8000000000000) (0x8000000000000000) (3)
define double @bitcast_double(i64 %a) {
  %r = bitcast i64 %a to double
  ret double %r
}

; every: (_)
define i16 @bitcast_half(i16 %a) {
  %h = bitcast i16 %a to half
  %r = bitcast half %h to i16
  ret i16 %r
}

; every: (_)
define i16 @bitcast_bfloat(i16 %a) {
  %h = bitcast i16 %a to bfloat
  %r = bitcast bfloat %h to i16
  ret i16 %r
}

; run: (0x1234567890abcdef1122334455667788)
define i128 @bitcast_quad(i128 %a) {
  %h = bitcast i128 %a to fp128
  %r = bitcast fp128 %h to i128
  ret i128 %r
}

; run: (0x3fff8000000000000000)
define i80 @bitcast_x87(i80 %a) {
  %h = bitcast i80 %a to x86_fp80
  %r = bitcast x86_fp80 %h to i80
  ret i80 %r
}

; run: (0x12345678) (-2)
; every: (0x11220000..0x11220100)
define i16 @bitcast_to_vector(i32 %a) {
  %v = bitcast i32 %a to <4 x i8>
  %x = extractelement <4 x i8> %v, i32 0
  %y = extractelement <4 x i8> %v, i32 3
  %w = zext i8 %x to i16
  %z = zext i8 %y to i16
  %s = shl i16 %w, 8
  %r = or i16 %s, %z
  ret i16 %r
}

; every: (_, _)
define i16 @bitcast_between_vectors(i8 %a, i4 %b) {
  %v = insertelement <3 x i8> <i8 1, i8 2, i8 3>, i8 %a, i32 1
  %n = bitcast <3 x i8> %v to <6 x i4>
  %m = insertelement <6 x i4> %n, i4 %b, i32 2
  %i = bitcast <6 x i4> %m to i24
  %r = trunc i24 %i to i16
  ret i16 %r
}

; every: (_)
define i8 @bitcast_of_bits(i8 %a) {
  %v = bitcast i8 %a to <8 x i1>
  %s = shufflevector <8 x i1> %v, <8 x i1> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %r = bitcast <8 x i1> %s to i8
  ret i8 %r
}

; every: (_)
define i8 @freeze_value(i8 %a) {
  %r = freeze i8 %a
  ret i8 %r
}

; run: ()
define i8 @freeze_poison() {
  %x = freeze i8 poison
  %y = xor i8 %x, %x
  ret i8 %y
}
