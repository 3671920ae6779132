//! Calls of `macro_rules!` expanded until a test comes out.

use proc_macro2::TokenStream;

use super::paste::{is_paste, pasted};
use super::rules::Definition;
use super::transcribe::Transcript;
use crate::source::Harness;
use crate::source::tokens::{last_name, plain};

/// How deep macros may make calls of macros.
const DEPTH: usize = 128;

/// The macros that can be expanded.
pub(super) struct Expander {
    definitions: Vec<Definition>,
}

impl Expander {
    /// Knows the macros that these items define.
    pub(super) fn new(items: &[syn::Item]) -> Self {
        let macros = items.iter().filter_map(|item| match item {
            syn::Item::Macro(item) => Definition::of(item),
            _ => None,
        });
        Expander { definitions: macros.collect() }
    }

    /// The items that a call makes.
    pub(super) fn expanded(&self, call: &syn::Macro, depth: usize) -> Option<Vec<syn::Item>> {
        let items = syn::parse2::<syn::File>(self.tokens(call)?).ok()?.items;
        (depth < DEPTH).then_some(items)
    }

    /// The items that a call makes, with those that calls among them make in their place.
    pub(super) fn expanded_whole(&self, call: &syn::Macro, depth: usize) -> Option<Vec<syn::Item>> {
        let mut whole = Vec::new();
        for item in self.expanded(call, depth)? {
            let inner = match &item {
                syn::Item::Macro(it) if it.attrs.is_empty() => {
                    self.expanded_whole(&it.mac, depth + 1)
                }
                _ => None,
            };
            match inner {
                Some(items) => whole.extend(items),
                None => whole.push(item),
            }
        }
        Some(whole)
    }

    /// The tokens that a call makes.
    pub(super) fn tokens(&self, call: &syn::Macro) -> Option<TokenStream> {
        let name = last_name(&call.path);
        let Some(definition) = self.definitions.iter().find(|other| other.name == name) else {
            return is_paste(&call.path).then(|| pasted(call.tokens.clone()))?;
        };
        let mut made = TokenStream::new();
        made.call(definition, &call.tokens)?;
        Some(made)
    }

    /// The test of that path among items, under its new name, with the modules around it and what they
    /// hold but for other tests.
    pub(super) fn test(
        &self,
        items: Vec<syn::Item>,
        path: &[&str],
        depth: usize,
    ) -> Option<syn::Item> {
        let (first, rest) = path.split_first()?;
        items.into_iter().find_map(|item| match item {
            syn::Item::Fn(mut function)
                if rest.is_empty() && plain(&function.sig.ident) == *first =>
            {
                Harness::makes_test(&function.attrs).then(|| {
                    function.sig.ident = quote::format_ident!("plain_{first}");
                    syn::Item::Fn(function)
                })
            }
            syn::Item::Mod(module) if plain(&module.ident) == *first => {
                self.module(module, rest, depth)
            }
            syn::Item::Macro(call) => self.test(self.expanded(&call.mac, depth)?, path, depth + 1),
            _ => None,
        })
    }

    fn module(&self, mut module: syn::ItemMod, path: &[&str], depth: usize) -> Option<syn::Item> {
        let (brace, items) = module.content.take()?;
        let test = self.test(items.clone(), path, depth)?;
        let is_kept =
            |item: &syn::Item| !matches!(item, syn::Item::Fn(it) if Harness::makes_test(&it.attrs));
        let mut kept: Vec<syn::Item> = items.into_iter().filter(is_kept).collect();
        kept.push(test);
        module.ident = quote::format_ident!("plain_{}", plain(&module.ident));
        module.content = Some((brace, kept));
        Some(syn::Item::Mod(module))
    }
}

/// Whether it is a test, or a module with one.
pub(super) fn has_test(item: &syn::Item) -> bool {
    match item {
        syn::Item::Fn(function) => Harness::makes_test(&function.attrs),
        syn::Item::Mod(module) => {
            module.content.as_ref().is_some_and(|(_, items)| items.iter().any(has_test))
        }
        _ => false,
    }
}
