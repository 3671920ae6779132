//! What calls always yield, as a run of a build tells it.

use super::build::{Build, Purpose};
use super::job::SwitchJob;
use super::tiers::Scene;
use crate::oracle::code::Compile;
use crate::passes::Recorded;
use crate::reduce::OracleError;

/// The values that places of the sources always yield in the failing run, the latest first; none if
/// the build or the run does not come about.
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
    let recorded = trace.told.into_iter().rev().filter_map(|told| {
        let switched = { build.files.iter() }.find(|file| file.switches().contains(&told.place))?;
        let place = &switched.places.places[told.place - switched.first];
        Some(Recorded {
            file: switched.file,
            range: place.range.clone(),
            type_name: told.type_name,
            text: told.text,
        })
    });
    Ok(recorded.collect())
}
