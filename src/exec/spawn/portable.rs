//! Starting a process by `fork`.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nix::unistd::Pid;

use super::setup::Walls;
use super::{Setup, Spawned};
use crate::exec::Job;
use crate::exec::sandbox::Cage;

/// Starts `job` as the leader of a new process group, set up as `job` says; there are no cages here.
pub(in crate::exec) fn spawn(job: &Job, _cage: &Cage) -> io::Result<Spawned> {
    if job.is_for_user {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let mut command = Command::new(&job.program);
    command
        .args(&job.args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Some(environment) = &job.base_env {
        command.env_clear().envs(environment);
    }
    for (name, value) in &job.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(cwd) = &job.cwd {
        command.current_dir(cwd);
    }
    let setup = Setup::new(job, Walls::None);
    #[expect(unsafe_code, reason = "the only way to run code between fork and exec")]
    // SAFETY: the closure makes system calls only; it neither allocates nor takes a lock.
    unsafe {
        command.pre_exec(move || setup.apply());
    }
    let mut child = command.spawn()?;
    match (child.stdout.take(), child.stderr.take()) {
        (Some(stdout), Some(stderr)) => {
            Ok(Spawned { pid: Pid::from_raw(child.id().cast_signed()), stdout, stderr })
        }
        _ => Err(io::ErrorKind::BrokenPipe.into()),
    }
}
