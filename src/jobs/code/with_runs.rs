//! The sources of a test that asks for the inputs of the present run.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::failing::{ChosenRuns, Failing, RecordedValues};
use super::shape::edition;
use crate::compile::Crates;
use crate::jobs::inputs::subject::Subject;
use crate::reduce::RangeExt;
use crate::reduce::inputs::{Body, Inputs, Neighbour, NodeId, differing};
use crate::rust::runs::{Contrast, Driven, TestFunction, driver, imported, input, test_function};
use crate::rust::{OriginalPlace, Reduction, Sources};
use crate::source::{
    ConstShape, Cut, Edits, FileIndex, FileInputs, FileRange, FileUse, Owner, OwnerKind, SeqForm,
    ValueKind, WriteBack, edits_of, expecting_nothing,
};

/// The places of an input that can be asked for at run time.
pub(super) fn sites(subject: &Subject, id: NodeId) -> Option<Vec<FileRange>> {
    let found = &subject.found;
    let owner = found.owner(id);
    let is_in_code = match &owner.kind {
        OwnerKind::Test | OwnerKind::Helper => true,
        OwnerKind::Const(shape) | OwnerKind::Static(shape) => is_local(subject, owner, shape),
    };
    let twins = found.twins.get(&id).into_iter().flatten().copied();
    let places = [id].into_iter().chain(twins).map(|id| found.place(id));
    let places: Vec<_> = places.collect();
    let is_value = places.iter().all(|place| match place.kind {
        ValueKind::Str | ValueKind::Bytes | ValueKind::CStr | ValueKind::Char | ValueKind::Byte => {
            true
        }
        ValueKind::Int | ValueKind::Float | ValueKind::Bool => true,
        ValueKind::Seq(SeqForm::Vec) => true,
        // A slice has one type whatever its length, if its elements can be constants.
        ValueKind::Seq(SeqForm::Slice) => is_of_literals(subject, id),
        ValueKind::Seq(_) => false,
        ValueKind::File(used) => !matches!(used, FileUse::Path | FileUse::Opened),
        ValueKind::Files => false,
        ValueKind::Format | ValueKind::FormatText | ValueKind::Group | ValueKind::Opaque => false,
        ValueKind::Observed(_) => false,
    });
    let all = places.iter().map(|place| (place.file, place.range()));
    (is_in_code && is_value).then(|| all.collect())
}

/// Those of the neighbours that say something else than the best inputs where what stands around it is not gone.
pub(super) fn that_differ(
    subject: &Subject,
    best: &Inputs,
    mut neighbours: Vec<Neighbour>,
) -> Vec<Neighbour> {
    let written = in_place(subject, best);
    neighbours.retain(|next| {
        differing(best, &next.inputs).into_iter().any(|id| {
            sites(subject, id).is_none_or(|places| places.iter().any(|it| !is_gone(&written, it)))
        })
    });
    neighbours
}

/// Inputs written in their places.
fn in_place(subject: &Subject, inputs: &Inputs) -> WriteBack {
    subject.found.write(&subject.krate, inputs, FileInputs::Apart(""))
}

/// Whether a place is not in the written inputs, since what stands around it is gone.
fn is_gone(written: &WriteBack, (file, range): &FileRange) -> bool {
    let is_around = |removed: &Range<usize>| removed != range && removed.covers(range);
    let edits = edits_of(&written.edits, *file).into_iter().flat_map(Edits::iter);
    edits.filter(|edit| edit.text.is_empty()).any(|edit| is_around(&edit.range))
}

/// Whether a constant could be a variable: it stands in a function, and is used behind it in the same one only.
fn is_local(subject: &Subject, owner: &Owner, shape: &ConstShape) -> bool {
    let krate = &subject.krate;
    let definition = (owner.file, shape.name.clone());
    let function = krate.function_around(&definition).filter(|_| shape.is_nested);
    let uses = function.as_ref().and_then(|it| krate.uses_of(&owner.name, &definition, Some(it)));
    let is_behind = |used: &FileRange| {
        owner.span.end <= used.1.start && krate.function_around(used) == function
    };
    !shape.is_shared_state && uses.is_some_and(|uses| uses.iter().all(is_behind))
}

/// Whether all elements of a sequence are literals.
fn is_of_literals(subject: &Subject, id: NodeId) -> bool {
    let node = subject.found.inputs.get(id);
    let mut elements = node.iter().flat_map(|node| node.children());
    elements.all(|element| matches!(element.body, Body::Leaf(_)))
}

impl Failing<'_> {
    /// The sources with these inputs, asking for those that differ from the chosen neighbours, and for what these expect if
    /// that is recorded; without these pieces of the test.
    pub(super) fn with_runs(
        &self,
        chosen: &ChosenRuns<'_>,
        cuts: &[Cut],
    ) -> Option<(Sources, Contrast)> {
        let subject = &self.start.subject;
        let recorded = chosen.recorded.as_ref();
        let neighbours = [&chosen.passing[..], &chosen.failing[..]].concat();
        let all = std::iter::once(self.best).chain(neighbours.iter().map(|next| &next.inputs));
        let written: Vec<WriteBack> = all.map(|inputs| in_place(subject, inputs)).collect();
        if written.iter().any(|written| !written.files.is_empty()) {
            return None;
        }
        let places = places(subject, self.best, &written[0], &neighbours)?;
        let mut places = match recorded {
            Some(recorded) => with_expected(places, recorded)?,
            None => places,
        };
        let is_cut = |file: FileIndex, range: &Range<usize>| {
            cuts.iter().any(|cut| cut.file == file && cut.range.covers(range))
        };
        places.retain(|(file, range)| !is_cut(*file, range));
        let asking = Asking { subject, written: &written, recorded, places: &places, cuts };
        let wanted = if recorded.is_some() { 0 } else { chosen.given };
        let mut contrast = Contrast { wanted, ..Contrast::default() };
        let mut sources = self.code_job.subject.original.sources.clone();
        // Later ones first.
        for file in asking.files().into_iter().rev() {
            let place = self.position(&sources, file)?;
            // What old editions allow is written as new ones want it.
            let edit = sources.of_original(place, &asking.edit(file, &mut contrast))?;
            sources = sources.edit([(place, &edit)]);
        }
        Some((linked(&self.code_job.subject.original.crates, &sources), contrast))
    }

    /// The place of a file of the test's crate among the sources.
    fn position(&self, sources: &Sources, file: FileIndex) -> Option<usize> {
        self.code_job.subject.position(sources, &self.start.subject.path(file))
    }

    /// The test in the sources: its file, and its function.
    pub(super) fn test(&self, sources: &Sources) -> Option<(usize, TestFunction)> {
        let located = &self.start.subject.located;
        let file = self.position(sources, located.file)?;
        let offset = located.name_span.start;
        let name_at = OriginalPlace { file, offset };
        Some((file, test_function(sources, file, name_at)?))
    }

    /// The sources with a test that expects nothing.
    pub(super) fn expecting_nothing(&self, sources: &Sources) -> Option<Sources> {
        let (file, test) = self.test(sources)?;
        let edits = expecting_nothing(&sources.files[file].text, test.item);
        Some(sources.edit([(file, &Reduction::from(&edits))]))
    }

    /// The sources with a driver behind the test.
    pub(super) fn driven(&self, sources: &Sources, driven: Driven<'_>) -> Option<Sources> {
        let (file, test) = self.test(sources)?;
        let end = test.item.end;
        let driver = Reduction::replace(end..end, format!("\n{}", driver(&test, driven)));
        Some(sources.edit([(file, &driver)]))
    }
}

/// The inputs of several runs in the sources, where they are asked for.
struct Asking<'a> {
    subject: &'a Subject,
    /// How the inputs of each run are written, the failing one first.
    written: &'a [WriteBack],
    /// What each expects, if that is recorded.
    recorded: Option<&'a RecordedValues>,
    /// What is asked for.
    places: &'a [FileRange],
    /// What goes, with none of these in it.
    cuts: &'a [Cut],
}

impl Asking<'_> {
    /// The files in which anything changes.
    fn files(&self) -> BTreeSet<FileIndex> {
        let written = self.written[0].edits.iter().map(|(file, _)| *file);
        let asked = self.places.iter().map(|(file, _)| *file);
        written.chain(asked).chain(self.cuts.iter().map(|cut| cut.file)).collect()
    }

    /// The edits of a file that make it ask; what each run is given goes to `contrast`.
    fn edit(&self, file: FileIndex, contrast: &mut Contrast) -> Reduction {
        let here = self.places.iter().filter(|(other, _)| *other == file);
        let here: Vec<&Range<usize>> = here.map(|(_, range)| range).collect();
        let mut edits = edits_of(&self.written[0].edits, file).cloned().unwrap_or_default();
        for keyword in constants_with(self.subject, file, &here) {
            edits.cover(keyword, "let");
        }
        for place in &here {
            edits.cover((*place).clone(), input(contrast.inputs.len()));
            contrast.inputs.push(self.values(file, place));
        }
        for cut in self.cuts.iter().filter(|cut| cut.file == file) {
            edits.cover(cut.range.clone(), cut.text.as_str());
        }
        Reduction::from(&edits)
    }

    /// What each run is given at a place.
    fn values(&self, file: FileIndex, place: &Range<usize>) -> Vec<String> {
        if let Some(recorded) = self.recorded
            && (recorded.file, &recorded.range) == (file, place)
        {
            let own = std::iter::once(&recorded.expected).chain(&recorded.values);
            return own.cloned().collect();
        }
        let text = &self.subject.krate.file(file).text[place.clone()];
        let value = |written: &WriteBack| match edits_of(&written.edits, file) {
            Some(edits) => edits.within(place).apply(text),
            None => text.to_owned(),
        };
        self.written.iter().map(value).collect()
    }
}

/// The places with that of the value that the test expects, without those in it: what is expected there changes along
/// with an input that it repeats. `None` where it stands in one of them.
fn with_expected(mut places: Vec<FileRange>, recorded: &RecordedValues) -> Option<Vec<FileRange>> {
    let is_here = |file: FileIndex| file == recorded.file;
    places.retain(|(file, range)| !is_here(*file) || !recorded.range.covers(range));
    if places.iter().any(|(file, range)| is_here(*file) && range.overlaps(&recorded.range)) {
        return None;
    }
    places.push((recorded.file, recorded.range.clone()));
    places.sort_by_key(|(file, range)| (file.0, range.start));
    Some(places)
}

/// The sources with the library that knows the runs: where the edition is 2015, it is found only below the root module.
pub(super) fn linked(crates: &Crates, sources: &Sources) -> Sources {
    let old = crates.all.iter().filter(|krate| edition(&krate.call) == "2015");
    let roots = old.filter_map(|krate| sources.position(krate.files.first()?.as_str()));
    let roots: BTreeSet<usize> = roots.collect();
    let edits = roots.into_iter().map(|root| {
        let end = sources.files[root].text.len();
        (root, Reduction::replace(end..end, imported()))
    });
    let edits: Vec<(usize, Reduction)> = edits.collect();
    sources.edit_all(&edits)
}

/// The keywords of the constants of a file in which one of these places stands.
fn constants_with(
    subject: &Subject,
    file: FileIndex,
    places: &[&Range<usize>],
) -> Vec<Range<usize>> {
    let owners = subject.found.owners.iter().filter(|owner| owner.file == file);
    let constants = owners.filter_map(|owner| owner.kind.const_shape());
    let has_place = |shape: &&ConstShape| places.iter().any(|it| shape.expr.covers(it));
    constants.filter(has_place).map(|shape| shape.keyword.clone()).collect()
}

/// The places that differ between the runs, none of them in another.
fn places(
    subject: &Subject,
    best: &Inputs,
    written: &WriteBack,
    neighbours: &[Neighbour],
) -> Option<Vec<FileRange>> {
    let mut all = Vec::new();
    let ids = neighbours.iter().flat_map(|next| differing(best, &next.inputs));
    for id in ids.collect::<BTreeSet<NodeId>>() {
        all.extend(sites(subject, id)?);
    }
    all.retain(|place| !is_gone(written, place));
    all.sort_by_key(|(file, range)| (file.0, range.start, Reverse(range.end)));
    let mut outer: Vec<FileRange> = Vec::new();
    for (file, range) in all {
        let is_inside = |(other, outer): &FileRange| *other == file && outer.covers(&range);
        if !outer.last().is_some_and(is_inside) {
            outer.push((file, range));
        }
    }
    Some(outer)
}
