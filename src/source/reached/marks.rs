//! Where the statements of a test begin, and which of them a run has reached.

use std::ops::Range;

use super::outline::{self, Function, Outline, Statement};
use crate::source::scan::words;
use crate::source::{Crate, FileIndex, FileRange, Located};

/// Where a statement in the code of a test begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its file.
    pub file: FileIndex,
    /// Its first byte.
    pub offset: usize,
}

/// When each of the [marks](Crate::marks) was reached the last time, counted from 1; 0 for never.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached(pub Vec<u64>);

/// A statement that is reached where a test does not fail with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BehindError {
    /// Its number among the [marks](Crate::marks).
    pub mark: usize,
    /// Its file.
    pub file: FileIndex,
    /// Where it stands in a helper: the numbers of the statement of the test that calls this, and of the first one.
    pub called_in: Option<[usize; 2]>,
}

impl Reached {
    pub(super) fn at(&self, mark: usize) -> u64 {
        self.0.get(mark).copied().unwrap_or(0)
    }

    /// The place of that of the statements of a block at which it was when the run ended: a closure that fails stands in an
    /// earlier one than the call.
    pub(super) fn latest(&self, statements: &[Statement]) -> Option<usize> {
        let times = statements.iter().map(|statement| self.at(statement.mark)).enumerate();
        times.filter(|(_, time)| *time > 0).max_by_key(|(_, time)| *time).map(|(place, _)| place)
    }

    /// The statement of a function that was reached last, and when.
    pub(super) fn last_of(&self, function: &Function) -> Option<(usize, u64)> {
        let mut last = None;
        function.body.each(&mut |statement| {
            let time = self.at(statement.mark);
            if time > last.map_or(0, |(_, latest)| latest) {
                last = Some((statement.mark, time));
            }
        });
        last
    }
}

impl Crate {
    /// Where the statements begin that the test reaches by name in the code of tests, in a fixed order.
    pub fn marks(&self, located: &Located) -> Vec<Mark> {
        let mut marks = Vec::new();
        for function in outline::functions(self, located) {
            let file = function.file;
            function.body.each(&mut |statement| {
                let offset = statement.range.start;
                marks.push(Mark { file, offset });
            });
        }
        marks
    }

    /// The number among the [marks](Crate::marks) of the statement of the test behind the one that was reached last, or holds
    /// that: where a run gets that far, it did not fail.
    pub fn mark_behind(&self, located: &Located, reached: &Reached) -> Option<usize> {
        let functions = outline::functions(self, located);
        let test = functions.iter().find(|function| function.is_test)?;
        let statements = &test.body.statements;
        let behind = statements.get(reached.latest(statements)? + 1)?;
        Some(behind.mark)
    }

    /// Where a run gets that does not fail with an error as this one did: to the statement of the test behind the one that was
    /// reached last, or, in a helper that this one calls once, to the one behind the statement that was left there.
    pub fn behind_error(&self, located: &Located, reached: &Reached) -> Option<BehindError> {
        let functions = outline::functions(self, located);
        let test = functions.iter().find(|function| function.is_test)?;
        let (last, end_of_test) = reached.last_of(test)?;
        let text = |function: &Function, range: &Range<usize>| {
            self.file(function.file).text[range.clone()].to_owned()
        };
        let calling = test.body.statements.iter().find(|statement| statement.mark == last);
        let is_called = |function: &&Function| {
            let calls = |text: &str| words(text).filter(|word| *word == function.name).count();
            // Its own name stands in it.
            let is_once = calls(&text(function, &function.span)) == 1;
            let called = calling.is_some_and(|it| calls(&text(test, &it.range)) == 1);
            !function.is_test
                && is_once
                && called
                && reached.last_of(function).is_some_and(|(_, time)| time > end_of_test)
        };
        if let Some(helper) = functions.iter().find(is_called)
            && let Some((left, _)) = reached.last_of(helper)
            && let Some(place) =
                helper.body.statements.iter().position(|statement| statement.mark == left)
            && let Some(behind) = helper.body.statements.get(place + 1)
            && calling.is_some_and(|it| it.blocks.is_empty())
        {
            let first = test.body.statements.first()?.mark;
            return Some(BehindError {
                mark: behind.mark,
                file: helper.file,
                called_in: Some([last, first]),
            });
        }
        let mark = self.mark_behind(located, reached)?;
        Some(BehindError { mark, file: test.file, called_in: None })
    }

    /// What the failing run has passed by where it came to the place of the failure: the blocks beside the one in which it
    /// failed, such as the other branch of an `if`, by the bytes of their statements.
    pub fn passed_by(&self, located: &Located, reached: &Reached) -> Vec<FileRange> {
        let functions = outline::functions(self, located);
        let mut all = Vec::new();
        for Entered { function, last, .. } in entered(&functions, reached).filter(|it| it.may_run) {
            let mut found = Vec::new();
            beside(&function.body, last, &mut found);
            all.extend(found.into_iter().map(|range| (function.file, range)));
        }
        all
    }
}

/// The blocks in `block` that stand beside the one that holds the statement `last`.
fn beside(block: &Outline, last: usize, found: &mut Vec<Range<usize>>) {
    let holds = |block: &&Outline| block.holds(last);
    for statement in &block.statements {
        let Some(within) = statement.blocks.iter().find(holds) else { continue };
        let others = statement.blocks.iter().filter(|block| !holds(block));
        found.extend(others.filter_map(|block| {
            let first = block.statements.first()?;
            Some(first.range.start..block.statements.last()?.range.end)
        }));
        beside(within, last, found);
    }
}

/// A function that a run has entered.
pub(super) struct Entered<'f> {
    pub(super) function: &'f Function,
    /// Its statement that was reached last.
    pub(super) last: usize,
    /// Whether it may have been running at the end; others have returned.
    pub(super) may_run: bool,
}

/// The functions that a run of the test has entered; none if that is not known of the test itself.
pub(super) fn entered<'f>(
    functions: &'f [Function],
    reached: &Reached,
) -> impl Iterator<Item = Entered<'f>> {
    let test = functions.iter().find(|function| function.is_test);
    let end_of_test = test.and_then(|test| reached.last_of(test)).map(|(_, time)| time);
    functions.iter().filter_map(move |function| {
        let (last, time) = reached.last_of(function)?;
        Some(Entered { function, last, may_run: time >= end_of_test? })
    })
}
