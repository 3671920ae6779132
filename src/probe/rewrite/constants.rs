//! Constants: `const X: T = e;` becomes `fn X() -> T { e }`, and each use of it a call.

use std::collections::{BTreeMap, BTreeSet};

use super::copy::{Copy, RUNTIME};
use crate::reduce::inputs::NodeId;
use crate::source::{ConstShape, Crate, FileRange, FoundInputs, Owner};

/// Constants by owner, with what makes functions of those that can become some.
pub(super) struct Constants(BTreeMap<u32, Option<Conversion>>);

struct Conversion {
    nodes: Vec<NodeId>,
    uses: Vec<FileRange>,
}

impl Constants {
    /// Whether the nodes of an owner can be rewritten: it is a function, or becomes one.
    pub(super) fn is_free(&self, owner: u32) -> bool {
        !matches!(self.0.get(&owner), Some(None))
    }

    fn converted(&self) -> impl Iterator<Item = (u32, &Conversion)> {
        self.0.iter().filter_map(|(owner, conversion)| Some((*owner, conversion.as_ref()?)))
    }
}

/// The constants that can become functions: their uses are known by name, their type shares no
/// state, and the compiler has not rejected all that is in them.
pub(super) fn convertible(
    krate: &Crate,
    found: &FoundInputs,
    excluded: &BTreeSet<NodeId>,
) -> Constants {
    let mut nodes: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    for (id, place) in (0..).map(NodeId).zip(&found.places) {
        nodes.entry(place.owner).or_default().push(id);
    }
    let convert = |(index, owner): (u32, &Owner)| {
        let shape = owner.kind.const_shape()?;
        let nodes = nodes.remove(&index).unwrap_or_default();
        let is_rejected = nodes.iter().all(|id| excluded.contains(id));
        let uses = (!is_rejected && !shape.is_shared_state).then(|| uses(krate, owner, shape));
        Some((index, uses.flatten().map(|uses| Conversion { nodes, uses })))
    };
    Constants((0..).zip(&found.owners).filter_map(convert).collect())
}

fn uses(krate: &Crate, owner: &Owner, shape: &ConstShape) -> Option<Vec<FileRange>> {
    let definition = (owner.file, shape.name.clone());
    let scope = if shape.is_nested { Some(krate.function_around(&definition)?) } else { None };
    krate.uses_of(&owner.name, &definition, scope.as_ref())
}

/// Makes each use a call.
pub(super) fn rewrite_uses(copy: &mut Copy<'_>, constants: &Constants) {
    for (_, conversion) in constants.converted() {
        for (file, range) in &conversion.uses {
            copy.insert(*file, range.end, "()");
            copy.site(*file, range.clone(), conversion.nodes.clone());
        }
    }
}

/// Makes each definition a function.
pub(super) fn rewrite_definitions(copy: &mut Copy<'_>, constants: &Constants) {
    for (owner, conversion) in constants.converted() {
        let owner = &copy.found.owners[owner as usize];
        let (Some(shape), Some(first)) = (owner.kind.const_shape(), conversion.nodes.first())
        else {
            continue;
        };
        let file = owner.file;
        copy.replace(file, shape.keyword.clone(), "fn");
        copy.insert(file, shape.name.end, "()");
        copy.replace(file, shape.colon.clone(), " ->");
        for offset in &shape.lifetimes {
            copy.insert(file, *offset, "'static ");
        }
        let (open, close) = if shape.is_copy {
            (format!("{{ {RUNTIME}::memo({}, || ", first.0), ") }")
        } else {
            ("{".to_owned(), "}")
        };
        copy.replace(file, shape.eq.clone(), open);
        copy.replace(file, shape.semi.clone(), close);
        copy.site(file, shape.keyword.start..shape.semi.end, conversion.nodes.clone());
    }
}
