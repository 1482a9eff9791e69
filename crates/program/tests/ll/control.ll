; Branches, switches, computed jumps, phis.
define i32 @loop(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = phi i32 [ 0, %entry ], [ %b, %body ]
  %b = phi i32 [ 1, %entry ], [ %sum, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %sum = add i32 %a, %b
  %next = add i32 %i, 1
  br label %head
done:
  ret i32 %a
}

define i32 @swap(i1 %c, i32 %x, i32 %y) {
entry:
  br label %head
head:
  %a = phi i32 [ %x, %entry ], [ %b, %head ]
  %b = phi i32 [ %y, %entry ], [ %a, %head ]
  %p = phi { i8, ptr } [ zeroinitializer, %entry ], [ %p, %head ]
  br i1 %c, label %head, label %done
done:
  ret i32 %a
}

define i32 @rotate(i1 %c, i32 %x) {
entry:
  br label %head
head:
  %a = phi i32 [ 1, %entry ], [ %b, %head ]
  %b = phi i32 [ 2, %entry ], [ %d, %head ]
  %d = phi i32 [ 3, %entry ], [ %a, %head ]
  %e = phi i32 [ 4, %entry ], [ %a, %head ]
  br i1 %c, label %head, label %done
done:
  ret i32 %e
}

define i32 @cases(i8 %x) {
  switch i8 %x, label %other [
    i8 -1, label %one
    i8 3, label %two
    i8 4, label %one
    i8 0, label %other
  ]
one:
  br label %other
two:
  ret i32 2
other:
  %r = phi i32 [ 1, %one ], [ 0, %0 ], [ 0, %0 ]
  ret i32 %r
}

define i32 @wide_cases(i128 %x) {
  switch i128 %x, label %other [
    i128 18446744073709551616, label %one
    i128 2, label %two
  ]
one:
  ret i32 1
two:
  ret i32 2
other:
  unreachable
}

define i32 @computed(ptr %t) {
  indirectbr ptr %t, [label %one, label %two, label %one]
one:
  ret i32 1
two:
  ret i32 2
}

@table = constant [2 x ptr] [ptr blockaddress(@computed, %one), ptr blockaddress(@computed, %two)]

define void @unreached() {
  ret void
gone:
  br label %gone
}
@gone = constant ptr blockaddress(@unreached, %gone)

define i32 @same(i1 %c) {
  br i1 %c, label %both, label %both
both:
  %r = phi i32 [ 7, %0 ], [ 7, %0 ]
  ret i32 %r
}
