//! Reductions that more is known for than the tree says: which conditions hold, what the compiler calls unused, what never ran, which
//! values and texts a run has shown, which errors the failure survives.

pub mod configured;
pub mod formatters;
pub mod idle;
pub mod lists;
mod names;
pub mod observed;
pub mod tolerance;
pub mod unused;
