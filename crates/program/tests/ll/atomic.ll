; Atomic accesses.
define i32 @atomics(ptr %p, i32 %x, float %f) {
  %1 = load atomic i32, ptr %p seq_cst, align 4
  store atomic volatile i32 %x, ptr %p release, align 4
  %2 = atomicrmw add ptr %p, i32 %x monotonic
  %3 = atomicrmw volatile xchg ptr %p, i32 %x acq_rel
  %4 = atomicrmw sub ptr %p, i32 %x seq_cst
  %5 = atomicrmw and ptr %p, i32 %x seq_cst
  %6 = atomicrmw nand ptr %p, i32 %x seq_cst
  %7 = atomicrmw or ptr %p, i32 %x seq_cst
  %8 = atomicrmw xor ptr %p, i32 %x seq_cst
  %9 = atomicrmw max ptr %p, i32 %x seq_cst
  %10 = atomicrmw min ptr %p, i32 %x seq_cst
  %11 = atomicrmw umax ptr %p, i32 %x seq_cst
  %12 = atomicrmw umin ptr %p, i32 %x acquire
  %13 = atomicrmw fadd ptr %p, float %f seq_cst
  %14 = atomicrmw fmax ptr %p, float %f seq_cst
  %15 = atomicrmw uinc_wrap ptr %p, i32 %x seq_cst
  %16 = atomicrmw usub_sat ptr %p, i32 %x seq_cst
  %17 = cmpxchg weak ptr %p, i32 %1, i32 %x acq_rel monotonic
  %18 = extractvalue { i32, i1 } %17, 1
  %19 = cmpxchg ptr %p, ptr null, ptr %p seq_cst seq_cst
  %20 = load atomic ptr, ptr %p unordered, align 8
  fence acquire
  fence syncscope("singlethread") seq_cst
  ret i32 %2
}
