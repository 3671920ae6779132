//! What becomes of each node that the walk comes to.

use syn::Expr;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::found::{ConstShape, Owner, OwnerKind};
use super::types::TypeFacts;
use super::walk::{NO_OWNER, Walk, slice};
use super::{asserts, chain, file, lazy, macros, read, statements};
use crate::source::tokens::{last_name, plain};
use crate::source::{SeqForm, Tier};

/// Walks an item that is a value with a name; all kinds of them have the same fields, but for their keyword.
macro_rules! constant {
    ($walk:ident, $item:ident, $keyword:ident, $kind:path) => {{
        let facts = TypeFacts::of(&$item.ty);
        let kind = $kind(ConstShape {
            keyword: $walk.range($item.$keyword.span()),
            name: $walk.range($item.ident.span()),
            colon: $walk.range($item.colon_token.span()),
            ty: $walk.range($item.ty.span()),
            eq: $walk.range($item.eq_token.span()),
            expr: $walk.range($item.expr.span()),
            semi: $walk.range($item.semi_token.span()),
            is_nested: $walk.owner != NO_OWNER,
            lifetimes: facts.references.iter().map(|span| $walk.range(*span).end).collect(),
            is_copy: facts.is_copy,
            is_shared_state: facts.is_shared_state,
        });
        let (file, span) = ($walk.file, $walk.range($item.span()));
        let owner = Owner { kind, name: plain(&$item.ident), file, span };
        $walk.owned(owner, |walk| walk.typed(&$item.ty, &$item.expr));
    }};
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Lit(literal) => {
                let range = self.range(literal.lit.span());
                self.literal(&literal.lit, range, false);
            }
            Expr::Unary(unary) => match read::negative(unary) {
                Some(lit) => {
                    let range = self.range(unary.span());
                    self.literal(lit, range, true);
                }
                None => visit::visit_expr(self, expr),
            },
            Expr::Array(array) if !array.elems.is_empty() => {
                let range = self.range(array.bracket_token.span.join());
                self.list(range, SeqForm::Array, &array.elems);
            }
            Expr::Reference(reference) => match slice(reference) {
                Some(array) => {
                    let range = self.range(reference.span());
                    self.list(range, SeqForm::Slice, &array.elems);
                }
                None => visit::visit_expr(self, expr),
            },
            Expr::Repeat(repeat) => {
                self.visit_expr(&repeat.expr);
                self.at_tier(Tier::Rebuild, |walk| walk.visit_expr(&repeat.len));
            }
            Expr::Const(block) => {
                self.at_tier(Tier::Rebuild, |walk| walk.visit_block(&block.block));
            }
            Expr::Closure(closure) => match self.enclosing_static() {
                Some(name) => lazy::walk_value(self, name, &closure.body),
                None => visit::visit_expr(self, expr),
            },
            Expr::Call(call) if file::is_read(&call.func) => file::call(self, call),
            Expr::MethodCall(call) if lazy::is_once(call) => {
                lazy::once(self, |walk| visit::visit_expr_method_call(walk, call));
            }
            Expr::MethodCall(call) if self.takes_statements && chain::walk_chain(self, call) => {}
            Expr::MethodCall(call) if asserts::is_message_method(call) => {
                self.visit_expr(&call.receiver);
                for argument in &call.args {
                    self.skip(argument, "a message");
                }
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (syn::Pat::Type(typed), Some(init)) = (&local.pat, &local.init)
            && init.diverge.is_none()
        {
            return self.typed(&typed.ty, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        statements::block(self, block);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let place = self.start_of(mac);
        let failing = self.assertions.failing;
        let is_failing = failing.is_some_and(|it| it.expects_input && it.place == Some(place));
        let outer = std::mem::replace(&mut self.assertions.is_failing, is_failing);
        macros::call(self, mac);
        self.assertions.is_failing = outer;
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        constant!(self, item, const_token, OwnerKind::Const);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        constant!(self, item, const_token, OwnerKind::Const);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if !matches!(item.mutability, syn::StaticMutability::None) {
            return self.skip(&item.expr, "the start value of a `static mut`");
        }
        constant!(self, item, static_token, OwnerKind::Static);
    }

    fn visit_signature(&mut self, _: &'ast syn::Signature) {}
    fn visit_item_use(&mut self, _: &'ast syn::ItemUse) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_item_struct(&mut self, _: &'ast syn::ItemStruct) {}
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if lazy::is_macro(&last_name(&item.mac.path)) {
            lazy::walk_macro(self, &item.mac);
        }
    }
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        self.skip(pattern, "a pattern, needed at compile time");
    }
}
