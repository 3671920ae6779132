use std::time::{Duration, Instant};

use super::*;

pub(super) fn shell(script: &str) -> Job {
    Job::new("/bin/sh").arg("-c").arg(script).time(Duration::from_secs(20))
}

fn start(job: &Job) -> Result<Running, ExecError> {
    Running::start_in(sandbox::Cage::free(), job)
}

fn finish(job: &Job) -> Finished {
    run_tool(job, &Interrupt::new()).expect("the shell runs")
}

/// Whether a process with this number runs (a zombie does not).
fn lives(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}

fn dies(pid: &str) -> bool {
    let end = Instant::now() + Duration::from_secs(5);
    while Instant::now() < end {
        if !lives(pid) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

fn finish_within(job: Job, limits: Limits) -> Finished {
    finish(&job.limits(limits).time(Duration::from_secs(20)))
}

#[test]
fn output_and_exit_code_are_reported() {
    let finished = finish(&shell("echo out; echo err >&2; exit 7"));
    assert_eq!(finished.exit, Exit::Code(7));
    assert_eq!(finished.stdout.text(), "out\n");
    assert_eq!(finished.stderr.text(), "err\n");
}

#[test]
fn a_signal_is_reported() {
    assert_eq!(finish(&shell("kill -SEGV $$")).exit, Exit::Signal(11));
    assert_eq!(finish(&shell("kill -40 $$")).exit, Exit::Signal(40));
}

#[test]
fn a_missing_program_is_an_error_that_names_it() {
    let error = run_tool(&Job::new("/no/such/program"), &Interrupt::new()).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/no/such/program`");
}

#[test]
fn a_program_is_looked_up_in_the_path_of_the_job() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/bin/sh", folder.path().join("my-shell")).unwrap();
    let job = Job::new("my-shell").args(["-c", "echo $0"]);
    let found = job.clone().env("PATH", format!("/no/such:{}", folder.path().display()));
    assert_eq!(finish(&found).stdout.text(), "my-shell\n");
    let error = run_tool(&job, &Interrupt::new()).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `my-shell`");
}

#[test]
fn a_program_that_is_none_or_a_folder_that_is_missing_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text");
    std::fs::write(&file, "text").unwrap();
    assert!(run_tool(&Job::new(&file), &Interrupt::new()).is_err());
    assert!(run_tool(&shell(":").cwd("/no/such"), &Interrupt::new()).is_err());
    assert!(run_tool(&shell("a\0b"), &Interrupt::new()).is_err());
}

#[test]
fn signals_are_as_they_are_by_default() {
    // Rust programs ignore SIGPIPE; a program they start must not.
    let finished = finish(&shell("grep -E 'SigBlk|SigIgn' /proc/self/status"));
    for line in finished.stdout.text().lines() {
        let mask = line.rsplit('\t').next().unwrap();
        assert_eq!(u64::from_str_radix(mask, 16).unwrap() & (1 << 12), 0, "{line}");
    }
    assert_eq!(finished.stdout.text().lines().count(), 2);
}

#[test]
fn many_threads_start_programs_at_once() {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for number in 0..20 {
                    let finished = finish(&shell(&format!("echo {number}; exit {number}")));
                    assert_eq!(finished.exit, Exit::Code(number));
                    assert_eq!(finished.stdout.text(), format!("{number}\n"));
                }
            });
        }
    });
}

#[test]
fn the_environment_is_changed_as_asked_and_stdin_is_empty() {
    let job = shell("/bin/cat; echo ${A-unset} ${CARGO-unset}; pwd")
        .env("A", "1")
        .env_remove("CARGO")
        .cwd("/");
    assert_eq!(finish(&job).stdout.text(), "1 unset\n/\n");
}

#[test]
fn a_timeout_kills_grandchildren() {
    let job = shell("sleep 60 & echo $!; wait").time(Duration::from_millis(150));
    let finished = finish(&job);
    assert_eq!(finished.exit, Exit::TimedOut);
    assert!(finished.wall >= Duration::from_millis(150));
    assert!(finished.wall < Duration::from_secs(10));
    assert!(dies(finished.stdout.text().trim()));
}

#[test]
fn a_process_that_sleeps_too_long_is_killed_before_its_time() {
    let asleep = Limits { sleep: Some(Duration::from_millis(40)), ..Limits::default() };
    let finished = finish_within(Job::new("/bin/sleep").arg("20"), asleep.clone());
    assert_eq!(finished.exit, Exit::TimedOut);
    assert!(finished.wall < Duration::from_secs(10));
    // One that computes, or waits for a child of its own, is let alone.
    for script in ["i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done", "sleep 0.3; echo done"] {
        assert_eq!(finish_within(shell(script), asleep.clone()).exit, Exit::Code(0), "{script}");
    }
}

#[test]
fn a_process_that_computes_too_long_is_killed_however_long_it_may_run() {
    let limit = Duration::from_millis(40);
    let computing = Limits { cpu: Some(limit), ..Limits::default() };
    let busy = finish_within(shell("while :; do :; done"), computing.clone());
    assert_eq!(busy.exit, Exit::TimedOut);
    assert!(busy.wall >= limit / 2);
    // Waiting costs nothing.
    assert_eq!(finish_within(shell("sleep 0.3; echo done"), computing).exit, Exit::Code(0));
    // What it does to itself is not our doing.
    let killed = finish(&shell("kill -PROF $$"));
    assert_eq!(killed.exit, Exit::Signal(27));
}

#[cfg(target_os = "linux")]
#[test]
fn the_time_that_a_process_computes_is_told_while_it_runs() {
    let wait = Duration::from_millis(100);
    let computes = |script: &str| {
        let mut running = start(&shell(script)).unwrap();
        running.wait_timeout(wait * 3).unwrap();
        running.cpu_time().unwrap()
    };
    assert!(computes("while :; do :; done") > wait / 10);
    assert!(computes("exec sleep 60") < wait);
}

#[test]
fn what_the_leader_leaves_behind_is_killed() {
    let finished = finish(&shell("sleep 60 & echo $!"));
    assert_eq!(finished.exit, Exit::Code(0));
    assert!(finished.wall < Duration::from_secs(10));
    assert!(dies(finished.stdout.text().trim()));
}

#[test]
fn endless_output_is_bounded_and_ends_in_time() {
    let mut job = shell("while :; do echo 0123456789; done").time(Duration::from_millis(200));
    job.limits.output_bytes = 1000;
    let finished = finish(&job);
    assert_eq!(finished.exit, Exit::TimedOut);
    assert!(finished.stdout.omitted() > 0);
    assert!(finished.stdout.bytes().len() < 1100);
}

#[test]
fn much_output_on_both_streams_does_not_block() {
    let job = shell("head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero");
    let finished = finish(&job);
    assert_eq!(finished.exit, Exit::Code(0));
    let kept = job.limits.output_bytes as u64;
    assert_eq!(finished.stdout.omitted(), 3_000_000 - kept);
    assert_eq!(finished.stderr.omitted(), 3_000_000 - kept);
}

#[test]
fn an_interrupt_kills_the_group_and_nothing_starts_after_it() {
    let interrupt = Interrupt::new();
    let waker = interrupt.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        waker.set();
    });
    let started = Instant::now();
    let error = run_tool(&shell("sleep 60"), &interrupt).unwrap_err();
    thread.join().unwrap();
    assert!(error.is_interrupt());
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(run_tool(&Job::new("/no/such/program"), &interrupt).unwrap_err().is_interrupt());
}

#[test]
fn no_core_is_dumped_and_files_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = shell("ulimit -c; head -c 100000 /dev/zero > big").cwd(folder.path());
    job.limits.file_bytes = Some(4096);
    let finished = finish(&job);
    assert_eq!(finished.stdout.text(), "0\n");
    assert_ne!(finished.exit, Exit::Code(0));
    assert_eq!(folder.path().join("big").metadata().unwrap().len(), 4096);
}

#[test]
fn memory_is_limited() {
    // The shell keeps the value of a variable in memory.
    let script = "a=0123456789abcdef; while :; do a=$a$a; echo grown; done";
    let mut job = shell(script);
    job.limits.memory_bytes = Some(64 << 20);
    let finished = finish(&job);
    assert!(!matches!(finished.exit, Exit::TimedOut | Exit::Code(0)));
    let doublings = finished.stdout.text().lines().count();
    assert!((10..=22).contains(&doublings), "{doublings}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "processes are counted on Linux only")]
fn too_many_processes_are_killed() {
    let script = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 60 & done; wait";
    let mut job = shell(script);
    job.limits.processes = Some(5);
    let finished = finish(&job);
    assert_eq!(finished.exit, Exit::Signal(9));
    job.limits.processes = Some(50);
    job.limits.time = Some(Duration::from_millis(200));
    assert_eq!(finish(&job).exit, Exit::TimedOut);
}

#[test]
fn a_running_child_is_watched_and_may_print_what_nobody_reads() {
    let job = shell("head -c 1000000 /dev/zero; sleep 0.2; echo bye >&2; exit 3");
    let mut running = start(&job).unwrap();
    assert_eq!(running.wait_timeout(Duration::from_millis(20)).unwrap(), None);
    let exit = running.wait_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(exit, Some(Exit::Code(3)));
    assert_eq!(running.stderr().text(), "bye\n");
    assert!(running.try_exit().unwrap().is_some());
}

#[test]
fn a_child_outlives_the_thread_that_started_it() {
    let start = || start(&shell("sleep 60"));
    let mut running = std::thread::spawn(start).join().unwrap().unwrap();
    let exit = running.wait_timeout(Duration::from_millis(100)).unwrap();
    assert_eq!(exit, None);
}

#[test]
fn a_dropped_child_dies_with_its_group() {
    let running = start(&shell("sleep 60 & echo $! >&2; wait")).unwrap();
    let mut line = String::new();
    while !line.ends_with('\n') {
        line = running.stderr().text();
    }
    assert!(lives(line.trim()));
    drop(running);
    assert!(dies(line.trim()));
}

#[test]
fn a_killed_child_says_so() {
    let mut running = start(&shell("sleep 60")).unwrap();
    assert_eq!(running.kill().unwrap(), Exit::Signal(9));
    assert_eq!(running.try_exit().unwrap(), Some(Exit::Signal(9)));
}

#[test]
fn a_job_ends_at_a_line_that_it_prints() {
    let job = shell("echo so >&2; printf 'this is' >&2; echo ' it' >&2; sleep 20").ends_at("is it");
    let finished = finish(&job);
    assert_eq!(finished.exit, Exit::TimedOut);
    assert_eq!(finished.stderr.text(), "so\nthis is it\n");
    assert_eq!(finish(&shell("echo it; echo so >&2").ends_at("it")).exit, Exit::Code(0));
}
