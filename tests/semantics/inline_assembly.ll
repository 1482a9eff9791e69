; Inline assembly of x86-64, as programs and headers have it.

; every: (_)
define i16 @bsf_keeps_what_was_there(i16 %x) {
  %r = call i16 asm "bsfw $1, $0", "=r,r,0,~{dirflag},~{fpsr},~{flags}"(i16 %x, i16 77)
  ret i16 %r
}

; run: (1) (0x8000000000000000) (12345678)
; every: (1..300)
define i64 @bsr(i64 %x) {
  %r = call i64 asm "bsrq $1, $0", "=r,rm,~{cc},~{dirflag},~{fpsr},~{flags}"(i64 %x)
  ret i64 %r
}

; every: (_)
define i8 @bsf_tells_of_zero(i8 %x) {
  %w = zext i8 %x to i32
  %r = call { i32, i8 } asm "bsfl $2, $0", "=r,={@ccz},r,~{dirflag},~{fpsr},~{flags}"(i32 %w)
  %z = extractvalue { i32, i8 } %r, 1
  ret i8 %z
}

; run: (0) (-1) (0x1234567)
; every: (-200..200)
define i32 @popcnt(i32 %x) {
  %r = call i32 asm "popcnt $1, $0", "=r,r,~{dirflag},~{fpsr},~{flags}"(i32 %x)
  ret i32 %r
}

; run: (0) (-1) (0x1234567)
; every: (0..64)
define i32 @bswap(i32 %x) {
  %r = call i32 asm "bswap $0", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %x)
  ret i32 %r
}

; run: (7, 9)
; every: (-8..8, -8..8)
define i32 @xchg_with_memory(i32 %a, i32 %b) {
  %p = alloca i32
  store i32 %a, ptr %p
  %r = call i32 asm sideeffect "xchgl $0, $1", "=r,=*m,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, i32 %b, ptr elementtype(i32) %p)
  %v = load i32, ptr %p
  %m = mul i32 %v, 1000
  %s = add i32 %m, %r
  ret i32 %s
}

; run: (7, 9)
; every: (-8..8, -8..8)
define i32 @lock_xadd(i32 %a, i32 %b) {
  %p = alloca i32
  store i32 %a, ptr %p
  %r = call i32 asm sideeffect "lock; xaddl $0, $1", "=r,=*m,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, i32 %b, ptr elementtype(i32) %p)
  %v = load i32, ptr %p
  %m = mul i32 %v, 1000
  %s = add i32 %m, %r
  ret i32 %s
}

; run: (3, 3, 5) (3, 4, 5)
; every: (0..6, 0..6, 0..6)
define i32 @lock_cmpxchg(i32 %held, i32 %expected, i32 %new) {
  %p = alloca i32
  store i32 %held, ptr %p
  %r = call { i8, i32 } asm sideeffect "lock cmpxchgl $3, $1\0A\09setz $0", "=q,=*m,={ax},r,*m,2,~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, i32 %new, ptr elementtype(i32) %p, i32 %expected)
  %z = extractvalue { i8, i32 } %r, 0
  %o = extractvalue { i8, i32 } %r, 1
  %v = load i32, ptr %p
  %w = zext i8 %z to i32
  %a = mul i32 %v, 10000
  %b = mul i32 %o, 100
  %c = add i32 %a, %b
  %s = add i32 %c, %w
  ret i32 %s
}

; run: (5)
; every: (-3..3)
define i32 @lock_decl_and_sete(i32 %x) {
  %p = alloca i32
  %q = alloca i8
  store i32 %x, ptr %p
  call void asm sideeffect "lock; decl $0; sete $1", "=*m,=*qm,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i8) %q, ptr elementtype(i32) %p)
  %v = load i32, ptr %p
  %z = load i8, ptr %q
  %w = zext i8 %z to i32
  %m = mul i32 %v, 10
  %s = add i32 %m, %w
  ret i32 %s
}

; run: (0xffffffffffffffff, 1) (0x8000000000000000, 0x8000000000000000) (3, 4)
; every: (-3..3, -3..3)
define i64 @add_with_carry(i64 %a, i64 %b) {
  %r = call { i64, i64 } asm "addq $5, ${1:q}\0A\09adcq $3, ${0:q}", "=r,=&r,0,rme,%1,rme,~{dirflag},~{fpsr},~{flags}"(i64 10, i64 20, i64 %a, i64 %b)
  %h = extractvalue { i64, i64 } %r, 0
  %l = extractvalue { i64, i64 } %r, 1
  %s = xor i64 %h, %l
  ret i64 %s
}

; run: (0, 1) (0x8000000000000000, 1) (3, 4)
; every: (-3..3, -3..3)
define i64 @sub_with_borrow(i64 %a, i64 %b) {
  %r = call { i64, i64 } asm "subq $5, ${1:q}\0A\09sbbq $3, ${0:q}", "=r,=&r,0,rme,1,rme,~{dirflag},~{fpsr},~{flags}"(i64 10, i64 20, i64 %a, i64 %b)
  %h = extractvalue { i64, i64 } %r, 0
  %l = extractvalue { i64, i64 } %r, 1
  %s = xor i64 %h, %l
  ret i64 %s
}

; run: (-1, -1) (0x123456789abcdef, 0xfedcba9876543210) (7, 6)
; every: (-2..3, 0..3)
define i64 @mul(i64 %a, i64 %b) {
  %r = call { i64, i64 } asm "mulq $3", "={ax},={dx},%0,rm,~{dirflag},~{fpsr},~{flags}"(i64 %a, i64 %b)
  %l = extractvalue { i64, i64 } %r, 0
  %h = extractvalue { i64, i64 } %r, 1
  %s = xor i64 %h, %l
  ret i64 %s
}

; run: (5, 1000, 7) (0, 1, 1) (0, 0xffffffffffffffff, 3)
; every: (0..2, 0..5, 0..3)
; errors: division
define i64 @div(i64 %high, i64 %low, i64 %by) {
  %r = call { i64, i64 } asm "divq $4", "={ax},={dx},0,1,rm,~{dirflag},~{fpsr},~{flags}"(i64 %low, i64 %high, i64 %by)
  %q = extractvalue { i64, i64 } %r, 0
  %m = extractvalue { i64, i64 } %r, 1
  %s = mul i64 %q, 100
  %t = add i64 %s, %m
  ret i64 %t
}

; run: (1000, -7) (-1000, 7) (0x80000000, 2)
; every: (-6..6, -2..3)
; errors: division
define i32 @idiv(i32 %a, i32 %by) {
  %r = call { i32, i32 } asm "cltd\0A\09idivl $3", "={ax},=&{dx},0,r,~{dirflag},~{fpsr},~{flags}"(i32 %a, i32 %by)
  %q = extractvalue { i32, i32 } %r, 0
  %m = extractvalue { i32, i32 } %r, 1
  %s = mul i32 %q, 100
  %t = add i32 %s, %m
  ret i32 %t
}

; run: (0x12345678, 5) (1, 37)
; every: (5, 0..70)
define i32 @rol_by_register(i32 %x, i32 %n) {
  %r = call i32 asm "roll %cl, $0", "=r,{cx},0,~{dirflag},~{fpsr},~{flags}"(i32 %n, i32 %x)
  ret i32 %r
}

; every: (_, 0..40)
define i8 @shr_of_a_byte(i8 %x, i32 %n) {
  %r = call i8 asm "shrb %cl, $0", "=q,{cx},0,~{dirflag},~{fpsr},~{flags}"(i32 %n, i8 %x)
  ret i8 %r
}

; every: (_, 0..40)
define i8 @sar_of_a_byte(i8 %x, i32 %n) {
  %r = call i8 asm "sarb %cl, $0", "=q,{cx},0,~{dirflag},~{fpsr},~{flags}"(i32 %n, i8 %x)
  ret i8 %r
}

; run: (0x12345678, 0x9abcdef0, 7)
; every: (3, -5, 0..40)
define i32 @shld(i32 %a, i32 %b, i32 %n) {
  %r = call i32 asm "shldl %cl, $2, $0", "=r,{cx},r,0,~{dirflag},~{fpsr},~{flags}"(i32 %n, i32 %b, i32 %a)
  ret i32 %r
}

; every: (_, _)
define i8 @signed_conditions(i8 %a, i8 %b) {
  %r = call i8 asm "cmpb $2, $1; setl $0", "=&q,q,q,~{dirflag},~{fpsr},~{flags}"(i8 %a, i8 %b)
  ret i8 %r
}

; every: (_, _)
define i8 @unsigned_conditions(i8 %a, i8 %b) {
  %r = call i8 asm "cmpb $2, $1; setbe $0", "=&q,q,q,~{dirflag},~{fpsr},~{flags}"(i8 %a, i8 %b)
  ret i8 %r
}

; every: (_, _)
define i8 @overflow_of_a_sum(i8 %a, i8 %b) {
  %r = call { i8, i8 } asm "addb $3, $0", "=q,={@cco},0,q,~{dirflag},~{fpsr},~{flags}"(i8 %a, i8 %b)
  %o = extractvalue { i8, i8 } %r, 1
  ret i8 %o
}

; run: (3, 9) (9, 3)
; every: (-4..4, -4..4)
define i32 @maximum_by_cmov(i32 %a, i32 %b) {
  %r = call i32 asm "cmpl $2, $0\0A\09cmovll $2, $0", "=r,0,r,~{dirflag},~{fpsr},~{flags}"(i32 %a, i32 %b)
  ret i32 %r
}

; run: (5, 6)
; every: (-4..4, -4..4)
define i32 @named_registers(i32 %a, i32 %b) {
  %r = call i32 asm "movl $1, %eax; addl $2, %eax; movl %eax, $0", "=r,r,r,~{eax},~{dirflag},~{fpsr},~{flags}"(i32 %a, i32 %b)
  ret i32 %r
}

; every: (_)
define i16 @second_byte(i16 %x) {
  %r = call i16 asm "xchgb ${0:b}, ${0:h}", "=Q,0,~{dirflag},~{fpsr},~{flags}"(i16 %x)
  ret i16 %r
}

; run: (5)
; every: (-4..4)
define i32 @lea(i32 %x) {
  %w = sext i32 %x to i64
  %r = call i32 asm "leal 7($1,$1,4), $0", "=r,r,~{dirflag},~{fpsr},~{flags}"(i64 %w)
  ret i32 %r
}

; every: (_)
define i64 @movsbq(i8 %x) {
  %r = call i64 asm "movsbq $1, $0", "=r,q,~{dirflag},~{fpsr},~{flags}"(i8 %x)
  ret i64 %r
}

; run: (5)
; every: (0..64)
define i64 @lock_bts_and_sbb(i32 %bit) {
  %p = alloca [2 x i64]
  store i64 4660, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  store i64 43981, ptr %q
  %r = call i32 asm sideeffect "lock; btsl $2, $1\0A\09sbbl $0, $0", "=r,=*m,Ir,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %p, i32 %bit, ptr elementtype(i64) %p)
  %v = load i64, ptr %p
  %w = zext i32 %r to i64
  %s = xor i64 %v, %w
  ret i64 %s
}

; run: (70)
; every: (60..70)
define i8 @bt_far_from_its_operand(i64 %bit) {
  %p = alloca [2 x i64]
  store i64 -1, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  store i64 10, ptr %q
  %r = call i8 asm sideeffect "btq $2, $1", "={@ccc},*m,r,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %p, i64 %bit)
  ret i8 %r
}

; run: (9)
; every: (0..9)
define i64 @rep_stosb(i64 %n) {
  %p = alloca i64
  store i64 0, ptr %p
  %r = call { ptr, i64 } asm sideeffect "rep stosb", "={di},={cx},0,1,{ax},~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %p, i64 8, i8 77)
  %c = extractvalue { ptr, i64 } %r, 1
  %v = load i64, ptr %p
  %s = add i64 %v, %c
  %t = add i64 %s, %n
  ret i64 %t
}

; run: (3)
; every: (0..3)
define i32 @barriers(i32 %x) {
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"()
  call void asm sideeffect "rep; nop", "~{dirflag},~{fpsr},~{flags}"()
  call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  call void asm sideeffect "lock; addl $$0, 0(%rsp)", "~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"()
  ret i32 %x
}

; run: (3)
; every: (0..3)
define i32 @of_two_notations(i32 %x) {
  %r = call i32 asm "$(movl $1, $0$|mov $0, $1$)", "=r,r,~{dirflag},~{fpsr},~{flags}"(i32 %x)
  ret i32 %r
}
