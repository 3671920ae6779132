//! What tests of reports need.

use std::io;
use std::sync::{Arc, Mutex};

use super::Input;
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
