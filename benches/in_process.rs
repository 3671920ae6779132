//! How many candidates a second the in-process tier runs, for a test that takes no time: in the sandbox, and without
//! it, in turn.
//!
//! `cargo bench --features bench --bench in_process`. One thread asks, one process runs; both share a core when the
//! program is started with `taskset -c 0`. The medians of the rates are printed; compare them within one run.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark may panic and prints figures"
)]
#![allow(clippy::cast_precision_loss, reason = "a rate needs few digits")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cargo_reduce::internals::InProcessOracle;
use cargo_reduce::internals::InputMatcher;
use cargo_reduce::internals::Oracle;
use cargo_reduce::internals::RUNTIME;
use cargo_reduce::internals::Wire;
use cargo_reduce::internals::{Access, Interrupt, Job, Mode, Policy, Sandbox};
use cargo_reduce::internals::{Body, Inputs, Node, NodeId, Value};
use cargo_reduce::internals::{FailureKind, Location, Match, Signature};
use cargo_reduce::internals::{ProbedTest, ScratchRestorer};

/// How often each is measured.
const ROUNDS: usize = 9;

const TEST: &str = r#"
#[test]
fn short() { assert!(crate::__cargo_reduce::text(0, "original") != "original"); }
#[test]
fn __cargo_reduce_probe() { crate::__cargo_reduce::drive(|| crate::__cargo_reduce::Report::report(short())) }
#[path = "runtime.rs"]
mod __cargo_reduce;
"#;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(folder.path());
    for length in [8, 100, 1_000, 10_000] {
        let mut rates = [Mode::Off, Mode::Default].map(|mode| (mode, Vec::with_capacity(ROUNDS)));
        for _ in 0..ROUNDS {
            for (mode, rates) in &mut rates {
                rates.push(rate(&program, folder.path(), *mode, length));
            }
        }
        let [off, confined] = rates.map(|(_, mut rates)| {
            rates.sort_by(f64::total_cmp);
            rates[rates.len() / 2]
        });
        println!(
            "{length:>6} characters: {confined:>9.0} candidates/s, {:.3} of {off:.0} without the sandbox",
            confined / off
        );
    }
}

fn build(folder: &Path) -> std::path::PathBuf {
    std::fs::write(folder.join("runtime.rs"), RUNTIME).expect("written");
    std::fs::write(folder.join("test.rs"), TEST).expect("written");
    let program = folder.join("test");
    let status = Command::new("rustc")
        .args(["--edition=2021", "--test", "-o"])
        .args([&program, &folder.join("test.rs")])
        .status()
        .expect("rustc runs");
    assert!(status.success(), "the test builds");
    program
}

fn rate(program: &Path, folder: &Path, mode: Mode, length: usize) -> f64 {
    const BATCH: usize = 256;
    const TIME: Duration = Duration::from_millis(500);
    let original = text("original");
    let expected =
        Signature::new(FailureKind::Panic, "assertion failed").at(Location::new("test.rs", 3, 14));
    let job = Job::new(program).args(["--exact", "__cargo_reduce_probe", "--nocapture"]);
    let sandbox = Sandbox::new(Policy { mode, ..Policy::default() }).expect("a sandbox");
    let job = sandbox.confine(job, Access::discarding([folder]));
    // Sockets elsewhere are those of services, which no candidate may reach.
    let own = tempfile::tempdir_in(sandbox.folder()).expect("a folder for the socket");
    let probed = ProbedTest {
        job,
        wire: Wire::new(&original),
        original: original.clone(),
        folder: own.path().to_owned(),
        matcher: InputMatcher::new(Match::Template, expected, &original),
        restorer: ScratchRestorer::default(),
    };
    let mut oracle = InProcessOracle::new(probed, Duration::from_secs(1), &Interrupt::new());
    let candidates: Vec<Inputs> = (0..BATCH).map(|n| text(&format!("{n:>length$}"))).collect();
    let started = Instant::now();
    let mut run = 0;
    while started.elapsed() < TIME {
        let outcomes = oracle.ask_until_fail(&candidates).expect("the probe answers");
        assert_eq!(outcomes.len(), BATCH, "all pass");
        run += BATCH;
    }
    run as f64 / started.elapsed().as_secs_f64()
}

fn text(text: &str) -> Inputs {
    let body = Body::Leaf(Value::Text(text.to_owned()));
    Inputs(vec![Arc::new(Node { id: NodeId(0), body })])
}
