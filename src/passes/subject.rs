//! The subject of a source reduction: one or several files of text.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::scan::{self, Piece};
use crate::reduce::Candidate;

/// A file: its path as the user wrote it, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path, only a name here.
    pub path: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

/// When two candidates are the same to the oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// Equal tokens: a compiler's crash does not depend on white space and comments.
    Tokens,
    /// Equal text: a script may look at anything.
    Text,
}

/// The files as a candidate. Fewer tokens are better, then fewer bytes.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The files, in the order given.
    pub files: Vec<SourceFile>,
    sameness: Sameness,
    tokens: usize,
    digest: u64,
}

impl Sources {
    /// Candidate of the given files.
    #[must_use]
    pub fn new(files: Vec<SourceFile>, sameness: Sameness) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        let mut tokens = 0;
        for file in &files {
            for piece in scan::pieces(&file.text) {
                if piece.kind.is_token() {
                    tokens += piece.words();
                }
                if sameness == Sameness::Text || piece.kind.is_token() {
                    piece.text.hash(&mut hasher);
                }
            }
            "\n".hash(&mut hasher);
        }
        Sources {
            files,
            sameness,
            tokens,
            digest: hasher.finish(),
        }
    }

    /// The same files, the text of each made anew by `rewrite` from its place and its text.
    #[must_use]
    pub fn rewrite(&self, mut rewrite: impl FnMut(usize, &str) -> String) -> Self {
        let files = self
            .files
            .iter()
            .enumerate()
            .map(|(place, file)| SourceFile {
                path: Arc::clone(&file.path),
                text: rewrite(place, &file.text).into(),
            });
        Self::new(files.collect(), self.sameness)
    }

    /// The number of tokens: words and other visible characters, comments not counted.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// The number of bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }
}

impl Hash for Sources {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
        self.tokens.hash(state);
    }
}

impl Candidate for Sources {
    type Key = (usize, usize);

    fn key(&self) -> Self::Key {
        (self.tokens, self.bytes())
    }
}

/// The number of tokens of a text, as [`Sources::tokens`] counts them.
#[must_use]
pub fn count_tokens(text: &str) -> usize {
    scan::pieces(text)
        .filter(|piece| piece.kind.is_token())
        .map(|piece: Piece<'_>| piece.words())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str, sameness: Sameness) -> Sources {
        Sources::new(
            vec![SourceFile {
                path: "a.rs".into(),
                text: text.into(),
            }],
            sameness,
        )
    }

    #[test]
    fn comments_and_space_do_not_count_as_tokens() {
        assert_eq!(
            count_tokens("fn a(x: &'b str) // é\n{ /* /* */ */ \"d e // f\" }"),
            19
        );
    }

    #[test]
    fn white_space_matters_only_to_scripts() {
        let same = |sameness| {
            sources("fn a ( ) { }", sameness).digest == sources("fn a() {}", sameness).digest
        };
        assert!(same(Sameness::Tokens));
        assert!(!same(Sameness::Text));
    }

    #[test]
    fn fewer_tokens_win_over_fewer_bytes() {
        let long_name = sources("fn abcdefghijkl() {}", Sameness::Tokens);
        let more_tokens = sources("fn a(b: c) {}", Sameness::Tokens);
        assert!(long_name.key() < more_tokens.key());
    }
}
