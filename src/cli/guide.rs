//! The guide, which is a part of the program: `docs/src`, shown on a terminal.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use super::terminal_text::terminal_text;

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

/// Shows the guide: in the user's pager on a terminal, else as Markdown on standard output.
///
/// # Errors
/// When it cannot be written.
pub fn show() -> io::Result<()> {
    let markdown: Vec<&str> = CHAPTERS.iter().map(|(_, text)| *text).collect();
    let markdown = markdown.join("\n");
    let text = if io::stdout().is_terminal() {
        terminal_text(&markdown, textwrap::termwidth())
    } else {
        markdown
    };
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
}
