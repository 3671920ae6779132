//! The literals that are left in the result, minimized as the inputs of any test are.

use camino::{Utf8Path, Utf8PathBuf};

use super::left_package::LeftPackage;
use super::package::{Kept, PackageProof};
use super::reduced_code::ReducedCode;
use crate::app::failure::Result;
use crate::app::find::find;
use crate::app::search_driver::End;
use crate::app::session::Session;
use crate::disk::write_atomic;
use crate::exec::Interrupt;
use crate::jobs::inputs::search_inputs::search;
use crate::jobs::inputs::start::{Start, start};
use crate::oracle::baseline::Baseline;
use crate::reduce::inputs::Inputs;
use crate::rust::{self, Sources, scan};
use crate::source::{Edits, WriteBack};

/// The share of the candidates that literals get when a search was cut short after that many.
const SHARE_OF_CANDIDATES: u64 = 2;

/// The result with smaller literals, if the plain test fails with them in the same way; else the result
/// as it was. They are searched until the interrupt.
///
/// # Errors
/// When a file cannot be written, or cargo cannot be run.
pub fn with_small_literals(
    session: &Session,
    left: &LeftPackage<'_>,
    found: &ReducedCode,
    interrupt: &Interrupt,
    kept: Kept,
) -> Result<Kept> {
    let out = &left.out;
    let mut config = left.config.clone();
    if found.end == End::Limited
        && let Some(limit) = &mut config.control.max_candidates
    {
        *limit /= SHARE_OF_CANDIDATES;
    }
    if config.control.max_candidates == Some(0) || !has_large_literals(&kept.sources) {
        return Ok(kept);
    }
    // The result is what it is: where it has no inputs, or they cannot be changed, nothing is lost.
    let Ok(inner) = left.session(config, interrupt.clone()) else {
        return Ok(kept);
    };
    let texts = smaller(&inner, &left.code_job.original.baseline);
    session.count_all_of(&inner);
    let Ok(texts) = texts else {
        return Ok(kept);
    };
    let smaller = kept.sources.rewrite(|file, text| {
        let path = out.join(&*kept.sources.files[file].path);
        let new = texts.iter().find(|(other, _)| *other == path);
        new.map_or_else(
            || text.to_owned(),
            |(_, new)| rust::pretty_and_tight(new).unwrap_or_else(|| new.clone()),
        )
    });
    if smaller.files == kept.sources.files {
        return Ok(kept);
    }
    write(out, &smaller)?;
    let proof = PackageProof::new(&left.config, left.code_job, kept.left.test.clone(), out);
    if let Ok(signature) = proof.show(session, &smaller)?
        && left.see_others_pass(session, &found.in_its_files(&smaller)).is_ok()
    {
        return Ok(Kept { signature, sources: smaller, ..kept });
    }
    write(out, &kept.sources)?;
    Ok(kept)
}

/// Whether there is a literal of more than one letter or digit: a search for smaller ones costs builds.
fn has_large_literals(sources: &Sources) -> bool {
    let quotes = 2;
    let is_large = |piece: scan::Piece<'_>| match piece.kind {
        scan::PieceKind::Str => piece.text.len() > quotes + 1,
        scan::PieceKind::Word => {
            piece.text.len() > 1 && piece.text.starts_with(|it: char| it.is_ascii_digit())
        }
        scan::PieceKind::Space | scan::PieceKind::Comment | scan::PieceKind::Symbol => false,
    };
    let mut files = sources.files.iter();
    files.any(|file| scan::pieces(&file.text).any(is_large))
}

/// The sources that have other literals then. Where the test was flaky in `before`, candidates are run as
/// often as those of the code were.
fn smaller(session: &Session, before: &Baseline) -> Result<Vec<(Utf8PathBuf, String)>> {
    let wanted = find(session)?;
    let Some(wanted) = wanted.first() else {
        return Ok(Vec::new());
    };
    let mut start = start(session, wanted)?;
    if !before.is_stable() {
        start.original.baseline = before.clone();
    }
    let found = search(session, &start, None)?;
    let changed = changes(&start, &found.best).into_iter();
    Ok(changed.map(|it| (it.path, it.edits.apply(it.text))).collect())
}

/// A source that is changed.
pub struct Changed<'s> {
    /// Where it stands.
    pub path: Utf8PathBuf,
    /// Its text before.
    pub text: &'s str,
    /// How that changes.
    pub edits: Edits,
}

/// The sources that have other literals with the inputs `best`; none where files that are included would
/// have to change.
pub fn changes<'s>(start: &'s Start, best: &Inputs) -> Vec<Changed<'s>> {
    let subject = &start.subject;
    let WriteBack { edits, files, .. } = subject.found.write_back(&subject.krate, best);
    if !files.is_empty() {
        return Vec::new();
    }
    let changed = edits.into_iter().map(|(file, edits)| Changed {
        path: subject.path(file),
        text: &subject.krate.file(file).text,
        edits,
    });
    changed.collect()
}

fn write(out: &Utf8Path, sources: &Sources) -> Result<()> {
    for file in &sources.files {
        let path = out.join(&*file.path);
        // A source with nothing left may have been left out.
        if path.exists() {
            write_atomic(path.as_std_path(), file.text.as_bytes())?;
        }
    }
    Ok(())
}
