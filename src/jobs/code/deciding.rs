//! What the failing test works with where its inputs stay as they are.

use super::code_job::CodeJob;
use super::compile_plan::CompilePlan;
use crate::rust::{Deciding, Failing, Sources, Steps, deciding, function_of, functions_in};

/// What the failing test works with, and in which file, where its inputs stay as they are; with the steps before its
/// assertion, if that would expect the same of others, or nothing passes along.
pub(super) fn deciding_in(
    code_job: &CodeJob<'_>,
    compile_plan: &CompilePlan,
    sources: &Sources,
) -> Option<(usize, Deciding)> {
    // What runs the test for several inputs is asked for other ones, too; of most, the test can expect the same.
    let is_driven = compile_plan.name.driver().is_some();
    let shape = &compile_plan.shape;
    // Where nothing passes along, the steps alone say what is tested.
    let is_alone = shape.contrast.is_none() && !code_job.is_judged(&shape.companions);
    let expects = code_job.expects_of_its_inputs();
    let has_steps = expects || is_alone && code_job.fails_in_test();
    if !code_job.pins_inputs() || is_driven && !expects {
        return None;
    }
    let name = compile_plan.name.in_sources(sources);
    let test = if is_driven { &code_job.subject.test } else { &*name };
    let (file, function) = functions_in(sources, &[function_of(test)]).into_iter().next()?;
    let failing = code_job.matcher.place_in(sources);
    let failing = failing.filter(|(other, place)| *other == file && function.contains(place));
    let steps = if has_steps {
        Some(Steps::All)
    } else {
        code_job.fails_in_test().then_some(Steps::WaysOut)
    };
    let failing = failing.zip(steps).map(|((_, place), steps)| Failing { place, steps });
    Some((file, deciding(&sources.files[file].text, &function, failing)))
}
