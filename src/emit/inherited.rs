//! What a package inherits of its workspace, written out.

use toml_edit::{Array, Item, Table, TableLike, Value};

use super::local_paths::each_list;

const INHERITED: [&str; 4] = ["edition", "rust-version", "version", "publish"];

/// Gives what `key.workspace = true` stands for.
pub(super) fn inherit(package: &mut dyn TableLike, shared: Option<&Item>) {
    let keys: Vec<String> = package.iter().map(|(key, _)| key.to_owned()).collect();
    for key in keys {
        if !is_inherited(package.get(&key)) {
            continue;
        }
        let value = shared.and_then(|shared| shared.get(&key)).cloned();
        match value.filter(|_| INHERITED.contains(&key.as_str())) {
            Some(value) => drop(package.insert(&key, value)),
            None => drop(package.remove(&key)),
        }
    }
}

fn is_inherited(item: Option<&Item>) -> bool {
    item.and_then(|item| item.get("workspace")?.as_bool()) == Some(true)
}

/// Writes out dependencies that are inherited.
pub(super) fn write_out_inherited(document: &mut Table, shared: Option<&dyn TableLike>) {
    each_list(document, &mut |own| {
        for (key, item) in own.iter_mut() {
            if is_inherited(Some(item))
                && let Some(meaning) = shared.and_then(|shared| shared.get(key.get()))
            {
                *item = merged(meaning, item);
            }
        }
    });
}

/// What a dependency means, with the features of another mention of it: one that inherits it, or that of
/// another package.
pub(super) fn merged(meaning: &Item, own: &Item) -> Item {
    let mut table = toml_edit::InlineTable::new();
    match meaning {
        Item::Value(Value::String(version)) => {
            table.insert("version", Value::String(version.clone()));
        }
        meaning => {
            let parts = meaning.as_table_like().into_iter().flat_map(TableLike::iter);
            for (key, value) in parts.filter_map(|(key, item)| Some((key, item.as_value()?))) {
                table.insert(key, value.clone());
            }
        }
    }
    let mut features: Vec<String> = Vec::new();
    for item in [meaning, own] {
        let named = item.get("features").and_then(Item::as_array);
        let names = named.into_iter().flat_map(Array::iter);
        features.extend(names.filter_map(|name| name.as_str().map(str::to_owned)));
    }
    if !features.is_empty() {
        features.sort();
        features.dedup();
        table.insert("features", Value::Array(features.into_iter().collect()));
    }
    Item::Value(Value::InlineTable(table))
}
