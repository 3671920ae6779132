//! The `[env]` table of cargo's configuration files, which cargo gives to test binaries.

use std::collections::BTreeMap;

use camino::Utf8Path;
use toml_edit::{DocumentMut, Item};

/// Reads `[env]` from `.cargo/config.toml` in `folder` and above; the nearest wins.
pub(super) fn config_env(folder: &Utf8Path) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    for ancestor in folder.ancestors() {
        for name in [".cargo/config.toml", ".cargo/config"] {
            let Ok(text) = std::fs::read_to_string(ancestor.join(name)) else { continue };
            let Ok(document) = text.parse::<DocumentMut>() else { continue };
            let Some(table) = document.get("env").and_then(Item::as_table_like) else { continue };
            for (key, item) in table.iter() {
                if let Some(value) = entry(key, item, ancestor) {
                    env.entry(key.to_owned()).or_insert(value);
                }
            }
            break;
        }
    }
    env
}

/// `KEY = "value"` or `KEY = { value = "…", force = bool, relative = bool }`. Without `force` the
/// environment of the user wins.
fn entry(key: &str, item: &Item, folder: &Utf8Path) -> Option<String> {
    let inherited = std::env::var(key).ok();
    if let Some(value) = item.as_str() {
        return Some(inherited.unwrap_or_else(|| value.to_owned()));
    }
    let table = item.as_table_like()?;
    let flag = |name: &str| table.get(name).and_then(Item::as_bool).unwrap_or(false);
    let value = table.get("value").and_then(Item::as_str)?;
    let value = if flag("relative") { folder.join(value).into_string() } else { value.to_owned() };
    Some(if flag("force") { value } else { inherited.unwrap_or(value) })
}
