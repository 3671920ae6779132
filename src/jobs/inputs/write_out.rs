//! The reduced inputs as plain source in the scratch copy, built.

use std::collections::BTreeSet;

use super::prober::build_targets;
use super::regression::{Wanted, Written, copy_of, write_regression};
use super::subject::Subject;
use crate::app::failure::{Failure, Result};
use crate::app::find::{does_not_build, list};
use crate::app::session::Session;
use crate::exec::Interrupt;
use crate::project::{Built, Scratch};
use crate::reduce::inputs::{Body, Inputs, NodeId};
use crate::source::{Edits, FileIndex, FileRange, Harness, WriteBack, edits_of};

/// Writes the reduced test and the regression test, in the form that is wanted or in the next that builds, into the copy
/// and builds both. Where neither builds without statements that are gone, all of them are among the `best` inputs again.
///
/// # Errors
/// When something cannot be written or does not build.
pub fn write_and_build(
    session: &Session,
    subject: &mut Subject,
    scratch: &Scratch,
    best: &mut Inputs,
    wanted: &mut Wanted,
) -> Result<Written> {
    let mut form = wanted.form;
    let mut is_alone = false;
    loop {
        let smaller = subject.found.write_back(&subject.krate, best);
        let mut written = write_regression(subject, scratch, best, &smaller, wanted, form)?;
        written.is_alone = is_alone;
        let left_out = written.left_out(subject);
        write_sources(subject, scratch, &written.edits, &smaller, &left_out)?;
        write_doc_comment(subject, scratch, &written)?;
        let built = build(session, subject, scratch, &written)?;
        if built.success {
            if let Harness::Cases { .. } = subject.located.facts.harness {
                written.test = case_of(&built, &written)?;
            }
            return Ok(written);
        }
        written.withdraw(scratch)?;
        // They may not build with what they share with the reduced one.
        if !is_alone && written.breaks_other_tests(subject, &built) {
            is_alone = true;
            continue;
        }
        // A macro may not take all that can be parsed.
        if subject.found.forget_notations() {
            continue;
        }
        // An empty list may leave the compiler without the type of its elements.
        let empties = empty_lists(best);
        let blamed = blamed_empties(subject, &written, &built, &empties);
        if !blamed.is_subset(&subject.found.typed_empties) {
            subject.found.typed_empties.extend(blamed);
        } else if written.is_tidied() {
            subject.found.is_untidy = true;
        } else if !empties.is_subset(&subject.found.typed_empties) {
            subject.found.typed_empties.extend(empties);
            // It was not that it was tidied.
            subject.found.is_untidy = false;
        } else if subject.found.forget_demands() {
            // They may have told a type.
            subject.found.is_untidy = false;
        } else if !subject.found.unreached.is_empty() {
            // What the failing run has not reached may have told types.
            subject.found.unreached.clear();
            subject.found.is_untidy = false;
        } else if let Some(whole) = subject.found.with_whole_statements(best) {
            let error = first_error(&built);
            session.warn(format!(
                "without some of its statements the test does not build{error}, so all of them stay"
            ));
            *best = whole;
        } else if !wanted.instances.is_empty() {
            session.warn("the test of further instances does not build, so it is left out");
            wanted.instances.clear();
        } else {
            let Some(next) = form.next(subject) else { return Err(does_not_build(&built)) };
            let error = first_error(&built);
            session.warn(format!("{form} does not build{error}, so the result is {next}"));
            form = next;
        }
    }
}

/// What the compiler says first, to be put behind a statement.
fn first_error(built: &Built) -> String {
    let error = built.errors.first();
    error.map_or_else(String::new, |error| format!(" ({})", error.message))
}

/// What the harness calls the only case of the regression test.
fn case_of(built: &Built, written: &Written) -> Result<String> {
    let cases = format!("{}::", written.test);
    for binary in built.binaries.iter().filter(|binary| binary.choice == written.target) {
        let (_, tests) = list(&Interrupt::new(), binary)?;
        let case = tests.into_iter().find(|test| test.starts_with(&cases));
        if let Some(case) = case {
            return Ok(case);
        }
    }
    Ok(written.test.clone())
}

/// Writes the reduced code of a doc test into its comment.
fn write_doc_comment(subject: &Subject, scratch: &Scratch, written: &Written) -> Result<()> {
    let is_doc_test = subject.doc_test().is_some();
    let Some(derived) = subject.derived.as_ref().filter(|_| is_doc_test) else { return Ok(()) };
    let edits = written.edits_of(subject, &derived.path);
    let (path, _, text) = derived.edited_source(&edits);
    Ok(scratch.write(&copy_of(scratch, path)?, text.as_bytes())?)
}

/// The lists that are empty.
pub fn empty_lists(best: &Inputs) -> BTreeSet<NodeId> {
    let is_empty = |body: &Body| matches!(body, Body::Seq(children) if children.is_empty());
    best.nodes().filter(|node| is_empty(&node.body)).map(|node| node.id).collect()
}

/// The empty lists at which the compiler's errors point and that are not typed yet.
fn blamed_empties(
    subject: &Subject,
    written: &Written,
    built: &Built,
    empties: &BTreeSet<NodeId>,
) -> BTreeSet<NodeId> {
    let places: Vec<(FileIndex, usize)> = written.origins_of_errors(subject, built).collect();
    let points_at = |id: &NodeId| {
        let place = subject.found.place(*id);
        let range = place.range();
        places.iter().any(|(file, offset)| *file == place.file && range.contains(offset))
    };
    let untyped = empties.difference(&subject.found.typed_empties);
    untyped.copied().filter(points_at).collect()
}

fn build(
    session: &Session,
    subject: &Subject,
    scratch: &Scratch,
    written: &Written,
) -> Result<Built> {
    let mut targets = vec![subject.target.choice.clone()];
    if written.target != targets[0] {
        targets.push(written.target.clone());
    }
    // The user may have stopped the search, but wants its result.
    let interrupt = Interrupt::new();
    let built = build_targets(&session.config, subject, scratch, &targets, &interrupt)?;
    session.count_build(built.success);
    Ok(built)
}

/// Writes the sources of the crate with these edits, and files that are inputs, into the copy; those parts of the original
/// sources that are `left_out` as blanks, so that all else stays where it is.
///
/// # Errors
/// When something cannot be written.
pub fn write_sources(
    subject: &Subject,
    scratch: &Scratch,
    edits: &[(FileIndex, Edits)],
    smaller: &WriteBack,
    left_out: &[FileRange],
) -> Result<()> {
    for index in subject.krate.file_indices() {
        let Some(copy) = scratch.path_of(&subject.path(index)) else { continue };
        let text = &subject.krate.file(index).text;
        let edits = edits_of(edits, index);
        let content = edits.map_or_else(|| text.clone(), |edits| edits.apply(text));
        let mut content = content.into_bytes();
        let new = |old: usize| edits.map_or(old, |edits| edits.to_new(old));
        for (_, part) in left_out.iter().filter(|(file, _)| *file == index) {
            let bytes = content.get_mut(new(part.start)..=new(part.end - 1)).into_iter().flatten();
            bytes.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        scratch.write(&copy, &content)?;
    }
    for (path, content) in &smaller.files {
        let Some(copy) = scratch.copy_of(path) else {
            return Err(Failure::error(format!("`{}` is outside the workspace", path.display())));
        };
        scratch.write(&copy, content)?;
    }
    for copy in smaller.removed.iter().filter_map(|path| scratch.copy_of(path)) {
        scratch.remove(&copy)?;
    }
    Ok(())
}
