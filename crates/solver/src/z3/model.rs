//! Assignments from Z3's models.
//!
//! A model is read value by value into our own. What cannot be read is
//! reported in words, for the backend then has no answer to give.

use super::context::{Held, text};
use super::solver::Found;
use super::translate::Translation;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::mem::MaybeUninit;
use std::rc::Rc;
use term::{
    ArrayValue, Assignment, BitVec, FpFormat, Function, FunctionValue, RoundingMode, Sort, Store,
    Term, Value, Variable, fp,
};
use z3_sys::*;

/// A model, and the translation that says what its symbols stand for.
pub(super) struct Model<'a> {
    z3: &'a mut Translation,
    raw: Z3_model,
}

/// Why a model could not be read.
pub(super) type Unreadable = String;

impl<'a> Model<'a> {
    /// The model that was found for terms of this translation.
    pub fn new(z3: &'a mut Translation, found: &'a Found) -> Model<'a> {
        let raw = found.raw();
        Model { z3, raw }
    }

    /// The values of all variables and functions of the constraints.
    pub fn assignment(
        &mut self,
        store: &Store,
        constraints: &[Term],
    ) -> Result<Assignment, Unreadable> {
        let mut assignment = Assignment::new();
        for variable in term::free_variables(store, constraints) {
            let value = self.variable(store, variable)?;
            assignment.set(variable, value);
        }
        for function in term::functions(store, constraints) {
            let value = self.function(store, constraints, function)?;
            assignment.set_function(function, value);
        }
        Ok(assignment)
    }

    fn variable(&mut self, store: &Store, variable: Variable) -> Result<Value, Unreadable> {
        let sort = store.variable_sort(variable);
        let declaration = self.z3.variable(variable);
        let interpretation = declaration.and_then(|declaration| {
            // SAFETY: the context, the model and the declaration are alive.
            unsafe { Z3_model_get_const_interp(self.z3.context.raw(), self.raw, declaration) }
        });
        match interpretation {
            Some(ast) => {
                let ast = self.z3.context.hold(ast);
                self.value(ast.ast(), sort)
            }
            None => Ok(Value::default_of(sort)),
        }
    }

    /// The function as the model has it, or where that is a formula and not a
    /// table, its values where the constraints apply it.
    fn function(
        &mut self,
        store: &Store,
        constraints: &[Term],
        function: Function,
    ) -> Result<FunctionValue, Unreadable> {
        let graph = self
            .z3
            .function(function)
            .and_then(|declared| self.graph(declared));
        let table = graph.and_then(|graph| self.table(store, function, &graph).ok());
        match table {
            Some(table) => Ok(table),
            None => self.applications(store, constraints, function),
        }
    }

    fn table(
        &mut self,
        store: &Store,
        function: Function,
        graph: &Graph,
    ) -> Result<FunctionValue, Unreadable> {
        let signature = store.signature(function);
        let mut value = FunctionValue::constant(signature.result);
        if let Some(otherwise) = &graph.otherwise {
            value.default = self.value(otherwise.ast(), signature.result)?;
        }
        for (args, result) in &graph.entries {
            let args: Result<Vec<Value>, Unreadable> = args
                .iter()
                .zip(&signature.parameters)
                .map(|(arg, &sort)| self.value(arg.ast(), sort))
                .collect();
            let result = self.value(result.ast(), signature.result)?;
            value.table.insert(args?, result);
        }
        Ok(value)
    }

    fn applications(
        &mut self,
        store: &Store,
        constraints: &[Term],
        function: Function,
    ) -> Result<FunctionValue, Unreadable> {
        let mut value = FunctionValue::constant(store.signature(function).result);
        for term in term::post_order(store, constraints) {
            if store.as_function(term) != Some(function) {
                continue;
            }
            let args = store.args(term).iter();
            let args: Result<_, _> = args.map(|&arg| self.term(store, arg)).collect();
            let result = self.term(store, term)?;
            value.table.insert(args?, result);
        }
        Ok(value)
    }

    /// The value of a term of the constraints.
    fn term(&mut self, store: &Store, term: Term) -> Result<Value, Unreadable> {
        let value = self.evaluated(self.z3.done(term).ast)?;
        self.value(value.ast(), store.sort(term))
    }

    /// The value that Z3 writes as this term.
    fn value(&mut self, ast: Z3_ast, sort: Sort) -> Result<Value, Unreadable> {
        match sort {
            // SAFETY: the context and the term are alive.
            Sort::Bool => match unsafe { Z3_get_bool_value(self.z3.context.raw(), ast) } {
                Z3_L_TRUE => Ok(Value::Bool(true)),
                Z3_L_FALSE => Ok(Value::Bool(false)),
                _ => Err(self.unreadable(ast, sort)),
            },
            Sort::Bv(width) => Ok(Value::Bv(self.bits(ast, width)?)),
            Sort::Fp(format) => self.float(ast, format),
            Sort::RoundingMode => RoundingMode::ALL
                .into_iter()
                .find(|&mode| self.z3.mode(mode) == ast)
                .map(Value::Rm)
                .ok_or_else(|| self.unreadable(ast, sort)),
            Sort::Array { index, element } => {
                Ok(Value::Array(Rc::new(self.array(ast, index, element)?)))
            }
            Sort::Int => self.number::<BigInt>(ast, sort).map(Value::Int),
            Sort::Real => self.number::<BigRational>(ast, sort).map(Value::Real),
            Sort::String => self.string(ast),
            Sort::RegLan => Err(self.unreadable(ast, sort)),
        }
    }

    fn bits(&self, ast: Z3_ast, width: u16) -> Result<BitVec, Unreadable> {
        if width <= 64 {
            let mut word = 0;
            // SAFETY: the context and the term are alive; the pointer is to a word.
            let fits = self.is_numeral(ast)
                && unsafe { Z3_get_numeral_uint64(self.z3.context.raw(), ast, &mut word) };
            if !fits {
                return Err(self.unreadable(ast, Sort::Bv(width)));
            }
            return Ok(BitVec::from_u64(width, word));
        }
        let number = self.number::<BigUint>(ast, Sort::Bv(width))?;
        Ok(BitVec::from_big(width, &number))
    }

    fn float(&self, ast: Z3_ast, format: FpFormat) -> Result<Value, Unreadable> {
        let c = &self.z3.context;
        // SAFETY: the context and the term are alive.
        if unsafe { Z3_fpa_is_numeral_nan(c.raw(), ast) } {
            return Ok(Value::Fp(format, fp::nan(format)));
        }
        let pattern = c.simplify(&c.temporary(c.unary(Z3_mk_fpa_to_ieee_bv, ast)));
        let bits = self.bits(pattern.ast(), format.width() as u16)?;
        Ok(Value::Fp(format, fp::canonical(format, bits.to_u128())))
    }

    fn number<N: std::str::FromStr>(&self, ast: Z3_ast, sort: Sort) -> Result<N, Unreadable> {
        let c = self.z3.context.raw();
        // SAFETY: the context and the term are alive.
        if unsafe { Z3_is_algebraic_number(c, ast) } {
            return Err("the solution found is an irrational number".into());
        }
        if !self.is_numeral(ast) {
            return Err(self.unreadable(ast, sort));
        }
        // SAFETY: as above; the digits are copied before the next call.
        let digits = unsafe { text(Z3_get_numeral_string(c, ast)) };
        digits.parse().map_err(|_| self.unreadable(ast, sort))
    }

    fn is_numeral(&self, ast: Z3_ast) -> bool {
        // SAFETY: the context and the term are alive.
        unsafe { Z3_is_numeral_ast(self.z3.context.raw(), ast) }
    }

    /// Z3 writes a character it escapes and the text of the escape in the same
    /// way, and some strings not as a text at all. Where there is a doubt the
    /// characters are asked for one by one.
    fn string(&mut self, ast: Z3_ast) -> Result<Value, Unreadable> {
        let c = self.z3.context.clone();
        // SAFETY: the context and the term are alive; the text is copied before
        // the next call.
        let written =
            unsafe { Z3_is_string(c.raw(), ast).then(|| text(Z3_get_string(c.raw(), ast))) };
        if let Some(written) = written
            && !written.contains('\\')
        {
            return Ok(Value::Str(written.chars().map(u32::from).collect()));
        }
        let length = c.simplify(&c.temporary(c.unary(Z3_mk_seq_length, ast)));
        let length: usize = self.number(length.ast(), Sort::Int)?;
        let characters = (0..length).map(|at| {
            let index = c.temporary(self.z3.value(&Value::Int(at.into())));
            let character = c.temporary(c.binary(Z3_mk_seq_at, ast, index.ast()));
            let code = self.z3.text_operators().code(&c, character.ast());
            let code = c.simplify(&c.temporary(code));
            self.number(code.ast(), Sort::Int)
        });
        let characters: Result<Vec<u32>, Unreadable> = characters.collect();
        Ok(Value::Str(characters?.into()))
    }

    /// A chain of stores on a constant array or on the graph of a function; any
    /// other form is read point by point.
    fn array(&mut self, ast: Z3_ast, index: u16, element: u16) -> Result<ArrayValue, Unreadable> {
        let mut entries = Vec::new();
        let mut rest = ast;
        let mut array = loop {
            // SAFETY: the context and the term are alive.
            if unsafe { Z3_is_as_array(self.z3.context.raw(), rest) } {
                match self.graph_as_array(rest, index, element)? {
                    Some(array) => break array,
                    None => return self.array_by_points(ast, index, element),
                }
            }
            match (self.operator(rest).as_deref(), &self.arguments(rest)[..]) {
                (Some("store"), &[array, at, value]) => {
                    entries.push((self.bits(at, index)?, self.bits(value, element)?));
                    rest = array;
                }
                (Some("const"), &[value]) => {
                    break ArrayValue::filled(index, self.bits(value, element)?);
                }
                _ => return self.array_by_points(ast, index, element),
            }
        };
        for (at, value) in entries.into_iter().rev() {
            array.set(at, value);
        }
        Ok(array)
    }

    /// The graph of the function behind `(_ as-array f)`, unless its default is
    /// not a value.
    fn graph_as_array(
        &mut self,
        ast: Z3_ast,
        index: u16,
        element: u16,
    ) -> Result<Option<ArrayValue>, Unreadable> {
        // SAFETY: the context and the term are alive.
        let function = unsafe { Z3_get_as_array_func_decl(self.z3.context.raw(), ast) };
        let Some(graph) = function.and_then(|function| self.graph(function)) else {
            return Ok(None);
        };
        let default = match &graph.otherwise {
            Some(value) if self.is_numeral(value.ast()) => self.bits(value.ast(), element)?,
            Some(_) => return Ok(None),
            None => BitVec::zero(element),
        };
        let mut array = ArrayValue::filled(index, default);
        for (args, value) in &graph.entries {
            let [at] = &args[..] else {
                return Ok(None);
            };
            array.set(
                self.bits(at.ast(), index)?,
                self.bits(value.ast(), element)?,
            );
        }
        Ok(Some(array))
    }

    /// The array's elements at every index it mentions, and everywhere else the
    /// one at some index it does not mention. That is a guess where the form
    /// computes with the index; the caller checks what it is told.
    fn array_by_points(
        &mut self,
        ast: Z3_ast,
        index: u16,
        element: u16,
    ) -> Result<ArrayValue, Unreadable> {
        let mut mentioned = self.numerals(ast, index);
        if index <= 8 {
            mentioned = (0..1 << index)
                .map(|at| BitVec::from_u64(index, at))
                .collect();
        }
        mentioned.sort();
        mentioned.dedup();
        let unmentioned = (0..)
            .map(|at| BitVec::from_u64(index, at))
            .zip(&mentioned)
            .find(|(at, other)| at != *other)
            .map_or_else(
                || BitVec::from_u64(index, mentioned.len() as u64),
                |(at, _)| at,
            );
        let default = self.element(ast, &unmentioned, element)?;
        let mut array = ArrayValue::filled(index, default);
        for at in mentioned {
            let value = self.element(ast, &at, element)?;
            array.set(at, value);
        }
        Ok(array)
    }

    fn element(&mut self, array: Z3_ast, at: &BitVec, element: u16) -> Result<BitVec, Unreadable> {
        let index = self.z3.bits(at);
        let c = &self.z3.context;
        let index = c.temporary(index);
        let read = c.temporary(c.binary(Z3_mk_select, array, index.ast()));
        let value = self.evaluated(read.ast())?;
        self.bits(value.ast(), element)
    }

    /// The numerals of this width in the term, and in the functions it names.
    fn numerals(&self, root: Z3_ast, width: u16) -> Vec<BitVec> {
        let c = self.z3.context.raw();
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root];
        while let Some(ast) = stack.pop() {
            if !seen.insert(ast) {
                continue;
            }
            // SAFETY: the context is alive, and so are the parts of a term that is.
            match unsafe { Z3_get_ast_kind(c, ast) } {
                AstKind::Numeral => found.extend(self.bits_of_width(ast, width)),
                AstKind::Quantifier => {
                    // SAFETY: as above.
                    stack.extend(unsafe { Z3_get_quantifier_body(c, ast) });
                }
                AstKind::App => {
                    stack.extend(self.arguments(ast));
                    // SAFETY: as above.
                    let function = unsafe {
                        Z3_is_as_array(c, ast).then(|| Z3_get_as_array_func_decl(c, ast))
                    };
                    if let Some(graph) = function.flatten().and_then(|f| self.graph(f)) {
                        // The model keeps the graph's parts alive.
                        let parts = graph
                            .entries
                            .iter()
                            .flat_map(|(args, value)| args.iter().chain([value]).map(Held::ast));
                        stack.extend(parts.chain(graph.otherwise.iter().map(Held::ast)));
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn bits_of_width(&self, ast: Z3_ast, width: u16) -> Option<BitVec> {
        let c = self.z3.context.raw();
        // SAFETY: the context and the numeral are alive; only a bit-vector sort
        // is asked for its width.
        let fits = unsafe {
            let sort = Z3_get_sort(c, ast)?;
            Z3_get_sort_kind(c, sort) == SortKind::Bv
                && Z3_get_bv_sort_size(c, sort) == u32::from(width)
        };
        fits.then(|| self.bits(ast, width).ok()).flatten()
    }

    /// The term's value in the model.
    fn evaluated(&self, ast: Z3_ast) -> Result<Held, Unreadable> {
        let c = self.z3.context.raw();
        let mut value = MaybeUninit::uninit();
        // SAFETY: the context, the model and the term are alive; the value is
        // written where the answer says that there is one.
        unsafe {
            if !Z3_model_eval(c, self.raw, ast, true, value.as_mut_ptr()) {
                return Err(format!("cannot evaluate: {}", self.z3.context.error()));
            }
            Ok(self.z3.context.hold(value.assume_init()))
        }
    }

    /// What the model says of a function with arguments.
    fn graph(&self, function: Z3_func_decl) -> Option<Graph> {
        let c = self.z3.context.raw();
        // SAFETY: the context, the model and the declaration are alive; the
        // interpretation and each entry are held while they are looked at.
        unsafe {
            let interpretation = Z3_model_get_func_interp(c, self.raw, function)?;
            Z3_func_interp_inc_ref(c, interpretation);
            let otherwise =
                Z3_func_interp_get_else(c, interpretation).map(|ast| self.z3.context.hold(ast));
            let count = Z3_func_interp_get_num_entries(c, interpretation);
            let entries = (0..count).filter_map(|number| {
                let entry = Z3_func_interp_get_entry(c, interpretation, number)?;
                Z3_func_entry_inc_ref(c, entry);
                let value = Z3_func_entry_get_value(c, entry).map(|ast| self.z3.context.hold(ast));
                let args = (0..Z3_func_entry_get_num_args(c, entry))
                    .filter_map(|at| Z3_func_entry_get_arg(c, entry, at))
                    .map(|ast| self.z3.context.hold(ast))
                    .collect();
                Z3_func_entry_dec_ref(c, entry);
                Some((args, value?))
            });
            let entries = entries.collect();
            Z3_func_interp_dec_ref(c, interpretation);
            Some(Graph { entries, otherwise })
        }
    }

    /// The name of the function that the term applies, if it applies one.
    fn operator(&self, ast: Z3_ast) -> Option<String> {
        let c = self.z3.context.raw();
        // SAFETY: the context and the term are alive; the name is copied before
        // the next call.
        unsafe {
            if Z3_get_ast_kind(c, ast) != AstKind::App {
                return None;
            }
            let declaration = Z3_get_app_decl(c, Z3_to_app(c, ast)?)?;
            let name = Z3_get_decl_name(c, declaration)?;
            Some(text(Z3_get_symbol_string(c, name)))
        }
    }

    fn arguments(&self, ast: Z3_ast) -> Vec<Z3_ast> {
        let c = self.z3.context.raw();
        // SAFETY: the context and the term are alive, and with it its arguments.
        unsafe {
            let Some(app) = Z3_to_app(c, ast).filter(|_| Z3_is_app(c, ast)) else {
                return Vec::new();
            };
            (0..Z3_get_app_num_args(c, app))
                .filter_map(|at| Z3_get_app_arg(c, app, at))
                .collect()
        }
    }

    fn unreadable(&self, ast: Z3_ast, sort: Sort) -> Unreadable {
        // SAFETY: the context and the term are alive; the text is copied before
        // the next call.
        let written = unsafe { text(Z3_ast_to_string(self.z3.context.raw(), ast)) };
        format!("{written} is no value of {sort}")
    }
}

/// A function as a table of terms that are values.
struct Graph {
    entries: Vec<(Vec<Held>, Held)>,
    otherwise: Option<Held>,
}
