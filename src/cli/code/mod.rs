//! The story of `--code`: the smallest source that still fails the test.

mod package;
mod search;
mod subject;
mod switches;

use super::config::Config;
use super::exit::Exit;
use super::failure::Failure;
use super::find::{Chosen, Wanted, find};
use super::session::Session;
use super::start::{Original, observe, out_dir, rule, stable_signature, tell_failure};
use crate::oracle::signature::Signature;
use crate::project::{Built, Scratch};
use crate::report::{Artifacts, Event, ReducedFile, Status};
use package::keep;
use search::{Found, search};
use subject::CodeSubject;

/// Where the scratch copy is put in the folder of the result: below its target directory, which
/// nobody takes for a part of it.
const SCRATCH: &str = "target/cargo-reduce/scratch";

/// Runs the job.
///
/// # Errors
/// When there is nothing to reduce or the environment prevents it.
pub fn run(session: &mut Session, config: &Config) -> Result<Exit, Failure> {
    let (built, wanted) = find(session, config)?;
    let mut exit = Exit::Done;
    for wanted in &wanted {
        exit = match wanted {
            Wanted::Built(chosen) => reduce(session, config, &built, chosen)?,
            Wanted::Doc(chosen) => {
                return Err(Failure::error(format!(
                    "`{}` is a doc test: its code stands in a comment",
                    chosen.test
                ))
                .hint("put it into a `#[test]` function and reduce that one with `--code`"));
            }
        };
    }
    Ok(exit)
}

fn reduce(
    session: &mut Session,
    config: &Config,
    built: &Built,
    chosen: &Chosen,
) -> Result<Exit, Failure> {
    session.stage("Running", format!("{} ten times", chosen.test));
    let job = chosen.job(&chosen.binary, &config.test_args);
    let baseline = observe(session, config, (&job, chosen.runner, &chosen.test))?;
    let signature = stable_signature(config, &chosen.test, &baseline)?;
    tell_failure(session, &chosen.test, &chosen.package, &signature);
    let original = Original {
        signature,
        rule: rule(config),
        baseline,
    };
    let out = out_dir(session, config, &chosen.test);
    let scratch = Scratch::create(&session.workspace, &out.join(SCRATCH), built, &[])?;
    session.stage("Building", "a copy, to see how the compiler is called");
    let subject = CodeSubject::new(session, config, &scratch, chosen)?;
    session.stage(
        "Reducing",
        format!(
            "{} files, {} tokens",
            subject.sources.files.len(),
            subject.sources.tokens()
        ),
    );
    let found = search(session, config, &subject, &original)?;
    session.stage("Confirming", "with `cargo test`");
    let kept = keep(session, config, &subject, &found, &original, &out)?;
    Ok(conclude(session, &subject, &found, kept))
}

/// The result as the plain `cargo test` has confirmed it.
pub struct Kept {
    signature: Signature,
    artifacts: Artifacts,
    command: String,
}

fn conclude(session: &mut Session, subject: &CodeSubject, found: &Found, kept: Kept) -> Exit {
    let lines = |text: &str| text.lines().count() as u64;
    for before in &subject.sources.files {
        let after = { found.best.files.iter() }.find(|file| file.path == before.path);
        let after = after.map_or("", |file| &*file.text);
        if before.text.is_empty() && after.is_empty() {
            continue;
        }
        session.tell(&Event::File(ReducedFile {
            path: before.path.to_string(),
            bytes_before: before.text.len() as u64,
            bytes_after: after.len() as u64,
            lines_before: lines(&before.text),
            lines_after: lines(after),
        }));
    }
    let is_smaller = found.best.tokens() < subject.sources.tokens();
    let status = match (found.interrupted, is_smaller) {
        (true, _) => Status::Interrupted,
        (false, true) => Status::Reduced,
        (false, false) => Status::Minimal,
    };
    let summary = { session.counts() }.summary(status, Some(kept.signature), kept.artifacts);
    session.tell(&Event::Summary(summary));
    session.stage("Run it", kept.command);
    Exit::of(status)
}
