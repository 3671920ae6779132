// The part of the runtime for inputs that tells which statements a run reaches. It stands as the module `reached`.

extern crate std;

use self::std::env;
use self::std::fs;
use self::std::io::{Seek, SeekFrom, Write};
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use self::std::sync::Mutex;

/// Names the file in which a run tells which statements it has reached, if it has to.
const REACHED: &str = "__CARGO_REDUCE_REACHED";

/// How often statements were reached, and the file that holds for each of them when it was the last time.
static REACHED_IN: Mutex<Option<(u64, fs::File)>> = Mutex::new(None);
static TELLS_REACHED: AtomicBool = AtomicBool::new(true);

/// Holds the number of the statement at which a run ends, if one has to: what is behind the place of a failure.
const ENDS_AT: &str = "__CARGO_REDUCE_ENDS_AT";
static ENDS_AT_STATEMENT: AtomicU32 = AtomicU32::new(u32::MAX);

/// A statement is reached.
#[inline]
#[track_caller]
pub fn reached(id: u32) {
    if TELLS_REACHED.load(Ordering::Relaxed) {
        tell_reached(id);
    }
    if ENDS_AT_STATEMENT.load(Ordering::Relaxed) == id {
        self::std::panic!("the run ends here");
    }
}

fn tell_reached(id: u32) {
    let mut opened = match REACHED_IN.lock() {
        Ok(opened) => opened,
        Err(poisoned) => poisoned.into_inner(),
    };
    if opened.is_none() {
        let end = env::var(ENDS_AT).ok().and_then(|end| end.parse().ok());
        if let Some(end) = end {
            ENDS_AT_STATEMENT.store(end, Ordering::Relaxed);
        }
        let path = env::var_os(REACHED);
        let file = path.and_then(|path| fs::OpenOptions::new().write(true).open(path).ok());
        *opened = file.map(|file| (0, file));
    }
    match opened.as_mut() {
        Some((times, file)) => {
            *times += 1;
            let _ = file.seek(SeekFrom::Start(id as u64 * 8));
            let _ = file.write_all(&times.to_le_bytes());
        }
        None => TELLS_REACHED.store(false, Ordering::Relaxed),
    }
}
