//! The reduced test as a test of its own: a new file, or a function beside the original.

mod beside;
mod constant;
mod draft;
mod file;
mod formatted;
mod frame;
mod imports;
mod instances;
mod members;
mod needed;
mod pieced;

pub use file::NewFile;
pub(crate) use file::relative;
pub use frame::{DOES_NOT_PANIC, Instances, InstancesTest, NoInstancesTest, none_panics};
pub use pieced::{Regression, reduced_name};

#[cfg(test)]
mod tests;
