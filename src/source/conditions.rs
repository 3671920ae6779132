//! Which features a test needs to be compiled at all.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::Attribute;
use syn::parse::ParseStream;

use super::attributes;
use super::item::ItemKind;
use super::parse::{look_at, prelude_len, then_anything};
use super::{Crate, Located};

impl Crate {
    /// The features that `cfg` attributes of the test and of the modules around it name as wanted.
    pub fn features_of(&self, located: &Located) -> BTreeSet<String> {
        let leads_there = |name: &String, module: &[String]| {
            located.module.strip_prefix(module).and_then(<[_]>::first) == Some(name)
        };
        let around =
            self.items_of(ItemKind::Mod).filter(|item| leads_there(&item.name, &item.module));
        let mut features = BTreeSet::new();
        for item in around.chain([&self.items[located.item]]) {
            let text = self.text_of(item);
            collect(text, Attribute::parse_outer, &mut features);
        }
        for file in [&self.files[0], self.file(located.file)] {
            let text = &file.text[prelude_len(&file.text)..];
            collect(text, Attribute::parse_inner, &mut features);
        }
        features
    }
}

/// The features that the attributes name with which `text` begins.
fn collect(
    text: &str,
    attributes: fn(ParseStream<'_>) -> syn::Result<Vec<Attribute>>,
    features: &mut BTreeSet<String>,
) {
    // What cannot be parsed names none.
    let _ = look_at(text, then_anything(attributes), |attributes| {
        for list in attributes.iter().filter_map(|attribute| attribute.meta.require_list().ok()) {
            if list.path.is_ident("cfg") {
                wanted(list.tokens.clone(), features);
            }
        }
    });
}

/// The features in a predicate that have to be there; of an `any(…)` all that would do.
fn wanted(predicate: TokenStream, features: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = predicate.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Literal(value))) if name == "feature" => {
                let value = syn::parse_str(&value.to_string());
                features.extend(value.ok().and_then(|value| attributes::text(&value)));
            }
            (TokenTree::Group(parts), _) if !is_not(tokens[..at].last()) => {
                wanted(parts.stream(), features);
            }
            _ => {}
        }
    }
}

fn is_not(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(name)) if name == "not")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn features_of_the_test_its_modules_and_its_files_are_found() {
        let read = |path: &Path| {
            Ok(match path.file_name().and_then(|name| name.to_str()) {
                Some("lib.rs") => {
                    "#![cfg(feature = \"a\")]\n#[cfg(feature = \"b\")] mod outer { mod inner; }\n\
                     #[cfg(feature = \"no\")] mod other {}"
                }
                _ => {
                    "#![cfg(any(test, feature = \"c\"))]\n\
                     #[cfg(all(not(feature = \"no\"), feature = \"d\"))] #[test] fn t() {}"
                }
            }
            .to_owned())
        };
        let krate = Crate::load(Path::new("/p/src/lib.rs"), Path::new("/p"), read).unwrap();
        let located = krate.find_test("outer::inner::t").unwrap();
        let features: Vec<String> = krate.features_of(&located).into_iter().collect();
        assert_eq!(features, ["a", "b", "c", "d"]);
    }
}
