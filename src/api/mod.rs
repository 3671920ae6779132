//! The library in-process: minimize the arguments of a call that panics, without cargo.
//!
//! | one argument | several | what comes back |
//! |---|---|---|
//! | [`minimize`] | [`minimize_args`] | the smallest argument that still panics with the same message |
//! | [`maximize`] | [`maximize_args`] | the largest part of the argument that does not panic |
//! | [`isolate`] | [`isolate_args`] | both at once, and the small difference between them |
//! | [`dd()`] | | any of these, by a closure that answers with an [`Outcome`](crate::Outcome) |
//!
//! A call *fails* if it panics with the message of the first call, which is made on the unchanged
//! arguments; it *passes* if it returns, whatever it returns; every other panic is unresolved, so that
//! the search cannot slip into another failure. Panics are caught, so the program must be built to
//! unwind (`panic = "abort"` ends it at the first call), and nothing is printed for them; what other
//! threads print when they panic is not touched. The closure should do the same on every call.

mod args;
mod calls;
mod panics;
mod sequence;
#[cfg(test)]
mod tests;

pub use args::{Args, Argument, Fixed};
pub use calls::{
    Isolated, dd, isolate, isolate_args, maximize, maximize_args, minimize, minimize_args,
};
pub use sequence::Sequence;
