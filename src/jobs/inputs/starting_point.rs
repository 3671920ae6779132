//! What a search starts from: the failure as it was seen, and all that was made ready for it.

use camino::Utf8Path;

use super::crossing::Crossing;
use super::other_version::OtherProbe;
use super::prober::Probe;
use super::subject::Subject;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::proof::Proof;
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::emit::names::file_name;
use crate::exec::Job;
use crate::oracle::baseline::Baseline;
use crate::oracle::failure_matcher::{Call, InputMatcher};
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{FailureKind, Match, Matcher, Signature};
use crate::project::Scratch;
use crate::report::Status;
use crate::source::{Asserted, ExpectedValue};

/// The name of the scratch copy.
pub const SCRATCH: &str = "scratch";
/// What is below such a folder is ours.
const OURS: &str = "/target/cargo-reduce/";

/// What a search starts from.
pub struct Start {
    /// What is reduced.
    pub subject: Subject,
    /// Where its result goes.
    pub results: ResultFolder,
    /// Where it is changed.
    pub scratch: Scratch,
    /// The build in which candidates are chosen at run time.
    pub probe: Probe,
    /// The failure.
    pub original: Original,
    /// The build with another version of a package, in which candidates have to pass.
    pub other: Option<OtherProbe>,
    /// The values at the boundary.
    pub crossing: Crossing,
}

/// The innermost call outside of the standard library.
#[derive(Debug, Clone)]
pub struct FoundCall {
    /// Where the probe has it.
    pub in_probe: Call,
    /// Where it stands in the original sources.
    pub in_sources: Call,
}

/// Tells the user which failure is held on to.
pub fn tell_failure(session: &Session, test: &str, package: &str, signature: &Signature) {
    session.failure(test, package, signature);
    if signature.kind == FailureKind::Timeout {
        session.warn("the test does not finish, so the failure is taken to be a hang; if the test is only slow, set `--timeout SECS`");
    }
}

/// Sees the unchanged test fail in the same way ten times: the runs, and the failure that they have shown.
///
/// # Errors
/// When it cannot be run, passes, or fails only sometimes and the user does not allow that.
pub fn see_failing(
    session: &Session,
    job: &Job,
    runner: TestRunner,
    test: &str,
) -> Result<(Baseline, Signature)> {
    session.stage("Running", format!("{test} ten times"));
    let baseline = observe(session, job, runner, test)?;
    let signature = stable_signature(&session.config, test, &baseline)?;
    Ok((baseline, signature))
}

fn observe(session: &Session, job: &Job, runner: TestRunner, test: &str) -> Result<Baseline> {
    let same = |one: &Signature, other: &Signature| {
        Matcher::new(rule(&session.config), one.clone()).matches(other)
    };
    let (limit, interrupt) = (session.config.control.timeout, &session.interrupt);
    let baseline = Baseline::observe(job, runner, test, limit, same, interrupt)?;
    if !baseline.known {
        let failure = Failure::error(format!("the test binary does not run `{test}`"));
        // What libtest says of arguments that it does not know.
        let mut lines = baseline.output.lines();
        let refusal = lines.find_map(|line| line.strip_prefix("error: "));
        return Err(match refusal {
            Some(refusal) => failure.hint(format!(
                "it says: {refusal}; arguments after `--` are passed to the test binary"
            )),
            None => failure,
        });
    }
    Ok(baseline)
}

/// The rule the user chose, or the default one.
pub fn rule(config: &Config) -> Match {
    config.control.match_rule.clone().unwrap_or_default()
}

/// The failure we started from.
#[derive(Debug, Clone)]
pub struct Original {
    /// What identifies it.
    pub signature: Signature,
    /// How closely candidates must meet it.
    pub rule: Match,
    /// The runs in which it was seen.
    pub baseline: Baseline,
    /// The call that must lead there, if it is in the standard library.
    pub call: Option<FoundCall>,
    /// Messages of the same failure with other inputs.
    pub seen: Vec<String>,
}

impl Original {
    /// A failure of which no more is known yet.
    pub fn new(signature: Signature, rule: Match, baseline: Baseline) -> Self {
        Original { signature, rule, baseline, call: None, seen: Vec::new() }
    }

    /// Judges failures at their places in the original sources.
    pub fn matcher(&self, subject: &Subject) -> InputMatcher {
        InputMatcher::new(self.rule.clone(), self.signature.clone(), &subject.found.inputs)
            .having_seen(&self.seen)
            .called_at(self.call.as_ref().map(|call| call.in_sources.clone()))
    }

    /// How a plain test of it is watched.
    pub fn proof(&self, config: &Config) -> Proof {
        Proof::new(config, &self.signature, &self.baseline)
    }
}

/// How closely candidates must meet the failure. Where the test compares a result with a value that is
/// written out, any wrong result would do for the default rule, so the result must stay the same one, unless
/// another version tells what is right.
pub fn rule_for(session: &Session, subject: &Subject, signature: &Signature) -> Match {
    let default = rule(&session.config);
    let is_free =
        session.config.control.match_rule.is_some() || session.config.control.passes_with.is_some();
    if is_free || signature.kind != FailureKind::Panic {
        return default;
    }
    let Some((file, offset)) = subject.failed_at(signature) else {
        return default;
    };
    let strict = match subject.krate.asserted_in(file, offset) {
        Some(Asserted::Values(None) | Asserted::Relation) => {
            return Match::Relation.for_sides(signature, default);
        }
        Some(Asserted::Values(Some(ExpectedValue::WrittenOut))) => Match::Exact,
        Some(Asserted::Values(Some(ExpectedValue::InVariable))) => Match::Values,
        Some(Asserted::Condition | Asserted::Shown | Asserted::Bound | Asserted::Inequality)
        | None => {
            // What an error says is no report of the test's own.
            let is_own = subject.krate.is_in_test(&subject.located, file, offset)
                && !subject.krate.is_in_error_branch(file, offset);
            return if is_own && signature.is_report() { Match::Headline } else { default };
        }
    };
    pinned(session, signature, strict)
}

/// How closely candidates must meet a wrong result that is compared with a value which is written down; by `strict` where
/// no two sides are shown.
pub fn pinned(session: &Session, signature: &Signature, strict: Match) -> Match {
    session.warn(
        "the test compares a result with a fixed value, so only inputs with the same wrong result count; with \
         `--passes-with NAME@VERSION`, a version without the bug decides what is right",
    );
    Match::Difference.for_sides(signature, strict)
}

/// The failure that all runs have shown.
fn stable_signature(config: &Config, test: &str, baseline: &Baseline) -> Result<Signature> {
    let Some(signature) = &baseline.signature else {
        return Err(Failure::new(
            Status::NotFailing,
            format!(
                "`{test}` passes ({} of {} runs): there is no failure to reduce",
                baseline.runs, baseline.runs
            ),
        )
        .hint("if it fails only now and then, use `--runs N` to run it more often"));
    };
    if !baseline.is_stable() && config.control.runs.is_none() {
        return Err(Failure::new(
            Status::Flaky,
            format!("`{test}` is flaky: it fails in {} of {} runs", baseline.failures, baseline.runs),
        )
        .hint("use `--runs N` to run each candidate up to N times, and `--min-rate R` to say how often it must fail"));
    }
    Ok(signature.clone())
}

/// Where the scratch copy and the results go.
///
/// # Errors
/// When the user wants them where a package is, or what a killed run left there cannot be put in order.
pub fn results(session: &Session, test: &str) -> Result<ResultFolder> {
    let target = session.workspace.target_directory();
    let folder = session.config.results(&target, &file_name(test));
    let results = ResultFolder::open(&folder)?;
    let is_ours = |manifest: &str| {
        let is_below = folder.starts_with(target) || folder.as_str().contains(OURS);
        is_below || results.has_written(Utf8Path::new(manifest)) || !folder.join(manifest).exists()
    };
    if is_ours("Cargo.toml") {
        return Ok(results);
    }
    Err(Failure::error(format!("`{folder}` already holds a package"))
        .hint("choose a new folder with `--out DIR`, or one that holds an earlier result"))
}
