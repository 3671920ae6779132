//! A derivation tree as nested nodes.

use serde::Serialize;

use super::cut::label;
use crate::reduce::tree::{ShownKind, ShownNode};

/// Larger trees are not drawn: nobody finds anything in them.
const MOST_NODES: usize = 400;
/// Nor are deeper ones.
const DEEPEST: usize = 60;

/// A node with all below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Nested {
    /// Its name, or those of a chain of nodes with one child each; or its text.
    names: Vec<String>,
    /// `node`, `open` or `text`.
    class: &'static str,
    children: Vec<Nested>,
}

/// The root with all below it, unless there is no tree or it is too large.
pub(super) fn nested(nodes: &[ShownNode]) -> Option<Nested> {
    if nodes.len() > MOST_NODES || nodes.iter().any(|node| node.depth > DEEPEST) {
        return None;
    }
    nodes.first().map(|root| node(root, &nodes[1..]))
}

/// `root` with what is `below` it.
fn node(root: &ShownNode, below: &[ShownNode]) -> Nested {
    let class = match root.kind {
        ShownKind::Nonterminal => "node",
        ShownKind::Open => "open",
        ShownKind::Text => "text",
    };
    let mut children = Vec::new();
    let mut rest = below;
    while let Some((child, after)) = rest.split_first() {
        let end = after.iter().position(|node| node.depth <= child.depth);
        let (inside, next) = after.split_at(end.unwrap_or(after.len()));
        children.push(node(child, inside));
        rest = next;
    }
    let label = label(&root.label);
    match <[Nested; 1]>::try_from(children) {
        // A chain of names takes one line.
        Ok([Nested { mut names, class: "node", children }]) => {
            names.insert(0, label);
            Nested { names, class, children }
        }
        Ok([only]) => Nested { names: vec![label], class, children: vec![only] },
        Err(children) => Nested { names: vec![label], class, children },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(depth: usize, label: &str, kind: ShownKind) -> ShownNode {
        ShownNode { depth, label: label.to_owned(), kind }
    }

    #[test]
    fn chains_are_one_node() {
        let nodes = [
            shown(0, "<expr>", ShownKind::Nonterminal),
            shown(1, "<term>", ShownKind::Nonterminal),
            shown(2, "\"(\"", ShownKind::Text),
            shown(2, "<expr>", ShownKind::Open),
            shown(2, "\")\"", ShownKind::Text),
        ];
        let root = nested(&nodes).unwrap();
        assert_eq!(root.names, ["<expr>", "<term>"]);
        let classes: Vec<_> = root.children.iter().map(|child| child.class).collect();
        assert_eq!(classes, ["text", "open", "text"]);
        assert_eq!(nested(&[]), None);
    }
}
