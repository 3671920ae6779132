//! The tests beside those that are looked at: none of what they do matters.

use syn::Item;

use super::{Reduction, Sources, StandIn, Tree};
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
}
