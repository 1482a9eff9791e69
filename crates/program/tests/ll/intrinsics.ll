; Intrinsics on integers, memory and the machine.
define i32 @integers(i32 %a, i32 %b, <2 x i16> %v) {
  %1 = call i32 @llvm.ctpop.i32(i32 %a)
  %2 = call i32 @llvm.ctlz.i32(i32 %1, i1 false)
  %3 = call i32 @llvm.cttz.i32(i32 %2, i1 true)
  %4 = call i32 @llvm.bswap.i32(i32 %3)
  %5 = call i32 @llvm.bitreverse.i32(i32 %4)
  %6 = call i32 @llvm.fshl.i32(i32 %5, i32 %a, i32 %b)
  %7 = call i32 @llvm.fshr.i32(i32 %6, i32 %a, i32 %b)
  %8 = call i32 @llvm.abs.i32(i32 %7, i1 true)
  %9 = call i32 @llvm.smin.i32(i32 %8, i32 %b)
  %10 = call i32 @llvm.smax.i32(i32 %9, i32 %b)
  %11 = call i32 @llvm.umin.i32(i32 %10, i32 %b)
  %12 = call i32 @llvm.umax.i32(i32 %11, i32 %b)
  %13 = call i8 @llvm.scmp.i8.i32(i32 %12, i32 %b)
  %14 = call i8 @llvm.ucmp.i8.i32(i32 %12, i32 %b)
  %15 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %16 = extractvalue { i32, i1 } %15, 1
  %17 = call { <2 x i16>, <2 x i1> } @llvm.umul.with.overflow.v2i16(<2 x i16> %v, <2 x i16> %v)
  %18 = extractvalue { <2 x i16>, <2 x i1> } %17, 1
  %19 = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  %20 = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %b)
  %21 = call <2 x i16> @llvm.ctlz.v2i16(<2 x i16> %v, i1 false)
  ret i32 %12
}

define void @memory(ptr %p, ptr %q, i64 %n, i8 %x) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 true)
  call void @llvm.memset.p0.i64(ptr %p, i8 %x, i64 %n, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)
  %1 = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  %2 = call ptr @llvm.stacksave.p0()
  %a = alloca i32
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.stackrestore.p0(ptr %2)
  %3 = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  %4 = call ptr @llvm.threadlocal.address.p0(ptr @thread)
  store i8 1, ptr %4
  %5 = call ptr @llvm.load.relative.i64(ptr @table, i64 %n)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  ret void
}
@thread = thread_local global i8 0
@table = external constant [2 x i32]

define i1 @machine(i1 %c, i64 %x) {
  call void @llvm.assume(i1 %c)
  %1 = call i64 @llvm.expect.i64(i64 %x, i64 1)
  %2 = call i1 @llvm.is.constant.i64(i64 %x)
  %3 = call i1 @llvm.is.constant.i64(i64 3)
  %4 = call ptr @llvm.returnaddress(i32 0)
  %5 = call ptr @llvm.frameaddress.p0(i32 0)
  %6 = call i64 @llvm.readcyclecounter()
  call void @llvm.debugtrap()
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  %7 = call ptr @llvm.invariant.start.p0(i64 4, ptr %4)
  call void @llvm.invariant.end.p0(ptr %7, i64 4, ptr %4)
  %8 = call ptr @llvm.launder.invariant.group.p0(ptr %4)
  %9 = icmp eq ptr %8, %5
  call void @llvm.ubsantrap(i8 3)
  call void @llvm.trap()
  %10 = or i1 %2, %3
  %11 = or i1 %9, %10
  ret i1 %11
}

define { i8, i64 } @x86(i8 %c, i64 %a, i64 %b, <4 x float> %v) {
  %1 = call { i8, i64 } @llvm.x86.addcarry.64(i8 %c, i64 %a, i64 %b)
  %2 = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> %v)
  call void @llvm.x86.sse2.pause()
  ret { i8, i64 } %1
}
