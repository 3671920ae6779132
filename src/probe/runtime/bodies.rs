// The runtime of a build in which functions have several bodies: a library beside the crates under
// reduction. It answers which body is picked, and counts turns: of loops, and calls of functions with several
// bodies. A process that takes more of them than it may ends at once; one that is asked tells at the end of the
// thread that took the first one how many there were.
//
// Standard library only, nothing newer than Rust 1.63, no unsafe code.
#![allow(warnings, clippy::all, clippy::pedantic)]

extern crate std;

use self::std::env;
use self::std::io::{self, Write};
use self::std::prelude::v1::*;
use self::std::process;
use self::std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use self::std::sync::Once;

/// There are no more functions than this.
const FUNCTIONS: usize = 1 << 16;
const FIRST: AtomicU32 = AtomicU32::new(0);
/// The number of the body that each function has; 0 is the original.
static PICKED: [AtomicU32; FUNCTIONS] = [FIRST; FUNCTIONS];
static LOAD: Once = Once::new();
/// How many turns were taken, and how many may be: none before that is known.
static TURNS: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
/// What a process ends with that has taken more.
const TOO_MANY: i32 = 94;

/// The number of the body of a function.
pub fn picked(function: u32) -> u32 {
    LOAD.call_once(load);
    turn();
    PICKED[function as usize].load(Ordering::Relaxed)
}

/// Counts a turn.
pub fn turn() {
    if TURNS.fetch_add(1, Ordering::Relaxed) >= MOST.load(Ordering::Relaxed) {
        beyond();
    }
}

#[cold]
fn beyond() {
    LOAD.call_once(load);
    if TURNS.load(Ordering::Relaxed) > MOST.load(Ordering::Relaxed) {
        process::exit(TOO_MANY);
    }
}

/// Tells at the end of its thread how many turns there were.
struct Teller;

impl Drop for Teller {
    fn drop(&mut self) {
        let turns = TURNS.load(Ordering::Relaxed);
        let _ = writeln!(io::stderr(), "\n__CARGO_REDUCE_TURNS={}", turns);
    }
}

thread_local! {
    static TELLER: Teller = Teller;
}

#[cold]
fn load() {
    let most = env::var("__CARGO_REDUCE_TURNS").unwrap_or_default();
    MOST.store(most.parse().unwrap_or(usize::MAX), Ordering::Relaxed);
    if most == "?" {
        TELLER.with(|_| ());
    }
    let list = env::var("__CARGO_REDUCE_PICKED").unwrap_or_default();
    for pick in list.split(',') {
        let mut numbers = pick.split(':').map(|number| number.parse::<u32>());
        if let (Some(Ok(function)), Some(Ok(body))) = (numbers.next(), numbers.next()) {
            PICKED[function as usize].store(body, Ordering::Relaxed);
        }
    }
}
