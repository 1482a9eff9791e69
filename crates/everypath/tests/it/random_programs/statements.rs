//! Statements: assignments, loops that end, and jumps that stay in their block.

use super::generator::{Flavour, Generator, Place};
use super::scalar::Scalar;

impl Generator {
    /// A statement, with blocks nested so deep at most.
    pub fn statement(&mut self, depth: usize) {
        let choices = if depth == 0 { 8 } else { 15 };
        match self.random.below(choices) {
            0..=2 => self.assignment(),
            3 => self.compound_assignment(),
            4 => self.step(),
            5 => {
                let scalar = self.scalar();
                let value = self.expression(scalar, 3);
                self.mix(scalar, &value);
            }
            6 => self.move_pointer(),
            7 => self.copy_record(),
            8 | 9 => self.choice(depth - 1),
            10 => self.counted_loop(depth - 1),
            11 => self.conditional_loop(depth - 1),
            12 => self.switch(depth - 1),
            13 => self.forward_jump(depth - 1),
            _ => self.backward_jump(depth - 1),
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..self.random.between(1, 3) {
            self.statement(depth);
        }
    }

    fn target(&mut self) -> Place {
        let all = self.locals.iter().chain(&self.globals);
        let writable: Vec<Place> = all.filter(|place| place.is_writable).cloned().collect();
        writable[self.random.below(writable.len())].clone()
    }

    fn assignment(&mut self) {
        let place = self.target();
        let (target, value) = (self.element(&place), self.expression(place.scalar, 3));
        self.line(&format!("{target} = {value};"));
    }

    fn compound_assignment(&mut self) {
        let place = self.target();
        let scalar = place.scalar;
        let value = self.expression(scalar, 2);
        let target = self.element(&place);
        let operators: &[&str] = match scalar {
            // What the operator overflows in is the promoted type.
            Scalar::U32 | Scalar::U64 if !place.is_bit_field => {
                &["+=", "-=", "*=", "&=", "|=", "^="]
            }
            Scalar::U8 | Scalar::I8 if !place.is_bit_field => &["+=", "-=", "*=", "&=", "|=", "^="],
            Scalar::U16 | Scalar::I16 if !place.is_bit_field => &["+=", "-=", "&=", "|=", "^="],
            Scalar::F32 | Scalar::F64 => {
                let tame = if scalar == Scalar::F32 {
                    "tamef"
                } else {
                    "tame"
                };
                let operator = self.random.pick(&["+=", "-=", "*="]);
                self.line(&format!("{target} {operator} {value};"));
                self.line(&format!("{target} = {tame}({target});"));
                return;
            }
            _ => &["&=", "|=", "^="],
        };
        match self.random.below(4) {
            0 if scalar.bits() > 1 && !place.is_bit_field => {
                let shift = self.random.below(scalar.bits());
                self.line(&format!("{target} >>= {shift};"));
            }
            1 if scalar.bits() > 1 && !place.is_bit_field => {
                let operator = self.random.pick(&["/=", "%="]);
                self.line(&format!("{target} {operator} ({value} & 31) + 2;"));
            }
            _ => {
                let operator = self.random.pick(operators);
                self.line(&format!("{target} {operator} {value};"));
            }
        }
    }

    /// Increments and decrements, their value used.
    fn step(&mut self) {
        let place = self.target();
        let roomy = matches!(
            place.scalar,
            Scalar::U8 | Scalar::I8 | Scalar::U16 | Scalar::I16 | Scalar::U32 | Scalar::U64
        );
        if !roomy || place.is_bit_field {
            return self.assignment();
        }
        let target = self.element(&place);
        let stepped = match self.random.below(4) {
            0 => format!("{target}++"),
            1 => format!("{target}--"),
            2 => format!("++{target}"),
            _ => format!("--{target}"),
        };
        self.line(&format!("mix((uint64_t){stepped});"));
    }

    /// Sends a pointer elsewhere in the array it points into.
    fn move_pointer(&mut self) {
        let pointers = self.locals.windows(2).find(|pair| {
            pair[0].sizes == [8] && pair[1].sizes == [4] && pair[1].text.starts_with('q')
        });
        let Some([array, pointer]) = pointers.map(|pair| [pair[0].clone(), pair[1].clone()]) else {
            return self.assignment();
        };
        let offset = self.expression(Scalar::U32, 1);
        match self.random.below(3) {
            0 => self.line(&format!(
                "{} = {} + ({offset} & 3);",
                pointer.text, array.text
            )),
            1 => self.line(&format!(
                "{} = &{}[4] - ({offset} & 3);",
                pointer.text, array.text
            )),
            _ => self.line(&format!(
                "mix((uint64_t)({} - {}));",
                pointer.text, array.text
            )),
        }
    }

    /// Sends a record through functions that take and give it by value.
    fn copy_record(&mut self) {
        let number = self.random.below(self.records.len());
        let (name, seed) = (self.fresh("s"), self.expression(Scalar::U64, 1));
        let extra = self.expression(Scalar::I32, 1);
        self.open("");
        self.line(&format!("struct S{number} {name}[2];"));
        self.line(&format!("{name}[0] = make{number}({seed});"));
        self.line(&format!("{name}[1] = tweak{number}({extra}, {name}[0]);"));
        if self.random.percent(50) {
            self.line(&format!("memcpy(&{name}[0], {name} + 1, sizeof *{name});"));
        }
        self.line(&format!("hash{number}({name}[0]);"));
        self.line(&format!("hash{number}({name}[1]);"));
        self.close();
    }

    fn choice(&mut self, depth: usize) {
        let condition = self.condition(2);
        self.open(&format!("if ({condition})"));
        self.block(depth);
        if self.random.percent(60) {
            self.otherwise();
            self.block(depth);
        }
        self.close();
    }

    fn turns(&mut self) -> usize {
        let most = if self.flavour == Flavour::OneByte {
            3
        } else {
            6
        };
        self.random.between(1, most)
    }

    fn counted_loop(&mut self, depth: usize) {
        let (counter, turns) = (self.fresh("i"), self.turns());
        let scalar = self
            .random
            .pick(&[Scalar::I32, Scalar::U8, Scalar::U64, Scalar::I16]);
        self.open(&format!(
            "for ({} {counter} = 0; {counter} < {turns}; {counter}++)",
            scalar.name()
        ));
        self.locals
            .push(Place::new(counter.clone(), scalar).constant());
        self.block(depth);
        if self.random.percent(50) {
            let condition = self.condition(1);
            let jump = self.random.pick(&["break", "continue"]);
            self.line(&format!("if ({condition}) {jump};"));
            self.statement(0);
        }
        self.locals.retain(|place| place.text != counter);
        self.close();
    }

    fn conditional_loop(&mut self, depth: usize) {
        let (counter, turns) = (self.fresh("n"), self.turns());
        self.line(&format!("unsigned {counter} = {turns};"));
        let condition = self.condition(1);
        let ends_below = self.random.percent(50);
        match ends_below {
            true => self.open("do"),
            false => self.open(&format!("while ({counter}-- > 0 && {condition})")),
        }
        self.block(depth);
        match ends_below {
            true => self.close_with(&format!(" while (--{counter} != 0 && {condition});")),
            false => self.close(),
        }
    }

    fn switch(&mut self, depth: usize) {
        let scalar = self
            .random
            .pick(&[Scalar::U8, Scalar::I32, Scalar::U64, Scalar::I16]);
        let value = self.expression(scalar, 2);
        let mask = self.random.pick(&[3, 7, 15]);
        self.open(&format!("switch ({value} & {mask})"));
        let mut label = 0;
        for _ in 0..self.random.between(2, 4) {
            self.line(&format!("case {label}:"));
            label += self.random.between(1, 3);
            self.statement(depth.min(1));
            if self.random.percent(70) {
                self.line("break;");
            }
        }
        if self.random.percent(60) {
            self.line("default:");
            self.statement(0);
        }
        self.close();
    }

    fn forward_jump(&mut self, depth: usize) {
        let (label, condition) = (self.fresh("l"), self.condition(2));
        self.open("");
        self.line(&format!("if ({condition}) goto {label};"));
        self.block(depth);
        self.line(&format!("{label}:;"));
        self.close();
    }

    fn backward_jump(&mut self, depth: usize) {
        let (label, counter) = (self.fresh("l"), self.fresh("n"));
        let turns = self.turns();
        self.open("");
        self.line(&format!("int {counter} = 0;"));
        self.line(&format!("{label}:;"));
        self.block(depth);
        let condition = self.condition(1);
        self.line(&format!(
            "if (++{counter} < {turns} && {condition}) goto {label};"
        ));
        self.close();
    }
}
