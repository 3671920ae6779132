//! Runs that are killed at random moments lose nothing and leave nothing behind.

use std::fs;
use std::io::BufRead;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use super::kept::Job;
use super::project::Killed;

/// Kills of each job in the ordinary suite.
const KILLS: usize = 5;
/// Kills of each job where that is asked for.
const MANY_KILLS: usize = 50;

/// Whether a candidate was accepted before the run was killed: fewer elements were left than there had been.
fn has_found(killed: &Killed) -> bool {
    let lines = killed.stdout.lines().map_while(Result::ok);
    let events: Vec<Value> =
        lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok()).collect();
    let elements = |reason: &'static str| {
        let events = events.iter().filter(move |event| event["reason"] == reason);
        events.filter_map(|event| event["elements"].as_u64())
    };
    let left: Vec<u64> = elements("progress").collect();
    let given = elements("input").sum();
    left.last().is_some_and(|last| *last < left[0] || *last < given)
}

/// What is in a folder for temporary files.
fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = folder.read_dir().unwrap().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Processes that were started for a folder; they may need a moment to go.
fn left_processes(folders: [&Path; 2]) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(10);
    let is_below = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    loop {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let left: Vec<String> = processes
            .map(|process| process.path())
            .filter(|process| {
                let cwd = fs::read_link(process.join("cwd")).unwrap_or_default();
                let program = fs::read_link(process.join("exe")).unwrap_or_default();
                is_below(&cwd) || is_below(&program)
            })
            .map(|process| {
                let line = fs::read(process.join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).replace('\0', " ")
            })
            .filter(|line| !line.is_empty())
            .collect();
        if left.is_empty() || Instant::now() > end {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn kill_at_random(job: &Job, kills: usize, seed: u64) {
    let mut random = SmallRng::seed_from_u64(seed);
    let temporary = tempfile::tempdir().unwrap();
    let run = || job.run().env("TMPDIR", temporary.path());
    let begun = Instant::now();
    let undisturbed = run().run();
    undisturbed.code(0);
    let time = begun.elapsed();
    let result = job.result();
    let list = job.out().join("target/cargo-reduce/written");
    let mut found = 0;
    for kill in 0..kills {
        let _ = fs::remove_dir_all(job.best());
        let began = SystemTime::now();
        let killed =
            run().args(["--fresh"]).kill_after(time.mul_f64(random.random_range(0.0..1.0)));
        let what = format!("{}, kill {kill} of seed {seed}", job.name);
        assert_eq!(job.result(), result, "{what}");
        let is_done = list.metadata().unwrap().modified().unwrap() > began;
        if has_found(&killed) {
            found += 1;
            assert!(is_done || job.best().exists(), "{what}: no best so far");
        }
        if is_done || job.best().exists() {
            assert!(
                !job.best().exists() || job.best().join("NOT-CONFIRMED.txt").exists(),
                "{what}"
            );
        }
        let left = left_processes([&job.project.root(), temporary.path()]);
        assert_eq!(left, Vec::<String>::new(), "{what}");
        // A run to the end takes as long as all the kills of the ordinary suite.
        if kill % 10 == 9 {
            let again = run().run();
            again.code(0);
            assert_eq!(job.result(), result, "{what}: {again}");
            assert!(!job.best().exists(), "{what}: {again}");
            assert_eq!(entries(temporary.path()), Vec::<std::path::PathBuf>::new(), "{what}");
        }
    }
    let again = run().run();
    again.code(0);
    assert_eq!(job.result(), result, "{}: {again}", job.name);
    assert_eq!(entries(temporary.path()), Vec::<std::path::PathBuf>::new());
    assert!(kills < 20 || found > 0, "no kill of {kills} came after a success: {}", job.name);
}

#[test]
fn killed_searches_for_inputs_lose_nothing() {
    kill_at_random(&Job::inputs(), KILLS, 1);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn killed_searches_for_code_lose_nothing() {
    kill_at_random(&Job::code(), KILLS, 2);
}

#[test]
fn killed_searches_for_crashes_lose_nothing() {
    kill_at_random(&Job::ice(), KILLS, 3);
}

#[test]
fn killed_searches_under_a_command_lose_nothing() {
    kill_at_random(&Job::script(), KILLS, 4);
}

#[test]
#[ignore = "takes minutes: `just kills`"]
fn many_kills_lose_nothing() {
    for (job, seed) in Job::all().iter().zip(5..) {
        kill_at_random(job, MANY_KILLS, seed);
    }
}
