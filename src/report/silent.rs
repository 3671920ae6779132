//! Nothing is shown.

use super::{Event, Reporter};

/// Says nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Event) {}
}
