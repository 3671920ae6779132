//! Results that are compared with snapshots.

use super::project::Project;

#[test]
fn a_snapshot_becomes_a_plain_comparison_that_is_right_with_correct_code() {
    let project = Project::fixture("snapshots");
    let finished = project.reduce(["expected"]).run();
    finished.code(0).confirmed();
    let test = finished.regression_test();
    assert!(test.contains(r#"let text = listed("Shopping", &["\t2 g"]);"#), "{finished}");
    assert!(test.contains(r##"assert_eq!(&text, "# Shopping\n1. \t2 g\n");"##), "{finished}");
    assert!(!test.contains("Expect"), "{finished}");
    assert!(finished.summary()["doubt"].is_string(), "{finished}");
}

#[test]
fn where_a_helper_compares_with_a_snapshot_nothing_is_sure() {
    let project = Project::fixture("snapshots");
    let finished = project.reduce(["expected_by_a_helper"]).run();
    let summary = finished.summary();
    assert!(summary["status"] != "reduced" || summary["doubt"].is_string(), "{finished}");
}
