//! What is told about a crash of the compiler: a comment above the source, and an issue report.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

/// A crash and the source that provokes it.
#[derive(Debug, Clone, Copy)]
pub struct CrashReport<'r> {
    /// The reduced source.
    pub source: &'r str,
    /// The command that shows the crash.
    pub command: &'r str,
    /// What `rustc -vV` says.
    pub version: &'r str,
    /// What the compiler printed.
    pub output: &'r str,
    /// Tokens before and after.
    pub tokens: (usize, usize),
}

/// How many lines of the compiler's output stand in the comment.
const COMMENT_LINES: usize = 3;

impl CrashReport<'_> {
    /// The source under a comment that says how to see the crash.
    pub fn commented(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "// {}", self.command);
        if let Some(version) = self.version.lines().next() {
            let _ = writeln!(text, "// {version}");
        }
        let output = without_numbers(self.output);
        for line in crash_lines(&output).take(COMMENT_LINES) {
            let _ = writeln!(text, "// {line}");
        }
        let _ = writeln!(text, "// reduced from {} to {} tokens", self.tokens.0, self.tokens.1);
        let _ = write!(text, "\n{}\n", self.source.trim());
        text
    }

    /// An issue in the form that rust-lang/rust asks for.
    pub fn markdown(&self) -> String {
        let block = |language: &str, text: &str| format!("```{language}\n{}\n```\n", text.trim());
        let mut text = String::from("### Code\n\n");
        text.push_str(&block("rust", self.source));
        let _ = write!(text, "\n`{}`\n\n### Meta\n\n`rustc --version --verbose`:\n", self.command);
        text.push_str(&block("", self.version));
        text.push_str("\n### Error output\n\n");
        let output = without_numbers(self.output);
        text.push_str(&block("", before_backtrace(&output)));
        if let Some(stack) = query_stack(&output) {
            text.push_str("\n<details><summary><strong>Query stack</strong></summary>\n\n");
            text.push_str(&block("", stack));
            text.push_str("\n</details>\n");
        }
        text
    }
}

/// The output without the numbers of threads, which are other ones in each run.
fn without_numbers(output: &str) -> Cow<'_, str> {
    THREAD.replace_all(output, "$1")
}

static THREAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(thread '[^'\n]*') \(\d+\)")
        .unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
});

/// The lines that say what happened.
fn crash_lines(output: &str) -> impl Iterator<Item = &str> {
    let is_start = |line: &str| {
        [
            "panicked at",
            "internal compiler error",
            "rustc interrupted by",
            "LLVM ERROR",
            "Assertion",
        ]
        .iter()
        .any(|sign| line.contains(sign))
    };
    output.lines().skip_while(move |line| !is_start(line)).filter(|line| !line.trim().is_empty())
}

fn before_backtrace(output: &str) -> &str {
    let end = ["query stack during panic", "stack backtrace:"]
        .iter()
        .filter_map(|sign| output.find(sign))
        .min();
    &output[..end.unwrap_or(output.len())]
}

fn query_stack(output: &str) -> Option<&str> {
    let start = output.find("query stack during panic")?;
    let end = output[start..].find("end of query stack").map_or(output.len(), |end| start + end);
    Some(&output[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: CrashReport<'static> = CrashReport {
        source: "fn main() {}\n",
        command: "rustc a.rs",
        version: "rustc 1.95.0 (59807616e 2026-04-14)\nhost: x",
        output: "error: one\n\nthread 'rustc' panicked at compiler/a.rs:1:2:\nno entry\n\nquery stack during panic:\n#0 [typeck] checking\nend of query stack\n",
        tokens: (100, 6),
    };

    #[test]
    fn the_comment_says_how_to_see_the_crash() {
        assert_eq!(
            REPORT.commented(),
            "// rustc a.rs\n// rustc 1.95.0 (59807616e 2026-04-14)\n// thread 'rustc' panicked at compiler/a.rs:1:2:\n// no entry\n// query stack during panic:\n// reduced from 100 to 6 tokens\n\nfn main() {}\n"
        );
    }

    #[test]
    fn numbers_of_threads_are_left_out() {
        let report = CrashReport {
            output: "thread 'rustc' (4711) panicked at compiler/a.rs:1:2:\nno entry (4711)\n",
            ..REPORT
        };
        for text in [report.commented(), report.markdown()] {
            assert!(text.contains("thread 'rustc' panicked at"), "{text}");
            assert!(text.contains("no entry (4711)"), "{text}");
        }
    }

    #[test]
    fn the_report_has_code_meta_output_and_query_stack() {
        let report = REPORT.markdown();
        let places = [
            "### Code", "fn main() {}", "### Meta", "host: x", "### Error output", "no entry",
            "#0 [typeck]",
        ]
        .map(|part| report.find(part));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{report}");
    }
}
