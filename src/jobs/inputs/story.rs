//! The story of the main job: minimize the inputs of a failing test.

use std::sync::Arc;

use super::addition::Addition;
use super::confirm::{Confirmed, confirm};
use super::derived;
use super::form::Form;
use super::newer::newer;
use super::prober::remove_probe;
use super::reduced_inputs::{Isolated, ReducedInputs};
use super::search_inputs::search;
use super::start::{Original, Start, start};
use super::subject::{Sources, Subject};
use super::why_left::{parts, parts_of_difference};
use crate::app::config::Goal;
use crate::app::each::each;
use crate::app::exit::Exit;
use crate::app::failure::Result;
use crate::app::find::{Wanted, find};
use crate::app::search_driver::End;
use crate::app::session::Session;
use crate::jobs::generalize::grammars::NamedGrammar;
use crate::jobs::script::run_compiled;
use crate::reduce::inputs::Node;
use crate::report::{Difference, Event, NextCommand, NextStep, ReducedInput, Status, Summary};

/// So many tenths of the elements of inputs are nearly all of them.
const NEARLY_ALL: usize = 9;

/// Runs the job.
///
/// # Errors
/// When there is nothing to reduce or the environment prevents it.
pub fn run(session: &Session) -> Result<Exit> {
    let grammar = session.config.texts.read_grammar()?;
    if let Some(grammar) = &grammar {
        grammar.tell_unreachable(session);
    }
    let wanted = find(session)?;
    each(session, &wanted, |session, wanted| {
        if session.config.goal == Goal::List {
            return list(session, wanted);
        }
        if let Wanted::Built(chosen) = wanted
            && let Some(exit) = run_compiled(session, chosen)?
        {
            return Ok(exit);
        }
        let start = start(session, wanted)?;
        reduce(session, start, grammar.as_ref())
    })
}

fn list(session: &Session, wanted: &Wanted) -> Result<Exit> {
    let subject = match wanted {
        Wanted::Doc(chosen) => derived::doc_test_subject(session, chosen)?,
        Wanted::OneOf(tests) => {
            let chosen = tests.failing(session)?;
            derived::doc_test_subject(session, &chosen)?
        }
        Wanted::Built(chosen) => {
            let sources = Sources::load(chosen)?;
            if let Some(why) = sources.property() {
                derived::property_subject(session, chosen, &sources.krate, why)?.0
            } else if let Some(made) = sources.macro_test(&session.config, chosen) {
                derived::macro_subject(session, chosen, &sources, made)?
            } else {
                Subject::new(session, chosen, sources)?
            }
        }
    };
    // As far as the source tells; the compiler may know better.
    subject.tell(session, |id| subject.found.place(id).tier);
    subject.tell_boundary(session);
    Ok(Exit::Done)
}

fn reduce(session: &Session, mut start: Start, grammar: Option<&NamedGrammar>) -> Result<Exit> {
    let mut found = search(session, &start, grammar)?;
    let end = if found.interrupted { End::Interrupted } else { End::Minimal };
    end.or_earlier(found.best != start.subject.found.inputs, &start.results)?;
    remove_probe(&start.subject, &start.scratch)?;
    session.stage("Confirming", "with `cargo test`");
    let confirmed = confirm(session, &mut start, &mut found.best, Vec::new())?;
    for isolated in &found.isolated {
        session.tell(&Event::Difference(difference(&start.subject, isolated)));
    }
    if found.isolated.is_empty() {
        tell_reduced(session, &start.subject, &found);
    }
    let left = confirmed.left.clone();
    let exit = conclude(session, &start, &found, confirmed)?;
    left.show(session)?;
    Ok(exit)
}

/// Shows what each input was reduced to.
pub fn tell_reduced(session: &Session, subject: &Subject, found: &ReducedInputs) {
    let before = &subject.found.inputs;
    for (old, new) in before.0.iter().zip(&found.best.0) {
        if subject.found.passed.contains(&old.id) {
            continue;
        }
        let text = subject.text_of(&found.best, new.id);
        session.tell(&Event::Reduced(ReducedInput {
            id: subject.numbers.of(&subject.found, old.id),
            elements_before: old.size(),
            elements_after: new.size(),
            parts: parts(subject, &found.best, &found.around, new, &text),
            text,
            original: subject.text_of(before, old.id),
        }));
    }
}

/// Puts the result in its place, sums the job up, and shows how to run the result.
///
/// # Errors
/// When something cannot be written.
pub fn conclude(
    session: &Session,
    start: &Start,
    found: &ReducedInputs,
    confirmed: Confirmed,
) -> Result<Exit> {
    let Start { subject, results, scratch, original, .. } = start;
    let counts = session.counts();
    let is_untried = counts.candidates + counts.cached == 0 && found.best.size() > 0;
    if is_untried && !found.interrupted && !session.is_limited() {
        session.warn(
            "no smaller input was tried, because the value that the test expects belongs to exactly these inputs; with \
             `--passes-with NAME@VERSION`, a version without the bug decides what is right",
        );
    }
    let is_whole = subject.found.inputs == found.best;
    let is_open = !is_untried && original.is_unsettled(&session.config, subject);
    // Rows of a table are checks, too, and one of them that is left is a small result.
    let is_large = found.best.size() * 10 >= subject.found.inputs.size() * NEARLY_ALL;
    if !found.interrupted
        && is_open
        && is_large
        && subject.has_only_lost_checks(original, &found.best)
    {
        let went = if is_whole { "nothing was removed" } else { "only other checks were removed" };
        session.warn(format!(
            "{went}: the test requires something of exactly these inputs, and each part of them may matter; \
             with `--passes-with NAME@VERSION`, a version without the bug decides what is right",
        ));
    }
    // The failing side of a difference may be the whole input; what is found then is the passing side.
    let status = match (found.interrupted, is_whole && found.isolated.is_empty()) {
        (true, _) => Status::Interrupted,
        (false, true) if session.is_limited() || is_untried || is_open => Status::Limited,
        (false, true) => Status::Minimal,
        (false, false) => Status::Reduced,
    };
    let next = next_steps(session, subject, original, &confirmed);
    let mut summary = Summary {
        doubt: confirmed.doubt,
        unreduced: subject.unreduced_files(),
        next,
        commands: vec![NextCommand { verb: "Run it", command: confirmed.command }],
        ..session.counts().summary(status, Some(confirmed.signature), confirmed.artifacts)
    };
    session.publish(results, scratch.root(), &mut summary)?;
    confirmed.addition.as_ref().map_or(Ok(()), Addition::write)?;
    Ok(session.end(summary, session.config.control.strict))
}

/// What the same call can do besides.
fn next_steps(
    session: &Session,
    subject: &Subject,
    original: &Original,
    confirmed: &Confirmed,
) -> Vec<NextStep> {
    let config = &session.config;
    let mut steps = Vec::new();
    // In doubt, the command that settles it names it.
    let has_judge = config.control.passes_with.is_some() || confirmed.doubt.is_some();
    if !has_judge && let Some(newer) = newer(session, subject, original) {
        steps.push(NextStep {
            option: format!("--passes-with {newer}").into(),
            does: "keeps to inputs with which the newer version passes",
        });
    }
    if !config.write && confirmed.form != Form::Original {
        steps.push(NextStep {
            option: "--write".into(),
            does: "adds the regression test to your tests",
        });
    }
    if config.texts.pattern.is_none() && config.goal == Goal::Minimize {
        steps.push(NextStep {
            option: "--generalize".into(),
            does: "finds which other inputs fail",
        });
    }
    if subject.doc_test().is_none() {
        steps.push(NextStep {
            option: "--code".into(),
            does: "minimizes the code that the test runs",
        });
    }
    steps
}

fn difference(subject: &Subject, isolated: &Isolated) -> Difference {
    let Isolated { place, found, elements } = isolated;
    let with = |node: &Arc<Node>| {
        let mut inputs = subject.found.inputs.clone();
        inputs.0[*place] = Arc::clone(node);
        inputs
    };
    let root = found.difference.id;
    let text = |node: &Arc<Node>| subject.text_of(&with(node), root);
    let difference = text(&found.difference);
    Difference {
        id: subject.numbers.of(&subject.found, root),
        passing: text(&found.passing),
        failing: text(&found.failing),
        parts: parts_of_difference(subject, &with(&found.difference), root, &difference, elements),
        difference,
    }
}
