//! Differences between two texts.

use std::fmt::Write;
use std::ops::Range;

use similar::{DiffTag, group_diff_ops};

use crate::oracle::signature::operations;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The unified diff from `before` to `after`, as `git apply` and `patch -p1` take it; empty when
/// they are the same.
pub fn unified_diff(path: &str, before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    if old == new {
        return String::new();
    }
    let mut diff = format!("--- a/{path}\n+++ b/{path}\n");
    for hunk in group_diff_ops(operations(&old, &new), CONTEXT) {
        let ([first, ..], [.., last]) = (&hunk[..], &hunk[..]) else {
            continue;
        };
        let old_lines = lines(first.old_range().start..last.old_range().end);
        let new_lines = lines(first.new_range().start..last.new_range().end);
        let _ = writeln!(diff, "@@ -{old_lines} +{new_lines} @@");
        for operation in hunk {
            let (gone, come) = (&old[operation.old_range()], &new[operation.new_range()]);
            if operation.tag() == DiffTag::Equal {
                put(&mut diff, ' ', gone);
            } else {
                put(&mut diff, '-', gone);
                put(&mut diff, '+', come);
            }
        }
    }
    diff
}

/// Lines by their numbers: where they start, and how many there are. Without any, the one before.
fn lines(range: Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        count => format!("{},{count}", range.start + 1),
    }
}

fn put(diff: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        diff.push(mark);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
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

    #[test]
    fn the_example_of_unified_diff_holds() {
        let diff = crate::report::unified_diff("tests/a.rs", "x\n", "x\ny\n");
        assert_eq!(diff, "--- a/tests/a.rs\n+++ b/tests/a.rs\n@@ -1 +1,2 @@\n x\n+y\n");
    }
}
