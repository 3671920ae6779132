//! Runs of other inputs than those that are reduced: instances of a pattern, and neighbours.

use std::time::{Duration, Instant};

use super::{InProbe, Runner};
use crate::app::failure::Result;
use crate::app::limits::plan;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::jobs::generalize::grammars::Texts;
use crate::jobs::inputs::prober::Probe;
use crate::jobs::inputs::reaching::{End, watch};
use crate::jobs::inputs::run_folders::new_folder;
use crate::jobs::inputs::start::{Original, Start};
use crate::jobs::inputs::subject::Subject;
use crate::oracle::libtest::Verdict;
use crate::oracle::repeated::RepeatedOracle;
use crate::oracle::signature::{FailureKind, Location, Signature, sides};
use crate::probe::{ENDS_AT, reached_call};
use crate::reduce::inputs::{Inputs, Neighbour, NodeId, between, mask, neighbours, unmask};
use crate::reduce::{Counts, Oracle, Outcome};
use crate::source::{BehindError, FileIndex, Tier, edits_of};

/// One in so many failing instances of a pattern is run once more in a fresh process.
const CHECKED_INSTANCES: u32 = 50;

/// So many neighbours are asked at once.
const IN_ONE_ROUND: usize = 512;
/// After this time so many that pass are enough.
const LONG: Duration = Duration::from_secs(4);
const ENOUGH_PASS: usize = 64;

/// What neighbours of inputs are asked.
pub struct Asked<'a> {
    /// The nodes in which neighbours may differ from them.
    pub may_differ: &'a dyn Fn(NodeId) -> bool,
    /// Neighbours that are asked first.
    pub first: &'a [Neighbour],
    /// What may stand in for symbols of texts.
    pub symbols: &'a [char],
    /// Assertions that hold for the original inputs only: one that fails at one of these places passes.
    pub places: Vec<Location>,
    /// What is behind the place of the failure: a run that gets there passes.
    pub ends_at: Option<EndOfRun>,
}

/// Where a run in the probe ends that has not failed.
#[derive(Debug, Clone)]
pub struct EndOfRun {
    /// What the runtime is told of it.
    told: String,
    pub(super) place: Location,
}

impl EndOfRun {
    /// The statement of the test behind the one that fails, by the end of a failing run; `None` if there is none.
    pub fn behind(start: &Start, end: &End) -> Option<Self> {
        let Subject { krate, located, .. } = &start.subject;
        let mark = krate.mark_behind(located, &end.reached)?;
        Self::at(start, located.file, mark, mark.to_string())
    }

    /// The statement, of the test or of a helper, behind the one that is left with the error which the test returns. Another one
    /// that it would return later is that of a run which has passed this place.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub(super) fn of_errors(session: &Session, start: &Start) -> Result<Option<Self>> {
        let Start { subject, original, .. } = start;
        let is_error = original.signature.kind == FailureKind::Error;
        if !is_error || !original.is_unsettled(&session.config, subject) {
            return Ok(None);
        }
        let end = watch(&session.config, start, &subject.found.inputs)?;
        Ok(end.and_then(|end| Self::behind_error(start, &end)))
    }

    fn behind_error(start: &Start, end: &End) -> Option<Self> {
        let Subject { krate, located, .. } = &start.subject;
        let BehindError { mark, file, called_in } = krate.behind_error(located, &end.reached)?;
        let numbers = [mark].into_iter().chain(called_in.into_iter().flatten());
        let told: Vec<String> = numbers.map(|number| number.to_string()).collect();
        Self::at(start, file, mark, told.join(" "))
    }

    fn at(start: &Start, file: FileIndex, mark: usize, told: String) -> Option<Self> {
        let Start { subject, probe, .. } = start;
        let edits = edits_of(&probe.rewritten.files, file)?;
        let text = edits.apply(&subject.krate.file(file).text);
        let place = text.find(&reached_call(mark))?;
        let place = Location::of_offset(subject.name(file), &text, place)?;
        Some(EndOfRun { told, place })
    }

    /// The probe in which runs end there.
    pub(super) fn probe(&self, probe: &Probe) -> Probe {
        let mut ending = probe.clone();
        ending.binary.env.insert(ENDS_AT.to_owned(), self.told.clone());
        ending
    }
}

/// How neighbours of inputs end.
#[derive(Default)]
pub struct Neighbours {
    /// Those that pass.
    pub passing: Vec<Neighbour>,
    /// Those that fail in the same way.
    pub failing: Vec<Neighbour>,
    /// How many were asked.
    pub asked: usize,
}

/// The neighbours of inputs, and how they end. Where none of them passes, those of the inputs as they were before they
/// were minimized are asked, too.
///
/// # Errors
/// When the probe does not show the failure, or candidates cannot be run.
pub fn ask_neighbours(
    session: &Session,
    start: &Start,
    asked: &Asked<'_>,
    best: &Inputs,
) -> Result<Neighbours> {
    let mut found = Neighbours::default();
    asked.run(session, start, |runner, expected| {
        let plan = plan(&session.config, &start.original.baseline)?;
        let in_probe = InProbe { expected: expected.clone(), plan, tier: Tier::InProcess };
        let mut oracle = runner.others_oracle(&in_probe)?;
        let is_probed = |id: NodeId| runner.probe.rewritten.probed.contains(&id);
        let first = asked
            .first
            .iter()
            .map(|next| Neighbour { inputs: mask(&next.inputs, is_probed), ..next.clone() });
        let masked = mask(best, is_probed);
        let may_differ = |id: NodeId| is_probed(id) && (asked.may_differ)(id);
        let all = first.chain(neighbours(&masked, asked.symbols, may_differ));
        found.ask(oracle.as_mut(), all.collect(), best)?;
        if found.passing.is_empty() {
            let between = between(&masked, runner.original, asked.symbols, may_differ);
            found.ask(oracle.as_mut(), between, &start.subject.found.inputs)?;
        }
        Ok(())
    })?;
    session.count_search(Counts { candidates: found.asked as u64, ..Counts::default() });
    Ok(found)
}

/// A neighbour of inputs, and what the failing comparison shows with it.
pub struct Compared {
    /// The neighbour.
    pub neighbour: Neighbour,
    /// The two sides, as debug output shows them; `None` where it passes.
    pub sides: Option<[String; 2]>,
}

/// What the comparison that fails shows for those neighbours of the inputs that `choose` picks: where they come to it.
///
/// # Errors
/// When the probe does not show the failure, or candidates cannot be run.
pub fn compare_neighbours(
    session: &Session,
    start: &Start,
    asked: &Asked<'_>,
    best: &Inputs,
    choose: impl FnOnce(Vec<Neighbour>) -> Vec<Neighbour>,
) -> Result<Vec<Compared>> {
    let (mut compared, mut count) = (Vec::new(), 0);
    asked.run(session, start, |runner, expected| {
        let process = runner.process(expected.clone());
        let is_probed = |id: NodeId| runner.probe.rewritten.probed.contains(&id);
        let may_differ = |id: NodeId| is_probed(id) && (asked.may_differ)(id);
        let chosen = choose(neighbours(&mask(best, is_probed), asked.symbols, may_differ));
        count = chosen.len() as u64;
        for mut neighbour in chosen {
            let verdict = process.observe(&neighbour.inputs).map_err(|error| trouble(&error))?;
            neighbour.inputs = unmask(&neighbour.inputs, best);
            let passes = |place: &Location| runner.passing.contains(place);
            match verdict {
                Verdict::Passed => compared.push(Compared { neighbour, sides: None }),
                Verdict::Failed(shown) if shown.location.as_ref().is_some_and(passes) => {
                    compared.push(Compared { neighbour, sides: None });
                }
                Verdict::Failed(shown) if shown.location == expected.location => {
                    let sides = sides(&shown.message);
                    let sides = sides.map(|(left, right)| [left.to_owned(), right.to_owned()]);
                    compared.extend(sides.map(|both| Compared { neighbour, sides: Some(both) }));
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    session.count_search(Counts { candidates: count, ..Counts::default() });
    Ok(compared)
}

impl Asked<'_> {
    /// Lets `ask` run candidates in the probe, in which a run that gets behind the place of the failure passes; it is told
    /// how the failure shows there.
    fn run(
        &self,
        session: &Session,
        start: &Start,
        ask: impl FnOnce(&Runner<'_>, &Signature) -> Result<()>,
    ) -> Result<()> {
        let Start { subject, original: Original { signature, baseline, .. }, .. } = start;
        let probe = &start.probe;
        let original = mask(&subject.found.inputs, |id| probe.rewritten.probed.contains(&id));
        let runner = Runner::new(session, start, &original, Texts::default())?;
        let runner = Runner { passing: self.places.clone(), ..runner };
        // The original inputs may get further before they fail than those that are asked about.
        let expected = runner.reproduce(signature, baseline)?;
        let Some(end) = &self.ends_at else { return ask(&runner, &expected) };
        let ending = end.probe(probe);
        let passing = self.places.iter().chain([&end.place]).cloned().collect();
        ask(&Runner { passing, probe: &ending, ..runner }, &expected)
    }
}

impl Neighbours {
    /// Asks these, too, in which other inputs than those that are probed are as in `hidden`.
    fn ask(
        &mut self,
        oracle: &mut dyn Oracle<Inputs>,
        all: Vec<Neighbour>,
        hidden: &Inputs,
    ) -> Result<()> {
        let started = Instant::now();
        let rounds = all.len().div_ceil(IN_ONE_ROUND);
        let mut ended = vec![None; all.len()];
        for round in 0..rounds {
            // Each round has some of all kinds.
            let places = (round..all.len()).step_by(rounds);
            let some: Vec<Inputs> = places.clone().map(|at| all[at].inputs.clone()).collect();
            let outcomes = oracle.ask_all(&some).map_err(|error| trouble(&error))?;
            self.asked += outcomes.len();
            for (at, outcome) in places.zip(outcomes) {
                ended[at] = Some(outcome);
            }
            let passing = ended.iter().filter(|it| **it == Some(Outcome::Pass)).count();
            if started.elapsed() > LONG && passing >= ENOUGH_PASS {
                break;
            }
        }
        for (mut next, outcome) in all.into_iter().zip(ended) {
            next.inputs = unmask(&next.inputs, hidden);
            match outcome {
                Some(Outcome::Pass) => self.passing.push(next),
                Some(Outcome::Fail) => self.failing.push(next),
                Some(Outcome::Unresolved | Outcome::Timeout) | None => {}
            }
        }
        Ok(())
    }
}

impl Runner<'_> {
    /// Who judges instances of a pattern. What the test expects of the original text says nothing of
    /// other texts, so an instance that only fails there counts as passing.
    pub(super) fn instances_oracle(&self, in_probe: &InProbe) -> Result<Box<dyn Oracle<Inputs>>> {
        let files = &self.probe.rewritten.files;
        let runner = Runner {
            passing: self.subject.expectations(files),
            folder: new_folder(&self.folder, "instances")?,
            ..self.clone()
        };
        runner.others_oracle(in_probe)
    }

    /// The fastest way to run inputs that are no steps of a search.
    pub(super) fn others_oracle(&self, in_probe: &InProbe) -> Result<Box<dyn Oracle<Inputs>>> {
        let &InProbe { ref expected, plan, tier } = in_probe;
        let process = self.process(expected.clone());
        if plan.is_repeated() {
            return Ok(Box::new(RepeatedOracle::new(process, plan)));
        }
        if tier == Tier::InProcess
            && let Some(mut oracle) = self.in_process(expected, Some(&process))?
        {
            // Nearly all instances fail; some of them are checked, not all.
            oracle.check_one_in(CHECKED_INSTANCES);
            return Ok(Box::new(oracle));
        }
        Ok(Box::new(process))
    }
}
