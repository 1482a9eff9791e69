; Comparisons of integers, addresses and floating-point numbers; selection.
define i1 @integers(i8 %a, i8 %b) {
  %1 = icmp eq i8 %a, %b
  %2 = icmp ne i8 %a, %b
  %3 = icmp ugt i8 %a, %b
  %4 = icmp uge i8 %a, %b
  %5 = icmp ult i8 %a, %b
  %6 = icmp ule i8 %a, %b
  %7 = icmp sgt i8 %a, %b
  %8 = icmp sge i8 %a, %b
  %9 = icmp slt i8 %a, %b
  %10 = icmp sle i8 %a, -3
  ret i1 %10
}

define i1 @addresses(ptr %a, ptr %b) {
  %1 = icmp ult ptr %a, %b
  %2 = icmp eq ptr %a, null
  ret i1 %2
}

define i1 @floats(double %a, double %b) {
  %1 = fcmp false double %a, %b
  %2 = fcmp oeq double %a, %b
  %3 = fcmp ogt double %a, %b
  %4 = fcmp oge double %a, %b
  %5 = fcmp olt double %a, %b
  %6 = fcmp ole double %a, %b
  %7 = fcmp one double %a, %b
  %8 = fcmp ord double %a, %b
  %9 = fcmp uno double %a, %b
  %10 = fcmp ueq double %a, %b
  %11 = fcmp ugt double %a, %b
  %12 = fcmp uge double %a, %b
  %13 = fcmp ult double %a, %b
  %14 = fcmp ule double %a, %b
  %15 = fcmp une double %a, %b
  %16 = fcmp true double %a, %b
  ret i1 %16
}

define i32 @choose(i1 %c, i32 %a) {
  %1 = select i1 %c, i32 %a, i32 -1
  %2 = freeze i32 %1
  ret i32 %2
}
