//! Differences between two texts.

use similar::TextDiff;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The unified diff from `before` to `after`, as `git apply` and `patch -p1` take it; empty when
/// they are the same.
pub fn unified_diff(path: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_changed_is_an_empty_diff() {
        assert_eq!(unified_diff("a", "x\n", "x\n"), "");
    }

    #[test]
    fn a_missing_newline_at_the_end_is_said() {
        let diff = unified_diff("a", "x", "y\n");
        assert!(diff.contains("\\ No newline at end of file"), "{diff}");
    }

    #[test]
    fn the_example_of_unified_diff_holds() {
        let diff = crate::report::unified_diff("tests/a.rs", "x\n", "x\ny\n");
        assert_eq!(diff, "--- a/tests/a.rs\n+++ b/tests/a.rs\n@@ -1 +1,2 @@\n x\n+y\n");
    }
}
