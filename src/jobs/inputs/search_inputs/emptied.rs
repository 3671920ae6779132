//! Inputs of which nothing is left, although it is what was in them that fails.
//!
//! A list of readings of which none is valid may fail as an empty list does, which code may refuse with the bug gone,
//! too. So where a crash needs nothing of an input any more, the search is done again with something left of each such
//! input. What then decides whether the test fails shows in the neighbours that pass: an input may be empty only if
//! there still are such in the others.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{InProbe, Runner};
use crate::app::config::Goal;
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::jobs::inputs::doubt::is_crash;
use crate::jobs::inputs::keeping::Kept;
use crate::jobs::inputs::reduced_inputs::ReducedInputs;
use crate::jobs::inputs::run_folders::new_folder;
use crate::jobs::inputs::search::InputSearch;
use crate::reduce::inputs::{Body, Inputs, Neighbour, Node, NodeId, neighbours};
use crate::reduce::{Answer, Counts, Oracle, Outcome};
use crate::source::{SeqForm, Tier, ValueKind};

/// What stands in for symbols of texts, to see which texts pass.
const SYMBOLS: [char; 16] =
    ['+', '.', ',', ':', ';', '=', '"', '\'', '(', ')', '[', ']', '{', '<', '/', '\n'];
/// So many neighbours are asked.
const MOST_NEIGHBOURS: usize = 600;

impl Runner<'_> {
    /// The inputs that were `found`, or others in which something is left of what decides whether the test fails.
    pub(super) fn with_what_matters(
        &self,
        search: &InputSearch<'_>,
        in_probe: &InProbe,
        found: ReducedInputs,
    ) -> Result<ReducedInputs> {
        let emptied = self.emptied(&found.best);
        if self.session.config.goal != Goal::Minimize
            || self.session.config.control.match_rule.is_some()
            || found.interrupted
            || search.was_stopped()
            || emptied.is_empty()
            || !is_crash(self.subject, &self.failure.signature)
        {
            return Ok(found);
        }
        // What the test asserts of the original inputs says nothing of others.
        let runner = Runner {
            passing: self.subject.expectations(&self.probe.rewritten.files),
            folder: new_folder(&self.folder, "filled")?,
            ..self.clone()
        };
        let process = runner.process(in_probe.expected.clone());
        let looped = match in_probe.tier {
            Tier::InProcess => runner.in_process(&in_probe.expected, Some(&process))?,
            _ => None,
        };
        let mut oracle: Box<dyn Oracle<Inputs>> = match looped {
            Some(looped) => Box::new(looped),
            None => Box::new(process),
        };
        let kept = Kept { filled: emptied.clone(), ..search.kept.clone() };
        let filled = search.go_on(oracle.as_mut(), search.original(), kept)?;
        if filled.interrupted {
            return Ok(ReducedInputs { interrupted: true, ..found });
        }
        let is_value = |id: NodeId| {
            let kind = self.subject.found.place(id).kind;
            !matches!(kind, ValueKind::Seq(SeqForm::Statements | SeqForm::Chain))
        };
        let (mut last, mut open) = (filled, emptied);
        loop {
            let mut matter = Matter { oracle: oracle.as_mut(), is_value: &is_value, asked: 0 };
            let judged = matter.judge(&last.best, &open).map_err(|error| trouble(&error))?;
            self.session.count_search(Counts { candidates: matter.asked, ..Counts::default() });
            let Some((best, matters)) = judged else { return Ok(found) };
            // Where each input can fail by itself, one after the other seems to matter, until the rest is smaller.
            if matters == open {
                return Ok(last);
            }
            let kept = Kept { filled: matters.clone(), ..search.kept.clone() };
            last = search.go_on(oracle.as_mut(), &best, kept)?;
            if last.interrupted {
                return Ok(last);
            }
            open = matters;
        }
    }

    /// The values of which nothing is left, but for those that steer the test.
    fn emptied(&self, best: &Inputs) -> BTreeSet<NodeId> {
        let has_lost = |node: &&Arc<Node>| {
            let before = self.original.get(node.id).is_some_and(|before| !before.is_trivial());
            before && node.is_trivial() && self.holds(node.id)
        };
        fixed(&best.0).into_iter().filter(has_lost).map(|node| node.id).collect()
    }

    /// Whether a value holds others, or counts them.
    fn holds(&self, id: NodeId) -> bool {
        let found = &self.subject.found;
        let place = found.place(id);
        match place.kind {
            ValueKind::Str
            | ValueKind::Bytes
            | ValueKind::CStr
            | ValueKind::File(_)
            | ValueKind::Observed(_)
            | ValueKind::Seq(SeqForm::Vec | SeqForm::Array | SeqForm::Slice) => true,
            ValueKind::Int => {
                let text = &self.subject.krate.file(place.file).text;
                let before = &text[..place.range().start];
                before.ends_with("..") || before.ends_with("..=")
            }
            _ => false,
        }
    }
}

/// The nodes that are there in each candidate.
fn fixed(nodes: &[Arc<Node>]) -> Vec<&Arc<Node>> {
    let mut all = Vec::new();
    for node in nodes {
        all.push(node);
        if let Body::Group(parts) = &node.body {
            all.extend(fixed(parts));
        }
    }
    all
}

/// Sees what decides whether the test fails.
struct Matter<'o> {
    oracle: &'o mut dyn Oracle<Inputs>,
    /// Whether a node is a value, and not what the test does.
    is_value: &'o dyn Fn(NodeId) -> bool,
    asked: u64,
}

impl Matter<'_> {
    /// The inputs with nothing left of those of `emptied` that do not matter, and which do; `None` if none does.
    fn judge(
        &mut self,
        filled: &Inputs,
        emptied: &BTreeSet<NodeId>,
    ) -> Answer<Option<(Inputs, BTreeSet<NodeId>)>> {
        let passing = self.passing(filled)?;
        let mut best = filled.clone();
        let mut matters = BTreeSet::new();
        for id in emptied {
            let Some(empty) = without(&best, *id) else { continue };
            if !self.ask(std::slice::from_ref(&empty))?[0].is_fail() {
                continue;
            }
            if self.decides(&best, &empty, *id, &passing)? {
                matters.insert(*id);
            } else {
                best = empty;
            }
        }
        Ok((!matters.is_empty()).then_some((best, matters)))
    }

    /// Whether it is what was in an input that fails: with nothing left of it nothing else decides, though something
    /// did before.
    fn decides(
        &mut self,
        full: &Inputs,
        empty: &Inputs,
        id: NodeId,
        passing: &[NodeId],
    ) -> Answer<bool> {
        let Some(node) = full.get(id) else { return Ok(false) };
        // Any text may be handed over, the empty one, too.
        let is_list = matches!(node.body, Body::Seq(_));
        let is_other = |site: &NodeId| !node.contains(*site);
        if !passing.iter().any(|site| is_list || is_other(site)) {
            return Ok(false);
        }
        Ok(!self.passing(empty)?.iter().any(is_other))
    }

    /// Where neighbours differ that pass.
    fn passing(&mut self, inputs: &Inputs) -> Answer<Vec<NodeId>> {
        let all = neighbours(inputs, &SYMBOLS, self.is_value);
        let step = all.len().div_ceil(MOST_NEIGHBOURS).max(1);
        let some: Vec<Neighbour> = all.into_iter().step_by(step).collect();
        let candidates: Vec<Inputs> = some.iter().map(|next| next.inputs.clone()).collect();
        let outcomes = self.ask(&candidates)?.into_iter();
        let passing = some.iter().zip(outcomes).filter(|(_, outcome)| *outcome == Outcome::Pass);
        Ok(passing.map(|(next, _)| next.site).collect())
    }

    fn ask(&mut self, candidates: &[Inputs]) -> Answer<Vec<Outcome>> {
        self.asked += candidates.len() as u64;
        if candidates.is_empty() { Ok(Vec::new()) } else { self.oracle.ask_all(candidates) }
    }
}

/// The inputs with nothing left of one of them.
fn without(inputs: &Inputs, id: NodeId) -> Option<Inputs> {
    let node = inputs.get(id)?;
    Some(match &node.body {
        Body::Leaf(value) => inputs.with_value(id, value.trivial()),
        Body::Seq(_) => inputs.replace(id, Body::Seq(Vec::new())),
        Body::Group(_) | Body::Opaque => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::FromFn;
    use crate::reduce::inputs::testing::{self, int, seq, text};
    use crate::reduce::inputs::{Int, Value};

    const COUNT: NodeId = NodeId(0);
    const FORMAT: NodeId = NodeId(1);
    const TITLE: NodeId = NodeId(2);

    fn inputs(count: i128, format: &str, title: &str) -> Inputs {
        testing::inputs([int(count), text(format), text(title)])
    }

    /// As many versions as there are are written in a format, and none of them is stable: without any it fails, too.
    fn no_stable_version(candidate: &Inputs) -> Outcome {
        let Some(Value::Text(format)) = candidate.value(FORMAT) else { panic!("a text") };
        let is_empty = candidate.value(COUNT) == Some(&Value::Int(Int::from(0)));
        if is_empty || format.contains('-') { Outcome::Fail } else { Outcome::Pass }
    }

    fn judged(
        fails: fn(&Inputs) -> Outcome,
        filled: &Inputs,
        emptied: &[NodeId],
    ) -> Option<(Inputs, BTreeSet<NodeId>)> {
        let mut oracle = FromFn(fails);
        let mut matter = Matter { oracle: &mut oracle, is_value: &|_| true, asked: 0 };
        matter.judge(filled, &emptied.iter().copied().collect()).unwrap()
    }

    #[test]
    fn a_count_matters_that_hides_what_decides() {
        let (best, matters) =
            judged(no_stable_version, &inputs(1, "-", "a"), &[COUNT, TITLE]).unwrap();
        assert_eq!(best, inputs(1, "-", ""));
        assert_eq!(matters, BTreeSet::from([COUNT]));
    }

    #[test]
    fn a_list_that_decides_by_itself_keeps_something_and_a_text_does_not() {
        let list = testing::inputs([seq([int(1)])]);
        let none_is_even = |candidate: &Inputs| match candidate.value(NodeId(1)) {
            Some(Value::Int(int)) if int.magnitude % 2 == 0 => Outcome::Pass,
            _ => Outcome::Fail,
        };
        let (best, _) = judged(none_is_even, &list, &[NodeId(0)]).unwrap();
        assert_eq!(best, list);
        let blank = |candidate: &Inputs| match candidate.value(FORMAT) {
            Some(Value::Text(text)) if text.trim().is_empty() => Outcome::Fail,
            _ => Outcome::Pass,
        };
        assert_eq!(judged(blank, &inputs(0, " ", ""), &[FORMAT]), None);
    }

    #[test]
    fn where_nothing_passes_nothing_matters() {
        assert_eq!(judged(|_| Outcome::Fail, &inputs(1, "-", "a"), &[COUNT, TITLE]), None);
    }
}
