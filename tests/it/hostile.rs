//! Candidates that do all kinds of harm (`fixtures/hostile`): nothing outside of the scratch copy changes, nothing of
//! them is left, and the reduction is none the worse for it.
//!
//! Each run makes a canary: files with their metadata, a process, sockets and names of its own; what an attack changes
//! there, or in the system, is found afterwards.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
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
const SYSTEM: [&str; 9] = [
    "/", "/etc", "/usr/bin", "/var/tmp", "/var/lib", "/opt", "/run", "/dev", "/dev/shm",
];

/// What may be harmed.
struct Canary {
    folder: TempDir,
    name: String,
    tcp: TcpListener,
    udp: UdpSocket,
    listener: UnixListener,
    socket: UnixDatagram,
    process: Child,
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
    let stamp = Stamp {
        content,
        metadata: numbers,
    };
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
        let keys = table
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        let ours = keys.filter(|key| {
            key.parse()
                .is_ok_and(|key: i64| (0x7275_6331..=0x7275_6333).contains(&key))
        });
        ours.collect()
    })
}

fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap()
}

impl Canary {
    fn new(project: &Project) -> Canary {
        let folder = TempDir::with_prefix("canary-").unwrap();
        let name = folder
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
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
        fs::write(project.root().join("canary"), lines.join("\n") + "\n").unwrap();
        let mut before = BTreeMap::new();
        stamps(folder.path(), &mut before);
        Canary {
            folder,
            name,
            tcp,
            udp,
            listener,
            socket,
            process,
            before,
            shared_memory: shared_memory(),
            host_name: host_name(),
        }
    }

    /// Checks that nothing of it was harmed.
    fn assert_unharmed(&self, finished: &Finished) {
        let mut after = BTreeMap::new();
        stamps(self.folder.path(), &mut after);
        assert_eq!(after, self.before, "{finished}");
        let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        let cargo = std::env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from);
        let folders = { SYSTEM.iter() }
            .map(PathBuf::from)
            .chain([home, cargo, "/tmp".into()]);
        for folder in folders {
            assert!(
                !folder.join(&self.name).exists() || folder == Path::new("/tmp"),
                "{}",
                folder.display()
            );
        }
        // In `/tmp` stands the canary itself, a folder.
        assert!(Path::new("/tmp").join(&self.name).is_dir());
        assert!(!Path::new("/tmp/seen").exists(), "secrets were seen");
        let would_block = |error: std::io::Error| error.kind() == ErrorKind::WouldBlock;
        let mut buffer = [0; 8];
        assert!(self.tcp.accept().is_err_and(would_block), "TCP is open");
        assert!(
            self.udp.recv(&mut buffer).is_err_and(would_block),
            "UDP is open"
        );
        assert!(
            self.listener.accept().is_err_and(would_block),
            "abstract sockets are open"
        );
        assert_eq!(shared_memory(), self.shared_memory);
        assert_eq!(host_name(), self.host_name);
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let state = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .next()
            .unwrap();
        assert_eq!(state, "S", "the user's process was stopped or killed");
        let priority = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .nth(16)
            .unwrap();
        assert_eq!(priority, "0", "the user's process got another priority");
        assert_eq!(self.left_processes(), Vec::<String>::new(), "{finished}");
    }

    /// Whether messages arrive at the socket in the file system.
    fn hears(&self) -> bool {
        self.socket.recv(&mut [0; 8]).is_ok()
    }

    /// Processes with the canary's name; they may need a moment to go.
    fn left_processes(&self) -> Vec<String> {
        let end = Instant::now() + Duration::from_secs(5);
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
    run.env("CANARY_SECRET", "secret")
        .env("CARGO_REGISTRY_TOKEN", "secret")
        .env("AWS_SECRET_ACCESS_KEY", "secret")
        .run()
}

/// Attacks in each tier and in the confirming runs, and checks the canary.
fn strike(tier: &[&str], without_namespaces: bool) {
    let project = Project::fixture("hostile");
    let canary = Canary::new(&project);
    let mut args = vec!["strikes"];
    args.extend(tier);
    let command = project.reduce_with(&args);
    let finished = run(if without_namespaces {
        command.without_user_namespaces()
    } else {
        command
    });
    finished.reduced_in(u64::MAX).to(["\"strike\""]);
    let protection = finished.events("sandbox").next().unwrap()["protection"].clone();
    let expected = if without_namespaces {
        "landlock"
    } else {
        "namespaces"
    };
    assert_eq!(protection, expected, "{finished}");
    // Landlock does not know sockets in the file system, and the README says so.
    assert!(
        without_namespaces || !canary.hears(),
        "sockets in the file system are open"
    );
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
fn nothing_gets_out_of_a_rebuilt_candidate() {
    strike(&["--tier", "rebuild"], false);
}

#[test]
fn nothing_gets_out_where_there_are_no_user_namespaces() {
    strike(&[], true);
}
