//! Tests in places where cargo, or a harness, finds them only when asked for by name.

use super::finished::Finished;
use super::project::Project;
use super::texts::holds;

fn reduced<const N: usize>(args: [&str; N]) -> Finished {
    Project::fixture("ways").reduce(args).run()
}

#[test]
fn a_test_of_an_example_that_is_not_tested_by_default() {
    reduced(["--example", "show", "a_page_is_escaped"]).reduced().to(["\"<-\""]);
}

#[test]
fn constants_of_an_example_are_inputs() {
    let finished = reduced(["--example", "show", "the_constant_is_shown"]);
    finished.reduced().to(["\"<-\""]);
    // The function of the example would go on to show the original one.
    holds(finished.regression_test(), ["-const PAGE", "+const PAGE: &str = \"<-\";"]);
}

#[test]
fn a_unit_test_of_a_crate_of_macros() {
    let finished = reduced(["-p", "macros", "--lib"]);
    finished.reduced().to(["\"\""]);
    // The text of the diff stands as rustfmt leaves it.
    assert!(finished.regression_test().contains("+    }\n"), "{finished}");
}

#[test]
fn a_negation_in_a_test_that_a_macro_makes() {
    let finished = reduced(["a_dash_at_the_end"]);
    finished.reduced();
    let test = finished.regression_test();
    holds(test, ["assert!(!is_word(\""]);
}

#[test]
fn a_file_of_which_a_harness_makes_a_test() {
    let finished = reduced(["--test", "cases", "arrows"]);
    finished.reduced().to(["arrows.txt: \"<-\""]);
}

#[test]
fn a_replacement_goes_and_later_ones_keep_their_places() {
    let finished = reduced(["a_text_is_edited"]);
    finished.reduced().to(["\"--\"", "[(0, 2, \"\")]"]);
    let test = finished.regression_test();
    holds(test, ["let (start, end, with) = (0, 2, \"\");"]);
}
