//! Builds with switches: the library that the rewritten code asks, and what it tells.

use std::path::Path;

/// The name of the library in rewritten code.
pub const LIBRARY: &str = "cargo_reduce_rt";

/// The source of the library.
pub const SWITCH_RUNTIME: &str = concat!(
    include_str!("runtime/switches.rs"),
    "\nmod drive {\n",
    include_str!("runtime/drive.rs"),
    "}\n",
);

/// The library knows no more switches than this.
pub const MOST_SWITCHES: usize = 1 << 18;

/// The environment variable that names the file for the trace.
pub const TRACE: &str = "CARGO_REDUCE_TRACE";
/// The environment variable that says how many places a candidate may pass.
pub const STEPS: &str = "CARGO_REDUCE_STEPS";
/// The environment variable that says how many bytes of stack a candidate may use.
pub const STACK: &str = "CARGO_REDUCE_STACK";

/// What a run showed of the places it passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// For each switch whether its place ran.
    pub ran: Vec<bool>,
    /// No more places were passed than this.
    pub steps: u64,
    /// No more bytes of stack were used than this.
    pub stack: u64,
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

    /// The records of five bytes: what it is, and a number.
    fn of(bytes: &[u8], switches: usize) -> Self {
        let mut trace = Trace {
            ran: vec![false; switches],
            steps: 1 << 10,
            stack: 1 << 12,
        };
        for record in bytes.chunks_exact(5) {
            let number = u32::from_le_bytes([record[1], record[2], record[3], record[4]]);
            match record[0] {
                0 => {
                    if let Some(ran) = trace.ran.get_mut(number as usize) {
                        *ran = true;
                    }
                }
                // Told as powers of two.
                1 => trace.steps = 2 << number.min(62),
                _ => trace.stack = 1 << number.min(62),
            }
        }
        trace
    }
}

/// Appends the changes of switches from `base` to `candidate`, both their states in order: a count,
/// then the numbers and new states.
pub fn put_changes(base: &[u8], candidate: &[u8], out: &mut Vec<u8>) {
    let at = out.len();
    super::wire::put_u32(out, 0);
    let mut count = 0_u32;
    for (id, (before, after)) in (0_u32..).zip(base.iter().zip(candidate)) {
        if before != after {
            count += 1;
            super::wire::put_u32(out, id);
            out.push(*after);
        }
    }
    out[at..at + 4].copy_from_slice(&count.to_le_bytes());
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
        let bytes = [0, 1, 0, 0, 0, 1, 12, 0, 0, 0, 2, 14, 0, 0, 0, 0, 2, 0];
        let trace = Trace::of(&bytes, 3);
        assert_eq!(trace.ran, [false, true, false]);
        assert_eq!((trace.steps, trace.stack), (1 << 13, 1 << 14));
    }
}
