//! Random scripts of a logic.
//!
//! Small sorts on purpose: with few bits and short strings, queries are near the edge
//! between satisfiable and not, corner cases come up by chance, and the referees
//! answer at once.

use super::script::{Declaration, Node, Script, Sort, Step};
use base::Random;

/// A logic, and which sorts its terms are of.
pub struct Logic {
    pub name: &'static str,
    kinds: &'static [Kind],
    /// Whether products of variables are in it.
    nonlinear: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bv,
    Array,
    Function,
    Fp,
    Int,
    Real,
    String,
}

const fn logic(name: &'static str, kinds: &'static [Kind]) -> Logic {
    Logic {
        name,
        kinds,
        nonlinear: false,
    }
}

pub const LOGICS: &[Logic] = &[
    logic("QF_BV", &[Kind::Bv]),
    logic("QF_ABV", &[Kind::Bv, Kind::Array]),
    logic("QF_UFBV", &[Kind::Bv, Kind::Function]),
    logic("QF_AUFBV", &[Kind::Bv, Kind::Array, Kind::Function]),
    logic("QF_FP", &[Kind::Fp]),
    logic("QF_BVFP", &[Kind::Bv, Kind::Fp]),
    logic("QF_LIA", &[Kind::Int]),
    logic("QF_LRA", &[Kind::Real]),
    Logic {
        name: "QF_NIA",
        kinds: &[Kind::Int],
        nonlinear: true,
    },
    logic("QF_LIRA", &[Kind::Int, Kind::Real]),
    logic("QF_SLIA", &[Kind::String, Kind::Int]),
];

/// A script of the logic.
pub fn script(random: &mut Random, logic: &Logic) -> Script {
    let mut generator = Generator::new(random, logic);
    let steps = generator.steps();
    let script = Script {
        logic: logic.name,
        declarations: generator.declarations,
        steps,
    };
    script.without_unused()
}

struct Generator<'a> {
    random: &'a mut Random,
    logic: &'a Logic,
    /// The sorts that variables have.
    sorts: Vec<Sort>,
    declarations: Vec<Declaration>,
    /// Terms made before, which come up again.
    shared: Vec<Node>,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random, logic: &'a Logic) -> Generator<'a> {
        let mut sorts = vec![Sort::Bool];
        let width = *random
            .pick(&[1, 2, 3, 4, 4, 5, 8, 8, 12, 16, 33, 70])
            .expect("some");
        for kind in logic.kinds {
            match kind {
                Kind::Bv => sorts.extend([Sort::Bv(width), Sort::Bv(1 + random.below(6) as u32)]),
                Kind::Array => {
                    let index = 1 + random.below(4) as u32;
                    sorts.extend([Sort::Array(index, width), Sort::Bv(index)]);
                }
                Kind::Fp => {
                    let formats = [
                        (2, 2),
                        (2, 3),
                        (3, 2),
                        (3, 3),
                        (2, 5),
                        (3, 5),
                        (4, 4),
                        (5, 11),
                        (8, 24),
                    ];
                    for _ in 0..1 + random.below(2) {
                        let &(eb, sb) = random.pick(&formats).expect("some");
                        sorts.push(Sort::Fp(eb, sb));
                    }
                    sorts.push(Sort::Mode);
                }
                Kind::Int => sorts.push(Sort::Int),
                Kind::Real => sorts.push(Sort::Real),
                Kind::String => sorts.push(Sort::String),
                Kind::Function => {}
            }
        }
        let mut generator = Generator {
            random,
            logic,
            sorts,
            declarations: Vec::new(),
            shared: Vec::new(),
        };
        generator.declare();
        generator
    }

    fn declare(&mut self) {
        for sort in self.sorts.clone() {
            for _ in 0..1 + self.random.below(3) {
                let name = format!("v{}", self.declarations.len());
                self.declarations.push(Declaration {
                    name,
                    parameters: Vec::new(),
                    sort: sort.clone(),
                });
            }
        }
        if !self.logic.kinds.contains(&Kind::Function) {
            return;
        }
        let plain: Vec<Sort> = self.sorts.clone();
        let plain: Vec<Sort> = plain
            .into_iter()
            .filter(|sort| !matches!(sort, Sort::Array(..)))
            .collect();
        for _ in 0..1 + self.random.below(2) {
            let count = *self.random.pick(&[1, 1, 2, 3, 5, 6]).expect("some");
            let mut sort = || self.random.pick(&plain).expect("some").clone();
            let parameters = (0..count).map(|_| sort()).collect();
            let sort = sort();
            let name = format!("f{}", self.declarations.len());
            self.declarations.push(Declaration {
                name,
                parameters,
                sort,
            });
        }
    }

    fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut depth = 0;
        for _ in 0..1 + self.random.below(3) {
            for _ in 0..1 + self.random.below(4) {
                steps.push(Step::Assert(self.term(&Sort::Bool, 4)));
            }
            match self.random.below(6) {
                0 => {
                    steps.push(Step::Push);
                    depth += 1;
                }
                1 if depth > 0 => {
                    steps.push(Step::Pop);
                    depth -= 1;
                }
                _ => {}
            }
            let assumptions = match self.random.below(4) {
                0 => vec![self.term(&Sort::Bool, 2)],
                _ => Vec::new(),
            };
            let values = (0..self.random.below(3)).map(|_| self.any(2)).collect();
            steps.push(Step::Check(assumptions, values));
        }
        steps
    }

    /// A term of a sort that variables have, but no array, which some solvers print
    /// as no other reads it.
    fn any(&mut self, depth: u32) -> Node {
        let sort = self.sorts[self.random.below(self.sorts.len())].clone();
        match sort {
            Sort::Array(..) => self.term(&Sort::Bool, depth),
            sort => self.term(&sort, depth),
        }
    }

    /// A sort that variables have and this accepts.
    fn sort(&mut self, accepts: impl Fn(&Sort) -> bool) -> Option<Sort> {
        let fitting: Vec<Sort> = self.sorts.iter().filter(|s| accepts(s)).cloned().collect();
        self.random.pick(&fitting).cloned()
    }

    fn term(&mut self, sort: &Sort, depth: u32) -> Node {
        if self.random.below(6) == 0 {
            let shared: Vec<Node> = self
                .shared
                .iter()
                .filter(|n| n.sort == *sort)
                .cloned()
                .collect();
            if let Some(node) = self.random.pick(&shared) {
                return node.clone();
            }
        }
        if depth == 0 || self.random.below(8) == 0 {
            return self.leaf(sort);
        }
        let node = self.application(sort, depth - 1);
        if node.size() < 40 {
            self.shared.push(node.clone());
        }
        node
    }

    fn leaf(&mut self, sort: &Sort) -> Node {
        let is_variable = |d: &&Declaration| d.parameters.is_empty() && d.sort == *sort;
        let variables: Vec<&Declaration> = self.declarations.iter().filter(is_variable).collect();
        if self.random.below(3) > 0
            && let Some(variable) = self.random.pick(&variables)
        {
            return Node::leaf(sort.clone(), variable.name.clone());
        }
        let text = self.constant(sort);
        Node::leaf(sort.clone(), text)
    }

    fn constant(&mut self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => self.random.coin().to_string(),
            Sort::Bv(width) => self.bits(*width),
            Sort::Array(_, element) => format!("((as const {sort}) {})", self.bits(*element)),
            Sort::Mode => {
                let modes = ["RNE", "RNA", "RTP", "RTN", "RTZ"];
                self.random.pick(&modes).expect("some").to_string()
            }
            Sort::Fp(eb, sb) => match self.random.below(8) {
                0 => format!("(_ NaN {eb} {sb})"),
                1 => format!("(_ +oo {eb} {sb})"),
                2 => format!("(_ -oo {eb} {sb})"),
                3 => format!("(_ -zero {eb} {sb})"),
                4 => format!("(_ +zero {eb} {sb})"),
                _ => {
                    let (sign, exponent) = (self.binary(1), self.binary(*eb));
                    format!("(fp {sign} {exponent} {})", self.binary(sb - 1))
                }
            },
            Sort::Int => match self.random.below(12) as i32 - 4 {
                n @ ..0 => format!("(- {})", -n),
                7 => "100".to_owned(),
                n => n.to_string(),
            },
            Sort::Real => {
                let decimal = format!("{}.{}", self.random.below(6), self.random.below(100));
                match self.random.below(4) {
                    0 => format!("(- {decimal})"),
                    1 => format!(
                        "(/ {}.0 {}.0)",
                        self.random.below(9),
                        1 + self.random.below(7)
                    ),
                    _ => decimal,
                }
            }
            Sort::String => {
                let texts = [
                    "",
                    "a",
                    "b",
                    "ab",
                    "ba",
                    "aab",
                    "abab",
                    "0",
                    "10",
                    "\\u{61}",
                    "\\u{1F600}",
                ];
                format!("\"{}\"", self.random.pick(&texts).expect("some"))
            }
            Sort::Language => self.language(2),
        }
    }

    fn binary(&mut self, width: u32) -> String {
        let digits: String = (0..width)
            .map(|_| if self.random.coin() { '1' } else { '0' })
            .collect();
        format!("#b{digits}")
    }

    fn bits(&mut self, width: u32) -> String {
        let digit = |one: bool| if one { "1" } else { "0" };
        match self.random.below(6) {
            0 => format!("#b{}", digit(self.random.coin()).repeat(width as usize)),
            1 => format!(
                "#b1{}",
                digit(self.random.coin()).repeat(width as usize - 1)
            ),
            2 => format!("(_ bv{} {width})", self.random.below(1 << width.min(16))),
            _ => self.binary(width),
        }
    }

    fn application(&mut self, sort: &Sort, depth: u32) -> Node {
        if self.random.below(8) == 0 {
            let condition = self.term(&Sort::Bool, depth);
            let sides = [(); 2].map(|()| self.term(sort, depth));
            let [then, otherwise] = sides;
            return Node::new(sort.clone(), "ite", vec![condition, then, otherwise]);
        }
        let is_function = |d: &&Declaration| !d.parameters.is_empty() && d.sort == *sort;
        let functions: Vec<Declaration> = self
            .declarations
            .iter()
            .filter(is_function)
            .cloned()
            .collect();
        if self.random.below(3) == 0
            && let Some(function) = self.random.pick(&functions).cloned()
        {
            let args = function
                .parameters
                .iter()
                .map(|sort| self.term(sort, depth));
            let args = args.collect();
            return Node::new(sort.clone(), function.name, args);
        }
        match sort {
            Sort::Bool => self.predicate(depth),
            Sort::Bv(width) => self.bit_vector(*width, depth),
            Sort::Array(index, element) => {
                let (index, element) = (Sort::Bv(*index), Sort::Bv(*element));
                self.apply(sort, "store", &[sort.clone(), index, element], depth)
            }
            Sort::Fp(eb, sb) => self.float(*eb, *sb, depth),
            Sort::Mode | Sort::Language => self.leaf(sort),
            Sort::Int => self.integer(depth),
            Sort::Real => self.real(depth),
            Sort::String => self.string(depth),
        }
    }

    fn apply(&mut self, sort: &Sort, head: &str, args: &[Sort], depth: u32) -> Node {
        let args = args.iter().map(|arg| self.term(arg, depth)).collect();
        Node::new(sort.clone(), head, args)
    }

    fn pick(&mut self, names: &[&'static str]) -> &'static str {
        self.random.pick(names).expect("there are some")
    }

    fn predicate(&mut self, depth: u32) -> Node {
        let bool = Sort::Bool;
        match self.random.below(10) {
            0 => self.apply(&bool, "not", &[Sort::Bool], depth),
            1 | 2 => {
                let head = self.pick(&["and", "or", "xor", "=>", "="]);
                self.apply(&bool, head, &[Sort::Bool, Sort::Bool], depth)
            }
            3 => {
                let head = self.pick(&["and", "or", "distinct"]);
                let count = if head == "distinct" { 2 } else { 3 };
                self.apply(&bool, head, &vec![Sort::Bool; count], depth)
            }
            4 => {
                let sort = self.sort(|_| true).expect("there are sorts");
                let head = self.pick(&["=", "distinct"]);
                self.apply(&bool, head, &[sort.clone(), sort], depth)
            }
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: u32) -> Node {
        let bool = Sort::Bool;
        let Some(sort) = self.sort(|sort| !matches!(sort, Sort::Bool | Sort::Mode)) else {
            return self.leaf(&bool);
        };
        let head = match &sort {
            Sort::Bv(_) => self.pick(&[
                "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge",
            ]),
            Sort::Fp(..) => {
                let names = [
                    "fp.isNaN",
                    "fp.isInfinite",
                    "fp.isZero",
                    "fp.isNormal",
                    "fp.isSubnormal",
                    "fp.isNegative",
                    "fp.isPositive",
                    "fp.lt",
                    "fp.leq",
                    "fp.gt",
                    "fp.geq",
                    "fp.eq",
                    "fp.eq",
                    "fp.lt",
                    "fp.leq",
                ];
                let head = self.pick(&names);
                if head.starts_with("fp.is") {
                    return self.apply(&bool, head, &[sort], depth);
                }
                head
            }
            Sort::Int | Sort::Real => self.pick(&["<", "<=", ">", ">="]),
            Sort::String => {
                let names = [
                    "str.<",
                    "str.<=",
                    "str.prefixof",
                    "str.suffixof",
                    "str.contains",
                    "str.in_re",
                ];
                let head = self.pick(&names);
                if head == "str.in_re" {
                    return self.apply(&bool, head, &[sort, Sort::Language], depth);
                }
                head
            }
            Sort::Bool | Sort::Mode | Sort::Array(..) | Sort::Language => "=",
        };
        self.apply(&bool, head, &[sort.clone(), sort], depth)
    }

    fn language(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(5) {
                0 => "re.allchar".to_owned(),
                1 => "(re.range \"a\" \"b\")".to_owned(),
                2 => "re.all".to_owned(),
                _ => format!("(str.to_re {})", self.constant(&Sort::String)),
            };
        }
        let part = self.language(depth - 1);
        match self.random.below(7) {
            0 => format!("(re.* {part})"),
            1 => format!("(re.+ {part})"),
            2 => format!("(re.opt {part})"),
            3 => format!("(re.comp {part})"),
            4 => format!("(re.++ {part} {})", self.language(depth - 1)),
            5 => format!("(re.union {part} {})", self.language(depth - 1)),
            _ => format!("(re.inter {part} {})", self.language(depth - 1)),
        }
    }

    fn bit_vector(&mut self, width: u32, depth: u32) -> Node {
        let sort = Sort::Bv(width);
        match self.random.below(10) {
            0 => {
                let head = self.pick(&["bvnot", "bvneg"]);
                self.apply(&sort, head, std::slice::from_ref(&sort), depth)
            }
            1 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                self.apply(
                    &sort,
                    "concat",
                    &[Sort::Bv(width - low), Sort::Bv(low)],
                    depth,
                )
            }
            2 => {
                let low = self.random.below(4) as u32;
                let of = width + low + self.random.below(3) as u32;
                let head = format!("(_ extract {} {low})", low + width - 1);
                self.apply(&sort, &head, &[Sort::Bv(of)], depth)
            }
            3 if width > 1 => {
                let from = 1 + self.random.below(width as usize - 1) as u32;
                let head = self.pick(&["zero_extend", "sign_extend"]);
                let head = format!("(_ {head} {})", width - from);
                self.apply(&sort, &head, &[Sort::Bv(from)], depth)
            }
            4 => {
                let head = self.pick(&["rotate_left", "rotate_right"]);
                let head = format!("(_ {head} {})", self.random.below(2 * width as usize));
                self.apply(&sort, &head, std::slice::from_ref(&sort), depth)
            }
            5 => match self.sort(|s| matches!(s, Sort::Array(_, element) if *element == width)) {
                Some(Sort::Array(index, element)) => {
                    let args = [Sort::Array(index, element), Sort::Bv(index)];
                    self.apply(&sort, "select", &args, depth)
                }
                _ => self.arithmetic(&sort, depth),
            },
            6 => match self.sort(|s| matches!(s, Sort::Fp(..))) {
                Some(float) => {
                    let head = self.pick(&["fp.to_ubv", "fp.to_sbv"]);
                    let head = format!("(_ {head} {width})");
                    self.apply(&sort, &head, &[Sort::Mode, float], depth)
                }
                None => self.arithmetic(&sort, depth),
            },
            7 if width == 1 => {
                let of = self
                    .sort(|s| matches!(s, Sort::Bv(_)))
                    .unwrap_or(Sort::Bv(3));
                self.apply(&sort, "bvcomp", &[of.clone(), of], depth)
            }
            _ => self.arithmetic(&sort, depth),
        }
    }

    fn arithmetic(&mut self, sort: &Sort, depth: u32) -> Node {
        let head = self.pick(&[
            "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvadd", "bvsub",
            "bvmul", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr",
            "bvashr",
        ]);
        self.apply(sort, head, &[sort.clone(), sort.clone()], depth)
    }

    fn float(&mut self, eb: u32, sb: u32, depth: u32) -> Node {
        let sort = Sort::Fp(eb, sb);
        let mode = Sort::Mode;
        let (one, two) = ([sort.clone()], [sort.clone(), sort.clone()]);
        let to_fp = format!("(_ to_fp {eb} {sb})");
        match self.random.below(13) {
            0 => {
                let head = self.pick(&["fp.abs", "fp.neg"]);
                self.apply(&sort, head, &one, depth)
            }
            1 => {
                let head = self.pick(&["fp.min", "fp.max"]);
                self.apply(&sort, head, &two, depth)
            }
            2 if eb < 5 => self.apply(&sort, "fp.rem", &two, depth),
            3 => {
                let head = self.pick(&["fp.sqrt", "fp.roundToIntegral", "fp.roundToIntegral"]);
                self.apply(&sort, head, &[mode, sort.clone()], depth)
            }
            4 if eb < 5 => {
                let args = [mode, sort.clone(), sort.clone(), sort.clone()];
                self.apply(&sort, "fp.fma", &args, depth)
            }
            5 => match self.sort(|s| matches!(s, Sort::Fp(..))) {
                Some(other) => self.apply(&sort, &to_fp, &[mode, other], depth),
                None => self.leaf(&sort),
            },
            6 | 7 if self.logic.kinds.contains(&Kind::Bv) => match self.random.below(4) {
                0 => self.apply(&sort, &to_fp, &[Sort::Bv(eb + sb)], depth),
                1 => {
                    let of = self
                        .sort(|s| matches!(s, Sort::Bv(w) if *w > 1))
                        .unwrap_or(Sort::Bv(4));
                    self.apply(&sort, &to_fp, &[mode, of], depth)
                }
                2 => {
                    let of = self
                        .sort(|s| matches!(s, Sort::Bv(_)))
                        .unwrap_or(Sort::Bv(4));
                    let head = format!("(_ to_fp_unsigned {eb} {sb})");
                    self.apply(&sort, &head, &[mode, of], depth)
                }
                _ => {
                    let args = [Sort::Bv(1), Sort::Bv(eb), Sort::Bv(sb - 1)];
                    self.apply(&sort, "fp", &args, depth)
                }
            },
            8 => {
                let number = Node::leaf(Sort::Real, self.constant(&Sort::Real));
                let mode = self.term(&mode, depth);
                Node::new(sort, to_fp, vec![mode, number])
            }
            _ => {
                let head = self.pick(&["fp.add", "fp.sub", "fp.mul", "fp.div"]);
                self.apply(&sort, head, &[mode, sort.clone(), sort.clone()], depth)
            }
        }
    }

    fn integer(&mut self, depth: u32) -> Node {
        let sort = Sort::Int;
        let two = [Sort::Int, Sort::Int];
        match self.random.below(10) {
            0 => self.apply(&sort, "-", &[Sort::Int], depth),
            1 => self.apply(&sort, "abs", &[Sort::Int], depth),
            2 | 3 => self.product(&sort, depth),
            4 => {
                let head = self.pick(&["div", "mod"]);
                let left = self.term(&sort, depth);
                let right = match self.logic.nonlinear {
                    true => self.term(&sort, depth),
                    false => Node::leaf(Sort::Int, (1 + self.random.below(6)).to_string()),
                };
                Node::new(sort, head, vec![left, right])
            }
            5 if self.logic.kinds.contains(&Kind::Real) => {
                self.apply(&sort, "to_int", &[Sort::Real], depth)
            }
            5 | 6 if self.logic.kinds.contains(&Kind::String) => match self.random.below(5) {
                0 | 1 => self.apply(&sort, "str.len", &[Sort::String], depth),
                2 => self.apply(&sort, "str.to_int", &[Sort::String], depth),
                3 => self.apply(&sort, "str.to_code", &[Sort::String], depth),
                _ => {
                    let args = [Sort::String, Sort::String, Sort::Int];
                    self.apply(&sort, "str.indexof", &args, depth)
                }
            },
            _ => {
                let head = self.pick(&["+", "-"]);
                self.apply(&sort, head, &two, depth)
            }
        }
    }

    fn product(&mut self, sort: &Sort, depth: u32) -> Node {
        let left = match self.logic.nonlinear {
            true => self.term(sort, depth),
            false => Node::leaf(sort.clone(), self.constant(sort)),
        };
        let right = self.term(sort, depth);
        Node::new(sort.clone(), "*", vec![left, right])
    }

    fn real(&mut self, depth: u32) -> Node {
        let sort = Sort::Real;
        match self.random.below(8) {
            0 => self.apply(&sort, "-", &[Sort::Real], depth),
            1 | 2 => self.product(&sort, depth),
            3 => {
                let left = self.term(&sort, depth);
                let right = Node::leaf(sort.clone(), format!("{}.0", 1 + self.random.below(6)));
                Node::new(sort, "/", vec![left, right])
            }
            4 if self.logic.kinds.contains(&Kind::Int) => {
                self.apply(&sort, "to_real", &[Sort::Int], depth)
            }
            _ => {
                let head = self.pick(&["+", "-"]);
                self.apply(&sort, head, &[Sort::Real, Sort::Real], depth)
            }
        }
    }

    fn string(&mut self, depth: u32) -> Node {
        let sort = Sort::String;
        let (s, i) = (Sort::String, Sort::Int);
        match self.random.below(7) {
            0 => self.apply(&sort, "str.at", &[s, i], depth),
            1 => self.apply(&sort, "str.substr", &[s, i.clone(), i], depth),
            2 => {
                let head = self.pick(&["str.replace", "str.replace_all"]);
                self.apply(&sort, head, &[s.clone(), s.clone(), s], depth)
            }
            3 => {
                let head = self.pick(&["str.from_int", "str.from_code"]);
                self.apply(&sort, head, &[i], depth)
            }
            _ => self.apply(&sort, "str.++", &[s.clone(), s], depth),
        }
    }
}
