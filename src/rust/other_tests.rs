//! The tests beside those that are looked at: none of what they do matters.

use std::collections::BTreeSet;

use syn::{Item, ItemMacro};

use super::{Reduction, Sources, StandIn, Tree, dense_text, scan};
use crate::source::is_test;

/// The sources without the functions that are tests, but for those of these names as the harness tells them; macros that
/// make tests stay.
#[must_use]
pub fn without_other_tests(sources: &Sources, names: &[&str]) -> Sources {
    let names: Vec<String> = names.iter().map(|name| format!("::{name}::")).collect();
    // Where a file is a module, its path is only the end of the name; behind it may be what a macro makes of it.
    let is_other = |path: &str| !names.iter().any(|name| name.contains(&format!("::{path}::")));
    let edits = sources.files.iter().enumerate().filter_map(|(file, source)| {
        let removed = |tree: &Tree<'_>| {
            let mut edit = Reduction::default();
            remove(tree, &tree.file.items, "", &is_other, &mut edit);
            edit
        };
        Some((file, Tree::with(&source.text, StandIn::Panic, removed).ok()?))
    });
    sources.edit_all(&edits.collect::<Vec<_>>())
}

/// The sources without the calls of their own macros that make tests, but for those that name one of these.
#[must_use]
pub fn without_calls_that_make_tests(sources: &Sources, names: &[&str]) -> Sources {
    let in_files = |look: &mut dyn FnMut(usize, &Tree<'_>, &ItemMacro)| {
        for (file, source) in sources.files.iter().enumerate() {
            let _ = Tree::with(&source.text, StandIn::Panic, |tree| {
                let items = tree.items().filter_map(|item| match item {
                    Item::Macro(item) => Some(item),
                    _ => None,
                });
                items.for_each(|item| look(file, tree, item));
            });
        }
    };
    let mut makers = BTreeSet::new();
    in_files(&mut |_, _, item| {
        let makes_tests = || dense_text(&item.mac.tokens.to_string()).contains("#[test]");
        makers.extend(item.ident.as_ref().filter(|_| makes_tests()).map(ToString::to_string));
    });
    let words: BTreeSet<&str> = names.iter().flat_map(|name| name.split("::")).collect();
    let mut edits = Vec::new();
    in_files(&mut |file, tree, item| {
        let name = item.mac.path.segments.last().map(|last| last.ident.to_string());
        let pieces = scan::pieces(tree.text_of(item));
        let is_wanted = pieces.into_iter().any(|piece| words.contains(piece.text));
        if item.ident.is_none() && name.is_some_and(|it| makers.contains(&it)) && !is_wanted {
            edits.push((file, Reduction::remove(tree.range(item))));
        }
    });
    sources.edit_all(&edits)
}

/// Adds the removals of the tests among the items of the module at `path` that are others.
fn remove(
    tree: &Tree<'_>,
    items: &[Item],
    path: &str,
    is_other: &dyn Fn(&str) -> bool,
    edit: &mut Reduction,
) {
    for item in items {
        match item {
            Item::Fn(function)
                if is_test(function) && is_other(&format!("{path}{}", function.sig.ident)) =>
            {
                *edit = std::mem::take(edit).and_remove(tree.range(item));
            }
            Item::Mod(module) => {
                let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                remove(tree, items, &format!("{path}{}::", module.ident), is_other, edit);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    #[test]
    fn other_tests_go_wherever_they_stand() {
        let text = "fn helper() {}\n#[test]\nfn a() {}\nmod tests {\n    /// Says something.\n    #[tokio::test]\n    async fn b() {}\n    \
                    #[test]\n    fn c() { helper() }\n}\n";
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let left = without_other_tests(&sources, &["lib::tests::c::case_1"]);
        let words: Vec<&str> = left.files[0].text.split_whitespace().collect();
        let expected = "fn helper() {} mod tests { #[test] fn c() { helper() } }";
        assert_eq!(words.join(" "), expected);
        assert_eq!(without_other_tests(&left, &["tests::c"]).files[0].text, left.files[0].text);
    }

    #[test]
    fn calls_that_make_other_tests_go() {
        let text = "macro_rules! checks { ($name:ident, $e:expr) => { #[test] fn $name() { $e } } }\n\
                    macro_rules! consts { ($name:ident) => { const $name: u8 = 1; } }\n\
                    checks!(one, f());\nmod m { checks! { two, f() } }\nconsts!(ONE);\n";
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let left = without_calls_that_make_tests(&sources, &["m::two"]);
        let calls = left.files[0].text.rsplit_once("; } }").unwrap().1;
        let words: Vec<&str> = calls.split_whitespace().collect();
        assert_eq!(words.join(" "), "mod m { checks! { two, f() } } consts!(ONE);");
    }
}
