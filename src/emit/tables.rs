//! Tables of manifests, written as such or inline.

use toml_edit::{Item, TableLike};

/// The table of that name.
pub(super) fn table<'t>(outer: &'t mut dyn TableLike, key: &str) -> Option<&'t mut dyn TableLike> {
    outer.get_mut(key)?.as_table_like_mut()
}

/// Removes the entries that are not to be kept; their names.
pub(super) fn retain(
    table: &mut dyn TableLike,
    is_kept: impl Fn(&str, &Item) -> bool,
) -> Vec<String> {
    let others = table.iter().filter(|(key, item)| !is_kept(key, item));
    let others: Vec<String> = others.map(|(key, _)| key.to_owned()).collect();
    for key in &others {
        table.remove(key);
    }
    others
}
