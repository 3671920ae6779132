//! The schedule: which passes run, in which order, until when.

use super::Inputs;
use super::passes::{PASSES, Pass, TEXT_PASSES};
use super::search::PassContext;
use crate::reduce::{Problem, Result};

/// What a finished reduction can claim.
///
/// A report may tell the user so: of [`Minimality::Element`] that the failure goes away (or becomes
/// another one) with any one element, character or byte less; of [`Minimality::Line`] that this holds
/// for lines and elements only, and that a longer search could find a smaller text. Neither says that
/// there is no smaller failing input at all: two things may have to go together in a way that no pass
/// knows, and a failure that is not monotone may come back at a much smaller size. A search that was
/// stopped claims nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Minimality {
    /// No single element (of a sequence), character or byte can be removed.
    Element,
    /// No single line of a text or element of a sequence can be removed; finer passes were given up
    /// on a value that stayed large.
    Line,
}

/// For how many rounds in a row the passes that only simplify values may go on while nothing is
/// removed. What removes elements is bounded by their number; values could go down by 1 for ever.
const SIMPLIFICATION_ROUNDS: usize = 16;

/// Reduces the inputs until no pass finds anything more.
///
/// The best is in `problem`, also when the search was stopped.
///
/// # Errors
/// When the search must stop: interrupted, out of time, or the oracle is in trouble.
pub fn reduce_inputs(problem: &mut Problem<Inputs>) -> Result<Minimality> {
    run_all(PassContext::new(problem), &PASSES)
}

/// Shortens the texts of `problem` until none of their characters can be removed; what stays is as it was.
///
/// # Errors
/// As for [`reduce_inputs`].
pub fn shorten_texts(problem: &mut Problem<Inputs>) -> Result<()> {
    run_all(PassContext::new(problem).without_giving_up(), &TEXT_PASSES).map(|_| ())
}

fn run_all(mut search: PassContext<'_, '_>, passes: &[Pass]) -> Result<Minimality> {
    let mut idle_since = vec![None; passes.len()];
    let mut rounds_since_removal = 0;
    loop {
        let (size, accepted) = (search.best().size(), search.accepted());
        for (pass, idle) in passes.iter().zip(&mut idle_since) {
            if pass.removes || rounds_since_removal < SIMPLIFICATION_ROUNDS {
                run_unless_idle(pass, idle, &mut search)?;
            }
        }
        if search.accepted() == accepted {
            break;
        }
        search.next_round();
        rounds_since_removal =
            if search.best().size() < size { 0 } else { rounds_since_removal + 1 };
    }
    Ok(if search.gave_up { Minimality::Line } else { Minimality::Element })
}

/// That a pass found nothing.
#[derive(Debug, Clone, Copy)]
struct Idle {
    /// The best on which it found nothing: the n-th accepted.
    accepted: u64,
    /// Whether it gave up on it.
    gave_up: bool,
}

/// Runs a pass, unless it found nothing on the very same best.
fn run_unless_idle(pass: &Pass, idle: &mut Option<Idle>, search: &mut PassContext) -> Result<()> {
    let accepted = search.accepted();
    if let Some(idle) = idle.filter(|idle| idle.accepted == accepted) {
        search.gave_up |= idle.gave_up;
        return Ok(());
    }
    let earlier = std::mem::take(&mut search.gave_up);
    (pass.run)(search)?;
    let gave_up = search.gave_up;
    *idle = (search.accepted() == accepted).then_some(Idle { accepted, gave_up });
    search.gave_up |= earlier;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{inputs, oracle_for, text, the_text};
    use super::*;
    use crate::reduce::{Memory, Stop};

    fn minimality_of(original: &str, needed: usize) -> (Minimality, String) {
        let mut oracle = oracle_for(|inputs: &Inputs| the_text(inputs).len() >= needed);
        let mut problem = Problem::new(inputs([text(original)]), &mut oracle, Memory::Forget);
        let minimality = reduce_inputs(&mut problem).unwrap();
        (minimality, the_text(problem.best()).to_owned())
    }

    #[test]
    fn it_says_so_if_a_large_text_was_not_tried_character_by_character() {
        let long = "insert 17\n".repeat(500);
        assert_eq!(minimality_of(&long, 4_990).0, Minimality::Line);
    }

    #[test]
    fn a_small_text_is_minimal_by_character() {
        let (minimality, left) = minimality_of("insert 17\ninsert 18\n", 7);
        assert_eq!((minimality, left.len()), (Minimality::Element, 7));
    }

    #[test]
    fn a_stopped_search_leaves_the_best_so_far() {
        let mut oracle = oracle_for(|inputs: &Inputs| the_text(inputs).contains('x'));
        let all = inputs([text(&format!("{}x", "some words\n".repeat(100)))]);
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget)
            .stop_when(|counts| (counts.candidates >= 10).then_some(Stop::CandidateLimit));
        let stopped = reduce_inputs(&mut problem);
        assert!(matches!(stopped, Err(Stop::CandidateLimit)));
        assert!(the_text(problem.best()).len() < 100);
    }
}
