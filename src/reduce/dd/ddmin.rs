//! The schedule of ddmin.

use std::iter;
use std::ops::Range;

use super::Schedule;

/// Tries complements of ever smaller chunks, and starts again at the front after each success, as
/// ddmin does in the form that its author published it ("The Debugging Book").
///
/// It also tries to remove the last element left, which ddmin leaves alone.
#[derive(Debug, Clone)]
pub struct Ddmin {
    /// Elements in the list.
    len: usize,
    /// Into how many chunks the list is cut.
    granularity: usize,
    /// Where the chunk to try next starts.
    start: usize,
}

impl Ddmin {
    /// Starts on a list of `len` elements.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Ddmin {
            len,
            granularity: 2.min(len),
            start: 0,
        }
    }

    /// The chunk to try next; all chunks are of the same size but the last, which may be smaller.
    fn chunk(&self) -> Option<Range<usize>> {
        let size = self.len.checked_div(self.granularity)?;
        (self.start < self.len).then(|| self.start..self.len.min(self.start + size))
    }
}

impl Schedule for Ddmin {
    fn propose(&self) -> Option<Vec<Range<usize>>> {
        Some(iter::once(self.chunk()?).collect())
    }

    fn miss(&mut self) {
        let Some(chunk) = self.chunk() else { return };
        self.start = chunk.end;
        if self.start == self.len && self.granularity < self.len {
            self.granularity = (self.granularity * 2).min(self.len);
            self.start = 0;
        }
    }

    fn hit(&mut self) {
        let Some(chunk) = self.chunk() else { return };
        self.len -= chunk.len();
        self.granularity = (self.granularity - 1).max(2).min(self.len);
        self.start = 0;
    }
}
