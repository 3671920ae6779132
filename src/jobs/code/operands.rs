//! What the condition is about that the failing test asserts: with other values it would be another failure.

use std::collections::BTreeSet;

use super::code_job::CodeJob;
use super::compile_plan::{CompilePlan, count};
use super::shape::CodeShape;
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::compile::{Compiled, Depth, Shortcuts};
use crate::exec::Job;
use crate::oracle::libtest::Verdict;
use crate::project::Diagnostic;
use crate::reduce::Answer;
use crate::rust::operands::{Operands, added, number_in, split, values};
use crate::rust::{Sources, function_of};
use crate::source::Asserted;

/// So often is compiled to find those that can be shown.
const ROUNDS: usize = 3;
/// So often is run to see that they are always the same.
const RUNS: usize = 3;
/// A value that takes more bytes to show says too much: all that makes it would have to stay.
const LONGEST: usize = 1_000;

impl CodeJob<'_> {
    /// Takes the condition that the test asserts for the failure only where it is about the same values, if these can be
    /// shown, and no other version says what is right. Tells which they are.
    ///
    /// # Errors
    /// When the sources cannot be compiled or run at all.
    pub fn hold_operands(&mut self, session: &Session) -> Result<()> {
        let is_condition = matches!(
            self.asserted(),
            Some(Asserted::Condition | Asserted::Bound | Asserted::Relation | Asserted::Inequality)
        );
        if !is_condition {
            return Ok(());
        }
        if self.pins_inputs() && self.original.baseline.is_stable() {
            self.operands = self.shown_operands(session)?;
        }
        let config = &self.config;
        let is_guarded = config.control.passes_with.is_some() || !config.code.also_pass.is_empty();
        if self.operands.is_none() && !is_guarded {
            session.warn(
                "the test asserts a condition, and any code that makes it false counts as failing; use `--also-pass` \
                 or `--passes-with` to say what the code still has to do",
            );
        }
        Ok(())
    }

    /// The operands that can be shown, and are always the same.
    fn shown_operands(&self, session: &Session) -> Result<Option<Operands>> {
        let sources = &self.subject.original.sources;
        let Some(place) = self.matcher.place_in(sources) else { return Ok(None) };
        let mut left = Operands::of(sources, place, function_of(&self.subject.test));
        for _ in 0..ROUNDS {
            let Some(operands) = left else { break };
            match self.try_operands(session, &operands)? {
                Shown::Always(shown) => {
                    let texts = shown.shown(sources, place).join(", ");
                    session.stage(
                        "Holding",
                        format!("the values of {texts}: the test asserts something of them"),
                    );
                    return Ok(Some(shown));
                }
                Shown::Not(other) => left = other,
            }
        }
        Ok(None)
    }

    /// Sources that show the operands that are held.
    pub fn showing_operands(&self, sources: &Sources) -> Sources {
        let shown = self.operands.as_ref().and_then(|it| self.showing(it, sources));
        shown.unwrap_or_else(|| sources.clone())
    }

    /// The shape with sources that show them.
    pub fn shape_showing_operands(&self, shape: &CodeShape) -> CodeShape {
        CodeShape { sources: self.showing_operands(&shape.sources), ..shape.clone() }
    }

    fn showing(&self, operands: &Operands, sources: &Sources) -> Option<Sources> {
        let message = &self.original.signature.message;
        operands.show_in(sources, self.matcher.place_in(sources)?, message)
    }

    /// Shows these operands in all of the code.
    fn try_operands(&self, session: &Session, operands: &Operands) -> Result<Shown> {
        let whole = CompilePlan::as_it_is(self.subject, Shortcuts::All);
        let Some(sources) = self.showing(operands, &whole.shape.sources) else {
            return Ok(Shown::Not(None));
        };
        let interrupt = &session.interrupt;
        let compiler = self.compiler("operands", &whole, interrupt);
        let confine = |job: Job| self.confine(job);
        let run = self.run(&self.subject.test, &confine);
        let look = |compiled: Compiled| -> Answer<Shown> {
            let Some(binary) = &compiled.binary else {
                let in_error = in_error(&compiled, &sources);
                let left = operands.without(|it| in_error.contains(&it));
                return Ok(Shown::Not(left.filter(|_| !in_error.is_empty())));
            };
            let mut texts = Vec::new();
            for _ in 0..RUNS {
                match run.run(binary, interrupt)?.verdict {
                    Verdict::Failed(shown) if self.matcher.is_same(&shown, &sources) => {
                        texts.extend(split(&shown.message).1.map(str::to_owned));
                    }
                    _ => return Ok(Shown::Not(None)),
                }
            }
            let all: Vec<Vec<(usize, &str)>> =
                texts.iter().map(|it| values(it).collect()).collect();
            let is_steady = |value: &(usize, &str)| {
                value.1.len() <= LONGEST && all.iter().all(|other| other.contains(value))
            };
            let first = all.first().into_iter().flatten();
            let steady: BTreeSet<usize> = first.filter(|it| is_steady(it)).map(|it| it.0).collect();
            let left = operands.without(|it| !steady.contains(&it));
            Ok(left.map_or(Shown::Not(None), Shown::Always))
        };
        let shown = compiler.with_compiled(&sources, Depth::Link, interrupt, look);
        count(session, &compiler);
        shown.map_err(|error| trouble(&error))
    }
}

/// What came of the attempt to show operands.
enum Shown {
    /// These are always the same.
    Always(Operands),
    /// It does not build, or not show the failure; these others may.
    Not(Option<Operands>),
}

/// The operands that do not compile.
fn in_error(compiled: &Compiled, sources: &Sources) -> BTreeSet<usize> {
    let spans = compiled.errors.iter().flat_map(Diagnostic::primary_spans);
    let arguments = spans.filter_map(|span| {
        let text = &sources.files.get(sources.position(span.file.as_str())?)?.text;
        let own = added(text).into_iter().find(|range| range.contains(&span.start))?;
        number_in(&text[own])
    });
    arguments.collect()
}
