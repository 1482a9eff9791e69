//! What properties give, and what they are run by. Settings are read and mean nothing: there
//! are no random numbers, and every case is looked at.

use crate::strategy::Strategy;
use crate::sugar::{conclude, input};
use std::borrow::Cow;
#[cfg(rand_from_0_10)]
use std::convert::Infallible;
use std::fmt;

/// Why a case is no case, or fails.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reason(Cow<'static, str>);

impl Reason {
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Reason {
    fn from(text: &'static str) -> Self {
        Reason(text.into())
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Reason(text.into())
    }
}

impl From<Box<str>> for Reason {
    fn from(text: Box<str>) -> Self {
        Reason(String::from(text).into())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a case ends that does not pass.
#[derive(Clone, Debug)]
pub enum TestCaseError {
    Reject(Reason),
    Fail(Reason),
}

/// What a property gives.
pub type TestCaseResult = Result<(), TestCaseError>;

impl TestCaseError {
    pub fn reject(reason: impl Into<Reason>) -> Self {
        TestCaseError::Reject(reason.into())
    }

    pub fn fail(reason: impl Into<Reason>) -> Self {
        TestCaseError::Fail(reason.into())
    }
}

impl fmt::Display for TestCaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestCaseError::Reject(reason) => write!(f, "Input rejected at {reason}"),
            TestCaseError::Fail(reason) => write!(f, "Case failed: {reason}"),
        }
    }
}

impl<E: std::error::Error> From<E> for TestCaseError {
    fn from(error: E) -> Self {
        TestCaseError::fail(error.to_string())
    }
}

/// How a run ends that does not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestError<T> {
    Abort(Reason),
    Fail(Reason, T),
}

impl<T: fmt::Debug> fmt::Display for TestError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestError::Abort(reason) => write!(f, "Test aborted: {reason}"),
            TestError::Fail(reason, what) => {
                write!(
                    f,
                    "Test failed: {reason}.\nminimal failing input: {what:#?}"
                )
            }
        }
    }
}

impl<T: fmt::Debug> std::error::Error for TestError<T> {}

/// Results whose errors are no cases.
pub trait ProptestResultExt<T, E> {
    fn prop_assume_ok(self) -> Result<T, TestCaseError>
    where
        E: fmt::Debug;
}

impl<T, E> ProptestResultExt<T, E> for Result<T, E> {
    fn prop_assume_ok(self) -> Result<T, TestCaseError>
    where
        E: fmt::Debug,
    {
        self.map_err(|_| TestCaseError::reject("an error"))
    }
}

/// Where failures would be kept.
pub trait FailurePersistence: fmt::Debug + Send + Sync {}

/// Files that failures would be kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFailurePersistence {
    Off,
    SourceParallel(&'static str),
    WithSource(&'static str),
    Direct(&'static str),
}

impl Default for FileFailurePersistence {
    fn default() -> Self {
        FileFailurePersistence::SourceParallel("proptest-regressions")
    }
}

impl FailurePersistence for FileFailurePersistence {}

/// Memory that failures would be kept in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MapFailurePersistence {}

impl FailurePersistence for MapFailurePersistence {}

/// What would be known of cases that were seen before.
pub trait ResultCache {}

struct NoCache;

impl ResultCache for NoCache {}

pub fn noop_result_cache() -> Box<dyn ResultCache> {
    Box::new(NoCache)
}

pub fn basic_result_cache() -> Box<dyn ResultCache> {
    Box::new(NoCache)
}

/// How random numbers would be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RngAlgorithm {
    XorShift,
    #[default]
    ChaCha,
    PassThrough,
    Recorder,
}

/// What random numbers would be made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RngSeed {
    #[default]
    Random,
    Fixed(u64),
}

/// The settings of a property.
#[derive(Debug)]
pub struct Config {
    pub cases: u32,
    pub max_local_rejects: u32,
    pub max_global_rejects: u32,
    pub max_flat_map_regens: u32,
    pub failure_persistence: Option<Box<dyn FailurePersistence>>,
    pub source_file: Option<&'static str>,
    pub test_name: Option<&'static str>,
    #[cfg(feature = "fork")]
    pub fork: bool,
    #[cfg(feature = "timeout")]
    pub timeout: u32,
    #[cfg(feature = "std")]
    pub max_shrink_time: u32,
    pub max_shrink_iters: u32,
    pub max_default_size_range: usize,
    pub result_cache: fn() -> Box<dyn ResultCache>,
    #[cfg(feature = "std")]
    pub verbose: u32,
    pub rng_algorithm: RngAlgorithm,
    pub rng_seed: RngSeed,
    #[doc(hidden)]
    pub _non_exhaustive: (),
}

impl Config {
    pub fn with_cases(cases: u32) -> Self {
        Config {
            cases,
            ..Config::default()
        }
    }

    pub fn with_source_file(source_file: &'static str) -> Self {
        Config {
            source_file: Some(source_file),
            ..Config::default()
        }
    }

    pub fn clone_with_source_file(&self, source_file: &'static str) -> Self {
        Config {
            source_file: Some(source_file),
            ..self.clone()
        }
    }

    pub fn with_failure_persistence<T: FailurePersistence + 'static>(persistence: T) -> Self {
        Config {
            failure_persistence: Some(Box::new(persistence)),
            ..Config::default()
        }
    }
}

impl Clone for Config {
    fn clone(&self) -> Self {
        Config {
            failure_persistence: None,
            ..*self
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            cases: 256,
            max_local_rejects: 65_536,
            max_global_rejects: 1024,
            max_flat_map_regens: 1_000_000,
            failure_persistence: None,
            source_file: None,
            test_name: None,
            #[cfg(feature = "fork")]
            fork: false,
            #[cfg(feature = "timeout")]
            timeout: 0,
            #[cfg(feature = "std")]
            max_shrink_time: 0,
            max_shrink_iters: u32::MAX,
            max_default_size_range: 100,
            result_cache: noop_result_cache,
            #[cfg(feature = "std")]
            verbose: 0,
            rng_algorithm: RngAlgorithm::default(),
            rng_seed: RngSeed::default(),
            _non_exhaustive: (),
        }
    }
}

/// Any random numbers.
#[derive(Clone, Debug)]
pub struct TestRng(());

impl TestRng {
    pub(crate) fn any() -> TestRng {
        TestRng(())
    }

    pub fn deterministic_rng(_: RngAlgorithm) -> Self {
        TestRng(())
    }

    pub fn from_seed(_: RngAlgorithm, _: &[u8]) -> Self {
        TestRng(())
    }
}

#[cfg(rand_from_0_10)]
impl rand::TryRng for TestRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(input())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(input())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(input);
        Ok(())
    }
}

#[cfg(not(rand_from_0_10))]
impl rand::RngCore for TestRng {
    fn next_u32(&mut self) -> u32 {
        input()
    }

    fn next_u64(&mut self) -> u64 {
        input()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        bytes.fill_with(input);
    }

    #[cfg(rand_before_0_9)]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand::Error> {
        bytes.fill_with(input);
        Ok(())
    }
}

/// Runs properties.
#[derive(Clone, Debug)]
pub struct TestRunner {
    config: Config,
    rng: TestRng,
}

impl Default for TestRunner {
    fn default() -> Self {
        TestRunner::new(Config::default())
    }
}

impl fmt::Display for TestRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a runner that looks at every case")
    }
}

impl TestRunner {
    pub fn new(config: Config) -> Self {
        TestRunner {
            config,
            rng: TestRng::any(),
        }
    }

    pub fn deterministic() -> Self {
        TestRunner::default()
    }

    pub fn new_with_rng(config: Config, rng: TestRng) -> Self {
        TestRunner { config, rng }
    }

    pub fn rng(&mut self) -> &mut TestRng {
        &mut self.rng
    }

    pub fn new_rng(&mut self) -> TestRng {
        self.rng.clone()
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Runs the property on any value. One that fails is an error at once.
    ///
    /// # Errors
    ///
    /// None.
    #[track_caller]
    pub fn run<S: Strategy>(
        &mut self,
        strategy: &S,
        property: impl Fn(S::Value) -> TestCaseResult,
    ) -> Result<(), TestError<S::Value>> {
        conclude(property(strategy.__any()));
        Ok(())
    }
}
