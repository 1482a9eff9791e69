//! Automata: variables, states and transitions.

use super::{DEPTH, Failed, Parsed, Parser, RESERVED, is_landmark, shown};
use crate::syntax::ast::{
    Action, Assignment, Automaton, Composite, Expr, Name, Parameter, Transition, Type, Variable,
};
use crate::syntax::lexer::Kind;

impl Parser<'_> {
    pub(super) fn automaton(&mut self) -> Parsed<Automaton> {
        let mut automaton = empty(self.name("the automaton's name")?);
        if self.eat("(") {
            automaton.parameters = self.list(")", Self::parameter)?;
        }
        self.expect("{")?;
        self.parts(&mut automaton, "automaton")?;
        if let Some(region) = automaton.regions.first() {
            let message = "regions are parts of a state: `state on { region … }`";
            return self.fail_at(region.span, message);
        }
        Ok(automaton)
    }

    /// What is between the brackets of an automaton or of a state, up to the closing one.
    fn parts(&mut self, automaton: &mut Automaton, what: &str) -> Parsed<()> {
        loop {
            if self.eat("}") {
                return Ok(());
            }
            if self.peek().kind == Kind::End {
                return self.fail(format!("the {what} has no closing `}}`"));
            }
            let before = self.at;
            if self.part(automaton).is_err() {
                self.at = self.at.max(before + 1).min(self.tokens.len() - 1);
                self.skip(|parser| {
                    let next = parser.peek();
                    let item = ["var", "clock", "initial", "state", "region", "@"]
                        .contains(&next.text)
                        || is_landmark(next.text)
                        || next.text == "}";
                    item || parser.peek_at(1).text == "->" || parser.peek_at(1).text == ":"
                });
                if is_landmark(self.peek().text) {
                    return Ok(());
                }
            }
        }
    }

    /// `id: Int`, or `to: channel`.
    fn parameter(&mut self) -> Parsed<Parameter> {
        let name = self.name("the parameter's name")?;
        self.expect(":")?;
        let ty = match self.eat("channel") {
            true => None,
            false => Some(self.ty()?),
        };
        Ok(Parameter { name, ty })
    }

    /// What follows `var`.
    pub(super) fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let mut variables = Vec::new();
        loop {
            let mut names = vec![self.name("the variable's name")?];
            while self.eat(",") {
                names.push(self.name("the variable's name")?);
            }
            self.expect(":")?;
            let ty = self.ty()?;
            let initial = match self.eat("=") {
                true => Some(self.expression()?),
                false => None,
            };
            variables.extend(names.into_iter().map(|name| Variable {
                name,
                ty: ty.clone(),
                initial: initial.clone(),
                is_clock: false,
            }));
            if !self.eat(",") {
                return Ok(variables);
            }
        }
    }

    /// What follows `clock`: names of variables that grow as time passes.
    pub(super) fn clocks(&mut self) -> Parsed<Vec<Variable>> {
        let mut clocks = Vec::new();
        loop {
            let name = self.name("the clock's name")?;
            let ty = Type {
                name: Name {
                    text: "Real".to_owned(),
                    span: name.span,
                },
                of: Vec::new(),
                width: None,
                lengths: Vec::new(),
            };
            clocks.push(Variable {
                name,
                ty,
                initial: None,
                is_clock: true,
            });
            if !self.eat(",") {
                return Ok(clocks);
            }
        }
    }

    /// `while condition` behind a state, if it is there.
    fn limit(&mut self, automaton: &mut Automaton, state: &Name) -> Parsed<()> {
        if self.eat("while") {
            let limit = self.expression()?;
            automaton.limits.push((state.clone(), limit));
        }
        Ok(())
    }

    /// A state with states in it, behind its opening bracket.
    fn composite(&mut self, automaton: &mut Automaton, name: Name) -> Parsed<()> {
        self.depth += 1;
        let mut inner = empty(name);
        let mut parsed = match self.depth > DEPTH {
            true => self.fail("the states are nested too deeply"),
            false => self.parts(&mut inner, "state"),
        };
        self.depth -= 1;
        let deeper = |state: &Name| {
            let mut composites = inner.composites.iter();
            composites.any(|it| it.inside.iter().any(|name| name.text == state.text))
        };
        let mut inside: Vec<Name> = Vec::new();
        let leaving = inner.transitions.iter().map(|transition| &transition.from);
        for state in inner.initial.iter().chain(&inner.states).chain(leaving) {
            if !deeper(state) && !inside.iter().any(|known| known.text == state.text) {
                inside.push(state.clone());
            }
        }
        let is_parallel = !inner.regions.is_empty();
        if is_parallel && let Some(state) = inside.first() {
            let message = "where a state has regions, all states in it are in one of them";
            parsed = self.fail_at(state.span, message);
        }
        automaton.states.extend(inside.iter().cloned());
        let inside = match is_parallel {
            true => inner.regions,
            false => inside,
        };
        automaton.variables.extend(inner.variables);
        automaton.limits.extend(inner.limits);
        automaton.transitions.extend(inner.transitions);
        automaton.composites.extend(inner.composites);
        automaton.composites.push(Composite {
            name: inner.name,
            initial: inner.initial,
            inside,
            is_parallel,
        });
        parsed
    }

    fn part(&mut self, automaton: &mut Automaton) -> Parsed<()> {
        match self.peek().text {
            "var" => {
                self.at += 1;
                let variables = self.variables()?;
                automaton.variables.extend(variables);
                Ok(())
            }
            "clock" if self.peek_at(1).kind == Kind::Word => {
                self.at += 1;
                let clocks = self.clocks()?;
                automaton.variables.extend(clocks);
                Ok(())
            }
            "region" if self.peek_at(1).kind == Kind::Word && self.peek_at(2).text == "{" => {
                self.at += 1;
                let name = self.name("the region's name")?;
                self.expect("{")?;
                automaton.regions.push(name.clone());
                self.composite(automaton, name)
            }
            "initial" => {
                self.at += 1;
                let name = self.name("the initial state")?;
                if automaton.initial.is_some() {
                    return self.fail_at(name.span, "there is an initial state already");
                }
                self.limit(automaton, &name)?;
                automaton.initial = Some(name);
                Ok(())
            }
            "state" => {
                self.at += 1;
                loop {
                    let name = self.name("the state's name")?;
                    self.limit(automaton, &name)?;
                    automaton.states.push(name.clone());
                    if self.eat("{") {
                        return self.composite(automaton, name);
                    }
                    if !self.eat(",") {
                        return Ok(());
                    }
                }
            }
            _ => {
                let transition = self.transition(&mut automaton.states)?;
                automaton.transitions.push(transition);
                Ok(())
            }
        }
    }

    /// A transition; one that cannot be read still says that there are its states.
    fn transition(&mut self, states: &mut Vec<Name>) -> Parsed<Transition> {
        let requirements = self.requirements()?;
        let start = self.peek().span;
        let mut name = None;
        if self.peek_at(1).text == ":" {
            name = Some(self.name("the transition's name")?);
            self.expect(":")?;
        }
        if self.peek().kind != Kind::Word {
            return self.fail(format!(
                "{} where a transition `from -> to`, var, state, initial or `}}` should be",
                shown(self.peek())
            ));
        }
        let from = self.name("the state it leaves")?;
        self.expect("->")?;
        let to = self.name("the state it enters");
        let to = to.inspect_err(|_| states.push(from.clone()))?;
        let mut transition = Transition {
            name,
            requirements,
            from,
            to,
            guard: None,
            is_else: false,
            is_inherited: false,
            action: Action::Internal,
            assignments: Vec::new(),
            then: Vec::new(),
            span: start,
        };
        if self.consequences(&mut transition).is_err() {
            states.extend([transition.from, transition.to]);
            return Err(Failed);
        }
        transition.span = start.to(self.before());
        Ok(transition)
    }

    /// `@req "R-12", "R-13"`, any number of times.
    fn requirements(&mut self) -> Parsed<Vec<String>> {
        let mut found = Vec::new();
        while self.eat("@") {
            self.expect("req")?;
            loop {
                let Some(name) = self.text() else {
                    let shown = shown(self.peek());
                    return self.fail(format!("{shown} where a requirement should be, in quotes"));
                };
                found.push(name.text);
                if !self.eat(",") {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// What follows the states of a transition.
    fn consequences(&mut self, transition: &mut Transition) -> Parsed<()> {
        if self.eat("when") {
            match self.eat("else") {
                true => transition.is_else = true,
                false => transition.guard = Some(self.expression()?),
            }
            if !self.eat(",") {
                return Ok(());
            }
        } else {
            self.eat(",");
            let next = self.peek();
            let goes_on = next.text == "tau"
                || next.text == "("
                || next.kind == Kind::Word
                    && ["?", "!", ":=", "[", "."].contains(&self.peek_at(1).text)
                    && self.peek_at(1).text != "->";
            if !goes_on {
                return Ok(());
            }
        }
        self.effects(transition)
    }

    /// The action and the assignments, separated by commas; then outputs with theirs.
    fn effects(&mut self, transition: &mut Transition) -> Parsed<()> {
        let mut first = true;
        loop {
            let next = self.peek();
            let sign = self.peek_at(1).text;
            if next.text == "tau" {
                self.at += 1;
                if !first {
                    return self.fail_at(next.span, "the action stands before the assignments");
                }
            } else if sign == "?" || sign == "!" {
                let channel = self.name("a channel")?;
                if !first && sign == "?" {
                    let message = "an input comes first; what follows it are outputs";
                    return self.fail_at(channel.span, message);
                }
                self.at += 1;
                let action = self.communication(channel, sign == "?")?;
                match first {
                    true => transition.action = action,
                    false => transition.then.push((action, Vec::new())),
                }
            } else {
                let new = self.assignment()?;
                match transition.then.last_mut() {
                    Some((_, assignments)) => assignments.extend(new),
                    None => transition.assignments.extend(new),
                }
            }
            first = false;
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// `x := y`, or several at once: `(x, y) := (y, x)`.
    fn assignment(&mut self) -> Parsed<Vec<Assignment>> {
        let (targets, values) = match self.eat("(") {
            true => {
                let targets = self.list(")", Self::postfix)?;
                self.expect(":=")?;
                self.expect("(")?;
                (targets, self.list(")", Self::expression)?)
            }
            false => {
                let target = self.postfix()?;
                self.expect(":=")?;
                (vec![target], vec![self.expression()?])
            }
        };
        if targets.len() != values.len() {
            let (places, values) = (targets.len(), values.len());
            let message = format!("{places} variables cannot take {values} values");
            return self.fail_at(self.before(), message);
        }
        let pairs = targets.into_iter().zip(values).enumerate();
        let joined = |(number, (target, value)): (usize, (Expr, Expr))| Assignment {
            target,
            value,
            is_joined: number > 0,
        };
        Ok(pairs.map(joined).collect())
    }

    fn communication(&mut self, channel: Name, input: bool) -> Parsed<Action> {
        let mut values = Vec::new();
        if self.eat("(") {
            values = self.list(")", Self::expression)?;
        } else if self.begins_expression() {
            values.push(self.expression()?);
        }
        let condition = match input && self.eat("where") {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(match input {
            true => Action::Input {
                channel,
                targets: values,
                condition,
            },
            false => Action::Output { channel, values },
        })
    }

    /// Whether what follows on this line is a value, `getmeas?Value[cpt]`, and not the next
    /// transition or another declaration.
    fn begins_expression(&self) -> bool {
        let (next, after) = (self.peek(), self.peek_at(1));
        let is_name = after.kind == Kind::Word
            && !RESERVED.contains(&after.text)
            && !matches!(self.peek_at(2).text, ":" | "->");
        let is_declaration = matches!(after.text, ":" | "->")
            || is_name && ["var", "clock", "initial", "state", "region"].contains(&next.text);
        match next.kind {
            _ if next.first => false,
            Kind::Word => next.text != "where" && !is_declaration,
            Kind::Number | Kind::Text => true,
            Kind::Mark | Kind::Comment | Kind::End => false,
        }
    }
}

/// An automaton with nothing in it.
fn empty(name: Name) -> Automaton {
    Automaton {
        name,
        parameters: Vec::new(),
        variables: Vec::new(),
        initial: None,
        states: Vec::new(),
        limits: Vec::new(),
        transitions: Vec::new(),
        composites: Vec::new(),
        regions: Vec::new(),
    }
}
