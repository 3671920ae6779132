//! The guide, which is a part of the program: `docs/src`, shown on a terminal.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use anstyle::{AnsiColor, Style};

const HEADING: Style = AnsiColor::Green.on_default().bold();
const CODE: Style = AnsiColor::Cyan.on_default();

/// Names the chapters, in their order.
macro_rules! chapters {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../docs/src/", $name)))),*]
    };
}

/// The chapters: the names of their files, and their texts.
const CHAPTERS: &[(&str, &str)] = chapters! {
    "ways-in.md"
    "doubt.md"
    "how-it-works.md"
    "inputs.md"
    "code.md"
    "crashes.md"
    "oracles.md"
    "patterns.md"
    "ci.md"
    "library.md"
    "safety.md"
    "reference.md"
    "troubleshooting.md"
};

/// Shows the guide: in the user's pager on a terminal, else on standard output.
///
/// # Errors
/// When it cannot be written.
pub fn show() -> io::Result<()> {
    let text = styled();
    if io::stdout().is_terminal() && paged(&text) {
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Who has read enough closes the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Whether a pager has shown the text.
fn paged(text: &str) -> bool {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let words = shell_words::split(&pager).unwrap_or_default();
    let Some((program, args)) = words.split_first() else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git does: colours are shown, and what fits a screen needs no pager.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    if let Some(mut stdin) = child.stdin.take() {
        let never = anstream::ColorChoice::global() == anstream::ColorChoice::Never;
        let plain = || anstream::adapter::strip_str(text).to_string();
        let text = if never { plain() } else { text.to_owned() };
        // Who has read enough leaves the pager before all is written.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}

/// All chapters, with headings and code coloured, and without what only the tests of the guide need.
fn styled() -> String {
    let mut text = String::new();
    for (_, chapter) in CHAPTERS {
        let mut is_code = false;
        for line in chapter.lines().filter(|line| !line.starts_with("<!--")) {
            if line.starts_with("```") {
                is_code = !is_code;
                continue;
            }
            let style = match line.starts_with('#') {
                _ if is_code => CODE,
                true => HEADING,
                false => Style::new(),
            };
            let indent = if is_code { "    " } else { "" };
            let _ = writeln!(text, "{indent}{style}{line}{style:#}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapters_are_those_of_the_table_of_contents() {
        let summary = include_str!("../../docs/src/SUMMARY.md");
        let links = summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')'));
        let names: Vec<&str> = CHAPTERS.iter().map(|(name, _)| *name).collect();
        assert_eq!(links.collect::<Vec<_>>(), names);
    }

    #[test]
    fn links_lead_to_chapters() {
        for (name, text) in CHAPTERS {
            let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            for link in links.filter(|link| link.split('.').next_back() == Some("md")) {
                let is_chapter = CHAPTERS.iter().any(|(chapter, _)| chapter == &link);
                assert!(is_chapter, "{name}: there is no chapter {link}");
            }
        }
    }

    #[test]
    fn what_is_shown_has_no_marks_for_tests() {
        let shown = styled();
        assert!(!shown.contains("<!--") && !shown.contains("```"));
        assert!(shown.contains("Four ways in") && shown.contains("--passes-with"));
    }
}
