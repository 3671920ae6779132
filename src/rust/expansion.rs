//! What the compiler makes of macros, as a source of its own.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use syn::Item;

use super::{Reduction, StandIn, Tree, apply};

/// Macros and derives of the standard library: what they expand to is longer, and says less.
const OF_STD: [&str; 45] = [
    "Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd", "addr_of",
    "addr_of_mut", "asm", "assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error",
    "concat", "dbg", "debug_assert", "debug_assert_eq", "debug_assert_ne", "env", "eprint",
    "eprintln", "file", "format", "format_args", "include", "include_bytes", "include_str", "line",
    "matches", "module_path", "option_env", "panic", "print", "println", "stringify", "todo",
    "unimplemented", "unreachable", "vec", "write",
];

/// Whether the text calls or defines macros that are not those of the standard library, or derives by
/// them.
pub fn has_own_macros(text: &str) -> bool {
    let look = |tree: &Tree<'_>| names_own(tree.tokens.clone());
    Tree::with(text, StandIn::Loop, look).unwrap_or(false)
}

fn names_own(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_own = match (&token, tokens.peek()) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(next))) => {
                next.as_char() == '!' && next.spacing() == Spacing::Alone && is_own(name)
            }
            (TokenTree::Ident(name), Some(TokenTree::Group(list))) if name == "derive" => {
                list.delimiter() == Delimiter::Parenthesis
                    && list
                        .stream()
                        .into_iter()
                        .any(|word| matches!(word, TokenTree::Ident(word) if is_own(&word)))
            }
            (TokenTree::Group(group), _) => names_own(group.stream()),
            _ => false,
        };
        if is_own {
            return true;
        }
    }
    false
}

/// Whether a macro of that name is not one of the standard library; keywords name none.
fn is_own(name: &Ident) -> bool {
    let name = name.to_string();
    !OF_STD.contains(&name.as_str()) && syn::parse_str::<Ident>(&name).is_ok()
}

/// A source as the compiler prints it with all macros expanded, without the imports of the prelude that
/// every source has anyway.
pub fn without_prelude(printed: &str) -> String {
    let removed = Tree::with(printed, StandIn::Loop, |tree| {
        let is_feature = |text: &str| text.split_whitespace().collect::<String>() == FEATURE;
        let features = tree
            .file
            .attrs
            .iter()
            .map(|attribute| tree.range(attribute))
            .filter(|range| is_feature(&printed[range.clone()]));
        let items = tree.items().filter(|item| is_of_prelude(item)).map(|item| tree.range(item));
        features.chain(items).map(Reduction::remove).collect::<Vec<_>>()
    });
    apply(printed, &removed.unwrap_or_default())
}

/// What lets a source import a prelude by itself.
const FEATURE: &str = "#![feature(prelude_import)]";

fn is_of_prelude(item: &Item) -> bool {
    match item {
        Item::Use(item) => {
            item.attrs.iter().any(|attribute| attribute.path().is_ident("prelude_import"))
        }
        Item::ExternCrate(item) => {
            item.rename.is_none() && (item.ident == "std" || item.ident == "core")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_has_own_macros_holds() {
        use crate::rust::has_own_macros;
        assert!(has_own_macros("fn f() { g(own!()) }"));
        assert!(has_own_macros("#[derive(Clone, Own)] struct S;"));
        assert!(!has_own_macros(
            "#[derive(Clone)] struct S; fn f() { if !a { println!() } else { b != c } }"
        ));
    }

    #[test]
    fn the_example_of_without_prelude_holds() {
        let printed = "#![feature(prelude_import)]\nextern crate std;\n#[prelude_import]\nuse std::prelude::rust_2021::*;\nfn f() {}\n";
        assert_eq!(super::without_prelude(printed), "fn f() {}\n");
    }
}
