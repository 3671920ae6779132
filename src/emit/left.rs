//! The report of what is left of a source, and why.

use std::fmt::Write;

/// A statement of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its text.
    pub text: String,
    /// What happens without it, if that was tried.
    pub without: Option<String>,
}

/// What the code still tells apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contrasted {
    /// Inputs with which it fails, and inputs with which it passes.
    pub inputs: Option<(String, Vec<String>)>,
    /// Whether the latter expect what the code computed for them before it was reduced: nobody has said that it is right.
    pub are_recorded: bool,
    /// The other tests that pass.
    pub tests: Vec<String>,
    /// Why nobody knows whether it would pass if the bug were gone, if so.
    pub doubt: Option<String>,
}

impl Contrasted {
    /// What there is to say about inputs and tests that pass, as Markdown.
    pub fn statement(&self) -> Option<String> {
        let listed = |texts: &[String]| -> String {
            let texts: Vec<String> = texts.iter().map(|text| code(text)).collect();
            texts.join(", ")
        };
        let inputs = self.inputs.as_ref().map(|(failing, passing)| {
            let today = if self.are_recorded {
                " (these expect whatever the code computes today, right or wrong)"
            } else {
                ""
            };
            format!("fails with {}, passes with {}{today}", code(failing), listed(passing))
        });
        let tests = (!self.tests.is_empty()).then(|| listed(&self.tests));
        match (inputs, tests) {
            (Some(inputs), Some(tests)) => Some(format!("{inputs}; these tests pass: {tests}")),
            (None, Some(tests)) => Some(format!("fails; these tests pass: {tests}")),
            (inputs, None) => inputs,
        }
    }
}

/// The report as Markdown; `cut_short` says what has ended the search before all was tried.
pub fn report(
    test: &str,
    contrasted: &Contrasted,
    left: &[Left],
    cut_short: Option<&str>,
) -> String {
    let mut text = format!("# What is left of `{test}`\n\n");
    if let Some(statement) = contrasted.statement() {
        let _ = writeln!(text, "The test {statement}.\n");
    }
    if let Some(doubt) = &contrasted.doubt {
        let _ = writeln!(text, "In doubt: {doubt}.\n");
    }
    if let Some(why) = cut_short {
        let _ = writeln!(text, "The search was cut short ({why}): more could be removed.\n");
    }
    let (tried, untried): (Vec<&Left>, Vec<&Left>) =
        left.iter().partition(|statement| statement.without.is_some());
    if !tried.is_empty() {
        text.push_str("What happens without each statement:\n\n");
    }
    for statement in tried {
        let without = in_one_line(statement.without.as_deref().unwrap_or_default());
        let _ = writeln!(text, "- {}: {without}", code(&statement.text));
    }
    if !untried.is_empty() {
        text.push_str("\nNot tried, so they may not be needed:\n\n");
    }
    for statement in untried {
        let _ = writeln!(text, "- {}", code(&statement.text));
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

    fn left(text: &str, without: Option<&str>) -> Left {
        Left { text: text.to_owned(), without: without.map(str::to_owned) }
    }

    #[test]
    fn what_was_not_tried_is_told_when_the_search_was_cut_short() {
        let all = [left("a();", Some("the test\npasses")), left("b();", None)];
        assert_eq!(
            report("t", &Contrasted::default(), &all, Some("out of time")),
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
        let contrasted = Contrasted {
            inputs: Some(("\"'\"".into(), vec!["\"\"".into()])),
            ..Contrasted::default()
        };
        let all = [left("f(1);", Some("the test passes"))];
        let text = report("tests::adds", &contrasted, &all, None);
        let first =
            "# What is left of `tests::adds`\n\nThe test fails with `\"'\"`, passes with `\"\"`.\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.contains("- `f(1);`: the test passes\n"));
        let doubted = Contrasted { doubt: Some("nobody knows".into()), ..Contrasted::default() };
        let with_tests = |inputs| Contrasted {
            inputs,
            tests: vec!["adds".into(), "sums".into()],
            ..Contrasted::default()
        };
        let said = [None, contrasted.inputs].map(|inputs| with_tests(inputs).statement().unwrap());
        assert_eq!(
            said,
            [
                "fails; these tests pass: `adds`, `sums`",
                "fails with `\"'\"`, passes with `\"\"`; these tests pass: `adds`, `sums`"
            ]
        );
        assert!(report("t", &doubted, &all, None).contains("\n\nIn doubt: nobody knows.\n"));
    }
}
