//! What a piece of syntax looks like, as far as switches care.

use syn::visit::Visit;
use syn::{Attribute, BinOp, Expr, Pat, ReturnType, Signature, Type};

use super::place::Emptied;
use crate::source::{bound_idents, ends_in, last_word};

/// Macros of the standard library whose arguments are expressions, and that never show their tokens.
const PLAIN_MACROS: [&str; 15] = [
    "assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne", "eprint", "eprintln", "format",
    "format_args", "panic", "print", "println", "unreachable", "vec", "write", "writeln",
];

/// The visits of functions with a body, handed to `self.function`, but for those of allocators: what is put into a
/// body allocates.
macro_rules! visit_functions {
    () => {
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            self.function(&item.attrs, &item.sig, &item.block);
        }

        fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
            self.function(&item.attrs, &item.sig, &item.block);
        }

        fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
            if let Some(block) = &item.default {
                self.function(&item.attrs, &item.sig, block);
            }
        }

        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            if !shapes::is_allocator(item) {
                syn::visit::visit_item_impl(self, item);
            }
        }
    };
}
pub(crate) use visit_functions;

/// Whether the arguments of this macro can be rewritten like any other expressions.
pub(crate) fn has_plain_arguments(path: &syn::Path) -> bool {
    PLAIN_MACROS.iter().any(|name| ends_in(path, name))
}

/// What the function does when it is emptied.
pub(crate) fn emptied(signature: &Signature, attributes: &[Attribute]) -> Emptied {
    let is_test = |attribute: &Attribute| {
        last_word(attribute.path()).is_some_and(|last| last.to_string().contains("test"))
    };
    match &signature.output {
        output if returns_opaque(output) => Emptied::Opaque,
        ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => Emptied::Never,
        _ if attributes.iter().any(is_test) => Emptied::Never,
        output if is_unit(output) => Emptied::Unit,
        _ => Emptied::Default,
    }
}

/// Whether the body of a function decides the type that it returns.
pub(crate) fn returns_opaque(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if has_opaque_part(ty))
}

fn has_opaque_part(ty: &Type) -> bool {
    quote::ToTokens::to_token_stream(ty)
        .into_iter()
        .any(|token| matches!(token, proc_macro2::TokenTree::Ident(word) if word == "impl"))
}

/// Whether a function of this type returns `()`.
pub(crate) fn is_unit(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()),
    }
}

/// Whether the function's body must stay as it is: it is evaluated by the compiler, or has no frame.
pub(crate) fn is_untouchable(signature: &Signature, attributes: &[Attribute]) -> bool {
    signature.constness.is_some()
        || attributes.iter().any(|attribute| attribute.path().is_ident("naked"))
}

/// Whether a condition binds variables: `let` somewhere between its `&&`.
pub(crate) fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

/// The names of parameters that keep the value with which the function is called.
pub(crate) fn plain_parameters(signature: &Signature) -> impl Iterator<Item = &syn::Ident> {
    let is_changed = |ty: &Type| matches!(ty, Type::Reference(it) if it.mutability.is_some());
    signature.inputs.iter().filter_map(move |input| match input {
        syn::FnArg::Typed(typed) if !is_changed(&typed.ty) => match &*typed.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.mutability.is_none() => {
                Some(&name.ident)
            }
            _ => None,
        },
        syn::FnArg::Typed(_) | syn::FnArg::Receiver(_) => None,
    })
}

/// The variables that a pattern binds to values of their own.
pub(crate) fn bound_variables(pattern: &Pat) -> Vec<&syn::PatIdent> {
    let is_constant = |it: &syn::PatIdent| it.ident.to_string().starts_with(char::is_uppercase);
    let mut found = bound_idents(|it| it.visit_pat(pattern));
    found.retain(|it| !is_constant(it) && it.by_ref.is_none());
    found
}

/// Whether the expression computes a value that a literal could be put in place of: a call of a
/// function that is no constructor, a method, an arithmetic operation.
pub(crate) fn computes(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(_) => true,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => last_word(&path.path)
                .is_some_and(|last| !last.to_string().starts_with(char::is_uppercase)),
            _ => true,
        },
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
        ),
        _ => false,
    }
}

/// Whether a pattern matches whatever comes. A name may be that of a constant or variant; by
/// convention those do not begin with a small letter.
pub(crate) fn catches_all(arm: &syn::Arm) -> bool {
    match &arm.pat {
        Pat::Wild(_) => true,
        Pat::Ident(pattern) => {
            pattern.subpat.is_none()
                && pattern
                    .ident
                    .to_string()
                    .starts_with(|first: char| first.is_lowercase() || first == '_')
        }
        _ => false,
    }
}

/// Whether something can be put at the beginning of a body with these attributes: inner ones stand
/// there.
pub(crate) fn has_free_start(attributes: &[Attribute]) -> bool {
    attributes.iter().all(|attribute| matches!(attribute.style, syn::AttrStyle::Outer))
}

/// Whether it is the code of an allocator: runtimes allocate, so it must not call them.
pub(crate) fn is_allocator(item: &syn::ItemImpl) -> bool {
    item.trait_.as_ref().is_some_and(|(path, _)| ends_in(path, "GlobalAlloc"))
}
