//! What all schedules have in common.

use std::ops::Range;

/// Decides which elements of a list to try to remove next, led by the outcomes so far.
///
/// A schedule knows only places: it starts with the number of elements, and each removal is told in
/// places of the list as it is at that moment. It must end in a list that is 1-minimal: each single
/// element left was tried on the final list, and its removal missed.
pub trait Schedule: Clone {
    /// The next removal to try, as sorted disjoint ranges of places, none empty; nothing at the end.
    ///
    /// Asking twice gives the same answer.
    fn propose(&self) -> Option<Vec<Range<usize>>>;

    /// The proposed removal did not fail (or was refused); the list stays as it is.
    fn miss(&mut self);

    /// The proposed removal still fails; the list is now without these elements.
    fn hit(&mut self);
}
