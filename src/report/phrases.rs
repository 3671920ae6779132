//! What is said in the same way everywhere: places, numbers, and colours.

use anstyle::{AnsiColor, Style};

use super::Input;

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
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        let all = [0, 12, 999, 1_000, 11_222, 1_000_000].map(grouped);
        assert_eq!(all, ["0", "12", "999", "1,000", "11,222", "1,000,000"]);
    }
}
