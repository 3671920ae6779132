//! Lines that end between words where a terminal would break them anywhere.

use std::borrow::Cow;

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Where the second column begins.
const COLUMN: usize = 13;
/// Where it begins on a terminal that is too narrow for two columns, …
const NEAR: usize = 2;
/// … which is narrower than this.
const NARROW: usize = 50;
/// The first words of lines that are there to be copied: to a terminal they stay one line.
const COPIED: [&str; 2] = ["Run it ", "Settle it "];

/// The text as it fits a terminal of that width.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    text.split_inclusive('\n').map(|line| wrapped_line(line, width)).collect()
}

fn wrapped_line(line: &str, width: usize) -> Cow<'_, str> {
    let is_narrow = width < NARROW;
    let (style, rest) = line.split_at(style_len(line));
    let words = rest.trim_start_matches(' ');
    let indent = rest.len() - words.len();
    let plain = plain_start(words);
    let fits = display_width(rest.trim_end()) <= width;
    if COPIED.iter().any(|copied| plain.starts_with(copied)) {
        return if is_narrow { [style, words].concat().into() } else { line.into() };
    }
    if fits && !is_narrow {
        return line.into();
    }
    let (indent, further) = match (is_narrow, indent) {
        (false, indent) => (indent, COLUMN),
        (true, COLUMN..) => (NEAR, NEAR),
        (true, _) => (0, NEAR),
    };
    let (indent, further) = (" ".repeat(indent), " ".repeat(further));
    // There is no room for columns.
    let words = if is_narrow {
        words.split_ascii_whitespace().collect::<Vec<_>>().join(" ").into()
    } else {
        Cow::from(words)
    };
    let options = Options::new(width)
        .initial_indent(&indent)
        .subsequent_indent(&further)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let mut lines = textwrap::wrap(words.trim_end(), options);
    // A first word that is wider than the terminal is not put below an empty line.
    lines.retain(|line| !line.trim().is_empty());
    let end = if line.ends_with('\n') { "\n" } else { "" };
    [style, &lines.join("\n"), end].concat().into()
}

/// How many bytes at the beginning only set a style.
fn style_len(line: &str) -> usize {
    let mut rest = line;
    while let Some((_, after)) = rest.strip_prefix("\u{1b}[").and_then(|it| it.split_once('m')) {
        rest = after;
    }
    line.len() - rest.len()
}

/// The first words without what sets or ends a style between them.
fn plain_start(words: &str) -> String {
    const LONGEST: usize = 30;
    let start: String = words.chars().take(LONGEST).collect();
    anstream::adapter::strip_str(&start).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_go_on_in_the_second_column() {
        let text = "\u{1b}[32m    Finished\u{1b}[0m reduced, and confirmed by a plain run of the test\n   x\n";
        assert_eq!(
            wrapped(text, 50),
            "\u{1b}[32m    Finished\u{1b}[0m reduced, and confirmed by a plain run\n             of the test\n   x\n"
        );
    }

    #[test]
    fn on_a_narrow_terminal_there_are_no_columns() {
        let text = "     Failure adds_up\n             panic at src/lib.rs:10:5\n";
        assert_eq!(wrapped(text, 20), "Failure adds_up\n  panic at\n  src/lib.rs:10:5\n");
        let path = "             target/reduce/adds_up\n";
        assert_eq!(wrapped(path, 20), "  target/reduce/adds_up\n");
        let next = "             --write       adds it\n";
        assert_eq!(wrapped(next, 20), "  --write adds it\n");
        assert_eq!(wrapped("      Run it cargo test\n", 20), "Run it cargo test\n");
    }

    #[test]
    fn commands_stay_whole() {
        let text = "\u{1b}[32m      Run it\u{1b}[0m cargo test --manifest-path target/reduce/adds_up/Cargo.toml\n";
        assert_eq!(wrapped(text, 60), text);
    }
}
