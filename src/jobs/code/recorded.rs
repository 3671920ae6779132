//! What the code computes for inputs next to the failing ones, where the test compares with a value that is written out: of
//! other inputs nobody has said what is right, but what is left of the code has to compute the same for them as all of it.

use super::expectations::Expectations;
use super::failing::{ChosenRuns, ContrastResult, Failing, RecordedValues, SHOWN, TriedRuns};
use super::nearest::choose;
use crate::app::failure::Result;
use crate::app::session::Session;
use crate::jobs::inputs::search_inputs::{Asked, Compared, compare_neighbours};
use crate::jobs::inputs::subject::Subject;
use crate::oracle::signature::sides;
use crate::reduce::inputs::Neighbour;
use crate::rust::scan;
use crate::source::{ExpectedOperand, FileIndex, written_like};

/// So many are asked what the code computes for them, in a process each.
const MOST_COMPARED: usize = 200;
/// So many for which it computes a value of the kind that the test expects have to stay, where the failing run computes one
/// of another kind: what makes such values is what the failing run misses.
const MOST_OF_KIND: usize = SHOWN;

impl Failing<'_> {
    /// The subject with inputs next to the failing ones that expect what the code computes for them; `None` where
    /// there is no such value, or it cannot be written for them.
    ///
    /// # Errors
    /// When candidates cannot be run.
    pub(super) fn with_recorded(
        self,
        session: &Session,
        asked: &Asked<'_>,
        expectations: &Expectations,
    ) -> Result<Option<ContrastResult>> {
        let Some(comparison) = self.comparison() else {
            return Ok(None);
        };
        let choose = |all: Vec<Neighbour>| comparison.nearest(all);
        let all = compare_neighbours(session, self.start, asked, self.best, choose)?;
        let count = all.len();
        let (given, known) = comparison.worth_recording(all);
        let (passing, values): (Vec<Neighbour>, Vec<String>) = known.into_iter().unzip();
        if passing.is_empty() {
            return Ok(None);
        }
        let message = format!(
            "the computed values are known for {} of {count} inputs similar to the failing one",
            passing.len()
        );
        let chosen = ChosenRuns {
            given,
            passing,
            are_beside_failing: true,
            failing: Vec::new(),
            expectations,
            recorded: Some(comparison.recorded(values)),
        };
        Ok(match self.tried(session, &chosen)? {
            TriedRuns::Pass { shape, .. } => Some(ContrastResult::of(shape, message)),
            TriedRuns::Refused(_) => None,
        })
    }

    /// What the failing assertion compares with a value that is written out.
    fn comparison(&self) -> Option<Comparison<'_>> {
        let Failing { start, code_job, .. } = self;
        let subject = &start.subject;
        let signature = &start.original.signature;
        let (file, offset) = subject.failed_at(signature).filter(|_| code_job.expects_a_value())?;
        let operand = subject.krate.expected_operand(file, offset)?;
        let (left, right) = sides(&signature.message)?;
        let (right, wrong) = if operand.is_left { (left, right) } else { (right, left) };
        let (right, wrong) = (right.to_owned(), wrong.to_owned());
        Some(Comparison { subject, file, operand, wrong, right })
    }
}

/// What a failing assertion compares with a value that is written out.
struct Comparison<'a> {
    subject: &'a Subject,
    file: FileIndex,
    /// The value that is written out.
    operand: ExpectedOperand,
    /// How the other side is shown.
    wrong: String,
    /// How the value is shown.
    right: String,
}

impl Comparison<'_> {
    /// The value that is written out.
    fn expected(&self) -> &str {
        &self.subject.krate.file(self.file).text[self.operand.range.clone()]
    }

    /// Those among neighbours of the failing inputs that are asked for: what stands in the failing assertion says most; what
    /// stands behind it says nothing.
    fn nearest(&self, mut all: Vec<Neighbour>) -> Vec<Neighbour> {
        let Comparison { subject, file, operand, .. } = self;
        let start_of = |next: &Neighbour| {
            let place = subject.found.place(next.site);
            (place.file == *file).then(|| place.range().start)
        };
        let assertion = &operand.assertion;
        // Each run is given a value to expect.
        let is_input = |start: usize| start < assertion.end && !operand.range.contains(&start);
        all.retain(|next| start_of(next).is_some_and(is_input));
        let is_inside =
            |next: &Neighbour| start_of(next).is_some_and(|start| assertion.start <= start);
        if all.iter().any(is_inside) {
            all.retain(is_inside);
        }
        choose(all, MOST_COMPARED)
    }

    /// Those that contrast with the failing run, along with what each has to expect; so many of the first stay, however far
    /// from it they are.
    fn worth_recording(&self, all: Vec<Compared>) -> (usize, Vec<(Neighbour, String)>) {
        let Comparison { operand, wrong, right, .. } = self;
        let known = all.into_iter().filter_map(|Compared { neighbour, sides }| {
            let shown = sides.map_or(
                right.clone(),
                |[left, right]| {
                    if operand.is_left { right } else { left }
                },
            );
            // The same wrong result is no contrast.
            let value = written_like(self.expected(), &shown).filter(|_| shown != *wrong)?;
            Some((shown, (neighbour, value)))
        });
        let has_kinds = !is_of_kind(wrong, right);
        let (of_kind, mut others): (Vec<_>, Vec<_>) =
            known.partition(|(shown, _)| has_kinds && is_of_kind(shown, right));
        // Where some are of the right kind, those of the wrong one are as wrong as the failing run, most likely.
        others.retain(|(shown, _)| of_kind.is_empty() || !is_of_kind(shown, wrong));
        let given = of_kind.len().min(MOST_OF_KIND);
        (given, of_kind.into_iter().chain(others).map(|(_, known)| known).collect())
    }

    /// The value, and those that neighbours have to expect in its place.
    fn recorded(&self, values: Vec<String>) -> RecordedValues {
        let range = self.operand.range.clone();
        RecordedValues { file: self.file, range, expected: self.expected().to_owned(), values }
    }
}

/// Whether two values, as they are shown, have the same variants and fields.
fn is_of_kind(shown: &str, other: &str) -> bool {
    scan::words(shown).eq(scan::words(other))
}
