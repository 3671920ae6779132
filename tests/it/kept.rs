//! What earlier and killed runs have left: results stay until others replace them, and nothing on disk misleads the next
//! run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::finished::Finished;
use super::project::{Project, Run, files_below};

/// A job, and where its result goes.
pub struct Job {
    pub name: &'static str,
    pub project: Project,
    args: &'static [&'static str],
    out: &'static str,
}

impl Job {
    /// The inputs of a test that are tried in a process each.
    pub fn inputs() -> Job {
        Job {
            name: "inputs",
            project: Project::fixture("slow"),
            args: &["adds_up", "--tier", "process"],
            out: "target/reduce/adds_up",
        }
    }

    /// The code under a test.
    pub fn code() -> Job {
        Job {
            name: "--code",
            project: Project::fixture("slow"),
            args: &["adds_up", "--code"],
            out: "target/reduce/adds_up",
        }
    }

    /// A crash of the compiler, for which a script stands in.
    pub fn ice() -> Job {
        Job {
            name: "--ice",
            project: Project::fixture("crashes"),
            args: &["--ice", "input.rs"],
            out: "target/reduce/input",
        }
    }

    /// A file under a command.
    pub fn script() -> Job {
        let project = Project::empty();
        let hay = "a straw\n".repeat(100) + "a needle\n" + &"another straw\n".repeat(100);
        fs::write(project.root().join("hay.txt"), hay).unwrap();
        Job {
            name: "--oracle",
            project,
            // Long enough for progress to be told.
            args: &["--oracle", "sleep 0.05; grep -q needle hay.txt", "hay.txt"],
            out: "target/reduce/hay",
        }
    }

    pub fn all() -> [Job; 4] {
        [Job::inputs(), Job::code(), Job::ice(), Job::script()]
    }

    /// A run of it.
    pub fn run(&self) -> Run<'_> {
        let rustc = self.project.root().join("rustc");
        let run = self.project.reduce_with(self.args);
        if rustc.exists() { run.env("RUSTC", rustc) } else { run }
    }

    pub fn out(&self) -> PathBuf {
        self.project.root().join(self.out)
    }

    pub fn best(&self) -> PathBuf {
        self.out().join("best-so-far")
    }

    /// The files of its result; the page tells of the run, too, which is another one each time.
    pub fn result(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let best = self.best();
        let mut files = files_below(&self.out());
        files.retain(|path, _| !path.starts_with(&best) && !path.ends_with("report.html"));
        files
    }
}

/// Makes the subject one that does not fail.
fn mend(job: &Job) {
    let root = job.project.root();
    let (file, text) = match job.name {
        "--ice" => ("input.rs", "fn main() {}\n"),
        "--oracle" => ("hay.txt", "straw\n"),
        _ => ("src/lib.rs", "this does not build\n"),
    };
    fs::write(root.join(file), text).unwrap();
}

#[test]
fn an_earlier_result_stays_until_a_new_one_replaces_it() {
    // Those of `--code` are exchanged by the same function, and take long; they are killed at random elsewhere.
    for job in [Job::inputs(), Job::ice(), Job::script()] {
        let first = job.run().run();
        first.code(0);
        let result = job.result();
        assert!(!result.is_empty(), "{}: {first}", job.name);
        for event in ["failure", "progress"] {
            let killed = job.run().args(["--fresh"]).kill_at(event);
            assert_eq!(job.result(), result, "{} at {event}: {killed}", job.name);
        }
        let again = job.run().run();
        again.code(0);
        assert_eq!(job.result(), result, "{}: {again}", job.name);
        assert!(!job.best().exists(), "{}: {again}", job.name);
        mend(&job);
        let failed = job.run().run();
        failed.code(1);
        assert_eq!(job.result(), result, "{}: {failed}", job.name);
        assert!(job.out().join("report.html").exists(), "{}: {failed}", job.name);
    }
}

#[test]
fn two_runs_do_not_disturb_each_other() {
    for job in [Job::inputs(), Job::script()] {
        let first = job.run();
        first.kill_after_meanwhile_at("failure", |process| {
            let second = job.run().run();
            second.error(
                "error",
                &format!("another `cargo reduce` (process {process}) is running in"),
                ["wait for the other run to end, or choose another folder with `--out DIR`"],
            );
            second.code(1);
            job.run().args(["--out", "target/other"]).run().code(0);
        });
        job.run().run().code(0);
    }
}

#[test]
fn an_interrupt_before_anything_went_leaves_the_earlier_result() {
    let job = Job::script();
    job.run().run().code(0);
    let result = job.result();
    job.run().interrupt_at("failure").code(130);
    assert_eq!(job.result(), result);
}

#[test]
fn what_was_the_users_in_the_folder_of_the_result_stays() {
    let job = Job::inputs();
    let out = job.project.root().join("target/mine");
    fs::create_dir_all(out.join("src")).unwrap();
    fs::write(out.join("src/notes.txt"), "precious").unwrap();
    let run = |more: &[&str]| {
        let args = [&["adds_up", "--out", "target/mine"], more].concat();
        job.project.reduce_with(&args).run()
    };
    let first = run(&[]);
    first.reduced();
    assert!(out.join("Cargo.toml").exists(), "{first}");
    first.replay(&job.project.root());
    run(&["--fresh"]).reduced();
    assert_eq!(fs::read(out.join("src/notes.txt")).unwrap(), b"precious");
}

#[test]
fn what_a_killed_run_has_found_is_not_asked_again() {
    let candidates = |finished: &Finished| finished.summary()["candidates"].as_u64().unwrap();
    for job in [Job::script(), Job { args: &["adds_up"], ..Job::inputs() }] {
        let whole = candidates(&job.run().args(["--fresh"]).run());
        job.run().kill_at("progress");
        let rest = job.run().run();
        assert!(candidates(&rest) < whole, "{whole}: {rest}");
        assert!(rest.summary()["cached"].as_u64().unwrap() > 0, "{rest}");
    }
}

#[test]
fn what_is_known_of_other_files_of_the_package_is_not_believed() {
    let job = Job { args: &["adds_up"], ..Job::inputs() };
    let candidates = || {
        let finished = job.run().run();
        finished.code(0);
        finished.summary()["candidates"].as_u64().unwrap()
    };
    let first = candidates();
    assert_eq!((first > 0, candidates()), (true, 0));
    fs::write(job.project.root().join("tests/data.txt"), "more").unwrap();
    assert_eq!(candidates(), first);
}

#[test]
fn a_script_that_was_changed_is_asked_again() {
    let job = Job::script();
    let root = job.project.root();
    let script = |word: &str| {
        let text = format!("#!/bin/sh\ngrep -q {word} hay.txt\n");
        let path = root.join("target/check.sh");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    };
    let run = || job.project.reduce(["--oracle", "target/check.sh", "hay.txt"]);
    script("needle");
    run().kill_at("progress");
    script("another");
    let finished = run().run();
    finished.code(0);
    finished.confirmed();
    let kept = fs::read_to_string(job.out().join("hay.txt")).unwrap();
    assert_eq!(kept.trim(), "another");
}

/// Puts something else in the place of a file.
fn spoil(path: &Path, how: &str) {
    let bytes = fs::read(path).unwrap_or_default();
    let _ = fs::remove_file(path);
    match how {
        "truncated" => fs::write(path, &bytes[..bytes.len() * 2 / 3]).unwrap(),
        "garbage" => fs::write(path, [0xff; 1000]).unwrap(),
        "another version" => fs::write(path, b"cargo-reduce outcomes 99\nxxxx").unwrap(),
        "a folder" => fs::create_dir_all(path.join("with")).unwrap(),
        _ => unreachable!(),
    }
}

#[test]
fn damaged_stores_mislead_nobody() {
    let ways: &[&str] = &["truncated", "garbage", "another version", "a folder"];
    // All jobs keep them alike.
    for (job, ways) in
        [(Job::script(), ways), (Job::ice(), &ways[..1]), (Job::inputs(), &ways[..1])]
    {
        job.run().run().code(0);
        let result = job.result();
        let own = job.out().join("target/cargo-reduce");
        for &how in ways {
            job.run().args(["--fresh"]).kill_at("progress");
            spoil(&own.join("outcomes"), how);
            let finished = job.run().run();
            finished.code(0);
            assert_eq!(job.result(), result, "{} {how}: {finished}", job.name);
            if how == "a folder" {
                finished.says("cannot save the outcomes");
                let _ = fs::remove_dir_all(own.join("outcomes"));
            }
        }
    }
}

#[test]
fn a_damaged_list_of_files_keeps_nobody_from_a_result() {
    for how in ["truncated", "garbage", "a folder"] {
        let job = Job::script();
        job.run().run().code(0);
        spoil(&job.out().join("target/cargo-reduce/written"), how);
        let finished = job.run().run();
        assert!(!finished.stderr.contains("panicked"), "{how}: {finished}");
        let kept = fs::read_to_string(job.out().join("hay.txt")).unwrap();
        assert_eq!(kept.trim(), "needle", "{how}: {finished}");
    }
}

/// Runs a job after `mount` has changed what its folder of results stands on; what is in `hay.txt` there then.
#[cfg(target_os = "linux")]
fn on_other_ground(job: &Job, mount: &str) -> (Finished, String) {
    let (out, seen) = (job.out(), job.project.root().join("target/seen"));
    fs::create_dir_all(&out).unwrap();
    let script = format!(
        "{} && \"$0\" \"$@\"; code=$?; cat '{}/hay.txt' >'{}'; exit $code",
        mount.replace("OUT", &format!("'{}'", out.display())),
        out.display(),
        seen.display()
    );
    let finished = job.run().in_namespaces(&["--mount"], &script).run();
    (finished, fs::read_to_string(seen).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_leaves_the_earlier_result() {
    let job = Job {
        args: &["--max-candidates", "20", "--oracle", "test $(wc -c <{}) -ge 100000", "hay.txt"],
        ..Job::script()
    };
    fs::write(job.project.root().join("hay.txt"), "a straw\n".repeat(20_000)).unwrap();
    let mount = "mount -t tmpfs -o size=64k tmpfs OUT && echo earlier >OUT/hay.txt";
    let (finished, seen) = on_other_ground(&job, mount);
    finished.error("error", "the disk is full", []);
    finished.says("cannot save the best result so far");
    assert_eq!(seen, "earlier\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to_is_told_and_stays_as_it_is() {
    let job = Job::script();
    job.run().run().code(0);
    let mount = "mount --bind OUT OUT && mount -o remount,ro,bind OUT";
    let (finished, seen) = on_other_ground(&job, mount);
    finished.error("error", "the file system is read-only", []);
    assert_eq!(seen.trim(), "needle");
}
