; What has no representation is named, where it is met.
@resolver_target = external global i8
@chosen = ifunc void (), ptr @resolver
define internal ptr @resolver() {
  ret ptr null
}

define void @scalable(<vscale x 4 x i32> %v) {
  ret void
}

define void @scalable_inside(ptr %p) {
  %1 = load <vscale x 4 x i32>, ptr %p
  %2 = add <vscale x 4 x i32> %1, %1
  store <vscale x 4 x i32> %2, ptr %p
  ret void
}

define i32 @spaces(ptr addrspace(1) %p) {
  ret i32 0
}

define i32 @space_inside(ptr %p) {
  %1 = addrspacecast ptr %p to ptr addrspace(1)
  %2 = load i32, ptr addrspace(1) %1
  ret i32 %2
}

define void @calls_ifunc() {
  call void @chosen()
  ret void
}

define ptr @phi_of_ifunc(i1 %c) {
entry:
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %1 = phi ptr [ null, %entry ], [ @chosen, %one ]
  ret ptr %1
}

define i5000 @huge(i5000 %x) {
  ret i5000 %x
}

define void @intrinsics(i32 %x) {
  %1 = call i32 @llvm.smul.fix.i32(i32 %x, i32 %x, i32 3)
  %2 = call i64 @llvm.read_register.i64(metadata !0)
  %3 = call i32 @llvm.new.and.unknown(i32 %1)
  ret void
}
declare i32 @llvm.new.and.unknown(i32)
!0 = !{!"rsp"}

define void @bundles(ptr %f) {
  call void %f() [ "deopt"(i32 1) ]
  call void %f() [ "kcfi"(i32 1) ]
  ret void
}

define i32 @goto() {
  %1 = callbr i32 asm "", "=r,!i"() to label %fine [label %other]
fine:
  ret i32 %1
other:
  ret i32 0
}

define void @windows(ptr %f) personality ptr @__CxxFrameHandler3 {
  invoke void %f() to label %fine unwind label %dispatch
fine:
  ret void
dispatch:
  %1 = catchswitch within none [label %handler] unwind to caller
handler:
  %2 = catchpad within %1 [ptr null, i32 64, ptr null]
  catchret from %2 to label %fine
}
declare i32 @__CxxFrameHandler3(...)
