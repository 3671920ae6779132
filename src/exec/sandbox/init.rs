//! The init process of a cell.
//!
//! It is a copy of this process in which only the thread that made it goes on, while another one may hold the
//! allocator's lock for ever: so it makes system calls on what was prepared for it, and nothing else. It
//! ends by its own hand, without running anything of ours.

#![expect(unsafe_code, reason = "bare system calls, as nothing may allocate")]

use std::ffi::{CStr, CString};
use std::os::fd::RawFd;

use nix::libc;

use super::mounts::Mounts;

/// The parent says: the users are mapped, set the mounts up.
pub(super) const GO: u8 = b'g';
/// The answer: all is set up. Any other answer is the number of the step that failed, with its error behind it.
pub(super) const READY: u8 = b'r';
/// The parent says: a candidate comes. What is below an overlay may only change while it is not mounted, so it is
/// mounted as late as that.
pub(super) const ENTER: u8 = b'e';
/// The parent says: the candidate has ended, clean up.
pub(super) const CLEAN: u8 = b'c';
/// The answer: all is as at the beginning.
pub(super) const DONE: u8 = b'd';
/// The answer: it could not be cleaned.
const DIRTY: u8 = b'x';

/// How many processes and threads there can be (Linux 6.14 or newer); fewer than 301 the kernel does not take.
const PROCESSES: &CStr = c"2048";

/// Lives until the parent closes its end of `control`.
pub(super) fn live(control: RawFd, mounts: &Mounts) -> ! {
    let control = detach(control);
    if ask(control) == Some(GO) {
        match set_up(mounts) {
            Ok(()) => answer(control, &[READY]),
            Err(Refused { step, errno }) => {
                let [a, b, c, d] = errno.to_le_bytes();
                answer(control, &[step, a, b, c, d]);
            }
        }
    }
    while let Some(question) = ask(control) {
        let result = if question == ENTER {
            mount_overlays(mounts)
        } else {
            kill_all();
            clean(mounts)
        };
        answer(control, &[if result.is_ok() { DONE } else { DIRTY }]);
    }
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(0) }
}

/// A step that the system refused.
struct Refused {
    step: u8,
    errno: i32,
}

/// The error of the last call, if it failed.
fn check(step: u8, result: i64) -> Result<(), Refused> {
    if result >= 0 {
        return Ok(());
    }
    // SAFETY: the place of the number is always valid for the thread.
    let errno = unsafe { *libc::__errno_location() };
    Err(Refused { step, errno })
}

/// Leaves the parent's session, signals and files; the new number of `control`.
fn detach(control: RawFd) -> RawFd {
    const KEPT: RawFd = 3;
    // SAFETY: all calls are on numbers and on the signal set, which is valid when zeroed and then filled.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut());
        libc::setsid();
        if control != KEPT {
            libc::dup2(control, KEPT);
        }
        libc::syscall(libc::SYS_close_range, KEPT + 1, u32::MAX, 0);
        for stream in 0..KEPT {
            libc::close(stream);
        }
        libc::chdir(c"/".as_ptr());
    }
    KEPT
}

fn ask(control: RawFd) -> Option<u8> {
    let mut byte = 0_u8;
    // SAFETY: `byte` is valid for writing one byte.
    let read = unsafe { libc::read(control, (&raw mut byte).cast(), 1) };
    (read == 1).then_some(byte)
}

fn answer(control: RawFd, bytes: &[u8]) {
    // SAFETY: `bytes` is valid for reading; a parent that is gone is noticed at the next question.
    unsafe { libc::send(control, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
}

/// Kills all processes of the namespace but this one, and waits until they are gone.
fn kill_all() {
    // SAFETY: calls on numbers; no status is asked for.
    unsafe {
        libc::kill(-1, libc::SIGKILL);
        while libc::waitpid(-1, std::ptr::null_mut(), libc::__WALL) > 0 {}
    }
}

fn set_up(mounts: &Mounts) -> Result<(), Refused> {
    /// Of the libraries of the system: to tell which calls led to a panic all of it would be read, which takes many times as
    /// long as the test.
    const DEBUG_INFORMATION: &CStr = c"/usr/lib/debug";
    const ALL: libc::c_ulong = libc::MS_REC | libc::MS_BIND;
    mount(1, None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    for path in &mounts.kept {
        mount(2, Some(path), path, None, ALL, None)?;
    }
    for path in &mounts.covered {
        // One that has just gone cannot be connected to.
        let _ = mount(3, Some(c"/dev/null"), path, None, libc::MS_BIND, None);
    }
    // There need not be any.
    let empty = Some(c"size=4k,mode=0755");
    let _ = mount(8, Some(c"tmpfs"), DEBUG_INFORMATION, Some(c"tmpfs"), libc::MS_NOSUID, empty);
    set_up_devices(mounts)?;
    set_up_processes();
    change(5, c"/", Flag::Set, true)?;
    for path in &mounts.kept {
        // What lies deeper may be read-only for us, too.
        change(6, path, Flag::Clear, true).or_else(|_| change(6, path, Flag::Clear, false))?;
    }
    for path in &mounts.temporary {
        mount_private(7, path, &mounts.private)?;
    }
    make_overlay_folders(mounts)?;
    if mounts.loopback {
        raise_loopback()?;
    }
    Ok(())
}

/// A folder of devices of its own: as root, a candidate could write to a disk.
fn set_up_devices(mounts: &Mounts) -> Result<(), Refused> {
    let folder = &mounts.device_folder;
    mount(
        10,
        Some(c"tmpfs"),
        folder,
        Some(c"tmpfs"),
        libc::MS_NOSUID,
        Some(c"size=64k,mode=0755"),
    )?;
    for (device, place) in &mounts.devices {
        // SAFETY: the path is a null-terminated text.
        let file = unsafe {
            libc::open(place.as_ptr(), libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC, 0o666)
        };
        check(11, file.into())?;
        // SAFETY: the descriptor is ours.
        unsafe { libc::close(file) };
        // A container may lack some of them.
        let _ = mount(11, Some(device), place, None, libc::MS_BIND, None);
    }
    for (says, place) in &mounts.links {
        // SAFETY: both are null-terminated texts.
        check(12, unsafe { libc::symlink(says.as_ptr(), place.as_ptr()) }.into())?;
    }
    make_folder(13, &mounts.terminals)?;
    make_folder(13, &mounts.shared_memory)?;
    // Terminals of its own are no must.
    let options = Some(c"newinstance,ptmxmode=0666,mode=620");
    let _ =
        mount(14, Some(c"devpts"), &mounts.terminals, Some(c"devpts"), libc::MS_NOSUID, options);
    mount(15, Some(folder), c"/dev", None, libc::MS_MOVE, None)
}

/// Shows the processes of the namespace and limits their number. Where a container hides parts of `/proc`, the kernel
/// refuses that, and the processes outside stay visible.
fn set_up_processes() {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    if mount(4, Some(c"proc"), c"/proc", Some(c"proc"), flags, None).is_err() {
        return;
    }
    // SAFETY: the texts are null-terminated, the bytes valid for reading, the descriptor ours.
    unsafe {
        let file =
            libc::open(c"/proc/sys/kernel/pid_max".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file >= 0 {
            libc::write(file, PROCESSES.as_ptr().cast(), PROCESSES.count_bytes());
            libc::close(file);
        }
    }
}

/// Room for changes that are thrown away.
fn make_overlay_folders(mounts: &Mounts) -> Result<(), Refused> {
    if mounts.overlays.is_empty() {
        return Ok(());
    }
    mount_private(20, &mounts.overlay_folder, &mounts.private)?;
    for overlay in &mounts.overlays {
        for folder in &overlay.folders {
            make_folder(21, folder)?;
        }
    }
    Ok(())
}

/// Covers the folders whose changes are thrown away.
fn mount_overlays(mounts: &Mounts) -> Result<(), Refused> {
    for overlay in &mounts.overlays {
        let options = Some(overlay.options.as_c_str());
        mount(22, Some(c"overlay"), &overlay.target, Some(c"overlay"), libc::MS_NOSUID, options)?;
    }
    Ok(())
}

/// Throws away what was written to private folders and overlays, and System V memory.
fn clean(mounts: &Mounts) -> Result<(), Refused> {
    for path in &mounts.temporary {
        if !is_empty(path) {
            unmount(path)?;
            mount_private(30, path, &mounts.private)?;
        }
    }
    for overlay in &mounts.overlays {
        unmount(&overlay.target)?;
    }
    let is_changed = |overlay: &super::mounts::Overlay| !is_empty(&overlay.folders[1]);
    if mounts.overlays.iter().any(is_changed) {
        unmount(&mounts.overlay_folder)?;
        make_overlay_folders(mounts)?;
    }
    forget_shared_memory()
}

/// A new IPC namespace, if there is anything in the present one.
fn forget_shared_memory() -> Result<(), Refused> {
    // The calls answer with the highest index in use, which is 0 both for none and for one, so the counts are
    // asked for. The first member of each structure that is read is a number of 32 bits.
    const SHM_INFO: libc::c_int = 14;
    const SEM_INFO: libc::c_int = 19;
    const MSG_INFO: libc::c_int = 12;
    let (mut memory, mut semaphores, mut queues) = ([0_i32; 32], [0_i32; 32], [0_i32; 32]);
    // SAFETY: the buffers are larger than the structures that the kernel writes.
    unsafe {
        libc::shmctl(0, SHM_INFO, memory.as_mut_ptr().cast());
        libc::semctl(0, 0, SEM_INFO, semaphores.as_mut_ptr());
        libc::msgctl(0, MSG_INFO, queues.as_mut_ptr().cast());
    }
    // `shm_info.used_ids` stands first, `seminfo.semusz` eighth, `msginfo.msgpool` first.
    if memory[0] == 0 && semaphores[7] == 0 && queues[0] == 0 {
        return Ok(());
    }
    // SAFETY: a call on a number.
    check(31, unsafe { libc::unshare(libc::CLONE_NEWIPC) }.into())
}

/// Whether a folder has no entries; not if it cannot be read.
fn is_empty(folder: &CString) -> bool {
    // Room for more than `.` and `..`, which take 24 bytes each.
    let mut entries = [0_u64; 32];
    // SAFETY: the path is null-terminated, the buffer valid for writing, the descriptor ours.
    let (size, is_more) = unsafe {
        let descriptor =
            libc::open(folder.as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC);
        if descriptor < 0 {
            return false;
        }
        let mut read = || {
            libc::syscall(
                libc::SYS_getdents64,
                descriptor,
                entries.as_mut_ptr(),
                size_of_val(&entries),
            )
        };
        let sizes = (read(), read());
        libc::close(descriptor);
        (sizes.0, sizes.1 != 0)
    };
    size == 48 && !is_more
}

fn make_folder(step: u8, path: &CString) -> Result<(), Refused> {
    // SAFETY: the path is a null-terminated text.
    check(step, unsafe { libc::mkdir(path.as_ptr(), 0o755) }.into())
}

fn mount_private(step: u8, path: &CString, options: &CString) -> Result<(), Refused> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    mount(step, Some(c"tmpfs"), path, Some(c"tmpfs"), flags, Some(options))
}

fn unmount(path: &CString) -> Result<(), Refused> {
    // SAFETY: the path is a null-terminated text.
    check(32, unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) }.into())
}

fn mount(
    step: u8,
    source: Option<&CStr>,
    target: &CStr,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    options: Option<&CStr>,
) -> Result<(), Refused> {
    let pointer = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: all texts are null-terminated or absent.
    let result = unsafe {
        libc::mount(pointer(source), target.as_ptr(), pointer(kind), flags, pointer(options).cast())
    };
    check(step, result.into())
}

/// What becomes of the flag "read-only".
#[derive(Clone, Copy)]
enum Flag {
    Set,
    Clear,
}

/// Makes a mount (with `all`: and those below it) read-only or writable. Linux 5.12 or newer.
fn change(step: u8, path: &CStr, flag: Flag, all: bool) -> Result<(), Refused> {
    const READ_ONLY: u64 = 1;
    const RECURSIVE: libc::c_uint = 0x8000;
    // The kernel's `struct mount_attr`: flags to set, flags to clear, propagation, user namespace.
    let attributes: [u64; 4] = match flag {
        Flag::Set => [READ_ONLY, 0, 0, 0],
        Flag::Clear => [0, READ_ONLY, 0, 0],
    };
    let recursion = if all { RECURSIVE } else { 0 };
    // SAFETY: the path is null-terminated, the structure valid for reading.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            recursion,
            attributes.as_ptr(),
            size_of_val(&attributes),
        )
    };
    check(step, result)
}

/// Switches the loopback of the network namespace on.
fn raise_loopback() -> Result<(), Refused> {
    // SAFETY: the request is zeroed and then filled; the descriptor is ours.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        check(40, socket.into())?;
        let mut request: libc::ifreq = std::mem::zeroed();
        for (place, letter) in request.ifr_name.iter_mut().zip(c"lo".to_bytes()) {
            *place = letter.cast_signed();
        }
        #[expect(clippy::cast_possible_truncation, reason = "both flags are small")]
        let flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        request.ifr_ifru.ifru_flags = flags;
        let result = libc::ioctl(socket, libc::SIOCSIFFLAGS, &raw const request);
        libc::close(socket);
        check(40, result.into())
    }
}
