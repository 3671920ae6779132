//! Which variables a pattern binds, and where their names mean them.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use syn::{Block, Expr, Ident, Local, Pat, Stmt};

use super::Tree;
use super::names::Lead;
use super::places::Label;
use crate::source::is_assignment;

/// A `let`, and the variables that it binds.
pub(crate) struct Let<'t> {
    pub(crate) local: &'t Local,
    /// Each name, with where it means this variable: up to where the block binds it again.
    pub(crate) variables: Vec<(&'t str, Range<usize>)>,
}

/// A statement that assigns to a variable, and the value.
pub(crate) struct Assignment {
    pub(crate) whole: Range<usize>,
    pub(crate) value: Range<usize>,
}

/// The assignments by the name of their variable, in the order of the text.
pub(crate) type Assignments = HashMap<String, Vec<Assignment>>;

impl<'t> Tree<'t> {
    /// The names of the variables that a pattern binds.
    pub(crate) fn bound_by(&self, pattern: &Pat) -> BTreeSet<&'t str> {
        let words = self.words_within(&self.range(pattern));
        words
            .filter(|word| self.label(&word.range) == Some(Label::Bound))
            .map(|word| &self.text[word.range.clone()])
            .collect()
    }

    /// The `let` statements of a block.
    pub(crate) fn lets(&self, block: &'t Block) -> Vec<Let<'t>> {
        let end = self.range(block).end;
        let mut bound_again: HashMap<&str, usize> = HashMap::new();
        let mut all = Vec::new();
        for statement in block.stmts.iter().rev() {
            let Stmt::Local(local) = statement else { continue };
            let own_end = self.range(local).end;
            let scope = |name| (name, own_end..bound_again.insert(name, own_end).unwrap_or(end));
            let variables = self.bound_by(&local.pat).into_iter().map(scope).collect();
            all.push(Let { local, variables });
        }
        all.reverse();
        all
    }

    /// The `let` statements before a place, in the blocks around it, that bind a variable of such a name.
    pub(crate) fn lets_before(
        &self,
        place: usize,
        is_named: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'t Local> {
        let blocks = self.blocks().filter(move |block| self.range(*block).contains(&place));
        let lets = blocks.flat_map(|block| self.lets(block));
        let named = lets.filter(move |it| {
            self.range(it.local).end <= place && it.variables.iter().any(|(name, _)| is_named(name))
        });
        named.map(|it| it.local)
    }

    /// The words of that name within a range that may mean a variable: no members, no parts of paths, no names of
    /// fields, and none that bind it.
    pub(crate) fn uses(
        &self,
        name: &str,
        scope: &Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        let words = self.words_in(name, scope).filter(|word| {
            let label = self.label(&word.range).unwrap_or(Label::Short);
            word.lead == Lead::Other && label == Label::Short
        });
        words.map(|word| word.range.clone())
    }

    /// The statements within a range that assign to the variable of that name, also by `+=` and the like.
    pub(crate) fn assignments(
        &self,
        name: &str,
        scope: &Range<usize>,
    ) -> impl Iterator<Item = &Assignment> + use<'_, 't> {
        let all = self.lookups.get(|| self.all_assignments());
        let all = all.get(name).map_or(&[][..], Vec::as_slice);
        let [from, to] = [scope.start, scope.end]
            .map(|place| all.partition_point(|assignment| assignment.whole.start < place));
        self.counted(&all[from..to])
    }

    fn all_assignments(&self) -> Assignments {
        let mut found = Assignments::new();
        for statement in self.statements() {
            if let Some((name, value)) = assigned(statement) {
                let (whole, value) = (self.range(statement), self.range(value));
                let same = found.entry(name.to_string()).or_default();
                same.push(Assignment { whole, value });
            }
        }
        for found in found.values_mut() {
            found.sort_by_key(|it| it.whole.start);
        }
        found
    }
}

/// The variable that a statement assigns to, and the value.
fn assigned(statement: &Stmt) -> Option<(&Ident, &Expr)> {
    let (left, right) = match statement {
        Stmt::Expr(Expr::Assign(assign), _) => (&assign.left, &assign.right),
        Stmt::Expr(Expr::Binary(binary), _) if is_assignment(&binary.op) => {
            (&binary.left, &binary.right)
        }
        _ => return None,
    };
    match &**left {
        Expr::Path(path) => Some((path.path.get_ident()?, right)),
        _ => None,
    }
}
