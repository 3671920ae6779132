//! The bracket structure of any text: a tree to reduce where there is no grammar.

use std::ops::Range;

use crate::rust::Reduction;

/// A pair of brackets.
struct Group {
    /// From the opening to the closing bracket, both included.
    range: Range<usize>,
    /// How many groups are around it.
    depth: usize,
    /// The place of the group directly around it.
    parent: Option<usize>,
    /// Where the separators are.
    separators: Vec<usize>,
}

/// Removes an element of a list (what stands between commas or semicolons) in brackets at `depth`, as
/// hierarchical delta debugging does level by level; `None` if nothing is that deep.
pub(crate) fn elements(text: &str, depth: usize) -> Option<Vec<Reduction>> {
    let groups = groups(text);
    let deepest = groups.iter().map(|group| group.depth).max()?;
    let here = groups.iter().filter(|group| group.depth == depth);
    (depth <= deepest).then(|| here.flat_map(list_elements).map(Reduction::remove).collect())
}

/// Swaps a group for one of the groups directly inside, or for all that is inside.
pub(crate) fn hoists(text: &str) -> Vec<Reduction> {
    let groups = groups(text);
    let pairs = groups.iter().filter_map(|group| Some((&groups[group.parent?], group)));
    let inner =
        pairs.map(|(outer, inner)| Reduction::keep(outer.range.clone(), inner.range.clone()));
    let inside = |group: &Group| group.range.start + 1..group.range.end - 1;
    let all = groups.iter().map(|group| Reduction::keep(group.range.clone(), inside(group)));
    inner.chain(all).collect()
}

/// The ranges of the elements, each with one separator.
fn list_elements(group: &Group) -> Vec<Range<usize>> {
    let (first, last) = (group.range.start + 1, group.range.end - 1);
    let mut starts = vec![first];
    starts.extend(group.separators.iter().map(|separator| separator + 1));
    let ends = group.separators.iter().map(|separator| separator + 1).chain([last]);
    let mut ranges: Vec<Range<usize>> =
        starts.into_iter().zip(ends).map(|(start, end)| start..end).collect();
    if let ([.., before], Some(range)) = (group.separators.as_slice(), ranges.last_mut()) {
        range.start = *before;
    }
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// All groups that are closed, outer before inner. Brackets in double quotes do not count.
fn groups(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut closed = Vec::new();
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, symbol) in text.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || symbol != '"';
            is_escaped = !is_escaped && symbol == '\\';
            continue;
        }
        match symbol {
            '"' => is_quoted = true,
            '(' | '[' | '{' => {
                let parent = open.last().map(|(group, _)| *group);
                open.push((groups.len(), symbol));
                groups.push(Group {
                    range: at..at,
                    depth: open.len() - 1,
                    parent,
                    separators: Vec::new(),
                });
            }
            ')' | ']' | '}' => {
                if let Some((group, _)) = open.pop_if(|(_, opening)| fits(*opening, symbol)) {
                    groups[group].range.end = at + 1;
                    closed.push(group);
                }
            }
            ',' | ';' => {
                if let Some((group, _)) = open.last() {
                    groups[*group].separators.push(at);
                }
            }
            _ => {}
        }
    }
    if closed.len() == groups.len() { groups } else { Vec::new() }
}

fn fits(opening: char, closing: char) -> bool {
    matches!((opening, closing), ('(', ')') | ('[', ']') | ('{', '}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;

    fn results(text: &str, reductions: &[Reduction]) -> Vec<String> {
        reductions.iter().map(|reduction| apply(text, [reduction])).collect()
    }

    #[test]
    fn elements_go_with_one_separator_level_by_level() {
        let text = "[1,{\"a,]\":2},3]";
        assert_eq!(
            results(text, &elements(text, 0).unwrap()),
            ["[{\"a,]\":2},3]", "[1,3]", "[1,{\"a,]\":2}]"]
        );
        assert_eq!(results(text, &elements(text, 1).unwrap()), ["[1,{},3]"]);
        assert!(elements(text, 2).is_none());
    }

    #[test]
    fn a_group_gives_way_to_one_inside() {
        let text = "{\"a\":[1,{\"b\":2}]}";
        assert_eq!(results(text, &hoists(text))[..2], ["[1,{\"b\":2}]", "{\"a\":{\"b\":2}}"]);
    }

    #[test]
    fn text_with_unbalanced_brackets_has_no_structure() {
        assert!(elements("[(]", 0).is_none());
        assert!(hoists("[[").is_empty());
    }
}
