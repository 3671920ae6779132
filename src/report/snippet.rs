//! Pieces of source with their places, as rustc shows them.

use std::fmt::Write;

use similar::DiffTag;

use super::phrases::{BAD, FRAME, GOOD, InputLine, at, counted};
use super::visible::visible;
use crate::oracle::signature::operations;

/// Lines of a reduced input that are shown, and characters of each.
const LINES: usize = 24;
const WIDTH: usize = 1_000;
/// Files of up to so many lines are shown whole.
const FEW_LINES: usize = 12;
/// Characters that are shown of what it was.
const BEFORE: usize = 70;
/// Up to so many characters it is shown what differs.
const COMPARED: usize = 200;

/// A piece of source with its place and a note below; what it was `before` is shown above it, in one line.
pub(super) fn snippet(
    place: Option<&InputLine>,
    before: Option<&str>,
    source: &str,
    note: &str,
) -> String {
    let number = place.map_or_else(String::new, |place| place.line.to_string());
    let width = number.len().max(1);
    let bar = format!("{FRAME}{:width$} |{FRAME:#}", "");
    let mut text = String::new();
    let _ = writeln!(text, "{FRAME}{:width$}-->{FRAME:#} {}", "", at(place));
    let _ = writeln!(text, "{bar}");
    let (old, new) = before.map_or((None, None), |before| compared(before, source));
    if let Some(before) = before {
        let old = old.unwrap_or_else(|| in_one_line(before));
        let _ = writeln!(text, "{:width$} {BAD}-{BAD:#} {old}", "");
    }
    let mark = match before {
        Some(_) => format!("{GOOD}+{GOOD:#}"),
        None => format!("{FRAME}|{FRAME:#}"),
    };
    let (lines, rest) = match new {
        Some(line) => (vec![line], 0),
        None => screenful(source),
    };
    for (index, line) in lines.iter().enumerate() {
        let number = if index == 0 { number.as_str() } else { "" };
        let _ = writeln!(text, "{FRAME}{number:width$}{FRAME:#} {mark} {line}");
    }
    if rest > 0 {
        let rest = counted(rest as u64, "character");
        let _ = writeln!(text, "{:width$} {mark} … and {rest}, in the files named below", "");
    }
    let _ = writeln!(text, "{bar}");
    let _ = writeln!(text, "{FRAME}{:width$} ={FRAME:#} {note}", "");
    text
}

/// What is left of a file with the numbers of its lines, if that is few lines; else nothing.
pub(super) fn few_lines(source: &str) -> String {
    let (lines, count) = (source.trim_end().lines(), source.trim_end().lines().count());
    if count == 0 || count > FEW_LINES || source.len() > WIDTH {
        return String::new();
    }
    let width = count.to_string().len();
    let bar = format!("{FRAME}{:width$}  |{FRAME:#}\n", "");
    let lines = lines.enumerate().map(|(index, line)| {
        format!("{FRAME}{:>width$}  |{FRAME:#} {}\n", index + 1, visible(line))
    });
    [bar.clone(), lines.collect(), bar].concat()
}

/// Both texts with what differs in colour, where they are short lines.
fn compared(before: &str, after: &str) -> (Option<String>, Option<String>) {
    let is_short = |text: &str| text.chars().count() <= COMPARED && !text.contains('\n');
    if !is_short(before) || !is_short(after) {
        return (None, None);
    }
    let chars = |text: &str| text.chars().map(|c| visible(&c.to_string())).collect::<Vec<_>>();
    let (old, new) = (chars(before), chars(after));
    let (left, right): (Vec<&str>, Vec<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    let (mut was, mut is) = (String::new(), String::new());
    for operation in operations(&left, &right) {
        let gone = old[operation.old_range()].concat();
        let come = new[operation.new_range()].concat();
        if operation.tag() == DiffTag::Equal {
            was.push_str(&gone);
            is.push_str(&come);
        } else {
            let _ = write!(was, "{BAD}{gone}{BAD:#}");
            let _ = write!(is, "{GOOD}{come}{GOOD:#}");
        }
    }
    (Some(was), Some(is))
}

/// A text in one line, without its middle if it is long.
fn in_one_line(text: &str) -> String {
    let line = visible(text).replace('\n', "⏎");
    let count = line.chars().count();
    if count <= BEFORE {
        return line;
    }
    let half = BEFORE / 2;
    let head: String = line.chars().take(half).collect();
    let tail: String = line.chars().skip(count - half).collect();
    format!("{head} … {tail}")
}

/// The beginning of a source that fits on the screen, and how many characters are left out.
fn screenful(source: &str) -> (Vec<String>, usize) {
    let mut left_out = 0;
    let mut shown = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let end = line.char_indices().nth(WIDTH).map_or(line.len(), |(at, _)| at);
        if index < LINES {
            shown.push(visible(&line[..end]));
            left_out += line[end..].chars().count();
        } else {
            left_out += line.chars().count();
        }
    }
    (shown, left_out)
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    fn plain(before: &str, after: &str) -> Vec<String> {
        let text = snippet(None, Some(before), after, "note");
        strip_str(&text).to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_it_was_stands_above_what_it_is() {
        assert_eq!(plain("\"-25\"", "\"-1\"")[2..4], ["  - \"-25\"", "  + \"-1\""]);
        let long = plain(&"line\n".repeat(90), "\"\"");
        assert!(long[2].starts_with("  - line⏎line⏎") && long[2].contains(" … "), "{long:?}");
        assert_eq!(long[3], "  + \"\"");
    }

    #[test]
    fn a_file_of_few_lines_is_shown_with_their_numbers() {
        let shown = strip_str(&few_lines("fn a() {\n}\n")).to_string();
        assert_eq!(shown, "   |\n1  | fn a() {\n2  | }\n   |\n");
        assert_eq!(few_lines(&"x\n".repeat(13)) + &few_lines(&"x".repeat(2_000)), "");
    }

    #[test]
    fn what_differs_is_in_colour() {
        let text = snippet(None, Some("ab"), "a", "note");
        assert!(text.contains(&format!("a{BAD}b{BAD:#}")), "{text:?}");
    }

    #[test]
    fn nothing_controls_the_terminal() {
        let lines = plain("\u{1b}[2J\n\n", "\u{1b}[2J");
        assert!(lines[2].contains("\\u{1b}[2J⏎") && lines[3].contains("\\u{1b}"), "{lines:?}");
    }
}
