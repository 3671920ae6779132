//! What changes on the right side of a comparison when the left one loses parts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::oracle::signature::{Change, changes, tokens};
use crate::rust::scan::is_number;
use crate::source::Edits;

/// What the right side loses where the left one changes to `now` by losing parts, and what its numbers become that count these:
/// where both sides have the same one. `None` where the left one changes otherwise.
pub(super) fn lost_with(left: &str, now: &str, right: &str) -> Option<Edits> {
    let (left, now, right) = (tokens(left), tokens(now), tokens(right));
    let mut lost = vec![false; left.len()];
    let mut counted = BTreeMap::new();
    let mut differing = changes(&left, &right);
    let blanks = differing_blanks(&left, &right, &differing);
    for change in changes(&left, &now) {
        match (&left[change.left.clone()], &now[change.right]) {
            (_, []) if is_vague(&left, &change.left, &differing) => return None,
            (_, []) if takes_blanks(&left, &change.left, &blanks) => return None,
            (_, []) => lost[change.left].fill(true),
            ([before], [after]) if is_number(before) && is_number(after) => {
                counted.insert(change.left.start, *after);
            }
            _ => return None,
        }
    }
    let mut removed = vec![false; right.len()];
    let mut written = BTreeMap::new();
    let (mut at, mut to) = (0, 0);
    differing.push(Change { left: left.len()..left.len(), right: right.len()..right.len() });
    for (place, change) in differing.iter().enumerate() {
        while at < change.left.start {
            removed[to] = lost[at];
            written.extend(counted.remove(&at).map(|number| (to, number)));
            (at, to) = (at + 1, to + 1);
        }
        let part = &lost[change.left.clone()];
        let is_lost = match part.first() {
            Some(is_lost) => *is_lost,
            None => is_missing_lost(&left, &lost, &right, &differing, place)?,
        };
        if part.iter().any(|lost| *lost != is_lost) {
            return None;
        }
        removed[change.right.clone()].fill(is_lost);
        (at, to) = (change.left.end, change.right.end);
    }
    // A number that is wrong itself is the failure.
    if !counted.is_empty() {
        return None;
    }
    remove_dangling_blanks(&right, &now, &mut removed);
    let mut edits = Edits::default();
    let mut start = 0;
    for (at, token) in right.iter().enumerate() {
        let range = start..start + token.len();
        start = range.end;
        match written.get(&at) {
            Some(number) => edits.replace(range, *number),
            None if removed[at] => edits.remove(range),
            None => {}
        }
    }
    (!edits.is_empty()).then_some(edits)
}

/// Removes the blanks that stand before what is `removed` at the end of a line, if no line of the left side ends in blanks `now`:
/// what ended the line there was parted by them from the rest.
fn remove_dangling_blanks(right: &[&str], now: &[&str], removed: &mut [bool]) {
    let is_end = |next: Option<&&str>| next.is_none_or(|it| is_line_end(it) || *it == "\"");
    let dangles = |at: usize| is_blank(now[at]) && !is_line_end(now[at]) && is_end(now.get(at + 1));
    if (0..now.len()).any(dangles) {
        return;
    }
    for end in 1..=right.len() {
        let stays = removed.get(end).is_none_or(|is_removed| !is_removed);
        if !is_end(right.get(end)) || !stays || !removed[end - 1] || is_line_end(right[end - 1]) {
            continue;
        }
        let first = (0..end).rev().take_while(|at| removed[*at]).last().unwrap_or(end);
        let mut start = first;
        while start > 0 && is_blank(right[start - 1]) && !is_line_end(right[start - 1]) {
            start -= 1;
        }
        // Nothing is left of a line that was indented.
        start -= usize::from(start < first && start > 0 && is_line_end(right[start - 1]));
        removed[start..first].fill(true);
    }
}

/// Whether what is missing on the left side at one of the places where the sides differ goes with the tokens that are `lost` there;
/// `None` where nobody knows.
fn is_missing_lost(
    left: &[&str],
    lost: &[bool],
    right: &[&str],
    differing: &[Change],
    place: usize,
) -> Option<bool> {
    let change = &differing[place];
    let at = change.left.start;
    if right[change.right.clone()].iter().all(|it| is_blank(it))
        && let (Some(before), Some(behind)) = (at.checked_sub(1), lost.get(at))
    {
        // What parts two tokens goes with both.
        return (lost[before] == *behind).then_some(*behind);
    }
    let is_word = |at: &usize| left[*at].contains(char::is_alphanumeric);
    let Some(Owner { tokens, is_behind }) = Owner::of(left, differing, place) else {
        // It goes with both of its neighbours; the ends of the whole are none.
        let neighbours = [(0..at).rev().find(is_word), (at..left.len()).find(is_word)];
        return Some(neighbours.into_iter().flatten().all(|at| lost[at]));
    };
    let is_lost = tokens.clone().filter(is_word).all(|at| lost[at]);
    // Next to something else nobody knows whether it would be missing.
    let next = if is_behind { tokens.start } else { tokens.end - 1 };
    (is_lost || !lost[next]).then_some(is_lost)
}

/// Whether the left side would be the same without tokens next to those that are `lost`, at a place where the sides differ: of two
/// quotes, of which one is wrong, nobody knows which one has gone.
fn is_vague(left: &[&str], lost: &Range<usize>, differing: &[Change]) -> bool {
    let back = left[..lost.start].iter().rev().zip(left[..lost.end].iter().rev());
    let on = left[lost.start..].iter().zip(&left[lost.end..]);
    let [back, on] = [
        back.take_while(|(one, other)| one == other).count(),
        on.take_while(|(one, other)| one == other).count(),
    ];
    let (start, end) = (lost.start - back, lost.end + on);
    let mut other = left[start..lost.start].iter().chain(&left[lost.end..end]);
    let touches = |Change { left, .. }: &Change| {
        if left.is_empty() {
            (start..=end).contains(&left.start)
        } else {
            left.start < end && start < left.end
        }
    };
    other.any(|token| !is_between(token)) && differing.iter().any(touches)
}

/// The blanks in which the sides differ, where that is all that they differ in: `ab` and `a b` do.
fn differing_blanks<'t>(
    left: &[&'t str],
    right: &[&'t str],
    differing: &[Change],
) -> BTreeSet<&'t str> {
    let mut blanks = BTreeSet::new();
    for change in differing {
        let sides = [&left[change.left.clone()], &right[change.right.clone()]];
        let [left, right] = sides.map(|side| {
            let (blank, words): (Vec<&str>, Vec<&str>) =
                side.iter().partition(|token| is_blank(token));
            blanks.extend(blank);
            words.concat()
        });
        if left != right {
            return BTreeSet::new();
        }
    }
    blanks
}

fn is_blank(token: &str) -> bool {
    is_line_end(token) || token == r"\t" || token.trim().is_empty()
}

/// Whether such a blank goes at one end of what is `lost`, unless whole lines go, or blanks with which one begins: where blanks
/// are what is wrong, nobody knows whether a right result would have kept it.
fn takes_blanks(left: &[&str], lost: &Range<usize>, blanks: &BTreeSet<&str>) -> bool {
    let run = &left[lost.clone()];
    let begins_line = left[..lost.start].last().is_none_or(|it| is_line_end(it) || *it == "\"");
    let is_whole = run.last().is_some_and(|last| is_line_end(last));
    let is_free = begins_line && (is_whole || run.iter().all(|it| is_blank(it)));
    let takes = |end: Option<&&str>| end.is_some_and(|end| blanks.contains(end));
    !is_free && (takes(run.last()) || takes(run.first()) && !begins_line)
}

fn is_line_end(token: &str) -> bool {
    matches!(token, r"\n" | r"\r\n" | "\n")
}

/// What belongs to something that is missing on the left side.
struct Owner {
    /// The tokens next to it of which no blank parts it, up to what is missing at their other end, as the tags around a
    /// paragraph are, or else to the end of the line.
    tokens: Range<usize>,
    /// Whether they stand behind it.
    is_behind: bool,
}

impl Owner {
    /// The owner of what is missing at one of the changes; `None` where that may be what stands before it as well as what
    /// stands behind.
    fn of(left: &[&str], changes: &[Change], place: usize) -> Option<Self> {
        let is_behind = |place: usize| {
            let at = changes.get(place).filter(|it| it.left.is_empty())?.left.start;
            let is_near = |at: usize| left.get(at).is_some_and(|token| !is_between(token));
            let [before, behind] = [at.checked_sub(1).is_some_and(is_near), is_near(at)];
            (before != behind).then_some(behind)
        };
        let at = changes[place].left.start;
        let is_end = |at: &usize| is_line_end(left[*at]);
        let partner = |place: usize, side: bool| {
            let is_partner = is_behind(place) == Some(side);
            is_partner.then(|| changes[place].left.start)
        };
        let is_behind = is_behind(place)?;
        let tokens = if is_behind {
            let end = partner(place + 1, false);
            at..end.or_else(|| (at..left.len()).find(is_end)).unwrap_or(left.len())
        } else {
            let start = place.checked_sub(1).and_then(|place| partner(place, true));
            start.or_else(|| Some((0..at).rfind(is_end)? + 1)).unwrap_or(0)..at
        };
        Some(Owner { tokens, is_behind })
    }
}

/// Whether a token stands between others, and belongs to none.
fn is_between(token: &str) -> bool {
    matches!(token, r"\n" | r"\r\n" | r"\t" | "," | "\"" | "[" | "]" | "{" | "}" | "(" | ")")
        || token.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right_without(left: &str, now: &str, right: &str) -> Option<String> {
        lost_with(left, now, right).map(|edits| edits.apply(right))
    }

    #[test]
    fn what_the_result_loses_the_expected_value_loses_too() {
        let without = right_without("a 1\nb 2\nc 3", "b 2\nc 3", "a 1\nb 7\nc 3");
        assert_eq!(without.as_deref(), Some("b 7\nc 3"));
        let without = right_without("a 1\nb 2\nc 3", "a 1\nc 3", "a 1\nb 7\nc 3");
        assert_eq!(without.as_deref(), Some("a 1\nc 3"));
        assert_eq!(right_without("a 1\nb 2", "a 1\nb 3", "a 1\nb 7"), None);
    }

    #[test]
    fn numbers_that_both_sides_have_count_what_is_left() {
        let [left, right] = ["2 of\na 1\nb 2", "2 of\na; 1\nb 2"];
        let without = |now: &str| right_without(left, now, right);
        assert_eq!(without("1 of\na 1").as_deref(), Some("1 of\na; 1"));
        assert_eq!(without("1 of\na 1\nb 2").as_deref(), Some("1 of\na; 1\nb 2"));
        assert_eq!(without("x of\na 1"), None);
    }

    #[test]
    fn of_two_alike_of_which_one_is_wrong_none_goes() {
        let [left, right] = [r#""a \"b\"\" c""#, r#""a \"b\\\"\" c""#];
        assert_eq!(right_without(left, r#""a \"b\" c""#, right), None);
        assert!(right_without(left, r#""\"b\"\" c""#, right).is_some());
        assert_eq!(right_without("x x y", "x y", "x X y"), None);
        assert_eq!(right_without("1\n1\n2", "1\n2", "1\n1\n3").as_deref(), Some("1\n3"));
    }

    #[test]
    fn where_blanks_are_wrong_none_goes_at_the_end_of_something() {
        let [left, right] = ["1 ssl;\n2 x;\nab\n", "1 ssl;\n2 x ;\nab\n"];
        let gone = |now: &str| right_without(left, now, right);
        assert_eq!(gone("1;\n2 x;\nab\n"), None);
        assert_eq!(gone("1 ssl;\n2 x;\n").as_deref(), Some("1 ssl;\n2 x ;\n"));
        assert_eq!(gone("1 ;\n2 x;\nab\n").as_deref(), Some("1 ;\n2 x ;\nab\n"));
        let indented = right_without("1\n  2 x;", "1\n2 x;", "1\n  2 x ;");
        assert_eq!(indented.as_deref(), Some("1\n2 x ;"));
        assert_eq!(right_without("1 ssl; ab", "1; ab", "1 ssl; a b"), None);
        assert_eq!(right_without("1 ssl; 2", "1; 2", "1 ssl; 3").as_deref(), Some("1; 3"));
    }

    #[test]
    fn what_ends_a_line_goes_with_all_that_parts_it_from_the_rest() {
        let left = r#""  -h  help\n  -s  old\n      new, all\n""#;
        let right = r#""  -h  help\n  -s  old new,\n      all\n""#;
        let gone = |now: &str, right| right_without(left, &left.replace("all", now), right);
        let less = Some(r#""  -h  help\n  -s  old new,\n""#);
        assert_eq!(right_without(left, &left.replace(" all", ""), right).as_deref(), less);
        // Where the left side keeps its blank, the right one does, too.
        let kept = Some(r#""  -h  help\n  -s  old new,\n      \n""#);
        assert_eq!(gone("", right).as_deref(), kept);
    }

    #[test]
    fn a_missing_blank_goes_with_what_it_parts() {
        let [left, right] = ["x\nthe season}around", "x\nthe season } around"];
        let gone = |now: &str| right_without(left, now, right);
        assert_eq!(gone("x\n}around"), None);
        assert_eq!(gone("x\nthe season}"), None);
        assert_eq!(gone("the season}around").as_deref(), Some("the season } around"));
    }

    #[test]
    fn what_is_missing_goes_with_its_neighbours() {
        let without = right_without("[1, 2, 5]", "[5]", "[1, 2, 3, 5]");
        assert_eq!(without.as_deref(), Some("[3, 5]"));
        let [left, right] = ["\"a\\nb\"", "\"a\\n<p>b\""];
        assert_eq!(right_without(left, "\"b\"", right).as_deref(), Some("\"<p>b\""));
        assert_eq!(right_without(left, "\"\"", right).as_deref(), Some("\"\""));
        assert_eq!(right_without(left, r#""a\n""#, right).as_deref(), Some(r#""a\n""#));
        // A pair goes with all that it is around, and not before.
        let [left, right] = ["\"1\\na b\\nc.\\n2\"", "\"1\\n<p>a b\\nc.</p>\\n2\""];
        let gone = |now: &str| right_without(left, now, right);
        assert_eq!(gone(r#""1\na .\n2""#).as_deref(), Some(r#""1\n<p>a .</p>\n2""#));
        assert_eq!(gone(r#""1\n2""#).as_deref(), Some(r#""1\n2""#));
        // Next to another word nobody knows whether it would be missing.
        assert_eq!(gone(r#""1\nb\nc.\n2""#), None);
        assert_eq!(gone(r#""1\na b\n2""#), None);
    }
}
