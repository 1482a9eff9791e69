//! A list as functional languages have it, of ascending values.

pub enum List {
    Cons(i32, Box<List>),
    Nil,
}

impl List {
    pub fn rep_ok(&self) -> bool {
        match self {
            List::Cons(first, rest) => match &**rest {
                List::Cons(second, _) => first < second && rest.rep_ok(),
                List::Nil => true,
            },
            List::Nil => true,
        }
    }

    pub fn insert(&mut self, value: i32) {
        match self {
            List::Cons(first, rest) if *first < value => rest.insert(value),
            List::Cons(first, _) if *first == value && !cfg!(MUTANT = "1") => {}
            _ => {
                let rest = std::mem::replace(self, List::Nil);
                *self = List::Cons(value, Box::new(rest));
            }
        }
    }

    pub fn raise_last(&mut self) {
        if let List::Cons(first, rest) = self {
            match **rest {
                List::Cons(..) => rest.raise_last(),
                List::Nil if cfg!(MUTANT = "2") => *first = i32::MIN,
                List::Nil => *first = i32::MAX,
            }
        }
    }
}
