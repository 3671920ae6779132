//! What a candidate changes of the best, in a few words.

use crate::reduce::inputs::{Body, Inputs, Node, Value};
use crate::rust::{Sources, runs};

/// Characters of a text that are shown.
const SHOWN: usize = 60;
/// Changes that are named.
const NAMED: usize = 3;

/// A candidate of which people are told.
pub trait Described {
    /// What is not there in it, or another, than in `best`.
    fn change_of(&self, best: &Self) -> String;

    /// Its beginning, or what is most of it.
    fn excerpt(&self) -> String;
}

impl Described for Inputs {
    fn change_of(&self, best: &Inputs) -> String {
        let mut changes = Vec::new();
        for (old, new) in best.0.iter().zip(&self.0) {
            note_changes(old, new, &mut changes);
        }
        in_words(&changes)
    }

    fn excerpt(&self) -> String {
        let size = |value: &Value| value.size();
        let largest = self.leaves().map(|(_, value)| value).max_by_key(|value| size(value));
        largest.map(shown).unwrap_or_default()
    }
}

impl Described for Sources {
    fn change_of(&self, best: &Sources) -> String {
        let mut changes = Vec::new();
        for (old, new) in best.files.iter().zip(&self.files) {
            let (old, text) = (runs::shown(&old.text), runs::shown(&new.text));
            if old != text {
                changes.push(format!("{}: {}", new.path, text_change(&old, &text)));
            }
        }
        in_words(&changes)
    }

    fn excerpt(&self) -> String {
        let largest = self.files.iter().max_by_key(|file| file.text.len());
        let text = runs::shown(largest.map(|file| &*file.text).unwrap_or_default());
        // How it is laid out is no news.
        text.split_whitespace().take(SHOWN).collect::<Vec<_>>().join(" ")
    }
}

/// Names what differs between two versions of a node.
fn note_changes(old: &Node, new: &Node, changes: &mut Vec<String>) {
    match (&old.body, &new.body) {
        (Body::Leaf(old), Body::Leaf(new)) if old != new => {
            let texts = old.as_text().zip(new.as_text());
            changes.push(texts.map_or_else(
                || format!("replaced {} by {}", shown(old), shown(new)),
                |(old, new)| text_change(old, new),
            ));
        }
        (Body::Seq(olds) | Body::Group(olds), Body::Seq(news) | Body::Group(news)) => {
            let kept = |old: &Node| news.iter().find(|new| new.id == old.id);
            let gone = olds.iter().filter(|old| kept(old).is_none()).count();
            if gone > 0 {
                changes.push(format!("removed {gone} of {} elements", olds.len()));
            }
            for old in olds {
                if let Some(new) = kept(old) {
                    note_changes(old, new, changes);
                }
            }
        }
        _ => {}
    }
}

fn in_words(changes: &[String]) -> String {
    let named = changes[..changes.len().min(NAMED)].join("; ");
    match changes.len().saturating_sub(NAMED) {
        0 if changes.is_empty() => "no visible change".to_owned(),
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => shortened(text),
        Value::Bytes(bytes) => shortened(&String::from_utf8_lossy(bytes)),
        Value::Char(c) => format!("{c:?}"),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => float.0.to_string(),
        Value::Bool(bool) => bool.to_string(),
    }
}

/// What was between what both texts have in common, and what is there now.
fn text_change(old: &str, new: &str) -> String {
    let common = |(one, other): &(char, char)| one == other;
    let start = old.chars().zip(new.chars()).take_while(common).map(|(c, _)| c.len_utf8()).sum();
    let (old, new): (&str, &str) = (&old[start..], &new[start..]);
    let end: usize = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(common)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let (gone, come) = (&old[..old.len() - end], &new[..new.len() - end]);
    let (before, after) = (gone.chars().count(), come.chars().count());
    match (gone.is_empty(), come.is_empty()) {
        (_, true) if before == 1 => format!("removed {}", shortened(gone)),
        (_, true) => format!("removed {before} characters: {}", shortened(gone)),
        (true, false) => format!("added {}", shortened(come)),
        // More than one place has changed, and what stands between them is no news.
        (false, false) if after > SHOWN && after < before => {
            let removed = before - after;
            format!("removed {removed} of {before} characters: {}", shortened(gone))
        }
        (false, false) => format!("replaced {} by {}", shortened(gone), shortened(come)),
    }
}

/// A text in quotes, without its middle if it is long.
fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= SHOWN {
        return format!("{text:?}");
    }
    let head: String = text.chars().take(SHOWN * 3 / 4).collect();
    let tail: String = text.chars().skip(count - SHOWN / 4).collect();
    format!("{head:?} … {tail:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    #[test]
    fn what_two_texts_have_in_common_is_not_told() {
        assert_eq!(text_change("abcd", "ad"), r#"removed 2 characters: "bc""#);
        assert_eq!(text_change("abd", "acd"), r#"replaced "b" by "c""#);
        assert_eq!(text_change("aa", "a"), r#"removed "a""#);
        assert_eq!(text_change("éé", "éxé"), r#"added "x""#);
    }

    #[test]
    fn of_changes_in_several_places_the_size_is_told() {
        let kept = "what stays ".repeat(10);
        let change = text_change(&format!("gone {kept}gone"), &kept);
        assert!(change.starts_with("removed 9 of 119 characters: \"gone"), "{change}");
    }

    #[test]
    fn what_stands_in_sources_for_our_own_use_is_not_shown() {
        let text = |name: &str| {
            format!("fn {name}() {{ f(::{}::input_0!()) }}\nextern crate {0};", runs::LIBRARY)
        };
        let sources = |name: &str| Sources::of_file("a.rs", text(name), Sameness::Text);
        let (one, other) = (sources("a"), sources("b"));
        assert_eq!(one.excerpt(), "fn a() { f(…) }");
        assert_eq!(other.change_of(&one), r#"a.rs: replaced "a" by "b""#);
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let text = shortened(&"ab".repeat(100));
        assert!(text.contains(" … ") && text.len() < 80, "{text}");
    }
}
