//! What properties give, and what runs them. Numbers of tests mean nothing: there are no random
//! values, and every case is looked at.

use crate::arbitrary::{Arbitrary, Gen};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How large values are, unless somebody says so.
const SIZE: usize = 100;

/// Runs properties.
pub struct QuickCheck {
    rng: Gen,
}

impl Default for QuickCheck {
    fn default() -> Self {
        QuickCheck::new()
    }
}

impl QuickCheck {
    pub fn new() -> QuickCheck {
        QuickCheck {
            rng: Gen::new(SIZE),
        }
    }

    pub fn rng(self, rng: Gen) -> QuickCheck {
        QuickCheck { rng }
    }

    pub fn r#gen(self, rng: Gen) -> QuickCheck {
        self.rng(rng)
    }

    pub fn tests(self, _: u64) -> QuickCheck {
        self
    }

    pub fn max_tests(self, _: u64) -> QuickCheck {
        self
    }

    pub fn min_tests_passed(self, _: u64) -> QuickCheck {
        self
    }

    /// Runs the property on any arguments. A panic in it is an error at once.
    ///
    /// # Errors
    ///
    /// Where it does not hold.
    pub fn quicktest<A: Testable>(&mut self, property: A) -> Result<u64, TestResult> {
        let result = property.result(&mut self.rng);
        match result.status {
            Status::Pass => Ok(1),
            Status::Discard => everypath::ignore(),
            Status::Fail => Err(result),
        }
    }

    /// Panics where the property does not hold.
    #[track_caller]
    pub fn quickcheck<A: Testable>(&mut self, property: A) {
        if let Err(result) = self.quicktest(property) {
            panic!("{}", result.message());
        }
    }
}

/// Panics where the property does not hold.
#[track_caller]
pub fn quickcheck<A: Testable>(property: A) {
    QuickCheck::new().quickcheck(property);
}

/// How a property ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    status: Status,
    arguments: Option<Vec<String>>,
    error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Pass,
    Fail,
    Discard,
}

impl TestResult {
    fn of(status: Status) -> TestResult {
        TestResult {
            status,
            arguments: None,
            error: None,
        }
    }

    pub fn passed() -> TestResult {
        TestResult::of(Status::Pass)
    }

    pub fn failed() -> TestResult {
        TestResult::of(Status::Fail)
    }

    pub fn error<S: Into<String>>(message: S) -> TestResult {
        TestResult {
            error: Some(message.into()),
            ..TestResult::failed()
        }
    }

    pub fn discard() -> TestResult {
        TestResult::of(Status::Discard)
    }

    pub fn from_bool(holds: bool) -> TestResult {
        TestResult::of(if holds { Status::Pass } else { Status::Fail })
    }

    /// Whether a function panics.
    pub fn must_fail<T, F: FnOnce() -> T + 'static>(function: F) -> TestResult {
        let result = catch_unwind(AssertUnwindSafe(function));
        TestResult::from_bool(result.is_err())
    }

    pub fn is_failure(&self) -> bool {
        self.status == Status::Fail
    }

    pub fn is_error(&self) -> bool {
        self.is_failure() && self.error.is_some()
    }

    fn message(&self) -> String {
        let arguments = match &self.arguments {
            None => "No Arguments Provided".to_owned(),
            Some(arguments) => format!("Arguments: ({})", arguments.join(", ")),
        };
        match &self.error {
            None => format!("[quickcheck] TEST FAILED. {arguments}"),
            Some(error) => {
                format!("[quickcheck] TEST FAILED (runtime error). {arguments}\nError: {error}")
            }
        }
    }
}

impl From<bool> for TestResult {
    fn from(holds: bool) -> TestResult {
        TestResult::from_bool(holds)
    }
}

/// What holds or does not.
pub trait Testable: 'static {
    fn result(&self, g: &mut Gen) -> TestResult;
}

impl Testable for bool {
    fn result(&self, _: &mut Gen) -> TestResult {
        TestResult::from_bool(*self)
    }
}

impl Testable for () {
    fn result(&self, _: &mut Gen) -> TestResult {
        TestResult::passed()
    }
}

impl Testable for TestResult {
    fn result(&self, _: &mut Gen) -> TestResult {
        self.clone()
    }
}

impl<A: Testable, E: Debug + 'static> Testable for Result<A, E> {
    fn result(&self, g: &mut Gen) -> TestResult {
        match self {
            Ok(result) => result.result(g),
            Err(error) => TestResult::error(format!("{error:?}")),
        }
    }
}

macro_rules! functions {
    ($(($($name:ident)*))*) => { $(
        impl<T: Testable, $($name: Arbitrary + Debug),*> Testable for fn($($name),*) -> T {
            #[allow(non_snake_case)]
            fn result(&self, g: &mut Gen) -> TestResult {
                $(let $name = $name::arbitrary(g);)*
                // The property takes its arguments, and a message is wanted only if it fails.
                $(let $name = ($name.clone(), $name);)*
                let mut result = self($($name.0),*).result(g);
                if result.is_failure() && result.arguments.is_none() {
                    result.arguments = Some(vec![$(format!("{:?}", $name.1)),*]);
                }
                result
            }
        }
    )* };
}

functions!(() (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G)
           (A B C D E F G H));
