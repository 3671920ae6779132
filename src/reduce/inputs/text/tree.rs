//! The structure of a text that shows without a grammar: balanced brackets, quotes, and tags.
//!
//! Each is a [`Unit`] with an opening, a content and a closing part. Units nest; they are found by one
//! scan with a stack, and what does not balance is no unit. Tags are those of HTML and XML
//! (`<td …>…</td>`; the tag alone is a unit too) and the blocks of template languages
//! (`{{#each}}…{{/each}}`).

use std::cmp::Reverse;
use std::ops::Range;

/// A balanced part of a text; offsets are in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Unit {
    pub(in super::super) start: usize,
    pub(in super::super) content_start: usize,
    pub(in super::super) content_end: usize,
    pub(in super::super) end: usize,
}

impl Unit {
    /// What is between its opening and its closing part.
    pub(in super::super) fn content(self) -> Range<usize> {
        self.content_start..self.content_end
    }

    /// Its opening bracket, quote or tag.
    pub(in super::super) fn opening(self) -> Range<usize> {
        self.start..self.content_start
    }

    /// Its closing bracket, quote or tag.
    pub(in super::super) fn closing(self) -> Range<usize> {
        self.content_end..self.end
    }

    /// All of it.
    pub(in super::super) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// All units of a text, in preorder: outer before inner, then by position. The first is the whole
/// text, with nothing around its content.
#[derive(Debug)]
pub(in super::super) struct Units(Vec<Unit>);

impl Units {
    /// Finds the units.
    pub(in super::super) fn of(chars: &[char]) -> Units {
        let mut scan = Scan { chars, open: Vec::new(), units: Vec::new() };
        let end = chars.len();
        scan.units.push(Unit { start: 0, content_start: 0, content_end: end, end });
        let mut idx = 0;
        while idx < end {
            idx = scan.step(idx);
        }
        let mut units = scan.units;
        units.sort_by_key(|unit| (unit.start, Reverse(unit.end), unit.content_start));
        Units(units)
    }

    /// The first unit at or after a place in preorder, with that place.
    pub(in super::super) fn get(&self, place: usize) -> Option<Unit> {
        self.0.get(place).copied()
    }

    /// All but the whole text.
    pub(in super::super) fn nested(&self) -> impl Iterator<Item = Unit> + '_ {
        self.0.iter().skip(1).copied()
    }

    /// The units directly inside the content of the one at `place`.
    pub(in super::super) fn children(&self, place: usize) -> Vec<Unit> {
        let content = self.0[place].content();
        let mut children = Vec::new();
        let mut from = content.start;
        for unit in &self.0[place + 1..] {
            if unit.start >= content.end {
                break;
            }
            if unit.start >= from && unit.end <= content.end {
                children.push(*unit);
                from = unit.end;
            }
        }
        children
    }
}

/// Something opened that may be closed later.
struct Open {
    closing: Closing,
    start: usize,
    content_start: usize,
}

#[derive(PartialEq, Eq)]
enum Closing {
    Bracket(char),
    Tag(Vec<char>),
}

/// How many things that stay open a closing part can close over: a bound for texts with very many
/// brackets that do not match.
const DEEPEST: usize = 64;

struct Scan<'c> {
    chars: &'c [char],
    open: Vec<Open>,
    units: Vec<Unit>,
}

impl Scan<'_> {
    /// Looks at the character at `idx`; returns where to go on.
    fn step(&mut self, idx: usize) -> usize {
        match self.chars[idx] {
            '(' => self.open(Closing::Bracket(')'), idx, idx + 1),
            '[' => self.open(Closing::Bracket(']'), idx, idx + 1),
            '{' => {
                self.tag(idx, &['{', '{', '#'], &['{', '{', '/'], &['}', '}']);
                self.open(Closing::Bracket('}'), idx, idx + 1)
            }
            c @ (')' | ']' | '}') => self.close(&Closing::Bracket(c), idx, idx + 1),
            '<' => self.angle(idx),
            c @ ('"' | '`') => self.quote(idx, c),
            '\'' if idx == 0 || !self.chars[idx - 1].is_alphanumeric() => self.quote(idx, '\''),
            _ => idx + 1,
        }
    }

    fn open(&mut self, closing: Closing, start: usize, content_start: usize) -> usize {
        self.open.push(Open { closing, start, content_start });
        content_start
    }

    /// Closes the innermost thing that this closes; what was opened inside stays unbalanced.
    fn close(&mut self, closing: &Closing, content_end: usize, end: usize) -> usize {
        let innermost = self.open.len().saturating_sub(DEEPEST);
        let found = self.open[innermost..].iter().rposition(|open| open.closing == *closing);
        if let Some(place) = found.map(|place| innermost + place) {
            let Open { start, content_start, .. } = self.open[place];
            self.units.push(Unit { start, content_start, content_end, end });
            self.open.truncate(place);
        }
        end
    }

    /// A quoted string on one line; backslashes escape.
    fn quote(&mut self, start: usize, quote: char) -> usize {
        let mut idx = start + 1;
        while let Some(&c) = self.chars.get(idx) {
            match c {
                '\\' => idx += 1,
                '\n' => break,
                c if c == quote => {
                    let end = idx + 1;
                    self.units.push(Unit {
                        start,
                        content_start: start + 1,
                        content_end: idx,
                        end,
                    });
                    return end;
                }
                _ => {}
            }
            idx += 1;
        }
        start + 1
    }

    /// `<tag …>` or `</tag>`.
    fn angle(&mut self, start: usize) -> usize {
        let Some(length) = self.chars[start + 1..].iter().position(|&c| c == '>' || c == '<')
        else {
            return start + 1;
        };
        let content_end = start + 1 + length;
        if self.chars[content_end] == '<' {
            return start + 1;
        }
        self.tag(start, &['<'], &['<', '/'], &['>']);
        // What is inside a tag (attributes) is scanned like any other text.
        let end = content_end + 1;
        self.units.push(Unit { start, content_start: start + 1, content_end, end });
        start + 1
    }

    /// Opens or closes an element if a tag with a name starts here.
    fn tag(&mut self, start: usize, opening: &[char], ending: &[char], right: &[char]) {
        let rest = &self.chars[start..];
        let is_ending = rest.starts_with(ending);
        if !is_ending && !rest.starts_with(opening) {
            return;
        }
        let name_start = if is_ending { ending.len() } else { opening.len() };
        let is_name = |c: &&char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        let name: Vec<char> = rest[name_start..].iter().take_while(is_name).copied().collect();
        let Some(length) = rest.windows(right.len()).position(|window| window == right) else {
            return;
        };
        if name.is_empty() {
            return;
        }
        let after = start + length + right.len();
        if is_ending {
            self.close(&Closing::Tag(name), start, after);
        } else if rest[length - 1] != '/' {
            self.open(Closing::Tag(name), start, after);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        Units::of(&chars).0[1..].iter().map(|unit| chars[unit.range()].iter().collect()).collect()
    }

    #[test]
    fn brackets_and_quotes_nest() {
        assert_eq!(
            units(r#"f({"a)": [1]})"#),
            [r#"({"a)": [1]})"#, r#"{"a)": [1]}"#, r#""a)""#, "[1]"]
        );
    }

    #[test]
    fn what_does_not_balance_is_no_unit() {
        assert_eq!(units("a) (b [c) \"d\n isn't"), ["(b [c)"]);
        assert_eq!(units("1 < 2 <"), [""; 0]);
    }

    #[test]
    fn an_element_and_its_tags_are_units() {
        assert_eq!(
            units("<ul class='x'><li>a<br/></ul>"),
            ["<ul class='x'><li>a<br/></ul>", "<ul class='x'>", "'x'", "<li>", "<br/>", "</ul>"]
        );
        assert_eq!(units("{{#a}}b{{/a}}")[0], "{{#a}}b{{/a}}");
    }

    #[test]
    fn children_are_the_units_directly_inside() {
        let chars: Vec<char> = "[{a}, [b[c]], (d)]".chars().collect();
        let units = Units::of(&chars);
        let children = units.children(1);
        let texts: Vec<String> =
            children.iter().map(|unit| chars[unit.range()].iter().collect()).collect();
        assert_eq!(texts, ["{a}", "[b[c]]", "(d)"]);
    }
}
