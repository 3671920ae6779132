//! Who sees candidates pass with the other version of a package.

use super::{OtherProbe, Runner};
use crate::app::failure::Failure;
use crate::app::limits::LEAST_LIMIT;
use crate::jobs::inputs::other_version::does_not_pass_with;
use crate::jobs::inputs::run_folders::new_folder;
use crate::jobs::inputs::search::trouble;
use crate::oracle::libtest::Verdict;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::Signature;
use crate::project::Snapshot;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Oracle, Outcome};

/// Oracles that ask the probe with the other version.
pub(super) struct Passing {
    /// In a loop, where the test can be called again and again.
    pub looped: Box<dyn Oracle<Inputs>>,
    /// In a process for each candidate.
    pub fresh: ProcessOracle,
}

impl Runner<'_> {
    /// Those for `other`, with which the original inputs have to pass.
    pub(super) fn passing(
        &self,
        other: &OtherProbe,
        expected: &Signature,
    ) -> Result<Passing, Failure> {
        let runner = Runner {
            scratch: &other.scratch,
            probe: &other.probe,
            snapshot: Snapshot::take(&other.scratch, &other.probe.binary.executable)?,
            folder: new_folder(&self.folder, "other")?,
            // To pass may take longer than to fail.
            limit: self.limit.max(LEAST_LIMIT),
            cpu: None,
            ..self.clone()
        };
        let fresh = runner.process(expected.clone());
        let shown = fresh.observe(self.original).map_err(|error| trouble(&error))?;
        match shown {
            Verdict::Passed => {}
            Verdict::Failed(shown) => {
                return Err(does_not_pass_with(&other.version, &shown.to_string()));
            }
            Verdict::NotRun => return Err(does_not_pass_with(&other.version, "it does not run")),
        }
        let looped = runner.passing_in_a_loop(expected)?;
        Ok(Passing { looped: looped.unwrap_or_else(|| Box::new(fresh.clone())), fresh })
    }

    /// A loop in which the original inputs pass, again and again.
    fn passing_in_a_loop(
        &self,
        expected: &Signature,
    ) -> Result<Option<Box<dyn Oracle<Inputs>>>, Failure> {
        let Some(entry) = self.loop_entry(expected) else { return Ok(None) };
        let folder = new_folder(&self.folder, "loop")?;
        // What fails there counts for nothing, so nobody need see it fail again.
        let mut looped = self.lane(entry, &folder, expected, None);
        for _ in 0..2 {
            let outcome = looped.ask(self.original).map_err(|error| trouble(&error))?;
            if outcome != Outcome::Pass {
                return Ok(None);
            }
        }
        Ok(Some(Box::new(looped)))
    }
}
