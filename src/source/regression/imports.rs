//! `use` items, cut down to what is named.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::UseTree;
use syn::parse::Parse;
use syn::spanned::Spanned;

use super::needed::{Needed, first_segment};
use crate::source::Edits;
use crate::source::parse::{look_at, look_at_tokens, range};
use crate::source::removal::{self, Gap};
use crate::source::tokens::plain;

/// What is left of the `use` item `text` if only these `names` are mentioned where it can be seen: `None` if nothing is.
///
/// A trait can be needed for its methods although nothing names it: so what may be a trait from outside
/// the standard library stays, and those traits of the standard library whose methods are named.
pub(super) fn trimmed(text: &str, needed: &Needed, names: &BTreeSet<String>) -> Option<Edits> {
    if first_segment(text).is_some_and(|name| needed.left_types.contains(&name)) {
        return None;
    }
    let look = |item: syn::ItemUse| {
        let is_left = is_from(&item.tree, needed.left);
        let is_std = is_from(&item.tree, &["std", "core", "alloc"]);
        Trim { text, needed, names, is_left, is_std }.trimmed(&item.tree)
    };
    look_at(text, syn::ItemUse::parse, look).ok()?
}

/// The names that stand in `text` where only a type can: `Name::new(…)`, `Name::Variant`, `Name(…)`, `Name { … }`, `&Name`,
/// `[Name]`, `Vec<Name>`, `-> Name`; without those that stand where only a trait can.
pub(super) fn types_in(text: &str) -> BTreeSet<String> {
    let (mut types, mut traits) = (BTreeSet::new(), BTreeSet::new());
    look_at_tokens(text, |tokens| sort(tokens, None, &mut types, &mut traits));
    types.retain(|name| !traits.contains(name));
    types
}

fn sort(
    tokens: TokenStream,
    around: Option<Delimiter>,
    types: &mut BTreeSet<String>,
    traits: &mut BTreeSet<String>,
) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => plain(ident),
        Some(TokenTree::Punct(punct)) => punct.as_char().to_string(),
        _ => String::new(),
    };
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            sort(group.stream(), Some(group.delimiter()), types, traits);
        }
        let TokenTree::Ident(ident) = token else { continue };
        let name = plain(ident);
        if !name.starts_with(char::is_uppercase) {
            continue;
        }
        let before = at.checked_sub(1).map(word).unwrap_or_default();
        let delimiter = match tokens.get(at + 1) {
            Some(TokenTree::Group(group)) => Some(group.delimiter()),
            _ => None,
        };
        let is_path = word(at + 1) == ":" && word(at + 2) == ":";
        let next = word(at + 3);
        let makes = is_path
            && (next.starts_with(char::is_uppercase)
                || matches!(next.as_str(), "new" | "default" | "builder")
                || next.starts_with("with_"));
        let is_bound = matches!(before.as_str(), "impl" | "dyn" | "+" | "trait");
        if is_bound || word(at + 1) == "for" {
            traits.insert(name);
        } else if makes
            || is_bare_type(&word, at, around == Some(Delimiter::Bracket))
            || delimiter == Some(Delimiter::Parenthesis)
            || delimiter == Some(Delimiter::Brace) && !matches!(before.as_str(), ":" | "for")
        {
            types.insert(name);
        } else if before == ":" && matches!(word(at + 1).as_str(), "+" | ">") {
            traits.insert(name);
        }
    }
}

/// Whether the name at `at` stands where a trait would be behind `dyn` or `impl`: `&Name`, `[Name]`, `Vec<Name>`, `-> Name`.
fn is_bare_type(word: &dyn Fn(usize) -> String, at: usize, is_in_brackets: bool) -> bool {
    let before = |count: usize| at.checked_sub(count).map(word).unwrap_or_default();
    let behind = word(at + 1);
    match before(1).as_str() {
        "" => is_in_brackets && matches!(behind.as_str(), "" | ";"),
        "&" => true,
        "mut" => before(2) == "&",
        ">" => before(2) == "-",
        "<" => matches!(behind.as_str(), ">" | ","),
        "," => behind == ">",
        _ => before(2) == "'",
    }
}

/// Whether a tree begins with one of these crates.
fn is_from(tree: &UseTree, crates: &[&str]) -> bool {
    match tree {
        UseTree::Path(path) => crates.iter().any(|name| path.ident == name),
        _ => false,
    }
}

struct Trim<'t> {
    text: &'t str,
    needed: &'t Needed,
    names: &'t BTreeSet<String>,
    /// Whether it is from a crate that was left.
    is_left: bool,
    is_std: bool,
}

impl Trim<'_> {
    /// What removes the parts of groups in `tree` that nothing needs; `None` if nothing of it stays.
    fn trimmed(&self, tree: &UseTree) -> Option<Edits> {
        let stays = match tree {
            UseTree::Path(path) => return self.trimmed(&path.tree),
            UseTree::Group(group) => return self.trimmed_group(group),
            UseTree::Name(name) => name.ident == "self" || self.is_used(&plain(&name.ident)),
            UseTree::Rename(rename) => rename.rename == "_" || self.is_used(&plain(&rename.rename)),
            UseTree::Glob(_) => !self.is_left,
        };
        stays.then(Edits::default)
    }

    fn trimmed_group(&self, group: &syn::UseGroup) -> Option<Edits> {
        let whole = range(group.brace_token.span.join(), 0);
        let elements: Vec<_> = group.items.iter().map(|part| range(part.span(), 0)).collect();
        let parts: Vec<_> = group.items.iter().map(|part| self.trimmed(part)).collect();
        let is_kept: Vec<bool> = parts.iter().map(Option::is_some).collect();
        let mut kept = elements.iter().zip(&is_kept).filter(|(_, kept)| **kept);
        let (only, other) = (kept.next()?.0, kept.next());
        let mut edits = Edits::default();
        if other.is_none() && elements.len() > 1 && self.text[only.clone()] != *"self" {
            // Alone it needs no braces.
            edits.remove(whole.start..only.start);
            edits.remove(only.end..whole.end);
        } else {
            let gap = Gap::Separators { inside: removal::inside(self.text, &whole, &elements) };
            for range in removal::ranges(self.text, &elements, &is_kept, &gap) {
                edits.remove(range);
            }
        }
        parts.into_iter().flatten().for_each(|part| edits.extend(part));
        Some(edits)
    }

    fn is_used(&self, name: &str) -> bool {
        if self.names.contains(name) {
            return true;
        }
        let methods: &[&str] = match name {
            "Write" => &["write", "writeln", "write_all", "flush", "write_str", "write_fmt"],
            "Read" => &["read", "read_to_end", "read_to_string", "read_exact", "bytes"],
            "BufRead" => &["lines", "read_line", "read_until"],
            "Seek" => &["seek", "rewind"],
            "FromStr" => &["from_str"],
            "Hash" => &["hash"],
            "Hasher" => &["finish"],
            _ => {
                let is_type = self.is_std || self.needed.types.contains(name);
                return !is_type && name.starts_with(char::is_uppercase);
            }
        };
        methods.iter().any(|method| self.names.contains(*method))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trim(text: &str, names: &[&str]) -> Option<String> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Some(trimmed(text, &Needed::default(), &names)?.apply(text))
    }

    #[test]
    fn a_type_that_nothing_names_goes_and_what_may_be_a_trait_stays() {
        let test = "fn t() { let a = Page::new(1); assert_eq!(f(a), Err(Kind::Other)); Pair(1, 2); let x = Row { a: 1 }; \
                    b.read(); } impl Load for X {} fn g(l: impl Tell + Shout, m: Vec<Other>) {} fn h<T: Sing>(_: T) {}";
        let types = types_in(test);
        let is_type = |name: &str| types.contains(name);
        assert!(["Page", "Kind", "Pair", "Row"].into_iter().all(is_type), "{types:?}");
        assert!(!["Load", "Tell", "Shout", "Sing"].into_iter().any(is_type), "{types:?}");
        let needed = Needed { types, left: &["gone"], ..Needed::default() };
        let trim =
            |text: &str| trimmed(text, &needed, &BTreeSet::new()).map(|edits| edits.apply(text));
        assert_eq!(trim("use a::{Load, Page};").as_deref(), Some("use a::Load;"));
        assert_eq!(trim("use a::Row;"), None);
        assert_eq!(trim("use gone::prelude::*;"), None);
        assert!(trim("use there::prelude::*;").is_some());
    }

    #[test]
    fn a_type_behind_a_sign_is_no_trait() {
        let test = "fn f<'a>(all: &[Message], one: &'a Entry, two: &mut Table) -> Page { one.a() } \
                    fn g(a: Vec<Row>, b: HashMap<u8, Cell>) -> [Bit; 2] {} impl<T: Tell> Load for T where T: Sing {} \
                    fn h(a: &dyn Shout, b: Box<dyn Call>, c: &impl Cry) {}";
        let types = types_in(test);
        let is_type = |name: &str| types.contains(name);
        let all = ["Message", "Entry", "Table", "Page", "Row", "Cell", "Bit"];
        assert!(all.into_iter().all(is_type), "{types:?}");
        assert!(
            !["Tell", "Load", "Sing", "Shout", "Call", "Cry"].into_iter().any(is_type),
            "{types:?}"
        );
        let needed = Needed { types, ..Needed::default() };
        assert!(trimmed("use a::{Entry, Message};", &needed, &BTreeSet::new()).is_none());
    }

    #[test]
    fn only_what_is_named_stays() {
        let text = "use a::{b, c::{d, e}, self};";
        assert_eq!(trim(text, &["b"]).as_deref(), Some("use a::{b, self};"));
        assert_eq!(trim("use a::{b, c::{d, e}};", &["e"]).as_deref(), Some("use a::c::e;"));
        assert_eq!(trim("use a::b;", &["c"]), None);
        assert_eq!(trim("use super::*;", &[]).as_deref(), Some("use super::*;"));
    }

    #[test]
    fn a_trait_stays_for_its_methods() {
        assert!(trim("use rand::Rng;", &[]).is_some());
        assert!(trim("use std::io::Read;", &["read_to_end"]).is_some());
        assert!(trim("use std::collections::HashMap;", &["x"]).is_none());
    }
}
