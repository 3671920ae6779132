//! Parts of texts that only go whole, wherever they begin: `50 &` from `(50 & a)`, the brackets of `((a))`.

use std::ops::Range;

use crate::reduce::inputs::Inputs;
use crate::reduce::inputs::text::{TextLeaf, Units, text_leaves, tokens};
use crate::reduce::{Problem, Result};

/// Of a text with more tokens than this, none go in this way: each place costs runs.
const MOST_TOKENS: usize = 64;
/// So many tokens go together at most.
const LONGEST: usize = 8;

/// Whether the test passes with a candidate that lacks what decides.
pub(super) type HasContrast<'a> = dyn FnMut(&mut Problem<'_, Inputs>, &Inputs) -> Result<bool> + 'a;

/// Removes such parts from each text, as long as a candidate that fails also has a `contrast`.
///
/// # Errors
/// When the search must stop.
pub(super) fn remove_spans(
    problem: &mut Problem<'_, Inputs>,
    contrast: &mut HasContrast<'_>,
) -> Result<()> {
    for leaf in text_leaves(problem.best()) {
        while remove_one(problem, leaf, contrast)? {}
    }
    Ok(())
}

fn remove_one(
    problem: &mut Problem<'_, Inputs>,
    leaf: TextLeaf,
    contrast: &mut HasContrast<'_>,
) -> Result<bool> {
    let chars = leaf.chars(problem.best());
    for gone in spans(&chars) {
        let left = (0..chars.len()).filter(|at| !gone.iter().any(|part| part.contains(at)));
        let left: Vec<char> = left.map(|at| chars[at]).collect();
        let candidate = leaf.with_chars(problem.best(), &left);
        // Most do not fail, which costs one run.
        if problem.ask(&candidate)?.is_fail()
            && contrast(problem, &candidate)?
            && problem.consider(candidate)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What may go whole: brackets from around what they hold, and neighbouring tokens, the most first.
fn spans(chars: &[char]) -> Vec<[Range<usize>; 2]> {
    let tokens = tokens(chars);
    if tokens.len() > MOST_TOKENS {
        return Vec::new();
    }
    let units = Units::of(chars);
    let brackets = units.nested().map(|unit| [unit.opening(), unit.closing()]);
    let lengths = (2..=LONGEST.min(tokens.len())).rev();
    let runs = lengths.flat_map(|length| {
        let tokens = &tokens;
        let starts = 0..=tokens.len() - length;
        starts.map(move |start| {
            let end = tokens[start + length - 1].end;
            [tokens[start].start..end, end..end]
        })
    });
    brackets.chain(runs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{inputs, text, the_text};
    use crate::reduce::{FromFn, Memory, Outcome};

    /// What is left where brackets have to balance and `&` stands between two operands; `!` is wrong.
    fn left(before: &str, has_contrast: bool) -> String {
        let fails = |inputs: &Inputs| {
            let text = the_text(inputs);
            let operands = text.split('&').map(|it| it.trim_matches(|it| "()".contains(it)));
            let balance = |sign: char| text.matches(sign).count();
            let is_fine =
                balance('(') == balance(')') && operands.into_iter().all(|it| !it.is_empty());
            if is_fine && text.contains('!') { Outcome::Fail } else { Outcome::Unresolved }
        };
        let mut oracle = FromFn(fails);
        let mut problem = Problem::new(inputs([text(before)]), &mut oracle, Memory::Forget);
        remove_spans(&mut problem, &mut |_, _| Ok(has_contrast)).unwrap();
        the_text(problem.best()).to_string()
    }

    #[test]
    fn an_operand_goes_with_its_sign_and_brackets_go_in_pairs() {
        assert_eq!(left("((50&a)&!)&(b)", true), "!");
    }

    #[test]
    fn nothing_goes_that_has_no_contrast() {
        assert_eq!(left("(50&!)", false), "(50&!)");
    }
}
