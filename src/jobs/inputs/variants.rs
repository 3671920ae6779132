//! Slightly other inputs: what of a failure's message follows the inputs shows in how it fails with them.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::reduce::inputs::{Body, Inputs, Node, Value};

/// So many texts, and so many sequences, are changed.
const MOST: usize = 3;

/// Inputs whose longest texts and sequences are a little longer or shorter.
pub fn variants(inputs: &Inputs) -> Vec<Inputs> {
    let longest = |is_wanted: &dyn Fn(&Node) -> bool| {
        let nodes = inputs.nodes().map(Arc::as_ref).filter(|node| is_wanted(node));
        let mut nodes: Vec<&Node> = nodes.collect();
        nodes.sort_by_key(|node| Reverse(node.size()));
        nodes.truncate(MOST);
        nodes
    };
    let texts = longest(&|node| node.value().is_some_and(|value| value.content().len() > 1));
    let sequences = longest(&|node| matches!(&node.body, Body::Seq(parts) if parts.len() > 1));
    let mut variants = Vec::new();
    for node in texts {
        let Some(value) = node.value() else { continue };
        let changed = match (value.as_text(), value) {
            (Some(text), _) => texts_like(text).iter().map(|text| value.with_text(text)).collect(),
            (None, Value::Bytes(bytes)) => bytes_like(bytes),
            (None, _) => Vec::new(),
        };
        variants.extend(changed.into_iter().map(|value| inputs.with_value(node.id, value)));
    }
    for node in sequences {
        let parts = node.children();
        for at in [0, parts.len() / 2, parts.len() - 1] {
            let rest = [&parts[..at], &parts[at + 1..]].concat();
            variants.push(inputs.replace(node.id, Body::Seq(rest)));
        }
    }
    variants
}

fn texts_like(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut changed = vec![
        format!("\n{text}"),
        format!(" {text}"),
        text.chars().skip(1).collect(),
        text.chars().take(text.chars().count() - 1).collect(),
    ];
    if lines.len() > 1 {
        // A place may be told by its line and its column there.
        changed.push(format!(" {}", lines.join(" ")));
        changed.push(lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect());
    }
    if lines.len() > 2 {
        let places = [0, lines.len() / 3, 2 * lines.len() / 3, lines.len() - 1];
        changed.extend(places.map(|at| [&lines[..at], &lines[at + 1..]].concat().concat()));
    }
    changed
}

fn bytes_like(bytes: &[u8]) -> Vec<Value> {
    let middle = bytes.len() / 2;
    let changed = [
        [&bytes[..1], bytes].concat(),
        bytes[1..].to_vec(),
        [&bytes[..middle], &bytes[middle + 1..]].concat(),
        bytes[..bytes.len() - 1].to_vec(),
    ];
    changed.map(Value::Bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::NodeId;
    use crate::reduce::inputs::testing::{self, bytes, flag, inputs, seq};

    #[test]
    fn a_column_in_a_later_line_moves() {
        let text = "a\nb;";
        let place = |text: &str| {
            let before = &text[..text.find(';')?];
            Some((before.matches('\n').count(), before.len() - before.rfind('\n').unwrap_or(0)))
        };
        let all = variants(&inputs([testing::text(text)]));
        let texts = all.iter().filter_map(|inputs| inputs.value(NodeId(0))?.as_text());
        let places: Vec<_> = texts.filter_map(place).collect();
        let (row, column) = place(text).unwrap();
        assert!(places.iter().any(|place| place.0 == row && place.1 != column), "{places:?}");
        assert!(places.iter().any(|place| place.0 != row && place.1 == column), "{places:?}");
    }

    #[test]
    fn bytes_and_sequences_are_changed_as_texts_are() {
        let bytes = variants(&inputs([bytes(&[0xff, 1, 2])]));
        let bytes: Vec<Vec<u8>> =
            bytes.iter().filter_map(|it| Some(it.value(NodeId(0))?.content())).collect();
        assert_eq!(bytes, [vec![255, 255, 1, 2], vec![1, 2], vec![255, 2], vec![255, 1]]);
        let all = variants(&inputs([seq([true; 3].map(flag))]));
        let left = all.iter().map(|it| it.0[0].children().iter().map(|node| node.id.0).collect());
        assert_eq!(left.collect::<Vec<Vec<u32>>>(), [[2, 3], [1, 3], [1, 2]]);
    }
}
