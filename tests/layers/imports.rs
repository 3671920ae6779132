//! Which file names which: paths are followed through the `pub use` of folders to the file that they mean.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Module = Vec<String>;

/// The files, and what each of them names.
pub struct Imports {
    files: Vec<PathBuf>,
    edges: Vec<BTreeSet<usize>>,
}

impl Imports {
    /// `sources` are paths below the folder of sources, each with its code.
    pub fn of(sources: &[(&Path, &str)]) -> Self {
        let modules: BTreeMap<Module, usize> = sources
            .iter()
            .enumerate()
            .map(|(number, (path, _))| (module_of(path), number))
            .collect();
        let resolver = Resolver {
            exports: modules
                .iter()
                .map(|(module, number)| (module.clone(), exports(module, sources[*number].1)))
                .collect(),
            modules,
        };
        let named_by = |(path, code): &(&Path, &str)| {
            let module = module_of(path);
            let own = resolver.modules.get(&module).copied();
            let named = paths(code, &module).into_iter();
            named
                .filter_map(|path| resolver.file(&path, 0))
                .filter(|file| Some(*file) != own)
                .collect()
        };
        Imports {
            files: sources.iter().map(|(path, _)| path.to_path_buf()).collect(),
            edges: sources.iter().map(named_by).collect(),
        }
    }

    /// The sets of files each of which leads to all others, the largest first.
    pub fn circles(&self) -> Vec<Vec<&Path>> {
        let reached: Vec<BTreeSet<usize>> =
            (0..self.files.len()).map(|from| self.reached(from)).collect();
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for from in 0..self.files.len() {
            let both = reached[from].iter().copied();
            let circle: Vec<usize> = both.filter(|to| reached[*to].contains(&from)).collect();
            if circle.len() > 1 && circle.iter().all(|at| seen.insert(*at)) {
                circles.push(circle.iter().map(|at| self.files[*at].as_path()).collect());
            }
        }
        circles.sort_by_key(|circle: &Vec<&Path>| std::cmp::Reverse(circle.len()));
        circles
    }

    fn reached(&self, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![from];
        while let Some(next) = pending.pop() {
            pending.extend(self.edges[next].iter().filter(|to| reached.insert(**to)));
        }
        reached
    }
}

struct Resolver {
    modules: BTreeMap<Module, usize>,
    /// For each module what its names stand for, where it does not define them itself.
    exports: BTreeMap<Module, BTreeMap<String, Module>>,
}

impl Resolver {
    /// The file that defines what the path names.
    fn file(&self, path: &[String], depth: usize) -> Option<usize> {
        let length =
            (1..=path.len()).rfind(|length| self.modules.contains_key(&path[..*length]))?;
        let (module, rest) = path.split_at(length);
        let exported = rest.first().and_then(|name| self.exports[module].get(name));
        match exported {
            Some(meant) if depth < 8 => {
                let meant: Module = meant.iter().chain(&rest[1..]).cloned().collect();
                self.file(&meant, depth + 1)
            }
            _ => self.modules.get(module).copied(),
        }
    }
}

/// The module that a file is.
fn module_of(path: &Path) -> Module {
    let without = path.with_extension("");
    let mut module: Module = without.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    module
}

/// The names that a module takes from below it to hand them on, and what they mean.
fn exports(module: &Module, code: &str) -> BTreeMap<String, Module> {
    let mut exports = BTreeMap::new();
    for statement in uses(code).filter(|(is_public, _)| *is_public) {
        for mut path in group(statement.1) {
            let first = path.first().map_or("", String::as_str);
            if ["crate", "self", "super"].contains(&first) {
                path = absolute(&path, module);
            } else {
                path.splice(0..0, module.iter().cloned());
            }
            if let Some(name) = path.last().cloned() {
                exports.insert(name, path);
            }
        }
    }
    exports
}

/// The statements that import something: whether they hand it on, and the paths.
fn uses(code: &str) -> impl Iterator<Item = (bool, &str)> {
    code.split(';').filter_map(|statement| {
        let at = statement.rfind("use ")?;
        let before = statement[..at].trim_end();
        let is_statement = before.is_empty() || before.ends_with(['}', '{', ']', ')', 'b', '\n']);
        let is_public = before.ends_with("pub") || before.ends_with(')') && before.contains("pub(");
        is_statement.then(|| (is_public, &statement[at + 4..]))
    })
}

/// What `code` names by `crate`, `self` and `super`, but for what it hands on.
fn paths(code: &str, module: &Module) -> Vec<Module> {
    let mut private = code.to_owned();
    for (_, statement) in uses(code).filter(|(is_public, _)| *is_public) {
        private = private.replace(statement, "");
    }
    let roots = ["crate", "self", "super"].map(str::to_owned).into_iter().chain(declared(code));
    let mut paths = Vec::new();
    for root in roots.map(|root| root + "::") {
        for (at, _) in private.match_indices(&root) {
            let before = &private[..at];
            if !before
                .ends_with(|letter: char| letter.is_alphanumeric() || "_:\"$".contains(letter))
            {
                paths.extend(group(&private[at..]).into_iter().map(|path| absolute(&path, module)));
            }
        }
    }
    paths
}

/// The modules that `code` declares, which stand in files of their own.
fn declared(code: &str) -> impl Iterator<Item = String> {
    let words = code.split_inclusive(';').filter_map(|statement| statement.strip_suffix(';'));
    words.filter_map(|statement| {
        let (_, name) = statement.rsplit_once("mod ")?;
        name.chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
            .then(|| name.to_owned())
    })
}

/// The path from the root of the crate.
fn absolute(path: &[String], module: &Module) -> Module {
    let mut base = module.clone();
    let mut rest = path;
    while let [first, others @ ..] = rest {
        match first.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        rest = others;
    }
    base.extend(rest.iter().cloned());
    base
}

/// The paths of `a::{b, c::D}` at the start of `text`.
fn group(text: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    tree(text.trim_start(), &mut Vec::new(), &mut paths);
    paths
}

/// Reads one path or group behind `prefix`; returns what follows.
fn tree<'t>(text: &'t str, prefix: &mut Module, paths: &mut Vec<Module>) -> &'t str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
            match rest.strip_prefix('}') {
                Some(rest) => return rest,
                None if rest.is_empty() => return rest,
                None => {
                    let length = prefix.len();
                    let next = tree(rest, prefix, paths);
                    prefix.truncate(length);
                    if next.len() == rest.len() {
                        return next;
                    }
                    rest = next;
                }
            }
        }
    }
    let word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = text.find(|letter| !word(letter)).unwrap_or(text.len());
    if end == 0 {
        // A star: all of it.
        paths.push(prefix.clone());
        return text.strip_prefix('*').unwrap_or(text);
    }
    if &text[..end] != "self" || prefix.is_empty() {
        prefix.push(text[..end].to_owned());
    }
    match text[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|letter| word(letter) || letter == '{' || letter == '*') => {
            tree(rest, prefix, paths)
        }
        _ => {
            paths.push(prefix.clone());
            // Another name that it gets does not matter.
            let rest = text[end..].trim_start();
            match rest.strip_prefix("as ") {
                Some(rest) => rest.trim_start_matches(word),
                None => &text[end..],
            }
        }
    }
}

#[test]
fn files_that_name_each_other_are_found_through_what_folders_hand_on() {
    let sources = [
        (Path::new("a/mod.rs"), "mod one;\nmod two;\npub use one::{One, Other};\n"),
        (Path::new("a/one.rs"), "use crate::b::{self, deep::{Deep as D}};\nstruct One;\n"),
        (Path::new("a/two.rs"), "fn f() { crate::a::Other::new() }\n"),
        (Path::new("b/mod.rs"), "pub mod deep;\n"),
        (Path::new("b/deep.rs"), "use crate::a::One;\nuse super::super::c::C;\n"),
        (Path::new("c.rs"), "use std::fs;\npub struct C;\n"),
    ];
    let imports = Imports::of(&sources);
    let circle = [Path::new("a/one.rs"), Path::new("b/deep.rs")];
    assert_eq!(imports.circles(), [circle]);
    let names = |from: usize| imports.edges[from].iter().copied().collect::<Vec<_>>();
    assert_eq!(names(1), [3, 4]);
    assert_eq!(names(2), [1]);
    assert_eq!(names(4), [1, 5]);
}
