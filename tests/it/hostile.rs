//! Candidates that do all kinds of harm (`fixtures/hostile`): nothing outside of the scratch copy changes, nothing of
//! them is left, and the reduction is none the worse for it.
//!
//! Each run makes a canary: files with their metadata, a process, sockets and names of its own; what an attack changes
//! there, or in the system, is found afterwards.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::finished::Finished;
use super::project::{Project, Run};

/// Folders in which a mark of an attack may be.
const SYSTEM: [&str; 9] =
    ["/", "/etc", "/usr/bin", "/var/tmp", "/var/lib", "/opt", "/run", "/dev", "/dev/shm"];

/// Variables that candidates must not see.
pub const SECRETS: [(&str, &str); 3] = [
    ("CANARY_SECRET", "secret"),
    ("CARGO_REGISTRY_TOKEN", "secret"),
    ("AWS_SECRET_ACCESS_KEY", "secret"),
];

/// A field of `/proc/ID/stat`, counted from the state.
fn field(id: u32, place: usize) -> String {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().nth(place).unwrap_or_default().to_owned()
}

/// Whether a process runs or sleeps.
fn state(id: u32) -> String {
    field(id, 0)
}

/// With which priority a process is run, on which processors, and how large its files may become.
fn run_as(id: u32) -> [String; 3] {
    let line = |file: &str, name: &str| {
        let text = fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name));
        line.unwrap_or_default().to_owned()
    };
    [field(id, 16), line("status", "Cpus_allowed:"), line("limits", "Max file size")]
}

/// What may be harmed.
pub struct Canary {
    folder: TempDir,
    name: String,
    tcp: TcpListener,
    udp: UdpSocket,
    listener: UnixListener,
    socket: UnixDatagram,
    process: Child,
    run_as: [String; 3],
    before: BTreeMap<PathBuf, Stamp>,
    shared_memory: [String; 3],
    host_name: String,
}

/// All that can be seen of a file.
#[derive(Debug, PartialEq)]
struct Stamp {
    content: Option<Vec<u8>>,
    metadata: [i64; 9],
}

fn stamps(folder: &Path, found: &mut BTreeMap<PathBuf, Stamp>) {
    let metadata = fs::symlink_metadata(folder).unwrap();
    let is_file = metadata.is_file();
    let numbers = [
        i64::from(metadata.mode()),
        i64::from(metadata.uid()),
        i64::from(metadata.gid()),
        metadata.nlink().cast_signed(),
        metadata.size().cast_signed(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        // Any change of metadata, extended attributes too, changes this time.
        metadata.ctime(),
        metadata.ctime_nsec(),
    ];
    let content = is_file.then(|| fs::read(folder).unwrap());
    let stamp = Stamp { content, metadata: numbers };
    found.insert(folder.to_owned(), stamp);
    if metadata.is_dir() {
        for entry in fs::read_dir(folder).unwrap() {
            stamps(&entry.unwrap().path(), found);
        }
    }
}

fn shared_memory() -> [String; 3] {
    ["shm", "sem", "msg"].map(|kind| {
        let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        // The first field is the key; what else goes on in the system is nothing to us.
        let keys = table.lines().filter_map(|line| line.split_whitespace().next());
        let ours = keys.filter(|key| {
            key.parse().is_ok_and(|key: i64| (0x7275_6331..=0x7275_6333).contains(&key))
        });
        ours.collect()
    })
}

fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap()
}

impl Canary {
    /// Makes it, and names it in the package at `root`.
    pub fn new(root: &Path) -> Canary {
        let folder = TempDir::with_prefix("canary-").unwrap();
        let name = folder.path().file_name().unwrap().to_str().unwrap().to_owned();
        fs::write(folder.path().join("file"), "precious").unwrap();
        fs::create_dir(folder.path().join("folder")).unwrap();
        fs::write(folder.path().join("folder/inner"), "precious, too").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let listener = UnixListener::bind_addr(&address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let socket = UnixDatagram::bind(folder.path().join("socket")).unwrap();
        socket.set_nonblocking(true).unwrap();
        let process = Command::new("sleep").arg("600").spawn().unwrap();
        let lines = [
            folder.path().display().to_string(),
            tcp.local_addr().unwrap().port().to_string(),
            udp.local_addr().unwrap().port().to_string(),
            name.clone(),
            process.id().to_string(),
            std::env::var("HOME").unwrap_or_else(|_| "/".to_owned()),
        ];
        fs::write(root.join("canary"), lines.join("\n") + "\n").unwrap();
        let mut before = BTreeMap::new();
        stamps(folder.path(), &mut before);
        Canary {
            folder,
            name,
            tcp,
            udp,
            listener,
            socket,
            run_as: run_as(process.id()),
            process,
            before,
            shared_memory: shared_memory(),
            host_name: host_name(),
        }
    }

    /// Checks that nothing of it was harmed.
    fn assert_unharmed(&self, finished: &Finished) {
        let harm = self.harm(Duration::from_secs(5));
        assert_eq!(harm, Vec::<String>::new(), "{finished}");
    }

    /// What was harmed, but for the socket in the file system; processes that are left have that long to go.
    pub fn harm(&self, patience: Duration) -> Vec<String> {
        let mut harm = self.harmed_files();
        let would_block = |error: std::io::Error| error.kind() == ErrorKind::WouldBlock;
        let mut buffer = [0; 8];
        let (state, run_as) = (state(self.process.id()), run_as(self.process.id()));
        let checks = [
            (Path::new("/tmp/seen").exists(), "secrets were seen"),
            (!self.tcp.accept().is_err_and(would_block), "can use TCP"),
            (!self.udp.recv(&mut buffer).is_err_and(would_block), "UDP is open"),
            (!self.listener.accept().is_err_and(would_block), "abstract sockets are open"),
            (shared_memory() != self.shared_memory, "System V objects were left"),
            (host_name() != self.host_name, "the host has another name"),
            (!["S", "R", "D"].contains(&&*state), "the user's process was stopped or killed"),
            (run_as != self.run_as, "the user's process is run in another way"),
        ];
        harm.extend(checks.iter().filter(|(found, _)| *found).map(|(_, what)| (*what).to_owned()));
        let left = self.left_processes(patience);
        harm.extend(left.iter().map(|line| format!("left a process: {line}")));
        harm
    }

    /// Files of the canary that are not as they were, and marks of attacks elsewhere.
    fn harmed_files(&self) -> Vec<String> {
        let mut after = BTreeMap::new();
        if self.folder.path().is_dir() {
            stamps(self.folder.path(), &mut after);
        }
        let paths: BTreeSet<&PathBuf> = self.before.keys().chain(after.keys()).collect();
        let changed = paths
            .into_iter()
            .filter(|path| self.before.get(*path) != after.get(*path))
            .map(|path| format!("changed {}", path.display()));
        let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        let cargo = std::env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from);
        let folders = SYSTEM.iter().map(PathBuf::from).chain([home, cargo]);
        // In `/tmp` the canary itself has that name.
        let in_tmp = PathBuf::from(format!("/tmp/mark-{}", self.name));
        let marks = folders
            .map(|folder| folder.join(&self.name))
            .chain([in_tmp])
            .filter(|mark| mark.exists())
            .map(|mark| format!("wrote {}", mark.display()));
        changed.chain(marks).collect()
    }

    /// Whether messages arrive at the socket in the file system.
    pub fn hears(&self) -> bool {
        self.socket.recv(&mut [0; 8]).is_ok()
    }

    /// Processes with the canary's name; they may need a moment to go.
    fn left_processes(&self, patience: Duration) -> Vec<String> {
        let end = Instant::now() + patience;
        loop {
            let processes = fs::read_dir("/proc").unwrap().flatten();
            let left: Vec<String> = processes
                .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
                .map(|line| String::from_utf8_lossy(&line).into_owned())
                .filter(|line| line.contains(&self.name))
                .collect();
            if left.is_empty() || Instant::now() > end {
                return left;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs it with secrets in its environment.
fn run(run: Run<'_>) -> Finished {
    SECRETS.iter().fold(run, |run, (name, value)| run.env(name, value)).run()
}

/// Attacks in each tier and in the confirming runs, and checks the canary.
fn strike(tier: &[&str], without_namespaces: bool) {
    let project = Project::fixture("hostile");
    let canary = Canary::new(&project.root());
    // The original does nothing, so the time that candidates get is not measured.
    let mut args = vec!["strikes", "--timeout", "60"];
    args.extend(tier);
    let command = project.reduce_with(&args);
    let finished =
        run(if without_namespaces { command.without_user_namespaces() } else { command });
    finished.reduced_in(u64::MAX).to(["\"strike\""]);
    let protection = finished.events("sandbox").next().unwrap()["protection"].clone();
    let expected = if without_namespaces { "landlock" } else { "namespaces" };
    assert_eq!(protection, expected, "{finished}");
    // Landlock does not know sockets in the file system, and the guide says so.
    assert!(without_namespaces || !canary.hears(), "sockets in the file system are open");
    canary.assert_unharmed(&finished);
}

#[test]
fn nothing_gets_out_of_a_process_that_runs_many_candidates() {
    strike(&[], false);
}

#[test]
fn nothing_gets_out_of_a_process_for_each_candidate() {
    strike(&["--tier", "process"], false);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn nothing_gets_out_of_a_rebuilt_candidate() {
    strike(&["--tier", "rebuild"], false);
}

#[test]
fn nothing_gets_out_where_there_are_no_user_namespaces() {
    strike(&[], true);
}
