//! Starting a process that borrows our memory until it runs the program.
//!
//! `clone` with `CLONE_VM | CLONE_VFORK` makes a child that shares the memory of this process, has a
//! copy of everything else, and stops the calling thread until it has run the program or is gone.
//! What the child does before that must therefore leave our memory as it was: it makes system
//! calls on what was prepared for it, on a stack of its own, and no signal handler of ours may run
//! in it.
//!
//! A child that is to run in a cell enters its namespaces. Nobody can change the process namespace of a process that
//! runs, so the child makes another one, which is our child, too, and ends.

use std::ffi::{c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use super::image::Image;
use super::setup::Walls;
use super::{Setup, Spawned};
use crate::exec::Job;
use crate::exec::sandbox::{Cage, NAMESPACES};

/// Far more than a few system calls need, also in a debug build: 128 KiB, in words of 16 bytes.
const STACK_WORDS: usize = (128 << 10) / size_of::<u128>();

/// The largest number of a signal.
const LAST_SIGNAL: c_int = 64;

/// Starts `job` as the leader of a new process group, set up as `job` says, in `cage`.
pub(in crate::exec) fn spawn(job: &Job, cage: &Cage) -> io::Result<Spawned> {
    let image = Image::new(job)?;
    let stdin = File::open("/dev/null")?;
    let (our_stdout, stdout) = io::pipe()?;
    let (our_stderr, stderr) = io::pipe()?;
    let cell = cage.cell.as_ref();
    let walls = match (&cage.rules, cell) {
        (Some((rules, filter)), _) => Walls::Rules(rules, filter),
        (None, Some(_)) => Walls::Cell,
        (None, None) => Walls::None,
    };
    let mut stack = vec![0_u128; 2 * STACK_WORDS];
    let newborn = Newborn {
        args: image.args(),
        env: image.env(),
        image: &image,
        streams: if job.is_for_user {
            [libc::STDIN_FILENO, libc::STDERR_FILENO, libc::STDERR_FILENO]
        } else {
            [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()]
        },
        is_for_user: job.is_for_user,
        setup: Setup::new(job, walls),
        cell: cell.map(|(cell, _)| cell.descriptor()),
        stack: stack.as_mut_ptr(),
        second: AtomicI32::new(0),
        error: AtomicI32::new(0),
    };
    Ok(Spawned {
        pid: newborn.bear()?,
        stdout: OwnedFd::from(our_stdout).into(),
        stderr: OwnedFd::from(our_stderr).into(),
    })
}

/// What a child finds in the memory it shares with us.
struct Newborn<'a> {
    image: &'a Image,
    args: Vec<*const c_char>,
    env: Vec<*const c_char>,
    streams: [RawFd; 3],
    /// Whether some of these are the user's terminal.
    is_for_user: bool,
    setup: Setup<'a>,
    /// The cell to be entered.
    cell: Option<RawFd>,
    /// Room for two stacks: the upper one is for a child, the lower one for the child that it makes in a cell.
    stack: *mut u128,
    /// The number of the child that was made in a cell.
    second: AtomicI32,
    /// The number of the error that kept it from running the program.
    error: AtomicI32,
}

impl Newborn<'_> {
    /// Makes the child and returns when it runs the program.
    fn bear(&self) -> io::Result<Pid> {
        let mut mask = SigSet::empty();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut mask))?;
        #[expect(unsafe_code, reason = "no safe call makes a child that borrows our memory")]
        // SAFETY: the end of the upper stack is aligned, and the stack outlives the call, since this thread
        // waits until the child has left it; `self` outlives the call for the same reason, and
        // the child only reads it, apart from atomics.
        let pid = unsafe {
            libc::clone(
                if self.cell.is_some() { enter } else { live },
                self.stack.add(2 * STACK_WORDS).cast::<c_void>(),
                libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
                std::ptr::from_ref(self).cast_mut().cast::<c_void>(),
            )
        };
        let made = Errno::result(pid).map(Pid::from_raw);
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&mask), None)?;
        let first = made?;
        let pid = if self.cell.is_some() {
            // Entering namespaces may have hidden our own entry in `/proc` from us.
            nix::sys::prctl::set_dumpable(true)?;
            waitpid(first, None)?;
            Pid::from_raw(self.second.load(Ordering::SeqCst))
        } else {
            first
        };
        match self.error.load(Ordering::SeqCst) {
            0 => Ok(pid),
            number => {
                if pid.as_raw() > 0 {
                    waitpid(pid, None)?;
                }
                Err(io::Error::from_raw_os_error(number))
            }
        }
    }

    /// Enters the cell and makes the child there that runs the program. As the parent of the new child is ours, this
    /// one can end.
    fn make_second(&self, cell: RawFd) -> io::Result<()> {
        #[expect(unsafe_code, reason = "no safe call makes a child that borrows our memory")]
        // SAFETY: as in `bear`; the lower stack is nobody else's, and this process waits until the new one has left it.
        let pid = unsafe {
            Errno::result(libc::setns(cell, NAMESPACES))?;
            libc::clone(
                live,
                self.stack.add(STACK_WORDS).cast::<c_void>(),
                libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT | libc::SIGCHLD,
                std::ptr::from_ref(self).cast_mut().cast::<c_void>(),
            )
        };
        self.second.store(Errno::result(pid)?, Ordering::SeqCst);
        Ok(())
    }

    /// Becomes the program; returns only when that failed.
    fn become_program(&self) -> io::Error {
        if let Err(error) = self.prepare() {
            return error;
        }
        let mut error = io::Error::from_raw_os_error(libc::ENOENT);
        for program in &self.image.programs {
            #[expect(unsafe_code, reason = "std can only run a program after its own setup")]
            // SAFETY: all three point to null-terminated data that outlives the call.
            unsafe {
                libc::execve(program.as_ptr(), self.args.as_ptr(), self.env.as_ptr());
            }
            let next = io::Error::last_os_error();
            match next.raw_os_error() {
                Some(libc::ENOENT | libc::ENOTDIR) => {}
                // The program may still be found further on, but if not, this is the better answer.
                Some(libc::EACCES) => error = next,
                _ => return next,
            }
        }
        error
    }

    fn prepare(&self) -> io::Result<()> {
        if self.is_for_user {
            // In a session without a terminal of its own nobody can put words into the user's mouth (`TIOCSTI`).
            nix::unistd::setsid()?;
        } else {
            nix::unistd::setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        }
        for (number, stream) in (0..).zip(self.streams) {
            #[expect(unsafe_code, reason = "a system call on two numbers")]
            // SAFETY: the child has its own table of descriptors, so that none of ours is closed.
            let answer = unsafe { libc::dup2(stream, number) };
            Errno::result(answer)?;
        }
        if let Some(cwd) = &self.image.cwd {
            nix::unistd::chdir(cwd.as_c_str())?;
        }
        self.setup.apply()?;
        forget_handlers();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?;
        Ok(())
    }
}

/// The life of a child that makes another one in a cell.
extern "C" fn enter(newborn: *mut c_void) -> c_int {
    let newborn = newborn_at(newborn);
    match newborn.cell.map(|cell| newborn.make_second(cell)) {
        Some(Err(error)) => leave(newborn, &error),
        _ => end(0),
    }
}

/// The life of the child until it becomes the program.
extern "C" fn live(newborn: *mut c_void) -> c_int {
    let newborn = newborn_at(newborn);
    leave(newborn, &newborn.become_program())
}

fn newborn_at<'a>(newborn: *mut c_void) -> &'a Newborn<'a> {
    #[expect(unsafe_code, reason = "the kernel hands over a bare pointer")]
    // SAFETY: it is the pointer that was passed to `clone`, to a value that is kept alive and unchanged.
    unsafe {
        &*newborn.cast::<Newborn<'_>>()
    }
}

fn leave(newborn: &Newborn<'_>, error: &io::Error) -> ! {
    let number = error.raw_os_error().unwrap_or(libc::EINVAL);
    newborn.error.store(number, Ordering::SeqCst);
    end(1)
}

fn end(code: c_int) -> ! {
    #[expect(unsafe_code, reason = "std's exit would run our own cleanup")]
    // SAFETY: ends the child at once, without running anything of ours.
    unsafe {
        libc::_exit(code)
    }
}

/// Signals that we handle must do what they do by default, before they are let through: our
/// handlers would run in our memory. What we ignore stays ignored, except for the broken pipes that
/// only Rust programs ignore.
fn forget_handlers() {
    for signal in 1..=LAST_SIGNAL {
        #[expect(unsafe_code, reason = "safe bindings do not know all signals")]
        // SAFETY: the actions are valid when zeroed (the default action, no flags, an empty mask);
        // the child has its own table of actions. Signals that cannot be set are left alone.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &raw mut action) == -1 {
                continue;
            }
            if action.sa_sigaction == libc::SIG_IGN && signal != libc::SIGPIPE {
                continue;
            }
            let default: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, &raw const default, std::ptr::null_mut());
        }
    }
}
