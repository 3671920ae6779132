//! The result: a package of its own that the plain `cargo test` fails on.

use std::fs;
use std::time::Duration;

use camino::Utf8Path;

use super::Kept;
use super::flat_layout::{flat_layout, flat_path};
use super::layout::{Company, kept_layout};
use super::remains::write_report;
use super::remedies::write_package;
use super::search::{End, Found};
use super::subject::CodeSubject;
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::other_version::unlocked;
use crate::cli::plain_test::PlainTest;
use crate::cli::session::Session;
use crate::cli::start::Original;
use crate::cli::tiers::time_limit;
use crate::exec::Interrupt;
use crate::oracle::code::Place;
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::Signature;
use crate::passes::{self, Sources};
use crate::report::{Artifacts, Status};

/// cargo itself needs some time before the test begins.
const CARGO_TIME: Duration = Duration::from_secs(10);

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
    // All is built by then.
    let limit = CARGO_TIME + time_limit(&config, &original.signature, &original.baseline);
    let mut instead = String::new();
    for (sources, company) in [
        (&pretty, Company::Named),
        (&pretty, Company::Files),
        (&pretty, Company::All),
        (&found.best, Company::All),
    ] {
        let is_flat = found.shape.is_flat();
        let sources = if is_flat {
            &sources.renamed(&flat_path(subject))
        } else {
            sources
        };
        let written = write_package(session, &config, (subject, out), sources, |sources| {
            if is_flat {
                flat_layout(subject, &found.shape, sources, company)
            } else {
                kept_layout(subject, sources, company)
            }
        })?;
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
        let (verdict, said) = test.observe(limit, &Interrupt::new())?;
        session.count_build(verdict != Verdict::NotRun);
        match verdict {
            Verdict::Failed(shown) if place.is_same(&shown, &written.sources) => {
                let mut kept = kept(shown, (out, written.sources), &test);
                if found.end == End::Minimal {
                    kept.artifacts.report = Some(write_report(out, &subject.test, &found.left)?);
                }
                return Ok(kept);
            }
            other => instead = what_instead(&other, written.error.as_deref(), &said),
        }
    }
    Err(Failure::new(
        Status::NotReproduced,
        format!("the plain `cargo test` does not confirm the reduction: {instead}"),
    )
    .hint(format!("the package is in `{out}`")))
}

fn what_instead(shown: &Verdict, error: Option<&str>, said: &str) -> String {
    match (error, shown) {
        (Some(error), _) => format!("it does not build\n{error}"),
        (None, Verdict::Failed(shown)) => format!("it fails with {shown}"),
        (None, Verdict::Passed) => "it passes".to_owned(),
        (None, Verdict::NotRun) => format!("it does not run\n{said}"),
    }
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
