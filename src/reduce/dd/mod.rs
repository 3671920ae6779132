//! Delta debugging: which elements of a sequence are needed for a failure.
//!
//! * [`shrink_list`] is a pass over a [`Problem`](super::Problem): it removes elements of one sequence
//!   of the subject until the result is 1-minimal, with as few candidates as it can.

mod adaptive;
mod list;
#[cfg(test)]
mod list_tests;
mod schedule;

pub use adaptive::Adaptive;
pub use list::{shrink_list, shrink_list_by, without};
pub use schedule::Schedule;
