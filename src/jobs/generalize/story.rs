//! The job: reduce, generalize, confirm.

use std::collections::HashSet;

use super::emit::write_grammars;
use super::grammars::NamedGrammar;
use super::instances::{check_property, instances_tests};
use super::text_pattern::TextPattern;
use crate::app::config::PatternConfig;
use crate::app::each::each;
use crate::app::exit::Exit;
use crate::app::failure::Result;
use crate::app::find::find;
use crate::app::session::Session;
use crate::jobs::inputs::confirm::confirm;
use crate::jobs::inputs::prober::remove_probe;
use crate::jobs::inputs::search_inputs::search;
use crate::jobs::inputs::start::{Start, start};
use crate::jobs::inputs::story::{conclude, tell_reduced};
use crate::jobs::inputs::subject::Subject;
use crate::report::{self, Event};

/// Runs the job.
///
/// # Errors
/// When there is nothing to generalize or the environment prevents it.
pub fn run(session: &Session, wanted: &PatternConfig) -> Result<Exit> {
    let grammar = session.config.texts.read_grammar()?;
    if let Some(grammar) = &grammar {
        grammar.tell_unreachable(session);
        // What is wrong with a formula is told before anything is built.
        grammar.of_formula(wanted)?;
    }
    let tests = find(session)?;
    each(session, &tests, |session, test| {
        let start = start(session, test)?;
        check_property(session, &start, wanted)?;
        generalize(session, wanted, start, grammar.as_ref())
    })
}

fn generalize(
    session: &Session,
    wanted: &PatternConfig,
    mut start: Start,
    grammar: Option<&NamedGrammar>,
) -> Result<Exit> {
    let mut found = search(session, &start, grammar)?;
    remove_probe(&start.subject, &start.scratch)?;
    session.stage("Confirming", "with `cargo test`");
    let tests = instances_tests(session, &start, &found, wanted);
    let confirmed = confirm(session, &mut start, &mut found.best, tests)?;
    tell_reduced(session, &start.subject, &found);
    let mut shown = HashSet::new();
    for pattern in &found.patterns {
        let id = input_of(&start.subject, pattern);
        // Of many texts that do not matter one is enough, and of an empty one there is nothing to show.
        let is_new = !pattern.is_open || shown.insert((id, &pattern.text));
        if is_new && !pattern.text.is_empty() {
            tell(session, id, pattern, wanted);
        }
    }
    if let Some((file, notation)) = &wanted.emit {
        write_grammars(session, &found.patterns, file, *notation)?;
    }
    conclude(session, &start, &found, confirmed)
}

/// The number of the input that holds the text.
fn input_of(subject: &Subject, pattern: &TextPattern) -> usize {
    let mut inputs = subject.found.inputs.0.iter();
    let holding = inputs.find(|input| input.contains(pattern.node));
    holding.map_or(0, |input| subject.numbers.of(&subject.found, input.id))
}

/// Shows a pattern, and instances of it if they are asked for.
fn tell(session: &Session, id: usize, pattern: &TextPattern, wanted: &PatternConfig) {
    let (low, high) = pattern.rate.interval();
    session.tell(&Event::Pattern(report::Pattern {
        id,
        pattern: pattern.text.clone(),
        grammar: pattern.grammar.clone(),
        instances: pattern.run.len() as u64,
        reproduced: pattern.rate.reproduced,
        unresolved: pattern.rate.unresolved,
        interval: [low, high],
        is_open: pattern.is_open,
        legend: pattern.legend.clone(),
        tree: pattern.tree.clone(),
    }));
    for (text, outcome) in pattern.run.iter().take(wanted.fuzz.unwrap_or(0)) {
        session.tell(&Event::Instance { id, text: text.clone(), outcome: *outcome });
    }
}
