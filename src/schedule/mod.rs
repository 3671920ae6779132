//! Which pass takes its turn when, and what the compiler takes of what they propose.

mod blame;
mod cascade;
mod driver;
mod plain;
mod repair;
mod text;

pub use driver::{Settings, reduce, reduce_checked};
pub use plain::reduce_text;
pub use text::removals;
