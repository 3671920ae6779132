//! Runs the binary on a copy of a case, and the plain `cargo test` on what it leaves.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use super::case::Case;
use super::copy::copy;
use super::row::Row;
use super::size::size;

/// A run that takes longer hangs.
const HANG: Duration = Duration::from_secs(15);
/// How often a flaky failure is looked for.
const FLAKY_RUNS: u32 = 60;

/// Measures a case: cold build, rebuild, reduction, proof.
pub fn measure(case: &Case) -> Row {
    let folder = TempDir::with_prefix("cargo-reduce-corpus-").unwrap();
    let root = folder.path();
    copy(&case.folder, root);
    let cold = build(case, root);
    touch(&root.join(&case.test_file));
    let rebuild = build(case, root);
    let started = Instant::now();
    let output = reduce(case, root);
    let wall = started.elapsed();
    let events: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let summary =
        events.iter().find(|event| event["reason"] == "summary").cloned().unwrap_or_default();
    // The first build finds everything built; the others compile the test again.
    let rebuilds =
        u32::try_from(summary["builds"].as_u64().unwrap_or(0).saturating_sub(1)).unwrap();
    let mut row = Row {
        name: case.name.clone(),
        before: case.input_size,
        after: size_after(case, &events),
        by_hand: case.minimal_size,
        tier: tier(&events),
        builds: summary["builds"].as_u64().unwrap_or(0),
        candidates: summary["candidates"].as_u64().unwrap_or(0),
        wall_seconds: wall.as_secs_f64(),
        search_seconds: wall.saturating_sub(rebuild * rebuilds).as_secs_f64(),
        cold_seconds: cold.as_secs_f64(),
        ..Row::default()
    };
    match proof(case, &summary) {
        Ok(()) => row.confirmed = true,
        Err(why) => row.note = format!("{why}\n{}", String::from_utf8_lossy(&output.stderr)),
    }
    row
}

fn build(case: &Case, root: &Path) -> Duration {
    let started = Instant::now();
    let output = cargo(root).args(["test", "--no-run"]).args(case.build_args()).output().unwrap();
    assert!(output.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    started.elapsed()
}

fn reduce(case: &Case, root: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-reduce"));
    command.current_dir(root).stdin(Stdio::null()).env_remove("CARGO_TARGET_DIR");
    // To the command they would be options that it does not have.
    command.env_remove("CARGO_REDUCE_CORPUS").env_remove("CARGO_REDUCE_CASES");
    command.args(["reduce", "--message-format", "json"]).args(case.reduce_args());
    if case.flaky {
        command.args(["--runs", &FLAKY_RUNS.to_string()]);
    }
    command.output().unwrap()
}

/// The plain `cargo test` has to show the failure on the reduced source.
fn proof(case: &Case, summary: &Value) -> Result<(), String> {
    if summary["confirmed"] != true {
        return Err("the summary does not say so".to_owned());
    }
    let package = summary["artifacts"]["package"].as_str().ok_or("no package")?;
    let expected = case.expected();
    let runs = if case.flaky { FLAKY_RUNS } else { 1 };
    let mut shown = String::new();
    for _ in 0..runs {
        match cargo_test(case, Path::new(package)) {
            None if case.is_hang() => return Ok(()),
            None => "it hangs".clone_into(&mut shown),
            Some(output) if !case.is_hang() && expected.is_match(&output) => return Ok(()),
            Some(output) => shown = output,
        }
    }
    Err(format!("the reduced test does not show {expected}: {shown}"))
}

/// What `cargo test` prints, or nothing when it hangs.
fn cargo_test(case: &Case, package: &Path) -> Option<String> {
    let mut build = cargo(package);
    build.args(["test", "--no-run"]).args(case.build_args()).output().unwrap();
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut child = std::os::unix::process::CommandExt::process_group(&mut cargo(package), 0)
        .arg("test")
        .args(case.cargo_args())
        .stdout(log.as_file().try_clone().unwrap())
        .stderr(log.as_file().try_clone().unwrap())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > HANG {
            let group = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
            nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL).unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut output = Vec::new();
    log.reopen().unwrap().read_to_end(&mut output).unwrap();
    Some(String::from_utf8_lossy(&output).into_owned())
}

fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("CARGO_TARGET_DIR")
        .env("RUST_BACKTRACE", "0");
    command
}

fn size_after(case: &Case, events: &[Value]) -> Option<u64> {
    let kinds: BTreeMap<u64, String> = events
        .iter()
        .filter(|event| event["reason"] == "input")
        .filter_map(|event| Some((event["id"].as_u64()?, event["kind"].as_str()?.to_owned())))
        .collect();
    let sizes: Vec<u64> = events
        .iter()
        .filter(|event| event["reason"] == "reduced")
        .map(|event| {
            let kind = event["id"].as_u64().and_then(|id| kinds.get(&id));
            size(event, &case.input_unit, kind.map_or("", String::as_str))
        })
        .collect();
    (!sizes.is_empty()).then(|| sizes.iter().sum())
}

/// The slowest tier of the inputs.
fn tier(events: &[Value]) -> String {
    let tiers: Vec<&str> = events.iter().filter_map(|event| event["tier"].as_str()).collect();
    ["rebuild", "process", "in-process"]
        .into_iter()
        .find(|tier| tiers.contains(tier))
        .unwrap_or("-")
        .to_owned()
}

/// Makes a file newer than what was built from it.
fn touch(path: &Path) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now()).unwrap();
}
