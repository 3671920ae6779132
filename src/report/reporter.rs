//! What shows events.

use super::{Event, Summary};

/// How closely a reporter wants to be told of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// How far it is, and what it has found.
    #[default]
    Results,
    /// Also what each step has taken away.
    Steps,
    /// Also what became of each candidate.
    Candidates,
}

/// Shows events.
pub trait Reporter {
    /// Shows an event. An error of the stream it is shown on (a closed pipe) is not worth losing a
    /// result for, so there is none.
    fn report(&mut self, event: &Event);

    /// The page about all that it was told, if it makes one; the job puts it among the files of its result.
    ///
    /// # Errors
    /// Why there is none.
    fn page(&self, _: &Summary) -> Option<Result<String, String>> {
        None
    }

    /// How closely it wants to be told of a search.
    fn detail(&self) -> Detail {
        Detail::Results
    }
}

/// Says nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Event) {}
}
