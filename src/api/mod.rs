//! The library in-process: minimize the arguments of a call that panics, without cargo.

mod args;
mod calls;
mod panics;
mod rust_source;
mod sequence;
#[cfg(test)]
mod tests;

pub use args::{Args, Argument, Fixed};
pub use calls::{
    Isolated, dd, isolate, isolate_args, maximize, maximize_args, minimize, minimize_args,
};
pub use rust_source::reduce_source;
pub use sequence::Sequence;
