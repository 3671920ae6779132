//! Trees as text.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// The file laid out by prettyplease; `None` where it would panic: when syn keeps a part of the file as mere tokens, or
/// the compiler would reject the rules of a macro.
pub(crate) fn printed(file: &syn::File) -> Option<String> {
    let mut mere_tokens = MereTokens(false);
    mere_tokens.visit_file(file);
    (!mere_tokens.0).then(|| prettyplease::unparse(file))
}

/// Whether syn has kept a node as mere tokens, or a macro has no rules.
struct MereTokens(bool);

macro_rules! visit_all {
    ($($visit:ident: $node:ident,)*) => {
        impl Visit<'_> for MereTokens {
            $(fn $visit(&mut self, node: &syn::$node) {
                self.0 |= matches!(node, syn::$node::Verbatim(_));
                visit::$visit(self, node);
            })*

            fn visit_item_macro(&mut self, node: &syn::ItemMacro) {
                let defines = node.ident.is_some() && node.mac.path.is_ident("macro_rules");
                self.0 |= defines && !are_rules(&node.mac.tokens);
                visit::visit_item_macro(self, node);
            }
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

/// Whether these are rules of a macro, with a semicolon behind each but the last: `(…) => {…};`.
fn are_rules(tokens: &TokenStream) -> bool {
    const RULE_AND_SEMICOLON: usize = 5;
    let is = |token: &TokenTree, char: char, spacing: Spacing| match token {
        TokenTree::Punct(punct) => punct.as_char() == char && punct.spacing() == spacing,
        _ => false,
    };
    let is_rule = |rule: &[TokenTree]| match rule {
        [TokenTree::Group(_), equal, greater, TokenTree::Group(_), rest @ ..] => {
            is(equal, '=', Spacing::Joint)
                && is(greater, '>', Spacing::Alone)
                && rest.iter().all(|it| is(it, ';', Spacing::Alone))
        }
        _ => false,
    };
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.chunks(RULE_AND_SEMICOLON).all(is_rule)
}
