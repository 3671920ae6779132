//! What is said in the same way everywhere: places, numbers, and colours.

use anstyle::{AnsiColor, Style};

use super::Input;
use crate::source;

pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const FRAME: Style = AnsiColor::Blue.on_default().bold();

/// Where an input stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputLine {
    file: String,
    /// From 1.
    pub(super) line: u32,
}

impl InputLine {
    pub(super) fn of(input: &Input) -> InputLine {
        InputLine { file: input.file.clone(), line: input.line }
    }
}

pub(super) fn at(place: Option<&InputLine>) -> String {
    place.map_or_else(|| "an input".to_owned(), |place| format!("{}:{}", place.file, place.line))
}

/// So many of what the noun says: `1 element`, `2 elements`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    source::grouped(&number.to_string(), 3, ',')
}
