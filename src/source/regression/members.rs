//! What nothing uses any more of the types that come along with a reduced test: variants that are never made, with their arms,
//! and fields that are never read, with the parameters and arguments that fill them.

mod definitions;
mod facts;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use definitions::Definitions;
use facts::{Facts, Filled, Place, Value, View, Walk};
use syn::visit::Visit;
use uses::Uses;

use super::needed::Needed;
use crate::reduce::RangeExt;
use crate::source::parse::look_at_file;
use crate::source::removal::list_runs;
use crate::source::{Crate, Edits, FileIndex};

/// Takes such members out; whether there are any.
pub(super) fn leave_out(
    krate: &Crate,
    needed: &Needed,
    edits: &mut BTreeMap<FileIndex, Edits>,
) -> bool {
    let facts = facts_of(&views(krate, needed, edits));
    let mut left: BTreeSet<Place> = facts.unmade();
    for (of, field) in &facts.fields {
        if !facts.reads.contains(&of.field) && !facts.needs_generics(&of.owner, field) {
            let parameters =
                facts.filled.get(of).map_or(Some(Vec::new()), |it| filling(&facts, it));
            if let Some(parameters) = parameters {
                left.insert(field.place);
                left.extend(parameters);
            }
        }
    }
    let mut cuts: BTreeMap<FileIndex, Vec<Range<usize>>> = BTreeMap::new();
    for (index, list) in facts.lists.iter().enumerate() {
        let mut is_kept = vec![true; list.parts.len()];
        left.iter().filter(|place| place.list == index).for_each(|it| is_kept[it.part] = false);
        cuts.entry(list.file).or_default().extend(list_runs(&list.parts, &is_kept));
    }
    for (file, mut cuts) in cuts {
        let edits = edits.entry(file).or_default();
        cuts.sort_by_key(|cut| (cut.start, std::cmp::Reverse(cut.end)));
        cuts.dedup_by(|inner, outer| outer.covers(inner));
        // From the end on, so that those before it stay where they are.
        for cut in cuts.into_iter().rev() {
            edits.remove_new(cut);
        }
    }
    !left.is_empty()
}

/// The files with what the test needs, as they are after `edits`.
fn views(krate: &Crate, needed: &Needed, edits: &BTreeMap<FileIndex, Edits>) -> Vec<View> {
    let mut views: BTreeMap<FileIndex, View> = BTreeMap::new();
    let none = Edits::default();
    let after = |file| edits.get(&file).unwrap_or(&none);
    let moved =
        |file, span: &Range<usize>| after(file).to_new(span.start)..after(file).to_new(span.end);
    for item in needed.items(krate) {
        let view = views.entry(item.file).or_insert_with(|| View {
            file: item.file,
            text: after(item.file).apply(&krate.file(item.file).text),
            needed: Vec::new(),
            left: Vec::new(),
        });
        view.needed.push(moved(item.file, &item.span));
    }
    for method in needed.left_methods(krate) {
        if let Some(view) = views.get_mut(&method.file) {
            view.left.push(moved(method.file, &method.span));
        }
    }
    views.into_values().collect()
}

/// What the files define, make and read.
fn facts_of(views: &[View]) -> Facts {
    let mut facts = Facts::default();
    let shows_debug = views.iter().any(|view| {
        let mut texts = view.needed.iter().filter_map(|needed| view.text.get(needed.clone()));
        texts.any(|text| text.contains(":?"))
    });
    let mut walk = |view: &View, look: &mut dyn FnMut(Walk<'_>, &syn::File)| {
        let facts = &mut facts;
        look_at_file(&view.text, |file, base| look(Walk { facts, view, base }, &file));
    };
    for view in views {
        walk(view, &mut |walk, file| Definitions { walk, shows_debug }.visit_file(file));
    }
    for view in views {
        walk(view, &mut |walk, file| Uses::of(walk).visit_file(file));
    }
    facts
}

/// What has to go along with a field: where it stands in literals, and the parameters and arguments that do nothing else
/// than to fill it; `None` where more than that depends on it.
fn filling(facts: &Facts, filled: &[Filled]) -> Option<Vec<Place>> {
    let mut places = Vec::new();
    let mut from: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for Filled { place, value, function } in filled {
        places.push(*place);
        match value {
            Value::Constant => {}
            Value::Variable(name) => *from.entry((function, name)).or_default() += 1,
            Value::Other => return None,
        }
    }
    for ((function, name), times) in from {
        let parameters = facts.functions.get(function)?.as_ref()?;
        let part = parameters.names.iter().position(|it| it.as_deref() == Some(name))?;
        let is_read_elsewhere =
            facts.variables.get(&(function.into(), name.into())) != Some(&times);
        if is_read_elsewhere || facts.values.contains(function) {
            return None;
        }
        places.push(Place { list: parameters.list, part });
        for call in facts.calls.get(function).into_iter().flatten() {
            let is_constant = call.arguments.get(part) == Some(&Value::Constant);
            if !is_constant || call.arguments.len() != parameters.names.len() {
                return None;
            }
            places.push(Place { list: call.list, part });
        }
    }
    Some(places)
}
