//! Builds in which functions have several bodies: the library that says which of them is picked.

/// The name of the library in joined sources.
pub const LIBRARY: &str = "cargo_reduce_bodies";

/// The source of the library.
pub const BODIES_RUNTIME: &str = include_str!("runtime/bodies.rs");

/// The library knows no more functions than this.
pub const MOST_FUNCTIONS: usize = 1 << 16;

/// The environment variable that lists what is picked: `FUNCTION:BODY`, joined by commas.
pub const PICKED: &str = "__CARGO_REDUCE_PICKED";
