//! What it costs to start a process in the sandbox: `/bin/true` unconfined, and with each kind of access, in turn.
//!
//! `cargo bench --features bench --bench start`. The medians are printed; compare them within one run.

#![allow(clippy::print_stdout, reason = "a benchmark prints what it measures")]
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::time::{Duration, Instant};

use cargo_reduce::internals::{Access, Interrupt, Job, Policy, Sandbox, run_tool};

const ROUNDS: usize = 300;

fn main() {
    let sandbox = Sandbox::new(Policy::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::new();
    let job = || Job::new("/bin/true");
    let kept = sandbox.confine(job(), Access::keeping([folder.path()]));
    let discarded = sandbox.confine(job(), Access::discarding([folder.path()]));
    let runs: [(&str, &dyn Fn()); 3] = [
        ("unconfined", &|| {
            drop(run_tool(&job(), &interrupt).unwrap());
        }),
        ("changes kept", &|| drop(kept.run(&interrupt).unwrap())),
        ("changes thrown away", &|| {
            drop(discarded.run(&interrupt).unwrap());
        }),
    ];
    let mut times = runs.map(|_| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for ((_, run), times) in runs.iter().zip(&mut times) {
            let started = Instant::now();
            run();
            times.push(started.elapsed());
        }
    }
    println!("protection: {}", sandbox.protection());
    for ((name, _), times) in runs.iter().zip(&mut times) {
        times.sort_unstable();
        let median: Duration = times[times.len() / 2];
        println!("{name:>20}: {:4} µs", median.as_micros());
    }
}
