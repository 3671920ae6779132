//! Reducing texts on their derivation trees.

use super::grammars::Texts;
use crate::grammar::Parser;
use crate::reduce::inputs::{Inputs, NodeId, Value, mask, unmask};
use crate::reduce::tree::{Strategy, Tree, reduce};
use crate::reduce::{Answer, Oracle, Outcome, Problem, Stop, Until};

/// Reduces each text that is left in the best candidate on its derivation tree. With all strategies,
/// which come before the removal of lines, words and characters, those are left out whose grammar knows
/// no more than that.
///
/// # Errors
/// When the search must stop; the best is in `problem`.
pub fn reduce_on_trees(
    problem: &mut Problem<'_, Inputs>,
    texts: &Texts,
    strategy: Strategy,
) -> Result<(), Stop> {
    for (id, named) in texts.iter() {
        if strategy == Strategy::All && texts.is_of_words_only(named) {
            continue;
        }
        let base = problem.best().clone();
        let Some(text) = base.value(id).and_then(Value::as_text) else { continue };
        let Ok(mut tree) = Parser::new(&named.grammar).parse(text) else { continue };
        let make = |tree: &Tree| base.with_text(id, tree.text());
        reduce(problem, &mut tree, &named.grammar, strategy, make)?;
    }
    Ok(())
}

/// Asks about candidates in which the texts are hidden.
pub struct WithoutTexts<'a> {
    oracle: &'a mut dyn Oracle<Inputs>,
    base: Inputs,
}

impl<'a> WithoutTexts<'a> {
    /// The inputs of `base` without its texts, and who judges them.
    pub fn new(
        oracle: &'a mut dyn Oracle<Inputs>,
        base: &Inputs,
        texts: &Texts,
    ) -> (Inputs, WithoutTexts<'a>) {
        let rest = mask(base, |id: NodeId| !texts.contains(id));
        let base = base.clone();
        (rest, WithoutTexts { oracle, base })
    }

    /// The candidate with its texts.
    pub fn whole(&self, candidate: &Inputs) -> Inputs {
        unmask(candidate, &self.base)
    }
}

impl Oracle<Inputs> for WithoutTexts<'_> {
    fn run(&mut self, candidates: &[Inputs], until: Until) -> Answer<Vec<Outcome>> {
        let whole: Vec<Inputs> = candidates.iter().map(|one| self.whole(one)).collect();
        self.oracle.run(&whole, until)
    }

    fn batch(&self) -> usize {
        self.oracle.batch()
    }
}
