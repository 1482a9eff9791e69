; Memory: loads and stores of all widths, addresses, local and global variables.

@zeros = internal global [16 x i8] zeroinitializer
@numbers = internal constant [4 x i32] [i32 10, i32 200, i32 -3, i32 4000]
@grid = internal constant [3 x [4 x i16]] [[4 x i16] [i16 1, i16 2, i16 3, i16 4], [4 x i16] [i16 5, i16 6, i16 7, i16 8], [4 x i16] [i16 9, i16 10, i16 11, i16 12]]
%pair = type { i8, i32, [2 x i16] }
%packed = type <{ i8, i32, i16 }>
@pairs = internal constant [2 x %pair] [%pair { i8 1, i32 2, [2 x i16] [i16 3, i16 4] }, %pair { i8 5, i32 6, [2 x i16] [i16 7, i16 8] }]
@pointers = internal constant [2 x ptr] [ptr @numbers, ptr getelementptr (i8, ptr @grid, i64 8)]
@message = internal constant [6 x i8] c"hello\00"
@counter = internal global i32 5

; every: (_)
define i1 @store_load_i1(i1 %a) {
  %p = alloca i1
  store i1 %a, ptr %p
  %r = load i1, ptr %p
  ret i1 %r
}

; every: (_)
define i4 @store_load_i4(i4 %a) {
  %p = alloca i4
  store i4 %a, ptr %p
  %r = load i4, ptr %p
  ret i4 %r
}

; every: (_)
define i8 @store_load_i8(i8 %a) {
  %p = alloca i8
  store i8 %a, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; run: (-1) (0x1abcd)
; every: (0..5)
define i17 @store_load_i17(i17 %a) {
  %p = alloca i17
  store i17 %a, ptr %p
  %r = load i17, ptr %p
  ret i17 %r
}

; run: (-1) (0x123456)
; every: (-2..2)
define i24 @store_load_i24(i24 %a) {
  %p = alloca i24
  store i24 %a, ptr %p
  %r = load i24, ptr %p
  ret i24 %r
}

; run: (-1) (0x123456789)
define i33 @store_load_i33(i33 %a) {
  %p = alloca i33
  store i33 %a, ptr %p
  %r = load i33, ptr %p
  ret i33 %r
}

; run: (-1) (0x123456789abcdef0)
; every: (-2..2)
define i64 @store_load_i64(i64 %a) {
  %p = alloca i64
  store i64 %a, ptr %p
  %r = load i64, ptr %p
  ret i64 %r
}

; run: (-1) (0x1123456789abcdef0)
; every: (-2..2)
define i65 @store_load_i65(i65 %a) {
  %p = alloca i65
  store i65 %a, ptr %p
  %r = load i65, ptr %p
  ret i65 %r
}

; run: (-1) (0x123456789abcdef0fedcba9876543210)
; every: (-2..2)
define i128 @store_load_i128(i128 %a) {
  %p = alloca i128
  store i128 %a, ptr %p
  %r = load i128, ptr %p
  ret i128 %r
}

; every: (0x3c00..0x3d00)
define half @store_load_half(half %a) {
  %p = alloca half
  store half %a, ptr %p
  %r = load half, ptr %p
  ret half %r
}

; run: (0x3f80)
define bfloat @store_load_bfloat(bfloat %a) {
  %p = alloca bfloat
  store bfloat %a, ptr %p
  %r = load bfloat, ptr %p
  ret bfloat %r
}

; run: (1.5) (nan)
define float @store_load_float(float %a) {
  %p = alloca float
  store float %a, ptr %p
  %r = load float, ptr %p
  ret float %r
}

; run: (0.1) (-0.0)
define double @store_load_double(double %a) {
  %p = alloca double
  store double %a, ptr %p
  %r = load double, ptr %p
  ret double %r
}

; run: (0x3fff8000000000000000) (0xc0008000000000000001)
define x86_fp80 @store_load_x86_fp80(x86_fp80 %a) {
  %p = alloca x86_fp80
  store x86_fp80 %a, ptr %p
  %r = load x86_fp80, ptr %p
  ret x86_fp80 %r
}

; run: (0x3fff0000000000000000000000000001)
define fp128 @store_load_fp128(fp128 %a) {
  %p = alloca fp128
  store fp128 %a, ptr %p
  %r = load fp128, ptr %p
  ret fp128 %r
}

; run: (0x12345678)
; every: (0x11220000..0x11220020)
define i16 @bytes_are_little_endian(i32 %a) {
  %p = alloca i32
  store i32 %a, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %r = load i16, ptr %q, align 1
  ret i16 %r
}

; run: (0x12345678, 0x9a)
; every: (0x11220000, _)
define i32 @byte_into_the_middle(i32 %a, i8 %b) {
  %p = alloca i32
  store i32 %a, ptr %p
  %q = getelementptr i8, ptr %p, i64 2
  store i8 %b, ptr %q
  %r = load i32, ptr %p
  ret i32 %r
}

; run: (0x123456789abcdef0)
; every: (0x4455..0x4475)
define i64 @unaligned(i64 %a) {
  %p = alloca [16 x i8]
  %q = getelementptr i8, ptr %p, i64 3
  store i64 %a, ptr %q, align 1
  %r = load i64, ptr %q, align 1
  ret i64 %r
}

; every: (_)
define i16 @odd_width_fills_its_bytes(i9 %a) {
  %p = alloca i16
  store i16 -1, ptr %p
  store i9 %a, ptr %p
  %r = load i16, ptr %p
  ret i16 %r
}

; every: (0..4)
define i32 @array_of_constants(i64 %i) {
  %p = getelementptr inbounds [4 x i32], ptr @numbers, i64 0, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}

; every: (0..4)
; every: (_)
; errors: out-of-bounds-read
define i32 @array_outside(i4 %i) {
  %w = zext i4 %i to i64
  %p = getelementptr [4 x i32], ptr @numbers, i64 0, i64 %w
  %r = load i32, ptr %p
  ret i32 %r
}

; every: (0..3, 0..4)
define i16 @array_of_arrays(i32 %i, i64 %j) {
  %p = getelementptr [3 x [4 x i16]], ptr @grid, i64 0, i32 %i, i64 %j
  %r = load i16, ptr %p
  ret i16 %r
}

; every: (-2..2)
define i16 @negative_index(i8 %i) {
  %m = getelementptr i16, ptr @grid, i64 4
  %p = getelementptr i16, ptr %m, i8 %i
  %r = load i16, ptr %p
  ret i16 %r
}

; every: (0..2, 0..2)
define i16 @structs_in_array(i64 %i, i64 %j) {
  %p = getelementptr [2 x %pair], ptr @pairs, i64 0, i64 %i, i32 2, i64 %j
  %r = load i16, ptr %p
  ret i16 %r
}

; every: (_)
define i32 @fields(i8 %a) {
  %p = alloca %pair
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %w = sext i8 %a to i32
  store i32 %w, ptr %q
  store i8 %a, ptr %p
  %s = getelementptr i8, ptr %p, i64 4
  %r = load i32, ptr %s
  ret i32 %r
}

; every: (_)
define i64 @packed_fields(i8 %a) {
  %p = alloca %packed
  %q = getelementptr %packed, ptr %p, i32 0, i32 1
  %t = getelementptr %packed, ptr %p, i32 0, i32 2
  %w = sext i8 %a to i32
  store i32 %w, ptr %q, align 1
  store i8 1, ptr %p
  store i16 513, ptr %t, align 1
  %r = load i56, ptr %p, align 1
  %z = zext i56 %r to i64
  ret i64 %z
}

; every: (0..2)
define i32 @pointer_from_table(i64 %i) {
  %s = getelementptr [2 x ptr], ptr @pointers, i64 0, i64 %i
  %p = load ptr, ptr %s
  %r = load i32, ptr %p, align 2
  ret i32 %r
}

; every: (0..6)
define i8 @string(i64 %i) {
  %p = getelementptr i8, ptr @message, i64 %i
  %r = load i8, ptr %p
  ret i8 %r
}

; run: (3)
define i32 @global_variable(i32 %a) {
  store i32 5, ptr @counter
  %x = load volatile i32, ptr @counter
  %y = add i32 %x, %a
  store volatile i32 %y, ptr @counter
  %r = load i32, ptr @counter
  ret i32 %r
}

; every: (0..16, _)
define i8 @symbolic_store(i64 %i, i4 %v) {
  %p = alloca [16 x i8]
  call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 16, i1 false)
  %q = getelementptr i8, ptr %p, i64 %i
  %w = zext i4 %v to i8
  store i8 %w, ptr %q
  %s = getelementptr i8, ptr %p, i64 5
  %r = load i8, ptr %s
  ret i8 %r
}

; run: (1) (4)
; every: (1..5)
define i64 @variable_length_array(i64 %n) {
  %p = alloca i16, i64 %n
  %l = sub i64 %n, 1
  %q = getelementptr i16, ptr %p, i64 %l
  store i16 77, ptr %q
  store i16 5, ptr %p
  %r = load i16, ptr %q
  %w = zext i16 %r to i64
  ret i64 %w
}

; every: (_)
define i8 @alloca_array_of_narrow_count(i2 %n) {
  %p = alloca i8, i2 %n
  %c = icmp eq i2 %n, 0
  br i1 %c, label %none, label %some
none:
  ret i8 0
some:
  store i8 9, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; every: (_)
define i64 @alignment(i8 %a) {
  %p = alloca i8, align 64
  store i8 %a, ptr %p
  %i = ptrtoint ptr %p to i64
  %r = and i64 %i, 63
  ret i64 %r
}

; every: (0..8)
define i64 @getelementptr_of_vector_of_addresses(i64 %i) {
  %b = insertelement <2 x ptr> poison, ptr @numbers, i32 0
  %c = insertelement <2 x ptr> %b, ptr @grid, i32 1
  %x = insertelement <2 x i64> <i64 0, i64 1>, i64 %i, i32 0
  %v = getelementptr i8, <2 x ptr> %c, <2 x i64> %x
  %p = extractelement <2 x ptr> %v, i32 0
  %a = ptrtoint ptr %p to i64
  %n = ptrtoint ptr @numbers to i64
  %r = sub i64 %a, %n
  ret i64 %r
}

; every: (_)
; errors: null-dereference
define i8 @null(i1 %c) {
  %p = select i1 %c, ptr @message, ptr null
  %r = load i8, ptr %p
  ret i8 %r
}

; run: (1)
; errors: write-to-constant
define i8 @write_to_constant(i8 %a) {
  store i8 %a, ptr @message
  ret i8 %a
}

; every: (_, _)
define i8 @array_of_odd_integers(i3 %a, i3 %b) {
  %p = alloca [3 x i3]
  %q = getelementptr [3 x i3], ptr %p, i64 0, i64 1
  store i3 %a, ptr %q
  %s = getelementptr [3 x i3], ptr %p, i64 0, i64 2
  store i3 %b, ptr %s
  %x = load i3, ptr %q
  %y = load i8, ptr %s
  %z = zext i3 %x to i8
  %w = shl i8 %z, 3
  %r = or i8 %w, %y
  ret i8 %r
}

; run: (0x123456789abcdef012)
; every: (0..9)
define i16 @i72_in_memory(i72 %a) {
  %p = alloca [2 x i72]
  %q = getelementptr [2 x i72], ptr %p, i64 0, i64 1
  store i72 %a, ptr %q
  %s = getelementptr i8, ptr %p, i64 23
  %r = load i16, ptr %s, align 1
  %x = load i72, ptr %q
  %y = trunc i72 %x to i16
  %z = and i16 %r, 255
  %u = add i16 %y, %z
  ret i16 %u
}

; every: (_)
define i8 @index_of_one_bit(i1 %i) {
  %p = getelementptr i8, ptr getelementptr (i8, ptr @message, i64 2), i1 %i
  %r = load i8, ptr %p
  ret i8 %r
}

; every: (-2..4)
define i8 @index_of_128_bits(i128 %i) {
  %p = getelementptr i8, ptr getelementptr (i8, ptr @message, i64 2), i128 %i
  %r = load i8, ptr %p
  ret i8 %r
}

; every: (_, _)
define i8 @one_of_two_objects(i1 %c, i8 %v) {
  %p = alloca i8
  %q = alloca i8
  store i8 1, ptr %p
  store i8 2, ptr %q
  %s = select i1 %c, ptr %p, ptr %q
  store i8 %v, ptr %s
  %x = load i8, ptr %p
  %y = load i8, ptr %q
  %z = mul i8 %x, 3
  %r = add i8 %z, %y
  ret i8 %r
}

; run: (0x4009)
; every: (0..16)
define i80 @x87_in_memory(i16 %e) {
  %p = alloca [2 x x86_fp80]
  %x = sitofp i16 %e to x86_fp80
  %q = getelementptr x86_fp80, ptr %p, i64 1
  store x86_fp80 %x, ptr %q
  %s = getelementptr i8, ptr %p, i64 16
  %r = load i80, ptr %s, align 16
  ret i80 %r
}
