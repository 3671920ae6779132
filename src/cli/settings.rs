//! Options that are set elsewhere than on the command line: in manifests and in the environment.
//!
//! There is no second list of options: what can be set, and to what, is asked of clap's own definition. A value that is set
//! becomes the default of its option, so that the command line wins, and nothing that an option excludes or
//! requires is asked of a value that nobody gave in this call.

use std::collections::BTreeMap;
use std::fmt;

use camino::Utf8PathBuf;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use crate::app::failure::{Failure, Result};
use crate::project::ManifestTable;

/// What begins the name of a variable that sets an option.
const PREFIX: &str = "CARGO_REDUCE_";

/// What stands before the name of a flag that is undone.
const NO: &str = "no-";

/// Options that say what a single call does, by their long names. They are set nowhere else.
pub(super) const PER_CALL: &[&str] = &[
    "all", "code", "completions", "contrast-input", "debug", "diff", "editor", "emit-grammar",
    "fresh", "from-junit", "fuzz", "generalize", "guide", "ice", "list", "list-passes", "man",
    "manifest-path", "markdown", "maximize", "only", "oracle", "oracle-prints", "passes-with",
    "pattern", "shard", "show-config", "since", "skip", "write",
];

/// Options with which users open their own system to candidates, or programs of theirs. The environment may set them,
/// which is the users', and a
/// manifest may not, which anybody may have written.
pub(super) const OF_THE_USER: &[&str] = &["allow", "env", "open", "sandbox", "settings"];

/// The options that are set, by their ids.
#[derive(Debug, Clone, Default)]
pub struct Settings(BTreeMap<String, Setting>);

/// An option that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setting {
    /// As they would stand on the command line.
    values: Vec<String>,
    origin: Origin,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    Manifest { table: String, path: Utf8PathBuf },
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Manifest { table, path } => write!(f, "[{table}] in {path}"),
            Origin::Variable(name) => name.fmt(f),
        }
    }
}

impl Settings {
    /// What `tables`, from the one of the lowest precedence up, and then `variables` set of the options of `command`.
    ///
    /// # Errors
    /// When one sets an option that there is not, or that it may not set, or to a value that the option does not have.
    pub fn new(
        command: &Command,
        tables: &[ManifestTable],
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self> {
        let mut command = command.clone();
        command.build();
        let mut settings = Settings::default();
        for table in tables {
            let origin =
                Origin::Manifest { table: table.name.clone(), path: table.manifest_path.clone() };
            let Value::Object(entries) = &table.content else {
                return Err(Failure::usage(format!("{origin} is not a table")));
            };
            for (key, value) in entries {
                let arg = find(&command, key, &origin)?;
                let values = of_json(value).ok_or_else(|| {
                    wrong_value(
                        key,
                        &origin,
                        "expected a string, a number, a boolean, or a list of these",
                    )
                })?;
                settings.set(arg, values, origin.clone())?;
            }
        }
        for (name, value) in variables {
            let Some(key) = name.strip_prefix(PREFIX) else {
                continue;
            };
            let origin = Origin::Variable(name.clone());
            let arg = find(&command, &key.to_lowercase().replace('_', "-"), &origin)?;
            settings.set(arg, of_variable(arg, &value), origin)?;
        }
        Ok(settings)
    }

    fn set(&mut self, arg: &Arg, values: Vec<String>, origin: Origin) -> Result<()> {
        check(arg, &values, &origin)?;
        self.0.insert(arg.get_id().to_string(), Setting { values, origin });
        Ok(())
    }

    /// Those that exclude nothing that was given in this call.
    #[must_use]
    pub fn beside(mut self, command: &Command, given: &ArgMatches) -> Self {
        let is_given = |arg: &&Arg| {
            given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let excludes = |one: &Arg, other: &Arg| {
            command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
        };
        for arg in command.get_arguments().filter(is_given) {
            if let Some(undone) = arg.get_id().as_str().strip_prefix(NO) {
                self.0.remove(undone);
            }
            self.0.retain(|id, _| {
                let set = command.get_arguments().find(|set| set.get_id() == id);
                set.is_none_or(|set| !excludes(set, arg) && !excludes(arg, set))
            });
        }
        self
    }

    /// The command in which the values that are set are those that an option has when it is not given.
    pub fn apply(&self, command: Command) -> Command {
        command.mut_args(|arg| match self.0.get(arg.get_id().as_str()) {
            Some(setting) => arg.default_values(setting.values.clone()),
            None => arg,
        })
    }

    /// Each option that can be set, with its value and where that comes from, as TOML.
    pub fn show(&self, command: &Command, matches: &ArgMatches) -> String {
        let mut command = command.clone();
        command.build();
        let mut lines = Vec::new();
        for (key, arg) in configurable(&command) {
            let id = arg.get_id().as_str();
            let raw = matches.get_raw(id).into_iter().flatten();
            let values: Vec<String> =
                raw.map(|value| value.to_string_lossy().into_owned()).collect();
            let origin = match (matches.value_source(id), self.0.get(id)) {
                (Some(ValueSource::CommandLine), _) => "command line".to_owned(),
                _ if is_undone(matches, id) => "command line".to_owned(),
                (_, Some(setting)) => setting.origin.to_string(),
                (_, None) => "default".to_owned(),
            };
            lines.push(if values.is_empty() {
                format!("# {key} =")
            } else {
                format!("{:<40} # {origin}", format!("{key} = {}", toml(arg, &values)))
            });
        }
        lines.join("\n") + "\n"
    }
}

/// The options that can be set, with their keys.
fn configurable(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let named = command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg)));
    named.filter(|(key, arg)| {
        !PER_CALL.contains(key) && !["help", "version"].contains(key) && !arg.is_hide_set()
    })
}

/// For each flag that can be set the one that undoes it, which no help shows: `--no-strict`.
pub(super) fn undoing(command: &Command) -> Vec<Arg> {
    let flags = configurable(command).filter(|(key, arg)| {
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::Count);
        is_flag && !key.starts_with(NO)
    });
    let undoing = flags.map(|(key, arg)| {
        let no = Arg::new(format!("{NO}{}", arg.get_id())).long(format!("{NO}{key}"));
        no.action(ArgAction::SetTrue).hide(true).overrides_with(arg.get_id())
    });
    undoing.collect()
}

/// Whether the flag with this id is undone on the command line.
fn is_undone(matches: &ArgMatches, id: &str) -> bool {
    let no = matches.try_get_one::<bool>(&format!("{NO}{id}"));
    no.is_ok_and(|no| no.is_some_and(|is_given| *is_given))
}

fn find<'a>(command: &'a Command, key: &str, origin: &Origin) -> Result<&'a Arg> {
    let in_manifest = matches!(origin, Origin::Manifest { .. });
    let shown = |key: &str| match origin {
        Origin::Manifest { .. } => key.to_owned(),
        Origin::Variable(_) => format!("{PREFIX}{}", key.to_uppercase().replace('-', "_")),
    };
    let place = |what: &str| match origin {
        Origin::Manifest { .. } => format!("`{key}` of {origin} {what}"),
        Origin::Variable(name) => format!("the variable `{name}` {what}"),
    };
    if PER_CALL.contains(&key) {
        return Err(Failure::usage(place("cannot be set here: it belongs to a single run"))
            .hint(format!("use it on the command line: `cargo reduce --{key}`")));
    }
    if in_manifest && OF_THE_USER.contains(&key) {
        let variable = format!("{PREFIX}{}", key.to_uppercase());
        return Err(Failure::usage(place(
            "cannot be set in a manifest, because it gives the code access to the machine of whoever runs it",
        ))
        .hint(format!("set the environment variable `{variable}`, or use `--{key}`")));
    }
    if let Some((_, arg)) = configurable(command).find(|(known, _)| *known == key) {
        return Ok(arg);
    }
    let distance = |known: &str| strsim::damerau_levenshtein(known, key);
    let nearest = configurable(command).map(|(known, _)| known).min_by_key(|known| distance(known));
    let failure = Failure::usage(place("is not an option"));
    let failure = match nearest {
        Some(nearest) => failure.hint(format!("did you mean `{}`?", shown(nearest))),
        None => failure,
    };
    Err(failure.hint("`cargo reduce --show-config` lists all options that can be set"))
}

/// Has clap read the values as if the option stood on the command line.
fn check(arg: &Arg, values: &[String], origin: &Origin) -> Result<()> {
    let key = arg.get_long().unwrap_or_default();
    if takes_many(arg).is_none() && values.len() != 1 {
        return Err(wrong_value(key, origin, "expected one value"));
    }
    let alone =
        Arg::new("value").value_parser(arg.get_value_parser().clone()).action(ArgAction::Append);
    let words = values.iter().map(|value| format!("--value={value}"));
    let command = Command::new("value").no_binary_name(true).arg(alone.long("value"));
    match command.try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = error.to_string();
            let why = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let failure = wrong_value(key, origin, &why.replace(" for '--value <value>'", ""));
            let possible = message.lines().find(|line| line.contains("[possible values: "));
            Err(match possible {
                Some(possible) => failure.hint(possible.trim().trim_matches(['[', ']'])),
                None => failure,
            })
        }
    }
}

fn wrong_value(key: &str, origin: &Origin, why: &str) -> Failure {
    Failure::usage(match origin {
        Origin::Manifest { .. } => format!("`{key}` of {origin}: {why}"),
        Origin::Variable(name) => format!("the variable `{name}`: {why}"),
    })
}

/// Between which letters the values of an option stand that may have several.
fn takes_many(arg: &Arg) -> Option<char> {
    match arg.get_action() {
        ArgAction::Append => Some(arg.get_value_delimiter().unwrap_or(' ')),
        _ => None,
    }
}

/// The values that a variable names.
fn of_variable(arg: &Arg, value: &str) -> Vec<String> {
    match (takes_many(arg), arg.get_action()) {
        (Some(delimiter), _) => {
            let parts = value.split(delimiter).filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        }
        // As cargo reads its own variables.
        (None, ArgAction::SetTrue) if value == "1" => vec!["true".to_owned()],
        (None, ArgAction::SetTrue) if value == "0" => vec!["false".to_owned()],
        (None, _) => vec![value.to_owned()],
    }
}

fn of_json(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Bool(_) | Value::Number(_) => Some(vec![value.to_string()]),
        Value::Array(all) => {
            let each = all.iter().map(|one| if one.is_array() { None } else { of_json(one) });
            Some(each.collect::<Option<Vec<_>>>()?.concat())
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// Values as a manifest has them.
fn toml(arg: &Arg, values: &[String]) -> String {
    let one = |value: &String| {
        let is_plain = value.parse::<f64>().is_ok() || ["true", "false"].contains(&value.as_str());
        if is_plain { value.clone() } else { toml_edit::Value::from(value).to_string() }
    };
    match takes_many(arg) {
        Some(_) => format!("[{}]", values.iter().map(one).collect::<Vec<_>>().join(", ")),
        None => values.first().map(one).unwrap_or_default(),
    }
}
