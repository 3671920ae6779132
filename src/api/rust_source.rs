//! Reducing one Rust source.

use crate::reduce::dd::DdError;
use crate::reduce::{FromFn, Memory, Outcome, Problem};
use crate::rust::{Sameness, Sources, StandIn};
use crate::schedule::{Settings, reduce};

/// Reduces a Rust source to a small one for which `outcome` is still [`Outcome::Fail`], by what its
/// parts mean: items, statements, arguments, types and so on are taken out or made simpler.
///
/// # Errors
/// [`DdError::NotFailing`] if `source` itself passes, [`DdError::NotReproducible`] if its outcome is
/// neither.
///
/// ```
/// use cargo_reduce::{Outcome, reduce_source};
///
/// let source = "mod m { pub fn needed(x: u8) {} } fn other() { m::needed(1 + 2); }";
/// let smallest = reduce_source(source, |candidate| match candidate.contains("needed") {
///     true => Outcome::Fail,
///     false => Outcome::Pass,
/// })?;
/// assert_eq!(smallest.trim(), "needed");
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn reduce_source(
    source: &str,
    mut outcome: impl FnMut(&str) -> Outcome,
) -> Result<String, DdError> {
    match outcome(source) {
        Outcome::Fail => {}
        Outcome::Pass => return Err(DdError::NotFailing),
        Outcome::Unresolved | Outcome::Timeout => return Err(DdError::NotReproducible),
    }
    let sources = Sources::of_file("source.rs", source, Sameness::Text);
    let mut oracle = FromFn(|sources: &Sources| outcome(&sources.files[0].text));
    let mut problem = Problem::new(sources, &mut oracle, Memory::Remember);
    let settings = Settings { stand_in: StandIn::Loop, is_switched: false };
    reduce(&mut problem, settings)?;
    Ok(problem.into_best().files[0].text.to_string())
}
