//! What shows events.

use super::Event;

/// Shows events.
pub trait Reporter {
    /// Shows an event. An error of the stream it is shown on (a closed pipe) is not worth losing a
    /// result for, so there is none.
    fn report(&mut self, event: &Event);
}
