//! Operators applied to arguments: the right number, the right sorts, then the
//! term.

use super::Reader;
use super::builtin::{Binary, Body, Builtin};
use super::lexer::Fault;
use super::scope::Macro;
use super::terms::Head;
use crate::op::Op;
use crate::sort::{MAX_WIDTH, Sort};
use crate::store::{Function, Store, Term};
use crate::typing::{self, LanguageDepths};
use crate::value::Value;
use crate::walk::Substitution;
use num_traits::ToPrimitive;

impl Reader<'_, '_> {
    /// `head`, written `name`, applied to `args` at this place.
    pub(super) fn apply(
        &mut self,
        at: usize,
        name: &str,
        head: Head,
        args: &[Term],
    ) -> Result<Term, Fault> {
        match head {
            Head::Builtin(builtin) => self.apply_builtin(at, name, *builtin, args),
            Head::Indexed(operator) => self.apply_indexed(at, name, operator, args),
            Head::Function(function) => self.apply_function(at, name, function, args),
            Head::Macro(number) => self.apply_macro(at, name, number, args),
            Head::ConstArray { index, element } => {
                let sort = Sort::Array { index, element };
                self.operator(at, name, Op::ConstArray, [0, 0], Some(sort), args)
            }
        }
    }

    fn apply_builtin(
        &mut self,
        at: usize,
        name: &str,
        builtin: Builtin,
        args: &[Term],
    ) -> Result<Term, Fault> {
        match builtin {
            Builtin::Constant(_) => Fault::new(at, format!("`{name}` takes no arguments")),
            Builtin::Operator(op) => self.operator(at, name, op, [0, 0], None, args),
            Builtin::Like(op, body) => {
                self.check(at, name, op, args)?;
                self.within_depth(at, op, args, |store| match (body, args) {
                    (Body::One(f), &[a]) => f(store, a),
                    (Body::Two(f), &[a, b]) => f(store, a, b),
                    (Body::Three(f), &[a, b, c]) => f(store, a, b, c),
                    _ => unreachable!("the number of arguments was checked"),
                })
            }
            Builtin::Fold(op, f) => {
                self.at_least(at, name, 2, args)?;
                args[1..]
                    .iter()
                    .try_fold(args[0], |all, &arg| self.pair(at, name, op, f, all, arg))
            }
            Builtin::Balanced(op, f) => self.balanced(at, name, op, f, args),
            Builtin::Chain(op, f) => {
                self.at_least(at, name, 2, args)?;
                let first = self.pair(at, name, op, f, args[0], args[1])?;
                args[1..].windows(2).try_fold(first, |all, pair| {
                    let next = self.pair(at, name, op, f, pair[0], pair[1])?;
                    Ok(self.store.and(all, next))
                })
            }
            Builtin::And => {
                self.all_bool(at, name, args)?;
                Ok(self.fold(args, Store::and))
            }
            Builtin::Or => {
                self.all_bool(at, name, args)?;
                if let &[arg] = args {
                    return Ok(arg);
                }
                let negated: Vec<Term> = args.iter().map(|&arg| self.store.not(arg)).collect();
                let none = self.fold(&negated, Store::and);
                Ok(self.store.not(none))
            }
            Builtin::Implies => {
                self.all_bool(at, name, args)?;
                let (&last, premises) = args.split_last().expect("there are arguments");
                let imply = |then, &premise: &Term| self.store.implies(premise, then);
                Ok(premises.iter().rev().fold(last, imply))
            }
            Builtin::Equal => self.equal(at, name, args),
            Builtin::Distinct => self.distinct(at, name, args),
            Builtin::Ite => self.choice(at, name, args),
            Builtin::ProductOverflow { signed } => self.product_overflows(at, name, signed, args),
            Builtin::IndexOf => {
                let mut args = args.to_vec();
                if args.len() == 2 {
                    args.push(self.store.int(0));
                }
                self.operator(at, name, Op::StrIndexOf, [0, 0], None, &args)
            }
            Builtin::Loop => self.old_loop(at, name, args),
            Builtin::FloatLiteral => self.float_literal(at, name, args),
            Builtin::Extremum(op) => self.extremum(at, name, op, args),
            Builtin::FpToReal => self.fp_to_real(at, name, args),
            Builtin::Plus
            | Builtin::Minus
            | Builtin::Times
            | Builtin::Divide
            | Builtin::IntDivide(_)
            | Builtin::Abs
            | Builtin::Compare(_)
            | Builtin::ToReal
            | Builtin::ToInt
            | Builtin::IsInt => self.apply_number(at, name, builtin, args),
        }
    }

    fn apply_function(
        &mut self,
        at: usize,
        name: &str,
        function: Function,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let parameters = self.store.signature(function).parameters.clone();
        let args = self.actual(at, name, &parameters, args)?;
        Ok(self.store.apply(function, &args))
    }

    fn apply_macro(
        &mut self,
        at: usize,
        name: &str,
        number: usize,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let parameters = self.scope.macros[number].parameters.clone();
        let sorts: Vec<Sort> = parameters.iter().map(|&p| self.store.sort(p)).collect();
        let args = self.actual(at, name, &sorts, args)?;
        let Macro {
            body,
            has_languages,
            ..
        } = self.scope.macros[number];
        let map = parameters.into_iter().zip(args).collect();
        let term = Substitution::new(&map).apply(self.store, body);
        let is_deep = |depth| depth > LanguageDepths::LIMIT;
        if has_languages && is_deep(self.depths.record_all(self.store, term)) {
            return too_deep(at);
        }
        Ok(term)
    }

    /// The arguments as the parameters want them.
    fn actual(
        &mut self,
        at: usize,
        name: &str,
        parameters: &[Sort],
        args: &[Term],
    ) -> Result<Vec<Term>, Fault> {
        if args.len() != parameters.len() {
            return wrong_count(at, name, parameters.len(), args.len());
        }
        let fitted = args.iter().zip(parameters);
        let fitted: Option<Vec<Term>> = fitted
            .map(|(&arg, &sort)| self.as_sort(arg, sort))
            .collect();
        fitted.map_or_else(|| self.wrong_sorts(at, name, args), Ok)
    }

    /// One step of an operator on many arguments.
    fn pair(
        &mut self,
        at: usize,
        name: &str,
        op: Op,
        f: Binary,
        a: Term,
        b: Term,
    ) -> Result<Term, Fault> {
        let args = [a, b];
        self.check(at, name, op, &args)?;
        self.within_depth(at, op, &args, |store| f(store, a, b))
    }

    fn balanced(
        &mut self,
        at: usize,
        name: &str,
        op: Op,
        f: Binary,
        args: &[Term],
    ) -> Result<Term, Fault> {
        self.at_least(at, name, 1, args)?;
        let mut terms = args.to_vec();
        while terms.len() > 1 {
            let halves: Result<Vec<Term>, Fault> = terms
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.pair(at, name, op, f, a, b),
                    _ => Ok(pair[0]),
                })
                .collect();
            terms = halves?;
        }
        Ok(terms[0])
    }

    fn equal(&mut self, at: usize, name: &str, args: &[Term]) -> Result<Term, Fault> {
        let args = self.of_one_sort(at, name, args)?;
        Ok(self.neighbours(&args, Store::eq))
    }

    fn distinct(&mut self, at: usize, name: &str, args: &[Term]) -> Result<Term, Fault> {
        let args = self.of_one_sort(at, name, args)?;
        let mut pairs = Vec::new();
        for (after, &a) in args.iter().enumerate() {
            for &b in &args[after + 1..] {
                let equal = self.store.eq(a, b);
                pairs.push(self.store.not(equal));
            }
        }
        Ok(self.fold(&pairs, Store::and))
    }

    /// Applies a function from the left to one or more terms.
    pub(super) fn fold(&mut self, terms: &[Term], f: Binary) -> Term {
        terms[1..]
            .iter()
            .fold(terms[0], |a, &b| f(self.store, a, b))
    }

    /// Whether a relation holds of every two neighbours among two or more terms.
    pub(super) fn neighbours(&mut self, terms: &[Term], relation: Binary) -> Term {
        let pairs = terms.windows(2);
        let pairs: Vec<Term> = pairs
            .map(|pair| relation(self.store, pair[0], pair[1]))
            .collect();
        self.fold(&pairs, Store::and)
    }

    /// Two or more arguments, made to be of one sort.
    fn of_one_sort(&mut self, at: usize, name: &str, args: &[Term]) -> Result<Vec<Term>, Fault> {
        self.at_least(at, name, 2, args)?;
        let args = self.promoted(args);
        let sort = self.store.sort(args[0]);
        if sort == Sort::RegLan {
            return Fault::new(at, format!("unsupported: `{name}` of regular languages"));
        }
        match args.iter().all(|&arg| self.store.sort(arg) == sort) {
            true => Ok(args),
            false => self.wrong_sorts(at, name, &args),
        }
    }

    fn choice(&mut self, at: usize, name: &str, args: &[Term]) -> Result<Term, Fault> {
        let &[condition, then, otherwise] = args else {
            return wrong_count(at, name, 3, args.len());
        };
        let sides = self.promoted(&[then, otherwise]);
        self.operator(
            at,
            name,
            Op::Ite,
            [0, 0],
            None,
            &[condition, sides[0], sides[1]],
        )
    }

    /// Multiplies at twice the width, where nothing is lost.
    fn product_overflows(
        &mut self,
        at: usize,
        name: &str,
        signed: bool,
        args: &[Term],
    ) -> Result<Term, Fault> {
        self.check(at, name, Op::BvMul, args)?;
        let width = self.store.width(args[0]);
        if width > MAX_WIDTH / 2 {
            return Fault::new(at, format!("unsupported: `{name}` of {width} bits"));
        }
        let store = &mut *self.store;
        let extend = if signed { Store::sext } else { Store::zext };
        let [a, b] = [args[0], args[1]].map(|arg| extend(store, arg, 2 * width));
        let exact = store.bv_mul(a, b);
        let kept = store.extract(exact, 0, width);
        let kept = extend(store, kept, 2 * width);
        let fits = store.eq(exact, kept);
        Ok(store.not(fits))
    }

    /// `(re.loop r 1 3)`, as it was written before it had indices.
    fn old_loop(&mut self, at: usize, name: &str, args: &[Term]) -> Result<Term, Fault> {
        let bound = |term| match self.store.as_value(term) {
            Some(Value::Int(bound)) => bound.to_u32(),
            _ => None,
        };
        let (least, most) = match *args {
            [_, least, most] => (bound(least), bound(most)),
            _ => return wrong_count(at, name, 3, args.len()),
        };
        match (least, most) {
            (Some(least), Some(most)) => {
                self.operator(at, name, Op::ReLoop, [least, most], None, &args[..1])
            }
            _ => self.wrong_sorts(at, name, args),
        }
    }

    fn all_bool(&self, at: usize, name: &str, args: &[Term]) -> Result<(), Fault> {
        self.at_least(at, name, 1, args)?;
        match args.iter().all(|&arg| self.store.sort(arg) == Sort::Bool) {
            true => Ok(()),
            false => self.wrong_sorts(at, name, args),
        }
    }

    pub(super) fn at_least(
        &self,
        at: usize,
        name: &str,
        least: usize,
        args: &[Term],
    ) -> Result<(), Fault> {
        let given = args.len();
        match given >= least {
            true => Ok(()),
            false => Fault::new(
                at,
                format!("`{name}` takes at least {}, not {given}", arguments(least)),
            ),
        }
    }

    /// Whether `op`, which names no result, takes these arguments.
    pub(super) fn check(&self, at: usize, name: &str, op: Op, args: &[Term]) -> Result<(), Fault> {
        self.result_sort(at, name, op, [0, 0], None, args)?;
        Ok(())
    }

    pub(super) fn result_sort(
        &self,
        at: usize,
        name: &str,
        op: Op,
        indices: [u32; 2],
        named: Option<Sort>,
        args: &[Term],
    ) -> Result<Sort, Fault> {
        let arity = op.arity().unwrap_or(4);
        if args.len() != arity {
            return wrong_count(at, name, arity, args.len());
        }
        let mut sorts = [Sort::Bool; 4];
        for (sort, &arg) in sorts.iter_mut().zip(args) {
            *sort = self.store.sort(arg);
        }
        match typing::result(op, indices, named, &sorts[..arity]) {
            Some(sort) => Ok(sort),
            None => self.wrong_sorts(at, name, args),
        }
    }

    /// Builds a term, unless that would nest a regular expression too deeply.
    pub(super) fn within_depth(
        &mut self,
        at: usize,
        op: Op,
        args: &[Term],
        build: impl FnOnce(&mut Store) -> Term,
    ) -> Result<Term, Fault> {
        let depth = self.depths.of(self.store, op, args);
        if depth > LanguageDepths::LIMIT {
            return too_deep(at);
        }
        let term = build(self.store);
        self.depths.record(term, depth);
        Ok(term)
    }

    pub(super) fn wrong_sorts<T>(&self, at: usize, name: &str, args: &[Term]) -> Result<T, Fault> {
        let sorts: Vec<String> = args
            .iter()
            .map(|&arg| self.store.sort(arg).to_string())
            .collect();
        let sorts = match sorts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, [_, _, _, ..])) if sorts.len() > 4 => {
                format!("{}, … and {last}", sorts[..3].join(", "))
            }
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "nothing".into(),
        };
        Fault::new(at, format!("`{name}` does not take {sorts}"))
    }
}

fn too_deep<T>(at: usize) -> Result<T, Fault> {
    Fault::new(at, "unsupported: a regular expression nested this deeply")
}

pub(super) fn wrong_count<T>(
    at: usize,
    name: &str,
    wanted: usize,
    given: usize,
) -> Result<T, Fault> {
    Fault::new(
        at,
        format!("`{name}` takes {}, not {given}", arguments(wanted)),
    )
}

fn arguments(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} argument{s}")
}
