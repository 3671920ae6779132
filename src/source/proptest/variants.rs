//! The enums of the variants that a property test prints: `Debug` names the variant alone.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};

use crate::source::item::ItemKind;
use crate::source::named::Named;
use crate::source::parse::{look_at_tokens, range};
use crate::source::tokens::{each_token, is_char, plain};
use crate::source::{Crate, Edits, idents};

/// How the sources name variants.
#[derive(Default)]
struct Variants {
    /// The shortest path of each by the name of the enum.
    paths: BTreeMap<String, BTreeMap<String, String>>,
    /// Names that stand alone: whatever they are, they are known without a path.
    alone: BTreeSet<String>,
}

impl Crate {
    /// What was printed, with variants as the sources name them: `Push(1)` is `Op::Push(1)` where these say `Op::Push`.
    pub(super) fn with_variants(&self, printed: &str) -> String {
        let mut variants = Variants::default();
        for file in self.files() {
            look_at_tokens(&file.text, |tokens| variants.read(tokens));
        }
        let mut edits = Edits::default();
        look_at_tokens(printed, |tokens| variants.write(tokens, &mut edits));
        edits.apply(printed)
    }

    /// The texts of the functions and constants that `strategy` names, directly or through others.
    pub(super) fn behind(&self, strategy: &str) -> String {
        let makes = |kind: ItemKind| kind == ItemKind::Fn || kind.is_constant();
        let mut named = Named { names: idents::of_text(strategy), ..Named::default() };
        named.grow(
            self,
            |(_, item), names| makes(item.kind) && !item.is_test && names.contains(&item.name),
            |index| self.names_in(&self.items[index]),
        );
        let items = named.items.iter().map(|index| self.text_of(&self.items[*index]));
        std::iter::once(strategy).chain(items).collect::<Vec<_>>().join("\n")
    }
}

impl Variants {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut path: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Ident(word) if word == "enum" => {
                    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(_));
                    let body = (at..tokens.len()).find(|at| is_body(&tokens[*at]));
                    if let Some(TokenTree::Ident(name)) = tokens.get(at + 1)
                        && let Some(body) = body
                        && let TokenTree::Group(variants) = &tokens[body]
                    {
                        self.declared(&plain(name), variants.stream());
                        at = body;
                    }
                }
                TokenTree::Ident(word) => {
                    path.push(plain(word));
                    let is_colon = |at: usize| tokens.get(at).is_some_and(|it| is_char(it, ':'));
                    if is_colon(at + 1) && is_colon(at + 2) {
                        at += 3;
                        continue;
                    }
                    self.named(&path);
                }
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            path.clear();
            at += 1;
        }
    }

    fn named(&mut self, path: &[String]) {
        let is_upper = |name: &String| name.starts_with(char::is_uppercase);
        match path {
            [.., owner, name] if is_upper(owner) && is_upper(name) && owner != "Self" => {
                let path = path.join("::");
                let known = self.paths.entry(name.clone()).or_default();
                let shortest = known.entry(owner.clone()).or_insert_with(|| path.clone());
                if path.len() < shortest.len() {
                    *shortest = path;
                }
            }
            [name] if is_upper(name) => drop(self.alone.insert(name.clone())),
            _ => {}
        }
    }

    fn declared(&mut self, owner: &str, body: TokenStream) {
        let mut is_next = true;
        for token in body {
            match token {
                TokenTree::Ident(name) if is_next => {
                    let path = [owner.to_owned(), plain(&name)];
                    self.named(&path);
                    is_next = false;
                }
                token => is_next |= is_char(&token, ','),
            }
        }
    }

    fn write(&self, tokens: TokenStream, edits: &mut Edits) {
        each_token(tokens, &mut |tokens, at| {
            let TokenTree::Ident(ident) = &tokens[at] else { return };
            let name = plain(ident);
            let mut paths = self.paths.get(&name).into_iter().flat_map(BTreeMap::values);
            if let (Some(path), None, false) =
                (paths.next(), paths.next(), self.alone.contains(&name))
            {
                edits.replace(range(ident.span(), 0), path.as_str());
            }
        });
    }
}
