// The runtime of builds in which one test runs with several inputs, one after the other: those that have to
// pass, then the one that has to fail. The macros that are put behind it hand out the inputs of the present run.
//
// The same rules hold as for the other runtimes: standard library only, no unsafe code, nothing newer than
// Rust 1.63.

extern crate std;

use self::std::panic::{catch_unwind, AssertUnwindSafe};
use self::std::sync::atomic::{AtomicUsize, Ordering};

static RUN: AtomicUsize = AtomicUsize::new(0);

/// The number of the present run; that which has to fail is the first.
pub fn run() -> usize {
    RUN.load(Ordering::Relaxed)
}

/// What a test function may return.
pub trait Report {
    fn is_failure(&self) -> bool;
}

impl Report for () {
    fn is_failure(&self) -> bool {
        false
    }
}

impl Report for self::std::process::ExitCode {
    fn is_failure(&self) -> bool {
        self::std::format!("{:?}", self) != self::std::format!("{:?}", self::std::process::ExitCode::SUCCESS)
    }
}

impl<T: Report, E> Report for self::std::result::Result<T, E> {
    fn is_failure(&self) -> bool {
        match self {
            Ok(value) => value.is_failure(),
            Err(_) => true,
        }
    }
}

/// The environment variable that asks which of the runs pass; the answer is a line on standard error for each.
const ASKED: &str = "CARGO_REDUCE_ASK_RUNS";

/// Calls the test for these runs, which have to pass, and then for the one that has to fail, so that the failure that
/// is seen is that one's.
pub fn all<T: Report>(runs: &[usize], test: fn() -> T) -> T {
    let is_asked = self::std::env::var_os(ASKED).is_some();
    for run in runs {
        RUN.store(*run, Ordering::Relaxed);
        let passes = match catch_unwind(AssertUnwindSafe(test)) {
            Ok(value) => !value.is_failure(),
            Err(_) => false,
        };
        RUN.store(0, Ordering::Relaxed);
        if is_asked {
            self::std::eprintln!("cargo-reduce-run {} {}", run, passes);
        } else if !passes {
            self::std::panic!("cargo reduce: a run that has to pass fails");
        }
    }
    test()
}
