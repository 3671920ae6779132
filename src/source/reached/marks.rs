//! Where the statements of a test begin, and which of them a run has reached.

use super::outline::{self, Function};
use crate::source::{Crate, FileIndex, Located};

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

impl Reached {
    pub(super) fn at(&self, mark: usize) -> u64 {
        self.0.get(mark).copied().unwrap_or(0)
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
        let (last, _) = last_reached(test, reached)?;
        let behind = test.body.statements.iter().find(|statement| statement.mark > last);
        behind.map(|statement| statement.mark)
    }
}

/// The statement that was reached last, and when.
pub(super) fn last_reached(function: &Function, reached: &Reached) -> Option<(usize, u64)> {
    let mut last = None;
    function.body.each(&mut |statement| {
        let time = reached.at(statement.mark);
        if time > last.map_or(0, |(_, latest)| latest) {
            last = Some((statement.mark, time));
        }
    });
    last
}
