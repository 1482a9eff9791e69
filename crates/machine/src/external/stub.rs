//! Functions that the user has replaced by what they give.

use crate::externals::{External, Stub};
use crate::machine::Machine;
use crate::outcome::Halt;
use crate::state::{InputKind, State};
use crate::value::{Value, mask};
use program::{FloatKind, Kind};

impl Machine<'_> {
    /// What the stub gives.
    pub(super) fn call_stub(
        &mut self,
        state: &mut State,
        external: &External,
        stub: Stub,
    ) -> Result<Value, Halt> {
        let Some(kind) = external.result else {
            return Ok(Value::ZERO);
        };
        let number = match stub {
            Stub::Symbolic => {
                let input = match kind {
                    Kind::Float(_) => InputKind::Float,
                    Kind::Int(_) | Kind::Ptr => InputKind::Signed,
                };
                return self.input_value(state, &external.name, kind.bits() as u16, input);
            }
            Stub::Zero => 0,
            Stub::Fail if kind == Kind::Ptr => 0,
            Stub::Fail => -1,
            Stub::Number(number) => number,
        };
        Ok(Value::word(match kind {
            Kind::Float(FloatKind::Single) => (number as f32).to_bits().into(),
            Kind::Float(_) => (number as f64).to_bits(),
            Kind::Int(width) => number as u64 & mask(u32::from(width)),
            Kind::Ptr => number as u64,
        }))
    }
}
