; Calls that can throw, and do not.

@type = internal constant i8 0
declare i32 @__gcc_personality_v0(...)

define internal i8 @careful(i8 %x) {
  %r = add i8 %x, 5
  ret i8 %r
}

; every: (_)
define i8 @invoke_direct(i8 %x) personality ptr @__gcc_personality_v0 {
  %r = invoke i8 @careful(i8 %x) to label %fine unwind label %landing
fine:
  ret i8 %r
landing:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

; every: (_)
define i8 @invoke_indirect(i1 %c) personality ptr @__gcc_personality_v0 {
  %f = select i1 %c, ptr @careful, ptr @careful
  %r = invoke i8 %f(i8 3) to label %fine unwind label %landing
fine:
  ret i8 %r
landing:
  %pad = landingpad { ptr, i32 } catch ptr @type
  %selector = extractvalue { ptr, i32 } %pad, 1
  %expected = call i32 @llvm.eh.typeid.for.p0(ptr @type)
  %matches = icmp eq i32 %selector, %expected
  br i1 %matches, label %caught, label %fine2
caught:
  ret i8 1
fine2:
  ret i8 2
}
