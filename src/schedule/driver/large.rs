//! Texts that are too large to be parsed again and again: halves of them, quarters and so on go first, cut between
//! statements and elements, whatever their language.

use std::ops::Range;

use crate::reduce::{Problem, Result};
use crate::rust::{Reduction, SourceFile, Sources, StandIn, Tree, make_edits, scan};

/// From how many bytes on a text is large; one with many functions, which lose their bodies at once, is so later.
const LARGE: usize = 512 << 10;
const LARGE_SOURCE: usize = 2 << 20;
const MANY_FUNCTIONS: usize = 64;
/// Into so many pieces it is cut.
const PIECES: usize = 256;
/// So deep in brackets there are pieces.
const DEPTHS: usize = 6;

/// Takes pieces out of the large files of the best of `problem`, the outermost first, as long as half of a file goes.
pub(crate) fn cut_large(problem: &mut Problem<'_, Sources>) -> Result<()> {
    if !problem.best().files.iter().any(|file| is_large(&file.text)) {
        return Ok(());
    }
    for depth in 0..DEPTHS {
        cut_while_halved(problem, |text| parts(text, depth))?;
    }
    cut_while_halved(problem, characters)
}

/// Whether one of the files may be large: to know it, it has to be parsed.
pub(super) fn has_long(sources: &Sources) -> bool {
    sources.files.iter().any(is_long)
}

fn is_long(file: &SourceFile) -> bool {
    file.text.len() > LARGE
}

fn is_large(text: &str) -> bool {
    let functions = || Tree::with(text, StandIn::Panic, |tree| tree.functions().count());
    let is_source = || functions().is_ok_and(|count| count >= MANY_FUNCTIONS);
    text.len() > LARGE && (text.len() > LARGE_SOURCE || !is_source())
}

fn cut_while_halved(
    problem: &mut Problem<'_, Sources>,
    cut: impl Fn(&str) -> Vec<Range<usize>>,
) -> Result<()> {
    let mut before = usize::MAX;
    while has_long(problem.best()) && problem.best().bytes() <= before / 2 {
        before = problem.best().bytes();
        let base = problem.best();
        let mut pieces: Vec<(usize, Reduction)> = Vec::new();
        for (file, source) in base.files.iter().enumerate() {
            if is_long(source) {
                let cut = joined(&cut(&source.text), source.text.len() / PIECES);
                pieces.extend(cut.into_iter().map(|piece| (file, piece)));
            }
        }
        make_edits(problem, &pieces)?;
    }
    Ok(())
}

/// Removals of neighbouring parts, each of about so many bytes.
fn joined(parts: &[Range<usize>], bytes: usize) -> Vec<Reduction> {
    let mut removals = Vec::new();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        match runs.last_mut() {
            Some(last) if last.end >= part.start => last.end = part.end,
            _ => runs.push(part.clone()),
        }
        let is_last = place + 1 == parts.len();
        if is_last || runs.iter().map(ExactSizeIterator::len).sum::<usize>() >= bytes {
            let runs = std::mem::take(&mut runs).into_iter();
            removals.push(runs.fold(Reduction::default(), Reduction::and_remove));
        }
    }
    removals
}

/// What ends in a comma, a semicolon or a block, as deep in brackets; the last one of a list goes with the comma before.
fn parts(text: &str, depth: usize) -> Vec<Range<usize>> {
    let (mut parts, mut level, mut start, mut is_behind_comma) = (Vec::new(), 0_usize, 0, false);
    for piece in scan::pieces(text).filter(|piece| piece.kind == scan::PieceKind::Symbol) {
        let end = piece.start + piece.text.len();
        match piece.text {
            "(" | "[" | "{" => {
                level += 1;
                if level == depth {
                    (start, is_behind_comma) = (end, false);
                }
            }
            ")" | "]" | "}" => {
                if level == depth && depth > 0 {
                    parts.push(start - usize::from(is_behind_comma)..piece.start);
                }
                level = level.saturating_sub(1);
                if level == depth && piece.text == "}" {
                    parts.push(start..end);
                    (start, is_behind_comma) = (end, false);
                }
            }
            "," | ";" if level == depth => {
                parts.push(start..end);
                (start, is_behind_comma) = (end, piece.text == ",");
            }
            _ => {}
        }
    }
    if depth == 0 {
        parts.push(start..text.len());
    }
    parts.retain(|part| !text[part.clone()].trim().is_empty());
    parts
}

/// Parts of equal length.
fn characters(text: &str) -> Vec<Range<usize>> {
    let places = (0..=PIECES).map(|piece| text.floor_char_boundary(text.len() / PIECES * piece));
    let mut places: Vec<usize> = places.collect();
    places.extend((places.last() != Some(&text.len())).then_some(text.len()));
    places.windows(2).map(|ends| ends[0]..ends[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Outcome};
    use crate::rust::testing::sources_of;

    fn cut(text: &str, depth: usize) -> Vec<&str> {
        parts(text, depth).into_iter().map(|part| &text[part]).collect()
    }

    #[test]
    fn parts_end_between_elements_and_statements() {
        let text = "fn f() { a(1, \"}\"); if b { c() } d } struct S;";
        assert_eq!(cut(text, 0), ["fn f() { a(1, \"}\"); if b { c() } d }", " struct S;"]);
        assert_eq!(cut(text, 1), [" a(1, \"}\");", " if b { c() }", " d "]);
        assert_eq!(cut("[1,2,3]", 1), ["1,", "2,", ",3"]);
    }

    /// What is left of `text` while it has the word, and the number of candidates.
    fn reduced(text: &str, word: &str) -> (usize, u64) {
        let mut oracle =
            FromFn(|sources: &Sources| Outcome::fail_if(sources.files[0].text.contains(word)));
        let mut problem = Problem::new(sources_of(text), &mut oracle, Memory::Remember);
        cut_large(&mut problem).unwrap();
        let candidates = problem.counts().candidates;
        (problem.into_best().bytes(), candidates)
    }

    #[test]
    fn one_long_line_is_cut_into_halves() {
        let statements = "let a = 1; ".repeat(60_000);
        let text = format!("fn f() {{ {statements} needed(); {statements} }}");
        let (bytes, candidates) = reduced(&text, "needed");
        assert!(bytes < 20_000 && candidates < 60, "{bytes} bytes, {candidates} candidates");
        let text = format!("{0} needed {0}", "word ".repeat(120_000));
        let (bytes, candidates) = reduced(&text, "needed");
        assert!(bytes < 20_000 && candidates < 60, "{bytes} bytes, {candidates} candidates");
    }

    #[test]
    fn what_is_not_large_is_left_to_the_passes() {
        let functions = (0..20_000).map(|it| format!("fn f{it}() {{ let a = {it}; }} "));
        for text in ["let a = 1; ".repeat(1000), functions.collect()] {
            assert_eq!(reduced(&text, "a"), (text.len(), 0));
        }
    }
}
