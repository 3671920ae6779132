//! What the result lacks that a test asks for.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::oracle::signature::{changes, sides, tokens};
use crate::reduce::inputs::PartOfText;

/// What the expected value has and the result has not, part by part, as tokens.
#[derive(Debug, Clone, Default)]
pub struct Missing {
    parts: Vec<Vec<String>>,
    /// Whether it is all of the expected value, and a number.
    is_number: bool,
}

impl Missing {
    /// What the sides of a message show.
    pub(super) fn of(message: &str) -> Self {
        match sides(message) {
            Some((left, right)) => {
                let is_number = |it: char| it.is_ascii_digit() || it == '.' || it == '-';
                Missing { is_number: right.chars().all(is_number), ..Missing::between(left, right) }
            }
            None => Missing::default(),
        }
    }

    /// What the first line of a report quotes, or all of it where it quotes nothing.
    pub(super) fn in_report(headline: &str) -> Self {
        let quote =
            headline.find(['`', '"', '\'']).and_then(|start| headline[start..].chars().next());
        let quoted = quote.and_then(|quote| {
            let (_, rest) = headline.split_once(quote)?;
            Some(rest.rsplit_once(quote)?.0)
        });
        let words = tokens(quoted.unwrap_or(headline)).into_iter();
        Missing { parts: vec![words.map(str::to_owned).collect()], ..Missing::default() }
    }

    /// What the right one of two sides has and the left one has not.
    pub(super) fn between(left: &str, right: &str) -> Self {
        let (left, right) = (tokens(left), tokens(right));
        let parts = changes(&left, &right)
            .into_iter()
            .map(|change| right[change.right].iter().map(|token| (*token).to_owned()).collect());
        let parts = parts.filter(|part: &Vec<String>| !part.is_empty()).collect();
        Missing { parts, ..Missing::default() }
    }

    /// All that its parts are made of, but for blanks, and but for parts that have words none of which is in what `has` a
    /// word: the signs between these come from where they do.
    pub(super) fn tokens_of(&self, has: impl Fn(&str) -> bool) -> Vec<&String> {
        let is_known = |part: &&Vec<String>| {
            let mut words = part.iter().filter(|token| is_word(token)).peekable();
            words.peek().is_none() || words.any(|word| has(word))
        };
        let known = self.parts.iter().filter(is_known).flatten();
        known.filter(|token| !is_blank(token)).collect()
    }

    /// Its words and numbers.
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.parts.iter().flatten().filter(|token| is_word(token))
    }

    /// Whether it is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.parts.iter().any(|part| *part == tokens(text))
    }

    /// Its numbers, and words that no type or variant has as its name.
    fn values(&self) -> impl Iterator<Item = &String> {
        self.words().filter(|word| !word.starts_with(char::is_uppercase))
    }

    fn numbers(&self) -> impl Iterator<Item = &String> {
        self.words().filter(|word| word.starts_with(|it: char| it.is_ascii_digit()))
    }

    /// Whether this is one of its values.
    pub(super) fn has_value(&self, word: &str) -> bool {
        self.values().any(|value| value == word)
    }

    /// Whether it is made of numbers, one of which is not said by what `says` something, and may count the lines of a text, of
    /// which there are so many: where the expected value is nothing else, it may count or come from anything.
    pub(super) fn may_count(&self, lines: usize, says: impl Fn(&str) -> bool) -> bool {
        let counts = |number: &String| {
            (self.is_number || number.parse().is_ok_and(|count: usize| count <= lines))
                && !says(number)
        };
        self.is_of_numbers() && self.numbers().any(counts)
    }

    /// Whether its words are numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        self.words().eq(self.numbers())
    }

    /// Whether a piece of source has one of its values.
    pub(super) fn is_told_by(&self, source: &str) -> bool {
        let own = tokens(source);
        self.values().any(|value| own.contains(&value.as_str()))
    }

    /// Whether a line of an input has one of its words or numbers.
    pub(super) fn has_word_in(&self, line: &str) -> bool {
        let own = tokens(line);
        self.words().any(|word| own.contains(&word.as_str()))
    }

    /// Whether a part of an input may be what makes a right result have it.
    fn may_come_from(&self, text: &str) -> bool {
        let text = text.escape_debug().to_string();
        let own = tokens(&text);
        self.parts.iter().any(|part| {
            if part.iter().all(|token| is_blank(token)) {
                return own.iter().all(|token| is_blank(token));
            }
            let mut rest = part.iter().filter(|token| !is_blank(token));
            rest.any(|token| own.contains(&token.as_str()))
        })
    }

    /// Whether one part of a text may be what makes a right result have it: the part alone, or as what stands without words
    /// between two that may, such as the line below the head of a table. Where no part says one of its numbers, it may be
    /// made of what stands next to a part that may: `2466` of `41:06`.
    pub(super) fn may_need(&self, part: PartOfText<'_>) -> bool {
        let text = |unit: &Vec<char>| String::from_iter(unit);
        let has_words = |unit: &&Vec<char>| unit.iter().any(|it| it.is_alphanumeric());
        let may = |unit: &Vec<char>| self.may_come_from(&text(unit));
        let (before, rest) = part.all.split_at(part.at);
        let Some((unit, behind)) = rest.split_first() else { return false };
        let says = |value: &str| part.all.iter().any(|unit| text(unit).contains(value));
        if may(unit) || self.may_count(part.all.len(), says) {
            return true;
        }
        let around = [before.iter().rfind(has_words), behind.iter().find(has_words)];
        let [is_behind, is_before] = around.map(|it| it.is_some_and(may));
        if has_words(&unit) {
            (is_behind || is_before) && !self.numbers().all(|number| says(number))
        } else {
            is_behind && is_before
        }
    }
}

/// The words of each line, of either side of a comparison, in which the sides differ.
pub(super) fn differing_lines(message: &str) -> Vec<BTreeSet<&str>> {
    let Some((left, right)) = sides(message) else { return Vec::new() };
    let (left, right) = (tokens(left), tokens(right));
    let all = changes(&left, &right);
    let of_left = all.iter().map(|change| line_around(&left, &change.left));
    let of_right = all.iter().map(|change| line_around(&right, &change.right));
    of_left.chain(of_right).collect()
}

/// The tokens of the lines that a range touches.
fn line_around<'t>(tokens: &[&'t str], range: &Range<usize>) -> BTreeSet<&'t str> {
    let is_end = |token: &&str| matches!(*token, r"\n" | r"\r\n");
    let (before, rest) = tokens.split_at(range.start);
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    let behind = &rest[range.len()..];
    let end = behind.iter().position(is_end).unwrap_or(behind.len());
    tokens[start..range.end + end].iter().copied().collect()
}

fn is_word(token: &str) -> bool {
    token.starts_with(char::is_alphanumeric)
}

fn is_blank(token: &str) -> bool {
    matches!(token, " " | r"\n" | r"\r\n" | r"\r" | r"\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_without_words_between_missing_parts_may_be_needed_for_these() {
        let lines =
            ["| crane | load |\n", "|-----|\n", "| red | 40 |\n", "\n", "---\n", "Tunnel\n"];
        let all: Vec<Vec<char>> = lines.iter().map(|line| line.chars().collect()).collect();
        let missing = Missing::between("<p>Tunnel</p>", "<th>crane</th><td>red</td><p>Tunnel</p>");
        let needed =
            (0..all.len()).filter(|at| missing.may_need(PartOfText { all: &all, at: *at }));
        assert_eq!(needed.collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn where_nothing_says_a_missing_number_what_stands_next_to_others_may_make_it() {
        let lines = ["<link>a</link>\n", "<by>Teresa</by>\n", "<time>41:06</time>\n", "<to/>\n"];
        let all: Vec<Vec<char>> = lines.iter().map(|line| line.chars().collect()).collect();
        let needed = |right: &str| {
            let missing = Missing::between("P { by: None, time: None }", right);
            let at = |at: &usize| missing.may_need(PartOfText { all: &all, at: *at });
            (0..all.len()).filter(at).collect::<Vec<_>>()
        };
        assert_eq!(needed("P { by: Some(\"Teresa\"), time: None }"), [1]);
        assert_eq!(needed("P { by: Some(\"Teresa\"), time: Some(2466) }"), [0, 1, 2]);
    }

    #[test]
    fn numbers_that_nothing_says_may_count_lines() {
        let may_count = |left: &str, right: &str, lines: usize| {
            let message =
                format!("assertion `left == right` failed\n  left: {left}\n right: {right}");
            Missing::of(&message).may_count(lines, |number| number == "2")
        };
        assert!(may_count("At { line: 1 }", "At { line: 7 }", 7));
        assert!(!may_count("At { line: 1 }", "At { line: 7 }", 6));
        assert!(!may_count("At { line: 1 }", "At { line: 2 }", 7));
        assert!(!may_count("At { line: 1, name: \"a\" }", "At { line: 7, name: \"b\" }", 7));
        assert!(may_count("-9,0 +1", "-2,3 +1", 7) && may_count("1", "400", 7));
    }

    #[test]
    fn signs_of_markup_that_the_code_writes_come_from_no_input() {
        let missing = Missing::between("<i>a$$</i>*", "<i>a</i><i>$</i>*-*");
        let of = |has: &dyn Fn(&str) -> bool| missing.tokens_of(has).into_iter().cloned().collect();
        let all: Vec<String> = of(&|_| true);
        let of_input: Vec<String> = of(&|word| word == "a");
        assert!(all.contains(&"<".to_owned()), "{all:?}");
        assert_eq!(of_input, ["*", "-"]);
    }

    #[test]
    fn a_part_of_an_input_may_be_what_the_result_lacks() {
        let missing = |left: &str, right: &str| {
            Missing::of(&format!(
                "assertion `left == right` failed\n  left: {left}\n right: {right}"
            ))
        };
        let paragraph = missing(r#""a\nb""#, r#""a\n\nb""#);
        assert!(paragraph.may_come_from("  \n"));
        assert!(!paragraph.may_come_from("; a comment\n"));
        let road = missing(r#"["a", "b"]"#, r#"["a", "castle", "b"]"#);
        assert!(road.may_come_from("a castle"));
        assert!(!road.may_come_from("a bridge"));
        let continued = missing(r#""a b""#, r#""a \\\nb""#);
        assert!(continued.may_come_from("a \\\n"));
        assert!(!continued.may_come_from("a\n"));
    }

    #[test]
    fn lines_that_differ_are_looked_at_as_a_whole() {
        let message = |left: &str, right: &str| {
            format!("assertion `left == right` failed\n  left: {left:?}\n right: {right:?}")
        };
        let shown = message("1 g salt\nbuy 20 g yeast\nend", "1 g salt\nhave yeast\nend");
        let lines = differing_lines(&shown);
        let have = |word: &str| lines.iter().filter(|line| line.contains(word)).count();
        assert_eq!(["yeast", "have", "20", "salt", "end"].map(have), [2, 1, 1, 0, 0], "{lines:?}");
        assert!(differing_lines("no such thing").is_empty());
    }

    #[test]
    fn what_a_report_quotes_is_missing() {
        assert!(Missing::in_report("`tools: 25` is missing in").may_come_from("tools 40 -15"));
        assert!(!Missing::in_report("`tools: 25` is missing in").may_come_from("is missing"));
        assert!(Missing::in_report("no line for tools").may_come_from("tools 40 -15"));
    }
}
