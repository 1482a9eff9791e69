// Assembly in Rust is in Intel's notation.
use std::arch::asm;

fn main() {
    let x: u64 = everypath::any();
    let table = [3_u32, 5, 7, 9];
    let (sum, turned, entry): (u64, u64, u64);
    // SAFETY: registers that are named, and memory that is there.
    unsafe {
        asm!("mov {s}, {x}", "add {s}, 5", "lea {s}, [{s} + 2*{x}]", x = in(reg) x, s = out(reg) sum);
        asm!("bswap {}", inout(reg) x => turned);
        asm!("movzx {e:e}, word ptr [{t} + {i}*4 + 4]", t = in(reg) &raw const table,
            i = in(reg) x & 1, e = out(reg) entry);
    }
    assert_eq!(sum, x.wrapping_mul(3).wrapping_add(5));
    assert_eq!(turned, x.swap_bytes());
    assert_eq!(entry, if x & 1 == 0 { 5 } else { 7 });
    let written: i64;
    let text = b"yes\n";
    // SAFETY: the text has as many bytes.
    unsafe {
        asm!("syscall", inlateout("rax") 1_i64 => written, in("rdi") 1, in("rsi") text.as_ptr(),
            in("rdx") text.len(), out("rcx") _, out("r11") _, options(nostack));
    }
    assert_eq!(written, 4);
}
