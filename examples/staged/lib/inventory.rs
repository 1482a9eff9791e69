//! Things in a `Vec`, of which there are some or one that has a name.

pub struct Name {
    pub first: u8,
    pub last: u8,
}

pub enum Thing {
    Some(u32),
    Named(Box<Name>),
}

pub struct Inventory {
    things: Vec<Thing>,
    named: usize,
    best: Option<u32>,
}

impl Inventory {
    pub fn rep_ok(&self) -> bool {
        let mut named = 0;
        for thing in &self.things {
            match thing {
                Thing::Some(0) => return false,
                Thing::Some(_) => {}
                Thing::Named(_) => named += 1,
            }
        }
        named == self.named && self.best != Some(0)
    }

    pub fn add(&mut self, count: u32) {
        if count > 0 || cfg!(MUTANT = "1") {
            self.things.push(Thing::Some(count));
            self.best = self.best.max(Some(count.max(1)));
        }
    }

    pub fn add_named(&mut self, first: u8, last: u8) {
        self.things.push(Thing::Named(Box::new(Name { first, last })));
        if !cfg!(MUTANT = "2") {
            self.named += 1;
        }
    }
}
