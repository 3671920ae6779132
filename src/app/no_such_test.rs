//! What a user is told whose test is not among those that were built: where it is, and the option that leads there.

use super::config::TestJob;
use super::failure::Failure;
use super::listing::{allowed_targets, sources};
use super::session::Session;
use crate::project::TestTarget;

/// Names, and commands, that are shown.
const SHOWN: usize = 5;

/// Why none of the tests `known` is meant by `subject`, and what to do.
pub fn no_such_test(session: &Session, subject: &str, known: &[&str]) -> Failure {
    let failure = Failure::error(format!("no test matches `{subject}`"));
    if session.config.cwd.join(subject).is_file() {
        return failure
            .hint(format!("`{subject}` is a file: if the compiler crashes on it, run `cargo reduce --ice {subject}`"))
            .hint(format!(
                "to reduce it as long as a command of yours succeeds, run `cargo reduce --oracle COMMAND {subject}`"
            ));
    }
    let failure = match &session.config.meant_option {
        Some(option) => failure.hint(format!("did you mean the option? `cargo reduce {option}`")),
        None => failure,
    };
    let searched = allowed_targets(session).unwrap_or_default();
    let job = if session.config.job == TestJob::Code { "--code " } else { "" };
    let mut commands = Vec::new();
    for target in session.workspace.all_test_targets() {
        let is_searched = searched.iter().any(|other| {
            other.manifest_path == target.manifest_path && other.choice == target.choice
        });
        commands.extend(
            leads_to(&target, subject, is_searched).map(|options| {
                format!("cargo reduce {job}{options} {}", shell_words::quote(subject))
            }),
        );
    }
    if !commands.is_empty() {
        let failure =
            failure.hint("the sources have a test of that name, which was not built; try");
        return commands.into_iter().take(SHOWN).fold(failure, Failure::hint);
    }
    let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let distance = |name: &str| strsim::damerau_levenshtein(&last(name), &last(subject));
    let mut near: Vec<(usize, &str)> = known.iter().map(|name| (distance(name), *name)).collect();
    near.sort_unstable();
    if near.is_empty() {
        return failure
            .hint("the selected targets have no tests: check `-p`, `--test` and `--features`");
    }
    let names: Vec<&str> = near.iter().take(SHOWN).map(|(_, name)| *name).collect();
    failure.hint(format!("tests with similar names: {}", names.join(", ")))
}

/// The options with which a test of that name in the sources of `target` is built.
fn leads_to(target: &TestTarget, subject: &str, is_searched: bool) -> Option<String> {
    let krate = sources(target)?;
    let located = krate.tests_named(subject).into_iter().next()?;
    let features = Vec::from_iter(krate.features_of(&located));
    if is_searched && features.is_empty() {
        // A condition of another kind leaves it out.
        return None;
    }
    let mut options = format!("-p {} {}", target.package, target.choice.args().join(" "));
    if !features.is_empty() {
        options.extend([" --features ", &features.join(",")]);
    }
    Some(options)
}
