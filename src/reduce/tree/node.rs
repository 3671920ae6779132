//! The derivation tree: a flat list of nodes in preorder, next to the text they span.

use std::ops::Range;

use crate::reduce::Candidate;

/// Identifies a nonterminal of a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nonterminal(pub u32);

impl Nonterminal {
    /// The number as an index into a table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeKind {
    /// A nonterminal that was expanded.
    Nonterminal {
        /// Which one.
        symbol: Nonterminal,
        /// By which of its alternatives, from 0. Meaningless for a list node, whose children are its
        /// elements.
        alternative: u32,
    },
    /// A nonterminal left abstract: a placeholder without children and text.
    Open(Nonterminal),
    /// Text that the grammar spells out, or a character of a class.
    Terminal,
}

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Number of nodes of its subtree, itself included.
    size: u32,
    /// Length of its text in bytes.
    bytes: u32,
}

/// A derivation tree.
///
/// Nodes are named by their place in preorder, the root by 0; a subtree is then a range of nodes and
/// its text a range of bytes, so that copies are cheap and no operation recurses, however deep the
/// tree is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tree {
    nodes: Vec<Node>,
    text: String,
}

impl Tree {
    /// The text that the tree derives, without that of its open nodes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What node `at` is.
    pub fn kind(&self, at: usize) -> NodeKind {
        self.nodes[at].kind
    }

    /// The nonterminal of node `at`, expanded or open.
    pub fn symbol(&self, at: usize) -> Option<Nonterminal> {
        match self.nodes[at].kind {
            NodeKind::Nonterminal { symbol, .. } | NodeKind::Open(symbol) => Some(symbol),
            NodeKind::Terminal => None,
        }
    }

    /// The nodes of the subtree of `at`, itself first.
    pub fn subtree(&self, at: usize) -> Range<usize> {
        at..at + self.nodes[at].size as usize
    }

    /// The children of `at`, in order.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.subtree(at).end;
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.subtree(child).end;
            Some(child)
        })
    }

    /// The text below `at`.
    pub fn text_of(&self, at: usize) -> &str {
        let start = self.offset(at);
        &self.text[start..start + self.nodes[at].bytes as usize]
    }

    /// The length of the text below `at`, in bytes.
    pub fn text_len(&self, at: usize) -> usize {
        self.nodes[at].bytes as usize
    }

    /// Where the text of `at` starts, in bytes.
    pub fn offset(&self, at: usize) -> usize {
        let before = self.nodes[..at].iter().filter(|node| node.kind == NodeKind::Terminal);
        before.map(|node| node.bytes as usize).sum()
    }

    /// The number of nodes on the way from the root to each node; 0 for the root.
    pub fn depths(&self) -> Vec<usize> {
        self.depths_below(0)
    }

    /// The number of nodes on the way from `top` to each node of its subtree, in order; 0 for `top`.
    pub fn depths_below(&self, top: usize) -> Vec<usize> {
        let mut depths = Vec::with_capacity(self.subtree(top).len());
        let mut ends: Vec<usize> = Vec::new();
        for at in self.subtree(top) {
            while ends.pop_if(|end| *end <= at).is_some() {}
            depths.push(ends.len());
            ends.push(self.subtree(at).end);
        }
        depths
    }

    /// Number of leaves of the subtree of `at`: nodes without children.
    pub fn leaves(&self, at: usize) -> usize {
        self.nodes[self.subtree(at)].iter().filter(|node| node.size == 1).count()
    }

    /// A copy of the subtree of `at`.
    pub fn extract(&self, at: usize) -> Tree {
        Tree { nodes: self.nodes[self.subtree(at)].to_vec(), text: self.text_of(at).to_owned() }
    }

    /// A copy in which `at` is replaced by `other`.
    pub fn replace(&self, at: usize, other: &Tree) -> Tree {
        self.edit(&[(at, Edit::Replace(other))])
    }

    /// A copy with `edits` made, which are in ascending order of their nodes; an edit below a node that
    /// is itself edited is left out.
    pub fn edit(&self, edits: &[(usize, Edit<'_>)]) -> Tree {
        let mut builder = TreeBuilder::with_capacity(self.len(), self.text.len());
        let mut open: Vec<usize> = Vec::new();
        let mut edits = edits.iter().peekable();
        let (mut at, mut offset) = (0, 0);
        while at < self.len() {
            while open.last().is_some_and(|&end| end <= at) {
                open.pop();
                builder.close();
            }
            while edits.next_if(|(place, _)| *place < at).is_some() {}
            let node = self.nodes[at];
            if let Some((_, edit)) = edits.next_if(|(place, _)| *place == at) {
                edit.apply(&mut builder);
                offset += node.bytes as usize;
                at = self.subtree(at).end;
                continue;
            }
            match node.kind {
                NodeKind::Terminal => {
                    builder.terminal(&self.text[offset..offset + node.bytes as usize]);
                    offset += node.bytes as usize;
                }
                kind => {
                    builder.open(kind);
                    open.push(self.subtree(at).end);
                }
            }
            at += 1;
        }
        builder.finish()
    }

    /// Its nodes from the top down, as they are shown to people, by the names that nonterminals have.
    pub fn shown(&self, name: impl Fn(Nonterminal) -> String) -> Vec<ShownNode> {
        let mut offset = 0;
        let nodes = self.nodes.iter().zip(self.depths());
        let shown = nodes.map(|(node, depth)| match node.kind {
            NodeKind::Nonterminal { symbol, .. } => {
                ShownNode { depth, label: name(symbol), kind: ShownKind::Nonterminal }
            }
            NodeKind::Open(symbol) => {
                ShownNode { depth, label: name(symbol), kind: ShownKind::Open }
            }
            NodeKind::Terminal => {
                let start = offset;
                offset += node.bytes as usize;
                let label = format!("{:?}", &self.text[start..offset]);
                ShownNode { depth, label, kind: ShownKind::Text }
            }
        });
        shown.collect()
    }
}

/// A node as it is shown to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownNode {
    /// How far below the root it is.
    pub depth: usize,
    /// Its name, or its text in quotes.
    pub label: String,
    /// What it is.
    pub kind: ShownKind,
}

/// What a node is to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownKind {
    /// A nonterminal with something below it.
    Nonterminal,
    /// A nonterminal that stands for all its texts.
    Open,
    /// A text.
    Text,
}

/// Fewer characters are better, then simpler ones, then fewer nodes.
impl Candidate for Tree {
    type Key = (usize, String, usize);

    fn key(&self) -> Self::Key {
        (self.text.chars().count(), self.text.clone(), self.len())
    }
}

/// A change of one node.
#[derive(Debug, Clone, Copy)]
pub enum Edit<'a> {
    /// Put this tree in its place.
    Replace(&'a Tree),
    /// Take it out of its parent, which must be a list.
    Remove,
    /// Leave it abstract.
    Open(Nonterminal),
}

impl Edit<'_> {
    fn apply(self, builder: &mut TreeBuilder) {
        match self {
            Edit::Replace(tree) => builder.graft(tree),
            Edit::Remove => {}
            Edit::Open(symbol) => {
                builder.open(NodeKind::Open(symbol));
                builder.close();
            }
        }
    }
}

/// Builds a [`Tree`] from left to right.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    text: String,
    /// The nodes still open, and where their texts start.
    open: Vec<(usize, usize)>,
}

impl TreeBuilder {
    /// As [`TreeBuilder::open`], for a nonterminal that is expanded by one of its alternatives.
    pub fn enter(&mut self, symbol: Nonterminal, alternative: u32) {
        self.open(NodeKind::Nonterminal { symbol, alternative });
    }

    /// An empty tree, with room for so many nodes and bytes.
    pub fn with_capacity(nodes: usize, bytes: usize) -> Self {
        let nodes = Vec::with_capacity(nodes);
        TreeBuilder { nodes, text: String::with_capacity(bytes), open: Vec::new() }
    }

    /// Opens a node; what follows up to [`TreeBuilder::close`] is below it.
    pub fn open(&mut self, kind: NodeKind) {
        self.open.push((self.nodes.len(), self.text.len()));
        self.nodes.push(Node { kind, size: 1, bytes: 0 });
    }

    /// Closes the node opened last.
    pub fn close(&mut self) {
        if let Some((at, start)) = self.open.pop() {
            self.nodes[at].size = narrow(self.nodes.len() - at);
            self.nodes[at].bytes = narrow(self.text.len() - start);
        }
    }

    /// Adds a terminal.
    pub fn terminal(&mut self, text: &str) {
        self.nodes.push(Node { kind: NodeKind::Terminal, size: 1, bytes: narrow(text.len()) });
        self.text.push_str(text);
    }

    /// Adds a copy of a whole tree.
    pub fn graft(&mut self, tree: &Tree) {
        self.nodes.extend_from_slice(&tree.nodes);
        self.text.push_str(&tree.text);
    }

    /// Adds what grows from a seed: `unfold` adds what one stands for, and tells which others grow below it, in their order.
    /// A node that it opens is closed behind these. Nothing where it does not know how to go on.
    pub fn grow<S>(
        &mut self,
        seed: S,
        mut unfold: impl FnMut(&mut Self, S, &mut Vec<S>) -> Option<()>,
    ) -> Option<()> {
        let mut below = Vec::new();
        let mut steps = vec![Some(seed)];
        while let Some(step) = steps.pop() {
            let Some(seed) = step else {
                self.close();
                continue;
            };
            let depth = self.open.len();
            unfold(self, seed, &mut below)?;
            steps.extend((self.open.len() > depth).then_some(None));
            steps.extend(below.drain(..).rev().map(Some));
        }
        Some(())
    }

    /// Adds one character as a terminal.
    pub fn character(&mut self, it: char) {
        self.terminal(it.encode_utf8(&mut [0; 4]));
    }

    /// Hands out the tree; nodes still open are closed.
    pub fn finish(mut self) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        Tree { nodes: self.nodes, text: self.text }
    }
}

/// Trees of more than four thousand million nodes or bytes do not fit into memory either.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(symbol: u32) -> NodeKind {
        NodeKind::Nonterminal { symbol: Nonterminal(symbol), alternative: 0 }
    }

    /// `0("a" 1("b" 2("c")) 3("d"))`
    fn sample() -> Tree {
        let mut builder = TreeBuilder::default();
        builder.open(node(0));
        builder.terminal("a");
        builder.open(node(1));
        builder.terminal("b");
        builder.open(node(2));
        builder.terminal("c");
        builder.close();
        builder.close();
        builder.open(node(3));
        builder.terminal("d");
        builder.finish()
    }

    #[test]
    fn subtrees_and_their_texts_are_ranges() {
        let tree = sample();
        assert_eq!(tree.text(), "abcd");
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 2, 6]);
        assert_eq!(tree.text_of(2), "bc");
        assert_eq!(tree.subtree(2), 2..6);
        assert_eq!(tree.depths(), [0, 1, 1, 2, 2, 3, 1, 2]);
        assert_eq!(tree.extract(2).text(), "bc");
        assert_eq!(tree.leaves(0), 4);
    }

    #[test]
    fn edits_keep_sizes_right() {
        let tree = sample();
        let mut other = TreeBuilder::default();
        other.open(node(2));
        other.terminal("xyz");
        let other = other.finish();
        let edited = tree.edit(&[(4, Edit::Replace(&other)), (6, Edit::Open(Nonterminal(3)))]);
        assert_eq!(edited.text(), "abxyz");
        assert_eq!(edited.text_of(2), "bxyz");
        assert_eq!(edited.children(0).collect::<Vec<_>>(), [1, 2, 6]);
        assert_eq!(edited.kind(6), NodeKind::Open(Nonterminal(3)));
        assert_eq!(tree.edit(&[(2, Edit::Remove), (4, Edit::Remove)]).text(), "ad");
        assert_eq!(tree.edit(&[]), tree);
    }
}
