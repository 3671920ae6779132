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

/// How many turns a process has told on its standard error, and what else stands there: a test that returns an error shows
/// all that follows as its text.
pub fn turns_told(stderr: &str) -> Option<(usize, String)> {
    let number = |line: &str| line.strip_prefix(TURNS)?.strip_prefix('=')?.trim_end().parse().ok();
    let most: usize = stderr.lines().filter_map(number).max()?;
    let others = stderr.split_inclusive('\n').filter(|line| number(line).is_none());
    Some((most, others.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_turns_is_no_part_of_what_the_test_says() {
        let stderr = "Error: \"far\"\n\n__CARGO_REDUCE_TURNS=20\n\n__CARGO_REDUCE_TURNS=3\n";
        assert_eq!(turns_told(stderr), Some((20, "Error: \"far\"\n\n\n".to_owned())));
        assert_eq!(turns_told("Error: __CARGO_REDUCE_TURNS=20"), None);
    }
}
