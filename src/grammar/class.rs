//! Character classes: sets of Unicode scalar values as ranges.

use std::fmt;

/// A set of characters. A range costs the same whether it holds ten characters or a million.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CharClass {
    /// Sorted, disjoint, not adjacent; none crosses the surrogates.
    ranges: Vec<(char, char)>,
    /// The members below 128, for a test without a search.
    ascii: u128,
}

/// The last character before, and the first one after the surrogates.
const AROUND_SURROGATES: (char, char) = ('\u{d7ff}', '\u{e000}');

impl CharClass {
    /// The class of the characters in `ranges` (both ends included).
    pub fn new(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let (before, after) = AROUND_SURROGATES;
        let mut sorted: Vec<(char, char)> = Vec::new();
        for (low, high) in ranges {
            if low <= before && high >= after {
                sorted.extend([(low, before), (after, high)]);
            } else if low <= high {
                sorted.push((low, high));
            }
        }
        sorted.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::with_capacity(sorted.len());
        for (low, high) in sorted {
            match merged.last_mut() {
                Some(last) if low as u32 <= last.1 as u32 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        let ascii = ascii_bits(&merged);
        CharClass { ranges: merged, ascii }
    }

    /// The class of all characters.
    pub fn any() -> Self {
        CharClass::new([('\0', char::MAX)])
    }

    /// The class of the characters of `text`.
    pub fn of(text: &str) -> Self {
        CharClass::new(text.chars().map(|c| (c, c)))
    }

    /// All characters that are not in this class.
    pub fn negated(&self) -> Self {
        let mut gaps = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = Some('\0');
        for &(low, high) in &self.ranges {
            if let (Some(start), Some(end)) = (next, before(low)) {
                gaps.push((start, end));
            }
            next = after(high);
        }
        if let Some(start) = next {
            gaps.push((start, char::MAX));
        }
        CharClass::new(gaps.into_iter().filter(|(low, high)| low <= high))
    }

    /// The characters of either class.
    pub fn union(&self, other: &CharClass) -> Self {
        CharClass::new(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The characters of this class that are not in `other`.
    pub fn minus(&self, other: &CharClass) -> Self {
        self.negated().union(other).negated()
    }

    /// Whether `c` is a member.
    pub fn contains(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii >> (c as u32) & 1 == 1;
        }
        let place = self.ranges.partition_point(|&(_, high)| high < c);
        self.ranges.get(place).is_some_and(|&(low, _)| low <= c)
    }

    /// The number of members.
    pub fn count(&self) -> u32 {
        self.ranges.iter().map(|&(low, high)| high as u32 - low as u32 + 1).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Member number `place` in ascending order, from 0.
    pub fn nth(&self, mut place: u32) -> Option<char> {
        for &(low, high) in &self.ranges {
            let length = high as u32 - low as u32 + 1;
            if place < length {
                return char::from_u32(low as u32 + place);
            }
            place -= length;
        }
        None
    }

    /// The members in ascending order.
    pub fn chars(&self) -> impl Iterator<Item = char> + '_ {
        self.ranges.iter().flat_map(|&(low, high)| low..=high)
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// The member that reads best: a letter, a digit, a printable character, or the first one.
    pub fn simplest(&self) -> Option<char> {
        ['0', 'a', 'A', ' ']
            .into_iter()
            .find(|&c| self.contains(c))
            .or_else(|| self.chars().take_while(char::is_ascii).find(char::is_ascii_graphic))
            .or_else(|| self.nth(0))
    }
}

/// Written `[a-z0-9]`, with escapes as in the EBNF notation.
impl fmt::Display for CharClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let complement = self.negated();
        let negative = complement.ranges.len() < self.ranges.len();
        let shown = if negative { &complement } else { self };
        f.write_str(if negative { "[^" } else { "[" })?;
        for &(low, high) in &shown.ranges {
            write_member(f, low)?;
            if high as u32 > low as u32 + 1 {
                f.write_str("-")?;
            }
            if high > low {
                write_member(f, high)?;
            }
        }
        f.write_str("]")
    }
}

fn write_member(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '[' | ']' | '\\' | '-' | '^' => write!(f, "\\{c}"),
        ' '..='~' => write!(f, "{c}"),
        c if c.is_alphanumeric() => write!(f, "{c}"),
        c => write!(f, "\\u{{{:x}}}", c as u32),
    }
}

fn ascii_bits(ranges: &[(char, char)]) -> u128 {
    let below = ranges.iter().take_while(|(low, _)| low.is_ascii());
    below.flat_map(|&(low, high)| low..=high.min('\x7f')).fold(0, |bits, c| bits | 1 << (c as u32))
}

fn before(c: char) -> Option<char> {
    if c == AROUND_SURROGATES.1 {
        return Some(AROUND_SURROGATES.0);
    }
    (c as u32).checked_sub(1).and_then(char::from_u32)
}

fn after(c: char) -> Option<char> {
    if c == AROUND_SURROGATES.0 {
        return Some(AROUND_SURROGATES.1);
    }
    char::from_u32(c as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_merge_and_skip_the_surrogates() {
        let class = CharClass::new([('d', 'f'), ('a', 'c'), ('x', 'x')]);
        assert_eq!(class.ranges(), [('a', 'f'), ('x', 'x')]);
        assert_eq!(CharClass::any().count(), 0x11_0000 - 0x800);
        assert_eq!(CharClass::any().nth(0xd800), Some('\u{e000}'));
    }

    #[test]
    fn negation_is_its_own_inverse() {
        for class in ["", "a", "a-z", "\0\u{d7ff}\u{e000}\u{10ffff}", "éà"] {
            let class = CharClass::of(class);
            assert_eq!(class.negated().negated(), class);
            assert_eq!(class.count() + class.negated().count(), CharClass::any().count());
        }
        assert!(CharClass::any().negated().is_empty());
    }

    #[test]
    fn membership_is_by_range() {
        let class = CharClass::new([('0', '9'), ('α', 'ω')]);
        assert!(class.contains('5') && class.contains('λ'));
        assert!(!class.contains('a') && !class.contains('€'));
        assert_eq!(class.minus(&CharClass::of("5")).count(), class.count() - 1);
    }

    #[test]
    fn display_escapes_and_prefers_the_shorter_form() {
        assert_eq!(CharClass::new([('a', 'z'), ('-', '-')]).to_string(), "[\\-a-z]");
        assert_eq!(CharClass::of("\"\\").negated().to_string(), "[^\"\\\\]");
        assert_eq!(CharClass::of("ab").to_string(), "[ab]");
    }
}
