use solver::*;
use term::*;
#[test]
fn smoke() {
    let mut st = Store::new();
    let x = st.var("x", Sort::Bv(32));
    let y = st.var("y", Sort::Bv(32));
    let p = st.bv_mul(x, y);
    let c = st.bv(32, 1_000_003 * 7);
    let e = st.eq(p, c);
    let one = st.bv(32, 1);
    let gx = st.bv_ult(one, x);
    let gy = st.bv_ult(one, y);
    let lim = st.bv(32, 60000);
    let lx = st.bv_ult(x, lim);
    let mut b = Bitblast::new();
    let v = b.check(&mut st, &[e, gx, gy, lx], &Limits::default());
    println!("{v:?}");
    let a = st.var("a", Sort::Array { index: 8, element: 8 });
    let i = st.var("i", Sort::Bv(8));
    let j = st.var("j", Sort::Bv(8));
    let ai = st.select(a, i);
    let aj = st.select(a, j);
    let eq = st.eq(i, j);
    let ne = st.eq(ai, aj);
    let ne = st.not(ne);
    println!("{:?}", b.check(&mut st, &[eq, ne], &Limits::default()));
    println!("{:?}", b.check(&mut st, &[ne], &Limits::default()));
    let f = st.var("f", Sort::Fp(FpFormat::DOUBLE));
    let rm = st.rounding(RoundingMode::NearestEven);
    let sq = st.fp_mul(rm, f, f);
    let two = st.fp(FpFormat::DOUBLE, 2.25f64.to_bits().into());
    let e = st.fp_eq(sq, two);
    println!("{:?}", b.check(&mut st, &[e], &Limits::default()));
    let two = st.fp(FpFormat::DOUBLE, 2.0f64.to_bits().into());
    let e = st.fp_eq(sq, two);
    println!("{:?}", b.check(&mut st, &[e], &Limits::default()));
}
