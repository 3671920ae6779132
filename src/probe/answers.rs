//! What the runtime in the test binary answers over its socket.
//!
//! Each answer begins with the word of its batch, a random one that came with the frame: what a candidate
//! writes to a descriptor that it does not know is never taken for an answer.

use std::io::{ErrorKind, Read};

use crate::source::ByteReader;

/// What shows that the runtime speaks.
pub type Word = [u8; 8];

/// What the runtime says of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The test passed.
    Pass,
    /// It panicked, but not where a panic is looked for.
    Elsewhere,
    /// It panicked where a panic is looked for.
    Panic {
        /// The panic's message.
        message: String,
        /// The file as rustc names it.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// It returned an error, shown with `Debug`.
    Error(String),
}

/// How a batch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// All of it was run, or it stopped at the last thing heard.
    Batch,
    /// The same, and the process has grown so much that it should be replaced.
    Replace,
    /// Nothing was heard for too long.
    Hung,
    /// The process is gone.
    Gone,
    /// Something came over the line that the runtime did not say: the candidate's doing.
    Noise,
    /// The runtime cannot run the candidate.
    NotRun,
    /// The runtime is in trouble, which no candidate has made.
    Trouble(String),
}

/// One answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// What the next candidate did.
    Heard(Heard),
    /// Nothing more comes.
    End(End),
}

/// Hears answers; one that is not complete yet is kept until the rest comes.
pub(super) struct Ear<S> {
    stream: S,
    word: Word,
    heard: Vec<u8>,
    /// Where in `heard` the next answer begins.
    start: usize,
}

impl<S: Read> Ear<S> {
    pub(super) fn new(stream: S, word: Word) -> Self {
        Ear { stream, word, heard: Vec::new(), start: 0 }
    }

    pub(super) fn next(&mut self) -> std::io::Result<Said> {
        loop {
            let mut answer = ByteReader(&self.heard[self.start..]);
            if let Some(said) = read(&mut answer, self.word) {
                self.start = self.heard.len() - answer.0.len();
                return Ok(said);
            }
            self.heard.drain(..self.start);
            self.start = 0;
            let mut more = [0; 8192];
            let count = self.stream.read(&mut more)?;
            if count == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.heard.extend_from_slice(&more[..count]);
        }
    }
}

/// The next answer; `None` if there is more to come.
fn read(from: &mut ByteReader<'_>, word: Word) -> Option<Said> {
    let known = from.0.len().min(word.len());
    if from.0[..known] != word[..known] {
        return Some(Said::End(End::Noise));
    }
    from.take(word.len())?;
    Some(match from.byte()? {
        0 => Said::Heard(Heard::Pass),
        1 => {
            let (message, file) = (string(from)?, string(from)?);
            let (line, column) = (from.number()?, from.number()?);
            Said::Heard(Heard::Panic { message, file, line, column })
        }
        2 => Said::Heard(Heard::Error(string(from)?)),
        3 => Said::Heard(Heard::Elsewhere),
        4 => Said::End(End::Replace),
        5 => Said::End(End::Batch),
        6 => Said::End(End::Trouble(string(from)?)),
        7 => {
            string(from)?;
            Said::End(End::NotRun)
        }
        _ => Said::End(End::Noise),
    })
}

fn string(from: &mut ByteReader<'_>) -> Option<String> {
    Some(String::from_utf8_lossy(from.bytes()?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: Word = *b"the word";

    /// All that is said in the bytes, which come a few at a time.
    fn said(bytes: &[u8], at_once: usize) -> Vec<Said> {
        struct Slow<'a>(&'a [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let count = self.1.min(buffer.len());
                self.0.read(&mut buffer[..count])
            }
        }
        let mut ear = Ear::new(Slow(bytes, at_once), WORD);
        std::iter::from_fn(|| ear.next().ok()).take(9).collect()
    }

    #[test]
    fn answers_are_heard_however_they_are_cut() {
        let mut bytes = WORD.to_vec();
        bytes.push(1);
        bytes.extend(b"\x02\0\0\0no\x04\0\0\0a.rs\x03\0\0\0\x05\0\0\0");
        bytes.extend(WORD);
        bytes.push(5);
        for at_once in 1..bytes.len() {
            let [Said::Heard(Heard::Panic { message, line, .. }), Said::End(End::Batch)] =
                &said(&bytes, at_once)[..]
            else {
                panic!("{at_once}: {:?}", said(&bytes, at_once));
            };
            assert_eq!((message.as_str(), *line), ("no", 3));
        }
    }

    #[test]
    fn what_comes_without_the_word_is_noise() {
        let mut bytes = WORD.to_vec();
        bytes.push(0);
        bytes.push(1);
        let said = said(&bytes, 64);
        assert_eq!(said[..2], [Said::Heard(Heard::Pass), Said::End(End::Noise)]);
        assert_eq!(self::said(b"\0", 1)[0], Said::End(End::Noise));
    }
}
