//! Numbers towards 0, `true` to `false`, `char`s and floats to simpler ones.
//!
//! `(7, -250, true, 'x', 1.75)` → `(0, 1, false, 'a', 1.0)`

use std::collections::HashMap;
use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::remove_chunks;
use crate::reduce::inputs::lower::lower;
use crate::reduce::inputs::order::simplicity;
use crate::reduce::inputs::search::{PassContext, PatientSearch};
use crate::reduce::inputs::{Float, Inputs, NodeId, Value};

/// Sets scalars to their simplest value, in chunks.
pub(in super::super) fn zero_scalars(search: &mut PassContext) -> Result<()> {
    let base = search.best();
    let is_complex = |value: &Value| is_scalar(value) && value.trivial() != *value;
    let units: Vec<NodeId> =
        base.leaves().filter(|(_, value)| is_complex(value)).map(|(id, _)| id).collect();
    let search = &mut search.within(units.len());
    let build = |base: &Inputs, units: &[NodeId], zeroed: Range<usize>| {
        let mut zeroed = units[zeroed].iter().peekable();
        base.map_leaves(|id, value| zeroed.next_if(|&&next| next == id).map(|_| value.trivial()))
    };
    remove_chunks(search, units, build)
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Text(_) | Value::Bytes(_))
}

/// How many scalars of one value must resist before the others of that value are left alone.
const RESISTANCE: usize = 4;

/// Lowers each scalar as far as it goes.
pub(in super::super) fn lower_scalars(search: &mut PassContext) -> Result<()> {
    let ids: Vec<NodeId> = search
        .best()
        .leaves()
        .filter(|(_, value)| is_scalar(value) && value.trivial() != **value)
        .map(|(id, _)| id)
        .collect();
    let search = &mut search.within(ids.len());
    let mut resisted: HashMap<Value, usize> = HashMap::new();
    for id in ids {
        let Some(value) = search.best().value(id).cloned() else { continue };
        let resisted = resisted.entry(value.clone()).or_default();
        if *resisted >= RESISTANCE {
            continue;
        }
        let before = search.accepted();
        lower_scalar(search, id, &value)?;
        if search.accepted() == before {
            *resisted += 1;
        }
        if search.is_spent() {
            break;
        }
    }
    Ok(())
}

fn lower_scalar(search: &mut PatientSearch, id: NodeId, value: &Value) -> Result<()> {
    let base = search.best().clone();
    let simpler: Vec<Value> = match *value {
        Value::Int(int) => {
            lower(search, int, |base, int| base.with_value(id, Value::Int(int)))?;
            return Ok(());
        }
        Value::Float(Float(float)) => {
            simpler_floats(float).map(|float| Value::Float(Float(float))).collect()
        }
        Value::Char(c) => SIMPLE_CHARS.chars().chain(c.to_lowercase()).map(Value::Char).collect(),
        Value::Bool(_) | Value::Text(_) | Value::Bytes(_) => return Ok(()),
    };
    search.consider_first(simpler.into_iter().map(|value| base.with_value(id, value)))?;
    Ok(())
}

/// What a person would write, simplest first.
pub(super) const SIMPLE_CHARS: &str = "ab01A \n!\"#-./:<>[]_{}é";

/// Values to try instead of a float, simplest first.
fn simpler_floats(float: f64) -> impl Iterator<Item = f64> {
    let small = [0.0, 1.0, -1.0, 2.0, 0.5, 0.1];
    let digits = (0..6).map(move |digits| {
        let scale = 10_f64.powi(digits);
        (float * scale).trunc() / scale
    });
    let magnitudes = (1..64).rev().map(move |bits| (float / 2_f64.powi(bits)).trunc());
    small
        .into_iter()
        .chain([float.abs()])
        .chain(magnitudes)
        .chain(digits)
        .chain(fewer_digits(float))
}

/// A float without one of its digits each, the simplest first: `999.9` → `99.9`.
fn fewer_digits(float: f64) -> Vec<f64> {
    let shown = format!("{float}");
    let is_digit = |at: &usize| shown.as_bytes()[*at].is_ascii_digit();
    let without = |at: usize| format!("{}{}", &shown[..at], &shown[at + 1..]).parse().ok();
    let mut fewer: Vec<f64> = (0..shown.len()).filter(is_digit).filter_map(without).collect();
    let value = |float: &f64| Value::Float(Float(*float));
    fewer.sort_by(|left, right| simplicity(&value(left), &value(right)));
    fewer.dedup();
    fewer
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{flag, float, inputs, int, numbers, reduce_within, seq};

    use super::*;

    #[test]
    fn scalars_that_do_not_matter_become_zero_in_few_runs() {
        let all = inputs([seq((0..500).map(int)), flag(true), float(1.5)]);
        let best = reduce_within(40, all, zero_scalars, |inputs| numbers(inputs)[300] == 300);
        assert_eq!(numbers(&best).iter().sum::<i128>(), 300);
        assert_eq!(best.leaves().last().unwrap().1, &Value::Float(Float(0.0)));
    }

    #[test]
    fn floats_get_fewer_digits() {
        let is_above = |inputs: &Inputs| matches!(inputs.leaves().next(), Some((_, Value::Float(Float(value)))) if *value > 1.2);
        let best = reduce_within(4, inputs([float(1.234_567)]), lower_scalars, is_above);
        assert_eq!(best, inputs([float(2.0)]));
    }

    #[test]
    fn floats_lose_digits_that_do_not_matter() {
        let rounds_up = |inputs: &Inputs| match inputs.leaves().next() {
            Some((_, Value::Float(Float(value)))) => {
                let shown = format!("{value}");
                shown.starts_with('9') && shown.ends_with(".9")
            }
            _ => false,
        };
        let (best, calls) =
            crate::reduce::inputs::testing::reduce(inputs([float(999.9)]), rounds_up);
        assert_eq!(best, inputs([float(9.9)]));
        assert!(calls <= 250, "{calls} runs");
    }

    #[test]
    fn values_that_resist_are_given_up() {
        let all = inputs([seq((0..400).map(|_| int(4_294_967_295)))]);
        reduce_within(340, all.clone(), lower_scalars, |inputs| *inputs == all);
    }
}
