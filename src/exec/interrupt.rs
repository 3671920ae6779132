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
pub struct Interrupt(Arc<AtomicBool>);

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
            if flag.0.swap(true, Ordering::SeqCst) {
                std::process::exit(EXIT_INTERRUPTED);
            }
        })
        .map_err(ExecError::Handler)?;
        Ok(interrupt)
    }

    /// Raises the flag.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
