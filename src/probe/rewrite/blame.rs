//! From the compiler's errors to the nodes that must be taken back.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::copy::Site;
use super::rewritten::Rewritten;
use crate::reduce::RangeExt;
use crate::reduce::inputs::NodeId;
use crate::source::scan::{first_word, is_word};
use crate::source::{Crate, Edits, FileIndex, FoundInputs, edits_of};

/// The nodes to take back for errors at `places`, byte ranges in the rewritten files. Never empty
/// unless nothing near the errors was rewritten: then it is not the rewriting that is wrong.
///
/// The innermost rewritten piece around an error is to blame, or the rows in it, else the outermost ones inside it, else
/// the variable that the error names, else all that was rewritten in the function of the error.
pub fn blame(
    krate: &Crate,
    found: &FoundInputs,
    rewritten: &Rewritten,
    places: &[(FileIndex, Range<usize>)],
) -> BTreeSet<NodeId> {
    let original = places.iter().filter_map(|(file, range)| original(rewritten, *file, range));
    let original: Vec<_> = original.collect();
    let search = SiteSearch { krate, found, sites: &rewritten.sites };
    let looks =
        [SiteSearch::around, SiteSearch::within, SiteSearch::of_variable, SiteSearch::of_function];
    for look in looks {
        let blamed = original.iter().flat_map(|(file, range)| look(&search, *file, range));
        let nodes: BTreeSet<NodeId> = blamed.collect();
        if !nodes.is_empty() {
            return with_macros(found, nodes);
        }
    }
    BTreeSet::new()
}

/// The nodes, and those in the tokens of the same macro calls.
fn with_macros(found: &FoundInputs, mut nodes: BTreeSet<NodeId>) -> BTreeSet<NodeId> {
    for ids in &found.token_macros {
        if nodes.iter().any(|node| ids.contains(&node.0)) {
            nodes.extend(ids.clone().map(NodeId));
        }
    }
    nodes
}

/// The place in the original file.
fn original(
    rewritten: &Rewritten,
    file: FileIndex,
    range: &Range<usize>,
) -> Option<(FileIndex, Range<usize>)> {
    let no_edits = Edits::default();
    let edits = edits_of(&rewritten.files, file).unwrap_or(&no_edits);
    Some((file, edits.to_old_range(range.clone())?))
}

struct SiteSearch<'s> {
    krate: &'s Crate,
    found: &'s FoundInputs,
    sites: &'s [Site],
}

impl SiteSearch<'_> {
    fn around(&self, file: FileIndex, range: &Range<usize>) -> Vec<NodeId> {
        let around = self.sites_in(file).filter(|site| site.range.covers(range));
        let Some(innermost) = around.min_by_key(|site| site.range.len()) else { return Vec::new() };
        let rows = self.rows(file, &innermost.range);
        if rows.is_empty() { innermost.nodes.clone() } else { rows }
    }

    fn within(&self, file: FileIndex, range: &Range<usize>) -> Vec<NodeId> {
        let overlaps = |site: &&Site| site.range.overlaps(range);
        let mut overlapping: Vec<&Site> = self.sites_in(file).filter(overlaps).collect();
        overlapping.sort_by_key(|site| (site.range.start, Reverse(site.range.end)));
        let mut nodes = Vec::new();
        let mut outermost: Option<&Site> = None;
        for site in overlapping {
            let is_inside = outermost.is_some_and(|outer| {
                site.range.end <= outer.range.end && site.range != outer.range
            });
            if !is_inside {
                nodes.extend(site.nodes.iter().copied());
                outermost = Some(site);
            }
        }
        nodes
    }

    /// What was rewritten in the value of the variable at `range`.
    fn of_variable(&self, file: FileIndex, range: &Range<usize>) -> Vec<NodeId> {
        let text = &self.krate.file(file).text;
        let Some(named) = text.get(range.clone()) else { return Vec::new() };
        let name = first_word(named.trim_start_matches(['&', '*', ' ']));
        let Some(value) = value_of(&text[..range.start], name) else { return Vec::new() };
        self.rows_or_within(file, &value)
    }

    fn rows_or_within(&self, file: FileIndex, range: &Range<usize>) -> Vec<NodeId> {
        let rows = self.rows(file, range);
        if rows.is_empty() { self.within(file, range) } else { rows }
    }

    /// The arrays inside of lists: such a row is a list in the probe, too, which is another type, and is to blame
    /// before the list is.
    fn rows(&self, file: FileIndex, range: &Range<usize>) -> Vec<NodeId> {
        let text = &self.krate.file(file).text;
        let is_in = |site: &Site, outer: &Range<usize>| outer.covers(&site.range);
        let sites: Vec<&Site> = self.sites_in(file).filter(|site| is_in(site, range)).collect();
        let rows = sites.iter().filter(|site| {
            let is_array = text[site.range.clone()].starts_with('[');
            is_array
                && sites.iter().any(|outer| site.range != outer.range && is_in(site, &outer.range))
        });
        rows.flat_map(|site| site.nodes.iter().copied()).collect()
    }

    fn of_function(&self, file: FileIndex, range: &Range<usize>) -> Vec<NodeId> {
        let around =
            self.found.owners.iter().find(|owner| owner.file == file && owner.span.covers(range));
        around.map(|owner| self.rows_or_within(file, &owner.span)).unwrap_or_default()
    }

    fn sites_in(&self, file: FileIndex) -> impl Iterator<Item = &Site> {
        self.sites.iter().filter(move |site| site.file == file)
    }
}

/// The bytes from the last `let name` in `before` to the next `;`.
fn value_of(before: &str, name: &str) -> Option<Range<usize>> {
    if name.is_empty() {
        return None;
    }
    let mut lets = before.rmatch_indices("let ").map(|(at, _)| at);
    let is_it = |at: &usize| {
        let pattern = before[at + 4..].trim_start();
        let pattern = pattern.strip_prefix("mut ").unwrap_or(pattern).trim_start();
        let rest = pattern.strip_prefix(name);
        rest.is_some_and(|rest| !rest.starts_with(is_word))
    };
    let start = lets.find(is_it)?;
    // Statements inside the value, as in a block, only make the range too short.
    let end = before[start..].find(";\n").map_or(before.len(), |at| start + at);
    Some(start..end)
}
