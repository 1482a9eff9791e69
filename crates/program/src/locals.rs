//! Local variables that only the code of their function can reach.

use crate::ids::Reg;
use crate::inst::Inst;
use crate::program::Body;

impl Body {
    /// For each register, whether it is the address of a local variable, or of a part of one,
    /// that the function tells nobody: it only loads and stores there.
    pub fn own_locals(&self) -> Vec<bool> {
        let mut root: Vec<Option<Reg>> = vec![None; self.kinds.len()];
        let mut is_told = vec![false; self.kinds.len()];
        // What gives no value has a result that is no register.
        let mut tell = |register: Reg| {
            if let Some(is_told) = is_told.get_mut(register.index()) {
                *is_told = true;
            }
        };
        self.operands.iter().copied().for_each(&mut tell);
        self.moves.iter().for_each(|copy| tell(copy.src));
        for inst in &self.code {
            match *inst {
                Inst::Load { .. } | Inst::Offset { .. } => {}
                Inst::Store { value, .. } => tell(value),
                Inst::Index { index, .. } => tell(index),
                Inst::Alloca { dst, .. } | Inst::AllocaArray { dst, .. } => {
                    root[dst.index()] = Some(dst);
                }
                mut other => other.registers_mut(&mut |register| tell(*register)),
            }
        }
        // A part may stand in the code before what it is a part of.
        loop {
            let mut is_done = true;
            for inst in &self.code {
                let (Inst::Offset { dst, base, .. } | Inst::Index { dst, base, .. }) = *inst else {
                    continue;
                };
                let Some(whole) = root[base.index()] else {
                    continue;
                };
                let is_new = root[dst.index()].replace(whole).is_none();
                let is_news = is_told[dst.index()] && !is_told[whole.index()];
                is_told[whole.index()] |= is_told[dst.index()];
                is_done &= !is_new && !is_news;
            }
            if is_done {
                break;
            }
        }
        let is_own = |root: Option<Reg>| root.is_some_and(|whole| !is_told[whole.index()]);
        root.into_iter().map(is_own).collect()
    }
}
