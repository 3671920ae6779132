//! Builds with switches: the library that the rewritten code asks, and what it tells.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::wire::{put_bytes, put_len, put_u32};
use crate::source::ByteReader;

/// The name of the library in rewritten code.
pub const LIBRARY: &str = "cargo_reduce_rt";

/// The source of the library.
pub const SWITCH_RUNTIME: &str = concat!(
    include_str!("runtime/switches.rs"),
    "\nmod values {\n",
    include_str!("runtime/values.rs"),
    "}\n\nmod observe {\n",
    include_str!("runtime/observe.rs"),
    "}\n\nmod drive {\n",
    include_str!("runtime/drive.rs"),
    "}\n\nmod report {\n",
    include_str!("runtime/report.rs"),
    "}\n",
);

/// The library knows no more switches than this.
pub const MOST_SWITCHES: usize = 1 << 18;

/// The environment variable that names the file for the trace.
pub const TRACE: &str = "__CARGO_REDUCE_TRACE";
/// The environment variable that says how many places a candidate may pass.
pub const STEPS: &str = "__CARGO_REDUCE_STEPS";
/// The environment variable that says how many places tests may pass that have to pass along, where a candidate may pass any
/// number.
pub const STEPS_ALONG: &str = "__CARGO_REDUCE_STEPS_ALONG";
/// The environment variable that says how many bytes of stack a candidate may use.
pub const STACK: &str = "__CARGO_REDUCE_STACK";

/// The environment variable that names the file with the values of places.
pub const VALUES: &str = "__CARGO_REDUCE_VALUES";

/// What a run showed of the places it passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// For each switch whether its place ran.
    pub ran: Vec<bool>,
    /// No more places were passed than this.
    pub steps: u64,
    /// No more bytes of stack were used than this.
    pub stack: u64,
    /// How long the run took.
    pub took: Duration,
    /// What those places yield that always yield the same value of a simple type.
    pub values: BTreeMap<usize, SimpleValue>,
    /// What places were told to yield last, in the order in which they first yielded that.
    pub values_seen: Vec<TracedValue>,
}

/// A value as the text that `Debug` makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedValue {
    /// The number of the switch.
    pub place: usize,
    /// The name of its type, as the compiler gives it.
    pub type_name: String,
    /// The text.
    pub text: String,
    /// Whether the place yielded something else before.
    pub varies: bool,
}

impl Trace {
    /// Reads what a process wrote that was told to with [`TRACE`]; it holds also if the process was
    /// killed. There are `switches` of them.
    ///
    /// # Errors
    /// When there is no such file: nothing that is rewritten ran.
    pub fn read(path: &Path, switches: usize) -> std::io::Result<Self> {
        Ok(Self::of(&std::fs::read(path)?, switches))
    }

    /// The records: what it is, a number, and the length and bytes of what belongs to it.
    fn of(mut bytes: &[u8], switches: usize) -> Self {
        let mut trace = Trace {
            ran: vec![false; switches],
            steps: 1 << 10,
            stack: 1 << 12,
            took: Duration::ZERO,
            values: BTreeMap::new(),
            values_seen: Vec::new(),
        };
        while let Some((kind, number, more)) = next_record(&mut bytes) {
            match kind {
                0 => {
                    if let Some(ran) = trace.ran.get_mut(number as usize) {
                        *ran = true;
                    }
                }
                // Told as powers of two.
                1 => trace.steps = 2 << number.min(62),
                2 => trace.stack = 1 << number.min(62),
                3 => {
                    let value = SimpleValue::of(more).map(|value| (number as usize, value));
                    trace.values.extend(value);
                }
                5 => {
                    let known = trace.values_seen.len();
                    trace.values_seen.retain(|traced| traced.place != number as usize);
                    let varies = trace.values_seen.len() < known;
                    let traced = TracedValue::of(number as usize, more);
                    trace.values_seen.extend(traced.map(|traced| TracedValue { varies, ..traced }));
                }
                _ => {
                    trace.values.remove(&(number as usize));
                    trace.values_seen.retain(|traced| traced.place != number as usize);
                }
            }
        }
        trace
    }
}

/// Takes the next record from the front; `None` at the end, or if it was cut off.
fn next_record<'b>(bytes: &mut &'b [u8]) -> Option<(u8, u32, &'b [u8])> {
    let mut reader = ByteReader(bytes);
    let record = (reader.byte()?, reader.number()?, reader.bytes()?);
    *bytes = reader.0;
    Some(record)
}

/// A value of a simple type, as the runtime tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleValue {
    bytes: Vec<u8>,
    /// It as Rust source.
    pub literal: String,
}

impl SimpleValue {
    /// Reads the name of the type, a zero, and the value.
    fn of(record: &[u8]) -> Option<Self> {
        let (name, bytes) = named(record)?;
        let (bytes, literal) = (bytes.to_vec(), literal(name, bytes)?);
        Some(SimpleValue { bytes, literal })
    }
}

impl TracedValue {
    /// Reads the name of the type, a zero, and the text.
    fn of(place: usize, record: &[u8]) -> Option<Self> {
        let (name, text) = named(record)?;
        Some(TracedValue {
            place,
            type_name: name.to_owned(),
            text: std::str::from_utf8(text).ok()?.to_owned(),
            varies: false,
        })
    }
}

/// A name, and what stands behind the zero after it.
fn named(record: &[u8]) -> Option<(&str, &[u8])> {
    let zero = record.iter().position(|byte| *byte == 0)?;
    let name = std::str::from_utf8(&record[..zero]).ok()?;
    Some((name, &record[zero + 1..]))
}

/// Rust source for a value of the named type.
fn literal(name: &str, bytes: &[u8]) -> Option<String> {
    if let Some(inner) =
        name.strip_prefix("core::option::Option<").and_then(|rest| rest.strip_suffix('>'))
    {
        return match bytes.split_first()? {
            (0, _) => Some(format!("None::<{inner}>")),
            (_, bytes) => Some(format!("Some({})", literal(inner, bytes)?)),
        };
    }
    let text = std::str::from_utf8(bytes).ok()?;
    Some(match name {
        "()" => "()".to_owned(),
        "&str" => format!("{text:?}"),
        "char" => format!("{:?}", text.chars().next()?),
        "bool" => text.to_owned(),
        _ if text.starts_with('-') => format!("({text}{name})"),
        _ => format!("{text}{name}"),
    })
}

/// Appends the values of places as the runtime reads them.
pub fn put_values(values: &BTreeMap<usize, SimpleValue>, out: &mut Vec<u8>) {
    for (place, value) in values {
        put_u32(out, u32::try_from(*place).unwrap_or(u32::MAX));
        put_bytes(out, &value.bytes);
    }
}

/// Appends the changes of switches from `base` to `candidate`, both their states in order: a count,
/// then the numbers and new states.
pub fn put_changes(base: &[u8], candidate: &[u8], out: &mut Vec<u8>) {
    let all = (0_u32..).zip(base.iter().zip(candidate));
    let changed: Vec<_> = all.filter(|(_, (before, after))| before != after).collect();
    put_len(out, changed.len());
    for (id, (_, after)) in changed {
        put_u32(out, id);
        out.push(*after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_told() {
        let mut out = vec![9];
        put_changes(&[0, 1, 0, 2], &[0, 0, 0, 1], &mut out);
        assert_eq!(out, [9, 2, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 1]);
    }

    #[test]
    fn a_trace_that_was_cut_off_counts_as_far_as_it_goes() {
        let mut bytes = Vec::new();
        for (kind, number, more) in [(0, 1, ""), (1, 12, ""), (2, 14, ""), (0, 2, "")] {
            record(kind, number, more.as_bytes(), &mut bytes);
        }
        bytes.pop();
        let trace = Trace::of(&bytes, 3);
        assert_eq!(trace.ran, [false, true, false]);
        assert_eq!((trace.steps, trace.stack), (1 << 13, 1 << 14));
    }

    #[test]
    fn only_values_that_never_change_are_kept() {
        let mut bytes = Vec::new();
        record(3, 0, b"usize\x007", &mut bytes);
        record(3, 1, b"core::option::Option<&str>\0\x01a\"", &mut bytes);
        record(3, 2, b"bool\0true", &mut bytes);
        record(4, 2, b"", &mut bytes);
        record(3, 3, b"core::option::Option<char>\0\0", &mut bytes);
        record(3, 4, b"i8\0-3", &mut bytes);
        let values = Trace::of(&bytes, 5).values;
        let literals: Vec<(usize, &str)> =
            values.iter().map(|(place, value)| (*place, value.literal.as_str())).collect();
        assert_eq!(
            literals,
            [(0, "7usize"), (1, "Some(\"a\\\"\")"), (3, "None::<char>"), (4, "(-3i8)")]
        );
    }

    #[test]
    fn texts_are_kept_in_the_order_in_which_they_were_told() {
        let mut bytes = Vec::new();
        record(5, 7, b"a::Error\0Unclosed { at: 3 }", &mut bytes);
        record(5, 9, b"u8\x001", &mut bytes);
        record(4, 9, b"", &mut bytes);
        record(5, 2, b"()\0()", &mut bytes);
        let traced = Trace::of(&bytes, 10).values_seen;
        let values_seen: Vec<(usize, &str, &str)> =
            traced.iter().map(|traced| (traced.place, &*traced.type_name, &*traced.text)).collect();
        assert_eq!(values_seen, [(7, "a::Error", "Unclosed { at: 3 }"), (2, "()", "()")]);
    }

    #[test]
    fn of_a_place_that_changes_the_last_text_is_kept() {
        let mut bytes = Vec::new();
        record(5, 1, b"u8\x001", &mut bytes);
        record(5, 2, b"u8\x007", &mut bytes);
        record(5, 1, b"u8\x002", &mut bytes);
        let traced = Trace::of(&bytes, 3).values_seen;
        let values_seen: Vec<(usize, &str, bool)> =
            traced.iter().map(|traced| (traced.place, &*traced.text, traced.varies)).collect();
        assert_eq!(values_seen, [(2, "7", false), (1, "2", true)]);
    }

    fn record(kind: u8, number: u32, more: &[u8], out: &mut Vec<u8>) {
        out.push(kind);
        put_u32(out, number);
        put_bytes(out, more);
    }
}
