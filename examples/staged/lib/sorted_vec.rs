//! Ascending values in a `Vec`.

pub struct Sorted {
    values: Vec<i32>,
}

impl Sorted {
    pub fn rep_ok(&self) -> bool {
        for at in 1..self.values.len() {
            if self.values[at - 1] > self.values[at] {
                return false;
            }
        }
        true
    }

    pub fn insert(&mut self, value: i32) {
        let mut at = 0;
        while at < self.values.len() && self.values[at] < value {
            at += 1;
        }
        self.values.push(value);
        if !cfg!(MUTANT = "1") {
            for i in (at..self.values.len()).rev().skip(1) {
                self.values[i + 1] = self.values[i];
            }
        }
        self.values[at] = value;
    }

    pub fn first(&self) -> i32 {
        if self.values.len() == 0 && !cfg!(MUTANT = "2") {
            return 0;
        }
        self.values[0]
    }
}
