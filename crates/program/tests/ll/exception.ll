; Exceptions: a table beside the code, landing pads, resuming.
@type = external constant ptr
@other = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare i32 @may_throw(i32)
declare void @cleanup()

define i32 @catches(i32 %x, ptr %f) personality ptr @__gxx_personality_v0 {
entry:
  %1 = invoke i32 @may_throw(i32 %x) to label %fine unwind label %landing
fine:
  %2 = invoke i32 %f(i32 %1) to label %done unwind label %landing
done:
  invoke void @llvm.donothing() to label %end unwind label %landing
end:
  ret i32 %2
landing:
  %which = phi i32 [ 1, %entry ], [ 2, %fine ], [ 3, %done ]
  %pad = landingpad { ptr, i32 }
    cleanup
    catch ptr @type
    catch ptr null
    filter [2 x ptr] [ptr @type, ptr @other]
  %selector = extractvalue { ptr, i32 } %pad, 1
  %expected = call i32 @llvm.eh.typeid.for.p0(ptr @type)
  %matches = icmp eq i32 %selector, %expected
  br i1 %matches, label %caught, label %uncaught
caught:
  ret i32 %which
uncaught:
  call void @cleanup()
  resume { ptr, i32 } %pad
}
