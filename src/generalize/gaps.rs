//! Places where elements can be added to a list.
//!
//! A reduced text has lost all elements of its lists that the failure does not need; most of them can
//! be there as well. A gap is an empty list of the same kind between two elements: a node of the tree
//! like others, which a pattern can leave open.

use crate::grammar::{Grammar, NodeKind, Tree, TreeBuilder};

/// Lists with more elements get no gaps: too many places for what they tell.
const MOST_ELEMENTS: usize = 40;

/// The gaps of a tree, ascending: the empty lists right inside of the same list.
pub(super) fn gaps_of(grammar: &Grammar, tree: &Tree) -> Vec<usize> {
    let is_list = |at: usize| tree.symbol(at).is_some_and(|list| grammar.rule(list).is_list());
    let inside = |list: usize| {
        let is_gap = move |at: &usize| {
            tree.symbol(*at) == tree.symbol(list) && tree.children(*at).next().is_none()
        };
        tree.children(list).filter(is_gap)
    };
    let mut gaps: Vec<usize> = (0..tree.len()).filter(|&at| is_list(at)).flat_map(inside).collect();
    gaps.sort_unstable();
    gaps
}

/// `tree` with gaps in its lists.
pub(super) fn with_gaps(grammar: &Grammar, tree: &Tree) -> Tree {
    let mut copy = Copy { grammar, tree, builder: TreeBuilder::default() };
    copy.nodes();
    copy.builder.finish()
}

struct Copy<'a> {
    grammar: &'a Grammar,
    tree: &'a Tree,
    builder: TreeBuilder,
}

impl Copy<'_> {
    fn nodes(&mut self) {
        // Where the open nodes end, and those that are lists with gaps.
        let mut open: Vec<(usize, Option<NodeKind>)> = Vec::new();
        let mut at = 0;
        loop {
            while open.last().is_some_and(|(end, _)| *end <= at) {
                if let Some((_, list)) = open.pop() {
                    self.gap(list);
                    self.builder.close();
                }
            }
            if at >= self.tree.len() {
                return;
            }
            self.gap(open.last().and_then(|(_, list)| *list));
            match self.tree.kind(at) {
                NodeKind::Terminal => self.builder.terminal(self.tree.text_of(at)),
                kind => {
                    self.builder.open(kind);
                    open.push((self.tree.subtree(at).end, self.list(at)));
                }
            }
            at += 1;
        }
    }

    /// An empty list, if the node around is one.
    fn gap(&mut self, list: Option<NodeKind>) {
        if let Some(kind) = list {
            self.builder.open(kind);
            self.builder.close();
        }
    }

    /// The kind of an empty list in the place of `at`, if that is a list with elements.
    fn list(&self, at: usize) -> Option<NodeKind> {
        let symbol = self.tree.symbol(at)?;
        let elements = self.tree.children(at).take(MOST_ELEMENTS + 1).count();
        let is_list = self.grammar.rule(symbol).is_list();
        (is_list && (1..=MOST_ELEMENTS).contains(&elements))
            .then_some(NodeKind::Nonterminal { symbol, alternative: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Parser;

    #[test]
    fn there_are_gaps_around_each_element_of_a_list_and_nowhere_else() {
        let grammar = Grammar::parse_ebnf(r#"s ::= "(" item* ")"; item ::= [a-z] [0-9]*"#).unwrap();
        let tree = Parser::new(&grammar).parse("(ab1)").unwrap();
        let with = with_gaps(&grammar, &tree);
        let gaps = gaps_of(&grammar, &with);
        assert!(gaps_of(&grammar, &tree).is_empty());
        assert_eq!(with.text(), "(ab1)");
        assert_eq!(gaps.len(), 3 + 2);
        assert_eq!(with.len(), tree.len() + gaps.len());
        for gap in gaps {
            assert!(with.text_of(gap).is_empty() && with.children(gap).next().is_none());
            assert!(grammar.rule(with.symbol(gap).unwrap()).is_list());
        }
    }
}
