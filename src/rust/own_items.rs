//! Own copies of what a test shares with others: with other inputs in what they share, the others need not pass.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::{Attribute, Item, ItemFn, StaticMutability};

use super::free_functions::{FreeFunction, free_functions, functions_named};
use super::scan::words;
use super::{Reduction, Sources, StandIn, Tree};
use crate::reduce::RangeExt;

/// The sources in which the function `test` has copies of its own of the constants and functions beside it that differ from
/// those of `before`, where one of the functions `others` uses them, too: these see what stood there before. `None` where
/// they share nothing that differs.
pub fn with_own_items(
    before: &Sources,
    now: &Sources,
    test: &str,
    others: &[&str],
) -> Option<Sources> {
    let (file, source, function) = functions_named(now, test).next()?;
    let old = &before.files[before.position(&source.path)?].text;
    let old_function = free_functions(old, |name| name == test).into_iter().next()?;
    let (text, body) = (&*source.text, function.body.clone());
    let (new, old) = (items_beside(text, &function)?, items_beside(old, &old_function)?);
    let differs = |name: &str| old.get(name).is_some_and(|it| it.text != new[name].text);
    let mut shared: BTreeSet<&str> = new.keys().copied().filter(|it| differs(it)).collect();
    let uses = |text: &str, names: &BTreeSet<&str>| words(text).any(|it| names.contains(it));
    // What uses one of them is another function with it.
    while let Some((name, _)) =
        new.iter().find(|(name, it)| !shared.contains(*name) && uses(it.text, &shared))
    {
        shared.insert(name);
    }
    let mut own: BTreeSet<&str> =
        words(&text[body.clone()]).filter(|it| shared.contains(it)).collect();
    while let Some(name) = shared.iter().find(|name| {
        !own.contains(*name) && own.iter().any(|it| words(new[it].text).any(|word| word == **name))
    }) {
        own.insert(name);
    }
    let is_other = |name: &str| name != test && others.contains(&name);
    let is_shared =
        free_functions(text, is_other).into_iter().any(|other| uses(&text[other.range], &shared));
    if own.is_empty() || !is_shared {
        return None;
    }
    let restored = own.iter().filter(|name| differs(name));
    let edit = restored.fold(Reduction::default(), |edit, name| {
        edit.and_replace(new[name].range.clone(), old[name].text)
    });
    let (mut copied, mut copies) = (String::new(), Vec::new());
    for name in own {
        copied.push('\n');
        copies.push((copied.len(), new[name].range.clone()));
        copied.push_str(new[name].text);
    }
    let start = body.start + 1;
    Some(now.edit([(file, &edit.and_made(start..start, copied, copies))]))
}

/// An item beside a function.
struct Beside<'t> {
    text: &'t str,
    range: Range<usize>,
}

/// The constants, statics that do not change and functions of the module of this function, by their names, if it stands in
/// one; none of the tests, and none with attributes that may make something else of them.
fn items_beside<'t>(
    text: &'t str,
    function: &FreeFunction<'_>,
) -> Option<BTreeMap<&'t str, Beside<'t>>> {
    Tree::with(text, StandIn::Panic, |tree| {
        let mut items = &tree.file.items[..];
        while !items.iter().any(|it| matches!(it, Item::Fn(_)) && tree.range(it) == function.range)
        {
            let around = items.iter().find_map(|item| match item {
                Item::Mod(module) if tree.range(item).covers(&function.range) => {
                    module.content.as_ref()
                }
                _ => None,
            });
            items = &around?.1;
        }
        let named = items.iter().filter_map(|item| {
            let range = tree.range(item);
            let name = tree.range(name_of(item)?);
            Some((&text[name], Beside { text: &text[range.clone()], range }))
        });
        Some(named.collect())
    })
    .ok()?
}

/// The name of a constant, of a static that does not change, or of a function.
fn name_of(item: &Item) -> Option<&syn::Ident> {
    let is_plain = |attributes: &[Attribute]| attributes.iter().all(|it| it.path().is_ident("doc"));
    match item {
        Item::Const(item) if is_plain(&item.attrs) => Some(&item.ident),
        Item::Static(item)
            if is_plain(&item.attrs) && matches!(item.mutability, StaticMutability::None) =>
        {
            Some(&item.ident)
        }
        Item::Fn(ItemFn { attrs, sig, .. }) if is_plain(attrs) => Some(&sig.ident),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    fn of(text: &str) -> Sources {
        Sources::of_file("t.rs", text, Sameness::Tokens)
    }

    fn own(before: &str, now: &str) -> Option<String> {
        let found = with_own_items(&of(before), &of(now), "t", &["t", "u"]);
        found.map(|it| it.files[0].text.to_string())
    }

    const SHARED: &str = "mod tests {\n    const A: &str = \"ab\";\n    #[test]\n    fn t() { f(A); }\n    #[test]\n    fn u() { f(A); }\n}\n";

    #[test]
    fn what_another_test_uses_is_as_it_was_for_that() {
        let now = SHARED.replace("\"ab\"", "\"\"");
        let own = own(SHARED, &now).unwrap();
        assert!(own.contains("const A: &str = \"ab\";\n    #[test]"), "{own}");
        assert!(own.contains("fn t() {\nconst A: &str = \"\"; f(A); }"), "{own}");
        assert!(own.contains("fn u() { f(A); }"), "{own}");
    }

    #[test]
    fn helpers_that_use_it_are_copied_along() {
        let helper = "fn a() -> String { A.repeat(2) }\n    #[test]\n    fn t() { f(a());";
        let before = SHARED.replace("#[test]\n    fn t() { f(A);", helper);
        let now = before.replace("\"ab\"", "\"\"");
        let own = own(&before, &now).unwrap();
        assert!(
            own.contains(
                "fn t() {\nconst A: &str = \"\";\nfn a() -> String { A.repeat(2) } f(a()); }"
            ),
            "{own}"
        );
        assert!(own.contains("const A: &str = \"ab\";\n    fn a()"), "{own}");
    }

    #[test]
    fn what_only_one_test_uses_stays_where_it_is() {
        let alone = SHARED.replace("fn u() { f(A); }", "fn u() { f(\"A\"); }");
        assert_eq!(own(&alone, &alone.replace("\"ab\"", "\"\"")), None);
        assert_eq!(own(SHARED, SHARED), None);
    }
}
