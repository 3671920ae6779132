//! What is asked for, and what comes out.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use super::taken_back::TakenBack;
use crate::exec::Interrupt;
use crate::oracle::code::{CodeMatcher, TestRun};
use crate::reduce::{Counts, Stop};
use crate::rust::{OriginalRange, Reduction, Sources};
use crate::source::Tier;

/// How much of it to do: for measuring what each part brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchMode {
    /// Only what never runs goes.
    #[cfg(any(test, feature = "bench"))]
    Coverage,
    /// The same, for a test that does not always fail: what runs in none of several runs.
    Flaky,
    /// Also what runs and is not needed.
    Switches,
}

/// A failing test whose code is to be reduced.
pub struct SwitchJob<'a> {
    /// The code.
    pub sources: &'a Sources,
    /// Which of the files are roots of crates.
    pub roots: &'a [usize],
    /// How the test is run.
    pub run: TestRun<'a>,
    /// The failure that is looked for.
    pub matcher: &'a CodeMatcher,
    /// What edits have to leave as it is: files and bytes in them.
    pub kept: &'a [(usize, Range<usize>)],
    /// What they have to leave besides with all that is around it.
    pub held: &'a [(usize, Range<usize>)],
    /// What only failing runs may reach without being suspicious, as the functions of the tests: files and bytes in them.
    pub above_suspicion: &'a [(usize, Range<usize>)],
    /// What earlier builds of the same subject have found out.
    pub taken_back: &'a TakenBack,
    /// How long one candidate may take.
    pub limit: Duration,
    /// How many run side by side.
    pub workers: usize,
    /// A folder of our own with a short path.
    pub folder: &'a Path,
    /// A folder in which a run may write.
    pub open: &'a Path,
    /// Stops everything.
    pub interrupt: &'a Interrupt,
    /// Says when to stop.
    pub stop: &'a dyn Fn(Counts) -> Option<Stop>,
    /// How much to do.
    pub mode: SwitchMode,
    /// Whether the test may be called again and again in one process.
    pub is_looped: bool,
    /// Which values may take the place of what computes them.
    pub values: Values,
}

/// Which of the values that a run has shown may be written in the place of what computes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// All that are always the same.
    All,
    /// Those that a run has shown, too, that has to pass: one of several runs, if the test is their driver, or a test
    /// that has to pass along.
    Agreed,
    /// None: what only the failing run has shown may be the bug itself.
    None,
}

/// What came out.
#[derive(Debug, Clone, Default)]
pub struct Switched {
    /// Edits of the sources, each with the place of its file, outer ones before those in them.
    pub reductions: Vec<(usize, Reduction)>,
    /// The places that were found.
    pub places: usize,
    /// Those whose switch the compiler rejected.
    pub taken_back: usize,
    /// Those that run in the original.
    pub executed: usize,
    /// What was asked at run time.
    pub counts: Counts,
    /// What ran the candidates; `None` if there were none.
    pub tier: Option<Tier>,
    /// Whether what runs was searched for what is not needed.
    pub is_searched: bool,
    /// Of several runs, the places that only failing ones reach.
    pub only_failing: Vec<OriginalRange>,
    /// Those of them that are code under test, if they are few: they are suspicious.
    pub suspects: Vec<OriginalRange>,
    /// Whether the search ended early.
    pub is_stopped: bool,
}
