//! A candidate written into the original text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};

use super::removal::{self, Gap};
use super::written::Written;
use super::{
    Crate, Edits, FileIndex, FileUse, FoundInputs, SeqForm, ValueKind, ValueType,
    with_format_texts, write_literal,
};

/// What a candidate changes on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteBack {
    /// Edits of source files.
    pub edits: Vec<(FileIndex, Edits)>,
    /// The new content of files that are inputs.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Files that are gone.
    pub removed: Vec<PathBuf>,
}

impl FoundInputs {
    /// Writes a candidate made from these inputs into the original sources of `krate`. What is
    /// unchanged keeps its text; removed elements go with their separators, and with their lines if
    /// they are alone on them.
    pub fn write_back(&self, krate: &Crate, candidate: &Inputs) -> WriteBack {
        self.write(krate, candidate, FileInputs::InPlace)
    }

    /// A value that crosses the boundary as an expression; `None` if the input is none.
    pub fn written(&self, candidate: &Inputs, root: NodeId) -> Option<String> {
        let observed = self.observed.get(&root)?;
        let written = Written { variable: None };
        Some(written.value(candidate.get(root)?, &observed.shape))
    }

    /// As [`FoundInputs::write_back`], with a choice of what becomes of inputs that are files.
    pub(crate) fn write(
        &self,
        krate: &Crate,
        candidate: &Inputs,
        file_inputs: FileInputs<'_>,
    ) -> WriteBack {
        self.write_by(Writer::new(krate, self, file_inputs), candidate)
    }

    /// As [`FoundInputs::write`], with the variable `name` in the place of the leaf `id` and its twins.
    pub(crate) fn write_variable(
        &self,
        krate: &Crate,
        candidate: &Inputs,
        file_inputs: FileInputs<'_>,
        id: NodeId,
        name: &str,
    ) -> WriteBack {
        let mut writer = Writer::new(krate, self, file_inputs);
        let twins = self.twins.get(&id).into_iter().flatten().copied();
        writer.variable = Some((twins.chain([id]).collect(), name));
        // What has its original value would not be written.
        let changed = match candidate.value(id) {
            Some(Value::Text(text)) => Value::Text(format!("{text} ")),
            _ => Value::Text(String::new()),
        };
        self.write_by(writer, &candidate.with_value(id, changed))
    }

    fn write_by(&self, mut writer: Writer<'_>, candidate: &Inputs) -> WriteBack {
        writer.nodes(&self.inputs.0, &candidate.0);
        writer.twins();
        writer.observed(candidate);
        writer.opened(candidate);
        WriteBack {
            edits: writer.edits.into_iter().collect(),
            files: writer.files,
            removed: writer.removed,
        }
    }
}

/// What becomes of changed inputs that are files.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FileInputs<'n> {
    /// The files themselves change.
    InPlace,
    /// Included files become literals, files that are read get a sibling with this prefix.
    Apart(&'n str),
}

struct Writer<'w> {
    krate: &'w Crate,
    found: &'w FoundInputs,
    file_inputs: FileInputs<'w>,
    edits: BTreeMap<FileIndex, Edits>,
    files: Vec<(PathBuf, Vec<u8>)>,
    removed: Vec<PathBuf>,
    /// Twins of changed leaves, with their new values.
    twins: Vec<(NodeId, Value)>,
    /// Leaves that are written as a variable, and its name.
    variable: Option<(BTreeSet<NodeId>, &'w str)>,
}

type Nodes = [std::sync::Arc<Node>];

impl<'w> Writer<'w> {
    fn new(krate: &'w Crate, found: &'w FoundInputs, file_inputs: FileInputs<'w>) -> Self {
        Writer {
            krate,
            found,
            file_inputs,
            edits: BTreeMap::new(),
            files: Vec::new(),
            removed: Vec::new(),
            twins: Vec::new(),
            variable: None,
        }
    }

    /// Both lists hold the same nodes, but for those missing in `new`.
    fn nodes(&mut self, old: &Nodes, new: &Nodes) {
        let mut new = new.iter().peekable();
        for old in old {
            if let Some(new) = new.next_if(|new| new.id == old.id)
                && !std::sync::Arc::ptr_eq(old, new)
            {
                self.node(old, new);
            }
        }
    }

    fn node(&mut self, old: &Node, new: &Node) {
        let is_observed = self.found.observed.contains_key(&old.id);
        if is_observed || self.found.opened.roots.contains(&old.id) {
            return;
        }
        match (&old.body, &new.body) {
            (Body::Leaf(was), Body::Leaf(is)) if was != is => self.leaf(old.id, is),
            (Body::Seq(was), Body::Seq(is)) => {
                // The elements first: how long they are now decides how the list is written.
                self.nodes(was, is);
                if was.len() != is.len() {
                    self.sequence(old.id, was, is);
                }
            }
            (Body::Group(_), Body::Group(is)) if self.found.formats.contains_key(&old.id) => {
                self.format_string(old.id, is);
            }
            (Body::Group(was), Body::Group(is)) => self.nodes(was, is),
            _ => {}
        }
    }

    /// Writes the twins of changed leaves, but for those in statements that were removed.
    fn twins(&mut self) {
        for (id, value) in std::mem::take(&mut self.twins) {
            let place = self.found.place(id);
            let edits = self.edits.entry(place.file).or_default();
            if !edits.covers(&place.range()) {
                self.leaf(id, &value);
            }
        }
    }

    /// Writes the values that cross the boundary in the places of what computes them, but for those in statements
    /// that were removed. They are written even if unchanged: what the test computes may need what is gone.
    fn observed(&mut self, candidate: &Inputs) {
        for (root, observed) in &self.found.observed {
            let Some(node) = candidate.get(*root) else { continue };
            let place = *self.found.place(observed.place);
            let text = &self.krate.file(place.file).text;
            let mut range = place.range();
            let edits = self.edits.entry(place.file).or_default();
            if edits.overlaps(&range) {
                continue;
            }
            let written = Written { variable: self.variable.as_ref() };
            // A reference to a text that was made for it is the text.
            let before = text[..range.start].trim_end();
            let built = self.found.built.get(&observed.place);
            let value = match observed.shape {
                _ if let Some(built) = built => {
                    let value = written.value(node, &observed.shape);
                    let keyword = if built.is_changed_later { "mut " } else { "" };
                    format!("{keyword}{}{value};", text[built.declaration.clone()].trim_start())
                }
                ValueType::String
                    if before.ends_with('&')
                        && !before.ends_with("&&")
                        && written.repeated(node).is_none() =>
                {
                    range.start = before.len() - 1;
                    written.value(node, &ValueType::Str)
                }
                _ => written.value(node, &observed.shape),
            };
            let is_gone_through =
                before.ends_with(" in") && text[range.end..].trim_start().starts_with('{');
            let value = match value.strip_prefix("vec!") {
                Some(array) if is_gone_through && array != "[]" => array.to_owned(),
                _ => value,
            };
            edits.replace(range, value);
        }
    }

    /// Writes the files that the failing run opens: in their places, or beside them.
    fn opened(&mut self, candidate: &Inputs) {
        let FileInputs::Apart(prefix) = self.file_inputs else {
            for (path, value) in self.found.changed_files(candidate) {
                match value {
                    Some(value) => self.files.push((path.clone(), value.content())),
                    None => self.removed.push(path.clone()),
                }
            }
            return;
        };
        if self.found.opened.are_read == Some(false) {
            return;
        }
        let siblings = self.found.siblings(self.krate, candidate, prefix);
        let siblings = siblings.unwrap_or_default();
        self.files.extend(siblings.files);
        for (literal, text) in siblings.literals {
            let original = &self.krate.file(literal.file).text[literal.range.clone()];
            let text = write_literal(original, ValueKind::Str, &Value::Text(text));
            // Where it is gone, nothing reads the file.
            let edits = self.edits.entry(literal.file).or_default();
            if !edits.overlaps(&literal.range) {
                edits.replace(literal.range.clone(), text);
            }
        }
    }

    fn leaf(&mut self, id: NodeId, value: &Value) {
        if let Some(twins) = self.found.twins.get(&id) {
            self.twins.extend(twins.iter().map(|twin| (*twin, value.clone())));
        }
        let place = self.found.place(id);
        if let Some((leaves, name)) = &self.variable
            && leaves.contains(&id)
        {
            let edits = self.edits.entry(place.file).or_default();
            return edits.replace(place.range(), *name);
        }
        let kind = match (place.kind, self.file_inputs) {
            (ValueKind::File(_), FileInputs::InPlace) => {
                if let Some(path) = self.found.files.get(&id) {
                    self.files.push((path.clone(), value.content()));
                }
                return;
            }
            (ValueKind::File(FileUse::Path), FileInputs::Apart(prefix)) => {
                return self.sibling(id, value, prefix);
            }
            (ValueKind::File(FileUse::IncludeStr), FileInputs::Apart(_)) => ValueKind::Str,
            (ValueKind::File(FileUse::IncludeBytes), FileInputs::Apart(_)) => ValueKind::Bytes,
            (kind, _) => kind,
        };
        let as_bytes;
        let value = match (kind, value) {
            (ValueKind::Bytes, Value::Text(_)) => {
                as_bytes = Value::Bytes(value.content());
                &as_bytes
            }
            _ => value,
        };
        let original = &self.krate.file(place.file).text[place.range()];
        let literal = write_literal(original, kind, value);
        self.edits.entry(place.file).or_default().replace(place.range(), literal);
    }

    fn format_string(&mut self, id: NodeId, parts: &Nodes) {
        let place = self.found.place(id);
        let original = &self.krate.file(place.file).text[place.range()];
        let texts = parts.iter().map(|part| part.text());
        if let Some(changed) = with_format_texts(original, texts) {
            let literal = write_literal(original, ValueKind::Str, &Value::Text(changed));
            self.edits.entry(place.file).or_default().replace(place.range(), literal);
        }
    }

    /// Puts the content into a file beside the original, and names that.
    fn sibling(&mut self, id: NodeId, value: &Value, prefix: &str) {
        let place = self.found.place(id);
        let Some(path) = self.found.files.get(&id) else { return };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let sibling = path.with_file_name(format!("{prefix}_{name}"));
        let named = sibling.strip_prefix(&self.krate.package_dir).unwrap_or(&sibling);
        let named = Value::Text(named.to_string_lossy().into_owned());
        let literal = write_literal("", ValueKind::Str, &named);
        self.edits.entry(place.file).or_default().replace(place.range(), literal);
        self.files.push((sibling, value.content()));
    }

    fn sequence(&mut self, id: NodeId, was: &Nodes, is: &Nodes) {
        let place = self.found.place(id);
        let ValueKind::Seq(form) = place.kind else { return };
        let text = &self.krate.file(place.file).text;
        let elements: Vec<_> = was.iter().map(|node| self.found.place(node.id).range()).collect();
        let mut kept = is.iter().map(|node| node.id).peekable();
        let is_kept: Vec<bool> =
            was.iter().map(|node| kept.next_if_eq(&node.id).is_some()).collect();
        let gap = match form {
            SeqForm::Statements => Gap::Lines,
            SeqForm::Chain => Gap::Blanks,
            _ => Gap::Separators { inside: removal::inside(text, &place.range(), &elements) },
        };
        let edits = self.edits.entry(place.file).or_default();
        let typed = is.is_empty() && self.found.typed_empties.contains(&id);
        match (&gap, elements.iter().min_by_key(|element| element.len())) {
            // `[x; 0]` evaluates nothing, but has the type of `x`.
            (Gap::Separators { inside }, Some(element)) if typed => {
                edits.replace(inside.clone(), format!("{}; 0", &text[element.clone()]));
            }
            (Gap::Separators { inside }, _)
                if form != SeqForm::Tokens
                    && let Some(line) =
                        removal::one_line(text, edits, &elements, &is_kept, inside) =>
            {
                for (range, with) in line {
                    edits.replace(range, with);
                }
            }
            _ => {
                let is_passed = self.found.passed.contains(&id);
                for range in removal::ranges(text, &elements, &is_kept, &gap) {
                    if is_passed {
                        // Inputs in it were written before, and may be gone along with more.
                        edits.cover(range, "");
                    } else {
                        edits.remove(range);
                    }
                }
            }
        }
        if let Some(array_type) = self.found.array_types.get(&id) {
            edits.replace(array_type.len.clone(), is.len().to_string());
        }
    }
}
