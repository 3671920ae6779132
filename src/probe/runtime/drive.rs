// The part that all runtimes share: it runs the test again and again in one process, a candidate at a
// time. It stands as the module `drive` inside a runtime, which says what a candidate is:
// `load_base`, `load_candidate`, `is_spent`, `is_own` and `CANDIDATE`.
//
// The same rules hold as for the runtime around it: standard library only, no unsafe code, nothing
// newer than Rust 1.63 or an edition.

extern crate std;

use self::std::boxed::Box;
use self::std::cell::{Cell, RefCell};
use self::std::io::{Read, Write};
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::{Arc, Mutex, PoisonError};
use self::std::thread::ThreadId;
use self::std::time::{Duration, Instant};

/// Names the socket over which candidates arrive, for a process that runs many.
const SOCKET: &str = "__CARGO_REDUCE_SOCKET";
/// The status with which the runtime ends a process in which it cannot go on. Any candidate may end with it,
/// too: only the word of the run says that it was the runtime.
const CANNOT_GO_ON: i32 = 97;
/// Results are held back no longer than this, so that a hang is noticed at the right candidate.
const FLUSH_AFTER: Duration = Duration::from_millis(2);

// ------------------------------------------------------------------ the loop

/// The last panic on a thread that the test has started.
static PANIC_ELSEWHERE: Mutex<Option<Panic>> = Mutex::new(None);
/// The thread that runs the test.
static TEST_THREAD: Mutex<Option<ThreadId>> = Mutex::new(None);

self::std::thread_local! {
    static PANIC: RefCell<Option<Panic>> = RefCell::new(None);
    static HAS_PANICKED: Cell<bool> = Cell::new(false);
}

#[derive(Default)]
struct Panic {
    message: String,
    place: Place,
}

#[derive(Default, PartialEq)]
struct Place {
    file: String,
    line: u32,
    column: u32,
}

const DONE_PASS: u8 = 0;
const DONE_PANIC: u8 = 1;
const DONE_ERROR: u8 = 2;
const DONE_ELSEWHERE: u8 = 3;
const REPLACE_ME: u8 = 4;
const END_OF_BATCH: u8 = 5;
const GIVE_UP: u8 = 6;
const GIVE_UP_CANDIDATE: u8 = 7;

/// Each answer begins with the word that came with the frame, so that nothing that a candidate writes is
/// taken for one.
struct Answers {
    word: [u8; 8],
    bytes: Vec<u8>,
}

impl Answers {
    fn begin(&mut self, what: u8) {
        self.bytes.extend_from_slice(&self.word);
        self.bytes.push(what);
    }
}

/// The socket, in the process that connected to it.
#[cfg(unix)]
struct Line {
    stream: Arc<self::std::os::unix::net::UnixStream>,
    word: [u8; 8],
    process: u32,
}

#[cfg(unix)]
static LINE: Mutex<Option<Line>> = Mutex::new(None);

/// Runs the test for each candidate that arrives, until the other side hangs up.
#[cfg(unix)]
pub fn drive(test: impl Fn() -> Option<String>) {
    use self::std::os::unix::net::UnixStream;
    let socket = match self::std::env::var_os(SOCKET) {
        Some(socket) => socket,
        None => return,
    };
    let stream = match UnixStream::connect(&socket) {
        Ok(stream) => Arc::new(stream),
        Err(error) => give_up(&self::std::format!("cannot connect: {}", error)),
    };
    let process = self::std::process::id();
    let mut frame = Vec::new();
    while read_frame(&mut &*stream, &mut frame) {
        let mut input = Input { bytes: &frame, at: 0 };
        let mut word = [0; 8];
        word.copy_from_slice(input.take(8));
        *lock(&LINE) = Some(Line { stream: Arc::clone(&stream), word, process });
        if serve(&mut input, word, &test).is_err() {
            return;
        }
    }
}

/// Says something over the socket. What a candidate has forked off has no say.
#[cfg(unix)]
fn say(bytes: &[u8]) -> self::std::io::Result<()> {
    match &*lock(&LINE) {
        Some(line) if line.process == self::std::process::id() => (&*line.stream).write_all(bytes),
        _ => self::std::process::exit(0),
    }
}

#[cfg(not(unix))]
pub fn drive(_test: impl Fn() -> Option<String>) {}

fn read_frame(stream: &mut impl Read, frame: &mut Vec<u8>) -> bool {
    let mut length = [0; 4];
    if stream.read_exact(&mut length).is_err() {
        return false;
    }
    frame.clear();
    frame.resize(u32::from_le_bytes(length) as usize, 0);
    stream.read_exact(frame).is_ok()
}

/// A frame is the changes to the base, where to stop, and the candidates.
#[cfg(unix)]
fn serve(
    input: &mut Input<'_>,
    word: [u8; 8],
    test: &impl Fn() -> Option<String>,
) -> self::std::io::Result<()> {
    super::load_base(input);
    let flush_each = input.byte() == 1;
    let until_failure = input.byte() == 1;
    let everywhere = input.byte() == 1;
    let place = Place { file: input.string(), line: input.u32(), column: input.u32() };
    let count = input.u32();
    self::std::panic::set_hook(Box::new(remember_panic));
    let mut answers = Answers { word, bytes: Vec::new() };
    let mut flushed = Instant::now();
    for _ in 0..count {
        super::load_candidate(input);
        let may_be_it = run_one(test, everywhere, &place, &mut answers);
        if flush_each || flushed.elapsed() > FLUSH_AFTER {
            say(&answers.bytes)?;
            answers.bytes.clear();
            flushed = Instant::now();
        }
        if may_be_it && until_failure {
            break;
        }
    }
    answers.begin(if super::is_spent() { REPLACE_ME } else { END_OF_BATCH });
    say(&answers.bytes)
}

/// Runs one candidate; true if it may be the failure that is looked for.
#[cfg(unix)]
fn run_one(
    test: &impl Fn() -> Option<String>,
    everywhere: bool,
    place: &Place,
    answers: &mut Answers,
) -> bool {
    forget_panics();
    let result = self::std::panic::catch_unwind(self::std::panic::AssertUnwindSafe(test));
    match result {
        Ok(None) => {
            answers.begin(DONE_PASS);
            false
        }
        Ok(Some(error)) => {
            answers.begin(DONE_ERROR);
            put_string(&mut answers.bytes, &error);
            true
        }
        Err(_) => {
            let panic = panic_of_test();
            let here = everywhere || panic.place == *place;
            if !here || super::is_own(&panic.place.file) {
                answers.begin(DONE_ELSEWHERE);
                return false;
            }
            answers.begin(DONE_PANIC);
            put_string(&mut answers.bytes, &panic.message);
            put_string(&mut answers.bytes, &panic.place.file);
            answers.bytes.extend_from_slice(&panic.place.line.to_le_bytes());
            answers.bytes.extend_from_slice(&panic.place.column.to_le_bytes());
            true
        }
    }
}

fn remember_panic(info: &self::std::panic::PanicInfo<'_>) {
    let is_test = is_test_thread();
    if is_test {
        PANIC.with(|panic| *panic.borrow_mut() = Some(Panic::of(info)));
    } else {
        *lock(&PANIC_ELSEWHERE) = Some(Panic::of(info));
    }
}

fn is_test_thread() -> bool {
    *lock(&TEST_THREAD) == Some(self::std::thread::current().id())
}

fn forget_panics() {
    *lock(&TEST_THREAD) = Some(self::std::thread::current().id());
    PANIC.with(|panic| panic.borrow_mut().take());
    lock(&PANIC_ELSEWHERE).take();
}

/// The panic that ended the test: that of another thread, if the test has only passed it on.
fn panic_of_test() -> Panic {
    let own = PANIC.with(|panic| panic.borrow_mut().take());
    if own.as_ref().map_or(true, Panic::is_passed_on) {
        if let Some(cause) = lock(&PANIC_ELSEWHERE).take() {
            return cause;
        }
    }
    own.unwrap_or_default()
}

pub fn lock<T>(mutex: &Mutex<T>) -> self::std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Panic {
    fn of(info: &self::std::panic::PanicInfo<'_>) -> Self {
        let payload = info.payload();
        let message = if let Some(text) = payload.downcast_ref::<&'static str>() {
            String::from(*text)
        } else if let Some(text) = payload.downcast_ref::<String>() {
            text.clone()
        } else {
            String::from("Box<dyn Any>")
        };
        let place = info.location().map_or_else(Place::default, |location| Place {
            file: String::from(location.file()),
            line: location.line(),
            column: location.column(),
        });
        Panic { message, place }
    }

    /// As the oracle outside decides it for a process of its own.
    fn is_passed_on(&self) -> bool {
        self.message.contains("Any { .. }") || self.message == "a scoped thread panicked"
    }
}

/// A panic while another one unwinds is shown with a backtrace whatever the environment says, and looking
/// up its names takes longer than a hundred candidates. So only the first panic of a thread gets the usual
/// hook. For a process that runs one candidate.
pub fn show_later_panics_plainly() {
    let usual = self::std::panic::take_hook();
    self::std::panic::set_hook(Box::new(move |info| {
        if HAS_PANICKED.with(|has| has.replace(true)) {
            let Panic { message, place: Place { file, line, column } } = Panic::of(info);
            let thread = self::std::thread::current();
            let name = thread.name().unwrap_or("<unnamed>");
            self::std::eprintln!("\nthread '{}' panicked at {}:{}:{}:\n{}", name, file, line, column, message);
        } else {
            usual(info);
        }
    }));
}

#[cfg(unix)]
fn put_string(out: &mut Vec<u8>, text: &str) {
    // A message can be as long as the input; its beginning says enough.
    let mut end = text.len().min(64 << 10);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.extend_from_slice(&(end as u32).to_le_bytes());
    out.extend_from_slice(&text.as_bytes()[..end]);
}

// ------------------------------------------------------------------ the wire

pub struct Input<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Input<'a> {
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        match self.bytes.get(self.at..self.at + count) {
            Some(taken) => {
                self.at += count;
                taken
            }
            None => give_up("a frame is too short"),
        }
    }

    pub fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    pub fn u32(&mut self) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(self.take(4));
        u32::from_le_bytes(word)
    }

    pub fn u128(&mut self) -> u128 {
        let mut word = [0; 16];
        word.copy_from_slice(self.take(16));
        u128::from_le_bytes(word)
    }

    pub fn string(&mut self) -> String {
        let length = self.u32() as usize;
        String::from_utf8_lossy(self.take(length)).into_owned()
    }
}

/// Ends the process: the probe itself is in trouble.
pub fn give_up(why: &str) -> ! {
    end_process(GIVE_UP, why)
}

/// Ends the process: this candidate has taken away what the runtime needs to run it.
pub fn give_up_candidate(why: &str) -> ! {
    end_process(GIVE_UP_CANDIDATE, why)
}

fn end_process(what: u8, why: &str) -> ! {
    #[cfg(unix)]
    {
        let word = lock(&LINE).as_ref().map(|line| line.word);
        if let Some(word) = word {
            let mut answers = Answers { word, bytes: Vec::new() };
            answers.begin(what);
            put_string(&mut answers.bytes, why);
            let _ = say(&answers.bytes);
        }
    }
    // Not by a macro, whose text a test harness keeps to itself. The name of the candidate's file ends in the
    // word of a process for one candidate.
    let file = self::std::env::var_os(super::CANDIDATE).unwrap_or_default();
    let file = file.to_string_lossy();
    let word = file.rsplit('-').next().unwrap_or("");
    let said = self::std::format!("\ncargo-reduce runtime {} {}: {}\n", word, what, why);
    let _ = self::std::io::stderr().write_all(said.as_bytes());
    self::std::process::exit(CANNOT_GO_ON)
}
