//! The subject of a source reduction: one or several files of text.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::origin::{OriginalPlace, OriginalRange, Origins, Piece, assemble};
use super::reduction::{Reduction, pieces};
use super::scan;
use crate::reduce::Candidate;

/// A file: its path as the user wrote it, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path, only a name here.
    pub path: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

impl SourceFile {
    /// The file at `path` with that text.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let (path, text) = (path.into(), text.into());
        SourceFile { path, text }
    }

    /// Whether it is Rust by its name.
    pub fn is_rust(&self) -> bool {
        Path::new(&*self.path).extension().is_some_and(|extension| extension == "rs")
    }
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
    /// What is known of each file.
    facts: Vec<FileFacts>,
    sameness: Sameness,
}

/// What is known of a file; candidates that leave the file as it is share its text and keep this.
#[derive(Debug, Clone)]
struct FileFacts {
    origins: Origins,
    tokens: usize,
    digest: u64,
}

impl FileFacts {
    fn new(text: &str, origins: Origins, sameness: Sameness) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        let mut tokens = 0;
        for piece in scan::pieces(text) {
            if piece.kind.is_token() {
                tokens += piece.words();
            }
            if sameness == Sameness::Text || piece.kind.is_token() {
                piece.text.hash(&mut hasher);
            }
        }
        FileFacts { origins, tokens, digest: hasher.finish() }
    }
}

impl Sources {
    /// Whether these are the very texts of the other ones, not only equal ones.
    pub fn shares_texts_with(&self, other: &Sources) -> bool {
        let text = |file: &SourceFile| file.text.as_ptr();
        self.files.iter().map(text).eq(other.files.iter().map(text))
    }

    /// The original subject: the given files.
    pub fn new(files: Vec<SourceFile>, sameness: Sameness) -> Self {
        let mut sources = Sources { files: Vec::new(), facts: Vec::new(), sameness };
        sources.add_original(files);
        sources
    }

    /// The original subject, a single file.
    pub fn of_file(
        path: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
        sameness: Sameness,
    ) -> Self {
        Sources::new(vec![SourceFile::new(path, text)], sameness)
    }

    /// The place of the file at `path`.
    pub fn position(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|file| *file.path == *path)
    }

    fn add_original(&mut self, files: impl IntoIterator<Item = SourceFile>) {
        for file in files {
            let origins = Origins::whole(self.files.len(), file.text.len());
            self.facts.push(FileFacts::new(&file.text, origins, self.sameness));
            self.files.push(file);
        }
    }

    /// These files, each put together out of pieces of the present ones.
    #[must_use]
    pub fn compose(&self, files: Vec<(Arc<str>, Vec<Piece>)>) -> Self {
        let texts: Vec<(&str, &Origins)> = self
            .files
            .iter()
            .zip(&self.facts)
            .map(|(file, facts)| (&*file.text, &facts.origins))
            .collect();
        let mut made = Sources { files: Vec::new(), facts: Vec::new(), sameness: self.sameness };
        for (path, pieces) in files {
            let (text, facts) = if let Some(file) = self.unchanged(&pieces) {
                (Arc::clone(&self.files[file].text), self.facts[file].clone())
            } else {
                let (text, origins) = assemble(&pieces, &texts);
                let facts = FileFacts::new(&text, origins, self.sameness);
                (text.into(), facts)
            };
            made.files.push(SourceFile { path, text });
            made.facts.push(facts);
        }
        made
    }

    /// The file that is all of these pieces.
    fn unchanged(&self, pieces: &[Piece]) -> Option<usize> {
        match pieces {
            [Piece::Copied { file, range }] if *range == (0..self.files[*file].text.len()) => {
                Some(*file)
            }
            _ => None,
        }
    }

    /// Where the first token of such an original place stands now: its file, and its byte there.
    pub fn find(&self, is_place: impl Fn(OriginalPlace) -> bool) -> Option<(usize, usize)> {
        self.files.iter().enumerate().find_map(|(file, source)| {
            let mut tokens = scan::tokens(&source.text);
            let token = tokens.find(|token| self.origin(file, token.start).is_some_and(&is_place));
            Some((file, token?.start))
        })
    }

    /// The same files with these reductions, each with the place of its file.
    #[must_use]
    pub fn edit<'r>(&self, edits: impl IntoIterator<Item = (usize, &'r Reduction)>) -> Self {
        let mut of_files: Vec<Vec<&Reduction>> = vec![Vec::new(); self.files.len()];
        for (file, reduction) in edits {
            of_files[file].push(reduction);
        }
        let files = self.files.iter().zip(of_files).enumerate();
        let edited = files.map(|(place, (file, reductions))| {
            (Arc::clone(&file.path), pieces(place, &file.text, reductions))
        });
        self.compose(edited.collect())
    }

    /// [`Sources::edit`] with reductions that stand beside the places of their files.
    #[must_use]
    pub fn edit_all<'r>(&self, edits: impl IntoIterator<Item = &'r (usize, Reduction)>) -> Self {
        self.edit(edits.into_iter().map(|(file, edit)| (*file, edit)))
    }

    /// The same files, the text of each made anew by `rewrite` from its place and its text. Tokens that
    /// stay come from where they came from.
    #[must_use]
    pub fn rewrite(&self, mut rewrite: impl FnMut(usize, &str) -> String) -> Self {
        let files = self.files.iter().enumerate().map(|(place, file)| {
            let new = rewrite(place, &file.text);
            let pieces = if new == *file.text {
                vec![Piece::Copied { file: place, range: 0..new.len() }]
            } else {
                realigned(place, &file.text, &new)
            };
            (Arc::clone(&file.path), pieces)
        });
        self.compose(files.collect())
    }

    /// The same files and others behind them.
    #[must_use]
    pub fn with(&self, others: impl IntoIterator<Item = SourceFile>) -> Self {
        let mut sources = self.clone();
        sources.add_original(others);
        sources
    }

    /// The same files, the first one under another path.
    #[must_use]
    pub fn renamed(&self, path: &str) -> Self {
        let mut renamed = self.clone();
        if let Some(first) = renamed.files.first_mut() {
            first.path = path.into();
        }
        renamed
    }

    /// Where a byte of a file stands in the original subject; `None` if it was made up.
    pub fn origin(&self, file: usize, offset: usize) -> Option<OriginalPlace> {
        self.facts.get(file)?.origins.of(offset)
    }

    /// Where these bytes of a file stand in the original subject, if they all do.
    pub fn original_range(&self, file: usize, range: &Range<usize>) -> Option<OriginalRange> {
        let first = self.origin(file, range.start)?;
        let last = self.origin(file, range.end.checked_sub(1)?)?;
        (first.file == last.file && first.offset <= last.offset)
            .then(|| OriginalRange { file: first.file, range: first.offset..last.offset + 1 })
    }

    /// Where what is left of an original range stands now: its file, and the bytes there.
    pub fn place_of(&self, original: &OriginalRange) -> Option<(usize, Range<usize>)> {
        let mut files = self.facts.iter().enumerate();
        files.find_map(|(file, facts)| Some((file, facts.origins.place_of(original)?)))
    }

    /// A reduction of the original file as one of what that is now; `None` if something of it has gone.
    pub fn of_original(&self, file: usize, reduction: &Reduction) -> Option<Reduction> {
        let origins = &self.facts[file].origins;
        let mut changes = reduction.changes.iter();
        changes.try_fold(Reduction::default(), |moved, change| {
            Some(moved.and_replace(origins.now(&change.range)?, &*change.text))
        })
    }

    /// The number of tokens: words and other visible characters, comments not counted.
    pub fn tokens(&self) -> usize {
        self.facts.iter().map(|facts| facts.tokens).sum()
    }

    /// The number of bytes of all files.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }
}

impl Hash for Sources {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for facts in &self.facts {
            facts.digest.hash(state);
        }
    }
}

impl Candidate for Sources {
    type Key = (usize, usize);

    fn key(&self) -> Self::Key {
        (self.tokens(), self.bytes())
    }
}

/// The number of tokens of a text, as [`Sources::tokens`] counts them.
pub fn count_tokens(text: &str) -> usize {
    scan::tokens(text).map(|piece| piece.words()).sum()
}

/// `new` as pieces of `old`, for a text that was laid out anew: both have mostly the same tokens.
fn realigned(file: usize, old: &str, new: &str) -> Vec<Piece> {
    let tokens = |text| {
        let mut at = 0;
        let places = scan::pieces(text).filter_map(move |piece| {
            at += piece.text.len();
            piece.kind.is_token().then(|| (at - piece.text.len(), piece.text))
        });
        places.collect::<Vec<(usize, &str)>>()
    };
    let (olds, news) = (tokens(old), tokens(new));
    let texts = [&olds, &news].map(|all| all.iter().map(|it| it.1).collect::<Vec<&str>>());
    let same = capture_diff_slices(Algorithm::Myers, &texts[0], &texts[1]);
    let (mut pieces, mut done) = (Vec::new(), 0);
    for (old, new_index) in same.iter().flat_map(kept) {
        let (from, (start, token)) = (olds[old].0, news[new_index]);
        pieces.push(Piece::Made(new[done..start].to_owned()));
        pieces.push(Piece::Copied { file, range: from..from + token.len() });
        done = start + token.len();
    }
    pieces.push(Piece::Made(new[done..].to_owned()));
    pieces
}

/// The places before and after of what did not change.
fn kept(op: &DiffOp) -> impl Iterator<Item = (usize, usize)> {
    let (old, new) = match op {
        DiffOp::Equal { .. } => (op.old_range(), op.new_range()),
        _ => (0..0, 0..0),
    };
    old.zip(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str, sameness: Sameness) -> Sources {
        Sources::of_file("a.rs", text, sameness)
    }

    #[test]
    fn comments_and_space_do_not_count_as_tokens() {
        assert_eq!(count_tokens("fn a(x: &'b str) // é\n{ /* /* */ */ \"d e // f\" }"), 19);
    }

    #[test]
    fn tokens_keep_their_places_in_a_new_layout() {
        let before = sources("fn a(){b.c( 1 , 2 )}", Sameness::Text);
        let after = before.rewrite(|_, _| "fn a() {\n    b.c(1, 2);\n}\n".to_owned());
        let new = after.files[0].text.find("c(1").unwrap();
        let old = before.files[0].text.find("c( 1").unwrap();
        assert_eq!(after.origin(0, new).unwrap().offset, old);
        assert_eq!(after.origin(0, after.files[0].text.find(';').unwrap()), None);
    }

    #[test]
    fn tokens_that_only_the_layout_has_do_not_mislead_those_behind_them() {
        let arm = "A => if a { b() } else { c() } ";
        let before = sources(
            &format!("fn f() {{ match x {{ {} }} }} fn t() {{}}", arm.repeat(9)),
            Sameness::Text,
        );
        let laid_out = super::super::pretty(&before.files[0].text).unwrap();
        let after = before.rewrite(|_, _| laid_out.clone());
        let place = |sources: &Sources| sources.files[0].text.find("t()").unwrap();
        assert_eq!(after.origin(0, place(&after)).unwrap().offset, place(&before));
    }

    #[test]
    fn files_that_a_candidate_does_not_change_are_shared() {
        let before =
            sources("fn a() {}", Sameness::Text).with([SourceFile::new("b.rs", "fn b() {}")]);
        let removal = Reduction::remove(0..9);
        let after = before.edit([(1, &removal)]).rewrite(|_, text| text.to_owned());
        assert!(Arc::ptr_eq(&before.files[0].text, &after.files[0].text));
        assert_eq!((before.tokens(), after.tokens()), (12, 6));
        assert_eq!(after.origin(0, 3), Some(OriginalPlace { file: 0, offset: 3 }));
        assert!(after.files[1].text.is_empty());
    }

    #[test]
    fn white_space_matters_only_to_scripts() {
        let same = |sameness| {
            sources("fn a ( ) { }", sameness).facts[0].digest
                == sources("fn a() {}", sameness).facts[0].digest
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
