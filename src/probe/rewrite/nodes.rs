//! Leaves and sequences.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::constants::Constants;
use super::copy::{Copy, RUNTIME, runtime_function};
use super::fragments;
use super::rows::Rows;
use crate::reduce::inputs::{Body, Node, NodeId};
use crate::source::scan::is_word;
use crate::source::{FileIndex, SeqForm, Tier, ValueKind, ValuePlace, write_literal};

/// Rewrites all nodes that can be probed.
pub(super) fn rewrite_nodes(
    copy: &mut Copy<'_>,
    nodes: &[Arc<Node>],
    excluded: &BTreeSet<NodeId>,
    constants: &Constants,
) {
    let mut rewriter = Rewriter {
        in_macros: fragments::in_arguments(copy),
        copy,
        excluded,
        constants,
        last: Vec::new(),
    };
    rewriter.nodes(nodes);
    for (file, offset, text) in rewriter.last {
        copy.insert(file, offset, text);
    }
}

struct Rewriter<'r, 'c> {
    copy: &'r mut Copy<'c>,
    excluded: &'r BTreeSet<NodeId>,
    constants: &'r Constants,
    in_macros: BTreeSet<NodeId>,
    /// What is inserted after all else that is inserted at the same place.
    last: Vec<(FileIndex, usize, String)>,
}

impl Rewriter<'_, '_> {
    fn nodes(&mut self, nodes: &[Arc<Node>]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match &node.body {
            Body::Leaf(_) => self.leaf(node.id),
            Body::Group(children) => match self.copy.found.formats.get(&node.id) {
                Some(end) => self.format_string(node.id, children, *end),
                None => self.nodes(children),
            },
            Body::Seq(children) if self.can_probe(node.id) => self.sequence(node.id, children),
            Body::Seq(children) => self.nodes(children),
            Body::Opaque => {}
        }
    }

    fn place(&self, id: NodeId) -> ValuePlace {
        *self.copy.found.place(id)
    }

    fn can_probe(&self, id: NodeId) -> bool {
        let place = self.copy.found.place(id);
        place.tier != Tier::Rebuild
            && place.kind != ValueKind::Seq(SeqForm::Tokens)
            && !self.excluded.contains(&id)
            && self.constants.is_free(place.owner)
    }

    fn leaf(&mut self, id: NodeId) {
        if !self.can_probe(id) {
            return;
        }
        let Some(function) = runtime_function(self.place(id).kind) else { return };
        self.ask(id, id, function);
        for twin in self.copy.found.twins.get(&id).into_iter().flatten() {
            self.ask(*twin, id, function);
        }
        self.copy.probed.insert(id);
    }

    /// The texts of a format string become named arguments; these must come last.
    fn format_string(&mut self, id: NodeId, texts: &[Arc<Node>], end: usize) {
        for text in texts {
            let (Body::Leaf(value), true) = (&text.body, self.can_probe(text.id)) else { continue };
            let place = self.place(text.id);
            let name = format!("cargo_reduce_{}", text.id.0);
            let literal = write_literal("", ValueKind::Str, value);
            let argument = format!(", {name} = {RUNTIME}::text({}, {literal})", text.id.0);
            self.copy.replace(place.file, place.range(), format!("{{{name}}}"));
            self.took(text.id);
            self.copy.probed.insert(id);
            self.last.push((place.file, end, argument));
        }
    }

    /// Asks for the value of `id` where `at` stands.
    fn ask(&mut self, at: NodeId, id: NodeId, function: &str) {
        let place = self.place(at);
        let (open, close) = self.parentheses(at);
        let call = format!("{open}{RUNTIME}::{function}({}, ", id.0);
        let end = format!("){close}");
        self.copy.insert(place.file, place.range().start, call);
        self.copy.insert(place.file, place.range().end, end);
        self.copy.site(place.file, place.range(), vec![id]);
    }

    /// What is put around a call.
    fn parentheses(&self, id: NodeId) -> (&'static str, &'static str) {
        if self.in_macros.contains(&id) { ("(", ")") } else { ("", "") }
    }

    fn took(&mut self, id: NodeId) {
        let place = self.place(id);
        self.copy.probed.insert(id);
        self.copy.site(place.file, place.range(), vec![id]);
    }

    fn sequence(&mut self, id: NodeId, children: &[Arc<Node>]) {
        let place = self.place(id);
        let ValueKind::Seq(form) = place.kind else { return };
        if form == SeqForm::Statements {
            self.took(id);
            return self.statements(id, children);
        }
        if form == SeqForm::Chain {
            self.took(id);
            return self.chain(id, children);
        }
        let Some(open) = self.opening(&place, form) else { return self.nodes(children) };
        self.took(id);
        let close = place.range().end - 1..place.range().end;
        let is_slice = form == SeqForm::Slice;
        let (before, after) = self.parentheses(id);
        let start =
            |function: &str, more: &str| format!("{before}{RUNTIME}::{function}({}, {more}[", id.0);
        if let (Some(kind), Some(first)) = (self.plain_kind(children), children.first()) {
            let function = match (kind, is_slice) {
                (ValueKind::Str, false) => "texts",
                (ValueKind::Str, true) => "text_slice",
                (_, false) => "nums",
                (_, true) => "num_slice",
            };
            let call = start(function, &format!("{}, &", first.id.0));
            self.copy.replace(place.file, open, call);
            self.copy.replace(place.file, close, format!("]){after}"));
            let probed = children.iter().map(|child| child.id);
            self.copy.probed.extend(probed);
        } else if let Some(rows) = self.rows(id, children) {
            let function = if is_slice { "row_slice" } else { "rows" };
            self.copy.replace(place.file, open, start(function, "&"));
            let rows_of = rows.arguments(&self.copy.found.rows[&id]);
            let end = format!("], {rows_of}){after}");
            self.copy.replace(place.file, close, end);
            self.copy.probed.extend(rows.leaves);
        } else {
            let function = if is_slice { "slice" } else { "list" };
            self.copy.replace(place.file, open, start(function, ""));
            self.elements(id, children);
            self.copy.replace(place.file, close, format!("]){after}"));
        }
        self.array_type(id, form);
        if form == SeqForm::Array {
            self.collection(&place);
        }
    }

    /// `BTreeMap::from([…])` is made of a list.
    fn collection(&mut self, array: &ValuePlace) {
        let text = &self.copy.krate.file(array.file).text;
        let (before, after) = text.split_at(array.range().start);
        let Some(function) = before.trim_end().strip_suffix('(').map(str::trim_end) else { return };
        let Some(path) = function.strip_suffix("from").and_then(|path| path.strip_suffix("::"))
        else {
            return;
        };
        let is_part = |c: char| c == ':' || is_word(c);
        let start = path.trim_end_matches(is_part).len();
        let name = path[start..].rsplit(':').next().unwrap_or_default();
        let rest = &after[array.range().len()..];
        let inside = rest.trim_start_matches([',', ' ', '\n']);
        let is_known =
            matches!(name, "BTreeMap" | "HashMap" | "BTreeSet" | "HashSet" | "LinkedList");
        // A name for one of these, or a collection of the user's.
        let is_type = name.starts_with(char::is_uppercase);
        if !is_type || !inside.starts_with(')') {
            return;
        }
        let (made, made_by) =
            if is_known { ("FromList", "from_list") } else { ("Collection", "of_list") };
        let end = array.range().end + rest.len() - inside.len() + 1;
        let from = function.len() - "from".len()..function.len();
        self.copy.insert(array.file, start, format!("{{ use {RUNTIME}::{made} as _; "));
        self.copy.replace(array.file, from, made_by);
        self.copy.insert(array.file, end, " }");
    }

    /// The ids in the rows of a long list of literals; none if one of these is treated on its own.
    fn rows(&self, id: NodeId, children: &[Arc<Node>]) -> Option<Rows> {
        self.copy.found.rows.get(&id)?;
        let mut rows = Rows::default();
        for child in children {
            let leaves: Vec<NodeId> = match &child.body {
                Body::Leaf(_) => vec![child.id],
                Body::Group(leaves) => leaves.iter().map(|leaf| leaf.id).collect(),
                Body::Opaque => Vec::new(),
                Body::Seq(_) => return None,
            };
            let is_plain =
                |leaf: &NodeId| self.can_probe(*leaf) && !self.copy.found.twins.contains_key(leaf);
            if !leaves.iter().all(is_plain) {
                return None;
            }
            rows.push(&leaves)?;
        }
        Some(rows)
    }

    /// What stands before the first element: `[`, `&[` or `vec![`.
    fn opening(&self, place: &ValuePlace, form: SeqForm) -> Option<std::ops::Range<usize>> {
        let text = &self.copy.krate.file(place.file).text[place.range()];
        let at = match form {
            SeqForm::Vec => {
                let bang = text.find('!')?;
                bang + text[bang..].find(['[', '(', '{'])?
            }
            SeqForm::Array | SeqForm::Slice => text.find('[')?,
            SeqForm::Statements | SeqForm::Chain | SeqForm::Tokens => return None,
        };
        Some(place.range().start..place.range().start + at + 1)
    }

    /// The common kind of elements that are plain numbers, or plain strings, with one id after the
    /// other: these need no code of their own.
    fn plain_kind(&self, children: &[Arc<Node>]) -> Option<ValueKind> {
        let kind_of = |node: &Arc<Node>| match self.copy.found.place(node.id).kind {
            ValueKind::Int | ValueKind::Byte => Some(ValueKind::Int),
            kind @ (ValueKind::Float | ValueKind::Str) => Some(kind),
            _ => None,
        };
        let first = children.first()?;
        let kind = kind_of(first)?;
        let is_plain = |(ordinal, node): (u32, &Arc<Node>)| {
            node.id.0 == first.id.0 + ordinal
                && kind_of(node) == Some(kind)
                && !self.excluded.contains(&node.id)
        };
        (0..).zip(children).all(is_plain).then_some(kind)
    }

    fn elements(&mut self, id: NodeId, children: &[Arc<Node>]) {
        self.where_kept(id, children, "Some(", ") } else { None }");
    }

    fn statements(&mut self, id: NodeId, children: &[Arc<Node>]) {
        self.where_kept(id, children, "", " }");
        for child in children {
            let place = self.place(child.id);
            self.copy.site(place.file, place.range(), vec![id]);
        }
    }

    /// Each child behind the question whether it is kept.
    fn where_kept(&mut self, id: NodeId, children: &[Arc<Node>], open: &str, close: &str) {
        for (ordinal, child) in children.iter().enumerate() {
            let place = self.place(child.id);
            let open = format!("if {RUNTIME}::on({}, {ordinal}) {{ {open}", id.0);
            self.copy.insert(place.file, place.range().start, open);
            self.node(child);
            self.copy.insert(place.file, place.range().end, close);
        }
    }

    /// `x.a(1).b(2)` becomes `chain(…, chain(…, x, |it| it.a(1)), |it| it.b(2))`.
    fn chain(&mut self, id: NodeId, children: &[Arc<Node>]) {
        let place = self.place(id);
        if let Some(variable) = self.called_in_turn(id, children) {
            return self.calls(id, children, &variable);
        }
        for ordinal in (0..children.len()).rev() {
            let open = format!("{RUNTIME}::chain({}, {ordinal}, ", id.0);
            self.copy.insert(place.file, place.range().start, open);
        }
        let text = &self.copy.krate.file(place.file).text[place.range()];
        if is_by_reference(text) {
            self.copy.insert(place.file, place.range().start, "&mut ");
        }
        for child in children {
            let call = self.place(child.id);
            self.copy.insert(call.file, call.range().start, ", |it| it");
            self.node(child);
            self.copy.insert(call.file, call.range().end, ")");
            self.copy.site(call.file, call.range(), vec![id]);
        }
    }

    /// The variable whose calls a chain is, where the chain is a statement and nobody needs its value.
    fn called_in_turn(&self, id: NodeId, children: &[Arc<Node>]) -> Option<String> {
        let place = self.place(id);
        let text = &self.copy.krate.file(place.file).text;
        let starts = children.iter().map(|child| self.place(child.id).range().start);
        let ends = children.iter().map(|child| self.place(child.id).range().end);
        // No other call stands between.
        let is_between = |(end, start): (usize, usize)| text[end..start].trim().is_empty();
        let are_all = ends.zip(starts.clone().skip(1)).all(is_between);
        let before = text[..place.range().start].trim_end();
        let is_statement = before.ends_with([';', '{', '}'])
            && text[place.range().end..].trim_start().starts_with(';');
        let variable = text[place.range().start..starts.min()?].trim();
        let is_variable = variable.starts_with(|it: char| it.is_lowercase() || it == '_')
            && variable.chars().all(is_word)
            && variable != "self";
        (are_all && is_statement && is_variable).then(|| variable.to_owned())
    }

    /// `x.a(1).b(2)` becomes `if … { x.a(1); } if … { x.b(2) }`: a chain may give a reference to what it starts with.
    fn calls(&mut self, id: NodeId, children: &[Arc<Node>], variable: &str) {
        let place = self.place(id);
        for (ordinal, child) in children.iter().enumerate() {
            let call = self.place(child.id);
            let open = format!("if {RUNTIME}::on({}, {ordinal}) {{ ", id.0);
            if ordinal == 0 {
                self.copy.insert(place.file, place.range().start, open);
            } else {
                self.copy.insert(call.file, call.range().start, open + variable);
            }
            self.node(child);
            self.copy.insert(call.file, call.range().end, "; } ");
            self.copy.site(call.file, call.range(), vec![id]);
        }
    }

    /// A variable or constant of type `[T; 5]` becomes a `Vec<T>`, one of type `&[T; 5]` a `&[T]`.
    fn array_type(&mut self, id: NodeId, form: SeqForm) {
        let Some(array) = self.copy.found.array_types.get(&id) else { return };
        let file = self.place(id).file;
        let (open, close) = (array.ty.start..array.element.start, array.element.end..array.ty.end);
        if form == SeqForm::Slice {
            return self.copy.replace(file, close, "]");
        }
        self.copy.replace(file, open, format!("{RUNTIME}::Vec<"));
        self.copy.replace(file, close, ">");
    }
}

/// Whether the calls of a chain give a reference to what it starts with, as builders of the standard library do.
fn is_by_reference(chain: &str) -> bool {
    let start = chain.split('(').next().unwrap_or_default();
    let mut segments = start.trim().rsplit("::").map(str::trim).skip(1);
    let owner = segments.next().unwrap_or_default();
    matches!(owner, "Command" | "OpenOptions" | "DirBuilder")
}
