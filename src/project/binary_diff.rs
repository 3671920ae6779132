//! Differences of files that are no text.

use std::fs;

use camino::Utf8Path;

use crate::exec::{Interrupt, Job, run_tool};

/// The diff from `before` to `after` of the file with this name, as `git apply` takes it; `None` where git cannot make
/// it.
pub fn binary_diff(name: &Utf8Path, before: &[u8], after: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let names = ["a", "b"].map(|side| Utf8Path::new(side).join(name));
    for (name, content) in names.iter().zip([before, after]) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent()?).ok()?;
        fs::write(path, content).ok()?;
    }
    let job = Job::new("git")
        .args(["diff", "--no-index", "--no-prefix", "--binary", "--no-color", "--no-ext-diff"])
        .args(names.iter().map(|name| name.as_str()))
        .cwd(folder.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    let finished = run_tool(&job, &Interrupt::new()).ok()?;
    let diff = finished.stdout.text().clone();
    diff.contains("GIT binary patch").then_some(diff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_applies_a_diff_of_bytes() {
        let (before, after) = ([0, 0xff, b'\n', 7].repeat(300), vec![0xff, 0]);
        let name = Utf8Path::new("tests/data/a.bin");
        let diff = binary_diff(name, &before, &after).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, before).unwrap();
        fs::write(folder.path().join("a.diff"), diff).unwrap();
        let job = Job::new("git").args(["apply", "a.diff"]).cwd(folder.path());
        let finished = run_tool(&job, &Interrupt::new()).unwrap();
        assert!(finished.exit.is_success(), "{}", finished.stderr.text());
        assert_eq!(fs::read(path).unwrap(), after);
    }
}
