//! What the types of variables and constants tell.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Expr, Type};

use crate::source::INTEGERS;

/// What the type of a constant tells.
pub(super) struct TypeFacts {
    /// The `&` of references without a lifetime.
    pub references: Vec<Span>,
    /// It is known to be `Copy`.
    pub is_copy: bool,
    /// It may share state between its users.
    pub is_shared_state: bool,
}

impl TypeFacts {
    pub(super) fn of(ty: &Type) -> Self {
        let mut facts =
            TypeFacts { references: Vec::new(), is_copy: is_copy(ty), is_shared_state: false };
        facts.visit_type(ty);
        facts
    }
}

impl<'ast> Visit<'ast> for TypeFacts {
    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        if reference.lifetime.is_none() {
            self.references.push(reference.and_token.span);
        }
        visit::visit_type_reference(self, reference);
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        let name = ident.to_string();
        let words = ["Cell", "Mutex", "Lock", "Atomic", "Once", "Lazy", "Counter"];
        self.is_shared_state |= words.iter().any(|word| name.contains(word));
    }

    // References in the arguments of functions have lifetimes of their own.
    fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments(
        &mut self,
        _: &'ast syn::ParenthesizedGenericArguments,
    ) {
    }
}

fn is_copy(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_copy),
        Type::Paren(paren) => is_copy(&paren.elem),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = &*name.to_string();
            INTEGERS.contains(&name) || ["f32", "f64", "bool", "char"].contains(&name)
        }),
        _ => false,
    }
}

/// The type `[T; 5]` of an array `[…]`, or `&[T; 5]` of `&[…]`, if its length is a literal.
pub(super) fn array_type_of<'t>(ty: &'t Type, expr: &Expr) -> Option<&'t syn::TypeArray> {
    match (ty, expr) {
        (Type::Array(array), Expr::Array(_)) => matches!(array.len, Expr::Lit(_)).then_some(array),
        (Type::Reference(ty), Expr::Reference(expr)) => array_type_of(&ty.elem, &expr.expr),
        _ => None,
    }
}
