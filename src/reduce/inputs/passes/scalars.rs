//! Numbers towards 0, `true` to `false`, `char`s and floats to simpler ones.
//!
//! `(7, -250, true, 'x', 1.75)` → `(0, 1, false, 'a', 1.0)`

use crate::reduce::Stop;
use crate::reduce::inputs::chunks::remove_chunks;
use crate::reduce::inputs::lower::lower;
use crate::reduce::inputs::search::Search;
use crate::reduce::inputs::{Float, Inputs, NodeId, Value};

use super::trivial::trivial;

/// Sets scalars to their simplest value, in chunks.
pub(in super::super) fn zero_scalars(search: &mut Search) -> Result<(), Stop> {
    let base = search.best().clone();
    let is_complex = |value: &Value| is_scalar(value) && trivial(value) != *value;
    let units: Vec<NodeId> = base
        .leaves()
        .filter(|(_, value)| is_complex(value))
        .map(|(id, _)| id)
        .collect();
    let mut patience = search.patience(units.len());
    let build = |_: &Inputs, kept: Vec<NodeId>| {
        let mut kept = kept.into_iter().peekable();
        base.map_leaves(|id, value| {
            if kept.next_if_eq(&id).is_some() || !is_scalar(value) {
                None
            } else {
                Some(trivial(value))
            }
        })
    };
    remove_chunks(search, units, 1, &mut patience, build)?;
    Ok(())
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Text(_) | Value::Bytes(_))
}

/// Lowers each scalar as far as it goes.
pub(in super::super) fn lower_scalars(search: &mut Search) -> Result<(), Stop> {
    let leaves: Vec<NodeId> = search
        .best()
        .leaves()
        .filter(|(_, value)| is_scalar(value) && trivial(value) != **value)
        .map(|(id, _)| id)
        .collect();
    let mut patience = search.patience(leaves.len());
    for id in leaves {
        if patience.is_spent() {
            break;
        }
        let Some(value) = search.best().value(id).cloned() else {
            continue;
        };
        match value {
            Value::Int(int) => {
                lower(search, &mut patience, int, |base, int| {
                    base.with_value(id, Value::Int(int))
                })?;
            }
            Value::Float(Float(float)) => {
                let base = search.best().clone();
                let simpler = simpler_floats(float).map(|float| Value::Float(Float(float)));
                patience.consider_first(search, simpler.map(|value| base.with_value(id, value)))?;
            }
            Value::Char(c) => {
                let base = search.best().clone();
                let simpler = SIMPLE_CHARS
                    .chars()
                    .chain(c.to_lowercase())
                    .map(Value::Char);
                patience.consider_first(search, simpler.map(|value| base.with_value(id, value)))?;
            }
            Value::Bool(_) | Value::Text(_) | Value::Bytes(_) => {}
        }
    }
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
    let magnitudes = (1..64)
        .rev()
        .map(move |bits| (float / 2_f64.powi(bits)).trunc());
    small
        .into_iter()
        .chain([float.abs()])
        .chain(magnitudes)
        .chain(digits)
}
