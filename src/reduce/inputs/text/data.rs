//! The lists and objects of a text in JSON, with their elements.

use std::ops::Range;

use super::{Unit, Units};

/// A list or an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Container {
    /// What stands between its brackets.
    pub(in super::super) content: Range<usize>,
    /// Its elements, with blanks around them, without the commas.
    pub(in super::super) elements: Vec<Range<usize>>,
}

/// Those of a text, outer ones first; `None` if it is no JSON, or only a single value.
pub(in super::super) fn containers(chars: &[char]) -> Option<Vec<Container>> {
    let text: String = chars.iter().collect();
    if !text.trim_start().starts_with(['{', '['])
        || serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err()
    {
        return None;
    }
    let units = Units::of(chars);
    let is_list = |at: usize| matches!(chars[at], '{' | '[');
    let places = (1..).map_while(|place| Some((place, units.get(place)?)));
    let lists = places.filter(|(_, unit)| is_list(unit.start));
    // A bracket in a text is none.
    let is_quoted =
        |start: usize, inside: &[Range<usize>]| inside.iter().any(|it| it.contains(&start));
    let quotes: Vec<Range<usize>> = (1..)
        .map_while(|place| units.get(place))
        .filter(|unit| chars[unit.start] == '"')
        .map(Unit::content)
        .collect();
    let containers =
        lists.filter(|(_, unit)| !is_quoted(unit.start, &quotes)).map(|(place, unit)| {
            let content = unit.content();
            let inner = units.children(place);
            let is_inside = |at: usize| inner.iter().any(|it| it.range().contains(&at));
            let commas: Vec<usize> =
                content.clone().filter(|at| chars[*at] == ',' && !is_inside(*at)).collect();
            let starts = std::iter::once(content.start).chain(commas.iter().map(|at| at + 1));
            let ends = commas.iter().copied().chain([content.end]);
            let mut elements: Vec<Range<usize>> =
                starts.zip(ends).map(|(start, end)| start..end).collect();
            elements.retain(|it| !chars[it.clone()].iter().all(|it| it.is_whitespace()));
            Container { content, elements }
        });
    Some(containers.collect())
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
}
