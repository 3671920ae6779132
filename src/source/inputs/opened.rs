//! Files that the failing run opens, whoever opens them: their content is an input, and whether they are there.
//!
//! The files of one folder are one input, a list of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use proc_macro2::TokenTree;

use super::found::{FoundInputs, OwnerKind, TextLiteral};
use super::walk::NO_OWNER;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};
use crate::source::item::{Item, ItemKind};
use crate::source::parse::{look_at_tokens, range};
use crate::source::place::small;
use crate::source::tokens::flat;
use crate::source::{Crate, FileUse, Located, Tier, ValueKind, ValuePlace};

impl FoundInputs {
    /// Takes the opened files as inputs of the test.
    pub fn open_files(&mut self, krate: &Crate, located: &Located) {
        let mut folders: BTreeMap<PathBuf, Vec<(PathBuf, Value)>> = BTreeMap::new();
        let known: BTreeSet<&PathBuf> = self.files.values().collect();
        for (path, content) in &self.opened.files {
            let Some(folder) = path.parent().filter(|_| !known.contains(path)) else { continue };
            let value = Value::of_content(content.clone());
            let files = folders.entry(folder.to_owned()).or_default();
            files.push((path.clone(), value));
        }
        for (folder, files) in folders {
            let root = self.add_file(located, ValueKind::Files, folder);
            let leaf = |(path, value)| {
                let id = self.add_file(located, ValueKind::File(FileUse::Opened), path);
                let body = Body::Leaf(value);
                Arc::new(Node { id, body })
            };
            let body = Body::Seq(files.into_iter().map(leaf).collect());
            self.opened.roots.insert(root);
            self.inputs.0.push(Arc::new(Node { id: root, body }));
        }
        self.opened.literals = krate.text_literals(located);
    }

    /// Adds the place of a file: no place in the source is its own, so it is that of the test's name.
    fn add_file(&mut self, located: &Located, kind: ValueKind, path: PathBuf) -> NodeId {
        let owner = self.owners.iter().position(|owner| owner.kind == OwnerKind::Test);
        let owner = owner.map_or(NO_OWNER, small);
        let (file, name) = (located.file, &located.name_span);
        let id = self.add_place(ValuePlace::new(file, name, kind, Tier::InProcess, owner));
        self.files.insert(id, path);
        id
    }

    /// These files are no inputs after all.
    pub fn close_files(&mut self, root: NodeId) {
        self.inputs.0.retain(|input| input.id != root);
        self.opened.roots.remove(&root);
    }

    /// The same inputs with all of the opened files gone.
    pub fn without_opened_files(&self) -> Inputs {
        let roots = self.opened.roots.iter();
        roots.fold(self.inputs.clone(), |inputs, root| inputs.replace(*root, Body::Seq(Vec::new())))
    }

    /// The opened files that have changed, with their new content.
    pub fn smaller_files(&self, candidate: &Inputs) -> Vec<(PathBuf, Vec<u8>)> {
        let changed = self.changed_files(candidate).into_iter();
        changed.filter_map(|(path, value)| Some((path.clone(), value?.content()))).collect()
    }

    /// What became of the opened files: those of lists in which anything changed, with their new content, `None` for
    /// those that are gone.
    pub(in crate::source) fn changed_files<'n>(
        &'n self,
        candidate: &'n Inputs,
    ) -> Vec<(&'n PathBuf, Option<&'n Value>)> {
        let changed = self.opened.roots.iter().filter_map(|root| {
            let (old, new) = (self.inputs.get(*root)?, candidate.get(*root)?);
            (old != new).then_some((old, new))
        });
        let files = changed.flat_map(|(old, new)| {
            old.children().iter().filter_map(|file| {
                let path = self.files.get(&file.id)?;
                let mut left = new.children().iter();
                let value = left.find(|left| left.id == file.id);
                Some((path, value.and_then(|file| file.value())))
            })
        });
        files.collect()
    }
}

impl Crate {
    /// The string literals in the code of the test, in macros of its file, too.
    fn text_literals(&self, located: &Located) -> Vec<TextLiteral> {
        let reached = self.reached(located);
        let is_own = |(index, item): &(usize, &Item)| {
            reached.contains(index) || item.kind == ItemKind::MacroRules
        };
        let mut literals = Vec::new();
        for (_, item) in self.items.iter().enumerate().filter(is_own) {
            let add_all = |tokens| {
                for token in flat(tokens) {
                    let TokenTree::Literal(literal) = token else { continue };
                    let range = range(literal.span(), item.span.start);
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        let text = text.value();
                        literals.push(TextLiteral { file: item.file, range, text });
                    }
                }
            };
            look_at_tokens(self.text_of(item), add_all);
        }
        literals.sort_by_key(|literal| (literal.file, literal.range.start));
        literals.dedup();
        literals
    }
}
