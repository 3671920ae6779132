//! Output kept up to a bound.

use std::collections::VecDeque;

/// What a child printed: all of it, or its beginning and its end.
///
/// Headers stand at the beginning and verdicts at the end, so when there is too much, the middle is
/// what is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    bound: usize,
    omitted: u64,
}

impl Captured {
    /// Nothing yet; at most `bound` bytes will be kept.
    pub fn with_bound(bound: usize) -> Captured {
        Captured { bound, ..Captured::default() }
    }

    /// Adds what was just read.
    pub fn push(&mut self, bytes: &[u8]) {
        let room = self.head_bound().saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let tail_bound = self.bound - self.head_bound();
        let kept = &rest[rest.len().saturating_sub(tail_bound)..];
        let excess = (self.tail.len() + kept.len()).saturating_sub(tail_bound);
        self.tail.drain(..excess);
        self.tail.extend(kept);
        self.omitted += (rest.len() - kept.len() + excess) as u64;
    }

    /// How many bytes were left out of the middle.
    #[cfg(test)]
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// The bytes that were kept; where some were left out, a line says how many.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        if self.omitted > 0 {
            bytes.extend(format!("\n[{} bytes left out]\n", self.omitted).into_bytes());
        }
        bytes.extend(&self.tail);
        bytes
    }

    /// As [`Captured::bytes`], with what is not UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    fn head_bound(&self) -> usize {
        self.bound / 2
    }
}

impl From<&str> for Captured {
    fn from(text: &str) -> Captured {
        let mut captured = Captured::with_bound(text.len());
        captured.push(text.as_bytes());
        captured
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_whole() {
        let mut captured = Captured::with_bound(11);
        captured.push(b"hello ");
        captured.push(b"world");
        assert_eq!(captured.bytes(), b"hello world");
        assert_eq!(captured.omitted(), 0);
    }

    #[test]
    fn the_middle_is_left_out_however_it_arrives() {
        let all: Vec<u8> = (b'a'..=b'z').collect();
        for piece in 1..=all.len() {
            let mut captured = Captured::with_bound(10);
            all.chunks(piece).for_each(|chunk| captured.push(chunk));
            assert_eq!(captured.text(), "abcde\n[16 bytes left out]\nvwxyz", "{piece}");
        }
    }

    #[test]
    fn a_bound_of_nothing_keeps_nothing() {
        let mut captured = Captured::with_bound(0);
        captured.push(b"abc");
        assert_eq!(captured.omitted(), 3);
    }
}
