//! The layering of the house, as ARCHITECTURE.md states it, checked against the sources.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "layers/imports.rs"]
mod imports;

use imports::Imports;

/// Each layer with the layers it may name, from the top down: an arrow may only point further down.
const ARROWS: &[(&str, &[&str])] = &[
    ("cli", &["jobs", "app", "report", "oracle", "project", "exec", "source", "grammar"]),
    (
        "jobs",
        &[
            "app", "report", "emit", "oracle", "compile", "probe", "project", "exec", "disk",
            "schedule", "passes", "rust", "source", "generalize", "grammar", "reduce",
        ],
    ),
    (
        "app",
        &["report", "oracle", "project", "exec", "disk", "rust", "source", "grammar", "reduce"],
    ),
    ("report", &["oracle", "source", "reduce"]),
    ("emit", &[]),
    ("oracle", &["compile", "probe", "project", "exec", "disk", "rust", "source", "reduce"]),
    ("compile", &["probe", "project", "exec", "disk", "rust", "reduce"]),
    ("probe", &["exec", "source", "reduce"]),
    ("project", &["exec", "disk"]),
    ("exec", &[]),
    ("disk", &[]),
    ("api", &["schedule", "rust", "reduce"]),
    ("schedule", &["passes", "rust", "reduce"]),
    ("passes", &["rust", "source", "reduce"]),
    ("rust", &["source", "reduce"]),
    ("source", &["reduce"]),
    ("generalize", &["grammar", "reduce"]),
    ("grammar", &["reduce"]),
    ("reduce", &[]),
];

/// The layers that touch no file, process, clock or cargo.
const PURE: &[&str] =
    &["api", "schedule", "passes", "rust", "source", "generalize", "grammar", "reduce"];
/// What they must not name: modules of `std`, types of `std::time`, and crates.
const IMPURE_STD: &[&str] = &["fs", "process", "net", "env", "os"];
const IMPURE_NAMES: &[&str] = &["Instant", "SystemTime"];
const IMPURE_CRATES: &[&str] =
    &["cargo_metadata", "tempfile", "nix", "landlock", "ignore", "indicatif", "anstream", "clap"];

/// The layers that may name syn.
const SYNTAX: &[&str] = &["source", "rust", "passes"];
const SYNTAX_CRATES: &[&str] = &["syn", "proc_macro2", "quote"];

const LONGEST_FILE: usize = 500;
const LONGEST_MEDIAN: usize = 200;
const LONGEST_MAIN: usize = 30;

/// A source file of the product, without its tests and comments.
struct Source {
    lines: usize,
    code: String,
    layer: String,
    path: PathBuf,
}

#[test]
fn arrows_point_downward() {
    for (row, (layer, below)) in ARROWS.iter().enumerate() {
        for target in *below {
            let found = ARROWS.iter().position(|(name, _)| name == target).unwrap();
            assert!(found > row, "`{layer}` may not point up to `{target}`");
        }
    }
}

#[test]
fn every_layer_names_only_the_layers_its_arrows_lead_to() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| !is_top(source)) {
        let (layer, below) = arrows_of(&source.layer);
        for name in first_segments(&source.code, "crate") {
            if name != layer && !below.contains(&name.as_str()) {
                wrong.push(format!("{}: `{layer}` names `crate::{name}`", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_arrow_is_used() {
    let sources = sources();
    let mut unused = Vec::new();
    for (layer, below) in ARROWS {
        let own = sources.iter().filter(|source| source.layer == *layer);
        let named: BTreeSet<String> =
            own.flat_map(|source| first_segments(&source.code, "crate")).collect();
        let idle = below.iter().filter(|target| !named.contains(**target));
        unused.extend(idle.map(|target| format!("`{layer}` names nothing of `{target}`")));
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

#[test]
fn files_do_not_name_each_other_in_circles() {
    let sources = sources();
    let below_src =
        |source: &Source| source.path.strip_prefix(root().join("src")).unwrap().to_owned();
    let paths: Vec<PathBuf> = sources.iter().map(below_src).collect();
    let files: Vec<(&Path, &str)> = paths
        .iter()
        .zip(&sources)
        .map(|(path, source)| (path.as_path(), source.code.as_str()))
        .collect();
    let imports = Imports::of(&files);
    let circles = imports.circles();
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn folders_hold_logic_in_files_with_a_name() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| source.path.ends_with("mod.rs")) {
        let path = source.path.strip_prefix(root()).unwrap().to_str().unwrap();
        let holds_logic = source.code.lines().any(|line| {
            let line = line.trim_start_matches("pub").trim_start_matches("(crate)");
            let line = line.trim_start_matches("(super)").trim_start();
            ["fn ", "impl ", "impl<", "const fn ", "async fn "]
                .iter()
                .any(|start| line.starts_with(start))
        });
        if holds_logic {
            wrong.push(path.to_owned());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_touches_no_file_process_clock_or_cargo() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| PURE.contains(&source.layer.as_str())) {
        let modules = first_segments(&source.code, "std");
        let named = IMPURE_STD.iter().filter(|name| modules.contains(**name));
        let words = IMPURE_NAMES.iter().filter(|name| has_word(&source.code, name));
        let crates = IMPURE_CRATES.iter().filter(|name| names_crate(&source.code, name));
        wrong.extend(
            named.chain(words).chain(crates).map(|it| format!("{}: {it}", source.path.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_source_rust_and_passes_name_syn() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| !SYNTAX.contains(&source.layer.as_str())) {
        let named = SYNTAX_CRATES.iter().filter(|name| names_crate(&source.code, name));
        wrong.extend(named.map(|name| format!("{}: {name}", source.path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_short() {
    let sources = sources();
    for source in &sources {
        assert!(source.lines <= LONGEST_FILE, "{}: {} lines", source.path.display(), source.lines);
    }
    for file in fs::read_dir(root().join("src/probe/runtime")).unwrap().map(Result::unwrap) {
        let lines = fs::read_to_string(file.path()).unwrap().lines().count();
        assert!(lines <= LONGEST_FILE, "{}: {lines} lines", file.path().display());
    }
    let mut lengths: Vec<usize> = sources.iter().map(|source| source.lines).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= LONGEST_MEDIAN, "the median file has {median} lines");
    let main = fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() < LONGEST_MAIN, "src/main.rs holds logic");
}

#[test]
fn every_layer_is_in_the_code_map() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root().join("src")).unwrap().map(Result::unwrap) {
        let name = entry.path().file_stem().unwrap().to_str().unwrap().to_owned();
        if !["lib", "main"].contains(&name.as_str()) {
            arrows_of(&name);
            assert!(
                map.contains(&format!("### `src/{name}`")),
                "ARCHITECTURE.md lacks `src/{name}`"
            );
        }
    }
}

#[test]
fn flows_are_lists_of_files_that_name_none_twice() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = map.split("\n## ").find(|section| section.starts_with("Four flows")).unwrap();
    let flows: Vec<&str> = section.split("\n\n**").skip(1).collect();
    assert_eq!(flows.len(), 4);
    for flow in flows {
        let names = flow.split('`').skip(1).step_by(2).filter(|name| name.contains('/'));
        let mut seen = BTreeSet::new();
        for name in names {
            let file = root().join("src").join(name).with_extension("rs");
            assert!(file.is_file(), "ARCHITECTURE.md: there is no `{name}`");
            assert!(seen.insert(name), "ARCHITECTURE.md: a flow goes through `{name}` twice");
        }
        assert!(seen.len() > 5, "no list of files: {flow}");
    }
}

#[test]
fn paths_are_found_in_every_spelling() {
    let code = "use crate::{a::b, c};\nfn f() -> crate::d::E { $crate::f!(xcrate::no, crate::g) }";
    let found: Vec<String> = first_segments(code, "crate").into_iter().collect();
    assert_eq!(found, ["a", "c", "d", "f", "g"]);
    let nested = first_segments("use std::{\n    io::{self, Read},\n    fs,\n};", "std");
    assert_eq!(nested.into_iter().collect::<Vec<_>>(), ["fs", "io"]);
}

#[test]
fn comments_and_tests_are_no_code() {
    let text =
        "/// std::fs\nfn f() {} // syn::parse\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    assert_eq!(code_of(text), "\nfn f() {} \n");
    let text = "#[cfg(test)]\nmod tests;\nmod a;\n";
    assert_eq!(code_of(text), "#[cfg(test)]\nmod tests;\nmod a;\n");
}

/// The library's root and the binary name whatever they like.
fn is_top(source: &Source) -> bool {
    ["lib", "main"].contains(&source.layer.as_str())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn arrows_of(layer: &str) -> (&'static str, &'static [&'static str]) {
    *ARROWS.iter().find(|(name, _)| *name == layer).unwrap_or_else(|| {
        panic!("`src/{layer}` is no layer: give it a place in ARROWS and in ARCHITECTURE.md")
    })
}

fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    read_folder(&root().join("src"), &mut sources);
    assert!(!sources.is_empty());
    sources
}

fn read_folder(folder: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            read_folder(&path, sources);
        } else if is_product(&path) {
            let text = fs::read_to_string(&path).unwrap();
            let inside = path.strip_prefix(root().join("src")).unwrap();
            let first = Path::new(inside.iter().next().unwrap());
            let layer = first.file_stem().unwrap().to_str().unwrap().to_owned();
            sources.push(Source {
                lines: without_tests(&text).lines().count(),
                code: code_of(&text),
                layer,
                path,
            });
        }
    }
}

/// Test files are no part of the product, and neither is the runtime put into other crates.
fn is_product(path: &Path) -> bool {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    path.extension().is_some_and(|extension| extension == "rs")
        && !path.components().any(|part| part.as_os_str() == "tests")
        && stem != "tests"
        && stem != "testing"
        && !stem.ends_with("_tests")
        && !path.parent().unwrap().ends_with("probe/runtime")
}

/// The text up to the test module at its end.
fn without_tests(text: &str) -> &str {
    match text.find("\n#[cfg(test)]\nmod tests {") {
        Some(at) => &text[..=at],
        None => text,
    }
}

fn code_of(text: &str) -> String {
    let without_comment = |line: &str| line.find("//").map_or(line.len(), |at| at);
    without_tests(text).lines().flat_map(|line| [&line[..without_comment(line)], "\n"]).collect()
}

/// The names that follow `root::`, also those in a group of braces.
fn first_segments(code: &str, root: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, matched) in code.match_indices(&format!("{root}::")) {
        // A path in quotes is text that goes into another crate.
        if code[..at].ends_with(|letter| is_word(letter) || letter == '"') {
            continue;
        }
        let rest = &code[at + matched.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(group_names(group)),
            None => names.extend(leading_word(rest)),
        }
    }
    names
}

/// The names at the top level of a group, the opening brace of which is read.
fn group_names(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut names = Vec::new();
    let mut part = String::new();
    for letter in group.chars() {
        match letter {
            '}' if depth == 0 => break,
            ',' if depth == 0 => names.extend(leading_word(&std::mem::take(&mut part))),
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => part.push(letter),
        }
    }
    names.extend(leading_word(&part));
    names
}

fn leading_word(text: &str) -> Option<String> {
    let word: String = text.trim_start().chars().take_while(|letter| is_word(*letter)).collect();
    (!word.is_empty()).then_some(word)
}

fn names_crate(code: &str, name: &str) -> bool {
    !first_segments(code, name).is_empty()
        || code.lines().any(|line| line.trim() == format!("use {name};"))
}

fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        !code[..at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word)
    })
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
