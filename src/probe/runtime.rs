// The runtime that is put into the crate of the test under reduction (by `#[path]`, as the module
// `__cargo_reduce`). It answers, at run time, which value each rewritten literal has and which
// elements of each rewritten sequence are kept, and runs the test again and again in one process.
//
// Standard library only, no unsafe code, and nothing newer than Rust 1.63 or an edition: it must
// compile inside any crate, also one that is `no_std` or forbids unsafe code.
#![allow(warnings, clippy::all, clippy::pedantic)]

extern crate std;

use self::std::any::Any;
use self::std::boxed::Box;
use self::std::cell::RefCell;
use self::std::collections::HashMap;
use self::std::ffi::{CStr, CString};
use self::std::fmt::Debug;
use self::std::fs;
use self::std::io::{Read, Write};
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::{Once, RwLock};
use self::std::time::{Duration, Instant};

/// What the types of rewritten arrays become.
pub use self::std::vec::Vec;

/// Names the file that holds one candidate, for a process that runs just that one.
const CANDIDATE: &str = "CARGO_REDUCE_CANDIDATE";
/// Names the socket over which candidates arrive, for a process that runs many.
const SOCKET: &str = "CARGO_REDUCE_SOCKET";
/// Memory handed out is never reused; past this many bytes the process asks to be replaced.
const LEAK_LIMIT: usize = 64 << 20;
/// Results are held back no longer than this, so that a hang is noticed at the right candidate.
const FLUSH_AFTER: Duration = Duration::from_millis(2);

/// What a candidate says of one node.
#[derive(Clone)]
enum Change {
    Text(&'static str),
    Bytes(&'static [u8]),
    Char(char),
    Int(bool, u128),
    Float(f64),
    Bool(bool),
    Kept(Vec<bool>),
}

/// The base is the best so far; a candidate is a few changes on top of it.
struct Table {
    base: Vec<Option<Change>>,
    candidate: Vec<Option<Change>>,
    generation: u64,
    leaked: usize,
}

static TABLE: RwLock<Table> = RwLock::new(Table {
    base: Vec::new(),
    candidate: Vec::new(),
    generation: 0,
    leaked: 0,
});
static LOAD: Once = Once::new();

impl Table {
    fn get(&self, id: u32) -> Option<&Change> {
        let id = id as usize;
        match self.candidate.get(id) {
            Some(Some(change)) => Some(change),
            _ => match self.base.get(id) {
                Some(Some(change)) => Some(change),
                _ => None,
            },
        }
    }
}

fn put(table: &mut Vec<Option<Change>>, id: u32, change: Change) {
    let id = id as usize;
    if table.len() <= id {
        table.resize(id + 1, None);
    }
    table[id] = Some(change);
}

/// Looks a node up; in a process for one candidate the first look-up loads it.
fn look<R>(read: impl FnOnce(&Table) -> R) -> R {
    LOAD.call_once(load_single);
    let table = match TABLE.read() {
        Ok(table) => table,
        Err(poisoned) => poisoned.into_inner(),
    };
    read(&table)
}

fn load_single() {
    let path = match self::std::env::var_os(CANDIDATE) {
        Some(path) => path,
        None => return,
    };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => give_up(&self::std::format!("cannot read the candidate: {}", error)),
    };
    let mut input = Input { bytes: &bytes, at: 0 };
    let mut table = write_table();
    let table = &mut *table;
    load_changes(&mut input, &mut table.base, &mut table.leaked);
}

fn write_table() -> self::std::sync::RwLockWriteGuard<'static, Table> {
    match TABLE.write() {
        Ok(table) => table,
        Err(poisoned) => poisoned.into_inner(),
    }
}

fn give_up(why: &str) -> ! {
    self::std::eprintln!("cargo-reduce runtime: {}", why);
    self::std::process::exit(97)
}

// ------------------------------------------------------------------ what rewritten code calls

pub fn text(id: u32, original: &'static str) -> &'static str {
    look(|table| match table.get(id) {
        Some(Change::Text(text)) => *text,
        _ => original,
    })
}

pub fn bytes(id: u32, original: &'static [u8]) -> &'static [u8] {
    look(|table| match table.get(id) {
        Some(Change::Bytes(bytes)) => *bytes,
        Some(Change::Text(text)) => text.as_bytes(),
        _ => original,
    })
}

pub fn cstr(id: u32, original: &'static CStr) -> &'static CStr {
    let changed = look(|table| match table.get(id) {
        Some(Change::Bytes(bytes)) => Some(*bytes),
        _ => None,
    });
    match changed.map(CString::new) {
        Some(Ok(text)) => Box::leak(text.into_boxed_c_str()),
        _ => original,
    }
}

pub fn character(id: u32, original: char) -> char {
    look(|table| match table.get(id) {
        Some(Change::Char(character)) => *character,
        _ => original,
    })
}

pub fn boolean(id: u32, original: bool) -> bool {
    look(|table| match table.get(id) {
        Some(Change::Bool(value)) => *value,
        _ => original,
    })
}

pub fn num<T: Num>(id: u32, original: T) -> T {
    look(|table| numeric(table, id, original))
}

fn numeric<T: Num>(table: &Table, id: u32, original: T) -> T {
    match table.get(id) {
        Some(Change::Int(negative, magnitude)) => T::from_int(*negative, *magnitude),
        Some(Change::Float(value)) => T::from_float(*value),
        _ => original,
    }
}

/// The path of a file with the candidate's content, or the original path.
pub fn path(id: u32, original: &'static str) -> &'static str {
    let content: &'static [u8] = match look(|table| table.get(id).cloned()) {
        Some(Change::Text(text)) => text.as_bytes(),
        Some(Change::Bytes(bytes)) => bytes,
        _ => return original,
    };
    let name = self::std::path::Path::new(original)
        .file_name()
        .map_or(self::std::string::String::new(), |name| name.to_string_lossy().into_owned());
    let folder = self::std::env::temp_dir()
        .join(self::std::format!("cargo-reduce-{}-{}", self::std::process::id(), id));
    let file = folder.join(name);
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, content));
    if let Err(error) = written {
        give_up(&self::std::format!("cannot write {}: {}", file.display(), error));
    }
    let path = file.to_string_lossy().into_owned();
    let mut table = write_table();
    table.leaked += path.len();
    Box::leak(path.into_boxed_str())
}

/// Whether the element with that ordinal in the original sequence is kept.
pub fn on(id: u32, ordinal: u32) -> bool {
    look(|table| kept(table, id, ordinal as usize))
}

fn kept(table: &Table, id: u32, ordinal: usize) -> bool {
    match table.get(id) {
        Some(Change::Kept(kept)) => kept.get(ordinal).copied().unwrap_or(false),
        _ => true,
    }
}

pub fn list<T, const N: usize>(_id: u32, elements: [Option<T>; N]) -> Vec<T> {
    let mut list = Vec::with_capacity(N);
    list.extend(IntoIterator::into_iter(elements).flatten());
    list
}

pub fn slice<'a, T: 'a, const N: usize>(id: u32, elements: [Option<T>; N]) -> &'a [T] {
    leak(list(id, elements))
}

pub fn nums<T: Num, const N: usize>(id: u32, first: u32, elements: [T; N]) -> Vec<T> {
    pick(id, elements, |table, ordinal, original| numeric(table, first + ordinal, original))
}

pub fn num_slice<'a, T: Num + 'a, const N: usize>(id: u32, first: u32, elements: [T; N]) -> &'a [T] {
    leak(nums(id, first, elements))
}

pub fn texts<const N: usize>(id: u32, first: u32, elements: [&'static str; N]) -> Vec<&'static str> {
    pick(id, elements, |table, ordinal, original| match table.get(first + ordinal) {
        Some(Change::Text(text)) => *text,
        _ => original,
    })
}

pub fn text_slice<'a, const N: usize>(
    id: u32,
    first: u32,
    elements: [&'static str; N],
) -> &'a [&'static str] {
    leak(texts(id, first, elements))
}

fn pick<T, const N: usize>(
    id: u32,
    elements: [T; N],
    value: impl Fn(&Table, u32, T) -> T,
) -> Vec<T> {
    look(|table| {
        let mut picked = Vec::with_capacity(N);
        for (ordinal, element) in IntoIterator::into_iter(elements).enumerate() {
            if kept(table, id, ordinal) {
                picked.push(value(table, ordinal as u32, element));
            }
        }
        picked
    })
}

/// One call of a chain, if it is kept.
pub fn chain<T>(id: u32, ordinal: u32, it: T, call: impl FnOnce(T) -> T) -> T {
    if on(id, ordinal) { call(it) } else { it }
}

pub fn repeat<T: Clone>(element: T, times: usize) -> Vec<T> {
    self::std::vec![element; times]
}

fn leak<'a, T: 'a>(list: Vec<T>) -> &'a [T] {
    let size = self::std::mem::size_of::<T>() * list.len();
    let leaked = Box::leak(list.into_boxed_slice());
    write_table().leaked += size;
    leaked
}

self::std::thread_local! {
    static MEMO: RefCell<HashMap<u32, (u64, Box<dyn Any>)>> = RefCell::new(HashMap::new());
    static PANIC: RefCell<Option<Panic>> = RefCell::new(None);
}

/// The value of a former `const` or `static`, made once for each candidate and thread.
pub fn memo<T: Copy + 'static>(id: u32, make: impl FnOnce() -> T) -> T {
    let generation = look(|table| table.generation);
    let known = MEMO.with(|memo| {
        let memo = memo.borrow();
        let (made_for, value) = memo.get(&id)?;
        if *made_for == generation { value.downcast_ref::<T>().copied() } else { None }
    });
    if let Some(value) = known {
        return value;
    }
    let value = make();
    MEMO.with(|memo| memo.borrow_mut().insert(id, (generation, Box::new(value))));
    value
}

/// Numbers of all types, so that a rewritten literal keeps its inference.
pub trait Num: Copy {
    fn from_int(negative: bool, magnitude: u128) -> Self;
    fn from_float(value: f64) -> Self;
}

macro_rules! ints {
    ($($int:ty)*) => { $(
        impl Num for $int {
            fn from_int(negative: bool, magnitude: u128) -> $int {
                if negative { (magnitude as $int).wrapping_neg() } else { magnitude as $int }
            }
            fn from_float(value: f64) -> $int { value as $int }
        }
    )* };
}
ints!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($float:ty)*) => { $(
        impl Num for $float {
            fn from_int(negative: bool, magnitude: u128) -> $float {
                if negative { -(magnitude as $float) } else { magnitude as $float }
            }
            fn from_float(value: f64) -> $float { value as $float }
        }
    )* };
}
floats!(f32 f64);

/// What a test function may return.
pub trait Report {
    fn report(self) -> Option<String>;
}

impl Report for () {
    fn report(self) -> Option<String> {
        None
    }
}

impl Report for self::std::process::ExitCode {
    fn report(self) -> Option<String> {
        let code = self::std::format!("{:?}", self);
        let success = self::std::format!("{:?}", self::std::process::ExitCode::SUCCESS);
        if code == success { None } else { Some(code) }
    }
}

impl<T: Report, E: Debug> Report for self::std::result::Result<T, E> {
    fn report(self) -> Option<String> {
        match self {
            Ok(value) => value.report(),
            Err(error) => Some(self::std::format!("{:?}", error)),
        }
    }
}

// ------------------------------------------------------------------ the loop

#[derive(Default)]
struct Panic {
    message: String,
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

/// Runs the test for each candidate that arrives, until the other side hangs up.
#[cfg(unix)]
pub fn drive(test: impl Fn() -> Option<String>) {
    use self::std::os::unix::net::UnixStream;
    let socket = match self::std::env::var_os(SOCKET) {
        Some(socket) => socket,
        None => return,
    };
    let mut stream = match UnixStream::connect(&socket) {
        Ok(stream) => stream,
        Err(error) => give_up(&self::std::format!("cannot connect: {}", error)),
    };
    let mut frame = Vec::new();
    while read_frame(&mut stream, &mut frame) {
        if serve(&mut stream, &frame, &test).is_err() {
            return;
        }
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
fn serve(
    stream: &mut impl Write,
    frame: &[u8],
    test: &impl Fn() -> Option<String>,
) -> self::std::io::Result<()> {
    let mut input = Input { bytes: frame, at: 0 };
    {
        let mut table = write_table();
        let table = &mut *table;
        load_changes(&mut input, &mut table.base, &mut table.leaked);
    }
    let flush_each = input.byte() == 1;
    let everywhere = input.byte() == 1;
    let place = (input.string(), input.u32(), input.u32());
    let count = input.u32();
    self::std::panic::set_hook(Box::new(remember_panic));
    let mut out = Vec::new();
    let mut flushed = Instant::now();
    for _ in 0..count {
        {
            let mut table = write_table();
            let table = &mut *table;
            table.generation += 1;
            table.candidate.clear();
            load_changes(&mut input, &mut table.candidate, &mut table.leaked);
        }
        let stop = run_one(test, everywhere, &place, &mut out);
        if flush_each || flushed.elapsed() > FLUSH_AFTER {
            stream.write_all(&out)?;
            out.clear();
            flushed = Instant::now();
        }
        if stop {
            break;
        }
    }
    let spent = write_table().leaked > LEAK_LIMIT;
    out.push(if spent { REPLACE_ME } else { END_OF_BATCH });
    stream.write_all(&out)
}

/// Runs one candidate; true if it may be the failure that is looked for.
fn run_one(
    test: &impl Fn() -> Option<String>,
    everywhere: bool,
    place: &(String, u32, u32),
    out: &mut Vec<u8>,
) -> bool {
    PANIC.with(|panic| panic.borrow_mut().take());
    let result = self::std::panic::catch_unwind(self::std::panic::AssertUnwindSafe(test));
    match result {
        Ok(None) => {
            out.push(DONE_PASS);
            false
        }
        Ok(Some(error)) => {
            out.push(DONE_ERROR);
            put_string(out, &error);
            true
        }
        Err(_) => {
            let panic = PANIC.with(|panic| panic.borrow_mut().take()).unwrap_or_default();
            let here = everywhere
                || (panic.line == place.1 && panic.column == place.2 && panic.file == place.0);
            if !here {
                out.push(DONE_ELSEWHERE);
                return false;
            }
            out.push(DONE_PANIC);
            put_string(out, &panic.message);
            put_string(out, &panic.file);
            out.extend_from_slice(&panic.line.to_le_bytes());
            out.extend_from_slice(&panic.column.to_le_bytes());
            true
        }
    }
}

fn remember_panic(info: &self::std::panic::PanicInfo<'_>) {
    let payload = info.payload();
    let message = if let Some(text) = payload.downcast_ref::<&'static str>() {
        String::from(*text)
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        String::from("Box<dyn Any>")
    };
    let (file, line, column) = match info.location() {
        Some(location) => (String::from(location.file()), location.line(), location.column()),
        None => (String::new(), 0, 0),
    };
    PANIC.with(|panic| *panic.borrow_mut() = Some(Panic { message, file, line, column }));
}

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

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        match self.bytes.get(self.at..self.at + count) {
            Some(taken) => {
                self.at += count;
                taken
            }
            None => give_up("a frame is too short"),
        }
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn u32(&mut self) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(self.take(4));
        u32::from_le_bytes(word)
    }

    fn u128(&mut self) -> u128 {
        let mut word = [0; 16];
        word.copy_from_slice(self.take(16));
        u128::from_le_bytes(word)
    }

    fn string(&mut self) -> String {
        let length = self.u32() as usize;
        String::from_utf8_lossy(self.take(length)).into_owned()
    }
}

fn load_changes(input: &mut Input<'_>, table: &mut Vec<Option<Change>>, leaked: &mut usize) {
    for _ in 0..input.u32() {
        let id = input.u32();
        let change = load_change(input, leaked);
        put(table, id, change);
    }
}

fn load_change(input: &mut Input<'_>, leaked: &mut usize) -> Change {
    match input.byte() {
        0 => {
            let text = input.string();
            *leaked += text.len();
            Change::Text(Box::leak(text.into_boxed_str()))
        }
        1 => {
            let length = input.u32() as usize;
            *leaked += length;
            Change::Bytes(Box::leak(input.take(length).to_vec().into_boxed_slice()))
        }
        2 => Change::Char(self::std::char::from_u32(input.u32()).unwrap_or('?')),
        3 => Change::Int(input.byte() == 1, input.u128()),
        4 => Change::Float(f64::from_bits(input.u128() as u64)),
        5 => Change::Bool(input.byte() == 1),
        6 => {
            let length = input.u32() as usize;
            let mut kept = self::std::vec![false; length];
            for _ in 0..input.u32() {
                let ordinal = input.u32() as usize;
                if ordinal < length {
                    kept[ordinal] = true;
                }
            }
            Change::Kept(kept)
        }
        _ => give_up("a frame has an unknown kind of change"),
    }
}
