//! What a reduced test, and what comes along with it, makes and reads of types.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Member, Pat, Path, Type};

use super::facts::{Call, FieldOf, Filled, Parameters, Place, Value, Walk};
use crate::reduce::RangeExt;
use crate::source::exprs::children;
use crate::source::idents;
use crate::source::patterns::{bound_names, typed, variable};
use crate::source::tokens::{arguments, flat, last_word, plain};

/// Finds what is made and read.
pub(super) struct Uses<'w> {
    walk: Walk<'w>,
    /// The function that is walked.
    function: String,
    /// The type whose implementation is walked.
    owner: Option<String>,
    /// Whether a trait says what parameters its functions have.
    is_of_trait: bool,
    /// The variables of the function.
    bound: BTreeSet<String>,
}

impl<'w> Uses<'w> {
    pub fn of(walk: Walk<'w>) -> Self {
        let (function, bound) = (String::new(), BTreeSet::new());
        Uses { walk, function, owner: None, is_of_trait: false, bound }
    }

    /// What `path` names, with the type for what belongs to one.
    fn name_of(&self, path: &Path) -> Option<String> {
        let owner = |name: String| if name == "Self" { self.owner.clone() } else { Some(name) };
        let mut words = path.segments.iter().rev().map(|segment| plain(&segment.ident));
        let last = words.next()?;
        match words.next().filter(|word| word.starts_with(char::is_uppercase)) {
            Some(of) => Some(format!("{}::{last}", owner(of)?)),
            None => owner(last),
        }
    }

    fn function(&mut self, name: &str, signature: &syn::Signature) {
        let key = self.owner.as_ref().map_or(name.to_owned(), |owner| format!("{owner}::{name}"));
        let names =
            signature.inputs.iter().map(|input| Some(plain(&variable(&typed(input)?.pat)?.ident)));
        let parameters =
            Parameters { list: self.walk.list(&signature.inputs), names: names.collect() };
        let before = self.walk.facts.functions.remove(&key);
        let is_free = before.is_none() && !self.is_of_trait && signature.receiver().is_none();
        let own = is_free.then_some(parameters);
        self.walk.facts.functions.insert(key.clone(), own);
        self.function = key;
    }

    fn value(&self, expr: &Expr) -> Value {
        let constant = |is: bool| if is { Value::Constant } else { Value::Other };
        match expr {
            Expr::Path(path) => match path.path.get_ident().map(plain) {
                Some(name) if self.bound.contains(&name) => Value::Variable(name),
                name => constant(name.is_some_and(|it| it == "None")),
            },
            _ => constant(is_constant(expr)),
        }
    }

    fn read(&mut self, variable: String) {
        let reads = &mut self.walk.facts.variables;
        *reads.entry((self.function.clone(), variable)).or_default() += 1;
    }

    fn literal(&mut self, literal: &syn::ExprStruct) {
        let owner = self.name_of(&literal.path);
        let list = self.walk.list(&literal.fields);
        for (part, field) in literal.fields.iter().enumerate() {
            if let (Some(owner), Member::Named(name)) = (&owner, &field.member) {
                let place = Place { list, part };
                let (value, function) = (self.value(&field.expr), self.function.clone());
                let of = FieldOf { owner: owner.clone(), field: plain(name) };
                let filled = self.walk.facts.filled.entry(of).or_default();
                filled.push(Filled { place, value, function });
            }
            self.visit_expr(&field.expr);
        }
        self.visit_path(&literal.path);
        literal.rest.iter().for_each(|rest| self.visit_expr(rest));
    }
}

/// A value that is written out, and what only copies it.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Reference(_) | Expr::Unary(_) | Expr::Array(_) | Expr::Tuple(_) => {
            children(expr).into_iter().all(is_constant)
        }
        Expr::Call(it) => {
            let name = it.func.to_token_stream().to_string();
            matches!(&*name, "Some" | "String :: from") && it.args.iter().all(is_constant)
        }
        Expr::MethodCall(it) => {
            let copies = ["to_string", "to_owned", "into", "to_vec", "as_bytes"];
            copies.iter().any(|name| it.method == name)
                && it.args.is_empty()
                && is_constant(&it.receiver)
        }
        Expr::Macro(it) => {
            let elements = arguments(&it.mac.tokens);
            it.mac.path.is_ident("vec") && elements.is_some_and(|it| it.iter().all(is_constant))
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.walk.is_needed(item) {
            visit::visit_item(self, item);
        }
    }

    // What they define is no use of it.
    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.visit_fields(&variant.fields);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.visit_type(&field.ty);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Type::Path(path) = &*item.self_ty {
            self.owner = last_word(&path.path).map(plain);
        }
        self.is_of_trait = item.trait_.is_some();
        visit::visit_item_impl(self, item);
        (self.owner, self.is_of_trait) = (None, false);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let outer = (self.function.clone(), self.bound.clone());
        self.function(&plain(&item.sig.ident), &item.sig);
        self.bound = bound_names(|all| all.visit_item_fn(item));
        visit::visit_item_fn(self, item);
        (self.function, self.bound) = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let own = self.walk.range(item);
        if self.walk.view.left.iter().any(|it| it.overlaps(&own)) {
            return;
        }
        self.function(&plain(&item.sig.ident), &item.sig);
        self.bound = bound_names(|all| all.visit_impl_item_fn(item));
        visit::visit_impl_item_fn(self, item);
        self.bound.clear();
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let list = self.walk.list(&expr.arms);
        self.visit_expr(&expr.expr);
        for (part, arm) in expr.arms.iter().enumerate() {
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(it) => (&*it.pat, Some(&*it.guard)),
                pattern => (pattern, None),
            };
            let variant =
                variant_in(pattern).and_then(|it| self.walk.facts.variants.get_mut(&plain(it)));
            match (variant, pattern) {
                (None, pattern) => self.visit_pat(pattern),
                (Some(variant), pattern) => {
                    variant.arms.push(Place { list, part });
                    match pattern {
                        Pat::Struct(it) => it.fields.iter().for_each(|it| self.visit_field_pat(it)),
                        Pat::TupleStruct(it) => it.elems.iter().for_each(|it| self.visit_pat(it)),
                        _ => {}
                    }
                }
            }
            if let Some(guard) = guard {
                self.visit_expr(guard);
            }
            self.visit_expr(&arm.body);
        }
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        if let Member::Named(name) = &field.member {
            self.walk.facts.reads.insert(plain(name));
        }
        self.visit_pat(&field.pat);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Struct(literal) => return self.literal(literal),
            Expr::Field(field) => {
                if let Member::Named(name) = &field.member {
                    self.walk.facts.reads.insert(plain(name));
                }
            }
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func
                    && let Some(name) = self.name_of(&path.path)
                {
                    let arguments = call.args.iter().map(|it| self.value(it)).collect();
                    let list = self.walk.list(&call.args);
                    if self.bound.contains(&name) {
                        self.read(name.clone());
                    }
                    let calls = self.walk.facts.calls.entry(name).or_default();
                    calls.push(Call { list, arguments });
                    self.visit_path(&path.path);
                    return call.args.iter().for_each(|it| self.visit_expr(it));
                }
            }
            Expr::Path(path) => {
                let name = self.name_of(&path.path).unwrap_or_default();
                if self.bound.contains(&name) {
                    self.read(name);
                } else {
                    self.walk.facts.values.insert(name);
                }
            }
            Expr::Cast(_) => self.walk.facts.has_casts = true,
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if let Some(arguments) = arguments(&mac.tokens) {
            return arguments.iter().for_each(|it| self.visit_expr(it));
        }
        for token in flat(mac.tokens.clone()) {
            let text = token.to_string();
            for name in idents::of_text(&text) {
                let facts = &mut *self.walk.facts;
                facts.mentioned.insert(name.clone());
                facts.reads.insert(name.clone());
                facts.values.insert(name.clone());
                self.read(name);
            }
        }
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        for name in idents::captured(&literal.token().to_string()) {
            self.read(name);
        }
    }

    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.walk.facts.mentioned.insert(plain(ident));
    }
}

/// The name of the variant for which a pattern stands, if it is one.
fn variant_in(pattern: &Pat) -> Option<&syn::Ident> {
    let path = match pattern {
        Pat::Path(it) => &it.path,
        Pat::TupleStruct(it) => &it.path,
        Pat::Struct(it) => &it.path,
        Pat::Ident(it) if it.subpat.is_none() => return Some(&it.ident),
        _ => return None,
    };
    last_word(path)
}
