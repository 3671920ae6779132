// The runtime of a build in which functions have several bodies: a library beside the crates under
// reduction. It answers which body is picked.
//
// Standard library only, nothing newer than Rust 1.63, no unsafe code.
#![allow(warnings, clippy::all, clippy::pedantic)]

extern crate std;

use self::std::env;
use self::std::prelude::v1::*;
use self::std::sync::atomic::{AtomicU32, Ordering};
use self::std::sync::Once;

/// There are no more functions than this.
const FUNCTIONS: usize = 1 << 16;
const FIRST: AtomicU32 = AtomicU32::new(0);
/// The number of the body that each function has; 0 is the original.
static PICKED: [AtomicU32; FUNCTIONS] = [FIRST; FUNCTIONS];
static LOAD: Once = Once::new();

/// The number of the body of a function.
pub fn picked(function: u32) -> u32 {
    LOAD.call_once(load);
    PICKED[function as usize].load(Ordering::Relaxed)
}

#[cold]
fn load() {
    let list = env::var("__CARGO_REDUCE_PICKED").unwrap_or_default();
    for pick in list.split(',') {
        let mut numbers = pick.split(':').map(|number| number.parse::<u32>());
        if let (Some(Ok(function)), Some(Ok(body))) = (numbers.next(), numbers.next()) {
            PICKED[function as usize].store(body, Ordering::Relaxed);
        }
    }
}
