//! Differences between two texts.

use similar::TextDiff;

/// The unified diff from `before` to `after`, as `git apply` and `patch -p1` take it; empty when
/// they are the same.
pub fn unified_diff(path: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}

/// The unified diff that removes a file of this text: one to an empty text would leave the file.
pub fn removal_diff(path: &str, before: &str) -> String {
    let new = format!("+++ b/{path}\n");
    unified_diff(path, before, "").replacen(&new, "+++ /dev/null\n", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_a_header_unless_nothing_changed() {
        assert_eq!(unified_diff("a", "x\n", "x\n"), "");
        let diff = unified_diff("tests/a.rs", "x\n", "x\ny\n");
        assert_eq!(diff, "--- a/tests/a.rs\n+++ b/tests/a.rs\n@@ -1 +1,2 @@\n x\n+y\n");
    }

    #[test]
    fn a_file_that_is_gone_leaves_no_empty_one() {
        assert_eq!(removal_diff("a", "x\n"), "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    }

    #[test]
    fn a_missing_newline_at_the_end_is_said() {
        let diff = unified_diff("a", "x", "y\n");
        assert!(diff.contains("\\ No newline at end of file"), "{diff}");
    }

    #[test]
    fn changes_that_are_far_apart_stand_in_hunks_of_their_own() {
        let lines: Vec<String> = (1..=20).map(|line| line.to_string()).collect();
        let before = lines.join("\n") + "\n";
        let after = before.replace("2\n3\n", "2\n").replace("19\n", "nineteen\n");
        let diff = unified_diff("a", &before, &after);
        let hunks: Vec<&str> = diff.lines().filter(|line| line.starts_with("@@")).collect();
        assert_eq!(hunks, ["@@ -1,6 +1,5 @@", "@@ -16,5 +15,5 @@"], "{diff}");
        assert!(diff.ends_with(" 18\n-19\n+nineteen\n 20\n"), "{diff}");
        assert_eq!(unified_diff("a", "", "x\n"), "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
    }
}
