//! Lowering of one integer, wherever it stands.
//!
//! First the values a person would write (0, 1, …), then fewer decimal digits, and zeros at the end.
//! What follows depends on the size. A number in everyday range descends by powers of two, which finds
//! the least failing value if the failure is monotone in it. A larger one descends digit by digit: that
//! comes near a threshold too, keeps zeros, and ends soon where any number of values fail.

use super::order::{LARGE, simplicity};
use super::search::PatientSearch;
use super::{Inputs, Int, Value};
use crate::reduce::Result;

/// How many of the smallest values are tried one by one.
const SMALLEST: u128 = 8;
/// How many of the values just below are tried one by one.
const BELOW: u128 = 4;

/// Lowers `int`; `set` makes the candidate with another value. Returns the value that is reached.
pub(super) fn lower(
    search: &mut PatientSearch,
    mut int: Int,
    set: impl Fn(&Inputs, Int) -> Inputs,
) -> Result<Int> {
    for steps in [small_values, fewer_digits] {
        if let Some(lower) = first(search, &set, &steps(int))? {
            int = lower;
        }
    }
    if int.magnitude >= LARGE {
        return descend_by_digits(search, int, &set);
    }
    int = descend(search, int, &set)?;
    let below = first(search, &set, &values_below(int))?;
    Ok(below.unwrap_or(int))
}

/// Tries values in order; returns the one that was accepted.
fn first(
    search: &mut PatientSearch,
    set: &impl Fn(&Inputs, Int) -> Inputs,
    values: &[Int],
) -> Result<Option<Int>> {
    let base = search.best().clone();
    let candidates = values.iter().map(|&value| set(&base, value));
    Ok(search.consider_first(candidates)?.map(|place| values[place]))
}

/// The smallest values of either sign.
fn small_values(int: Int) -> Vec<Int> {
    let mut values: Vec<Int> =
        (0..int.magnitude.min(SMALLEST)).map(|value| Int::new(false, value)).collect();
    if int.negative {
        values.push(Int::new(false, int.magnitude));
        values.extend((1..int.magnitude.min(SMALLEST)).map(|value| Int::new(true, value)));
    }
    values
}

/// The number with one decimal digit taken out, or its last digits set to 0; the simplest first.
fn fewer_digits(int: Int) -> Vec<Int> {
    let mut values = Vec::new();
    let mut power: u128 = 1;
    while power <= int.magnitude / 10 {
        let Some(next) = power.checked_mul(10) else { break };
        let (high, low) = (int.magnitude / next, int.magnitude % power);
        values.push(int.with_magnitude(high * power + low));
        values.push(int.with_magnitude(high * next));
        power = next;
    }
    values.sort_by(|left, right| simplicity(&Value::Int(*left), &Value::Int(*right)));
    values.dedup();
    values.retain(|value| value.magnitude < int.magnitude);
    values
}

/// Subtracts powers of two, each at most once, the largest first.
fn descend(
    search: &mut PatientSearch,
    mut int: Int,
    set: &impl Fn(&Inputs, Int) -> Inputs,
) -> Result<Int> {
    let mut bits = 128 - int.magnitude.leading_zeros();
    while bits > 0 {
        let values: Vec<Int> = (0..bits)
            .rev()
            .filter(|&bit| 1 << bit <= int.magnitude)
            .map(|bit| int.with_magnitude(int.magnitude - (1 << bit)))
            .collect();
        let Some(lower) = first(search, set, &values)? else { break };
        bits = (int.magnitude - lower.magnitude).ilog2();
        int = lower;
    }
    Ok(int)
}

/// Lowers the first decimal digit as far as it goes, and each other one to 0 or 1: with any digits in their places, a
/// failure of chance would be followed for thousands of runs, and nobody could tell the results apart.
fn descend_by_digits(
    search: &mut PatientSearch,
    mut int: Int,
    set: &impl Fn(&Inputs, Int) -> Inputs,
) -> Result<Int> {
    for exponent in (0..=int.magnitude.ilog10()).rev() {
        let power = 10_u128.pow(exponent);
        let digit = int.magnitude / power % 10;
        let rest = int.magnitude - digit * power;
        let is_first = int.magnitude / power < 10;
        let values: Vec<Int> = (0..digit)
            .filter(|lower| is_first || *lower < 2)
            .map(|lower| int.with_magnitude(rest + lower * power))
            .collect();
        if let Some(lower) = first(search, set, &values)? {
            int = lower;
        }
    }
    Ok(int)
}

/// The values just below.
fn values_below(int: Int) -> Vec<Int> {
    let least = int.magnitude.saturating_sub(BELOW);
    (least..int.magnitude).map(|value| int.with_magnitude(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::NodeId;
    use super::super::search::PassContext;
    use super::super::testing::{inputs, int, numbers, oracle_for};
    use super::*;

    fn lowered(from: i128, fails: impl Fn(i128) -> bool) -> (i128, u64) {
        let all = inputs([int(from)]);
        let mut oracle = oracle_for(move |inputs: &Inputs| fails(numbers(inputs)[0]));
        let mut problem =
            crate::reduce::Problem::new(all, &mut oracle, crate::reduce::Memory::Forget);
        let mut search = PassContext::new(&mut problem);
        let value = Int::new(from < 0, from.unsigned_abs());
        let build = |base: &Inputs, int| base.with_value(NodeId(0), Value::Int(int));
        lower(&mut search.within(1), value, build).unwrap();
        (numbers(problem.best())[0], problem.counts().candidates)
    }

    #[test]
    fn a_threshold_is_found_in_logarithmically_many_runs() {
        for (from, least) in [(12_000, 1_003), (9_999_999, 7_654_321), (-5_000, 4_000), (3, 2)] {
            let (reached, calls) = lowered(from, |value| value.abs() >= least);
            assert_eq!(reached, least);
            assert!(calls <= 100, "{calls} runs");
        }
    }

    #[test]
    fn a_large_threshold_is_met_with_few_digits() {
        let (reached, calls) = lowered(i128::MAX, |value| value >= 77_777_777);
        assert_eq!(reached, 80_000_000);
        assert!(calls <= 100, "{calls} runs");
    }

    #[test]
    fn where_large_numbers_fail_by_chance_few_are_tried() {
        let fails = |value: i128| value > 1_000_000_000_000_000 && (value * 7919 / 13) % 3 > 0;
        let mut reached = vec![79_228_157_791_897_854_720];
        loop {
            let (lower, calls) = lowered(reached[0], fails);
            assert!(calls <= 120, "{calls} runs");
            if lower == reached[0] {
                break;
            }
            reached.insert(0, lower);
        }
        assert!(reached.len() <= 6, "{reached:?}");
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
