// The runtime of builds in which one test runs with several inputs, one after the other: those that have to
// pass, then the one that has to fail. The macros that are put behind it hand out the inputs of the present run.
//
// The same rules hold as for the other runtimes: standard library only, no unsafe code, nothing newer than
// Rust 1.63.

extern crate std;

use self::std::io::{self, Write};
use self::std::panic::{catch_unwind, AssertUnwindSafe};
use self::std::prelude::v1::*;
use self::std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use self::std::sync::{Mutex, PoisonError};

pub use self::report::Report;

static RUN: AtomicUsize = AtomicUsize::new(UNKNOWN);

/// The environment variable that says which run it is where nobody calls the test for all of them.
const CHOSEN: &str = "__CARGO_REDUCE_RUN";
/// No run, before anybody has asked for one.
const UNKNOWN: usize = usize::MAX;

/// The number of the present run; that which has to fail is the first.
pub fn run() -> usize {
    match RUN.load(Ordering::Relaxed) {
        UNKNOWN => {
            let chosen = self::std::env::var(CHOSEN).ok();
            let run = chosen.and_then(|run| run.parse().ok()).unwrap_or(0);
            RUN.store(run, Ordering::Relaxed);
            run
        }
        run => run,
    }
}

/// The environment variable that asks which of the runs pass; the answer is a line on standard error for each.
const ASKED: &str = "__CARGO_REDUCE_ASK_RUNS";

/// The environment variable that leaves out all runs that have to fail.
const ONLY_PASSING: &str = "__CARGO_REDUCE_ONLY_PASSING";

/// How near to the place of the failure the present run has come: the number of the innermost mark.
static NEAREST: AtomicUsize = AtomicUsize::new(UNKNOWN);

/// A mark: the run has come there.
pub fn reach(level: usize) {
    if NEAREST.fetch_min(level, Ordering::Relaxed) > level && self::std::env::var_os(TRAIL).is_some() {
        self::std::eprintln!("cargo-reduce-reached {}", level);
    }
}

/// The environment variable that asks a test which functions, branches and marks it comes to, one a line on standard error.
const TRAIL: &str = "__CARGO_REDUCE_TRAIL";

/// More functions and branches than this are not told apart.
const FUNCTIONS: usize = 1 << 15;

#[allow(clippy::declare_interior_mutable_const)]
const NOT_ENTERED: AtomicBool = AtomicBool::new(false);
static ENTERED: [AtomicBool; FUNCTIONS] = [NOT_ENTERED; FUNCTIONS];

/// How often functions and branches were entered.
static ENTRIES: AtomicUsize = AtomicUsize::new(0);

/// Tells at the end of its thread how often that was.
struct Teller;

impl Drop for Teller {
    fn drop(&mut self) {
        let entries = ENTRIES.load(Ordering::Relaxed);
        let _ = writeln!(io::stderr(), "\ncargo-reduce-entries {}", entries);
    }
}

thread_local! {
    static TELLER: Teller = Teller;
}

/// A function or a branch is entered.
pub fn enter(function: usize) {
    let is_first = ENTRIES.fetch_add(1, Ordering::Relaxed) == 0;
    let is_new = ENTERED.get(function).map_or(false, |entered| !entered.swap(true, Ordering::Relaxed));
    if is_new && self::std::env::var_os(TRAIL).is_some() {
        if is_first {
            let _ = TELLER.try_with(|_| ());
        }
        self::std::eprintln!("cargo-reduce-entered {}", function);
    }
}

#[macro_export]
macro_rules! entered {
    ($function:expr) => {
        $crate::enter($function)
    };
}

#[macro_export]
macro_rules! reached {
    ($level:expr) => {
        $crate::reach($level)
    };
}

/// Calls the test for the runs that have to pass, for those that have to fail where the first one does, and at last
/// for the first one, so that the failure that is seen is that one's.
pub fn all<T: Report>(passing: &[usize], failing: &[usize], test: fn() -> T) -> T {
    call_all(passing, failing, false, test)
}

/// The same, where one of the runs that pass has to come to a mark.
pub fn all_reaching<T: Report>(passing: &[usize], failing: &[usize], test: fn() -> T) -> T {
    call_all(passing, failing, true, test)
}

/// The same where the first one ends the process, so that none has to fail like it: lines on standard error tell whether
/// it was one of those that have to pass.
pub fn all_before_end<T: Report>(passing: &[usize], is_marked: bool, test: fn() -> T) -> T {
    self::std::eprintln!("{}", PASSING_BEGINS);
    pass(passing, is_marked, test);
    self::std::eprintln!("{}", PASSING_ENDS);
    leaves_out_failing(passing);
    test()
}

const PASSING_BEGINS: &str = "cargo-reduce-passing-begins";
const PASSING_ENDS: &str = "cargo-reduce-passing-ends";

/// Whether only runs that pass are wanted; if so, the present one is such a run from now on.
fn leaves_out_failing(passing: &[usize]) -> bool {
    let leaves_out = self::std::env::var_os(ONLY_PASSING).is_some();
    if leaves_out {
        RUN.store(passing.last().copied().unwrap_or(0), Ordering::Relaxed);
    }
    leaves_out
}

/// Calls the test for the runs that have to pass.
fn pass<T: Report>(passing: &[usize], is_marked: bool, test: fn() -> T) {
    let is_asked = self::std::env::var_os(ASKED).is_some();
    let mut is_reached = false;
    for run in passing {
        NEAREST.store(UNKNOWN, Ordering::Relaxed);
        let passes = call(*run, test).is_none();
        let nearest = NEAREST.load(Ordering::Relaxed);
        is_reached |= nearest != UNKNOWN;
        if is_asked {
            self::std::eprintln!("cargo-reduce-run {} {} {}", run, passes, nearest);
        } else if !passes {
            self::std::panic!("cargo reduce: a run that has to pass fails");
        }
    }
    if is_marked && !is_reached {
        self::std::panic!("cargo reduce: no run that passes comes near the failure");
    }
}

fn call_all<T: Report>(passing: &[usize], failing: &[usize], is_marked: bool, test: fn() -> T) -> T {
    pass(passing, is_marked, test);
    if leaves_out_failing(passing) {
        return test();
    }
    if !failing.is_empty() {
        let before = self::std::panic::take_hook();
        self::std::panic::set_hook(self::std::boxed::Box::new(remember_place));
        let place = call(0, test);
        let is_asked = self::std::env::var_os(ASKED).is_some();
        let mut all_fail = true;
        for run in failing {
            let fails = place.is_some() && call(*run, test) == place;
            all_fail &= fails;
            if is_asked && fails {
                self::std::eprintln!("cargo-reduce-fails {} {}", run, MESSAGE.load(Ordering::Relaxed));
            }
        }
        self::std::panic::set_hook(before);
        if !is_asked && !all_fail {
            self::std::panic!("cargo reduce: a run that has to fail in the same place does not");
        }
    }
    test()
}

/// Where the last panic was.
static PLACE: Mutex<PanicPlace> = Mutex::new((0, 0, String::new()));

/// What stands for the message of the last panic.
static MESSAGE: AtomicUsize = AtomicUsize::new(0);

type PanicPlace = (u32, u32, String);

#[allow(deprecated)]
fn remember_place(info: &self::std::panic::PanicInfo<'_>) {
    let place = info.location().map(|at| (at.line(), at.column(), at.file().to_owned()));
    *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place.unwrap_or_default();
    let payload = info.payload();
    let text = payload.downcast_ref::<String>().map(|text| &text[..]).or_else(|| payload.downcast_ref::<&str>().copied());
    let hash = text.unwrap_or("").bytes().fold(7, |hash: usize, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
    MESSAGE.store(hash, Ordering::Relaxed);
}

/// Where a run fails, if it does; nowhere if it returns an error, or where nobody looks.
fn call<T: Report>(run: usize, test: fn() -> T) -> Option<PanicPlace> {
    *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = PanicPlace::default();
    RUN.store(run, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(test));
    RUN.store(0, Ordering::Relaxed);
    let is_failure = result.map_or(true, |value| value.report().is_some());
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if is_failure { Some(place) } else { None }
}
