//! The tests that a binary names.

/// The names of the tests in what `--list --format terse` prints; benchmarks are left out.
pub fn parse_list(stdout: &str) -> Vec<String> {
    stdout.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// The names of the tests that have ended so, in lines such as `test tests::parses ... ok`.
pub fn ended<'o>(stdout: &'o str, status: &str) -> impl Iterator<Item = &'o str> {
    let name = move |line: &'o str| {
        line.strip_prefix("test ")?.strip_suffix(status)?.strip_suffix(" ... ")
    };
    stdout.lines().filter_map(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_are_not_listed_and_tests_are_told_apart_by_their_ends() {
        let stdout =
            "parse::empty: test\nparse::fast: benchmark\nsrc/lib.rs - run (line 3): test\n";
        assert_eq!(parse_list(stdout), ["parse::empty", "src/lib.rs - run (line 3)"]);
        let stdout = "running 4 tests\ntest a ... ok\ntest m::b ... FAILED\ntest c - should panic ... ok\n\
                      test d ... ignored\n\ntest result: FAILED. 2 passed\n";
        assert_eq!(ended(stdout, "ok").collect::<Vec<_>>(), ["a", "c - should panic"]);
        assert_eq!(ended(stdout, "FAILED").collect::<Vec<_>>(), ["m::b"]);
    }
}
