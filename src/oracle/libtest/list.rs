//! The tests of a binary.

/// The names of the tests in what `--list --format terse` prints; benchmarks are left out.
pub fn parse_list(stdout: &str) -> Vec<String> {
    stdout.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_parse_list_holds() {
        let stdout =
            "parse::empty: test\nparse::fast: benchmark\nsrc/lib.rs - run (line 3): test\n";
        assert_eq!(
            crate::oracle::libtest::parse_list(stdout),
            ["parse::empty", "src/lib.rs - run (line 3)"]
        );
    }
}
