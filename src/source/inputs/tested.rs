//! Which names of a test's crate stand for the code under test.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::UseTree;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::reduce::RangeExt;
use crate::source::item::{Item, ItemKind};
use crate::source::methods::is_among;
use crate::source::named::Named;
use crate::source::parse::{look_at, look_at_tokens, range};
use crate::source::patterns::parameters;
use crate::source::tokens::{each_token, plain};
use crate::source::{Crate, idents};

/// The names by which test code calls the code under test.
pub(super) struct Tested {
    names: BTreeSet<String>,
    imported: BTreeSet<String>,
    has_glob: bool,
}

impl Tested {
    /// The names for the tests of `krate`.
    pub(super) fn of(krate: &Crate, is_test: &dyn Fn(&Item) -> bool) -> Self {
        use ItemKind::{Fn, MacroRules, Trait, Type};
        let is_named = |item: &&Item| matches!(item.kind, Fn | Type | Trait | MacroRules);
        let under_test = krate.items.iter().filter(|item| !is_test(item)).filter(is_named);
        let names = under_test.map(|item| item.name.clone());
        let names = krate.tested.iter().cloned().chain(names).collect();
        let mut tested = Tested { names, imported: BTreeSet::new(), has_glob: false };
        for item in krate.items_of(ItemKind::Use) {
            let text = krate.text_of(item);
            // What cannot be parsed imports nothing.
            let _ = look_at(text, syn::ItemUse::parse, |item| {
                tested.import(&item.tree, None);
            });
        }
        if tested.has_glob {
            tested.open(krate, is_test);
        }
        tested.helpers(krate, is_test);
        tested
    }

    /// Whether a name stands for something of the code under test, or for a helper that calls it.
    pub(super) fn is_tested(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn import(&mut self, tree: &UseTree, is_tested: Option<bool>) {
        match tree {
            UseTree::Path(path) => {
                let is_tested = is_tested.unwrap_or_else(|| self.is_tested(&plain(&path.ident)));
                self.import(&path.tree, Some(is_tested));
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, is_tested);
                }
            }
            UseTree::Name(name) => self.name(plain(&name.ident), is_tested == Some(true)),
            UseTree::Rename(rename) => {
                let is_tested = is_tested.unwrap_or_else(|| self.is_tested(&plain(&rename.ident)));
                self.name(plain(&rename.rename), is_tested);
            }
            UseTree::Glob(_) => self.has_glob |= is_tested == Some(true),
        }
    }

    fn name(&mut self, name: String, is_tested: bool) {
        if is_tested {
            self.names.insert(name);
        } else {
            self.imported.insert(name);
        }
    }

    /// A glob of the code under test brings in what nothing else of the crate does.
    fn open(&mut self, krate: &Crate, is_test: &dyn Fn(&Item) -> bool) {
        let own: BTreeSet<&str> = krate.items.iter().map(|item| item.name.as_str()).collect();
        for item in krate.items_of(ItemKind::Fn).filter(|item| is_test(item)) {
            let mut called = BTreeSet::new();
            look_at_tokens(krate.text_of(item), |tokens| called_in(tokens, &mut called));
            let is_known = |name: &String| {
                own.contains(name.as_str()) || self.imported.contains(name) || is_prelude(name)
            };
            called.retain(|name| !is_known(name));
            self.names.append(&mut called);
        }
    }

    /// Helpers that name the code under test hand values on to it.
    fn helpers(&mut self, krate: &Crate, is_test: &dyn Fn(&Item) -> bool) {
        let is_helper = |item: &Item| {
            use ItemKind::{Fn, MacroRules, Method, Static, Type};
            let is_code = matches!(item.kind, Fn | Method | MacroRules | Type | Static);
            is_code && !item.is_test && is_test(item)
        };
        let names_in = |item: &Item| {
            let text = krate.text_of(item);
            let of_function = look_at(text, syn::ItemFn::parse, |item| by_function(&item, text));
            of_function.unwrap_or_else(|_| idents::of_text(text))
        };
        let helpers = krate.items.iter().enumerate().filter(|(_, item)| is_helper(item));
        let helpers: BTreeMap<usize, BTreeSet<String>> =
            helpers.map(|(index, item)| (index, names_in(item))).collect();
        let mut tested = Named { names: std::mem::take(&mut self.names), ..Named::default() };
        tested.grow(
            krate,
            |(index, _), names| helpers.get(&index).is_some_and(|own| !own.is_disjoint(names)),
            |index| BTreeSet::from([krate.items[index].name.clone()]),
        );
        self.names = tested.names;
    }
}

/// The names by which a function makes what it returns: a type that is only written at a variable or in the signature may be
/// another name for what the function makes by itself.
fn by_function(function: &syn::ItemFn, text: &str) -> BTreeSet<String> {
    let mut types = Types(Vec::new());
    types.visit_block(&function.block);
    let mut body = text[range(function.block.span(), 0)].to_owned();
    let start = range(function.block.span(), 0).start;
    let mut names = idents::of_text(&body);
    if names.iter().any(|name| is_made_by_type(name)) {
        names = idents::of_text(text);
    } else {
        for written in types.0.into_iter().rev() {
            body.replace_range(written.counted_from(start), "_");
        }
        names = idents::of_text(&body);
    }
    // A parameter may go by the name of what is tested.
    for name in parameters(&function.sig) {
        names.remove(&name);
    }
    names
}

/// Whether the type that is asked for decides what a call of this name makes.
pub(super) fn is_made_by_type(name: &str) -> bool {
    matches!(name, "parse" | "into" | "try_into" | "Default")
}

/// The bytes of the types that are written at variables.
struct Types(Vec<Range<usize>>);

impl<'ast> Visit<'ast> for Types {
    fn visit_pat_type(&mut self, typed: &'ast syn::PatType) {
        self.0.push(range(typed.ty.span(), 0));
        visit::visit_pat(self, &typed.pat);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The types that are named, and the functions that are called by a name alone.
fn called_in(tokens: TokenStream, called: &mut BTreeSet<String>) {
    each_token(tokens, &mut |tokens, at| {
        let TokenTree::Ident(ident) = &tokens[at] else { return };
        let before = at.checked_sub(1).map(|before| tokens[before].to_string());
        let is_part = matches!(before.as_deref(), Some("." | ":" | "fn" | "'"));
        let is_call = matches!(tokens.get(at + 1), Some(TokenTree::Group(group))
            if group.delimiter() == Delimiter::Parenthesis);
        let is_type = ident.to_string().starts_with(char::is_uppercase);
        if !is_part && (is_call || is_type) {
            called.insert(plain(ident));
        }
    });
}

/// Whether the standard library brings the name into each module.
fn is_prelude(name: &str) -> bool {
    let items =
        "Some None Ok Err String Vec Box Option Result Iterator ToString From Into Default drop";
    let keywords = "Self if in match while for return let mut move else as unsafe await";
    is_among(items, name) || is_among(keywords, name)
}
