//! The story of the main job: minimize the inputs of a failing test.

use std::sync::Arc;

use camino::Utf8PathBuf;

use super::config::{Config, Goal};
use super::confirm::{Confirmed, confirm};
use super::exit::Exit;
use super::failure::Failure;
use super::find::{Chosen, find};
use super::prober::{build_probe, remove_probe};
use super::search::Found as SearchResult;
use super::session::Session;
use super::subject::Subject;
use super::tiers::search;
use crate::oracle::baseline::{Baseline, test_job};
use crate::oracle::judge::Judge;
use crate::oracle::signature::{Kind, Match, Matcher, Signature};
use crate::project::{Built, Scratch};
use crate::reduce::inputs::{IsolatedInput, Node, NodeId};
use crate::report::{Difference, Event, Status, Tier};

/// Runs the job.
///
/// # Errors
/// When there is nothing to reduce or the environment prevents it.
pub fn run(session: &mut Session, config: &Config) -> Result<Exit, Failure> {
    let (built, chosen) = find(session, config)?;
    let mut exit = Exit::Done;
    for chosen in &chosen {
        exit = if config.goal == Goal::List {
            list(session, chosen)?
        } else {
            reduce(session, config, &built, chosen)?
        };
    }
    Ok(exit)
}

fn list(session: &mut Session, chosen: &Chosen) -> Result<Exit, Failure> {
    let subject = Subject::load(session, chosen)?;
    subject.tell(session, |id| expected_tier(&subject, id));
    Ok(Exit::Done)
}

/// The tier as far as the source tells; the compiler may know better.
fn expected_tier(subject: &Subject, id: NodeId) -> Tier {
    match subject.found.place(id).tier {
        crate::source::Tier::InProcess => Tier::InProcess,
        crate::source::Tier::Process => Tier::Process,
        crate::source::Tier::Rebuild => Tier::Rebuild,
    }
}

fn reduce(
    session: &mut Session,
    config: &Config,
    built: &Built,
    chosen: &Chosen,
) -> Result<Exit, Failure> {
    session.stage("Running", format!("{} ten times", chosen.test));
    let baseline = observe(session, config, chosen)?;
    let signature = stable_signature(config, chosen, &baseline)?;
    session.tell(&Event::Failure {
        test: chosen.test.clone(),
        package: chosen.package.clone(),
        signature: signature.clone(),
    });
    if signature.kind == Kind::Timeout {
        session.warn("the test does not end, so this is taken for a hang; `--timeout SECS` if it is only slow");
    }
    let mut subject = Subject::load(session, chosen)?;
    let scratch = Scratch::create(
        &session.workspace,
        &out_dir(session, config, chosen),
        built,
        &[],
    )?;
    let rule = rule_for(session, config, &subject, &signature);
    let original = Original {
        signature,
        rule,
        baseline,
    };
    session.stage("Building", "the probe");
    let probe = build_probe(session, config, &subject, &scratch)?;
    let found = search(session, config, &subject, &scratch, &probe, &original)?;
    remove_probe(&scratch)?;
    session.stage("Confirming", "with `cargo test`");
    let confirmed = confirm(
        session,
        config,
        &mut subject,
        &scratch,
        &found.best,
        &original,
    )?;
    Ok(conclude(session, &subject, &found, confirmed))
}

fn observe(session: &Session, config: &Config, chosen: &Chosen) -> Result<Baseline, Failure> {
    let job = test_job(&chosen.binary, &chosen.test, &config.test_args);
    let same =
        |one: &Signature, other: &Signature| Matcher::new(rule(config), one.clone()).matches(other);
    let baseline = Baseline::observe(
        (&job, &chosen.test),
        config.control.timeout,
        same,
        &session.interrupt,
    )?;
    if !baseline.known {
        return Err(Failure::error(format!(
            "the test binary does not run `{}`",
            chosen.test
        )));
    }
    Ok(baseline)
}

/// The rule the user chose, or the default one.
fn rule(config: &Config) -> Match {
    config.control.match_rule.clone().unwrap_or_default()
}

/// The failure we started from.
#[derive(Debug)]
pub struct Original {
    /// What identifies it.
    pub signature: Signature,
    /// How closely candidates must meet it.
    pub rule: Match,
    /// The runs in which it was seen.
    pub baseline: Baseline,
}

impl Original {
    /// Judges failures at their places in the original sources.
    #[must_use]
    pub fn judge(&self, subject: &Subject) -> Judge {
        Judge::new(
            self.rule.clone(),
            self.signature.clone(),
            &subject.found.inputs,
        )
    }
}

/// How closely candidates must meet the failure. Where the test compares a result with a value that is
/// written out, any wrong result would do for the default rule, so the result must stay the same one.
fn rule_for(
    session: &mut Session,
    config: &Config,
    subject: &Subject,
    signature: &Signature,
) -> Match {
    let default = rule(config);
    if config.control.match_rule.is_some() || signature.kind != Kind::Panic {
        return default;
    }
    let Some((file, offset)) = signature
        .location
        .as_ref()
        .and_then(|place| subject.offset_of(place))
    else {
        return default;
    };
    if subject.krate.compares_with_literal(file, offset) {
        session.warn(
            "the test compares a result with a value that is written out, so only inputs with the very same \
             wrong result count (`--match location` takes any wrong result)",
        );
        return Match::Exact;
    }
    default
}

fn stable_signature(
    config: &Config,
    chosen: &Chosen,
    baseline: &Baseline,
) -> Result<Signature, Failure> {
    let Some(signature) = &baseline.signature else {
        return Err(Failure::new(
            Status::NotFailing,
            format!(
                "`{}` passes ({} of {} runs): there is no failure to reduce",
                chosen.test, baseline.runs, baseline.runs
            ),
        )
        .hint("if it fails now and then, run it until it does: `--runs N` takes more runs"));
    };
    if !baseline.is_stable() && config.control.runs.is_none() {
        return Err(Failure::new(
            Status::Flaky,
            format!("`{}` is flaky: it fails in {} of {} runs", chosen.test, baseline.failures, baseline.runs),
        )
        .hint("`--runs N` runs each candidate up to N times; `--min-rate R` says how often it must fail"));
    }
    Ok(signature.clone())
}

fn out_dir(session: &Session, config: &Config, chosen: &Chosen) -> Utf8PathBuf {
    if let Some(folder) = &config.out {
        return config.cwd.join(folder);
    }
    let name = crate::emit::names::file_name(&chosen.test);
    session
        .workspace
        .target_directory()
        .join("reduce")
        .join(name)
}

fn conclude(
    session: &mut Session,
    subject: &Subject,
    found: &SearchResult,
    confirmed: Confirmed,
) -> Exit {
    let before = &subject.found.inputs;
    for (id, isolated) in &found.isolated {
        session.tell(&Event::Difference(difference(subject, *id, isolated)));
    }
    for (id, (old, new)) in (0_usize..).zip(before.0.iter().zip(&found.best.0)) {
        if !found.isolated.is_empty() {
            break;
        }
        session.tell(&Event::Reduced {
            id,
            elements_before: old.size(),
            elements_after: new.size(),
            text: subject.text_of(&found.best, new.id),
        });
    }
    let status = match (found.interrupted, *before == found.best) {
        (true, _) => Status::Interrupted,
        (false, true) => Status::Minimal,
        (false, false) => Status::Reduced,
    };
    let summary = session
        .counts()
        .summary(status, Some(confirmed.signature), confirmed.artifacts);
    session.tell(&Event::Summary(summary));
    session.stage("Run it", confirmed.command);
    Exit::of(status)
}

fn difference(subject: &Subject, id: usize, isolated: &IsolatedInput) -> Difference {
    let text = |node: &Arc<Node>| {
        let mut inputs = subject.found.inputs.clone();
        inputs.0[id] = Arc::clone(node);
        subject.text_of(&inputs, node.id)
    };
    Difference {
        id,
        passing: text(&isolated.passing),
        failing: text(&isolated.failing),
        difference: text(&isolated.difference),
    }
}
