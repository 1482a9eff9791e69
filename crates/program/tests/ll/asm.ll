; Inline assembly: empty text is renaming, instructions become what they do, other text is kept.
define i32 @assembly(i32 %x, ptr %p) {
  call void asm sideeffect "", "~{memory}"()
  %1 = call i32 asm "", "=r,0"(i32 %x)
  %2 = call { i32, i32 } asm sideeffect "# nothing", "=r,=r,1,0,~{dirflag}"(i32 %x, i32 %1)
  %3 = extractvalue { i32, i32 } %2, 0
  %4 = call i32 asm "", "=r"()
  %5 = call i32 asm "bswap $0", "=r,0"(i32 %3)
  call void asm sideeffect "", "=*m,*m"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  call void asm sideeffect "hlt", ""()
  %6 = call i64 asm "", "=r,0"(i32 %x)
  %7 = add i32 %4, %5
  ret i32 %7
}
