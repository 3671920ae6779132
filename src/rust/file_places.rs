//! Where files stand among crates and modules.

/// What a file's path says of the crate and the modules that it holds. `#[path]` makes it wrong, and
/// then what is written with it does not compile.
pub fn place_of_file(path: &str) -> (String, Vec<String>) {
    let parts: Vec<&str> = path.split('/').collect();
    let (folders, file) = parts.split_at(parts.len() - 1);
    let is_root = |part: &&str| ["src", "tests", "examples", "benches"].contains(part);
    let root = folders.iter().rposition(is_root);
    let Some(root) = root else { return (String::new(), Vec::new()) };
    let stem = file[0].trim_end_matches(".rs");
    let mut modules: Vec<String> =
        folders[root + 1..].iter().map(|part| (*part).to_owned()).collect();
    let is_own = ["lib", "main", "mod"].contains(&stem);
    if folders[root] == "src" && !is_own {
        modules.push(stem.to_owned());
    }
    let krate = match folders[root] {
        "src" => folders[..=root].join("/"),
        // Each such file is a crate of its own.
        _ => path.to_owned(),
    };
    (krate, modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_where_a_file_belongs() {
        let of = |path| {
            let (krate, modules) = place_of_file(path);
            (krate, modules.join("::"))
        };
        assert_eq!(of("src/lib.rs"), ("src".into(), String::new()));
        assert_eq!(of("a/src/b/c.rs"), ("a/src".into(), "b::c".into()));
        assert_eq!(of("a/src/b/mod.rs"), ("a/src".into(), "b".into()));
        assert_eq!(of("tests/t.rs"), ("tests/t.rs".into(), String::new()));
    }
}
