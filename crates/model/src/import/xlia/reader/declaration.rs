//! Declarations of XLIA: types, variables, ports and routines.

use super::super::ast::{Bound, Expr, Number, Port, Routine, Scope, Type, TypeBody};
use super::super::ast::{StatementKind, TypeDefinition, Variable};
use super::super::lexer::Kind;
use super::{Read, Reader, Refused};

impl Reader<'_> {
    pub(super) fn declaration(&mut self, scope: &mut Scope) -> Read<()> {
        self.modifiers();
        match self.peek().text {
            "type" => {
                let definition = self.type_definition()?;
                scope.types.push(definition);
            }
            "port" => {
                let ports = self.ports()?;
                scope.ports.extend(ports);
            }
            "routine" => {
                let routine = self.routine()?;
                scope.routines.push(routine);
            }
            "var" | "val" | "const" | "final" | "clock" => {
                let variables = self.variables()?;
                scope.variables.extend(variables);
            }
            _ => return self.refuse(""),
        }
        Ok(())
    }

    /// `port input a( int );`, or several: `port< input >{ a( int ); b; }`.
    fn ports(&mut self) -> Read<Vec<Port>> {
        self.expect("port")?;
        let is_marked = self.eat("<");
        if matches!(self.peek().text, "input" | "output" | "inout") {
            self.at += 1;
        }
        if is_marked {
            self.expect(">")?;
        }
        if !self.eat("{") {
            return Ok(vec![self.port()?]);
        }
        let mut found = Vec::new();
        while !self.eat("}") {
            found.push(self.port()?);
        }
        Ok(found)
    }

    fn port(&mut self) -> Read<Port> {
        let name = self.name()?;
        self.title();
        let payload = match self.eat("(") {
            true => self.parameters()?,
            false => Vec::new(),
        };
        self.expect(";")?;
        Ok(Port { name, payload })
    }

    /// Types with names where there are some, up to the closing bracket.
    fn parameters(&mut self) -> Read<Vec<(Option<String>, Type)>> {
        let mut found = Vec::new();
        while !self.eat(")") {
            let ty = self.ty()?;
            let name = match self.peek().kind {
                Kind::Word => Some(self.name()?),
                _ => None,
            };
            found.push((name, ty));
            if self.peek().text != ")" {
                self.expect(",")?;
            }
        }
        Ok(found)
    }

    /// `var int x = 1;`, or several: `var { int x; int y; }`.
    fn variables(&mut self) -> Read<Vec<Variable>> {
        let mut is_constant = false;
        while let "var" | "val" | "const" | "final" = self.peek().text {
            is_constant |= self.next().text != "var";
        }
        if !self.eat("{") {
            return Ok(vec![self.variable(is_constant)?]);
        }
        let mut found = Vec::new();
        while !self.eat("}") {
            found.push(self.variable(is_constant)?);
        }
        Ok(found)
    }

    fn variable(&mut self, is_constant: bool) -> Read<Variable> {
        let ty = self.ty()?;
        let line = self.peek().line;
        let name = self.name()?;
        self.title();
        let value = match self.eat("=") || self.eat(":=") {
            true => Some(self.expression()?),
            false => None,
        };
        if self.peek().text == "{" {
            let hook = self.peek_at(1);
            let what = format!("line {}: `{}` of the variable {name}", hook.line, hook.text);
            return Err(Refused(what));
        }
        self.expect(";")?;
        Ok(Variable {
            name,
            line,
            ty,
            value,
            is_constant,
        })
    }

    fn type_definition(&mut self) -> Read<TypeDefinition> {
        self.expect("type")?;
        let line = self.peek().line;
        let name = self.name()?;
        self.title();
        let body = if self.eat("enum") {
            self.expect("{")?;
            let mut values = Vec::new();
            while !self.eat("}") {
                values.push(self.name()?);
                self.title();
                if self.peek().text != "}" {
                    self.expect(",")?;
                }
            }
            TypeBody::Enumeration(values)
        } else if self.eat("struct") {
            self.expect("{")?;
            let mut fields = Vec::new();
            while !self.eat("}") {
                if self.eat("@property") {
                    self.expect(":")?;
                }
                self.modifiers();
                self.eat("var");
                let field = self.variable(false)?;
                if field.value.is_some() {
                    let what = format!("line {}: a value for a field of a type", field.line);
                    return Err(Refused(what));
                }
                fields.push((field.name, field.ty));
            }
            TypeBody::Record(fields)
        } else {
            let ty = self.ty()?;
            self.expect(";")?;
            TypeBody::Same(ty)
        };
        self.eat(";");
        Ok(TypeDefinition { name, line, body })
    }

    pub(super) fn ty(&mut self) -> Read<Type> {
        let mut ty = self.nested(Self::single_type)?;
        while self.eat("[") {
            let length = self.expression()?;
            self.expect("]")?;
            ty = Type::Array(Box::new(ty), length);
        }
        Ok(ty)
    }

    fn single_type(&mut self) -> Read<Type> {
        let token = self.peek();
        if let Some(number) = number(token.text) {
            self.at += 1;
            if matches!(self.peek().text, ":" | "<") {
                let what = format!("line {}: a size in bits of `{}`", token.line, token.text);
                return Err(Refused(what));
            }
            return Ok(Type::Number(number));
        }
        let what = |what: &str| Err(Refused(format!("line {}: {what}", token.line)));
        match token.text {
            "bool" | "boolean" => {
                self.at += 1;
                Ok(Type::Bool)
            }
            "string" => {
                self.at += 1;
                Ok(Type::Text)
            }
            "time" => {
                self.at += 1;
                self.support()
            }
            "clock" => {
                self.at += 1;
                if let Type::Number(Number { is_real: false, .. }) = self.support()? {
                    let note = format!(
                        "line {}: a clock of whole numbers grows as steadily as others",
                        token.line
                    );
                    self.notes.push(note);
                }
                Ok(Type::Clock)
            }
            "interval" => self.interval(),
            "vector" => self.vector(),
            "rvector" | "list" | "set" | "bag" | "multiset" | "fifo" | "lifo" | "char"
            | "machine" | "port" | "buffer" | "message" | "signal" | "union" | "choice" => {
                what(&format!("the type `{}`", token.text))
            }
            _ => Ok(Type::Named(self.name()?)),
        }
    }

    /// The type of number that a clock or a time is: `<int>`, or `int`, or nothing.
    fn support(&mut self) -> Read<Type> {
        let is_marked = self.eat("<");
        let found = match number(self.peek().text) {
            Some(found) => {
                self.at += 1;
                found
            }
            None if is_marked => return self.refuse("where a type of numbers should be"),
            None => Number {
                is_real: true,
                ..Number::default()
            },
        };
        if is_marked {
            self.expect(">")?;
        }
        Ok(Type::Number(found))
    }

    /// `interval< int[1,100] >`; a bracket that is turned away leaves its bound out.
    fn interval(&mut self) -> Read<Type> {
        self.expect("interval")?;
        self.expect("<")?;
        let Some(mut found) = number(self.peek().text) else {
            return self.refuse("where a type of numbers should be");
        };
        self.at += 1;
        let is_strict = self.bracket()? == "]";
        let value = self.sum_of_bound()?;
        found.least = Some(Bound { value, is_strict });
        self.expect(",")?;
        let value = self.sum_of_bound()?;
        let is_strict = self.bracket()? == "[";
        found.most = Some(Bound { value, is_strict });
        self.expect(">")?;
        Ok(Type::Number(found))
    }

    fn bracket(&mut self) -> Read<&str> {
        match self.peek().text {
            "[" | "]" => Ok(self.next().text),
            _ => self.refuse("where a bracket of an interval should be"),
        }
    }

    /// A bound is a number or a name: the bracket behind it must not be taken for an index.
    fn sum_of_bound(&mut self) -> Read<Expr> {
        let is_negative = self.eat("-");
        let token = self.next();
        let value = match token.kind {
            Kind::Number => Expr::Literal(token.text.to_owned()),
            Kind::Word => Expr::Name(token.text.to_owned()),
            _ => return self.refuse("where a bound of an interval should be"),
        };
        Ok(match is_negative {
            true => Expr::Negate(Box::new(value)),
            false => value,
        })
    }

    fn vector(&mut self) -> Read<Type> {
        let line = self.next().line;
        self.expect("<")?;
        let of = self.ty()?;
        if !self.eat(",") {
            return Err(Refused(format!("line {line}: a vector without a size")));
        }
        if self.peek().kind != Kind::Number {
            return self.refuse("where the size of a vector should be");
        }
        let length = Expr::Literal(self.next().text.to_owned());
        self.expect(">")?;
        Ok(Type::Array(Box::new(of), length))
    }

    /// `routine twice( int x ) --> int { return 2*x; }`.
    fn routine(&mut self) -> Read<Routine> {
        self.expect("routine")?;
        let line = self.peek().line;
        let name = self.name()?;
        self.title();
        let mut parameters = Vec::new();
        if self.eat("(") {
            for (parameter, ty) in self.parameters()? {
                let Some(parameter) = parameter else {
                    let what = format!("line {line}: a parameter of {name} without a name");
                    return Err(Refused(what));
                };
                parameters.push((parameter, ty));
            }
        }
        let mut result = None;
        if self.eat("-->") {
            let is_marked = self.eat("(");
            result = Some(self.ty()?);
            if is_marked {
                self.expect(")")?;
            }
        }
        let (mut body, mut returned) = (Vec::new(), None);
        self.expect("{")?;
        while !self.eat("}") {
            if self.eat("return") {
                returned = Some(self.expression()?);
                self.expect(";")?;
                self.expect("}")?;
                break;
            }
            self.statement(&mut body)?;
        }
        if returned.is_some() != result.is_some() {
            let what = format!("line {line}: the routine {name}, by what it returns");
            return Err(Refused(what));
        }
        if returned.is_some()
            && let Some(first) = body.first()
        {
            let what = match first.kind {
                StatementKind::If { .. } => "an `if`",
                _ => "a statement",
            };
            let what = format!("line {}: {what} before `return`", first.line);
            return Err(Refused(what));
        }
        Ok(Routine {
            name,
            line,
            parameters,
            result,
            body,
            returned,
        })
    }
}

/// The type of numbers with this name.
fn number(text: &str) -> Option<Number> {
    let (is_real, is_unsigned) = match text {
        "int" | "integer" => (false, false),
        "uint" | "uinteger" => (false, true),
        "rat" | "rational" | "float" | "double" | "real" => (true, false),
        "urat" | "urational" | "ufloat" | "udouble" | "ureal" => (true, true),
        _ => return None,
    };
    let least = is_unsigned.then(|| Bound {
        value: Expr::Literal("0".to_owned()),
        is_strict: false,
    });
    Some(Number {
        is_real,
        least,
        most: None,
    })
}
