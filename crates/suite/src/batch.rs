//! Tests on their way from the process that made them to the one that keeps them.
//!
//! A batch has its tests as an archive has them, compressed, and says beside them what a
//! run's report wants to know. Whoever keeps it appends its bytes and looks into none:
//! a path of ten microseconds must not cost as much again in the one process that all
//! the others report to.

use crate::archive::{self, ArchiveBlock};
use crate::{End, Ends, InputTypes, SuiteError, TestCase};
use serde::{Deserialize, Serialize};

/// Tests that are finished, in the order in which they were added.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Batch {
    /// Blocks of an archive.
    #[serde(with = "serde_bytes")]
    blocks: Vec<u8>,
    tests: u64,
    /// How they end; the first test of a batch has the number one.
    ends: Ends,
    inputs: InputTypes,
}

impl Batch {
    /// How many tests it has.
    pub fn len(&self) -> u64 {
        self.tests
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.tests == 0
    }

    /// How its tests end, counted from one.
    pub fn ends(&self) -> &Ends {
        &self.ends
    }

    /// The types of the inputs of its tests.
    pub fn inputs(&self) -> &InputTypes {
        &self.inputs
    }

    /// The bytes to append to an archive.
    pub(crate) fn into_blocks(self) -> Vec<u8> {
        self.blocks
    }

    /// The tests themselves.
    ///
    /// # Errors
    ///
    /// When the bytes are not those of a batch.
    pub fn unpack(&self) -> Result<Vec<(TestCase, Option<End>)>, SuiteError> {
        archive::unpack_blocks(&self.blocks)
    }
}

/// Gathers tests for a batch.
#[derive(Debug, Default)]
pub struct BatchBuilder {
    batch: Batch,
    /// What is in no block yet.
    block: ArchiveBlock,
}

impl BatchBuilder {
    /// Adds a test and how it ends, if its path was followed to the end; gives its number
    /// in the batch, from one on.
    pub fn add(&mut self, case: &TestCase, end: Option<End>) -> u64 {
        let batch = &mut self.batch;
        batch.tests += 1;
        batch.inputs.note_all(case);
        if let Some(end) = end {
            batch.ends.note(batch.tests, end);
        }
        self.block.add(&archive::record(case, end));
        if self.block.is_full() {
            self.block.close(&mut batch.blocks);
        }
        self.batch.tests
    }

    /// The batch of what was added since the last one.
    pub fn take(&mut self) -> Batch {
        self.block.close(&mut self.batch.blocks);
        std::mem::take(&mut self.batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, InputKind};

    #[test]
    fn a_batch_gives_its_tests_back() {
        let mut builder = BatchBuilder::default();
        let case = |number: u32| {
            let input = Input::new("x", number.to_le_bytes());
            TestCase::new(vec![input])
        };
        let typed = |number: u32| {
            let mut case = case(number);
            case.inputs[0].kind = Some(InputKind::INT);
            case
        };
        for number in 1..=5000 {
            let end = (number % 7 != 0).then_some(End::Exit(number as i32 % 3));
            assert_eq!(builder.add(&typed(number), end), u64::from(number));
        }
        let batch = builder.take();
        assert_eq!(batch.len(), 5000);
        assert_eq!(batch.ends().of("test000005"), Some(End::Exit(2)));
        assert_eq!(batch.ends().of("test000007"), None);
        let x = Input::new("x", [0; 4]);
        assert_eq!(batch.inputs().kind_of(&x), Some(InputKind::INT));
        let tests = batch.unpack().expect("it is whole");
        for ((found, end), number) in tests.iter().zip(1..) {
            assert_eq!(
                (found, *end),
                (&case(number), batch.ends().of(&format!("test{number:06}")))
            );
        }
        assert_eq!(tests.len(), 5000);
        assert!(
            builder.take().is_empty(),
            "what was taken is not taken again"
        );
    }
}
