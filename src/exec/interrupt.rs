//! The wish of the user to stop, or a time that is up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

use super::ExecError;

/// What a shell reports for a program that was ended by Ctrl-C.
const EXIT_INTERRUPTED: i32 = 130;

/// Signals within this time are one wish: `timeout`, and shells, send one to the program and one to its group.
const AT_ONCE: Duration = Duration::from_millis(300);

/// A flag that says the user wants to stop; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    /// Those that raise this one, too.
    parents: Vec<Arc<AtomicBool>>,
    /// When it is raised by itself.
    deadline: Option<Instant>,
}

impl Interrupt {
    /// A flag that only [`Interrupt::set`] raises.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// A flag that Ctrl-C, `SIGTERM` and `SIGHUP` raise. Another such signal a while later ends the program at
    /// once, for the case that the orderly way out hangs; children then die with us.
    ///
    /// # Errors
    /// When the handler cannot be installed, for instance because the process has one already.
    pub fn from_signals() -> Result<Interrupt, ExecError> {
        let interrupt = Interrupt::new();
        let flag = interrupt.clone();
        let first = OnceLock::new();
        ctrlc::set_handler(move || {
            flag.raised.store(true, Ordering::SeqCst);
            if first.get_or_init(Instant::now).elapsed() > AT_ONCE {
                std::process::exit(EXIT_INTERRUPTED);
            }
        })
        .map_err(ExecError::Handler)?;
        Ok(interrupt)
    }

    /// A flag of its own that is raised as well when this one is: to stop one job and not the others.
    #[must_use]
    pub fn child(&self) -> Interrupt {
        let own = std::iter::once(&self.raised);
        Interrupt {
            raised: Arc::default(),
            parents: self.parents.iter().chain(own).map(Arc::clone).collect(),
            deadline: self.deadline,
        }
    }

    /// A child that is also raised by itself at `deadline`: for a part of the work whose time is limited.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Interrupt {
        let earliest = self.deadline.map_or(deadline, |own| own.min(deadline));
        Interrupt { deadline: Some(earliest), ..self.child() }
    }

    /// The same, where there is a deadline.
    #[must_use]
    pub fn until_if(&self, deadline: Option<Instant>) -> Interrupt {
        deadline.map_or_else(|| self.clone(), |deadline| self.until(deadline))
    }

    /// Whether its time is up.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Raises the flag.
    pub fn set(&self) {
        self.raised.store(true, Ordering::SeqCst);
    }

    /// Whether to stop: the user wants it, or time is up.
    pub fn is_set(&self) -> bool {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::SeqCst);
        is_raised(&self.raised) || self.parents.iter().any(is_raised) || self.is_late()
    }
}

/// Does something during which Ctrl-C has no effect.
///
/// # Errors
/// When the system refuses it.
pub(super) fn without_interrupts<T>(action: impl FnOnce() -> T) -> Result<T, ExecError> {
    let ignore = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    let set = |to: &SigAction| {
        #[expect(unsafe_code, reason = "there is no other way to ignore a signal")]
        // SAFETY: no handler is installed but the one that there was.
        let before = unsafe { sigaction(Signal::SIGINT, to) };
        before.map_err(|errno| ExecError::Watch(errno.into()))
    };
    let before = set(&ignore)?;
    let done = action();
    set(&before)?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_time_limit_ends_the_part_it_was_set_for_and_all_in_it() {
        let user = Interrupt::new();
        let late = user.until(Instant::now());
        assert!(late.is_late() && late.is_set() && late.child().is_set());
        let later = Instant::now() + Duration::from_hours(1);
        assert!(late.until(later).is_late());
        assert!(!user.is_set() && !user.until(later).is_set());
    }

    #[test]
    fn a_child_is_stopped_with_all_above_it_and_alone() {
        let all = Interrupt::new();
        let (one, deep) = (all.child(), all.child().child());
        one.set();
        assert!(!all.is_set() && !deep.is_set());
        all.set();
        assert!(deep.is_set() && !deep.is_late() && all.child().is_set());
    }
}
