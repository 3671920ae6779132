//! What calls always yield, as a run of a build tells it.

use super::build::{Build, Purpose};
use super::job::SwitchJob;
use super::tiers::Scene;
use crate::oracle::code::Compile;
use crate::passes::Recorded;
use crate::passes::switches::Kind;
use crate::probe::switches::ToldValue;
use crate::reduce::OracleError;

/// The values that places of the sources yield in the failing run, those that they always yield before
/// those that they yield last, in each case the latest first; none if the build or the run does not come
/// about.
///
/// # Errors
/// When nothing can be compiled or run at all.
pub fn tell_values(
    job: &SwitchJob<'_>,
    compile: &mut dyn Compile,
) -> Result<Vec<Recorded>, OracleError> {
    let test = (job.roots, job.run.test);
    let mut build = Build::make(Purpose::Tell, job.sources, test, compile)?;
    let Some(binary) = build.binary.take() else {
        return Ok(Vec::new());
    };
    let scene = Scene {
        job,
        build: &build,
        binary: &binary,
    };
    let Some((trace, _)) = scene.reproduce(&vec![0; build.len()])? else {
        return Ok(Vec::new());
    };
    let (last, always): (Vec<ToldValue>, Vec<ToldValue>) =
        { trace.told.into_iter().rev() }.partition(|told| told.varies);
    let recorded = always.into_iter().chain(last).filter_map(|told| {
        let switched = { build.files.iter() }.find(|file| file.switches().contains(&told.place))?;
        let place = &switched.places.places[told.place - switched.first];
        // A variable is told by reference: it may be needed afterwards.
        let type_name = match place.kind {
            Kind::Variable(_) => told.type_name.strip_prefix('&')?.to_owned(),
            _ => told.type_name,
        };
        Some(Recorded {
            file: switched.file,
            range: place.range.clone(),
            type_name,
            text: told.text,
        })
    });
    Ok(recorded.collect())
}
