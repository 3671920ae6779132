//! What is asked of the compiler about a candidate, and what a run of it shows.

use std::ops::Range;

use super::{Conditions, OriginalRange, Sources};
use crate::reduce::Answer;

/// An error of the compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompileError {
    /// What it is about: words that the message puts in backticks, if it says that they are missing.
    pub missing: Vec<String>,
    /// Where it points, in the text that was checked: the file and its bytes, the main place first.
    pub places: Vec<(usize, Range<usize>)>,
}

/// What is unused: files and bytes, mostly those of a name.
pub type Unused = Vec<(usize, Range<usize>)>;

/// A part of some sources of which something has to stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedRange {
    /// The place of the file.
    pub file: usize,
    /// Its bytes there.
    pub range: Range<usize>,
    /// What of it has to stay.
    pub stays: Stays,
}

/// What of a part has to stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stays {
    /// All of its tokens.
    Tokens,
    /// All of its tokens, though arms of `match` that assert nothing may go: a helper of tests that have to pass.
    AllButArms,
    /// The literals of each statement that stays: the inputs of a failing test.
    Literals,
    /// The same, and what holds them in variables: the test expects something of just these inputs.
    Inputs,
    /// Its name, as long as it is used: a variable that the failing statement works with.
    Name,
    /// Its literals, its calls and its assignments: a statement of a failing test by which it decides what it looks at.
    Step,
    /// Its calls of functions of the code: a variable that leads to what the failing assertion of a test looks at.
    Calls,
    /// Its condition, and that it leaves where it does: a check of a value with which the code fails, as long as the statement
    /// stays that uses the value behind it.
    Check {
        /// That statement.
        guarded: Range<usize>,
    },
}

/// Asks the compiler about a candidate without running it.
pub trait Check {
    /// The errors; none if it compiles.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>>;

    /// What the compiler's lints call unused in a candidate that compiles.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    fn unused(&mut self, _sources: &Sources) -> Answer<Unused> {
        Ok(Vec::new())
    }

    /// What is unused in a candidate, or the errors if it does not compile.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    fn look(&mut self, sources: &Sources) -> Answer<Result<Unused, Vec<CompileError>>> {
        let compile_errors = self.compile_errors(sources)?;
        if compile_errors.is_empty() {
            return Ok(Ok(self.unused(sources)?));
        }
        Ok(Err(compile_errors))
    }

    /// What places of a candidate that fails always yield when it runs, the latest first; none where that
    /// cannot be told.
    ///
    /// # Errors
    /// When the compiler or the candidate cannot be run.
    fn values(&mut self, _sources: &Sources) -> Answer<Vec<ObservedValue>> {
        Ok(Vec::new())
    }

    /// The texts that the message of the failure shows of values.
    fn shown(&self) -> Vec<String> {
        Vec::new()
    }

    /// Places that only failing runs reach, so that no run which has to pass would notice what is made up there.
    fn only_failing(&self) -> &[OriginalRange] {
        &[]
    }

    /// What has to stay in a candidate.
    fn fixed_in(&self, _sources: &Sources) -> Vec<FixedRange> {
        Vec::new()
    }

    /// What holds in each crate of which a file is a part.
    fn conditions(&self, _file: &str) -> Vec<Conditions> {
        Vec::new()
    }

    /// Hears of each turn of a pass when it is over.
    fn pass_ended(&mut self, _turn: PassStats) {}
}

/// What came of a turn of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassStats {
    /// The pass.
    pub pass: &'static str,
    /// The candidates that were run.
    pub candidates: u64,
    /// How many of them became the new best.
    pub accepted: u64,
    /// How many tokens went.
    pub tokens: usize,
}

/// What a place of the sources always yielded, or yielded last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedValue {
    /// The place of the file.
    pub file: usize,
    /// The expression, or the name of a parameter in the head of its function or of a variable in that of its
    /// block, as bytes of the file.
    pub range: Range<usize>,
    /// The name of its type, with the path from the crate on.
    pub type_name: String,
    /// The text that `Debug` makes of it.
    pub text: String,
}
