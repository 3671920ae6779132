//! Values that a run has shown at the boundary, as inputs.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::found::FoundInputs;
use super::shown::{Observed, Shown, Tree, ValueType};
use super::twins;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId};
use crate::source::{Crate, Edits, Located, ValueKind, ValuePlace, idents};

impl FoundInputs {
    /// Takes the values that a run has shown at these places, in the words of the runtime, as inputs; literals that
    /// only went into these are none any more. `krate` and `located` are those of the test.
    pub fn observe(
        &mut self,
        krate: &Crate,
        located: &Located,
        shown: impl IntoIterator<Item = (NodeId, Vec<u8>)>,
    ) {
        let shown: Vec<_> = shown.into_iter().collect();
        let all: Vec<NodeId> = shown.iter().map(|(place, _)| *place).collect();
        let is_reducible =
            |bytes: &[u8]| Shown::read(bytes).is_some_and(|shown| shown.is_reducible());
        let reducible: Vec<NodeId> =
            shown.iter().filter(|one| is_reducible(&one.1)).map(|one| one.0).collect();
        let mut idle = Vec::new();
        for (place, bytes) in shown {
            let is_part = |whole: &NodeId| *whole != place && self.is_inside(place, *whole);
            if all.iter().any(is_part) {
                continue;
            }
            let boundary = self.boundary.iter().find(|boundary| boundary.id == place);
            if boundary.and_then(|it| it.goes_into).is_some_and(|it| reducible.contains(&it)) {
                idle.push(*self.place(place));
                continue;
            }
            let Some(mut shown) = Shown::read(&bytes).filter(Shown::is_reducible) else { continue };
            let at = self.place(place);
            let is_notation = shown.made_by(&krate.file(at.file).text[at.range()]);
            if boundary.is_some_and(|boundary| boundary.is_notation && !is_notation) {
                continue;
            }
            shown.shape.named_shortly(&krate.imported_collections(at.file));
            let root = self.add(place, &shown.tree);
            let shape = shown.shape;
            self.observed.insert(root.id, Observed { place, shape });
            self.inputs.0.push(root);
        }
        if !self.observed.is_empty() {
            self.forget_makers(krate, located, idle);
        }
    }

    /// Writes values no more in the notation of macros; whether any was.
    pub fn forget_notations(&mut self) -> bool {
        let mut is_changed = false;
        for observed in self.observed.values_mut() {
            if let ValueType::Text(form) = &mut observed.shape {
                is_changed |= form.forget_notation();
            }
        }
        is_changed
    }

    /// Leaves in the test what it demands of the value of the failing call; whether that was to go.
    pub fn forget_demands(&mut self) -> bool {
        let before = self.unreached.len();
        self.unreached.retain(|cut| !cut.is_demand);
        self.unreached.len() < before
    }

    /// Whether a place is a part of another one.
    fn is_inside(&self, part: NodeId, whole: NodeId) -> bool {
        let (part, whole) = (self.place(part), self.place(whole));
        whole.holds(part)
    }

    /// Adds the nodes of a value, in preorder.
    fn add(&mut self, place: NodeId, tree: &Tree) -> Arc<Node> {
        let mut own = *self.place(place);
        own.kind = ValueKind::Observed(match tree {
            Tree::Leaf(value) => ValueKind::of(value).name(),
            Tree::List(_) => "seq",
            Tree::Parts(_) => "group",
        });
        let id = self.add_place(own);
        let mut children = |parts: &[Tree]| -> Vec<Arc<Node>> {
            parts.iter().map(|part| self.add(place, part)).collect()
        };
        let body = match tree {
            Tree::Leaf(value) => Body::Leaf(value.clone()),
            Tree::List(parts) => Body::Seq(children(parts)),
            Tree::Parts(parts) => Body::Group(children(parts)),
        };
        Arc::new(Node { id, body })
    }

    /// Literals in expressions whose value was shown, and in helpers that only these call, are no inputs.
    /// Nor are they in expressions that are `idle` then.
    fn forget_makers(&mut self, krate: &Crate, located: &Located, idle: Vec<ValuePlace>) {
        let mut places = idle;
        places.extend(self.observed.values().map(|observed| *self.place(observed.place)));
        let texts = |index: usize| {
            let item = &krate.items[index];
            let mut edits = Edits::default();
            for place in places.iter().filter(|place| place.is_in(item.file, &item.span)) {
                edits.cover(place.range(), "()");
            }
            idents::of_text(&edits.edited(&krate.file(item.file).text, &item.span))
        };
        let reached = krate.reached_by(located, &texts);
        let gone: BTreeSet<NodeId> = self
            .inputs
            .ids()
            .filter(|id| {
                let place = self.place(*id);
                let is_inside = |outer: &ValuePlace| outer.holds(place);
                !matches!(place.kind, ValueKind::Observed(_))
                    && (places.iter().any(is_inside) || !krate.is_in_one(&reached, place))
            })
            .collect();
        self.inputs = Inputs(twins::without(&self.inputs.0, &gone));
        self.twins.retain(|id, _| !gone.contains(id));
    }
}
