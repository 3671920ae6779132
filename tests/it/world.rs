//! A world that is thrown away, in which the attacks of `fixtures/hostile` do the harm that they are made for: so
//! that "nothing was harmed" elsewhere is no empty word.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::hostile::{Canary, SECRETS};
use super::project::Project;

/// Copies of the system's folders whose changes stay in memory, and goes into them. Processes, names and System V
/// objects are of the world; its network is that of the system, where only the canary is attacked.
const WORLD: &str = r#"
set -e
PATH=$PATH:/usr/sbin:/sbin
world=/mnt
mount -t tmpfs tmpfs $world
mkdir $world/changes $world/root
for folder in /*; do
    name=${folder#/}
    if [ -L $folder ]; then
        cp -P $folder $world/root/
    elif [ -d $folder ]; then
        mkdir -p $world/root/$name $world/changes/$name/upper $world/changes/$name/work
        case $name in proc|sys|dev|mnt) continue;; esac
        # Below some there are mounts, which must not be seen without what covers them.
        mount -t overlay overlay -o userxattr,lowerdir=$folder,upperdir=$world/changes/$name/upper,workdir=$world/changes/$name/work \
            $world/root/$name 2>/dev/null || true
    fi
done
mount -t proc proc $world/root/proc
mount -t tmpfs tmpfs $world/root/dev
mkdir $world/root/dev/shm
for device in null zero urandom; do
    : > $world/root/dev/$device
    mount --bind /dev/$device $world/root/dev/$device
done
exec chroot $world/root "$@"
"#;

/// How long an attack's harm is looked for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Variables by which the outer test tells the inner one where its package is, and the program of its test.
const PACKAGE: &str = "HOSTILE_PACKAGE";
const PROGRAM: &str = "HOSTILE_PROGRAM";
const ATTACK: &str = "HOSTILE_ATTACK";

/// Attacks that harm nobody here. Most are traps for a tool that builds or reads what they have changed; the others
/// need rights of the system's own root, or another kernel.
const HARMLESS: [&str; 20] = [
    "makes_a_device_and_reads_it",
    "opens_a_disk",
    "changes_an_owner",
    "changes_the_owner_of_a_link",
    "removes_an_attribute",
    "sets_an_attribute",
    "changes_a_mode_by_a_new_call",
    "replaces_its_sources_by_a_link",
    "replaces_its_tests_by_a_link",
    "replaces_its_manifest_by_a_link",
    "replaces_its_target_folder_by_a_link",
    "replaces_a_file_by_a_folder",
    "replaces_a_folder_by_a_file",
    "writes_a_build_script",
    "writes_a_configuration_of_cargo",
    "overwrites_its_program",
    "overwrites_what_cargo_has_built",
    "removes_its_package",
    "leaves_its_group",
    "kills_its_parent",
];

#[test]
fn attacks_do_harm_where_nothing_confines_them() {
    let project = Project::fixture("hostile");
    let program = build(&project.root());
    let output = inside(&project.root(), &program);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let mut harm: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in said.lines().filter_map(|line| line.strip_prefix("harm ")) {
        let (attack, what) = line.split_once(": ").unwrap();
        harm.entry(attack).or_default().push(what);
    }
    let attacks: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("attack ")).collect();
    assert!(attacks.len() >= 60, "{said}");
    // What only root may do, or the owner of a folder that all users share, and what makes no difference on one
    // processor.
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0);
    let has_choice = std::thread::available_parallelism().is_ok_and(|count| count.get() > 1);
    let is_beyond = |name: &str| match name {
        "changes_the_kernel" => !is_root,
        "pins_a_process_of_the_user" => !has_choice,
        "writes_to_cargos_home" => !is_writable(&cargo_home()),
        _ => HARMLESS.contains(&name),
    };
    let without: Vec<&&str> =
        attacks.iter().filter(|name| !harm.contains_key(**name) && !is_beyond(name)).collect();
    assert!(without.is_empty(), "these do no harm: {without:?}\n{said}");
    // Candidates of a real run get as far as that, too.
    let kinds = harm.get("--sandbox off").map_or(0, Vec::len);
    assert!(kinds >= 5, "{said}");
}

fn cargo_home() -> PathBuf {
    let own = || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(own, PathBuf::from)
}

fn is_writable(folder: &Path) -> bool {
    tempfile::tempfile_in(folder).is_ok()
}

/// The test program of the package.
fn build(root: &Path) -> PathBuf {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["test", "--no-run", "--message-format=json"])
        .current_dir(root)
        .env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().unwrap();
    let messages = String::from_utf8(output.stdout).unwrap();
    let mut programs = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let is_test = message["target"]["name"] == "attacks";
        let program = message["executable"].as_str().filter(|_| is_test)?;
        Some(PathBuf::from(program))
    });
    programs.next_back().unwrap()
}

/// Runs the other test of this file in a world of its own.
fn inside(root: &Path, program: &Path) -> Output {
    let mut command = Command::new("unshare");
    command
        .args([
            "--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts", "--fork",
            "--kill-child",
        ])
        .args(["sh", "-c", WORLD, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["world::harm_of_each_attack", "--exact", "--ignored", "--nocapture"])
        .env(PACKAGE, root)
        .env(PROGRAM, program)
        .env_remove("TMPDIR")
        .stdin(Stdio::null());
    command.output().unwrap()
}

/// Runs each attack, and tells what of its canary was harmed.
#[test]
#[ignore = "does harm: another test runs it, in a world that is thrown away"]
fn harm_of_each_attack() {
    let (Some(root), Some(program)) = (std::env::var_os(PACKAGE), std::env::var_os(PROGRAM)) else {
        return;
    };
    assert_eq!(std::process::id(), 1, "this is the system's own world");
    let (root, program) = (PathBuf::from(root), PathBuf::from(program));
    let (saved, tool) = (Path::new("/tmp/saved"), env!("CARGO_BIN_EXE_cargo-reduce"));
    run(Command::new("cp").arg("-a").arg(&root).arg(saved));
    let names = Command::new(&program)
        .args(["attacks_alone", "--exact", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let names = String::from_utf8(names.stdout).unwrap();
    let names = names.lines().filter_map(|line| line.strip_prefix("attack "));
    for name in names.chain(["--sandbox off"]) {
        println!("attack {name}");
        let _ = std::fs::remove_file("/tmp/seen");
        run(Command::new("rm").arg("-rf").arg(&root));
        run(Command::new("cp").arg("-a").arg(saved).arg(&root));
        let canary = Canary::new(&root);
        let mut command =
            Command::new(if name.starts_with('-') { tool.as_ref() } else { program.as_os_str() });
        if name.starts_with('-') {
            command.args(["reduce", "strikes", "--sandbox", "off"]);
        } else {
            command.args(["attacks_alone", "--exact", "--ignored", "--nocapture"]);
        }
        // An attack of the processes that are left must not reach this one.
        command.current_dir(&root).env(ATTACK, name).envs(SECRETS).process_group(0);
        // What an attack leaves may hold its streams open.
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        // A process takes a moment to stop, or to have the name that it is found by.
        let end = Instant::now() + PATIENCE;
        let mut found = canary.harm(Duration::ZERO);
        while found.is_empty() && !HARMLESS.contains(&name) && Instant::now() < end {
            if canary.hears() {
                found.push("sockets in the file system are open".to_owned());
            } else {
                std::thread::sleep(Duration::from_millis(20));
                found = canary.harm(Duration::ZERO);
            }
        }
        for harm in found {
            println!("harm {name}: {}", harm.replace('\n', " "));
        }
    }
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success());
}
