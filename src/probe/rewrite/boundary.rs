//! Places at the boundary: an expression is computed unless the candidate gives its value. Statements that build a
//! variable are the block of such an expression: `let mut v = slot({ let mut v = Vec::new(); …; v });`.

use std::collections::BTreeSet;

use super::copy::{Copy, RUNTIME};
use crate::reduce::inputs::{Body, NodeId};
use crate::source::ValuePlace;

/// Writes what stands before the expressions: before all else that is inserted there.
pub(super) fn open(copy: &mut Copy<'_>, excluded: &BTreeSet<NodeId>) {
    for (id, place) in places(copy, excluded) {
        let mut open = format!(
            "(match {RUNTIME}::observed::Slot::new(if {RUNTIME}::observed::is_open({}) {{ Some(",
            id.0
        );
        if let Some(built) = copy.found.built.get(&id) {
            let declaration = &copy.krate.file(place.file).text[built.declaration.clone()];
            open = format!("mut {declaration}{open}{{ let ");
        }
        copy.insert(place.file, place.range().start, open);
    }
}

/// Writes what stands behind them: behind all else.
pub(super) fn close(copy: &mut Copy<'_>, excluded: &BTreeSet<NodeId>) {
    for (id, place) in places(copy, excluded) {
        let built = copy.found.built.get(&id);
        let value = built.map(|built| format!("; {} }}", built.name)).unwrap_or_default();
        let semicolon = built.map_or("", |_| ";");
        let close = format!(
            "{value}) }} else {{ None }}) {{ cargo_reduce_slot => {{ #[allow(unused_imports)] \
             use {RUNTIME}::observed::{{ByNothing as _, ByText as _, ByValue as _}}; \
             (&&&cargo_reduce_slot).finish({}) }} }}){semicolon}",
            id.0
        );
        copy.insert(place.file, place.range().end, close);
        copy.site(place.file, place.range(), vec![id]);
        copy.probed.insert(id);
    }
}

fn places(copy: &Copy<'_>, excluded: &BTreeSet<NodeId>) -> Vec<(NodeId, ValuePlace)> {
    let boundary = copy.found.boundary.iter().map(|boundary| boundary.id);
    let open = boundary.filter(|id| !excluded.contains(id));
    let places = open.map(|id| (id, *copy.found.place(id)));
    places.filter(|(_, place)| !is_sequence(copy, place)).collect()
}

/// Whether this is a sequence, or the array behind the `&` of one. It is rewritten as a whole, from its `&` on, and where
/// its elements are only of one type because something is expected of them it would not compile in a place of its own.
fn is_sequence(copy: &Copy<'_>, place: &ValuePlace) -> bool {
    let nodes = copy.found.inputs.nodes();
    nodes
        .filter(|node| matches!(node.body, Body::Seq(_)))
        .map(|node| copy.found.place(node.id))
        .any(|sequence| {
            sequence.file == place.file
                && sequence.range().start <= place.range().start
                && sequence.range().end == place.range().end
        })
}
