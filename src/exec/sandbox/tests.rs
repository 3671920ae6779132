use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::room::folders;
use super::*;
use crate::exec::tests::shell;
use crate::exec::{Exit, Finished, Interrupt, Job, Limits, run_tool};

/// All protections that this system has; a test that none of them lets run says so.
fn sandboxes(policy: &Policy) -> Vec<Sandbox> {
    let best = Sandbox::new(policy.clone()).expect("this system has no protection at all");
    let mut all = vec![Protection::Landlock { version: 7 }];
    match best.protection() {
        Protection::Namespaces { overlay } => {
            all.extend([overlay, false].map(|overlay| Protection::Namespaces { overlay }));
        }
        _ => eprintln!("not tested here: there are no user namespaces"),
    }
    all.dedup();
    all.into_iter()
        .map(|protection| {
            Sandbox::protected_by(protection, policy.clone(), folders().unwrap()).unwrap()
        })
        .collect()
}

fn finish(sandbox: &Sandbox, job: Job, access: Access) -> Finished {
    sandbox.confine(job, access).run(&Interrupt::new()).unwrap()
}

/// Runs a script that may change `inside` and nothing else.
fn script(sandbox: &Sandbox, script: &str, inside: &Path) -> String {
    let finished = finish(sandbox, shell(script).cwd(inside), Access::keeping([inside]));
    let said = format!("{}{}", finished.stdout.text(), finished.stderr.text());
    format!("{:?} {said}", finished.exit)
}

#[test]
fn only_what_is_allowed_is_written_to_and_the_rest_is_read() {
    for sandbox in sandboxes(&Policy::default()) {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(folder.path().join("read"), "readable").unwrap();
        let hostile = "echo x > new; cat ../read; echo x > /dev/null || echo no device; rm -rf ../read; \
                       echo x > ../outside; mv ../read moved; ln ../read linked; mkdir ../folder";
        let said = script(&sandbox, hostile, &inside);
        assert!(said.contains("readable") && !said.contains("no device"), "{said}");
        assert!(inside.join("new").exists(), "{said}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "{said}");
        assert_eq!(std::fs::read(folder.path().join("read")).unwrap(), b"readable");
        assert_eq!(folder.path().join("read").metadata().unwrap().nlink(), 1);
    }
}

#[test]
fn metadata_outside_stays_as_it_is() {
    for sandbox in sandboxes(&Policy::default()) {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        std::fs::create_dir(&inside).unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let stamp = || {
            let metadata = file.metadata().unwrap();
            let times =
                (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec());
            (metadata.mode(), metadata.uid(), times)
        };
        let before = stamp();
        let said = script(
            &sandbox,
            "chmod 0 ../file; chown 65534 ../file; touch -d 2001-01-01 ../file",
            &inside,
        );
        assert_eq!(stamp(), before, "{:?}: {said}", sandbox.protection());
    }
}

#[test]
fn processes_that_left_their_group_die_with_their_candidate() {
    for sandbox in sandboxes(&Policy::default()) {
        let folder = tempfile::tempdir().unwrap();
        // Each writes every 10 ms, for ever; then the leader goes.
        let stray = "while :; do date +%s%N > $0; sleep 0.01; done";
        let hostile = format!(
            "setsid sh -c '{stray}' one & (setsid sh -c '{stray}' two &) ; nohup sh -c '{stray}' three & sleep 0.2"
        );
        let said = script(&sandbox, &hostile, folder.path());
        for name in ["one", "two", "three"] {
            let read = || std::fs::read(folder.path().join(name)).unwrap_or_default();
            let last = read();
            assert!(folder.path().join(name).exists(), "{:?}: {said}", sandbox.protection());
            std::thread::sleep(Duration::from_millis(60));
            assert_eq!(read(), last, "{name} still runs: {:?}", sandbox.protection());
        }
    }
}

#[test]
fn what_is_discarded_is_gone_and_the_next_candidate_finds_all_as_it_was() {
    for sandbox in sandboxes(&Policy::default()) {
        if sandbox.protection() != (Protection::Namespaces { overlay: true }) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("kept"), "x").unwrap();
        std::fs::create_dir(folder.path().join("folder")).unwrap();
        for round in 0..3 {
            let script =
                "ls; rm -rf *; ln -s /etc folder; echo junk > kept; echo junk > $TMPDIR/junk; ls";
            let job = shell(script).cwd(folder.path());
            let finished = finish(&sandbox, job, Access::discarding([folder.path()]));
            assert_eq!(finished.stdout.text(), "folder\nkept\nfolder\nkept\n", "{round}");
            assert_eq!(std::fs::read(folder.path().join("kept")).unwrap(), b"x");
            // What we write between two candidates is seen by the next one.
            let name = format!("kept{round}");
            std::fs::write(folder.path().join(&name), &name).unwrap();
            let job = shell(&format!("cat {name}; ls $TMPDIR")).cwd(folder.path());
            let finished = finish(&sandbox, job, Access::discarding([folder.path()]));
            assert_eq!(finished.stdout.text(), name, "{}", finished.stderr.text());
            std::fs::remove_file(folder.path().join(&name)).unwrap();
        }
    }
}

#[test]
fn a_folder_that_was_made_again_can_be_changed_like_the_one_before() {
    for sandbox in sandboxes(&Policy::default()) {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        for access in [Access::keeping([&inside]), Access::discarding([&inside])] {
            for round in 0..3 {
                std::fs::create_dir(&inside).unwrap();
                let finished = finish(&sandbox, shell("echo x > new").cwd(&inside), access.clone());
                assert!(finished.exit.is_success(), "{round}: {}", finished.stderr.text());
                std::fs::remove_dir_all(&inside).unwrap();
                // The cells with the folders before are gone.
                #[cfg(target_os = "linux")]
                assert!(sandbox.idle_cells() <= 1, "{round}");
            }
        }
    }
}

#[test]
fn private_folders_are_there_and_empty_each_time() {
    for sandbox in sandboxes(&Policy::default()) {
        let Protection::Namespaces { .. } = sandbox.protection() else { continue };
        let inside = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let hostile = "for folder in $TMPDIR $HOME /dev/shm; do ls -A $folder; echo x > $folder/new && echo made; done";
            let said = script(&sandbox, hostile, inside.path());
            assert_eq!(said, "Code(0) made\nmade\nmade\n");
        }
        assert!(!Path::new("/dev/shm/new").exists());
    }
}

#[test]
fn an_allowed_folder_and_the_own_home_can_be_changed() {
    let allowed = tempfile::tempdir().unwrap();
    let policy = Policy {
        writable: vec![allowed.path().to_owned()],
        env: vec!["CARGO_PKG_NAME".into()],
        ..Policy::default()
    };
    for sandbox in sandboxes(&policy) {
        let inside = tempfile::tempdir().unwrap();
        let file = allowed.path().join("new");
        let said = script(
            &sandbox,
            &format!("echo x > {}; echo $CARGO_PKG_NAME", file.display()),
            inside.path(),
        );
        assert!(said.contains("cargo-reduce") && file.exists(), "{said}");
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn memory_and_processes_of_the_whole_tree_are_limited() {
    for sandbox in sandboxes(&Policy::default()) {
        let Protection::Namespaces { .. } = sandbox.protection() else { continue };
        let inside = tempfile::tempdir().unwrap();
        let started = Instant::now();
        // Each in a session of its own, so that no group holds them all.
        let many = "i=0; while [ $i -lt 40 ]; do setsid sleep 30 & i=$((i+1)); done; wait";
        let job = shell(many).limits(Limits { processes: Some(20), ..Limits::default() });
        let finished = finish(&sandbox, job, Access::keeping([inside.path()]));
        assert_eq!(finished.exit, Exit::Signal(9), "{}", finished.stderr.text());
        let large = "for i in 1 2 3 4 5 6; do setsid sh -c 'a=$(head -c 20000000 /dev/zero | tr \"\\0\" a); sleep 30' & done; wait";
        let job = shell(large).limits(Limits { memory_bytes: Some(64 << 20), ..Limits::default() });
        let finished = finish(&sandbox, job, Access::keeping([inside.path()]));
        assert_eq!(finished.exit, Exit::Signal(9), "{}", finished.stderr.text());
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn files_in_memory_without_a_name_count_as_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("bomb.rs"), folder.path().join("bomb"));
    // Nobody maps it, and no file size is limited: three times the limit would fit.
    let text = "use std::io::Write;
        use std::os::fd::FromRawFd;
        extern \"C\" { fn memfd_create(name: *const std::ffi::c_char, flags: u32) -> i32; }
        fn main() {
            let mut file = unsafe { std::fs::File::from_raw_fd(memfd_create(c\"bomb\".as_ptr(), 0)) };
            for _ in 0..192 { file.write_all(&[1; 1 << 20]).unwrap(); }
            std::thread::sleep(std::time::Duration::from_secs(30));
        }";
    std::fs::write(&source, text).unwrap();
    // Not by the standard library, whose children would be strays to a sandbox that another test ends meanwhile.
    let rustc = Job::new("rustc").args(["--edition=2021", "-o"]).args([&program, &source]);
    let built = run_tool(&rustc, &Interrupt::new()).unwrap();
    assert!(built.exit.is_success(), "{}", built.stderr.text());
    for sandbox in sandboxes(&Policy::default()) {
        let job =
            Job::new(&program).limits(Limits { memory_bytes: Some(64 << 20), ..Limits::default() });
        let started = Instant::now();
        let finished = finish(&sandbox, job, Access::keeping([folder.path()]));
        assert_eq!(finished.exit, Exit::Signal(9), "{}", finished.stderr.text());
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn strict_mode_takes_nothing_less_than_namespaces_and_nothing_is_taken_only_when_asked_for() {
    let refused = |protection: Protection, mode: Mode| {
        let policy = Policy { mode, ..Policy::default() };
        Sandbox::protected_by(protection, policy, folders().unwrap()).is_err()
    };
    assert!(refused(Protection::Landlock { version: 7 }, Mode::Strict));
    assert!(refused(Protection::None, Mode::Strict));
    assert!(refused(Protection::None, Mode::Default));
    assert!(!refused(Protection::Landlock { version: 1 }, Mode::Default));
    assert!(!refused(Protection::None, Mode::Off));
}
