//! The proof: the plain `cargo test` fails with the reduced inputs in the same way, in the test itself
//! and in the regression test.

use camino::Utf8Path;

use super::addition::Addition;
use super::copied_tests::CopiedTests;
use super::doubt::doubt;
use super::form::Form;
use super::reaching::{End, watch, watch_rebuilt};
use super::reading::Hidden;
use super::regression::{Wanted, Written};
use super::start::Start;
use super::subject::Subject;
use super::write_out::write_and_build;
use crate::app::config::Config;
use crate::app::debugger::LeftTest;
use crate::app::doc_tests::plain_doc_test;
use crate::app::failure::{Failure, Result};
use crate::app::plain_test::PlainTest;
use crate::app::proof::{Proof, not_confirmed};
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::exec::Interrupt;
use crate::oracle::failure_matcher::{FailureMatcher, InputMatcher};
use crate::oracle::libtest::panics_in;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{FailureKind, Signature};
use crate::project::Scratch;
use crate::reduce::inputs::{Inputs, NodeId, mask};
use crate::report::{Artifacts, Status};
use crate::source::{ASSERTION, DOES_NOT_PANIC, Instances, InstancesTest, edits_of, none_panics};

/// A failure that the plain `cargo test` has shown.
#[derive(Debug)]
pub struct Confirmed {
    /// The failure, at its place in the original sources.
    pub signature: Signature,
    /// What the result consists of.
    pub artifacts: Artifacts,
    /// What comes into the user's tree besides.
    pub addition: Option<Addition>,
    /// The command that shows it.
    pub command: String,
    /// Why the test may fail with correct code, too.
    pub doubt: Option<String>,
    /// What the regression test is.
    pub form: Form,
    /// The regression test in the folder of the result.
    pub left: LeftTest,
}

/// Writes the inputs out, builds once, and runs the test and its regression test. Where that builds only with statements that
/// are gone, these are among the inputs again.
///
/// # Errors
/// When it does not build or does not fail in the same way.
pub fn confirm(
    session: &Session,
    start: &mut Start,
    best: &mut Inputs,
    instances: Vec<InstancesTest>,
) -> Result<Confirmed> {
    let Subject { found, krate, located, .. } = &start.subject;
    let form = if found.stands_apart(krate, located, best) {
        Form::first(&start.subject)
    } else {
        Form::Original
    };
    let mut end = watch_until_failing(&session.config, start, best)?;
    if end.is_none() && is_rebuilt(start, best) {
        end = watch_rebuilt(session, start, best)?;
    }
    let shown = end.as_ref().map_or(&start.original.signature, |end| &end.shown).clone();
    let shown = without_copy(&start.subject.as_written(shown, best), &start.scratch);
    start.subject.found.unreached = end.map_or_else(Vec::new, |end| end.unreached(&start.subject));
    let doubt = doubt(session, &start.subject, &start.original, best);
    let passes_with = start.other.as_ref().map(|other| other.version.clone());
    let wanted = Wanted { form, shown, doubt, passes_with, instances };
    confirm_as(wanted, session, start, best)
}

impl Wanted {
    /// What to write where this does not show the failure, or why it does not if nothing else can be written.
    fn instead(
        &self,
        session: &Session,
        subject: &mut Subject,
        written: &Written,
        why: Failure,
    ) -> Result<Self> {
        if why.status != Status::NotReproduced {
            return Err(why);
        }
        let are_read = &mut subject.found.opened.are_read;
        if are_read.is_none() && written.reads_files() {
            // What is left may read none of the files, and then their names stay.
            *are_read = Some(false);
            return Ok(self.clone());
        }
        if *are_read == Some(false) {
            *are_read = Some(true);
        }
        if written.is_tidied() {
            subject.found.is_untidy = true;
            return Ok(self.clone());
        }
        if !subject.found.unreached.is_empty() {
            // What was left out was needed after all.
            subject.found.unreached.clear();
            return Ok(self.clone());
        }
        let form = written.form;
        let Some(next) = form.next(subject) else { return Err(why) };
        session.warn(format!("{form} does not fail in the same way, so the result is {next}"));
        Ok(Wanted { form: next, ..self.clone() })
    }
}

impl Subject {
    /// The failure of these inputs without the words of the probe: an assertion that has none of its own quotes its source.
    fn as_written(&self, shown: Signature, inputs: &Inputs) -> Signature {
        let asserted = self
            .failed_at(&shown)
            .filter(|_| shown.message.starts_with(ASSERTION))
            .and_then(|(file, offset)| Some((file, self.krate.asserted_range(file, offset)?)));
        let Some((file, range)) = asserted else { return shown };
        let written = self.found.write_back(&self.krate, inputs);
        let edits = edits_of(&written.edits, file);
        let source = &self.krate.file(file).text[range.clone()];
        let source =
            edits.map_or_else(|| source.to_owned(), |edits| edits.within(&range).apply(source));
        let words: Vec<&str> = source.split_whitespace().collect();
        Signature { message: format!("{ASSERTION}{}", words.join(" ")), ..shown }
    }
}

/// The failure with files named from the root of the workspace: the copy in which they were read is not there later.
fn without_copy(shown: &Signature, scratch: &Scratch) -> Signature {
    shown.reworded(&format!("{}/", scratch.root()), "")
}

/// Whether the inputs differ from the original ones in what the probe has as it was.
fn is_rebuilt(start: &Start, best: &Inputs) -> bool {
    let as_it_was =
        |inputs: &Inputs| mask(inputs, |id: NodeId| !start.probe.rewritten.probed.contains(&id));
    as_it_was(best) != as_it_was(&start.subject.found.inputs)
}

/// Sees how the reduced test fails.
fn watch_until_failing(config: &Config, start: &Start, best: &Inputs) -> Result<Option<End>> {
    for _ in 0..start.original.proof(config).looks {
        let end = watch(config, start, best)?;
        if end.is_some() {
            return Ok(end);
        }
    }
    Ok(None)
}

/// Does so with a regression test of this form, or of the next that shows the failure.
fn confirm_as(
    mut wanted: Wanted,
    session: &Session,
    start: &mut Start,
    best: &mut Inputs,
) -> Result<Confirmed> {
    let Start { subject, results, scratch, original, other, .. } = start;
    let given = best.clone();
    let written = write_and_build(session, subject, scratch, best, &mut wanted)?;
    if *best != given {
        // With other inputs the failure may read otherwise.
        written.withdraw(scratch)?;
        return confirm(session, start, best, wanted.instances);
    }
    let proof = TestProof {
        subject,
        written: &written,
        matcher: original.matcher(subject),
        best,
        proof: original.proof(&session.config),
    };
    let tests = CopiedTests::of(subject, scratch);
    show_reduced(session, &proof, &tests.original(&session.config, subject))?;
    let regression = tests.regression(&session.config, subject, &written);
    let signature = match proof.show_without_originals(&regression, scratch)? {
        Ok(signature) => signature,
        Err(why) => {
            let next = wanted.instead(session, subject, &written, why)?;
            written.withdraw(scratch)?;
            return confirm_as(next, session, start, best);
        }
    };
    if let Some(other) = other {
        other.confirm(session, subject, best, &written)?;
    }
    if let Some(why) = proof.miss_of_instances(session, &wanted.instances, regression)? {
        session.warn(format!("the test of further instances is left out: {why}"));
        let wanted = Wanted { form: written.form, instances: Vec::new(), ..wanted };
        return confirm_as(wanted, session, start, best);
    }
    if written.form == Form::Original {
        warn_of_original(session, &wanted.instances);
    }
    let signature = without_copy(&signature, scratch);
    let confirmed = proof.confirmed(session, scratch, results, regression, &signature)?;
    Ok(Confirmed { doubt: wanted.doubt, ..confirmed })
}

/// Sees the reduced original fail; a doc test in its comment.
fn show_reduced(session: &Session, proof: &TestProof<'_>, reduced: &PlainTest<'_>) -> Result<()> {
    let Some(doc) = proof.subject.doc_test() else { return proof.show(reduced).map(drop) };
    let PlainTest { config, manifest, target_dir, .. } = *reduced;
    let verdict = proof.show(&PlainTest {
        tree: reduced.tree,
        ..plain_doc_test(config, manifest, target_dir, &doc.package, &doc.test)
    });
    session.count_build(verdict.is_ok());
    verdict.map(drop)
}

/// What the user may miss where the result is the test itself.
fn warn_of_original(session: &Session, tests: &[InstancesTest]) {
    if !tests.is_empty() {
        session.warn(
            "the test of further instances is left out: it needs a regression test in a file of its own",
        );
    }
    if session.config.write {
        session
            .warn("nothing was added to your source tree; apply the diff yourself if you want to change the original test");
    }
}

/// What the plain test must show.
struct TestProof<'a> {
    subject: &'a Subject,
    written: &'a Written,
    matcher: InputMatcher,
    best: &'a Inputs,
    proof: Proof,
}

impl TestProof<'_> {
    /// What the regression test shows without the files that it must not read, where it has smaller ones.
    fn show_without_originals(
        &self,
        regression: &PlainTest<'_>,
        scratch: &Scratch,
    ) -> Result<Result<Signature>> {
        let smaller = match self.written.form {
            Form::Original => Vec::new(),
            _ => self.subject.found.smaller_files(self.best),
        };
        let hidden = Hidden::new(scratch, &smaller)?;
        let shown = self.show(regression);
        hidden.put_back()?;
        Ok(shown)
    }

    /// The failure at its original place, or what is shown instead of it.
    fn show(&self, test: &PlainTest<'_>) -> Result<Signature> {
        let shown = self.proof.show(test, |shown| {
            let called = self.called(test, &shown)?;
            if self.matcher.is_same(&called, self.best) {
                return Ok(Ok(self.mapped_back(test.runner, &shown)));
            }
            let wanted = self.matcher.wanted();
            Ok(Err(format!("it fails with {called}\n  instead of {wanted}")))
        })?;
        shown.map_err(|instead| {
            not_confirmed(&instead.said).hint(format!("the command was: {}", test.shown())).hint(
                "use `--tier process` or `--tier rebuild` to isolate candidates from each other",
            )
        })
    }
}

impl TestProof<'_> {
    /// What was confirmed, with all paths as they are once the scratch copy has become the result.
    fn confirmed(
        &self,
        session: &Session,
        scratch: &Scratch,
        results: &ResultFolder,
        regression: PlainTest<'_>,
        signature: &Signature,
    ) -> Result<Confirmed> {
        let &TestProof { subject, written, .. } = self;
        let in_its_place = |path: &Utf8Path| {
            let relative = path.strip_prefix(scratch.root()).unwrap_or(path);
            results.path().join(relative)
        };
        let left = LeftTest {
            root: results.path().to_owned(),
            manifest: in_its_place(regression.manifest),
            package: regression.package.to_owned(),
            choice: written.target.clone(),
            runner: regression.runner,
            test: written.test.clone(),
        };
        let command = PlainTest { manifest: &left.manifest, ..regression }.shown();
        let addition = if session.config.write { written.addition(subject)? } else { None };
        let regression_test =
            addition.as_ref().map_or_else(|| in_its_place(&written.path), |it| it.path.clone());
        Ok(Confirmed {
            signature: subject.as_the_user_sees(signature),
            artifacts: Artifacts {
                regression_test: Some(regression_test.into_string()),
                package: Some(results.path().to_string()),
                debug: Some(Box::new(left.target(&session.config))),
                ..Artifacts::default()
            },
            addition,
            command,
            doubt: None,
            form: written.form,
            left,
        })
    }

    /// What `test` has `shown`, at its place in the original sources: at that of the call which leads there, if
    /// that counts.
    fn called(&self, test: &PlainTest<'_>, shown: &Signature) -> Result<Signature> {
        let mut called = shown.clone();
        if let Some(callers) = self.matcher.callers(shown) {
            called.location = test.call_to(shown, callers, self.proof.limit)?;
        }
        Ok(self.mapped_back(test.runner, &called))
    }

    /// Runs the tests of instances; tells what is amiss if one does not show the failure.
    fn miss_of_instances(
        &self,
        session: &Session,
        tests: &[InstancesTest],
        regression: PlainTest<'_>,
    ) -> Result<Option<String>> {
        let mut warned = Vec::new();
        for (test, name) in tests.iter().zip(&self.written.instances) {
            match name {
                Ok(name) => {
                    let plain = PlainTest { test: name, ..regression };
                    if let Err(why) = self.show_instances(&plain, test)? {
                        return Ok(Some(why));
                    }
                }
                Err(why) if warned.contains(why) => {}
                Err(why) => {
                    session.warn(format!(
                        "the regression test does not include further instances: {why}"
                    ));
                    warned.push(*why);
                }
            }
        }
        Ok(None)
    }

    /// Whether a test of instances shows the failure for each row of its table, or for any text of its
    /// strategy; else what is amiss.
    fn show_instances(
        &self,
        plain: &PlainTest<'_>,
        test: &InstancesTest,
    ) -> Result<Result<(), String>> {
        let (_, said) = plain.observe(self.proof.limit, &Interrupt::new())?;
        let panics = panics_in(&said);
        if self.matcher.expected().kind == FailureKind::ShouldPanic {
            return Ok(not_panicking(&panics, &test.instances));
        }
        let mapped = panics.iter().map(|panic| self.mapped_back(plain.runner, panic));
        let with = |text: &str| self.best.with_text(test.node, text);
        Ok(match &test.instances {
            Instances::Table(texts) => {
                let mut texts = texts.iter().peekable();
                for panic in mapped {
                    texts.next_if(|text| self.matcher.is_alike(&panic, &with(text)));
                }
                let left = texts.next();
                left.map_or(Ok(()), |text| Err(format!("`cargo test` does not fail on {text:?}")))
            }
            Instances::Regex(_) => {
                let mut shown = mapped.filter(|panic| self.matcher.is_alike(panic, self.best));
                shown.next().map(|_| ()).ok_or_else(|| "the property does not fail".to_owned())
            }
        })
    }

    fn mapped_back(&self, runner: TestRunner, shown: &Signature) -> Signature {
        match &self.subject.derived {
            Some(derived) if runner == TestRunner::Rustdoc => {
                let edits = self.written.edits_of(self.subject, &derived.path);
                let name_of = |path: &Utf8Path| self.subject.named(path);
                derived.as_plain(shown, self.matcher.expected(), &edits, name_of)
            }
            _ => self.written.mapped_back(self.subject, shown),
        }
    }
}

/// Whether a test of instances says of all of them that they do not panic; else what is amiss.
fn not_panicking(panics: &[Signature], instances: &Instances) -> Result<(), String> {
    let is_told = |text: &str| panics.iter().any(|panic| panic.message.contains(text));
    let (is_shown, what) = match instances {
        Instances::Table(rows) => (is_told(&none_panics(rows.len())), "some rows panic"),
        Instances::Regex(_) => (is_told(DOES_NOT_PANIC), "the property does not fail"),
    };
    if is_shown { Ok(()) } else { Err(what.to_owned()) }
}
