; Functions that rustc is said to have compiled: what their types promise is checked, and changes
; nothing where it is kept.

; every: (0..3)
define i8 @range(i8 %a) !dbg !10 {
  %place = alloca i8, align 1
  store i8 %a, ptr %place, align 1
  %r = load i8, ptr %place, align 1, !range !4, !noundef !5
  ret i8 %r
}

; run: (65) (0x10ffff) (0xd7ff)
; every: (0xe000..0xe010)
define i32 @character(i32 %a) !dbg !11 {
  %c = icmp ule i32 %a, 1114111
  call void @llvm.assume(i1 %c)
  ret i32 %a
}

; every: (_)
define i32 @aligned(i8 %a) !dbg !12 {
  %place = alloca [8 x i8], align 4
  %copy = alloca [8 x i8], align 4
  %b = zext i8 %a to i32
  store i32 %b, ptr %place, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %copy, ptr align 4 %place, i64 8, i1 false)
  %r = load i32, ptr %copy, align 4
  ret i32 %r
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, producer: "clang LLVM (rustc version 1.95.0)", emissionKind: FullDebug)
!1 = !DIFile(filename: "promises.rs", directory: "/own")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !{i8 0, i8 3}
!5 = !{}
!10 = distinct !DISubprogram(name: "range", file: !1, unit: !0, type: !3, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "character", file: !1, unit: !0, type: !3, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "aligned", file: !1, unit: !0, type: !3, spFlags: DISPFlagDefinition)
