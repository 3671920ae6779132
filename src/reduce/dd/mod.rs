//! Delta debugging: which elements of a sequence are needed for a failure.
//!
//! * [`dd()`] is the general algorithm with its three modes, call by call that of the reference.
//! * [`shrink_list`] is a pass over a [`Problem`](super::Problem): it removes elements of one sequence
//!   of the subject until the result is 1-minimal, with as few candidates as it can.

mod adaptive;
#[cfg(test)]
mod code_tests;
#[cfg(test)]
pub(crate) mod conformance_tests;
mod general;
#[cfg(test)]
mod general_tests;
mod hashed;
mod in_turn;
mod kept;
mod list;
#[cfg(test)]
mod list_tests;
mod order;

pub use adaptive::Adaptive;
pub use general::{DdError, Mode, dd};
pub use in_turn::in_turn;
pub use kept::Kept;
pub use list::{shrink_list, without};
