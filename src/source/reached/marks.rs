//! Where the statements of a test begin, and which of them a run has reached.

use super::outline;
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
}
