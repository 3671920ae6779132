//! Settings with a name: `[package.metadata.reduce.settings.ci]` counts where a call asks for `--settings ci`.

use serde_json::Value;

use crate::app::failure::{Failure, Result};
use crate::project::ManifestTable;

/// The key below which they stand, and the option that chooses them.
const KEY: &str = "settings";

/// The tables of manifests, sorted by whether they count.
#[derive(Debug, Default)]
pub struct Tables {
    /// Those that count, from the weakest to the strongest: the ones without a name, then the chosen ones.
    pub used: Vec<ManifestTable>,
    /// Those with a name that was not asked for.
    pub unused: Vec<ManifestTable>,
}

impl Tables {
    /// What stands in `tables`, if the settings named `chosen` are asked for.
    ///
    /// # Errors
    /// When there are no settings of that name.
    pub fn new(tables: Vec<ManifestTable>, chosen: Option<&str>) -> Result<Tables> {
        let (mut used, mut named) = (Vec::new(), Vec::new());
        for mut table in tables {
            let below = table.content.as_object_mut().and_then(|content| content.remove(KEY));
            for (name, content) in of_names(&table, below)? {
                let full = format!("{}.{KEY}.{name}", table.name);
                named.push((name, ManifestTable { name: full, content, ..table.clone() }));
            }
            used.push(table);
        }
        if let Some(chosen) = chosen
            && named.iter().all(|(name, _)| name != chosen)
        {
            let failure = Failure::usage(format!("no settings are named `{chosen}`"));
            let mut names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
            names.dedup();
            return Err(if names.is_empty() {
                failure.hint(format!(
                    "define them in `[package.metadata.reduce.{KEY}.{chosen}]` of a manifest"
                ))
            } else {
                failure.hint(format!("available: {}", names.join(", ")))
            });
        }
        let mut all = Tables { used, unused: Vec::new() };
        for (name, table) in named {
            let is_chosen = chosen == Some(name.as_str());
            if is_chosen { &mut all.used } else { &mut all.unused }.push(table);
        }
        Ok(all)
    }
}

/// The names and contents of what stands `below` the key in `table`.
fn of_names(table: &ManifestTable, below: Option<Value>) -> Result<serde_json::Map<String, Value>> {
    match below {
        None => Ok(serde_json::Map::new()),
        Some(Value::Object(named)) => Ok(named),
        Some(_) => Err(Failure::usage(format!(
            "`{KEY}` of [{}] in {} must hold tables",
            table.name, table.manifest_path
        ))
        .hint(format!("for example, `--{KEY} ci` uses the table `[{}.{KEY}.ci]`", table.name))),
    }
}
