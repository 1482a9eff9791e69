; Branches, switches, computed jumps, phis and select.

; every: (_, _, _)
define i4 @select_i4(i1 %c, i4 %a, i4 %b) {
  %r = select i1 %c, i4 %a, i4 %b
  ret i4 %r
}

; run: (1, -1, 5) (0, -1, 5)
; every: (_, -1, 7)
define i128 @select_wide(i1 %c, i128 %a, i128 %b) {
  %r = select i1 %c, i128 %a, i128 %b
  ret i128 %r
}

; run: (1, 1.5, -2.5) (0, 1.5, nan)
; every: (_, 1.0, 2.0)
define double @select_double(i1 %c, double %a, double %b) {
  %r = select i1 %c, double %a, double %b
  ret double %r
}

; every: (_, _)
define i8 @branches(i4 %a, i4 %b) {
  %less = icmp ult i4 %a, %b
  br i1 %less, label %one, label %two
one:
  %odd = trunc i4 %a to i1
  br i1 %odd, label %end, label %three
two:
  %same = icmp eq i4 %a, %b
  br i1 %same, label %three, label %end
three:
  %x = phi i8 [ 10, %one ], [ 20, %two ]
  br label %end
end:
  %r = phi i8 [ 1, %one ], [ 2, %two ], [ %x, %three ]
  ret i8 %r
}

; run: (0) (3) (-5) (100)
; every: (_)
define i8 @switch_i8(i8 %a) {
  switch i8 %a, label %other [
  i8 0, label %zero
  i8 3, label %three
  i8 -5, label %minus
  i8 77, label %zero
  ]
zero:
  ret i8 10
three:
  ret i8 20
minus:
  %m = mul i8 %a, 3
  ret i8 %m
other:
  %o = add i8 %a, 1
  ret i8 %o
}

; run: (0x7fffffffffffffff) (-1) (2)
; every: (-4..4)
define i8 @switch_i64(i64 %a) {
  switch i64 %a, label %other [
  i64 -1, label %one
  i64 9223372036854775807, label %two
  i64 1, label %two
  ]
one:
  ret i8 1
two:
  ret i8 2
other:
  ret i8 3
}

; every: (_)
define i8 @switch_with_default_only(i8 %a) {
  switch i8 %a, label %other []
other:
  ret i8 %a
}

; every: (_)
define i8 @switch_of_one_bit(i1 %a) {
  switch i1 %a, label %other [ i1 true, label %yes ]
yes:
  ret i8 4
other:
  ret i8 5
}

; every: (0..3)
define i8 @indirect_branch(i8 %a) {
  %w = zext i8 %a to i64
  %slot = getelementptr [3 x ptr], ptr @labels, i64 0, i64 %w
  %target = load ptr, ptr %slot
  indirectbr ptr %target, [label %one, label %two, label %three]
one:
  %p = phi i8 [ 7, %0 ]
  ret i8 %p
two:
  ret i8 8
three:
  ret i8 9
}

@labels = internal constant [3 x ptr] [
  ptr blockaddress(@indirect_branch, %one),
  ptr blockaddress(@indirect_branch, %two),
  ptr blockaddress(@indirect_branch, %three)]

; run: (20) (0)
; every: (0..12)
define i32 @fibonacci(i32 %n) {
  br label %loop
loop:
  %a = phi i32 [ 0, %0 ], [ %b, %next ]
  %b = phi i32 [ 1, %0 ], [ %c, %next ]
  %i = phi i32 [ 0, %0 ], [ %j, %next ]
  %done = icmp eq i32 %i, 12
  %there = icmp eq i32 %i, %n
  %stop = or i1 %done, %there
  br i1 %stop, label %end, label %next
next:
  %c = add i32 %a, %b
  %j = add i32 %i, 1
  br label %loop
end:
  ret i32 %a
}

; every: (_, 5, 9)
define i32 @phis_that_swap(i4 %n, i32 %x, i32 %y) {
  br label %loop
loop:
  %a = phi i32 [ %x, %0 ], [ %b, %loop ]
  %b = phi i32 [ %y, %0 ], [ %c, %loop ]
  %c = phi i32 [ 77, %0 ], [ %a, %loop ]
  %i = phi i4 [ 0, %0 ], [ %j, %loop ]
  %j = add i4 %i, 1
  %done = icmp eq i4 %i, %n
  br i1 %done, label %end, label %loop
end:
  %s = mul i32 %b, 1000
  %r = add i32 %s, %a
  ret i32 %r
}

; every: (_)
; errors: unreachable
define i8 @unreachable_for_seven(i4 %a) {
  %seven = icmp eq i4 %a, 7
  br i1 %seven, label %never, label %fine
never:
  unreachable
fine:
  ret i8 1
}

; run: (0x10000000000000001) (1) (-1) (5)
; every: (-2..3)
define i8 @switch_i128(i128 %a) {
  switch i128 %a, label %other [
  i128 1, label %one
  i128 18446744073709551617, label %two
  i128 -1, label %three
  ]
one:
  ret i8 1
two:
  ret i8 2
three:
  ret i8 3
other:
  ret i8 4
}

; every: (_)
define i8 @phi_of_addresses(i2 %a) {
  %p = alloca i8
  %q = alloca i8
  store i8 5, ptr %p
  store i8 6, ptr %q
  %c = icmp ult i2 %a, 2
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %r = phi ptr [ %p, %0 ], [ %q, %one ]
  %v = load i8, ptr %r
  ret i8 %v
}

; every: (_, _)
define i1 @short_circuit(i1 %a, i1 %b) {
  %x = select i1 %a, i1 %b, i1 false
  %y = select i1 %a, i1 true, i1 %b
  %r = xor i1 %x, %y
  ret i1 %r
}

; every: (_)
define i16 @nested_loops(i4 %n) {
  br label %outer
outer:
  %i = phi i4 [ 0, %0 ], [ %i2, %next ]
  %s = phi i16 [ 0, %0 ], [ %t, %next ]
  %stop = icmp uge i4 %i, %n
  br i1 %stop, label %end, label %inner
inner:
  %j = phi i4 [ 0, %outer ], [ %j2, %inner ]
  %t = phi i16 [ %s, %outer ], [ %u, %inner ]
  %w = zext i4 %j to i16
  %u = add i16 %t, %w
  %j2 = add i4 %j, 1
  %more = icmp ult i4 %j, %i
  br i1 %more, label %inner, label %next
next:
  %i2 = add i4 %i, 1
  br label %outer
end:
  ret i16 %s
}
