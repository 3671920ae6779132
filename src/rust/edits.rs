//! Edits that were found elsewhere, made of the best of a problem.

use std::borrow::Borrow;

use super::{Reduction, Sources};
use crate::reduce::{Approach, Problem, Result, apply_patches};

/// Makes these edits of the best of `problem`, all of them or as many as hold as plain source.
///
/// # Errors
/// When the search must stop.
pub fn make_edits<R: Borrow<Reduction>>(
    problem: &mut Problem<'_, Sources>,
    edits: &[(usize, R)],
) -> Result<()> {
    let base = problem.best().clone();
    let edits: Vec<(usize, &Reduction)> =
        edits.iter().map(|(file, edit)| (*file, edit.borrow())).collect();
    let weights: Vec<usize> = edits.iter().map(|(_, edit)| edit.weight()).collect();
    apply_patches(problem, &weights, Approach::Halves, |chosen| {
        Some(base.edit(chosen.iter().map(|index| edits[*index])))
    })?;
    Ok(())
}
