//! The files of a revision of a git repository.

use camino::{Utf8Path, Utf8PathBuf};

use super::error::cargo_error;
use super::{ProjectError, Result};
use crate::exec::{Interrupt, Job, run_tool};

/// Writes the files of a revision of the repository that holds the folder `own` below `folder`, which exists, and tells
/// where
/// those of `own` are then. The repository is only read.
///
/// # Errors
/// When there is no repository or no such revision, or `own` is no package or workspace in it.
pub fn check_out(
    own: &Utf8Path,
    revision: &str,
    folder: &Utf8Path,
    interrupt: &Interrupt,
) -> Result<Utf8PathBuf> {
    let git = Git { revision, folder, interrupt };
    let inside = git.run(own, &["rev-parse", "--show-prefix"])?;
    let top = git.run(own, &["rev-parse", "--show-toplevel"])?;
    let commit = format!("{revision}^{{commit}}");
    git.run(own, &["rev-parse", "--verify", "--quiet", &commit]).map_err(|error| match error {
        ProjectError::Revision { .. } => git.trouble("the repository has no such revision"),
        other => other,
    })?;
    let tree = folder.join("revision");
    git.run(Utf8Path::new(&top), &["read-tree", revision])?;
    let prefix = format!("--prefix={tree}/");
    git.run(Utf8Path::new(&top), &["checkout-index", "-a", "-f", &prefix])?;
    let checked_out = tree.join(inside.trim_end_matches('/'));
    if checked_out.join("Cargo.toml").exists() {
        return Ok(checked_out);
    }
    Err(git.trouble("the package does not exist in that revision"))
}

/// Runs git with an index of our own.
struct Git<'a> {
    revision: &'a str,
    folder: &'a Utf8Path,
    interrupt: &'a Interrupt,
}

impl Git<'_> {
    fn run(&self, cwd: &Utf8Path, args: &[&str]) -> Result<String> {
        let job = Job::new("git")
            .args(args)
            .cwd(cwd.as_std_path())
            .env("GIT_INDEX_FILE", self.folder.join("index").as_str());
        let finished = run_tool(&job, self.interrupt).map_err(cargo_error)?;
        if finished.exit.is_success() {
            return Ok(finished.stdout.text().trim_end().to_owned());
        }
        Err(self.trouble(format!("git says: {}", finished.stderr.text().trim())))
    }

    fn trouble(&self, why: impl Into<String>) -> ProjectError {
        ProjectError::Revision { revision: self.revision.to_owned(), why: why.into() }
    }
}
