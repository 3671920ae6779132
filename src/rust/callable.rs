//! How a function can be called from everywhere in its crate.

use syn::{Item, Visibility};

use super::{StandIn, Tree};

/// Where `pub(crate)` has to stand in the text of a whole crate so that all of it can call the function at `path`; `None`
/// if there is no such function in modules that are written out.
pub fn to_open(text: &str, path: &[&str]) -> Option<Vec<usize>> {
    let look = |tree: &Tree<'_>| {
        let (name, modules) = path.split_last()?;
        let mut items = &tree.file.items[..];
        let mut places = Vec::new();
        for name in modules {
            let module = items.iter().find_map(|item| match item {
                Item::Mod(module) if module.ident == name => Some(module),
                _ => None,
            })?;
            if matches!(module.vis, Visibility::Inherited) {
                places.push(tree.range(&module.mod_token).start);
            }
            items = &module.content.as_ref()?.1;
        }
        let function = items.iter().find_map(|item| match item {
            Item::Fn(function) if function.sig.ident == name => Some(function),
            _ => None,
        })?;
        if matches!(function.vis, Visibility::Inherited) {
            places.push(tree.range(&function.sig).start);
        }
        Some(places)
    };
    Tree::with(text, StandIn::Panic, look).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_private_on_the_way_has_to_be_opened() {
        let text = "mod a { pub mod b { #[cfg(test)] mod tests { #[test] fn works() {} } } }";
        let mut opened = text.to_owned();
        for place in to_open(text, &["a", "b", "tests", "works"]).unwrap().into_iter().rev() {
            opened.insert_str(place, "pub ");
        }
        assert_eq!(
            opened,
            "pub mod a { pub mod b { #[cfg(test)] pub mod tests { #[test] pub fn works() {} } } }"
        );
        assert_eq!(to_open(text, &["a", "works"]), None);
        assert_eq!(to_open("mod a;", &["a", "works"]), None);
    }
}
