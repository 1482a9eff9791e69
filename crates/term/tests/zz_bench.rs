//! x
use term::*;
#[test]
fn bench() {
    let text = include_str!("../../../tests/queries/recorded.smt2");
    let parts: Vec<&str> = text.split("; == ").skip(1).map(|p| p.split_once('\n').unwrap().1).collect();
    for _ in 0..3 {
        let start = std::time::Instant::now();
        for part in &parts { let mut store = Store::new(); smtlib::parse(&mut store, part).unwrap(); }
        let t = start.elapsed();
        println!("separate {:?} {:.1} MB/s", t, text.len() as f64 / t.as_secs_f64() / 1e6);
        let start = std::time::Instant::now();
        let mut store = Store::new();
        for part in &parts { smtlib::parse(&mut store, part).unwrap(); }
        let t = start.elapsed();
        println!("one store {:?} {:.1} MB/s", t, text.len() as f64 / t.as_secs_f64() / 1e6);
    }
    // big
    let mut big = String::from("(declare-fun b () (Array (_ BitVec 32) (_ BitVec 8) ) )\n");
    for i in 0..200000 {
        big += &format!("(assert (let ((?B1 (select b (_ bv{} 32)))) (=  false (bvult  (bvadd  (_ bv18446605026548776960 64) (ite  (=  (_ bv43 8) ?B1 ) (_ bv139047160774658 64) (_ bv{} 64) ) ) (_ bv6 64) ) ) ) )\n", i, i*7);
    }
    let start = std::time::Instant::now();
    let mut store = Store::new();
    let s = smtlib::parse(&mut store, &big).unwrap();
    let t = start.elapsed();
    println!("big {:?} {:.1} MB/s", t, big.len() as f64 / t.as_secs_f64() / 1e6);
    let asserts: Vec<_> = s.commands.iter().filter_map(|c| match &c.command { smtlib::Command::Assert{term,..} => Some(*term), _ => None }).collect();
    let start = std::time::Instant::now();
    let p = print::smtlib::script(&store, &asserts);
    let t = start.elapsed();
    println!("print {:?} {:.1} MB/s", t, p.len() as f64 / t.as_secs_f64() / 1e6);
    let start = std::time::Instant::now();
    let p = print::infix::terms(&store, &asserts);
    let t = start.elapsed();
    println!("infix {:?} {:.1} MB/s", t, p.len() as f64 / t.as_secs_f64() / 1e6);
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut term = x;
    for _ in 0..500_000 {
        term = store.bv_mul(term, x);
        term = store.bv_xor(term, y);
    }
    let start = std::time::Instant::now();
    let p = print::infix::term(&store, term);
    println!("infix deep {:?} {}", start.elapsed(), p.len());
    let start = std::time::Instant::now();
    let p = print::smtlib::term(&store, term);
    println!("smt deep {:?} {}", start.elapsed(), p.len());
}
