//! The lists and objects of a text, with their elements.

use std::ops::Range;

use super::{Unit, Units};

/// What stands between brackets: a list, an object, a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Container {
    /// All of it, without the brackets.
    pub(in super::super) content: Range<usize>,
    /// Its elements, with blanks around them, without what separates them.
    pub(in super::super) elements: Vec<Range<usize>>,
    /// What stands between two of them.
    pub(in super::super) separator: char,
    /// What stands behind the last one, if that ends as the others do.
    pub(in super::super) tail: Range<usize>,
}

impl Container {
    /// Whether it has elements one after the other, without names.
    pub(in super::super) fn is_list(&self, chars: &[char]) -> bool {
        self.content.start.checked_sub(1).is_some_and(|at| chars[at] == '[')
    }

    /// The text with these elements only.
    pub(in super::super) fn with(&self, chars: &[char], kept: &[Vec<char>]) -> Vec<char> {
        let (before, behind) = (&chars[..self.content.start], &chars[self.content.end..]);
        let tail = if kept.is_empty() { &[][..] } else { &chars[self.tail.clone()] };
        [before, &kept.join(&self.separator), tail, behind].concat()
    }

    fn of(chars: &[char], content: Range<usize>, inner: &[Unit], separator: char) -> Self {
        let cuts = separators(chars, &content, inner, separator);
        let starts = std::iter::once(content.start).chain(cuts.iter().map(|at| at + 1));
        let ends = cuts.iter().copied().chain([content.end]);
        let mut elements: Vec<Range<usize>> =
            starts.zip(ends).map(|(start, end)| start..end).collect();
        let is_blank = |it: &Range<usize>| chars[it.clone()].iter().all(|it| it.is_whitespace());
        let is_ended = elements.last().is_some_and(is_blank);
        let end = cuts.last().copied().filter(|_| is_ended).unwrap_or(content.end);
        elements.retain(|it| !is_blank(it));
        Container { tail: end..content.end, content, elements, separator }
    }
}

/// Those of a text in JSON, outer ones first; `None` if it is none, or only a single value.
pub(in super::super) fn containers(chars: &[char]) -> Option<Vec<Container>> {
    let text: String = chars.iter().collect();
    if !text.trim_start().starts_with(['{', '['])
        || serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err()
    {
        return None;
    }
    let containers = lists(chars, &Units::of(chars), "{[").into_iter();
    Some(containers.map(|(content, inner)| Container::of(chars, content, &inner, ',')).collect())
}

/// Those of any text, outer ones first, with the whole text as the first, whose elements are lines.
pub(in super::super) fn bracketed(chars: &[char]) -> Vec<Container> {
    let units = Units::of(chars);
    let whole = Container::of(chars, 0..chars.len(), &units.children(0), '\n');
    let container = |(content, inner): (Range<usize>, Vec<Unit>)| {
        let is_there = |it: &char| !separators(chars, &content, &inner, *it).is_empty();
        let separator = [',', ';', '\n'].into_iter().find(is_there).unwrap_or(' ');
        Container::of(chars, content, &inner, separator)
    };
    let inner = lists(chars, &units, "{[(").into_iter().map(container);
    std::iter::once(whole).chain(inner).collect()
}

/// Where such a separator stands between the `inner` units of a content.
fn separators(chars: &[char], content: &Range<usize>, inner: &[Unit], sign: char) -> Vec<usize> {
    let is_inside = |at: usize| inner.iter().any(|it| it.range().contains(&at));
    content.clone().filter(|at| chars[*at] == sign && !is_inside(*at)).collect()
}

/// What such brackets hold, if they do not stand in a quoted text, with the units inside.
fn lists(chars: &[char], units: &Units, opening: &str) -> Vec<(Range<usize>, Vec<Unit>)> {
    let all: Vec<Unit> = (1..).map_while(|place| units.get(place)).collect();
    let quotes = all.iter().filter(|unit| chars[unit.start] == '"').map(|unit| unit.content());
    let quotes: Vec<Range<usize>> = quotes.collect();
    let is_list = |unit: &Unit| {
        opening.contains(chars[unit.start]) && !quotes.iter().any(|it| it.contains(&unit.start))
    };
    let lists = all.iter().enumerate().filter(|(_, unit)| is_list(unit));
    lists.map(|(at, unit)| (unit.content(), units.children(at + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_those_of_each_list_and_object() {
        let text = r#"{"a, [b]": [1, {"c": "}"}], "d": {}}"#;
        let chars: Vec<char> = text.chars().collect();
        let found = containers(&chars).unwrap();
        let shown = |it: &Range<usize>| chars[it.clone()].iter().collect::<String>();
        let elements: Vec<Vec<String>> =
            found.iter().map(|it| it.elements.iter().map(shown).collect()).collect();
        let expected: [&[&str]; 4] = [
            &[r#""a, [b]": [1, {"c": "}"}]"#, r#" "d": {}"#],
            &["1", r#" {"c": "}"}"#],
            &[r#""c": "}""#],
            &[],
        ];
        assert_eq!(elements, expected);
        for other in ["[a]", "17", "\"a\"", "{} {}"] {
            assert_eq!(containers(&other.chars().collect::<Vec<_>>()), None, "{other}");
        }
    }

    #[test]
    fn elements_of_any_text_stand_between_its_separators_and_end_as_before() {
        let text = "use b;\nlet x = (\n  a: Some([1, 2],\n),\n  b: f { c; d; },\n);\n";
        let chars: Vec<char> = text.chars().collect();
        let found = bracketed(&chars);
        let without_first = |container: &Container| {
            let kept = container.elements[1..].iter().map(|it| chars[it.clone()].to_vec());
            let left = container.with(&chars, &kept.collect::<Vec<_>>());
            left.into_iter().collect::<String>()
        };
        let all: Vec<String> = found.iter().map(without_first).collect();
        let expected = [
            "let x = (\n  a: Some([1, 2],\n),\n  b: f { c; d; },\n);\n",
            "use b;\nlet x = (\n  b: f { c; d; },\n);\n",
            "use b;\nlet x = (\n  a: Some(),\n  b: f { c; d; },\n);\n",
            "use b;\nlet x = (\n  a: Some([ 2],\n),\n  b: f { c; d; },\n);\n",
            "use b;\nlet x = (\n  a: Some([1, 2],\n),\n  b: f { d; },\n);\n",
        ];
        assert_eq!(all, expected);
    }
}
