//! A job that can only run in the sandbox.

use super::{Access, Sandbox};
use crate::exec::interrupt::without_interrupts;
use crate::exec::run::run_in;
use crate::exec::{ExecError, Exit, Finished, Interrupt, Job, Running};

/// A job in the sandbox; only [`Sandbox::confine`] makes one.
#[derive(Debug, Clone)]
pub struct Confined {
    job: Job,
    access: Access,
    sandbox: Sandbox,
}

impl Confined {
    pub(super) fn new(job: Job, access: Access, sandbox: Sandbox) -> Confined {
        Confined { job, access, sandbox }
    }

    /// What is started.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The same with another program, arguments, environment or limits; what it may change stays.
    pub fn map(self, change: impl FnOnce(Job) -> Job) -> Confined {
        Confined { job: change(self.job), ..self }
    }

    /// Runs it until it ends, its time is up, or the user interrupts.
    ///
    /// # Errors
    /// When it cannot be confined, started or watched; [`ExecError::Interrupted`] when the flag is raised. In every
    /// case all its processes are dead when this returns.
    pub fn run(&self, interrupt: &Interrupt) -> Result<Finished, ExecError> {
        run_in(self.sandbox.enter(&self.access)?, &self.job, interrupt)
    }

    /// Runs it until it ends, with our standard input and standard error for its own, in a session without a terminal.
    /// Ctrl-C has no effect meanwhile.
    ///
    /// # Errors
    /// When it cannot be confined, started or watched.
    pub fn run_for_user(&self) -> Result<Exit, ExecError> {
        let job = Job { is_for_user: true, ..self.job.clone() };
        let cage = self.sandbox.enter(&self.access)?;
        let ended = without_interrupts(|| run_in(cage, &job, &Interrupt::new()))?;
        Ok(ended?.exit)
    }

    /// Starts it and returns at once.
    ///
    /// # Errors
    /// When it cannot be confined or started.
    pub fn start(&self) -> Result<Running, ExecError> {
        Running::start_in(self.sandbox.enter(&self.access)?, &self.job)
    }
}
