//! What calls always yield, as a run of a build tells it.

use super::build::{Build, Purpose};
use super::job::SwitchJob;
use super::tiers::SwitchRunner;
use crate::compile::Compiler;
use crate::probe::switches::TracedValue;
use crate::reduce::Answer;
use crate::rust::ObservedValue;
use crate::rust::switches::SwitchKind;

/// The values that places of the sources yield in the failing run, those that they always yield before
/// those that they yield last, in each case the latest first; none if the build or the run does not come
/// about.
///
/// # Errors
/// When nothing can be compiled or run at all.
pub fn observed_values(job: &SwitchJob<'_>, compiler: &mut Compiler) -> Answer<Vec<ObservedValue>> {
    let mut build = Build::make(Purpose::Tell, job, compiler)?;
    let Some(binary) = build.binary.take() else { return Ok(Vec::new()) };
    let runner = SwitchRunner { job, build: &build, binary: &binary };
    let Some((trace, _)) = runner.reproduce(&vec![0; build.len()])? else { return Ok(Vec::new()) };
    let (last, always): (Vec<TracedValue>, Vec<TracedValue>) =
        trace.values_seen.into_iter().rev().partition(|traced| traced.varies);
    let observed = always.into_iter().chain(last).filter_map(|traced| {
        let switched = build.files.iter().find(|file| file.switches().contains(&traced.place))?;
        let place = &switched.places.places[traced.place - switched.first];
        // A variable is told by reference: it may be needed afterwards.
        let type_name = match place.kind {
            SwitchKind::Variable(_) => traced.type_name.strip_prefix('&')?.to_owned(),
            _ => traced.type_name,
        };
        Some(ObservedValue {
            file: switched.file,
            range: place.range.clone(),
            type_name,
            text: traced.text,
        })
    });
    Ok(observed.collect())
}
