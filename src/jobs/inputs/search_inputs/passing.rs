//! Who sees candidates pass with the other version of a package.

use std::rc::Rc;

use super::{OtherProbe, Runner};
use crate::app::failure::Result;
use crate::app::limits::LEAST_LIMIT;
use crate::app::search_driver::trouble;
use crate::jobs::inputs::crossing::Crossing;
use crate::jobs::inputs::judged::Judge;
use crate::jobs::inputs::other_version::has_passed_with;
use crate::jobs::inputs::reduced_inputs::ReducedInputs;
use crate::jobs::inputs::run_folders::{RunFolders, new_folder};
use crate::jobs::inputs::search::InputSearch;
use crate::jobs::inputs::second_look::{Looks, search_twice};
use crate::oracle::lanes::Lanes;
use crate::oracle::passes_with::PassesWith;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::Signature;
use crate::project::Snapshot;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Oracle, Outcome};

/// Oracles that ask the probe with the other version.
struct Passing {
    /// In a loop, where the test can be called again and again.
    looped: Box<dyn Oracle<Inputs>>,
    /// In a process for each candidate.
    fresh: ProcessOracle,
    /// Where they are told what crosses the boundary there.
    folders: Rc<RunFolders>,
}

impl Runner<'_> {
    /// Searches for inputs with which the test fails, and passes with the `other` version; `looped` runs them in one process.
    pub(super) fn search_with_judge(
        &self,
        search: &mut InputSearch<'_>,
        other: &OtherProbe,
        expected: &Signature,
        looped: Option<Lanes>,
    ) -> Result<ReducedInputs> {
        let process = self.process(expected.clone());
        let Passing { looped: mut fast, fresh, folders } = self.passing(other, expected)?;
        let mut both = PassesWith::new(process.clone(), fresh.clone());
        // On trees, and where a difference is looked for, texts stay beside what is expected of them.
        let may_amend =
            search.minimizes() && self.session.config.texts.strategy.on_trees().is_none();
        let judge = Judge::new(fresh.clone(), expected).filter(|_| may_amend);
        let amend = |candidate: &Inputs| match &judge {
            Some(judge) => judge.amend(candidate),
            None => Ok(None),
        };
        if let Some(first) = search.from.take() {
            let first = amend(&first).map_err(|error| trouble(&error))?.unwrap_or(first);
            let outcome = both.ask(&first).map_err(|error| trouble(&error))?;
            search.from = outcome.is_fail().then_some(first);
        }
        let found = match looped {
            Some(mut oracle) => {
                let doubt = oracle.doubt().clone();
                // Most of those that fail do so with the other version, too: a fresh process sees the few others.
                oracle.check_one_in(u32::MAX);
                let quick = PassesWith::new(oracle, &mut *fast).amending(amend);
                let sure = PassesWith::new(process.clone(), fresh.clone());
                let looks = Looks {
                    looped: &mut PassesWith::again(quick, sure),
                    doubt: &doubt,
                    fresh: &mut PassesWith::new(process, fresh.clone()).amending(amend),
                    stores: None,
                };
                search_twice(search, looks)
            }
            None => search.run(&mut PassesWith::new(process, fresh.clone()).amending(amend)),
        }?;
        let untried = search.untried(&found);
        search.try_all(&mut both, &untried)?;
        // They are gone with the last who holds them.
        drop(folders);
        let around = search.around(&found.best).with_other_version();
        Ok(ReducedInputs { around, ..found })
    }

    /// Those for `other`, with which the original inputs have to pass.
    fn passing(&self, other: &OtherProbe, expected: &Signature) -> Result<Passing> {
        let crossing = Crossing::of(&self.subject.found, &other.scratch);
        let runner = Runner {
            folders: Rc::new(RunFolders::new(&self.session.config)?.telling(&crossing)?),
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
        has_passed_with(&other.version, shown)?;
        let looped = runner.passing_in_a_loop(expected)?;
        let looped = looped.unwrap_or_else(|| Box::new(fresh.clone()));
        Ok(Passing { looped, fresh, folders: runner.folders })
    }

    /// A loop in which the original inputs pass, again and again.
    fn passing_in_a_loop(&self, expected: &Signature) -> Result<Option<Box<dyn Oracle<Inputs>>>> {
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
