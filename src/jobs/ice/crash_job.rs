//! A job once it is known how candidates have to crash.

use std::ops::Deref;

use super::IceJob;
use crate::app::failure::Result;
use crate::oracle::ice::{Compilation, CrashMatcher};
use crate::rust::Sources;

/// The job, and what a candidate has to do.
#[derive(Clone, Copy)]
pub struct CrashJob<'j, 'r> {
    pub job: &'j IceJob<'r>,
    pub rule: &'j CrashMatcher,
}

impl<'r> Deref for CrashJob<'_, 'r> {
    type Target = IceJob<'r>;

    fn deref(&self) -> &IceJob<'r> {
        self.job
    }
}

impl CrashJob<'_, '_> {
    /// Whether `sources` crash as the rule demands.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    pub fn crashes(&self, compilation: &Compilation, sources: &Sources) -> Result<bool> {
        let interrupt = self.interrupt_of_result();
        let outcome = self.rule.judge(compilation, sources, &interrupt, |_| ())?;
        Ok(outcome.is_fail())
    }
}
