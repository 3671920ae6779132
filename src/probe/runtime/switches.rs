// The runtime of a build with switches: a library beside the crates under reduction. It answers, at
// run time, which places are switched off, tells which places ran, and ends candidates that take much
// longer than the original. The loop that runs the test is in `drive.rs`, values are in `values.rs` and
// `observe.rs`.
//
// Standard library only, nothing newer than Rust 1.63; unsafe code only to look at values.
#![allow(warnings, clippy::all, clippy::pedantic)]

extern crate std;

use self::std::cell::Cell;
use self::std::env;
use self::std::fs::File;
use self::std::io::Write;
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::atomic::{AtomicBool, AtomicU64, AtomicU8, AtomicUsize, Ordering};
use self::std::sync::{Mutex, MutexGuard, Once};

pub use self::drive::drive;
use self::drive::{give_up, give_up_candidate, lock, Input};
pub use self::observe::{observe, ByDebug, ByNothing, Shown};
pub use self::report::Report;
pub use self::values::{literal, value};

/// What initial values and emptied functions are made with, also where `core` is not in reach.
pub use self::std::default::Default;

/// Names the file that holds one candidate, for a process that runs just that one.
const CANDIDATE: &str = "__CARGO_REDUCE_CANDIDATE";
/// Names the file into which is written which places run.
const TRACE: &str = "__CARGO_REDUCE_TRACE";
/// How many places a candidate may pass.
const STEPS: &str = "__CARGO_REDUCE_STEPS";
/// How many of them tests may pass that have to pass along, where the candidate may pass any number.
const STEPS_ALONG: &str = "__CARGO_REDUCE_STEPS_ALONG";
/// How many bytes of stack a candidate may use.
const STACK: &str = "__CARGO_REDUCE_STACK";
/// There are no more switches than this.
const SWITCHES: usize = 1 << 18;
const RELAXED: Ordering = Ordering::Relaxed;

const OFF: AtomicU8 = AtomicU8::new(0);
/// The state of each switch; 0 is the original.
static STATES: [AtomicU8; SWITCHES] = [OFF; SWITCHES];
/// Whether each place ran in this process.
static RAN: [AtomicU8; SWITCHES] = [OFF; SWITCHES];

/// The steps left to the candidate, and what a new one gets.
static LEFT: AtomicU64 = AtomicU64::new(u64::MAX);
static ALLOWED: AtomicU64 = AtomicU64::new(u64::MAX);
/// The steps that tests which have to pass along get, if these are others.
static ALONG: AtomicU64 = AtomicU64::new(0);
/// The stack allowed, and the most that was traced.
static STACK_ALLOWED: AtomicUsize = AtomicUsize::new(usize::MAX);
static DEEPEST: AtomicUsize = AtomicUsize::new(1 << 12);
static IS_TRACING: AtomicBool = AtomicBool::new(false);

static LOAD: Once = Once::new();
static TRACED: Mutex<Option<File>> = Mutex::new(None);
/// What the present candidate changed, with the states before.
static UNDO: Mutex<Vec<(u32, u8)>> = Mutex::new(Vec::new());

self::std::thread_local! {
    /// Where this thread's stack was when it passed its first function.
    static BOTTOM: Cell<usize> = const { Cell::new(0) };
}

// ------------------------------------------------------------------ what rewritten code calls

/// Whether the place is as in the original.
pub fn on(id: u32) -> bool {
    hit(id);
    STATES[id as usize].load(RELAXED) == 0
}

/// Whether the condition is decided to be true.
pub fn forced(id: u32) -> bool {
    STATES[id as usize].load(RELAXED) == 2
}

/// Says that the place runs.
pub fn hit(id: u32) {
    if RAN[id as usize].load(RELAXED) == 0 {
        first_hit(id);
    }
    let left = LEFT.load(RELAXED);
    if left == 0 {
        run_out();
    } else {
        LEFT.store(left - 1, RELAXED);
    }
}

/// As `on`, for the body of a function.
pub fn enter(id: u32) -> bool {
    let marker = 0_u8;
    let here = &marker as *const u8 as usize;
    let depth = BOTTOM.try_with(|bottom| {
        if bottom.get() == 0 {
            bottom.set(here);
        }
        bottom.get().saturating_sub(here)
    });
    let depth = depth.unwrap_or(0);
    if depth > STACK_ALLOWED.load(RELAXED) {
        end();
    }
    let running = on(id);
    if IS_TRACING.load(RELAXED) && depth > DEEPEST.load(RELAXED) {
        let deepest = depth.next_power_of_two();
        DEEPEST.store(deepest, RELAXED);
        trace(2, deepest.trailing_zeros());
    }
    running
}

/// What runs in place of an arm that is switched off when no other one matches.
pub fn gone() -> ! {
    self::std::panic!("removed")
}

/// Calls a test that has to pass along; that it does not is a panic of the runtime's own.
pub fn passes(test: impl Fn() -> Option<String>) {
    LOAD.call_once(load);
    let along = ALONG.load(RELAXED);
    let left = LEFT.load(RELAXED);
    if along > 0 {
        LEFT.store(along, RELAXED);
    }
    let passed = self::std::panic::catch_unwind(self::std::panic::AssertUnwindSafe(test));
    if along > 0 {
        LEFT.store(left, RELAXED);
    }
    if !self::std::matches!(passed, Ok(None)) {
        self::std::panic!("a test that has to pass along does not");
    }
}

#[cold]
fn first_hit(id: u32) {
    LOAD.call_once(load);
    RAN[id as usize].store(1, RELAXED);
    if IS_TRACING.load(RELAXED) {
        trace(0, id);
    }
}

fn trace(kind: u8, number: u32) {
    trace_with(kind, number, &[]);
}

/// Writes a record: what it is, a number, and what belongs to it.
fn trace_with(kind: u8, number: u32, bytes: &[u8]) {
    if let Some(file) = &mut *lock(&TRACED) {
        let mut record = Vec::with_capacity(9 + bytes.len());
        record.push(kind);
        record.extend_from_slice(&number.to_le_bytes());
        record.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        record.extend_from_slice(bytes);
        let _ = file.write_all(&record);
    }
}

#[cold]
fn run_out() {
    if !IS_TRACING.load(RELAXED) {
        return end();
    }
    // The steps are told whenever they have doubled.
    let passed = ALLOWED.load(RELAXED);
    trace(1, passed.trailing_zeros());
    ALLOWED.store(passed * 2, RELAXED);
    LEFT.store(passed, RELAXED);
}

/// Ends the candidate, unless it is ending already.
fn end() {
    if !self::std::thread::panicking() {
        self::std::panic!("this candidate takes too long");
    }
}

// ------------------------------------------------------------------ candidates

fn load() {
    let number = |name: &str| env::var(name).ok()?.parse::<u64>().ok();
    if let Some(steps) = number(STEPS) {
        ALLOWED.store(steps, RELAXED);
    }
    if let Some(steps) = number(STEPS_ALONG) {
        ALONG.store(steps, RELAXED);
    }
    if let Some(stack) = number(STACK) {
        STACK_ALLOWED.store(stack as usize, RELAXED);
    }
    if let Some(path) = env::var_os(TRACE) {
        match File::create(&path) {
            Ok(file) => *lock(&TRACED) = Some(file),
            Err(error) => give_up(&self::std::format!("cannot write the trace: {}", error)),
        }
        ALLOWED.store(1 << 10, RELAXED);
        IS_TRACING.store(true, RELAXED);
    }
    if let Some(path) = env::var_os(CANDIDATE) {
        match self::std::fs::read(&path) {
            Ok(bytes) => change(&mut Input { bytes: &bytes, at: 0 }, |_, _| ()),
            Err(error) => give_up_candidate(&self::std::format!("cannot read the candidate: {}", error)),
        }
    }
    LEFT.store(ALLOWED.load(RELAXED), RELAXED);
}

fn change(input: &mut Input<'_>, mut before: impl FnMut(u32, u8)) {
    for _ in 0..input.u32() {
        let id = input.u32();
        let state = input.byte();
        match STATES.get(id as usize) {
            Some(switch) => before(id, switch.swap(state, RELAXED)),
            None => give_up("there is no such switch"),
        }
    }
}

fn undo() -> MutexGuard<'static, Vec<(u32, u8)>> {
    let mut changed = lock(&UNDO);
    for (id, state) in changed.drain(..).rev() {
        STATES[id as usize].store(state, RELAXED);
    }
    changed
}

/// Changes the base.
fn load_base(input: &mut Input<'_>) {
    LOAD.call_once(load);
    drop(undo());
    change(input, |_, _| ());
}

/// Puts the next candidate in the place of the last one.
fn load_candidate(input: &mut Input<'_>) {
    let mut changed = undo();
    change(input, |id, state| changed.push((id, state)));
    LEFT.store(ALLOWED.load(RELAXED), RELAXED);
}

/// Whether this process has used up what it may: switches cost no memory.
fn is_spent() -> bool {
    false
}

/// Whether a panic in that file is one of the runtime's own, and so never the failure looked for.
fn is_own(file: &str) -> bool {
    file == self::std::file!()
}
