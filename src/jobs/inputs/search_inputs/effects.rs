//! What of a test has to stay that expects a value of which nobody knows whether it is right.

use std::collections::{BTreeMap, BTreeSet};

use super::{Runner, Subject};
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::jobs::inputs::agreement::Agreement;
use crate::jobs::inputs::doubt::place_in_test;
use crate::jobs::inputs::keeping::Kept;
use crate::jobs::inputs::missing::{Missing, differing_lines};
use crate::oracle::libtest::Verdict;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::{Match, Signature, tokens};
use crate::reduce::inputs::{Inputs, NodeId, Value, lacking};

/// Shorter texts are the same by chance.
const SHORTEST_NAME: usize = 3;

impl Runner<'_> {
    /// Assertions that do more than to look, since what is checked later sees whether their calls are made, and what has
    /// the value that the result lacks. In
    /// `assert_eq!(board.set("depth", 12), None); assert_eq!(board.get("depth"), Some(12));` nobody would expect the 12
    /// of a board on which no depth was set.
    pub(super) fn needed(
        &self,
        process: &ProcessOracle,
        expected: &Signature,
        agreement: &Agreement<'_>,
    ) -> Result<Kept> {
        let missing = agreement.missing();
        // What the test expects, and tables of that, are no values that it hands over.
        let apart: BTreeSet<NodeId> =
            agreement.tables().into_iter().chain(agreement.expected()).collect();
        let values = self.only_givers(missing, expected, &apart);
        let mut checks = self.subject.found.kept.clone();
        for sequence in &self.subject.found.passed {
            let all = self.original.get(*sequence).map_or(&[][..], |node| node.children());
            for (at, check) in all.iter().enumerate() {
                let place = self.subject.found.place(check.id);
                let text = &self.subject.krate.file(place.file).text[place.range()];
                let without = lacking(self.original, &[], &[(*sequence, vec![at])]);
                if missing.is_told_by(text) || !shows_the_same(process, expected, &without)? {
                    checks.insert(check.id);
                }
            }
        }
        let alike = self.alike(expected, &apart);
        Ok(Kept { whole: checks, values, alike, ..Kept::default() })
    }

    /// Texts that stand among the inputs several times, and in a line in which the sides of the comparison differ: what goes
    /// by the name of something else may be what a right result would be made of.
    fn alike(&self, expected: &Signature, apart: &BTreeSet<NodeId>) -> Vec<Vec<NodeId>> {
        let lines = differing_lines(&expected.message);
        let mut all: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for (id, value) in self.original.leaves() {
            if let Value::Text(text) = value
                && text.chars().count() >= SHORTEST_NAME
                && !self.is_in_any(apart, id)
            {
                all.entry(text).or_default().push(id);
            }
        }
        let is_in = |text: &str| {
            let words: Vec<&str> = tokens(text)
                .into_iter()
                .filter(|it| it.starts_with(char::is_alphanumeric))
                .collect();
            !words.is_empty() && lines.iter().any(|line| words.iter().all(|it| line.contains(it)))
        };
        let alike = all.into_iter().filter(|(text, ids)| ids.len() > 1 && is_in(text));
        alike.map(|(_, ids)| ids).collect()
    }

    /// Whether an input is, or is a part of, one of these.
    fn is_in_any(&self, wholes: &BTreeSet<NodeId>, id: NodeId) -> bool {
        let mut wholes = wholes.iter().filter_map(|whole| self.original.get(*whole));
        wholes.any(|whole| whole.contains(id))
    }

    /// The values that the failing assertion asks for, by what its result lacks, by what it says, or by what it hands over,
    /// where they stand among the inputs once, beside that assertion.
    fn only_givers(
        &self,
        missing: &Missing,
        expected: &Signature,
        apart: &BTreeSet<NodeId>,
    ) -> BTreeMap<NodeId, Value> {
        let is_named = |word: &str| {
            let mut quotes = ['`', '"', '\''].into_iter();
            let quotes_it = |quote| expected.headline().contains(&format!("{quote}{word}{quote}"));
            matches!(self.failure.rule, Match::Headline) && quotes.any(quotes_it)
        };
        let mut givers: BTreeMap<String, Vec<(NodeId, Value)>> = BTreeMap::new();
        let mut asked = BTreeSet::new();
        let Subject { found, krate, .. } = self.subject;
        let failing = place_in_test(self.subject, &self.failure.signature);
        // What the failing assertion looks at: to find it takes the tree of its file.
        let asserted = failing.and_then(|(file, at)| Some((file, krate.asserted_range(file, at)?)));
        let is_asserted = |id: NodeId| {
            let place = found.place(id);
            asserted.as_ref().is_some_and(|(file, range)| {
                *file == place.file && range.contains(&place.range().start)
            })
        };
        for (id, value) in self.original.leaves() {
            let word = match value {
                Value::Text(text) => text.clone(),
                Value::Int(int) => int.magnitude.to_string(),
                _ => continue,
            };
            if is_asserted(id) {
                asked.insert(word);
            } else if !self.is_in_any(apart, id) {
                givers.entry(word).or_default().push((id, value.clone()));
            }
        }
        let is_wanted =
            |word: &String| missing.has_value(word) || asked.contains(word) || is_named(word);
        let only = givers.into_iter().filter(|(word, ids)| ids.len() == 1 && is_wanted(word));
        only.flat_map(|(_, ids)| ids).collect()
    }
}

/// Whether a candidate fails as the original does, to the letter.
fn shows_the_same(
    process: &ProcessOracle,
    expected: &Signature,
    candidate: &Inputs,
) -> Result<bool> {
    let verdict = process.observe(candidate).map_err(|error| trouble(&error))?;
    Ok(matches!(verdict, Verdict::Failed(shown)
        if shown.location == expected.location && shown.message == expected.message))
}
