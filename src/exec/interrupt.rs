//! The wish of the user to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ExecError;

/// What a shell reports for a program that was ended by Ctrl-C.
const EXIT_INTERRUPTED: i32 = 130;

/// A flag that says the user wants to stop; clones share it.
///
/// ```
/// let interrupt = cargo_reduce::exec::Interrupt::new();
/// let seen_by_a_worker = interrupt.clone();
/// interrupt.set();
/// assert!(seen_by_a_worker.is_set());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    parent: Option<Arc<AtomicBool>>,
}

impl Interrupt {
    /// A flag that only [`Interrupt::set`] raises.
    #[must_use]
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// A flag that Ctrl-C, `SIGTERM` and `SIGHUP` raise. The second such signal ends the program at
    /// once, for the case that the orderly way out hangs; children then die with us.
    ///
    /// # Errors
    /// When the handler cannot be installed, for instance because the process has one already.
    pub fn from_signals() -> Result<Interrupt, ExecError> {
        let interrupt = Interrupt::new();
        let flag = interrupt.clone();
        ctrlc::set_handler(move || {
            if flag.raised.swap(true, Ordering::SeqCst) {
                std::process::exit(EXIT_INTERRUPTED);
            }
        })
        .map_err(ExecError::Handler)?;
        Ok(interrupt)
    }

    /// A flag of its own that is raised as well when this one is: to stop one job and not the others.
    /// Not meant to have children in turn.
    ///
    /// ```
    /// let all = cargo_reduce::exec::Interrupt::new();
    /// let one = all.child();
    /// one.set();
    /// assert!(!all.is_set());
    /// all.set();
    /// assert!(all.child().is_set());
    /// ```
    #[must_use]
    pub fn child(&self) -> Interrupt {
        Interrupt {
            raised: Arc::default(),
            parent: Some(Arc::clone(&self.raised)),
        }
    }

    /// Raises the flag.
    pub fn set(&self) {
        self.raised.store(true, Ordering::SeqCst);
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::SeqCst);
        is_raised(&self.raised) || self.parent.as_ref().is_some_and(is_raised)
    }
}
