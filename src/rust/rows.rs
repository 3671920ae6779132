//! The rows of a table that a test goes through: each is a check of its own, and most of them pass.

use std::ops::Range;

use super::free_functions::{FreeFunction, free_functions};
use super::{AddedTest, OriginalPlace, Reduction, SourceFile, Sources, apply};
use crate::source::{Table, tables_around};

/// So many rows become tests.
const MOST: usize = 128;

/// The table that the loop around the place of a failure goes through.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The place of its file.
    file: usize,
    /// The name of the function of the test, its bytes, and where its body begins.
    test: String,
    function: Range<usize>,
    body: usize,
    table: Table,
}

impl Rows {
    /// The table of the test in the function `test`, where the place that `is_failure` stands in a loop over several rows.
    pub fn of(
        sources: &Sources,
        test: &str,
        is_failure: impl Fn(OriginalPlace) -> bool,
    ) -> Option<Rows> {
        let (file, place) = sources.find(is_failure)?;
        let text = &sources.files[file].text;
        let around = free_functions(text, |name| name == test).into_iter();
        let FreeFunction { range, body, .. } =
            around.into_iter().find(|it| it.body.contains(&place))?;
        let is_used = |table: &Table| match &table.constant {
            Some(constant) => !constant.contains(&place),
            None => range.contains(&table.range.start) && table.range.start < place,
        };
        let tables = tables_around(text, place).into_iter().filter(is_used);
        // A variable hides a constant, and what comes later hides what stands before.
        let table = tables.max_by_key(|it| (it.constant.is_none(), it.range.start))?;
        let is_several = table.elements.len() > 1;
        is_several.then(|| Rows {
            file,
            test: test.to_owned(),
            function: range,
            body: body.start,
            table,
        })
    }

    /// The test as another one for each row of these `sources`: it has no other.
    pub fn alone(&self, sources: &Sources) -> Vec<AddedTest> {
        let text = &sources.files[self.file].text;
        let rows = 0..self.table.elements.len().min(MOST);
        rows.map(|row| self.test_of(text, row)).collect()
    }

    fn test_of(&self, text: &str, row: usize) -> AddedTest {
        let name = format!("{}_row_{}", self.test, row + 1);
        let head = &text[self.function.start..self.body];
        let at = self.function.start + head.rfind(&self.test).unwrap_or(head.len());
        let named = Reduction::replace(at..at + self.test.len(), &name);
        let edits = [named, self.only(text, row)];
        let text = apply(&text[..self.function.end], &edits).split_off(self.function.start);
        AddedTest { name, text, row: Some(row) }
    }

    /// The file of the test, and what leaves only that row for it there.
    pub fn failing_alone(&self, sources: &Sources, row: usize) -> (SourceFile, Reduction) {
        let file = &sources.files[self.file];
        (file.clone(), self.only(&file.text, row))
    }

    /// What leaves only that row for the test.
    fn only(&self, text: &str, row: usize) -> Reduction {
        let Table { elements, length, constant, .. } = &self.table;
        let edit = match &elements[..] {
            [first, .., last] => Reduction::keep(first.start..last.end, elements[row].clone()),
            _ => Reduction::default(),
        };
        let edit = length.iter().fold(edit, |edit, length| edit.and_replace(length.clone(), "1"));
        let Some(constant) = constant else { return edit };
        // One in the test hides the one that others may use, too.
        let constant = &apply(&text[..constant.end], [&edit])[constant.start..];
        let start = self.body + "{".len();
        Reduction::replace(start..start, format!(" {constant}"))
    }

    /// How unlike two rows are: what the longer one has beside what both begin and end with, in bytes.
    pub fn distance(&self, sources: &Sources, one: usize, other: usize) -> usize {
        let text = sources.files[self.file].text.as_bytes();
        let [one, other] = [one, other].map(|row| &text[self.table.elements[row].clone()]);
        let same = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| {
            pairs.take_while(|(one, other)| one == other).count()
        };
        let least = one.len().min(other.len());
        let before = same(&mut one.iter().zip(other));
        let after = same(&mut one.iter().rev().zip(other.iter().rev())).min(least - before);
        one.len().max(other.len()) - before - after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    fn rows(text: &str) -> (Option<Rows>, Sources) {
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let at = text.find("assert").unwrap();
        (Rows::of(&sources, "t", |place| sources.origin(0, at) == Some(place)), sources)
    }

    #[test]
    fn each_row_is_a_test_of_its_own() {
        let text = "#[test] fn s() { let all = [7, 8]; } #[test] fn t() { let all = [1, 20]; for a in all { \
                    assert!(f(a)) } let all = [3, 4, 5]; }";
        let (Some(rows), sources) = rows(text) else { panic!() };
        let texts: Vec<String> = rows.alone(&sources).into_iter().map(|it| it.text).collect();
        assert_eq!(
            texts[1],
            "#[test] fn t_row_2() { let all = [20]; for a in all { assert!(f(a)) } let all = [3, 4, 5]; }"
        );
        assert_eq!(texts.len(), 2);
        let (_, alone) = rows.failing_alone(&sources, 0);
        assert!(apply(text, [&alone]).contains("let all = [1]; for"));
    }

    #[test]
    fn a_row_of_a_constant_stands_in_one_of_the_test() {
        let text = "#[cfg(test)] static ALL: [u8; 2] = [1, 2,]; #[test] fn t() { for a in ALL.iter() { assert!(f(a)) } }";
        let (Some(rows), sources) = rows(text) else { panic!() };
        assert_eq!(
            rows.alone(&sources)[0].text,
            "#[test] fn t_row_1() { static ALL: [u8; 1] = [1,]; for a in ALL.iter() { assert!(f(a)) } }"
        );
    }

    #[test]
    fn rows_that_differ_by_less_are_nearer() {
        let text =
            "#[test] fn t() { for a in [\"#+1\", \"#1\", \"red\", \"#+2\"] { assert!(f(a)) } }";
        let (Some(rows), sources) = rows(text) else { panic!() };
        let all: Vec<usize> = (0..4).map(|row| rows.distance(&sources, 0, row)).collect();
        assert_eq!(all, [0, 1, 3, 1]);
    }

    #[test]
    fn what_stands_in_no_loop_over_several_rows_has_none() {
        assert!(rows("#[test] fn t() { for a in [1] { assert!(f(a)) } }").0.is_none());
        assert!(rows("#[test] fn t() { for a in f() { assert!(f(a)) } }").0.is_none());
        assert!(rows("fn other() { for a in [1, 2] { assert!(f(a)) } }").0.is_none());
    }
}
