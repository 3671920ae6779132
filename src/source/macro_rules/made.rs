//! The plain test that stands for one made by a macro.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parse;

use super::expander::{Expander, has_test};
use crate::source::item::{Item, ItemKind};
use crate::source::locate::starts_with;
use crate::source::parse::{look_at, look_at_tokens, range};
use crate::source::tokens::{each_token, flat, plain};
use crate::source::{Crate, Edits, FileIndex, PlainTest, is_char, printed, test_path};

/// A test that a macro makes, written out as a plain one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MacroTest {
    /// The macro that was called.
    pub name: String,
    /// Whether the plain test fails in other words.
    pub is_reworded: bool,
    /// The plain test, behind the call.
    pub plain: PlainTest,
    /// The byte of the file where the call names the test.
    pub place: usize,
}

impl Crate {
    /// What the crate's own macros make of the test that the harness calls `test`, as a plain test.
    /// `None` if no call of them makes it.
    pub fn macro_test(&self, test: &str) -> Option<MacroTest> {
        let parts: Vec<&str> = test.split("::").collect();
        let mut calls =
            self.items_of(ItemKind::MacroCall).filter(|item| starts_with(&parts, &item.module));
        calls.find_map(|call| self.made_by(call, &parts[call.module.len()..]))
    }

    /// What writes out all calls of the crate's own macros that make tests, in the file of that `test`, and the file: the
    /// tests are functions then. `None` if no such call makes it.
    pub fn tests_written_out(&self, test: &str) -> Option<(FileIndex, Edits)> {
        let file = self.macro_test(test)?.plain.file;
        let mut edits = Edits::default();
        for call in self.items_of(ItemKind::MacroCall).filter(|item| item.file == file) {
            if let Some(code) = self.with_definitions(call, |macros, it, _| tests_made(macros, it))
            {
                let end = self.end_of_call(call.file, call.span.end);
                edits.replace(call.span.start..end, code.trim_end());
            }
        }
        Some((file, edits))
    }

    /// Looks at a call, which begins at a byte of its text, and the macros of the crate that it may call.
    fn with_definitions<T>(
        &self,
        call: &Item,
        look: impl FnOnce(&Expander, &syn::ItemMacro, usize) -> Option<T>,
    ) -> Option<T> {
        let mut text = self.definitions_for(call.file, call.span.start);
        let base = text.len();
        text.push_str(self.text_of(call));
        let look = |file: syn::File| match file.items.split_last()? {
            (syn::Item::Macro(call), definitions) => look(&Expander::new(definitions), call, base),
            _ => None,
        };
        look_at(&text, syn::File::parse, look).ok()?
    }

    /// The test of that path that the call makes.
    fn made_by(&self, call: &Item, path: &[&str]) -> Option<MacroTest> {
        let (code, place) = self
            .with_definitions(call, |macros, call, base| written_out(macros, call, path, base))?;
        // The function, and the modules that the macro makes, get new names.
        let new: Vec<String> = path.iter().map(|part| format!("plain_{part}")).collect();
        let test = test_path(&call.module, &new.join("::"));
        Some(MacroTest {
            name: call.name.clone(),
            is_reworded: false,
            plain: self.plain_behind(call.file, call.span.end, &code, test),
            place: call.span.start + place.unwrap_or(0),
        })
    }

    /// The definitions of the crate's macros as source, a line at least each; of those of one name the last before the
    /// call, which begins at this byte of a file, else the last of all.
    pub(super) fn definitions_for(&self, file: FileIndex, call: usize) -> String {
        let is_before = |item: &Item| item.file == file && item.span.end <= call;
        let mut chosen: Vec<&Item> = Vec::new();
        for item in self.items_of(ItemKind::MacroRules) {
            match chosen.iter_mut().find(|other| other.name == item.name) {
                Some(other) if is_before(item) || !is_before(other) => *other = item,
                Some(_) => {}
                None => chosen.push(item),
            }
        }
        let text = |item: &Item| self.text_of(item).to_owned() + "\n";
        chosen.into_iter().map(text).collect()
    }
}

/// The plain test as source that a call makes, and where the call, which begins at `base`, names the test.
fn written_out(
    macros: &Expander,
    call: &syn::ItemMacro,
    path: &[&str],
    base: usize,
) -> Option<(String, Option<usize>)> {
    let items = macros.expanded(&call.mac, 0)?;
    let item = macros.test(items, path, 0)?;
    let place = place_of(call.mac.tokens.clone(), path.last()?);
    let place = place.map(|span| range(span, 0).start - base);
    Some((source_of(vec![item])?, place))
}

/// The items that a call makes, as source, if there is a test among them.
fn tests_made(macros: &Expander, call: &syn::ItemMacro) -> Option<String> {
    // It may stand there in some builds only.
    let is_always = call.attrs.is_empty();
    let items = is_always.then(|| macros.expanded_whole(&call.mac, 0))??;
    items.iter().any(has_test).then(|| source_of(items))?
}

/// Items as source.
fn source_of(items: Vec<syn::Item>) -> Option<String> {
    let file = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items };
    Some(with_tight_negations(&printed(&file)?))
}

/// Without the blanks that prettyplease puts behind the `!` of a negation in the arguments of a macro: messages of
/// assertions show them as the compiler prints them.
pub(super) fn with_tight_negations(code: &str) -> String {
    let mut edits = Edits::default();
    let tighten = &mut |tokens: &[TokenTree], at: usize| {
        let token = &tokens[at];
        let Some(next) = tokens.get(at + 1).filter(|_| is_char(token, '!')) else { return };
        let is_call = at > 0 && matches!(tokens[at - 1], TokenTree::Ident(_));
        if !is_call && !is_char(next, '=') {
            edits.replace(range(token.span(), 0).end..range(next.span(), 0).start, "");
        }
    };
    look_at_tokens(code, |tokens| each_token(tokens, tighten));
    edits.apply(code)
}

/// Where the tokens mention a name.
fn place_of(tokens: TokenStream, name: &str) -> Option<proc_macro2::Span> {
    flat(tokens).find_map(|token| match token {
        TokenTree::Ident(ident) if plain(&ident) == name => Some(ident.span()),
        _ => None,
    })
}
