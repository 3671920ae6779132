//! The walk over a function or item that collects its inputs as nodes, in preorder.
//!
//! Types, patterns and attributes are not entered: what stands there is needed at compile time.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, Lit};

use super::found::{ArrayType, FoundInputs, Owner, OwnerKind, Skipped};
use super::twins::Assertions;
use super::types::array_type_of;
use super::{data, read, rows};
use crate::reduce::RangeExt;
use crate::reduce::inputs::{Body, Node, NodeId, Value};
use crate::source::parse::range;
use crate::source::place::small;
use crate::source::{FileIndex, FormatText, SeqForm, Tier, ValueKind, ValuePlace, format_texts};

/// The owner of what stands at the top of a file.
pub(super) const NO_OWNER: u32 = u32::MAX;

/// Reads the files that the source names.
pub(super) struct FileReader<'r> {
    pub package_dir: PathBuf,
    pub source_dir: PathBuf,
    pub read: &'r mut dyn FnMut(&Path) -> std::io::Result<Vec<u8>>,
}

/// Collects the inputs of one item.
pub(super) struct Walk<'w, 'r> {
    pub files: &'w mut FileReader<'r>,
    pub found: &'w mut FoundInputs,
    pub assertions: &'w mut Assertions,
    /// Whether the current expression is an operand of an assertion.
    pub in_assertion: bool,
    pub file: FileIndex,
    /// Where the parsed text starts in the file.
    pub base: usize,
    pub owner: u32,
    pub tier: Tier,
    /// The array type that the next array has, if its length is written out.
    pub array_type: Option<ArrayType>,
    /// Whether statements may be removed.
    pub takes_statements: bool,
    /// The nodes on the current level.
    pub out: Vec<Arc<Node>>,
}

impl Walk<'_, '_> {
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        range(span, self.base)
    }

    /// What stands at `range`, here.
    fn value_place(&self, range: &Range<usize>, kind: ValueKind) -> ValuePlace {
        ValuePlace::new(self.file, range, kind, self.tier, self.owner)
    }

    /// Where a call of a macro begins.
    pub(super) fn start_of(&self, call: &syn::Macro) -> (FileIndex, usize) {
        (self.file, self.range(call.path.span()).start)
    }

    /// Takes the next id, for what stands at `range`.
    pub(super) fn place(&mut self, range: Range<usize>, kind: ValueKind) -> NodeId {
        self.found.add_place(self.value_place(&range, kind))
    }

    pub(super) fn push(&mut self, id: NodeId, body: Body) {
        self.out.push(Arc::new(Node { id, body }));
    }

    pub(super) fn leaf(&mut self, range: Range<usize>, kind: ValueKind, value: Value) {
        let id = self.place(range, kind);
        if self.in_assertion {
            self.assertions.asserted.insert(id);
        }
        self.push(id, Body::Leaf(value));
    }

    pub(super) fn literal(&mut self, lit: &Lit, range: Range<usize>, is_negative: bool) {
        if let Some((kind, value)) = read::literal(lit, is_negative) {
            self.leaf(range, kind, value);
        }
    }

    /// A format string: the texts between its placeholders are inputs. `end` is where the arguments of
    /// the macro end.
    pub(super) fn format_string(&mut self, lit: &Lit, end: usize) {
        let literal = lit.to_token_stream().to_string();
        let Some(texts) = format_texts(&literal).filter(|_| matches!(lit, Lit::Str(_))) else {
            return self.skip(lit, "a format string that cannot be read");
        };
        if texts.is_empty() {
            return;
        }
        let range = self.range(lit.span());
        let id = self.place(range.clone(), ValueKind::Format);
        self.found.formats.insert(id, end);
        let parts = self.children(|walk| {
            for FormatText { range: part, text } in texts {
                let part = part.offset_by(range.start);
                walk.leaf(part, ValueKind::FormatText, Value::Text(text));
            }
        });
        self.push(id, Body::Group(parts));
    }

    /// Leaves `span` alone if it holds literals.
    pub(super) fn skip(&mut self, spanned: &(impl Spanned + ToTokens), why: &'static str) {
        if data::has_literal(spanned.to_token_stream()) {
            let span = self.range(spanned.span());
            self.found.skipped.push(Skipped { file: self.file, span, why });
        }
    }

    /// Leaves an expected value alone, but for literals that turn out to be twins of inputs.
    pub(super) fn expect(&mut self, expr: &Expr) {
        if self.assertions.expects_inputs {
            return self.operand(expr);
        }
        // The notation of a macro is needed at compile time.
        let is_notation = matches!(expr, Expr::Macro(it) if data::is_data(&it.mac));
        if self.assertions.is_failing && !is_notation {
            return self.asserted(|walk| walk.operand(expr));
        }
        self.skip(expr, "the value that an assertion expects");
        let skipped = self.found.skipped.len();
        for node in self.children(|walk| walk.visit_expr(expr)) {
            if let Body::Leaf(value) = &node.body {
                self.assertions.expected.push((node.id, value.clone()));
            }
        }
        self.found.skipped.truncate(skipped);
    }

    /// Walks what an assertion expects: a node for the whole, where it holds several values.
    fn operand(&mut self, expr: &Expr) {
        if is_one_node(expr) {
            return self.visit_expr(expr);
        }
        let id = self.place(self.range(expr.span()), ValueKind::Group);
        let mut children = self.children(|walk| walk.visit_expr(expr));
        if children.len() > 1 {
            self.push(id, Body::Group(children));
        } else {
            self.out.append(&mut children);
        }
    }

    /// The bytes from the first of these to the last.
    pub(super) fn range_of_all(&self, parts: &[impl Spanned]) -> Option<Range<usize>> {
        Some(self.range(parts.first()?.span()).start..self.range(parts.last()?.span()).end)
    }

    /// Notes assertions that the failing test passes: they may go, and whatever stands in them is an input by itself.
    pub(super) fn passed(&mut self, statements: &[&syn::Stmt]) {
        let Some(whole) = self.range_of_all(statements) else { return };
        let whole = self.value_place(&whole, ValueKind::Seq(SeqForm::Statements));
        let each = statements
            .iter()
            .map(|statement| self.value_place(&self.range(statement.span()), ValueKind::Opaque));
        let passed = (whole, each.collect());
        self.assertions.passed.push(passed);
    }

    /// Runs `inside` for what stands in an operand of an assertion.
    pub(super) fn asserted(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.in_assertion, true);
        inside(self);
        self.in_assertion = outer;
    }

    /// Runs `inside` with another tier.
    pub(super) fn at_tier(&mut self, tier: Tier, inside: impl FnOnce(&mut Self)) {
        let outer = self.tier;
        self.tier = tier.max(outer);
        inside(self);
        self.tier = outer;
    }

    /// Collects what `inside` pushes.
    pub(super) fn children(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<Arc<Node>> {
        let outer = std::mem::take(&mut self.out);
        inside(self);
        std::mem::replace(&mut self.out, outer)
    }

    /// The ids of what `inside` finds.
    pub(super) fn ids(&mut self, inside: impl FnOnce(&mut Self)) -> Range<u32> {
        let next = |walk: &Self| small(walk.found.places.len());
        let first = next(self);
        inside(self);
        first..next(self)
    }

    /// A sequence whose elements `inside` pushes.
    pub(super) fn sequence(
        &mut self,
        range: Range<usize>,
        form: SeqForm,
        inside: impl FnOnce(&mut Self),
    ) {
        let id = self.place(range, ValueKind::Seq(form));
        if let Some(array_type) = self.array_type.take() {
            self.found.array_types.insert(id, array_type);
        }
        let children = self.children(inside);
        self.push(id, Body::Seq(children));
    }

    /// One element of a sequence: a node for the whole, with what `inside` pushes as its parts.
    pub(super) fn element(&mut self, range: Range<usize>, inside: impl FnOnce(&mut Self)) {
        let id = self.place(range, ValueKind::Group);
        let children = self.children(inside);
        if children.is_empty() {
            self.found.places[id.0 as usize].kind = ValueKind::Opaque;
            return self.push(id, Body::Opaque);
        }
        self.push(id, Body::Group(children));
    }

    /// An expression that is an element of a sequence.
    pub(super) fn element_expr(&mut self, expr: &Expr) {
        if is_one_node(expr) {
            return self.visit_expr(expr);
        }
        let range = self.range(expr.span());
        self.element(range, |walk| walk.visit_expr(expr));
    }

    /// The elements of a list.
    pub(super) fn list<'e>(
        &mut self,
        range: Range<usize>,
        form: SeqForm,
        elements: impl IntoIterator<Item = &'e Expr, IntoIter: ExactSizeIterator + Clone>,
    ) {
        let elements = elements.into_iter();
        if let Some(shapes) = rows::row_shapes(elements.clone()) {
            self.found.rows.insert(NodeId::at(self.found.places.len()), shapes);
        }
        self.sequence(range, form, |walk| {
            for element in elements {
                walk.element_expr(element);
            }
        });
    }

    /// Walks the value of a variable or constant of type `ty`.
    pub(super) fn typed(&mut self, ty: &syn::Type, expr: &Expr) {
        self.array_type = array_type_of(ty, expr).map(|array| ArrayType {
            ty: self.range(array.span()),
            element: self.range(array.elem.span()),
            len: self.range(array.len.span()),
        });
        self.visit_expr(expr);
        self.array_type = None;
    }

    /// Runs `inside` for what belongs to `owner`, where no statements are removed.
    pub(super) fn owned(&mut self, owner: Owner, inside: impl FnOnce(&mut Self)) {
        let owner_index = small(self.found.owners.len());
        self.found.owners.push(owner);
        let outer = std::mem::replace(&mut self.owner, owner_index);
        let outer_statements = std::mem::replace(&mut self.takes_statements, false);
        inside(self);
        self.takes_statements = outer_statements;
        self.owner = outer;
    }

    /// The name of the static around the current expression.
    pub(super) fn enclosing_static(&self) -> Option<String> {
        let owner = self.found.owners.get(self.owner as usize)?;
        matches!(owner.kind, OwnerKind::Static(_)).then(|| owner.name.clone())
    }
}

/// Whether the expression gives exactly one node, which covers it whole.
pub(super) fn is_one_node(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => read::literal(&literal.lit, false).is_some(),
        Expr::Unary(unary) => {
            read::negative(unary).is_some_and(|lit| read::literal(lit, true).is_some())
        }
        Expr::Array(array) => !array.elems.is_empty(),
        Expr::Reference(reference) => slice(reference).is_some(),
        _ => false,
    }
}

/// The array in `&[a, b]`.
pub(super) fn slice(reference: &syn::ExprReference) -> Option<&syn::ExprArray> {
    match &*reference.expr {
        Expr::Array(array) if reference.mutability.is_none() && !array.elems.is_empty() => {
            Some(array)
        }
        _ => None,
    }
}
