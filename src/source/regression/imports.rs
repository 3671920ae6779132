//! `use` items, cut down to what is named.

use std::collections::BTreeSet;

use syn::UseTree;
use syn::parse::Parse;
use syn::spanned::Spanned;

use crate::source::Edits;
use crate::source::parse::{look_at, range};
use crate::source::removal::{self, Gap};
use crate::source::tokens::plain;

/// What is left of the `use` item `text` if only `names` are used: `None` if nothing is.
///
/// A trait can be needed for its methods although nothing names it: so types and traits from outside
/// the standard library stay, and those traits of the standard library whose methods are named.
pub(super) fn trimmed(text: &str, names: &BTreeSet<String>) -> Option<Edits> {
    let look = |item: syn::ItemUse| {
        let mut trim = Trim { text, names, edits: Edits::default(), is_std: is_std(&item.tree) };
        trim.stays(&item.tree).then_some(trim.edits)
    };
    look_at(text, syn::ItemUse::parse, look).ok()?
}

fn is_std(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => ["std", "core", "alloc"].iter().any(|name| path.ident == name),
        _ => false,
    }
}

struct Trim<'t> {
    text: &'t str,
    names: &'t BTreeSet<String>,
    edits: Edits,
    is_std: bool,
}

impl Trim<'_> {
    /// Whether something of `tree` stays; removes the parts of groups that do not.
    fn stays(&mut self, tree: &UseTree) -> bool {
        match tree {
            UseTree::Path(path) => self.stays(&path.tree),
            UseTree::Name(name) => name.ident == "self" || self.is_used(&plain(&name.ident)),
            UseTree::Rename(rename) => rename.rename == "_" || self.is_used(&plain(&rename.rename)),
            UseTree::Glob(_) => true,
            UseTree::Group(group) => self.group_stays(group),
        }
    }

    fn group_stays(&mut self, group: &syn::UseGroup) -> bool {
        let whole = range(group.brace_token.span.join(), 0);
        let elements: Vec<_> = group.items.iter().map(|part| range(part.span(), 0)).collect();
        let outer = std::mem::take(&mut self.edits);
        let mut kept_edits = Edits::default();
        let mut is_kept = Vec::new();
        for part in &group.items {
            let stays = self.stays(part);
            let edits = std::mem::take(&mut self.edits);
            if stays {
                kept_edits.extend(edits);
            }
            is_kept.push(stays);
        }
        self.edits = outer;
        if !is_kept.contains(&true) {
            return false;
        }
        let gap = Gap::Separators { inside: removal::inside(self.text, &whole, &elements) };
        let mut kept = elements.iter().zip(&is_kept).filter(|(_, kept)| **kept);
        match (kept.next(), kept.next()) {
            // Alone it needs no braces.
            (Some((only, _)), None) if elements.len() > 1 && self.text[only.clone()] != *"self" => {
                self.edits.remove(whole.start..only.start);
                self.edits.remove(only.end..whole.end);
            }
            _ => {
                for range in removal::ranges(self.text, &elements, &is_kept, &gap) {
                    self.edits.remove(range);
                }
            }
        }
        self.edits.extend(kept_edits);
        true
    }

    fn is_used(&self, name: &str) -> bool {
        if self.names.contains(name) {
            return true;
        }
        let methods: &[&str] = match name {
            "Write" => &["write", "writeln", "write_all", "flush", "write_str", "write_fmt"],
            "Read" => &["read", "read_to_end", "read_to_string", "read_exact", "bytes"],
            "BufRead" => &["lines", "read_line", "read_until"],
            "Seek" => &["seek", "rewind"],
            "FromStr" => &["from_str"],
            "Hash" => &["hash"],
            "Hasher" => &["finish"],
            _ => return !self.is_std && name.starts_with(char::is_uppercase),
        };
        methods.iter().any(|method| self.names.contains(*method))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trim(text: &str, names: &[&str]) -> Option<String> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Some(trimmed(text, &names)?.apply(text))
    }

    #[test]
    fn only_what_is_named_stays() {
        let text = "use a::{b, c::{d, e}, self};";
        assert_eq!(trim(text, &["b"]).as_deref(), Some("use a::{b, self};"));
        assert_eq!(trim("use a::{b, c::{d, e}};", &["e"]).as_deref(), Some("use a::c::e;"));
        assert_eq!(trim("use a::b;", &["c"]), None);
        assert_eq!(trim("use super::*;", &[]).as_deref(), Some("use super::*;"));
    }

    #[test]
    fn a_trait_stays_for_its_methods() {
        assert!(trim("use rand::Rng;", &[]).is_some());
        assert!(trim("use std::io::Read;", &["read_to_end"]).is_some());
        assert!(trim("use std::collections::HashMap;", &["x"]).is_none());
    }
}
