//! The sweep over single elements that makes a list 1-minimal.

/// Goes round the list from the back, one element at a time, until each of them was tried alone since
/// the last hit.
#[derive(Debug, Clone)]
pub(super) struct Singles {
    /// Elements in the list.
    len: usize,
    /// The place behind the element to try next.
    end: usize,
    /// How many were tried since the last hit.
    settled: usize,
}

impl Singles {
    pub(super) fn new(len: usize) -> Self {
        Singles {
            len,
            end: len,
            settled: 0,
        }
    }

    /// The place of the element to try next; nothing when all are settled.
    pub(super) fn place(&self) -> Option<usize> {
        (self.settled < self.len).then(|| self.end - 1)
    }

    pub(super) fn miss(&mut self) {
        self.settled += 1;
        self.step();
    }

    pub(super) fn hit(&mut self) {
        self.len -= 1;
        self.settled = 0;
        self.step();
    }

    /// Goes on to the element before, or round to the last.
    fn step(&mut self) {
        self.end = match self.end - 1 {
            0 => self.len,
            end => end,
        };
    }
}
