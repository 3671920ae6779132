//! The report of what is left of a source, and why.

use std::fmt::Write;

/// What there is to say, as Markdown, about the input with which a test fails, inputs with which it passes, and other
/// tests that pass. With inputs that `are_recorded` tests expect what the code computed for them before it was reduced:
/// nobody has said that it is right.
pub fn statement(
    failing: Option<&str>,
    passing: &[String],
    are_recorded: bool,
    tests: &[String],
) -> Option<String> {
    let listed = |texts: &[String]| -> String {
        let texts: Vec<String> = texts.iter().map(|text| code(text)).collect();
        texts.join(", ")
    };
    let inputs = failing.map(|failing| {
        let today = if are_recorded {
            " (these expect whatever the code computes today, right or wrong)"
        } else {
            ""
        };
        format!("fails with {}, passes with {}{today}", code(failing), listed(passing))
    });
    let tests = (!tests.is_empty()).then(|| listed(tests));
    match (inputs, tests) {
        (Some(inputs), Some(tests)) => Some(format!("{inputs}; these tests pass: {tests}")),
        (None, Some(tests)) => Some(format!("fails; these tests pass: {tests}")),
        (inputs, None) => inputs,
    }
}

/// The report as Markdown: each text that is left with what happens without it, if that was tried. `doubt` says why
/// nobody knows whether the test would pass if the bug were gone, `cut_short` what has ended the search before all was
/// tried.
pub fn report(
    test: &str,
    statement: Option<&str>,
    doubt: Option<&str>,
    left: &[(&str, Option<&str>)],
    cut_short: Option<&str>,
) -> String {
    let mut text = format!("# What is left of `{test}`\n\n");
    if let Some(statement) = statement {
        let _ = writeln!(text, "The test {statement}.\n");
    }
    if let Some(doubt) = doubt {
        let _ = writeln!(text, "In doubt: {doubt}.\n");
    }
    if let Some(why) = cut_short {
        let _ = writeln!(text, "The search was cut short ({why}): more could be removed.\n");
    }
    let (tried, untried): (Vec<_>, Vec<_>) = left.iter().partition(|(_, it)| it.is_some());
    if !tried.is_empty() {
        text.push_str("What happens without each statement:\n\n");
    }
    for (statement, without) in tried {
        let without = in_one_line(without.unwrap_or_default());
        let _ = writeln!(text, "- {}: {without}", code(statement));
    }
    if !untried.is_empty() {
        text.push_str("\nNot tried, so they may not be needed:\n\n");
    }
    for (statement, _) in untried {
        let _ = writeln!(text, "- {}", code(statement));
    }
    if left.is_empty() {
        text.push_str("No statements are left.\n");
    }
    text
}

/// The longest statement that is shown whole.
const LONGEST: usize = 120;

/// The beginning and the end of a statement, as code.
fn code(statement: &str) -> String {
    let text = in_one_line(statement);
    let symbols: Vec<char> = text.chars().collect();
    let shown = if symbols.len() > LONGEST {
        let half = LONGEST / 2;
        let (start, end) = (&symbols[..half], &symbols[symbols.len() - half..]);
        format!("{} … {}", String::from_iter(start), String::from_iter(end))
    } else {
        text
    };
    // Code with backticks in it stands between longer runs of them.
    if shown.contains('`') { format!("`` {shown} ``") } else { format!("`{shown}`") }
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_tried_is_told_when_the_search_was_cut_short() {
        let all = [("a();", Some("the test\npasses")), ("b();", None)];
        assert_eq!(
            report("t", None, None, &all, Some("out of time")),
            "# What is left of `t`\n\nThe search was cut short (out of time): more could be removed.\n\n\
             What happens without each statement:\n\n- `a();`: the test passes\n\n\
             Not tried, so they may not be needed:\n\n- `b();`\n"
        );
    }

    #[test]
    fn long_statements_are_shortened_and_backticks_stay_code() {
        let long = format!("f({});", "1, ".repeat(100));
        assert!(code(&long).chars().count() < LONGEST + 10);
        assert_eq!(code("f(\"`\")"), "`` f(\"`\") ``");
    }

    #[test]
    fn the_report_begins_with_what_is_told_apart() {
        let (passing, tests) = ([String::from("\"\"")], ["adds".into(), "sums".into()]);
        let said = |failing, tests: &[String]| statement(failing, &passing, false, tests);
        let failing = Some("\"'\"");
        let all = [("f(1);", Some("the test passes"))];
        let text = report("tests::adds", said(failing, &[]).as_deref(), None, &all, None);
        let first =
            "# What is left of `tests::adds`\n\nThe test fails with `\"'\"`, passes with `\"\"`.\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.contains("- `f(1);`: the test passes\n"));
        assert_eq!(
            [None, failing].map(|failing| said(failing, &tests).unwrap()),
            [
                "fails; these tests pass: `adds`, `sums`",
                "fails with `\"'\"`, passes with `\"\"`; these tests pass: `adds`, `sums`"
            ]
        );
        let doubted = report("t", None, Some("nobody knows"), &all, None);
        assert!(doubted.contains("\n\nIn doubt: nobody knows.\n"));
    }
}
