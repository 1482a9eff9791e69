//! Numbers that wait in a `VecDeque`, each greater than the one before.

use std::collections::VecDeque;

pub struct Line {
    waiting: VecDeque<u32>,
    next: u32,
}

impl Line {
    pub fn rep_ok(&self) -> bool {
        for at in 0..self.waiting.len() {
            let is_greater = at == 0 || self.waiting[at - 1] < self.waiting[at];
            if !is_greater || self.waiting[at] >= self.next {
                return false;
            }
        }
        true
    }

    pub fn join(&mut self) -> u32 {
        let own = self.next;
        if own == u32::MAX {
            return own;
        }
        if !cfg!(MUTANT = "1") {
            self.next += 1;
        }
        self.waiting.push_back(own);
        own
    }

    pub fn serve(&mut self) -> Option<u32> {
        let first = self.waiting.pop_front();
        if cfg!(MUTANT = "2") && first.is_some() {
            self.waiting.push_front(self.next);
        }
        first
    }
}
