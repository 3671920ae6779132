// The part of the runtime for inputs that tells which statements a run reaches. It stands as the module `reached`.

extern crate std;

use self::std::env;
use self::std::fs;
use self::std::io::{Seek, SeekFrom, Write};
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use self::std::sync::Mutex;

use super::drive::lock;

/// Names the file in which a run tells which statements it has reached, if it has to.
const REACHED: &str = "__CARGO_REDUCE_REACHED";

/// How often statements were reached, and the file that holds for each of them when it was the last time.
static REACHED_IN: Mutex<Option<(u64, fs::File)>> = Mutex::new(None);
static TELLS_REACHED: AtomicBool = AtomicBool::new(true);

/// Holds the number of the statement at which a run ends, if one has to: what is behind the place of a failure. Where that is in
/// a helper, which may have been called before, the numbers of two statements of the test follow: the one in which it is called
/// there, and the first one.
const ENDS_AT: &str = "__CARGO_REDUCE_ENDS_AT";
static ENDS_AT_STATEMENT: AtomicU32 = AtomicU32::new(u32::MAX);
static CALLED_IN: AtomicU32 = AtomicU32::new(u32::MAX);
static FIRST: AtomicU32 = AtomicU32::new(u32::MAX);
static IS_CALLED: AtomicBool = AtomicBool::new(true);

/// A statement is reached.
#[inline]
#[track_caller]
pub fn reached(id: u32) {
    if TELLS_REACHED.load(Ordering::Relaxed) {
        tell_reached(id);
    }
    if CALLED_IN.load(Ordering::Relaxed) == id {
        IS_CALLED.store(true, Ordering::Relaxed);
    } else if FIRST.load(Ordering::Relaxed) == id {
        IS_CALLED.store(false, Ordering::Relaxed);
    }
    if ENDS_AT_STATEMENT.load(Ordering::Relaxed) == id && IS_CALLED.load(Ordering::Relaxed) {
        self::std::panic!("the run ends here");
    }
}

fn tell_reached(id: u32) {
    let mut opened = lock(&REACHED_IN);
    if opened.is_none() {
        let all = env::var(ENDS_AT).unwrap_or_default();
        let settings = [&ENDS_AT_STATEMENT, &CALLED_IN, &FIRST];
        for (setting, number) in settings.iter().zip(all.split(' ')) {
            setting.store(number.parse().unwrap_or(u32::MAX), Ordering::Relaxed);
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
