//! Edits that were found elsewhere, made of the best of a problem.

use super::{Reduction, Sources};
use crate::reduce::{Approach, Problem, Result, apply_patches};

/// Makes these edits of the best of `problem`, all of them or as many as hold as plain source.
///
/// # Errors
/// When the search must stop.
pub fn make_edits(problem: &mut Problem<'_, Sources>, edits: &[(usize, Reduction)]) -> Result<()> {
    let base = problem.best().clone();
    let saving = |(_, edit): &(usize, Reduction)| edit.weight();
    let weights: Vec<usize> = edits.iter().map(saving).collect();
    apply_patches(problem, &weights, Approach::Halves, |chosen| {
        let chosen = chosen.iter().map(|index| &edits[*index]);
        Some(base.edit_all(chosen))
    })?;
    Ok(())
}
