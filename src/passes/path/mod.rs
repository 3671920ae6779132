//! Passes over paths and imports.

pub mod expand_globs;
pub mod paths;
pub mod qualify_paths;
pub mod trim_use;
