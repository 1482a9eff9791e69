; Intrinsics on memory and the stack, and those that stop a program.

@text = internal constant [16 x i8] c"abcdefghijklmnop"
@room = internal global [32 x i8] zeroinitializer

; every: (_, 0..16)
define i8 @memcpy_constant_length(i2 %n, i64 %at) {
  %p = alloca [16 x i8]
  call void @llvm.memset.p0.i64(ptr %p, i8 33, i64 16, i1 false)
  %w = zext i2 %n to i64
  %q = getelementptr i8, ptr %p, i64 %w
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr @text, i64 11, i1 false)
  %s = getelementptr i8, ptr %p, i64 %at
  %r = load i8, ptr %s
  ret i8 %r
}

; run: (0, 3) (16, 15)
; every: (0..17, 9)
define i8 @memcpy_variable_length(i64 %n, i64 %at) {
  %p = alloca [16 x i8]
  call void @llvm.memset.p0.i64(ptr %p, i8 33, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @text, i64 %n, i1 false)
  %s = getelementptr i8, ptr %p, i64 %at
  %r = load i8, ptr %s
  ret i8 %r
}

; every: (0..9, 0..16)
define i8 @memmove_overlapping(i64 %from, i64 %at) {
  %p = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @text, i64 16, i1 false)
  %f = getelementptr i8, ptr %p, i64 %from
  %t = getelementptr i8, ptr %p, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %t, ptr %f, i64 7, i1 false)
  %s = getelementptr i8, ptr %p, i64 %at
  %r = load i8, ptr %s
  ret i8 %r
}

; every: (_, 0..9)
define i64 @memset_variable(i8 %byte, i64 %n) {
  %p = alloca i64
  store i64 0, ptr %p
  call void @llvm.memset.p0.i64(ptr %p, i8 %byte, i64 %n, i1 true)
  %r = load i64, ptr %p
  ret i64 %r
}

; run: (7)
; every: (0..2)
define i64 @memset_inline(i8 %byte) {
  %p = alloca i64
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 %byte, i64 8, i1 false)
  %q = alloca i64
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %r = load i64, ptr %q
  ret i64 %r
}

; every: (_)
define i8 @lifetime(i8 %a) {
  %p = alloca i8
  call void @llvm.lifetime.start.p0(ptr %p)
  store i8 %a, ptr %p
  %r = load i8, ptr %p
  call void @llvm.lifetime.end.p0(ptr %p)
  ret i8 %r
}

; run: ()
define i64 @objectsize() {
  %p = alloca [12 x i8]
  %q = getelementptr i8, ptr %p, i64 5
  %r = call i64 @llvm.objectsize.i64.p0(ptr %q, i1 false, i1 true, i1 false)
  ret i64 %r
}

; run: (1) (4)
define i64 @stacksave(i64 %n) {
  %m = call ptr @llvm.stacksave.p0()
  %p = alloca i64, i64 %n
  store i64 %n, ptr %p
  %r = load i64, ptr %p
  call void @llvm.stackrestore.p0(ptr %m)
  %q = alloca i64
  store i64 3, ptr %q
  %s = load i64, ptr %q
  %t = add i64 %r, %s
  ret i64 %t
}

; every: (0..32)
define i64 @ptrmask(i64 %i) {
  %p = alloca [64 x i8], align 64
  %q = getelementptr i8, ptr %p, i64 %i
  %m = call ptr @llvm.ptrmask.p0.i64(ptr %q, i64 -8)
  %a = ptrtoint ptr %m to i64
  %b = ptrtoint ptr %p to i64
  %r = sub i64 %a, %b
  ret i64 %r
}

; every: (_)
; errors: abort
define i8 @trap(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  ret i8 1
}

; every: (_)
; errors: abort
define i8 @debugtrap(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.debugtrap()
  ret i8 2
good:
  ret i8 1
}

; every: (_)
; errors: lossy-conversion
define i8 @ubsantrap(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.ubsantrap(i8 7)
  unreachable
good:
  ret i8 1
}

; A check that nobody knows by its number.
; every: (_)
; errors: abort
define i8 @unknown_ubsantrap(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.ubsantrap(i8 -3)
  unreachable
good:
  ret i8 1
}

; run: ()
define i1 @counters_grow() {
  %a = call i64 @llvm.readcyclecounter()
  %b = call i64 @llvm.readcyclecounter()
  %c = call i64 @llvm.readsteadycounter()
  %d = call i64 @llvm.readsteadycounter()
  %x = icmp ule i64 %a, %b
  %y = icmp ule i64 %c, %d
  %r = and i1 %x, %y
  ret i1 %r
}

; run: ()
define i1 @addresses_of_the_call() {
  %a = call ptr @llvm.returnaddress(i32 0)
  %b = call ptr @llvm.frameaddress.p0(i32 0)
  %c = call ptr @llvm.thread.pointer.p0()
  %x = icmp eq ptr %a, %a
  %y = icmp eq ptr %b, %b
  %z = icmp eq ptr %c, %c
  %s = and i1 %x, %y
  %r = and i1 %s, %z
  ret i1 %r
}

; every: (_)
; errors: unsupported
define i8 @inline_assembly(i1 %c) {
  br i1 %c, label %asm, label %plain
asm:
  %r = call i8 asm "inb %dx, $0", "={ax}"()
  ret i8 %r
plain:
  %s = call i8 asm "", "=r,0"(i8 9)
  ret i8 %s
}

; every: (0..8)
define i64 @load_relative(i64 %i) {
  %o = and i64 %i, 4
  %p = call ptr @llvm.load.relative.i64(ptr @offsets, i64 %o)
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr @offsets to i64
  %r = sub i64 %a, %b
  ret i64 %r
}

@offsets = internal constant [2 x i32] [i32 12, i32 -3]

; run: ()
define i8 @invariants() {
  %p = alloca i8
  store i8 4, ptr %p
  %i = call ptr @llvm.invariant.start.p0(i64 1, ptr %p)
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %s = call ptr @llvm.strip.invariant.group.p0(ptr %q)
  %r = load i8, ptr %s
  call void @llvm.invariant.end.p0(ptr %i, i64 1, ptr %p)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  ret i8 %r
}

@own = internal thread_local global i32 5

; every: (0..3)
define i32 @thread_local_of_the_first_thread(i32 %n) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %old = load i32, ptr %p
  store i32 %n, ptr %p
  %q = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %new = load i32, ptr %q
  store i32 5, ptr %q
  %r = add i32 %old, %new
  ret i32 %r
}

; run: ()
define i64 @objectsize_at_the_end() {
  %p = alloca [12 x i8]
  %q = getelementptr i8, ptr %p, i64 12
  %r = call i64 @llvm.objectsize.i64.p0(ptr %q, i1 true, i1 false, i1 false)
  ret i64 %r
}

; every: (0..9, 0..9)
define i64 @memcpy_at_symbolic_place(i64 %to, i64 %from) {
  %p = alloca [16 x i8]
  call void @llvm.memset.p0.i64(ptr %p, i8 46, i64 16, i1 false)
  %t = getelementptr i8, ptr %p, i64 %to
  %s = getelementptr i8, ptr @text, i64 %from
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 7, i1 false)
  %q = getelementptr i8, ptr %p, i64 4
  %r = load i64, ptr %q, align 1
  ret i64 %r
}

; every: (0..17)
; errors: out-of-bounds-write
define i8 @memset_too_long(i64 %n) {
  %p = alloca [12 x i8]
  store i8 3, ptr %p
  call void @llvm.memset.p0.i64(ptr %p, i8 9, i64 %n, i1 false)
  %r = load i8, ptr %p
  ret i8 %r
}
