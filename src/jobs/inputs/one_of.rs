//! One of several doc tests: the plain tests of them all are probed in one build, and the one that fails
//! there is reduced. rustdoc would need a build more to tell which one that is.

use super::derived::{ProbedTest, doc_test_subject, start_doc_test};
use super::prober::{Probe, build_probes};
use super::starting_point::{SCRATCH, Start, results};
use super::subject::Subject;
use crate::app::failure::{Failure, Result};
use crate::app::find::DocTests;
use crate::app::limits::SUITE_LIMIT;
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::exec::Access;
use crate::oracle::libtest::Verdict;
use crate::project::Scratch;
use crate::report::Status;

/// So many doc tests are worth a probe; of more, rustdoc tells which fail.
const MOST: usize = 8;

/// Starts with the one of these tests that fails.
///
/// # Errors
/// When none or several fail, or that one cannot be reduced.
pub fn start(session: &Session, tests: &DocTests) -> Result<Start> {
    let probed = match Probed::build(session, tests) {
        Err(failure) if failure.status == Status::Interrupted => return Err(failure),
        probed => probed.ok(),
    };
    if let Some(probed) = probed {
        let failing = probed.failing(session)?;
        if !failing.is_empty() {
            let chosen = failing.iter().map(|&place| tests.tests[place].clone());
            tests.only(chosen.collect())?;
            return probed.start(session, failing[0]);
        }
    }
    // Some may be no plain tests, or have no inputs, or fail under rustdoc only.
    let chosen = tests.failing(session)?;
    start_doc_test(session, &chosen)
}

/// The plain tests, with their probes.
struct Probed {
    results: ResultFolder,
    scratch: Scratch,
    tests: Vec<(Subject, Probe)>,
}

impl Probed {
    fn build(session: &Session, tests: &DocTests) -> Result<Self> {
        if tests.tests.len() > MOST {
            return Err(Failure::error("too many doc tests match"));
        }
        let subjects = tests.tests.iter().map(|test| doc_test_subject(session, test));
        let subjects: Vec<Subject> = subjects.collect::<Result<_, _>>()?;
        let results = results(session, &tests.typed)?;
        let scratch = session.copy(&results, SCRATCH)?;
        session.stage("Building", format!("{} probes, one for each doc test", subjects.len()));
        let all: Vec<&Subject> = subjects.iter().collect();
        let probes = build_probes(session, &all, &scratch)?;
        Ok(Probed { results, scratch, tests: subjects.into_iter().zip(probes).collect() })
    }

    /// The places of those that fail.
    fn failing(&self, session: &Session) -> Result<Vec<usize>> {
        let mut failing = Vec::new();
        for (place, (subject, probe)) in self.tests.iter().enumerate() {
            let job = subject
                .runner
                .job(&probe.binary, &subject.test, &session.config.test_args)
                .time(session.config.control.timeout.unwrap_or(SUITE_LIMIT));
            let access = Access::discarding([self.scratch.root().as_std_path()]);
            let finished = session.config.sandbox.confine(job, access).run(&session.interrupt)?;
            if let Verdict::Failed(_) = subject.runner.interpret(&finished, &subject.test) {
                failing.push(place);
            }
        }
        Ok(failing)
    }

    /// Goes on with one of them, the others taken out of the scratch copy.
    fn start(mut self, session: &Session, chosen: usize) -> Result<Start> {
        let (subject, probe) = self.tests.swap_remove(chosen);
        for (other, _) in &self.tests {
            if let Some(copy) = self.scratch.path_of(&other.target.src_path) {
                self.scratch.remove(&copy)?;
            }
        }
        let Probed { results, scratch, .. } = self;
        ProbedTest { subject, results, scratch, probe, other: None, read_for: None }.see(session)
    }
}
