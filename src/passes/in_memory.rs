//! Reduction of one source in memory, for users of the library.

use super::schedule::{Settings, reduce};
use super::{Sameness, SourceFile, Sources, StandIn};
use crate::reduce::{FromFn, Memory, Outcome, Problem, Stop};

/// A reduced source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduced {
    /// The text of the smallest source found.
    pub source: String,
    /// How many candidates were tried.
    pub candidates: u64,
}

/// Why a source was not reduced.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The source does not fail to begin with.
    #[error("the source does not fail: its outcome is {0:?}")]
    NotFailing(Outcome),
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Reduces a Rust source to a small one for which `outcome` is still [`Outcome::Fail`].
///
/// # Errors
/// When `source` itself does not fail.
///
/// ```
/// use cargo_reduce::passes::reduce_source;
/// use cargo_reduce::reduce::Outcome;
///
/// let source = "mod m { pub fn needed(x: u8) {} } fn other() { m::needed(1 + 2); }";
/// let reduced = reduce_source(source, |candidate| match candidate.contains("needed") {
///     true => Outcome::Fail,
///     false => Outcome::Pass,
/// });
/// assert_eq!(reduced?.source.trim(), "needed");
/// # Ok::<(), cargo_reduce::passes::ReduceError>(())
/// ```
pub fn reduce_source(
    source: &str,
    mut outcome: impl FnMut(&str) -> Outcome,
) -> Result<Reduced, ReduceError> {
    let first = outcome(source);
    if !first.is_fail() {
        return Err(ReduceError::NotFailing(first));
    }
    let file = SourceFile {
        path: "source.rs".into(),
        text: source.into(),
    };
    let sources = Sources::new(vec![file], Sameness::Text);
    let mut oracle = FromFn(|sources: &Sources| outcome(&sources.files[0].text));
    let mut problem = Problem::new(sources, &mut oracle, Memory::Remember);
    reduce(
        &mut problem,
        Settings {
            stand_in: StandIn::Loop,
            is_switched: false,
        },
    )?;
    let candidates = problem.counts().candidates + 1;
    let source = problem.into_best().files[0].text.to_string();
    Ok(Reduced { source, candidates })
}
