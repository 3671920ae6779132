//! Lowering of one integer, wherever it stands.
//!
//! First the values a person would write (0, 1, …), then halvings, then fewer decimal digits, then
//! a descent by powers of two, which finds the least failing value if the failure is monotone in the
//! number, and last a scan of the values just below.

use super::search::{Patience, Search};
use super::{Inputs, Int};
use crate::reduce::Stop;

/// How many of the smallest values, and of the values just below, are tried one by one.
const SCAN: u128 = 16;

/// Lowers `int` as far as it goes; `set` makes the candidate with another value. Returns the value
/// that is reached.
pub(super) fn lower(
    search: &mut Search,
    patience: &mut Patience,
    mut int: Int,
    set: impl Fn(&Inputs, Int) -> Inputs,
) -> Result<Int, Stop> {
    loop {
        let before = int;
        for steps in [small_values, halvings, fewer_digits] {
            if let Some(lower) = first(search, patience, &set, &steps(int))? {
                int = lower;
            }
        }
        int = descend(search, patience, int, &set)?;
        if let Some(lower) = first(search, patience, &set, &values_below(int))? {
            int = lower;
        }
        if int == before || int.magnitude == 0 || patience.is_spent() {
            return Ok(int);
        }
    }
}

/// Tries values in order; returns the one that was accepted.
fn first(
    search: &mut Search,
    patience: &mut Patience,
    set: &impl Fn(&Inputs, Int) -> Inputs,
    values: &[Int],
) -> Result<Option<Int>, Stop> {
    let base = search.best().clone();
    let candidates = values.iter().map(|&value| set(&base, value));
    Ok(patience
        .consider_first(search, candidates)?
        .map(|place| values[place]))
}

/// The smallest values of either sign.
fn small_values(int: Int) -> Vec<Int> {
    let mut values: Vec<Int> = (0..int.magnitude.min(SCAN))
        .map(|value| Int::new(false, value))
        .collect();
    if int.negative {
        values.push(Int::new(false, int.magnitude));
        values.extend((1..int.magnitude.min(SCAN)).map(|value| Int::new(true, value)));
    }
    values
}

/// A half, a quarter and so on, the smallest first.
fn halvings(int: Int) -> Vec<Int> {
    let bits = 128 - int.magnitude.leading_zeros();
    (1..bits)
        .rev()
        .map(|bits| int.with_magnitude(int.magnitude >> bits))
        .collect()
}

/// The number with one decimal digit taken out, or its last digits set to 0.
fn fewer_digits(int: Int) -> Vec<Int> {
    let mut values = Vec::new();
    let mut power: u128 = 1;
    while power <= int.magnitude / 10 {
        let Some(next) = power.checked_mul(10) else {
            break;
        };
        let (high, low) = (int.magnitude / next, int.magnitude % power);
        values.push(int.with_magnitude(high * power + low));
        values.push(int.with_magnitude(high * next));
        power = next;
    }
    values.sort_by_key(|value| value.magnitude);
    values.dedup();
    values.retain(|value| value.magnitude < int.magnitude);
    values
}

/// Subtracts powers of two as long as that succeeds, the largest first.
fn descend(
    search: &mut Search,
    patience: &mut Patience,
    mut int: Int,
    set: &impl Fn(&Inputs, Int) -> Inputs,
) -> Result<Int, Stop> {
    let mut bits = 128 - int.magnitude.leading_zeros();
    while bits > 0 && !patience.is_spent() {
        let values: Vec<Int> = (0..bits)
            .rev()
            .filter(|&bit| 1 << bit <= int.magnitude)
            .map(|bit| int.with_magnitude(int.magnitude - (1 << bit)))
            .collect();
        let Some(lower) = first(search, patience, set, &values)? else {
            break;
        };
        bits = 128 - (int.magnitude - lower.magnitude).leading_zeros();
        int = lower;
    }
    Ok(int)
}

/// The values just below.
fn values_below(int: Int) -> Vec<Int> {
    let least = int.magnitude.saturating_sub(SCAN);
    (least..int.magnitude)
        .map(|value| int.with_magnitude(value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{inputs, int, numbers, problem_for};
    use super::super::{InputsOptions, NodeId, Value};
    use super::*;

    fn lowered(from: i128, fails: impl Fn(i128) -> bool) -> (i128, u64) {
        let all = inputs([int(from)]);
        let mut oracle = problem_for(move |inputs: &Inputs| fails(numbers(inputs)[0]));
        let mut problem =
            crate::reduce::Problem::new(all, &mut oracle, crate::reduce::Memory::Forget);
        let options = InputsOptions::default();
        let mut search = Search::new(&mut problem, &options);
        let mut patience = search.patience(1);
        let value = Int::new(from < 0, from.unsigned_abs());
        lower(&mut search, &mut patience, value, |base, int| {
            base.with_value(NodeId(0), Value::Int(int))
        })
        .unwrap();
        (numbers(problem.best())[0], problem.counts().candidates)
    }

    #[test]
    fn a_threshold_is_found_in_logarithmically_many_runs() {
        for (from, least) in [
            (12_000, 1_003),
            (i128::MAX, 77_777_777),
            (-5_000, 4_000),
            (3, 2),
        ] {
            let (reached, calls) = lowered(from, |value| value.abs() >= least);
            assert_eq!(reached, least);
            assert!(calls <= 420, "{calls} runs");
        }
    }

    #[test]
    fn a_number_that_must_be_negative_stays_negative() {
        assert_eq!(lowered(-250, |value| value < 0).0, -1);
    }

    #[test]
    fn digits_at_the_end_become_zeros() {
        let digits = |value: i128| value / 1_000_000 == 792_281_577;
        assert_eq!(lowered(792_281_577_918_978, digits).0, 792_281_577_000_000);
    }
}
