//! The result: a package of its own that the plain `cargo test` fails on.

use std::fs;
use std::time::Duration;

use camino::Utf8Path;

use super::Kept;
use super::layout::{Dependencies, Files, flat_layout, flat_path, kept_layout};
use super::remains::write_report;
use super::search::{End, Found};
use super::subject::CodeSubject;
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::plain_test::PlainTest;
use crate::cli::session::Session;
use crate::cli::start::Original;
use crate::disk::write_atomic;
use crate::exec::Interrupt;
use crate::oracle::code::Place;
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::Signature;
use crate::passes::{self, Sources};
use crate::report::{Artifacts, Status};

/// cargo itself needs some time before the test begins, and builds dependencies.
const CARGO_TIME: Duration = Duration::from_mins(5);

/// Writes the package and sees it fail; laid out by prettyplease and with only the dependencies that
/// are named, if it fails like that.
///
/// # Errors
/// When nothing can be written, or the plain test does not fail in the same way.
pub fn keep(
    session: &mut Session,
    config: &Config,
    subject: &CodeSubject,
    found: &Found,
    original: &Original,
    out: &Utf8Path,
) -> Result<Kept, Failure> {
    let config = unlocked(config);
    let pretty = found
        .best
        .rewrite(|_, text| passes::pretty(text).unwrap_or_else(|| text.to_owned()));
    let place = Place::new(
        original.rule.clone(),
        original.signature.clone(),
        &subject.original.sources,
    );
    if config.out.is_none() {
        clear(out)?;
    }
    let mut instead = String::new();
    for (sources, dependencies) in [
        (&pretty, Dependencies::Named),
        (&pretty, Dependencies::All),
        (&found.best, Dependencies::All),
    ] {
        let (sources, files) = if found.shape.is_flat() {
            let sources = sources.renamed(&flat_path(subject));
            let files = flat_layout(subject, &found.shape, &sources, dependencies)?;
            (sources, files)
        } else {
            (
                sources.clone(),
                kept_layout(subject, sources, dependencies)?,
            )
        };
        write(out, &files)?;
        let test = PlainTest {
            config: &config,
            manifest: &out.join("Cargo.toml"),
            // What it depends on is built there already.
            target_dir: Some(&subject.scratch.target_dir()),
            package: &subject.package,
            target: &subject.target,
            runner: subject.runner,
            test: &subject.test,
        };
        // The user may have stopped the search, but wants its result.
        let (verdict, said) = test.observe(CARGO_TIME, &Interrupt::new())?;
        session.count_build(verdict != Verdict::NotRun);
        match verdict {
            Verdict::Failed(shown) if place.is_same(&shown, &sources) => {
                let mut kept = kept(shown, (out, sources), &test);
                if found.end == End::Minimal {
                    kept.artifacts.report = Some(write_report(out, &subject.test, &found.left)?);
                }
                return Ok(kept);
            }
            Verdict::Failed(shown) => instead = format!("it fails with {shown}"),
            Verdict::Passed => "it passes".clone_into(&mut instead),
            Verdict::NotRun => instead = format!("it does not run\n{said}"),
        }
    }
    Err(Failure::new(
        Status::NotReproduced,
        format!("the plain `cargo test` does not confirm the reduction: {instead}"),
    )
    .hint(format!("the package is in `{out}`")))
}

/// The lock file has to be written anew when dependencies come from elsewhere or are gone.
pub fn unlocked(config: &Config) -> Config {
    let mut config = config.clone();
    config.cargo.offline |= config.cargo.frozen;
    config.cargo.locked = false;
    config.cargo.frozen = false;
    config
}

fn kept(shown: Signature, (out, sources): (&Utf8Path, Sources), test: &PlainTest<'_>) -> Kept {
    Kept {
        signature: shown,
        artifacts: Artifacts {
            package: Some(out.to_string()),
            ..Artifacts::default()
        },
        command: test.shown(),
        sources,
    }
}

/// Removes an earlier result from the folder, which is ours, but for what was built there.
fn clear(out: &Utf8Path) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::error(format!("cannot clear `{out}`: {error}"));
    for entry in out.read_dir_utf8().map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let kind = entry.file_type().map_err(cannot)?;
        if !kind.is_dir() {
            fs::remove_file(entry.path()).map_err(cannot)?;
        } else if entry.file_name() != "target" {
            fs::remove_dir_all(entry.path()).map_err(cannot)?;
        }
    }
    Ok(())
}

/// Writes the files.
fn write(out: &Utf8Path, files: &Files) -> Result<(), Failure> {
    for (path, bytes) in files {
        write_atomic(out.join(path).as_std_path(), bytes)?;
    }
    Ok(())
}
