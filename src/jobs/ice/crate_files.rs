//! The files of a crate as candidates: one by one, or all in one.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use camino::Utf8Path;
use regex::Regex;

use crate::exec::Interrupt;
use crate::oracle::ice::{Compilation, Compiled};
use crate::reduce::Answer;
use crate::rust::{CrateRoot, Sameness, SourceFile, Sources, flatten};
use crate::source::{Crate, SourceError, tidy};

/// A crate that was read from its root file down.
pub struct CrateFiles {
    /// Its files as they are, the root first.
    pub several: Sources,
    /// All of them as one, if they are made of tokens.
    one: Option<Sources>,
    /// Files that it may include.
    pub beside: Vec<(PathBuf, Vec<u8>)>,
}

impl CrateFiles {
    /// Reads the crate with the root file `root`; files are named relative to `folder`.
    ///
    /// # Errors
    /// When the root file cannot be read or parsed.
    pub fn load(root: &Utf8Path, folder: &Utf8Path) -> Result<CrateFiles, SourceError> {
        let read = |path: &Path| std::fs::read_to_string(path);
        let krate = Crate::load(root.as_std_path(), folder.as_std_path(), read)?;
        let file = |path: &Path, text: &str| {
            SourceFile::new(relative(path, folder).to_string_lossy(), text)
        };
        let several = krate.files().iter();
        let several = several.map(|it| file(&it.path, &it.text)).collect();
        let several = Sources::new(several, Sameness::Tokens);
        let root_file =
            CrateRoot { file: several.files[0].path.to_string(), ..CrateRoot::default() };
        let one = flatten(&several, &root_file, &[]).ok();
        Ok(CrateFiles {
            one: one.map(|one| Sources::new(one.files, Sameness::Tokens)),
            several,
            beside: beside(&krate, folder, root),
        })
    }

    /// One file, if that crashes just as `first` did; else the files as they are.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    pub fn into_fewest(
        self,
        compilation: &Compilation,
        first: &Compiled,
        interrupt: &Interrupt,
    ) -> Answer<Sources> {
        if let Some(one) = self.one.filter(|_| self.several.files.len() > 1)
            && compilation.run(&one, interrupt)?.verdict == first.verdict
        {
            return Ok(one);
        }
        Ok(self.several)
    }
}

fn relative<'p>(path: &'p Path, folder: &Utf8Path) -> &'p Path {
    path.strip_prefix(folder).unwrap_or(path)
}

/// Files that the crate may include: those that a literal in it names. They are put where they are
/// found both from the file that names them and, as all may become one file, from the root.
pub fn beside(krate: &Crate, folder: &Utf8Path, root: &Utf8Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for file in krate.files() {
        let here = file.path.parent().unwrap_or(Path::new(""));
        for name in NAMED.captures_iter(&file.text).filter_map(|it| it.get(1)) {
            let Ok(bytes) = std::fs::read(here.join(name.as_str())) else { continue };
            let top = root.parent().unwrap_or(Utf8Path::new("")).as_std_path();
            for place in [here.join(name.as_str()), top.join(name.as_str())] {
                let place = tidy(relative(&place, folder));
                if place.is_relative() && !place.starts_with("..") {
                    found.push((place, bytes.clone()));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A literal that may name a file.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#""([^"\\\n]{1,200}\.\w{1,8})""#)
        .unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
});
