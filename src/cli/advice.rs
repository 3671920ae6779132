//! What a command line that makes no sense may be meant as.

use anyhow::anyhow;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// Names of tests shorter than this are not taken for mistyped options.
const SHORTEST: usize = 4;

/// Two words where a test is expected; the first of them may be meant as an option, or as the command of cargo.
pub fn more_than_one(first: &str, second: &str, command: &Command) -> anyhow::Error {
    let tip = match (first, meant_option(first, command)) {
        ("test" | "run", _) => format!("did you mean `cargo reduce {second}`?"),
        ("help", _) => "`cargo reduce --help` explains all options".to_owned(),
        (_, Some(option)) => format!("did you mean `cargo reduce {option} {second}`?"),
        (_, None) => "give one test, or use `--all` to reduce each failing test".to_owned(),
    };
    anyhow!("expected one TEST, not two: `{first}` and `{second}`\n\n  tip: {tip}")
}

/// The option that a word without hyphens may be meant as: one of that name, or of nearly that name.
pub fn meant_option(word: &str, command: &Command) -> Option<String> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let names: Vec<&str> = shown.filter_map(Arg::get_long).chain(["help", "version"]).collect();
    let is_near = |name: &&&str| strsim::damerau_levenshtein(name, word) == 1;
    let exact = names.iter().find(|name| **name == word);
    let near = || names.iter().find(is_near).filter(|_| word.len() >= SHORTEST);
    Some(format!("--{}", exact.or_else(near)?))
}

/// The error, which says what each option is for where two of them do not go together.
pub fn with_meanings(mut error: clap::Error, command: &Command) -> clap::Error {
    if error.kind() != ErrorKind::ArgumentConflict {
        return error;
    }
    let mut options = Vec::new();
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        match error.get(kind) {
            Some(ContextValue::String(option)) => options.push(option.clone()),
            Some(ContextValue::Strings(several)) => options.extend(several.iter().cloned()),
            _ => {}
        }
    }
    let meanings = options.iter().filter_map(|option| meaning(command, option)).collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(meanings));
    error
}

/// What an option is for that is written as `--out <DIR>`.
fn meaning(command: &Command, option: &str) -> Option<clap::builder::StyledStr> {
    let long = option.strip_prefix("--")?.split([' ', '.', '=']).next()?;
    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(long))?;
    Some(format!("--{long}: {}", arg.get_help()?).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;

    #[test]
    fn options_are_found_by_nearly_their_names() {
        let meant = ["guide", "list", "generalise", "hlep", "cod", "keeps_every_version"];
        let options = meant.map(|word| meant_option(word, &Cli::grouped()));
        let options = options.each_ref().map(|option| option.as_deref().unwrap_or("none"));
        assert_eq!(options, ["--guide", "--list", "--generalize", "--help", "none", "none"]);
    }
}
