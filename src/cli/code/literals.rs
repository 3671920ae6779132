//! The literals that are left in the result, minimized as the inputs of any test are.

use camino::{Utf8Path, Utf8PathBuf};

use super::package::{Kept, Proof};
use super::subject::CodeSubject;
use crate::cli::config::{Config, Goal, TestJob};
use crate::cli::failure::Failure;
use crate::cli::find::find;
use crate::cli::session::Session;
use crate::cli::start::{Original, start};
use crate::cli::tiers::search;
use crate::disk::write_atomic;
use crate::passes::{self, Sources};
use crate::project::Workspace;
use crate::reduce::Counts;
use crate::report::{Event, Reporter};
use crate::source::WriteBack;

/// Where the inputs are minimized in the folder of the result.
const FOLDER: &str = "target/cargo-reduce/literals";

/// The result with smaller literals, if the plain test fails with them in the same way; else the result
/// as it was.
///
/// # Errors
/// When a file cannot be written, or cargo cannot be run.
pub fn with_small_literals(
    session: &mut Session,
    config: &Config,
    (subject, original): (&CodeSubject, &Original),
    (out, kept): (&Utf8Path, Kept),
) -> Result<Kept, Failure> {
    let config = for_result(config, subject, original, out);
    // The result is what it is: where it has no inputs, or they cannot be changed, nothing is lost.
    let Ok(workspace) = Workspace::load(out, &config.cargo) else {
        return Ok(kept);
    };
    let mut inner = Session::new(workspace, Box::new(Silent), session.interrupt.clone());
    let found = smaller(&mut inner, &config);
    count(session, &inner);
    let Ok(texts) = found else {
        return Ok(kept);
    };
    let smaller = kept.sources.rewrite(|file, text| {
        let path = out.join(&*kept.sources.files[file].path);
        let new = texts.iter().find(|(other, _)| *other == path);
        new.map_or_else(
            || text.to_owned(),
            |(_, new)| passes::pretty(new).unwrap_or_else(|| new.clone()),
        )
    });
    if smaller.files == kept.sources.files {
        return Ok(kept);
    }
    write(out, &smaller)?;
    let proof = Proof::new(&config, subject, original, out);
    if let Ok(signature) = proof.show(session, &smaller)? {
        return Ok(Kept {
            signature,
            sources: smaller,
            ..kept
        });
    }
    write(out, &kept.sources)?;
    Ok(kept)
}

/// How the inputs of the result are minimized.
fn for_result(
    config: &Config,
    subject: &CodeSubject,
    original: &Original,
    out: &Utf8Path,
) -> Config {
    let mut config = crate::cli::other_version::unlocked(config);
    config.job = TestJob::Inputs;
    config.goal = Goal::Minimize;
    config.subject = Some(subject.test.clone());
    config.targets = vec![subject.target.clone()];
    config.control.match_rule = Some(original.rule.clone());
    config.cargo.manifest_path = Some(out.join("Cargo.toml"));
    config.cargo.packages = vec![subject.package.clone()];
    config.cargo.workspace = false;
    config.cargo.target_dir = Some(subject.scratch.target_dir());
    config.out = Some(out.join(FOLDER));
    config
}

/// The sources that have other literals then.
fn smaller(session: &mut Session, config: &Config) -> Result<Vec<(Utf8PathBuf, String)>, Failure> {
    let (built, wanted) = find(session, config)?;
    let Some(wanted) = wanted.first() else {
        return Ok(Vec::new());
    };
    let start = start(session, config, &built, wanted)?;
    let found = search(session, config, &start, None)?;
    let krate = &start.subject.krate;
    let WriteBack { edits, files } = start.subject.found.write_back(krate, &found.best);
    if !files.is_empty() {
        // Files that are included stay as they are.
        return Ok(Vec::new());
    }
    let texts = edits.into_iter().map(|(file, edits)| {
        let text = edits.apply(&krate.file(file).text);
        (start.subject.path(file), text)
    });
    Ok(texts.collect())
}

fn count(session: &mut Session, inner: &Session) {
    let counts = inner.counts();
    session.count_builds(counts.builds, counts.checks);
    session.count_search(Counts {
        candidates: counts.candidates,
        cached: counts.cached,
        ..Counts::default()
    });
}

fn write(out: &Utf8Path, sources: &Sources) -> Result<(), Failure> {
    for file in &sources.files {
        let path = out.join(&*file.path);
        // A source with nothing left may have been left out.
        if path.exists() {
            write_atomic(path.as_std_path(), file.text.as_bytes())?;
        }
    }
    Ok(())
}

/// Says nothing.
struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Event) {}
}
