//! What was found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::built::Built;
use super::rows::RowShape;
use super::shown::{BoundaryPlace, Observed};
use crate::reduce::inputs::{Body, Inputs, Node, NodeId};
use crate::source::{Cut, FileIndex, SeqForm, ValueKind, ValuePlace};

/// The inputs of one test.
#[derive(Debug, Clone, Default)]
pub struct FoundInputs {
    /// The forest of values; its roots are the inputs, in the order of the source.
    pub inputs: Inputs,
    /// Where each node stands, by [`NodeId`].
    pub places: Vec<ValuePlace>,
    /// The functions and items that hold the inputs.
    pub owners: Vec<Owner>,
    /// The paths of the inputs that are files.
    pub files: BTreeMap<NodeId, PathBuf>,
    /// The written-out array types of sequences that are the value of a variable or constant.
    pub array_types: BTreeMap<NodeId, ArrayType>,
    /// Lists that, when they end up empty, must still say what type their elements have.
    pub typed_empties: BTreeSet<NodeId>,
    /// The shapes of the elements of long lists that are made of literals alone.
    pub rows: BTreeMap<NodeId, Vec<RowShape>>,
    /// Where the arguments of the macro end to which a format string belongs.
    pub formats: BTreeMap<NodeId, usize>,
    /// The other places of inputs that stand in several: always changed along.
    pub twins: BTreeMap<NodeId, Vec<NodeId>>,
    /// The ids of literals in the tokens of one macro call each: a macro that does not accept one
    /// rewritten literal hardly accepts the others.
    pub token_macros: Vec<Range<u32>>,
    /// The ids of what stands in the arguments of a macro that is not known, with its name.
    pub macro_arguments: Vec<(String, Range<u32>)>,
    /// Whether some are in code that runs once in a process, so that each candidate needs its own.
    pub is_made_once: bool,
    /// Where values cross the boundary that a run can show.
    pub boundary: Vec<BoundaryPlace>,
    /// How variables are built whose value crosses it, by the place of these.
    pub built: BTreeMap<NodeId, Built>,
    /// The values that a run has shown there and that are inputs, by the root of their forest.
    pub observed: BTreeMap<NodeId, Observed>,
    /// Nodes that the user wants to stay as they are, inside of inputs that may change.
    pub kept: BTreeSet<NodeId>,
    /// Files that the failing run opens.
    pub opened: OpenedFiles,
    /// What runs tell of the sides of the failing comparison, of which the source says that both are computed.
    pub compared: Compared,
    /// Sequences of assertions that the failing test passes.
    pub passed: BTreeSet<NodeId>,
    /// Literals that were left alone.
    pub skipped: Vec<Skipped>,
    /// What a regression test leaves out, as the failing run did not get there.
    pub unreached: Vec<Cut>,
    /// Whether a regression test keeps imports and loops that are most likely needless: it does not build without.
    pub is_untidy: bool,
}

/// What two sides of a comparison are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Compared {
    /// They should be equal for all inputs.
    #[default]
    ForAll,
    /// One is expected: it stands in an input.
    Expected,
    /// They should be equal for some inputs: any other text makes the test fail.
    ForSome,
}

/// A function or item that holds inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// What it is.
    pub kind: OwnerKind,
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: FileIndex,
    /// Its bytes, attributes included.
    pub span: Range<usize>,
}

/// What holds an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnerKind {
    /// The test function itself.
    Test,
    /// A function that the test reaches.
    Helper,
    /// A `const` item.
    Const(ConstShape),
    /// A `static` item.
    Static(ConstShape),
}

impl OwnerKind {
    /// The parts of a `const` or `static` item.
    pub fn const_shape(&self) -> Option<&ConstShape> {
        match self {
            OwnerKind::Const(shape) | OwnerKind::Static(shape) => Some(shape),
            OwnerKind::Test | OwnerKind::Helper => None,
        }
    }
}

/// The parts of a `const` or `static` item, as bytes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstShape {
    /// `const` or `static`.
    pub keyword: Range<usize>,
    /// The name.
    pub name: Range<usize>,
    /// The colon before the type.
    pub colon: Range<usize>,
    /// The type.
    pub ty: Range<usize>,
    /// The equals sign.
    pub eq: Range<usize>,
    /// The value.
    pub expr: Range<usize>,
    /// The semicolon.
    pub semi: Range<usize>,
    /// Whether it stands inside a function.
    pub is_nested: bool,
    /// Where the type needs a `'static` to be a function's return type.
    pub lifetimes: Vec<usize>,
    /// Whether the type is known to be `Copy`: a reference, a number, a tuple of such.
    pub is_copy: bool,
    /// Whether the type may share state between its users (a cell, a lock, an atomic).
    pub is_shared_state: bool,
}

/// A type `[T; 5]`, as bytes of the file of the sequence that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayType {
    /// The whole type.
    pub ty: Range<usize>,
    /// The type of the elements.
    pub element: Range<usize>,
    /// The length.
    pub len: Range<usize>,
}

/// A literal, or a piece of source with literals, that was left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub file: FileIndex,
    /// Its bytes.
    pub span: Range<usize>,
    /// Why, for the user.
    pub why: &'static str,
}

impl FoundInputs {
    /// Takes the next id, for what stands there.
    pub(super) fn add_place(&mut self, place: ValuePlace) -> NodeId {
        self.places.push(place);
        NodeId::at(self.places.len() - 1)
    }

    /// The same inputs with all statements of lists of which some are gone, if there are any: what is gone may have told the
    /// compiler a type.
    pub fn with_whole_statements(&self, inputs: &Inputs) -> Option<Inputs> {
        let is_list = |id: NodeId| self.place(id).kind == ValueKind::Seq(SeqForm::Statements);
        let children =
            |inputs: &Inputs, id: NodeId| inputs.get(id).map(|node| node.children().len());
        let all = inputs.ids().filter(|id| is_list(*id) && !self.passed.contains(id));
        let gone = all.filter(|id| children(inputs, *id) < children(&self.inputs, *id));
        let gone: Vec<NodeId> = gone.collect();
        (!gone.is_empty()).then(|| self.with_whole(inputs, &gone))
    }

    /// The same inputs with all elements of these sequences; those that are still there stay as they are.
    pub fn with_whole(&self, inputs: &Inputs, sequences: &[NodeId]) -> Inputs {
        sequences.iter().fold(inputs.clone(), |whole, id| {
            let Some(before) = self.inputs.get(*id) else { return whole };
            let now = |child: &Arc<Node>| inputs.get(child.id).unwrap_or(child).clone();
            let body = Body::Seq(before.children().iter().map(now).collect());
            whole.replace(*id, body)
        })
    }

    /// Adds the assertions that the failing test passes to what may go.
    pub(super) fn add_passed(&mut self, passed: Vec<(ValuePlace, Vec<ValuePlace>)>) {
        for (whole, each) in passed {
            let id = self.add_place(whole);
            let each = each
                .into_iter()
                .map(|place| Node { id: self.add_place(place), body: Body::Opaque });
            let body = Body::Seq(each.map(Arc::new).collect());
            self.passed.insert(id);
            self.inputs.0.push(Arc::new(Node { id, body }));
        }
    }

    /// Whether there is more than assertions that the failing test passes.
    pub fn has_inputs(&self) -> bool {
        self.inputs.0.iter().any(|root| !self.passed.contains(&root.id))
    }

    /// The elements of `inputs` that the user is shown: not the assertions that pass before the failure.
    pub fn shown_size(&self, inputs: &Inputs) -> usize {
        let shown = inputs.0.iter().filter(|root| !self.passed.contains(&root.id));
        shown.map(|root| root.size()).sum()
    }

    /// The inputs that are values which a run has shown.
    pub fn observed_inputs(&self) -> Inputs {
        let roots = self.inputs.0.iter().filter(|root| self.observed.contains_key(&root.id));
        Inputs(roots.cloned().collect())
    }

    /// The place of a node.
    pub fn place(&self, id: NodeId) -> &ValuePlace {
        &self.places[id.0 as usize]
    }

    /// The owner of a node.
    pub fn owner(&self, id: NodeId) -> &Owner {
        &self.owners[self.place(id).owner as usize]
    }
}

/// Files that the failing run opens.
#[derive(Debug, Clone, Default)]
pub struct OpenedFiles {
    /// Their content.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The inputs that they are: lists of files.
    pub roots: BTreeSet<NodeId>,
    /// The literals of the test that may name them.
    pub literals: Vec<TextLiteral>,
    /// Whether a regression test reads any of them; `None` where that has not been seen.
    pub are_read: Option<bool>,
}

/// A string literal in the code of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLiteral {
    /// Its file.
    pub file: FileIndex,
    /// Its bytes.
    pub range: Range<usize>,
    /// Its value.
    pub text: String,
}
