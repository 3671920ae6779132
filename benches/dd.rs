//! Calls per second of the general dd algorithm with a test that costs next to nothing.
//!
//! `cargo bench --bench dd`

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::time::Instant;

use cargo_reduce::{DdError, Mode, Outcome, dd};

/// Fails while the first and the last element are there; looks at nothing else.
fn ends(elements: &[u32], last: u32) -> Outcome {
    if elements.first() == Some(&0) && elements.last() == Some(&last) {
        Outcome::Fail
    } else {
        Outcome::Pass
    }
}

fn report(what: &str, elements: u32, calls: u64, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate to look at")]
    let rate = calls as f64 / seconds;
    println!("{what:34}{elements:>10}{calls:>8} calls{seconds:>10.4} s{rate:>14.0} calls/s");
}

fn main() -> Result<(), DdError> {
    for elements in [1_000, 10_000, 100_000, 1_000_000] {
        let input: Vec<u32> = (0..elements).collect();
        for mode in [Mode::Minimize, Mode::Maximize, Mode::Both] {
            let mut calls = 0;
            let start = Instant::now();
            dd(&input, mode, |candidate: &[u32]| {
                calls += 1;
                ends(candidate, elements - 1)
            })?;
            report(&format!("sequences, {mode:?}"), elements, calls, start);
        }
        let mut calls = 0;
        let start = Instant::now();
        cargo_reduce::minimize(&input, |candidate: &[u32]| {
            calls += 1;
            assert!(!ends(candidate, elements - 1).is_fail(), "both ends are there");
        })?;
        report("minimize, panics, Adaptive", elements, calls, start);
    }
    Ok(())
}
