//! Sources laid out as people do.

use syn::visit::{self, Visit};

/// The text laid out by prettyplease; `None` if syn cannot parse it, or keeps a part of it as mere
/// tokens, which prettyplease refuses. Comments get lost.
///
/// ```
/// assert_eq!(cargo_reduce::passes::pretty("fn f( ){x}").as_deref(), Some("fn f() {\n    x\n}\n"));
/// assert_eq!(cargo_reduce::passes::pretty("fn f("), None);
/// assert_eq!(cargo_reduce::passes::pretty("static A: u8;"), None);
/// ```
#[must_use]
pub fn pretty(text: &str) -> Option<String> {
    let file = syn::parse_file(text).ok();
    proc_macro2::extra::invalidate_current_thread_spans();
    let file = file?;
    let mut mere_tokens = MereTokens(false);
    mere_tokens.visit_file(&file);
    (!mere_tokens.0).then(|| prettyplease::unparse(&file))
}

/// Whether syn has kept a node as mere tokens.
struct MereTokens(bool);

macro_rules! visit_all {
    ($($visit:ident: $node:ident,)*) => {
        impl Visit<'_> for MereTokens {
            $(fn $visit(&mut self, node: &syn::$node) {
                self.0 |= matches!(node, syn::$node::Verbatim(_));
                visit::$visit(self, node);
            })*
        }
    };
}

visit_all! {
    visit_item: Item,
    visit_impl_item: ImplItem,
    visit_trait_item: TraitItem,
    visit_foreign_item: ForeignItem,
    visit_expr: Expr,
    visit_pat: Pat,
    visit_type: Type,
    visit_type_param_bound: TypeParamBound,
    visit_lit: Lit,
}
