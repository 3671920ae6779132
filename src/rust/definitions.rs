//! Which names items define, and which they mention.

use std::collections::HashSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

use crate::source::{flat, is_char, last_word};

/// Stands among the names that a macro defines for those that its caller gives.
const GIVEN: &str = "$";
/// The words behind which an item's name stands.
const KEYWORDS: [&str; 8] = ["struct", "enum", "union", "trait", "type", "fn", "const", "static"];
/// The words behind which braces hold no items of their own.
const OWNERS: [&str; 4] = ["impl", "trait", "fn", "struct"];

/// The words of an item.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// All of them.
    pub all: HashSet<String>,
    /// Those that stand behind something else than a dot once: names of items may be among them, as
    /// opposed to those of methods and fields.
    pub paths: HashSet<String>,
}

impl Words {
    /// The identifiers of a node.
    pub(crate) fn of(node: &impl ToTokens) -> Self {
        let mut words = Words::default();
        let mut is_behind_dot = false;
        for token in flat(node.to_token_stream()) {
            if let TokenTree::Ident(word) = &token {
                let word = word.to_string();
                if !is_behind_dot {
                    words.paths.insert(word.clone());
                }
                words.all.insert(word);
            }
            is_behind_dot = is_char(&token, '.');
        }
        words
    }
}

/// The names that an item defines. What a macro call defines it cannot say alone: see [`called`].
pub(crate) fn defined_names(item: &Item) -> Vec<String> {
    let mut names = Vec::new();
    match item {
        Item::Macro(item) => match &item.ident {
            Some(name) => names.push(name.to_string()),
            None => collect(item.mac.tokens.clone(), &mut names),
        },
        Item::Verbatim(_) | Item::ForeignMod(_) => collect(item.to_token_stream(), &mut names),
        item => {
            collect(item.to_token_stream(), &mut names);
            names.truncate(1);
        }
    }
    names
}

/// The name of a `macro_rules!` item, and the names of the items that its calls define; where the call
/// gives a name, `$` stands for all its words.
pub(crate) fn produced(item: &Item) -> Option<(String, Vec<String>)> {
    let Item::Macro(item) = item else { return None };
    let name = item.ident.as_ref()?.to_string();
    let mut names = Vec::new();
    collect(item.mac.tokens.clone(), &mut names);
    Some((name, names))
}

/// The name of the macro that an item calls.
pub(crate) fn called(item: &Item) -> Option<String> {
    match item {
        Item::Macro(item) if item.ident.is_none() => {
            last_word(&item.mac.path).map(ToString::to_string)
        }
        _ => None,
    }
}

/// What a call of a macro that produces `names` defines, given the words of the call.
pub(crate) fn of_call(names: &[String], words: &Words) -> Vec<String> {
    let is_given = names.iter().any(|name| name == GIVEN);
    let given = words.all.iter().filter(|_| is_given);
    let own = names.iter().filter(|name| *name != GIVEN);
    own.chain(given).cloned().collect()
}

/// Collects the word behind each keyword that introduces a name, but not from within bodies.
fn collect(tokens: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_owned = false;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => {
                is_owned |= OWNERS.iter().any(|owner| word == owner);
                let is_keyword = KEYWORDS.iter().any(|keyword| word == keyword);
                if is_keyword && !is_in_type(&tokens[..place]) {
                    names.extend(name(&tokens[place + 1..]));
                }
            }
            token if is_char(token, ';') => is_owned = false,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && is_owned => {
                is_owned = false;
            }
            TokenTree::Group(group) => collect(group.stream(), names),
            _ => {}
        }
    }
}

/// `'static` and `*const` introduce no names.
fn is_in_type(before: &[TokenTree]) -> bool {
    before.last().is_some_and(|last| is_char(last, '\'') || is_char(last, '*'))
}

fn name(behind: &[TokenTree]) -> Option<String> {
    for token in behind {
        match token {
            TokenTree::Ident(word) if word == "mut" || word == "unsafe" || word == "fn" => {}
            TokenTree::Ident(word) => return Some(word.to_string()).filter(|name| name != "_"),
            token if is_char(token, '$') => return Some(GIVEN.to_owned()),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Item {
        syn::parse_str(text).unwrap()
    }

    #[test]
    fn an_item_defines_its_own_name_only() {
        for (text, name) in [
            ("struct A { b: fn(c: u8) }", "A"),
            ("fn a() { fn b() {} }", "a"),
            ("static mut A: &'static str = \"\";", "A"),
            ("unsafe extern \"C\" fn a(b: *const u8) {}", "a"),
        ] {
            assert_eq!(defined_names(&item(text)), [name]);
        }
    }

    #[test]
    fn a_macro_defines_its_name_and_its_calls_define_items() {
        let rules = "macro_rules! m { ($n:ident) => { struct A; struct $n; impl T for A { fn from() {} } } }";
        assert_eq!(defined_names(&item(rules)), ["m"]);
        let (name, names) = produced(&item(rules)).unwrap();
        assert_eq!((name.as_str(), names.len()), ("m", 2));
        let call = item("m!(B);");
        assert_eq!(called(&call).as_deref(), Some("m"));
        let mut defined = of_call(&names, &Words::of(&call));
        defined.sort();
        assert_eq!(defined, ["A", "B", "m"]);
    }

    #[test]
    fn methods_and_fields_are_no_paths() {
        let words = Words::of(&item("fn f() { a.b(c::d) }"));
        assert!(words.all.contains("b") && !words.paths.contains("b"));
        assert!(words.paths.contains("d"));
    }
}
