//! Candidates as modules of one crate.

use std::collections::BTreeSet;

use crate::project::Diagnostic;
use crate::rust::{Reduction, Sameness, SourceFile, Sources, is_only_of_crate, scan};

/// Whether a text may have words that only mean something, or may only be there once, in a crate.
pub fn is_of_crate(sources: &Sources) -> bool {
    sources.files.iter().any(|file| is_only_of_crate(&file.text))
}

/// What the module of a candidate is called.
pub fn module_name(number: usize) -> String {
    format!("cargo_reduce_{number}")
}

/// The same candidate, in a file beside its own, with its paths from the root of the crate leading to
/// the module.
pub fn as_module(candidate: &Sources, number: usize) -> Sources {
    let name = module_name(number);
    let file = &candidate.files[0];
    let folder = file.path.rsplit_once('/').map(|(folder, _)| folder);
    let path = folder.map_or(String::new(), |folder| format!("{folder}/")) + &name + ".rs";
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(&file.text).collect();
    let mut prefixed = Reduction::default();
    for window in tokens.windows(3) {
        if window[0].text == "crate" && window[1].text == ":" && window[2].text == ":" {
            let end = window[0].start + window[0].text.len();
            prefixed = prefixed.and_replace(end..end, format!("::{name}"));
        }
    }
    candidate.edit([(0, &prefixed)]).renamed(&path)
}

/// The `extern crate` items at the root of a candidate, each with its attributes: what they name is known in all modules of
/// a crate, but of a module only there. Those that load macros can stand nowhere else.
pub fn extern_crates(candidate: &Sources) -> String {
    let text = &*candidate.files[0].text;
    let (mut all, mut words) = (String::new(), Vec::new());
    if !text.contains("extern") {
        return all;
    }
    let (mut start, mut depth) = (0, 0_usize);
    for token in scan::tokens(text) {
        if words.is_empty() {
            start = token.start;
        }
        let end = token.start + token.text.len();
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        words.push(token.text);
        let ends_inner_attribute = token.text == "]" && words.starts_with(&["#", "!"]);
        if depth > 0 || !(matches!(token.text, ";" | "}") || ends_inner_attribute) {
            continue;
        }
        let is_extern = words
            .windows(3)
            .any(|three| matches!(three, ["extern", "crate", name] if *name != "self"));
        if is_extern && token.text == ";" && !words.contains(&"macro_use") {
            all.extend([&text[start..end], "\n"]);
        }
        words.clear();
    }
    all
}

/// A crate with these modules, its root in the place of that of `root`, of which all have the `extern crate` items.
pub fn join<'s>(root: &Sources, modules: impl Iterator<Item = (usize, &'s Sources)>) -> Sources {
    let mut text = extern_crates(root);
    let mut files = Vec::new();
    for (number, module) in modules {
        text.extend(["mod ", &module_name(number), ";\n"]);
        files.push(module.files[0].clone());
    }
    files.push(SourceFile::new(root.files[0].path.clone(), text));
    Sources::new(files, Sameness::Text)
}

/// The files among `open` that errors point into.
pub fn blamed(errors: &[Diagnostic], open: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut blamed = BTreeSet::new();
    for error in errors {
        let span = error.primary_first().find(|span| open.contains(span.file.as_str()));
        blamed.extend(span.map(|span| span.file.to_string()));
    }
    blamed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Sources {
        Sources::of_file("src/lib.rs", text, Sameness::Tokens)
    }

    #[test]
    fn paths_from_the_root_lead_to_the_module_and_places_are_known() {
        let candidate = sources("pub(crate) fn a() { crate::b(); }");
        let module = as_module(&candidate, 3);
        assert_eq!(&*module.files[0].path, "src/cargo_reduce_3.rs");
        assert_eq!(&*module.files[0].text, "pub(crate) fn a() { crate::cargo_reduce_3::b(); }");
        let place = module.files[0].text.find("b();").unwrap();
        let before = candidate.files[0].text.find("b();").unwrap();
        assert_eq!(module.origin(0, place).unwrap().offset, before);
    }

    #[test]
    fn modules_become_one_crate() {
        let candidates = [sources("fn a() {}"), sources("fn b() {}")];
        let modules = candidates.iter().enumerate();
        let modules: Vec<Sources> = modules.map(|(at, it)| as_module(it, at)).collect();
        let joined = join(&candidates[0], [(1, &modules[1])].into_iter());
        let files: Vec<(&str, &str)> =
            joined.files.iter().map(|file| (&*file.path, &*file.text)).collect();
        assert_eq!(
            files,
            [("src/cargo_reduce_1.rs", "fn b() {}"), ("src/lib.rs", "mod cargo_reduce_1;\n")]
        );
    }

    #[test]
    fn crates_that_are_named_at_the_root_are_known_in_all_modules() {
        let text = "#![no_std]\n#[cfg(x)]\nextern crate alloc;\n#[macro_use]\nextern crate b;\nextern crate c as d;\n\
                    fn f() { g(); }\nmod m { extern crate e; }\nextern crate self as s;\n";
        let named = "#[cfg(x)]\nextern crate alloc;\nextern crate c as d;\n";
        assert_eq!(extern_crates(&sources(text)), named);
    }

    #[test]
    fn what_may_be_in_a_crate_only_once_is_seen() {
        assert!(is_of_crate(&sources("#[macro_export] macro_rules! a { () => {} }")));
        assert!(!is_of_crate(&sources("// macro_export\nfn a() {}")));
    }
}
