//! Why what is left is left: what happens when each statement is removed.

use std::ops::Range;

use super::code_job::CodeJob;
use super::compile_plan::count;
use super::package::Kept;
use super::reduced_code::ReducedCode;
use crate::app::failure::Result;
use crate::app::search_driver::{End, trouble};
use crate::app::session::Session;
use crate::disk::write_atomic;
use crate::emit::left::report;
use crate::exec::{Interrupt, Job};
use crate::oracle::code::{Observed, TestRun};
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::side_by_side;
use crate::oracle::process::is_interrupt;
use crate::oracle::signature::Signature;
use crate::passes::PassId;
use crate::reduce::{OracleError, Outcome};
use crate::report::{Event, Part, Without, counted};
use crate::rust::operands::{split, values};
use crate::rust::{Reduction, Sources, StandIn, Tree, function_of};

/// The file in which the result is explained.
pub const REPORT: &str = "report.md";
/// A report longer than this says nothing to a reader.
const MOST: usize = 200;

/// A statement of the result.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The number of its file.
    pub file: usize,
    /// Its text.
    pub text: String,
    /// Where it stands, and what happens without it.
    pub part: Part,
    /// Whether the same happens without it.
    pub is_idle: bool,
}

/// Removes each statement once and tells what happens, until `interrupt` ends that.
///
/// # Errors
/// When candidates cannot be run.
pub fn explain(
    session: &Session,
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
    best: &Sources,
    interrupt: &Interrupt,
) -> Result<Vec<Statement>> {
    let compile_plan = &found.compile_plan;
    let compiler = code_job.compiler("candidates", compile_plan, interrupt);
    let other = code_job.other_build(compile_plan, interrupt);
    let confine = |job: Job| code_job.confine(job);
    let passing = found.passing.iter().map(|(test, _)| test);
    let companions = &compile_plan.shape.companions.names;
    let also: Vec<String> = companions.iter().chain(passing).cloned().collect();
    let run = TestRun { also: &also, ..code_job.run(compile_plan.name.original(), &confine) };
    let oracle = code_job.oracle(&compiler, other.as_ref(), &run, compile_plan, interrupt);
    let oracle = oracle.looking_for(found.matcher.clone());
    let all = statements(best, found);
    if !all.is_empty() && !interrupt.is_set() {
        let count = counted(all.len() as u64, "statement");
        session.stage(
            "Explaining",
            format!("what is left: {count}, each removed alone to see what happens"),
        );
    }
    let shown = |sources: &Sources| code_job.showing_operands(sources);
    let candidates: Vec<Sources> =
        all.iter().map(|(file, removal)| shown(&best.edit([(*file, removal)]))).collect();
    // The rest is not worth the result.
    let unless_interrupted = |error: OracleError| match error {
        error if is_interrupt(&error) => Ok(()),
        error => Err(trouble(&error)),
    };
    let mut reasons: Vec<Option<Observed>> = vec![None; all.len()];
    match oracle.reasons_of_variants(&shown(best), &candidates, interrupt) {
        Ok(found) => reasons = found,
        Err(error) => unless_interrupted(error)?,
    }
    let open: Vec<usize> = (0..all.len()).filter(|place| reasons[*place].is_none()).collect();
    let workers = code_job.config.workers.max(1);
    for group in open.chunks(workers) {
        if interrupt.is_set() {
            break;
        }
        session.tell(&Event::Done { parts: reasons.iter().flatten().count(), of: all.len() });
        let ask = |place: &usize| oracle.reasons(&candidates[*place], interrupt);
        for (place, answer) in group.iter().zip(side_by_side(workers, group, ask)) {
            match answer.map_err(OracleError::from).and_then(|observed| observed) {
                Ok(observed) => reasons[*place] = Some(observed),
                Err(error) => unless_interrupted(error)?,
            }
        }
    }
    count(session, &compiler);
    let reasons = all.iter().zip(&reasons);
    let left =
        reasons.map(|((file, removal), reason)| statement(best, *file, removal, reason.as_ref()));
    Ok(left.collect())
}

/// Writes the report beside the result.
///
/// # Errors
/// When it cannot be written.
pub fn write_report(
    kept: &Kept,
    statement: Option<&str>,
    doubt: Option<&str>,
    left: &[Statement],
    end: End,
) -> Result<()> {
    let cut_short = match end {
        End::Minimal => None,
        End::Limited => Some("a limit was reached"),
        End::Interrupted => Some("it was interrupted"),
    };
    let left = left.iter().map(|Statement { text, part, .. }| {
        (&**text, part.without.as_ref().map(|without| &*without.said))
    });
    let left: Vec<_> = left.collect();
    let text = report(&kept.left.test, statement, doubt, &left, cut_short);
    write_atomic(kept.folder.join(REPORT).as_std_path(), text.as_bytes())?;
    Ok(())
}

/// The statements of the result, but for those of the tests that pass: these show what has to stay, and need no reason.
fn statements(best: &Sources, found: &ReducedCode) -> Vec<(usize, Reduction)> {
    let companions = &found.compile_plan.shape.companions.names;
    let passing = found.passing.iter().map(|(test, _)| test).chain(companions);
    let passing: Vec<&str> = passing.map(|test| function_of(test)).collect();
    let look = |file: usize, tree: &Tree<'_>| {
        let is_passing = |name: String| passing.contains(&&*name);
        let tests = tree.functions().filter(|(function, _)| is_passing(function.ident.to_string()));
        let mut tests: Vec<Range<usize>> = tests.map(|(_, block)| tree.range(block)).collect();
        // Helpers of their own stand with them in a module of their name.
        let modules = tree.modules().filter(|it| is_passing(it.ident.to_string()));
        tests.extend(modules.map(|module| tree.range(module)));
        let text = &best.files[file].text;
        let mut found = (PassId::Statements.pass().propose)(tree);
        // What stands for a body that is gone is there for the compiler alone.
        found.retain(|removal| {
            !tests.iter().any(|test| test.contains(&removal.start()))
                && removed(text, removal).trim() != StandIn::Panic.expr()
        });
        found
    };
    let all = Tree::each(best, look)
        .flat_map(|(file, found)| found.into_iter().map(move |removal| (file, removal)));
    all.take(MOST).collect()
}

/// The statement that a removal takes away.
fn statement(
    best: &Sources,
    file: usize,
    removal: &Reduction,
    observed: Option<&Observed>,
) -> Statement {
    let ranges = removal.changes.iter().map(|change| &change.range);
    let start = ranges.clone().map(|range| range.start).min().unwrap_or_default();
    let end = ranges.map(|range| range.end).max().unwrap_or_default();
    Statement {
        file,
        text: removed(&best.files[file].text, removal),
        part: Part { range: start..end, without: observed.map(what_happens) },
        is_idle: observed.is_some_and(|it| it.outcome.is_fail() && it.not_passing.is_empty()),
    }
}

/// The text that a removal takes out of `source`.
fn removed(source: &str, removal: &Reduction) -> String {
    let parts = removal.changes.iter();
    parts.map(|change| &source[change.range.clone()]).collect()
}

/// What happens without a statement.
fn what_happens(observed: &Observed) -> Without {
    let Observed { outcome, error, verdict, not_passing } = observed;
    let said = match (error, verdict, not_passing.first()) {
        (Some(error), ..) => format!("it does not build: {error}"),
        (None, Verdict::Passed, _) => "the test passes".to_owned(),
        (None, Verdict::Failed(_), Some(test)) if outcome.is_fail() => {
            format!("`{test}` does not pass")
        }
        (None, Verdict::Failed(other), _) => {
            let (message, operands) = split(&other.message);
            if let Some(others) = operands.filter(|_| !outcome.is_fail()) {
                let others: Vec<&str> = values(others).map(|(_, value)| value).collect();
                format!("the condition is about other values: {}", others.join(", "))
            } else {
                let plain = Signature { message: message.to_owned(), ..other.clone() };
                format!("it fails with {plain}")
            }
        }
        (None, Verdict::NotRun, _) => "the test is gone".to_owned(),
    };
    let passes = error.is_none() && matches!(verdict, Verdict::Passed);
    Without { outcome: if passes { Outcome::Pass } else { Outcome::Unresolved }, said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::FailureKind;

    #[test]
    fn a_condition_that_is_about_other_values_is_told_from_the_same_one() {
        let message =
            "assertion failed: a > b\ncargo_reduce_operand_0: 1\ncargo_reduce_operand_1: 2";
        let verdict = Verdict::Failed(Signature::new(FailureKind::Panic, message));
        let said = |outcome| {
            let error = None;
            let observed =
                Observed { outcome, error, verdict: verdict.clone(), not_passing: Vec::new() };
            what_happens(&observed).said
        };
        assert_eq!(said(Outcome::Unresolved), "the condition is about other values: 1, 2");
        assert_eq!(said(Outcome::Fail), "it fails with panic: assertion failed: a > b");
    }
}
