//! The rows of a table that a test goes through: each is a check of its own, and most of them pass.

use std::ops::Range;

use super::free_functions::{FreeFunction, free_functions, functions_named};
use super::nearest_assertions::{statements, with_variables};
use super::passing_parts::renamed;
use super::repeated_calls::repeated_calls;
use super::{AddedTest, OriginalPlace, Part, Reduction, SourceFile, Sources, apply};
use crate::reduce::RangeExt;
use crate::source::{Table, tables_around, tables_in};

/// So many rows become tests.
const MOST: usize = 128;

/// The table that the loop around the place of a failure goes through, or another one of a test.
#[derive(Debug, Clone)]
pub struct Rows {
    /// Its file, and the place of that.
    file: SourceFile,
    place: usize,
    /// The name of the function of the test, its bytes, and where its body begins.
    test: String,
    function: Range<usize>,
    body: usize,
    /// What stands behind the loop in the test: the failing run does not come there.
    behind: Vec<Range<usize>>,
    table: Table,
}

impl Rows {
    /// The table of the test in the function `test`, where the place that `is_failure` stands in a loop over several rows; or
    /// its calls of what fails, where several of them stand behind each other.
    pub fn of(
        sources: &Sources,
        test: &str,
        is_failure: impl Fn(OriginalPlace) -> bool,
    ) -> Option<Rows> {
        let (at, place) = sources.find(is_failure)?;
        let file = &sources.files[at];
        let text = &file.text;
        let named = free_functions(text, |name| name == test);
        let around = named.iter().find(|it| it.body.contains(&place));
        let function = around.or(named.first())?.clone();
        let table = around
            .and_then(|test| Self::table_around(text, test, place))
            .or_else(|| repeated_calls(text, &function, place))?;
        let passed = around.map_or(table.range.end, |_| place.max(table.range.end));
        let FreeFunction { range, body, .. } = function;
        let is_several = table.elements.len() > 1;
        is_several.then(|| Rows {
            file: file.clone(),
            place: at,
            test: test.to_owned(),
            behind: behind(&text[range.clone()], passed - range.start)
                .into_iter()
                .map(|it| it.offset_by(range.start))
                .collect(),
            function: range,
            body: body.start,
            table,
        })
    }

    /// The table that the loop around a place of a test goes through.
    fn table_around(text: &str, test: &FreeFunction<'_>, place: usize) -> Option<Table> {
        let range = &test.range;
        let is_used = |table: &Table| match &table.constant {
            Some(constant) => !constant.contains(&place),
            None => range.contains(&table.range.start) && table.range.start < place,
        };
        let tables = tables_around(text, place).into_iter().filter(is_used);
        // A variable hides a constant, and what comes later hides what stands before.
        tables.max_by_key(|it| (it.constant.is_none(), it.range.start))
    }

    /// The largest table in the function `test`, if that has more rows than `most`.
    pub fn longest_in(sources: &Sources, test: &str, most: usize) -> Option<Rows> {
        let tables = functions_named(sources, test).flat_map(|(at, file, function)| {
            let FreeFunction { range, body, .. } = function;
            let tables = tables_in(&file.text).into_iter();
            let is_own = |it: &Table| it.constant.is_none() && range.covers(&it.range);
            let own: Vec<Table> = tables.filter(is_own).collect();
            own.into_iter().map(move |table| (at, file, range.clone(), body.start, table))
        });
        let longest = tables.max_by_key(|(.., table)| table.elements.len());
        let (at, file, range, body, table) = longest.filter(|it| it.4.elements.len() > most)?;
        Some(Rows {
            file: file.clone(),
            place: at,
            test: test.to_owned(),
            behind: Vec::new(),
            function: range,
            body,
            table,
        })
    }

    /// The test as another one for each row: it has no other.
    pub fn alone(&self) -> Vec<AddedTest> {
        let rows = 0..self.table.elements.len().min(MOST);
        rows.map(|row| self.test_of(row)).collect()
    }

    fn test_of(&self, row: usize) -> AddedTest {
        let text = &self.file.text;
        let name = self.name_of(row);
        let head = &text[self.function.start..self.body];
        let renamed = renamed(head, self.function.start, &self.test, &name);
        let behind = self.behind.iter().cloned().map(Reduction::remove);
        let edits: Vec<Reduction> = behind.chain(renamed).chain([self.only(row)]).collect();
        let text = apply(&text[..self.function.end], &edits).split_off(self.function.start);
        AddedTest { name, text, part: Part::Row(row) }
    }

    fn name_of(&self, row: usize) -> String {
        format!("{}_row_{}", self.test, row + 1)
    }

    /// Which row a test of these has alone.
    pub fn row_of(&self, test: &str) -> Option<usize> {
        (0..self.table.elements.len()).find(|row| self.name_of(*row) == test)
    }

    /// The place of the file of the test, and what leaves only that row for it there.
    pub fn failing_alone(&self, row: usize) -> (usize, Reduction) {
        (self.place, self.only(row))
    }

    /// The place of the file of the test, and what leaves only these rows in its table, if that has them.
    pub fn with_only(&self, rows: &[usize]) -> Option<(usize, Reduction)> {
        let last = rows.iter().max().filter(|last| **last < self.table.elements.len())?;
        Some((self.place, self.keeping(rows, *last)))
    }

    /// What leaves only these rows in the table, the `last` of which it has.
    fn keeping(&self, rows: &[usize], last: usize) -> Reduction {
        let Table { elements, length, .. } = &self.table;
        let far = (0..elements.len()).filter(|row| !rows.contains(row));
        let gone = far.map(|row| {
            if row < last {
                elements[row].start..elements[row + 1].start
            } else {
                elements[row - 1].end..elements[row].end
            }
        });
        let edit = gone.fold(Reduction::default(), Reduction::and_remove);
        let left = rows.len().to_string();
        length.iter().cloned().fold(edit, |edit, length| edit.and_replace(length, left.clone()))
    }

    /// What leaves only that row for the test.
    fn only(&self, row: usize) -> Reduction {
        let edit = self.keeping(&[row], row);
        let Some(constant) = &self.table.constant else { return edit };
        // One in the test hides the one that others may use, too.
        let constant = &apply(&self.file.text[..constant.end], [&edit])[constant.start..];
        let start = self.body + "{".len();
        Reduction::replace(start..start, format!(" {constant}"))
    }

    /// How unlike two rows are: what the longer one has beside what both begin and end with, in bytes.
    pub fn distance(&self, one: usize, other: usize) -> usize {
        let text = self.file.text.as_bytes();
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

/// What stands behind the statement around a place in the text of a function, but for its value.
fn behind(function: &str, place: usize) -> Vec<Range<usize>> {
    let all = statements(function, |_| true).into_iter().map(|statement| statement.range);
    let is_value = |range: &Range<usize>| !function[range.clone()].ends_with([';', '}']);
    let gone = all.filter(|range| range.start > place && !is_value(range)).collect();
    with_variables(function, gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    fn rows(text: &str) -> Option<Rows> {
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let at = text.find("assert").unwrap();
        Rows::of(&sources, "t", |place| sources.origin(0, at) == Some(place))
    }

    #[test]
    fn each_row_is_a_test_of_its_own() {
        let text = "#[test] fn s() { let all = [7, 8]; } #[test] fn t() { let all = [1, 20]; for a in all { \
                    assert!(f(a)) } let all = [3, 4, 5]; }";
        let rows = rows(text).unwrap();
        let texts: Vec<String> = rows.alone().into_iter().map(|it| it.text).collect();
        assert_eq!(
            texts[1],
            "#[test] fn t_row_2() { let all = [20]; for a in all { assert!(f(a)) }  }"
        );
        assert_eq!(texts.len(), 2);
        let (_, alone) = rows.failing_alone(0);
        assert!(apply(text, [&alone]).contains("let all = [1]; for"));
    }

    #[test]
    fn a_row_of_a_constant_stands_in_one_of_the_test() {
        let text = "#[cfg(test)] static ALL: [u8; 2] = [1, 2,]; #[test] fn t() { for a in ALL.iter() { assert!(f(a)) } }";
        let rows = rows(text).unwrap();
        assert_eq!(
            rows.alone()[0].text,
            "#[test] fn t_row_1() { static ALL: [u8; 1] = [1,]; for a in ALL.iter() { assert!(f(a)) } }"
        );
    }

    #[test]
    fn a_test_may_keep_some_of_its_rows() {
        let text = "#[test] fn t() { let all: [(u8, u8); 4] = [(1, 2), (3, 4), (5, 6), (7, 8),]; let b = [(1, 2)]; run(&all); }";
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let rows = Rows::longest_in(&sources, "t", 3).unwrap();
        assert_eq!(rows.row_of("t_row_3"), Some(2));
        let left = |kept: &[usize]| apply(text, [&rows.with_only(kept).unwrap().1]);
        let of = |length: usize, rows: &str| {
            format!(
                "#[test] fn t() {{ let all: [(u8, u8); {length}] = [{rows},]; let b = [(1, 2)]; run(&all); }}"
            )
        };
        assert_eq!(left(&[0, 2]), of(2, "(1, 2), (5, 6)"));
        assert_eq!(left(&[1, 3]), of(2, "(3, 4), (7, 8)"));
        assert!(
            rows.alone()[3]
                .text
                .starts_with("#[test] fn t_row_4() { let all: [(u8, u8); 1] = [(7, 8),];")
        );
        assert!(Rows::longest_in(&sources, "t", 4).is_none() && rows.with_only(&[4]).is_none());
    }

    #[test]
    fn rows_that_differ_by_less_are_nearer() {
        let text =
            "#[test] fn t() { for a in [\"#+1\", \"#1\", \"red\", \"#+2\"] { assert!(f(a)) } }";
        let rows = rows(text).unwrap();
        let all: Vec<usize> = (0..4).map(|row| rows.distance(0, row)).collect();
        assert_eq!(all, [0, 1, 3, 1]);
    }

    #[test]
    fn what_stands_in_no_loop_over_several_rows_has_none() {
        assert!(rows("#[test] fn t() { for a in [1] { assert!(f(a)) } }").is_none());
        assert!(rows("#[test] fn t() { for a in f() { assert!(f(a)) } }").is_none());
        assert!(rows("fn other() { for a in [1, 2] { assert!(f(a)) } }").is_none());
    }
}
