//! Builds in which functions have several bodies: the library that says which of them is picked.

/// The name of the library in joined sources.
pub const LIBRARY: &str = "cargo_reduce_bodies";

/// The source of the library.
pub const BODIES_RUNTIME: &str = include_str!("runtime/bodies.rs");

/// The library knows no more functions than this.
pub const MOST_FUNCTIONS: usize = 1 << 16;

/// The environment variable that lists what is picked: `FUNCTION:BODY`, joined by commas.
pub const PICKED: &str = "__CARGO_REDUCE_PICKED";

/// The environment variable that says how many turns of loops and calls of functions with several bodies a process may
/// take; [`ASKED`] where it has to tell how many it takes.
pub const TURNS: &str = "__CARGO_REDUCE_TURNS";

/// See [`TURNS`].
pub const ASKED: &str = "?";

/// What a process ends with that has taken more turns than it may.
pub const TOO_MANY: i32 = 94;

/// How many turns a process has told on its standard error.
pub fn turns_told(stderr: &str) -> Option<usize> {
    let numbers = stderr.lines().filter_map(|line| line.strip_prefix(TURNS)?.strip_prefix('='));
    numbers.filter_map(|number| number.parse().ok()).max()
}
