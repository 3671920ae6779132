//! Several inputs, one after the other.

use crate::reduce::Result;

/// Reduces `count` inputs in turn, until none of them changes any more.
///
/// `reduce` reduces the input of that number as far as it goes while the others stay, and returns
/// whether it changed. A change of one input can make room in another, so all the others come up
/// again after it. Working on one at a time keeps its surroundings stable while it shrinks.
///
/// # Errors
/// Those of `reduce`.
pub fn in_turn(count: usize, mut reduce: impl FnMut(usize) -> Result<bool>) -> Result<()> {
    let mut is_pending = vec![true; count];
    while let Some(input) = is_pending.iter().position(|pending| *pending) {
        if reduce(input)? {
            is_pending.fill(true);
        }
        is_pending[input] = false;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::in_turn;

    #[test]
    fn a_change_brings_up_all_others_again() {
        let mut changes = [1, 0, 1].map(|times| vec![false; times]);
        let mut order = Vec::new();
        in_turn(3, |input| {
            order.push(input);
            Ok(changes[input].pop().is_some())
        })
        .expect("nothing stops it");
        assert_eq!(order, [0, 1, 2, 0, 1]);
    }
}
