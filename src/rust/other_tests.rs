//! The tests beside those that are looked at: none of what they do matters, whether they are written as functions or made
//! by macros.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::Item;

use super::{Reduction, Sources, Tree, function_of, place_of_file, scan};
use crate::reduce::RangeExt;
use crate::source::last_name;

/// The sources without the functions that are tests, but for those of these names as the harness tells them.
pub fn without_other_tests(sources: &Sources, names: &[&str]) -> Sources {
    let all: Vec<(usize, Vec<Test>)> = Tree::each(sources, |_, tree| tests_of(tree)).collect();
    let is_it = |file: usize, test: &Test, name: &str| {
        let (_, mut modules) = place_of_file(&sources.files[file].path);
        modules.push(test.path.clone());
        is_made_of(name, &modules.join("::"))
    };
    let (placed, others): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| {
        all.iter().any(|(file, tests)| tests.iter().any(|test| is_it(*file, test, name)))
    });
    let is_wanted = |file: usize, test: &Test| {
        // Where a file is a module that its path does not tell, the path in it is only the end of the name.
        let inside = format!("::{}::", test.path);
        placed.iter().any(|name| is_it(file, test, name))
            || others.iter().any(|name| format!("::{name}::").contains(&inside))
    };
    let edits = all.iter().map(|(file, tests)| {
        let gone = tests.iter().filter(|test| !is_wanted(*file, test));
        let removed = |edit: Reduction, test: &Test| edit.and_remove(test.range.clone());
        (*file, gone.fold(Reduction::default(), removed))
    });
    sources.edit_all(&edits.collect::<Vec<_>>())
}

/// Whether a test of that name is the function at `path`, or made of it by a macro.
fn is_made_of(name: &str, path: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The sources with macros that make no tests but those of these names.
pub fn without_tests_of_macros(sources: &Sources, names: &[&str]) -> Sources {
    let names: BTreeSet<&str> = names.iter().map(|name| function_of(name)).collect();
    let mut definitions = Vec::new();
    // The macros whose calls have one of the names in them.
    let mut wanted = BTreeSet::new();
    let look = |file, tree: &Tree<'_>| {
        for item in tree.items() {
            let Item::Macro(item) = item else { continue };
            let (text, range) = (tree.text_of(item), tree.range(item));
            if let Some(name) = &item.ident {
                definitions.push((file, range, name.to_string()));
            } else if scan::pieces(text).any(|piece| names.contains(piece.text)) {
                wanted.insert(last_name(&item.mac.path));
            }
        }
    };
    Tree::each(sources, look).for_each(drop);
    let edits = definitions.iter().flat_map(|(file, range, macro_name)| {
        let text = &sources.files[*file].text[range.clone()];
        let is_other = |name: &str| match name {
            // What a call names.
            "$" => !wanted.contains(macro_name),
            name => !names.contains(name),
        };
        let gone = tests_in_definition(text, &is_other).into_iter();
        gone.map(|gone| (*file, Reduction::remove(gone.offset_by(range.start))))
    });
    sources.edit_all(&edits.collect::<Vec<_>>())
}

/// The bytes of the tests in the definition of a macro that are others, each with the repetition that holds nothing else;
/// `is_other` is asked with the name, or `$` where a call gives it.
fn tests_in_definition(text: &str, is_other: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
    let tokens: Vec<_> = scan::tokens(text).collect();
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text);
    // The token that closes the group which one opens.
    let end_of_group = |open: usize| {
        let inside = tokens.get(open)?.range().end;
        let close = inside + scan::end_of_group(&text[inside..], word(open))?;
        tokens.binary_search_by_key(&close, |token| token.start).ok()
    };
    let test = |mut first: usize, attributes: usize| -> Option<Range<usize>> {
        let keyword = (attributes..attributes + 3).find(|at| word(*at) == "fn")?;
        if !is_other(word(keyword + 1)) {
            return None;
        }
        let mut last = end_of_group((keyword..tokens.len()).find(|at| word(*at) == "{")?)?;
        if first > 1 && (word(first - 2), word(first - 1), word(last + 1)) == ("$", "(", ")") {
            let is_operator = |at: usize| matches!(word(at), "*" | "+" | "?");
            last = (last + 2..last + 4).find(|at| is_operator(*at))?;
            first -= 2;
        }
        // Comments in front, which document it, go with it.
        let start = first.checked_sub(1).map_or(0, |before| tokens[before].range().end);
        Some(start..tokens[last].range().end)
    };
    let mut tests = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // The attributes that stand there, one after the other.
        let (first, mut is_test) = (at, false);
        while (word(at), word(at + 1)) == ("#", "[")
            && let Some(end) = end_of_group(at + 1)
        {
            is_test |= (word(at + 2), at + 3) == ("test", end);
            at = end + 1;
        }
        tests.extend(is_test.then(|| test(first, at)).flatten());
        at = at.max(first + 1);
    }
    tests
}

/// A function that is a test.
struct Test {
    /// The modules around it in its file, and its name.
    path: String,
    range: Range<usize>,
}

/// Those of a file.
fn tests_of(tree: &Tree<'_>) -> Vec<Test> {
    let tests = tree.tests().map(|function| {
        let range = tree.range(function);
        let around = &tree.module_around(&range).path;
        let around = around.strip_prefix("crate::").unwrap_or(around);
        Test { path: format!("{around}{}", function.sig.ident), range }
    });
    tests.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{Sameness, SourceFile};

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
    fn tests_of_other_modules_go_though_they_have_the_same_name() {
        let text = "mod tests { #[test] fn a() {} }";
        let files = ["src/lib.rs", "src/b.rs", "src/b/c/mod.rs", "tests/d.rs"];
        let files = files.map(|path| SourceFile::new(path, text));
        let sources = Sources::new(files.to_vec(), Sameness::Tokens);
        let left = |name: &str| {
            let left = without_other_tests(&sources, &[name]);
            let has_test = |file: &SourceFile| file.text.contains("fn");
            left.files.iter().map(has_test).collect::<Vec<bool>>()
        };
        assert_eq!(left("b::tests::a"), [false, true, false, false]);
        assert_eq!(left("b::c::tests::a"), [false, false, true, false]);
        assert_eq!(left("tests::a"), [true, false, false, true]);
        // Its file is a module by an attribute.
        assert_eq!(left("e::tests::a"), [true; 4]);
    }

    #[test]
    fn macros_make_no_other_tests() {
        let text = "macro_rules! names { ($($id:ident, $e:expr;)*) => { $(pub const $id: u8 = $e;)* \
                    /// All.\n #[allow(unused)] #[test] #[ignore] fn all() { $(assert!($id > 0);)* } } }\n\
                    macro_rules! checks { ($($id:ident),*) => { $(#[test] fn $id() {})* } }\n\
                    macro_rules! others { ($($id:ident),*) => { $(#[test] fn $id() {}),* struct S; } }\n\
                    names! { A, 1; }\nchecks!(two, three);\nothers!(four);\n";
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let left = without_tests_of_macros(&sources, &["m::two"]);
        let left = left.files[0].text.replace('\n', " ");
        assert!(left.contains("$(pub const $id: u8 = $e;)* } }"), "{left}");
        assert!(left.contains("$(#[test] fn $id() {})*"), "{left}");
        assert!(left.contains("($($id:ident),*) => { struct S; } }"), "{left}");
        let left = without_tests_of_macros(&sources, &["all"]);
        assert!(left.files[0].text.contains("fn all()"), "{}", left.files[0].text);
    }
}
