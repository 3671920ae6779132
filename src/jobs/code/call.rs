//! Where in the reduced sources a failure comes from that stands outside of them.

use super::code_job::CodeJob;
use super::compile_plan::{CompilePlan, compiler_in, count};
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::compile::{Compiled, Depth, Shortcuts};
use crate::exec::Job;
use crate::oracle::signature::Location;

impl CodeJob<'_> {
    /// Finds the call that leads to the failure where that panics in the standard library or in a dependency
    /// which is left as it is. Where it is not found, the place outside is compared.
    ///
    /// # Errors
    /// When the sources cannot be compiled or run at all.
    pub fn find_call(&mut self, session: &Session) -> Result<()> {
        if !self.matcher.is_outside() {
            return Ok(());
        }
        for shortcuts in [Shortcuts::All, Shortcuts::None] {
            let compile_plan = CompilePlan::as_it_is(self.subject, shortcuts);
            if let Some(call) = self.call_in(session, &compile_plan)? {
                session.stage("Found", format!("the call that leads to the failure: {call}"));
                let sources = &self.subject.original.sources;
                self.matcher = self.matcher.clone().called_at(call, sources);
                break;
            }
        }
        Ok(())
    }

    fn call_in(&self, session: &Session, compile_plan: &CompilePlan) -> Result<Option<Location>> {
        let interrupt = &session.interrupt;
        let compiler = compiler_in("calls", self.config, self.subject, compile_plan, interrupt);
        let compiler = compiler.with_line_tables();
        let confine = |job: Job| self.confine(job);
        let run = self.run(&self.subject.test, &confine);
        let look = |compiled: Compiled| match &compiled.binary {
            Some(binary) => run.call_to(self.matcher.expected(), binary, interrupt),
            None => Ok(None),
        };
        let call =
            compiler.with_compiled(&compile_plan.shape.sources, Depth::Link, interrupt, look);
        count(session, &compiler);
        call.map_err(|error| trouble(&error))
    }
}
