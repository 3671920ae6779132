//! What is already built, brought into the target directory of a scratch copy.

use std::collections::BTreeSet;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::files::{create_dir, file_error};
use super::scratch::keep_time;
use super::{Built, Result, Scratch, Workspace};

impl Scratch {
    /// Copies what is already built into the copy's target directory.
    pub(super) fn prime(&self, workspace: &Workspace, built: &Built) -> Result<()> {
        let from = workspace.target_directory();
        let to = self.target_dir();
        let mut seen = BTreeSet::new();
        let files = built.artifacts.iter().flat_map(|artifact| {
            artifact.filenames.iter().chain(&artifact.executable).map(camino::Utf8PathBuf::as_path)
        });
        let folders = built.build_scripts.iter().map(|script| script.out_dir.as_path());
        for path in files.chain(folders) {
            let Some(unit) = Unit::of(path, &from) else { continue };
            if seen.insert((unit.profile_dir.clone(), unit.suffix.clone())) {
                unit.bring(&from, &to)?;
            }
        }
        Ok(())
    }
}

/// One unit of cargo's build graph: all its files end in the same `-hash`.
struct Unit {
    /// `debug`, `x86_64-unknown-linux-gnu/release`, …, relative to the target directory.
    profile_dir: Utf8PathBuf,
    /// `-0123456789abcdef`
    suffix: String,
}

impl Unit {
    fn of(path: &Utf8Path, target_dir: &Utf8Path) -> Option<Unit> {
        let relative = path.strip_prefix(target_dir).ok()?;
        let parts: Vec<&str> = relative.components().map(|part| part.as_str()).collect();
        let place = parts.iter().position(|part| matches!(*part, "deps" | "build" | "examples"))?;
        let name = parts.get(place + 1)?;
        let stem = name.split('.').next().unwrap_or(name);
        let (_, hash) = stem.rsplit_once('-')?;
        Some(Unit { profile_dir: parts[..place].iter().collect(), suffix: format!("-{hash}") })
    }

    /// They are copied: a file with two names could be written to from the copy, too.
    fn bring(&self, from: &Utf8Path, to: &Utf8Path) -> Result<()> {
        for folder in ["deps", "build", "examples", ".fingerprint"] {
            let source = from.join(&self.profile_dir).join(folder);
            let target = to.join(&self.profile_dir).join(folder);
            let Ok(entries) = source.read_dir_utf8() else { continue };
            for entry in entries.filter_map(Result::ok) {
                let name = entry.file_name();
                let stem = name.split('.').next().unwrap_or(name);
                if stem.ends_with(&self.suffix) {
                    create_dir(&target)?;
                    bring_tree(entry.path(), &target.join(name))?;
                }
            }
        }
        Ok(())
    }
}

fn bring_tree(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    if from.is_dir() {
        create_dir(to)?;
        let entries = from.read_dir_utf8().map_err(|source| file_error("read", from, source))?;
        for entry in entries.filter_map(Result::ok) {
            bring_tree(entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if to.exists() {
        return Ok(());
    }
    fs::copy(from, to).map_err(|source| file_error("copy", from, source))?;
    keep_time(from, to)
}
