//! What tests of reports need.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use super::{Detail, Event, Input, Reporter};
use crate::source::Tier;

/// A text of 9,684 characters in a test.
pub(super) fn input(id: usize, file: &str, line: u32) -> Input {
    Input {
        id,
        kind: "str".into(),
        file: file.into(),
        line,
        elements: Some(9684),
        origin: "literal".into(),
        path: None,
        tier: Tier::InProcess,
    }
}

/// What was written, wherever it was handed on to.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    /// All of it.
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps what it is told.
#[derive(Clone, Default)]
pub(crate) struct EventLog {
    pub(crate) events: Rc<RefCell<Vec<Event>>>,
    pub(crate) detail: Detail,
}

impl EventLog {
    pub(crate) fn events(&self) -> Vec<Event> {
        self.events.borrow().clone()
    }
}

impl Reporter for EventLog {
    fn report(&mut self, event: &Event) {
        self.events.borrow_mut().push(event.clone());
    }

    fn detail(&self) -> Detail {
        self.detail
    }
}
