//! What of a value decides that a test fails.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::runs;
use crate::reduce::inputs::passes::elements_of;
use crate::reduce::inputs::text::{TextLeaf, Token, containers, token, tokens};
use crate::reduce::inputs::{Body, Inputs, Node, NodeId};
use crate::reduce::{Outcome, Problem, RangeExt, Result};

/// So many of the parts that decide are taken away from each candidate.
const MOST_PARTS: usize = 8;
/// So many places are tried where the same characters stand at several.
const MOST_PLACES: usize = 12;
/// What may stand in the place of a word that decides: without it, a text may be fine only as there is nothing left to read.
pub(super) const STAND_INS: [char; 2] = ['a', '0'];

/// What of one value decides that the test fails.
#[derive(Clone)]
pub(super) enum Deciding {
    /// Nothing of it is looked at.
    Whole(Arc<Node>),
    /// The elements of a sequence, of which none changes, and which of them decide. Of each part some are enough: without all
    /// of them the test passes, without one it does not.
    Elements { list: NodeId, all: Vec<Arc<Node>>, parts: Vec<Range<usize>> },
    /// Pieces of a text, in order, and the characters of each that belong together; and its words, if it has several. If it is
    /// data, candidates are, too.
    Text {
        leaf: TextLeaf,
        words: Option<Words>,
        pieces: Vec<Piece>,
        definitions: Vec<Definition>,
        is_data: bool,
    },
}

/// Where a name is met first that stands in a piece, if it stands there in another way than in the piece: what the piece
/// refers to. Where the test fails nobody may look for it any more, but correct code would, as for a namespace of XML.
#[derive(Clone)]
pub(super) struct Definition {
    name: Vec<char>,
    around: [Option<char>; 2],
}

impl Definition {
    /// Those of the names in some pieces of a text.
    pub(super) fn all(chars: &[char], pieces: &[Piece]) -> Vec<Definition> {
        const SHORTEST: usize = 2;
        let named: Vec<Range<usize>> = tokens(chars)
            .into_iter()
            .filter(|it| it.len() >= SHORTEST && chars[it.start].is_alphabetic())
            .collect();
        let is_inside = |it: &&Range<usize>| {
            let wholes = pieces.iter().map(|piece| piece.start..piece.start + piece.chars.len());
            wholes.into_iter().any(|whole| whole.covers(it))
        };
        let (inside, outside): (Vec<_>, Vec<_>) = named.iter().partition(is_inside);
        let mut found: Vec<Definition> = Vec::new();
        for name in inside.iter().map(|it| &chars[(*it).clone()]) {
            let is_name = |it: &&&Range<usize>| chars[(**it).clone()] == *name;
            let Some(first) = outside.iter().find(is_name) else { continue };
            let around = around(chars, first);
            let mut uses = inside.iter().filter(is_name);
            let is_behind = uses.clone().any(|it| it.start < first.start);
            let is_known = found.iter().any(|it| it.name == name);
            if !is_known && !is_behind && uses.all(|it| self::around(chars, it) != around) {
                found.push(Definition { name: name.to_vec(), around });
            }
        }
        found
    }

    /// Whether a text has it.
    fn is_in(&self, chars: &[char], tokens: &[Range<usize>]) -> bool {
        let is_here =
            |it: &Range<usize>| chars[it.clone()] == self.name && around(chars, it) == self.around;
        tokens.iter().any(is_here)
    }
}

/// The characters before and behind a part of a text.
pub(super) fn around(chars: &[char], part: &Range<usize>) -> [Option<char>; 2] {
    [chars[..part.start].last().copied(), chars.get(part.end).copied()]
}

/// The words of a text. Candidates lack some of these, and have no others.
#[derive(Clone)]
pub(super) struct Words {
    all: Vec<Vec<char>>,
    /// What stands behind a word with a blank between them only: side by side both would be something else, as the name and the key
    /// in `{{ name }} {% if key %}` are one text if the blank goes.
    apart: BTreeMap<Vec<char>, BTreeSet<Vec<char>>>,
}

impl Words {
    /// The words of a text that has several.
    pub(super) fn of(chars: &[char]) -> Option<Words> {
        let all: Vec<Vec<char>> =
            runs::words(chars).into_iter().map(|word| chars[word].to_vec()).collect();
        let mut apart: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for three in all.windows(3).filter(|three| token(three[1][0]) == Token::Space) {
            apart.entry(three[0].clone()).or_default().insert(three[2].clone());
        }
        for two in all.windows(2) {
            apart.get_mut(&two[0]).map(|behind| behind.remove(&two[1]));
        }
        (all.len() > 1).then_some(Words { all, apart })
    }

    /// Whether a candidate has no others, in order, and none side by side that stand apart.
    fn are_in(&self, chars: &[char]) -> bool {
        let words: Vec<&[char]> = runs::words(chars).into_iter().map(|word| &chars[word]).collect();
        let mut rest = self.all.iter();
        // `117` has become no `7` because there is one elsewhere.
        words.iter().all(|word| rest.any(|it| it == word))
            && words
                .windows(2)
                .all(|two| self.apart.get(two[0]).is_none_or(|behind| !behind.contains(two[1])))
    }
}

/// A piece of a text.
#[derive(Clone)]
pub(super) struct Piece {
    /// Where it stands in the text in which it was found.
    pub(super) start: usize,
    pub(super) chars: Vec<char>,
    /// The characters around it: it does not grow together with others.
    pub(super) around: [Option<char>; 2],
    pub(super) parts: Vec<Part>,
}

/// A part of a piece that decides.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) range: Range<usize>,
    /// Whether the test passes without it, and not only with something else in its place.
    pub(super) may_lack: bool,
    /// With each of these in its place the test passes.
    pub(super) stand_ins: Vec<char>,
}

impl Part {
    /// The same part, `offset` characters on.
    pub(super) fn behind(&self, offset: usize) -> Part {
        Part { range: self.range.offset_by(offset), ..self.clone() }
    }

    /// The text without it, or with something in its place.
    pub(super) fn replaced(&self, chars: &[char], with: &[char]) -> Vec<char> {
        [&chars[..self.range.start], with, &chars[self.range.end..]].concat()
    }
}

impl Piece {
    /// Whether it stands at a place of a text.
    pub(super) fn is_at(&self, chars: &[char], start: usize) -> bool {
        let end = start + self.chars.len();
        let is_apart =
            |there: Option<&char>, was: Option<char>| there.is_none() || there.copied() == was;
        let follows_blank = self.chars.last().is_some_and(|last| last.is_whitespace());
        chars[start..].starts_with(&self.chars)
            && is_apart(chars[..start].last(), self.around[0])
            && (follows_blank || is_apart(chars.get(end), self.around[1]))
    }
}

impl Deciding {
    /// The value.
    pub(super) fn id(&self) -> NodeId {
        match self {
            Deciding::Whole(node) => node.id,
            Deciding::Elements { list, .. } => *list,
            Deciding::Text { leaf, .. } => leaf.id,
        }
    }

    /// Whether a part of a value decides.
    pub(super) fn is_value(&self) -> bool {
        match self {
            Deciding::Whole(_) => false,
            Deciding::Elements { parts, .. } => !parts.is_empty(),
            Deciding::Text { pieces, .. } => !pieces.is_empty(),
        }
    }

    /// Whether a candidate has all of it.
    pub(super) fn is_in(&self, candidate: &Inputs) -> bool {
        match self {
            Deciding::Whole(node) => candidate.get(node.id) == Some(node),
            Deciding::Elements { all, parts, .. } => {
                let is_left = |node: &Arc<Node>| candidate.get(node.id).is_some();
                let is_same = |node: &Arc<Node>| candidate.get(node.id) == Some(node);
                let has_some = |part: &Range<usize>| all[part.clone()].iter().any(is_left);
                parts.iter().all(has_some)
                    && (parts.is_empty() || all.iter().all(|node| !is_left(node) || is_same(node)))
            }
            Deciding::Text { leaf, words, pieces, definitions, is_data } => {
                let chars = leaf.chars(candidate);
                let tokens = tokens(&chars);
                let are_words = words.as_ref().is_none_or(|words| words.are_in(&chars));
                are_words
                    && (!is_data || containers(&chars).is_some())
                    && definitions.iter().all(|it| it.is_in(&chars, &tokens))
                    && !places(*leaf, pieces, candidate).is_empty()
            }
        }
    }

    /// Sees what may stand in the places of the parts of a text.
    pub(super) fn learn_stand_ins(&mut self, problem: &mut Problem<'_, Inputs>) -> Result<()> {
        let Deciding::Text { leaf, pieces, .. } = self else { return Ok(()) };
        let chars = leaf.chars(problem.best());
        for piece in pieces.iter_mut() {
            for part in &mut piece.parts {
                let there = part.behind(piece.start);
                // One word stands in for a word, not for a line.
                let is_line = chars[there.range.clone()].contains(&'\n');
                for stand_in in STAND_INS.into_iter().filter(|_| !is_line) {
                    let other = there.replaced(&chars, &[stand_in]);
                    if problem.ask(&leaf.with_chars(problem.best(), &other))? == Outcome::Pass {
                        part.stand_ins.push(stand_in);
                    }
                }
            }
        }
        Ok(())
    }

    /// The candidate without the parts, or with something in their places, one after the other: for each way to find them in it.
    pub(super) fn without(&self, candidate: &Inputs) -> Vec<Vec<Inputs>> {
        match self {
            Deciding::Whole(_) => vec![Vec::new()],
            Deciding::Elements { list, all, parts } => {
                let elements = elements_of(candidate, *list).unwrap_or_default();
                let lacking = |part: &Range<usize>| {
                    let is_gone = |id: NodeId| all[part.clone()].iter().any(|gone| gone.id == id);
                    let left = elements.iter().filter(|it| !is_gone(it.id)).cloned();
                    candidate.replace(*list, Body::Seq(left.collect()))
                };
                vec![some(parts).map(lacking).collect()]
            }
            Deciding::Text { leaf, pieces, .. } => {
                let chars = leaf.chars(candidate);
                let others = |part: &Part| -> Vec<Inputs> {
                    let stand_ins = part.stand_ins.iter().map(std::slice::from_ref);
                    let instead = part.may_lack.then_some(&[][..]).into_iter().chain(stand_ins);
                    let texts = instead.map(|with| part.replaced(&chars, with));
                    texts.map(|text| leaf.with_chars(candidate, &text)).collect()
                };
                let places = places(*leaf, pieces, candidate).into_iter();
                let all = places.map(|starts| parts_at(pieces, starts));
                all.map(|parts| some(&parts).flat_map(others).collect()).collect()
            }
        }
    }
}

/// Some of many, spread over all.
pub(super) fn some<T>(all: &[T]) -> impl Iterator<Item = &T> {
    all.iter().step_by(all.len().div_ceil(MOST_PARTS).max(1))
}

/// The parts of pieces in the text in which these were found.
pub(super) fn parts_of(pieces: &[Piece]) -> Vec<Part> {
    parts_at(pieces, pieces.iter().map(|piece| piece.start))
}

/// The parts of pieces that start there.
fn parts_at(pieces: &[Piece], starts: impl IntoIterator<Item = usize>) -> Vec<Part> {
    let parts = pieces
        .iter()
        .zip(starts)
        .flat_map(|(piece, start)| piece.parts.iter().map(move |part| part.behind(start)));
    parts.collect()
}

/// Where the pieces begin in the text of a candidate, if it has all of them, in order: for each place of the first one.
fn places(leaf: TextLeaf, pieces: &[Piece], candidate: &Inputs) -> Vec<Vec<usize>> {
    let chars = leaf.chars(candidate);
    let Some((first, others)) = pieces.split_first() else { return vec![Vec::new()] };
    let firsts = (0..chars.len()).filter(|start| first.is_at(&chars, *start)).take(MOST_PLACES);
    let with_others = |start: usize| {
        let mut from = start + first.chars.len();
        let mut places = vec![start];
        for piece in others {
            let start = (from..chars.len()).find(|start| piece.is_at(&chars, *start))?;
            places.push(start);
            from = start + piece.chars.len();
        }
        Some(places)
    };
    firsts.filter_map(with_others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_defined_where_it_stands_first_in_another_way() {
        let defined = |text: &str, piece: &str| -> Vec<String> {
            let chars: Vec<char> = text.chars().collect();
            let start = text[..text.rfind(piece).unwrap()].chars().count();
            let piece = Piece {
                start,
                chars: piece.chars().collect(),
                around: [None, None],
                parts: Vec::new(),
            };
            let definitions = Definition::all(&chars, &[piece]);
            let tokens = tokens(&chars);
            assert!(definitions.iter().all(|it| it.is_in(&chars, &tokens)));
            definitions.into_iter().map(|it| it.name.into_iter().collect()).collect()
        };
        assert_eq!(
            defined("<e xmlns:öv=\"u\"><öv:b öv:k=\"g\"/></e>", "<öv:b öv:k=\"g\"/>"),
            ["öv"]
        );
        assert_eq!(defined("base: &main\nother: *main", "*main"), ["main"]);
        // Another row is no definition, nor is what follows.
        assert!(defined("<row id=\"1\"/><row id=\"2\"/>", "<row id=\"2\"/>").is_empty());
        assert!(defined("*main\n&main", "*main").is_empty());
    }
}
