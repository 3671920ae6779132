//! The search for smaller inputs: which tier runs the candidates, with which limits.

mod effects;
mod emptied;
mod oracles;
mod passing;
mod steady;
mod unjudged;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::agreement::{Agreement, AmendBy, ExpectedValue};
use super::best_inputs::BestInputs;
use super::flaky_search::search_flaky;
use super::keeping::Kept;
use super::last_round::Tried;
use super::other_version::{OtherProbe, unlocked};
use super::prober::Probe;
use super::rebuild::{Confine, RebuildOracle, has_more_to_lose};
use super::reduced_inputs::ReducedInputs;
use super::run_folders::{RunFolders, new_folder};
use super::search::{InputSearch, or_best, with_store};
use super::second_look::{Looks, search_twice};
use super::start::{Original, Start};
use super::store_at::StoreAt;
use super::subject::Subject;
use super::unsettled::Unsettled;
use crate::app::config::{Config, Goal};
use crate::app::failure::Result;
use crate::app::limits::{cpu_limit, plan, time_limit};
use crate::app::not_reproduced::{not_reproduced, refused_by_sandbox};
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::exec::{Mode, Policy, Sandbox};
use crate::jobs::generalize::grammars::{NamedGrammar, Texts};
use crate::jobs::generalize::patterns;
use crate::oracle::baseline::Baseline;
use crate::oracle::flaky::Plan;
use crate::oracle::lanes::Lanes;
use crate::oracle::libtest::Verdict;
use crate::oracle::passes_with::PassesWith;
use crate::oracle::process::ProcessOracle;
use crate::oracle::repeated::RepeatedOracle;
use crate::oracle::signature::{Location, Match, Signature, told_of_damage};
use crate::oracle::store::Key;
use crate::project::{Scratch, Snapshot};
use crate::reduce::inputs::{Inputs, NodeId, mask, unmask};
use crate::source::{self, Tier};

/// Rebuilding goes on for this long unless the user says otherwise.
const REBUILD_TIME: Duration = Duration::from_mins(1);
/// How often a flaky failure is looked for at most.
const FLAKY_LOOKS: usize = 60;

/// Searches with the probe, then by rebuilding for what the probe cannot change.
///
/// # Errors
/// When the probe does not show the failure, or candidates cannot be run.
pub fn search(
    session: &Session,
    start: &Start,
    grammar: Option<&NamedGrammar>,
) -> Result<ReducedInputs> {
    let Start { subject, probe, .. } = start;
    let begun = Instant::now();
    let forced = session.config.control.tier == Some(Tier::Rebuild);
    let is_in = |probe: &Probe, id: NodeId| probe.rewritten.probed.contains(&id);
    let other = start.other.as_ref();
    let is_in_other = |id: NodeId| other.is_none_or(|other| is_in(&other.probe, id));
    let is_kept = |id: NodeId| subject.found.kept.contains(&id);
    let is_probed = |id: NodeId| !forced && !is_kept(id) && is_in(probe, id) && is_in_other(id);
    let original = mask(&subject.found.inputs, is_probed);
    let texts = Texts::wanted(session, &session.config.texts, &original, grammar)?;
    let mut runner = Runner::new(session, start, &original, texts)?;
    let ending = EndOfRun::of_errors(session, start)?;
    let probe = ending.as_ref().map(|end| end.probe(probe));
    if let (Some(end), Some(probe)) = (ending, &probe) {
        runner.probe = probe;
        runner.passing.push(end.place);
    }
    let mut found = ReducedInputs::new(subject.found.inputs.clone(), false);
    let mut around = Tried::default();
    if forced {
        subject.tell(session, |_| Tier::Rebuild);
    } else {
        let fast = runner.search(&is_probed)?;
        runner.snapshot.restore()?;
        around = fast.around.clone();
        found = ReducedInputs {
            best: unmask(&fast.best, &subject.found.inputs),
            around: fast.around.unmask(&subject.found.inputs),
            ..fast
        };
    }
    let slow = mask(&found.best, |id| !is_probed(id) && !is_kept(id));
    // A pattern was found beside the other inputs as they are.
    let is_done = found.interrupted || session.config.texts.pattern.is_some();
    // Only the probe shows how the value that a test expects has to change along with a candidate.
    let is_expected = matches!(runner.failure.rule, Match::Difference | Match::Headline);
    let is_done = is_done || is_expected && other.is_none() && !forced;
    if is_done || session.config.goal != Goal::Minimize || !has_more_to_lose(&slow) {
        return Ok(found);
    }
    let limit = session.config.control.max_time;
    let left = limit.map(|limit| limit.saturating_sub(begun.elapsed()));
    let slower = runner.search_by_rebuild(&found.best, &slow, left);
    runner.snapshot.restore()?;
    let slower = slower.map(|slower| {
        let before = around.unmask(&slower.best);
        ReducedInputs { around: slower.around.after(before), ..slower }
    });
    or_best(session, found, &subject.found.inputs, slower)
}

/// What is needed to run candidates.
#[derive(Clone)]
struct Runner<'a> {
    session: &'a Session,
    subject: &'a Subject,
    best: Rc<BestInputs<'a>>,
    scratch: &'a Scratch,
    probe: &'a Probe,
    /// Where candidates have to pass.
    other: Option<&'a OtherProbe>,
    failure: &'a Original,
    /// Whether what is found is kept on disk meanwhile.
    is_kept: bool,
    /// What the probe can change, unchanged.
    original: &'a Inputs,
    texts: Rc<Texts>,
    folders: Rc<RunFolders>,
    /// What candidates may take away.
    snapshot: Arc<Snapshot>,
    /// A folder of ours in it.
    folder: PathBuf,
    /// A failure at one of these places of the rewritten sources counts as passing.
    passing: Vec<Location>,
    /// How long a candidate may take.
    limit: Duration,
    /// How long it may compute.
    cpu: Option<Duration>,
}

/// The failure as the probe shows it.
struct InProbe {
    expected: Signature,
    /// How often candidates are run.
    plan: Plan,
    /// The fastest way to run them.
    tier: Tier,
}

impl<'a> Runner<'a> {
    /// # Errors
    /// When there are no folders for candidates, or the scratch copy cannot be read.
    fn new(
        session: &'a Session,
        start: &'a Start,
        original: &'a Inputs,
        texts: Texts,
    ) -> Result<Self> {
        let failure = &start.original;
        let is_unsettled = failure.is_unsettled(&session.config, &start.subject);
        // What the test expects later shows that it has gone on.
        let passing = is_unsettled.then(|| {
            let edited = &start.probe.rewritten.files;
            start.subject.later_expectations(edited, &failure.signature)
        });
        let folders = RunFolders::new(&session.config)?.telling(&start.crossing)?;
        Ok(Runner {
            session,
            subject: &start.subject,
            best: Rc::new(BestInputs::of(start)),
            scratch: &start.scratch,
            probe: &start.probe,
            other: start.other.as_ref(),
            failure,
            is_kept: true,
            original,
            texts: Rc::new(texts),
            snapshot: Snapshot::take(&start.scratch, &start.probe.binary.executable)?,
            folder: folders.folder().to_owned(),
            folders: Rc::new(folders),
            passing: passing.unwrap_or_default(),
            limit: time_limit(&session.config, &failure.signature, &failure.baseline),
            cpu: cpu_limit(&session.config, &failure.signature, &failure.baseline),
        })
    }
}

impl Runner<'_> {
    /// Searches with the probe.
    fn search(&self, is_probed: &dyn Fn(NodeId) -> bool) -> Result<ReducedInputs> {
        let Original { signature, baseline, .. } = self.failure;
        let plan = plan(&self.session.config, baseline)?;
        let expected = self.reproduce(signature, baseline)?;
        let process = self.process(expected.clone());
        let is_stable = !plan.is_repeated();
        let looped = self.in_process(&expected, is_stable.then_some(&process))?;
        let tier = if looped.is_some() { Tier::InProcess } else { Tier::Process };
        self.subject.tell(self.session, |id| if is_probed(id) { tier } else { Tier::Rebuild });
        let mut in_probe = InProbe { expected, plan, tier };
        let expected = &in_probe.expected.clone();
        let observer = self.observer(expected, &process, looped.is_some())?;
        let agreement = Agreement::new(self.subject, self.original, observer, expected);
        let is_unsettled =
            is_stable && self.failure.is_unsettled(&self.session.config, self.subject);
        let kept = if is_unsettled && !self.is_for_all() {
            self.needed(&process, expected, &agreement)?
        } else {
            Kept::default()
        };
        let kept = self.kept_in(self.original, kept, is_unsettled);
        let unsettled = self.unsettled(&agreement);
        let agreement = RefCell::new(agreement);
        let amend =
            |best: &Inputs, candidate: &Inputs| agreement.borrow_mut().amend(best, candidate);
        let mut search = InputSearch::new(self.session, self.original, &self.texts);
        search.found = Some(&self.subject.found);
        search.best = self.is_kept.then_some((&*self.best, &self.subject.found.inputs));
        search.kept = kept;
        let value = self.expected_value(&agreement.borrow(), &unsettled.checks, &amend);
        search.expected = value.filter(|_| is_stable);
        search.unsettled = is_unsettled.then_some(unsettled);
        if let Some(other) = self.other {
            search.from = self.found_unjudged(is_probed)?;
            return self.search_with_judge(&mut search, other, expected, looped);
        }
        let found = self.minimal(&search, &mut in_probe, process, looped)?;
        self.try_each_alone(&search, &in_probe, &found)?;
        let found = ReducedInputs { around: search.around(&found.best), ..found };
        match &self.session.config.texts.pattern {
            Some(wanted) if !found.interrupted => {
                let mut oracle = self.instances_oracle(&in_probe)?;
                patterns::find(&search, &mut *oracle, wanted, found)
            }
            _ => Ok(found),
        }
    }

    /// What stays of `inputs` besides what is `kept`.
    fn kept_in(&self, inputs: &Inputs, kept: Kept, is_unsettled: bool) -> Kept {
        let mut kept = Kept { whole: &kept.whole | &self.subject.found.kept, ..kept };
        if is_unsettled {
            kept = kept.with_pairs(inputs);
        }
        if !matches!(self.failure.rule, Match::Relation) {
            return kept;
        }
        let kept = kept.in_order(inputs).with_whole(self.subject.looked_for(), inputs);
        // What decides is looked for with other characters in what is unsettled.
        if is_unsettled { kept } else { kept.with_characters(inputs) }
    }

    /// What is no value among the inputs of a test that says of these that something is wrong.
    fn unsettled(&self, agreement: &Agreement<'_>) -> Unsettled {
        let mut unsettled = self.subject.unsettled(&self.failure.signature);
        unsettled.checks.extend(agreement.tables());
        // An input that is expected back is what is reduced.
        let is_relation = matches!(self.failure.rule, Match::Relation);
        unsettled.expected = agreement.expected().filter(|_| !is_relation);
        unsettled.is_for_all = self.is_for_all();
        unsettled
    }

    /// Whether the test compares what it computes twice, for whatever inputs.
    fn is_for_all(&self) -> bool {
        let is_for_some = self.subject.found.compared == source::Compared::ForSome;
        matches!(self.failure.rule, Match::Relation) && !is_for_some
    }

    /// What is known of the value that the failing comparison expects, which candidates change by `amend`, beside `checks` that
    /// may go.
    fn expected_value<'e>(
        &self,
        agreement: &Agreement<'_>,
        checks: &BTreeSet<NodeId>,
        amend: &'e AmendBy<'e>,
    ) -> Option<ExpectedValue<'e>> {
        let has_one = matches!(self.failure.rule, Match::Difference | Match::Headline);
        // What stands at other places, too, is handed to the code under test, and expected back.
        let is_only_expected = |id: &NodeId| !self.subject.found.twins.contains_key(id);
        has_one.then(|| ExpectedValue {
            amend,
            text: agreement.expected_text().filter(is_only_expected),
            may_go_alone: checks.clone(),
            lines_may_go: agreement.shows_input(),
            missing: agreement.missing().clone(),
        })
    }

    /// The smallest inputs that fail in the same way, in fresh processes, too, and each time; where that takes more than
    /// one run to say, so it will with other inputs.
    fn minimal(
        &self,
        search: &InputSearch<'_>,
        in_probe: &mut InProbe,
        process: ProcessOracle,
        looped: Option<Lanes>,
    ) -> Result<ReducedInputs> {
        let began = Instant::now();
        let store_at = |tier| self.store(tier, &in_probe.expected, self.original);
        if in_probe.plan.is_repeated() {
            return search_flaky(search, looped, process, in_probe.plan);
        }
        let found = if let Some(mut looped) = looped {
            let looks = Looks {
                doubt: &looped.doubt().clone(),
                looped: &mut looped,
                fresh: &mut process.clone(),
                // In memory, such a store would only cost time.
                stores: (!self.session.config.control.fresh)
                    .then(|| [Tier::InProcess, Tier::Process].map(store_at)),
            };
            search_twice(search, looks)
        } else {
            let at = store_at(in_probe.tier);
            with_store(self.session, &mut process.clone(), Some(&at), |oracle| search.run(oracle))
        }?;
        let found = if self.fails_each_time(&found, &process, began.elapsed())? {
            found
        } else {
            self.session.stage(
                "Repeating",
                "each candidate, because with the inputs that were found the test fails only sometimes",
            );
            in_probe.plan = Plan::always();
            // Each that is accepted has stood more runs than a last proof would ask for.
            search.run(&mut RepeatedOracle::new(process, in_probe.plan))?
        };
        self.with_what_matters(search, in_probe, found)
    }

    /// Tries what was found without each of its elements, as far as the search has not.
    fn try_each_alone(
        &self,
        search: &InputSearch<'_>,
        in_probe: &InProbe,
        found: &ReducedInputs,
    ) -> Result<()> {
        let untried = search.untried(found);
        let counts = self.session.counts();
        // Where nothing could be tried, it is no search that has to be explained.
        if untried.is_empty() || counts.candidates + counts.cached == 0 {
            return Ok(());
        }
        let runner = Runner { folder: new_folder(&self.folder, "alone")?, ..self.clone() };
        let mut oracle = runner.others_oracle(in_probe)?;
        search.try_all(&mut *oracle, &untried)
    }

    /// Where outcomes of candidates that are changes of `original` are kept, which fails as `expected` in the probe.
    fn store(&self, tier: Tier, expected: &Signature, original: &Inputs) -> StoreAt {
        let (config, test, failure) = (&self.session.config, &self.subject.test, self.failure);
        let program = std::fs::read(&self.probe.binary.executable).unwrap_or_default();
        let files: Vec<&[u8]> = self.snapshot.parts().collect();
        let call = failure.call.as_ref().map(|call| &call.in_sources.place);
        // Outcomes of other rules for what is the same failure say nothing.
        let asked = ("inputs 5", test, tier.name(), &failure.rule, expected, call);
        let may = (&config.test_args, config.sandbox.policy(), config.control.memory_bytes);
        StoreAt {
            path: (!config.control.fresh).then(|| self.best.results.own("outcomes")),
            job: Key::new(&(asked, may, program, files)),
            original: original.clone(),
            wire: self.subject.wire(original),
        }
    }

    /// Searches on from `best` by a build for each candidate, for as long as `limit`; `open` is what can be changed.
    fn search_by_rebuild(
        &self,
        best: &Inputs,
        open: &Inputs,
        limit: Option<Duration>,
    ) -> Result<ReducedInputs> {
        self.session
            .stage("Rebuilding", "for each candidate of values that are needed at compile time");
        let plan = plan(&self.session.config, &self.failure.baseline)?;
        let unlocked = self.session.with(unlocked(&self.session.config));
        let confine = |job| self.confined(job);
        let oracle = self.rebuild(self.session, self.scratch, best, &confine);
        let no_texts = Texts::default();
        let mut search = InputSearch::new(self.session, open, &no_texts);
        search.found = Some(&self.subject.found);
        let is_free = self.session.config.control.tier.is_none();
        search.limit = limit.or(is_free.then_some(REBUILD_TIME));
        search.best = Some((&self.best, best));
        search.kept = self.kept_in(open, Kept::default(), false);
        let found = if let Some(other) = self.other {
            let passing = self.rebuild(&unlocked, &other.scratch, best, &confine);
            search.run(&mut PassesWith::new(oracle, passing))?
        } else if plan.is_repeated() {
            search.run(&mut RepeatedOracle::new(oracle, plan))?
        } else {
            let at = self.store(Tier::Rebuild, &self.failure.signature, open);
            with_store(self.session, &mut { oracle }, Some(&at.beside(best)), |oracle| {
                search.run(oracle)
            })?
        };
        let around = search.around(&found.best).unmask(best);
        Ok(ReducedInputs { best: unmask(&found.best, best), around, ..found })
    }

    /// Builds each candidate in `scratch`; what is hidden in it is that of `base`.
    fn rebuild<'r>(
        &'r self,
        session: &'r Session,
        scratch: &'r Scratch,
        base: &'r Inputs,
        confine: &'r Confine<'r>,
    ) -> RebuildOracle<'r> {
        RebuildOracle {
            session,
            subject: self.subject,
            scratch,
            snapshot: &self.snapshot,
            matcher: self.failure.matcher(self.subject),
            found: self.subject.found.clone(),
            base,
            limit: self.limit,
            confine,
        }
    }

    /// The failure as the probe shows it with the inputs unchanged.
    fn reproduce(&self, signature: &Signature, baseline: &Baseline) -> Result<Signature> {
        let process = self.process(signature.clone());
        let looks = if baseline.is_stable() { 1 } else { FLAKY_LOOKS };
        let mut last = Verdict::NotRun;
        for _ in 0..looks {
            last = process.observe(self.original).map_err(|error| trouble(&error))?;
            match &last {
                Verdict::Failed(shown) if self.is_same(shown) => {
                    let mut shown = told_of_damage(signature, shown).clone();
                    shown.is_unordered = signature.is_unordered;
                    if self.failure.call.is_some() {
                        shown.location.clone_from(&signature.location);
                    }
                    return Ok(shown);
                }
                _ => {}
            }
        }
        if self.session.config.sandbox.policy().mode != Mode::Off && self.shows_outside()? {
            return Err(refused_by_sandbox(&self.session.config, signature, &last));
        }
        Err(not_reproduced(signature, &last))
    }

    /// Whether the probe shows the failure outside of the sandbox, with the inputs unchanged: then it does there what
    /// the user's own test does each time.
    fn shows_outside(&self) -> Result<bool> {
        let off = Policy { mode: Mode::Off, ..Policy::default() };
        let sandbox = Sandbox::new(off)?;
        let session = self.session.with(Config { sandbox, ..(*self.session.config).clone() });
        let runner = Runner { session: &session, ..self.clone() };
        let process = runner.process(self.failure.signature.clone());
        let shown = process.observe(self.original).map_err(|error| trouble(&error))?;
        Ok(matches!(shown, Verdict::Failed(shown) if self.is_same(&shown)))
    }

    /// Whether the probe's failure is the original one, in the original's place.
    fn is_same(&self, shown: &Signature) -> bool {
        let mapped = self.subject.mapped_back(shown, &self.probe.rewritten.files);
        self.failure.matcher(self.subject).is_same(&mapped, &self.subject.found.inputs)
    }
}

mod others;
#[cfg(test)]
mod tests;

pub use others::{Asked, Compared, EndOfRun, ask_neighbours, compare_neighbours};
