//! Writing the chosen switches out, as far as the compiler takes it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::build::Build;
use super::search::SwitchStates;
use super::tiers::SwitchRunner;
use crate::compile::{Compiler, IncrementalCache};
use crate::project::{Diagnostic, DiagnosticSpan};
use crate::reduce::{Answer, RangeExt};
use crate::rust::switches::{Chosen, Reach, SwitchKind, SwitchPlace, reductions};
use crate::rust::{Reduction, Sameness, Sources};
use crate::source::scan::{has_word, is_word};

/// So often the compiler is asked.
pub const ROUNDS: usize = 40;

/// An edit of the sources.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The place of its file.
    pub file: usize,
    /// The switches that it writes out.
    pub switches: Vec<usize>,
    /// The edit.
    pub reduction: Reduction,
}

/// An error by its message, and the file and the byte of the plain sources that it points at.
type KnownError = (String, usize, usize);

/// Asks the compiler about the edits for the best set of switches: all of them, if it takes them; else the switches of those
/// that it rejects, none if nobody knows which they are. What it takes at run time may still be rejected as plain source (the
/// type of a variable may be known only from a use that is gone).
///
/// To blame for an error are the edits near it; for one that is `known` from a set before, all in its function; if there
/// are none, those further around it.
///
/// # Errors
/// When the compiler cannot be run.
pub fn check_edits(
    &SwitchRunner { job, build, .. }: &SwitchRunner<'_>,
    best: &SwitchStates,
    known: &mut BTreeSet<KnownError>,
    compiler: &Compiler,
) -> Answer<Result<Vec<Edit>, BTreeSet<usize>>> {
    let edits = written(build, best);
    // Places are told in terms of these very sources, whatever they were made of.
    let plain = Sources::new(job.sources.files.clone(), Sameness::Text);
    let edited = plain.edit(edits.iter().map(|edit| (edit.file, &edit.reduction)));
    let compiled = compiler.check(&edited, IncrementalCache::Plain, job.interrupt)?;
    if compiled.success {
        return Ok(Ok(edits));
    }
    let blame = Blame { plain: &plain, edited: &edited, build, edits: &edits };
    let near = compiled.errors.iter().map(|error| {
        let is_new = blame.known(error).is_some_and(|error| known.insert(error));
        (error, Some(if is_new { Reach::Near } else { Reach::Function }))
    });
    let near: Vec<_> = near.collect();
    let of_all = |reach| compiled.errors.iter().map(|error| (error, reach)).collect();
    let reaches = [near, of_all(Some(Reach::Function)), of_all(None)].into_iter();
    let blamed_in = |errors: Vec<(&Diagnostic, Option<Reach>)>| -> BTreeSet<usize> {
        errors.into_iter().flat_map(|(error, reach)| blame.edits(error, reach)).collect()
    };
    let blamed = reaches.map(blamed_in).find(|blamed| !blamed.is_empty());
    let switches = blamed.into_iter().flatten();
    let switches = switches.flat_map(|edit| edits[edit].switches.iter().copied());
    Ok(Err(switches.collect()))
}

/// The edits that make of the plain sources what the switches make of those with switches.
pub fn written(build: &Build, best: &SwitchStates) -> Vec<Edit> {
    let mut edits = Vec::new();
    for file in &build.files {
        let switches = file.switches();
        let chosen = Chosen {
            states: &best.states[switches.clone()],
            ran: &best.ran[switches.clone()],
            forbidden: &best.forbidden[switches],
            modes: &file.modes,
            literals: &|place| {
                let value = best.values.get(&(file.first + place));
                value.map(|value| value.literal.as_str())
            },
        };
        edits.extend(reductions(&file.places, chosen).into_iter().map(|written| Edit {
            file: file.file,
            switches: written.places.iter().map(|place| file.first + place).collect(),
            reduction: written.reduction,
        }));
    }
    edits
}

/// What finds the edits that cause errors.
struct Blame<'b> {
    plain: &'b Sources,
    edited: &'b Sources,
    build: &'b Build,
    edits: &'b [Edit],
}

impl Blame<'_> {
    /// What tells an error from others; `None` if it points nowhere.
    fn known(&self, error: &Diagnostic) -> Option<KnownError> {
        let span = error.spans.iter().find(|span| span.primary)?;
        let (file, around, _) = self.place(span)?;
        Some((error.message.clone(), file, around.start))
    }

    /// Those to blame for an error: all in its files, if nothing says how far to look.
    fn edits(&self, error: &Diagnostic, reach: Option<Reach>) -> BTreeSet<usize> {
        let mut blamed = BTreeSet::new();
        // Remarks lead to other functions, which have no errors themselves.
        let spans =
            error.spans.iter().filter(|span| span.primary || reach != Some(Reach::Function));
        for (file, around, named) in spans.filter_map(|span| self.place(span)) {
            let whole = 0..self.plain.files[file].text.len();
            let function = self.function(file, &around);
            let range = match reach {
                Some(Reach::Near) => around,
                Some(Reach::Function) => function.clone().unwrap_or(around),
                None => whole.clone(),
            };
            blamed.extend(self.touching(file, &range));
            if reach == Some(Reach::Near) {
                let inside = self.touching(file, &function.unwrap_or(whole));
                blamed.extend(inside.into_iter().filter(|edit| self.names(*edit, &named)));
            }
        }
        blamed
    }

    /// Where a span of the edited sources comes from: the file, the bytes between what is left around
    /// it, and its text.
    fn place(&self, span: &DiagnosticSpan) -> Option<(usize, Range<usize>, String)> {
        let file = self.edited.position(span.file.as_str())?;
        let text = &self.edited.files[file].text;
        let named = text.get(span.range())?.to_owned();
        let before = (0..=span.start).rev().find_map(|at| self.edited.origin(file, at));
        let after = (span.end.saturating_sub(1).max(span.start)..text.len())
            .find_map(|at| self.edited.origin(file, at));
        let start = before.map_or(0, |place| place.offset);
        let end = after.map_or(self.plain.files[file].text.len(), |place| place.offset + 1);
        Some((file, start..end.max(start), named))
    }

    /// The innermost function around a range of the plain sources.
    fn function(&self, file: usize, range: &Range<usize>) -> Option<Range<usize>> {
        let switched = self.build.files.iter().find(|switched| switched.file == file)?;
        let is_around = |place: &&SwitchPlace| {
            matches!(place.kind, SwitchKind::Function(_)) && place.range.covers(range)
        };
        switched.places.places.iter().rfind(is_around).map(|place| place.range.clone())
    }

    fn touching(&self, file: usize, range: &Range<usize>) -> Vec<usize> {
        let touches = |edit: &Edit| {
            let mut changed = edit.reduction.changes.iter().map(|change| &change.range);
            edit.file == file && changed.any(|it| it.start <= range.end && range.start <= it.end)
        };
        (0..self.edits.len()).filter(|edit| touches(&self.edits[*edit])).collect()
    }

    /// Whether an edit takes away something that names `named`, a variable.
    fn names(&self, edit: usize, named: &str) -> bool {
        let edit = &self.edits[edit];
        let text = &self.plain.files[edit.file].text;
        let named = named.trim_start_matches("mut ").trim();
        if named.is_empty() || !named.chars().all(is_word) {
            return false;
        }
        let changes = &edit.reduction.changes;
        changes.iter().any(|change| has_word(&text[change.range.clone()], named))
    }
}
