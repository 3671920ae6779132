//! What a tool says while it runs.

use std::sync::{Arc, Mutex, PoisonError};

/// A line that is longer than this is not what a tool says of its progress.
const LONGEST: usize = 1 << 12;

/// The last line that a running tool has printed on standard error, for those who show what is waited for.
#[derive(Debug, Clone, Default)]
pub struct Overheard(Arc<Mutex<Lines>>);

#[derive(Debug, Default)]
struct Lines {
    last: Option<String>,
    whole: WholeLines,
}

/// Whole lines of what comes in pieces.
#[derive(Debug, Default)]
pub(super) struct WholeLines {
    /// What came after the last line break.
    rest: Vec<u8>,
}

impl WholeLines {
    /// The lines that end in what was just read; of one that is longer than `longest` bytes only the end is in them.
    pub(super) fn ended_by(&mut self, bytes: &[u8], longest: usize) -> Option<String> {
        self.rest.extend_from_slice(bytes);
        let end = self.rest.iter().rposition(|byte| *byte == b'\n');
        let ended = end.map(|end| {
            let rest = self.rest.split_off(end + 1);
            let whole = std::mem::replace(&mut self.rest, rest);
            String::from_utf8_lossy(&whole).into_owned()
        });
        if self.rest.len() > longest {
            self.rest.clear();
        }
        ended
    }
}

impl Overheard {
    /// The last line of the tool that is running.
    pub fn last(&self) -> Option<String> {
        self.lock().last.clone()
    }

    /// Hears what was just read.
    pub(super) fn hear(&self, bytes: &[u8]) {
        let mut lines = self.lock();
        if let Some(text) = lines.whole.ended_by(bytes, LONGEST) {
            let last = text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned);
            lines.last = last.or(lines.last.take());
        }
    }

    /// The tool has ended.
    pub(super) fn end(&self) {
        *self.lock() = Lines::default();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_line_is_heard_until_the_end() {
        let heard = Overheard::default();
        heard.hear(b"   Compiling a v1\n   Compi");
        assert_eq!(heard.last().as_deref(), Some("   Compiling a v1"));
        heard.hear(b"ling b v1\n\n");
        assert_eq!(heard.last().as_deref(), Some("   Compiling b v1"));
        heard.end();
        assert_eq!(heard.last(), None);
    }
}
